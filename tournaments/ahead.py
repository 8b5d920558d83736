"""Who finishes ahead of whom, and whether that is what the ratings say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from tournaments.plackett_luce import Ratings
from tournaments.results import (
    LEVEL,
    Floats,
    Interval,
    Ints,
    Results,
    distinct,
    ratio_variance,
    runs_of,
    share_interval,
    t_interval,
)

PIECE = 1 << 16
"""How many games are taken at a time."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """How often bot `one` finishes ahead of bot `other`, over games without a fault in which both sit.

    games, deals: on which they met; observed: share of games in which it was ahead, a tie (neither of the two was
    placed) as half; with several seats the mean over pairs of seats; interval: over deals, None with fewer than two.
    expected: the same by the ratings; excess: observed - expected; excess_interval: allows for the ratings being fitted
    to these games, and is None too where that leaves nothing over, as with two bots at two seats. An excess that its
    interval keeps from 0 is one that no single scale of strength explains.
    """

    one: int
    other: int
    games: int
    deals: int
    observed: float
    interval: Interval | None
    expected: float
    excess: float
    excess_interval: Interval | None

    def turned(self) -> Ahead:
        """Return the same from the side of the other bot."""
        return replace(
            self,
            one=self.other,
            other=self.one,
            observed=1 - self.observed,
            interval=self.interval and (1 - self.interval[1], 1 - self.interval[0]),
            expected=1 - self.expected,
            excess=-self.excess,
            excess_interval=self.excess_interval and (-self.excess_interval[1], -self.excess_interval[0]),
        )


@dataclass(frozen=True, slots=True)
class AheadMatrix:
    """All ordered pairs of bots that met, in the order of the bots."""

    pairs: tuple[Ahead, ...]

    def get(self, one: int, other: int) -> Ahead | None:
        """Return how bot `one` did against bot `other`, None if they have not met."""
        return next((pair for pair in self.pairs if (pair.one, pair.other) == (one, other)), None)


def ahead_matrix(results: Results, ratings: Ratings, level: float = LEVEL) -> AheadMatrix:
    """Return for each pair of bots how often one finishes ahead of the other, and what the ratings expect.

    ratings: fitted to the same results. The expectation is exact under the model, from the seating of each game, seat
    effects included, given how much was decided: in a game without a first place it is a half, as the result is; in one
    with a first but no second, the chance to be first plus half that neither is. Intervals of `observed` are those of
    `share_interval`; those of `excess` are t intervals, of the residuals of deals less what each deal has moved the
    expectation by through the ratings.

    Raises ValueError for a bot that the ratings do not have, and for ratings that were fitted to other deals.
    """
    bots = len(ratings.bots)
    results.check_bots(bots)
    results = results.where(results.clean)
    rows, row_of_game = distinct(np.column_stack([results.bots, (results.ranks > 0).sum(axis=1)]))
    model = _expect(rows, np.bincount(row_of_game, minlength=len(rows)), ratings)
    met = _meetings(results, model.expected[row_of_game], bots)
    # Deals on which nothing was decided are not among those of the ratings, and have moved them by nothing.
    influence = np.zeros((len(results.deals), model.slope.shape[1]))
    decided = np.isin(results.deals, ratings.deal_index)
    if decided.sum() != len(ratings.deal_index):
        raise ValueError("the ratings were fitted to other deals than those of the results")
    influence[decided] = ratings.influence
    squares = influence.T @ influence

    found: dict[tuple[int, int], Ahead] = {}
    for pair, places in runs_of(met.pair):
        deal, games, score, expected = (met.deal[places], met.games[places], met.score[places], met.expected[places])
        total, deals = float(games.sum()), len(deal)
        observed, variance = ratio_variance(score, games)
        excess = float((score - expected).sum()) / total
        excess_variance = None
        if deals > 1:
            own = (score - expected - excess * games) / total
            slope = model.slope[pair] / total
            moved = influence[deal] @ slope
            # Deals on which the pair did not meet have moved the expectation too: over all deals, (own - moved)^2.
            spread = float(own @ own - 2 * own @ moved + slope @ squares @ slope)
            # Nothing is left where the ratings can follow the two bots anywhere, as those of a match at two seats.
            if spread > 1e-3 * float(own @ own):
                excess_variance = spread * deals / (deals - 1)
        ahead = Ahead(
            *divmod(pair, bots),
            games=round(total),
            deals=deals,
            observed=observed,
            interval=share_interval(observed, variance, deals, level),
            expected=observed - excess,
            excess=excess,
            excess_interval=t_interval(excess, excess_variance, deals, level),
        )
        found[ahead.one, ahead.other] = ahead
        found[ahead.other, ahead.one] = ahead.turned()
    return AheadMatrix(tuple(found[key] for key in sorted(found)))


class _Model(NamedTuple):
    """What the ratings expect.

    expected (rows, seats, seats): chance that one seat finishes ahead of another, by distinct game; slope (k * k,
    k + n): derivatives of the sum, over all games, of the chance of bot a against b, at a * k + b, by the ratings.
    """

    expected: Floats
    slope: Floats


def _expect(rows: Ints, count: Ints, ratings: Ratings) -> _Model:
    seating, placed = rows[:, :-1], rows[:, -1]
    bots, seats = len(ratings.bots), seating.shape[1]
    strength = ratings.strengths[seating] + ratings.effects
    expected = np.full((len(rows), seats, seats), 0.5)
    slope = np.zeros(bots * bots * (bots + seats))
    for one, other in permutations(range(seats), 2):
        chance, by_seat = _chance(strength, placed, one, other)
        expected[:, one, other] = chance
        pair = (seating[:, one] * bots + seating[:, other]) * (bots + seats)
        weight = count * _share_of_game(seating, one, other)
        for seat in range(seats):
            for index in (pair + seating[:, seat], pair + bots + seat):
                slope += np.bincount(index, weight * by_seat[:, seat], len(slope))
    return _Model(expected, slope.reshape(bots * bots, bots + seats))


def _chance(strength: Floats, placed: Ints, one: int, other: int) -> tuple[Floats, Floats]:
    """Chance that seat `one` finishes ahead of `other`, ties as half, and its derivatives by the strength of seats."""
    weights = np.exp(strength - strength.max(axis=1, keepdims=True, initial=-np.inf))
    first = weights / weights.sum(axis=1, keepdims=True)
    units = np.eye(strength.shape[1])
    chance, slope = np.zeros(len(first)), np.zeros(first.shape)
    for seat, sign in ((one, 0.5), (other, -0.5)):
        ahead = first[:, seat]
        chance += sign * ahead
        slope += sign * ahead[:, None] * (units[seat] - first)
        for winner in set(range(strength.shape[1])) - {one, other}:
            rest = weights * (1 - units[winner])
            rest /= np.maximum(rest.sum(axis=1, keepdims=True), 1e-300)
            ahead = (placed == 2) * first[:, winner] * rest[:, seat]
            chance += sign * ahead
            slope += sign * ahead[:, None] * (units[winner] - first + units[seat] - rest)
    decided = (placed > 0).astype(np.float64)
    return 0.5 + decided * chance, decided[:, None] * slope


def _share_of_game(seating: Ints, one: int, other: int) -> Floats:
    """The part of a game that falls to a pair of seats; 0 if both are of one bot."""
    ours, theirs = seating[:, one], seating[:, other]
    pairs = (seating == ours[:, None]).sum(axis=1) * (seating == theirs[:, None]).sum(axis=1)
    share: Floats = (ours != theirs) / pairs
    return share


class _Meetings(NamedTuple):
    """Per pair of bots a < b, as a * k + b, and deal on which they met: games, and sums over these for a against b."""

    pair: Ints
    deal: Ints
    games: Floats
    score: Floats
    expected: Floats


def _meetings(results: Results, expected: Floats, bots: int) -> _Meetings:
    """Add up by deal and pair, some deals at a time, which bounds the memory."""
    order = np.argsort(results.deal_place, kind="stable")
    place = results.deal_place[order]
    # A piece ends where a deal does.
    ends = np.unique(np.searchsorted(place, place[PIECE::PIECE]))
    found = [np.empty((5, 0))]
    for games in np.split(order, ends):
        seating, ranks = results.bots[games], results.ranks[games]
        ranks = np.where(ranks > 0, ranks, 3)
        keys, values = [], []
        for one, other in combinations(range(results.seats), 2):
            ours, theirs = seating[:, one], seating[:, other]
            score = 0.5 + 0.5 * np.sign(ranks[:, other] - ranks[:, one])
            # From the side of the bot with the lower index.
            scores = np.stack([score, expected[games, one, other]])
            scores = np.where(ours > theirs, 1 - scores, scores)
            keys.append([results.deal_place[games], np.minimum(ours, theirs), np.maximum(ours, theirs)])
            values.append(np.vstack([np.ones(len(games)), scores]) * _share_of_game(seating, one, other))
        if keys and len(games):
            key, weights = np.concatenate(keys, axis=1), np.concatenate(values, axis=1)
            first = key[0].min()
            rows, row = distinct(np.column_stack([key[0] - first, key[1], key[2]]))
            sums = np.stack([np.bincount(row, weight) for weight in weights])
            found.append(np.vstack([rows[:, 1] * bots + rows[:, 2], rows[:, 0] + first, sums])[:, sums[0] > 0])
    pair, deal, *totals = np.concatenate(found, axis=1)
    return _Meetings(pair.astype(np.int64), deal.astype(np.int64), *totals)
