"""By how much a move overruns its time: a budget of 100 ms of the clock, and one of 5 ms of CPU time.

    python benchmarks/overshoot.py    1 minute

A few hundred moves at 2 to 5 players, from all stages of a round, with a kept engine as a bot has it. What is timed is
the whole of `Engine.choose`, from the view to the move, on the clock that the budget is of. On a busy machine the clock
also counts the time for which the process waits for a core; the CPU time does not, and shows what the search overruns
by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from common import PLAYERS, STAGES, load, markdown, positions, print_report

from cython_core.dnup import DnupState
from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, SearchParams


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=90, help="moves per number of players (default: 90)")
    args = parser.parse_args()
    load_before = load()
    rows = []
    for name, seconds, budget, clock in (
        ("100 ms of the clock", 0.1, Budget(wall=0.1), time.perf_counter),
        ("5 ms of CPU time", 0.005, Budget(cpu=0.005), time.thread_time),
    ):
        every: list[float] = []
        for players in PLAYERS:
            views = [view for stage in STAGES for view in positions(players, args.moves // len(STAGES), 3, stage)]
            over = [1000 * (taken - seconds) for taken in times(views, budget, clock)]
            rows.append([name, players, *figures(over)])
            every += over
        rows.append([name, "all", *figures(every)])
    head = ["budget", "players", "moves", "p50, ms", "p99, ms", "max, ms"]
    print_report("Overshoot of a budget", markdown(head, rows), load_before=load_before)


def times(views: list[DnupState], budget: Budget, clock: Callable[[], float]) -> list[float]:
    """Return how long it took to choose a move in each position."""
    engine = Engine(SearchParams(defaults="engine"))
    engine.choose(views[0], Budget(1), Rng(0))
    taken = []
    for seed, view in enumerate(views):
        rng = Rng(seed)
        began = clock()
        engine.choose(view, budget, rng)
        taken.append(clock() - began)
    return taken


def figures(over: list[float]) -> list[object]:
    """Return number, median, 99th percentile and maximum."""
    ordered = sorted(over)
    p50, p99 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99))
    return [len(ordered), f"{p50:.2f}", f"{p99:.2f}", f"{ordered[-1]:.2f}"]


if __name__ == "__main__":
    main()
