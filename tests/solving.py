"""Brute force for small positions: forced wins in two turns over all worlds, and whole endings solved."""

from __future__ import annotations

from collections import deque

import reference
from cython_core.dnup import DnupMove, DnupState
from dnup_ai.notation import read_position
from searching import tiny_deck


def worlds_of(view: DnupState) -> list[DnupState]:
    """Every true state that agrees with a view of the small deck, by the literal reference."""
    deck = tiny_deck(view.players)
    literal = reference.Deck(deck.name, deck.cards, deck.star, {})
    texts = [str(world) for world in reference.worlds(reference.parse(str(view), literal))]
    return [DnupState(view.rules, read_position(text, deck)) for text in texts]


def wins_now(state: DnupState) -> list[DnupMove]:
    """The moves by which the seat to move is the first out."""
    return [move for move in state.legal_moves() if first_after(state, move) == state.turn]


def forced_wins(view: DnupState) -> list[DnupMove]:
    """The moves after which, in every world and whatever the others do, the seat is first out by its next turn."""
    seat, worlds = view.turn, worlds_of(view)
    found = []
    for move in view.legal_moves():
        after = [world.copy() for world in worlds]
        for world in after:
            world.apply(move)
        if all(_is_held(world, seat) for world in after):
            found.append(move)
    return found


def first_after(state: DnupState, move: DnupMove) -> int | None:
    undo = state.apply(move)
    first = state.out[0] if state.out else None
    state.undo(undo)
    return first


def _is_held(state: DnupState, seat: int) -> bool:
    if state.out:
        return state.out[0] == seat
    if state.turn == seat:
        return bool(wins_now(state))
    for move in state.legal_moves():
        undo = state.apply(move)
        held = _is_held(state, seat)
        state.undo(undo)
        if not held:
            return False
    return True


def solve(start: DnupState) -> dict[bytes, float]:
    """The value to `start`'s seat to move of every state that can be reached, for two seats that play for one prize.

    1: it can force the prize; 0: the other can; 1/2: neither, they can go on for ever. Found backwards from the ends.
    """
    seat = start.turn
    ids: dict[bytes, float] = {}
    turn: dict[bytes, int] = {}
    before: dict[bytes, list[bytes]] = {}
    open_moves: dict[bytes, int] = {}
    ends: deque[bytes] = deque()
    todo = [start.copy()]
    seen = {start.repetition_key()}
    while todo:
        state = todo.pop()
        key = state.repetition_key()
        if state.is_over:
            ids[key] = float(state.out[-1] == seat)
            ends.append(key)
            continue
        turn[key] = state.turn
        moves = state.legal_moves()
        open_moves[key] = len(moves)
        for move in moves:
            after = state.copy()
            after.apply(move)
            next_key = after.repetition_key()
            before.setdefault(next_key, []).append(key)
            if next_key not in seen:
                seen.add(next_key)
                todo.append(after)
    while ends:
        key = ends.popleft()
        for parent in before.get(key, []):
            if parent in ids:
                continue
            open_moves[parent] -= 1
            if ids[key] == float(turn[parent] == seat) or open_moves[parent] == 0:
                ids[parent] = ids[key]
                ends.append(parent)
    return {key: ids.get(key, 0.5) for key in seen}


def move_values(start: DnupState) -> dict[DnupMove, float]:
    """The solved value of each move of the seat to move, to that seat."""
    values = solve(start)
    found = {}
    for move in start.legal_moves():
        after = start.copy()
        after.apply(move)
        found[move] = values[after.repetition_key()]
    return found
