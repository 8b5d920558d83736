"""The bot `eval1`: one turn ahead with the evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cython_core.evaluation import move_values
from cython_core.game import Move, Rules, State
from dnup_ai.bots.base import Bot
from dnup_ai.evaluation.weights import WEIGHTS_SUFFIX, evaluator_for
from dnup_ai.params import param


@dataclass(frozen=True)
class Eval1Params:
    """Parameters of `eval1`."""

    worlds: int = param(30, low=1, high=100_000, help="worlds in which every move is tried")
    evaluation: str = param(
        "fitted",
        choices=["fitted", "simple"],
        suffix=WEIGHTS_SUFFIX,
        help="by weights fitted on rounds: those that ship, if any, or of a file of fit-eval; or simple",
    )
    reward: str = param("tokens", choices=["tokens", "match"], help="tokens of the round, or match equity")


class Eval1(Bot):
    """One turn ahead: the move after which the evaluation expects most, on average over a few worlds."""

    name = "eval1"
    Params = Eval1Params
    params: Eval1Params

    @classmethod
    def check(cls, params: Eval1Params, rules: Rules) -> None:
        evaluator_for(rules, params.evaluation)

    def choose(self, view: State, history: Sequence[Move]) -> Move:
        moves = view.legal_moves()
        if len(moves) == 1:
            return moves[0]
        evaluator = evaluator_for(view.rules, self.params.evaluation)
        values = move_values(view, evaluator, self.rng, self.params.reward, self.params.worlds)
        # Of equal ones the first.
        return moves[max(range(len(moves)), key=values.__getitem__)]
