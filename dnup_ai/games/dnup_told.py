"""A table of dnup as a person tells it: read strictly, and added up, so that nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cython_core.dnup import DnupState
from cython_core.position import Card, Hand, HandCard, Position
from dnup_ai.decks import Deck
from dnup_ai.errors import ConfigError, DeckError, NotationError
from dnup_ai.notation.cards import check_in_set, marked_card, pair_of
from dnup_ai.notation.scan import Piece
from dnup_ai.table_talk import TableTalk, listed


def told_position(told: TableTalk, deck: Deck, options: Mapping[str, Any]) -> DnupState:
    """Return the view of the seat that tells.

    Raises NotationError naming option and column, ConfigError for what is missing or contradicts itself: if the cards
    do not add up it says which are unaccounted for.
    """
    return _Reader(told, deck).read(options)


class _Reader:
    """Reads the parts in the order of their needs, and notes where each card is."""

    def __init__(self, told: TableTalk, deck: Deck) -> None:
        self.told = told
        self.deck = deck
        missing = told.missing("players", "me", "hand", "counts")
        if told.players == 2:
            missing += told.missing("zone")
        if missing:
            also = " (at 2 players: which of your two turns it is)" if "--zone" in missing else ""
            raise ConfigError(f"missing: {', '.join(missing)}{also}; see dnup-ai suggest --help")
        assert told.players is not None
        assert told.me is not None
        if not 2 <= told.players <= 5:
            raise ConfigError(f"--players: expected 2 to 5, got {told.players}")
        self.players: int = told.players
        self.me = self._seat("--me", told.me)
        try:
            self.in_play = frozenset(deck.cards_at(self.players))
        except DeckError as error:
            raise ConfigError(f"--players: {error}") from error
        self.places: dict[Card, str] = {}

    def read(self, options: Mapping[str, Any]) -> DnupState:
        told = self.told
        turn = self.me if told.turn is None else self._seat("--turn", told.turn)
        own = self._own_hand()
        table = self._table()
        known = self._known()
        gone = tuple(sorted(pair_of(card) for card, _ in self._cards("--seen", told.seen or "")))
        counts = self._counts(len(own))
        out = self._out(counts)
        known = self._with_star(known)
        hands = []
        for seat, count in enumerate(counts):
            if seat == self.me:
                hands.append(Hand(own))
            else:
                hidden = count - len(known[seat])
                if hidden < 0:
                    said = f"seat {seat} holds {_cards_word(len(known[seat]))} by --known and --star"
                    raise ConfigError(f"--counts: {said}, got {count}")
                hands.append(Hand(known[seat], hidden))
        self._add_up(sum(hand.hidden for hand in hands), counts)
        position = Position(
            players=self.players,
            turn=turn,
            zone=self._zone() if self.players == 2 else turn,
            hands=tuple(hands),
            table=table,
            gone=gone,
            gone_hidden=told.forgotten,
            out=out,
            tokens=self._tokens(),
            view=self.me,
            deck=self.deck.name,
        )
        try:
            return DnupState(self.deck.rules(self.players, **options), position)
        except ValueError as error:
            raise ConfigError(f"this cannot be a table of dnup: {error}") from error

    def _seat(self, option: str, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ConfigError(f"{option}: expected seat 0..{self.players - 1}, got {seat}")
        return seat

    def _zone(self) -> int:
        if self.told.zone not in (1, 2):
            raise ConfigError(f"--zone: expected 1 or 2, got {self.told.zone}")
        return self.told.zone

    def _cards(self, option: str, text: str, column: int = 1) -> list[tuple[Card, str]]:
        """The cards of a list with their marks, each noted as being there."""
        return [self._card(piece) for piece in listed(Piece(option, text, column))]

    def _card(self, piece: Piece) -> tuple[Card, str]:
        card, sign, mark = marked_card(piece)
        if sign != "/":
            piece.fault("a card like 3/7")
        pair = pair_of(card)
        if pair not in self.in_play:
            left = f"{piece.text!r}, which is not in play at {self.players} players"
            piece.fault(f"a card of deck {self.deck.name}", left if pair in self.deck.cards else None)
        if pair in self.places:
            piece.fault("each card once", f"{piece.text!r}, which {self.places[pair]} has too")
        self.places[pair] = piece.field
        return card, mark

    def _own_hand(self) -> tuple[HandCard, ...]:
        cards = []
        for piece in listed(Piece("--hand", self.told.hand or "", 1)):
            card, mark = self._card(piece)
            is_star = pair_of(card) == self.deck.star
            if mark == "~" and not is_star:
                piece.fault("~ on the starred card only")
            # Everybody knows who holds the star; whether they know its way up only the player can say.
            cards.append(HandCard(*card, mark or ("~" if is_star else "")))
        if not cards:
            raise ConfigError("--hand: expected a card or more; who has none is out and has no move")
        return tuple(sorted(cards))

    def _lists(self, option: str, text: str, number: int, what: str) -> list[Piece]:
        lists = Piece(option, text, 1).split(";")
        if len(lists) != number:
            raise NotationError(f"{option}: expected {number} lists with ; between them, {what}, got {len(lists)}")
        return lists

    def _table(self) -> tuple[tuple[Card, ...], ...]:
        zones = 4 if self.players == 2 else self.players
        what = "for the zones 0.1, 0.2, 1.1, 1.2" if self.players == 2 else "one per seat"
        table: list[tuple[Card, ...]] = []
        if self.told.table is None:
            return ((),) * zones
        for piece in self._lists("--table", self.told.table, zones, what):
            cards: list[Card] = []
            for item in listed(piece):
                card, mark = self._card(item)
                if mark:
                    item.fault("a card without a mark, like 3/7")
                check_in_set(item, card, cards)
                cards.append(card)
            if cards and any(len(cards) == len(others) for others in table):
                raise ConfigError(f"--table: two sets of {_cards_word(len(cards))}; sets of one size beat each other")
            table.append(tuple(sorted(cards)))
        return tuple(table)

    def _known(self) -> list[tuple[HandCard, ...]]:
        if self.told.known is None:
            return [()] * self.players
        known = []
        for seat, piece in enumerate(self._lists("--known", self.told.known, self.players, "one per seat")):
            cards = self._cards("--known", piece.text, piece.column)
            if cards and seat == self.me:
                raise ConfigError("--known: it is for other hands; mark your own card in --hand, as 3/7+")
            known.append(tuple(sorted(HandCard(*card, "+") for card, _ in cards)))
        return known

    def _counts(self, own: int) -> list[int]:
        pieces = listed(Piece("--counts", self.told.counts or "", 1))
        if len(pieces) != self.players:
            raise ConfigError(f"--counts: expected {self.players} numbers, one per seat, got {len(pieces)}")
        counts = [piece.number(0, 99, "cards,") for piece in pieces]
        if counts[self.me] != own:
            raise ConfigError(
                f"--counts: you, seat {self.me}, hold {_cards_word(own)} by --hand, got {counts[self.me]}"
            )
        return counts

    def _out(self, counts: list[int]) -> tuple[int, ...]:
        empty = tuple(seat for seat, count in enumerate(counts) if count == 0)
        said = listed(Piece("--out", self.told.out or "", 1))
        out = tuple(piece.number(0, self.players - 1, "a seat") for piece in said)
        if self.told.out is not None and set(out) != set(empty):
            raise ConfigError(f"--out: by --counts {_seats(empty)} out, got {self.told.out!r}")
        if len(empty) > (0 if self.players == 2 else 1):
            raise ConfigError(f"--counts: {_seats(empty)} out, so the round is over")
        return empty

    def _with_star(self, known: list[tuple[HandCard, ...]]) -> list[tuple[HandCard, ...]]:
        """The known cards with the star in the hand that it is said to be in."""
        star, seat = self.deck.star, self.told.star
        name = f"the starred card {star[0]}/{star[1]}"
        if seat is None:
            if star not in self.places and not self.told.forgotten:
                raise ConfigError(
                    f"--star: {name} is in no place that you named; everybody knows its seat: --star SEAT"
                )
            return known
        self._seat("--star", seat)
        if star in self.places:
            raise ConfigError(f"--star: {name} is already in {self.places[star]}")
        if seat == self.me:
            raise ConfigError(f"--star: seat {seat} is you, but {name} is not in --hand")
        self.places[star] = "--star"
        return [
            tuple(sorted((*cards, HandCard(*star, "~")))) if index == seat else cards
            for index, cards in enumerate(known)
        ]

    def _add_up(self, hidden: int, counts: list[int]) -> None:
        """Raise ConfigError unless every card in play is somewhere, once."""
        forgotten = self.told.forgotten
        if forgotten < 0:
            raise ConfigError(f"--forgotten: expected 0 or more, got {forgotten}")
        unnamed = sorted(self.in_play - self.places.keys())
        wanted = hidden + forgotten
        if wanted == len(unnamed):
            return
        others = sum(counts) - counts[self.me]
        by = {name: sum(place == name for place in self.places.values()) for name in ("--hand", "--table", "--seen")}
        said = ", ".join(f"{number} in {name}" for name, number in by.items())
        total = f"{sum(by.values()) + others + forgotten} of the {len(self.in_play)} cards in play"
        where = f"{total} are accounted for ({said}, {others} in other hands by --counts, {forgotten} forgotten)"
        names = ", ".join(f"{low}/{high}" for low, high in unnamed)
        if wanted < len(unnamed):
            gap = len(unnamed) - wanted
            raise ConfigError(
                f"the cards do not add up: {where}; {_cards_word(gap)} missing, of those that you named nowhere: "
                f"{names}; give discarded ones to --seen, or --forgotten {forgotten + gap}"
            )
        raise ConfigError(
            f"the cards do not add up: {where}; {wanted - len(unnamed)} too many, for {_cards_word(len(unnamed))} that "
            f"you named nowhere: {names or 'none'}"
        )

    def _tokens(self) -> tuple[int, ...]:
        if self.told.tokens is None:
            return (0,) * self.players
        pieces = listed(Piece("--tokens", self.told.tokens, 1))
        if len(pieces) != self.players:
            raise ConfigError(f"--tokens: expected {self.players} numbers, one per seat, got {len(pieces)}")
        most = 1 if self.players == 2 else 3
        return tuple(piece.number(0, most, "tokens, short of the match,") for piece in pieces)


def _cards_word(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"


def _seats(seats: tuple[int, ...]) -> str:
    if not seats:
        return "nobody is"
    return f"seat {seats[0]} is" if len(seats) == 1 else f"seats {', '.join(map(str, seats))} are"
