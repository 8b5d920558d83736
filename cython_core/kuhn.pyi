"""Kuhn poker: a tiny solved game, which shows that search and interface are generic and right."""

from collections.abc import Sequence
from typing import Self

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng

class KuhnMove(Move):
    """`pass` (give up against a bet), `bet` (call one), or `show:K`, forced once the betting is over."""

class KuhnRules(Rules):
    """Two seats, the cards J, Q and K, an ante of one chip and one bet of one chip. There are no options."""

    def __new__(cls) -> Self: ...
    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> KuhnState:
        """A card to each seat, the third stays away. A match is one round: `tokens` are zeros."""
    def move(self, text: str) -> KuhnMove:
        """The move with this text; raises ValueError if there is none."""

class KuhnState(State):
    """A round of Kuhn poker, true or as one seat sees it.

    hands: a letter a seat, `x` for a card that the view does not know, as in "Qx"; moves: the texts of those played.
    Raises ValueError that names the argument at fault. Payoffs and points are chips won or lost.
    """

    def __init__(self, rules: KuhnRules, hands: str, moves: Sequence[str] = (), view: int | None = None) -> None: ...
    @property
    def rules(self) -> KuhnRules: ...
    @property
    def hands(self) -> str: ...
    @property
    def moves(self) -> tuple[str, ...]: ...
