"""The frozen references: their parameters, literally, and how they play, as a number. Neither may ever change."""

import ast
import inspect
import json
import os
import platform
import zlib
from dataclasses import asdict, fields

import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, references, shipped_bots
from dnup_ai.bots.references import HEURISTIC, PLAIN
from dnup_ai.bots.searching import MoveBudget
from dnup_ai.errors import BotError
from dnup_ai.search import SearchParams
from lines import rules_of
from tournaments.match import play_round

SHARED = {
    "selection": "ucb1",
    "first_play": 10.0,
    "opponent_key": "exact",
    "widening": 0.0,
    "epsilon": 0.1,
    "reward": "tokens",
    "opponents": "maxn",
    "opponent_prior": 0.0,
    "opponent_temperature": 1.0,
    "turn_cost": 0.0,
    "repeats": 0,
    "enumerate": 0,
    "belief_temperature": 0.0,
    "belief_floor": 0.2,
    "belief_pool": 256,
    "final": "visits",
    "early_stop": False,
    "threads": 1,
    "nodes": 262_144,
    "defaults": "engine",
}
FROZEN = {
    "plain": SHARED | {"exploration": 0.5, "rollout": "random", "rollout_turns": 1000, "evaluation": "simple"},
    "heuristic": SHARED | {"exploration": 0.3, "rollout": "greedy", "rollout_turns": 4, "evaluation": "fitted"},
}
PLAY = {"plain": 2459427097, "heuristic": 1977705151}
"""If the number of `heuristic` moved with the weights or the features, keep the old ones for it."""


def test_every_parameter_is_what_it_was():
    """A parameter that is new is listed here with the value that leaves the search as it was."""
    assert asdict(PLAIN) == FROZEN["plain"]
    assert asdict(HEURISTIC) == FROZEN["heuristic"]


@pytest.mark.parametrize("name", FROZEN)
def test_every_parameter_is_written_out(name):
    """So that a new default leaves it alone: of the defaults none is relied on."""
    for node in ast.parse(inspect.getsource(references)).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name.upper():
            assert [word.arg for word in node.value.keywords] == [field.name for field in fields(SearchParams)]
            break
    else:
        raise AssertionError(f"no {name.upper()} in references.py")


@pytest.mark.parametrize("name", FROZEN)
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="rounds otherwise")
@pytest.mark.skipif(os.environ.get("DNUP_NATIVE") == "1", reason="rounds otherwise")
def test_the_references_play_as_they_did(name):
    rounds = []
    for players in (2, 3, 4, 5):
        rules = rules_of("standard", players, max_turns=60)
        bots = [parse_spec(f"{name}:iterations=100").make(Rng(7, players, 0, seat)) for seat in range(players)]
        rounds.append([str(move) for move in play_round(rules, bots, rules.deal(Rng(7, players))).moves])
    assert zlib.crc32(json.dumps(rounds).encode()) == PLAY[name]


@pytest.mark.parametrize("name", [*FROZEN, "best"])
def test_presets_take_the_budget_and_nothing_else(name):
    assert shipped_bots()[name].Params is MoveBudget
    assert str(parse_spec(f"{name}:cpu_ms=5,wall_ms=50")) == f"{name}:cpu_ms=5.0,wall_ms=50.0"
    with pytest.raises(BotError, match=r"unknown parameter 'exploration'.*; it takes iterations"):
        parse_spec(f"{name}:exploration=0.3")


def test_best_is_ismcts_as_it_ships():
    rules = rules_of("standard", 3, max_turns=20)
    moves = []
    for name in ("best", "ismcts"):
        bots = [parse_spec(f"{name}:iterations=60").make(Rng(5, 0, 0, seat)) for seat in range(3)]
        moves.append(play_round(rules, bots, rules.deal(Rng(5))).moves)
    assert moves[0] == moves[1]
