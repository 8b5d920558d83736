"""3UP 3DOWN as a person at the table sees it: the table, moves and events in words, why a move is not legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cython_core.three_up import ThreeUpMove, ThreeUpState
from cython_core.three_up_position import RANKS, ThreeUpPosition, cards_text
from dnup_ai.lines import Line, MoveGroup, Span, count, does, line, owner, seat_head, seat_lines, seat_title, wrapped

_FIRST_CLEAR = 10


def table_lines(view: ThreeUpState, names: Sequence[str]) -> list[Line]:
    """Return the table for the seat of the view: pile, draw pile, counts and open cards of every seat, own hand."""
    position = view.position()
    me = position.view
    lines = [_pile_line(position)]
    owed = f"; plays still owed: {position.extra}" if position.extra else ""
    lines += [
        line(f"  draw pile   {count(len(position.draw), 'card')}; out of the game: {len(position.gone)}{owed}"),
        (),
    ]
    lines.append(seat_title("hand", "down", "face up"))
    for seat, hand in enumerate(position.hands):
        head = seat_head(seat, me, names, str(len(hand)), str(len(position.down[seat])))
        right = [_ranks(position.up[seat]) or "-"]
        if seat != me and hand.known:
            right += [span.text for found in wrapped("in hand: ", _words(hand.known), 2) for span in found]
        lines += seat_lines(head, seat == position.turn, seat == me, right)
    if me is not None:
        own = position.hands[me]
        lines += [(), line(Span("your hand", "own"), f", {count(len(own), 'card')}")]
        lines += [(Span("    "), *_hand_spans((*own.cards, *own.known)))]
        if own.known:
            lines += wrapped("    known to all: ", _words(own.known))
    return lines


def _pile_line(position: ThreeUpPosition) -> Line:
    if not position.pile:
        return line("  pile        empty: anything can be played")
    top = position.pile[-1]
    rest = f" on top ({position.pile.count(top)} of them), {count(len(position.pile), 'card')}: "
    return line("  pile        ", Span(RANKS[top], "up"), rest + cards_text(position.pile))


def _hand_spans(cards: Iterable[int]) -> list[Span]:
    """The cards of a hand, the same ones close together."""
    counts = Counter(cards)
    return [Span(" ".join([RANKS[rank]] * counts[rank]) + "   ", "up") for rank in sorted(counts)] or [Span("empty")]


def _words(cards: Iterable[int]) -> list[str]:
    return cards_text(cards).split(",")


def _ranks(cards: Iterable[int]) -> str:
    return " ".join(RANKS[rank] for rank in sorted(cards))


def public_hands(view: ThreeUpState) -> dict[int, str]:
    """Return for each seat which cards of its hand everybody knows, in words; nothing else is told."""
    position = view.position()
    found = {}
    for seat, hand in enumerate(position.hands):
        if len(hand):
            rest = len(hand) - len(hand.known)
            more = f"; {count(rest, 'other')}" if rest else ""
            text = cards_text(hand.known) + more if hand.known else f"none of {count(rest, 'card')}"
            found[seat] = f"{owner(seat, position.view)} hand: {text}"
    return found


_LABELS = {
    "keep": "lay face up",
    "play": "play",
    "up": "play, face up",
    "down": "turn over",
    "pickup": "take",
    "draw": "draw first",
    "nodraw": "draw nothing",
}
_PLAIN = {
    "down": "the next face-down card",
    "pickup": "the pile",
    "draw": "then play again",
    "nodraw": "play from what you have",
}


def move_groups(view: ThreeUpState) -> list[MoveGroup]:
    """Return the legal moves for a person to choose from, by kind."""
    groups = []
    moves = view.legal_moves()
    for kind, label in _LABELS.items():
        found = [(move, _PLAIN.get(kind) or _ranks(move.cards)) for move in moves if move.kind == kind]
        groups += [MoveGroup(label, tuple(found))] if found else []
    return groups


def move_words(move: ThreeUpMove) -> tuple[str, str]:
    """Return what a move does: the verb, and the rest of the words."""
    ranks = _ranks(move.cards)
    words = {
        "keep": ("lay", f"{ranks} face up"),
        "play": ("play", ranks),
        "up": ("play", f"{ranks} from the face-up cards"),
        "down": ("turn", "a face-down card over"),
        "pickup": ("take", "the pile"),
        "draw": ("draw", "before the extra play"),
    }
    return words.get(move.kind, ("draw", "nothing before the extra play"))


def tell(before: ThreeUpState, move: ThreeUpMove, after: ThreeUpState) -> str:
    """Return in words what a move did, given one seat's views before and after it; move: as that seat sees it."""
    was, now = before.position(), after.position()
    me, seat = was.view, was.turn
    assert seat is not None
    if move.kind == "keep":
        return f"{does(seat, me, 'lay')} {_ranks(move.cards)} face up"
    if move.kind == "nodraw":
        return f"{does(seat, me, 'draw')} nothing before the extra play"
    gained = len(now.hands[seat]) - len(was.hands[seat])
    if move.kind == "draw":
        return f"{does(seat, me, 'draw')} {_drawn(move, gained, seat == me)} before the extra play"
    if move.kind == "pickup":
        text = f"{does(seat, me, 'take')} the pile: {cards_text(was.pile)}"
        gained -= len(was.pile)
    elif move.kind == "down":
        text = f"{does(seat, me, 'turn')} {_ranks(move.seen)} over"
        text += f"; the pile goes to {owner(seat, me)} hand with it" if gained > 0 else ", and it is played"
        gained = 0
    else:
        place = " from the face-up cards" if move.kind == "up" else ""
        text = f"{does(seat, me, 'play')} {_ranks(move.cards)}{place}"
        gained += len(move.cards) if move.kind == "play" else 0
    if not now.pile and (was.pile or move.kind in ("play", "up")) and move.kind != "pickup" and gained >= 0:
        text += "; the pile is cleared" if len(now.gone) > len(was.gone) else ""
    if gained > 0:
        text += f"; {does(seat, me, 'draw')} {_drawn(move, gained, seat == me)}"
    if now.extra and now.turn == seat:
        text += f"; {count(now.extra, 'extra play')} to come"
    return text + (f"; {does(seat, me, 'win')}: no card is left" if after.is_over else "")


def _drawn(move: ThreeUpMove, number: int, own: bool) -> str:
    return _ranks(move.seen) if own and move.seen else count(number, "card")


def why_illegal(view: ThreeUpState, move: ThreeUpMove) -> str | None:
    """Return why the seat to move, whose view this is, may not play a move; None if it may."""
    if view.is_legal(move):
        return None
    position = view.position()
    me = position.view
    assert me is not None
    kinds = {legal.kind for legal in view.legal_moves()}
    if kinds == {"keep"} and move.kind != "keep":
        return "first choose the three cards of your hand that lie face up, as keep:3,7,C1"
    if kinds <= {"draw", "nodraw"}:
        return "first say whether you draw before the extra play: " + " or ".join(sorted(kinds))
    hand = position.hands[me]
    if move.kind == "pickup":
        return "you have a card that can be played, so the pile cannot be taken"
    if move.kind == "keep":
        return "the face-up cards have been chosen" if "keep" not in kinds else _not_held(hand.cards, move)
    if move.kind in ("draw", "nodraw"):
        return "there is no choice about drawing now"
    if move.kind in ("up", "down") and len(hand):
        return "cards that lie on the table are for when the hand is empty and the draw pile is used up"
    if move.kind == "down":
        return "the face-up cards come before the face-down ones"
    if move.kind == "play" and not len(hand):
        return "your hand is empty: play from the table, as up:RANK or down"
    held = (*hand.cards, *hand.known) if move.kind == "play" else position.up[me]
    if fault := _not_held(held, move):
        return fault
    rank = move.cards[0]
    if position.pile and rank < position.pile[-1] and rank < _FIRST_CLEAR:
        return f"{RANKS[rank]} is lower than the {RANKS[position.pile[-1]]} on top of the pile"
    return "the rules do not allow it here"


def _not_held(held: Iterable[int], move: ThreeUpMove) -> str | None:
    missing = Counter(move.cards) - Counter(held)
    return f"you do not have {cards_text(missing.elements())} there" if missing else None
