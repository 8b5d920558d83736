"""Who plays whom, from which seat, on which deal: pure functions from settings to the games in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, lcm
from typing import NamedTuple

from cython_core.rng import Rng
from dnup_ai.errors import ConfigError

Seating = tuple[int, ...]
"""Per seat: the index of the bot that sits there."""

FORMATS = ("round-robin", "gauntlet", "head-to-head")
LINEUPS = ("alternating", "one-vs-rest")
SCHEDULE_DEAL = 2**32 - 1
"""The `deal` of the random stream that draws line-ups; no deal of cards has this index."""


class Game(NamedTuple):
    """One game to play.

    number: its place in the schedule, by which it is known in a run; deal: index of the deal of cards; game: index
    among the games of that deal; seating: per seat, the index of its bot.
    """

    number: int
    deal: int
    game: int
    seating: Seating


class Schedule:
    """All games, deal after deal: on each deal every line-up plays, in seatings that give each of its bots each hand
    equally often; from deal to deal the order round the table changes, so that over a cycle neighbours are balanced.
    """

    def __init__(self, lineups: Iterable[tuple[tuple[Seating, ...], ...]]) -> None:
        """lineups: for each line-up, for each of its orders, the seatings of a deal, equally many for all orders."""
        self.lineups = tuple(lineups)
        self._phases: dict[int, tuple[Seating, ...]] = {}

    @cached_property
    def cycle(self) -> int:
        """After so many deals the seatings repeat."""
        return lcm(*(len(orders) for orders in self.lineups))

    @cached_property
    def games_per_deal(self) -> int:
        """How many games are played on each deal."""
        return sum(len(orders[0]) for orders in self.lineups)

    def seatings(self, deal: int) -> tuple[Seating, ...]:
        """Return the seatings of a deal, in order, none of them twice."""
        phase = deal % self.cycle
        if phase not in self._phases:
            self._phases[phase] = tuple(seating for orders in self.lineups for seating in orders[phase % len(orders)])
        return self._phases[phase]

    def games(self, numbers: Iterable[int]) -> Iterator[Game]:
        """Return the games with these numbers: places in the schedule, from 0."""
        for number in numbers:
            deal, game = divmod(number, self.games_per_deal)
            yield Game(number, deal, game, self.seatings(deal)[game])


def make_schedule(
    form: str, lineup: str, bots: int, players: int, challengers: int = 1, max_lineups: int = 1000, seed: int = 0
) -> Schedule:
    """Return the schedule of a format.

    form: one of `FORMATS`. `round-robin`: every choice of different bots if there are enough for the seats, else every
    way to fill the seats in which each bot sits. `gauntlet`: one of the first `challengers` bots at a table with such
    choices of the others. `head-to-head`: every two bots, filling the seats as `lineup` says: `alternating`, or
    `one-vs-rest`; each deal is played so and with the two exchanged, the pattern moving round the table from deal to
    deal. max_lineups: of more a balanced random choice of so many plays, drawn by `seed`.
    Raises ConfigError for another format or line-up, and for too few bots.
    """
    if bots < 1:
        raise ConfigError("bots: expected at least one")
    if max_lineups < 1:
        raise ConfigError(f"max_lineups: expected 1 or more, got {max_lineups}")
    if form == "head-to-head":
        if bots < 2:
            raise ConfigError("format 'head-to-head': expected at least two bots, got one")
        return Schedule(_pair_orders(lineup, pair, players) for pair in combinations(range(bots), 2))
    if form == "gauntlet":
        if bots < 2:
            raise ConfigError("format 'gauntlet': expected at least two bots, got one")
        if not 1 <= challengers < bots:
            raise ConfigError(
                f"challengers: expected 1 to {bots - 1}, so that {bots} bots leave some to meet, got {challengers}"
            )
        rest = _lineups(bots - challengers, players - 1, max_lineups, seed)
        chosen = [
            (challenger, *(challengers + bot for bot in others)) for others in rest for challenger in range(challengers)
        ]
    elif form == "round-robin":
        chosen = _lineups(bots, players, max_lineups, seed)
    else:
        raise ConfigError(f"format: expected {', '.join(map(repr, FORMATS))}, got {form!r}")
    return Schedule(tuple(map(rotations, orders(lineup_))) for lineup_ in chosen)


def _lineups(bots: int, seats: int, most: int, seed: int) -> list[Seating]:
    """The ways to fill seats, or so many of them: by different bots, or if there are too few by each at least once."""
    if bots < seats:
        return [filled for filled in combinations_with_replacement(range(bots), seats) if len(set(filled)) == bots]
    return balanced_lineups(bots, seats, most, seed) or list(combinations(range(bots), seats))


def balanced_lineups(bots: int, players: int, most: int, seed: int) -> list[Seating]:
    """Return `most` different line-ups, drawn by the seed, if there are more than that; else none.

    Every bot is in equally many of them but for one (two if that cannot be), and pairs meet about equally often.
    """
    if bots < players or comb(bots, players) <= most:
        return []
    rng = Rng(seed, SCHEDULE_DEAL, 0, 0)
    found: dict[Seating, None] = {}
    games: Counter[int] = Counter()
    meetings: Counter[tuple[int, int]] = Counter()
    attempts = 0
    while len(found) < most:
        lineup: list[int] = []
        # Where the fairest choice is taken already, chance is given more and more room.
        slack = attempts // 20
        while len(lineup) < players:
            free = [bot for bot in range(bots) if bot not in lineup]
            costs = {
                bot: (
                    games[bot] + (rng.below(slack + 1) if slack else 0),
                    sum(meetings[min(bot, other), max(bot, other)] for other in lineup),
                    rng.bits(),
                )
                for bot in free
            }
            lineup.append(min(free, key=costs.__getitem__))
        chosen = tuple(sorted(lineup))
        attempts += 1
        if chosen in found:
            continue
        attempts = 0
        found[chosen] = None
        games.update(chosen)
        meetings.update(combinations(chosen, 2))
    return list(found)


def rotations(seating: Seating) -> tuple[Seating, ...]:
    """Return the different rotations of a seating, a Latin square: in them each of its bots holds each hand equally
    often. One that repeats, as A B A B, has fewer than it has seats.
    """
    return tuple(dict.fromkeys(seating[shift:] + seating[:shift] for shift in range(len(seating))))


def orders(lineup: Seating) -> list[Seating]:
    """Return the orders of a line-up round the table through which deals go: in them, taken together, different bots
    follow each other equally often.

    At a prime number of seats those are the steps 1, 2, ... through the line-up; else all of them. Where bots sit
    twice, orders that are rotations of others, or have fewer rotations than others, are left out.
    """
    seats = len(lineup)
    if seats > 1 and all(seats % factor for factor in range(2, seats)):
        places: Iterable[tuple[int, ...]] = (
            tuple(step * place % seats for place in range(seats)) for step in range(1, seats)
        )
    else:
        places = ((0, *rest) for rest in permutations(range(1, seats)))
    seen: dict[Seating, Seating] = {}
    for order in places:
        seating = tuple(lineup[place] for place in order)
        seen.setdefault(min(rotations(seating)), seating)
    most = max(len(rotations(seating)) for seating in seen.values())
    return [seating for seating in seen.values() if len(rotations(seating)) == most]


def _pair_orders(lineup: str, pair: tuple[int, ...], players: int) -> tuple[tuple[Seating, ...], ...]:
    """The seatings of two bots by deal of the cycle: a pattern and its complement."""
    one, other = pair
    if lineup == "alternating":
        pattern = tuple(pair[seat % 2] for seat in range(players))
    elif lineup == "one-vs-rest":
        pattern = (one,) + (other,) * (players - 1)
    else:
        raise ConfigError(f"lineup: expected {' or '.join(map(repr, LINEUPS))}, got {lineup!r}")
    found: dict[frozenset[Seating], tuple[Seating, ...]] = {}
    for turned in _moved_round(pattern):
        complement = tuple(one + other - bot for bot in turned)
        found.setdefault(frozenset((turned, complement)), (turned, complement))
    return tuple(found.values())


def _moved_round(pattern: Seating) -> list[Seating]:
    """The pattern as it moves one seat on from deal to deal."""
    return [pattern[-shift:] + pattern[:-shift] if shift else pattern for shift in range(len(pattern))]
