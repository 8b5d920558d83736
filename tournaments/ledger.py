"""Gathers games as they come, in any order, and turns them into arrays in the order of the schedule."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from tournaments.config import Tournament
from tournaments.match import Fault
from tournaments.results import Results
from tournaments.sprt_prefix import DealPrefix
from tournaments.table import Played


class FaultOf(NamedTuple):
    """A fault: the game, the index of the bot that did it, None if no bot did, and what it was."""

    game: int
    bot: int | None
    fault: Fault


@dataclass(slots=True)
class Effort:
    """What a bot spent: moves that it chose, seconds that it took for them, iterations of its search."""

    moves: int = 0
    seconds: float = 0.0
    iterations: int = 0


class Ledger:
    """The games of a tournament so far; needs about 50 bytes for each."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.ends: Counter[str] = Counter()
        self.turns = array("l")  # of each round, in the order of coming
        self.undecided = 0  # rounds, or matches, that nobody won
        self.faults: list[FaultOf] = []
        self.effort = [Effort() for _ in tournament.bots]
        self.test = None if tournament.sprt is None else DealPrefix(tournament)
        self._numbers = array("q")
        self._deals = array("q")
        self._bots = array("b" if len(tournament.bots) < 128 else "l")
        self._points = array("d")
        self._counts = array("b")
        self._ranks = array("b")
        self._clean = array("b")
        self._games_of_deal: Counter[int] = Counter()

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self._numbers)

    def add(self, games: Sequence[Played], run: int = 0) -> None:
        """Take games in; run: tells games of runs with other seeds, and so other deals, from each other."""
        for played in games:
            self._add(played, run)
        if self.test is not None and run == 0:
            self.test.add(games)

    @property
    def decided(self) -> bool:
        """Whether a sequential test has ended the tournament."""
        return self.test is not None and self.test.end is not None

    def whole_deals(self) -> int:
        """Return how many deals have all their games."""
        return sum(games == self.tournament.schedule.games_per_deal for games in self._games_of_deal.values())

    def results(self) -> tuple[Results, int]:
        """Return the games of whole deals, and how many others are left out; without a whole deal: all games.

        Of a sequential test that has ended, only the deals up to its end: how many more were played is chance.
        """
        seats = self.tournament.players
        numbers, deals = np.array(self._numbers), np.array(self._deals)
        order = np.argsort(numbers, kind="stable")
        whole = {
            deal for deal, games in self._games_of_deal.items() if games == self.tournament.schedule.games_per_deal
        }
        if whole and len(whole) < len(self._games_of_deal):
            partial = np.array([deal for deal in self._games_of_deal if deal not in whole])
            order = order[~np.isin(deals[order], partial)]
        if self.test is not None and self.test.end is not None:
            order = order[deals[order] < self.test.end]
        columns = (self._bots, self._points, self._counts, self._ranks)
        bots, points, counts, ranks = (np.array(column).reshape(-1, seats)[order] for column in columns)
        results = Results(
            deal=deals[order],
            bots=bots.astype(np.int64),
            points=points,
            counts=counts.astype(bool),
            ranks=ranks.astype(np.int64),
            clean=np.array(self._clean)[order].astype(bool),
        )
        return results, len(numbers) - len(order)

    def _add(self, played: Played, run: int) -> None:
        rows, fault = played
        last = rows[-1]
        seating = _numbers(last.seating)
        for row in rows:
            self.ends[row.end] += 1
            self.turns.append(row.turns)
            for bot, moves, seconds, iterations in zip(
                seating, _numbers(row.asked), _amounts(row.seconds), _amounts(row.iterations), strict=True
            ):
                effort = self.effort[bot]
                effort.moves += moves
                effort.seconds += seconds
                effort.iterations += int(iterations)
        points: tuple[float, ...]
        if self.tournament.unit == "match":
            ranks = tuple(int(seat == last.winner) for seat in range(len(seating)))
            points = tuple(map(float, ranks))
        else:
            ranks, points = _numbers(last.ranks), _floats(last.points)
        counts: tuple[bool, ...] = (True,) * len(seating)
        if fault is not None:
            self.faults.append(FaultOf(last.game, seating[fault.seat] if fault.seat >= 0 else None, fault))
            forfeits = self.tournament.on_fault != "void"
            counts = tuple(forfeits and seat == fault.seat for seat in range(len(seating)))
            points = ranks = (0,) * len(seating)
        elif 1 not in ranks:
            self.undecided += 1
        self._numbers.append(run << 48 | last.game)
        deal = run << 32 | last.deal
        self._deals.append(deal)
        self._games_of_deal[deal] += 1
        self._bots.extend(seating)
        self._points.extend(points)
        self._counts.extend(counts)
        self._ranks.extend(ranks)
        self._clean.append(fault is None)


@cache
def _numbers(text: str) -> tuple[int, ...]:
    """Whole numbers by seat: few different texts, many times."""
    return tuple(map(int, text.split(",")))


@cache
def _floats(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


def _amounts(text: str) -> tuple[float, ...]:
    """As `_floats`, of texts that do not come again."""
    return tuple(map(float, text.split(",")))
