"""How far the loss that `analyse` measures is from that of much longer searches: what `drift95` is made of.

`python benchmarks/drift.py --seconds 420` prints, for some lengths of the short searches, how often the loss of the
long ones is in the interval without and with the drift, and what factor would make it 95%.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator
from typing import NamedTuple

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.analyse import drift95, mean_and_half
from dnup_ai.bots import parse_spec
from dnup_ai.games import game_named
from dnup_ai.search import Budget, Engine, SearchParams

LONG = 150_000
LENGTHS = {1000: 8, 2000: 8, 5000: 4, 10_000: 4}  # iterations, and how many such searches
BOTS = ("ismcts:iterations=1000", "greedy:epsilon=0.3", "greedy")


class Measured(NamedTuple):
    """Of one move that a short search would not play: rewards from 0 to 1."""

    loss: float
    half: float
    long_loss: float
    value: float


def decisions(seconds: float) -> Iterator[tuple[State, Move, Rng]]:
    """Every fourth decision of rounds of 2 to 5 players."""
    game = game_named("dnup")
    end = time.monotonic() + seconds
    seed = 0
    while True:
        seed += 1
        players = 2 + seed % 4
        state = game.rules(game.load_deck("standard"), players, {}).deal(Rng(seed))
        bots = [parse_spec(BOTS[(seat + seed) % 3]).make(Rng(seed, seat)) for seat in range(players)]
        moves: list[Move] = []
        while not state.is_over and len(moves) < 60:
            if time.monotonic() > end:
                return
            seat = state.turn
            assert seat is not None
            view = state.observe(seat)
            move = bots[seat].choose(view, tuple(moves))
            if Rng(seed, len(moves), 7).below(4) == 0:
                yield view, move, Rng(seed, len(moves), 5)
            moves.append(move)
            state.apply(move)


def measure(view: State, played: Move, rng: Rng) -> Iterator[tuple[int, Measured]]:
    engine = Engine(SearchParams(defaults="engine"))

    def worth(move: Move, iterations: int) -> float:
        found = engine.search(view, Budget(iterations=iterations), rng, only=move).moves
        return next(stats.value for stats in found if stats.move == move)

    long: dict[Move, float] = {}
    for iterations, searches in LENGTHS.items():
        best = engine.search(view, Budget(iterations=iterations), rng).best
        if best != played:
            loss, half = mean_and_half([worth(best, iterations) - worth(played, iterations) for _ in range(searches)])
            for move in (best, played):
                long[move] = long.get(move) or worth(move, LONG)
            yield iterations, Measured(loss, half, long[best] - long[played], long[best])


def main() -> None:
    """Measure for so many seconds, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=420)
    found: dict[int, list[Measured]] = {iterations: [] for iterations in LENGTHS}
    for view, move, rng in decisions(parser.parse_args().seconds):
        for iterations, measured in measure(view, move, rng):
            found[iterations].append(measured)
    for iterations, rows in found.items():
        if rows:
            print_row(iterations, rows)


def print_row(iterations: int, rows: list[Measured]) -> None:
    def covered(drift: float | None) -> float:
        halves = [
            math.hypot(row.half, drift95(row.value, iterations))
            if drift is None
            else math.hypot(row.half, drift * math.sqrt(max(row.value * (1 - row.value), 0.0)))
            for row in rows
        ]
        return sum(abs(row.loss - row.long_loss) <= half for row, half in zip(rows, halves, strict=True)) / len(rows)

    factor = next((n / 100 for n in range(200) if covered(n / 100) >= 0.945), math.nan)
    bias = sum(row.loss - row.long_loss for row in rows) / len(rows)
    marked = [row for row in rows if row.loss > math.hypot(row.half, drift95(row.value, iterations))]
    wrong = sum(row.long_loss <= 0 for row in marked)
    print(
        f"{iterations:6} iterations: {len(rows)} moves, covered {covered(0):.0%} by noise alone, {covered(None):.0%} "
        f"with the drift, 95% with the factor {factor:.2f}; bias {bias:+.4f}; {len(marked)} marked, {wrong} wrongly"
    )


if __name__ == "__main__":
    main()
