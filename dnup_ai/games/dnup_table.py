"""dnup as a person at the table sees it: the table, moves and events in words, why a move is not legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cython_core.dnup import DnupMove, DnupState
from cython_core.position import Card, Hand, Position
from dnup_ai.lines import (
    Line,
    MoveGroup,
    Span,
    card_rows,
    count,
    does,
    line,
    owner,
    seat_head,
    seat_lines,
    seat_name,
    seat_title,
)

_PLACES = ("first", "second")


def table_lines(view: DnupState, names: Sequence[str]) -> list[Line]:
    """Return the table for the seat of the view: sets and known cards of every seat, and the own hand."""
    position = view.position()
    me = position.view
    lines = [seat_title("rounds" if position.players == 2 else "tokens", "cards", "in front")]
    for seat, hand in enumerate(position.hands):
        place = f"out {position.out.index(seat) + 1}" if seat in position.out else str(len(hand))
        head = seat_head(seat, me, names, str(position.tokens[seat]), place)
        lines += seat_lines(head, seat == position.turn, seat == me, _in_front(position, seat, view.zone))
    if me is not None and len(position.hands[me]):
        marks = {card.mark for card in position.hands[me].cards}
        legend = " (+ known to all)" if "+" in marks else ""
        if "~" in marks:
            legend = " (+ known to all, ~ but not its way up)" if legend else " (~ known to all, not its way up)"
        size = count(len(position.hands[me]), "card")
        lines += [(), line(Span("your hand", "own"), f", {size}, active values above{legend}")]
        lines += card_rows(_by_value(position.hands[me]))
    discarded = len(position.gone) + position.gone_hidden
    return [*lines, (), line(f"discarded: {count(discarded, 'card')}")]


def _in_front(position: Position, seat: int, now_zone: int | None) -> list[str]:
    """What lies in front of a seat, and which cards of its hand everybody knows; now_zone: of the seat to move."""
    lines = []
    for zone in _zones(position, seat):
        now = position.turn == seat and zone == now_zone
        label = f"zone {zone % 2 + 1}{' (now)' if now else ''}: " if position.players == 2 else ""
        cards = position.table[zone]
        size = f"{count(len(cards), 'card')}:"
        lines.append(
            label + (f"{size:<8} {_texts(cards)}" if cards else "-") + (" (leaves now)" if cards and now else "")
        )
    if seat != position.view and position.hands[seat].cards:
        lines.append(f"in hand: {_known_text(position.hands[seat])}")
    return [part for text in lines for part in _folded(text, 40)]


def _folded(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("  " + word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return lines


def public_hands(view: DnupState) -> dict[int, str]:
    """Return for each seat still in which cards of its hand everybody knows, in words; nothing else is told."""
    position = view.position()
    found = {}
    for seat, hand in enumerate(position.hands):
        known = Hand(tuple(card for card in hand.cards if card.mark))
        rest = len(hand) - len(known)
        if len(hand):
            more = f"; {count(rest, 'other')}" if rest else ""
            text = _known_text(known) + more if len(known) else f"none of {count(rest, 'card')}"
            found[seat] = f"{owner(seat, position.view)} hand: {text}"
    return found


def _known_text(hand: Hand) -> str:
    low_first = ((min(card[:2]), max(card[:2]), card) for card in hand.cards)
    return " ".join(
        f"{low}~{high}" if card.mark == "~" else f"{card.active}/{card.inactive}" for low, high, card in low_first
    )


def _by_value(hand: Hand) -> list[list[tuple[str, str]]]:
    cards = sorted(hand.cards)
    return [
        [(f"{card.active}{card.mark}", str(card.inactive)) for card in same]
        for _, same in groupby(cards, key=lambda card: card.active)
    ]


def _zones(position: Position, seat: int) -> Iterable[int]:
    return (2 * seat, 2 * seat + 1) if position.players == 2 else (seat,)


def _seat_of(players: int, zone: int) -> int:
    return zone // 2 if players == 2 else zone


def _texts(cards: Iterable[Card]) -> str:
    return " ".join(f"{active}/{inactive}" for active, inactive in sorted(cards))


def _set_text(position: Position, zone: int) -> str:
    """What a set is called that lies in a zone."""
    place = f" in zone {zone % 2 + 1}" if position.players == 2 else ""
    return f"{owner(_seat_of(position.players, zone), position.view)} set {_texts(position.table[zone])}{place}"


def move_groups(view: DnupState) -> list[MoveGroup]:
    """Return the legal moves for a person to choose from: plays by value, then adds, takes, and the flip."""
    position = view.position()
    moves = view.legal_moves()
    groups = []
    plays = sorted((m for m in moves if m.kind == "play"), key=lambda m: (m.cards[0][0], len(m.cards), m.cards))
    for value, same in groupby(plays, key=lambda m: m.cards[0][0]):
        groups.append(MoveGroup(f"play {value}s", tuple((move, _texts(move.cards)) for move in same)))
    for kind in ("add", "take"):
        found = []
        for move in moves:
            if move.kind == kind and move.zone is not None:
                target = _set_text(position, move.zone)
                found.append((move, f"{_texts(move.cards)} to {target}" if kind == "add" else target))
        groups += [MoveGroup(kind, tuple(found))] if found else []
    flips = tuple((move, "your whole hand") for move in moves if move.kind == "flip")
    return [*groups, MoveGroup("flip", flips)]


def tell(before: DnupState, move: DnupMove, after: DnupState) -> str:
    """Return in words what a move did, given one seat's views before and after it."""
    was, now = before.position(), after.position()
    me, seat = was.view, was.turn
    assert seat is not None
    if move.kind == "flip":
        text = does(seat, me, "flip")
    elif move.kind == "play":
        text = f"{does(seat, me, 'play')} {_texts(move.cards)}" + (f" in zone {was.zone}" if was.players == 2 else "")
    else:
        assert move.zone is not None
        cards = was.table[move.zone]
        target = _set_text(was, move.zone)
        if move.kind == "add":
            text = f"{does(seat, me, 'add')} {_texts(move.cards)} to {target}"
        else:
            text = f"{does(seat, me, 'take')} {target}, now {_texts(_turned(cards))} in hand"
    own = before.zone
    for zone, cards in enumerate(was.table):
        gone = cards and not now.table[zone] and zone != own and not (move.kind == "take" and zone == move.zone)
        if gone:
            left = _seat_of(was.players, zone) in was.out
            back = "is discarded" if left else f"goes back as {_texts(_turned(cards))}"
            text += f"; {_set_text(was, zone)} {back}"
    for out in now.out[len(was.out) :]:
        text += f"; {does(out, me, 'are')} out {_PLACES[now.out.index(out)]}"
    return text


def _turned(cards: Iterable[Card]) -> list[Card]:
    return [(inactive, active) for active, inactive in cards]


def why_illegal(view: DnupState, move: DnupMove) -> str | None:
    """Return why the seat to move, whose view this is, may not play a move; None if it may."""
    if view.is_legal(move):
        return None
    position = view.position()
    me = position.view
    assert me is not None
    if fault := _not_held(position.hands[me], move.cards):
        return fault
    size = len(move.cards)
    if move.zone is not None:
        seat = _seat_of(position.players, move.zone)
        cards = position.table[move.zone]
        if seat == me:
            return f"you never {move.kind} {'a set of your own' if move.kind == 'take' else 'to a set of your own'}"
        if not cards:
            place = f" in zone {move.zone % 2 + 1}" if position.players == 2 else ""
            return f"there is no set in front of {seat_name(seat, me)}{place}"
        if seat in position.out and view.rules.out_sets == "frozen":
            return f"{does(seat, me, 'are')} out, and by the option out_sets=frozen its set can only be beaten"
        if cards[0][0] != move.cards[0][0]:
            return f"that set is of {cards[0][0]}s: a card with {move.cards[0][0]} up does not go with it"
        size = len(cards) + 1
    value = move.cards[0][0]
    for zone, cards in enumerate(position.table):
        if len(cards) == size and zone not in (view.zone, move.zone) and cards[0][0] >= value:
            what = "a single card" if size == 1 else f"{size} cards"
            return f"{what} must be higher than {_set_text(position, zone)}, and {value} is not"
    return "the rules do not allow it here"


def _not_held(hand: Hand, cards: Iterable[Card]) -> str | None:
    held = {card[:2] for card in hand.cards}
    for active, inactive in cards:
        if (active, inactive) in held:
            continue
        if (inactive, active) in held:
            return f"your card lies as {inactive}/{active}: its {inactive} is up, and only a flip turns it over"
        return f"{active}/{inactive} is not in your hand"
    return None
