"""dnup-pile as a person at the table sees it: the table, moves and events in words, why a move is not legal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from cython_core.pile import PileMove, PileState
from dnup_ai.lines import (
    Line,
    MoveGroup,
    Span,
    card_rows,
    count,
    does,
    line,
    seat_head,
    seat_lines,
    seat_name,
    seat_title,
)


def table_lines(view: PileState, names: Sequence[str]) -> list[Line]:
    """Return the table for the seat of the view: piles, stock, counts of every seat, and the own hand."""
    position = view.position()
    me = position.view
    lines: list[Line] = []
    for pile, (card, seat) in enumerate(zip(position.piles, position.laid, strict=True)):
        by = "the start card" if seat is None else f"laid by {seat_name(seat, me)}"
        label = f"pile {pile}" if len(position.piles) > 1 else "pile"
        lines.append(line(f"  {label:<8}", Span(str(card[0]), "up"), f"  counts ({card[0]}/{card[1]}, {by})"))
    stock = len(position.stock) + position.stock_hidden
    lines += [line(f"  stock   {count(stock, 'card')}; covered: {len(position.gone)}"), ()]
    lines.append(seat_title("points", "cards", "revolved"))
    for seat, hand in enumerate(position.hands):
        head = seat_head(seat, me, names, str(position.points[seat]), str(len(hand)))
        lines += seat_lines(head, seat == position.turn, seat == me, [f"{position.revolved[seat]} of {_most(view)}"])
    if me is not None and len(position.hands[me]):
        hand = position.hands[me]
        lines += [(), line(Span("your hand", "own"), f", {count(len(hand), 'card')}, active values above")]
        by_value = groupby(sorted(hand.cards), key=lambda card: card[0])
        lines += card_rows([[(str(up), str(down)) for up, down in same] for _, same in by_value])
    return lines


def _most(view: PileState) -> int:
    return view.rules.revolves


def move_groups(view: PileState) -> list[MoveGroup]:
    """Return the legal moves for a person to choose from, plays by pile and by the number that they leave."""
    plays = [move for move in view.legal_moves() if move.kind == "play"]
    plays.sort(key=lambda move: (move.pile or 0, move.visible or 0, move.card))
    groups = []
    for (pile, visible), same in groupby(plays, key=lambda move: (move.pile, move.visible)):
        where = f" on pile {pile}" if view.rules.piles > 1 else ""
        words = tuple((move, f"{move.card[0]}/{move.card[1]}") for move in same if move.card is not None)
        groups.append(MoveGroup(f"leave {visible}{where}", words))
    for kind, words_of in (("revolve", "your whole hand"), ("skip", "nothing fits")):
        found = tuple((move, words_of) for move in view.legal_moves() if move.kind == kind)
        groups += [MoveGroup(kind, found)] if found else []
    return groups


def move_words(move: PileMove) -> tuple[str, str]:
    """Return what a move does: the verb, and the rest of the words."""
    if move.kind != "play" or move.card is None:
        return move.kind, "the hand" if move.kind == "revolve" else ""
    return "play", f"{move.card[0]}/{move.card[1]} with {move.visible} up"


def tell(before: PileState, move: PileMove, after: PileState) -> str:
    """Return in words what a move did, given one seat's views before and after it."""
    was, now = before.position(), after.position()
    me, seat = was.view, was.turn
    assert seat is not None
    if move.kind == "skip":
        text = f"{does(seat, me, 'skip')}: nothing fits"
    elif move.kind == "revolve":
        text = f"{does(seat, me, 'revolve')} {'your' if seat == me else 'its'} hand"
    else:
        assert move.card is not None
        where = f" on pile {move.pile}" if before.rules.piles > 1 else ""
        text = f"{does(seat, me, 'play')} {move.card[0]}/{move.card[1]}{where}: {move.visible} counts now"
        if len(now.hands[seat]) == len(was.hands[seat]):
            drawn = set(now.hands[seat].cards) - set(was.hands[seat].cards) if seat == me else set()
            text += f"; {does(seat, me, 'draw')} " + (" ".join(f"{up}/{down}" for up, down in drawn) or "a card")
            if len(now.gone) <= len(was.gone):
                text += "; the covered cards are the new stock"
    text += "".join(f"; {does(out, me, 'are')} out" for out in after.out[len(before.out) :])
    if after.end == "blocked":
        text += "; the round is blocked"
    for given, points in enumerate(after.result()):
        if points > before.result()[given]:
            text += f"; {does(given, me, 'get')} {count(points - before.result()[given], 'point')}"
    return text


def why_illegal(view: PileState, move: PileMove) -> str | None:
    """Return why the seat to move, whose view this is, may not play a move; None if it may."""
    if view.is_legal(move):
        return None
    position = view.position()
    assert position.view is not None
    if move.kind == "skip":
        return f"you can still {view.legal_moves()[0].kind}: a skip is only for when nothing else can be done"
    if move.kind == "revolve":
        done = position.revolved[position.view]
        return f"you have revolved {count(done, 'time')} in this round, and no more is allowed"
    held = position.hands[position.view].cards
    card = move.card
    assert card is not None
    if card not in held:
        if card[::-1] in held:
            return f"your card lies as {card[1]}/{card[0]}: write it that way, and behind > the end to be visible"
        return f"{card[0]}/{card[1]} is not in your hand"
    number = position.piles[move.pile or 0][0]
    if view.rules.match == "active":
        return f"{card[0]} is up on that card, and it is neither {number} nor next to it (option match=active)"
    return f"neither {card[0]} nor {card[1]} is {number} or next to it"
