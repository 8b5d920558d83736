"""What every bot is, shipped or a user's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng

if TYPE_CHECKING:
    from dnup_ai.search import SearchResult


@dataclass(frozen=True)
class NoParams:
    """The parameters of a bot that has none."""


class Bot(ABC):
    """Base class of bots: subclass it and write `choose`.

    A bot sits at one seat of one game: a new one is made for every seat and every game, so it may remember
    what it likes between its turns (in a match, between the rounds too). It plays as `my_bots.py:Lazy`:

        from dnup_ai.bots import Bot

        class Lazy(Bot):
            def choose(self, view, history):
                return view.legal_moves()[0]

    A bot with parameters has as `Params` a frozen dataclass of them, each declared with
    `dnup_ai.bots.param`. The first line of its docstring is what `dnup-ai bots` says of it.
    """

    name: ClassVar[str] = ""
    """How specs name a bot that ships; a user's bot is named by its file and class, and needs none."""
    Params: ClassVar[type[Any]] = NoParams
    sees_all: bool = False
    """Whether it is given the true state instead of a view: a yardstick, which plays only where that is allowed."""
    move_limit: float | None = None
    """Seconds that a move may take, set by the harness before the first one; who takes longer has lost the round by a
    fault. A bot whose thinking may last should end by itself in time, as those that ship do."""
    iterations: int = 0
    """How many iterations (or whatever it counts as such) the bot has done so far, for statistics; it counts itself."""

    def __init__(self, params: Any, rng: Rng) -> None:
        """Sit down.

        params: an instance of `Params`; rng: this bot's own stream of random numbers. Draw from nothing
        else, so that the same seed plays the same games.
        """
        self.params = params
        self.rng = rng

    @classmethod  # noqa: B027 - most bots play any game
    def check(cls, params: Any, rules: Rules) -> None:
        """Raise a DnupError if a bot with these parameters cannot play by these rules; asked before anything is played.

        params: an instance of `Params`. Only of bots that ship.
        """

    @abstractmethod
    def choose(self, view: State, history: Sequence[Move]) -> Move:
        """Return the move to play: one of `view.legal_moves()`.

        view: what this bot's seat (`view.view`) may know of the round, never the true state; it is the
        bot's own copy, to be changed at will. history: the public moves of this round so far, all seats',
        first to last. An exception, an illegal move, or one that takes longer than
        `move_limit`, ends the round as a fault of this bot.
        """

    def thoughts(self, view: State) -> SearchResult | None:
        """Return what the last `choose` found out, for people to read; None: nothing that this bot can say.

        view: as that call was given it.
        """
        return None
