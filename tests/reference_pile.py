"""A slow, literal implementation of dnup-pile, to check the core against: texts in, texts out.

It follows docs/rules-pile.md sentence by sentence and shares nothing with the core. A reshuffle, which is chance, is
told to it. Everything wrong raises ValueError.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations, permutations, product

Card = tuple[int, int]  # as it lies: the end that is up first

LEFT_OUT = {(1, 2), (3, 8), (4, 7), (5, 6), (9, 10)}
STANDARD = [pair for pair in combinations(range(1, 11), 2) if pair not in LEFT_OUT]


@dataclass(frozen=True)
class Options:
    piles: int = 1
    match: str = "either"
    revolves: int = 1
    reshuffle: str = "never"
    one_point: str = "feeder"
    blocked: str = "fewest"


DEFAULTS = Options()


@dataclass
class Position:
    players: int
    view: int | None
    turn: int | None
    hands: list[list[Card]]
    unnamed: list[int]
    piles: list[Card]
    laid: list[int | None]
    stock: list[Card]
    stock_unnamed: int
    gone: list[Card]
    skips: int
    revolved: list[int]
    points: list[int]
    given: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        hands = [write_cards(sorted(hand), more) for hand, more in zip(self.hands, self.unnamed, strict=True)]
        fields = {
            "view": None if self.view is None else str(self.view),
            "turn": write_seat(self.turn),
            "hands": ";".join(hands),
            "piles": ";".join(write_cards([card]) for card in self.piles),
            "laid": ";".join(write_seat(seat) for seat in self.laid),
            "stock": write_cards(self.stock, self.stock_unnamed),
            "gone": write_cards(sorted(self.gone)),
            "skips": str(self.skips),
            "revolved": ",".join(map(str, self.revolved)),
            "points": ",".join(map(str, self.points)),
            "given": ",".join(map(str, self.given)) if any(self.given) else None,
        }
        return " ".join([f"dnup-pile:{self.players}"] + [f"{key}={text}" for key, text in fields.items() if text])


def require(condition: bool, rule: str) -> None:
    if not condition:
        raise ValueError(rule)


# --- notation --------------------------------------------------------------------------------------


def write_seat(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def write_cards(cards: list[Card], unnamed: int = 0) -> str:
    return ",".join([f"{a}/{b}" for a, b in cards] + ([f"{unnamed}x"] if unnamed else [])) or "-"


def read_cards(text: str) -> tuple[list[Card], int]:
    """The cards of a list, and the number of those without a name."""
    cards: list[Card] = []
    unnamed = 0
    for part in text.split(",") if text != "-" else []:
        if match := re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)", part):
            require(unnamed == 0, "cards without a name come last")
            cards.append((int(match[1]), int(match[2])))
        else:
            match = re.fullmatch(r"([1-9][0-9]*)x", part)
            require(match is not None and unnamed == 0, f"no card: {part!r}")
            assert match is not None
            unnamed = int(match[1])
    return cards, unnamed


def pair_of(card: Card) -> Card:
    return min(card), max(card)


def parse(text: str, options: Options = DEFAULTS, pairs: list[Card] = STANDARD) -> Position:
    head, *parts = text.split(" ")
    require(re.fullmatch("dnup-pile:[2-5]", head) is not None, "dnup-pile:N with 2 to 5 players")
    players = int(head[-1])
    given = dict(part.split("=", 1) for part in parts)
    require(len(given) == len(parts), "each field once")
    known = ("view", "turn", "hands", "piles", "laid", "stock", "gone", "skips", "revolved", "points", "given")
    require(set(given) <= set(known), "a field that does not exist")
    require({"turn", "hands", "piles"} <= set(given), "a field is missing")
    zeros = ",".join("0" * players)

    def numbers(key: str) -> list[int]:
        texts = given.get(key, zeros).split(",")
        require(all(re.fullmatch("0|[1-9][0-9]?", number) for number in texts), f"{key}: numbers")
        require(len(texts) == players, f"{key}: one number a seat")
        return [int(number) for number in texts]

    def seat(number: str) -> int | None:
        require(number in ("-", *map(str, range(players))), f"no seat: {number!r}")
        return None if number == "-" else int(number)

    hands = [read_cards(hand) for hand in given["hands"].split(";")]
    piles = [read_cards(pile)[0] for pile in given["piles"].split(";")]
    stock, stock_unnamed = read_cards(given.get("stock", "-"))
    require(all(len(pile) == 1 for pile in piles), "one card is on top of a pile")
    position = Position(
        players,
        seat(given.get("view", "-")),
        seat(given["turn"]),
        [cards for cards, _ in hands],
        [unnamed for _, unnamed in hands],
        [cards[0] for cards in piles],
        [seat(number) for number in given.get("laid", ";".join("-" * len(piles))).split(";")],
        stock,
        stock_unnamed,
        read_cards(given.get("gone", "-"))[0],
        int(given.get("skips", "0")),
        numbers("revolved"),
        numbers("points"),
        numbers("given"),
    )
    check(position, options, pairs)
    return position


def check(position: Position, options: Options, pairs: list[Card]) -> None:
    seats = range(position.players)
    require(len(position.hands) == position.players, "one hand a seat")
    require(len(position.piles) == len(position.laid) == options.piles, "as many piles as the option says")
    named = [pair_of(card) for card in all_named(position)]
    require(len(set(named)) == len(named), "a card is there twice")
    require(set(named) <= set(pairs), "a card that is not of the deck")
    unnamed = sum(position.unnamed) + position.stock_unnamed
    require(len(named) + unnamed == len(pairs), "cards are missing or too many")
    require(all(a < b for a, b in position.gone), "covered cards have the lower value first")
    if position.view is None:
        require(unnamed == 0, "a true state names every card")
    else:
        require(not position.stock, "a view does not see the stock")
        others = [seat for seat in seats if seat != position.view]
        require(all(not position.hands[seat] for seat in others), "a view sees no hand but its own")
        require(position.unnamed[position.view] <= 1, "a view sees its own hand but for the card just drawn")
    require(all(count(position, seat) <= full_hand(position.players) for seat in seats), "a hand that is too large")
    require(all(number <= options.revolves for number in position.revolved), "more revolves than are allowed")
    most = max(position.points)
    require(most < 4 or position.points.count(most) > 1, "the match is over")
    require(position.turn is None or count(position, position.turn) > 0, "who is to move has cards")
    check_end(position, options)


def check_end(position: Position, options: Options) -> None:
    empty = [seat for seat in range(position.players) if count(position, seat) == 0]
    blocked = position.skips == position.players - len(empty)
    require(position.skips <= position.players - len(empty), "more skips than seats")
    twos = [seat for seat, number in enumerate(position.given) if number == 2]
    ones = [seat for seat, number in enumerate(position.given) if number == 1]
    if not empty:
        wanted = fewest(position) if blocked and options.blocked == "fewest" else []
        require((twos, ones) == (wanted, []), "points that nobody earned")
        over = blocked
    elif options.one_point == "second_out":
        require(
            len(empty) <= 2 and len(twos) == 1 and sorted(twos + ones) == empty, "2 for the first, 1 for the second"
        )
        over = len(empty) == 2 or blocked or position.points[twos[0]] + 2 >= 4
    else:
        require(twos == empty and len(ones) <= 1, "2 points for the only empty hand")
        over = True
    require(over == (position.turn is None), "nobody is to move when the round is over, and only then")
    require(not over or blocked or position.skips == 0, "the round did not end by a skip")


def all_named(position: Position) -> list[Card]:
    return [card for hand in position.hands for card in hand] + position.piles + position.stock + position.gone


# --- the rules -------------------------------------------------------------------------------------


def full_hand(players: int) -> int:
    return 6 if players in (2, 3) else 5


def count(position: Position, seat: int) -> int:
    return len(position.hands[seat]) + position.unnamed[seat]


def deal(
    players: int, rng: random.Random, options: Options = DEFAULTS, points: list[int] | None = None,
    pairs: list[Card] = STANDARD,
) -> Position:  # fmt: skip
    """Shuffle all cards and their ways up; deal the hands, turn up the start cards, the rest is the stock."""
    cards = [rng.choice((pair, pair[::-1])) for pair in pairs]
    rng.shuffle(cards)
    size = full_hand(players)
    hands = [[cards.pop() for _ in range(size)] for _ in range(players)]
    piles = [cards.pop() for _ in range(options.piles)]
    zeros = [0] * players
    laid: list[int | None] = [None] * options.piles
    return Position(
        players, None, 0, hands, zeros[:], piles, laid, cards, 0, [], 0, zeros[:], list(points or zeros), zeros[:]
    )  # fmt: skip


def fits(card: Card, visible: int, options: Options) -> bool:
    """The same number, or one more, or one less: of either end, or of the end that is up."""
    ends = card if options.match == "either" else card[:1]
    return any(end in (visible - 1, visible, visible + 1) for end in ends)


def legal(position: Position, options: Options = DEFAULTS) -> list[str]:
    """The texts of all legal moves, sorted; of a true state, or of a view whose seat is to move."""
    if position.turn is None:
        return []
    require(position.view in (None, position.turn), "only the mover can tell which moves are legal")
    require(position.unnamed[position.turn] == 0, "the card just drawn is still to be named")
    moves = []
    for card in position.hands[position.turn]:
        for number, pile in enumerate(position.piles):
            if fits(card, pile[0], options):
                where = f"@{number}" if options.piles == 2 else ""
                moves += [f"play:{card[0]}/{card[1]}>{end}{where}" for end in card]
    if position.revolved[position.turn] < options.revolves:
        moves.append("revolve")
    return sorted(moves or ["skip"])


def play(position: Position, move: str, options: Options = DEFAULTS, stock: str = "") -> Position:
    """A new position, one turn later; `stock`: the cards of a reshuffle in drawing order, as the record has them."""
    require(move in legal(position, options), f"illegal move {move!r}")
    after = deepcopy(position)
    seat = position.turn
    assert seat is not None
    if move == "skip":
        after.skips += 1
        still_in = [seat for seat in range(after.players) if count(after, seat) > 0]
        if after.skips == len(still_in):
            # Blocked: if the 2 points are still to be given, the fewest cards get them.
            if len(still_in) == after.players and options.blocked == "fewest":
                for winner in fewest(after):
                    after.given[winner] = 2
            after.turn = None
            return after
    elif move == "revolve":
        after.skips = 0
        after.revolved[seat] += 1
        after.hands[seat] = [(b, a) for a, b in after.hands[seat]]
    else:
        after.skips = 0
        match = re.fullmatch(r"play:(\d+)/(\d+)>(\d+)(?:@(\d))?", move)
        assert match is not None
        card = (int(match[1]), int(match[2]))
        number = int(match[4] or 0)
        feeder = after.laid[number]
        after.hands[seat].remove(card)
        after.gone.append(pair_of(after.piles[number]))
        after.piles[number] = card if card[0] == int(match[3]) else card[::-1]
        after.laid[number] = seat
        draw(after, seat, options, stock)
        if count(after, seat) == 0 and hand_is_empty(after, seat, feeder, options):
            after.turn = None
            return after
    after.turn = next_seat(after, seat)
    return after


def draw(position: Position, seat: int, options: Options, reshuffled: str) -> None:
    """Draw one card if the hand has fewer than at the start; from a new stock if that is the option."""
    if count(position, seat) >= full_hand(position.players):
        return
    if not position.stock and not position.stock_unnamed and options.reshuffle == "always" and position.gone:
        cards, _ = read_cards(reshuffled or "-")
        require(sorted(map(pair_of, cards)) == sorted(position.gone), "the covered cards become the stock")
        position.stock, position.gone = cards, []
    if position.stock:
        position.hands[seat].append(position.stock.pop(0))
    elif position.stock_unnamed:
        position.stock_unnamed -= 1
        position.unnamed[seat] += 1


def hand_is_empty(position: Position, seat: int, feeder: int | None, options: Options) -> bool:
    """Give the points for an empty hand; whether the round ends."""
    if options.one_point == "feeder":
        position.given[seat] = 2
        if feeder is not None and feeder != seat:
            position.given[feeder] = 1
        return True
    if 2 in position.given:
        position.given[seat] = 1
        return True
    position.given[seat] = 2
    return position.points[seat] + 2 >= 4  # the match is over at once


def fewest(position: Position) -> list[int]:
    """The one seat with the fewest cards; nobody if it is a tie."""
    counts = [count(position, seat) for seat in range(position.players)]
    return [counts.index(min(counts))] if counts.count(min(counts)) == 1 else []


def next_seat(position: Position, seat: int) -> int:
    while True:
        seat = (seat + 1) % position.players
        if count(position, seat) > 0:
            return seat


def result(position: Position) -> list[int]:
    return position.given


def payoffs(position: Position) -> list[float]:
    """Points given; the rest of the 3 is shared by the seats without."""
    without = position.given.count(0)
    share = (3 - sum(position.given)) / without if without else 0
    return [float(points) or share for points in position.given]


def ranks(position: Position) -> list[int]:
    return [{2: 1, 1: 2, 0: 0}[points] for points in position.given]


def end(position: Position) -> str:
    """`out` or `blocked`; empty while the round goes on."""
    if position.turn is not None:
        return ""
    return "blocked" if position.skips else "out"


# --- seeing and counting ---------------------------------------------------------------------------


def observe(position: Position, seat: int) -> Position:
    """What a seat may know: neither the other hands, nor the stock."""
    require(position.view in (None, seat), "a view cannot be seen by another seat")
    view = deepcopy(position)
    view.view = seat
    view.stock, view.stock_unnamed = [], position.stock_unnamed + len(position.stock)
    for other in range(view.players):
        if other != seat:
            view.hands[other], view.unnamed[other] = [], count(position, other)
    return view


def worlds(view: Position, pairs: list[Card] = STANDARD) -> Iterator[Position]:
    """Every true state that agrees with the view, each once: hands and their ways up, the order of the stock."""
    named = {pair_of(card) for card in all_named(view)}
    rest = [pair for pair in pairs if pair not in named]

    def fill(world: Position, seat: int, left: list[Card]) -> Iterator[Position]:
        if seat == world.players:
            for order in permutations(left):
                for cards in product(*[(card, card[::-1]) for card in order]):
                    full = deepcopy(world)
                    full.view, full.stock, full.stock_unnamed = None, list(cards), 0
                    yield full
            return
        for drawn in combinations(left, world.unnamed[seat]):
            for cards in product(*[(card, card[::-1]) for card in drawn]):
                filled = deepcopy(world)
                filled.hands[seat] += cards
                filled.unnamed[seat] = 0
                yield from fill(filled, seat + 1, [card for card in left if card not in drawn])

    yield from fill(view, 0, rest)


def perft(position: Position, depth: int, options: Options = DEFAULTS) -> int:
    """The number of move sequences of exactly that many turns; ends of the match by points are ignored."""
    if depth == 0:
        return 1
    endless = deepcopy(position)
    endless.points = [0] * position.players
    return sum(perft(play(endless, move, options), depth - 1, options) for move in legal(endless, options))


def run(
    position: Position, choose: Callable[[Position], str], repetition: int = 3, max_turns: int = 1000,
    options: Options = DEFAULTS,
) -> tuple[list[str], str]:  # fmt: skip
    """Play a round out; the moves and why it ended: `out`, `blocked`, `repetition` or `max_turns`."""
    moves: list[str] = []
    seen: Counter[str] = Counter()
    while position.turn is not None:
        if len(moves) == max_turns:
            return moves, "max_turns"
        seen[str(position)] += 1
        if repetition and seen[str(position)] == repetition:
            return moves, "repetition"
        moves.append(choose(position))
        position = play(position, moves[-1], options)
    return moves, end(position)
