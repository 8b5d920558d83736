"""Bots with nothing to choose but the budget: the frozen references `plain` and `heuristic`, and `best`.

Strength is measured against the references, so they must not change. Every parameter is written out here, so that a new
default changes nothing; a new parameter of searches is added here with the value that leaves the search as it is.
`tests/test_references.py` pins the parameters and a number made of how they play. Weights that are fitted anew would
change `heuristic`: that number then says so, and the old weights must be kept for it.
"""

from __future__ import annotations

from typing import ClassVar

from dnup_ai.bots.searching import MoveBudget, SearchBot
from dnup_ai.search import Engine, SearchParams

PLAIN = SearchParams(
    exploration=0.5,
    selection="ucb1",
    first_play=10.0,
    opponent_key="exact",
    widening=0.0,
    rollout="random",
    epsilon=0.1,
    rollout_turns=1000,
    evaluation="simple",
    reward="tokens",
    opponents="maxn",
    opponent_prior=0.0,
    opponent_temperature=1.0,
    turn_cost=0.0,
    repeats=0,
    enumerate=0,
    belief_temperature=0.0,
    belief_floor=0.2,
    belief_pool=256,
    final="visits",
    early_stop=False,
    threads=1,
    nodes=262_144,
    defaults="engine",
)

HEURISTIC = SearchParams(
    exploration=0.3,
    selection="ucb1",
    first_play=10.0,
    opponent_key="exact",
    widening=0.0,
    rollout="greedy",
    epsilon=0.1,
    rollout_turns=4,
    evaluation="fitted",
    reward="tokens",
    opponents="maxn",
    opponent_prior=0.0,
    opponent_temperature=1.0,
    turn_cost=0.0,
    repeats=0,
    enumerate=0,
    belief_temperature=0.0,
    belief_floor=0.2,
    belief_pool=256,
    final="visits",
    early_stop=False,
    threads=1,
    nodes=262_144,
    defaults="engine",
)


class PresetBot(SearchBot):
    """An information set Monte Carlo tree search whose parameters are given, but for the budget."""

    Params = MoveBudget
    preset: ClassVar[SearchParams]

    def make_engine(self) -> Engine:
        return Engine(self.preset)


class Plain(PresetBot):
    """A frozen reference: textbook ISMCTS with random rollouts and tuned exploration."""

    name = "plain"
    preset = PLAIN


class Heuristic(PresetBot):
    """A frozen reference: ISMCTS with 4 greedy turns and then the fitted evaluation."""

    name = "heuristic"
    preset = HEURISTIC


class Best(PresetBot):
    """The strongest search that ships: `ismcts` with its defaults."""

    name = "best"
    preset = SearchParams()
