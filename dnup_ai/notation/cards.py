"""Strict reading of the cards in positions and moves of dnup (docs/notation.md)."""

from __future__ import annotations

import re

from cython_core.position import Card
from dnup_ai.decks import Deck
from dnup_ai.notation.scan import Piece

_CARD = re.compile(r"([1-9][0-9]?)([/~])([1-9][0-9]?)([+~]?)")


def zone_index(piece: Piece, players: int) -> int:
    """The index in the table of a zone as it is written: `1.2` at 2 players, else `1`."""
    if players > 2:
        return piece.number(0, players - 1, "a seat")
    match = re.fullmatch(r"([01])\.([12])", piece.text)
    if match is None:
        piece.fault("a zone, 0.1, 0.2, 1.1 or 1.2")
    return int(match[1]) * 2 + int(match[2]) - 1


def pair_of(card: Card) -> Card:
    return min(card), max(card)


def marked_card(piece: Piece, expected: str = "a card like 3/7") -> tuple[Card, str, str]:
    """The card, the sign between its values and its mark."""
    match = _CARD.fullmatch(piece.text)
    if match is None:
        piece.fault(expected)
    card = int(match[1]), int(match[3])
    if card[0] == card[1]:
        piece.fault("a card with two different values")
    return card, match[2], match[4]


def plain_card(piece: Piece, expected: str = "a card like 3/7") -> Card:
    card, sign, mark = marked_card(piece, expected)
    if sign != "/" or mark:
        piece.fault("a card without a mark, like 3/7")
    return card


def check_in_set(piece: Piece, card: Card, others: list[Card]) -> None:
    if others and card[0] != others[0][0]:
        piece.fault(f"a card with the active value {others[0][0]} of its set")


class CardLedger:
    """Which cards in play a position names, where: at the end each must be somewhere, once."""

    def __init__(self, deck: Deck, players: int) -> None:
        """Raises DeckError if there is no such game of this deck."""
        self._deck = deck
        self._players = players
        self._in_play = frozenset(deck.cards_at(players))
        self._named: set[Card] = set()
        self._repeated: list[tuple[Piece, Card]] = []

    def add(self, piece: Piece, card: Card) -> None:
        """Note that the piece names the card; raises NotationError if it is not in play."""
        pair = pair_of(card)
        if pair not in self._in_play:
            if pair in self._deck.cards:
                symbol = self._deck.symbol_of(pair) or 0
                why = f"its symbol, {symbol}, leaves the deck at {5 - symbol} players and fewer"
                piece.fault(f"a card in play at {self._players} players", f"{piece.text!r}: {why}")
            piece.fault(f"a card of deck {self._deck.name}")
        if pair in self._named:
            self._repeated.append((piece, pair))
        self._named.add(pair)

    def check(self, hands: Piece, hidden: int, gone_hidden: int) -> None:
        """Check that the cards add up.

        hands: the field to name unless a card is there twice; hidden: the number of cards without a name,
        gone_hidden: those of them that are gone. Raises NotationError.
        """
        unnamed = sorted(self._in_play - self._named)
        faults = []
        if self._repeated:
            faults.append(f"{len(self._repeated)} too many: {_texts([card for _, card in self._repeated])}")
        if hidden > len(unnamed):
            places = f"{hidden} without a name, of {_texts(unnamed) or 'none'}"
            faults.append(f"{hidden - len(unnamed)} too many: {places}")
        elif hidden < len(unnamed):
            faults.append(f"{len(unnamed) - hidden} missing{', of' if hidden else ''}: {_texts(unnamed)}")
        if faults:
            piece = self._repeated[0][0] if self._repeated else hands
            piece.fault(f"each of the {len(self._in_play)} cards in play once", "; ".join(faults))
        if self._deck.star in unnamed and not gone_hidden:
            # Its holder is public from the first turn on, so only a view that forgot it may leave it out.
            hands.fault(f"{star_text(self._deck)} by name, since everybody knows where it is", "none")


def star_text(deck: Deck) -> str:
    """The starred card, as errors speak of it."""
    return "the starred card {}/{}".format(*deck.star)


def _texts(cards: list[Card]) -> str:
    return ", ".join(f"{lower}/{higher}" for lower, higher in cards)
