"""The bot `random`, in a module whose name is not that of the standard library's."""

from __future__ import annotations

from collections.abc import Sequence

from cython_core.game import Move, State
from dnup_ai.bots.base import Bot


class Uniform(Bot):
    """Any legal move, each equally likely."""

    name = "random"

    def choose(self, view: State, history: Sequence[Move]) -> Move:
        return self.rng.choice(view.legal_moves())
