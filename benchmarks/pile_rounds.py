"""How rounds of dnup-pile end: shares of rounds won, blocked and cut, by option and number of players.

    python benchmarks/pile_rounds.py                   # the tables of docs/rules-pile.md
    python benchmarks/pile_rounds.py --rounds 200      # quicker, with wider intervals

Everybody plays greedily, or everybody at random. A share is of all rounds, with half the width of its 95% interval.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from typing import Any

from cython_core.pile import PileRules
from cython_core.rng import Rng
from dnup_ai.notation.pile import pile_rules

VARIANTS: list[dict[str, Any]] = [
    {},
    {"piles": 2},
    {"match": "active"},
    {"revolves": 0},
    {"revolves": 2},
    {"one_point": "second_out"},
    {"blocked": "void"},
    {"match": "active", "blocked": "void"},
    {"reshuffle": "always"},
    {"match": "active", "reshuffle": "always"},
]


def play_round(rules: PileRules, policy: str, seed: int) -> tuple[str, int, bool]:
    """Return how a round ended, its turns, and whether it gave the one point.

    `tie`: blocked, and nobody got anything.
    """
    state = rules.deal(Rng(seed))
    rng = Rng(seed, seat=0)
    seen: Counter[bytes] = Counter()
    turns = 0
    while not state.is_over:
        if turns == rules.max_turns:
            return "max_turns", turns, 1 in state.result()
        if rules.repetition and rules.reshuffle == "always":  # else no state can recur
            key = state.repetition_key()
            seen[key] += 1
            if seen[key] == rules.repetition:
                return "repetition", turns, 1 in state.result()
        state.apply(state.greedy_move(rng, 0.0 if policy == "greedy" else 1.0))
        turns += 1
    end = state.end or ""
    return "tie" if end == "blocked" and not any(state.result()) else end, turns, 1 in state.result()


def share(count: int, rounds: int) -> str:
    """A share in per cent, and half the width of its Wilson interval at 95%."""
    z = 1.959964
    part = count / rounds
    half = z * math.sqrt(part * (1 - part) / rounds + z * z / (4 * rounds * rounds)) / (1 + z * z / rounds)
    return f"{100 * part:.1f} ±{100 * half:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4000, help="per line; a tenth of it with reshuffles")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for variant in VARIANTS:
        rounds = args.rounds if variant.get("reshuffle") != "always" else max(1, args.rounds // 10)
        names = ", ".join(f"`{name}={value}`" for name, value in variant.items()) or "the defaults"
        print(f"\n{names}, {rounds} rounds a line\n")
        print("| players | all play | out | blocked, won | blocked, tie | cut | gave the 1 point | turns |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for players in (2, 3, 4, 5):
            for policy in ("greedy", "random"):
                rules = pile_rules(players, **variant)
                ends: Counter[str] = Counter()
                turns = points = 0
                for deal in range(rounds):
                    end, length, point = play_round(rules, policy, (args.seed * 100_000 + deal) % 2**32)
                    ends[end] += 1
                    turns += length
                    points += point
                cut = ends["repetition"] + ends["max_turns"]
                cells = [share(count, rounds) for count in (ends["out"], ends["blocked"], ends["tie"], cut, points)]
                print(f"| {players} | {policy} | {' | '.join(cells)} | {turns / rounds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
