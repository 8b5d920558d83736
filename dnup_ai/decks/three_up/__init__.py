"""Decks of 3UP 3DOWN: how many cards there are of each rank (docs/rules-3up3down.md)."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple, Self

from cython_core.three_up import OPTIONS, ThreeUpRules
from cython_core.three_up_position import RANKS
from dnup_ai.errors import ConfigError, DeckError
from dnup_ai.toml_files import Problem, first_of, is_path, problem_text, read_toml_file

__all__ = [
    "PLAYERS",
    "ThreeUpDeck",
    "check_three_up_deck",
    "load_three_up_deck",
    "shipped_three_up_decks",
    "three_up_deck_template",
]

PLAYERS = (2, 3, 4, 5, 6)
MAX_CARDS = 108
MAX_OF_RANK = 15
DEALT = 9

_KEYS = ("name", "counts")
_NAME = re.compile(r"[a-z0-9-]+")

_TEMPLATE = """\
# A deck of 3UP 3DOWN (docs/rules-3up3down.md). Fill in how many cards of each rank your box has.

# Small letters, digits and hyphens; not the name of a deck that ships.
name = "my-box"

# Every rank: the numbers 1 to 10, C (Clear), C1 (Clear +1), C2 (Clear +2). At most 15 of one rank and 108 in all, and
# more than nine for each player.
counts = { 1 = 6, 2 = 6, 3 = 6, 4 = 6, 5 = 6, 6 = 6, 7 = 6, 8 = 6, 9 = 6, 10 = 6, C = 6, C1 = 6, C2 = 2 }
"""


class _Parts(NamedTuple):
    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class ThreeUpDeck:
    """The cards of a box: `counts` has the number of cards of each rank of `RANKS`.

    Made by `load_three_up_deck` or `from_dict`, which check; the constructor does not.
    """

    name: str
    counts: tuple[int, ...]

    def player_counts(self) -> tuple[int, ...]:
        """Return the numbers of players, ascending, for whom the cards are enough."""
        return tuple(players for players in PLAYERS if sum(self.counts) > DEALT * players)

    def rules(self, players: int, /, **options: Any) -> ThreeUpRules:
        """Return the rules of 3UP 3DOWN with this deck.

        options: `repetition`, `max_turns`, `max_rounds`. Raises DeckError if the cards are not enough for so many
        players, and ConfigError for an option or value that does not exist.
        """
        if players not in PLAYERS:
            raise DeckError(f"players: expected 2 to 6, got {players!r}")
        if players not in self.player_counts():
            raise DeckError(
                f"deck {self.name} at {players} players: expected more than {DEALT * players} cards, "
                f"got {sum(self.counts)}"
            )
        for name in options:
            if name not in OPTIONS:
                raise ConfigError(f"rules of 3up3down: unknown option {name!r}; there are {', '.join(OPTIONS)}")
        try:
            return ThreeUpRules(players, self.counts, deck=self.name, **options)
        except ValueError as error:
            raise ConfigError(f"rules of 3up3down: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the deck with the keys of a deck file, as a record carries it."""
        return {"name": self.name, "counts": dict(zip(RANKS, self.counts, strict=True))}

    @classmethod
    def from_dict(cls, data: object, where: str) -> Self:
        """Return the deck that `to_dict` wrote.

        where: the place to name in errors, as `rounds.jsonl, line 3`. Raises DeckError with the first problem.
        """
        found = _check(data)
        if isinstance(found, _Parts):
            return cls(*found)
        raise DeckError(first_of([f"{where}, {problem_text(problem)}" for problem in found]))


def load_three_up_deck(name_or_path: str | os.PathLike[str]) -> ThreeUpDeck:
    """Return the deck of that name, or the one in that file.

    name_or_path: a name out of `shipped_three_up_decks`, or a path: what ends in `.toml` or has a path separator.
    Raises DeckError: no such deck or file, or the first problem of the file and how many more there are.
    """
    if isinstance(name_or_path, str) and not is_path(name_or_path):
        if name_or_path not in shipped_three_up_decks():
            raise DeckError(
                f"deck {name_or_path!r}: expected one of those that ship ({', '.join(shipped_three_up_decks())}) "
                "or the path of a .toml file"
            )
        return _load_shipped(name_or_path)
    found = read_toml_file(Path(name_or_path), _check)
    if isinstance(found, _Parts):
        return ThreeUpDeck(*found)
    raise DeckError(first_of(found))


def check_three_up_deck(path: str | os.PathLike[str]) -> list[str]:
    """Return all problems of a deck file in order, each naming file, line and key; none if it is right."""
    found = read_toml_file(Path(path), _check)
    return [] if isinstance(found, _Parts) else found


@cache
def shipped_three_up_decks() -> tuple[str, ...]:
    """Return the names of the decks that ship, `standard` first."""
    names = [file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (name != "standard", name)))


def three_up_deck_template() -> str:
    """Return a deck file with comments, valid as it is, to be filled in with the cards of a box."""
    return _TEMPLATE


def _folder() -> Traversable:
    return resources.files(__name__)


@cache
def _load_shipped(name: str) -> ThreeUpDeck:
    found = _check_data(tomllib.loads((_folder() / f"{name}.toml").read_text("utf-8")))
    if isinstance(found, _Parts):
        return ThreeUpDeck(*found)
    raise DeckError(first_of([f"{name}.toml, {problem_text(problem)}" for problem in found]))


def _check(data: object) -> _Parts | list[Problem]:
    """Check a deck that is not one of those that ship: it may not pass for one of them either."""
    found = _check_data(data)
    if isinstance(found, list) or found.name not in shipped_three_up_decks():
        return found
    if found.counts != load_three_up_deck(found.name).counts:
        text = f"expected a name that no deck that ships has, since the cards differ, got {found.name!r}"
        return [Problem(("name",), text)]
    return found


def _check_data(data: object) -> _Parts | list[Problem]:
    """Return the parts of a deck with the keys of a deck file, or everything that is wrong with it."""
    if not isinstance(data, Mapping):
        return [Problem((), f"expected a table with the keys {' and '.join(_KEYS)}, got {_show(data)}")]
    problems = [Problem((str(key),), "unknown key; expected name or counts") for key in data if key not in _KEYS]
    name = data.get("name")
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        got = _show(name) if "name" in data else "none"
        problems.append(
            Problem(("name",), f"expected a name of small letters, digits and hyphens, like 'my-box', got {got}")
        )
    table = data.get("counts")
    if not isinstance(table, Mapping):
        got = _show(table) if "counts" in data else "none"
        problems.append(Problem(("counts",), f"expected a table of numbers, like {{ 1 = 6, C2 = 2 }}, got {got}"))
        return problems
    problems += _count_problems(table)
    if problems:
        return problems
    counts = tuple(table[rank] for rank in RANKS)
    if not DEALT * PLAYERS[0] < sum(counts) <= MAX_CARDS:
        text = f"expected {DEALT * PLAYERS[0] + 1} to {MAX_CARDS} cards, got {sum(counts)}"
        return [Problem(("counts",), text)]
    return _Parts(str(name), counts)


def _count_problems(table: Mapping[object, object]) -> list[Problem]:
    problems = []
    for key, count in table.items():
        if key not in RANKS:
            problems.append(Problem(("counts", str(key)), f"expected one of the ranks {', '.join(RANKS)}"))
        elif type(count) is not int or not 0 <= count <= MAX_OF_RANK:
            problems.append(Problem(("counts", str(key)), f"expected 0 to {MAX_OF_RANK} cards, got {_show(count)}"))
    problems += [
        Problem(("counts",), f"the rank {rank} is missing; expected how many there are")
        for rank in RANKS
        if rank not in table
    ]
    return problems


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
