"""Iterations per second and core beside OpenSpiel's C++ `ISMCTSBot`, in the same run on the same machine.

    pip install "dnup-ai[benchmark]"
    python benchmarks/openspiel.py    half a minute on an idle core

OpenSpiel has no shedding game that can draw worlds, so its card games with hidden hands stand beside dnup: hearts,
oh_hell and euchre. Its bot runs with its standard settings (a fresh world each simulation, information state strings
as keys, one random rollout a simulation, uct_c = 2), ours with random rollouts; one thread each, seconds of CPU time
around the whole choice of a move. Longer rollouts cost more, so the moves of a random playout from the same positions
are reported for both, and each game of OpenSpiel is compared with our number of players and stage of the round whose
playouts are the next longer ones (the longest, if none is longer).
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from typing import Any

import pyspiel  # type: ignore[import-not-found]
from common import PLAYERS, STAGES, load, markdown, positions, print_report

from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, SearchParams

GAMES = ("hearts", "oh_hell", "euchre")
ITERATIONS = 4000
POSITIONS = 4
PLAYOUTS = 200
UCT_C = 2.0


@dataclass
class Case:
    """What is measured: the positions of one game, how long playouts from them are, and the best rate so far."""

    name: str
    stage: str
    players: int
    positions: list[Any]
    moves: float
    rate: float = 0.0


def main() -> None:
    """Measure both in interleaved repeats, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="interleaved repeats (default: 5)")
    args = parser.parse_args()
    load_before = load()
    theirs = [their_case(name, stage) for name in GAMES for stage in ("opening", "mid-round")]
    ours = [our_case(players, stage) for players in PLAYERS for stage in STAGES]
    engine = Engine(SearchParams(defaults="engine", rollout="random"))
    for repeat in range(args.repeats):
        for case in theirs:
            case.rate = max(case.rate, their_rate(case.positions, repeat))
        for case in ours:
            case.rate = max(case.rate, our_rate(engine, case.positions, repeat))
    rows = [
        [case.name, case.stage, case.players, f"{case.moves:.1f}", f"{case.rate:,.0f}", *beside]
        for case, beside in [*((case, versus(case, ours)) for case in theirs), *((case, ["", ""]) for case in ours)]
    ]
    head = ["game", "stage", "players", "playout moves", "iterations/s", "ours beside it", "ratio"]
    print_report(
        f"Beside OpenSpiel {version()}: {ITERATIONS:,} iterations a search, best of {args.repeats} repeats",
        markdown(head, rows),
        load_before=load_before,
    )


def versus(case: Case, ours: list[Case]) -> list[str]:
    """Return for a game of OpenSpiel which case of ours stands beside it, and how many times its rate that has."""
    longer = [mine for mine in ours if mine.moves >= case.moves]
    beside = min(longer, key=lambda mine: mine.moves) if longer else max(ours, key=lambda mine: mine.moves)
    name = f"{beside.players} players, {beside.stage}, {beside.moves:.1f} moves"
    return [name, f"{beside.rate / case.rate:.1f}"]


def their_case(name: str, stage: str) -> Case:
    """Return positions of a game of OpenSpiel with a choice to make, from random play."""
    game = pyspiel.load_game(name)
    found: list[Any] = []
    seed = 0
    while len(found) < POSITIONS:
        rng = random.Random(seed)
        line = their_round(game.new_initial_state(), rng)
        chosen = line[int(STAGES[stage] * len(line))]
        found += [chosen] if len(chosen.legal_actions()) > 1 else []
        seed += 1
    rng = random.Random(0)
    moves = [len(their_round(state.clone(), rng)) for state in found for _ in range(PLAYOUTS // POSITIONS)]
    return Case(name, stage, game.num_players(), found, sum(moves) / len(moves))


def their_round(state: Any, rng: random.Random) -> list[Any]:
    """Return the positions of a random playout in which a player moves, from this one on."""
    line = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            line.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
    return line


def their_rate(states: list[Any], seed: int) -> float:
    """Return the simulations per second of OpenSpiel's bot over these positions."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.ISMCTSBot(seed=seed, evaluator=evaluator, uct_c=UCT_C, max_simulations=ITERATIONS)
    began = time.process_time()
    for state in states:
        bot.step(state)
    return ITERATIONS * len(states) / (time.process_time() - began)


def our_case(players: int, stage: str) -> Case:
    """Return positions of dnup with a choice to make."""
    views = positions(players, POSITIONS, 5, stage)
    rng = Rng(0)
    moves = [view.determinise(rng).rollout(rng)[1] for view in views for _ in range(PLAYOUTS // POSITIONS)]
    return Case("dnup", stage, players, list(views), sum(moves) / len(moves))


def our_rate(engine: Engine, views: list[Any], seed: int) -> float:
    """Return the iterations per second of our search over these positions."""
    rng = Rng(seed)
    began = time.process_time()
    for view in views:
        engine.choose(view, Budget(ITERATIONS), rng)
    return ITERATIONS * len(views) / (time.process_time() - began)


def version() -> str:
    """Return the version of OpenSpiel."""
    from importlib.metadata import version as installed

    return installed("open_spiel")


if __name__ == "__main__":
    main()
