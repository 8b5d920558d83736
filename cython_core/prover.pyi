"""Proofs, to some depth, of who wins when two seats play for one prize with all cards open."""

from typing import Self

from cython_core.game import Rules, State

class Prover:
    """A table of what is known of the states of one game with 2 players. Not to be shared between threads.

    node_limit: states that it remembers, at least 1. Raises ValueError if it is less, MemoryError if there is no room.
    """

    def __new__(cls, state: State, node_limit: int = ...) -> Self: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def node_limit(self) -> int: ...
    @property
    def nodes(self) -> int:
        """States looked at since the last `reset`; one counts again each time."""
    def reset(self, state: State) -> None:
        """Forget everything. Call it once before `winner`."""
    def winner(self, state: State, deepest: int = 40, nodes: int = 100_000) -> tuple[int, int] | None:
        """The seat that wins with best play, and in how many turns, or None: nobody can force it so soon.

        A win is an end that gives one seat a reward of 1 and the other 0. deepest: turns, at most 120; nodes: None
        also after so many states. What was found out is kept for later calls.
        Raises ValueError on a view and if the round is over.
        """
