"""A Brownian motion between two absorbing bounds: how a sequential test ends, and what that says about the drift."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tournaments.results import Floats


class Walk(NamedTuple):
    """A motion from 0 with a drift and a variance a unit of time, that stops at `lower` < 0 or `upper` > 0."""

    lower: float
    upper: float
    drift: float
    variance: float

    def inside(self, time: float, below: float) -> float:
        """Return the chance that at this time it has not stopped and stands below a point between the bounds.

        The sum over images of the start mirrored at both bounds (Siegmund, Sequential Analysis, 1985, chapter 3).
        """
        width, spread = self.upper - self.lower, math.sqrt(self.variance * time)
        pull = 2 * self.drift / self.variance
        images = 2 + math.ceil(4 * spread / width)
        # Images further off than this have a weight below exp(-2 * 4^2).
        turns = np.arange(-images, images + 1, dtype=np.float64) * (2 * width)
        total = 0.0
        for starts, sign in ((turns, 1), (2 * self.lower + turns, -1)):
            centres = starts + self.drift * time
            ends = (self.lower - centres) / spread, (below - centres) / spread
            total += sign * _scaled_normal(pull * starts / 2, *ends)
        return min(max(total, 0.0), 1.0)

    def stopped_at_lower(self, time: float) -> float:
        """Return the chance that it has stopped at the lower bound by this time.

        Whether it has stopped at all is one equation for the chances at the two bounds. The other is that
        exp(-2 drift X / variance) is on average 1 at all times, and that of the paths still inside it is the chance to
        be inside under the opposite drift.
        """
        # The equations are the same one without a drift; so small a drift changes nothing that matters.
        drift = math.copysign(max(abs(self.drift), 1e-5 * self.variance / (self.upper - self.lower)), self.drift)
        walk = self._replace(drift=abs(drift))
        near, far = (self.lower, self.upper) if drift > 0 else (-self.upper, -self.lower)
        walk = walk._replace(lower=near, upper=far)
        pull = 2 * walk.drift / walk.variance
        stopped, opposite = (1 - w.inside(time, far) for w in (walk, walk._replace(drift=-walk.drift)))
        against = (opposite * math.exp(pull * near) - stopped * math.exp(-pull * (far - near))) / (
            1 - math.exp(-pull * (far - near))
        )
        against = min(max(against, 0.0), stopped)
        return against if drift > 0 else stopped - against

    def worse(self, time: float, end: float) -> float:
        """Return the chance of an outcome at most as good as to be at `end` at this time.

        Outcomes are ordered by their place on the edge of the region: early at the lower bound, late there, inside at
        the end from low to high, late at the upper bound, early there.
        """
        lower = self.stopped_at_lower(time)
        if end <= self.lower:
            return lower
        if end >= self.upper:
            upper = Walk(-self.upper, -self.lower, -self.drift, self.variance).stopped_at_lower(time)
            return 1 - upper
        return lower + self.inside(time, end)


def _scaled_normal(exponent: Floats, low: Floats, high: Floats) -> float:
    """The sum of exp(exponent) times the chance of a standard normal to fall between two points, without overflow."""
    from scipy.special import log_ndtr

    # In the upper tail chances are too near 1 to subtract: turn it into the lower.
    turned = low + high > 0
    low, high = np.where(turned, -high, low), np.where(turned, -low, high)
    larger, smaller = log_ndtr(high), log_ndtr(low)
    return float((np.exp(np.clip(exponent + larger, -745, 700)) * -np.expm1(smaller - larger)).sum())
