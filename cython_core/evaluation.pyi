"""Evaluations as Python sees them: what a state that is not over promises each seat."""

from collections.abc import Iterable

from cython_core.game import Rules, State
from cython_core.rng import Rng

class Evaluator:
    """The game's own, simple evaluation; base of all others. Immutable: searches and threads may share one."""

    def fits(self, rules: Rules) -> bool:
        """Whether it can evaluate states of these rules."""
    def evaluate(self, state: State, kind: str = "tokens") -> tuple[float, ...]:
        """Per seat, from 0 to 1: the reward (`tokens` or `match`) to expect of a true state.

        Raises ValueError on a view, and on a state of rules that it does not fit.
        """

class LinearEvaluator(Evaluator):
    """A strength per seat, the sum of its features times `weights`; their softmax says who comes next.

    weights: one for each of `rules.feature_names()`, up to a million in size; later: factor of the strengths, 0 to 2,
    in the draw of who comes after the next one, which is less certain. Raises ValueError for others, or if there are
    more or fewer weights than features, or none.
    """

    def __init__(self, rules: Rules, weights: Iterable[float], later: float = 1.0) -> None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def weights(self) -> tuple[float, ...]: ...
    @property
    def later(self) -> float: ...
    def chances(self, state: State) -> tuple[float, ...]:
        """Per seat: the chance to come next in the order of the round, as `State.chances` has it."""

def move_values(view: State, evaluator: Evaluator, rng: Rng, reward: str, worlds: int) -> list[float]:
    """For each legal move, in their order: the mean reward of the seat to move that the evaluator expects after it.

    Over the same `worlds` worlds for all moves; of a true state only that one is looked at. Releases the GIL.
    Raises ValueError if the round is over, or the view is not of the seat to move.
    """
