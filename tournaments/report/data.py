"""What a report shows beyond the standings: means by seat, means as deals go by, how long rounds are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tournaments.results import LEVEL, Interval, Results, ratio_variance, t_interval

MAX_POINTS = 100
"""How many points a line has at most."""
_MAX_BINS = 24


@dataclass(frozen=True, slots=True)
class SeatMean:
    """Points of a bot at a seat: the mean over the games that count, None without any, and its interval over deals."""

    mean: float | None
    interval: Interval | None
    games: int


def means_by_seat(results: Results, bots: int) -> list[list[SeatMean]]:
    """Return what each bot made at each seat."""
    found: list[list[SeatMean]] = [[] for _ in range(bots)]
    for seat in range(results.seats):
        only = np.zeros(results.counts.shape)
        only[:, seat] = results.counts[:, seat]
        sums = results.by_deal_and_bot(results.points * only, bots)
        games = results.by_deal_and_bot(only, bots)
        for bot in range(bots):
            played = games[:, bot] > 0
            deals = int(played.sum())
            if not deals:
                found[bot].append(SeatMean(None, None, 0))
                continue
            mean, variance = ratio_variance(sums[played, bot], games[played, bot])
            found[bot].append(SeatMean(mean, t_interval(mean, variance, deals), int(games[:, bot].sum())))
    return found


@dataclass(frozen=True, slots=True)
class Running:
    """Means after the first deals of a tournament.

    deals: how many; means, low, high: by bot, then by `deals`; not a number where there is nothing yet.
    """

    deals: list[int]
    means: list[list[float]]
    low: list[list[float]]
    high: list[list[float]]


def running_means(results: Results, bots: int) -> Running:
    """Return the mean points of each bot after growing numbers of deals, with t intervals."""
    from scipy.special import stdtrit

    total = len(results.deals)
    counts = results.counts.astype(np.float64)
    games = results.by_deal_and_bot(counts, bots)
    sums = results.by_deal_and_bot(results.points * counts, bots)
    places = np.unique(np.linspace(1, total, min(total, MAX_POINTS)).round().astype(np.int64)) - 1

    # As `results.ratio_variance`, for all beginnings at once.
    weight, value, squares, products, weights = (
        np.cumsum(column, axis=0)[places] for column in (games, sums, sums**2, sums * games, games**2)
    )
    deals = np.cumsum(games > 0, axis=0)[places].astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = value / weight
        residuals = np.maximum(squares - 2 * means * products + means**2 * weights, 0.0)
        half = stdtrit(deals - 1, (1 + LEVEL) / 2) * np.sqrt(residuals * deals / (deals - 1)) / weight
        half[deals < 2] = np.nan
    return Running(
        [int(place) + 1 for place in places], *(table.T.tolist() for table in (means, means - half, means + half))
    )


@dataclass(frozen=True, slots=True)
class Bin:
    """Rounds of `first` to `last` turns; last: None for all longer ones."""

    first: int
    last: int | None
    rounds: int


def turn_bins(turns: Sequence[int]) -> list[Bin]:
    """Return how many rounds were how long, in bins of equal width; those that are far from the rest share the last."""
    if not len(turns):
        return []
    lengths = np.asarray(turns, dtype=np.int64)
    low, most = int(lengths.min()), int(lengths.max())
    lower, upper = np.quantile(lengths, [0.25, 0.75])
    # Tukey's outer fence (Exploratory Data Analysis, 1977): what is beyond would leave no room for the rest.
    high = min(most, int(upper + 3 * (upper - lower)))
    width = -(-(high - low + 1) // _MAX_BINS)
    bins = []
    for first in range(low, high + 1, width):
        last = first + width - 1
        bins.append(Bin(first, last, int(((lengths >= first) & (lengths <= last)).sum())))
    if beyond := int((lengths > bins[-1].first + width - 1).sum()):
        bins.append(Bin(bins[-1].first + width, None, beyond))
    return bins
