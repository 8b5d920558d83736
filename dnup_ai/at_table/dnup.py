"""dnup at a real table: the first hand, events in short, why an event cannot be, what may come next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cython_core.dnup import DnupMove, DnupRules, DnupState
from cython_core.position import Card, Hand, HandCard, Position
from dnup_ai.at_table.words import card_text, cards_in_play, number_of, refusal, seat_in, words_of
from dnup_ai.errors import EventError
from dnup_ai.games.base import Question
from dnup_ai.notation import parse_move
from dnup_ai.notation.cards import pair_of, zone_index
from dnup_ai.notation.scan import Piece

HELP = (
    ("p 4/6 4/8", "plays a set; the cards alone say the same: 4/6 4/8"),
    ("a 5/2 1", "adds 5/2 to the set in front of seat 1 (2 players: zone, a 5/2 1.2)"),
    ("t1", "takes the set in front of seat 1 (2 players: zone, t1.2)"),
    ("f", "flips the hand"),
)
_VERBS = {"play": "play played", "add": "add added", "take": "take taken", "flip": "flip flipped"}


# --- the start of a round


def next_question(rules: DnupRules, answers: Mapping[str, str]) -> Question | None:
    """Return what is still to be said: the hand, and who begins if that is not seen in it."""
    star = "{}/{}".format(*rules.star)
    if "begins" in answers:
        seat_in(answers["begins"], rules.players, "begins")
    if "hand" not in answers:
        return Question("hand", f"your {_hand_size(rules)} cards, active value first")
    if rules.star in map(pair_of, _hand(rules, answers["hand"])):
        if "begins" in answers:
            raise EventError(f"the starred card {star} is in your hand: you begin, nobody else")
        return None
    if "begins" not in answers:
        return Question("begins", f"seat that shows the star {star} and begins")
    return None


def first_view(rules: DnupRules, seat: int, answers: Mapping[str, str], tokens: Sequence[int]) -> DnupState:
    """Return what a seat knows of a new deal from its hand and who begins."""
    mine = _hand(rules, answers["hand"])
    begins = seat_in(answers["begins"], rules.players, "begins") if "begins" in answers else seat
    if begins == seat and rules.star not in map(pair_of, mine):
        raise EventError(f"the starred card {card_text([rules.star])} is not in your hand, so another seat begins")
    hands = []
    for other in range(rules.players):
        if other == seat:
            cards = tuple(HandCard(*card, "~" if pair_of(card) == rules.star else "") for card in sorted(mine))
            hands.append(Hand(cards))
        elif other == begins:
            hands.append(Hand((HandCard(*rules.star, "~"),), len(mine) - 1))
        else:
            hands.append(Hand((), len(mine)))
    zones = 4 if rules.players == 2 else rules.players
    position = Position(
        players=rules.players,
        turn=begins,
        zone=2 if rules.players == 2 else begins,
        hands=tuple(hands),
        table=((),) * zones,
        tokens=tuple(tokens),
        view=seat,
        deck=rules.deck,
    )
    try:
        return DnupState(rules, position)
    except ValueError as error:
        raise EventError(f"such a round cannot begin: {error}") from error


def _hand_size(rules: DnupRules) -> int:
    return len(rules.cards) // rules.players


def _hand(rules: DnupRules, text: str) -> list[Card]:
    """The cards of a first hand; the star may bear its mark."""
    pieces = []
    for piece in words_of(text, "hand"):
        bare = piece.text.removesuffix("~")
        is_star = bare in (card_text([rules.star]), card_text([rules.star[::-1]]))
        pieces.append(piece.part(0, len(bare)) if is_star else piece)
    cards = cards_in_play(pieces, rules.cards, f"in play in deck {rules.deck} at {rules.players} players")
    if len(cards) != _hand_size(rules):
        raise EventError(f"hand: expected {_hand_size(rules)} cards, got {len(cards)}")
    return cards


# --- events


def read_event(view: DnupState, text: str) -> DnupMove:
    """Return the move that was typed, in notation or in short (`HELP`)."""
    rules = view.rules
    if re.match(r"\s*(play:|add:|take@)", text):
        return parse_move(rules, text.strip())
    pieces = words_of(text, "event")
    if not pieces:
        Piece("event", text, 1).fault("a move, like p 4/6 or f")
    head, rest = pieces[0], pieces[1:]
    if re.match(r"\d+[/~]", head.text):
        return _play(rules, pieces)
    match = re.match(r"(play|take|add|flip|p|t|a|f)(?![a-z])", head.text)
    if match is None:
        head.fault("p CARDS, a CARD ZONE, t ZONE or f")
    if len(match[0]) < len(head.text):
        rest = [head.part(len(match[0])), *rest]
    kind = match[0][0]
    if kind == "f":
        if rest:
            rest[0].fault("nothing behind f")
        return rules.move("flip")
    if kind == "p":
        return _play(rules, rest or [Piece("cards", "", len(text) + 1)])
    if kind == "a" and rest and "@" in rest[0].text:
        at = rest[0].text.index("@")
        rest = [rest[0].part(0, at), rest[0].part(at), *rest[1:]]
    wanted = 2 if kind == "a" else 1
    if len(rest) > wanted:
        rest[wanted].fault("the end of the event")
    rest += [Piece("event", "", len(text) + 1)] * (wanted - len(rest))
    zone = rest[-1].part(1 if rest[-1].text.startswith("@") else 0, field="zone")
    if kind == "t":
        return rules.move("take", zone=zone_index(zone, rules.players))
    return rules.move("add", _cards(rules, rest[:1]), zone_index(zone, rules.players))


def _cards(rules: DnupRules, pieces: Sequence[Piece]) -> list[Card]:
    pieces = [piece.part(0, field="cards") for piece in pieces]
    return cards_in_play(pieces, rules.cards, f"in play in deck {rules.deck} at {rules.players} players")


def _play(rules: DnupRules, pieces: Sequence[Piece]) -> DnupMove:
    cards = _cards(rules, pieces)
    for piece, card in zip(pieces, cards, strict=True):
        if card[0] != cards[0][0]:
            piece.part(0, field="cards").fault(f"a card with the active value {cards[0][0]} of its set")
    return rules.move("play", cards)


# --- why not


def event_fault(view: DnupState, move: DnupMove) -> str | None:
    """Return why the move cannot be, as far as the view knows; None if it can."""
    if view.turn is None:
        return "the round is over"
    if view.is_legal(move):
        return None
    position = view.position()
    done = card_text(move.cards)
    if move.kind == "take":
        done = f"the set {_before(position, move.zone)}"
    why = next((_of(card, move.cards, why) for card in move.cards if (why := _card_fault(position, card))), None)
    why = why or _zone_fault(view, position, move) or _size_fault(position, move) or "it is against the rules here"
    return refusal(view.view, view.turn, done, _VERBS[move.kind], why)


def _of(card: Card, cards: Sequence[Card], why: str) -> str:
    """The reason, which speaks of the card as it; of several cards it must say which."""
    return re.sub(r"\bit\b", card_text([card]), why, count=1) if len(cards) > 1 else why


def _card_fault(position: Position, card: Card) -> str | None:
    """Why the card cannot be in the hand of the seat to move, as it is said to lie."""
    seat, pair = position.turn, pair_of(card)
    for holder, hand in enumerate(position.hands):
        for held in hand.cards:
            if pair_of(held[:2]) != pair:
                continue
            who = "you hold" if holder == position.view else f"seat {holder} holds"
            if holder != seat:
                return f"{who} it"
            if held[:2] == card or (held.mark == "~" and holder != position.view):
                return None
            return f"{who} it as {held.active}/{held.inactive}"
    for zone, cards in enumerate(position.table):
        if pair in map(pair_of, cards):
            return f"it lies {_before(position, zone)}"
    if pair in position.gone:
        return "it was discarded"
    if seat == position.view:
        return "you do not hold it"
    assert seat is not None
    return None if position.hands[seat].hidden else f"all cards of seat {seat} are known, and it is not among them"


def _zone_fault(view: DnupState, position: Position, move: DnupMove) -> str | None:
    """Why nothing can be added to, or taken from, the zone."""
    zone = move.zone
    if zone is None:
        return None
    owner = zone // 2 if position.players == 2 else zone
    if owner == position.turn:
        return "only sets of other seats are added to and taken"
    if not position.table[zone]:
        return f"no set lies {_before(position, zone)}"
    if view.rules.out_sets == "frozen" and owner in position.out:
        return f"seat {owner} is out, and its set is frozen"
    value = position.table[zone][0][0]
    if move.cards and move.cards[0][0] != value:
        return f"the set {_before(position, zone)} has the value {value}"
    return None


def _size_fault(position: Position, move: DnupMove) -> str | None:
    """Why the set cannot have its size, or the hand not so many cards."""
    seat = position.turn
    if seat is None or not move.cards:
        return None
    hand = position.hands[seat]
    unnamed = [card for card in move.cards if pair_of(card) not in [pair_of(held[:2]) for held in hand.cards]]
    if len(unnamed) > hand.hidden:
        return f"the hand of seat {seat} has only {number_of(hand.hidden, 'card')} that you do not know"
    size = len(move.cards) + (len(position.table[move.zone]) if move.zone is not None else 0)
    own = position.zone if position.players > 2 else 2 * seat + (position.zone or 1) - 1
    for zone, cards in enumerate(position.table):
        if zone not in (own, move.zone) and len(cards) == size and cards[0][0] >= move.cards[0][0]:
            lies = f"a set of {number_of(size, 'card')} of value {cards[0][0]} lies {_before(position, zone)}"
            return f"{lies}, so {number_of(size, 'card')} must have a higher value"
    return None


def _before(position: Position, zone: int | None) -> str:
    assert zone is not None
    if position.players == 2:
        return f"in zone {_zone_text(position.players, zone)}"
    return "in front of you" if zone == position.view else f"in front of seat {zone}"


def _zone_text(players: int, zone: int) -> str:
    return f"{zone // 2}.{zone % 2 + 1}" if players == 2 else str(zone)


# --- what may come next


def event_words(view: DnupState, words: Sequence[str]) -> list[str]:
    """Return the words that may follow those typed: kinds of moves, cards that may be in the hand, zones."""
    rules = view.rules
    position = view.position()
    zones = range(len(position.table))
    if view.turn is None:
        return []
    if not words:
        takes = [zone for zone in zones if view.is_legal(rules.move("take", zone=zone))]
        return ["f", "p", "a", *(f"t{_zone_text(rules.players, zone)}" for zone in takes)]
    cards = [card for card in _both_ways(rules.cards) if _card_fault(position, card) is None]
    typed = [text for word in words[1:] for text in word.split(",") if text]
    if words[0] in ("p", "play"):
        chosen = [text for text in typed if "/" in text]
        value = chosen[0].partition("/")[0] if chosen else None
        texts = [card_text([card]) for card in cards if value in (None, str(card[0]))]
        return [text for text in texts if text not in chosen]
    if words[0] in ("a", "add") and len(typed) < 2:
        found: dict[str, None] = {}
        for zone in zones:
            for card in cards:
                if view.is_legal(rules.move("add", [card], zone)) and (not typed or typed[0] == card_text([card])):
                    found[_zone_text(rules.players, zone) if typed else card_text([card])] = None
        return list(found)
    return []


def _both_ways(cards: Iterable[Card]) -> list[Card]:
    return sorted([lying for low, high in cards for lying in ((low, high), (high, low))])
