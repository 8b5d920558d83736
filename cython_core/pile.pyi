"""dnup-pile as Python sees it: rules with options, moves, states (docs/rules-pile.md)."""

from collections.abc import Sequence
from typing import Any, Literal

from cython_core.game import Move, Rules, State, Undo
from cython_core.pile_position import PilePosition
from cython_core.position import Card
from cython_core.rng import Rng

OPTIONS: dict[str, Any]
"""The options of the rules (docs/rules-pile.md) with their defaults."""

class PileMove(Move):
    @property
    def kind(self) -> Literal["skip", "revolve", "play"]: ...
    @property
    def card(self) -> Card | None:
        """The card that is played as it lies in the hand (active, inactive), else None."""
    @property
    def visible(self) -> int | None:
        """The value of that card which is visible on the pile then."""
    @property
    def pile(self) -> int | None: ...

class PileRules(Rules):
    """dnup-pile for a number of players with the cards of a deck and the options of the ruleset.

    cards: (lower, higher) value of each card, at most 64, all different, values 1..15; all are in play at every
    number of players; `deck` is the name that positions give. Raises ValueError that names the argument.
    """

    def __init__(
        self,
        players: int,
        cards: Sequence[Card],
        *,
        deck: str = "standard",
        piles: int = 1,
        match: str = "either",
        revolves: int = 1,
        reshuffle: str = "never",
        one_point: str = "feeder",
        blocked: str = "fewest",
        repetition: int = 3,
        max_turns: int = 1000,
        max_rounds: int = 100,
    ) -> None: ...
    cards: tuple[Card, ...]
    """The cards, (lower, higher), sorted."""
    piles: int
    match: str
    revolves: int
    reshuffle: str
    one_point: str
    blocked: str
    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> PileState:
        """A new round; `tokens`: per seat, the points of the match before it (default: none)."""

    def move(
        self, kind: str, card: Card | None = None, visible: int | None = None, pile: int | None = None
    ) -> PileMove:
        """The move with these parts; raises ValueError if no such move exists in any position.

        pile: 0 or 1; may be left out where there is only one.
        """

class PileState(State):
    """A round of dnup-pile, true or as one seat sees it, made from a position.

    Raises ValueError, naming the field of the notation at fault, if the position is impossible under the rules.

    Views take public moves. What another seat draws stays unseen. A card that the view's own seat draws is in its hand
    then, without a name (`1x`), until `reveal` or `drew` names it; before that the view cannot list its moves.

    With `reshuffle=always` a true state carries the generator of reshuffles to come: drawn by the deal and by
    `determinise`, derived from the position where that was read, zero in views. It is in `to_bytes`, since `undo`
    restores it, but states that differ only there are equal and hash alike, since they are the same position.
    """

    def __init__(self, rules: PileRules, position: PilePosition) -> None: ...
    @property
    def rules(self) -> PileRules: ...
    @property
    def points(self) -> tuple[int, ...]:
        """Per seat: points of the match before this round."""
    @property
    def out(self) -> tuple[int, ...]:
        """The seats whose hands are empty, in the order of being so."""
    @property
    def end(self) -> Literal["out", "blocked"] | None:
        """How the round ended, None if it has not."""
    def reshuffled(self, undo: Undo) -> str | None:
        """The record entry of the reshuffle that the last move led to, `stock:` and the new stock as it was before a
        card was drawn from it; None if there was none. `undo`: what `apply` returned for that move.
        """
    def set_reshuffle(self, text: str) -> None:
        """Make the reshuffle that the last move led to that of this record entry; the move can still be undone.

        Raises ValueError, naming the column, and leaves the state as it was, if that cannot be.
        """
    def drew(self, card: Card) -> None:
        """Name the card, as it lies in the hand, that the view's own seat has just drawn.

        Raises ValueError if there is none to name, or if it cannot be this one.
        """
    def position(self) -> PilePosition: ...
    def legal_moves(self) -> list[PileMove]: ...  # type: ignore[override]
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
