"""What the benchmarks share: positions to search, tables in Markdown, and the facts that a reader needs to judge them.

Not a benchmark itself.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from datetime import date

from cython_core.dnup import DnupState
from cython_core.rng import Rng
from dnup_ai.bench import machine
from dnup_ai.decks import load_deck

PLAYERS = (2, 3, 4, 5)
STAGES = {"opening": 0.0, "mid-round": 0.5, "late": 0.75}
"""Which share of a round's turns is played in positions of each kind."""


def positions(players: int, count: int, seed: int, stage: str) -> list[DnupState]:
    """Return positions with a choice to make, as the seat to move sees them, each from another round.

    The rounds are played by the greedy heuristic with a fifth of random moves.
    """
    rules = load_deck("standard").rules(players)
    found: list[DnupState] = []
    deal = 0
    while len(found) < count:
        line = [rules.deal(Rng(seed, deal))]
        rng = Rng(seed, deal, 0, 0)
        while not line[-1].is_over and len(line) < rules.max_turns:
            line.append(line[-1].copy())
            line[-1].apply(line[-1].greedy_move(rng, 0.2))
        state = line[int(STAGES[stage] * len(line))]
        if state.turn is not None and len(state.legal_moves()) > 1:
            found.append(state.observe(state.turn))
        deal += 1
    return found


def load() -> float:
    """Return how many processes wanted a core, on average over the last minute."""
    return os.getloadavg()[0]


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown; columns after the first are set to the right."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def print_report(title: str, *parts: str, load_before: float) -> None:
    """Print the tables and remarks, then the machine, its load, the date and the command."""
    facts = machine()
    command = shlex.join(["python", os.path.relpath(sys.argv[0]), *sys.argv[1:]])
    print(f"## {title}\n")
    for part in parts:
        print(part + "\n")
    print(
        f"{facts['processor']}, {facts['cores']} cores; load {load_before:.1f} before, {load():.1f} after; "
        f"Python {facts['python']}; {date.today().isoformat()}; `{command}`"
    )
