"""The results of a tournament in one place: what the terminal, the reports and `--json` show, as plain data."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.ledger import Ledger
from tournaments.ratings import (
    Duel,
    PairedDifference,
    ahead_matrix,
    duels,
    fit_ratings,
    head_to_head,
    mean_points,
    variance_reduction,
)
from tournaments.results import Interval, Results, ratio_variance, t_interval
from tournaments.sprt import SprtResult

_FAULTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did.

    mean: points a round (those not given are split among the seats still in), or share of the matches won; None if it
    has played nothing; interval: over deals, None with fewer than two. elo, elo_interval: rating from the places alone,
    the mean of all bots 0. first, second: shares of its games. games: seats that it held in games that count; a game
    that a fault ended counts for its offender only, with 0. faults: games that it ended by one. moves: that it chose;
    ms_per_move, iterations_per_move: what they took, None without a move.
    """

    bot: str
    mean: float | None
    interval: Interval | None
    elo: float | None
    elo_interval: Interval | None
    first: float | None
    second: float | None
    games: int
    faults: int
    moves: int
    ms_per_move: float | None
    iterations_per_move: float | None


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat is worth, in Elo about the mean of all seats."""

    seat: int
    elo: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Pair:
    """How often a bot finished ahead of another: `ahead.Ahead` with names."""

    one: str
    other: str
    games: int
    observed: float
    interval: Interval | None
    expected: float
    excess: float
    excess_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Points a seat of one bot less those of another on the same deals: `ratings.PairedDifference` with names."""

    one: str
    other: str
    difference: float | None
    interval: Interval | None
    deals: int


@dataclass(frozen=True, slots=True)
class Single:
    """One seat of a bot against another at all the rest: `ratings.Duel` with names."""

    one: str
    rest: str
    deals: int
    games: int
    share: float
    interval: Interval | None
    elo: float
    elo_interval: Interval | None


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault: the game, its bot (None: the worker died and no bot is known to be at fault), and what it was."""

    game: int
    bot: str | None
    kind: str
    message: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Summary:
    """How a tournament went.

    settings: `Tournament.to_dict`; bots: names; standings: best first; deals: how many were played in full; left_out:
    games of a deal that was not, or beyond the end of a sequential test, which do not count (without a full deal all
    do); games, rounds: all that were played; planned: games of the schedule; turns: mean a round; ends: how the rounds
    ended; undecided: games without a fault that nobody won; seats, pairs: with ratings; differences: of every two bots
    of a head-to-head; singles: of one against the rest; variance_reduction: what sharing deals bought, None if unknown;
    test: the sequential test; faults: by bot and kind, and the first few; warning: of the ratings;
    spoilt_games, spoilt_deals: with a fault, left out of ratings and pairs.
    """

    settings: dict[str, Any]
    bots: tuple[str, ...]
    standings: tuple[Standing, ...]
    deals: int
    left_out: int
    games: int
    planned: int
    rounds: int
    turns: float
    ends: dict[str, int]
    undecided: int
    seats: tuple[Seat, ...]
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]
    singles: tuple[Single, ...]
    variance_reduction: float | None
    test: SprtResult | None
    fault_counts: dict[str, dict[str, int]]
    faults: tuple[FaultShown, ...]
    warning: str | None
    spoilt_games: int
    spoilt_deals: int

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON; what is infinite becomes None."""
        data: dict[str, Any] = plain(asdict(self))
        return data


def summarise(ledger: Ledger) -> Summary:
    """Return what the games of a ledger come to."""
    tournament = ledger.tournament
    results, left_out = ledger.results()
    names = tournament.names()
    bots = len(names)
    means = mean_points(results, bots, tournament.seed)
    ratings = fit_ratings(results, bots)
    faults = Counter(found.bot for found in ledger.faults)
    standings = []
    for bot, (mean, rating, effort) in enumerate(zip(means, ratings.bots, ledger.effort, strict=True)):
        standings.append(
            Standing(
                bot=names[bot],
                mean=mean.mean,
                interval=mean.interval,
                elo=rating.elo if rating.games else None,
                elo_interval=rating.interval,
                first=mean.first,
                second=mean.second,
                games=mean.games,
                faults=faults[bot],
                moves=effort.moves,
                ms_per_move=1000 * effort.seconds / effort.moves if effort.moves else None,
                iterations_per_move=effort.iterations / effort.moves if effort.moves else None,
            )
        )
    pairs = ahead_matrix(results, ratings).pairs
    of_two = tournament.format == "head-to-head"
    differences = [head_to_head(results, one, other) for one in range(bots) for other in range(one + 1, bots) if of_two]
    return _summary(
        ledger,
        results,
        left_out,
        standings,
        seats=tuple(Seat(seat, found.elo, found.interval) for seat, found in enumerate(ratings.seats)),
        pairs=tuple(
            Pair(
                names[pair.one],
                names[pair.other],
                pair.games,
                pair.observed,
                pair.interval,
                pair.expected,
                pair.excess,
                pair.excess_interval,
            )
            for pair in pairs
        ),
        differences=tuple(_named_difference(names, found) for found in differences),
        singles=tuple(_named_single(names, duel) for duel in (duels(results, bots) if _has_singles(ledger) else ())),
        variance_reduction=variance_reduction(results, bots),
        warning=ratings.warning(names),
    )


def quick_summary(ledger: Ledger) -> Summary:
    """Return the standings alone, with t intervals: cheap enough to be shown while games are played."""
    results, left_out = ledger.results()
    names = ledger.tournament.names()
    counts = results.counts.astype(float)
    sums = results.by_deal_and_bot(results.points * counts, len(names))
    seats = results.by_deal_and_bot(counts, len(names))
    faults = Counter(found.bot for found in ledger.faults)
    standings = []
    for bot, name in enumerate(names):
        played = seats[:, bot] > 0
        mean, interval = None, None
        if played.any():
            mean, variance = ratio_variance(sums[played, bot], seats[played, bot])
            interval = t_interval(mean, variance, int(played.sum()))
        mine = (results.bots == bot) & results.counts
        games = int(mine.sum())
        first, second = (float((mine & (results.ranks == rank)).sum() / games) if games else None for rank in (1, 2))
        effort = ledger.effort[bot]
        per_move = 1000 * effort.seconds / effort.moves if effort.moves else None
        standings.append(
            Standing(name, mean, interval, None, None, first, second, games, faults[bot], effort.moves, per_move, None)
        )
    return _summary(ledger, results, left_out, standings)


def _summary(ledger: Ledger, results: Results, left_out: int, standings: list[Standing], **more: Any) -> Summary:
    tournament, names = ledger.tournament, ledger.tournament.names()
    by_bot: dict[str, Counter[str]] = {}
    for found in ledger.faults:
        by_bot.setdefault(_name(names, found.bot), Counter())[found.fault.kind] += 1
    # Games come in any order; what is shown does not depend on it.
    first_faults = sorted(ledger.faults, key=lambda found: found.game)[:_FAULTS_SHOWN]
    whole = ledger.whole_deals()
    nothing = {"seats": (), "pairs": (), "differences": (), "singles": (), "variance_reduction": None, "warning": None}
    return Summary(
        **{
            **nothing,
            **more,
            "settings": tournament.to_dict(),
            "bots": names,
            "standings": tuple(
                sorted(standings, key=lambda row: -math.inf if row.mean is None else row.mean, reverse=True)
            ),
            "deals": len(results.deals) if whole else 0,
            "left_out": left_out if whole else ledger.games,
            "games": ledger.games,
            "planned": tournament.game_count,
            "rounds": len(ledger.turns),
            "spoilt_games": int((~results.clean).sum()),
            "spoilt_deals": len(set(results.deal[~results.clean].tolist())),
            "turns": sum(ledger.turns) / max(len(ledger.turns), 1),
            "ends": dict(sorted(ledger.ends.items())),
            "undecided": ledger.undecided,
            "test": None if ledger.test is None else ledger.test.result(),
            "fault_counts": {bot: dict(sorted(kinds.items())) for bot, kinds in sorted(by_bot.items())},
            "faults": tuple(
                FaultShown(
                    found.game,
                    None if found.bot is None else names[found.bot],
                    found.fault.kind,
                    found.fault.message,
                    found.fault.traceback,
                )
                for found in first_faults
            ),
        }
    )


def _name(names: tuple[str, ...], bot: int | None) -> str:
    return "(worker)" if bot is None else names[bot]


def _has_singles(ledger: Ledger) -> bool:
    """Whether tables of one against the rest are what was played, and not an accident of few bots."""
    return ledger.tournament.format == "head-to-head" and ledger.tournament.lineup == "one-vs-rest"


def _named_difference(names: tuple[str, ...], found: PairedDifference) -> Difference:
    return Difference(names[found.one], names[found.other], found.difference, found.interval, found.deals)


def _named_single(names: tuple[str, ...], duel: Duel) -> Single:
    return Single(
        names[duel.one],
        names[duel.rest],
        duel.deals,
        duel.games,
        duel.share,
        duel.interval,
        duel.elo,
        duel.elo_interval,
    )


def plain(value: Any) -> Any:
    """Return plain data for JSON: lists for tuples, and None for what is infinite or no number."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
