"""What an evaluation of dnup costs, and how well it foretells who is out first on rounds that nothing was fitted on.

    python benchmarks/evaluation.py                               about a minute
    python benchmarks/evaluation.py --rounds 4000 --bot fitted   by the bot that the weights were fitted on

Times are of one call on positions of greedy rounds with a fifth of random moves, the best of 10 repeats. Log-loss is of
the places that seats took after sampled positions of rounds by the bot given, on deals of a seed below 600000;
calibration: of the seats that were given such a chance to be first, how many were. Its 95% intervals are of seats as if
they were independent, which makes them somewhat too narrow.
"""

from __future__ import annotations

import argparse

import numpy as np
from common import PLAYERS, STAGES, load, markdown, positions, print_report

from cython_core.bench import time_evaluations
from cython_core.evaluation import Evaluator
from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from dnup_ai.evaluation.fit import Fit, assess, calibrate, sample_events
from dnup_ai.evaluation.weights import fitted_evaluator, read_weights, weights_folder

SEED = 30


def main() -> None:
    """Time and measure at every number of players, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000, help="rounds to foretell (default: 1000)")
    parser.add_argument(
        "--bot",
        default="greedy:epsilon=0.1",
        help="who plays them (default: greedy:epsilon=0.1); fitted: who played what was fitted on",
    )
    args = parser.parse_args()
    load_before = load()
    timed, foretold, calibrated = [], [], []
    for players in PLAYERS:
        rules = load_deck("standard").rules(players)
        evaluator = fitted_evaluator(rules)
        assert evaluator is not None
        views = [view for stage in STAGES for view in positions(players, 60, SEED, stage)]
        worlds = [view.determinise(Rng(SEED, number)) for number, view in enumerate(views)]
        best = [min(time_evaluations(worlds, kind, 100) for _ in range(10)) for kind in (evaluator, Evaluator())]
        timed.append([players, *(f"{1e9 * seconds:.0f}" for seconds in best)])
        shipped = read_weights(weights_folder() / f"dnup-{players}.json")
        bot = shipped.fit["bot"] if args.bot == "fitted" else args.bot
        events = sample_events(rules, parse_spec(bot), args.rounds, SEED)
        fit = Fit(np.array(evaluator.weights), evaluator.later)
        for row in calibrate(fit, events):
            half = 1.96 * np.sqrt(row.predicted * (1 - row.predicted) / row.seats)
            chance = f"{row.low:.0%} to {row.high:.0%}"
            calibrated.append(
                [players, chance, row.seats, f"{row.predicted:.1%}", f"{row.observed:.1%}", f"±{half:.1%}"]
            )
        for loss in assess(fit, events):
            simple = "" if loss.simple is None else f"{loss.simple:.4f}"
            foretold.append([players, loss.what, loss.events, f"{loss.fitted:.4f}", simple, f"{loss.uniform:.4f}"])
    print_report(
        "The evaluation",
        markdown(["players", "fitted, ns", "simple, ns"], timed),
        markdown(["players", "place", "events", "fitted", "simple", "uniform"], foretold),
        markdown(["players", "chance to be first", "seats", "predicted", "was first", "95%"], calibrated),
        load_before=load_before,
    )


if __name__ == "__main__":
    main()
