"""The bots that ship, and specs: the text by which commands and records name a bot with parameters."""

from __future__ import annotations

import os.path
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from cython_core.game import Rules
from cython_core.rng import Rng
from dnup_ai.bots.base import Bot
from dnup_ai.bots.eval1 import Eval1
from dnup_ai.bots.greedy import Greedy
from dnup_ai.bots.references import Best, Heuristic, Plain
from dnup_ai.bots.searching import Cheat, Dmcts, Flat, Ismcts
from dnup_ai.bots.uniform import Uniform
from dnup_ai.errors import BotError, did_you_mean
from dnup_ai.evaluation.weights import WEIGHTS_SUFFIX
from dnup_ai.params import describe_params, format_params, read_params
from dnup_ai.user_files import load_class

_SHIPPED: Mapping[str, type[Bot]] = MappingProxyType(
    {bot.name: bot for bot in (Uniform, Greedy, Eval1, Flat, Dmcts, Plain, Heuristic, Ismcts, Best, Cheat)}
)
_FILE_SPEC = re.compile(r"(?P<file>.*?\.py)(?::(?P<name>[^:]*))?(?::(?P<options>.*))?", re.DOTALL)


def shipped_bots() -> Mapping[str, type[Bot]]:
    """Return the bots that ship, by name, weakest first."""
    return _SHIPPED


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot with its parameters, as `parse_spec` returns it: equal specs make equal bots. It can be pickled.

    name: of a bot that ships, or of the class in `file`; file: path of a user's Python file, or empty;
    options: the parameters that are not at their defaults, as `key=value,key=value`.
    """

    name: str
    file: str = ""
    options: str = ""

    def __str__(self) -> str:
        """The spec as `parse_spec` reads it; equal specs are equal texts."""
        return ":".join(filter(None, (self.file, self.name, self.options)))

    @property
    def sees_all(self) -> bool:
        """Whether the bot is given the true state: a yardstick, which plays only where that is allowed."""
        return _prepare(self)[0].sees_all

    @property
    def params(self) -> Any:
        """The bot's parameters, an instance of its `Params`."""
        return _prepare(self)[1]

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the user's files that it plays by: that of its class, and weights. They need not be there."""
        values = [option.partition("=")[2] for option in self.options.split(",")]
        return tuple(filter(None, (self.file, *(value for value in values if value.endswith(WEIGHTS_SUFFIX)))))

    def check(self, rules: Rules) -> None:
        """Raise a DnupError if a bot that ships cannot play by these rules with its parameters."""
        if not self.file:
            bot, params = _prepare(self)
            bot.check(params, rules)

    def takes(self, parameter: str) -> bool:
        """Whether the bot has a parameter of that name."""
        return any(found.name == parameter for found in describe_params(_prepare(self)[0].Params))

    def make(self, rng: Rng) -> Bot:
        """Return a new bot that draws from `rng`.

        Raises BotError as `parse_spec` does, and if the bot's own constructor fails.
        """
        bot, params = _prepare(self)
        try:
            return bot(params, rng)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            text = traceback.format_exception_only(error)[-1].strip()
            raise BotError(f"bot {self}: its constructor failed: {text}") from error


def parse_spec(text: str) -> BotSpec:
    """Return the spec that the text gives.

    text: `name`, `name:key=value,key=value`, or for a user's bot `path/to/my_bots.py:Class` and the same.
    Raises BotError naming what is wrong and what there is: bots, classes, parameters and their ranges.
    """
    spec = split_spec(text)
    if spec.name and text.endswith(":"):
        raise BotError(f"bot {text!r}: expected key=value after the last colon")
    _, params = _prepare(spec)
    return BotSpec(spec.name, spec.file, format_params(params))


def split_spec(text: str) -> BotSpec:
    """Return the parts of a spec, unchecked: neither its file nor the bot need be there."""
    match = _FILE_SPEC.fullmatch(text)
    if match:
        return BotSpec(match["name"] or "", os.path.normpath(match["file"]), match["options"] or "")
    name, _, options = text.partition(":")
    return BotSpec(name, "", options)


@cache
def _prepare(spec: BotSpec) -> tuple[type[Bot], Any]:
    """The class and parameters of a spec: they are looked up once, not for every game."""
    bot = load_class(spec.file, spec.name, Bot, "bot", BotError) if spec.file else _shipped_class(spec.name)
    owner = ":".join(filter(None, (spec.file, spec.name)))
    return bot, read_params(bot.Params, spec.options, owner)


def _shipped_class(name: str) -> type[Bot]:
    if name in _SHIPPED:
        return _SHIPPED[name]
    name = name if len(name) <= 40 else name[:37] + "..."
    hint = did_you_mean(name, _SHIPPED)
    raise BotError(f"unknown bot {name!r}{hint}; there are {', '.join(_SHIPPED)}, or your own as my_bots.py:Class")
