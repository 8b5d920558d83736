"""How far a value of a short search is from that of a long one: intervals that keep their promise.

A search's value changes for two reasons when it goes on. By chance: less and less, as its standard error says, which is
too small by a factor of up to 2. And because the tree learns: rollouts give way to better play, of the seat and of its
opponents. That drift is most of the difference, nothing in the search foretells it, and it hardly shrinks. So it is
measured: by benchmarks/intervals.py, of which docs/suggest.md has the tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

Z95 = 1.959964
_TOO_FEW = 10
"""A move with fewer visits was dropped for what may be bad luck: of its value nothing is said."""


class Drift(NamedTuple):
    """How far learning moves values from 0 to 1: down, up, and the gap of two moves together.

    Bounds of 95%, to be multiplied by the room that the value leaves (`room_of`). noise: how many
    times too small the standard errors of the batches are taken to be.
    """

    down: float
    up: float
    gap: float
    noise: float = 2.0


_DRIFTS: Mapping[tuple[str, str, int], Drift] = {
    ("ismcts", "dnup", 2): Drift(0.331, 0.412, 0.488),
    ("ismcts", "dnup", 3): Drift(0.296, 0.206, 0.030),
    ("ismcts", "dnup", 4): Drift(0.217, 0.097, 0.0),
    ("ismcts", "dnup", 5): Drift(0.219, 0.120, 0.0),
    ("ismcts", "dnup-pile", 0): Drift(0.073, 0.063, 0.0),
    ("ismcts", "3up3down", 0): Drift(0.162, 0.094, 0.0),
    ("dmcts", "", 0): Drift(0.350, 0.082, 0.144),
    ("flat", "", 0): Drift(0.0, 0.0, 0.0, noise=1.15),
}
_WIDEST = Drift(0.331, 0.412, 0.488)


def drift_of(game: str, players: int, kind: str = "ismcts") -> Drift:
    """Return the drift measured for a game and a kind of search (`Engine.kind`); where none was, the widest of all."""
    keys = ((kind, game, players), (kind, game, 0), (kind, "", 0))
    return next((_DRIFTS[key] for key in keys if key in _DRIFTS), _WIDEST)


def interval_sides(value: float, stderr: float, visits: int, drift: Drift) -> tuple[float, float]:
    """Return how far below and above a move's value, all from 0 to 1, the ends of its 95% interval are.

    value, stderr, visits: of the move.
    """
    if visits < _TOO_FEW:
        return value, 1 - value
    room = room_of(value, visits)
    noise = Z95 * drift.noise * noise_of(value, stderr, visits)
    return (
        min(math.hypot(noise, drift.down * room.down), value),
        min(math.hypot(noise, drift.up * room.up), 1 - value),
    )


def gap_side(best: tuple[float, float, int], other: tuple[float, float, int], drift: Drift) -> float:
    """Return how far below the gap between two moves' values the end of its 95% interval is.

    best, other: (value, stderr, visits) of each, by the same search.
    """
    if min(best[2], other[2]) < _TOO_FEW:
        return math.inf
    room = room_of(best[0], best[2])
    noise = Z95 * drift.noise * math.hypot(noise_of(*best), noise_of(*other))
    return math.hypot(noise, drift.gap * room.gap)


def room_of(value: float, visits: int) -> Drift:
    """Return what a drift is multiplied by: a value near 0 cannot fall far, one near 1 cannot rise far."""
    mean = _smooth(value, visits)
    low, high = math.sqrt(mean), math.sqrt(1 - mean)
    return Drift(low * math.sqrt(high), high * math.sqrt(low), low * high)


def noise_of(value: float, stderr: float, visits: int) -> float:
    """Return the standard error of a value by its batches.

    Few visits that all ended alike do not prove anything: it is at least half of what visits of 0 and 1 would have.
    """
    mean = _smooth(value, visits)
    return max(min(stderr, 1.0), math.sqrt(mean * (1 - mean) / visits) / 2)


def _smooth(value: float, visits: int) -> float:
    """The value as if there had been two visits more, one won and one lost."""
    return (value * visits + 1) / (visits + 2)
