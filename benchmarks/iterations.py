"""How many iterations the search does in a second of one core, and what they are made of.

    python benchmarks/iterations.py                1 minute on an idle core
    python benchmarks/iterations.py --repeats 2    less, for a first look

First table: 2 to 5 players, opening and mid-round positions, random and greedy rollouts. Second table: what an
iteration costs in searches of 1,000, 16,000 and 256,000 iterations, at 5 players with full random rollouts. Seconds are
of the thread's CPU time; repeats are interleaved, so that a slow minute of the machine hits all alike, and the best
counts.
"""

from __future__ import annotations

import argparse

from common import PLAYERS, load, markdown, positions, print_report

from cython_core.dnup import DnupState
from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, SearchParams, SearchResult

ITERATIONS = 4000
POSITIONS = 6
LENGTHS = (1_000, 16_000, 256_000)


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="interleaved repeats (default: 5)")
    args = parser.parse_args()
    load_before = load()
    print_report(
        f"Iterations per second and core, {ITERATIONS:,} a search, mean of {POSITIONS} positions",
        rates(args.repeats),
        f"Cost of an iteration by length of the search, 5 players, random rollouts (best of {args.repeats}):",
        costs(args.repeats),
        load_before=load_before,
    )


def rates(repeats: int) -> str:
    """Return the table of iterations per second."""
    cases = [
        (players, kind, rollout, positions(players, POSITIONS, 1, kind))
        for players in PLAYERS
        for kind in ("opening", "mid-round")
        for rollout in ("random", "greedy")
    ]
    engines = {rollout: Engine(SearchParams(defaults="engine", rollout=rollout)) for rollout in ("random", "greedy")}
    best = [0.0] * len(cases)
    found: list[list[SearchResult]] = [[] for _ in cases]
    for repeat in range(repeats):
        for index, (_, _, rollout, views) in enumerate(cases):
            found[index] = [engines[rollout].search(view, Budget(ITERATIONS), Rng(repeat)) for view in views]
            best[index] = max(best[index], ITERATIONS * len(views) / sum(result.cpu for result in found[index]))
    rows = [
        [players, kind, rollout, f"{rate:,.0f}", *shape(results)]
        for (players, kind, rollout, _), rate, results in zip(cases, best, found, strict=True)
    ]
    head = ["players", "position", "rollout", "iterations/s", "rollout turns", "depth", "re-visited", "nodes"]
    return markdown(head, rows)


def shape(results: list[SearchResult]) -> list[str]:
    """Return the means of what the searches report of their rollouts and trees."""
    n = len(results)
    return [
        f"{sum(result.rollout_turns for result in results) / n:.1f}",
        f"{sum(result.depth for result in results) / n:.2f}",
        f"{100 * sum(result.revisited for result in results) / n:.0f}%",
        f"{sum(result.nodes for result in results) / n:,.0f}",
    ]


def costs(repeats: int) -> str:
    """Return the table of microseconds per iteration by the length of the search."""
    engine = Engine(SearchParams(defaults="engine", rollout="random"))
    views = positions(5, 3, 2, "opening")
    best = dict.fromkeys(LENGTHS, float("inf"))
    results: dict[int, SearchResult] = {}
    for repeat in range(repeats):
        for length in LENGTHS:
            # Short searches are repeated, so that each length is timed over thousands of iterations.
            runs = [(view, seed) for view in views for seed in range(max(1, 16_000 // length))]
            seconds = sum(cost(engine, view, length, 1000 * repeat + seed, results) for view, seed in runs)
            best[length] = min(best[length], seconds / (len(runs) * length))
    rows = []
    for length in LENGTHS:
        relative = best[length] / best[LENGTHS[0]]
        rows.append([f"{length:,}", f"{1e6 * best[length]:.2f}", f"{relative:.2f}", *shape([results[length]])])
    head = ["iterations", "microseconds each", "relative", "rollout turns", "depth", "re-visited", "nodes"]
    return markdown(head, rows)


def cost(engine: Engine, view: DnupState, length: int, seed: int, results: dict[int, SearchResult]) -> float:
    """Return the CPU seconds of one search, and keep its result."""
    results[length] = engine.search(view, Budget(length), Rng(seed))
    return results[length].cpu


if __name__ == "__main__":
    main()
