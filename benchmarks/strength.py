"""How much the parts of the search are worth: four comparisons of bots at equal CPU time a move, in Elo.

    python benchmarks/strength.py                        all four at 2, 3 and 4 players: 20 CPU minutes at 5 ms
    python benchmarks/strength.py --only c --players 3   one run: 2 CPU minutes
    python benchmarks/strength.py --show                 the table of what is stored, without playing

Each run is a `dnup-ai tournament run --lineup one-vs-rest` in two processes, and its `--json` output is kept in the
folder of results, so that a broken-off series goes on where it was. Elo is of a single seat of the first bot against
the second at all other seats: 400 log10(p (n - 1) / (1 - p)), p being its share of first places among n seats. CPU time
makes it fair on a busy machine; to repeat the very same games an iteration budget would be needed.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from common import load, markdown, print_report

RANDOM = "rollout=random,exploration=0.5"
"""The opponent with random rollouts, at the exploration that served it best (docs/benchmarks.md)."""

COMPARISONS = {
    "a": ("greedy rollouts against random ones", "ismcts", f"ismcts:{RANDOM}"),
    "b": ("flat with greedy rollouts against ismcts with random ones", "flat", f"ismcts:{RANDOM}"),
    "c": ("ismcts against dmcts with 20 worlds", "ismcts", "dmcts:worlds=20"),
    "d": ("exploration 0.5 against the square root of 2", "ismcts:exploration=0.5", "ismcts:exploration=1.414214"),
}
DEALS = {2: 240, 3: 390, 4: 460, 5: 550}
"""Deals that give an interval of about 35 Elo to either side."""
SEED = 20


def main() -> None:
    """Play what is not stored yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu-ms", type=float, default=5.0, help="CPU time a move (default: 5)")
    parser.add_argument("--players", default="2,3,4", help="numbers of players, with commas (default: 2,3,4)")
    parser.add_argument("--deals", type=int, help="deals of each run (default: enough for 35 Elo to either side)")
    parser.add_argument("--only", default="abcd", help="letters of the comparisons (default: abcd)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--results", type=Path, default=Path("build/strength"), help="folder (default: build/strength)")
    parser.add_argument("--show", action="store_true", help="play nothing")
    args = parser.parse_args()
    load_before = load()
    args.results.mkdir(parents=True, exist_ok=True)
    rows = []
    for letter in args.only:
        for players in map(int, args.players.split(",")):
            path = args.results / f"{letter}-{players}-players-{args.cpu_ms:g}-ms.json"
            if not path.exists() and not args.show:
                play(letter, players, args.cpu_ms, args.deals or DEALS[players], args.workers, path)
            if path.exists():
                rows.append(row(letter, players, json.loads(path.read_text(encoding="utf-8"))))
    head = ["comparison", "players", "deals", "rounds", "first places", "Elo", "95%", "turned round", "95%", "faults"]
    note = (
        "First places and Elo: of a single seat of the first bot. Turned round: Elo of the first bot at all seats but "
        "one, which is minus that of the single seat of the second; at 2 players the same games."
    )
    print_report(f"Strength at {args.cpu_ms:g} ms CPU a move", markdown(head, rows), note, load_before=load_before)


def play(letter: str, players: int, cpu_ms: float, deals: int, workers: int, path: Path) -> None:
    """Run the tournament and store what it prints, whole or not at all."""
    bots = [with_budget(spec, cpu_ms) for spec in COMPARISONS[letter][1:]]
    command = [str(Path(sys.executable).with_name("dnup-ai")), "tournament", "run", *bots, "--lineup", "one-vs-rest"]
    command += ["--players", str(players), "--deals", str(deals), "--seed", str(SEED), "--concurrency", str(workers)]
    command += ["--store", ":memory:"]
    print(shlex.join(["dnup-ai", *command[1:]]), file=sys.stderr, flush=True)
    found = subprocess.run([*command, "--quiet", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    path.with_suffix(".part").write_text(found, encoding="utf-8")
    path.with_suffix(".part").rename(path)


def with_budget(spec: str, cpu_ms: float) -> str:
    """Return the bot with this CPU time a move."""
    return f"{spec}{',' if ':' in spec else ':'}cpu_ms={cpu_ms:g}"


def row(letter: str, players: int, result: dict[str, Any]) -> list[object]:
    """Return the line of the table for a stored run."""
    duel, *turned = result["singles"]
    cells = [f"({letter}) {COMPARISONS[letter][0]}", players, duel["deals"], duel["games"]]
    cells += [f"{100 * duel['share']:.1f}%", f"{duel['elo']:+.0f}", interval(duel["elo_interval"])]
    if turned:
        low, high = turned[0]["elo_interval"]
        cells += [f"{-turned[0]['elo']:+.0f}", interval((-high, -low))]
    else:
        cells += ["", ""]
    return [*cells, sum(standing["faults"] for standing in result["standings"])]


def interval(ends: tuple[float, float] | list[float]) -> str:
    """Return both ends, as Elo."""
    return f"{ends[0]:+.0f} to {ends[1]:+.0f}"


if __name__ == "__main__":
    main()
