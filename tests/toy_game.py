"""A whole game in plain Python, as a user would write one: each turn a card, the higher of two wins the trick.

Two seats with three of the cards 1 to 7 each, one stays away. The leader plays a card face up, the other any card of
its own; the higher one wins the trick and leads. One point a trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cython_core.python_state import PythonRules, PythonState
from cython_core.rng import Rng

CARDS = range(1, 8)
HAND = 3


class Trick(NamedTuple):
    """All that a state holds: one immutable value. A 0 stands for a card that the view does not know."""

    hands: tuple[tuple[int, ...], ...]
    turn: int
    led: int  # the card that lies there, 0: none
    gone: tuple[int, ...]  # cards of earlier tricks
    points: tuple[int, int]


class TrickRules(PythonRules):
    def __init__(self) -> None:
        super().__init__("trick", players=2, max_moves=HAND, points=(0, HAND), max_turns=2 * HAND)

    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> TrickState:
        cards = draw(list(CARDS), 2 * HAND, rng)
        hands = tuple(sorted(cards[:HAND])), tuple(sorted(cards[HAND:]))
        return TrickState(self, Trick(hands, 0, 0, (), (0, 0)))


class TrickState(PythonState):
    data: Trick

    def get_turn(self) -> int | None:
        return None if len(self.data.gone) == 2 * HAND else self.data.turn

    def legal_codes(self) -> Sequence[int]:
        return self.data.hands[self.data.turn]

    def may_play(self, code: int) -> bool:
        return code in self.unseen()

    def play(self, code: int) -> Trick:
        hands, turn, led, gone, points = self.data
        hand = list(hands[turn])
        hand.remove(code if code in hand else 0)
        hands = (tuple(hand), hands[1]) if turn == 0 else (hands[0], tuple(hand))
        if not led:
            return Trick(hands, 1 - turn, code, gone, points)
        winner = turn if code > led else 1 - turn
        points = (points[0] + (winner == 0), points[1] + (winner == 1))
        return Trick(hands, winner, 0, tuple(sorted((*gone, led, code))), points)

    def hide(self, seat: int) -> Trick:
        own, other = self.data.hands[seat], (0,) * len(self.data.hands[1 - seat])
        return self.data._replace(hands=(own, other) if seat == 0 else (other, own))

    def deal_hidden(self, rng: Rng) -> Trick:
        own, other = self.data.hands[self.view or 0], self.data.hands[1 - (self.view or 0)]
        drawn = tuple(sorted(draw(self.unseen(), len(other), rng)))
        return self.data._replace(hands=(own, drawn) if self.view == 0 else (drawn, own))

    def get_points(self) -> Sequence[float]:
        left = HAND - sum(self.data.points)
        return [points + left / 2 for points in self.data.points]

    def choose_greedy(self, rng: Rng) -> int:
        """The lowest card that wins the trick, else the lowest; leading, the highest."""
        hand = self.data.hands[self.data.turn]
        if not self.data.led:
            return hand[-1]
        return next((card for card in hand if card > self.data.led), hand[0])

    def unseen(self) -> list[int]:
        """The cards that a view does not know."""
        seen = {*self.data.hands[0], *self.data.hands[1], *self.data.gone, self.data.led}
        return [card for card in CARDS if card not in seen]


def draw(cards: list[int], n: int, rng: Rng) -> list[int]:
    """Draw n of the cards, each choice equally likely."""
    return [cards.pop(rng.below(len(cards))) for _ in range(n)]
