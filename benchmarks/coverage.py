"""Counts how often 95% intervals hold the truth, and how often the sequential test errs.

    python benchmarks/coverage.py [--runs 1000]

Tournaments of bots of known strength are simulated, in which the games of a deal share luck (tests/simulated.py), and
it is counted how often each interval holds the truth; then come sequential tests on differences with a known t. About
ten minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from common import load, markdown, print_report
from scipy.stats import binomtest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from simulated import DESIGNS, STEPS, Bench, covered, sprt_runs

BENCHES = (
    ("2 bots, 2 seats", Bench.pair(2), (40, 150, 60)),
    ("2 bots, 4 seats", Bench.pair(4), (40, 150, 60)),
    ("4 bots, 3 seats", Bench.league(4, 3), (30, 150, 60)),
    ("6 bots, 5 seats", Bench.league(6, 5), (30, 200, 80)),
)
STATISTICS = ("mean", "rating", "rating difference", "seat effect", "head to head", "ahead", "ahead, excess")


def main() -> None:
    """Simulate and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    before = load()
    rows: list[tuple[object, ...]] = []
    for name, bench, deals in BENCHES:
        for count, design in zip(deals, DESIGNS, strict=True):
            hits = covered(bench, design, count, runs, 1)
            shares = [f"{100 * hits[kind].mean():.1f}%" if kind in hits else "" for kind in STATISTICS]
            rows.append((name, design, count, *shares))
    head = ("table", "deals are", "deals", *STATISTICS)
    intervals = f"Share of 95% intervals that hold the truth, {runs} tournaments a row:\n\n{markdown(head, rows)}"
    print_report("Coverage", intervals, sprt_table(runs), load_before=before)


def sprt_table(runs: int) -> str:
    """Return the error rates of the test of t = 0 against t = 0.2, alpha and beta 5%, in Markdown."""
    rows = []
    for name in STEPS:
        for truth in (0.0, 0.1, 0.2):
            found = sprt_runs(name, truth, runs, 2)
            wrong = sum(result.verdict == ("H0" if truth == 0.2 else "H1") for result in found)
            bounds = binomtest(wrong, runs).proportion_ci(0.99)
            middle = sum((result.estimate_t or 0) < truth for result in found) / runs
            naive = sum((result.t or 0) < truth for result in found) / runs
            ends = [result.estimate_t_interval or (0, 0) for result in found]
            held = sum(low <= truth <= high for low, high in ends) / runs
            deals = sum(result.deals for result in found) / runs
            error = "" if truth == 0.1 else f"{wrong / runs:.1%} ({bounds.low:.1%} to {bounds.high:.1%})"
            rows.append((name, truth, error, f"{deals:.0f}", f"{middle:.1%}", f"{naive:.1%}", f"{held:.1%}"))
    head = (
        "differences",
        "t",
        "wrong (99%)",
        "mean deals",
        "estimate too low",
        "plain t too low",
        "interval holds t",
    )
    return f"Sequential test of t0 = 0, t1 = 0.2, {runs} runs a row:\n\n{markdown(head, rows)}"


if __name__ == "__main__":
    main()
