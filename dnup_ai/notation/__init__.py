"""Strict reading of the notation of dnup (docs/notation.md); writing it is `str` of the position or move."""

from __future__ import annotations

import re
from typing import Any

from cython_core.dnup import DnupMove, DnupRules, DnupState
from cython_core.position import Card, Position
from dnup_ai.decks import Deck
from dnup_ai.errors import NotationError
from dnup_ai.notation.cards import check_in_set, pair_of, plain_card, zone_index
from dnup_ai.notation.positions import PositionReader
from dnup_ai.notation.scan import Piece


def parse_position(text: str, deck: Deck | None = None, /, **options: Any) -> DnupState:
    """Return the state, true or a view, that the position describes (docs/notation.md, "Positions").

    text: one line, without a line break; deck: the deck that the position names, needed if it does not ship;
    options: those of docs/rules.md ("Options").
    Raises NotationError naming field and column; ConfigError for an option or value that does not exist.
    """
    reader = PositionReader(text, deck)
    position = reader.read()
    rules = reader.deck.rules(position.players, **options)
    try:
        return DnupState(rules, position)
    except ValueError as error:
        raise reader.core_error(str(error)) from error


def read_position(text: str, deck: Deck | None = None) -> Position:
    """Return the position as plain data, its cards sorted, without making a state of it.

    text, deck: as in `parse_position`. Raises NotationError naming field and column.
    """
    return PositionReader(text, deck).read()


def parse_move(rules: DnupRules, text: str) -> DnupMove:
    """Return the move that the text describes (docs/notation.md, "Moves"); not checked: whether it is legal.

    text: as `play:4/6,4/9`, `add:5/2@1`, `take@1` or `flip`; at 2 players the zone is `seat.zone`, as `@1.2`.
    Raises NotationError naming the part of the move (kind, cards, zone) and the column.
    """
    whole = Piece("kind", text, 1)
    match = re.match("(play|add|take|flip)(?![a-z])", text)
    if match is None:
        whole.fault("play:CARDS, add:CARD@ZONE, take@ZONE or flip")
    kind = match[1]
    rest = whole.part(match.end())
    cards: tuple[Card, ...] = ()
    zone = None
    if kind in ("add", "play"):
        if not rest.text.startswith(":"):
            rest.part(0, field="cards").fault("a colon and what to play, like :3/7")
        end = rest.text.find("@") if kind == "add" else -1
        listed = rest.part(1, end if end > 0 else None, "cards")
        cards = _move_cards(listed, rules)
        if kind == "add" and len(cards) > 1:
            listed.fault("one card")
        rest = rest.part(1 + len(listed.text))
    if kind in ("add", "take"):
        if not rest.text.startswith("@"):
            example = "@1.2" if rules.players == 2 else "@1"
            rest.part(0, field="zone").fault(f"{example} or another zone of a set")
        zone = zone_index(rest.part(1, field="zone"), rules.players)
    elif rest.text:
        rest.fault("the end of the move")
    try:
        return rules.move(kind, cards, zone)
    except ValueError as error:
        raise NotationError(f"kind, column 1: {error}") from error


def _move_cards(listed: Piece, rules: DnupRules) -> tuple[Card, ...]:
    cards: list[Card] = []
    for piece in listed.split(","):
        card = plain_card(piece)
        if pair_of(card) not in rules.cards:
            piece.fault(f"a card in play in deck {rules.deck} at {rules.players} players")
        check_in_set(piece, card, cards)
        if card in cards:
            piece.fault("each card once")
        cards.append(card)
    return tuple(sorted(cards))
