"""A study: what it spends, that it uses no deal twice, that the same numbers make the same path, its verdict."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnup_ai.errors import ConfigError
from tournaments.sprt import Sprt
from tournaments.tune.evaluator import Deals
from tournaments.tune.optimiser import optimiser_named, score_of
from tournaments.tune.race import race
from tournaments.tune.random_tuner import RandomTuner
from tournaments.tune.space import Dimension, Space
from tournaments.tune.study import ConfirmationLook, Finished, Plan, RaceRound, SearchIteration, run_study
from tuning import Known, flat, smooth

LINE = Space((Dimension("x", tuple(range(20)), True),), (0,))


class Recorder:
    """Plays a function of settings without noise but for a small ripple, and remembers what was asked."""

    def __init__(self, gain):
        self.gain = gain
        self.calls = []

    def __call__(self, asked, deals):
        self.calls.append((list(asked), deals))
        return [[self.gain(setting) + 0.1 * (-1) ** deal for deal in deals] for setting in asked]


def study(recorder, plan, seed=1, **options):
    return list(run_study(LINE, RandomTuner(LINE, seed), recorder, plan, **options))


@given(st.integers(500, 5000), st.floats(0.1, 0.6), st.integers(1, 9), st.integers(2, 20), st.integers(1, 9))
@settings(max_examples=40)
def test_spends_its_budget_and_no_more(evaluations, share, count, deals, finalists):
    recorder = Recorder(lambda setting: setting[0] / 10)
    plan = Plan(evaluations, share, count, deals, finalists, confirm=None)
    result = study(recorder, plan)[-1].result
    played = sum(len(asked) * len(on) for asked, on in recorder.calls)
    assert played == result.spent.search + result.spent.race
    assert result.spent.confirmation == 0
    # A search of whole iterations, in which a setting that was drawn twice is played once; a race of whole deals, of
    # which a setting gets 2 a round at least.
    assert result.spent.search <= evaluations * (1 - share)
    assert played <= max(evaluations, result.spent.search + 2 * 4 * finalists)
    assert result.spent.race > (evaluations - result.spent.search) - 4 * 2 * finalists


def test_no_deal_is_used_twice_and_all_of_a_call_play_the_same():
    recorder = Recorder(lambda setting: setting[0] / 100)
    events = study(recorder, Plan(2000))
    after = 0
    for _, deals in recorder.calls:
        assert deals.start == after
        after = deals.stop
    kinds = [type(event) for event in events]
    assert kinds == sorted(kinds, key=[SearchIteration, RaceRound, ConfirmationLook, Finished].index)
    confirmed = [deals for asked, deals in recorder.calls[-sum(kind is ConfirmationLook for kind in kinds) :]]
    assert sum(map(len, confirmed)) == events[-1].result.spent.confirmation


def test_without_noise_the_best_wins_and_is_confirmed():
    result = study(Recorder(lambda setting: setting[0] / 100), Plan(4000))[-1].result
    assert (result.verdict, result.winner, result.recommended) == ("better", (19,), (19,))
    assert result.interval[0] < 0.19 < result.interval[1]


def test_a_default_that_is_best_stays_and_nothing_is_confirmed():
    result = study(Recorder(lambda setting: -setting[0] / 100), Plan(4000))[-1].result
    assert (result.verdict, result.winner, result.recommended) == ("no proof of a gain", (0,), (0,))
    assert (result.gain, result.sprt, result.spent.confirmation) == (None, None, 0)
    assert result.standings[0].setting == (0,)


def test_a_winner_by_luck_is_found_out():
    """It was best in search and race; on later deals it is worse than the default."""
    known = Known(LINE, lambda setting: 0.3)
    luck = known.evaluator(5)

    def evaluate(asked, deals):
        shift = -0.6 if len(asked) == 1 else 0.0  # in the confirmation
        return [[value + shift for value in row] for row in luck(asked, deals)]

    events = list(run_study(LINE, RandomTuner(LINE, 1), evaluate, Plan(2000)))
    first = next(event for event in events if isinstance(event, ConfirmationLook))
    assert first.deals == 100
    result = events[-1].result
    assert (result.verdict, result.recommended) == ("worse", (0,))
    assert result.winner != (0,)
    assert result.interval[1] < 0


def test_a_default_that_is_not_the_baseline_is_played_with_the_others():
    recorder = Recorder(lambda setting: 1 + setting[0] / 100)
    result = study(recorder, Plan(4000), default_is_baseline=False)[-1].result
    raced = [asked for asked, _ in recorder.calls if (0,) in asked]
    assert len(raced) >= 3
    assert (result.verdict, result.winner) == ("better", (19,))
    assert result.interval == pytest.approx((0.19, 0.19))


def test_the_default_is_not_played_against_itself():
    recorder = Recorder(lambda setting: 0.0)
    study(recorder, Plan(2000))
    assert all((0,) not in asked for asked, _ in recorder.calls)


@pytest.mark.parametrize("name", ["ntbea", "cmaes", "random"])
def test_the_same_numbers_make_the_same_study(name):
    def run(seed):
        known = smooth()
        return list(run_study(known.space, optimiser_named(name)(known.space, seed), known.evaluator(3), Plan(2000)))

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_time_ends_the_search_and_the_rest_gets_its_share():
    recorder = Recorder(lambda setting: setting[0] / 100)
    asked = []

    def over(number):
        asked.append(number)
        return number == 7

    result = study(recorder, Plan(None, race_share=0.25, confirm=Sprt(max_deals=300)), search_over=over)[-1].result
    assert asked == [1, 2, 3, 4, 5, 6, 7]
    assert 400 <= result.spent.search <= 560  # less than 7 * 80 where a setting was drawn twice
    assert result.spent.race == pytest.approx(result.spent.search / 3, abs=30)
    assert result.spent.confirmation <= 300


def test_deals_that_left_do_not_count():
    def evaluate(asked, deals):
        return [[math.nan if deal % 3 == 0 else 0.2 + 0.1 * (-1) ** deal for deal in deals] for _ in asked]

    result = list(run_study(LINE, RandomTuner(LINE, 1), evaluate, Plan(2000)))[-1].result
    assert result.verdict == "better"
    assert result.sprt.deals < result.spent.confirmation


def test_a_setting_of_which_no_deal_counts_does_not_win():
    def evaluate(asked, deals):
        return [[math.nan if setting[0] > 3 else -1.0] * len(deals) for setting in asked]

    assert list(run_study(LINE, RandomTuner(LINE, 1), evaluate, Plan(2000)))[-1].result.winner == (0,)


# A gain of 0 would be decided by the ripple of the recorder.
@given(st.lists(st.integers(-50, 50).filter(bool), min_size=1, max_size=12, unique=True))
@settings(max_examples=50)
def test_a_race_keeps_the_better_half(gains):
    recorder = Recorder(lambda setting: gains[setting[0] - 1])
    finalists = [(place + 1,) for place in range(len(gains))]
    rounds = list(race(finalists, Deals(LINE, recorder, True), 1200))
    left = len(gains)
    for event in rounds[:-1]:
        left = math.ceil(left / 2)
        racing = sorted(setting[0] for setting in event.racing if setting != (0,))
        assert racing == sorted(place + 1 for place in np.argsort(gains)[::-1][:left])
        assert (0,) in event.racing
        assert len(event.standings) == len(gains) + 1
    best = max(gains)
    winner = (gains.index(best) + 1,) if best > 0 else (0,)
    assert rounds[-1].racing == (winner,) == (rounds[-1].standings[0].setting,)


def test_the_score_of_nothing_says_nothing():
    assert score_of([math.nan]).deals == 0
    assert score_of([1.0, math.nan, 3.0]) == score_of([1.0, 3.0])
    assert score_of([1.0, 3.0]).stderr == pytest.approx(1)


def test_no_false_proof_where_nothing_matters():
    """A study says `better` of a flat function in at most 2.5% of runs: with 60, more than 6 come once in 2,000."""
    known = flat()
    plan = Plan(400, settings=4, finalists=4)
    verdicts = [
        list(run_study(known.space, RandomTuner(known.space, seed), known.evaluator(seed), plan))[-1].result.verdict
        for seed in range(60)
    ]
    assert verdicts.count("better") <= 6


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Plan(100), "expected a budget of 111 or more evaluations, got 100"),
        (lambda: Plan(1000, race_share=1), "expected a share for the race between 0 and 1, got 1"),
        (lambda: Plan(1000, deals=1), "expected deals of 2 or more, got 1"),
        (lambda: Plan(1000, finalists=0), "expected finalists of 1 or more, got 0"),
        (lambda: study(Recorder(len), Plan(None)), "expected a budget of evaluations or of time"),
        (lambda: optimiser_named("best"), "expected an optimiser of ntbea, cmaes, random"),
    ],
)
def test_what_makes_no_study_is_refused(make, problem):
    with pytest.raises(ConfigError) as caught:
        make()
    assert problem in str(caught.value)
