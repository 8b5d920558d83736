"""Plain data of a dnup position and how it is written (docs/notation.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

Card = tuple[int, int]
"""A card as it lies: active value, inactive value. In `gone`, where no way up counts: lower, higher."""


class HandCard(NamedTuple):
    """A named card of a hand; `mark` is `+` (known to all), `~` (known but for its way up) or empty."""

    active: int
    inactive: int
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.active}/{self.inactive}{self.mark}"


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: its named cards, and how many more there are that the reader cannot name."""

    cards: tuple[HandCard, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.hidden


@dataclass(frozen=True, slots=True)
class Position:
    """A true position (`view` is None) or what the seat `view` may know of one.

    `zone` is the zone of the seat to move: 1 or 2 at 2 players, the seat itself otherwise; `turn` and `zone`
    are None when the round is over. `table` has one tuple of cards per zone: 0.1, 0.2, 1.1, 1.2 at 2 players,
    one per seat otherwise. `tokens` are those from before this round.
    """

    players: int
    turn: int | None
    hands: tuple[Hand, ...]
    table: tuple[tuple[Card, ...], ...]
    gone: tuple[Card, ...] = ()
    gone_hidden: int = 0
    out: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    zone: int | None = None
    view: int | None = None
    deck: str = "standard"

    def __str__(self) -> str:
        """The position in the notation, as one line: equal positions are equal strings."""
        fields = [f"dnup:{self.players}"]
        if self.deck != "standard":
            fields.append(f"deck={self.deck}")
        if self.view is not None:
            fields.append(f"view={self.view}")
        hands = ";".join(self._hand_text(seat) for seat in range(self.players))
        fields += [
            f"turn={self._turn_text()}",
            f"hands={hands}",
            f"table={';'.join(_cards_text(cards) for cards in self.table)}",
            f"gone={_cards_text(self.gone, self.gone_hidden)}",
            f"out={','.join(map(str, self.out)) or '-'}",
            f"tokens={','.join(map(str, self.tokens))}",
        ]
        return " ".join(fields)

    def _turn_text(self) -> str:
        if self.turn is None:
            return "-"
        return f"{self.turn}.{self.zone}" if self.players == 2 else str(self.turn)

    def _hand_text(self, seat: int) -> str:
        hand = self.hands[seat]
        strangers = self.view is not None and self.view != seat
        cards = [
            f"{card.active}~{card.inactive}" if strangers and card.mark == "~" else str(card)
            for card in sorted(hand.cards)
        ]
        if hand.hidden:
            cards.append(f"{hand.hidden}x")
        return ",".join(cards) or "-"


def _cards_text(cards: Sequence[Card], hidden: int = 0) -> str:
    texts = [f"{active}/{inactive}" for active, inactive in sorted(cards)]
    if hidden:
        texts.append(f"{hidden}x")
    return ",".join(texts) or "-"
