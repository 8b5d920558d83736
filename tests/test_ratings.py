"""Means, differences, duels, who finishes ahead and what duplicate deals buy: by hand, and against known strengths.

Coverage: each of the tests of 200 simulated tournaments has a band of 99.9%, so that one of sound intervals fails in 1
of 1000 seeds; there are 24 bands here (2.4% that one fails), and their seeds are fixed. The same with 1000 tournaments
is benchmarks/coverage.py.
"""

import math
import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, ttest_1samp

from simulated import DESIGNS, Bench, covered, results_of
from tournaments.ratings import (
    Results,
    ahead_matrix,
    duels,
    elo_of_share,
    fit_ratings,
    head_to_head,
    mean_points,
    paired_differences,
    variance_reduction,
)
from tournaments.results import distinct, ratio_variance, runs_of, share_interval


def games(*rows, counts=None, clean=None):
    """Results from (deal, seating, points) rows; who has most points is first if that is one seat, none second."""
    deal, seating, points = (np.array(column) for column in zip(*rows, strict=True))
    most = points == points.max(axis=1, keepdims=True)
    ranks = (most & (most.sum(axis=1, keepdims=True) == 1)).astype(int)
    counts = np.ones(seating.shape, bool) if counts is None else np.array(counts)
    clean = np.ones(len(deal), bool) if clean is None else np.array(clean)
    return Results(deal, seating, points, counts, ranks, clean)


def league(seed=1, deals=40, bots=4, seats=3, design="duplicate"):
    return Bench.league(bots, seats).play(np.random.default_rng(seed), deals, design)


def renamed(results, names, order, places):
    """Bot b becomes names[b], seats and games are reordered."""
    return Results(
        results.deal[order],
        names[results.bots][order][:, places],
        results.points[order][:, places],
        results.counts[order][:, places],
        results.ranks[order][:, places],
        results.clean[order],
    )


# --- Results


def test_arrays_of_other_shapes_and_places_that_cannot_be_are_refused():
    good = {
        "deal": [0, 0],
        "bots": [[0, 1], [1, 0]],
        "points": [[1, 0], [1, 0]],
        "counts": [[True, True], [True, True]],
        "ranks": [[1, 2], [1, 0]],
        "clean": [True, True],
    }
    results = Results(**good)
    assert (results.games, results.seats, results.deals.tolist()) == (2, 2, [0])
    bad = {
        "deal": ([0], [-1, 0]),
        "bots": ([0, 1], [[0, -1], [1, 0]]),
        "points": ([[1, 0, 0], [1, 0, 0]], [[math.nan, 0], [1, 0]]),
        "counts": ([True, True],),
        "ranks": ([[1, 1], [1, 0]], [[0, 2], [1, 0]], [[3, 0], [1, 0]], [[-1, 0], [1, 0]]),
        "clean": ([True],),
    }
    for name, values in bad.items():
        for value in values:
            with pytest.raises(ValueError, match=name):
                Results(**{**good, name: value})


def test_some_games_can_be_taken():
    results = league(deals=3)
    some = results.where(results.deal == 1)
    assert (some.games, some.deals.tolist()) == (12, [1])
    assert (some.points == results.points[12:24]).all()
    assert results.where(np.zeros(36, bool)).games == 0


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1), st.sampled_from([1, 10**5, 10**11]))
def test_distinct_rows_are_those_of_the_table(rows, scale):
    """With numbers small enough to count, to sort as one number, and neither."""
    table = np.array(rows, dtype=np.int64) * scale
    found, place = distinct(table)
    assert (found[place] == table).all()
    assert sorted(found.tolist()) == sorted(map(list, {tuple(row) for row in table.tolist()}))


@given(st.lists(st.integers(-3, 3), min_size=1))
def test_runs_have_all_places_of_each_key(keys):
    found = dict(runs_of(np.array(keys)))
    assert {key: places.tolist() for key, places in found.items()} == {
        key: [place for place, other in enumerate(keys) if other == key] for key in keys
    }


# --- means


def test_means_are_over_seats_that_count():
    rows = [(0, [0, 1], [1, 0]), (0, [1, 0], [1, 0]), (1, [0, 1], [0.5, 0.5]), (1, [1, 0], [0, 0])]
    # In the last game bot 0, at seat 1, made a fault: it counts for it alone.
    results = games(*rows, counts=[[True, True]] * 3 + [[False, True]], clean=[True] * 3 + [False])
    zero, one, two = mean_points(results, 3, seed=1)
    assert (zero.bot, zero.mean, zero.first, zero.second, zero.games, zero.deals) == (0, 1.5 / 4, 1 / 4, 0, 4, 2)
    assert (one.mean, one.first, one.games, one.deals) == (0.5, 1 / 3, 3, 2)
    # Two deals: the t interval of the linearised ratio. Deals (1, 0.5) of 2 seats each: residuals +-0.25 of 4 seats.
    assert zero.interval == pytest.approx((0.375 - 12.7062 * 0.25 / 2, 0.375 + 12.7062 * 0.25 / 2), rel=1e-4)
    assert (two.mean, two.interval, two.first, two.games, two.deals) == (None, None, None, 0, 0)


def test_a_bot_at_several_seats_counts_at_each():
    (zero, one) = mean_points(games((0, [0, 1, 1], [3, 1, 2]), (1, [1, 1, 0], [0, 0, 1])), 2, seed=1)
    assert (zero.mean, zero.games, one.mean, one.games) == (2, 2, 0.75, 4)
    assert (zero.first, one.first) == (1, 0)


def test_a_single_deal_has_no_interval():
    assert mean_points(games((7, [0, 1], [1, 0]), (7, [1, 0], [1, 0])), 2, seed=1)[0].interval is None
    assert head_to_head(games((7, [0, 1], [1, 0])), 0, 1).interval is None
    assert mean_points(league(deals=1).where(np.zeros(12, bool)), 2, seed=1)[0].mean is None


def test_few_deals_give_nearly_the_t_interval():
    """The seats of each deal are as many, so the mean is a plain one, and points are all but normal."""
    rng = np.random.default_rng(3)
    for deals in (12, 30, 300):
        rows = [(deal, [0, 1], [value, 0]) for deal, value in enumerate(rng.normal(size=deals))]
        mean = mean_points(games(*rows), 2, seed=1)[0]
        low, high = ttest_1samp([points[0] for _, _, points in rows], 0).confidence_interval()
        assert mean.interval == pytest.approx((low, high), abs=0.1 * (high - low))
        assert mean.interval[1] - mean.interval[0] == pytest.approx(high - low, rel=0.08)


def test_the_seed_is_all_that_is_random():
    results = league()
    first, again, other = (mean_points(results, 4, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first[0].interval != other[0].interval
    assert first[0].interval == pytest.approx(other[0].interval, abs=0.03)


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_names_and_order_change_nothing(seed):
    rng = np.random.default_rng(seed)
    results = league(seed, deals=15)
    names = rng.permutation(4)
    other = renamed(results, names, rng.permutation(results.games), rng.permutation(3))
    before, after = mean_points(results, 4, 1), mean_points(other, 4, 1)
    matrices = ahead_matrix(results, fit_ratings(results, 4)), ahead_matrix(other, fit_ratings(other, 4))
    for bot in range(4):
        assert after[names[bot]].mean == pytest.approx(before[bot].mean, rel=1e-9)
        assert after[names[bot]].interval == pytest.approx(before[bot].interval, rel=1e-9)
    for one, two in permutations(range(4), 2):
        old, new = matrices[0].get(one, two), matrices[1].get(names[one], names[two])
        assert new.observed == pytest.approx(old.observed, abs=1e-9)
        assert new.interval == pytest.approx(old.interval, abs=1e-9)
        assert new.excess == pytest.approx(old.excess, abs=1e-9)
        assert new.excess_interval == pytest.approx(old.excess_interval, abs=1e-9)
        assert head_to_head(other, names[one], names[two]).interval == pytest.approx(
            head_to_head(results, one, two).interval, abs=1e-9
        )
    assert variance_reduction(other, 4) == pytest.approx(variance_reduction(results, 4), rel=1e-9)


def test_many_deals_take_little_time():
    """200,000 deals are added up in groups; about a third of a second, so ten times that is a failure of the bound."""
    rng = np.random.default_rng(4)
    deals, bots = 200_000, 8
    seating = np.argsort(rng.random((deals, bots)), axis=1)
    results = results_of(np.arange(deals), seating, rng.gumbel(size=(deals, bots)))
    start = time.process_time()
    means = mean_points(results, bots, seed=1)
    assert time.process_time() - start < 4
    error = np.std([0, 2, 1, *[0] * 5]) / math.sqrt(deals)
    for mean in means:
        assert mean.interval[1] - mean.interval[0] == pytest.approx(2 * 1.96 * error, rel=0.1)


# --- differences of pairs


def test_differences_are_by_deal_and_by_seat():
    rows = [
        (3, [0, 1, 1], [3, 1, 0]),
        (3, [1, 0, 0], [2, 1, 0]),
        (1, [0, 1, 2], [1, 2, 0]),
        (1, [0, 2, 2], [9, 0, 0]),
        (2, [0, 2, 2], [9, 0, 0]),
    ]
    results = games(*rows)
    # Deal 1: 1 - 2. Deal 3: (3 - 1/2 + 1/2 - 2) / 2. On deal 2 they did not meet.
    assert paired_differences(results, 0, 1).tolist() == [-1, 0.5]
    assert paired_differences(results, 1, 0).tolist() == [1, -0.5]
    found = head_to_head(results, 0, 1)
    assert (found.one, found.other, found.difference, found.deals) == (0, 1, -0.25, 2)
    assert found.interval == pytest.approx((-0.25 - 12.7062 * 0.75, -0.25 + 12.7062 * 0.75), rel=1e-4)
    assert head_to_head(results, 0, 3).difference is None


def test_a_fault_takes_its_deal_out_of_differences():
    rows = [(0, [0, 1], [1, 0]), (0, [1, 0], [1, 0]), (1, [0, 1], [1, 0]), (1, [1, 0], [0, 1])]
    clean = [True, False, True, True]
    assert paired_differences(games(*rows, clean=clean), 0, 1).tolist() == [1]


def test_bots_that_play_alike_differ_by_exactly_0():
    """Thirds do not add up to the same bits in every order."""
    thirds = [1 / 3, 2 / 3, 4 / 3]
    rows = [(0, [(seat + turn) % 3 for seat in range(3)], thirds) for turn in range(3)]
    rows += [(1, [(turn - seat) % 3 for seat in range(3)], thirds) for turn in range(3)]
    results = games(*rows)
    assert [paired_differences(results, *pair).tolist() for pair in permutations(range(3), 2)] == [[0, 0]] * 6


# --- duels


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_elo_of_an_equal_share_is_0_and_of_ten_to_one_400(players):
    assert elo_of_share(1 / players, players) == pytest.approx(0)
    assert elo_of_share(10 / (9 + players), players) == pytest.approx(400)
    assert [elo_of_share(0, players), elo_of_share(1, players)] == [-math.inf, math.inf]


def test_a_duel_counts_first_places_of_the_single_seat():
    rows = [
        (0, [0, 1, 1], [1, 0, 0]),
        (0, [1, 0, 0], [1, 0, 0]),
        (1, [1, 0, 1], [0, 1, 0]),
        (1, [0, 1, 0], [1, 0, 0]),
        (2, [1, 1, 0], [0, 0, 0]),
        (2, [0, 0, 1], [0, 0, 1]),
        (3, [0, 1, 1], [0, 1, 0]),
        (4, [0, 1, 2], [0, 0, 1]),
    ]
    clean = [True] * 6 + [False, True]
    zero, one = duels(games(*rows, clean=clean), 3)
    assert (zero.one, zero.rest, zero.deals, zero.games) == (0, 1, 3, 3)
    assert zero.share == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert zero.elo == pytest.approx(elo_of_share(7 / 9, 3))
    low, high = zero.interval
    assert 0 < low < 7 / 9 < high < 1
    assert zero.elo_interval == pytest.approx((elo_of_share(low, 3), elo_of_share(high, 3)))
    assert (one.one, one.rest, one.deals, one.share) == (1, 0, 3, pytest.approx(2 / 3))


def test_at_two_seats_a_pair_is_counted_once_from_both_sides():
    rows = [(0, [0, 1], [1, 0]), (0, [1, 0], [1, 0]), (0, [0, 2], [1, 0]), (1, [0, 1], [1, 0]), (1, [1, 0], [0, 1])]
    found = duels(games(*rows), 3)
    assert [(duel.one, duel.rest, duel.deals, duel.games, duel.share) for duel in found] == [
        (0, 1, 2, 4, 0.75),
        (0, 2, 1, 1, 1.0),
    ]
    assert (found[1].interval, found[1].elo, found[1].elo_interval) == (None, math.inf, None)


def test_other_line_ups_are_no_duels():
    assert duels(games((0, [0, 0, 1, 1], [1, 0, 0, 0]), (0, [2, 2, 2, 2], [1, 0, 0, 0])), 3) == ()
    assert duels(league().where(np.zeros(480, bool)), 4) == ()


def test_intervals_of_shares_stay_within_0_and_1():
    assert share_interval(0.4, 1e-4, 1000) == pytest.approx((0.3805, 0.4198), abs=3e-4)
    low, high = share_interval(1.0, 0.0, 30)
    assert high == 1
    assert 0.85 < low < 0.9
    assert share_interval(0.0, 0.0, 30) == pytest.approx((1 - high, 1 - low))
    # Duplicate deals can settle a half without any doubt.
    assert share_interval(0.5, 0.0, 30) == (0.5, 0.5)
    assert share_interval(0.5, None, 1) is None
    assert ratio_variance(np.array([1.0, 0.0]), np.array([1.0, 1.0])) == (0.5, 0.25)


# --- who finishes ahead


def test_ahead_by_hand():
    results = games((0, [0, 1, 2], [1, 0, 0]), (0, [1, 2, 0], [0, 1, 0]), (1, [0, 1, 2], [0, 0, 0]))
    pair = ahead_matrix(results, fit_ratings(results, 3)).get(0, 1)
    # Ahead, both behind, nothing decided.
    assert (pair.observed, pair.games, pair.deals) == (pytest.approx((1 + 0.5 + 0.5) / 3), 3, 2)
    back = ahead_matrix(results, fit_ratings(results, 3)).get(1, 0)
    assert back.observed + pair.observed == pytest.approx(1)
    assert back.interval == pytest.approx((1 - pair.interval[1], 1 - pair.interval[0]))


def test_pairs_that_did_not_meet_have_no_cell():
    results = games((0, [0, 1], [1, 0]), (1, [2, 3], [1, 0]), (2, [1, 0], [1, 0]))
    matrix = ahead_matrix(results, fit_ratings(results, 4))
    assert [(pair.one, pair.other) for pair in matrix.pairs] == [(0, 1), (1, 0), (2, 3), (3, 2)]
    assert matrix.get(0, 2) is None
    assert ahead_matrix(results.where(results.deal > 5), fit_ratings(results.where(results.deal > 5), 4)).pairs == ()


@pytest.mark.parametrize("bench", [Bench.league(4, 3), Bench.league(5, 4), Bench.pair(4), Bench.pair(2)])
def test_expected_scores_are_those_of_games_played(bench):
    """Many games by known strengths; the fit is to them, so expectation and truth agree."""
    results = bench.play(np.random.default_rng(8), 4000, "duplicate")
    matrix = ahead_matrix(results, fit_ratings(results, bench.bots))
    for one, two in permutations(range(bench.bots), 2):
        pair = matrix.get(one, two)
        assert pair.expected == pytest.approx(bench.ahead(one, two), abs=0.01)
        assert pair.observed == pytest.approx(pair.expected, abs=0.015)


def test_expected_scores_allow_for_what_was_decided():
    """Without a second place two seats that were not first are tied; ratings are told, not fitted to all games."""
    results = games((0, [0, 1, 2], [1, 0, 0]), (1, [0, 1, 2], [0, 1, 0]), (2, [0, 1, 2], [0, 0, 1]))
    ratings = fit_ratings(results, 3)
    matrix = ahead_matrix(results, ratings)
    assert matrix.get(0, 1).expected == pytest.approx(0.5)
    assert matrix.get(0, 1).observed == pytest.approx(0.5)


def test_rock_paper_scissors_shows():
    rng = np.random.default_rng(9)
    rows = []
    for deal in range(200):
        for one, two in ((0, 1), (1, 2), (2, 0)):
            for seating in ([one, two], [two, one]):
                winner = one if rng.random() < 0.65 else two
                rows.append((deal, seating, [float(bot == winner) for bot in seating]))
    results = games(*rows)
    ratings = fit_ratings(results, 3)
    matrix = ahead_matrix(results, ratings)
    for pair in ((0, 1), (1, 2), (2, 0)):
        found = matrix.get(*pair)
        assert found.expected == pytest.approx(0.5, abs=0.06)
        assert found.excess_interval[0] > 0.05


def test_between_two_bots_at_two_seats_there_is_no_excess():
    results = Bench.pair(2).play(np.random.default_rng(1), 100, "duplicate")
    pair = ahead_matrix(results, fit_ratings(results, 2)).get(0, 1)
    assert pair.excess == pytest.approx(0, abs=1e-3)
    assert pair.excess_interval is None
    assert pair.interval is not None


def test_ratings_of_other_deals_are_refused():
    results = league(deals=20)
    with pytest.raises(ValueError, match="other deals"):
        ahead_matrix(results.where(results.deal < 10), fit_ratings(results, 4))


# --- what duplicate deals buy


def test_variance_reduction_by_hand():
    """Two bots, four deals, each from both sides; luck gives seat 0 a point or takes one, noise is +-1/2 or 0.

    Points of bot 0 less those of bot 1, at seat 0: 1, 1, -1, -1, and at seat 1: -1.5, -0.5, 0.5, 1.5 (bot 1 has 0).
    Within each cell their sums of squares about the mean, 0, are 4 and 5, so 9 in all; the sums of deals are -0.5,
    0.5, -0.5, 0.5, with sum of squares 1. Each cell has four values, so all is scaled alike: the ratio is 9.
    """
    first, second = [1, 1, -1, -1], [-1.5, -0.5, 0.5, 1.5]
    rows = [(deal, [0, 1], [value, 0]) for deal, value in enumerate(first)]
    rows += [(deal, [1, 0], [0, value]) for deal, value in enumerate(second)]
    assert variance_reduction(games(*rows), 2) == pytest.approx(9)
    # The effect of a seat is by design, and changes nothing.
    moved = [(deal, seating, [points[0] + 7, points[1]]) for deal, seating, points in rows]
    assert variance_reduction(games(*moved), 2) == pytest.approx(9)


def test_deals_of_one_game_buy_nothing():
    assert variance_reduction(league(design="own deals", deals=300), 4) == pytest.approx(1)


def test_variance_reduction_is_what_the_errors_show():
    bench = Bench.pair(2)
    rng = np.random.default_rng(10)
    results = bench.play(rng, 20_000, "duplicate")
    differences = paired_differences(results, 0, 1)
    by_game = (results.points * np.where(results.bots == 0, 1, -1)).sum(axis=1)
    halves = [by_game[results.bots[:, 0] == bot].var() for bot in (0, 1)]
    expected = sum(halves) / 4 / differences.var()
    assert expected > 1.5
    assert variance_reduction(results, 2) == pytest.approx(expected, rel=1e-3)


def test_variance_reduction_without_anything_to_compare():
    assert variance_reduction(games((0, [0, 1], [1, 0]), (0, [1, 0], [1, 0])), 2) is None
    assert variance_reduction(games((0, [0, 0], [1, 0]), (1, [0, 0], [0, 1])), 1) is None
    # Bots that play alike: the luck of a deal is gone altogether.
    rows = [(deal, seating, [deal % 2, 1 - deal % 2]) for deal in range(4) for seating in ([0, 1], [1, 0])]
    assert variance_reduction(games(*rows), 2) == math.inf


# --- coverage


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("bench", "deals"), [(Bench.pair(2), 50), (Bench.league(4, 3), 35)], ids=["pair", "league"])
def test_95_in_100_intervals_hold_the_truth(bench, deals, design):
    """One interval of each kind in each of 200 tournaments: independent, so their number is binomial."""
    runs = 200
    low, high = binom.interval(0.999, runs, 0.95)
    hits = covered(bench, design, deals if design == "duplicate" else 3 * deals, runs, 11)
    for kind in ("mean", "rating", "rating difference", "head to head"):
        assert low <= hits[kind][:, 0].sum() <= high, kind


# --- Elo of a share


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_an_equal_share_is_elo_0(players):
    assert elo_of_share(1 / players, players) == pytest.approx(0)


def test_elo_by_known_values():
    # 2 players: the usual scale. 3 and 4: by hand, p (n - 1) / (1 - p) is 10 at 400 Elo.
    assert elo_of_share(10 / 11, 2) == pytest.approx(400)
    assert elo_of_share(0.64, 2) == pytest.approx(99.95, abs=0.01)
    assert elo_of_share(10 / 12, 3) == pytest.approx(400)
    assert elo_of_share(10 / 13, 4) == pytest.approx(400)
    assert elo_of_share(0.5, 5) == pytest.approx(400 * math.log10(4))
    assert elo_of_share(0.25, 2) == pytest.approx(-elo_of_share(0.75, 2))


@given(st.floats(-1, 2), st.floats(-1, 2), st.integers(2, 5))
def test_elo_grows_with_the_share_and_is_infinite_at_its_ends(share, other, players):
    if share < other:
        assert elo_of_share(share, players) <= elo_of_share(other, players)
    if share <= 0:
        assert elo_of_share(share, players) == -math.inf
    if share >= 1:
        assert elo_of_share(share, players) == math.inf
    assert not math.isnan(elo_of_share(share, players))
