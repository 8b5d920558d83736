"""The page of a study: what it found, how that came about, and what each parameter is worth."""

from __future__ import annotations

from functools import partial

from dnup_ai.games import game_named
from dnup_ai.params import value_text
from tournaments.report import Report, html_page, plots
from tournaments.report.blocks import Code, Plot, Section, Table, Text, count, decimal, span
from tournaments.report.sprt import likelihood_plot, test_table
from tournaments.tune.report_landscape import pairs, parameters
from tournaments.tune.summary import StudySummary, points_of


def study_report(summary: StudySummary) -> str:
    """Return a page with everything in it, as `report.html_report` makes of tournaments."""
    sections = (
        _found(summary), _race(summary), _confirmation(summary), parameters(summary), pairs(summary), _played(summary),
        _repeat(summary),
    )  # fmt: skip
    settings = summary.settings
    players = " and ".join(map(str, settings["players"]))
    title = f"{game_named(settings['game']).name}: tuning {summary.default} at {players} players"
    report = Report(title, _lead(summary), tuple(section for section in sections if section.blocks))
    return html_page(report, "Report of a study")


def _found(summary: StudySummary) -> Section:
    if summary.recommended is None:
        return Section("recommended", "Recommended")
    return Section("recommended", "Recommended", [Code(summary.recommended)])


def _number(value: float | None) -> str:
    return decimal(value, 3, sign=True)


def _lead(summary: StudySummary) -> tuple[str, ...]:
    unseen = ""
    if summary.test is not None and summary.gain is not None:
        unseen = (
            f"{_number(summary.gain)} {points_of(summary)} (95%: {span(summary.interval, _number)}), on "
            f"{count(summary.test.deals, 'deal')} that nothing was chosen on"
        )
    if summary.recommended is not None:
        return (
            f"Better: {summary.winner} is ahead of {summary.default} by {unseen}.",
            f"Recommended: {summary.recommended}",
        )
    keep = f"Nothing is recommended: keep {summary.default}."
    if summary.verdict == "worse":
        return (f"Worse: {summary.winner} won the race by luck; against {summary.default} it makes {unseen}.", keep)
    if summary.winner == summary.default:
        return ("No proof of a gain: no setting came out of the race ahead of the default.", keep)
    if summary.test is None:
        return (f"No proof of a gain: {summary.winner} won the race, and was not tested on unseen deals.", keep)
    return (f"No proof of a gain: against {summary.default}, {summary.winner} makes {unseen}.", keep)


def _race(summary: StudySummary) -> Section:
    section = Section("race", "Race")
    rows = summary.race
    if not rows:
        return section
    changes = [row.changes(summary.settings) for row in rows]
    names = tuple(f"{number} default" if text == "default" else f"{number}" for number, text in enumerate(changes, 1))
    about = (
        "The settings that looked best in the search played on against the default, all on the same fresh deals, and "
        "after each round the better half went on. A dot is how much more than the default a setting made, the line "
        "its 95% interval. The first of many looks better than it is: only the confirmation says how good the winner "
        "is. Settings that left earlier stand further down, with fewer deals."
    )
    section.blocks.append(
        Plot(
            "race-means",
            f"{points_of(summary)[0].upper()}{points_of(summary)[1:]} more than the default",
            about,
            Table(
                "Race",
                ("setting", "mean", "95% interval", "deals"),
                tuple(
                    (name, _number(row.mean), span(row.interval, _number), f"{row.deals:,}")
                    for name, row in zip(names, rows, strict=True)
                ),
            ),
            partial(
                plots.dots, labels=names, values=[row.mean for row in rows], intervals=[row.interval for row in rows],
                axis=points_of(summary), least=0.02, reference=0.0,
            ),
        )
    )  # fmt: skip
    section.blocks.append(
        Table(
            "The settings that raced, and what they have other than the default",
            ("setting", "changes"),
            tuple(zip(names, changes, strict=True)),
            words=2,
        )
    )
    return section


def _confirmation(summary: StudySummary) -> Section:
    section = Section("confirmation", "Confirmation")
    test = summary.test
    if test is None:
        return section
    section.blocks += [
        Text(
            f"The winner of the race, {summary.winner}, against the default on deals that were never used before, by a "
            "sequential test: H0 says that its advantage on a deal, divided by the standard deviation of a deal, is "
            "t0, H1 that it is t1. Above the upper bound H1 is accepted, below the lower one H0."
        ),
        test_table(test, summary.settings["confirm"]),
        Text(f"Note: {test.note}."),
    ]
    if test.history:
        section.blocks.append(likelihood_plot(test))
    return section


def _played(summary: StudySummary) -> Section:
    settings = summary.settings
    rows = [
        ("game", settings["game"]),
        ("deck", settings["deck"]["name"]),
        ("players", ", ".join(map(str, settings["players"]))),
        ("bot", settings["bot"]),
        ("opponents", ", ".join(settings["opponents"])),
        ("line-up", settings["lineup"]),
        ("unit", settings["unit"]),
        ("optimiser", settings["optimiser"]),
        ("iterations of the search", f"{settings['settings']} settings on {settings['deals']} deals each"),
        ("seed", str(settings["seed"])),
        *((f"rule {name}", str(value)) for name, value in settings["rules"].items()),
        *((f"games of the {name}", f"{games:,}") for name, games in summary.games.items()),
        ("games ended by a fault", f"{summary.faults:,}"),
    ]
    levels = tuple(
        (found["name"], value_text(default), ", ".join(map(value_text, found["levels"])))
        for found, default in zip(settings["parameters"], settings["default"], strict=True)
    )
    return Section(
        "played",
        "What was played",
        [
            Table("Settings of the study", ("setting", "value"), tuple(rows), words=2),
            Table("Parameters and their levels", ("parameter", "default", "levels"), levels, words=3),
        ],
    )


def _repeat(summary: StudySummary) -> Section:
    return Section("repeat", "Repeat it", [Code(summary.command)])
