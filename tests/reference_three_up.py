"""A slow, literal reference implementation of 3UP 3DOWN.

Everything here is a list of cards and reads like the written rules, so that it can be checked by eye. It shares no code
with the fast core: the tests compare the two. Positions and moves are the texts of the notation; a card is the text of
its rank. Whatever is forbidden is a ValueError.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations

RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "C", "C1", "C2"]
CLEARS = {"C": 0, "C1": 1, "C2": 2}  # extra plays that each gives


def require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


def rank(card: str) -> int:
    return RANKS.index(card)


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=rank)


# --- the decks -------------------------------------------------------------------------------------

NUMBERS = {str(number): 6 for number in range(1, 11)}
DECKS = {
    # Twice in each of three colours; Clear +2 twice in green.
    "standard": NUMBERS | {"C": 6, "C1": 6, "C2": 2},
    "box-84": NUMBERS | {"C": 8, "C1": 8, "C2": 8},
}


def deck_cards(name: str) -> list[str]:
    require(name in DECKS, f"unknown deck {name!r}")
    return [card for card, count in DECKS[name].items() for _ in range(count)]


# --- positions -------------------------------------------------------------------------------------


@dataclass
class Hand:
    """Cards that only the holder knows, cards that everybody knows, and cards that the reader cannot name."""

    own: list[str] = field(default_factory=list)
    public: list[str] = field(default_factory=list)
    unnamed: int = 0

    def __len__(self) -> int:
        return len(self.own) + len(self.public) + self.unnamed

    def named(self) -> list[str]:
        return self.own + self.public

    def __str__(self) -> str:
        parts = []
        for card in RANKS:
            parts += counted(self.own, card) + [part + "+" for part in counted(self.public, card)]
        return ",".join(parts + unnamed_text(self.unnamed)) or "-"


@dataclass
class Stack:
    """Face-down cards, the one that comes next first; in a view only their number."""

    cards: list[str] = field(default_factory=list)
    unnamed: int = 0

    def __len__(self) -> int:
        return len(self.cards) + self.unnamed

    def __str__(self) -> str:
        return ",".join(self.cards + unnamed_text(self.unnamed)) or "-"


@dataclass
class Position:
    deck: str
    players: int
    view: int | None  # the seat whose knowledge this is; None: the true state
    turn: int | None  # None: the round is over
    hands: list[Hand]
    up: list[list[str]]
    down: list[Stack]
    pile: list[str]
    draw: Stack
    gone: list[str]
    extra: int  # plays owed
    may_draw: bool  # before the next of them

    def __str__(self) -> str:
        fields = [f"3up3down:{self.players}"]
        if self.view is not None:
            fields.append(f"view={self.view}")
        if self.deck != "standard":
            fields.append(f"deck={self.deck}")
        fields.append(f"turn={'-' if self.turn is None else self.turn}")
        fields.append("hands=" + ";".join(str(hand) for hand in self.hands))
        fields.append("up=" + ";".join(write(cards) for cards in self.up))
        fields.append("down=" + ";".join(str(stack) for stack in self.down))
        fields.append("pile=" + write(self.pile))
        fields.append(f"draw={self.draw}")
        fields.append("gone=" + write(self.gone))
        fields.append(f"extra={self.extra}" + ("d" if self.may_draw else ""))
        return " ".join(fields)


def counted(cards: list[str], card: str) -> list[str]:
    count = cards.count(card)
    return [] if count == 0 else [card] if count == 1 else [f"{card}*{count}"]


def unnamed_text(count: int) -> list[str]:
    return [f"{count}x"] if count else []


def write(cards: list[str]) -> str:
    return ",".join(part for card in RANKS for part in counted(cards, card)) or "-"


# --- reading ---------------------------------------------------------------------------------------

FIELDS = ["view", "deck", "turn", "hands", "up", "down", "pile", "draw", "gone", "extra"]


def parse(text: str) -> Position:
    header, *rest = text.split(" ")
    require(re.fullmatch("3up3down:[2-6]", header) is not None, f"expected 3up3down:2 to 3up3down:6, got {header!r}")
    players = int(header[-1])
    none_each = ";".join("-" * players)
    fields = {"view": "-", "deck": "standard", "up": none_each, "down": none_each}
    fields |= {"pile": "-", "draw": "-", "gone": "-", "extra": "0"}
    given = set()
    for item in rest:
        key, equals, value = item.partition("=")
        require(key in FIELDS and equals == "=" and value != "", f"unknown field {item!r}")
        require(key not in given, f"field {key!r} twice")
        given.add(key)
        fields[key] = value
    require({"turn", "hands"} <= given, "turn and hands are required")
    view = None if fields["view"] == "-" else read_seat(fields["view"], players)
    extra = re.fullmatch("(0|[1-9][0-9]?)(d?)", fields["extra"])
    if extra is None:
        raise ValueError(f"expected plays owed, got {fields['extra']!r}")
    position = Position(
        deck=fields["deck"],
        players=players,
        view=view,
        turn=None if fields["turn"] == "-" else read_seat(fields["turn"], players),
        hands=[read_hand(part) for part in fields["hands"].split(";")],
        up=[read_cards(part) for part in fields["up"].split(";")],
        down=[read_stack(part) for part in fields["down"].split(";")],
        pile=read_cards(fields["pile"]),
        draw=read_stack(fields["draw"]),
        gone=read_cards(fields["gone"]),
        extra=int(extra[1]),
        may_draw=extra[2] == "d",
    )
    check(position)
    return position


def read_seat(text: str, players: int) -> int:
    require(text in [str(seat) for seat in range(players)], f"expected a seat, got {text!r}")
    return int(text)


def read_counted(text: str) -> list[str]:
    match = re.fullmatch(r"(10|[1-9]|C[12]?)(?:\*([2-9]|1[0-5]))?", text)
    if match is None:
        raise ValueError(f"expected cards of a rank, got {text!r}")
    return [match[1]] * int(match[2] or 1)


def read_cards(text: str) -> list[str]:
    cards: list[str] = []
    for part in [] if text == "-" else text.split(","):
        cards += read_counted(part)
    return in_order(cards)


def read_hand(text: str) -> Hand:
    if text == "-":
        return Hand()
    parts = text.split(",")
    unnamed = int(parts.pop()[:-1]) if re.fullmatch("[1-9][0-9]*x", parts[-1]) else 0
    own = ",".join(part for part in parts if not part.endswith("+")) or "-"
    public = ",".join(part[:-1] for part in parts if part.endswith("+")) or "-"
    return Hand(read_cards(own), read_cards(public), unnamed)


def read_stack(text: str) -> Stack:
    if text == "-":
        return Stack()
    if re.fullmatch("[1-9][0-9]*x", text):
        return Stack([], int(text[:-1]))
    cards = text.split(",")
    require(all(card in RANKS for card in cards), f"expected cards one by one, got {text!r}")
    return Stack(cards)


def check(position: Position) -> None:
    """Everything that the rules say of a position beyond the form of its text."""
    seats = range(position.players)
    for lists in (position.hands, position.up, position.down):
        require(len(lists) == position.players, "one list per seat")
    cards = deck_cards(position.deck)
    require(len(cards) > 9 * position.players, "not enough cards")
    named = Counter(named_cards(position))
    require(named <= Counter(cards), "more cards of a rank than the deck has")
    unnamed = sum(hand.unnamed for hand in position.hands) + position.draw.unnamed
    unnamed += sum(stack.unnamed for stack in position.down)
    require(sum(named.values()) + unnamed == len(cards), "cards are missing or too many")
    for seat, hand in enumerate(position.hands):
        if position.view in (None, seat):
            require(hand.unnamed == 0, "a seat can name its own cards")
        else:
            require(hand.own == [], "a view names only public cards of others")
    for stack in [position.draw, *position.down]:
        require(stack.cards == [] if position.view is not None else stack.unnamed == 0, "nobody sees face-down cards")

    empty = [seat for seat in seats if not cards_left(position, seat)]
    require(len(empty) <= 1 and (position.turn is None) == bool(empty), "the round is over when a seat has no cards")
    for seat in seats:
        require(len(position.up[seat]) <= 3 and len(position.down[seat]) <= 3, "three up, three down")
        require(len(position.down[seat]) == 3 or position.up[seat] == [], "face-up cards go first")
    for card in position.pile:
        require(card not in CLEARS and position.pile.count(card) < 3, "the pile would have been cleared")
    if position.turn is None:
        require(position.extra == 0 and not position.may_draw, "the round is over")
    elif any(must_keep(position, seat) for seat in seats):
        for seat in seats:
            kept = seat < position.turn
            require(len(position.hands[seat]) == (3 if kept else 6), "six cards, three of them laid face up in turn")
            require(len(position.up[seat]) == (3 if kept else 0), "the seats choose in order")
            require(len(position.down[seat]) == 3 and position.hands[seat].public == [], "nothing was played yet")
        require(position.pile == [] and position.gone == [] and position.extra == 0, "nothing was played yet")
        require(not position.may_draw, "nothing was played yet")
    else:
        mover = position.turn
        if len(position.draw):
            for seat in seats:
                require(len(position.up[seat]) == 3 and len(position.down[seat]) == 3, "the draw pile lasts")
                owed = seat == mover and position.extra > 0
                require(len(position.hands[seat]) >= 3 or owed, "everybody draws up to three")
        require(position.extra <= position.gone.count("C1") + 2 * position.gone.count("C2"), "extra plays from nowhere")
        if position.may_draw:
            require(position.extra > 0 and can_draw(position, mover) and position.pile == [], "nothing to draw for")
        elif position.extra and len(position.draw):
            require(len(position.hands[mover]) > 0, "the extra play lapses")


def named_cards(position: Position) -> list[str]:
    lists = [hand.named() for hand in position.hands] + position.up + [stack.cards for stack in position.down]
    return [card for cards in [*lists, position.pile, position.draw.cards, position.gone] for card in cards]


def cards_left(position: Position, seat: int) -> int:
    return len(position.hands[seat]) + len(position.up[seat]) + len(position.down[seat])


def must_keep(position: Position, seat: int) -> bool:
    """The face-up cards stay while the draw pile lasts: a seat without any has not chosen them yet."""
    return position.up[seat] == [] and len(position.draw) > 0


def can_draw(position: Position, seat: int) -> bool:
    return len(position.hands[seat]) < 3 and len(position.draw) > 0


# --- moves -----------------------------------------------------------------------------------------


def fits(position: Position, card: str) -> bool:
    """At least the rank of the top of the pile; anything on an empty one."""
    return position.pile == [] or rank(card) >= rank(position.pile[-1])


def legal(position: Position) -> list[str]:
    """The texts of all legal moves; of a true state, or of a view whose seat is to move."""
    if position.turn is None:
        return []
    mover = position.turn
    require(position.view in (None, mover), "only the mover can tell which moves are legal")
    hand = position.hands[mover].named()
    if must_keep(position, mover):
        return sorted({f"keep:{write(list(three))}" for three in combinations(hand, 3)})
    if position.may_draw:
        return ["draw", "nodraw"] if hand else ["draw"]
    if hand == [] and position.up[mover] == []:
        return ["down"]
    kind, cards = ("play", hand) if hand else ("up", position.up[mover])
    plays = []
    for card in RANKS:
        if fits(position, card):
            plays += [f"{kind}:{write([card] * size)}" for size in range(1, cards.count(card) + 1)]
    return sorted(plays) or ["pickup"]


def play(position: Position, move: str) -> Position:
    """The position after a legal move."""
    require(move in legal(position), f"{move} is not legal in {position}")
    after = deepcopy(position)
    mover = after.turn
    assert mover is not None
    kind, _, listed = move.partition(":")
    cards = read_cards(listed) if listed else []
    if kind == "keep":
        for card in cards:
            after.hands[mover].own.remove(card)
        after.up[mover] = cards
        after.turn = (mover + 1) % after.players
    elif kind in ("draw", "nodraw"):
        after.may_draw = False
        if kind == "draw":
            draw(after, mover)
    elif kind == "pickup":
        take_pile(after, mover, [])
        end_turn(after, mover)
    elif kind == "down":
        card = after.down[mover].cards.pop(0)
        if fits(after, card):
            land(after, mover, [card])
        else:
            take_pile(after, mover, [card])
            end_turn(after, mover)
    else:
        for card in cards:
            if kind == "up":
                after.up[mover].remove(card)
            elif card in after.hands[mover].public:
                after.hands[mover].public.remove(card)
            else:
                after.hands[mover].own.remove(card)
        land(after, mover, cards)
    return after


def land(position: Position, mover: int, cards: list[str]) -> None:
    """The cards come to lie on the pile."""
    card = cards[0]
    position.pile += cards
    if card in CLEARS or position.pile[-3:] == [card] * 3:
        position.gone = in_order(position.gone + position.pile)
        position.pile = []
    # This play was one of those owed; clear cards of one rank count once.
    position.extra = max(position.extra - 1, 0) + CLEARS.get(card, 0)
    if cards_left(position, mover) == 0:
        position.turn = None
        position.extra = 0
    elif position.extra == 0:
        end_turn(position, mover)
    elif card in ("C1", "C2") and can_draw(position, mover):
        position.may_draw = True
    elif len(position.hands[mover]) == 0 and len(position.draw) > 0:
        end_turn(position, mover)


def take_pile(position: Position, mover: int, more: list[str]) -> None:
    position.hands[mover].public = in_order(position.hands[mover].public + position.pile + more)
    position.pile = []


def draw(position: Position, seat: int) -> None:
    while can_draw(position, seat):
        position.hands[seat].own.append(position.draw.cards.pop(0))
    position.hands[seat].own = in_order(position.hands[seat].own)


def end_turn(position: Position, mover: int) -> None:
    position.extra = 0
    position.may_draw = False
    draw(position, mover)
    position.turn = (mover + 1) % position.players


# --- knowledge, results ----------------------------------------------------------------------------


def observe(position: Position, seat: int) -> Position:
    view = deepcopy(position)
    view.view = seat
    for other, hand in enumerate(view.hands):
        if other != seat:
            view.hands[other] = Hand([], hand.public, hand.unnamed + len(hand.own))
    view.down = [Stack([], len(stack)) for stack in view.down]
    view.draw = Stack([], len(view.draw))
    return view


def worlds(view: Position) -> Iterator[Position]:
    """Every true position that agrees with the view, once for each way to deal the single cards."""
    missing = Counter(deck_cards(view.deck)) - Counter(named_cards(view))
    for dealt in arrangements(in_order(list(missing.elements()))):
        world = deepcopy(view)
        world.view = None
        rest = list(dealt)
        for hand in world.hands:
            hand.own = in_order(hand.own + rest[: hand.unnamed])
            rest = rest[hand.unnamed :]
            hand.unnamed = 0
        for stack in [*world.down, world.draw]:
            stack.cards, rest = rest[: stack.unnamed], rest[stack.unnamed :]
            stack.unnamed = 0
        yield world


def arrangements(cards: list[str]) -> Iterator[list[str]]:
    """Every order of the cards, those of single cards of one rank apart."""
    if cards == []:
        yield []
    for index, card in enumerate(cards):
        for rest in arrangements(cards[:index] + cards[index + 1 :]):
            yield [card, *rest]


def is_over(position: Position) -> bool:
    return position.turn is None


def result(position: Position) -> list[int]:
    return [int(position.turn is None and cards_left(position, seat) == 0) for seat in range(position.players)]


def payoffs(position: Position) -> list[float]:
    if is_over(position):
        return [float(points) for points in result(position)]
    return [1 / position.players] * position.players


def ranks(position: Position) -> list[int]:
    return result(position)


def deal(deck: str, players: int, rng: random.Random) -> Position:
    cards = deck_cards(deck)
    rng.shuffle(cards)
    down = [Stack([cards.pop() for _ in range(3)]) for _ in range(players)]
    hands = [Hand(in_order([cards.pop() for _ in range(6)])) for _ in range(players)]
    return Position(deck, players, None, 0, hands, [[] for _ in hands], down, [], Stack(cards), [], 0, False)


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(play(position, move), depth - 1) for move in legal(position))


def same(position: Position) -> str:
    """What two positions have in common when they count as the same for the rule on repetition."""
    plain = deepcopy(position)
    for hand in plain.hands:
        hand.own = in_order(hand.own + hand.public)
        hand.public = []
    return str(plain)


def run(position: Position, moves: list[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
    """Play the moves until the round ends: how many were played, and how it ended ("" if the moves ran out)."""
    seen: Counter[str] = Counter()
    for played in range(len(moves) + 1):
        if is_over(position):
            return played, "out"
        if played == max_turns:
            return played, "max_turns"
        seen[same(position)] += 1
        if repetition and seen[same(position)] == repetition:
            return played, "repetition"
        if played < len(moves):
            position = play(position, moves[played])
    return len(moves), ""
