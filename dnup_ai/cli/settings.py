"""Options that several commands share (the game, its deck, the options of its rules), and what they leave to say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from dnup_ai.games import Deck, Game

GAME = typer.Option("dnup", "--game", help="A game of the engine, or your own as my_game.py:Class.")
DECK = typer.Option(None, "--deck", help="A deck that ships, or a deck file (default: the game's first).")
RULE = typer.Option(None, "--rule", help="An option of the rules, as NAME=VALUE; may be given again.")
PLAYERS = "Seats at the table, as many as game and deck allow (dnup: 2 to 5)"
"""The help of `--players`; a command adds its default."""


def load_deck(game: Game, deck: str | None) -> Deck:
    """Return the deck of that name or file, by default the game's first."""
    return game.load_deck(game.shipped_decks()[0] if deck is None else deck)


def read_rules(game: Game, rules: Sequence[str] | None) -> dict[str, Any]:
    """Return the options of the rules that are given as NAME=VALUE; numbers become numbers.

    Raises ConfigError that lists the options there are; whether the value is allowed is for the rules to say.
    """
    from dnup_ai.errors import ConfigError

    options: dict[str, Any] = {}
    for text in rules or ():
        name, equals, value = text.partition("=")
        if not equals or name not in game.options:
            known = ", ".join(f"{option}={default}" for option, default in game.options.items())
            raise ConfigError(f"--rule: expected NAME=VALUE with an option of {game.name} ({known}), got {text!r}")
        if name in options:
            raise ConfigError(f"--rule: {name} is given twice")
        is_number = isinstance(game.options[name], int) and value.lstrip("-").isdecimal()
        options[name] = int(value) if is_number else value
    return options


def read_seconds(option: str, text: str) -> float:
    """Return the seconds that `2s`, `2`, `500ms` or `1m` is; raises ConfigError that names the option."""
    import re

    from dnup_ai.errors import ConfigError

    match = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(ms|s|m|)", text)
    if match is None or not float(match[1]):
        raise ConfigError(f"{option}: expected a time above 0, as 500ms, 2s or 1m, got {text!r}")
    return float(match[1]) * {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0}[match[2]]


def free_path(stem: str) -> Path:
    """Return `STEM.sqlite`, or where that is taken the next one with a number."""
    paths = (Path(f"{stem}{number}.sqlite") for number in ("", *(f"-{again}" for again in range(2, 10**6))))
    return next(path for path in paths if not path.exists())


def cores() -> int:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_numbers(option: str, text: str, form: str) -> dict[str, float]:
    """Return the numbers of `NAME=NUMBER,NAME=NUMBER`; raises ConfigError with the option and the form it takes."""
    from dnup_ai.errors import ConfigError

    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = int(value) if value.isdecimal() else float(value)
        except ValueError as error:
            raise ConfigError(f"{option}: expected {form}, got {part!r}") from error
    return found


def print_presets(folder: Traversable, name: str | None) -> None:
    """Print a preset of a folder, or, without a name, a line about each there is; raises ConfigError."""
    from tournaments.preset_files import preset_names, preset_text

    if name is not None:
        print(preset_text(folder, name), end="")
        return
    for preset in preset_names(folder):
        print(f"{preset:12} {preset_text(folder, preset).splitlines()[0].removeprefix('# ')}")
