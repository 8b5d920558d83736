"""How the results of a study look in the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from dnup_ai.cli.tune_live import Shown
    from tournaments.tune.summary import Raced, StudySummary

SURE = 0.05
"""A pair of parameters is shown where the chance of as much by luck is below this."""


def print_found(summary: StudySummary, path: Path, seconds: float, report: Path | None, as_json: bool) -> None:
    """Print what a study found; path: of its games, seconds: that this session took."""
    from rich.console import Console

    if as_json:
        print(json.dumps({**summary.to_dict(), "complete": True, "seconds": seconds, "store": str(path)}, indent=2))
        return
    console = Console(highlight=False, markup=False)
    if summary.race:
        console.print(race_table(summary.race, summary.settings))
    console.print(_landscape_table(summary))
    for line in _lines(summary, path, seconds, report):
        console.print(line, soft_wrap=True)


def print_stopped(shown: Shown, path: Path, seconds: float, error: BaseException | None, as_json: bool) -> None:
    """Print how far a study is that something has stopped, and how to go on with it."""
    from tournaments.store import holds_games
    from tournaments.tune.commands import resume_study

    remedy = resume_study(path) if holds_games(path) else None
    if as_json:
        found: dict[str, Any] = {
            "settings": shown.study.to_dict(), "complete": False, "phase": shown.phase(), "games": shown.counts.done,
            "resume": remedy, "seconds": seconds, "store": str(path),
        }  # fmt: skip
        print(json.dumps(found, indent=2))
        return
    why = "Ctrl-C" if isinstance(error, KeyboardInterrupt) else "an error"
    print(f"stopped by {why} after {shown.counts.done} games, in the {shown.phase()}")
    print("nothing is proven yet, so nothing is recommended")
    if remedy:
        print(f"go on with: {remedy}")


def race_table(race: Sequence[Raced], settings: dict[str, Any]) -> Table:
    """Return the table of a race: of each setting what is not as in the default."""
    from rich.table import Table

    table = Table(title=f"race: {points(settings)} more than the default", title_justify="left")
    table.add_column("setting", overflow="fold")
    for column in ("mean", "95%", "deals"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in race:
        ends = "" if row.interval is None else span(row.interval)
        table.add_row(row.changes(settings), f"{row.mean:+.3f}", ends, str(row.deals))
    return table


def _landscape_table(summary: StudySummary) -> Table:
    """What the parameters are worth: of each the level that looks best."""
    from rich.table import Table

    from dnup_ai.params import value_text

    table = Table(title="what parameters are worth, the most telling first", title_justify="left")
    table.add_column("parameter", overflow="fold")
    for column in ("p", "looks best", "over default", "95%"):
        table.add_column(column, justify="right", no_wrap=True)
    for found in summary.landscape.parameters:
        known = [effect for effect in found.effects if effect.mean is not None]
        cells = ["-", "-", ""]
        if len(known) > 1:  # the default's is always known, and best of itself alone
            best = max(known, key=lambda effect: effect.mean or 0.0)
            ends = "" if best.interval is None else span(best.interval)
            cells = [value_text(best.levels[0]), f"{best.mean:+.3f}" if ends else "default", ends]
        table.add_row(*found.names, p_text(found.p_value), *cells)
    for found in summary.landscape.pairs:
        if found.p_value < SURE:
            table.add_row(" x ".join(found.names), p_text(found.p_value), "", "", "")
    return table


def p_text(value: float) -> str:
    """Return a chance by luck."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def points(settings: dict[str, Any]) -> str:
    """Return what is counted, in words."""
    from dnup_ai.games import game_named

    return "matches won" if settings["unit"] == "match" else f"{game_named(settings['game']).points} a round"


def span(ends: tuple[float, float]) -> str:
    """Return an interval as text."""
    return f"{ends[0]:+.3f} to {ends[1]:+.3f}"


def _lines(summary: StudySummary, path: Path, seconds: float, report: Path | None) -> list[str]:
    from dnup_ai.games import game_named
    from tournaments.store import MEMORY

    lines = [*_verdict(summary)]
    phases = ", ".join(f"{name} {games}" for name, games in summary.games.items())
    lines.append(f"games: {phases}; {seconds:.1f} s")
    if summary.faults:
        lines.append(f"{summary.faults} games ended by a fault: those of the bot that is tuned count as lost")
    lines.append(f"repeat with: {summary.command}")
    if path != MEMORY:
        lines.append(f"games in {path}")
    if report is not None:
        lines.append(f"page with plots: {report}")
    settings = summary.settings
    note = game_named(settings["game"]).deck_note(settings["deck"]["name"])
    return [*lines, note] if note else lines


def _verdict(summary: StudySummary) -> list[str]:
    """What may be believed, and what to do."""
    what = points(summary.settings)
    unseen = ""
    if summary.test is not None and summary.gain is not None and summary.interval is not None:
        unseen = f" {summary.gain:+.3f} {what}, 95% {span(summary.interval)}, on {summary.test.deals} unseen deals"
    if summary.recommended is not None:
        lines = [f"better: {summary.winner} than {summary.default} by{unseen}", f"recommended: {summary.recommended}"]
        default = dict(zip(summary.values, summary.settings["default"], strict=True))
        changed = {name for name, value in summary.values.items() if value != default[name]}
        sure = [found.names[0] for found in summary.landscape.parameters if found.p_value < SURE]
        telling = ", ".join(name for name in sure if name in changed) or "none of them alone"
        return [*lines, f"of the parameters that it changes, more than luck shows of: {telling}"]
    keep = f"nothing is recommended: keep {summary.default}"
    if summary.verdict == "worse":
        return [f"worse: {summary.winner} than {summary.default} by{unseen}", keep]
    if summary.winner == summary.default:
        return ["no proof of a gain: no setting came out of the race ahead of the default", keep]
    if summary.test is None:
        return [f"no proof of a gain: {summary.winner} won the race, and was not tested on unseen deals", keep]
    return [f"no proof of a gain: {summary.winner} less {summary.default} is{unseen}", keep]
