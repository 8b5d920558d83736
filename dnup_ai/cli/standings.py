"""How the results of a tournament look in the terminal."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tournaments.config import Tournament
    from tournaments.sprt import SprtResult
    from tournaments.standings import Pair, Standing, Summary

_FAULT_WIDTH = 400
_MATRIX_BOTS = 8
_FEW_DEALS = 10
_BOT_WIDTH, _NUMBER_WIDTH = 10, 6
"""Columns are not narrower, even if the table is then wider than the terminal; 6 holds ±0.123."""


def print_json(summary: Summary, runs: Sequence[Tournament], **more: Any) -> None:
    """Print all of a summary as JSON; runs: what was played, each with a seed of its own; more: further keys."""
    from tournaments.commands import repeat_command

    played = [{"seed": run.seed, "deals": run.deals, "command": repeat_command(run.to_dict())} for run in runs]
    command = repeat_command(summary.settings)
    print(json.dumps({**summary.to_dict(), "command": command, "runs": played, **more}, indent=2))


def print_summary(summary: Summary, runs: Sequence[Tournament], seconds: float | None = None) -> None:
    """Print the tables of a summary and what there is to say about it, to standard output.

    runs: what was played, each with a seed of its own; seconds: how long it took to play.
    """
    from rich.console import Console

    from dnup_ai.games import game_named
    from tournaments.commands import repeat_command

    console = Console(highlight=False, markup=False)
    console.print(standings_table(summary), crop=False)
    if summary.singles:
        console.print(_singles_table(summary), crop=False)
    if 2 < len(summary.bots) <= _MATRIX_BOTS:
        console.print(_ahead_table(summary), crop=False)
    for line in _lines(summary, seconds):
        console.print(line, soft_wrap=True)
    if summary.test is not None:
        _say_test(console, summary.test)
    settings = summary.settings
    for run in runs:
        console.print(f"seed {run.seed}; repeat with: {repeat_command(run.to_dict())}", soft_wrap=True)
    if note := game_named(settings["game"]).deck_note(settings["deck"]["name"]):
        console.print(note, soft_wrap=True)


def print_test(result: SprtResult, as_json: bool) -> None:
    """Print what a sequential test says."""
    from rich.console import Console

    if as_json:
        print(json.dumps(asdict(result), indent=2))
    else:
        _say_test(Console(highlight=False, markup=False), result)


def standings_table(summary: Summary, rows: int | None = None) -> Table:
    """Return the table of standings; rows: of so many bots at most, and how many there are more."""
    from rich.table import Table

    from dnup_ai.games import game_named

    settings = summary.settings
    game = game_named(settings["game"])
    form = settings["format"] + (f", {settings['lineup']}" if settings["format"] == "head-to-head" else "")
    title = (
        f"{game.name}, {settings['players']} players, deck {settings['deck']['name']}, {form}, "
        f"{_count(summary.deals, 'deal')}"
    )
    table = Table(title=title, title_justify="left")
    columns = ["won" if settings["unit"] == "match" else f"{game.points}/round", "Elo", "1st"]
    # With two players nobody comes second.
    columns += ["2nd"] if settings["players"] > 2 and settings["unit"] == "round" else []
    columns += ["games"] + (["faults"] if summary.faults else [])
    _add_columns(table, ["bot"], columns)
    for standing in summary.standings[:rows]:
        table.add_row(_spec_text(standing.bot), *_cells(standing, settings, bool(summary.faults)))
    if rows is not None and len(summary.standings) > rows:
        table.add_row(f"and {len(summary.standings) - rows} more")
    return table


def _add_columns(table: Table, bots: Sequence[str], numbers: Sequence[str]) -> None:
    """Add columns of bots and of numbers; on a narrow terminal numbers break at their ±, before bots are lost."""
    for name in bots:
        table.add_column(name, overflow="fold", min_width=_BOT_WIDTH)
    for name in numbers:
        table.add_column(name, justify="right", overflow="fold", min_width=min(len(name), _NUMBER_WIDTH))


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


def _singles_table(summary: Summary) -> Table:
    from rich.table import Table

    table = Table(title="one seat against the rest", title_justify="left")
    _add_columns(table, ["one", "rest"], ["1st of one", "Elo", "95%"])
    for single in summary.singles:
        ends = single.elo_interval
        interval = "-" if ends is None else f"{ends[0]:+.0f} to {ends[1]:+.0f}"
        table.add_row(
            _spec_text(single.one),
            _spec_text(single.rest),
            f"{100 * single.share:.1f}%",
            f"{single.elo:+.0f}",
            interval,
        )
    return table


def _ahead_table(summary: Summary) -> Table:
    """How often the bot of the line finished ahead of that of the column; a star marks what the ratings exclude."""
    from rich.table import Table

    bots = [standing.bot for standing in summary.standings]
    table = Table(title="finished ahead of, %", title_justify="left")
    _add_columns(table, ["bot"], [str(index + 1) for index in range(len(bots))])
    pairs = {(pair.one, pair.other): pair for pair in summary.pairs}
    for index, one in enumerate(bots):
        cells = []
        for other in bots:
            pair = pairs.get((one, other))
            if pair is None:
                cells.append("" if one == other else "-")
                continue
            half = "" if pair.interval is None else f"±{50 * (pair.interval[1] - pair.interval[0]):.0f}"
            cells.append(f"{100 * pair.observed:.0f}{half}{'*' if _off(pair) else ''}")
        table.add_row(_spec_text(f"{index + 1} {one}"), *cells)
    return table


def _off(pair: Pair) -> bool:
    """Whether the ratings do not explain how the pair did."""
    return pair.excess_interval is not None and not pair.excess_interval[0] <= 0 <= pair.excess_interval[1]


def _cells(standing: Standing, settings: dict[str, Any], faults: bool) -> list[str]:
    match = settings["unit"] == "match"

    def number(value: float | None) -> str:
        if value is None:
            return "-"
        return f"{100 * value:.1f}%" if match else f"{value:.3f}"

    # Half the width of an interval is easier to read than both ends.
    def give(interval: tuple[float, float] | None, text: Callable[[float], str]) -> str:
        return "" if interval is None else f" ±{text((interval[1] - interval[0]) / 2)}"

    cells = [number(standing.mean) + give(standing.interval, number)]
    elo = "-" if standing.elo is None else f"{standing.elo:+.0f}"
    cells += [elo + give(standing.elo_interval, "{:.0f}".format)]
    cells += [_share(standing.first)]
    cells += [_share(standing.second)] if settings["players"] > 2 and not match else []
    return [*cells, str(standing.games), *([str(standing.faults)] if faults else [])]


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


def _lines(summary: Summary, seconds: float | None) -> list[str]:
    settings = summary.settings
    matches = f"{_count(summary.games, 'match', 'matches')} ({summary.undecided} undecided), "
    took = "" if seconds is None else f" in {seconds:.1f} s"
    lines = [
        f"{matches if settings['unit'] == 'match' else ''}{_count(summary.rounds, 'round')} on "
        f"{_count(summary.deals, 'deal')}{took}, {summary.turns:.1f} turns a round",
        "rounds ended: " + (", ".join(f"{end} {count}" for end, count in summary.ends.items()) or "none"),
    ]
    for found in summary.differences if len(summary.bots) <= _MATRIX_BOTS else ():
        if found.difference is not None:
            half = "" if found.interval is None else f" ±{(found.interval[1] - found.interval[0]) / 2:.3f}"
            lines.append(
                f"{found.one} less {found.other}: {found.difference:+.3f}{half} a seat, "
                f"on {_count(found.deals, 'deal')}"
            )
    if 2 < len(summary.bots) <= _MATRIX_BOTS and any(map(_off, summary.pairs)):
        lines.append("*: not what the ratings expect, at 95% (of 20 such numbers one is by chance)")
    if summary.variance_reduction is not None and math.isfinite(summary.variance_reduction):
        lines.append(f"playing deals more than once was worth {summary.variance_reduction:.2f} times as many games")
    if summary.left_out:
        counted = "do not count" if summary.deals else "count, as no deal was played in full"
        lines.append(f"{_count(summary.left_out, 'game')} of unfinished deals or after the test: {counted}")
    if summary.warning is not None:
        lines.append(f"warning: {summary.warning}")
    if summary.spoilt_games:
        lines.append(
            f"{_count(summary.spoilt_games, 'game')} with a fault, on {_count(summary.spoilt_deals, 'deal')}, left out "
            "of Elo and pairs: if faults come when a bot is losing, these flatter it"
        )
    if summary.deals < _FEW_DEALS:
        lines.append(f"fewer than {_FEW_DEALS} whole deals: intervals mean little")
    for bot, kinds in summary.fault_counts.items():
        lines.append(f"faults of {bot}: " + ", ".join(f"{kind} {count}" for kind, count in kinds.items()))
    if summary.faults:
        fault = summary.faults[0]
        who = fault.bot or "the worker"
        lines.append(
            f"first fault: game {fault.game}, {who}, {fault.kind}: {textwrap.shorten(fault.message, _FAULT_WIDTH)}"
        )
    return lines


def _say_test(console: Console, result: SprtResult) -> None:
    from tournaments.sprt import VERDICTS

    lines = [
        f"sequential test: {VERDICTS[result.verdict]}",
        f"  log likelihood ratio {result.llr:+.2f} after {_count(result.deals, 'deal')}; H0 at {result.lower:.2f}, "
        f"H1 at {result.upper:.2f}",
    ]
    for name, value, interval in (
        ("mean difference, like all above biased by the stopping", result.mean, result.mean_interval),
        ("median-unbiased", result.estimate, result.estimate_interval),
        ("the same as t", result.estimate_t, result.estimate_t_interval),
    ):
        if value is not None:
            ends = "" if interval is None else f", 95% {interval[0]:+.3f} to {interval[1]:+.3f}"
            lines.append(f"  {name}: {value:+.3f}{ends}")
    for line in lines:
        console.print(line, soft_wrap=True)


def _count(number: int, one: str, more: str | None = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"
