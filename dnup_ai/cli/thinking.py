"""What a search shows on a terminal while it goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dnup_ai.games import Game
    from dnup_ai.suggestions import Suggestion

_ROWS = 5


@contextmanager
def live_answer(game: Game, quiet: bool) -> Iterator[Callable[[Suggestion], None] | None]:
    """Yield a function to call with the answer so far, None if nothing is to be shown: all goes to standard error."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console, Group
    from rich.live import Live

    from dnup_ai.cli.answers import answer_table

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as screen:

        def show(answer: Suggestion) -> None:
            done = f"{answer.iterations:,} iterations, {answer.seconds:.1f} s; Ctrl-C: answer now"
            screen.update(Group(answer_table(game, answer, _ROWS), done), refresh=True)

        yield show
