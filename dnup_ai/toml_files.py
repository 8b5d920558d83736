"""What files in TOML have in common, decks and tournaments: reading them, and saying in which line a problem is."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from dnup_ai.toml_lines import KeyPath, key_lines

Parts = TypeVar("Parts", bound=object)
"""What a check makes of the data of a file; not a list."""


class Problem(NamedTuple):
    """One fault of a file: the key it is at, and what is wrong there."""

    path: KeyPath
    text: str


def is_path(text: str) -> bool:
    """Whether the text is the path of a deck file, not the name of a deck that ships."""
    return text.endswith(".toml") or any(sign in text for sign in ("/", os.sep, os.altsep) if sign)


def read_toml_file(path: Path, check: Callable[[object], Parts | list[Problem]]) -> Parts | list[str]:
    """Return the parts that a check finds in a file, or its problems in order, each with file, line and key."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return [f"{path}: cannot be read: {error.strerror or error}"]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return [f"{path}, line {line}: expected text in UTF-8, got the byte {error.object[error.start]:#04x}"]
    try:
        data = tomllib.loads(text)
    except RecursionError:
        return [f"{path}, line 1: lists in lists beyond all measure"]
    except ValueError as error:
        return [f"{path}, {_syntax_problem(str(error), text)}"]
    found = check(data)
    if not isinstance(found, list):
        return found
    lines = key_lines(text)
    placed = sorted(((_line_of(problem, lines), problem) for problem in found), key=lambda pair: pair[0])
    return [f"{path}, line {line}, {problem_text(problem)}" for line, problem in placed]


def path_text(path: KeyPath) -> str:
    """`("symbols", "1", 0)` as `symbols.1[0]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def problem_text(problem: Problem) -> str:
    """Return the problem with its key in front, if it is at one."""
    return f"{path_text(problem.path)}: {problem.text}" if problem.path else problem.text


def first_of(problems: list[str], remedy: str = "") -> str:
    """Return the first problem, and how many more there are."""
    more = len(problems) - 1
    if not more:
        return problems[0]
    return f"{problems[0]} (and {more} more problem{'s' if more > 1 else ''}{remedy})"


def _syntax_problem(message: str, text: str) -> str:
    """`line 3: TOML: ...` out of tomllib's message, which ends with the place."""
    place = re.search(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$", message)
    if place is None:
        return f"line 1: not TOML: {message}"
    line, column = place.groups()
    if line is None:
        line = str(max(1, len(text.splitlines())))
    where = f"column {column}" if column else "at the end of the file"
    return f"line {line}, {where}: not TOML: {message[: place.start()]}"


def _line_of(problem: Problem, lines: Mapping[tuple[str | int, ...], int]) -> int:
    """The line of the key, of the nearest key above it, or 1 for a key that is missing."""
    path = problem.path
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
