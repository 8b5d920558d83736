"""Typed parameters of bots: declared as a frozen dataclass, read and written as `key=value,key=value`."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from dnup_ai.errors import BotError, did_you_mean

Value = int | float | bool | str
T = TypeVar("T", bound=Value)
P = TypeVar("P")

_TYPES = (int, float, bool, str)
_INT = re.compile(r"[+-]?[0-9]{1,18}")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def param(
    default: T,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[T] = (),
    suffix: str = "",
    tune: Sequence[T] = (),
    help: str = "",
    by_game: bool = False,
) -> T:
    """Declare a field of a bot's parameters.

    As in `epsilon: float = param(0.05, low=0, high=1, help="chance of a random move instead")`.
    low, high: the numbers that are allowed, both included; choices: the only values that are allowed, required for
    `str`; suffix: of a `str`, the end of the paths of files that are allowed too, as ".json"; tune: the values that are
    worth a try when the bot is tuned, none for a parameter that does not change how well it plays; help: a few words
    for `dnup-ai bots`; by_game: left out it is None, annotated as such, for who reads it to take the game's own value,
    or `default` where the game has none. `describe_params` checks the declaration.
    """
    about = {"default": default, "low": low, "high": high, "choices": tuple(choices), "tune": tuple(tune), "help": help}
    about["suffix"] = suffix
    return dataclasses.field(default=None if by_game else default, metadata=about)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a bot: its name, type, default, and the values that it may take.

    by_game: whether a game may have a default of its own for it; left out it is then None.
    """

    name: str
    type: type[Value]
    default: Value
    low: float | None
    high: float | None
    choices: tuple[Value, ...]
    help: str
    tune: tuple[Value, ...] = ()
    by_game: bool = False
    suffix: str = ""

    def allowed(self) -> str:
        """The values that are allowed, in words; empty if the type says it all."""
        if self.choices:
            words = "one of " + ", ".join(map(value_text, self.choices))
            return f"{words}, or a file *{self.suffix}" if self.suffix else words
        if self.type is bool:
            return "true or false"
        if self.low is not None and self.high is not None:
            return f"{_number(self.low)} to {_number(self.high)}"
        if self.low is not None:
            return f"{_number(self.low)} or more"
        return f"{_number(self.high)} or less" if self.high is not None else ""

    def allows(self, value: Value) -> bool:
        """Whether the value, of the right type, is one of those allowed."""
        if self.choices:
            return value in self.choices or bool(self.suffix and str(value).endswith(self.suffix))
        if isinstance(value, str):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(filter(None, (self.type.__name__, self.allowed())))})"


def describe_params(params: type[Any]) -> tuple[Parameter, ...]:
    """Return the parameters that a class of parameters declares, in its order.

    Raises BotError naming the class and field if it is no frozen dataclass of defaults that are allowed.
    """
    where = params.__qualname__
    if not (dataclasses.is_dataclass(params) and getattr(params, "__dataclass_params__").frozen):  # noqa: B009
        raise BotError(f"{where}: expected a frozen dataclass (@dataclass(frozen=True))")
    try:
        types = get_type_hints(params)
    except NameError as error:
        raise BotError(f"{where}: {error}") from error
    return tuple(_parameter(where, field, types[field.name]) for field in dataclasses.fields(params))


def read_params(params: type[P], text: str, owner: str) -> P:
    """Return the parameters that the text gives, the others at their defaults.

    text: `key=value,key=value`, or empty; owner: the bot to name in errors.
    Raises BotError that lists what is allowed: unknown key, key given twice, wrong type, out of range.
    """
    try:
        known = {parameter.name: parameter for parameter in describe_params(params)}
    except BotError as error:
        raise BotError(f"bot {owner}: {error}") from error
    values: dict[str, Value] = {}
    for item in text.split(",") if text else ():
        key, equals, value = item.partition("=")
        if not equals:
            raise BotError(f"bot {owner}: expected key=value, got {item!r}; {_takes(known)}")
        if key not in known:
            raise BotError(f"bot {owner}: unknown parameter {key!r}{did_you_mean(key, known)}; {_takes(known)}")
        if key in values:
            raise BotError(f"bot {owner}: parameter {key!r} is given twice")
        values[key] = _read_value(known[key], value, owner)
    return params(**values)


def format_params(params: object) -> str:
    """Return the parameters that are not at their defaults, as the `key=value,key=value` of `read_params`."""
    texts = []
    for parameter in describe_params(type(params)):
        value = getattr(params, parameter.name)
        if value != (None if parameter.by_game else parameter.default):
            texts.append(f"{parameter.name}={value_text(value)}")
    return ",".join(texts)


def value_text(value: Value) -> str:
    """Return a value as specs have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameter(where: str, field: dataclasses.Field[Any], type_: Any) -> Parameter:
    """The parameter that a field declares, checked."""
    where = f"{where}.{field.name}"
    about = field.metadata
    by_game = field.default is None and "default" in about
    if by_game:
        (type_,) = (part for part in get_args(type_) if part is not NoneType)
    if type_ not in _TYPES:
        raise BotError(f"{where}: expected the type int, float, bool or str, got {getattr(type_, '__name__', type_)}")
    if field.default is dataclasses.MISSING:
        raise BotError(f"{where}: a parameter needs a default")
    choices = about.get("choices", ())
    if type_ is str and not choices:
        raise BotError(f"{where}: a parameter of type str needs choices: param(default, choices=[...])")
    default = about["default"] if by_game else field.default
    if type_ is float and type(default) is int:
        default = float(default)
    low, high = about.get("low"), about.get("high")
    tune = tuple(float(level) if type_ is float and type(level) is int else level for level in about.get("tune", ()))
    suffix = about.get("suffix", "")
    made = Parameter(field.name, type_, default, low, high, choices, about.get("help", ""), tune, by_game, suffix)
    if type(default) is not type_ or not made.allows(default):
        raise BotError(f"{where}: the default {default!r} is not allowed: {made}")
    for level in tune:
        if type(level) is not type_ or not made.allows(level):
            raise BotError(f"{where}: the level {level!r} to tune over is not allowed: {made}")
    if len(set(tune)) < len(tune):
        raise BotError(f"{where}: a level to tune over is there twice in {tune}")
    return made


def _read_value(parameter: Parameter, text: str, owner: str) -> Value:
    value = parse_value(parameter.type, text)
    if value is None or not parameter.allows(value):
        expected = ", ".join(filter(None, (parameter.type.__name__, parameter.allowed())))
        raise BotError(f"bot {owner}: parameter {parameter.name!r}: expected {expected}, got {text!r}")
    return value


def parse_value(type_: type[Value], text: str) -> Value | None:
    """Return the value of this type that the text is in full, None if it is none."""
    if type_ is bool:
        return {"true": True, "false": False}.get(text)
    if type_ is int:
        return int(text) if _INT.fullmatch(text) else None
    if type_ is float:
        # Beyond the largest float lies infinity, which no parameter means.
        return float(text) if _FLOAT.fullmatch(text) and math.isfinite(float(text)) else None
    return text


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"


def _takes(known: dict[str, Parameter]) -> str:
    return f"it takes {'; '.join(map(str, known.values()))}" if known else "it takes no parameters"
