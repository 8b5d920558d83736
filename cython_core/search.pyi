"""The tree search as Python drives it; `dnup_ai.search` is the face for people."""

from collections.abc import Sequence
from typing import Any, Self

from cython_core.belief import Belief
from cython_core.evaluation import Evaluator
from cython_core.game import State
from cython_core.rng import Rng

class Searcher:
    """One worker: its memory and its statistics. Made for the rules of `view`; not to be shared between threads.

    params: an object with the fields of `dnup_ai.search.SearchParams`, read once and never written.
    trees: 0 for a fresh world each iteration and one tree, or so many worlds, a tree each.
    max_depth: of nodes below the root; evaluator: of leaves whose rollout is cut short (default: the game's own).
    Raises ValueError if the evaluator is of other rules, MemoryError if there is no room for the tree.
    """

    def __new__(
        cls, view: State, params: Any, *, trees: int = 0, max_depth: int = ..., evaluator: Evaluator | None = None
    ) -> Self: ...
    @property
    def evaluator(self) -> Evaluator: ...
    @property
    def view(self) -> State: ...
    @property
    def iterations(self) -> int: ...
    @property
    def depth_sum(self) -> int: ...
    @property
    def revisits(self) -> int: ...
    @property
    def rollout_turns(self) -> int: ...
    @property
    def listed_worlds(self) -> int:
        """Worlds that the search took in turn, or by a belief; 0: it drew them."""
    @property
    def full(self) -> bool: ...
    @property
    def wall(self) -> float: ...
    @property
    def cpu(self) -> float: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def stopped_by(self) -> str: ...
    def search(
        self,
        view: State,
        rng: Rng,
        reward: str,
        *,
        iterations: int = 0,
        wall: float = -1.0,
        cpu: float = -1.0,
        cap: float = -1.0,
        pause: float = -1.0,
        places: bool = False,
        only: int = -1,
        belief: Belief | None = None,
        undecided: Sequence[bool] = (),
    ) -> None:
        """Search from `view`, with an empty tree. Releases the GIL.

        reward: `tokens` or `match`; iterations: 0 for no limit; wall, cpu, cap: seconds, negative for no
        limit; cap: as wall, but an early stop does not reckon with it; pause: seconds after which it comes back with
        `stopped_by` `paused` if no limit was reached, negative: never; places: count for `root_places`;
        only: the index of the one root move that every iteration begins with, negative: all are tried; belief: over
        the worlds of this view, which are then taken by it, if it is informed; undecided: of each root move, whether
        an iteration ends with it as a round that is not decided (empty: none does). Raises ValueError if a belief is of
        another view, or of more worlds than `params.enumerate` and `params.belief_pool`.
        """
    def resume(self, pause: float = -1.0) -> None:
        """Go on after a pause, as if there had been none; limits count from the beginning, the clock's runs on.

        Raises ValueError if the search is over.
        """
    def root_places(self) -> list[tuple[float, float]]:
        """Per legal move of the root: the sums over its iterations of the root seat's chances to be first, and second.

        Zeros unless the search was told to count `places`.
        """
    def root_statistics(self) -> list[tuple[int, int, list[float]]]:
        """Per legal move of the root, in their order: visits, available, and the sum of the rewards by seat.

        Nodes of several trees are summed.
        """
    def root_batches(self) -> list[list[tuple[float, int]]]:
        """Per legal move of the root: the root seat's rewards in batches, (sum, count) each.

        Iterations go to the batches in turn, with a tree per world the trees; batches that never began with the move
        are left out.
        """
    def principal_variation(self, first: int, length: int) -> list[int]:
        """The codes of the most visited line from the root move with index `first`, in the first tree."""
    def tree(self) -> list[tuple[int | None, int, int, int, list[float]]]:
        """Every node, for tests and pictures: (parent, move code, visits, available, rewards), parents first."""
