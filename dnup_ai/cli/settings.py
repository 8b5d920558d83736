"""Options that several commands share: the game, its deck, and the options of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from dnup_ai.games import Deck, Game

GAME = typer.Option("dnup", "--game", help="A game of the engine, or your own as my_game.py:Class.")
DECK = typer.Option(None, "--deck", help="A deck that ships, or a deck file (default: the game's first).")
RULE = typer.Option(None, "--rule", help="An option of the rules, as NAME=VALUE; may be given again.")


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
    """Return the seconds that a text gives: `2`, `2s` or `500ms`; raises ConfigError that names the option."""
    from dnup_ai.errors import ConfigError

    number, unit = (text[:-2], 0.001) if text.endswith("ms") else (text.removesuffix("s"), 1.0)
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 10**6:
        raise ConfigError(f"{option}: expected seconds above 0, as 2s or 500ms, got {text!r}")
    return seconds
