"""The features of dnup once more, slow and literal, from a position: what the core's bit operations must agree with.

All that has to do with the order of play is found by going through the turns to come one by one, and what a hand needs
by trying everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, count

from cython_core.dnup import DnupState

Card = tuple[int, int]  # active, inactive


def features(state: DnupState) -> tuple[dict[str, float], ...]:
    """By seat and name; empty for a seat that is out."""
    table = Table(state)
    return tuple({} if seat in table.out else table.seat(seat) for seat in range(table.players))


def cover(cards: Sequence[Card]) -> int:
    """The fewest values, active or inactive, of which every card has one: every choice of active ones is tried."""
    return min(len(chosen) + len({inactive for active, inactive in cards if active not in chosen})
               for chosen in subsets({active for active, _ in cards}))  # fmt: skip


def plays(cards: Sequence[Card]) -> int:
    """The fewest turns that empty a hand if nobody interferes: some sets, a flip, and the rest, or no flip at all."""
    best = []
    for chosen in subsets({active for active, _ in cards}):
        rest = {inactive for active, inactive in cards if active not in chosen}
        best.append(len(chosen) + (1 + len(rest) if rest else 0))
    return min(best)


def subsets(values: set[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(values, size) for size in range(len(values) + 1))


def groups(cards: Sequence[Card]) -> Counter[int]:
    return Counter(active for active, _ in cards)


def turned(cards: Sequence[Card]) -> list[Card]:
    return [(inactive, active) for active, inactive in cards]


class Table:
    """A position, and what is to be known of it before one looks at a seat."""

    def __init__(self, state: DnupState) -> None:
        position = state.position()
        self.players, self.turn, self.out = position.players, position.turn, position.out
        self.frozen = state.rules.out_sets == "frozen"
        self.star = state.rules.star
        self.top = max(high for _, high in state.rules.cards)
        self.hands = [[(card.active, card.inactive) for card in hand.cards] for hand in position.hands]
        self.known = [sum(card.mark != "" for card in hand.cards) for hand in position.hands]
        self.sets = [list(cards) for cards in position.table]
        self.zones = len(self.sets)
        assert position.turn is not None
        assert position.zone is not None
        self.zone = 2 * position.turn + position.zone - 1 if self.players == 2 else position.turn
        self.still = [seat for seat in range(self.players) if seat not in self.out]
        self.clocks = {seat: self.clock(seat, plays(self.hands[seat])) for seat in self.still}

    def owner(self, zone: int) -> int:
        return zone // 2 if self.players == 2 else zone

    def order(self) -> Iterator[tuple[int, bool]]:
        """The zones as their turns come, from now on; and whether it is a turn, or only the set of who is out goes."""
        for step in count():
            zone = (self.zone + step) % self.zones
            yield zone, self.owner(zone) not in self.out

    def clock(self, seat: int, number: int) -> int:
        """How many turns there are before this seat has its turn of that number."""
        passed = 0
        for zone, is_turn in self.order():
            if is_turn and self.owner(zone) == seat:
                number -= 1
                if number == 0:
                    return passed
            passed += is_turn
        raise AssertionError

    def lying(self, seat: int) -> list[int]:
        """The zones of the sets that are there when the seat has discarded at its next turn."""
        sets = {zone for zone in range(self.zones) if self.sets[zone]}
        for zone, is_turn in self.order():
            sets.discard(zone)
            if is_turn and self.owner(zone) == seat:
                return sorted(sets)
        raise AssertionError

    def threats(self, seat: int) -> list[int]:
        """The zones of others' sets, of seats still in, that the seat beats by a play if they are still there."""
        held = groups(self.hands[seat])
        return [
            zone
            for zone in self.lying(seat)
            if self.owner(zone) in self.still
            and self.owner(zone) != seat
            and any(number >= len(self.sets[zone]) and value > self.sets[zone][0][0] for value, number in held.items())
        ]

    def risk(self, size: int, value: int) -> int:
        """As in the greedy heuristic: chance, in thousandths, that such a set is beaten."""
        return {1: 800, 2: 500, 3: 250}.get(size, 80) * (self.top - value) // self.top

    def seat(self, seat: int) -> dict[str, float]:
        hand = self.hands[seat]
        up, down = groups(hand), groups(turned(hand))
        cycle = 4 if self.players == 2 else len(self.still)
        clock = self.clocks[seat]
        ahead = min(self.clocks[other] for other in self.still if other != seat) - clock
        weak, weak_flipped = (
            sum(self.risk(number, value) for value, number in side.items()) / 1000 for side in (up, down)
        )
        fewest = plays(hand)
        to_move = seat == self.turn
        lying = self.lying(seat)
        blocked = [
            value
            for value, number in up.items()
            if any(
                len(self.sets[zone]) == number and (self.owner(zone) == seat or self.sets[zone][0][0] >= value)
                for zone in lying
            )
        ]
        adds = [zone for zone in lying if self.may_add(seat, zone, lying)]
        goes = (len(up) == 1 and not blocked) or (len(hand) == 1 and len(adds) > 0)
        own = [zone for zone in range(self.zones) if self.owner(zone) == seat and self.sets[zone]]
        threatened = {zone for other in self.still for zone in self.threats(other)}
        back = [zone for zone in own if zone in threatened]
        coming = [card for zone in back for card in turned(self.sets[zone])]
        value = sum(self.sets[zone][0][0] for zone in own) / self.top

        def low(side: Counter[int], sizes: range) -> float:
            return sum(self.top - value for value, number in side.items() if number in sizes) / self.top

        return {
            "plays": fewest,
            "plays_1": fewest == 1,
            "active": len(up),
            "inactive": len(down),
            "cover": cover(hand),
            "clock": clock / cycle,
            "lead": max(-2, min(2, ahead / cycle)),
            "share": (clock + 1) / sum(other + 1 for other in self.clocks.values()),
            "to_move": to_move,
            "hand": len(hand),
            "largest": max(up.values()),
            "second_flipped": ([*sorted(down.values(), reverse=True), 0])[1],
            "singles": sum(number == 1 for number in up.values()),
            "singles_flipped": sum(number == 1 for number in down.values()),
            "low_1": low(up, range(1, 2)),
            "low_2": low(up, range(2, 3)),
            "low_3": low(up, range(3, 99)),
            "low_1_flipped": low(down, range(1, 2)),
            "low_2_flipped": low(down, range(2, 3)),
            "low_3_flipped": low(down, range(3, 99)),
            "weak": weak,
            "weak_squared": weak**2,
            "cost": min(len(up) + 0.3 * weak, len(down) + 0.3 * weak_flipped + 1),
            "blocked": len(blocked),
            "out_next": goes,
            "out_now": goes and to_move,
            "out_safe": goes and not back,
            "out_weak": weak if goes else 0,
            "out_value": value if goes else 0,
            "set_value": value,
            "beatable": len(back),
            "back_plays": plays(hand + coming) - fewest,
            "threats": len(self.threats(seat)),
            "known": self.known[seat],
            "star": self.star in {(min(card), max(card)) for card in hand},
            "late_plays": fewest if self.out else 0,
            "1_now": to_move and fewest == 1,
            "2_blocked": len(blocked) if fewest == 2 else 0,
            "2_threats": len(self.threats(seat)) if fewest == 2 else 0,
            "2_adds": len(adds) if fewest == 2 else 0,
        }

    def may_add(self, seat: int, zone: int, lying: list[int]) -> bool:
        """Whether the seat can add a card to the set in this zone, if it is still there."""
        value, size = self.sets[zone][0][0], len(self.sets[zone])
        if self.owner(zone) == seat or (self.frozen and self.owner(zone) in self.out):
            return False
        if value not in groups(self.hands[seat]):
            return False
        return not any(len(self.sets[other]) == size + 1 and self.sets[other][0][0] >= value for other in lying)
