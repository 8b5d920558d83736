"""One bot against a table of another: the share of first places of the single seat, and what it is in Elo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.schedule import Seating
from tournaments.statistics import Interval, t_interval
from tournaments.table import Played


@dataclass(frozen=True, slots=True)
class Duel:
    """How a bot at one seat did against another at all the others.

    share: its first places a round, those of undecided rounds shared equally, mean over deals; interval: 95%, over
    deals, None with fewer than two; elo, elo_interval: the same as Elo, 0 for equal strength at any number of seats.
    Deals with a fault are left out.
    """

    one: str
    rest: str
    deals: int
    share: float
    interval: Interval | None
    elo: float
    elo_interval: Interval | None


def elo_of_share(share: float, players: int) -> float:
    """Return 400 log10(p (n - 1) / (1 - p)): Elo of a single seat with this share of first places among n seats.

    Infinite where the share is 0 or 1 (or, as the end of an interval, beyond).
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share * (players - 1) / (1 - share))


class DuelTally:
    """Adds up the games of line-ups of one against the rest, in the order of the schedule."""

    def __init__(self, names: Sequence[str], players: int) -> None:
        self._names = names
        self._players = players
        # Per pair of bots: the means of whole deals; and of the deal under way the shares, None once there is a fault.
        self._means: dict[tuple[int, int], list[float]] = {}
        self._deal: dict[tuple[int, int], list[float] | None] = {}

    def add(self, played: Played) -> None:
        """Count a game, if it is one of these."""
        pair = _pair_of(played.game.seating)
        if pair is None:
            return
        shares = self._deal.setdefault(pair, [])
        if played.rounds[-1].fault is not None:
            self._deal[pair] = None
        elif shares is not None:
            seat = played.game.seating.index(pair[0])
            shares += [_first_share(outcome.ranks, seat) for outcome in played.rounds]

    def close_deal(self) -> None:
        """Take over what was counted since the last deal: it is whole."""
        for pair, shares in self._deal.items():
            if shares:
                self._means.setdefault(pair, []).append(math.fsum(shares) / len(shares))
        self._deal = {}

    def duels(self) -> tuple[Duel, ...]:
        """Return all pairs of which a deal is whole, in the order of the line-ups."""
        return tuple(self._duel(*pair, means) for pair, means in self._means.items())

    def _duel(self, one: int, rest: int, means: list[float]) -> Duel:
        share = math.fsum(means) / len(means)
        interval = t_interval(means)
        ends = None if interval is None else (self._elo(interval[0]), self._elo(interval[1]))
        return Duel(self._names[one], self._names[rest], len(means), share, interval, self._elo(share), ends)

    def _elo(self, share: float) -> float:
        return elo_of_share(share, self._players)


def _pair_of(seating: Seating) -> tuple[int, int] | None:
    """The single bot and the one at all other seats; at two seats the earlier one of the tournament is the single."""
    bots = sorted(set(seating), key=lambda bot: (seating.count(bot), bot))
    return (bots[0], bots[1]) if len(bots) == 2 and seating.count(bots[0]) == 1 else None


def _first_share(ranks: Sequence[int], seat: int) -> float:
    return float(ranks[seat] == 1) if 1 in ranks else 1 / len(ranks)
