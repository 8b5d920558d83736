"""The bot `greedy`: the game's cheap heuristic, without search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cython_core.game import Move, State
from dnup_ai.bots.base import Bot
from dnup_ai.params import param


@dataclass(frozen=True)
class GreedyParams:
    """Parameters of `greedy`."""

    epsilon: float = param(0.05, low=0, high=1, tune=(0, 0.02, 0.05, 0.1, 0.2), help="chance of a random move instead")


class Greedy(Bot):
    """The move of the game's heuristic: no search, a few hundred nanoseconds a move."""

    name = "greedy"
    Params = GreedyParams
    params: GreedyParams

    def choose(self, view: State, history: Sequence[Move]) -> Move:
        return view.greedy_move(self.rng, self.params.epsilon)
