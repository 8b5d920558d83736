"""What tests of the harness share: tournaments, games without times, and commands as a user gives them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.session import play_missing
from tournaments.standings import Summary, summarise
from tournaments.store import MEMORY, Store
from tournaments.table import Played

# As the `dnup-ai` script does; Ctrl-C works even if whoever started the tests ignores it.
COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from dnup_ai.cli import main; main()"
)

Game = tuple[Any, ...]


def tournament(*bots: str, players: int = 3, deals: int = 20, seed: int = 7, **settings: Any) -> Tournament:
    return Tournament(tuple(map(parse_spec, bots)), players, deals, seed, load_deck("standard"), **settings)


def without_times(games: Iterable[Played]) -> list[Game]:
    """Games in the order of the schedule, but for the seconds that they took."""
    stripped = [
        (tuple(row._replace(seconds="") for row in rows), fault and fault._replace(traceback=""))
        for rows, fault in games
    ]
    return sorted(stripped, key=lambda game: game[0][0].game)


def stored(path: Path) -> list[Game]:
    with Store.open(path) as store:
        return [game for run in store.runs() for game in without_times(store.games(run.number))]


def table(summary: Summary) -> dict[str, Any]:
    """All of a summary but for times."""
    data = summary.to_dict()
    for standing in data["standings"]:
        del standing["ms_per_move"]
    for fault in data["faults"]:
        del fault["traceback"]
    return data


def played(settings: Tournament, path: Path = MEMORY, **how: Any) -> tuple[list[Game], dict[str, Any]]:
    """Play a tournament; returns its games and its table."""
    ledger = Ledger(settings)
    with Store.create(path) as store:
        play_missing(settings, store, ledger, **how)
        return without_times(store.games(1)), table(summarise(ledger))


def command(*words: object) -> list[str]:
    return [sys.executable, "-P", "-c", COMMAND, *map(str, words)]


def dnup_ai(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=120, check=False, **options)
