"""The contract between games, search and harness, as Python sees it."""

from collections.abc import Sequence
from typing import Any, Self

from cython_core.rng import Rng

MAX_SEATS: int
MAX_MOVES: int
MAX_FEATURES: int

class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this position; the message ends with the position."""

class Move:
    """One move, immutable, equal to and hashable like every move of the same rules with the same text.

    `str(move)` is the move in the game's notation. Moves come from `State.legal_moves` and from the rules.
    """

    def __init__(self, /, *args: Any, **kwargs: Any) -> None: ...
    @property
    def code(self) -> int:
        """The number of the move in the core; ascending codes are the order of `State.legal_moves`."""

class Rules:
    """A game with its number of players and options: what stays the same from deal to deal. Immutable."""

    game: str
    """Name of the game, the first word of its positions: `dnup`."""
    deck: str
    players: int
    max_moves: int
    """No position of these rules has more legal moves."""
    repetition: int
    """The round ends when a state occurs this often; 0: never. Applied by whoever runs the round."""
    max_turns: int
    """The round ends after so many turns. Applied by whoever runs the round."""
    max_rounds: int
    """The match ends, undecided, after so many rounds. Applied by whoever runs the match."""

    def wrap_move(self, code: int) -> Move:
        """The move with this code; not checked: whether there is such a move."""
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults, as a record's `rules` object has them."""

    def search_defaults(self) -> dict[str, Any]:
        """The search parameters whose best known values are not the engine's defaults, by name. Default: none."""
    def feature_names(self) -> tuple[str, ...]:
        """What `State.features` counts of each seat, in its order. Default: nothing."""
    def evaluation_key(self) -> dict[str, Any]:
        """The options and properties of these rules that weights of the features depend on, as JSON has them.

        Weights that were fitted under another key are refused. Default: nothing.
        """
    def match_winner(self, rounds: Sequence[tuple[tuple[int, ...], str]]) -> int | None:
        """The seat that has won the match by these rounds, each its result and `end`; None: nobody has yet.

        Default: after `max_rounds` rounds the seat with the most points, if it is alone.
        """
    def deal(self, rng: Rng, tokens: Sequence[int] | None = None) -> State:
        """A new round: the cards shuffled, the way up of each drawn, all dealt out.

        `tokens`: per seat, those of the match before this round (default: none).
        """

class Undo:
    """What `State.undo` needs to take back one move; made by `State.apply`."""

    def __init__(self, /, *args: Any, **kwargs: Any) -> None: ...

class State:
    """Truth or one seat's view of a round in progress. Mutable; `copy()` before you branch."""

    def __init__(self, /, *args: Any, **kwargs: Any) -> None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def players(self) -> int: ...
    @property
    def turn(self) -> int | None:
        """The seat to move, None when the round is over."""
    @property
    def view(self) -> int | None:
        """The seat whose knowledge this is, None: the true state."""
    @property
    def is_over(self) -> bool: ...
    @property
    def end(self) -> str | None:
        """How the rules ended the round: `out`, or another word of the game's own; None if they have not."""
    def legal_moves(self) -> list[Move]:
        """The legal moves of the seat to move, in ascending order of their codes; empty when the round is over.

        Raises ValueError in a view of another seat than the one to move.
        """
    def is_legal(self, move: Move | int) -> bool:
        """Whether the move is legal; in a view for another seat's turn: whether it is in some world.

        Any number from 0 to 2**32 - 1 may be asked for.
        """
    def apply(self, move: Move | int) -> Undo:
        """Play the move and return what `undo` needs. In a view, moves of the other seats are public events.

        What chance shows to the view's own seat alone, like a card that it draws, stays without a name until `reveal`.

        Raises IllegalMoveError and leaves the state as it was when the move is not legal (in a view of another
        seat: when it cannot be legal in any world).
        """
    def undo(self, undo: Undo) -> None:
        """Take back the last move; the state is then bit for bit what it was. Undo in reverse order only."""
    def copy(self) -> Self: ...
    def payoffs(self) -> tuple[float, ...]:
        """Per seat: points that this round gave so far, those not given split equally among the seats still in."""
    def result(self) -> tuple[int, ...]:
        """Per seat: points that this round has given so far."""
    def ranks(self) -> tuple[int, ...]:
        """Per seat: 1 came first, 2 second; 0: undecided or behind them."""
    def observe(self, seat: int) -> Self:
        """What `seat` may know, and nothing else."""
    def determinise(self, rng: Rng) -> Self:
        """A world: one true state, drawn uniformly from all that agree with this view.

        Raises ValueError on a true state.
        """
    def rewind(self, history: Sequence[Move | int]) -> Self:
        """The true state in which the round began, if these public moves, from its very start, led to this true state.

        Raises ValueError if they did not, if the game cannot say, or on a view.
        """
    def repeats(self, history: Sequence[Move | int]) -> list[int]:
        """Of each legal move: how often the state that it leads to was there before in this round, on a view as well.

        history: the public moves of the round, from its very start. All 0 if they did not lead to this state, or the
        game cannot say, like `rewind`.
        """
    def count_worlds(self, limit: int = 1024) -> int | None:
        """How many true states agree with this view; None: more than `limit`, or the game cannot list them.

        Raises ValueError on a true state.
        """
    def worlds(self, limit: int = 1024) -> list[Self]:
        """All true states that agree with this view, in an order that the view alone decides.

        `determinise` draws each of them equally often. Raises ValueError on a true state, if there are more than
        `limit`, and if the game cannot list them.
        """
    def reveal(self, truth: State) -> None:
        """Name in this view what chance has shown to its seat alone; `truth`: the state that it is the view of."""
    def move_key(self, move: Move | int, seat: int, merge: bool = False) -> int:
        """The number of the move as `seat` observes it: equal for moves that the seat cannot tell apart.

        merge: equal also for moves that are alike but for the cards.
        """
    def seen_move(self, move: Move | int, seat: int) -> Move:
        """The move as `seat` sees it happen in this true state: with the cards that chance shows to that seat.

        By it, and not by the bare move, the view of that seat is moved on; in most games there is no difference.
        """
    def move_group(self, move: Move | int) -> int:
        """The number of the group of alike moves that this one is of; 0: it stands alone."""
    def rewards(self, kind: str = "tokens", evaluate: bool = False) -> tuple[float, ...]:
        """Per seat, from 0 to 1: what the outcome is worth, `tokens` or `match` (the chance to win the match), or with
        `first` and `second` whether the seat has that place, which nobody has before it is given.

        evaluate: what to expect of a true state that is not over, by the game's evaluation.
        """
    def chances(self) -> tuple[float, ...] | None:
        """Per seat: the chance to come next in the order of this round (first, once somebody is first second), by the
        game's simple evaluation. None: the game has none of this form.

        Raises ValueError on a view, and when the round is over.
        """
    def features(self) -> tuple[tuple[float, ...], ...]:
        """Per seat of this true state: the numbers that `Rules.feature_names` names. All 0 for who has come.

        Raises ValueError on a view, and when the round is over.
        """
    def priors(self) -> list[float]:
        """A probability for each legal move: how good it looks to the game's heuristic."""
    def repetition_key(self) -> bytes:
        """Equal exactly when two true states are the same for the rule on repetition."""
    def to_bytes(self) -> bytes:
        """All that the state holds; equal bytes, equal states. The same in every process."""
    def check(self) -> None:
        """Raise ValueError, naming the fault, if the state breaks an invariant of the game."""
    def perft(self, depth: int) -> int:
        """Number of move sequences of exactly `depth` turns (docs/notation.md)."""
    def perft_divide(self, depth: int) -> dict[Move, int]:
        """The same, by first move; `depth` is at least 1."""
    def greedy_move(self, rng: Rng, epsilon: float = 0.0) -> Move:
        """The move of the game's greedy heuristic for the seat to move; with chance `epsilon` a random one."""
    def rollout(
        self, rng: Rng, policy: str = "random", epsilon: float = 0.0, max_turns: int = 1000
    ) -> tuple[tuple[float, ...], int]:
        """Play a copy of this true state out; returns payoffs and the number of turns played."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int:
        """Equal for equal states, in every process; it changes when a move is applied."""
    def __str__(self) -> str:
        """The position in the game's notation."""
