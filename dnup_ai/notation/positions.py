"""Strict reading of positions of dnup, field by field (docs/notation.md, "Positions")."""

from __future__ import annotations

import re

from cython_core.position import Card, Hand, HandCard, Position
from dnup_ai.decks import Deck, load_deck, shipped_decks
from dnup_ai.errors import DeckError, NotationError
from dnup_ai.notation.cards import (
    CardLedger,
    check_in_set,
    marked_card,
    pair_of,
    plain_card,
    star_text,
    zone_index,
)
from dnup_ai.notation.scan import Piece, split_fields

FIELDS = ("deck", "view", "turn", "hands", "table", "gone", "out", "tokens")
REQUIRED_FIELDS = ("turn", "hands")

_DECK_NAME = re.compile(r"[a-z0-9-]+")
# Three digits are more than any position needs, and keep int() from endless ones.
_HIDDEN = re.compile(r"([1-9][0-9]{0,2})x")


class PositionReader:
    """Reads one position: splits it into fields, then reads these in the order of their needs."""

    deck: Deck
    _ledger: CardLedger

    def __init__(self, text: str, deck: Deck | None) -> None:
        self._text = text
        self._given_deck = deck
        self._fields: dict[str, Piece] = {}
        self._players = 0
        self._view: int | None = None

    def read(self) -> Position:
        self._players, self._fields = split_fields(self._text, "dnup", 5, FIELDS, REQUIRED_FIELDS)
        self.deck = self._read_deck()
        try:
            self._ledger = CardLedger(self.deck, self._players)
        except DeckError as error:
            raise NotationError(f"dnup, column 6: {error}") from error
        self._view = self._read_view()
        tokens = self._read_tokens()
        out = self._read_out(tokens)
        turn, zone = self._read_turn(out, tokens)
        hands = self._read_hands(out)
        table = self._read_table()
        gone, gone_hidden = self._read_gone()
        hidden = sum(hand.hidden for hand in hands) + gone_hidden
        self._ledger.check(self._field("hands", ""), hidden, gone_hidden)
        return Position(
            players=self._players,
            turn=turn,
            zone=zone,
            hands=hands,
            table=table,
            gone=gone,
            gone_hidden=gone_hidden,
            out=out,
            tokens=tokens,
            view=self._view,
            deck=self.deck.name,
        )

    def core_error(self, message: str) -> NotationError:
        """The error for what only the core found; its messages begin with the field at fault."""
        field, colon, rest = message.partition(":")
        if colon and field in self._fields:
            return NotationError(f"{field}, column {self._fields[field].column}: {rest.strip()}")
        return NotationError(f"position, column 1: {message}")

    def _field(self, key: str, default: str) -> Piece:
        """The value of a field; one that is left out stands behind the text."""
        return self._fields.get(key) or Piece(key, default, len(self._text) + 1)

    def _read_deck(self) -> Deck:
        piece = self._field("deck", "standard")
        if not _DECK_NAME.fullmatch(piece.text):
            piece.fault("the name of a deck")
        given = self._given_deck
        if given is not None:
            if given.name != piece.text:
                got = repr(piece.text) if "deck" in self._fields else "no deck=, which means 'standard'"
                piece.fault(f"deck={given.name}, the deck given", f"{got}; give the deck of the position")
            return given
        if piece.text not in shipped_decks():
            names = ", ".join(shipped_decks())
            piece.fault(f"a deck that ships ({names})", f"{piece.text!r}; give the file of that deck")
        return load_deck(piece.text)

    def _read_view(self) -> int | None:
        piece = self._field("view", "-")
        return None if piece.text == "-" else piece.number(0, self._players - 1, "- or a seat")

    def _read_tokens(self) -> tuple[int, ...]:
        piece = self._field("tokens", ",".join("0" * self._players))
        numbers = piece.split(",")
        if len(numbers) != self._players:
            piece.fault(f"{self._players} numbers, one per seat")
        if self._players == 2:
            return tuple(number.number(0, 1, "rounds won, short of the match,") for number in numbers)
        return tuple(number.number(0, 3, "tokens, short of the match,") for number in numbers)

    def _read_out(self, tokens: tuple[int, ...]) -> tuple[int, ...]:
        out: list[int] = []
        for piece in self._field("out", "-").listed():
            if self._is_over(out, tokens):
                piece.fault(f"nobody behind seat {out[-1]}, who ended the round")
            seat = piece.number(0, self._players - 1, "a seat")
            if seat in out:
                piece.fault("every seat once")
            out.append(seat)
        return tuple(out)

    def _is_over(self, out: list[int] | tuple[int, ...], tokens: tuple[int, ...]) -> bool:
        if self._players == 2:
            return len(out) == 1
        return len(out) == 2 or (len(out) == 1 and tokens[out[0]] + 2 >= 4)

    def _read_turn(self, out: tuple[int, ...], tokens: tuple[int, ...]) -> tuple[int | None, int | None]:
        """The seat to move and its zone."""
        piece = self._field("turn", "")
        if self._is_over(out, tokens):
            if piece.text != "-":
                piece.fault("-, since the round is over")
            return None, None
        if piece.text == "-":
            piece.fault("a seat, since the round is not over")
        index = zone_index(piece, self._players)
        seat, zone = (index // 2, index % 2 + 1) if self._players == 2 else (index, index)
        if seat in out:
            piece.fault("a seat that is not out")
        return seat, zone

    def _read_hands(self, out: tuple[int, ...]) -> tuple[Hand, ...]:
        piece = self._field("hands", "")
        lists = piece.split(";")
        if len(lists) != self._players:
            piece.fault(f"{self._players} hands, one per seat", f"{len(lists)}")
        hands = []
        for seat, listed in enumerate(lists):
            if seat in out and listed.text != "-":
                listed.fault(f"-, since seat {seat} is out")
            if seat not in out and listed.text == "-":
                listed.fault(f"a card, since seat {seat} is not out")
            hands.append(self._read_hand(listed, self._view not in (None, seat)))
        return tuple(hands)

    def _read_hand(self, listed: Piece, is_strangers: bool) -> Hand:
        pieces, hidden = self._split_hidden(listed, is_strangers)
        expected = "a card like 3/7+, 1~5 or, last, 7x" if is_strangers else "a card like 3/7"
        cards = []
        for piece in pieces:
            card, sign, mark = marked_card(piece, expected)
            self._ledger.add(piece, card)
            star = star_text(self.deck)
            is_star = pair_of(card) == self.deck.star
            if is_strangers:
                if (sign, mark) not in (("/", "+"), ("~", "")):
                    piece.fault(f"what seat {self._view} can know: a card like 3/7+, or {star} as a~b")
                if sign == "~" and card != self.deck.star:
                    piece.fault(f"~ in {star} only, lower value first")
                mark = mark or "~"
            elif sign == "~":
                piece.fault("a card like 3/7: ~ between the values is for other hands in a view")
            elif mark == "~" and not is_star:
                piece.fault(f"~ on {star} only")
            elif is_star and not mark:
                piece.fault(f"+ or ~ on {star}, which everybody knows to be here")
            cards.append(HandCard(*card, mark))
        return Hand(tuple(sorted(cards)), hidden)

    def _split_hidden(self, listed: Piece, is_allowed: bool) -> tuple[list[Piece], int]:
        """The pieces of a list that name cards, and the number of those that the last one, `7x`, does not."""
        pieces = listed.listed()
        for piece in pieces:
            match = _HIDDEN.fullmatch(piece.text)
            if match and not is_allowed:
                piece.fault("a card like 3/7: only a view hides cards, and none of its own seat's")
            if match and piece is not pieces[-1]:
                piece.fault("cards without names last in their list, and once")
            if match:
                return pieces[:-1], int(match[1])
        return pieces, 0

    def _read_table(self) -> tuple[tuple[Card, ...], ...]:
        zones = 4 if self._players == 2 else self._players
        piece = self._field("table", ";".join("-" * zones))
        lists = piece.split(";")
        if len(lists) != zones:
            piece.fault(f"{zones} zones", f"{len(lists)}")
        table: list[tuple[Card, ...]] = []
        for listed in lists:
            cards: list[Card] = []
            for item in listed.listed():
                card = plain_card(item)
                self._ledger.add(item, card)
                check_in_set(item, card, cards)
                cards.append(card)
            if cards and any(len(cards) == len(others) for others in table):
                listed.fault("sets of different sizes", f"a second set of size {len(cards)}")
            table.append(tuple(sorted(cards)))
        return tuple(table)

    def _read_gone(self) -> tuple[tuple[Card, ...], int]:
        pieces, hidden = self._split_hidden(self._field("gone", "-"), self._view is not None)
        cards = []
        for piece in pieces:
            card = plain_card(piece)
            if card[0] > card[1]:
                piece.fault("the lower value first")
            self._ledger.add(piece, card)
            cards.append(card)
        return tuple(sorted(cards)), hidden
