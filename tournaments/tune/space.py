"""What may be tuned: parameters with their levels. A setting is one level of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dnup_ai.errors import ConfigError
from dnup_ai.params import Parameter, Value, value_text

Setting = tuple[Value, ...]
"""A value of each dimension of a space, in their order."""
Places = tuple[int, ...]
"""The same by the places of the levels, from 0."""
Scale = Literal["linear", "log"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """A parameter and the levels that it may take.

    levels: different from each other, ascending if ordered; ordered: levels near each other are alike, as numbers are;
    scale: on which a plot shows them. Raises ConfigError for levels that make no dimension.
    """

    name: str
    levels: tuple[Value, ...]
    ordered: bool
    scale: Scale = "linear"

    def __post_init__(self) -> None:
        if len(self.levels) < 2:
            raise ConfigError(f"parameter {self.name}: expected at least 2 levels, got {len(self.levels)}")
        if len({(type(level), level) for level in self.levels}) < len(self.levels):
            raise ConfigError(f"parameter {self.name}: a level is there twice in {_list(self.levels)}")
        if self.ordered and list(self.levels) != sorted(self.levels, key=_number):
            raise ConfigError(f"parameter {self.name}: expected ascending levels, got {_list(self.levels)}")

    def place(self, value: Value) -> int:
        """Return the place of a level. Raises ConfigError if the value is none."""
        for place, level in enumerate(self.levels):
            if level == value and type(level) is type(value):
                return place
        raise ConfigError(f"parameter {self.name}: expected one of {_list(self.levels)}, got {value_text(value)}")


@dataclass(frozen=True, slots=True)
class Space:
    """The dimensions, and the setting that is there without tuning.

    Raises ConfigError without dimensions, for a name that is there twice, or a default that is no setting.
    """

    dimensions: tuple[Dimension, ...]
    default: Setting

    def __post_init__(self) -> None:
        names = [dimension.name for dimension in self.dimensions]
        if not names:
            raise ConfigError("tune: expected at least one parameter")
        if len(set(names)) < len(names):
            raise ConfigError(f"tune: a parameter is there twice in {', '.join(names)}")
        self.places(self.default)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the number of levels of each dimension."""
        return tuple(len(dimension.levels) for dimension in self.dimensions)

    @property
    def size(self) -> int:
        """Return the number of settings."""
        return math.prod(self.sizes)

    def setting(self, places: Sequence[int]) -> Setting:
        """Return the setting with its levels at these places."""
        return tuple(dimension.levels[place] for dimension, place in zip(self.dimensions, places, strict=True))

    def places(self, setting: Setting) -> Places:
        """Return the places of the levels of a setting. Raises ConfigError if it is none of the space."""
        if len(setting) != len(self.dimensions):
            raise ConfigError(f"tune: expected {len(self.dimensions)} values in a setting, got {len(setting)}")
        return tuple(dimension.place(value) for dimension, value in zip(self.dimensions, setting, strict=True))

    def values(self, setting: Setting) -> dict[str, Value]:
        """Return the value of each parameter by its name."""
        return {dimension.name: value for dimension, value in zip(self.dimensions, setting, strict=True)}

    def text(self, setting: Setting) -> str:
        """Return all values as the `key=value,key=value` of specs."""
        return ",".join(f"{name}={value_text(value)}" for name, value in self.values(setting).items())


def space_of(
    parameters: Sequence[Parameter],
    levels: Mapping[str, Sequence[Value] | None],
    defaults: Mapping[str, Value] | None = None,
    scales: Mapping[str, Scale] | None = None,
) -> Space:
    """Return a space over some of a bot's parameters.

    parameters: all of the bot's (`describe_params`); levels: by name, None for those that the parameter declares with
    `tune=`; defaults: values that replace the declared defaults, as a game's own search defaults do; they are put among
    the levels if they are not there. Raises ConfigError for a name that is none, a level that is not allowed, and a
    parameter that declares no levels and is given none.
    """
    known = {parameter.name: parameter for parameter in parameters}
    dimensions: list[Dimension] = []
    default: list[Value] = []
    for name, given in levels.items():
        if name not in known:
            raise ConfigError(f"tune: unknown parameter {name!r}; there are {', '.join(known)}")
        value = (defaults or {}).get(name, known[name].default)
        scale = (scales or {}).get(name, "linear")
        dimensions.append(dimension_of(known[name], given, value, scale))
        default.append(dimensions[-1].levels[dimensions[-1].place(_typed(known[name], value))])
    return Space(tuple(dimensions), tuple(default))


def dimension_of(
    parameter: Parameter, levels: Sequence[Value] | None, default: Value | None = None, scale: Scale = "linear"
) -> Dimension:
    """Return the dimension of one parameter: `space_of` says how."""
    if levels is None:
        levels = parameter.tune
        if not levels:
            raise ConfigError(f"parameter {parameter.name}: it has no levels of its own, so name some or a range")
    typed = [_typed(parameter, level) for level in levels]
    value = _typed(parameter, parameter.default if default is None else default)
    if value not in typed:
        typed.append(value)
    ordered = parameter.type in (int, float)
    return Dimension(parameter.name, tuple(sorted(typed, key=_number) if ordered else typed), ordered, scale)


def range_levels(
    parameter: Parameter, low: float, high: float, count: int, scale: Scale = "linear"
) -> tuple[int, ...] | tuple[float, ...]:
    """Return levels from low to high, both included: evenly spaced, or by equal factors on the scale `log`.

    count: how many. Those of an int are all different whole numbers, fewer if the range has not so many; those of a
    float have as few digits as keep them apart. Raises ConfigError for a range that has none.
    """
    where = f"parameter {parameter.name}"
    if parameter.type not in (int, float):
        raise ConfigError(f"{where}: a {parameter.type.__name__} has no range, name its levels")
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ConfigError(f"{where}: expected low < high, got {low:g} and {high:g}")
    if scale == "log" and low <= 0:
        raise ConfigError(f"{where}: expected low above 0 on a log scale, got {low:g}")
    if count < 2:
        raise ConfigError(f"{where}: expected at least 2 levels, got {count}")
    if parameter.type is int:
        return _whole_levels(where, low, high, count, scale)
    levels = _spaced(low, high, count, scale)
    for digits in range(3, 17):
        short = tuple(min(max(float(f"{level:.{digits}g}"), low), high) for level in levels)
        if len(set(short)) == count:
            return short
    raise ConfigError(f"{where}: there are not {count} numbers between {low:g} and {high:g}")


def _whole_levels(where: str, low: float, high: float, count: int, scale: Scale) -> tuple[int, ...]:
    if low != int(low) or high != int(high):
        raise ConfigError(f"{where}: expected whole numbers, got {low:g} and {high:g}")
    first, last = int(low), int(high)
    count = min(count, last - first + 1)
    levels = [round(level) for level in _spaced(low, high, count, scale)]
    # Two levels that round to one number are moved apart, up first, then down where that went beyond the end.
    for i in range(1, count):
        levels[i] = max(levels[i], levels[i - 1] + 1)
    for i in reversed(range(count)):
        levels[i] = min(levels[i], last - (count - 1 - i))
    return tuple(levels)


def _spaced(low: float, high: float, count: int, scale: Scale) -> list[float]:
    shares = [i / (count - 1) for i in range(count)] if count > 1 else [0.0]
    inner = [low * (high / low) ** share if scale == "log" else low + (high - low) * share for share in shares]
    return [float(low), *inner[1:-1], float(high)]


def _typed(parameter: Parameter, value: Value) -> Value:
    """The value in the parameter's type, checked: 1 is a float too."""
    typed = float(value) if parameter.type is float and type(value) is int else value
    if type(typed) is not parameter.type or not parameter.allows(typed):
        raise ConfigError(f"tune: {value_text(value)} is no value of {parameter}")
    return typed


def _number(level: Value) -> float:
    return float(level)


def _list(levels: Sequence[Value]) -> str:
    return ", ".join(map(value_text, levels))
