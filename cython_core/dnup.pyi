"""dnup as Python sees it: rules with options, moves, states (docs/rules.md)."""

from collections.abc import Sequence
from typing import Any, Literal

from cython_core.game import Move, Rules, State
from cython_core.position import Card, Position
from cython_core.rng import Rng

OPTIONS: dict[str, Any]
"""The options of the rules (docs/rules.md) with their defaults."""

class DnupMove(Move):
    @property
    def kind(self) -> Literal["flip", "take", "add", "play"]: ...
    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards played or added as they lie in the hand (active, inactive), sorted; else empty."""
    @property
    def zone(self) -> int | None:
        """The index in `Position.table` of the set that is added to or taken; None for flip and play."""

class DnupRules(Rules):
    """dnup for a number of players with the cards in play and the options of the ruleset.

    cards: (lower, higher) value of each card in play, at most 64, all different, values 1..15, each value on at
    most 10 cards; `star` is one of them; `deck` is the name that positions give.
    Raises ValueError that names the argument.
    """

    def __init__(
        self,
        players: int,
        cards: Sequence[Card],
        star: Card,
        *,
        deck: str = "standard",
        out_sets: str = "open",
        repetition: int = 3,
        max_turns: int = 1000,
        max_rounds: int = 100,
    ) -> None: ...
    cards: tuple[Card, ...]
    """The cards in play, (lower, higher), sorted."""
    star: Card
    out_sets: str
    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> DnupState: ...
    def move(self, kind: str, cards: Sequence[Card] = (), zone: int | None = None) -> DnupMove:
        """The move with these parts; raises ValueError if no such move exists in any position."""

class DnupState(State):
    """A round of dnup, true or as one seat sees it, made from a position.

    Raises ValueError, naming the field of the notation at fault, if the position is impossible under the rules.
    """

    def __init__(self, rules: DnupRules, position: Position) -> None: ...
    @property
    def rules(self) -> DnupRules: ...
    @property
    def zone(self) -> int | None:
        """Index in `Position.table` of the zone that the seat to move plays into, None when the round is over."""
    @property
    def out(self) -> tuple[int, ...]: ...
    @property
    def tokens(self) -> tuple[int, ...]: ...
    def position(self) -> Position: ...
    def legal_moves(self) -> list[DnupMove]: ...  # type: ignore[override]
