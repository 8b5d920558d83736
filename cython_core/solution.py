"""What a solver says of a state: values, and what each move is worth."""

from __future__ import annotations

from dataclasses import dataclass

from cython_core.game import Move


@dataclass(frozen=True, slots=True)
class SolvedMove:
    """One move of a state that was solved.

    values: what each seat gets after it, from 0 to 1 (`State.rewards`); value: the mover's; outcome: `win`, `draw` or
    `loss`, by whether that is more than, as much as or less than what a round gives that is never decided; distance:
    turns until the value is certain, this move included, None if the round goes on for ever; exact: whether this is
    proven, or what a search of some depth found.
    """

    move: Move
    value: float
    values: tuple[float, ...]
    outcome: str
    distance: int | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver found out about a state.

    values: what each seat gets with best play; exact: whether they are proven; moves: every legal move, in the order
    of the state's list, empty if there were too many states to solve it; best: the moves that are best by the
    tie-break, the first of which is played; nodes: states looked at.
    """

    values: tuple[float, ...]
    exact: bool
    moves: tuple[SolvedMove, ...]
    best: tuple[Move, ...]
    nodes: int

    @property
    def outcome(self) -> str | None:
        """That of the best move; None: the round is over, or it was not solved."""
        return self._first.outcome if self.best else None

    @property
    def distance(self) -> int | None:
        """That of the best move."""
        return self._first.distance if self.best else None

    @property
    def _first(self) -> SolvedMove:
        return next(move for move in self.moves if move.move == self.best[0])
