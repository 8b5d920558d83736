"""How long a person waits: `dnup-ai suggest` beyond the time asked for, and `dnup-ai --help`, start-up included.

    python benchmarks/answer_time.py [--runs 20] [--time 1]

Each run is a process of its own; CPU seconds are those of the process, beyond the time asked for too.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

from common import load, markdown, positions, print_report


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--time", type=float, default=1.0)
    arguments = parser.parse_args()
    before = load()
    command = str(Path(sys.executable).parent / "dnup-ai")
    asked = ["--time", f"{arguments.time:g}s"]
    cases = {"`--help`": (["--help"], 0.0), "`suggest --help`": (["suggest", "--help"], 0.0)}
    for players in (2, 3, 5):
        view = str(positions(players, 1, 51, "opening")[0])
        cases[f"`suggest`, {players} players"] = (["suggest", view, *asked], arguments.time)
    view = str(positions(3, 1, 51, "opening")[0])
    cases["`suggest --beliefs --json`"] = (["suggest", view, *asked, "--beliefs", "--json"], arguments.time)
    cases["`suggest --threads 2`"] = (["suggest", view, *asked, "--threads", "2"], arguments.time)
    rows = []
    for name, (options, thinking) in cases.items():
        walls, cpus = [], []
        for _ in range(arguments.runs):
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            began = perf_counter()
            subprocess.run([command, *options], check=True, capture_output=True)
            walls.append(perf_counter() - began - thinking)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpus.append(after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime)
        walls.sort()
        cpu = f"{sorted(cpus)[len(cpus) // 2]:.3f}"
        rows.append((name, len(walls), f"{walls[0]:.3f}", f"{walls[len(walls) // 2]:.3f}", f"{walls[-1]:.3f}", cpu))
    head = ("command", "runs", "least, s", "median, s", "most, s", "CPU in all, median, s")
    print_report("Time to an answer, beyond the time asked for", markdown(head, rows), load_before=before)


if __name__ == "__main__":
    main()
