"""A conformance kit: what must hold for every State, whatever the game. For the tests of games, also users' own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

from cython_core.game import MAX_MOVES, MAX_SEATS, IllegalMoveError, Move, Rules, State
from cython_core.rng import Rng


def random_line(rules: Rules, seed: int, max_turns: int = 1000) -> Iterator[tuple[State, Move | None]]:
    """Yield each state of a random round with the move that is then played in it; the last one with None.

    The state is one object that moves on: copy it to keep it.
    """
    rng = Rng(seed, seat=0)
    state = rules.deal(Rng(seed))
    for _ in range(max_turns):
        if state.is_over:
            break
        move = rng.choice(state.legal_moves())
        yield state, move
        state.apply(move)
    yield state, None


def check_round(rules: Rules, seed: int, max_turns: int = 1000) -> int:
    """Play a random round and assert all of the contract at every turn; returns the number of turns.

    Raises AssertionError that names the rule and the position.
    """
    assert 2 <= rules.players <= MAX_SEATS
    assert rules.max_moves <= MAX_MOVES
    total = sum(rules.deal(Rng(seed)).payoffs())
    rng = Rng(seed, seat=1)
    turns = 0
    for state, move in random_line(rules, seed, max_turns):
        state.check()
        check_moves(state)
        check_copies(state, move)
        check_evaluation(state)
        for seat in range(rules.players):
            check_view(state, seat, rng)
        assert abs(sum(state.payoffs()) - total) < 1e-9, f"the sum of payoffs changes in {state}"
        if move is not None:
            check_apply(state, move)
            turns += 1
    return turns


def check_moves(state: State) -> None:
    """The list of legal moves is ascending, without repetition, within its bound, and agrees with `is_legal`."""
    moves = state.legal_moves()
    codes = [move.code for move in moves]
    assert bool(moves) != state.is_over, f"no move, or moves after the end, in {state}"
    assert codes == sorted(set(codes)), f"moves out of order or twice in {state}"
    assert len({str(move) for move in moves}) == len(moves), f"two moves with one text in {state}"
    assert 0 not in codes, f"a move has the code of no move in {state}"
    assert len(moves) <= state.rules.max_moves, f"more moves than the bound in {state}"
    assert all(state.is_legal(move) for move in moves), f"a listed move is not legal in {state}"
    before = state.to_bytes()
    for code in {code + 1 for code in codes} - set(codes):
        assert not state.is_legal(code), f"code {code} is legal and not listed in {state}"
        try:
            state.apply(code)
        except IllegalMoveError:
            assert state.to_bytes() == before, f"a refused move changed {state}"
        else:
            raise AssertionError(f"code {code} was accepted in {state}")


def check_copies(state: State, move: Move | None = None) -> None:
    """Copies and pickles are equal, hash alike, and share nothing: `move`, if given, changes the copy only."""
    for other in (state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state, f"a copy is not equal to {state}"
        assert hash(other) == hash(state), f"a copy hashes otherwise than {state}"
        assert str(other) == str(state), f"a copy reads otherwise than {state}"
        before = state.to_bytes()
        if move is not None:
            other.apply(move)
            assert state.to_bytes() == before, f"a move of a copy changed {state}"


def check_apply(state: State, move: Move) -> None:
    """Apply then undo is a copy, byte for byte; apply changes the same whether or not it is undone."""
    before = state.copy()
    undo = state.apply(move)
    assert state != before, f"{move} changes nothing in {before}"
    state.undo(undo)
    assert state.to_bytes() == before.to_bytes(), f"undoing {move} does not restore {before}"
    assert hash(state) == hash(before), f"undoing {move} changes the hash of {before}"
    assert state.legal_moves() == before.legal_moves(), f"undoing {move} changes the legal moves of {before}"


def check_evaluation(state: State) -> None:
    """Features are as many as there are names, none of a seat that has come; chances, if there are any, sum to 1."""
    if state.is_over:
        return
    rows, names = state.features(), state.rules.feature_names()
    assert [len(row) for row in rows] == [len(names)] * state.players, f"features without names in {state}"
    for row, rank in zip(rows, state.ranks(), strict=True):
        assert rank == 0 or not any(row), f"a seat that has come has features in {state}"
    chances = state.chances()
    assert chances is None or abs(sum(chances) - 1) < 1e-9, f"chances do not sum to 1 in {state}"


def check_view(state: State, seat: int, rng: Rng) -> None:
    """A view is a view of itself, takes every move, as its seat sees it, as the truth does, and its worlds agree."""
    view = state.observe(seat)
    view.check()
    assert view.view == seat
    assert view.turn == state.turn
    assert view.observe(seat) == view, f"observing {view} again changes it"
    assert view.payoffs() == state.payoffs()
    assert view.ranks() == state.ranks()
    check_copies(view, None if state.is_over else state.seen_move(state.legal_moves()[-1], seat))
    world = view.determinise(rng)
    world.check()
    assert world.view is None
    assert world.observe(seat) == view, f"the world {world} does not agree with {view}"
    if state.is_over:
        return
    if state.turn == seat:
        assert view.legal_moves() == state.legal_moves(), f"the mover's view has other moves than {state}"
        assert world.legal_moves() == state.legal_moves(), f"a world has other moves than {state}"
    for move in state.legal_moves():
        assert view.is_legal(move), f"{view} refuses {move}, legal in {state}"
        seen = state.seen_move(move, seat)
        assert view.is_legal(seen), f"{view} refuses {seen}, which it sees in {state}"
        undo_state, undo_view = state.apply(move), view.apply(seen)
        view.reveal(state)
        moved = state.observe(seat)
        assert view.to_bytes() == moved.to_bytes(), f"observing then {move} is not {move} then observing in {state}"
        view.undo(undo_view)
        state.undo(undo_state)
    assert view == state.observe(seat), f"undoing moves of a view does not restore it: {view}"
