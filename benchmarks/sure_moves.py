"""Makes tests/data/sure_moves.json: endings with a move that is best in every world that the mover cannot exclude.

    python benchmarks/sure_moves.py [--seed 41] [--each 12] > tests/data/sure_moves.json

Greedy rounds (epsilon 0.2) of the standard deck at 2, 3 and 4 players, one deal after the other; at 2 players the turns
in zone 1 and those in zone 2 are two kinds. Of each round the first position is taken from which at least 2 and at most
64 worlds agree with the mover's view, with 9 live cards at most, that has two legal moves or more, of which none puts
the mover out at once, and in which the exact solver proves the value of every move in every world; kept if some moves,
but not all, have the highest value in each of the worlds. Whether a search finds them is not asked. Until there are
`--each` of each kind. About a minute.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from cython_core.dnup import DnupState
from cython_core.rng import Rng
from cython_core.solver import Solver
from dnup_ai.decks import load_deck

KINDS = ("2.1", "2.2", "3", "4")
WORLDS = 64
CARDS = 9


def sure_moves(view: DnupState, solver: Solver) -> list[str] | None:
    """Return the moves that are best in every world; None if that is not proven."""
    sure = set(view.legal_moves())
    for world in view.worlds(WORLDS):
        solution = solver.solve(world)
        if not solution.exact or not all(move.exact for move in solution.moves) or not solution.moves:
            return None
        best = max(move.value for move in solution.moves)
        sure &= {move.move for move in solution.moves if move.value > best - 1e-9}
    return sorted(map(str, sure))


def kind(state: DnupState) -> str:
    """Return the number of players, at 2 with the zone."""
    position = state.position()
    return f"2.{position.zone}" if position.players == 2 else str(position.players)


def can_be_out(state: DnupState) -> bool:
    """Whether the seat to move has a move that puts it out."""
    seat = state.turn
    for move in state.legal_moves():
        after = state.copy()
        after.apply(move)
        if seat in after.out:
            return True
    return False


def find(state: DnupState, rng: Rng, solver: Solver, wanted: set[str]) -> dict[str, Any] | None:
    """Return the first position of a round that will do, whether or not it is then kept; None if there is none."""
    while state.turn is not None:
        position = state.position()
        cards = sum(map(len, position.hands)) + sum(map(len, position.table))
        moves = state.legal_moves()
        if kind(state) in wanted and cards <= CARDS and len(moves) > 1 and not can_be_out(state):
            view = state.observe(state.turn)
            count = view.count_worlds(WORLDS)
            if count is not None and count > 1 and (sure := sure_moves(view, solver)) is not None:
                return {"kind": kind(state), "position": str(view), "worlds": count, "legal": len(moves), "sure": sure}
        state.apply(state.greedy_move(rng, 0.2))
    return None


def main() -> None:
    """Print the positions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--each", type=int, default=12)
    arguments = parser.parse_args()
    deck = load_deck("standard")
    solver = Solver()
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in KINDS}
    deal = 0
    while wanted := {name for name in KINDS if len(found[name]) < arguments.each}:
        for players in sorted({int(name[0]) for name in wanted}):
            state = deck.rules(players).deal(Rng(arguments.seed, deal))
            made = find(state, Rng(arguments.seed, deal, players, 0), solver, wanted)
            if made is not None and 0 < len(made["sure"]) < made["legal"]:
                found[made["kind"]].append(made)
        deal += 1
    print(json.dumps([made for name in KINDS for made in found[name]], indent=1))


if __name__ == "__main__":
    main()
