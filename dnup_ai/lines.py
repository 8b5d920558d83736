"""Lines for a person at a terminal: text in which some parts have a role, and the words that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cython_core.game import Move

WIDTH = 80
"""Columns that every screen fits into."""


class Span(NamedTuple):
    """A part of a line. role: `up` (an active value), `turn`, `own`, `quiet` or none; all is clear without it."""

    text: str
    role: str = ""


Line = tuple[Span, ...]


class MoveGroup(NamedTuple):
    """Moves that belong together in a list to choose from: what they are, and each with its words."""

    label: str
    moves: tuple[tuple[Move, str], ...]


def line(*parts: str | Span) -> Line:
    """Return a line of these parts."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def plain(lines: Iterable[Line]) -> str:
    """Return the lines as text, without roles and without blanks at their ends."""
    return "\n".join("".join(span.text for span in found).rstrip() for found in lines)


def seat_name(seat: int, me: int | None) -> str:
    """Return what a seat is called in a text for the person at seat `me`."""
    return "you" if seat == me else f"seat {seat}"


def owner(seat: int, me: int | None) -> str:
    """Return whose something is, in a text for the person at seat `me`."""
    return "your" if seat == me else f"seat {seat}'s"


def does(seat: int, me: int | None, verb: str) -> str:
    """Return who does what, as `you play` or `seat 1 plays`."""
    if seat == me:
        return f"you {verb}"
    return f"seat {seat} {third(verb)}"


def third(verb: str) -> str:
    """Return a verb in the third person, as `plays`, `has`, `is`."""
    return {"are": "is", "have": "has"}.get(verb, verb + "s")


def count(number: int, word: str) -> str:
    """Return how many of something there are, as `1 card` or `3 cards`."""
    return f"{number} {word if number == 1 else word + 's'}"


def short(text: str, width: int) -> str:
    """Return the text, or its begin with three dots, in at most `width` columns."""
    return text if len(text) <= width else text[: width - 3] + "..."


def seat_lines(head: str, turn: bool, own: bool, right: Sequence[str]) -> list[Line]:
    """Return the lines of a seat in the table of a game: a head of 40 columns, and lines to the right of it."""
    role = "turn" if turn else "own" if own else ""
    lines = [line(Span(f"{'>' if turn else ' '} {head:<38}", role), right[0] if right else "")]
    return lines + [line(" " * 40, text) for text in right[1:]]


def seat_title(*columns: str) -> Line:
    """Return the line above the seats: what the figures of `seat_head` are, and what is to the right of them."""
    *figures, right = columns
    return line(Span(f"{'':25}" + "".join(f"{figure:>6}" for figure in figures) + f"   {right}", "quiet"))


def seat_head(seat: int, me: int | None, names: Sequence[str], *figures: str) -> str:
    """Return the head of a seat's lines: seat, name and figures, in columns that all seats share."""
    name = "you" if seat == me else short(names[seat], 15)
    return f"seat {seat}  {name:<15}" + "".join(f"{figure:>6}" for figure in figures)


def card_rows(groups: Sequence[Sequence[tuple[str, str]]], indent: int = 4) -> list[Line]:
    """Return cards in pairs of rows, the active ends above: groups stand apart, long hands go on below."""
    rows: list[tuple[list[Span], str, int]] = []
    upper: list[Span] = []
    lower, width = "", indent
    for group in groups:
        for number, (active, inactive) in enumerate(group):
            gap = 3 if number == 0 and width > indent else 0
            if width + gap + 4 > WIDTH:
                rows.append((upper, lower, width))
                upper, lower, width, gap = [], "", indent, 0
            upper.append(Span(" " * gap + f"{active:<4}", "up"))
            lower += " " * gap + f"{inactive:<4}"
            width += gap + 4
    rows.append((upper, lower, width))
    lines: list[Line] = []
    for above, below, _ in rows:
        lines += [(Span(" " * indent), *above), line(" " * indent + below)]
    return lines


def wrapped(label: str, words: Iterable[str], indent: int | None = None) -> list[Line]:
    """Return lines of words behind a label; further lines begin below the first word, or at `indent`."""
    start = " " * (len(label) if indent is None else indent)
    lines = [label]
    for word in words:
        if len(lines[-1].rstrip()) + len(word) + 1 > WIDTH and lines[-1].strip():
            lines.append(start)
        lines[-1] += word + " "
    return [line(text.rstrip()) for text in lines]
