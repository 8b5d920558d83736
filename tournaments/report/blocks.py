"""What a report is made of, whatever it is written as: sections of text, tables, plots, code and faults."""

from __future__ import annotations

import math
import posixpath
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import shorten

from dnup_ai.games import game_named
from tournaments.results import Interval, Results
from tournaments.standings import Summary

NONE = "–"
"""What stands where there is no number."""
_LABEL = 13
_FIRST_LINE = 80


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; a warning stands out."""

    text: str
    warning: bool = False
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the first `words` columns are text and the first one names the row, the others are numbers."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with its numbers.

    name: for ids; title: above it; about: how to read it; draw: takes the name and the title, returns SVG.
    """

    name: str
    title: str
    about: str
    table: Table
    draw: Callable[[str, str], str]
    kind: str = "plot"


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be copied as it is; hidden: a title to open it by, if it is long."""

    text: str
    hidden: str = ""
    kind: str = "code"


@dataclass(frozen=True, slots=True)
class FaultText:
    """A fault: who did it and when, its message, and the traceback if it has one."""

    title: str
    message: str
    traceback: str

    @property
    def first_line(self) -> str:
        """Return the beginning of the message."""
        return shorten(self.message, _FIRST_LINE, placeholder="…")


@dataclass(frozen=True, slots=True)
class Faults:
    """A list of faults."""

    faults: tuple[FaultText, ...]
    kind: str = "faults"


Block = Text | Table | Plot | Code | Faults


@dataclass(slots=True)
class Section:
    """A part of a report; one without blocks is left out."""

    name: str
    title: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Shown:
    """What all sections need to know.

    results: the games that count; order: the bots' indices, best first; names: of the bots in this order, with the
    numbers that plots know them by; labels: the same, short enough for plots.
    """

    summary: Summary
    results: Results
    order: tuple[int, ...]
    names: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, summary: Summary, results: Results) -> Shown:
        """Return it for the results of a tournament."""
        bots = [row.bot for row in summary.standings]
        return cls(
            summary,
            results,
            tuple(summary.bots.index(bot) for bot in bots),
            tuple(f"{number} {bot}" for number, bot in enumerate(bots, 1)),
            tuple(f"{number} {short(bot)}" for number, bot in enumerate(bots, 1)),
        )

    @property
    def match(self) -> bool:
        """Whether matches are what counts."""
        return bool(self.summary.settings["unit"] == "match")

    @property
    def mean(self) -> float | None:
        """Return the mean points of all seats that count, None without any."""
        seats = int(self.results.counts.sum())
        return float((self.results.points * self.results.counts).sum()) / seats if seats else None

    @property
    def points(self) -> str:
        """What a bot makes, in words."""
        return "matches won" if self.match else f"{clean(game_named(self.summary.settings['game']).points)} a round"

    def number(self, value: float | None, sign: bool = False) -> str:
        """Return points, or the share of matches won, as text."""
        return percent(value, sign=sign) if self.match else decimal(value, 3, sign)

    def scaled(self, value: float | None) -> float | None:
        """Return points as a plot has them: matches in percent."""
        return value if value is None or not self.match else 100 * value

    def interval(self, ends: Interval | None, sign: bool = False) -> str:
        """Return an interval of points as text."""
        return span(ends, lambda value: self.number(value, sign))

    def scaled_interval(self, ends: Interval | None) -> Interval | None:
        """Return an interval of points as a plot has it."""
        return None if ends is None else ((100 * ends[0], 100 * ends[1]) if self.match else ends)


def decimal(value: float | None, digits: int, sign: bool = False) -> str:
    """Return a number with so many digits after the point, a dash for none; sign: also before positive ones."""
    if value is None or math.isnan(value):
        return NONE
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    value = round(value, digits) + 0.0
    return f"{value:{'+' if sign and value else ''}.{digits}f}".replace("-", "−")


def percent(value: float | None, digits: int = 1, sign: bool = False) -> str:
    """Return a share as a percentage."""
    return NONE if value is None else f"{decimal(100 * value, digits, sign)}%"


def elo(value: float | None) -> str:
    """Return a rating."""
    return decimal(value, 0, sign=True)


def amount(value: float | None) -> str:
    """Return a number of any size with three digits that count."""
    if value is None or not math.isfinite(value):
        return NONE
    value = float(f"{value:.3g}") if abs(value) < 1000 else value
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{min(max(digits, 0), 9)}f}"


def span(ends: Interval | None, text: Callable[[float], str]) -> str:
    """Return an interval as text."""
    return NONE if ends is None else f"{text(ends[0])} to {text(ends[1])}"


def count(number: int, one: str, more: str | None = None) -> str:
    """Return a number with its word."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """Return words with commas, and an `and` before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def short(name: str) -> str:
    """Return a name that fits beside a plot: of a file only its own name, of parameters only the values."""
    head, dot, rest = name.partition(".py:")
    name = posixpath.basename(head) + dot + rest if dot else name
    name = " ".join(clean(re.sub(r"[:,]\w+=", " ", name)).split())
    return name if len(name) <= _LABEL else name[: _LABEL - 1].rstrip(" :") + "…"


def clean(text: str) -> str:
    """Return text of anybody's without characters that are not seen, and change what is: controls, lone surrogates."""
    return re.sub(r"[^\n\t -~]", lambda found: _visible(found[0]), text)


def _visible(character: str) -> str:
    kind = unicodedata.category(character)
    bidirectional = unicodedata.bidirectional(character) in (
        "LRE",
        "RLE",
        "LRO",
        "RLO",
        "PDF",
        "LRI",
        "RLI",
        "FSI",
        "PDI",
    )
    return "\N{REPLACEMENT CHARACTER}" if kind in ("Cc", "Cs", "Cn") or bidirectional else character
