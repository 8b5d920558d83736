"""The plots of a report, one function each: from plain numbers to SVG for a page (`svg.inline_svg`).

All take `name`, which begins the ids of the plot, and `title`, which says what it shows. Rows run from top to bottom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tournaments.report.data import Bin, Running
from tournaments.report.svg import COLOURS, FONT, LINES, WIDTH, inline_svg, new_figure, page_style
from tournaments.results import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 28
_CELL = 40
_SMALL_CELL = 30
# With more bots the bands hide each other.
_BANDS = 5
# Of fewer deals an interval may be wider than all there is.
_SURE = 5
# The strongest shade on which the ink can be read in both themes.
_SHADE = 0.5
_STYLES = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))


def dots(
    name: str,
    title: str,
    labels: Sequence[str],
    values: Sequence[float | None],
    intervals: Sequence[Interval | None],
    axis: str,
    least: float,
    reference: float | None = None,
) -> str:
    """Return a row for each label with a dot for its value and a line for its interval.

    least: what the axis shows at least, so that next to nothing does not look like much; reference: a dashed line.
    """
    with page_style():
        figure = new_figure(_ROW * len(labels) + 58)
        axes = figure.subplots()
        if reference is not None:
            axes.axvline(reference, color=COLOURS["soft"], linestyle=(0, (4, 3)), linewidth=1)
        for row, (value, interval) in enumerate(zip(values, intervals, strict=True)):
            if interval is not None and all(map(math.isfinite, interval)):
                axes.plot(interval, [row, row], color=COLOURS["accent"], linewidth=2.5, solid_capstyle="butt")
                for end in interval:
                    axes.plot([end, end], [row - 0.16, row + 0.16], color=COLOURS["accent"], linewidth=1.5)
            if value is not None and math.isfinite(value):
                axes.plot([value], [row], "o", color=COLOURS["accent"], markersize=7, markeredgewidth=0)
        _rows(axes, labels)
        axes.grid(axis="x")
        axes.set_xlabel(axis)
        low, high = axes.dataLim.intervalx
        if not (math.isfinite(low) and math.isfinite(high)):
            low = high = 0.0
        if high - low < least:
            middle = (low + high) / 2
            low, high = middle - least / 2, middle + least / 2
        axes.set_xlim(low - 0.06 * (high - low), high + 0.06 * (high - low))
        axes.locator_params(axis="x", nbins=5)
        return inline_svg(figure, name, title)


def shaded(
    name: str,
    title: str,
    labels: Sequence[str],
    columns: Sequence[str],
    shades: Sequence[Sequence[float | None]],
    texts: Sequence[Sequence[str]],
    axis: str,
) -> str:
    """Return a table of shaded cells; shades: -1 (the colour for less) to 1 (that for more), None for no cell."""
    from matplotlib.patches import Rectangle

    most = max(len(text) for row in texts for text in row)
    cell = max(_CELL if len(columns) <= 5 else _SMALL_CELL, 8 * most + 6)
    left = 8.5 * max(map(len, labels)) + 12
    wide = left + cell * len(columns)
    with page_style():
        figure = new_figure(min(_CELL, cell) * len(labels) + 62, max(wide, WIDTH))
        axes = figure.subplots()
        for row, (shades_of_row, texts_of_row) in enumerate(zip(shades, texts, strict=True)):
            for column, (shade, text) in enumerate(zip(shades_of_row, texts_of_row, strict=True)):
                if shade is not None:
                    colour = COLOURS["more" if shade > 0 else "less"]
                    place = (column - 0.47, row - 0.47)
                    alpha = _SHADE * min(abs(shade), 1.0)
                    axes.add_patch(Rectangle(place, 0.94, 0.94, facecolor=colour, edgecolor="none", alpha=alpha))
                    axes.add_patch(
                        Rectangle(place, 0.94, 0.94, facecolor="none", edgecolor=COLOURS["grid"], linewidth=0.7)
                    )
                axes.text(column, row, text, ha="center", va="center_baseline")
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_xticks(range(len(columns)), columns)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel(axis)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        _rows(axes, labels)
        return inline_svg(figure, name, title, min_width=0.85 * wide if wide > WIDTH else 0)


def convergence(name: str, title: str, labels: Sequence[str], running: Running, axis: str) -> str:
    """Return a line for each bot of its mean as deals go by, and a band for the interval if there are few bots."""
    with page_style():
        figure = new_figure(max(250, 19 * len(labels) + 60))
        axes = figure.subplots()
        # The first deals are all luck, and would leave no room for the rest.
        start, later = len(running.deals) // 25, len(running.deals) // 8
        sure = [place for place, deals in enumerate(running.deals) if deals >= _SURE]
        shown = [value for row in running.means for value in row[start:]]
        if len(labels) <= _BANDS:
            shown += [row[place] for rows in (running.low, running.high) for row in rows for place in sure[later:]]
        shown = [value for value in shown if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(shown), max(shown)
        margin = 0.06 * (high - low) or 0.1
        axes.set_ylim(low - margin, high + margin)
        for index, means in enumerate(running.means):
            colour = COLOURS[LINES[index % len(LINES)]]
            style = _STYLES[index % len(_STYLES)]
            axes.plot(running.deals, means, color=colour, linestyle=style, linewidth=2)
            if len(running.deals) == 1:
                axes.plot(running.deals, means, "o", color=colour, markersize=6)
            if len(labels) <= _BANDS:
                deals, lows, highs = (
                    [row[place] for place in sure] for row in (running.deals, running.low[index], running.high[index])
                )
                axes.fill_between(deals, lows, highs, color=colour, alpha=0.16, linewidth=0)
        axes.set_xlim(min(1, running.deals[-1] - 1), running.deals[-1])
        _name_lines(axes, labels, [means[-1] for means in running.means])
        axes.set_xlabel("deals")
        axes.set_ylabel(axis)
        axes.grid(axis="y")
        axes.locator_params(axis="x", nbins=4, integer=True)
        return inline_svg(figure, name, title)


def histogram(name: str, title: str, bins: Sequence[Bin], mean: float) -> str:
    """Return bars of how many rounds took how many turns, with a dashed line at the mean; the last one may be open."""
    with page_style():
        figure = new_figure(210)
        axes = figure.subplots()
        width = 1 if bins[0].last is None else bins[0].last - bins[0].first + 1
        for found in bins:
            colour = COLOURS["less" if found.last is None else "accent"]
            axes.bar(found.first - 0.5, found.rounds, width=0.92 * width, align="edge", color=colour)
        if mean < bins[-1].first + width:
            axes.axvline(mean, color=COLOURS["ink"], linestyle=(0, (4, 3)), linewidth=1.2)
        if bins[-1].last is None:
            axes.annotate(
                f"{bins[-1].first}+",
                (bins[-1].first - 0.5 + width / 2, max(found.rounds for found in bins[-2:])),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
            )
        axes.set_xlabel("turns")
        axes.set_ylabel("rounds")
        axes.grid(axis="y")
        axes.locator_params(axis="x", nbins=6, integer=True)
        axes.locator_params(axis="y", nbins=5, integer=True)
        return inline_svg(figure, name, title)


def times(name: str, title: str, labels: Sequence[str], values: Sequence[float | None], texts: Sequence[str]) -> str:
    """Return a row for each label with its milliseconds a move; on a scale of powers of ten if they differ much."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    positive = [value for value in values if value is not None and value > 0]
    powers = bool(positive) and max(positive) > 30 * min(positive)
    with page_style():
        figure = new_figure(_ROW * len(labels) + 58)
        axes = figure.subplots()
        if powers:
            axes.set_xscale("log")
        for row, (value, text) in enumerate(zip(values, texts, strict=True)):
            if value is None or (powers and value <= 0):
                continue
            if powers:
                axes.plot([value], [row], "o", color=COLOURS["accent"], markersize=7, markeredgewidth=0)
            else:
                axes.barh(row, value, height=0.5, color=COLOURS["accent"])
            axes.annotate(text, (value, row), xytext=(6, 0), textcoords="offset points", va="center_baseline")
        if powers:
            # Room for the number beside the last dot.
            low, high = math.log10(min(positive)), math.log10(max(positive))
            axes.set_xlim(10 ** (low - 0.08 * (high - low)), 10 ** (high + 0.35 * (high - low)))
            axes.xaxis.set_major_locator(LogLocator(10, numticks=6))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.minorticks_off()
        else:
            axes.set_xlim(0, 1.35 * max(positive, default=1.0))
            axes.locator_params(axis="x", nbins=5)
        _rows(axes, labels)
        axes.grid(axis="x")
        axes.set_xlabel("ms a move")
        return inline_svg(figure, name, title)


def likelihood(name: str, title: str, history: Sequence[tuple[int, float]], lower: float, upper: float) -> str:
    """Return the log likelihood ratio of a sequential test as deals go by, between its two bounds."""
    with page_style():
        figure = new_figure(220)
        axes = figure.subplots()
        for bound, text, side in ((upper, "H1 accepted above", "bottom"), (lower, "H0 accepted below", "top")):
            axes.axhline(bound, color=COLOURS["soft"], linestyle=(0, (4, 3)), linewidth=1.2)
            axes.annotate(
                text, (0.02, bound), xycoords=("axes fraction", "data"), xytext=(0, 3 if side == "bottom" else -3),
                textcoords="offset points", va=side,
            )  # fmt: skip
        axes.plot(*zip(*[(0, 0.0), *history], strict=True), color=COLOURS["accent"], linewidth=2)
        axes.plot(*history[-1], "o", color=COLOURS["accent"], markersize=7, markeredgewidth=0)
        ends = [lower, upper, *(ratio for _, ratio in history)]
        margin = 0.17 * (max(ends) - min(ends))
        axes.set_ylim(min(ends) - margin, max(ends) + margin)
        axes.set_xlim(0, 1.03 * history[-1][0])
        axes.set_xlabel("deals")
        axes.set_ylabel("log likelihood ratio")
        axes.grid(axis="y")
        axes.locator_params(axis="x", nbins=5, integer=True)
        return inline_svg(figure, name, title)


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _name_lines(axes: Axes, labels: Sequence[str], values: Sequence[float]) -> None:
    """Write the label of each line at its right end, those that would lie on each other moved apart."""
    low, high = axes.get_ylim()
    height = max(250, 19 * len(labels) + 60) - 60
    room = (FONT + 3) / height
    order = sorted(
        (index for index, value in enumerate(values) if math.isfinite(value)), key=lambda index: values[index]
    )
    places = [min(max((values[index] - low) / (high - low), 0.0), 1.0) for index in order]
    for index in range(1, len(places)):
        places[index] = max(places[index], places[index - 1] + room)
    # What was pushed out at the top comes down again, and pushes the others.
    top = 1.0
    for index in reversed(range(len(places))):
        places[index] = min(places[index], top)
        top = places[index] - room
    for index, place in zip(order, places, strict=True):
        axes.annotate(
            labels[index], (1.02, place), xycoords="axes fraction", color=COLOURS[LINES[index % len(LINES)]],
            va="center", annotation_clip=False,
        )  # fmt: skip
