"""The games of the engine, by name: those that ship, those of installed packages, and a user's own file."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from dnup_ai.errors import ConfigError, did_you_mean
from dnup_ai.games.base import Deck, Game, PlainDeck, Question

__all__ = ["DEFAULT_GAME", "Deck", "Game", "PlainDeck", "Question", "game_named", "game_names", "game_of"]

DEFAULT_GAME = "dnup"
ENTRY_POINTS = "dnup_ai.games"
"""Group of the entry points by which an installed package adds a game: NAME = "module:Class"."""

# Imported when asked for: a command for one game does not load the others.
_SHIPPED = {
    "dnup": "dnup_ai.games.dnup:Dnup",
    "dnup-pile": "dnup_ai.games.pile:Pile",
    "3up3down": "dnup_ai.games.three_up:ThreeUp",
}
_loaded: dict[str, Game] = {}  # from users' files, by their own name


def game_names() -> tuple[str, ...]:
    """Return the names of the games that ship, of those that installed packages add, and of users' files so far."""
    installed = (point.name for point in entry_points(group=ENTRY_POINTS))
    return tuple(dict.fromkeys((*_SHIPPED, *installed, *_loaded)))


@cache
def game_named(name: str) -> Game:
    """Return the game of that name, or of a Python file, as `my_game.py:Class`.

    Raises ConfigError that lists the games there are.
    """
    if ".py:" in name:
        from dnup_ai.user_files import load_class

        file, _, wanted = name.rpartition(":")
        made: Game = load_class(file, wanted, Game, "game", ConfigError)()
        if made.name in _SHIPPED:
            raise ConfigError(f"{name}: a game {made.name!r} ships already; give this one another name")
        _loaded[made.name] = made
        return made
    if name in _loaded:
        return _loaded[name]
    if name in _SHIPPED:
        module, _, wanted = _SHIPPED[name].partition(":")
        found: type[Game] = getattr(import_module(module), wanted)
        return found()
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            loaded: type[Game] = point.load()
            return loaded()
    hint = did_you_mean(name, game_names())
    raise ConfigError(
        f"unknown game {name!r}{hint}; there are {', '.join(game_names())}, or your own as my_game.py:Class"
    )


def game_of(position: str, default: str = DEFAULT_GAME) -> Game:
    """Return the game that the first word of a position names, the default if it begins with no such word.

    Raises ConfigError if there is no such game.
    """
    own = game_named(default)  # loads it, if it is of a user's file
    word = re.match(r"([a-z0-9-]+):", position)
    return own if word is None else game_named(word[1])
