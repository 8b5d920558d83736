"""How far a value of a short search is from that of a long one: intervals that keep their promise.

A search's value changes for two reasons when it goes on. By chance: less and less, as its standard error says, which is
too small by a factor of up to 2. And because the tree learns: rollouts give way to better play, of the seat and of its
opponents. That drift is most of the difference, nothing in the search foretells it, and it shrinks slowly. So it is
measured: by benchmarks/intervals.py, of which docs/suggest.md has the tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

Z95 = 1.959964
_BATCHES_ARE_TOO_SMALL = 2.0
_SHRINKS = 0.1
"""Power of the number of iterations by which the drift shrinks."""


class Drift(NamedTuple):
    """Bounds, in values from 0 to 1, on how far learning moves a value down and up, and the gap of two moves together.

    At 1,000 iterations, to be multiplied by what the value itself leaves room for.
    """

    down: float
    up: float
    gap: float


_DRIFTS: Mapping[tuple[str, int], Drift] = {
    ("dnup", 2): Drift(0.345, 0.462, 0.3),
    ("dnup", 3): Drift(0.272, 0.181, 0.2),
    ("dnup", 4): Drift(0.243, 0.03, 0.2),
    ("dnup", 5): Drift(0.228, 0.03, 0.2),
}
_UNKNOWN = Drift(0.345, 0.462, 0.3)


def drift_of(game: str, players: int) -> Drift:
    """Return the drift measured for a game; where none was, the widest of all."""
    return _DRIFTS.get((game, players), _UNKNOWN)


def interval_sides(value: float, stderr: float, visits: int, iterations: int, drift: Drift) -> tuple[float, float]:
    """Return how far below and above a move's value, all from 0 to 1, the ends of its 95% interval are.

    value, stderr, visits: of the move; iterations: of a thread, whose tree it is that learns.
    """
    if visits == 0:
        return value, 1 - value
    mean = _smooth(value, visits)
    noise = Z95 * noise_of(value, stderr, visits)
    size = (iterations / 1000) ** -_SHRINKS
    down = math.hypot(noise, size * drift.down * mean**0.5 * (1 - mean) ** 0.25)
    up = math.hypot(noise, size * drift.up * (1 - mean) ** 0.5 * mean**0.25)
    return min(down, value), min(up, 1 - value)


def gap_side(best: tuple[float, float, int], other: tuple[float, float, int], iterations: int, drift: Drift) -> float:
    """Return how far below the gap between two moves' values the end of its 95% interval is.

    best, other: (value, stderr, visits) of each, by the same search.
    """
    if not best[2] or not other[2]:
        return math.inf
    mean = _smooth(best[0], best[2])
    size = (iterations / 1000) ** -_SHRINKS
    return math.hypot(Z95 * noise_of(*best), Z95 * noise_of(*other), size * drift.gap * math.sqrt(mean * (1 - mean)))


def noise_of(value: float, stderr: float, visits: int) -> float:
    """Return the standard error of a value by chance alone, from that of its batches.

    Few visits that all ended alike do not prove anything: it is at least half of what visits of 0 and 1 would have.
    """
    mean = _smooth(value, visits)
    return _BATCHES_ARE_TOO_SMALL * max(min(stderr, 1.0), math.sqrt(mean * (1 - mean) / visits) / 2)


def _smooth(value: float, visits: int) -> float:
    """The value as if there had been two visits more, one won and one lost."""
    return (value * visits + 1) / (visits + 2)
