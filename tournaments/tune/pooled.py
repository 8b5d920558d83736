"""What all evaluations together say of a setting: its own scores, pulled to what its levels and pairs of levels say.

The luckiest of many samples is not the best setting. So the mean of a setting is shrunk, by as much as its noise
demands, to a forecast from the settings that share levels with it (an empirical Bayes estimate: Fay and Herriot,
Estimates of income for small places, 1979): how far settings really differ from their forecasts is estimated too, so
that a landscape where levels explain all, and one where only whole settings count, are both met.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tournaments.results import Floats
from tournaments.tune.optimiser import Score
from tournaments.tune.space import Places, Setting, Space
from tournaments.tune.tuple_model import TupleModel


class Pooled:
    """All evaluations of a search."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._model = TupleModel(space.sizes)
        self._settings: dict[Places, None] = {}  # in the order in which they came
        self._variance = 0.0  # of the evaluations, summed
        self._counted = 0
        self._squares = 0.0

    @property
    def noise(self) -> float | None:
        """Return the standard deviation of the mean of an evaluation, in points; None before any had one."""
        return (self._variance / self._counted) ** 0.5 if self._counted else None

    @property
    def spread(self) -> float:
        """Return the standard deviation of the scores of all evaluations: of noise and of what differs, in points."""
        count, total = self._model.total, self._model.sum
        return max(0.0, self._squares / count - (total / count) ** 2) ** 0.5 if count else 0.0

    def add(self, settings: Sequence[Setting], scores: Sequence[Score]) -> None:
        """Take in what was evaluated together; a setting that is there twice was evaluated once."""
        for setting, score in dict(zip(settings, scores, strict=True)).items():
            if not score.deals:
                continue
            places = self._space.places(setting)
            self._settings[places] = None
            self._model.add(np.array(places), score.mean)
            self._squares += score.mean**2
            if score.deviation:
                self._variance += score.stderr**2
                self._counted += 1

    def best(self, count: int) -> list[Setting]:
        """Return the settings with the highest estimates, the best first."""
        tried = list(self._settings)
        if not tried:
            return []
        order = np.argsort(-self.estimates(tried), kind="stable")[:count]
        return [self._space.setting(tried[place]) for place in order]

    def estimates(self, tried: Sequence[Places]) -> Floats:
        """Return the estimate of each setting that was evaluated, in points."""
        visits, sums = self._model.statistics(np.array(tried))
        own, noise = sums[:, -1] / visits[:, -1], (self.noise or 0.0) ** 2 / visits[:, -1]
        # The mean of the means of levels and pairs ranks settings, but differs by too little: a line gives the scale.
        levels = (sums[:, :-1] / visits[:, :-1]).mean(axis=1)
        design = np.column_stack([np.ones(len(tried)), levels - levels.mean()])
        forecast, apart = own, 0.0
        for _ in range(10):
            root = 1 / np.sqrt(noise + apart + 1e-12)
            line, *_ = np.linalg.lstsq(design * root[:, None], own * root, rcond=None)
            forecast = design @ line
            # What the squares of the residuals are, beyond noise, is how far settings differ from their forecasts.
            apart = max(0.0, float(np.average((own - forecast) ** 2 - noise, weights=root**2)))
        share = apart / (noise + apart + 1e-12)
        return np.asarray(forecast + share * (own - forecast), dtype=np.float64)
