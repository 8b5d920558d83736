"""How likely does a belief take the true world to be? Its log-loss against that of equally likely worlds.

    python benchmarks/beliefs.py [--rounds 200] [--players 2,3] [--temperatures 1,2,4] [--seed 47000]

Bots play against themselves. Before each turn at which at most 1,024 worlds agree with the mover's view, and more than
one does, they are weighed by the moves so far (`listed` beliefs). The loss, minus the natural logarithm of the chance
that is given to the true world, is averaged over the turns of a round, and its 95% interval is over rounds. 200 rounds
of each bot: about a minute at 2 players.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from statistics import fmean, stdev
from time import thread_time

from common import load, markdown, print_report

from cython_core.belief import Belief
from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from tournaments.match import play_round

BOTS = ("greedy", "ismcts:iterations=500", "heuristic:iterations=500")
LIMIT = 1024


def main() -> None:
    """Play, weigh, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--players", default="2,3", help="numbers of players, with commas (default: 2,3)")
    parser.add_argument("--temperatures", default="1,2,4", help="belief_temperature, with commas (default: 1,2,4)")
    parser.add_argument("--floor", type=float, default=0.2, help="belief_floor (default: 0.2)")
    parser.add_argument("--seed", type=int, default=47_000, help="of the first deal (default: 47000)")
    args = parser.parse_args()
    before = load()
    temperatures = [float(text) for text in args.temperatures.split(",")]
    rows: list[list[object]] = []
    for players in map(int, args.players.split(",")):
        for bot in BOTS:
            losses, seconds = [], []
            for deal in range(args.seed, args.seed + args.rounds):
                found, took = losses_of_round(bot, players, deal, temperatures, args.floor)
                losses += [found] if found else []
                seconds += took
            columns = list(zip(*losses, strict=True))
            rows.append([bot, players, len(losses), f"{fmean(columns[0]):.2f}"])
            for column in columns[1:]:
                gains = [one - other for one, other in zip(columns[0], column, strict=True)]
                half = 1.96 * stdev(gains) / math.sqrt(len(gains))
                rows[-1].append(f"{fmean(column):.2f} ({fmean(gains):+.2f} ±{half:.2f})")
            rows[-1] += [f"{1000 * fmean(seconds):.2f}", f"{1000 * max(seconds):.2f}"]
    head = ["bots", "players", "rounds", "uniform", *(f"temperature {value:g}" for value in temperatures)]
    note = "In brackets what the belief gains over uniform; ms: of one belief, mean and most."
    print_report("Beliefs", markdown([*head, "ms", "most"], rows), note, load_before=before)


def losses_of_round(
    bot: str, players: int, deal: int, temperatures: Sequence[float], floor: float
) -> tuple[list[float], list[float]]:
    """Return the mean losses, uniform first, and the seconds of each belief; nothing if no turn had few worlds."""
    rules = load_deck("standard").rules(players, max_turns=200)
    state = rules.deal(Rng(deal))
    bots = [parse_spec(bot).make(Rng(deal, 1, 0, seat)) for seat in range(players)]
    moves = play_round(rules, bots, state).moves
    codes = [move.code for move in moves]
    rows: list[list[float]] = []
    seconds = []
    for turn, move in enumerate(moves):
        assert state.turn is not None
        view = state.observe(state.turn)
        count = view.count_worlds(LIMIT)
        if turn and count and count > 1:
            truth = view.worlds(LIMIT).index(state)
            rows.append([math.log(count)])
            for temperature in temperatures:
                began = thread_time()
                belief = Belief(view, codes[:turn], Rng(1), limit=LIMIT, pool=1, temperature=temperature, floor=floor)
                seconds.append(thread_time() - began)
                rows[-1].append(-math.log(belief.probabilities()[truth]))
        state.apply(move)
    return [fmean(column) for column in zip(*rows, strict=True)], seconds


if __name__ == "__main__":
    main()
