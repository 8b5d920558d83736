"""Statistics of a tournament, gathered game by game: tokens with intervals, places, ends, faults."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.config import Tournament
from tournaments.duels import Duel, DuelTally
from tournaments.match import Fault
from tournaments.statistics import Interval, t_interval
from tournaments.table import Played


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did.

    mean: tokens a round (tokens not given are split among the seats still in), or share of the matches
    won; None if it has played nothing. interval: its 95% interval over deals, None with fewer than two.
    first, second: shares of its rounds. games: seats that it held in games that count; a game that a
    fault ended counts for its offender only, with 0. faults: games that it ended by one.
    """

    bot: str
    mean: float | None
    interval: Interval | None
    first: float
    second: float
    games: int
    faults: int


@dataclass(frozen=True, slots=True)
class Summary:
    """How a tournament went.

    standings: best first; deals: how many were played in full; partial_games: games of a deal that was
    not, which are left out of the standings unless no deal was played in full; games, rounds: all that
    were played; turns: mean turns a round; ends: how the rounds ended; undecided: matches that nobody
    won, faults included; duels: one bot against the rest, if the line-ups are of that kind; first_fault: bot and fault
    of the first.
    """

    unit: str
    standings: tuple[Standing, ...]
    deals: int
    partial_games: int
    games: int
    rounds: int
    turns: float
    ends: dict[str, int]
    undecided: int
    duels: tuple[Duel, ...]
    first_fault: tuple[str, Fault] | None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        data = asdict(self)
        if self.first_fault is not None:
            bot, fault = self.first_fault
            data["first_fault"] = {"bot": bot, **fault._asdict()}
        return data


class _Score:
    """Sums of one bot over some games."""

    def __init__(self) -> None:
        self.points = 0.0
        self.games = 0
        self.rounds = 0
        self.places = [0, 0]

    def add(self, other: _Score) -> None:
        self.points += other.points
        self.games += other.games
        self.rounds += other.rounds
        self.places = [mine + more for mine, more in zip(self.places, other.places, strict=True)]


class Tally:
    """Adds games up as they are played, in the order of the schedule; needs little memory for many."""

    def __init__(self, tournament: Tournament) -> None:
        self._unit = tournament.unit
        self._names = tournament.names()
        self._games_of_deal = len(tournament.seatings)
        self._total = [_Score() for _ in self._names]
        # Per bot the mean of its points in each whole deal; and the games of the deal under way.
        self._means: list[list[float]] = [[] for _ in self._names]
        self._deal = [_Score() for _ in self._names]
        self._faults = [0] * len(self._names)
        self._games = self._rounds = self._turns = self._undecided = 0
        self._ends: Counter[str] = Counter()
        self._first_fault: tuple[str, Fault] | None = None
        self._duels = DuelTally(self._names, tournament.players) if tournament.lineup == "one-vs-rest" else None

    def add(self, played: Played) -> None:
        """Count a game."""
        for outcome in played.rounds:
            self._rounds += 1
            self._turns += outcome.turns
            self._ends[outcome.end] += 1
        self._undecided += self._unit == "match" and played.winner is None
        self._add_points(played)
        if self._duels is not None:
            self._duels.add(played)
        self._games += 1
        if self._games % self._games_of_deal == 0:
            self._close_deal()

    def summary(self) -> Summary:
        """Return what the games so far come to."""
        deals, partial = divmod(self._games, self._games_of_deal)
        scores, means = (self._total, self._means) if deals else (self._deal, [_mean_of(s) for s in self._deal])
        standings = [
            _standing(name, score, mean, faults)
            for name, score, mean, faults in zip(self._names, scores, means, self._faults, strict=True)
        ]
        standings.sort(key=lambda standing: -math.inf if standing.mean is None else standing.mean, reverse=True)
        return Summary(
            unit=self._unit,
            standings=tuple(standings),
            deals=deals,
            partial_games=partial,
            games=self._games,
            rounds=self._rounds,
            turns=self._turns / max(self._rounds, 1),
            ends=dict(sorted(self._ends.items())),
            undecided=self._undecided,
            duels=self._duels.duels() if self._duels is not None else (),
            first_fault=self._first_fault,
        )

    def _add_points(self, played: Played) -> None:
        fault = played.rounds[-1].fault
        if fault is not None:
            bot = played.game.seating[fault.seat]
            self._faults[bot] += 1
            self._first_fault = self._first_fault or (self._names[bot], fault)
            self._deal[bot].games += 1
            return
        for seat, bot in enumerate(played.game.seating):
            score = self._deal[bot]
            score.games += 1
            score.points += played.winner == seat if self._unit == "match" else played.rounds[0].payoffs[seat]
            for outcome in played.rounds:
                score.rounds += 1
                if outcome.ranks[seat] in (1, 2):
                    score.places[outcome.ranks[seat] - 1] += 1

    def _close_deal(self) -> None:
        for total, means, score in zip(self._total, self._means, self._deal, strict=True):
            total.add(score)
            means += _mean_of(score)
        self._deal = [_Score() for _ in self._names]
        if self._duels is not None:
            self._duels.close_deal()


def _mean_of(score: _Score) -> list[float]:
    return [score.points / score.games] if score.games else []


def _standing(name: str, score: _Score, means: Sequence[float], faults: int) -> Standing:
    rounds = max(score.rounds, 1)
    return Standing(
        bot=name,
        mean=math.fsum(means) / len(means) if means else None,
        interval=t_interval(means),
        first=score.places[0] / rounds,
        second=score.places[1] / rounds,
        games=score.games,
        faults=faults,
    )
