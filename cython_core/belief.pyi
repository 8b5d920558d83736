"""How likely each world of a view is, after what the opponents have played (cython_core/belief.pyx says how)."""

from collections.abc import Sequence
from typing import Self

from cython_core.game import State
from cython_core.rng import Rng

EFFECTIVE_SHARE: float
"""A pool's effective size is at least this share of it: to that end the likelihood is tempered."""

LEAST_WORLDS: int
"""Fewer worlds are no pool: where there is time for no more, nothing is made of the moves."""

class Belief:
    """Never changed once it is made; threads may share it.

    view: what the seat whose belief it is knows; history: codes of the public moves of the round so far, from its very
    start; rng: draws the pool, and nothing if the worlds are listed; limit, pool: with at most so many worlds, the
    larger of the two, all are listed, else `pool` of them are drawn; temperature: power of the heuristic's prior in the
    model of the opponents, 0: they are not modelled; floor: share of moves that the model takes to be any; cpu, wall:
    seconds of the thread and of the clock for it, below 0 for no limit: worlds that are not weighed by then are left
    out, and with fewer than LEAST_WORLDS weighed all are equally likely.
    Raises ValueError for a true state or what is out of range.
    """

    def __new__(
        cls,
        view: State,
        history: Sequence[int],
        rng: Rng,
        *,
        limit: int,
        pool: int,
        temperature: float,
        floor: float,
        cpu: float = ...,
        wall: float = ...,
    ) -> Self: ...
    @property
    def view(self) -> State: ...
    @property
    def informed(self) -> bool:
        """Whether the history says anything: if not, all worlds are equally likely."""
    @property
    def listed(self) -> bool:
        """Whether the worlds are all there are; else they are a pool, in which one may be twice."""
    @property
    def n(self) -> int: ...
    @property
    def effective(self) -> float:
        """The square of the sum of the weights over the sum of their squares: the number of worlds that count."""
    @property
    def source(self) -> str:
        """`uniform`, `listed` or `sampled`."""
    def probabilities(self) -> list[float]:
        """Of the worlds, in their order."""
    def worlds(self) -> list[State]: ...
    def draw(self, rng: Rng) -> list[int]:
        """Return `n` indices of worlds, each as often as its probability says, rounded up or down."""
