"""3UP 3DOWN at a real table: the first hand, events in short, cards that chance shows, why an event cannot be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from cython_core.three_up import ThreeUpMove, ThreeUpRules, ThreeUpState
from cython_core.three_up_position import RANKS, ThreeUpHand, ThreeUpPosition, ThreeUpStack, cards_text
from dnup_ai.at_table.words import number_of, refusal, seat_in, words_of
from dnup_ai.errors import EventError
from dnup_ai.games.base import Question
from dnup_ai.notation.scan import Piece
from dnup_ai.notation.three_up import parse_three_up_move

HELP = (
    ("k 3 7 C1", "lays these three cards face up"),
    ("p 7 7", "plays cards of one rank from the hand (also p 7*2)"),
    ("u 9", "plays from the face-up cards"),
    ("o", "turns a face-down card over"),
    ("t", "takes the pile"),
    ("d", "draws before an extra play; n: does not"),
)
_KINDS = {"k": "keep", "p": "play", "u": "up", "o": "down", "t": "pickup", "d": "draw", "n": "nodraw"}
_VERBS = {
    "keep": "lay laid",
    "play": "play played",
    "up": "play played",
    "down": "turn turned",
    "pickup": "take taken",
    "draw": "draw drawn",
    "nodraw": "decline declined",
}
_SOURCES = {
    "play": "there are cards in the hand",
    "up": "there are face-up cards",
    "down": "only face-down cards are left",
}
_DOWN = 3
_HAND = 6


# --- the start of a round


def next_question(rules: ThreeUpRules, answers: Mapping[str, str]) -> Question | None:
    """Return what is still to be said: the hand, and who begins."""
    if "begins" in answers:
        seat_in(answers["begins"], rules.players, "begins")
    if "hand" not in answers:
        return Question("hand", "your six cards, like 3 7*2 9 C C1")
    _hand(rules, answers["hand"])
    return None if "begins" in answers else Question("begins", "seat that begins")


def first_view(rules: ThreeUpRules, seat: int, answers: Mapping[str, str]) -> ThreeUpState:
    """Return what a seat knows of a new deal."""
    players = rules.players
    hand = ThreeUpHand(tuple(_hand(rules, answers["hand"])))
    position = ThreeUpPosition(
        players=players,
        turn=seat_in(answers["begins"], players, "begins"),
        hands=tuple(hand if other == seat else ThreeUpHand((), (), _HAND) for other in range(players)),
        up=((),) * players,
        down=(ThreeUpStack((), _DOWN),) * players,
        draw=ThreeUpStack((), sum(rules.counts) - (_HAND + _DOWN) * players),
        view=seat,
        deck=rules.deck,
    )
    try:
        return ThreeUpState(rules, position)
    except ValueError as error:
        raise EventError(f"such a round cannot begin: {error}") from error


def _hand(rules: ThreeUpRules, text: str) -> list[int]:
    cards = _cards(words_of(text, "hand"))
    if len(cards) != _HAND:
        raise EventError(f"hand: expected {_HAND} cards, got {len(cards)}")
    for rank, count in Counter(cards).items():
        if count > rules.counts[rank]:
            raise EventError(f"hand: expected at most {rules.counts[rank]} cards of rank {RANKS[rank]}, got {count}")
    return cards


def _cards(pieces: Sequence[Piece]) -> list[int]:
    """The ranks, sorted; a rank that is there twice counts as often."""
    cards: list[int] = []
    for piece in pieces:
        match = re.fullmatch(r"(10|[1-9]|C[12]?)(?:\*([2-9]|1[0-5]))?", piece.text)
        if match is None:
            piece.fault("a card like 7, 7*2 or C1")
        cards += [RANKS.index(match[1])] * int(match[2] or 1)
    return sorted(cards)


# --- events


def read_event(view: ThreeUpState, text: str) -> ThreeUpMove:
    """Return the move that was typed, in notation or in short (`HELP`)."""
    if ":" in text or ">" in text:
        return parse_three_up_move(view.rules, text.strip())
    pieces = words_of(text, "event")
    if not pieces:
        Piece("event", text, 1).fault("a move, like p 7 or t")
    head, rest = pieces[0], pieces[1:]
    kind = _KINDS.get(head.text, head.text)
    if kind not in _VERBS:
        if not re.fullmatch(r"(10|[1-9]|C[12]?)(\*\d+)?", head.text):
            head.fault("k CARDS, p CARDS, u CARDS, o, t, d or n")
        kind, rest = "play", pieces
    cards = _cards([piece.part(0, field="cards") for piece in rest])
    if kind in ("down", "pickup", "draw", "nodraw") and rest:
        rest[0].fault("the end of the event")
    if kind in ("play", "up") and len(set(cards)) != 1:
        Piece("cards", text, head.column).fault("cards of one rank")
    if kind == "keep" and len(cards) != _DOWN:
        Piece("cards", text, head.column).fault("three cards")
    return view.rules.move(kind, cards)


def cards_shown(view: ThreeUpState, move: ThreeUpMove) -> int:
    """Return how many cards the move shows to the view's own seat: those it draws, or the one turned over."""
    if move.seen:
        return 0
    unseen = _unseen(view)
    for count in range(1, min(3, len(unseen)) + 1):
        try:
            seen = view.rules.move(move.kind, move.cards, unseen[:count])
        except ValueError:
            break  # this kind of move never shows so many
        if view.is_legal(seen):
            return count
    return 0


def apply_shown(view: ThreeUpState, move: ThreeUpMove, text: str) -> None:
    """Play the move with the cards that it shows."""
    cards = _cards(words_of(text, "shown"))
    count = cards_shown(view, move)
    if len(cards) != count:
        raise EventError(f"shown: expected {number_of(count, 'card')}, got {len(cards)}")
    left = Counter(_unseen(view))
    for rank, wanted in Counter(cards).items():
        if wanted > left[rank]:
            have = f"only {left[rank]}" if left[rank] else "no"
            raise EventError(f"{cards_text([rank] * wanted)} cannot have been shown: {have} {RANKS[rank]} is unseen")
    view.apply(view.rules.move(move.kind, move.cards, cards))


def _unseen(view: ThreeUpState) -> list[int]:
    """The cards that the view cannot place."""
    position = view.position()
    placed = Counter((*position.pile, *position.gone))
    for hand, up in zip(position.hands, position.up, strict=True):
        placed.update((*hand.cards, *hand.known, *up))
    return sorted((Counter(dict(enumerate(view.rules.counts))) - placed).elements())


# --- why not


def event_fault(view: ThreeUpState, move: ThreeUpMove) -> str | None:
    """Return why the move cannot be, as far as the view knows; None if it can."""
    if view.turn is None:
        return "the round is over"
    if view.is_legal(move):
        return None
    position = view.position()
    done = {"pickup": "the pile", "down": "a card", "draw": "", "nodraw": ""}.get(move.kind, cards_text(move.cards))
    why = _kind_fault(view, position, move) or _cards_fault(view, position, move) or "it is against the rules here"
    return refusal(view.view, view.turn, done, _VERBS[move.kind], why)


def _kind_fault(view: ThreeUpState, position: ThreeUpPosition, move: ThreeUpMove) -> str | None:
    """Why it is no time for such a move."""
    seat = position.turn or 0
    keeps = len(position.draw) > 0 and not position.up[seat]
    if keeps != (move.kind == "keep"):
        return "three cards are to be laid face up first" if keeps else "the face-up cards are chosen already"
    if keeps:
        return None
    if position.may_draw != (move.kind in ("draw", "nodraw")):
        return "first say whether cards are drawn (d or n)" if position.may_draw else "there is no right to draw now"
    if position.may_draw:
        return "the hand is empty, so cards are drawn" if move.kind == "nodraw" else None
    source = "play" if len(position.hands[seat]) else "up" if position.up[seat] else "down"
    if source == "down" and move.kind == "pickup":
        return "it turns a face-down card over"
    if move.kind not in (source, "pickup"):
        return _SOURCES[source]
    return None


def _cards_fault(view: ThreeUpState, position: ThreeUpPosition, move: ThreeUpMove) -> str | None:
    """Why these cards cannot be there, or do not fit."""
    seat = position.turn or 0
    hand = position.hands[seat]
    held = Counter(position.up[seat] if move.kind == "up" else (*hand.cards, *hand.known))
    if move.kind == "pickup":
        if not position.pile:
            return "there is no pile"
        fits = [rank for rank in sorted(held) if rank >= position.pile[-1]]
        return f"{RANKS[fits[0]]} fits" if fits else "some card must fit, whatever the hand holds"
    if move.kind in ("play", "up") and position.pile and move.cards[0] < position.pile[-1]:
        return f"{RANKS[position.pile[-1]]} lies on top of the pile"
    if move.kind != "up" and hand.hidden:
        held.update(_unseen(view))
    for rank, wanted in Counter(move.cards).items():
        if wanted > held[rank]:
            have = number_of(held[rank], "card") if held[rank] else "no card"
            where = "face up" if move.kind == "up" else "that can be in the hand" if hand.hidden else "in the hand"
            return f"{have} of rank {RANKS[rank]} {where}"
    return f"the hand has only {number_of(len(hand), 'card')}" if len(move.cards) > len(hand) else None


def event_words(view: ThreeUpState, words: Sequence[str]) -> list[str]:
    """Return the words that may follow those typed."""
    rules = view.rules
    if view.turn is None:
        return []
    position = view.position()
    unseen = Counter(_unseen(view) if position.hands[view.turn].hidden else ())
    held = Counter((*position.hands[view.turn].cards, *position.hands[view.turn].known)) + unseen
    single = [rank for rank in sorted(held) if view.is_legal(rules.move("play", [rank]))]
    up = [rank for rank in sorted(set(position.up[view.turn])) if view.is_legal(rules.move("up", [rank]))]
    keeps = len(position.draw) > 0 and not position.up[view.turn]
    if not words:
        others = [short for short, kind in _KINDS.items() if short in "otdn" and view.is_legal(rules.move(kind))]
        return [*(["k"] if keeps else []), *(["p"] if single else []), *(["u"] if up else []), *others]
    if words[0] in ("k", "keep") and keeps:
        return [RANKS[rank] for rank in sorted(held)]
    ranks = single if words[0] in ("p", "play") else up if words[0] in ("u", "up") else []
    return [RANKS[rank] for rank in ranks if len(words) == 1 or words[1].partition("*")[0] == RANKS[rank]]
