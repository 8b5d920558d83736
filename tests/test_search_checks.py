"""What the core relies on is checked before it runs, also for parameters that were not read from a spec."""

import math

import pytest

from dnup_ai.bots.searching import DmctsParams
from dnup_ai.search import Budget, Engine, SearchParams


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"exploration": -0.1}, "exploration: expected 0 to 10, got -0.1"),
        ({"epsilon": math.nan}, "epsilon: expected 0 to 1, got nan"),
        ({"selection": "best"}, "selection: expected one of ucb1, puct, got 'best'"),
        ({"rollout": "mast", "rollout_turns": 5000}, "rollout_turns: expected 0 to 1000, got 5000"),
        ({"threads": 0}, "threads: expected 1 to 64, got 0"),
        ({"nodes": 0}, "nodes: expected 1 to"),
        ({"turn_cost": 1.0}, "turn_cost: expected 0 to 0.1, got 1.0"),
        ({"worlds": 0}, "worlds: expected 1 to 100000, got 0"),
    ],
)
def test_parameters_out_of_range_are_refused(options, problem):
    with pytest.raises(ValueError, match=problem):
        (DmctsParams if "worlds" in options else SearchParams)(**options)


def test_a_negative_number_of_worlds_is_refused():
    with pytest.raises(ValueError, match="worlds: expected 0 or more, got -1"):
        Engine(SearchParams(), worlds=-1)


@pytest.mark.parametrize("seconds", [math.nan, math.inf])
def test_a_limit_that_is_never_reached_is_refused(seconds):
    """Such a search would not end."""
    for limits in ({"wall": seconds}, {"cpu": seconds}):
        with pytest.raises(ValueError, match="seconds of 0 and more"):
            Budget(**limits)
