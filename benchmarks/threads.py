"""What a second thread brings: iterations in the same time of the clock, and strength at the same sum of iterations.

    python benchmarks/threads.py                  1 minute for the speed, then 1 CPU minute for the strength
    python benchmarks/threads.py --deals 0        the speed only

Speed: interleaved pairs of searches with 1 and 2 threads under the same budget of the clock; the best pair counts,
since any other process on the machine takes a core from the second thread. A pair in which the one thread itself had
less than 95% of a core says nothing and is left out: it would flatter the second. So this needs two idle cores. The
last column does not: iterations per CPU second of 2 threads over those of 1, the median of all pairs (the best would
only be the luckiest). It is 1 if they do not hinder each other (locks, memory); what they wait for a core is not in it.
Streams: if two threads drew the same random numbers, their visits would be exactly twice those of one; checked.
Strength: 2 threads of N iterations each, two trees whose roots are summed, against 1 thread of 2 N, one tree, with the
product's own tournament command.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from common import PLAYERS, load, markdown, positions, print_report

from cython_core.dnup import DnupState
from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, SearchParams

SECONDS = 0.2
POSITIONS = 3
N = 500


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5, help="interleaved pairs (default: 5)")
    parser.add_argument("--deals", type=int, default=200, help="deals at 2 players, 0: none (default: 200)")
    args = parser.parse_args()
    load_before = load()
    rows = []
    for players in PLAYERS:
        views = [view for stage in ("opening", "mid-round") for view in positions(players, POSITIONS, 4, stage)]
        ratios, per_cpu = speed(views, args.pairs)
        differ = sum(streams_differ(view) for view in views)
        best = f"{max(ratios):.2f}" if ratios else "-"
        pairs = ", ".join(f"{ratio:.2f}" for ratio in ratios) or "none"
        rows.append([players, best, pairs, f"{differ} of {len(views)}", f"{median(per_cpu):.2f}"])
    head = ["players", "2 threads over 1, best", "all pairs that count", "positions with own streams", "per CPU second"]
    parts = [f"Budget {1000 * SECONDS:.0f} ms of the clock, {2 * POSITIONS} positions a pair.", markdown(head, rows)]
    if args.deals:
        parts += [f"2 threads of {N} iterations each against 1 thread of {2 * N}:", strength(args.deals)]
    print_report("A second thread", *parts, load_before=load_before)


def speed(views: list[DnupState], pairs: int) -> tuple[list[float], list[float]]:
    """Return the iterations of 2 threads over those of 1, in each pair that counts; and per CPU second, in each."""
    engines = [Engine(SearchParams(defaults="engine", threads=threads)) for threads in (1, 2)]
    ratios, per_cpu = [], []
    for pair in range(pairs):
        found = [[engine.search(view, Budget(wall=SECONDS), Rng(pair)) for view in views] for engine in engines]
        one, two = (sum(result.iterations for result in results) for results in found)
        one_cpu, two_cpu = (sum(result.cpu for result in results) for results in found)
        per_cpu.append(two / two_cpu / (one / one_cpu))
        if one_cpu > 0.95 * sum(result.wall for result in found[0]):
            ratios.append(two / one)
    return ratios, per_cpu


def streams_differ(view: DnupState) -> bool:
    """Whether two threads found something else than one thread twice."""
    one, two = (Engine(SearchParams(defaults="engine", threads=n)).search(view, Budget(1000), Rng(1)) for n in (1, 2))
    return [2 * move.visits for move in one.moves] != [move.visits for move in two.moves]


def strength(deals: int) -> str:
    """Return the table of the tournament at 2 players."""
    bots = [f"ismcts:threads=2,iterations={N}", f"ismcts:iterations={2 * N}"]
    command = [str(Path(sys.executable).with_name("dnup-ai")), "tournament", "run", *bots, "--lineup", "one-vs-rest"]
    command += ["--players", "2", "--deals", str(deals), "--seed", "21", "--concurrency", "2", "--store", ":memory:"]
    command += ["--quiet", "--json"]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    duel = result["singles"][0]
    low, high = duel["elo_interval"]
    cells = [duel["deals"], result["rounds"], f"{100 * duel['share']:.1f}%", f"{duel['elo']:+.0f}"]
    return markdown(["players", "deals", "rounds", "won", "Elo", "95%"], [[2, *cells, f"{low:+.0f} to {high:+.0f}"]])


if __name__ == "__main__":
    main()
