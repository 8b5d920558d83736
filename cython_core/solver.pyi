"""Endings with all cards open, solved (docs/search.md, "Endings")."""

from cython_core.ending_graph import EndingGraph
from cython_core.game import State
from cython_core.solution import Solution

class Solver(EndingGraph):
    """Solves states of any game; keeps its memory from one to the next. Not to be shared between threads.

    node_limit: states that it lists, 1 to 2**26; a quarter of it are looked at for proofs before.
    """

    def solve(self, state: State, depth: int = 50, every_move: bool = True) -> Solution:
        """What every move of a true state is worth if all seats play for their own rewards (`State.rewards`) only.

        A round that goes on for ever gives what an undecided one gives: with 2 players a draw. Of equally good moves
        the mover plays the soonest if it wins by it (or can get no more), else the latest; the first of those.

        depth: with more than 2 players, how far max^n looks ahead where nothing can be proven; the result is then not
        `exact`. Nor is it if there are too many states; then what was not proven counts as a draw, and with more than 2
        players there are no moves in it. every_move: with 2 players, False stops when a win is found, with the soonest
        first; the other moves may then be not `exact`. Raises ValueError on a view.
        """
