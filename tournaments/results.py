"""Games of a tournament as arrays, which all statistics start from, and intervals over deals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Interval = tuple[float, float]

LEVEL = 0.95
"""Share of intervals that are to hold the truth."""


@dataclass(frozen=True, eq=False)
class Results:
    """Games of one tournament, in the order of the schedule: g games, n seats.

    Games of one deal are not independent, so every interval is over deals: a deal is a cluster. Deals are in order by
    their index. Only whole deals should be here, else seats are not balanced. Raises ValueError for arrays of other
    shapes, a negative index, points that are not finite, and ranks that are not places (a place given twice, a second
    without a first).

    deal    (g,) index of the deal that the game was played on
    bots    (g, n) index of the bot at each seat; a bot may sit at several seats
    points  (g, n) points by seat
    counts  (g, n) whether the seat counts in means; of a game ended by a fault at most the offender's does
    ranks   (g, n) 1 first, 2 second, 0 behind or undecided
    clean   (g,) no fault: only these games are in ratings and in statistics of pairs
    """

    deal: Ints
    bots: Ints
    points: Floats
    counts: Bools
    ranks: Ints
    clean: Bools

    def __post_init__(self) -> None:
        types = {"deal": np.int64, "bots": np.int64, "points": np.float64, "counts": bool, "ranks": np.int64}
        for name, dtype in {**types, "clean": bool}.items():
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=dtype))
        if self.bots.ndim != 2 or self.bots.shape[1] < 1:
            raise ValueError(f"bots: expected shape (games, seats), got {self.bots.shape}")
        games = self.bots.shape[:1]
        for name, shape in {"deal": games, "clean": games}.items() | dict.fromkeys(
            ("points", "counts", "ranks"), self.bots.shape
        ).items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name}: expected shape {shape}, got {getattr(self, name).shape}")
        if (self.deal < 0).any() or (self.bots < 0).any():
            raise ValueError("deal, bots: expected indices from 0")
        if not np.isfinite(self.points).all():
            raise ValueError("points: expected finite numbers")
        first, second = ((self.ranks == rank).sum(axis=1) for rank in (1, 2))
        if ((self.ranks < 0) | (self.ranks > 2)).any() or (first > 1).any() or (second > first).any():
            raise ValueError("ranks: expected at most one 1, at most one 2 and that only beside a 1, else 0")

    @property
    def games(self) -> int:
        """Return how many games there are."""
        return len(self.deal)

    @property
    def seats(self) -> int:
        """Return how many seats a table has."""
        return int(self.bots.shape[1])

    @cached_property
    def deals(self) -> Ints:
        """Return the indices of the deals, ascending, each once."""
        return self._deals[0]

    @cached_property
    def deal_place(self) -> Ints:
        """Return per game the place of its deal in `deals`."""
        return self._deals[1]

    @cached_property
    def _deals(self) -> tuple[Ints, Ints]:
        deals, place = np.unique(self.deal, return_inverse=True)
        return deals, place.astype(np.int64)

    def where(self, mask: Bools) -> Results:
        """Return the games for which `mask`, of shape (g,), holds."""
        if mask.all():
            return self
        return Results(
            self.deal[mask],
            self.bots[mask],
            self.points[mask],
            self.counts[mask],
            self.ranks[mask],
            self.clean[mask],
        )

    def check_bots(self, bots: int) -> None:
        """Raise ValueError unless all indices of bots are below `bots`."""
        if self.games and int(self.bots.max()) >= bots:
            raise ValueError(f"expected bots 0..{bots - 1}, got {int(self.bots.max())}")

    def by_deal_and_bot(self, values: Floats, bots: int) -> Floats:
        """Return values by seat, of shape (g, n), summed by deal and bot: shape (deals, bots)."""
        return sums_by(self.deal_place, len(self.deals), self.bots, bots, values)


def sums_by(row: Ints, rows: int, column: Ints, columns: int, values: Floats) -> Floats:
    """Return values of shape (g, n) summed into a table by their row, of shape (g,), and column, of shape (g, n)."""
    table = np.zeros(rows * columns)
    for seat in range(values.shape[1]):
        table += np.bincount(row * columns + column[:, seat], values[:, seat], rows * columns)
    return table.reshape(rows, columns)


def distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Return the different rows of a table of numbers from 0, and for each row its place among them."""
    sizes = [int(size) for size in rows.max(axis=0, initial=0) + 1]
    if math.prod(sizes) >= 2**62:
        found, place = np.unique(rows, axis=0, return_inverse=True)
        return found, place.reshape(-1).astype(np.int64)
    key = np.zeros(len(rows), dtype=np.int64)
    for size, column in zip(sizes, rows.T, strict=True):
        key = key * size + column
    # Counting is much faster than sorting where the numbers are small, as those of seatings are.
    if math.prod(sizes) <= max(4 * len(rows), 1 << 16):
        keys = np.flatnonzero(np.bincount(key))
        lookup = np.zeros(math.prod(sizes), dtype=np.int64)
        lookup[keys] = np.arange(len(keys))
        place = lookup[key]
    else:
        keys, place = np.unique(key, return_inverse=True)
    columns = []
    for size in reversed(sizes):
        keys, column = np.divmod(keys, size)
        columns.append(column)
    return np.stack(columns[::-1], axis=1).astype(np.int64), place.astype(np.int64)


def runs_of(keys: Ints) -> Iterator[tuple[int, Ints]]:
    """Return each different key, ascending, with the places at which it stands."""
    order = np.argsort(keys, kind="stable")
    found, starts = np.unique(keys[order], return_index=True)
    ends = np.append(starts[1:], len(keys))
    for key, start, end in zip(found, starts, ends, strict=False):
        yield int(key), order[start:end]


def t_quantile(deals: int, level: float = LEVEL) -> float:
    """Return how many standard errors a two-sided interval over so many deals reaches to each side."""
    # scipy.stats has the same quantile, but takes most of a second to import.
    from scipy.special import stdtrit

    return float(stdtrit(deals - 1, (1 + level) / 2))


def ratio_variance(sums: Floats, weights: Floats) -> tuple[float, float | None]:
    """Return the ratio of two sums over deals, and the variance of it; None for fewer than two deals.

    sums, weights: per deal, of shape (deals,), weights above 0. The variance is that of the linearised ratio, which is
    that of the mean where all weights are equal (Cochran, Sampling Techniques, 1977, chapter 6).
    """
    deals, total = len(sums), float(weights.sum())
    ratio = float(sums.sum()) / total
    if deals < 2:
        return ratio, None
    residuals = sums - ratio * weights
    return ratio, float(residuals @ residuals) * deals / (deals - 1) / total**2


def t_interval(mean: float, variance: float | None, deals: int, level: float = LEVEL) -> Interval | None:
    """Return the two-sided t interval of a mean over deals, given the variance of the mean; None if that is None."""
    if variance is None or deals < 2:
        return None
    half = t_quantile(deals, level) * math.sqrt(max(variance, 0.0))
    return mean - half, mean + half


def share_interval(share: float, variance: float | None, deals: int, level: float = LEVEL) -> Interval | None:
    """Return the interval of a share from 0 to 1 over deals, given the variance of the share; None if that is None.

    Wilson's score interval with the number of independent trials that would have this variance, and the t quantile:
    as good as the t interval in the middle, within 0 to 1, and of a sensible width where all trials went one way (then
    every deal is a trial). Source: Korn and Graubard, Survey Methodology 24 (1998), for the effective number.
    """
    if variance is None or deals < 2:
        return None
    spread = share * (1 - share)
    # Rounding leaves a share of 1 and its variance a few bits off.
    if spread < 1e-12:
        per_trial, share, spread = 1 / deals, float(round(share)), 0.0
    else:
        per_trial = variance / spread
    pull = t_quantile(deals, level) ** 2 * per_trial
    middle = (share + pull / 2) / (1 + pull)
    half = math.sqrt(pull * spread + pull**2 / 4) / (1 + pull)
    return max(middle - half, 0.0), min(middle + half, 1.0)
