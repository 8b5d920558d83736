"""How far a value of a short search may be from that of a long one: intervals that keep their promise."""

from __future__ import annotations

import math

Z95 = 1.959964


def interval_sides(value: float, stderr: float, visits: int, iterations: int) -> tuple[float, float]:
    """Return how far below and above a move's value, all from 0 to 1, the end of its 95% interval is.

    value, stderr, visits: of the move; iterations: of the whole search.
    """
    if visits == 0:
        return value, 1 - value
    smooth = (value * visits + 1) / (visits + 2)
    spread = 2 * max(min(stderr, 1.0), math.sqrt(smooth * (1 - smooth) / visits) / 2)
    return min(Z95 * spread, value), min(Z95 * spread, 1 - value)
