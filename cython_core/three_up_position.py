"""Plain data of a 3UP 3DOWN position and how it is written (docs/notation.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "C", "C1", "C2")
"""The ranks as they are written, lowest first. Everywhere else a card is its rank's index here, 0 to 12."""


@dataclass(frozen=True, slots=True)
class ThreeUpHand:
    """A hand: cards that only its holder knows, those that everybody knows, and how many the reader cannot name."""

    cards: tuple[int, ...] = ()
    known: tuple[int, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + len(self.known) + self.hidden

    def __str__(self) -> str:
        texts = []
        for rank in sorted({*self.cards, *self.known}):
            texts += _counted(self.cards, rank) + [f"{text}+" for text in _counted(self.known, rank)]
        return _list_text(texts, self.hidden)


@dataclass(frozen=True, slots=True)
class ThreeUpStack:
    """Face-down cards in drawing order, the next one first, or how many there are in a view, which names none."""

    cards: tuple[int, ...] = ()
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.hidden

    def __str__(self) -> str:
        return _list_text([RANKS[rank] for rank in self.cards], self.hidden)


@dataclass(frozen=True, slots=True)
class ThreeUpPosition:
    """A true position (`view` is None) or what the seat `view` may know of one.

    `hands`, `up` and `down` have one entry per seat; `turn` is None when the round is over. `extra` are the plays that
    are owed, `may_draw` whether the seat to move must first say if it draws.
    """

    players: int
    turn: int | None
    hands: tuple[ThreeUpHand, ...]
    up: tuple[tuple[int, ...], ...]
    down: tuple[ThreeUpStack, ...]
    pile: tuple[int, ...] = ()
    draw: ThreeUpStack = ThreeUpStack()
    gone: tuple[int, ...] = ()
    extra: int = 0
    may_draw: bool = False
    view: int | None = None
    deck: str = "standard"

    def __str__(self) -> str:
        """The position in the notation, as one line: equal positions are equal strings."""
        fields = [f"3up3down:{self.players}"]
        if self.view is not None:
            fields.append(f"view={self.view}")
        if self.deck != "standard":
            fields.append(f"deck={self.deck}")
        fields += [
            f"turn={'-' if self.turn is None else self.turn}",
            f"hands={';'.join(map(str, self.hands))}",
            f"up={';'.join(map(cards_text, self.up))}",
            f"down={';'.join(map(str, self.down))}",
            f"pile={cards_text(self.pile)}",
            f"draw={self.draw}",
            f"gone={cards_text(self.gone)}",
            f"extra={self.extra}{'d' if self.may_draw else ''}",
        ]
        return " ".join(fields)


def cards_text(cards: Iterable[int]) -> str:
    """Return a set of cards as it is written, `4,7*2,C1`; `-` if there are none."""
    counts = Counter(cards)
    return _list_text([text for rank in sorted(counts) for text in _counted(counts, rank)])


def _counted(cards: Iterable[int], rank: int) -> list[str]:
    """`7*2`, `7`, or nothing, by how often the rank is among the cards."""
    count = Counter(cards)[rank]
    return [RANKS[rank] + (f"*{count}" if count > 1 else "")] if count else []


def _list_text(texts: list[str], hidden: int = 0) -> str:
    return ",".join(texts + ([f"{hidden}x"] if hidden else [])) or "-"
