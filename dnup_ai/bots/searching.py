"""The bots that search: `flat`, `dmcts`, `ismcts`, and the yardstick `cheat`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.bots.base import Bot
from dnup_ai.params import param
from dnup_ai.search import Budget, Engine, SearchParams, SearchResult, params_for

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True)
class MoveBudget:
    """The budget of a move, whichever limit comes first."""

    iterations: int = param(
        0, low=0, high=10**9, help=f"budget of a move; 0: no limit (with no limit at all {DEFAULT_ITERATIONS})"
    )
    cpu_ms: float = param(0.0, low=0, high=10**7, help="budget in milliseconds of a thread's CPU time; 0: no limit")
    wall_ms: float = param(0.0, low=0, high=10**7, help="budget in milliseconds of the clock; 0: no limit")

    def budget(self, cap: float | None = None) -> Budget:
        """Return the budget of one move, ended by the cap in seconds at the latest."""
        iterations = self.iterations or (None if self.cpu_ms or self.wall_ms else DEFAULT_ITERATIONS)
        return Budget(iterations, self.wall_ms / 1000 or None, self.cpu_ms / 1000 or None, cap)


@dataclass(frozen=True)
class SearchBotParams(SearchParams, MoveBudget):
    """Parameters of `ismcts`, `flat` and `cheat`."""


@dataclass(frozen=True)
class DmctsParams(SearchBotParams):
    """Parameters of `dmcts`."""

    worlds: int = param(
        20, low=1, high=100_000, tune=(5, 10, 20, 40, 80), help="worlds, a tree each; iterations go round them"
    )


class SearchBot(Bot):
    """What the bots that search have in common."""

    params: MoveBudget

    def __init__(self, params: MoveBudget, rng: Rng) -> None:
        super().__init__(params, rng)
        self.engine = self.make_engine()
        self._searched = False

    @classmethod
    def check(cls, params: MoveBudget, rules: Rules) -> None:
        if isinstance(params, SearchParams):
            params_for(rules, params)

    @abstractmethod
    def make_engine(self) -> Engine:
        """Return the engine with this bot's kind of tree."""

    def choose(self, view: State, history: Sequence[Move]) -> Move:
        moves = view.legal_moves()
        self._searched = len(moves) > 1
        if not self._searched:
            return moves[0]
        move = self.engine.choose(view, self.params.budget(_cap(self.move_limit)), self.rng, history)
        self.iterations += self.engine.iterations
        return move

    def thoughts(self, view: State) -> SearchResult | None:
        return self.engine.result(view) if self._searched else None


def _cap(limit: float | None) -> float | None:
    """The part of a move's limit that is the search's: it may end late, and is not all there is to do."""
    return None if limit is None else max(0.0, 0.9 * limit - 0.005)


class Flat(SearchBot):
    """Flat Monte Carlo: rollouts of every move in fresh worlds, shared out by UCB1, no tree."""

    name = "flat"
    Params = SearchBotParams
    params: SearchBotParams

    def make_engine(self) -> Engine:
        return Engine(self.params, flat=True)


class Dmcts(SearchBot):
    """Determinised Monte Carlo tree search: a tree for each of a few worlds, root statistics summed."""

    name = "dmcts"
    Params = DmctsParams
    params: DmctsParams

    def make_engine(self) -> Engine:
        return Engine(self.params, worlds=self.params.worlds)


class Ismcts(SearchBot):
    """Information set Monte Carlo tree search: one tree, a fresh world each iteration."""

    name = "ismcts"
    Params = SearchBotParams
    params: SearchBotParams

    def make_engine(self) -> Engine:
        return Engine(self.params)


class Cheat(SearchBot):
    """Monte Carlo tree search that sees all cards: a yardstick, not a player (needs --allow-cheating)."""

    name = "cheat"
    Params = SearchBotParams
    params: SearchBotParams
    sees_all = True

    def make_engine(self) -> Engine:
        return Engine(self.params)
