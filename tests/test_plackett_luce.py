"""Ratings: against choix, against finite differences, and on games that no model can rank."""

import math
from collections import Counter
from itertools import permutations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulated import Bench, results_of
from tournaments.plackett_luce import ELO, _evaluate, _Table, fit_ratings
from tournaments.results import Results


def games(*rows, deals=None, clean=None):
    """Results from (seating, ranks) pairs, each on a deal of its own unless told."""
    seating, ranks = (np.array(column) for column in zip(*rows, strict=True))
    count = len(seating)
    clean = np.ones(count, bool) if clean is None else np.array(clean)
    deal = np.arange(count) if deals is None else np.array(deals)
    return Results(deal, seating, ranks == 1, np.ones(seating.shape, bool), ranks, clean)


def league(seed=1, deals=60, bots=4, seats=3):
    return Bench.league(bots, seats).play(np.random.default_rng(seed), deals, "duplicate")


# --- the oracle


@pytest.mark.parametrize("bots", [2, 5])
def test_two_seats_agree_with_choix_on_pairs(bots):
    results = league(bots=bots, seats=2)
    pairs = [
        (int(seating[ranks == 1][0]), int(seating[ranks != 1][0]))
        for seating, ranks in zip(results.bots, results.ranks, strict=True)
    ]
    found = fit_ratings(results, bots, seat_effects=False, ridge=1e-6).strengths
    assert found == pytest.approx(choix.opt_pairwise(bots, pairs, alpha=1e-6, tol=1e-9), abs=1e-3)
    assert found == pytest.approx(choix.ilsr_pairwise(bots, pairs, alpha=1e-6), abs=1e-3)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_two_places_agree_with_choix(seats):
    """Only the first two are placed: that is the first of all, then the first of the rest."""
    results = league(bots=6, seats=seats, deals=1)
    choices = []
    for seating, ranks in zip(results.bots.tolist(), results.ranks.tolist(), strict=True):
        order = [seating[ranks.index(1)], seating[ranks.index(2)]]
        choices += [(order[0], tuple(set(seating) - {order[0]})), (order[1], tuple(set(seating) - set(order)))]
    found = fit_ratings(results, 6, seat_effects=False, ridge=1e-6).strengths
    assert found == pytest.approx(choix.opt_top1(6, choices, alpha=1e-6, tol=1e-9), abs=1e-3)
    if seats == 3:
        orders = [
            tuple(seating[place] for place in np.argsort(np.where(ranks > 0, ranks, 3)))
            for seating, ranks in zip(results.bots.tolist(), results.ranks, strict=True)
        ]
        assert found == pytest.approx(choix.opt_rankings(6, orders, alpha=1e-6, tol=1e-9), abs=1e-3)


# --- the model


def test_two_bots_by_hand():
    """3 wins of 4: the odds are 3. On the Elo scale that is 400 log10(3)."""
    results = games(*[([0, 1], [1, 0])] * 3, ([0, 1], [0, 1]))
    ratings = fit_ratings(results, 2, seat_effects=False, ridge=1e-9)
    assert ratings.difference(0, 1).elo == pytest.approx(400 * math.log10(3), abs=1e-4)
    assert ratings.bots[0].elo == pytest.approx(200 * math.log10(3), abs=1e-4)
    # Independent games: the sandwich is p (1 - p) / n over itself squared, times 4 / 3.
    error = math.sqrt(1 / (4 * 0.75 * 0.25) * 4 / 3) * ELO
    assert ratings.difference(0, 1).standard_error == pytest.approx(error, rel=1e-4)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_derivatives_are_those_of_the_likelihood(seats):
    rng = np.random.default_rng(seats)
    bots = 4
    # A bot may sit at several seats; a quarter of the games has no second.
    results = results_of(np.arange(50), rng.integers(bots, size=(50, seats)), rng.gumbel(size=(50, seats)))
    ranks = results.ranks.copy()
    ranks[:12][ranks[:12] == 2] = 0
    results = Results(results.deal, results.bots, results.points, results.counts, ranks, results.clean)
    table = _Table.of(results, bots)
    at = rng.normal(size=bots + seats)
    point = _evaluate(table, at)
    for index in range(bots + seats):
        step = np.zeros(bots + seats)
        step[index] = 1e-5
        up, down = _evaluate(table, at + step), _evaluate(table, at - step)
        assert point.gradient[index] == pytest.approx((up.log_likelihood - down.log_likelihood) / 2e-5, abs=1e-5)
        assert -point.information[index] == pytest.approx((up.gradient - down.gradient) / 2e-5, abs=1e-5)


def test_the_likelihood_is_that_of_the_games():
    """Over all outcomes of a seating the chances sum to 1; rows are counted as often as they came."""
    at = np.array([0.4, -0.1, 0.3, 0.2, 0.0, -0.2])
    rows = []
    for one, two in permutations(range(3), 2):
        ranks = [0, 0, 0]
        ranks[one], ranks[two] = 1, 2
        rows.append(([0, 1, 2], ranks))
    assert sum(math.exp(_evaluate(_Table.of(games(row), 3), at).log_likelihood) for row in rows) == pytest.approx(1)
    twice = _evaluate(_Table.of(games(*rows, *rows), 3), at).log_likelihood
    assert twice == pytest.approx(2 * sum(_evaluate(_Table.of(games(row), 3), at).log_likelihood for row in rows))


def test_known_strengths_and_seat_effects_are_found():
    bench = Bench.league(5, 4)
    ratings = fit_ratings(bench.play(np.random.default_rng(5), 2000, "duplicate"), 5)
    assert ratings.strengths == pytest.approx(bench.strengths, abs=0.02)
    assert ratings.effects == pytest.approx(bench.effects, abs=0.03)
    assert [len(ratings.bots), len(ratings.seats)] == [5, 4]
    assert sum(rating.elo for rating in ratings.bots) == pytest.approx(0, abs=1e-6)
    assert sum(rating.elo for rating in ratings.seats) == pytest.approx(0, abs=1e-6)


def test_a_bot_at_several_seats_is_found():
    bench = Bench.pair(4)
    ratings = fit_ratings(bench.play(np.random.default_rng(6), 3000, "duplicate"), 2)
    assert ratings.strengths == pytest.approx(bench.strengths, abs=0.03)
    assert ratings.effects == pytest.approx(bench.effects, abs=0.04)


def test_duplicate_deals_make_errors_smaller():
    """The same games, told as if each had been on a deal of its own."""
    results = Bench.pair(2).play(np.random.default_rng(2), 400, "duplicate")
    deal = np.arange(results.games)
    alone = Results(deal, results.bots, results.points, results.counts, results.ranks, results.clean)
    shared, apart = fit_ratings(results, 2), fit_ratings(alone, 2)
    assert shared.strengths == pytest.approx(apart.strengths, abs=1e-9)
    assert shared.difference(0, 1).standard_error < 0.8 * apart.difference(0, 1).standard_error


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 5]))
@settings(max_examples=15, deadline=None)
def test_names_and_order_change_nothing(seed, seats):
    rng = np.random.default_rng(seed)
    bots = 6
    results = league(seed, deals=3, bots=bots, seats=seats)
    names, order, places = rng.permutation(bots), rng.permutation(results.games), rng.permutation(seats)
    # Bot b becomes names[b], and seat places[s] becomes s.
    other = Results(
        results.deal[order],
        names[results.bots][order][:, places],
        results.points[order][:, places],
        results.counts[order][:, places],
        results.ranks[order][:, places],
        results.clean[order],
    )
    before, after = fit_ratings(results, bots), fit_ratings(other, bots)
    assert after.strengths[names] == pytest.approx(before.strengths, abs=1e-9)
    assert after.effects == pytest.approx(before.effects[places], abs=1e-9)
    errors = [np.array([rating.standard_error for rating in found.bots]) for found in (before, after)]
    assert errors[1][names] == pytest.approx(errors[0], rel=1e-9)
    assert after.difference(names[0], names[1]).interval == pytest.approx(before.difference(0, 1).interval, rel=1e-9)


# --- what is left out, and what cannot be known


def test_undecided_and_faulty_games_are_left_out():
    rows = [([0, 1, 2], [1, 2, 0]), ([0, 1, 2], [0, 1, 2]), ([2, 1, 0], [1, 0, 0]), ([1, 2, 0], [1, 0, 2])]
    more = [([0, 1, 2], [0, 0, 0]), ([0, 1, 2], [1, 2, 0])]
    some = fit_ratings(games(*rows), 3)
    found = fit_ratings(games(*rows, *more, clean=[True] * 5 + [False]), 3)
    assert (found.undecided, found.games, found.deals) == (1, 4, 4)
    assert found.strengths == pytest.approx(some.strengths)
    assert found.bots == some.bots


def test_a_game_without_a_second_says_only_who_was_first():
    rows = [([0, 1, 2], [1, 0, 0])] * 2 + [([0, 1, 2], [0, 1, 0])] * 2 + [([0, 1, 2], [0, 0, 1])]
    ratings = fit_ratings(games(*rows), 3, seat_effects=False, ridge=1e-9)
    assert np.exp(ratings.strengths - ratings.strengths[2]) == pytest.approx([2, 2, 1], rel=1e-4)


def test_perfect_scores_stay_finite_and_are_told():
    results = games(*[([0, 1], [1, 0]), ([1, 0], [0, 1])] * 20)
    ratings = fit_ratings(results, 2)
    assert ratings.groups == ((0,), (1,))
    assert "2 groups" in ratings.warning()
    assert "alpha | beta" in ratings.warning(["alpha", "beta"])
    difference = ratings.difference(0, 1)
    assert 500 < difference.elo < 5000
    # What the games do not bound is not given a narrow interval.
    assert difference.standard_error > 200


def test_groups_that_never_met_are_told():
    rows = [([0, 1], [1, 0]), ([1, 0], [1, 0]), ([2, 3], [1, 0]), ([3, 2], [1, 0]), ([3, 4], [1, 0]), ([4, 3], [1, 0])]
    ratings = fit_ratings(games(*rows * 20), 6, seat_effects=False)
    assert ratings.groups == ((2, 3, 4), (0, 1))
    assert ratings.warning().endswith("2, 3, 4 | 0, 1")
    assert ratings.difference(0, 2).standard_error > 3 * ratings.difference(0, 1).standard_error


def test_a_bot_that_all_beat_is_a_group_of_its_own_also_by_second_places():
    rows = [([0, 1, 2], [1, 2, 0]), ([0, 1, 2], [2, 1, 0])]
    assert fit_ratings(games(*rows), 3).groups == ((0, 1), (2,))
    assert fit_ratings(games(*rows, ([0, 1, 2], [1, 0, 2])), 3).warning() is None


def test_a_bot_that_has_not_played_moves_nobody():
    results = league(bots=4)
    some, more = fit_ratings(results, 4), fit_ratings(results, 6)
    assert more.strengths[:4] == pytest.approx(some.strengths)
    for rating, other in zip(some.bots, more.bots, strict=False):
        assert other.interval == pytest.approx(rating.interval)
    assert (more.bots[4].elo, more.bots[4].interval, more.bots[4].games) == (0, None, 0)
    assert more.difference(0, 5).interval is None
    assert more.groups == some.groups


def test_seats_that_the_line_ups_cannot_tell_from_bots_stay_finite():
    """Each bot has its seat: half of the difference goes to either, and neither is known."""
    results = games(*[([0, 1], [1, 0])] * 30, *[([0, 1], [0, 1])] * 10)
    ratings = fit_ratings(results, 2)
    assert ratings.strengths == pytest.approx(ratings.effects)
    assert ratings.difference(0, 1).standard_error > 1000


def test_a_single_deal_has_no_errors_and_nothing_has_no_ratings():
    ratings = fit_ratings(league(deals=1), 4)
    assert ratings.deals == 1
    assert [rating.interval for rating in (*ratings.bots, *ratings.seats)] == [None] * 7
    assert ratings.difference(0, 1).standard_error is None
    empty = fit_ratings(league().where(np.zeros(60 * 12, bool)), 4)
    assert (empty.games, empty.groups, empty.warning()) == (0, (), None)
    assert [rating.elo for rating in empty.bots] == [0] * 4


def test_what_is_no_request_is_refused():
    with pytest.raises(ValueError, match=r"expected bots 0\.\.2, got 3"):
        fit_ratings(league(), 3)
    with pytest.raises(ValueError, match="ridge"):
        fit_ratings(league(), 4, ridge=0)


def test_equal_games_are_counted_together():
    results = league(deals=50)
    table = _Table.of(results, 4)
    rows = Counter(map(tuple, np.column_stack([results.bots, results.ranks]).tolist()))
    assert sorted(rows.values()) == sorted(table.times.astype(int).tolist())
    assert len(table.bots) == len(rows)
