"""Plain reasons for a move: what the rules say that it does, and how often, counted in the worlds of a belief."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cython_core.game import IllegalMoveError, Move, State
from dnup_ai.beliefs import Belief
from dnup_ai.games.base import Game
from dnup_ai.words import percent


class Reasons:
    """What is to be said for and against the moves of a view's seat, counted in the worlds that it believes in."""

    def __init__(self, game: Game, view: State, belief: Belief) -> None:
        self._game = game
        self._view = view
        self._belief = belief
        self._read = [(game.read_world(world), weight) for world, weight in belief]

    def of(self, move: Move) -> tuple[str, ...]:
        """Return the reasons of a legal move.

        First what the game says of it, then, in any game, whether it puts the seat out, and the chance that the next
        seat can be out with its very next move.
        """
        game_reasons = self._game.move_reasons(self._view, move, self._read)
        return (*game_reasons, *_common_reasons(self._view, move, self._belief))


def _common_reasons(view: State, move: Move, belief: Belief) -> list[str]:
    reasons = []
    after = view.copy()
    after.apply(move)
    seat = view.turn
    assert seat is not None
    if rank := after.ranks()[seat]:
        reasons.append(f"you are out {('first', 'second')[rank - 1]}")
    elif after.turn is None:
        reasons.append("ends the round")
    elif after.turn != seat and (chance := chance_out(move, belief)) > 0:
        reasons.append(f"seat {after.turn} can then be out at once: {percent(chance)}")
    return reasons


def chance_out(move: Move, belief: Iterable[tuple[State, float]]) -> float:
    """Return the chance that the seat after this move has a move that puts it out."""
    return sum((weight for world, weight in belief if _can_be_out(world, move)), 0.0)


def _can_be_out(world: State, move: Move) -> bool:
    state = world.copy()
    state.apply(move)
    seat = state.turn
    if seat is None:
        return False
    for reply in state.legal_moves():
        undo = state.apply(reply)
        out = state.ranks()[seat] > 0
        state.undo(undo)
        if out:
            return True
    return False


def line_words(game: Game, view: State, line: Sequence[Move]) -> str:
    """Return a line of moves from this view in words, as far as one game can go that way.

    A tree over many worlds may go on with moves that no single world allows one after the other.
    """
    state = view.copy()
    words = []
    for move in line:
        try:
            verb, rest = game.move_words(state, move)
            own = state.turn == view.turn
            text = f"you {verb}" if own else f"seat {state.turn} {verb}{'es' if verb.endswith('s') else 's'}"
            state.apply(move)
        except (IllegalMoveError, ValueError):
            break
        words.append(f"{text} {rest}".rstrip())
        if state.turn is None:
            break
    return ", ".join(words)
