"""Tournaments in TOML: files of one's own and presets that ship, checked key by key with the line of each fault."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from dnup_ai.bots.registry import parse_spec
from dnup_ai.errors import ConfigError, DnupError, did_you_mean
from dnup_ai.games import DEFAULT_GAME, game_named
from dnup_ai.toml_files import Problem, first_of, read_toml_file
from tournaments.config import Tournament
from tournaments.sprt import Sprt

_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "game": ((str,), "the name of a game"),
    "bots": ((list,), "a list of bots"),
    "players": ((int,), "a number"),
    "deals": ((int,), "a number"),
    "seed": ((int,), "a number"),
    "deck": ((str,), "the name of a deck, or a deck file"),
    "rules": ((dict,), "a table of options of the rules"),
    "format": ((str,), "a word"),
    "lineup": ((str,), "a word"),
    "challengers": ((int,), "a number"),
    "max_lineups": ((int,), "a number"),
    "unit": ((str,), "a word"),
    "allow_cheating": ((bool,), "true or false"),
    "move_limit": ((int, float), "seconds"),
    "on_fault": ((str,), "a word"),
    "sprt": ((dict,), "a table with t0 and t1"),
}
DEFAULTS: Mapping[str, Any] = {
    "game": DEFAULT_GAME,
    "bots": ["ismcts:iterations=200", "greedy", "random"],
    "players": 3,
    "deals": 300,
}
"""What is played if nothing is said."""

PRESETS = resources.files("tournaments") / "presets"
"""The tournaments that ship (tournaments/preset_files.py)."""


class _Settings(NamedTuple):
    values: dict[str, Any]


def read_config(path: Path) -> dict[str, Any]:
    """Return the settings in a TOML file, as `make_tournament` takes them.

    Raises ConfigError that names file, line and key of the first fault, and how many more there are.
    """
    found = read_toml_file(path, _check)
    if isinstance(found, list):
        raise ConfigError(first_of(found))
    return found.values


def make_tournament(settings: Mapping[str, Any]) -> Tournament:
    """Return the tournament with these settings, those that are missing at their defaults; a missing seed is drawn.

    settings: as a file has them. Raises a DnupError that begins with the key at fault.
    """
    values = {**DEFAULTS, **settings}
    game = game_named(values["game"])
    deck = game.load_deck(values.pop("deck", game.shipped_decks()[0]))
    sprt = values.pop("sprt", None)
    options = values.pop("rules", {})
    for name in options:
        if name not in game.options:
            known = ", ".join(f"{option}={default}" for option, default in game.options.items())
            raise ConfigError(f"rules: expected options of {game.name} ({known}), got {name!r}")
    values.setdefault("seed", secrets.randbelow(2**32))
    if "lineup" in values or sprt is not None:
        values.setdefault("format", "head-to-head")
    return Tournament(
        **{
            **values,
            "bots": tuple(map(parse_spec, values["bots"])),
            "deck": deck,
            "options": options,
            "sprt": None if sprt is None else make_sprt(sprt),
        }
    )


def make_sprt(settings: Mapping[str, Any]) -> Sprt:
    """Return the test with these settings; raises ConfigError that names the one at fault."""
    known = ("t0", "t1", "alpha", "beta", "batch")
    for name, value in settings.items():
        if name not in known:
            raise ConfigError(f"sprt: expected {', '.join(known)}, got {name!r}")
        if type(value) not in (int, float):
            raise ConfigError(f"sprt: {name}: expected a number, got {value!r}")
    for name in ("t0", "t1"):
        if name not in settings:
            raise ConfigError(f"sprt: expected t0 and t1, {name} is missing")
    return Sprt(**settings)


def _check(data: object) -> _Settings | list[Problem]:
    """Check types of all keys one by one, then whether the whole can be played."""
    assert isinstance(data, dict)
    problems = [problem for name, value in data.items() if (problem := _problem(name, value))]
    if problems:
        return problems
    try:
        make_tournament(data)
    except DnupError as error:
        text = str(error)
        key, colon, rest = text.partition(": ")
        at_key = bool(colon) and key in _TYPES
        return [Problem((key,) if at_key else _culprit(data, text), rest if at_key else text)]
    return _Settings(data)


def _problem(name: str, value: object) -> Problem | None:
    if name not in _TYPES:
        hint = did_you_mean(name, _TYPES) or f"; there are {', '.join(_TYPES)}"
        return Problem((name,), f"no such setting{hint}")
    types, expected = _TYPES[name]
    if type(value) not in types:
        return Problem((name,), f"expected {expected}, got {value!r}")
    if isinstance(value, list):
        for index, item in enumerate(value):
            if type(item) is not str:
                return Problem((name, index), f"expected the spec of a bot, got {item!r}")
            try:
                parse_spec(item)
            except DnupError as error:
                return Problem((name, index), str(error))
    return None


def _culprit(data: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """The key that an error is about which does not begin with it."""
    if text.startswith("rules of "):
        # `rules of dnup: repetition: expected ...`
        name = text.split(": ")[1] if ": " in text else ""
        return ("rules", name) if name in data.get("rules", {}) else ("rules",)
    for key in ("deck", "game", "bots"):
        if key in data and (key in text or str(data[key]) in text):
            return (key,)
    return ()
