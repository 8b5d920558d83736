"""3UP 3DOWN as Python sees it: rules with options, moves, states (docs/rules-3up3down.md)."""

from collections.abc import Sequence
from typing import Any, Literal

from cython_core.game import Move, Rules, State, Undo
from cython_core.rng import Rng
from cython_core.three_up_position import ThreeUpPosition

OPTIONS: dict[str, Any]
"""The options of the rules and their defaults."""

class ThreeUpMove(Move):
    @property
    def kind(self) -> Literal["draw", "nodraw", "keep", "play", "up", "down", "pickup"]: ...
    @property
    def cards(self) -> tuple[int, ...]:
        """The ranks (`three_up_position.RANKS`) that are kept or played, ascending; else empty."""
    @property
    def seen(self) -> tuple[int, ...]:
        """The ranks that chance showed, ascending: of a move made by `State.seen_move`, written `play:7*2>4,C`."""

class ThreeUpRules(Rules):
    """3UP 3DOWN for 2 to 6 players with a deck and the options of the ruleset.

    counts: how many cards there are of each rank 1 to 10, C, C1, C2, at most 15; together more than 9 for each player
    and at most 108; `deck` is the name that positions give. `max_turns` counts moves.
    Raises ValueError that names the argument.
    """

    def __init__(
        self,
        players: int,
        counts: Sequence[int],
        *,
        deck: str = "standard",
        repetition: int = 3,
        max_turns: int = 1000,
        max_rounds: int = 1,
    ) -> None: ...
    counts: tuple[int, ...]
    """How many cards there are of each rank."""
    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> ThreeUpState:
        """A new round: three cards face down and six in hand each; seat 0 is the first to choose its face-up cards.

        tokens: none or zeros, since a match is one round.
        """
    def move(self, kind: str, cards: Sequence[int] = (), seen: Sequence[int] = ()) -> ThreeUpMove:
        """The move with these parts; raises ValueError if no such move exists in any position."""

class ThreeUpState(State):
    """A round of 3UP 3DOWN, true or as one seat sees it, made from a position.

    Chance (drawn cards, face-down cards) is the hidden order of the true state, so that a move has one outcome there.
    A view does not know that order. It takes moves of other seats as they are, their draws stay unseen; but a move that
    shows its seat a card, its own draw or anybody's `down`, must say which: `State.seen_move` makes it, and the view so
    moved on is the view of the state moved on. The bare move is legal in a view and can be chosen there; `apply` of it
    raises ValueError. `determinise` deals what is hidden anew, each deal of the single cards equally likely.

    Raises ValueError, naming the field of the notation at fault, if the position is impossible under the rules.
    """

    def __init__(self, rules: ThreeUpRules, position: ThreeUpPosition) -> None: ...
    @property
    def rules(self) -> ThreeUpRules: ...
    @property
    def extra(self) -> int:
        """How many plays are owed to the seat to move, 0 in a turn without extra plays."""
    def apply(self, move: Move | int) -> Undo: ...
    def position(self) -> ThreeUpPosition: ...
    def legal_moves(self) -> list[ThreeUpMove]: ...  # type: ignore[override]
    def seen_move(self, move: Move | int, seat: int) -> ThreeUpMove: ...
