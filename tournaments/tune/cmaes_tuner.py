"""Evolution of a distribution over settings: CMA-ES with margin for ordered levels, with CatCMA for the others.

The library is `cmaes`: Hamano, Nomura, Saito, Uchida and Shirakawa, CatCMA with Margin (GECCO 2025, arXiv 2504.07884).
Ordered levels are steps of equal width, whatever their values, and the margin keeps the distribution from collapsing
onto one before it should; levels without an order have a categorical distribution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cmaes import CatCMAwM

from dnup_ai.errors import ConfigError
from tournaments.tune.optimiser import Score
from tournaments.tune.pooled import Pooled
from tournaments.tune.space import Setting, Space

LEAST = 4
"""Settings in a population."""
WIDTH = 0.25
"""Standard deviation of an ordered parameter at first, as a share of its range."""


class CmaesTuner:
    """Starts around the default with ordered levels, uniform over the others; a population is one `ask`.

    Where the numbers of the distribution break down, as they do once a categorical one has learnt too fast, it starts
    again around the setting that looks best.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._space = space
        self._rng = np.random.default_rng(seed)
        # Two levels have no order worth a step, says the library.
        self._ordered = [i for i, d in enumerate(space.dimensions) if d.ordered and len(d.levels) > 2]
        self._named = [i for i in range(len(space.dimensions)) if i not in self._ordered]
        self._library: CatCMAwM | None = None
        self._asked: list[CatCMAwM.Solution] = []
        self._pooled = Pooled(space)

    def ask(self, count: int) -> list[Setting]:
        """Return a population, of the same size in each call.

        Raises ConfigError for a size of which the better half says nothing about directions.
        """
        if count < LEAST:
            raise ConfigError(f"cmaes: expected {LEAST} settings an iteration or more, got {count}")
        if self._library is None:
            self._library = self._start(count, (self.best(1) or [self._space.default])[0])
        if count != self._library.population_size:
            raise ValueError(f"cmaes: expected to be asked for {self._library.population_size} settings, got {count}")
        self._asked = [self._library.ask() for _ in range(count)]
        if any(solution.c is not None and not solution.c.any(axis=1).all() for solution in self._asked):
            # A level of nothing was drawn: the distribution is not a number.
            self._library = None
            return self.ask(count)
        return [self._space.setting(self._places(solution)) for solution in self._asked]

    def tell(self, settings: Sequence[Setting], scores: Sequence[Score]) -> None:
        """Move the distribution to the better half of the population; the library minimises."""
        assert self._library is not None
        self._pooled.add(settings, scores)
        losses = [-score.mean if score.deals else np.inf for score in scores]
        try:
            with np.errstate(all="ignore"):
                self._library.tell(list(zip(self._asked, losses, strict=True)))
        except np.linalg.LinAlgError:
            self._library = None

    def best(self, count: int) -> list[Setting]:
        """Return the settings that the pooled scores say are best."""
        return self._pooled.best(count)

    def _start(self, population: int, around: Setting) -> CatCMAwM:
        sizes, centre = self._space.sizes, self._space.places(around)
        longest = max((sizes[i] for i in self._ordered), default=0)
        widths = np.array([(sizes[i] - 1) * WIDTH for i in self._ordered])
        return CatCMAwM(
            # Rows of one length: above the end of one shorter than others the library (0.13) divides by zero.
            z_space=[list(range(longest)) for _ in self._ordered] or None,
            c_space=[sizes[i] for i in self._named] or None,
            population_size=population,
            mean=np.array([float(centre[i]) for i in self._ordered]) if self._ordered else None,
            cov=np.diag(widths**2) if self._ordered else None,
            seed=int(self._rng.integers(2**32)),
        )

    def _places(self, solution: CatCMAwM.Solution) -> tuple[int, ...]:
        places = [0] * len(self._space.dimensions)
        if solution.z is not None:
            for i, place in zip(self._ordered, solution.z, strict=True):
                places[i] = min(int(place), self._space.sizes[i] - 1)
        if solution.c is not None:
            for i, chosen in zip(self._named, solution.c, strict=True):
                places[i] = int(np.argmax(chosen))
        return tuple(places)
