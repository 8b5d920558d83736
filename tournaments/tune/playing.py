"""The evaluator on games: settings play the opponents on common deals, and every game is stored."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from cython_core.rng import Rng
from dnup_ai.errors import DnupError
from tournaments.config import Tournament
from tournaments.runner import Work, Workers, sigint_held
from tournaments.session import this_session
from tournaments.sprt_prefix import game_difference
from tournaments.store import Store
from tournaments.table import Played
from tournaments.tune.config import Study
from tournaments.tune.space import Setting

CANDIDATE = "0"
"""The index of the bot that is tuned, in the seatings of what it plays."""


class AtFaultError(DnupError):
    """A bot was at fault in a study that stops at faults."""


@dataclass(slots=True)
class Counts:
    """Games of a study so far: that were asked for, found in the store or played, and with a fault."""

    asked: int = 0
    found: int = 0
    played: int = 0
    faults: int = 0

    @property
    def done(self) -> int:
        """Return how many there are."""
        return self.found + self.played


class GameEvaluator:
    """Plays settings as `tune.study` asks for it; what the store has already is not played again.

    A deal's difference is that of points a seat, in the mean over opponents and table sizes.
    """

    def __init__(self, study: Study, store: Store, workers: Workers, show: Callable[[], None] = lambda: None) -> None:
        """store: open for playing; show: called now and then, when games were added to `counts`."""
        self.counts = Counts()
        self._study = study
        self._store = store
        self._workers = workers
        self._show = show
        self._tournaments: dict[Setting, list[tuple[Tournament, int]]] = {}
        self._totals: dict[int, float] = {}

    def __call__(self, settings: Sequence[Setting], deals: range) -> list[list[float]]:
        """Return for each setting its paired difference on each of the deals, NaN where the deal left.

        It leaves if a worker died of one of its games, or an opponent was at fault. Raises what `Workers.play` does,
        StoreError, KeyboardInterrupt, and AtFaultError; games finished before are stored.
        """
        parts = [part for setting in settings for part in self._parts(setting)]
        games: list[list[Played]] = []
        work: list[Work] = []
        for tournament, run in parts:
            numbers = _numbers(tournament, deals)
            have = list(self._store.games(run, numbers))
            games.append(have)
            self.counts.asked += len(numbers)
            self.counts.found += len(have)
            known = {played.rows[0].game for played in have}
            work.append((tournament, [number for number in numbers if number not in known] if known else numbers))
            self._look_for_faults(tournament, have)
        with closing(self._workers.play(work)) as finished:
            for index, played in finished:
                with sigint_held():
                    self._store.add(parts[index][1], played)
                    games[index] += played
                    self.counts.played += len(played)
                self._look_for_faults(parts[index][0], played)
                self._show()
        differences = [
            self._differences(tournament, deals, found) for (tournament, _), found in zip(parts, games, strict=True)
        ]
        each = len(parts) // max(len(settings), 1)
        return [
            [round(sum(values) / each, 12) for values in zip(*differences[place : place + each], strict=True)]
            for place in range(0, len(parts), each)
        ]

    def _parts(self, setting: Setting) -> list[tuple[Tournament, int]]:
        """The tournaments of a setting, and their runs in the store."""
        if setting not in self._tournaments:
            self._tournaments[setting] = [
                (tournament, self._store.begin(tournament, this_session(tournament)))
                for tournament in self._study.tournaments(setting)
            ]
        return self._tournaments[setting]

    def _look_for_faults(self, tournament: Tournament, games: Sequence[Played]) -> None:
        for played in games:
            if played.fault is None:
                continue
            self.counts.faults += 1
            if self._study.on_fault == "stop":
                row, fault = played.rows[-1], played.fault
                bot = tournament.bots[int(row.seating.split(",")[fault.seat])] if fault.seat >= 0 else "a worker"
                message = " ".join(fault.message.split())
                raise AtFaultError(
                    f"{bot} was at fault on deal {row.deal} at {tournament.players} players: {fault.kind}: {message}; "
                    "leave such a level out, or go on with --on-fault forfeit, which counts such a game as lost"
                )

    def _differences(self, tournament: Tournament, deals: range, games: Sequence[Played]) -> list[float]:
        by_deal = defaultdict(list)
        for played in sorted(games, key=lambda found: found.rows[0].game):
            by_deal[played.rows[0].deal].append(played)
        return [self._difference(tournament, by_deal[deal]) for deal in deals]

    def _difference(self, tournament: Tournament, games: Sequence[Played]) -> float:
        """The difference on a deal, in the mean of its games; a game that the candidate was at fault in is lost."""
        found = []
        for played in games:
            seating = played.rows[-1].seating.split(",")
            if played.fault is None:
                found.append(game_difference(played, tournament.unit))
            elif played.fault.seat >= 0 and seating[played.fault.seat] == CANDIDATE:
                found.append(-self._total(tournament) / (len(seating) - seating.count(CANDIDATE)))
            else:
                return math.nan
        return sum(found) / len(found)

    def _total(self, tournament: Tournament) -> float:
        """Points that a game gives, to all seats together."""
        if tournament.unit == "match":
            return 1.0
        if tournament.players not in self._totals:
            self._totals[tournament.players] = float(sum(tournament.rules().deal(Rng(tournament.seed)).payoffs()))
        return self._totals[tournament.players]


def _numbers(tournament: Tournament, deals: range) -> range:
    each = tournament.schedule.games_per_deal
    return range(deals.start * each, deals.stop * each)
