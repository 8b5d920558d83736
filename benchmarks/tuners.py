"""Compares the optimisers of `dnup-ai tune` on known functions with the noise of games.

    python benchmarks/tuners.py [--seeds 100] [--evaluations 10000]

Whole studies: search, race, confirmation (tests/tuning.py has the functions). A second table varies what the budget is
spent on. About fifteen minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from common import load, markdown, print_report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from tournaments.tune.optimiser import optimiser_named, optimisers
from tournaments.tune.study import Plan, SearchIteration, StudyResult, run_study
from tuning import Known, flat, ridge, smooth

FEWER = 40
"""Seeds a row of the tables below the first."""
FUNCTIONS = {"smooth": smooth(), "ridge": ridge(), "flat": flat()}


def main() -> None:
    """Run the studies and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--evaluations", type=int, default=10_000)
    given = parser.parse_args()
    before = load()
    seeds = range(given.seeds)
    compared = [
        (name, optimiser, *figures(known, optimiser, Plan(given.evaluations), seeds))
        for name, known in FUNCTIONS.items()
        for optimiser in optimisers()
    ]
    plans = {
        "as above": {},
        "race 5%": {"race_share": 0.05},
        "race 15%": {"race_share": 0.15},
        "race 50%": {"race_share": 0.5},
        "3 finalists": {"finalists": 3},
        "16 finalists": {"finalists": 16},
        "5 deals an iteration": {"deals": 5},
        "20 deals an iteration": {"deals": 20},
        "16 settings an iteration": {"settings": 16},
    }
    fewer = range(min(given.seeds, FEWER))
    varied = [
        (name, what, *figures(FUNCTIONS[name], "ntbea", Plan(given.evaluations, **options), fewer))
        for name in ("smooth", "ridge")
        for what, options in plans.items()
    ]
    smaller = [
        (name, f"{optimiser}, {evaluations:,}", *figures(FUNCTIONS[name], optimiser, Plan(evaluations), fewer))
        for name in ("smooth", "ridge")
        for evaluations in (1000, 3000)
        for optimiser in optimisers()
    ]
    head = ("better", "false", "search's best", "winner", "recommended", "holds", "confirmation")
    print_report(
        f"Optimisers compared: {given.evaluations:,} evaluations, {given.seeds} seeds a row, below {len(fewer)}",
        markdown(("function", "optimiser", *head), compared),
        markdown(("function", "ntbea with", *head), varied),
        markdown(("function", "evaluations", *head), smaller),
        load_before=before,
    )


def figures(known: Known, optimiser: str, plan: Plan, seeds: range) -> tuple[str, ...]:
    """Return what studies with these seeds came to."""
    best, results = zip(*(study(known, optimiser, plan, seed) for seed in seeds), strict=True)
    better = [result for result in results if result.verdict == "better"]
    tested = [(result.interval, known.gain(result.winner)) for result in results if result.interval is not None]
    held = sum(interval[0] <= truth <= interval[1] for interval, truth in tested)
    return (
        f"{len(better)} of {len(results)}",
        str(sum(known.gain(result.winner) <= 0 for result in better)),
        f"{np.mean([known.gain(setting) for setting in best]):+.3f}",
        f"{np.mean([known.gain(result.winner) for result in results]):+.3f}",
        f"{np.mean([known.gain(result.recommended) for result in results]):+.3f}",
        f"{held} of {len(tested)}",
        f"{np.mean([result.spent.confirmation for result in results]):.0f}",
    )


def study(known: Known, optimiser: str, plan: Plan, seed: int) -> tuple[tuple[object, ...], StudyResult]:
    """Return what looked best at the end of the search, and the result."""
    events = list(
        run_study(known.space, optimiser_named(optimiser)(known.space, seed), known.evaluator(1000 + seed), plan)
    )
    searched = [event for event in events if isinstance(event, SearchIteration)]
    return searched[-1].best, events[-1].result


if __name__ == "__main__":
    main()
