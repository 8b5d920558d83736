"""Games in plain Python behind the contract: no compiler, the same search, a few hundred times slower.

A game is a subclass of `PythonRules`, which deals, and one of `PythonState` with six methods. `dnup_ai.testing`
has the checks that it should pass; tests/toy_game.py is a whole game.
"""

from collections.abc import Sequence
from typing import Any

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng

class PythonMove(Move):
    """A move of a game in Python: its code, and the text that the rules give it."""

class PythonRules(Rules):
    """What stays the same from deal to deal. A game overrides `deal`, and `move_text` for readable moves.

    game: the name, the first word of positions; max_moves: no position has more legal moves; points: the fewest and
    the most that a seat can get in a round, which rewards are scaled by; the rest: see `Rules`.
    A subclass may have attributes of its own that never change; if two rules can differ in them, `options` returns
    them. Raises ValueError that names the argument.
    """

    def __init__(
        self,
        game: str,
        players: int,
        max_moves: int,
        points: tuple[float, float],
        *,
        deck: str = "",
        repetition: int = 0,
        max_turns: int = 1000,
        max_rounds: int = 1,
    ) -> None: ...
    low: float
    high: float
    def move_text(self, code: int) -> str:
        """The text of a move, different for each. Default: the number."""

class PythonState(State):
    """Truth or one seat's view of a game in Python; a game overrides the six methods below, and others if it likes.

    data: all that the state holds, as one immutable value whose `repr` tells all of it, the same in every process:
    numbers, texts, tuples, named tuples, frozen dataclasses; no sets or dictionaries, nor attributes of the state.
    The game's methods read `self.data`, `self.rules` and `self.view` and return new data; copies, undo, views, pickles
    and equality are made of that. Where a view does not know something, data holds a placeholder, always the same.
    The constructor's arguments stay as they are in subclasses; `view` is the seat whose knowledge it is.

    An error that any of the methods raises comes out of the method or the search that was called: the search stops
    and raises it, with its traceback, in place of a result.
    """

    def __init__(self, rules: PythonRules, data: Any, view: int | None = None) -> None: ...
    data: Any

    def get_turn(self) -> int | None:
        """The seat to move, None when the round is over; the same in every view. Callers read `turn` instead."""
    def legal_codes(self) -> Sequence[int]:
        """The codes of the legal moves, ascending, 1 to 2**32 - 1; at least one.

        Asked for in true states that are not over, and in the view of the seat to move.
        """
    def play(self, code: int) -> Any:
        """The data after a legal move; in a view also after a move of another seat, whose hand it does not know.

        A move is public: all that it shows to the others must be in its code, and what the seats know of one another
        must follow from the codes. What the rules reveal later (a showdown) is a move of its own, forced if need be.
        """
    def hide(self, seat: int) -> Any:
        """The data of what `seat` may know of this true state."""
    def deal_hidden(self, rng: Rng) -> Any:
        """The data of a world: what this view does not know, drawn so that each possible true state is equally likely.

        Take randomness from `rng` only.
        """
    def get_points(self) -> Sequence[float]:
        """Per seat: points of the round; before the end, what has not been given is split among the seats still in.

        The sum never changes. In a view they must follow from what the view knows.
        """
    def may_play(self, code: int) -> bool:
        """In a view, for the turn of another seat: whether the move, any number, is legal in some world.

        Default: whether it is in `legal_codes()`, which is right if legal moves do not depend on anything hidden.
        """
    def get_ranks(self) -> Sequence[int]:
        """Per seat: 1 came first, 2 second, 0 else. Default: 1 for the seat with the most points, if it is alone."""
    def get_rewards(self, kind: str) -> Sequence[float]:
        """Per seat, from 0 to 1: what the outcome is worth; before the end, as if the rest was shared.

        kind: `tokens` or `match`. Default: the points, scaled; or 1, shared by the seats with the most points.
        """
    def evaluate(self, kind: str) -> Sequence[float]:
        """Per seat, from 0 to 1: the reward to expect of this true state, which is not over. Default: `get_rewards`."""
    def choose_greedy(self, rng: Rng) -> int:
        """The legal move that looks best at once. Asked for as `legal_codes` is. Default: any."""
    def get_priors(self, codes: Sequence[int]) -> Sequence[float]:
        """A probability for each of these legal moves: how good it looks. Default: all the same."""
    def get_key(self, code: int, seat: int, merge: bool) -> int:
        """The number of a move as `seat` observes it; merge: the same for moves that are alike. Default: the code."""
    def get_group(self, code: int) -> int:
        """The number, 1 to 255, of the group of alike moves that this one is of; 0: it stands alone, the default."""
    def check(self) -> None:
        """Raise ValueError if the state breaks an invariant. Default: data must be hashable, as immutable data is."""
