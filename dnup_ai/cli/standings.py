"""How the results of a tournament look in the terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from tournaments.config import Tournament
    from tournaments.standings import Standing, Summary

_FAULT_WIDTH = 400


def print_summary(tournament: Tournament, summary: Summary, seconds: float, command: str) -> None:
    """Print the table of standings and what there is to say about the run, to standard output.

    seconds: how long it took; command: the one that repeats it.
    """
    from rich.console import Console

    from dnup_ai.games import game_named

    console = Console(highlight=False, markup=False)
    console.print(_table(tournament, summary))
    if summary.duels:
        console.print(_duel_table(summary))
    for line in _lines(summary, seconds):
        console.print(line, soft_wrap=True)
    console.print(f"seed {tournament.seed}; repeat with: {command}", soft_wrap=True)
    if note := game_named(tournament.game).deck_note(tournament.deck.name):
        console.print(note, soft_wrap=True)


def _table(tournament: Tournament, summary: Summary) -> Table:
    from rich.table import Table

    from dnup_ai.games import game_named

    title = (
        f"{game_named(tournament.game).name}, {tournament.players} players, deck {tournament.deck.name}, "
        f"line-up {tournament.lineup}, "
        f"{_count(tournament.deals, 'deal')}"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("bot", overflow="fold")
    points = game_named(tournament.game).points
    columns = ["matches won" if summary.unit == "match" else f"{points}/round", "95%", "1st"]
    # With two players nobody comes second.
    columns += ["2nd"] if tournament.players > 2 else []
    columns += ["games", "faults"]
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for standing in summary.standings:
        table.add_row(_spec_text(standing.bot), *_cells(standing, summary.unit, tournament.players))
    return table


def _spec_text(spec: str, width: int = 19) -> Text:
    """The spec of a bot, broken between its parameters where it is long."""
    import re

    from rich.text import Text

    lines = [""]
    for piece in re.split(r"(?<=[:,])", spec):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return Text("\n".join(lines))


def _duel_table(summary: Summary) -> Table:
    from rich.table import Table

    table = Table(title="one seat against the rest", title_justify="left")
    for column in ("one", "rest"):
        table.add_column(column, overflow="fold")
    for column in ("1st of one", "Elo", "95%"):
        table.add_column(column, justify="right", no_wrap=True)
    for duel in summary.duels:
        ends = duel.elo_interval
        interval = "-" if ends is None else f"{ends[0]:+.0f} to {ends[1]:+.0f}"
        table.add_row(
            _spec_text(duel.one), _spec_text(duel.rest), f"{100 * duel.share:.1f}%", f"{duel.elo:+.0f}", interval
        )
    return table


def _cells(standing: Standing, unit: str, players: int) -> list[str]:
    def number(value: float | None) -> str:
        if value is None:
            return "-"
        return f"{100 * value:.1f}%" if unit == "match" else f"{value:.3f}"

    # The interval is symmetric; half its width is easier to read than both ends.
    half = None if standing.interval is None else (standing.interval[1] - standing.interval[0]) / 2
    interval = "-" if half is None else f"±{number(half)}"
    cells = [number(standing.mean), interval, f"{100 * standing.first:.1f}%"]
    cells += [f"{100 * standing.second:.1f}%"] if players > 2 else []
    return [*cells, str(standing.games), str(standing.faults)]


def _lines(summary: Summary, seconds: float) -> list[str]:
    matches = f"{_count(summary.games, 'match', 'matches')} ({summary.undecided} undecided), "
    rounds = _count(summary.rounds, "round")
    lines = [
        f"{matches if summary.unit == 'match' else ''}{rounds} on {_count(summary.deals, 'deal')} in "
        f"{seconds:.1f} s, {summary.turns:.1f} turns a round",
        "rounds ended: " + (", ".join(f"{end} {count}" for end, count in summary.ends.items()) or "none"),
    ]
    if summary.partial_games:
        counted = "left out of the table" if summary.deals else "in the table, as no deal was played in full"
        lines.append(f"{_count(summary.partial_games, 'game')} of an unfinished deal: {counted}")
    if summary.first_fault is not None:
        bot, fault = summary.first_fault
        lines.append(f"first fault: {bot}, {fault.kind}: {textwrap.shorten(fault.message, _FAULT_WIDTH)}")
    return lines


def _count(number: int, one: str, more: str | None = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
