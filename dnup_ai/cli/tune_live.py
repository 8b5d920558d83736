"""What a study shows while it is played: phase, games and the best so far, on a terminal or now and then as a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from dnup_ai.params import value_text

if TYPE_CHECKING:
    from rich.table import Table

    from tournaments.tune.config import Study
    from tournaments.tune.playing import Counts
    from tournaments.tune.race import RaceRound
    from tournaments.tune.space import Setting
    from tournaments.tune.study import ConfirmationLook, Event, SearchIteration

_LINE_SECONDS = 10.0
_BAR_SECONDS = 0.1


class Shown:
    """How far a study is: the last event of each phase, and the games."""

    def __init__(self, study: Study) -> None:
        from tournaments.tune.playing import Counts

        self.study = study
        self.counts: Counts = Counts()
        self.searched: SearchIteration | None = None
        self.raced: RaceRound | None = None
        self.looked: ConfirmationLook | None = None
        self.began = perf_counter()

    def note(self, event: Event | None, counts: Counts) -> None:
        """Take note of an event, or that games were played."""
        from tournaments.tune.race import RaceRound
        from tournaments.tune.study import ConfirmationLook, SearchIteration

        self.counts = counts
        if isinstance(event, SearchIteration):
            self.searched = event
        elif isinstance(event, RaceRound):
            self.raced = event
        elif isinstance(event, ConfirmationLook):
            self.looked = event

    def phase(self) -> str:
        """Return in words where the study is, and what is best so far."""
        if self.looked is not None:
            result = self.looked.result
            return (
                f"confirmation of {self.values(self.winner)}: {self.looked.deals} of at most {self.looked.max_deals} "
                f"deals, LLR {result.llr:+.2f} of {result.lower:.2f} to {result.upper:.2f}"
            )
        if self.raced is not None:
            if self.raced.number == self.raced.rounds:
                confirmed = self.study.confirm is not None and self.winner != self.study.space.default
                return f"{'confirmation of' if confirmed else 'end of the race, won by'} {self.values(self.winner)}"
            ahead = self.raced.standings[0]
            return (
                f"race, round {self.raced.number + 1} of {self.raced.rounds}, {len(self.raced.racing)} left, ahead "
                f"{self.values(ahead.setting)}"
            )
        if self.searched is not None:
            found = self.searched
            of = "" if found.iterations is None else f" of {found.iterations}"
            if found.number == found.iterations:
                return "race, round 1"
            return f"search, iteration {found.number + 1}{of}, best so far {self.values(found.best)}"
        return "search, iteration 1"

    @property
    def winner(self) -> Setting:
        """Return who leads the race, or has won it."""
        assert self.raced is not None
        return self.raced.racing[0]

    def values(self, setting: Setting) -> str:
        """Return what a setting has other than the default."""
        space = self.study.space
        default = space.values(space.default)
        changed = {name: value for name, value in space.values(setting).items() if value != default[name]}
        return ", ".join(f"{name}={value_text(value)}" for name, value in changed.items()) or "the default"

    @property
    def games(self) -> str:
        """Return how many games there are, and how fast they come."""
        counts, study = self.counts, self.study
        of = "" if study.games is None or counts.done > study.games or self.looked else f" of {study.games}"
        rate = counts.played / max(perf_counter() - self.began, 1e-9)
        faults = f", {counts.faults} faults" if counts.faults else ""
        return f"{counts.done}{of} games, {rate:.3g}/s{faults}"


@contextmanager
def live(shown: Shown, quiet: bool) -> Iterator[Callable[[Event | None, Counts], None]]:
    """Yield a function to call with events, or None, as often as you like.

    All goes to standard error; with `quiet` nothing does.
    """
    if quiet:
        yield shown.note
    elif not sys.stderr.isatty():
        yield _plain_lines(shown)
    else:
        with _screen(shown) as show:
            yield show


def _plain_lines(shown: Shown) -> Callable[[Event | None, Counts], None]:
    last = perf_counter()

    def show(event: Event | None, counts: Counts) -> None:
        nonlocal last
        shown.note(event, counts)
        if (now := perf_counter()) - last >= _LINE_SECONDS:
            last = now
            print(f"{shown.games}; {shown.phase()}", file=sys.stderr, flush=True)

    return show


@contextmanager
def _screen(shown: Shown) -> Iterator[Callable[[Event | None, Counts], None]]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.text import Text

    from dnup_ai.cli.tune_summary import race_table
    from tournaments.tune.summary import raced

    console = Console(stderr=True)
    bar = Progress(BarColumn(16), TimeElapsedColumn(), TextColumn("{task.fields[note]}"), console=console)
    # The confirmation may end at any look: it has no bar.
    task = bar.add_task("", total=shown.study.games, note="")
    last = 0.0
    table: Table | None = None
    rows = max(1, console.height - 8)

    with Live(bar, console=console, transient=True, refresh_per_second=2) as screen:

        def show(event: Event | None, counts: Counts) -> None:
            nonlocal last, table
            shown.note(event, counts)
            if event is None and perf_counter() - last < _BAR_SECONDS:
                return
            last = perf_counter()
            bar.update(task, completed=counts.done, note=shown.games)
            if event is not None and event is shown.raced:
                table = race_table(
                    [raced(shown.study, found) for found in shown.raced.standings][:rows], shown.study.to_dict()
                )
            phase = Text(shown.phase())
            screen.update(Group(bar, phase) if table is None else Group(bar, phase, table))

        try:
            yield show
        finally:
            # What is taken off the screen in the end must fit on it.
            screen.update(bar)
