"""The sequential test: its formula, its looks, its error rates, and the estimate after it has stopped."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from dnup_ai.errors import ConfigError
from simulated import STEPS, differences, sprt_runs
from tournaments.brownian import Walk
from tournaments.sprt import Sprt

# --- the ratio


def test_the_ratio_by_hand():
    """Five deals of 1, five of 0: t = 1. ln(2 / (1 + 0.81)) for each two deals."""
    result = Sprt(0, 0.1).decide([1, 0] * 5)
    assert (result.deals, result.t, result.mean) == (10, 1, 0.5)
    assert result.llr == pytest.approx(5 * math.log(2 / 1.81))
    assert (result.lower, result.upper) == pytest.approx((math.log(0.05 / 0.95), math.log(0.95 / 0.05)))
    assert result.history == ((10, result.llr),)
    assert result.verdict == "running"


@given(st.floats(-0.5, 0.5), st.floats(0.01, 1), st.floats(-5, 5), st.floats(-5, 5))
def test_the_ratio_grows_with_t(t0, width, t, other):
    sprt = Sprt(t0, t0 + width)
    low, high = sorted((t, other))
    assert sprt.per_deal(low) <= sprt.per_deal(high)


@pytest.mark.parametrize(("t0", "t1"), [(0, 0.1), (-0.2, 0.7), (0.3, 2.0)])
def test_the_range_of_t_ends_where_the_ratio_turns(t0, t1):
    sprt = Sprt(t0, t1)

    def ratio(t):
        return 0.5 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))

    low, high = sprt.monotonic
    grid = np.linspace(low - 3, high + 3, 20001)
    values = [ratio(t) for t in grid]
    assert grid[np.argmax(values)] == pytest.approx(high, abs=1e-3)
    assert grid[np.argmin(values)] == pytest.approx(low, abs=1e-3)
    assert sprt.per_deal(math.inf) == pytest.approx(ratio(high)) == pytest.approx(math.asinh((t1 - t0) / 2))
    assert sprt.per_deal(0.5 * (low + high)) == pytest.approx(0)


# --- what has no variance


def test_identical_bots_lead_to_h0():
    result = Sprt(0, 0.1).decide([0.0] * 2000)
    assert (result.verdict, result.t, result.mean, result.estimate) == ("H0", 0, 0, None)
    assert result.deals == 600


def test_differences_of_rounding_are_none():
    result = Sprt(0, 0.1).decide([1e-17, -1e-17, 0] * 700)
    assert (result.verdict, result.t) == ("H0", 0)


@pytest.mark.parametrize(("value", "verdict"), [(0.1, "H1"), (-0.1, "H0")])
def test_constant_differences_decide_by_their_sign(value, verdict):
    result = Sprt(0, 0.1).decide([value] * 500)
    assert result.verdict == verdict
    # asinh(0.05) a deal is the most that the ratio moves.
    assert result.deals == 60
    assert (result.mean, abs(result.t)) == (pytest.approx(value), math.inf)
    assert Sprt(0, 0.1).decide_counts({value: 60}).verdict == verdict


# --- looks


def test_looks_are_after_batches_and_at_the_end():
    values = differences("halves, even", 0.1, (95,), np.random.default_rng(1))
    result = Sprt(0, 0.2, batch=20, max_deals=90).decide(values)
    assert [deals for deals, _ in result.history] == [20, 40, 60, 80, 90]
    assert (result.verdict, result.deals) == ("inconclusive", 90)
    assert Sprt(0, 0.2, batch=20, max_deals=200).decide(values).verdict == "running"
    assert Sprt(0, 0.2, batch=20, max_deals=200).decide(values).deals == 80
    few = Sprt(0, 0.2).decide(values[:9])
    assert (few.verdict, few.deals, few.history, few.t, few.estimate) == ("running", 0, (), None, None)
    assert Sprt(0, 0.2).decide([]) == few


def test_when_no_more_deals_come_there_is_a_last_look() -> None:
    """As if that had been the most deals allowed: which looks there are before changes nothing."""
    values = differences("halves, even", 0.6, (500,), np.random.default_rng(5))
    first = Sprt(0, 0.2).decide(values)
    assert first.verdict == "H1"
    for deals in range(10, first.deals + 30):
        assert Sprt(0, 0.2).decide(values[:deals], last=True) == Sprt(0, 0.2, max_deals=deals).decide(values[:deals])
        # A longer test has no end there, a shorter one has had it.
        assert Sprt(0, 0.2, max_deals=600).decide(values[:deals], last=True) == Sprt(0, 0.2, max_deals=deals).decide(
            values
        )
    short = Sprt(0, 0.2, max_deals=15)
    assert short.decide(values[:19], last=True) == short.decide(values[:15])
    few = Sprt(0, 0.2).decide(values[:9], last=True)
    assert (few.verdict, few.deals, few.history) == ("inconclusive", 0, ())


@given(st.integers(0, 2**32), st.integers(0, 300))
@settings(max_examples=25, deadline=None)
def test_what_comes_after_the_verdict_changes_nothing(seed, more):
    values = differences("skewed", 0.3, (500,), np.random.default_rng(seed))
    result = Sprt(0, 0.3).decide(values)
    assert result.verdict in ("H0", "H1")
    assert Sprt(0, 0.3).decide(values[: result.deals + more]) == result
    before = Sprt(0, 0.3).decide(values[: result.deals - 1])
    assert before.verdict == "running"
    assert before.history == result.history[:-1]


def test_counts_are_looked_at_once():
    values = differences("halves, even", 0.2, (150,), np.random.default_rng(2))
    counted = Sprt(0, 0.2).decide_counts(Counter(values.tolist()))
    last = Sprt(0, 0.2, batch=150).decide(values)
    assert len(counted.history) == 1
    assert (counted.verdict, counted.deals) == (last.verdict, 150)
    assert counted.llr == pytest.approx(last.llr)
    assert counted.mean == pytest.approx(last.mean)
    assert Sprt(0, 0.2, max_deals=150).decide_counts({-1.0: 70, 1.0: 80}).verdict == "inconclusive"
    assert Sprt(0, 0.2).decide_counts({0.5: 9}).verdict == "running"
    assert Sprt(0, 0.2).decide_counts({}).deals == 0
    with pytest.raises(ConfigError, match="counts"):
        Sprt().decide_counts({1.0: -1})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"t0": 0.1, "t1": 0.1}, "t0 < t1"),
        ({"t0": math.nan}, "t0 < t1"),
        ({"t1": math.inf}, "t0 < t1"),
        ({"alpha": 0}, "alpha"),
        ({"beta": 0.5}, "beta"),
        ({"beta": math.nan}, "beta"),
        ({"batch": 9}, "at least 10"),
        ({"batch": 30, "max_deals": 20}, "max_deals"),
        ({"batch": 20.5}, "sprt: expected a whole number of deals as batch, got 20.5"),
        ({"batch": 20.0}, "sprt: expected a whole number of deals as batch, got 20.0"),
        ({"max_deals": 100.5}, "sprt: expected a whole number of deals as max_deals, got 100.5"),
        ({"max_deals": math.inf}, "sprt: expected a whole number of deals as max_deals, got inf"),
    ],
)
def test_settings_that_make_no_test_are_refused(words, message):
    with pytest.raises(ConfigError, match=message):
        Sprt(**words)


# --- the walk and the estimate


@pytest.mark.parametrize("drift", [-0.02, 0.0, 0.013])
def test_a_brownian_walk_ends_as_simulated(drift):
    """Small steps; a walk that is seen only now and then goes a little beyond its bounds, hence the tolerance."""
    rng = np.random.default_rng(4)
    walk, time, steps = Walk(-2.5, 3.0, drift, 0.01), 300.0, 6000
    place, stopped = np.zeros(4000), np.zeros(4000, int)
    for _ in range(steps):
        place += np.where(stopped == 0, drift * time / steps + rng.normal(size=4000) * (0.01 * time / steps) ** 0.5, 0)
        stopped = np.where(stopped == 0, (place >= 3.0).astype(int) - (place <= -2.5), stopped)
    assert walk.stopped_at_lower(time) == pytest.approx((stopped == -1).mean(), abs=0.03)
    assert walk.inside(time, 0.5) == pytest.approx(((stopped == 0) & (place < 0.5)).mean(), abs=0.03)
    assert walk.worse(time, 3.0) == pytest.approx((stopped < 1).mean(), abs=0.03)
    assert walk.worse(time, 0.5) == pytest.approx(((stopped < 0) | ((stopped == 0) & (place < 0.5))).mean(), abs=0.03)


@pytest.mark.parametrize("drift", [-0.5, -0.01, 0.003, 0.02])
def test_in_the_end_a_walk_stops_where_wald_says(drift):
    pull = 2 * drift / 0.01
    expected = (1 - math.exp(-3 * pull)) / (math.exp(2 * pull) - math.exp(-3 * pull))
    assert Walk(-2.0, 3.0, drift, 0.01).stopped_at_lower(1e5) == pytest.approx(expected, abs=1e-6)


def test_without_a_drift_the_nearer_bound_is_likelier():
    assert Walk(-2.0, 3.0, 0.0, 0.01).stopped_at_lower(1e5) == pytest.approx(0.6, abs=1e-4)


def test_the_sum_of_all_outcomes_rises_from_0_to_1():
    for drift in (-1.0, -0.01, 0.0, 0.01, 1.0):
        walk = Walk(-2.9, 2.9, drift, 0.01)
        order = [walk.worse(time, -2.9) for time in (1, 30, 300, 1000)]
        order += [walk.worse(1000, end) for end in (-2.8, -1, 0, 1, 2.8)]
        order += [walk.worse(time, 2.9) for time in (1000, 300, 30, 1)]
        assert all(first <= second + 1e-7 for first, second in pairwise(order))
        assert order[0] >= 0
        assert order[-1] <= 1


def test_early_ends_are_estimated_further_out():
    values = differences("halves, even", 0.3, (4000,), np.random.default_rng(6))
    result = Sprt(0, 0.2).decide(values)
    assert result.verdict == "H1"
    low, high = result.estimate_t_interval
    assert low < result.estimate_t < high
    assert result.estimate_t < result.t
    deviation = np.std(values[: result.deals])
    assert result.estimate == pytest.approx(result.estimate_t * deviation)
    assert result.estimate_interval == pytest.approx((low * deviation, high * deviation))
    assert "biased" in result.note


# --- error rates


@pytest.mark.parametrize("name", STEPS)
def test_errors_are_as_rare_as_promised(name):
    """200 runs at each hypothesis: the 99% binomial bounds on the error rate include 5% or lie below.

    A test that errs in exactly 5% fails in 1 of 200 seeds, which are fixed; there are six such rates. The estimate is
    median-unbiased: too low in about half of the runs (band of 99.9%), where t itself is in a third or two thirds.
    """
    for truth, wrong in ((0.0, "H1"), (0.2, "H0")):
        results = sprt_runs(name, truth, 200, 7)
        errors = sum(result.verdict == wrong for result in results)
        assert all(result.verdict in ("H0", "H1") for result in results)
        assert binomtest(errors, 200).proportion_ci(0.99).low <= 0.05
        # Where t is so far off that there is no estimate, it is on the same side.
        estimates = [result.t if result.estimate_t is None else result.estimate_t for result in results]
        assert 76 <= sum(estimate < truth for estimate in estimates) <= 124
        intervals = [result.estimate_t_interval for result in results if result.estimate_t_interval is not None]
        assert len(intervals) >= 190
        assert sum(low <= truth <= high for low, high in intervals) >= 0.9 * len(intervals)


def test_beyond_the_range_in_which_the_ratio_grows_there_is_no_unbiased_estimate() -> None:
    """There the ratio says nothing more about t, and what would come out is the end of the range, not an estimate."""
    far = Sprt(t0=0.0, t1=0.1).decide([1.0, 1.0, 1.0, 0.5] * 50)
    assert far.verdict == "H1"
    assert (far.estimate, far.estimate_interval, far.estimate_t, far.estimate_t_interval) == (None,) * 4
    assert far.mean == pytest.approx(0.875, abs=0.03)


def test_of_counts_there_is_the_mean_as_nothing_was_stopped() -> None:
    found = Sprt(t0=0.0, t1=0.1).decide_counts({-1: 3000, 0: 100, 1: 3000})
    assert (found.mean, found.estimate) == (0.0, None)
