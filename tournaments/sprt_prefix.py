"""Follows a sequential test while games come in any order: it sees deals in their order, and whole ones only."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.config import Tournament
from tournaments.sprt import SprtResult
from tournaments.table import Played


class DealPrefix:
    """The differences between two bots on the deals 0, 1, 2, ... up to the first one that is not whole."""

    def __init__(self, tournament: Tournament) -> None:
        assert tournament.sprt is not None
        self._tournament = tournament
        self._sprt = tournament.sprt
        self._waiting: dict[int, list[Played]] = {}
        self._next = 0
        self._differences: list[float] = []
        self._deals: list[int] = []  # that the differences are of
        self.end: int | None = None  # the deals below this one ended the test

    def add(self, games: Iterable[Played]) -> bool:
        """Take games in; returns whether the test has ended: a hypothesis is accepted, or its most deals are there."""
        for played in games:
            self._waiting.setdefault(played.rows[0].deal, []).append(played)
        before = self._next
        while len(whole := self._waiting.get(self._next, ())) == self._tournament.schedule.games_per_deal:
            del self._waiting[self._next]
            self._next += 1
            # Deals with a fault leave the test, as they leave all statistics of pairs.
            if all(played.fault is None for played in whole):
                unit = self._tournament.unit
                self._differences.append(_rounded(sum(game_difference(played, unit) for played in whole) / len(whole)))
                self._deals.append(self._next - 1)
        # Also a deal that adds no difference may be the last one.
        if self._next > before and self.end is None:
            result = self.result()
            if result.verdict in ("H0", "H1") or result.deals == self._sprt.max_deals:
                self.end = self._deals[result.deals - 1] + 1
        return self.end is not None

    def result(self) -> SprtResult:
        """Return what the test says so far; inconclusive, if the last deal has not decided it."""
        return self._sprt.decide(self._differences, last=self._next >= self._tournament.deals)


def game_difference(played: Played, unit: str) -> float:
    """Return points of a seat of the first bot less those of a seat of the second, in the mean of their seats."""
    row = played.rows[-1]
    seating = row.seating.split(",")
    if unit == "match":
        points = [float(seat == row.winner) for seat in range(len(seating))]
    else:
        points = [float(text) for text in row.points.split(",")]
    means = [
        sum(point for point, sitting in zip(points, seating, strict=True) if sitting == bot) / seating.count(bot)
        for bot in "01"
    ]
    return means[0] - means[1]


def _rounded(difference: float) -> float:
    """Without the errors of sums, as in `ratings.paired_differences`: bots that play alike differ by 0."""
    return round(difference, 12) + 0.0
