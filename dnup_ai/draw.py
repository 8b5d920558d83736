"""A position drawn for a person: every card with both its ends, what everybody knows marked."""

from __future__ import annotations

from collections.abc import Iterable

from cython_core.dnup import DnupState
from cython_core.position import Card, Hand

LEGEND = (
    "Upper row: active values. Everybody knows the cards with + and their way up,\n"
    "those with ~ but not their way up; ? is a card that this view cannot name."
)


def draw_state(state: DnupState) -> str:
    """Return the position as text of several lines, at most 80 columns wide.

    Every card shows its active value above its inactive one.
    """
    position = state.position()
    seen = "the true state" if position.view is None else f"as seat {position.view} sees it"
    lines = [f"dnup, {position.players} players, deck {position.deck}, {seen}", ""]
    for seat in range(position.players):
        lines += _seat_lines(state, seat)
    gone = [f"{low}/{high}" for low, high in position.gone] + ["?"] * position.gone_hidden
    lines += wrap("discarded: ", gone or ["none"])
    if any(hand.cards or hand.hidden for hand in position.hands):
        lines += ["", LEGEND]
    return "\n".join(lines)


def _seat_lines(state: DnupState, seat: int) -> list[str]:
    position = state.position()
    hand = position.hands[seat]
    notes = [f"{position.tokens[seat]} {plural('round' if position.players == 2 else 'token', position.tokens[seat])}"]
    if seat in position.out:
        notes.append(f"out {('first', 'second')[position.out.index(seat)]}")
    else:
        notes.append(f"{len(hand)} {plural('card', len(hand))}")
    if position.turn == seat:
        notes.append("to move" if position.players > 2 else f"to move in zone {position.zone}")
    lines = [f"{'>' if position.turn == seat else ' '} seat {seat}: {', '.join(notes)}"]
    if len(hand):
        lines += two_rows("hand", _hand_ends(hand, position.view not in (None, seat)))
    for zone in _zones_of(position.players, seat):
        cards = position.table[zone]
        if cards:
            label = "set" if position.players > 2 else f"zone {zone % 2 + 1}"
            lines += two_rows(label, [_ends(card) for card in cards])
    return [*lines, ""]


def _zones_of(players: int, seat: int) -> Iterable[int]:
    return (2 * seat, 2 * seat + 1) if players == 2 else (seat,)


def _ends(card: Card) -> tuple[str, str]:
    return str(card[0]), str(card[1])


def _hand_ends(hand: Hand, strangers: bool) -> list[tuple[str, str]]:
    """The two ends of each card; of a card whose way up the reader does not know both bear the mark."""
    ends = [
        (f"{card.active}{card.mark}", f"{card.inactive}{card.mark if strangers and card.mark == '~' else ''}")
        for card in hand.cards
    ]
    return ends + [("?", "?")] * hand.hidden


def two_rows(label: str, ends: list[tuple[str, str]]) -> list[str]:
    """Active values in the upper row, inactive ones below; at most 16 cards a pair of rows."""
    lines = []
    for first in range(0, len(ends), 16):
        part = ends[first : first + 16]
        for row, name in ((0, label if first == 0 else ""), (1, "")):
            lines.append(f"    {name:<8}" + "".join(f"{end[row]:<4}" for end in part).rstrip())
    return lines


def plural(word: str, number: int) -> str:
    """The word for so many of them."""
    return word if number == 1 else word + "s"


def wrap(label: str, words: list[str]) -> list[str]:
    """Lines of words behind a label, at most 80 columns wide."""
    lines = [label]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > 80:
            lines.append(" " * len(label))
        lines[-1] += word + " "
    return [line.rstrip() for line in lines]
