"""How far a long job is: a bar with the time left on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

_BAR_SECONDS = 0.1
_LINE_SECONDS = 10.0


@contextmanager
def progress(total: int, what: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of `what` that are done, as often as you like.

    All goes to standard error; with `quiet` nothing does.
    """
    if quiet:
        yield lambda done: None
    elif not sys.stderr.isatty():
        yield _throttled(_LINE_SECONDS, _line_printer(total, what))
    else:
        with _bar(total, what) as show:
            yield show


def _throttled(seconds: float, show: Callable[[int], None]) -> Callable[[int], None]:
    last = perf_counter()

    def update(done: int) -> None:
        nonlocal last
        if (now := perf_counter()) - last >= seconds:
            last = now
            show(done)

    return update


def _line_printer(total: int, what: str) -> Callable[[int], None]:
    began = perf_counter()

    def show(done: int) -> None:
        left = (perf_counter() - began) / max(done, 1) * (total - done)
        print(f"{done} of {total} {what}, {left:.0f} s left", file=sys.stderr, flush=True)

    return show


@contextmanager
def _bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield _throttled(_BAR_SECONDS, lambda done: bar.update(task, completed=done))
