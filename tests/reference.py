"""A slow, literal reference implementation of dnup.

Everything here is a list of cards and reads like the written rules, so that it can be checked by eye. It
shares no code with the fast core: the tests compare the two. Positions and moves are the texts of the rules'
notation; a zone is named by its text, `"2"` or at 2 players `"1.2"`. Whatever is forbidden is a ValueError.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

Pair = tuple[int, int]  # a card without its way up, lower value first


def require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


# --- the deck --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deck:
    name: str
    cards: tuple[Pair, ...]
    star: Pair
    symbols: dict[int, tuple[Pair, ...]]

    def at(self, players: int) -> tuple[Pair, ...]:
        """The cards in play: symbol 1 leaves at 4 players and fewer, 2 at 3 and fewer, 3 at 2."""
        require(2 <= players <= 5, f"expected 2 to 5 players, got {players}")
        leaving: list[Pair] = []
        if players <= 4:
            leaving += self.symbols.get(1, ())
        if players <= 3:
            leaving += self.symbols.get(2, ())
        if players <= 2:
            leaving += self.symbols.get(3, ())
        cards = tuple(card for card in self.cards if card not in leaving)
        require(len(cards) % players == 0, f"{len(cards)} cards cannot be dealt evenly to {players} players")
        return cards


def all_pairs(highest: int) -> tuple[Pair, ...]:
    return tuple(combinations(range(1, highest + 1), 2))


def standard_deck() -> Deck:
    """All pairs of 1..10 but five. First symbol: the cards with a 10; second: the remaining ones with a 9."""
    cards = tuple(card for card in all_pairs(10) if card not in ((1, 2), (3, 8), (4, 7), (5, 6), (9, 10)))
    first = tuple(card for card in cards if 10 in card)
    second = tuple(card for card in cards if 9 in card and card not in first)
    third = ((1, 8), (2, 7), (3, 6), (4, 5))
    return Deck("standard", cards, star=(1, 5), symbols={1: first, 2: second, 3: third})


STANDARD = standard_deck()
PAIRS_45 = Deck("pairs-45", all_pairs(10), star=(1, 5), symbols={})
PAIRS_36 = Deck("pairs-36", all_pairs(9), star=(1, 5), symbols={})


# --- cards, hands, positions -----------------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """A card that somebody can see or name.

    The mark says what everybody knows of a card in a hand: "" nothing, "+" that it is here and its way up,
    "~" that it is here. "?" is "~" as a view of another seat has it: way up unknown, the lower value first.
    """

    active: int
    inactive: int
    mark: str = ""

    @property
    def pair(self) -> Pair:
        return min(self.active, self.inactive), max(self.active, self.inactive)

    def turned(self) -> Card:
        """The card with its values changed over; turning a card whose way up is unknown tells nothing."""
        return self if self.mark == "?" else Card(self.inactive, self.active, self.mark)

    def marked(self, mark: str) -> Card:
        return Card(self.active, self.inactive, mark)

    def __str__(self) -> str:
        if self.mark == "?":
            return f"{self.active}~{self.inactive}"
        return f"{self.active}/{self.inactive}{self.mark}"


@dataclass
class Hand:
    cards: list[Card]
    unnamed: int = 0  # how many more there are that the reader cannot name

    def __len__(self) -> int:
        return len(self.cards) + self.unnamed


@dataclass
class Position:
    deck: Deck
    players: int
    view: int | None  # the seat whose knowledge this is; None: the true state
    turn: str | None  # the zone to move; None: the round is over
    hands: list[Hand]
    table: dict[str, list[Card]]  # the set in each zone
    gone: list[Card]
    forgotten: int  # how many more discarded cards there are that the reader cannot name
    out: list[int]
    tokens: list[int]

    def __str__(self) -> str:
        fields = [f"dnup:{self.players}"]
        if self.deck.name != "standard":
            fields.append(f"deck={self.deck.name}")
        if self.view is not None:
            fields.append(f"view={self.view}")
        fields.append(f"turn={self.turn or '-'}")
        fields.append("hands=" + ";".join(write_cards(hand.cards, hand.unnamed) for hand in self.hands))
        fields.append("table=" + ";".join(write_cards(cards) for cards in self.table.values()))
        fields.append("gone=" + write_cards(self.gone, self.forgotten))
        fields.append("out=" + (",".join(map(str, self.out)) or "-"))
        fields.append("tokens=" + ",".join(map(str, self.tokens)))
        return " ".join(fields)


def write_cards(cards: list[Card], unnamed: int = 0) -> str:
    texts = [str(card) for card in sort_cards(cards)]
    if unnamed:
        texts.append(f"{unnamed}x")
    return ",".join(texts) or "-"


def sort_cards(cards: list[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: (card.active, card.inactive))


def zones(players: int) -> list[str]:
    """In the order of play, which is also the order of the `table=` field."""
    return ["0.1", "0.2", "1.1", "1.2"] if players == 2 else [str(seat) for seat in range(players)]


def owner(zone: str) -> int:
    return int(zone.partition(".")[0])


def unnamed_cards(position: Position) -> list[Pair]:
    """The cards that the reader of a view cannot place; none in a true state."""
    named = [card.pair for card in named_cards(position)]
    return [pair for pair in position.deck.at(position.players) if pair not in named]


def named_cards(position: Position) -> list[Card]:
    lists = [hand.cards for hand in position.hands] + list(position.table.values()) + [position.gone]
    return [card for cards in lists for card in cards]


def copy(position: Position) -> Position:
    return replace(
        position,
        hands=[Hand(list(hand.cards), hand.unnamed) for hand in position.hands],
        table={zone: list(cards) for zone, cards in position.table.items()},
        gone=list(position.gone),
        out=list(position.out),
        tokens=list(position.tokens),
    )


# --- reading ---------------------------------------------------------------------------------------

FIELDS = ("deck", "view", "turn", "hands", "table", "gone", "out", "tokens")


def parse(text: str, deck: Deck = STANDARD) -> Position:
    """Read a position; `deck` is known by its name besides the three shipped ones."""
    header, *rest = text.split(" ")
    require(re.fullmatch(r"dnup:[2-5]", header) is not None, f"expected dnup:2 to dnup:5, got {header!r}")
    players = int(header[-1])
    fields: dict[str, str] = {}
    for item in rest:
        key, equals, value = item.partition("=")
        require(key in FIELDS and equals == "=" and value != "", f"unknown field {item!r}")
        require(key not in fields, f"field {key!r} twice")
        fields[key] = value
    for key in ("turn", "hands"):
        require(key in fields, f"field {key!r} is missing")

    decks = {known.name: known for known in (STANDARD, PAIRS_45, PAIRS_36, deck)}
    name = fields.get("deck", "standard")
    require(name in decks, f"unknown deck {name!r}")
    view = fields.get("view", "-")
    turn = fields["turn"]
    hands = [Hand(*read_cards(part)) for part in fields["hands"].split(";")]
    sets = [read_cards(part) for part in fields.get("table", ";".join("-" * len(zones(players)))).split(";")]
    gone, forgotten = read_cards(fields.get("gone", "-"))
    out = fields.get("out", "-")
    tokens = fields.get("tokens", ",".join("0" * players)).split(",")
    require(len(hands) == players, "one hand per seat")
    require(len(sets) == len(zones(players)), "one set per zone")
    require(all(unnamed == 0 for _, unnamed in sets), "cards on the table are seen by all")
    require(len(tokens) == players, "tokens for each seat")
    position = Position(
        deck=decks[name],
        players=players,
        view=None if view == "-" else read_number(view),
        turn=None if turn == "-" else turn,
        hands=hands,
        table={zone: cards for zone, (cards, _) in zip(zones(players), sets, strict=True)},
        gone=gone,
        forgotten=forgotten,
        out=[] if out == "-" else [read_number(seat) for seat in out.split(",")],
        tokens=[read_number(number) for number in tokens],
    )
    check_consistent(position)
    return position


def read_number(text: str) -> int:
    require(re.fullmatch(r"0|[1-9][0-9]{0,5}", text) is not None, f"expected a number, got {text!r}")
    return int(text)


def read_card(text: str) -> Card:
    match = re.fullmatch(r"([1-9][0-9]?)([/~])([1-9][0-9]?)([+~]?)", text)
    if match is None:
        raise ValueError(f"expected a card, got {text!r}")
    active, between, inactive, mark = int(match[1]), match[2], int(match[3]), match[4]
    if between == "/":
        return Card(active, inactive, mark)
    require(mark == "" and active < inactive, f"expected a~b with a < b and without a mark, got {text!r}")
    return Card(active, inactive, "?")


def read_cards(text: str) -> tuple[list[Card], int]:
    """The cards of a list and the number of those that the reader cannot name."""
    if text == "-":
        return [], 0
    parts = text.split(",")
    unnamed = 0
    if re.fullmatch(r"[1-9][0-9]*x", parts[-1]):
        unnamed = int(parts.pop()[:-1])
    return [read_card(part) for part in parts], unnamed


def check_consistent(position: Position) -> None:
    """Everything that the rules say of a position beyond the form of its text."""
    seats = range(position.players)
    in_play = position.deck.at(position.players)
    named = [card.pair for card in named_cards(position)]
    require(all(pair in in_play for pair in named), "a card that is not in play")
    require(len(set(named)) == len(named), "a card is in two places")
    unnamed = sum(hand.unnamed for hand in position.hands) + position.forgotten
    require(len(named) + unnamed == len(in_play), "cards are missing or too many")

    require(position.view is None or position.view in seats, "view is a seat")
    require(position.view is not None or unnamed == 0, "a true state names every card")
    if position.deck.star not in named:
        require(position.forgotten > 0, "the star in a hand always bears a mark")
    for seat, hand in enumerate(position.hands):
        foreign = position.view is not None and position.view != seat
        require(foreign or hand.unnamed == 0, "a seat can name its own cards")
        for card in hand.cards:
            if card.pair == position.deck.star:
                require(card.mark != "", "the star in a hand always bears a mark")
            else:
                require(card.mark in ("", "+"), "only the star can be known without its way up")
            require(card.mark in (("+", "?") if foreign else ("", "+", "~")), "a mark that the reader cannot see")
        require((len(hand) == 0) == (seat in position.out), "an empty hand for who is out, and for nobody else")

    sets = [cards for cards in position.table.values() if cards]
    require(all(card.mark == "" for cards in sets for card in cards), "cards on the table bear no marks")
    require(all(len({card.active for card in cards}) == 1 for cards in sets), "a set has one active value")
    require(len({len(cards) for cards in sets}) == len(sets), "two sets of one size")
    for card in position.gone:
        require(card.mark == "" and card.active < card.inactive, "discarded cards have the lower value first")

    require(len(set(position.out)) == len(position.out), "a seat is out twice")
    require(all(seat in seats for seat in position.out), "out is of seats")
    require(len(position.out) <= (1 if position.players == 2 else 2), "too many seats are out")
    require(all(number < tokens_to_win(position) for number in position.tokens), "the match is over")
    require((position.turn is None) == round_is_over(position), "turn is - when the round is over, and only then")
    if position.turn is not None:
        require(position.turn in position.table, f"no such turn: {position.turn!r}")
        require(owner(position.turn) not in position.out, "a seat that is out has no turn")


# --- moves -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Move:
    kind: str  # play, add, take, flip
    cards: tuple[Card, ...] = ()
    zone: str = ""

    def __str__(self) -> str:
        cards = f":{write_cards(list(self.cards))}" if self.cards else ""
        zone = f"@{self.zone}" if self.zone else ""
        return f"{self.kind}{cards}{zone}"


def parse_move(text: str, players: int) -> Move:
    match = re.fullmatch(r"play:([0-9/,]+)|add:([0-9/]+)@([0-9.]+)|take@([0-9.]+)|flip", text)
    if match is None:
        raise ValueError(f"expected a move, got {text!r}")
    cards = tuple(read_card(part) for part in (match[1] or match[2] or "").split(",") if match[1] or match[2])
    move = Move(re.split("[:@]", text)[0], cards, match[3] or match[4] or "")
    require(move.zone == "" or move.zone in zones(players), f"no such zone: {move.zone!r}")
    return move


def legal(position: Position, out_sets: str = "open") -> list[str]:
    """The texts of all legal moves, sorted; of a true state, or of a view whose seat is to move."""
    if position.turn is None:
        return []
    mover = owner(position.turn)
    require(position.view in (None, mover), "only the mover can tell which moves are legal")
    hand = position.hands[mover].cards
    thinkable = [Move("flip")] + [Move("take", zone=zone) for zone in position.table]
    thinkable += [Move("add", (card.marked(""),), zone) for card in hand for zone in position.table]
    for value in {card.active for card in hand}:
        same = [card.marked("") for card in hand if card.active == value]
        for size in range(1, len(same) + 1):
            thinkable += [Move("play", cards) for cards in combinations(same, size)]
    return sorted(str(move) for move in thinkable if objection(position, move, out_sets) == "")


def objection(position: Position, move: Move, out_sets: str = "open") -> str:
    """Why the rules forbid the move; empty if they do not."""
    if position.turn is None:
        return "the round is over"
    mover = owner(position.turn)
    # Your own set is discarded first: it never conflicts with what you do next.
    table = {zone: cards for zone, cards in position.table.items() if cards and zone != position.turn}
    if move.kind == "flip":
        return ""
    if move.kind in ("add", "take"):
        if owner(move.zone) == mover:
            return "the set of an opponent, never your own"
        if move.zone not in table:
            return "no set lies there"
        if out_sets == "frozen" and owner(move.zone) in position.out:
            return "a set of a player who is out is frozen"
    if move.kind == "take":
        return ""
    if not can_hold(position, mover, move.cards):
        return "the cards are not in the hand that way up"
    value = move.cards[0].active
    if move.kind == "play":
        size = len(move.cards)
        if any(card.active != value for card in move.cards):
            return "a set has one active value"
    else:
        size = len(table[move.zone]) + 1
        if value != table[move.zone][0].active:
            return "a card is added to a set of the same value"
    for zone, cards in table.items():
        if zone != move.zone and len(cards) == size and value <= cards[0].active:
            return "a set of the same size must be lower"
    return ""


def can_hold(position: Position, seat: int, cards: tuple[Card, ...]) -> bool:
    """Whether the seat may have these cards that way up; in a view, another seat's may be unnamed."""
    hand = position.hands[seat]
    strangers: list[Pair] = []
    for card in cards:
        held = [other for other in hand.cards if other.pair == card.pair]
        if held:
            if held[0].mark != "?" and held[0].active != card.active:
                return False
        # The star in a hand always bears a mark, so it cannot be among a hand's unnamed cards.
        elif card.pair in unnamed_cards(position) and card.pair != position.deck.star:
            strangers.append(card.pair)
        else:
            return False
    return len({card.pair for card in cards}) == len(cards) and len(strangers) <= hand.unnamed


def play(position: Position, move_text: str, out_sets: str = "open") -> Position:
    """A new position, one whole turn later; a view too is moved on by the public move of any seat."""
    move = parse_move(move_text, position.players)
    why_not = objection(position, move, out_sets)
    require(why_not == "", f"illegal move {move_text!r}: {why_not}")

    after = copy(position)
    zone = str(position.turn)
    mover = owner(zone)
    hand = after.hands[mover]
    discard(after, zone)
    if move.kind == "play":
        after.table[zone] = [lay_down(hand, card) for card in move.cards]
        beat(after, zone)
    elif move.kind == "add":
        after.table[move.zone].append(lay_down(hand, move.cards[0]))
        beat(after, move.zone)
    elif move.kind == "take":
        go_to_hand(after, move.zone, mover)
    else:
        hand.cards = [card.turned() for card in hand.cards]
    if len(hand) == 0:
        after.out.append(mover)
    after.turn = None if round_is_over(after) else next_turn(after, zone)
    return after


def lay_down(hand: Hand, card: Card) -> Card:
    held = [other for other in hand.cards if other.pair == card.pair]
    if held:
        hand.cards.remove(held[0])
    else:
        hand.unnamed -= 1
    return card


def discard(position: Position, zone: str) -> None:
    position.gone += [Card(*card.pair) for card in position.table[zone]]
    position.table[zone] = []


def go_to_hand(position: Position, zone: str, seat: int) -> None:
    """Cards that go from the table to a hand are turned over, and all have seen them."""
    position.hands[seat].cards += [card.turned().marked("+") for card in position.table[zone]]
    position.table[zone] = []


def beat(position: Position, winner: str) -> None:
    """Any other set of the winner's size goes back to its owner, or is discarded if that player is out."""
    for zone, cards in position.table.items():
        if zone != winner and len(cards) == len(position.table[winner]):
            if owner(zone) in position.out:
                discard(position, zone)
            else:
                go_to_hand(position, zone, owner(zone))


def next_turn(position: Position, zone: str) -> str:
    """The next zone clockwise; a seat that is out is passed over and its set, if still there, discarded."""
    order = zones(position.players)
    while True:
        zone = order[(order.index(zone) + 1) % len(order)]
        if owner(zone) not in position.out:
            return zone
        discard(position, zone)


# --- the end of a round ----------------------------------------------------------------------------


def tokens_to_win(position: Position) -> int:
    return 2 if position.players == 2 else 4


def round_is_over(position: Position) -> bool:
    if position.players == 2:
        return len(position.out) == 1
    # If the first out then has 4 tokens, round and match end at once.
    return len(position.out) == 2 or any(position.tokens[seat] + 2 >= 4 for seat in position.out[:1])


def is_over(position: Position) -> bool:
    return position.turn is None


def result(position: Position) -> list[int]:
    """The tokens that this round gave, so far or in all."""
    given = [0] * position.players
    for seat, tokens in zip(position.out, (1,) if position.players == 2 else (2, 1), strict=False):
        given[seat] = tokens
    return given


def payoffs(position: Position) -> list[float]:
    """The tokens given; those not given are split equally among the players still in."""
    given = result(position)
    not_given = (1 if position.players == 2 else 3) - sum(given)
    share = not_given / (position.players - len(position.out))
    return [float(tokens) if seat in position.out else share for seat, tokens in enumerate(given)]


def ranks(position: Position) -> list[int]:
    """Per seat 1: first out, 2: second out, 0: neither."""
    return [position.out.index(seat) + 1 if seat in position.out else 0 for seat in range(position.players)]


# --- dealing, seeing, counting ---------------------------------------------------------------------


def deal(deck: Deck, players: int, rng: random.Random, tokens: list[int] | None = None) -> Position:
    """Shuffle the cards and the way up of each, deal them all; the star's holder begins, at 2 in zone 2."""
    pairs = list(deck.at(players))
    rng.shuffle(pairs)
    cards = [Card(*rng.choice((pair, pair[::-1])), "~" if pair == deck.star else "") for pair in pairs]
    size = len(cards) // players
    hands = [Hand(sort_cards(cards[seat * size : (seat + 1) * size])) for seat in range(players)]
    holder = next(seat for seat, hand in enumerate(hands) if any(card.mark == "~" for card in hand.cards))
    turn = f"{holder}.2" if players == 2 else f"{holder}"
    table: dict[str, list[Card]] = {zone: [] for zone in zones(players)}
    position = Position(deck, players, None, turn, hands, table, [], 0, [], list(tokens or [0] * players))
    check_consistent(position)
    return position


def observe(position: Position, seat: int) -> Position:
    """What the seat may know of a true state: all but the cards of other hands that bear no mark."""
    require(0 <= seat < position.players, f"no such seat: {seat}")
    require(position.view in (None, seat), "a view cannot be seen by another seat")
    view = copy(position)
    view.view = seat
    for other, hand in enumerate(view.hands):
        if other != seat:
            hand.unnamed += len([card for card in hand.cards if card.mark == ""])
            known = [card for card in hand.cards if card.mark != ""]
            hand.cards = [Card(*card.pair, "?") if card.mark == "~" else card for card in known]
    return view


def worlds(view: Position) -> Iterator[Position]:
    """Every true state that agrees with the view, each once: unnamed cards anywhere, in hands either way up.

    The star in a hand always bears a mark, so an unnamed star can only be among the forgotten discards.
    """

    def fill(world: Position, seat: int, rest: list[Pair]) -> Iterator[Position]:
        if seat == world.players:
            full = copy(world)
            full.view, full.forgotten = None, 0
            full.gone += [Card(*pair) for pair in rest]
            yield full
            return
        hand = world.hands[seat]
        for drawn in combinations([pair for pair in rest if pair != world.deck.star], hand.unnamed):
            left = [pair for pair in rest if pair not in drawn]
            ways = [[Card(*pair), Card(*pair).turned()] for pair in drawn]
            for card in hand.cards:
                star = card.marked("~")
                ways.append([star, star.turned()] if card.mark == "?" else [card])
            for cards in product(*ways):
                filled = copy(world)
                filled.hands[seat] = Hand(sort_cards(list(cards)))
                yield from fill(filled, seat + 1, left)

    yield from fill(view, 0, unnamed_cards(view))


def perft(position: Position, depth: int, out_sets: str = "open") -> int:
    """The number of move sequences of exactly that many turns; ends of the match by tokens are ignored."""
    if depth == 0:
        return 1
    endless = replace(position, tokens=[0] * position.players)
    return sum(perft(play(endless, move, out_sets), depth - 1, out_sets) for move in legal(endless, out_sets))


def state_key(position: Position) -> tuple[object, ...]:
    """What makes two states the same for `repetition`: not what is known of them, so no marks."""
    hands = [write_cards([card.marked("") for card in hand.cards]) for hand in position.hands]
    table = [write_cards(cards) for cards in position.table.values()]
    return tuple(hands), tuple(table), position.turn, tuple(position.out)


def run(
    position: Position,
    choose: Callable[[Position], str],
    repetition: int = 3,
    max_turns: int = 1000,
    out_sets: str = "open",
) -> tuple[list[str], str]:
    """Play a round out; the moves and why it ended: `out`, `repetition` or `max_turns`."""
    moves: list[str] = []
    seen: Counter[tuple[object, ...]] = Counter()
    while not is_over(position):
        if len(moves) == max_turns:
            return moves, "max_turns"
        # Counted before each turn, the start included.
        seen[state_key(position)] += 1
        if repetition and seen[state_key(position)] == repetition:
            return moves, "repetition"
        moves.append(choose(position))
        position = play(position, moves[-1], out_sets)
    return moves, "out"


def play_round(
    position: Position, rng: random.Random, repetition: int = 3, max_turns: int = 1000, out_sets: str = "open"
) -> tuple[list[str], str]:
    """Play a round out with random legal moves."""
    return run(position, lambda state: rng.choice(legal(state, out_sets)), repetition, max_turns, out_sets)
