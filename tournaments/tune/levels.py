"""The levels of a bot's parameters: as files and commands give them, or as the bot declares them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, cast

from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import ConfigError, did_you_mean
from dnup_ai.params import Parameter, Value, describe_params, parse_value
from tournaments.tune.space import Scale, Space, range_levels, space_of

_SCALES = ("linear", "log")
_LEVELS = 7
"""Of a range that says no number of them."""


def make_space(bot: BotSpec, own: Mapping[str, Value], wanted: Mapping[str, Any] | Sequence[str] | None) -> Space:
    """Return the space over parameters of a bot, its default the values that the bot has.

    own: of the parameters that it leaves to the game the values there (`config.own_defaults`); wanted: a table of
    levels by name, a list of names, or None for all that the bot declares levels of. Raises ConfigError as
    `space_of` does.
    """
    known = describe_params(type(bot.params))
    by_name = {parameter.name: parameter for parameter in known}
    if wanted is None:
        wanted = [parameter.name for parameter in known if parameter.tune]
        if not known:
            raise ConfigError(f"parameters: {bot} has none to tune")
        if not wanted:
            raise ConfigError(
                f"parameters: {bot} declares no levels (`tune=` of `param`): give levels of your own, with --levels or "
                "in a file of settings"
            )
    tables = wanted if isinstance(wanted, Mapping) else {name: {} for name in wanted}
    for name in tables:
        if name not in by_name:
            hint = did_you_mean(name, by_name) or f"; there are {', '.join(by_name) or 'none'}"
            raise ConfigError(f"parameters.{name}: {bot.name} has no such parameter{hint}")
    values = {**dataclasses.asdict(bot.params), **own}
    levels, scales = {}, {}
    for name, table in tables.items():
        if values[name] is None:
            raise ConfigError(
                f"parameters.{name}: the game's own value is not the same at all these tables: give one in the spec of "
                "the bot, or tune at one number of players at a time"
            )
        try:
            levels[name] = _levels(by_name[name], table)
            if table.get("scale", _SCALES[0]) not in _SCALES:
                raise ConfigError(f"expected the scale linear or log, got {table['scale']!r}")
            scales[name] = cast(Scale, table.get("scale", _SCALES[0]))
            space_of(known, {name: levels[name]}, values, scales)
        except ConfigError as error:
            text = str(error).removeprefix("tune: ").removeprefix(f"parameter {name}: ")
            raise ConfigError(f"parameters.{name}: {text}") from error
    return space_of(known, levels, values, scales)


def read_levels(bot: BotSpec, text: str) -> tuple[str, dict[str, Any]]:
    """Return a parameter of the bot and its table of levels out of `NAME=LEVEL,LEVEL,...`, with `@log` for the scale.

    Raises ConfigError that says what was expected.
    """
    name, equals, rest = text.partition("=")
    texts, at, scale = rest.partition("@")
    known = {parameter.name: parameter for parameter in describe_params(type(bot.params))}
    if not equals:
        raise ConfigError(f"levels: expected NAME=LEVEL,LEVEL, got {text!r}")
    if name not in known:
        make_space(bot, {}, [name])  # says which there are
    levels = []
    for found in texts.split(","):
        value = parse_value(known[name].type, found)
        if value is None:
            raise ConfigError(f"levels: expected values of {known[name]}, got {found!r}")
        levels.append(value)
    return name, {"levels": levels, **({"scale": scale} if at else {})}


def _levels(parameter: Parameter, table: Mapping[str, Any]) -> Sequence[Value] | None:
    """The levels that a table gives, None for those that the parameter declares."""
    levels = table.get("levels", table.get("choices"))
    if isinstance(levels, list):
        return cast(Sequence[Value], levels)
    if "low" not in table and "high" not in table:
        if levels is not None:
            raise ConfigError("expected low and high beside the number of levels")
        return None
    low, high = (table.get(name, getattr(parameter, name)) for name in ("low", "high"))
    if low is None or high is None:
        raise ConfigError("expected low and high")
    return range_levels(parameter, low, high, _LEVELS if levels is None else levels, table.get("scale", _SCALES[0]))
