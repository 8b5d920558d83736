"""Kuhn poker once more, in Python, for comparison with the compiled one; and with an opponent that tosses coins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cython_core.python_state import PythonRules, PythonState
from cython_core.rng import Rng

PASS, BET, SHOW = 1, 2, 3
X = -1  # a card or coins that the view does not know


class Hand(NamedTuple):
    cards: tuple[int, int]
    line: tuple[int, ...]  # every move so far


class PythonKuhnRules(PythonRules):
    def __init__(self) -> None:
        super().__init__("kuhn", players=2, max_moves=2, points=(-2, 2), max_turns=10)

    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> PythonKuhn:
        first = rng.below(3)
        return PythonKuhn(self, Hand((first, other_card(first, rng)), ()))


class PythonKuhn(PythonState):
    data: Hand

    def betting(self) -> tuple[int, ...]:
        return tuple(code for code in self.data.line if code < SHOW)

    def shown(self) -> int:
        return len(self.data.line) - len(self.betting())

    def called(self) -> bool:
        return self.betting()[-2:] in [(PASS, PASS), (BET, BET)]

    def folded(self) -> bool:
        return self.betting()[-2:] == (BET, PASS)

    def get_turn(self) -> int | None:
        if self.folded() or self.shown() == 2:
            return None
        return self.shown() if self.called() else len(self.data.line) % 2

    def legal_codes(self) -> Sequence[int]:
        return [SHOW + self.data.cards[self.shown()]] if self.called() else [PASS, BET]

    def may_play(self, code: int) -> bool:
        if not self.called():
            return code in (PASS, BET)
        return code in {SHOW, SHOW + 1, SHOW + 2} - {SHOW + card for card in self.data.cards}

    def play(self, code: int) -> Hand:
        cards = list(self.data.cards)
        if code >= SHOW:
            cards[self.shown()] = code - SHOW
        return self.data._replace(cards=tuple(cards), line=(*self.data.line, code))

    def hide(self, seat: int) -> Hand:
        cards = list(self.data.cards)
        if self.shown() <= 1 - seat:
            cards[1 - seat] = X
        return self.data._replace(cards=tuple(cards))

    def deal_hidden(self, rng: Rng) -> Hand:
        assert self.view is not None
        cards = list(self.data.cards)
        if cards[1 - self.view] == X:
            cards[1 - self.view] = other_card(cards[self.view], rng)
        return self.data._replace(cards=tuple(cards))

    def get_points(self) -> Sequence[float]:
        gain = 0
        if self.folded():
            gain = 1 if len(self.data.line) == 2 else -1
        elif self.shown() == 2:
            gain = self.at_showdown()
        return gain, -gain

    def evaluate(self, kind: str) -> Sequence[float]:
        gain = self.get_points()[0] if self.folded() else self.at_showdown()
        assert kind == "tokens"
        return (gain + 2) / 4, (2 - gain) / 4

    def at_showdown(self) -> int:
        stake = 2 if self.called() and self.betting()[-1] == BET else 1
        return stake if self.data.cards[0] > self.data.cards[1] else -stake

    def choose_greedy(self, rng: Rng) -> int:
        codes = self.legal_codes()
        card = self.data.cards[self.turn or 0]
        if len(codes) == 1:
            return codes[0]
        if card == 1:
            return BET if self.data.line[-1:] == (BET,) else PASS
        return BET if card == 2 else PASS

    def get_key(self, code: int, seat: int, merge: bool) -> int:
        return min(code, SHOW) if merge else code


class Coins(NamedTuple):
    cards: tuple[int, int]
    line: tuple[int, ...]
    tosses: tuple[int, ...]  # what each bet or pass of the coin's seat will be; X: not known


class CoinKuhnRules(PythonRules):
    """Kuhn poker in which one seat, `coin`, has tossed coins beforehand for what it will do: it plays uniformly."""

    def __init__(self, coin: int) -> None:
        super().__init__("coin-kuhn", players=2, max_moves=2, points=(-2, 2), max_turns=10)
        self.coin = coin

    def options(self) -> dict[str, int]:
        return {"coin": self.coin}

    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> CoinKuhn:
        first = rng.below(3)
        return CoinKuhn(self, Coins((first, other_card(first, rng)), (), (toss(rng), toss(rng))))


class CoinKuhn(PythonKuhn):
    data: Coins
    rules: CoinKuhnRules

    def legal_codes(self) -> Sequence[int]:
        if self.get_turn() == self.rules.coin and not self.called():
            return [self.data.tosses[0]]
        return super().legal_codes()

    def play(self, code: int) -> Coins:
        data = super().play(code)
        if self.get_turn() == self.rules.coin and not self.called():
            data = data._replace(tosses=self.data.tosses[1:])
        return data

    def hide(self, seat: int) -> Coins:
        data: Coins = super().hide(seat)
        return data if seat == self.rules.coin else data._replace(tosses=(X,) * len(data.tosses))

    def deal_hidden(self, rng: Rng) -> Coins:
        data: Coins = super().deal_hidden(rng)
        return data._replace(tosses=tuple(toss(rng) if code == X else code for code in data.tosses))


def other_card(card: int, rng: Rng) -> int:
    """One of the two cards that are not this one."""
    other = rng.below(2)
    return other if other < card else other + 1


def toss(rng: Rng) -> int:
    return PASS + rng.below(2)
