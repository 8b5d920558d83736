"""The sections of a report on who is how strong: standings, who beats whom, seats, and means as deals go by."""

from __future__ import annotations

import math
from functools import partial

from tournaments.report import plots
from tournaments.report.blocks import (
    Block,
    Plot,
    Section,
    Shown,
    Table,
    Text,
    count,
    decimal,
    elo,
    percent,
    span,
)
from tournaments.report.data import means_by_seat, running_means


def standings(shown: Shown) -> Section:
    """Return the standings, and plots of the mean points and of the ratings."""
    rows = shown.summary.standings
    second = shown.summary.settings["players"] > 2 and not shown.match
    blocks: list[Block] = [
        Table(
            f"Standings, by {shown.points}. Plots call the bots by the numbers in front of them.",
            ("bot", shown.points, "95% interval", "Elo", "95% interval", "first")
            + (("second",) if second else ())
            + ("games", "faults"),
            tuple(
                (name, shown.number(row.mean), shown.interval(row.interval), elo(row.elo), span(row.elo_interval, elo))
                + (percent(row.first),)
                + ((percent(row.second),) if second else ())
                + (f"{row.games:,}", f"{row.faults:,}")
                for name, row in zip(shown.names, rows, strict=True)
            ),
        )
    ]
    if warning := shown.summary.warning:
        blocks.append(Text(f"About the ratings: {warning}", warning=True))
    values, intervals = [shown.scaled(row.mean) for row in rows], [shown.scaled_interval(row.interval) for row in rows]
    axis = f"{shown.points}, %" if shown.match else shown.points
    blocks.append(
        Plot(
            "mean-points",
            f"{shown.points[0].upper()}{shown.points[1:]}: means and 95% intervals",
            "Cards are luck, so a mean is never exact. The line around a dot is the range in which the true mean most "
            "likely is: of 100 such ranges about 95 hold it. Bots whose ranges are apart differ in more than luck. "
            "Dashed: the mean of all seats.",
            Table(
                f"Mean {shown.points}",
                ("bot", "mean", "95% interval"),
                tuple(
                    (name, shown.number(row.mean), shown.interval(row.interval))
                    for name, row in zip(shown.names, rows, strict=True)
                ),
            ),
            partial(
                plots.dots, labels=shown.labels, values=values, intervals=intervals, axis=axis,
                reference=shown.scaled(shown.mean), least=shown.scaled(0.02) or 0.0,
            ),
        )
    )  # fmt: skip
    if any(row.elo is not None for row in rows):
        blocks.append(
            Plot(
                "ratings",
                "Ratings (Elo) and 95% intervals",
                "A rating counts only who finished first and second, not how many points that gave, and allows for "
                "seats. 0 is the mean of these bots. A bot that is rated 100 above another finishes ahead of it in "
                "about 64 of 100 games between the two, one rated 200 above in 76.",
                Table(
                    "Ratings (Elo)",
                    ("bot", "Elo", "95% interval"),
                    tuple(
                        (name, elo(row.elo), span(row.elo_interval, elo))
                        for name, row in zip(shown.names, rows, strict=True)
                    ),
                ),
                partial(
                    plots.dots, labels=shown.labels, values=[row.elo for row in rows],
                    intervals=[row.elo_interval for row in rows], axis="Elo", reference=0, least=10,
                ),
            )
        )  # fmt: skip
    return Section("standings", "Standings", blocks)


def pairs(shown: Shown) -> Section:
    """Return who finished ahead of whom, and differences between two bots where they were what was played for."""
    summary = shown.summary
    section = Section("pairs", "Bot against bot")
    number = {row.bot: index for index, row in enumerate(summary.standings)}
    names = {row.bot: name for row, name in zip(summary.standings, shown.names, strict=True)}
    found = {(number[pair.one], number[pair.other]): pair for pair in summary.pairs}
    if found:
        size = len(shown.labels)
        shades: list[list[float | None]] = [[None] * size for _ in range(size)]
        texts = [[""] * size for _ in range(size)]
        for (one, other), pair in found.items():
            shades[one][other] = 2 * pair.observed - 1
            texts[one][other] = f"{100 * pair.observed:.0f}{'*' if _unexpected(pair.excess_interval) else ''}"
        section.blocks.append(
            Plot(
                "ahead",
                "How often one finished ahead of another, in %",
                "Read along a row: in so many of 100 games with both at the table the bot of the row finished ahead of "
                "the bot of the column. Blue is more than half, orange less. A star marks what the ratings do not "
                "explain: this bot does better or worse against that one than their ratings say, as in "
                "rock-paper-scissors. (Of 20 pairs about one gets a star by luck alone.)",
                Table(
                    "How often one finished ahead of another",
                    ("bot", "ahead of", "games", "observed", "95% interval", "expected", "difference",
                     "95% interval", "star"),
                    tuple(
                        (
                            names[pair.one], names[pair.other], f"{pair.games:,}", percent(pair.observed),
                            span(pair.interval, percent), percent(pair.expected), percent(pair.excess, sign=True),
                            span(pair.excess_interval, lambda value: percent(value, sign=True)),
                            "*" if _unexpected(pair.excess_interval) else "",
                        )
                        for _, pair in sorted(found.items())
                    ),
                    words=2,
                ),
                partial(
                    plots.shaded, labels=shown.labels, columns=[str(index + 1) for index in range(size)], shades=shades,
                    texts=texts, axis="ahead of bot",
                ),
            )
        )  # fmt: skip
    if differences := [one for one in summary.differences if one.difference is not None]:
        section.blocks += [
            Text(
                f"Two bots that play the same deals can be compared deal by deal, which takes out much of the luck: "
                f"{shown.points} of a seat of the one less those of a seat of the other. An interval that does not "
                "reach over 0 says that they differ."
            ),
            Table(
                "Differences on the same deals",
                ("bot", "less", "difference", "95% interval", "deals"),
                tuple(
                    (
                        names[one.one], names[one.other], shown.number(one.difference, sign=True),
                        shown.interval(one.interval, sign=True), f"{one.deals:,}",
                    )
                    for one in differences
                ),
                words=2,
            ),
        ]  # fmt: skip
    if summary.singles:
        players = summary.settings["players"]
        section.blocks += [
            Text(f"One seat against the same bot at all the others; equal ones would be first in 1 of {players}."),
            Table(
                "One seat against the rest",
                ("one", "rest", "games", "first", "95% interval", "Elo", "95% interval"),
                tuple(
                    (
                        names[one.one], names[one.rest], f"{one.games:,}", percent(one.share),
                        span(one.interval, percent), elo(one.elo), span(one.elo_interval, elo),
                    )
                    for one in summary.singles
                ),
                words=2,
            ),
        ]  # fmt: skip
    return section


def _unexpected(excess: tuple[float, float] | None) -> bool:
    return excess is not None and not excess[0] <= 0 <= excess[1]


def seats(shown: Shown) -> Section:
    """Return what seats are worth, and what each bot made at each of them."""
    section = Section("seats", "Seats")
    effects = shown.summary.seats
    labels = tuple(f"seat {seat.seat}" for seat in effects)
    if effects and shown.results.clean.any():
        section.blocks.append(
            Plot(
                "seat-effects",
                "What a seat is worth, in Elo, with 95% intervals",
                "How much being at this seat helps or hurts, whoever sits there. Every bot sits at "
                "every seat equally often, so this is no advantage for any of them.",
                Table(
                    "What a seat is worth (Elo)",
                    ("seat", "Elo", "95% interval"),
                    tuple(
                        (label, elo(seat.elo), span(seat.interval, elo))
                        for label, seat in zip(labels, effects, strict=True)
                    ),
                ),
                partial(
                    plots.dots, labels=labels, values=[seat.elo for seat in effects],
                    intervals=[seat.interval for seat in effects], axis="Elo", reference=0, least=10,
                ),
            )
        )  # fmt: skip
    means = [means_by_seat(shown.results, len(shown.order))[bot] for bot in shown.order]
    values = [cell.mean for row in means for cell in row if cell.mean is not None]
    if not values:
        return section
    middle = shown.mean or 0.0
    # Small differences stay pale.
    reach = max(0.25 * middle, *(abs(value - middle) for value in values)) or 1.0
    columns = tuple(f"seat {seat}" for seat in range(shown.results.seats))
    section.blocks.append(
        Plot(
            "by-seat",
            f"{shown.points[0].upper()}{shown.points[1:]} by bot and seat" + (", %" if shown.match else ""),
            "Blue is more, orange less than the mean of all seats; what is pale hardly differs from it.",
            Table(
                f"Mean {shown.points} by bot and seat",
                ("bot", "seat", "mean", "95% interval", "games"),
                tuple(
                    (name, column, shown.number(cell.mean), shown.interval(cell.interval), f"{cell.games:,}")
                    for name, row in zip(shown.names, means, strict=True)
                    for column, cell in zip(columns, row, strict=True)
                ),
                words=2,
            ),
            partial(
                plots.shaded, labels=shown.labels, columns=[str(index) for index in range(len(columns))],
                shades=[[None if cell.mean is None else (cell.mean - middle) / reach for cell in row] for row in means],
                texts=[[decimal(shown.scaled(cell.mean), 0 if shown.match else 2) for cell in row] for row in means],
                axis="seat",
            ),
        )
    )  # fmt: skip
    return section


def convergence(shown: Shown) -> Section:
    """Return how the means settled as deals went by."""
    section = Section("convergence", "As deals went by")
    if len(shown.results.deals) < 2:
        return section
    running = running_means(shown.results, len(shown.order))
    for table in (running.means, running.low, running.high):
        table[:] = [[100 * value if shown.match else value for value in table[bot]] for bot in shown.order]
    digits = 1 if shown.match else 3
    what = f"{shown.points}, %" if shown.match else shown.points
    few = len(shown.order) <= 5
    section.blocks.append(
        Plot(
            "running-means",
            f"{what[0].upper()}{what[1:]}: means after so many deals",
            "Each line is the mean of a bot over all deals so far. Lines that are level at the right have settled; "
            "those that still cross or drift need more deals."
            + (" The bands are 95% intervals, which narrow with the square root of the deals." if few else ""),
            Table(
                f"Mean {what} after so many deals, with half the width of the 95% interval",
                ("deals", *shown.names),
                tuple(
                    (f"{deals:,}", *(_with_half(mean, high, digits) for mean, high in zip(means, highs, strict=True)))
                    for deals, means, highs in zip(
                        running.deals, zip(*running.means, strict=True), zip(*running.high, strict=True), strict=True
                    )
                ),
            ),
            partial(plots.convergence, labels=shown.labels, running=running, axis=what),
        )
    )  # fmt: skip
    section.blocks.append(
        Text(f"Counted are the {count(len(shown.results.deals), 'deal')} of the standings, in their order.")
    )
    return section


def _with_half(mean: float, high: float, digits: int) -> str:
    text = decimal(mean, digits)
    return text if not math.isfinite(high) else f"{text} ±{decimal(high - mean, digits)}"
