"""Moves of dnup in words, and what speaks for them by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cython_core.dnup import DnupMove, DnupState
from cython_core.position import Card, HandCard, Position
from dnup_ai.words import NUMBERS, a_number, count_of, percent


def set_words(cards: Sequence[Card]) -> str:
    """As in `two 6s`."""
    return count_of(len(cards), str(cards[0][0]))


def move_words(state: DnupState, move: DnupMove) -> tuple[str, str]:
    """Return what the move does, its verb apart: (`play`, `two 6s (6/1, 6/4)`)."""
    if move.kind == "flip":
        return "flip", "the whole hand"
    if move.kind == "play":
        return "play", f"{set_words(move.cards)} ({_list(move.cards)})"
    assert move.zone is not None
    cards = state.position().table[move.zone]
    if move.kind == "add":
        return "add", f"{_list(move.cards)} to {_whose(state, move.zone)}"
    return "take", f"{_whose(state, move.zone)}" + (f" ({_list(cards)})" if cards else "")


HandCounts = tuple[Counter[int], ...]
"""By seat, how many cards of each active value a hand has in a world."""


def hand_counts(world: DnupState) -> HandCounts:
    return tuple(Counter(card.active for card in hand.cards) for hand in world.position().hands)


def move_reasons(view: DnupState, move: DnupMove, worlds: Iterable[tuple[HandCounts, float]]) -> list[str]:
    """Return what the move does to the hand and the table, and how likely a set that it makes is beaten.

    view: of the seat to move; worlds: of that view, with weights that add up to 1.
    """
    seat = view.turn
    assert seat is not None
    before = view.position()
    after_state = view.copy()
    after_state.apply(move)
    after = after_state.position()
    reasons = [_hand_reason(before, after, seat, move)]
    if (beaten := _beaten_zone(view, move, before)) is not None:
        cards = before.table[beaten]
        owner = _owner(before.players, beaten)
        goes = "is discarded" if owner in before.out else f"goes back to {'you' if owner == seat else f'seat {owner}'}"
        reasons.append(f"beats {_whose(view, beaten)} of {set_words(cards)}, which {goes}")
    if move.kind == "play" and after.hands[seat].cards:
        reasons.append(_beaten_reason(view, before, after, worlds))
    return reasons


def _beaten_reason(
    view: DnupState, before: Position, after: Position, worlds: Iterable[tuple[HandCounts, float]]
) -> str:
    """The chance that an opponent holds what would beat the set just played: a set of its size, or a card to add."""
    assert view.zone is not None
    cards = after.table[view.zone]
    size, value = len(cards), cards[0][0]
    growing = {
        row[0][0]: _owner(view.players, zone)
        for zone, row in enumerate(after.table)
        if row and len(row) == size - 1 and row[0][0] > value and not _is_frozen(view, after, zone)
    }
    others = {
        seat: _came_back(before, after, seat) for seat in range(view.players) if seat not in (view.turn, *after.out)
    }
    chance = 0.0
    beaters: set[tuple[str, int]] = set()
    for hands, weight in worlds:
        found = set()
        for seat, back in others.items():
            for held, number in (hands[seat] + back if back else hands[seat]).items():
                if number >= size and held > value:
                    found.add(("play", held))
                if growing.get(held, seat) != seat:
                    found.add(("add", held))
        beaters |= found
        chance += weight if found else 0.0
    if not beaters:
        return f"no opponent holds what beats {set_words(cards)}"
    words = _beater_words(beaters, size)
    if chance > 0.5:
        return f"an opponent holds {words}, which beats it: {percent(chance)}"
    return f"beaten only if an opponent holds {words}: {percent(chance)}"


def _came_back(before: Position, after: Position, seat: int) -> Counter[int]:
    """The cards that the move gave to a hand: everybody knows them."""
    known = {card[:2] for card in before.hands[seat].cards}
    return Counter(card.active for card in after.hands[seat].cards if card[:2] not in known)


def _is_frozen(view: DnupState, after: Position, zone: int) -> bool:
    """Whether nothing may be added there, by an option of the rules."""
    return view.rules.out_sets == "frozen" and _owner(view.players, zone) in after.out


def _beater_words(beaters: set[tuple[str, int]], size: int) -> str:
    plays = sorted(held for kind, held in beaters if kind == "play")
    adds = sorted(held for kind, held in beaters if kind == "add")
    parts = []
    if plays:
        sets = f"{NUMBERS[size]} {_either([f'{held}s' for held in plays])}"
        parts.append(a_number(_either(plays)) if size == 1 else sets)
    if adds:
        parts.append(f"{a_number(_either(adds))} to add to a set")
    return " or ".join(parts)


def _either(values: Sequence[int | str]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last


def _hand_reason(before: Position, after: Position, seat: int, move: DnupMove) -> str:
    cards, old = after.hands[seat].cards, before.hands[seat].cards
    if not cards:
        return "leaves no card"
    leaves = f"{count_of(len(cards), 'card')} in {_sets(cards)}"
    if move.kind == "flip":
        return f"turns {_sets(old)} into {_sets(cards)} ({count_of(len(cards), 'card')})"
    return f"leaves {leaves}" if move.kind in ("play", "add") else f"makes {leaves}"


def _sets(cards: Sequence[HandCard]) -> str:
    return count_of(len({card.active for card in cards}), "set")


def _beaten_zone(view: DnupState, move: DnupMove, before: Position) -> int | None:
    """The zone of a set that the move beat: the one of the size that it made. Others may be gone for other reasons."""
    if move.kind not in ("play", "add"):
        return None
    size = len(move.cards) if move.zone is None else len(before.table[move.zone]) + 1
    sizes = {len(cards): zone for zone, cards in enumerate(before.table) if zone != view.zone}
    return sizes.get(size)


def _owner(players: int, zone: int) -> int:
    return zone // 2 if players == 2 else zone


def _whose(state: DnupState, zone: int) -> str:
    owner = _owner(state.players, zone)
    whose = "your set" if owner == state.view else f"seat {owner}'s set"
    return f"{whose} in zone {zone % 2 + 1}" if state.players == 2 else whose


def _list(cards: Sequence[Card]) -> str:
    return ", ".join(f"{active}/{inactive}" for active, inactive in cards)
