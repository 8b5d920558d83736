"""Intervals of means."""

from __future__ import annotations

import math
from collections.abc import Sequence

Interval = tuple[float, float]


def t_interval(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Return the two-sided t interval of the mean of independent values, None of fewer than two."""
    # scipy.stats has the same quantile, but takes most of a second to import.
    from scipy.special import stdtrit

    count = len(values)
    if count < 2:
        return None
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = float(stdtrit(count - 1, (1 + level) / 2)) * math.sqrt(variance / count)
    return mean - half, mean + half
