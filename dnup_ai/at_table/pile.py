"""dnup-pile at a real table: the first hand, events in short, drawn cards, why an event cannot be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cython_core.pile import PileMove, PileRules, PileState
from cython_core.pile_position import PileHand, PilePosition
from cython_core.position import Card
from dnup_ai.at_table.words import card_text, cards_in_play, number_of, refusal, seat_in, words_of
from dnup_ai.errors import EventError
from dnup_ai.games.base import Question
from dnup_ai.notation.cards import pair_of
from dnup_ai.notation.pile import parse_pile_move
from dnup_ai.notation.scan import Piece

HELP = (
    ("p 3/8 8", "plays 3/8 so that 8 is visible then (two piles: p 3/8 8 1, the pile last)"),
    ("r", "revolves the hand"),
    ("s", "skips"),
)


# --- the start of a round


def next_question(rules: PileRules, answers: Mapping[str, str]) -> Question | None:
    """Return what is still to be said: the start cards, the hand, who begins."""
    piles = _cards(rules, answers["piles"], "piles", rules.piles) if "piles" in answers else []
    hand = _cards(rules, answers["hand"], "hand", _hand_size(rules)) if "hand" in answers else []
    if twice := {*map(pair_of, hand)} & {*map(pair_of, piles)}:
        raise EventError(f"hand: {card_text([twice.pop()])} is a start card")
    if "begins" in answers:
        seat_in(answers["begins"], rules.players, "begins")
    if not piles:
        cards = "start card, its visible value first" if rules.piles == 1 else "2 start cards, visible values first"
        return Question("piles", cards)
    if not hand:
        return Question("hand", f"your {_hand_size(rules)} cards, active value first")
    return None if "begins" in answers else Question("begins", "seat that begins")


def first_view(rules: PileRules, seat: int, answers: Mapping[str, str], tokens: Sequence[int]) -> PileState:
    """Return what a seat knows of a new deal."""
    size = _hand_size(rules)
    hand = PileHand(tuple(sorted(_cards(rules, answers["hand"], "hand", size))))
    piles = tuple(_cards(rules, answers["piles"], "piles", rules.piles))
    position = PilePosition(
        players=rules.players,
        turn=seat_in(answers["begins"], rules.players, "begins"),
        hands=tuple(hand if other == seat else PileHand((), size) for other in range(rules.players)),
        piles=piles,
        laid=(None,) * rules.piles,
        stock_hidden=len(rules.cards) - size * rules.players - rules.piles,
        revolved=(0,) * rules.players,
        points=tuple(tokens),
        given=(0,) * rules.players,
        view=seat,
        deck=rules.deck,
    )
    try:
        return PileState(rules, position)
    except ValueError as error:
        raise EventError(f"such a round cannot begin: {error}") from error


def _hand_size(rules: PileRules) -> int:
    return 6 if rules.players <= 3 else 5


def _cards(rules: PileRules, text: str, field: str, count: int) -> list[Card]:
    cards = cards_in_play(words_of(text, field), rules.cards, f"of deck {rules.deck}")
    if len(cards) != count:
        raise EventError(f"{field}: expected {number_of(count, 'card')}, got {len(cards)}")
    return cards


# --- events


def read_event(view: PileState, text: str) -> PileMove:
    """Return the move that was typed, in notation or in short (`HELP`)."""
    rules = view.rules
    if re.match(r"\s*play:", text):
        return parse_pile_move(rules, text.strip())
    # p 3/8>8@1 and p 3/8 8 1 say the same.
    pieces = [part for word in words_of(text, "event") for part in _parts(word)]
    if not pieces:
        Piece("event", text, 1).fault("a move, like p 3/8 8 or r")
    head, rest = pieces[0], pieces[1:]
    if head.text in ("r", "revolve", "s", "skip"):
        if rest:
            rest[0].fault("the end of the event")
        return rules.move("revolve" if head.text[0] == "r" else "skip")
    if head.text not in ("p", "play"):
        if "/" not in head.text:
            head.fault("p CARD VALUE, r or s")
        rest = pieces
    end = Piece("event", "", len(text) + 1)
    wanted = 2 if rules.piles == 1 else 3
    if len(rest) > wanted:
        rest[wanted].fault("the end of the event")
    rest += [end] * (wanted - len(rest))
    (card,) = cards_in_play([rest[0].part(0, field="card")], rules.cards, f"of deck {rules.deck}")
    if rest[1].text not in map(str, card):
        rest[1].part(0, field="visible").fault(f"{card[0]} or {card[1]}, the value that is visible then")
    pile = rest[2].part(0, field="pile").number(0, 1, "a pile") if rules.piles == 2 else 0
    return rules.move("play", card, int(rest[1].text), pile)


def _parts(word: Piece) -> list[Piece]:
    return [word.part(match.start(), match.end()) for match in re.finditer(r"[^>@]+", word.text)]


def cards_shown(view: PileState, move: PileMove) -> int:
    """Return 1 if the view's own seat draws a card after the move."""
    if view.turn != view.view:
        return 0
    after = view.copy()
    after.apply(move)
    return after.position().hands[view.view or 0].hidden


def apply_shown(view: PileState, move: PileMove, text: str) -> None:
    """Play the move, and name the card that is drawn then."""
    (card,) = _cards(view.rules, text, "drawn", 1)
    after = view.copy()
    undo = after.apply(move)
    why = _card_fault(after.position(), card, drawn=True)
    if why is not None:
        raise EventError(f"{card_text([card])} cannot have been drawn: {why}")
    after.undo(undo)
    view.apply(move)
    view.drew(card)


# --- why not


def event_fault(view: PileState, move: PileMove) -> str | None:
    """Return why the move cannot be, as far as the view knows; None if it can."""
    if view.turn is None:
        return "the round is over"
    if view.is_legal(move):
        return None
    position = view.position()
    seat = view.turn
    if move.kind == "revolve":
        done = number_of(position.revolved[seat], "time")
        return refusal(view.view, seat, "", "revolve revolved", f"revolved {done} in this round, which is all")
    if move.kind == "skip":
        return refusal(view.view, seat, "", "skip skipped", _skip_fault(view, position))
    assert move.card is not None
    assert move.pile is not None
    why = _card_fault(position, move.card)
    if why is None:
        ends = "its upper value" if view.rules.match == "active" else "one of its values"
        visible = position.piles[move.pile][0]
        why = f"the pile shows {visible}, and {ends} must be {visible}, one more or one less"
    return refusal(view.view, seat, card_text([move.card]), "play played", why)


def _card_fault(position: PilePosition, card: Card, drawn: bool = False) -> str | None:
    """Why the card cannot be in the hand of the seat to move as it is said to lie, or be drawn."""
    pair = pair_of(card)
    for held in position.hands[position.view or 0].cards:
        if pair_of(held) == pair:
            if drawn or position.turn != position.view:
                return "you hold it"
            return None if held == card else f"you hold it as {card_text([held])}"
    if pair in map(pair_of, position.piles):
        return "it lies on a pile"
    if pair in position.gone:
        return "it is covered in a pile"
    return "you do not hold it" if position.turn == position.view and not drawn else None


def _skip_fault(view: PileState, position: PilePosition) -> str:
    seat = position.turn or 0
    if position.revolved[seat] < view.rules.revolves:
        return "a revolve is left, so there is a move"
    if seat != position.view:
        return "some card of the hand must fit, whatever it holds"
    fits = [move for move in view.legal_moves() if move.card is not None]
    return f"{card_text([fits[0].card])} fits" if fits and fits[0].card else "there is a move"


def event_words(view: PileState, words: Sequence[str]) -> list[str]:
    """Return the words that may follow those typed."""
    rules = view.rules
    if view.turn is None:
        return []
    if not words:
        kinds = [kind for kind in ("revolve", "skip") if view.is_legal(rules.move(kind))]
        return ["p", *(kind[0] for kind in kinds)]
    if words[0] not in ("p", "play"):
        return []
    piles = range(rules.piles)
    lying = sorted([way for low, high in rules.cards for way in ((low, high), (high, low))])
    plays = [(card, pile) for card in lying for pile in piles if view.is_legal(rules.move("play", card, card[0], pile))]
    if len(words) == 1:
        return list(dict.fromkeys(card_text([card]) for card, _ in plays))
    if len(words) == 2:
        return words[1].split("/")
    if len(words) == 3 and rules.piles == 2:
        return [str(pile) for card, pile in plays if card_text([card]) == words[1]]
    return []
