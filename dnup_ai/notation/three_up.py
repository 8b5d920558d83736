"""Strict reading of the notation of 3UP 3DOWN (docs/notation.md); writing it is `str` of the position or move."""

from __future__ import annotations

import re
from typing import Any

from cython_core.three_up import ThreeUpMove, ThreeUpRules, ThreeUpState
from cython_core.three_up_position import RANKS, ThreeUpHand, ThreeUpPosition, ThreeUpStack
from dnup_ai.decks.three_up import ThreeUpDeck, load_three_up_deck, shipped_three_up_decks
from dnup_ai.errors import DeckError, NotationError
from dnup_ai.notation.scan import Piece, split_fields

FIELDS = ("view", "deck", "turn", "hands", "up", "down", "pile", "draw", "gone", "extra")
REQUIRED_FIELDS = ("turn", "hands")

_HEAD = "3up3down"
_DECK_NAME = re.compile(r"[a-z0-9-]+")
_CARD = re.compile(r"(10|[1-9]|C[12]?)(?:\*([2-9]|1[0-5]))?(\+?)")
# Three digits are more than any position needs, and keep int() from endless ones.
_HIDDEN = re.compile(r"([1-9][0-9]{0,2})x")


def parse_three_up_position(text: str, deck: ThreeUpDeck | None = None, /, **options: Any) -> ThreeUpState:
    """Return the state, true or a view, that the position describes.

    text: one line, without a line break; deck: the deck that the position names, needed if it does not ship;
    options: `repetition`, `max_turns`, `max_rounds`.
    Raises NotationError naming field and column; ConfigError for an option or value that does not exist.
    """
    reader = PositionReader(text, deck)
    position = reader.read()
    rules = reader.rules(**options)
    try:
        return ThreeUpState(rules, position)
    except ValueError as error:
        raise reader.core_error(str(error)) from error


def parse_three_up_move(rules: ThreeUpRules, text: str) -> ThreeUpMove:
    """Return the move that the text describes; not checked: whether it is legal.

    text: as `keep:3,7,C1`, `play:7*2`, `up:C`, `down`, `pickup`, `draw` or `nodraw`; what the move showed may follow,
    as in `play:7>4,9`. Raises NotationError naming the part of the move (kind, cards, seen) and the column.
    """
    whole = Piece("kind", text, 1)
    match = re.match("(keep|play|up|down|pickup|draw|nodraw)(?![a-z])", text)
    if match is None:
        whole.fault("keep:CARDS, play:CARDS, up:CARDS, down, pickup, draw or nodraw")
    kind = match[1]
    rest = whole.part(match.end())
    cards: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    if kind in ("keep", "play", "up"):
        if not rest.text.startswith(":"):
            rest.part(0, field="cards").fault(f"a colon and cards, like {':3,7,C1' if kind == 'keep' else ':7*2'}")
        end = rest.text.find(">")
        listed = rest.part(1, None if end < 0 else end, "cards")
        cards = _set_of(listed.split(","))
        if kind == "keep" and len(cards) != 3:
            listed.fault("three cards")
        if kind != "keep" and len(set(cards)) > 1:
            listed.fault("cards of one rank")
        rest = rest.part(1 + len(listed.text))
    if rest.text.startswith(">"):
        shown = rest.part(1, field="seen")
        seen = _set_of(shown.split(","))
        if len(seen) > (0 if kind in ("keep", "nodraw") else 1 if kind == "down" else 3):
            shown.fault("no more cards than the move can show")
        rest = rest.part(len(rest.text))
    if rest.text:
        rest.fault("the end of the move")
    try:
        return rules.move(kind, cards, seen)
    except ValueError as error:
        raise NotationError(f"kind, column 1: {error}") from error


class PositionReader:
    """Reads one position: splits it into fields, then reads these in the order of their needs."""

    deck: ThreeUpDeck

    def __init__(self, text: str, deck: ThreeUpDeck | None) -> None:
        self._text = text
        self._given_deck = deck
        self._fields: dict[str, Piece] = {}
        self._players = 0
        self._view: int | None = None

    def read(self) -> ThreeUpPosition:
        self._players, self._fields = split_fields(self._text, _HEAD, 6, FIELDS, REQUIRED_FIELDS)
        self.deck = self._read_deck()
        view = self._field("view", "-")
        self._view = None if view.text == "-" else view.number(0, self._players - 1, "- or a seat")
        turn = self._field("turn", "")
        extra, may_draw = self._read_extra()
        return ThreeUpPosition(
            players=self._players,
            turn=None if turn.text == "-" else turn.number(0, self._players - 1, "- or a seat"),
            hands=tuple(self._read_hand(piece, seat) for seat, piece in enumerate(self._by_seat("hands"))),
            up=tuple(_set_of(piece.listed()) for piece in self._by_seat("up")),
            down=tuple(self._read_stack(piece) for piece in self._by_seat("down")),
            pile=_set_of(self._field("pile", "-").listed()),
            draw=self._read_stack(self._field("draw", "-")),
            gone=_set_of(self._field("gone", "-").listed()),
            extra=extra,
            may_draw=may_draw,
            view=self._view,
            deck=self.deck.name,
        )

    def rules(self, **options: Any) -> ThreeUpRules:
        """Return the rules of the position, after `read`."""
        try:
            return self.deck.rules(self._players, **options)
        except DeckError as error:
            raise NotationError(f"{_HEAD}, column {len(_HEAD) + 2}: {error}") from error

    def core_error(self, message: str) -> NotationError:
        """The error for what only the core found; its messages begin with the field at fault."""
        field, colon, rest = message.partition(":")
        if colon and field in FIELDS:
            column = self._field(field, "").column
            return NotationError(f"{field}, column {column}: {rest.strip()}")
        return NotationError(f"position, column 1: {message}")

    def _field(self, key: str, default: str) -> Piece:
        """The value of a field; one that is left out stands behind the text."""
        return self._fields.get(key) or Piece(key, default, len(self._text) + 1)

    def _by_seat(self, key: str) -> list[Piece]:
        piece = self._field(key, ";".join("-" * self._players))
        lists = piece.split(";")
        if len(lists) != self._players:
            piece.fault(f"{self._players} lists of cards, one per seat", f"{len(lists)}")
        return lists

    def _read_deck(self) -> ThreeUpDeck:
        piece = self._field("deck", "standard")
        if not _DECK_NAME.fullmatch(piece.text):
            piece.fault("the name of a deck")
        given = self._given_deck
        if given is not None:
            if given.name != piece.text:
                got = repr(piece.text) if "deck" in self._fields else "no deck=, which means 'standard'"
                piece.fault(f"deck={given.name}, the deck given", f"{got}; give the deck of the position")
            return given
        if piece.text not in shipped_three_up_decks():
            names = ", ".join(shipped_three_up_decks())
            piece.fault(f"a deck that ships ({names})", f"{piece.text!r}; give the file of that deck")
        return load_three_up_deck(piece.text)

    def _read_extra(self) -> tuple[int, bool]:
        piece = self._field("extra", "0")
        may_draw = piece.text.endswith("d")
        number = piece.part(0, len(piece.text) - 1) if may_draw else piece
        return number.number(1 if may_draw else 0, 99, "plays owed, as 2 or 2d,"), may_draw

    def _read_hand(self, listed: Piece, seat: int) -> ThreeUpHand:
        is_strangers = self._view not in (None, seat)
        pieces = listed.listed()
        hidden = 0
        for piece in pieces:
            match = _HIDDEN.fullmatch(piece.text)
            if match and not is_strangers:
                piece.fault("a card like 7*2: only a view hides cards, and none of its own seat's")
            if match and piece is not pieces[-1]:
                piece.fault("cards without names last in their list, and once")
            if match:
                pieces, hidden = pieces[:-1], int(match[1])
        known = _set_of([piece for piece in pieces if piece.text.endswith("+")], "+")
        unknown = [piece for piece in pieces if not piece.text.endswith("+")]
        if unknown and is_strangers:
            unknown[0].fault(f"what seat {self._view} can know: a card like 7*2+ or, last, 4x")
        return ThreeUpHand(_set_of(unknown), known, hidden)

    def _read_stack(self, piece: Piece) -> ThreeUpStack:
        """Face-down cards: their order in a true state, their number in a view."""
        if piece.text == "-":
            return ThreeUpStack()
        if self._view is not None:
            match = _HIDDEN.fullmatch(piece.text)
            if match is None:
                piece.fault("- or a number of cards like 3x: no seat of a view knows face-down cards")
            return ThreeUpStack((), int(match[1]))
        cards = []
        for item in piece.split(","):
            if item.text not in RANKS:
                item.fault(f"a rank ({', '.join(RANKS)}): face-down cards lie in drawing order, one by one")
            cards.append(RANKS.index(item.text))
        return ThreeUpStack(tuple(cards))


def _set_of(pieces: list[Piece], mark: str = "") -> tuple[int, ...]:
    """A set of cards, in any order; a rank that is there twice counts as often."""
    cards: list[int] = []
    for piece in pieces:
        match = _CARD.fullmatch(piece.text)
        if match is None or match[3] != mark:
            piece.fault(f"a card like 7{mark}, 7*2{mark} or C1{mark}")
        cards += [RANKS.index(match[1])] * int(match[2] or 1)
    return tuple(sorted(cards))
