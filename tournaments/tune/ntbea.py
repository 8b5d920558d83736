"""The N-tuple bandit evolutionary algorithm: a bandit over levels, pairs of levels and settings, climbed by mutation.

Lucas, Liu and Perez-Liebana, The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation, CEC 2018
(arXiv 1802.05991). Several runs, each with a model of its own, go in lock step. What they recommend together is not the
setting with the luckiest score, nor one run's favourite, but rests on all evaluations (`Pooled`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournaments.results import Ints
from tournaments.tune.optimiser import Score
from tournaments.tune.pooled import Pooled
from tournaments.tune.space import Setting, Space
from tournaments.tune.tuple_model import TupleModel

RUNS = 8
"""With fewer of them all may climb the wrong hill, with more none learns much."""
NEIGHBOURS = 200
"""So many that whole settings which scored well are among them now and then, where no level or pair shows the way."""
EXPLORATION = 0.12
"""Weight of exploration, in standard deviations of the scores so far: they have no scale of their own."""


class NtbeaTuner:
    """The first run starts at the default, the others anywhere."""

    def __init__(self, space: Space, seed: int, *, runs: int = RUNS, exploration: float = EXPLORATION) -> None:
        self._space = space
        self._exploration = exploration
        self._pooled = Pooled(space)
        starts = [np.array(space.places(space.default)), *[None] * (runs - 1)]
        streams = np.random.SeedSequence(seed).spawn(runs)
        self._runs = [_Run(space, np.random.default_rng(s), at) for s, at in zip(streams, starts, strict=True)]
        self._asked: list[_Run] = []
        self._turn = 0

    def ask(self, count: int) -> list[Setting]:
        """Return a setting of each run in turn."""
        weight = self._exploration * self._pooled.spread
        self._asked = [self._runs[(self._turn + i) % len(self._runs)] for i in range(count)]
        self._turn += count
        return [self._space.setting([int(place) for place in run.step(weight)]) for run in self._asked]

    def tell(self, settings: Sequence[Setting], scores: Sequence[Score]) -> None:
        """Tell each run of its own settings."""
        self._pooled.add(settings, scores)
        for run, setting, score in zip(self._asked, settings, scores, strict=True):
            if score.deals:
                run.model.add(np.array(self._space.places(setting)), score.mean)
        for run in self._runs:
            run.asked.clear()

    def best(self, count: int) -> list[Setting]:
        """Return the settings that the scores of all runs say are best."""
        return self._pooled.best(count)


class _Run:
    """One run: its model, the point where it is, and what it has asked for since it was last told."""

    def __init__(self, space: Space, rng: np.random.Generator, start: Ints | None) -> None:
        self.model = TupleModel(space.sizes)
        self.asked: set[bytes] = set()
        self._sizes = np.array(space.sizes)
        self._rng = rng
        self._point = rng.integers(self._sizes) if start is None else start

    def step(self, exploration: float) -> Ints:
        """Move to the neighbour with the highest upper bound and return it; the first step stays."""
        if self.model.total:
            near = self._neighbours()
            order = np.argsort(-self.model.upper_bounds(near, exploration), kind="stable")
            fresh = (near[i] for i in order if near[i].tobytes() not in self.asked)
            self._point = next(fresh, near[order[0]])
        self.asked.add(self._point.tobytes())
        return self._point

    def _neighbours(self) -> Ints:
        """Mutants: each level changes with chance 1 / dimensions, one of them surely."""
        shape = (NEIGHBOURS, len(self._sizes))
        changes = self._rng.random(shape) < 1 / shape[1]
        changes[np.arange(NEIGHBOURS), self._rng.integers(shape[1], size=NEIGHBOURS)] = True
        others = (self._point + self._rng.integers(1, self._sizes, size=shape)) % self._sizes
        return np.where(changes, others, self._point)
