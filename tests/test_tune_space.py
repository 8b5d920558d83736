"""What may be tuned: levels of parameters, never merged, with the default among them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dnup_ai.bots.registry import shipped_bots
from dnup_ai.errors import ConfigError
from dnup_ai.params import Parameter, describe_params
from tournaments.tune.space import Dimension, Space, dimension_of, range_levels, space_of


def whole(default=1, low=None, high=None):
    return Parameter("n", int, default, low, high, (), "")


REAL = Parameter("x", float, 0.5, None, None, (), "")


@given(st.integers(-50, 10**9), st.integers(1, 10**9), st.integers(2, 60), st.sampled_from(["linear", "log"]))
def test_levels_of_an_int_are_never_merged(low, width, count, scale):
    if scale == "log":
        low = abs(low) + 1
    levels = range_levels(whole(), low, low + width, count, scale)
    assert all(type(level) is int for level in levels)
    assert len(set(levels)) == len(levels) == min(count, width + 1)
    assert (levels[0], levels[-1]) == (low, low + width)
    assert list(levels) == sorted(levels)


@given(st.floats(1e-6, 1e6), st.floats(1.0001, 1e6), st.integers(2, 60), st.sampled_from(["linear", "log"]))
def test_levels_of_a_float_are_even_on_their_scale(low, factor, count, scale):
    high = low * factor
    levels = range_levels(REAL, low, high, count, scale)
    assert len(set(levels)) == count
    assert low <= levels[0] < levels[-1] <= high
    move = math.log if scale == "log" else float
    step = (move(high) - move(low)) / (count - 1)
    for place, level in enumerate(levels):
        # They are written with few digits, which moves them by less than half a step.
        assert abs(move(level) - (move(low) + place * step)) < 0.51 * step


def test_levels_have_few_digits():
    assert range_levels(REAL, 0.1, 1.5, 5) == (0.1, 0.45, 0.8, 1.15, 1.5)
    assert range_levels(REAL, 0.001, 1, 4, "log") == (0.001, 0.01, 0.1, 1.0)
    assert range_levels(whole(), 1, 1000, 7, "log") == (1, 3, 10, 32, 100, 316, 1000)


@given(st.integers(-1000, 1000), st.lists(st.integers(-1000, 1000), min_size=1, max_size=8, unique=True))
def test_the_default_is_one_of_the_levels(default, levels):
    if levels == [default]:
        return
    dimension = dimension_of(whole(default), levels)
    assert set(dimension.levels) == {default, *levels}
    assert list(dimension.levels) == sorted(dimension.levels)
    assert dimension.levels[dimension.place(default)] == default


def test_a_default_of_the_game_takes_the_place_of_the_declared_one():
    space = space_of([REAL, whole()], {"x": [0.1, 0.2], "n": [1, 4]}, {"x": 0.7})
    assert space.default == (0.7, 1)
    assert space.dimensions[0].levels == (0.1, 0.2, 0.7)


@given(st.data())
def test_a_setting_and_its_places_are_two_names_of_one(data):
    space = space_of([REAL, whole()], {"x": [0.1, 0.2, 0.3], "n": [1, 4, 9, 16]})
    places = tuple(data.draw(st.integers(0, size - 1)) for size in space.sizes)
    assert space.places(space.setting(places)) == places


def test_a_setting_is_written_as_in_specs():
    mode = Parameter("mode", str, "a", None, None, ("a", "b"), "")
    sure = Parameter("sure", bool, False, None, None, (), "")
    space = space_of([mode, sure, whole()], {"sure": [True], "mode": ["b"], "n": [2]})
    assert space.size == 8
    assert space.text((True, "b", 2)) == "sure=true,mode=b,n=2"
    assert space.values((True, "b", 2)) == {"sure": True, "mode": "b", "n": 2}
    assert [dimension.ordered for dimension in space.dimensions] == [False, False, True]


def test_bots_that_ship_say_what_is_worth_tuning():
    tuned = {
        name: [parameter for parameter in describe_params(bot.Params) if parameter.tune]
        for name, bot in shipped_bots().items()
    }
    for parameters in tuned.values():
        for parameter in parameters:
            assert parameter.default in parameter.tune
            assert len(dimension_of(parameter, None).levels) == len(parameter.tune) >= 2
    names = {parameter.name for parameter in tuned["ismcts"]}
    assert {"exploration", "rollout_turns", "belief_temperature", "final"} <= names
    # They change how long a move takes, what is aimed at, or nothing.
    assert not names & {"iterations", "cpu_ms", "wall_ms", "threads", "nodes", "early_stop", "reward", "defaults"}
    assert {parameter.name for parameter in tuned["dmcts"]} == {*names, "worlds"}


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: space_of([REAL], {"y": None}), "unknown parameter 'y'; there are x"),
        (lambda: space_of([REAL], {"x": None}), "parameter x: it has no levels of its own"),
        (lambda: space_of([REAL], {"x": [0.5]}), "parameter x: expected at least 2 levels, got 1"),
        (lambda: space_of([REAL], {"x": [1, 1.0]}), "parameter x: a level is there twice"),
        (lambda: space_of([REAL], {"x": ["a"]}), "a is no value of x (float)"),
        (lambda: space_of([whole(1, 0, 9)], {"n": [1, 10]}), "10 is no value of n (int, 0 to 9)"),
        (lambda: space_of([whole()], {"n": [1, True]}), "true is no value of n (int)"),
        (lambda: space_of([], {}), "expected at least one parameter"),
        (lambda: range_levels(REAL, 1, 1, 3), "expected low < high, got 1 and 1"),
        (lambda: range_levels(REAL, 0, 1, 3, "log"), "expected low above 0 on a log scale, got 0"),
        (lambda: range_levels(REAL, 0, 1, 1), "expected at least 2 levels, got 1"),
        (lambda: range_levels(whole(), 0.5, 3, 3), "expected whole numbers, got 0.5 and 3"),
        (lambda: range_levels(REAL, 1, math.nextafter(1, 2), 3), "there are not 3 numbers between"),
        (lambda: Dimension("n", (2, 1), True), "expected ascending levels, got 2, 1"),
        (lambda: Space((Dimension("n", (1, 2), True),) * 2, (1, 1)), "a parameter is there twice"),
        (lambda: Space((Dimension("n", (1, 2), True),), (3,)), "parameter n: expected one of 1, 2, got 3"),
        (lambda: Space((Dimension("n", (1, 2), True),), (1, 2)), "expected 1 values in a setting, got 2"),
    ],
)
def test_what_makes_no_space_is_refused(make, problem):
    with pytest.raises(ConfigError) as caught:
        make()
    assert problem in str(caught.value)
