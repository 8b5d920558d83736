"""The answer of `dnup-ai suggest` as a person reads it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from cython_core.game import State
    from dnup_ai.beliefs import SeatBelief
    from dnup_ai.games import Game
    from dnup_ai.suggestions import Suggestion

WIDTH = 80
_IN_WORDS = 3  # moves whose continuation and reasons are told


def answer_table(game: Game, answer: Suggestion, rows: int | None = None) -> Table:
    """Return the moves, best first, with what they are worth."""
    table = Table()
    table.add_column("move", overflow="fold")
    table.add_column("match won" if answer.utility == "match" else game.points, justify="right")
    table.add_column("95%", justify="right", no_wrap=True)
    has_second = any(move.second > 0 for move in answer.moves)
    for name in ("1st", "2nd", "neither") if has_second else ("1st", "not"):
        table.add_column(name, justify="right")
    table.add_column("tried", justify="right")
    table.add_column("")
    for place, move in enumerate(answer.moves[:rows]):
        chances = (move.first, move.second, move.neither) if has_second else (move.first, move.neither)
        low, high = move.interval
        table.add_row(
            move.move,
            _value(answer, move.value),
            f"{_value(answer, low)} to {_value(answer, high)}",
            *(f"{100 * chance:.0f}%" for chance in chances),
            f"{100 * move.share:.0f}%",
            "best" if place == 0 else "equal" if move.equal else "",
        )
    return table


def print_answer(game: Game, view: State, answer: Suggestion, legal: int, option: str = "") -> None:
    """Print it all: the table, the best moves in words with their reasons, and how it came about.

    legal: how many moves there are; option: that of the command which shows more of them, if it has one.
    """
    from dnup_ai.reasons import line_words

    best = answer.best
    if not answer.searched:
        print(f"{answer.bot} does not search: it plays {best.move}, and has no values to show; seed {answer.seed}")
        return
    console = Console(highlight=False, markup=False)
    console.print(answer_table(game, answer))
    if legal > len(answer.moves):
        print(f"{legal - len(answer.moves)} more of {legal} legal moves are not shown" + (option and f" ({option})"))
    equal = [move.move for move in answer.moves if move.equal]
    if equal:
        _wrapped(f"Equal to {best.move}, as far as the search can tell: {', '.join(equal)}.")
    for number, move in enumerate(answer.moves[:_IN_WORDS], 1):
        print()
        line = [game.parse_move(view.rules, text) for text in move.line]
        _wrapped(f"{number}. {line_words(game, view, line)}.", "   ")
        if move.reasons:
            _wrapped(f"   {'; '.join(move.reasons)}.", "   ")
    print()
    print(_origin(answer))


def _origin(answer: Suggestion) -> str:
    stops = {"wall": "time is up", "stopped": "ended early", "decided": "decided", "cpu": "time is up"}
    ended = stops.get(answer.stopped_by)
    parts = [
        f"{answer.bot}: {answer.iterations:,} iterations in {answer.seconds:.1f} s" + (f", {ended}" if ended else "")
    ]
    worlds = "equally likely" if answer.belief == "uniform" else "weighed by the opponents' moves"
    return "; ".join([*parts, f"worlds {worlds}", f"seed {answer.seed}"])


def _value(answer: Suggestion, value: float) -> str:
    return f"{100 * value:.1f}%" if answer.utility == "match" else f"{value:.2f}"


def _wrapped(text: str, indent: str = "") -> None:
    for line in textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False):
        print(line)


def print_beliefs(beliefs: Sequence[SeatBelief]) -> None:
    """Print what each opponent may hold: chances of the cards, and of how many of each value can be played."""
    for belief in beliefs:
        print()
        print(f"seat {belief.seat} may hold, in %:")
        cells = [f"{card} {100 * chance:.0f}" for card, chance in belief.cards.items()]
        _wrapped("   " + ", ".join(cells), "   ")
        table = Table(title=f"cards that seat {belief.seat} can play, %", title_justify="left")
        most = max(map(len, belief.values.values()), default=0)
        table.add_column("value")
        for number in range(most):
            table.add_column(str(number), justify="right")
        for value, chances in belief.values.items():
            cells = [f"{100 * chance:.0f}" for chance in chances]
            table.add_row(value, *cells, *[""] * (most - len(cells)))
        Console(highlight=False, markup=False).print(table)
