"""Who plays whom, from which seat, on which deal: pure functions from settings to the games in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from typing import NamedTuple

from dnup_ai.errors import ConfigError

Seating = tuple[int, ...]
"""Per seat: the index of the bot that sits there."""

LINEUPS = ("all", "one-vs-rest")
MAX_LINEUPS = 100_000


class Game(NamedTuple):
    """One game to play.

    number: its place in the schedule; deal: index of the deal of cards; game: index among the games of
    that deal; seating: per seat, the index of its bot.
    """

    number: int
    deal: int
    game: int
    seating: Seating


def lineups(kind: str, bots: int, players: int) -> list[Seating]:
    """Return the line-ups, each as one seating; its rotations are `rotations`.

    kind `all`: every choice of different bots if there are enough for the seats, else every way to fill
    the seats in which each bot sits at least once. kind `one-vs-rest`: for each ordered pair (A, B), one
    A against B on all other seats. Raises ConfigError for another kind, too few bots, or more than
    `MAX_LINEUPS` line-ups.
    """
    if bots < 1:
        raise ConfigError("expected at least one bot")
    if kind == "all":
        if comb(bots, players) > MAX_LINEUPS:
            raise ConfigError(
                f"{bots} bots at {players} seats are {comb(bots, players)} line-ups; name fewer: at most "
                f"{MAX_LINEUPS} line-ups are played"
            )
        if bots >= players:
            return list(combinations(range(bots), players))
        return [seats for seats in combinations_with_replacement(range(bots), players) if len(set(seats)) == bots]
    if kind == "one-vs-rest":
        if bots < 2:
            raise ConfigError("line-up 'one-vs-rest': expected at least two bots, got one")
        return [(one,) + (rest,) * (players - 1) for one, rest in permutations(range(bots), 2)]
    raise ConfigError(f"line-up: expected {' or '.join(map(repr, LINEUPS))}, got {kind!r}")


def rotations(lineup: Seating) -> list[Seating]:
    """Return the different rotations of a line-up: in them each of its bots holds each hand equally often.

    A line-up that repeats, as A B A B, has fewer than it has seats.
    """
    return list(dict.fromkeys(lineup[shift:] + lineup[:shift] for shift in range(len(lineup))))


def seatings(kind: str, bots: int, players: int) -> tuple[Seating, ...]:
    """Return the seatings that are played on every deal, in order, none of them twice.

    (One against the rest is at two seats the same game from both sides.) Raises ConfigError as `lineups`
    does.
    """
    return tuple(dict.fromkeys(turned for lineup in lineups(kind, bots, players) for turned in rotations(lineup)))


def schedule(numbers: Iterable[int], seatings: tuple[Seating, ...]) -> Iterator[Game]:
    """Return the games with these numbers: deal by deal, each deal is played once with each seating.

    numbers: places in the schedule, from 0; `range(deals * len(seatings))` is all of it.
    """
    for number in numbers:
        deal, game = divmod(number, len(seatings))
        yield Game(number, deal, game, seatings[game])
