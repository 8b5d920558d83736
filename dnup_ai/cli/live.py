"""What a tournament shows while it is played: progress and standings on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tournaments.config import Tournament
    from tournaments.ledger import Ledger

_LINE_SECONDS = 10.0
_BAR_SECONDS = 0.1
_TABLE_SECONDS = 3.0
# Standings cost time that is not played in: at most this share.
_TABLE_SHARE = 0.05


@contextmanager
def live(tournament: Tournament, ledger: Ledger, quiet: bool) -> Iterator[Callable[[], None]]:
    """Yield a function to call when games were added to the ledger, as often as you like.

    All goes to standard error; with `quiet` nothing does.
    """
    if quiet:
        yield lambda: None
    elif not sys.stderr.isatty():
        yield _plain_lines(tournament, ledger)
    else:
        with _screen(tournament, ledger) as show:
            yield show


def _plain_lines(tournament: Tournament, ledger: Ledger) -> Callable[[], None]:
    began = last = perf_counter()
    before = -1

    def show() -> None:
        nonlocal last, before
        if before < 0:
            before = 0 if ledger.games < 2 else ledger.games
        if (now := perf_counter()) - last >= _LINE_SECONDS:
            last = now
            print(_progress(tournament, ledger, before, now - began), file=sys.stderr, flush=True)

    return show


def _progress(tournament: Tournament, ledger: Ledger, before: int, seconds: float) -> str:
    done, total = ledger.games, tournament.game_count
    rate = (done - before) / max(seconds, 1e-9)
    left = (total - done) / rate if rate else 0.0
    faults = f", {len(ledger.faults)} faults" if ledger.faults else ""
    test = f", {_test(ledger)}" if ledger.test is not None else ""
    return f"{done} of {total} games, {rate:.3g} games/s, {left:.0f} s left{faults}{test}"


def _test(ledger: Ledger) -> str:
    assert ledger.test is not None
    result = ledger.test.result()
    return f"LLR {result.llr:+.2f} of {result.lower:.2f} to {result.upper:.2f}"


@contextmanager
def _screen(tournament: Tournament, ledger: Ledger) -> Iterator[Callable[[], None]]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from dnup_ai.cli.standings import standings_table
    from tournaments.standings import quick_summary

    console = Console(stderr=True)
    bar = Progress(
        BarColumn(16),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("played,"),
        TimeRemainingColumn(),
        TextColumn("left{task.fields[note]}"),
        console=console,
    )
    task = bar.add_task("", total=tournament.game_count, note="")
    began = perf_counter()
    last_bar = last_table = 0.0
    wait = _TABLE_SECONDS
    before: int | None = None
    # Room for the bar, the frame of the table, and a line that says how many bots are not shown.
    rows = max(1, console.height - 8)

    with Live(bar, console=console, transient=True, refresh_per_second=2) as screen:

        def show() -> None:
            nonlocal last_bar, last_table, wait, before
            now = perf_counter()
            if before is None:
                before = ledger.games
                bar.reset(task, total=tournament.game_count, completed=before)
            if now - last_bar < _BAR_SECONDS:
                return
            last_bar = now
            notes = [f"{(ledger.games - before) / (now - began):.3g}/s"]
            notes += [f"{len(ledger.faults)} faults"] if ledger.faults else []
            notes += [_test(ledger)] if ledger.test is not None else []
            bar.update(task, completed=ledger.games, note="".join(f", {note}" for note in notes))
            if now - last_table >= wait and ledger.whole_deals():
                screen.update(Group(bar, standings_table(quick_summary(ledger), rows)))
                last_table = perf_counter()
                wait = max(_TABLE_SECONDS, (last_table - now) / _TABLE_SHARE)

        try:
            yield show
        finally:
            # What is taken off the screen in the end must fit on it.
            screen.update(bar)
