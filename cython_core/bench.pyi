"""Timed loops over the contract of game.pxd, for `dnup-ai bench`: what a caller in C pays for each operation."""

from collections.abc import Sequence

from cython_core.evaluation import Evaluator
from cython_core.game import State
from cython_core.rng import Rng

def time_operations(states: Sequence[State], repeats: int, rng: Rng) -> tuple[float, float, float]:
    """Seconds per copy, per list of legal moves, and per apply + undo of a random legal move.

    states: a list of true states that are not over, of the same rules. They are visited in turn, `repeats` times, so
    that no branch is learnt by heart.
    """

def time_rollouts(states: Sequence[State], policy: str, epsilon: float, rng: Rng, max_turns: int) -> tuple[float, int]:
    """Plays a copy of each true state of a list out, by the policy `random` or `greedy`. Returns (seconds, turns)."""

def time_evaluations(states: list[State], evaluator: Evaluator, repeats: int) -> float:
    """Seconds per evaluation of true states, visited in turn, `repeats` times."""
