"""Reports of a tournament: one page that works offline, Markdown, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any

from dnup_ai.games import game_named
from tournaments.commands import repeat_command, resume_command
from tournaments.ledger import Ledger
from tournaments.report import record, sprt, strength
from tournaments.report.blocks import Block, Code, Faults, Plot, Section, Shown, Table, Text, clean, count, listed
from tournaments.report.record import RunShown
from tournaments.sprt import VERDICTS
from tournaments.standings import Summary, summarise
from tournaments.store import Store

# Where a long spec may break: not in a number, nor in a time of day.
_PART = re.compile(r"(?<=\w)[:,=/](?=[A-Za-z_.])|(?<=[A-Za-z_])[:,=/](?=\d)")


@dataclass(frozen=True, slots=True)
class Report:
    """A report before it is written: a title, what matters most in a few sentences, and the rest."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]


def html_report(store: Store, ledger: Ledger) -> str:
    """Return a page with everything in it: no address outside, nothing that runs, for screens of any size and paper.

    store: open; ledger: with its games, of all its runs. What users and bots wrote is text in it, whatever it holds.
    """
    return html_page(_report(store, ledger), "Tournament report")


def html_page(report: Report, kind: str) -> str:
    """Return a report as such a page; kind: in small letters above the title."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    files = resources.files("tournaments.report") / "templates"
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_finalize
    )
    environment.filters["breakable"] = _breakable
    template = environment.from_string((files / "report.html").read_text(encoding="utf-8"))
    return template.render(
        report=report,
        kind=kind,
        style=Markup((files / "report.css").read_text(encoding="utf-8")),
        draw=lambda plot: Markup(plot.draw(plot.name, clean(plot.title))),
    )


def markdown_report(store: Store, ledger: Ledger) -> str:
    """Return the texts and tables of the page as Markdown, without its plots."""
    report = _report(store, ledger)
    lines = [f"# {_escape(report.title)}", "", *(line for text in report.lead for line in (_escape(text), ""))]
    for section in report.sections:
        lines += [f"## {section.title}", ""]
        for block in section.blocks:
            lines += [*_markdown(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def json_report(store: Store, ledger: Ledger) -> str:
    """Return the summary as JSON, with commands and the times of playing."""
    summary = summarise(ledger)
    runs = _runs(store, ledger)
    complete = all(run.complete for run in runs)
    data = {
        **summary.to_dict(),
        "command": repeat_command(summary.settings),
        "resume": None if complete else resume_command(store.path),
        "runs": [
            {
                "seed": run.settings["seed"],
                "deals": run.settings["deals"],
                "games": run.games,
                "planned": run.planned,
                "command": repeat_command(run.settings),
                "sessions": [asdict(session) for session in run.sessions],
            }
            for run in runs
        ],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


REPORTS: Mapping[str, Callable[[Store, Ledger], str]] = MappingProxyType(
    {"html": html_report, "md": markdown_report, "json": json_report}
)
"""The formats of a report, each a function of the open file of a tournament and the ledger with its games."""


def _report(store: Store, ledger: Ledger) -> Report:
    summary = summarise(ledger)
    shown = Shown.of(summary, ledger.results()[0])
    runs = _runs(store, ledger)
    sections = (
        strength.standings(shown),
        sprt.test(shown),
        strength.pairs(shown),
        record.faults(shown),
        record.played(shown, runs),
        strength.seats(shown),
        strength.convergence(shown),
        record.rounds(shown, ledger.turns),
        record.time(shown),
        record.repeat(shown, runs, resume_command(store.path)),
    )
    game, players = game_named(summary.settings["game"]).name, summary.settings["players"]
    title = f"{game}: {count(len(summary.bots), 'bot')}, {players} at the table"
    return Report(title, _lead(shown, runs), tuple(section for section in sections if section.blocks))


def _runs(store: Store, ledger: Ledger) -> tuple[RunShown, ...]:
    found = []
    for index, run in enumerate(store.runs()):
        games, planned = len(store.numbers(run.number)), run.tournament.game_count
        # A sequential test is over before its last deal; it is that of the first run.
        complete = games >= planned or (index == 0 and ledger.decided)
        settings = run.tournament.to_dict()
        found.append(RunShown(settings, games, planned, complete, tuple(store.sessions(run.number))))
    return tuple(found)


def _lead(shown: Shown, runs: Sequence[RunShown]) -> tuple[str, ...]:
    """What matters most."""
    summary = shown.summary
    rows = [row for row in summary.standings if row.mean is not None]
    done, planned = sum(run.games for run in runs), sum(run.planned for run in runs)
    games = count(done, "match", "matches") if shown.match else count(summary.rounds, "round")
    on = f"{games} on {count(summary.deals, 'whole deal')}"
    lead = []
    made = f"{shown.number(rows[0].mean)} {_of(shown)} in {on}" if rows else ""
    best = [row.bot for row in rows if row.mean == rows[0].mean]
    if not rows:
        lead.append(f"No game counts for any bot, in {on}.")
    elif len(best) > 1:
        lead.append(f"{listed(best)} did equally well, with {made}.")
    else:
        lead.append(f"{best[0]} did best, with {made}." if len(rows) > 1 else f"{best[0]}, alone, had {made}.")
    if len(rows) > 1 == len(best):
        # Where a test has chosen when to stop, what is said of a fixed number of deals is not true.
        more = "" if summary.test is not None else f" {_apart(summary)}"
        lead.append(f"Next is {rows[1].bot} with {shown.number(rows[1].mean)}.{more}")
    if summary.test is not None:
        lead.append(f"Sequential test: {VERDICTS[summary.test.verdict]}.")
    if not all(run.complete for run in runs):
        lead.append(f"The tournament is not complete: {done:,} of {planned:,} games are played.")
    if faults := sum(sum(found.values()) for found in summary.fault_counts.values()):
        lead.append(f"{count(faults, 'game')} ended by a fault.")
    return tuple(lead)


def _of(shown: Shown) -> str:
    return "of its matches won" if shown.match else shown.points


def _apart(summary: Summary) -> str:
    """Whether the first two differ in more than luck, as far as one may say so."""
    first, second = summary.standings[:2]
    ends = None
    for found in summary.differences:
        if {found.one, found.other} == {first.bot, second.bot}:
            ends = found.interval
    if ends is not None:
        return (
            "Deal by deal the difference is more than luck."
            if not ends[0] <= 0 <= ends[1]
            else "Deal by deal the difference may be luck; more deals would tell."
        )
    if first.interval is None or second.interval is None:
        return "There are too few deals to say whether that is more than luck."
    if first.interval[0] > second.interval[1]:
        return "Their 95% intervals are apart, so that is more than luck."
    return "Their 95% intervals overlap, so that may be luck; more deals would tell."


def _finalize(value: Any) -> Any:
    """Take what cannot be seen out of all text, but for markup of the report's own."""
    from markupsafe import Markup

    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _breakable(text: str) -> Any:
    """Markup of a text in which long specs of bots break between their parts."""
    from markupsafe import Markup, escape

    return Markup(_PART.sub(r"\g<0><wbr>", str(escape(clean(text)))))


def _markdown(block: Block) -> list[str]:
    match block:
        case Text():
            return [f"**{_escape(block.text)}**" if block.warning else _escape(block.text)]
        case Table():
            return [_escape(block.caption), "", *_markdown_table(block)]
        case Plot():
            return [f"### {_escape(block.title)}", "", _escape(block.about), "", *_markdown_table(block.table)]
        case Code():
            return [*([f"{_escape(block.hidden)}:", ""] if block.hidden else []), *_fenced(block.text)]
        case Faults():
            lines = []
            for fault in block.faults:
                both = f"{fault.message}\n{fault.traceback}".rstrip()
                lines += [f"### {_escape(fault.title)}", "", *_fenced(both), ""]
            return lines[:-1]


def _markdown_table(table: Table) -> list[str]:
    rules = [":--" if index < table.words else "--:" for index in range(len(table.columns))]
    rows = [table.columns, rules, *table.rows]
    return [f"| {' | '.join(cell if row is rules else _escape(cell) for cell in row)} |" for row in rows]


def _escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    text = " ".join(clean(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_\[\]|~#$])", r"\\\1", text)


def _fenced(text: str) -> list[str]:
    text = clean(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return [fence, *text.split("\n"), fence]
