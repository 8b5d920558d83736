"""Ratings: the partial Plackett-Luce model with seat effects, and errors clustered by deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tournaments.results import LEVEL, Bools, Floats, Interval, Ints, Results, distinct, t_interval

ELO = 400 / math.log(10)
"""Elo of one unit of log strength: 173.72."""
RIDGE = 0.01
"""Default precision of the prior: strengths and seat effects are normal, with standard deviation 10, or 1737 Elo."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength of a bot, or effect of a seat, in Elo about the mean of all.

    games: decided games without a fault in which it had a seat; standard_error, interval: clustered by deal, None with
    fewer than two deals, or without a game.
    """

    elo: float
    standard_error: float | None
    interval: Interval | None
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of two ratings in Elo, with its standard error and interval."""

    elo: float
    standard_error: float | None
    interval: Interval | None


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of bots 0 .. k - 1 and of the n seats, from decided games without a fault.

    bots: those that have played sum to zero; a bot that has not is 0 without an interval. seats: these sum to zero too;
    empty without seat effects. deals, games: those used; undecided: games without a fault that nobody won, left out.
    groups: the bots in the groups within which each has, by some chain of games, finished ahead of each other, the
    largest first; more than one means that only the ridge keeps some differences finite. level: of intervals.

    For other statistics: strengths (k,) and effects (n,), natural logarithms; covariance (k + n, k + n) of both, None
    with fewer than two deals; influence (deals, k + n), what each deal, listed in deal_index, adds to both.
    """

    bots: tuple[Rating, ...]
    seats: tuple[Rating, ...]
    deals: int
    games: int
    undecided: int
    groups: tuple[tuple[int, ...], ...]
    level: float
    strengths: Floats = field(repr=False)
    effects: Floats = field(repr=False)
    covariance: Floats | None = field(repr=False)
    influence: Floats = field(repr=False)
    deal_index: Ints = field(repr=False)

    def difference(self, one: int, other: int) -> Difference:
        """Return the rating of one bot less that of another."""
        elo = float(self.strengths[one] - self.strengths[other]) * ELO
        if self.covariance is None or not (self.bots[one].games and self.bots[other].games):
            return Difference(elo, None, None)
        block = self.covariance[np.ix_([one, other], [one, other])]
        variance = max(float(block[0, 0] + block[1, 1] - 2 * block[0, 1]), 0.0) * ELO**2
        return Difference(elo, math.sqrt(variance), t_interval(elo, variance, self.deals, self.level))

    def warning(self, names: Sequence[str] | None = None) -> str | None:
        """Return a line that says which bots cannot be compared, None if all can; names: of the bots, else indices."""
        if len(self.groups) < 2:
            return None
        sets = [", ".join(str(bot) if names is None else names[bot] for bot in group) for group in self.groups]
        return (
            f"the bots fall into {len(sets)} groups, between which wins go one way or not at all, so that ratings "
            f"between groups are bounds at best: {' | '.join(sets)}"
        )


def fit_ratings(
    results: Results, bots: int, seat_effects: bool = True, ridge: float = RIDGE, level: float = LEVEL
) -> Ratings:
    """Return the ratings that make the places of all games likeliest.

    A seat is first with probability proportional to exp(strength of its bot + effect of the seat), among all; second in
    the same way among the rest. Games without a first are left out, the second place of those without one too. Two
    seats give the Bradley-Terry model. The ridge takes ridge / 2 times the sum of squares off the log likelihood, so
    that perfect scores stay finite, as does what the line-ups cannot tell apart (seats, where each bot has its own).

    Errors are a sandwich clustered by deal, D / (D - 1) times the sum over deals of squared scores, plus `ridge` for
    what the prior does not know: nothing where games speak, and a wide interval where they do not. Intervals use t with
    D - 1 degrees of freedom. Sources: Plackett, The analysis of permutations, 1975; White, Maximum likelihood
    estimation of misspecified models, 1982; Liang and Zeger, 1986.

    bots: how many there are. Raises ValueError for a bot that there is not, and a ridge that is not above 0.
    """
    results.check_bots(bots)
    if not ridge > 0:
        raise ValueError(f"ridge: expected a number above 0, got {ridge}")
    clean = results.where(results.clean)
    decided = clean.where((clean.ranks == 1).any(axis=1))
    table = _Table.of(decided, bots)
    size = bots + results.seats
    free = np.arange(size if seat_effects else bots)
    found, point = _maximise(table, free, ridge)

    residual = point.residual[table.row_of_game]
    deals = len(decided.deals)
    by_seat = [np.bincount(decided.deal_place, column, deals) for column in residual.T]
    scores = np.column_stack([decided.by_deal_and_bot(residual, bots), *by_seat])
    inverse = np.zeros((size, size))
    inverse[np.ix_(free, free)] = np.linalg.inv(point.information[np.ix_(free, free)] + ridge * np.eye(len(free)))
    played = np.bincount(decided.bots.ravel(), minlength=bots) > 0
    centre = _centring(played, results.seats)
    found = centre @ found
    inverse = centre @ inverse
    influence = scores @ inverse.T
    covariance = None
    if deals > 1:
        covariance = deals / (deals - 1) * influence.T @ influence + ridge * inverse @ inverse.T
    # A bot at several seats is counted at the first of them.
    again = np.stack(
        [(decided.bots[:, :s] == decided.bots[:, s, None]).any(axis=1) for s in range(results.seats)], axis=1
    )
    in_games = [*np.bincount(decided.bots[~again], minlength=bots).tolist(), *[decided.games] * results.seats]
    rated = [_rating(found, covariance, index, games, deals, level) for index, games in enumerate(in_games)]
    return Ratings(
        bots=tuple(rated[:bots]),
        seats=tuple(rated[bots:]) if seat_effects else (),
        deals=deals,
        games=decided.games,
        undecided=clean.games - decided.games,
        groups=_groups(table, bots, played),
        level=level,
        strengths=found[:bots],
        effects=found[bots:],
        covariance=covariance,
        influence=influence,
        deal_index=decided.deals,
    )


def _rating(found: Floats, covariance: Floats | None, index: int, games: int, deals: int, level: float) -> Rating:
    elo = float(found[index]) * ELO
    if covariance is None or not games:
        return Rating(elo, None, None, games)
    variance = max(float(covariance[index, index]), 0.0) * ELO**2
    return Rating(elo, math.sqrt(variance), t_interval(elo, variance, deals, level), games)


def _centring(played: Bools, seats: int) -> Floats:
    """The matrix that takes the mean of bots that have played off these, and that of seats off seats."""
    bots = len(played)
    matrix = np.eye(bots + seats)
    matrix[:bots, :bots] -= np.outer(played, played) / max(int(played.sum()), 1)
    matrix[bots:, bots:] -= 1 / seats
    return matrix


class _Table(NamedTuple):
    """Equal games counted together: per row the bots by seat, seats placed first and second (-1: none), how many."""

    bots: Ints
    first: Ints
    second: Ints
    times: Floats
    row_of_game: Ints
    total_bots: int

    @classmethod
    def of(cls, results: Results, bots: int) -> _Table:
        first = (results.ranks == 1).argmax(axis=1)
        seconds = results.ranks == 2
        second = np.where(seconds.any(axis=1), seconds.argmax(axis=1), -1)
        rows, row_of_game = distinct(np.column_stack([results.bots, first, second + 1]))
        times = np.bincount(row_of_game, minlength=len(rows)).astype(np.float64)
        return cls(rows[:, :-2], rows[:, -2], rows[:, -1] - 1, times, row_of_game, bots)


class _Point(NamedTuple):
    """The log likelihood at some strengths, and its derivatives.

    residual (rows, seats): that of the log likelihood of one game by the log strength of each seat; gradient (k + n,),
    information (k + n, k + n): first and negative second derivative of the sum over games by strengths and effects.
    """

    log_likelihood: float
    residual: Floats
    gradient: Floats
    information: Floats


def _evaluate(table: _Table, found: Floats) -> _Point:
    bots, seats = table.total_bots, table.bots.shape[1]
    rows = np.arange(len(table.bots))
    strength = found[:bots][table.bots] + found[bots:]
    log_likelihood = 0.0
    residual = np.zeros(strength.shape)
    information = np.zeros((bots + seats, bots + seats))
    left = np.ones(strength.shape, dtype=bool)
    # First place among all seats; then second place among the rest, in games that have one.
    for placed in (table.first, table.second):
        there = placed >= 0
        weight = table.times * there
        seat = np.maximum(placed, 0)
        masked = np.where(left, strength, -np.inf)
        top = masked.max(axis=1, initial=-np.inf)
        top = np.where(np.isfinite(top), top, 0.0)
        shares = np.exp(masked - top[:, None])
        # No seat is left after the first where there is but one: such a game has no second.
        total = np.maximum(shares.sum(axis=1), 1e-300)
        shares /= total[:, None]
        log_likelihood += float(weight @ np.where(there, strength[rows, seat] - top - np.log(total), 0.0))
        residual -= shares * there[:, None]
        residual[rows[there], seat[there]] += 1
        information += _information(table.bots, shares, weight, bots)
        left[rows, seat] = False
    weighted = residual * table.times[:, None]
    by_bot = np.bincount(table.bots.ravel(), weighted.ravel(), bots)
    gradient = np.concatenate([by_bot, weighted.sum(axis=0)])
    return _Point(log_likelihood, residual, gradient, information)


def _information(bots_at: Ints, shares: Floats, weight: Floats, bots: int) -> Floats:
    """Sum over rows of weight (X' diag(q) X - X' q q' X): q the shares, X which bot and which seat each seat is."""
    seats = shares.shape[1]
    matrix = np.zeros((bots + seats, bots + seats))
    pairs = np.zeros(bots * bots)
    for one in range(seats):
        ours = weight * shares[:, one]
        strengths = np.bincount(bots_at[:, one], ours, bots)
        matrix[np.arange(bots), np.arange(bots)] += strengths
        matrix[bots + one, bots + one] += ours.sum()
        matrix[:bots, bots + one] += strengths
        for other in range(seats):
            both = ours * shares[:, other]
            pairs += np.bincount(bots_at[:, one] * bots + bots_at[:, other], both, bots * bots)
            matrix[:bots, bots + other] -= np.bincount(bots_at[:, one], both, bots)
            matrix[bots + one, bots + other] -= both.sum()
    matrix[:bots, :bots] -= pairs.reshape(bots, bots)
    matrix[bots:, :bots] = matrix[:bots, bots:].T
    return matrix


def _maximise(table: _Table, free: Ints, ridge: float) -> tuple[Floats, _Point]:
    """Newton's method with halved steps; the penalised log likelihood is strictly concave, so there is one maximum."""
    found = np.zeros(table.total_bots + table.bots.shape[1])
    point = _evaluate(table, found)
    for _ in range(100):
        gradient = point.gradient[free] - ridge * found[free]
        matrix = point.information[np.ix_(free, free)] + ridge * np.eye(len(free))
        step = np.linalg.solve(matrix, gradient)
        gain = float(gradient @ step)
        value = point.log_likelihood - ridge / 2 * float(found @ found)
        length = 1.0
        while True:
            tried = found.copy()
            tried[free] += length * step
            tried_point = _evaluate(table, tried)
            rise = tried_point.log_likelihood - ridge / 2 * float(tried @ tried) - value
            if rise >= 1e-4 * length * gain - 1e-12 * (1 + abs(value)) or length < 1e-6:
                break
            length /= 2
        found, point = tried, tried_point
        # Convergence is quadratic: the step just taken has squared what was missing.
        if gain < 1e-14:
            break
    return found, point


def _groups(table: _Table, bots: int, played: Bools) -> tuple[tuple[int, ...], ...]:
    """The strongly connected parts of the graph in which a bot points at those it has finished behind."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = np.arange(len(table.bots))
    behind = np.ones(table.bots.shape, dtype=bool)
    edges = []
    for placed in (table.first, table.second):
        behind[rows, np.maximum(placed, 0)] = False
        ahead = table.bots[rows, np.maximum(placed, 0)]
        edges += [
            np.stack([table.bots[:, seat], ahead])[:, behind[:, seat] & (placed >= 0)]
            for seat in range(table.bots.shape[1])
        ]
    pairs = distinct(np.hstack(edges).T)[0]
    graph = coo_array((np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1])), shape=(bots, bots))
    labels = connected_components(graph, directed=True, connection="strong")[1]
    parts = {int(label): tuple(int(bot) for bot in np.flatnonzero((labels == label) & played)) for label in labels}
    return tuple(sorted((part for part in parts.values() if part), key=lambda part: (-len(part), part)))
