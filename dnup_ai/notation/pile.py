"""Strict reading of the notation of dnup-pile (docs/rules-pile.md); writing it is `str` of the position or move."""

from __future__ import annotations

import re
from typing import Any

from cython_core.pile import OPTIONS, PileMove, PileRules, PileState
from cython_core.pile_position import PileHand, PilePosition
from cython_core.position import Card
from dnup_ai.decks import Deck, load_deck, shipped_decks
from dnup_ai.errors import ConfigError, NotationError
from dnup_ai.notation.cards import pair_of, plain_card
from dnup_ai.notation.scan import Piece, split_fields

FIELDS = (
    "deck", "view", "turn", "hands", "piles", "laid", "stock", "gone", "skips", "revolved", "points", "given",
)  # fmt: skip
REQUIRED_FIELDS = ("turn", "hands", "piles")
_DECK_NAME = re.compile(r"[a-z0-9-]+")
# Three digits are more than any position needs, and keep int() from endless ones.
_HIDDEN = re.compile(r"([1-9][0-9]{0,2})x")


def pile_rules(players: int, deck: Deck | None = None, /, **options: Any) -> PileRules:
    """Return the rules of dnup-pile with all cards of a deck (`standard` if none is given).

    options: those of docs/rules-pile.md ("Options"). Raises ConfigError for an option or value that does not exist,
    or for a deck that has too few cards.
    """
    deck = deck or load_deck("standard")
    for name in options:
        if name not in OPTIONS:
            raise ConfigError(f"rules of dnup-pile: unknown option {name!r}; there are {', '.join(OPTIONS)}")
    try:
        return PileRules(players, deck.cards, deck=deck.name, **options)
    except ValueError as error:
        raise ConfigError(f"rules of dnup-pile: {error}") from error


def parse_pile_position(text: str, deck: Deck | None = None, /, **options: Any) -> PileState:
    """Return the state, true or a view, that the position describes (docs/rules-pile.md, "Notation").

    text: one line, without a line break; deck: the deck that the position names, needed if it does not ship;
    options: those of docs/rules-pile.md; how many piles there are the position says itself.
    Raises NotationError naming field and column; ConfigError for an option or value that does not exist.
    """
    reader = PileReader(text, deck)
    position = reader.read()
    if options.setdefault("piles", len(position.piles)) != len(position.piles):
        raise reader.core_error(f"piles: expected {options['piles']} as the option says, got {len(position.piles)}")
    rules = pile_rules(position.players, reader.deck, **options)
    try:
        return PileState(rules, position)
    except ValueError as error:
        raise reader.core_error(str(error)) from error


def read_pile_position(text: str, deck: Deck | None = None) -> PilePosition:
    """Return the position as plain data, without making a state of it.

    text, deck: as in `parse_pile_position`. Raises NotationError naming field and column.
    """
    return PileReader(text, deck).read()


def parse_pile_move(rules: PileRules, text: str) -> PileMove:
    """Return the move that the text describes (docs/rules-pile.md, "Notation"); not checked: whether it is legal.

    text: as `play:3/8>8`, with two piles `play:3/8>8@1`, or `revolve`, or `skip`.
    Raises NotationError naming the part of the move (kind, card, visible, pile) and the column.
    """
    whole = Piece("kind", text, 1)
    if text in ("revolve", "skip"):
        return rules.move(text)
    example = "play:3/8>8@1" if rules.piles == 2 else "play:3/8>8"
    if not text.startswith("play:"):
        whole.fault(f"{example}, revolve or skip")
    arrow = text.find(">")
    if arrow < 0:
        whole.part(len(text), field="visible").fault(f"> and the value that is visible then, like {example}")
    piece = whole.part(5, arrow, "card")
    card = plain_card(piece)
    if pair_of(card) not in rules.cards:
        piece.fault(f"a card of deck {rules.deck}")
    at = text.find("@", arrow)
    end = at if at >= 0 else len(text)
    visible = whole.part(arrow + 1, end, "visible")
    if visible.text not in (str(card[0]), str(card[1])):
        visible.fault(f"{card[0]} or {card[1]}, one of the values of the card")
    rest = whole.part(end, field="pile")
    pile = 0
    if rules.piles == 2:
        if at < 0:
            rest.fault("@0 or @1, the pile")
        pile = rest.part(1).number(0, 1, "a pile")
    elif rest.text:
        rest.fault("the end of the move, since there is one pile")
    return rules.move("play", card, int(visible.text), pile)


class PileReader:
    """Reads one position: splits it into fields, then reads these in the order of their needs."""

    deck: Deck

    def __init__(self, text: str, deck: Deck | None) -> None:
        self._text = text
        self._given_deck = deck
        self._fields: dict[str, Piece] = {}
        self._players = 0
        self._view: int | None = None
        self._seen: dict[Card, Piece] = {}

    def read(self) -> PilePosition:
        self._players, self._fields = split_fields(self._text, "dnup-pile", 5, FIELDS, REQUIRED_FIELDS)
        self.deck = self._read_deck()
        view = self._field("view", "-")
        self._view = None if view.text == "-" else self._seat(view, "- or a seat")
        turn = self._field("turn", "")
        hands = self._read_hands()
        piles = self._read_piles()
        laid = self._read_laid(len(piles))
        stock, stock_hidden = self._read_stock()
        gone = self._read_gone()
        self._check_cards(sum(hand.hidden for hand in hands) + stock_hidden)
        return PilePosition(
            players=self._players,
            turn=None if turn.text == "-" else self._seat(turn, "- or a seat"),
            hands=hands,
            piles=piles,
            laid=laid,
            stock=stock,
            stock_hidden=stock_hidden,
            gone=gone,
            skips=self._field("skips", "0").number(0, self._players, "skips in a row"),
            revolved=self._numbers("revolved", 100, "revolves"),
            points=self._numbers("points", 99, "points"),
            given=self._numbers("given", 2, "points of this round"),
            view=self._view,
            deck=self.deck.name,
        )

    def core_error(self, message: str) -> NotationError:
        """The error for what only the core found; its messages begin with the field at fault."""
        field, colon, rest = message.partition(":")
        if colon and field in FIELDS:
            return NotationError(f"{field}, column {self._field(field, '').column}: {rest.strip()}")
        return NotationError(f"position, column 1: {message}")

    def _field(self, key: str, default: str) -> Piece:
        """The value of a field; one that is left out stands behind the text."""
        return self._fields.get(key) or Piece(key, default, len(self._text) + 1)

    def _seat(self, piece: Piece, what: str) -> int:
        return piece.number(0, self._players - 1, what)

    def _numbers(self, key: str, most: int, what: str) -> tuple[int, ...]:
        piece = self._field(key, ",".join("0" * self._players))
        numbers = piece.split(",")
        if len(numbers) != self._players:
            piece.fault(f"{self._players} numbers, one per seat")
        return tuple(number.number(0, most, what) for number in numbers)

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

    def _card(self, piece: Piece, expected: str = "a card like 3/8") -> Card:
        """A card of the deck that was not named before."""
        card = plain_card(piece, expected)
        pair = pair_of(card)
        if pair not in self.deck.cards:
            piece.fault(f"a card of deck {self.deck.name}")
        if pair in self._seen:
            piece.fault("each card once", f"{piece.text!r} again, as in column {self._seen[pair].column}")
        self._seen[pair] = piece
        return card

    def _read_hands(self) -> tuple[PileHand, ...]:
        piece = self._field("hands", "")
        lists = piece.split(";")
        if len(lists) != self._players:
            piece.fault(f"{self._players} hands, one per seat", f"{len(lists)}")
        hands = []
        for seat, listed in enumerate(lists):
            items = listed.listed()
            hidden = 0
            if self._view is not None and items and (match := _HIDDEN.fullmatch(items[-1].text)):
                if seat == self._view and match[1] != "1":
                    items[-1].fault("1x at most: the one card that was drawn and is still to be named")
                hidden = int(match[1])
                items.pop()
            if self._view not in (None, seat) and items:
                items[0].fault(f"the number of cards like 6x, since seat {self._view} cannot see this hand")
            expected = "a card like 3/8" if self._view is None else "a card like 3/8 of the view's own hand"
            hands.append(PileHand(tuple(sorted(self._card(item, expected) for item in items)), hidden))
        return tuple(hands)

    def _read_piles(self) -> tuple[Card, ...]:
        piece = self._field("piles", "")
        pieces = piece.split(";")
        if len(pieces) > 2:
            piece.fault("one pile or two", f"{len(pieces)}")
        return tuple(self._card(item, "a card like 7/3, its visible value first") for item in pieces)

    def _read_laid(self, piles: int) -> tuple[int | None, ...]:
        piece = self._field("laid", ";".join("-" * piles))
        pieces = piece.split(";")
        if len(pieces) != piles:
            piece.fault(f"a seat or - for each of {piles}", f"{len(pieces)}")
        return tuple(None if item.text == "-" else self._seat(item, "- or a seat") for item in pieces)

    def _read_stock(self) -> tuple[tuple[Card, ...], int]:
        piece = self._field("stock", "-")
        if self._view is None:
            return tuple(self._card(item) for item in piece.listed()), 0
        match = _HIDDEN.fullmatch(piece.text)
        if match is None and piece.text != "-":
            piece.fault("the number of cards like 19x, or -: a view does not see the stock")
        return (), int(match[1]) if match else 0

    def _read_gone(self) -> tuple[Card, ...]:
        cards = []
        for item in self._field("gone", "-").listed():
            card = self._card(item)
            if card[0] > card[1]:
                item.fault("the lower value first")
            cards.append(card)
        return tuple(sorted(cards))

    def _check_cards(self, hidden: int) -> None:
        """Each card of the deck is somewhere."""
        unnamed = [f"{low}/{high}" for low, high in self.deck.cards if (low, high) not in self._seen]
        if hidden != len(unnamed):
            fault = f"{abs(hidden - len(unnamed))} {'missing' if hidden < len(unnamed) else 'too many'}"
            got = f"{fault}: {hidden} without a name, of {', '.join(unnamed) or 'none'}"
            self._field("hands", "").fault(f"each of the {len(self.deck.cards)} cards once", got)
