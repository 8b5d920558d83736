"""How bots did: points, differences between two, one against the rest, and what duplicate deals bought.

No input or output: all functions go from `Results` to plain data. Ratings are in `plackett_luce`, who finishes ahead of
whom in `ahead`, the sequential test in `sprt`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tournaments.ahead import Ahead, AheadMatrix, ahead_matrix
from tournaments.plackett_luce import Difference, Rating, Ratings, fit_ratings
from tournaments.results import (
    LEVEL,
    Bools,
    Floats,
    Interval,
    Results,
    distinct,
    ratio_variance,
    runs_of,
    share_interval,
    sums_by,
    t_interval,
    t_quantile,
)

__all__ = [
    "Ahead",
    "AheadMatrix",
    "Difference",
    "Duel",
    "Interval",
    "Mean",
    "PairedDifference",
    "Rating",
    "Ratings",
    "Results",
    "ahead_matrix",
    "duels",
    "elo_of_share",
    "fit_ratings",
    "head_to_head",
    "mean_points",
    "paired_differences",
    "variance_reduction",
]

REPLICATES = 4000
MAX_GROUPS = 4096
MIN_GROUPS = 10


@dataclass(frozen=True, slots=True)
class Mean:
    """Points of one bot over the seats that count.

    bot: its index; mean: points a seat, None if it has played nothing; interval: over deals, None with fewer than two;
    first, second: shares of its seats that finished there; games: seats that count; deals: on how many deals.
    """

    bot: int
    mean: float | None
    interval: Interval | None
    first: float | None
    second: float | None
    games: int
    deals: int


def mean_points(results: Results, bots: int, seed: int, level: float = LEVEL) -> tuple[Mean, ...]:
    """Return the mean points of each bot, with intervals by the bootstrap over deals.

    bots: how many there are; seed: of the resampling (not negative), which is all that is random: all bots share the
    resampled deals, so names and the order of games change nothing. Raises ValueError for a bot that there is not.

    The interval is Hesterberg's expanded percentile (What Teachers Should Know about the Bootstrap, 2015): the
    quantiles are moved outwards so that with few deals it is as wide as a t interval. Below `MIN_GROUPS` deals
    resampling cannot reach that far, and the t interval of the linearised ratio is given. Time and memory are bounded:
    beyond `MAX_GROUPS` deals, runs of consecutive deals are added up to as many groups of equal size first (sums of
    independent deals are independent too), and `REPLICATES` replicates are drawn in blocks of 2^22 numbers.
    """
    results.check_bots(bots)
    counts = results.counts.astype(np.float64)
    seats = results.by_deal_and_bot(counts, bots)
    games = seats.sum(axis=0)
    deals = (seats > 0).sum(axis=0)
    first, second = (
        np.bincount(results.bots[results.counts & (results.ranks == rank)], minlength=bots) for rank in (1, 2)
    )
    groups = min(len(results.deals), MAX_GROUPS)
    group = results.deal_place * groups // max(len(results.deals), 1)
    sums, seats = (sums_by(group, groups, results.bots, bots, values) for values in (results.points * counts, counts))
    replicates = _replicates(sums, seats, seed) if groups >= MIN_GROUPS else np.empty((0, bots))
    means = []
    for bot in range(bots):
        if not games[bot]:
            means.append(Mean(bot, None, None, None, None, 0, 0))
            continue
        mean = float(sums[:, bot].sum() / games[bot])
        interval = _expanded_percentile(sums[:, bot], seats[:, bot], replicates[:, bot], level)
        shares = float(first[bot] / games[bot]), float(second[bot] / games[bot])
        means.append(Mean(bot, mean, interval, *shares, int(games[bot]), int(deals[bot])))
    return tuple(means)


def _replicates(sums: Floats, seats: Floats, seed: int) -> Floats:
    """Means of all bots over resampled groups, of shape (REPLICATES, bots); not a number where one has no seats."""
    groups, bots = sums.shape
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    table = np.hstack([sums, seats])
    totals = np.empty((REPLICATES, 2 * bots))
    block = max(1, 2**22 // groups)
    for start in range(0, REPLICATES, block):
        rows = min(block, REPLICATES - start)
        drawn = rng.integers(groups, size=(rows, groups)) + groups * np.arange(rows)[:, None]
        times = np.bincount(drawn.ravel(), minlength=rows * groups).reshape(rows, groups)
        totals[start : start + rows] = times.astype(np.float64) @ table
    with np.errstate(invalid="ignore"):
        return totals[:, :bots] / totals[:, bots:]


def _expanded_percentile(sums: Floats, seats: Floats, replicates: Floats, level: float) -> Interval | None:
    from scipy.special import ndtr

    played = seats > 0
    groups = int(played.sum())
    if groups < MIN_GROUPS:
        mean, variance = ratio_variance(sums[played], seats[played])
        return t_interval(mean, variance, groups, level)
    tail = float(ndtr(-math.sqrt(groups / (groups - 1)) * t_quantile(groups, level)))
    low, high = np.quantile(replicates[~np.isnan(replicates)], [tail, 1 - tail])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Points a seat of bot `one` less those of bot `other`, over the deals that both played without a fault.

    difference: the mean over deals, None without any; interval: its t interval, None with fewer than two deals.
    """

    one: int
    other: int
    difference: float | None
    interval: Interval | None
    deals: int


def paired_differences(results: Results, one: int, other: int) -> Floats:
    """Return the difference of two bots on each deal, in the order of deals.

    Of a game in which both sit, that is the mean points of the one's seats less that of the other's; of a deal, the
    mean of such games. Deals with a fault in any game are left out. Differences that are equal but for rounding are
    made equal, so that bots that play alike differ by 0.
    """
    spoilt = np.bincount(results.deal_place[~results.clean], minlength=len(results.deals)) > 0
    ours, theirs = (results.bots == bot for bot in (one, other))
    chosen = ours.any(axis=1) & theirs.any(axis=1) & ~spoilt[results.deal_place]
    points, ours, theirs, place = (array[chosen] for array in (results.points, ours, theirs, results.deal_place))
    differences = _mean_of(points, ours) - _mean_of(points, theirs)
    games = np.bincount(place, minlength=len(results.deals))
    sums = np.bincount(place, differences, len(results.deals))
    return np.round(sums[games > 0] / games[games > 0], 12) + 0.0


def _mean_of(points: Floats, seats: Bools) -> Floats:
    mean: Floats = (points * seats).sum(axis=1) / seats.sum(axis=1)
    return mean


def head_to_head(results: Results, one: int, other: int, level: float = LEVEL) -> PairedDifference:
    """Return the mean of the paired differences of two bots, with its t interval over deals."""
    differences = paired_differences(results, one, other)
    deals = len(differences)
    if not deals:
        return PairedDifference(one, other, None, None, 0)
    mean = float(differences.mean())
    variance = float(differences.var(ddof=1)) / deals if deals > 1 else None
    return PairedDifference(one, other, mean, t_interval(mean, variance, deals, level), deals)


def variance_reduction(results: Results, bots: int) -> float | None:
    """Return how many times more variance the differences between bots would have if no two games shared a deal.

    The difference of the mean points of bots a and b is, linearised, a sum over games of I_a - I_b, where I_a is the
    sum over the seats of a in the game of (points - mean) / (seats of a in all). Its variance is the sum of squares of
    I_a - I_b over games, were all games on deals of their own, and with deals that games share the sum of squares of
    its sums over deals. The result is the ratio of the two, each summed over all pairs of bots. The mean subtracted is
    that of the same bot at the same seat of the same line-up, since it is by design, not by luck, that those differ;
    each cell of m such values is scaled by sqrt(m / (m - 1)) for the mean it has cost.

    Games with a fault are left out. None where there is nothing to compare: fewer than two bots, or no cell with two
    values or any variance; infinite where the differences are the same on all deals.
    """
    results.check_bots(bots)
    results = results.where(results.clean)
    played = np.bincount(results.bots.ravel(), minlength=bots)
    lineup = distinct(np.sort(results.bots, axis=1))[1]
    seats = np.broadcast_to(np.arange(results.seats), results.bots.shape)
    cells = np.stack([np.repeat(lineup, results.seats), results.bots.ravel(), seats.ravel()], axis=1)
    cell = distinct(cells)[1]
    size = np.bincount(cell)
    mean = np.bincount(cell, results.points.ravel()) / size
    scale = np.sqrt(size / np.maximum(size - 1, 1))
    values = ((results.points.ravel() - mean[cell]) * scale[cell]).reshape(results.bots.shape)
    values /= np.maximum(played, 1)[results.bots]
    # Over pairs of k bots, the sum of (I_a - I_b)^2 is k times the sum of I_a^2 less the square of the sum of I_a.
    pairs = int((played > 0).sum())
    squares = sum(
        float((values[:, one] * values[:, two]) @ (results.bots[:, one] == results.bots[:, two]))
        for one in range(results.seats)
        for two in range(results.seats)
    )
    alone = pairs * squares - float((values.sum(axis=1) ** 2).sum())
    by_deal = results.by_deal_and_bot(values, bots)
    shared = pairs * float((by_deal**2).sum()) - float((by_deal.sum(axis=1) ** 2).sum())
    if pairs < 2 or alone <= 0:
        return None
    return alone / shared if shared > 1e-12 * alone else math.inf


@dataclass(frozen=True, slots=True)
class Duel:
    """How a bot at one seat did against another at all the others.

    one, rest: the bots; deals, games: on which they met without a fault; share: first places of the single seat a
    game, those of undecided games shared equally; interval: of the share, over deals, None with fewer than two; elo,
    elo_interval: the same as Elo, 0 for equal strength at any number of seats.
    """

    one: int
    rest: int
    deals: int
    games: int
    share: float
    interval: Interval | None
    elo: float
    elo_interval: Interval | None


def elo_of_share(share: float, players: int) -> float:
    """Return 400 log10(p (n - 1) / (1 - p)): Elo of a single seat with this share of first places among n seats.

    Infinite where the share is 0 or 1 (or, as the end of an interval, beyond).
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share * (players - 1) / (1 - share))


def duels(results: Results, bots: int, level: float = LEVEL) -> tuple[Duel, ...]:
    """Return all pairs of which one sits at a single seat and the other at all the rest, in the order of the bots.

    At two seats both sit at a single seat, and the pair is counted once, for the earlier bot. Games with a fault are
    left out. Raises ValueError for a bot that there is not.
    """
    results.check_bots(bots)
    results = results.where(results.clean)
    low, high = results.bots.min(axis=1, initial=bots), results.bots.max(axis=1, initial=0)
    lows = (results.bots == low[:, None]).sum(axis=1)
    highs = (results.bots == high[:, None]).sum(axis=1)
    one, rest = np.where(lows == 1, low, high), np.where(lows == 1, high, low)
    kind = (low < high) & (lows + highs == results.seats) & (np.minimum(lows, highs) == 1)
    firsts = ((results.ranks == 1) & (results.bots == one[:, None])).sum(axis=1)
    shares = np.where((results.ranks == 1).any(axis=1), firsts, 1 / results.seats)
    found = []
    for pair, places in runs_of(np.where(kind, one * bots + rest, -1)):
        if pair < 0:
            continue
        place = results.deal_place[places]
        per_deal = np.bincount(place).astype(np.float64)
        sums = np.bincount(place, shares[places])[per_deal > 0].astype(np.float64)
        weights = per_deal[per_deal > 0]
        share, variance = ratio_variance(sums, weights)
        interval = share_interval(share, variance, len(sums), level)
        elos = [elo_of_share(end, results.seats) for end in (share, *(interval or ()))]
        elo_interval = (elos[1], elos[2]) if interval else None
        found.append(Duel(*divmod(pair, bots), len(sums), len(places), share, interval, elos[0], elo_interval))
    return tuple(found)
