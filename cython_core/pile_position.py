"""Plain data of a dnup-pile position and how it is written (docs/rules-pile.md, "Notation")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cython_core.position import Card


@dataclass(frozen=True, slots=True)
class PileHand:
    """A hand: its named cards as they lie, and how many more there are that the reader cannot name."""

    cards: tuple[Card, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.hidden


@dataclass(frozen=True, slots=True)
class PilePosition:
    """A true position (`view` is None) or what the seat `view` may know of one.

    `turn` is None when the round is over. `piles` has the card on top of each pile, its visible value first; `laid` the
    seats that laid them, None for a start card. `stock` has its cards in the order of drawing; of a view's only their
    number is known, `stock_hidden`. `gone` has the covered cards, lower value first. `skips` counts the last turns in
    a row that were skips, `revolved` how often each seat has revolved in this round. `points` are those from before
    this round, `given` those that it has given.
    """

    players: int
    turn: int | None
    hands: tuple[PileHand, ...]
    piles: tuple[Card, ...]
    laid: tuple[int | None, ...]
    stock: tuple[Card, ...] = ()
    stock_hidden: int = 0
    gone: tuple[Card, ...] = ()
    skips: int = 0
    revolved: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    view: int | None = None
    deck: str = "standard"

    def __str__(self) -> str:
        """The position in the notation, as one line: equal positions are equal strings."""
        fields = [f"dnup-pile:{self.players}"]
        if self.deck != "standard":
            fields.append(f"deck={self.deck}")
        if self.view is not None:
            fields.append(f"view={self.view}")
        hands = ";".join(cards_text(sorted(hand.cards), hand.hidden) for hand in self.hands)
        fields += [
            f"turn={_seat_text(self.turn)}",
            f"hands={hands}",
            f"piles={';'.join(cards_text([card]) for card in self.piles)}",
            f"laid={';'.join(map(_seat_text, self.laid))}",
            f"stock={cards_text(self.stock, self.stock_hidden)}",
            f"gone={cards_text(sorted(self.gone))}",
            f"skips={self.skips}",
            f"revolved={self._numbers_text(self.revolved)}",
            f"points={self._numbers_text(self.points)}",
        ]
        if any(self.given):
            fields.append(f"given={self._numbers_text(self.given)}")
        return " ".join(fields)

    def _numbers_text(self, numbers: tuple[int, ...]) -> str:
        return ",".join(map(str, numbers or (0,) * self.players))


def cards_text(cards: Iterable[Card], hidden: int = 0) -> str:
    """The cards in the order given, then those without a name; `-` if there are none."""
    texts = [f"{first}/{second}" for first, second in cards]
    if hidden:
        texts.append(f"{hidden}x")
    return ",".join(texts) or "-"


def _seat_text(seat: int | None) -> str:
    return "-" if seat is None else str(seat)
