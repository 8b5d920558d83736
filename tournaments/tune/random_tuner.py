"""Random search: the yardstick. It tries settings drawn uniformly, each anew, and takes those that scored best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournaments.tune.optimiser import Score
from tournaments.tune.space import Places, Setting, Space


class RandomTuner:
    """Draws uniformly, without repeats as long as there are settings left; the default is not drawn."""

    def __init__(self, space: Space, seed: int) -> None:
        self._space = space
        self._rng = np.random.default_rng(seed)
        self._means: dict[Places, tuple[float, int]] = {}  # mean and deals

    def ask(self, count: int) -> list[Setting]:
        """Return settings drawn uniformly."""
        asked: list[Places] = []
        for _ in range(count):
            taken = {*self._means, *asked, self._space.places(self._space.default)}
            places = self._draw()
            # Near the end of a small space most draws are known, and a repeat is as good as any.
            for _ in range(100):
                if places not in taken:
                    break
                places = self._draw()
            asked.append(places)
        return [self._space.setting(places) for places in asked]

    def tell(self, settings: Sequence[Setting], scores: Sequence[Score]) -> None:
        """Remember the mean of each setting over all its deals."""
        for setting, score in zip(settings, scores, strict=True):
            places = self._space.places(setting)
            mean, deals = self._means.get(places, (0.0, 0))
            if score.deals:
                total = deals + score.deals
                self._means[places] = (mean + (score.mean - mean) * score.deals / total, total)

    def best(self, count: int) -> list[Setting]:
        """Return the settings with the highest means."""
        ranked = sorted(self._means, key=lambda places: (-self._means[places][0], places))
        return [self._space.setting(places) for places in ranked[:count]]

    def _draw(self) -> Places:
        return tuple(int(self._rng.integers(size)) for size in self._space.sizes)
