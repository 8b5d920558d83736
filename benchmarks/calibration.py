"""Are the values that a search promises what play then gives? A reliability table; about two minutes.

    python benchmarks/calibration.py [--iterations 1000] [--rounds 300]

`ismcts` plays itself at 2 to 5 players. At every move the value of the chosen move, from 0 to 1, is put beside what the
round gave that seat in the end, on the same scale, and both are averaged in bins of the promise. Of a seat one move a
round is taken, at random, so that no seat counts twice; the 95% intervals are over those moves.
"""

from __future__ import annotations

import argparse
import math
from statistics import fmean, stdev

from common import PLAYERS, load, markdown, print_report

from cython_core.rng import Rng
from dnup_ai.decks import load_deck
from dnup_ai.search import Budget, Engine, SearchParams

BINS = 5


def play(players: int, rounds: int, iterations: int) -> list[tuple[float, float]]:
    """Return (promised, given) of one random move of each seat in each round."""
    rules = load_deck("standard").rules(players)
    pairs = []
    for deal in range(rounds):
        state, rng = rules.deal(Rng(11, deal)), Rng(11, deal, players, 0)
        engine = Engine(SearchParams(defaults="engine"))
        promised: dict[int, list[float]] = {}
        for _ in range(300):
            if state.turn is None:
                break
            found = engine.search(state.observe(state.turn), Budget(iterations=iterations), rng)
            values = {move.move: move.value for move in found.moves}
            promised.setdefault(state.turn, []).append(values[found.best])
            state.apply(found.best)
        given = state.rewards()
        pairs += [(rng.choice(values), given[seat]) for seat, values in promised.items()]
    return pairs


def main() -> None:
    """Play and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=300)
    arguments = parser.parse_args()
    before = load()
    rows = [row for players in PLAYERS for row in bins(players, play(players, arguments.rounds, arguments.iterations))]
    table = markdown(("players", "promised", "moves", "mean promised", "mean given", "95%"), rows)
    print_report("Calibration", table, load_before=before)


def bins(players: int, pairs: list[tuple[float, float]]) -> list[tuple[object, ...]]:
    """Return a row per bin of the promise that has at least 20 pairs."""
    rows: list[tuple[object, ...]] = []
    for low in range(BINS):
        inside = [pair for pair in pairs if min(int(pair[0] * BINS), BINS - 1) == low]
        if len(inside) < 20:
            continue
        promised, given = ([pair[side] for pair in inside] for side in (0, 1))
        half = 1.96 * stdev(given) / math.sqrt(len(given))
        span = f"{low / BINS:.1f} to {(low + 1) / BINS:.1f}"
        rows.append((players, span, len(inside), f"{fmean(promised):.3f}", f"{fmean(given):.3f}", f"±{half:.3f}"))
    return rows


if __name__ == "__main__":
    main()
