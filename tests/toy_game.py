"""A whole game in plain Python, as a user would write one: each turn a card, the higher of two wins the trick.

Two seats with three of the cards 1 to 7 each, one stays away. The leader plays a card face up, the other any card of
its own; the higher one wins the trick and leads. One point a trick.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cython_core.game import Move
from cython_core.python_state import PythonRules, PythonState
from cython_core.rng import Rng
from dnup_ai.errors import DeckError, NotationError
from dnup_ai.games import Game, PlainDeck

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


class TrickGame(Game):
    """The game as the commands see it: `--game tests/toy_game.py:TrickGame`."""

    name = "trick"
    options: Mapping[str, Any] = {}
    points = "tricks"

    def shipped_decks(self) -> tuple[str, ...]:
        return ("seven",)

    def load_deck(self, name_or_path: object) -> PlainDeck:
        if name_or_path != "seven":
            raise DeckError(f"deck {name_or_path!r}: trick has only one, 'seven'")
        return PlainDeck("seven", (2,))

    def deck_from_dict(self, data: object, where: str) -> PlainDeck:
        raise DeckError(f"{where}: trick has only one deck")

    def check_deck(self, path: object) -> list[str]:
        return [f"{path}: trick has only one deck"]

    def deck_template(self) -> str:
        raise DeckError("trick has only one deck")

    def deck_row(self, deck: PlainDeck) -> tuple[str, ...]:
        return ()

    def rules(self, deck: PlainDeck, players: int, options: Mapping[str, Any]) -> TrickRules:
        if players != 2:
            raise DeckError(f"trick is for 2 players, got {players}")
        return TrickRules()

    def parse_position(self, text: str, deck: object = None, options: object = None) -> TrickState:
        match = re.fullmatch(r"trick:2(?: view=([01]))? turn=[01-] data=Trick\(hands=(.*), turn=.*\)", text)
        if match is None:
            raise NotationError(f"trick, column 1: expected a position as `deal` prints it, got {text[:30]!r}")
        values = [
            ast.literal_eval(part) for part in re.findall(r"=(\(.*?\)|\d+)(?=, \w+=|\)$)", text.partition("Trick")[2])
        ]
        return TrickState(TrickRules(), Trick(*values), None if match[1] is None else int(match[1]))

    def parse_move(self, rules: TrickRules, text: str) -> Move:
        if not text.isdecimal():
            raise NotationError(f"move, column 1: expected the number of a card, got {text!r}")
        return rules.wrap_move(int(text))
