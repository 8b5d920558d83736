"""One number for all that the search does: whoever changes it says in the commit why the search plays otherwise.

It is made of counts only. They come from +, -, *, /, sqrt, which are exact everywhere, and from log and exp of the C
library, whose last bit may differ between libraries; that could change a count only where two scores differ by less.
Builds for this very machine (DNUP_NATIVE=1) and machines that fuse a multiplication with an addition round otherwise.
"""

import json
import os
import platform
import subprocess
import sys
import zlib

import pytest

from searching import SHAPES, midround, opening, run

SIGNATURE = 2657614236
FITTED = 3581962645
"""The same of searches that ask the fitted evaluation: it changes with the weights too."""

WAYS = [
    {"rollout": "random"},
    {"rollout": "greedy"},
    {"rollout": "mast", "selection": "puct", "first_play": 0.5},
    {"opponent_key": "merged", "widening": 0.5, "rollout_turns": 6, "evaluation": "simple"},
    {"reward": "match", "opponents": "paranoid", "turn_cost": 0.001},
]


def searches():
    """Visits, availability and sizes of fixed searches: every number of players, kind of search and rollout."""
    for players in (2, 3, 4, 5):
        state = midround(players, 2)
        views = [opening(players), state.observe(state.turn)]
        for way in WAYS:
            for number, view in enumerate(views):
                for shape in SHAPES:
                    yield run(view, players + number, 300, shape, **way)
            yield run(state, players, 300, **way)  # all cards open, as `cheat` sees them
    yield run(opening(3), 1, 300, threads=2)


def fitted_searches():
    for players in (2, 3, 4, 5):
        state = midround(players, 2)
        for view in (opening(players), state.observe(state.turn)):
            for turns in (0, 4):
                yield run(view, players, 300, rollout_turns=turns, exploration=0.3)


def signature(results):
    rows = [
        ([(str(move.move), move.visits, move.available) for move in result.moves], str(result.best), result.nodes)
        for result in results
    ]
    return zlib.crc32(json.dumps(rows).encode())


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="rounds otherwise")
@pytest.mark.skipif(os.environ.get("DNUP_NATIVE") == "1", reason="rounds otherwise")
def test_the_search_plays_as_it_did():
    """If you meant to change the search, write the new number here and the reason in the commit."""
    assert signature(searches()) == SIGNATURE


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="rounds otherwise")
@pytest.mark.skipif(os.environ.get("DNUP_NATIVE") == "1", reason="rounds otherwise")
def test_the_search_with_the_fitted_evaluation_plays_as_it_did():
    """New weights or features: write the new number here, and what they are worth in the commit."""
    assert signature(fitted_searches()) == FITTED


PROGRAM = """
from cython_core.rng import Rng
from dnup_ai.decks import load_deck
from dnup_ai.search import Budget, Engine, SearchParams
for players in (2, 3, 5):
    state = load_deck("standard").rules(players).deal(Rng(3))
    view = state.observe(state.turn)
    for threads in (1, 2):
        for rollout in ("greedy", "mast"):
            for shape in ({}, {"worlds": 7}, {"flat": True}):
                engine = Engine(SearchParams(threads=threads, rollout=rollout, nodes=4096), **shape)
                result = engine.search(view, Budget(iterations=150), Rng(9))
                print([(str(move.move), move.visits, move.values, move.stderr) for move in result.moves])
                print(result.best, *result.line, result.nodes, result.depth)
"""


def test_the_same_seed_gives_the_same_bits_in_another_process():
    """Every count, value, standard error and line, with one thread and two, whatever the hash seed of the process."""
    outputs = []
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PROGRAM]
        outputs.append(subprocess.run(command, env=environment, capture_output=True, check=True, timeout=120).stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0].count(b"\n") == 2 * 3 * 2 * 2 * 3


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_seed_gives_the_same_result_and_another_seed_another(shape, threads):
    view = opening(4)
    first, again, other = (run(view, seed, 200, shape, threads=threads) for seed in (1, 1, 2))
    assert (first.moves, first.line, first.nodes) == (again.moves, again.line, again.nodes)
    assert other.moves != first.moves
    assert first.iterations == 200 * threads
