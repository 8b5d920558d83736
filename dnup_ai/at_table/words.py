"""Reading what a person types: words that know their columns, and cards of dnup among them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from cython_core.position import Card
from dnup_ai.notation.cards import pair_of, plain_card
from dnup_ai.notation.scan import Piece


def words_of(text: str, field: str) -> list[Piece]:
    """Return the words of a text, which blanks and commas separate, each with its column from 1."""
    return [Piece(field, match[0], match.start() + 1) for match in re.finditer(r"[^\s,]+", text)]


def cards_in_play(pieces: Sequence[Piece], in_play: Collection[Card], of: str) -> list[Card]:
    """Return the cards that the words name, each as it lies and once.

    in_play: the cards there are, lower value first; of: whose they are, for errors. Raises NotationError.
    """
    cards: list[Card] = []
    for piece in pieces:
        card = plain_card(piece)
        if pair_of(card) not in in_play:
            piece.fault(f"a card {of}")
        if pair_of(card) in map(pair_of, cards):
            piece.fault("each card once")
        cards.append(card)
    return cards


def seat_in(text: str, players: int, field: str) -> int:
    """Return the seat that a text names, from 0; raises NotationError."""
    return Piece(field, text.strip(), 1).number(0, players - 1, "a seat")


def card_text(cards: Sequence[Card]) -> str:
    """Return the cards as a person reads them."""
    return " ".join(f"{active}/{inactive}" for active, inactive in cards)


def number_of(count: int, word: str) -> str:
    """Return so many of a thing in words."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def refusal(view_seat: int | None, seat: int, done: str, kind: str, why: str) -> str:
    """Return why a seat cannot do what was typed.

    view_seat: the reader; done: to what, or nothing; kind: a verb and its participle, as `play played`.
    """
    verb, participle = kind.split()
    if view_seat == seat:
        return f"you cannot {verb}{' ' + done if done else ''}: {why}"
    if not done:
        return f"seat {seat} cannot {verb}: {why}"
    return f"{done} cannot be {participle} by seat {seat}: {why}"
