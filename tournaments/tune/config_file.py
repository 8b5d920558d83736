"""Studies in TOML: files of one's own and presets that ship, checked key by key with the line of each fault."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from dnup_ai.bots.registry import parse_spec
from dnup_ai.errors import ConfigError, DnupError, did_you_mean
from dnup_ai.games import DEFAULT_GAME, game_named
from dnup_ai.toml_files import Problem, first_of, read_toml_file
from dnup_ai.toml_lines import KeyPath
from tournaments.tune.config import Study, own_defaults
from tournaments.tune.levels import make_space
from tournaments.tune.study import CONFIRMATION

_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "game": ((str,), "the name of a game"),
    "bot": ((str,), "the spec of a bot"),
    "opponents": ((list,), "a list of bots"),
    "players": ((int, list), "a number, or a list of numbers"),
    "parameters": ((dict, list), "tables of levels, or a list of names"),
    "deck": ((str,), "the name of a deck, or a deck file"),
    "rules": ((dict,), "a table of options of the rules"),
    "lineup": ((str,), "a word"),
    "unit": ((str,), "a word"),
    "move_limit": ((int, float), "seconds"),
    "allow_cheating": ((bool,), "true or false"),
    "on_fault": ((str,), "a word"),
    "optimiser": ((str,), "a word"),
    "games": ((int,), "a number"),
    "hours": ((int, float), "a number"),
    "settings": ((int,), "a number"),
    "deals": ((int,), "a number"),
    "finalists": ((int,), "a number"),
    "confirm": ((bool, dict), "true, false, or a table with t1, alpha, beta, batch, max_deals"),
    "seed": ((int,), "a number"),
}
_ITEMS: Mapping[str, tuple[type, str]] = {"players": (int, "a number"), "parameters": (str, "the name of a parameter")}
_OF_PARAMETER: Mapping[str, tuple[tuple[type, ...], str]] = {
    "levels": ((list, int), "a list of levels, or how many"),
    "choices": ((list,), "a list of levels"),
    "low": ((int, float), "a number"),
    "high": ((int, float), "a number"),
    "scale": ((str,), "linear or log"),
}
PRESETS = resources.files("tournaments.tune") / "presets"
"""The studies that ship (tournaments/preset_files.py)."""


class _Settings(NamedTuple):
    values: dict[str, Any]


def read_study(path: Path) -> dict[str, Any]:
    """Return the settings in a TOML file, as `make_study` takes them.

    Raises ConfigError that names file, line and key of the first fault, and how many more there are.
    """
    found = read_toml_file(path, _check)
    if isinstance(found, list):
        raise ConfigError(first_of(found))
    return found.values


def make_study(settings: Mapping[str, Any]) -> Study:
    """Return the study with these settings, those that are missing at their defaults; a missing seed is drawn.

    settings: as a file has them. Raises a DnupError that begins with the key at fault.
    """
    values = dict(settings)
    if "bot" not in values:
        raise ConfigError("bot: expected the spec of the bot to tune")
    bot = parse_spec(values.pop("bot"))
    game = game_named(values.setdefault("game", DEFAULT_GAME))
    deck = game.load_deck(values.pop("deck", game.shipped_decks()[0]))
    options = values.pop("rules", {})
    players = values.pop("players", 3)
    sizes = tuple(players) if isinstance(players, list) else (players,)
    if not sizes:
        raise ConfigError("players: expected a number, or several, got none")
    confirm = values.pop("confirm", True)
    if "hours" in values:
        values.setdefault("games", None)
    values.setdefault("seed", secrets.randbelow(2**32))
    parameters = values.pop("parameters", None)
    opponents = tuple(map(parse_spec, values.pop("opponents", (str(bot),))))
    own = own_defaults(bot, values["game"], deck, sizes, options)
    return Study(
        **{
            **values,
            "bot": bot,
            "space": make_space(bot, own, parameters),
            "opponents": opponents,
            "players": sizes,
            "deck": deck,
            "options": options,
            "confirm": _make_test(confirm),
        }
    )


def _make_test(confirm: bool | Mapping[str, Any]) -> Any:
    """The test that confirms, None for none."""
    if isinstance(confirm, bool):
        return CONFIRMATION if confirm else None
    known = ("t1", "alpha", "beta", "batch", "max_deals")
    for name, value in confirm.items():
        if name not in known:
            raise ConfigError(f"confirm: expected {', '.join(known)}, got {name!r}")
        if type(value) not in ((int,) if name in ("batch", "max_deals") else (int, float)):
            raise ConfigError(f"confirm: {name}: expected a number, got {value!r}")
    try:
        return dataclasses.replace(CONFIRMATION, **confirm)
    except ConfigError as error:
        raise ConfigError(f"confirm: {str(error).removeprefix('sprt: ')}") from error


def _check(data: object) -> _Settings | list[Problem]:
    """Check types of all keys one by one, then whether the whole can be played."""
    assert isinstance(data, dict)
    problems = [problem for name, value in data.items() for problem in _problems((name,), value, _TYPES)]
    parameters = data.get("parameters")
    if not problems and isinstance(parameters, dict):
        for name, table in parameters.items():
            if not isinstance(table, dict):
                problems.append(Problem(("parameters", name), f"expected a table of levels, got {table!r}"))
                continue
            for key, value in table.items():
                problems += _problems(("parameters", name, key), value, _OF_PARAMETER)
    if problems:
        return problems
    try:
        make_study(data)
    except DnupError as error:
        return [_placed(str(error), data)]
    return _Settings(data)


def _problems(path: tuple[str, ...], value: object, types: Mapping[str, tuple[tuple[type, ...], str]]) -> list[Problem]:
    name = path[-1]
    if name not in types:
        hint = did_you_mean(name, types) or f"; there are {', '.join(types)}"
        return [Problem(path, f"no such setting{hint}")]
    known, expected = types[name]
    if type(value) not in known:
        return [Problem(path, f"expected {expected}, got {value!r}")]
    if name == "bot":
        return _bot_problems(path, value)
    if name == "opponents" and isinstance(value, list):
        return [problem for index, spec in enumerate(value) for problem in _bot_problems((*path, index), spec)]
    if name in _ITEMS and isinstance(value, list):
        type_, what = _ITEMS[name]
        return [
            Problem((*path, index), f"expected {what}, got {found!r}")
            for index, found in enumerate(value)
            if type(found) is not type_
        ]
    return []


def _bot_problems(path: KeyPath, spec: object) -> list[Problem]:
    if not isinstance(spec, str):
        return [Problem(path, f"expected the spec of a bot, got {spec!r}")]
    try:
        parse_spec(spec)
    except DnupError as error:
        return [Problem(path, str(error))]
    return []


def _placed(text: str, data: Mapping[str, Any]) -> Problem:
    """An error about the whole, at the key that it begins with or else names."""
    key, colon, rest = text.partition(": ")
    first, *more = key.split(".")
    if colon and first in _TYPES and " " not in key:
        return Problem((first, *more), rest)
    text = text.removeprefix("tune: ")
    for name in ("deck", "game", "bot", "opponents", "settings", "deals", "finalists"):
        if name in data and (name in text.split() or str(data[name]) in text):
            return Problem((name,), text)
    return Problem((), text)
