"""A study: search, race, confirmation, verdict. It knows nothing of games, so that it runs on known functions too.

All that it decides follows from the seed of the optimiser and the numbers of the evaluator: a study run again with the
same numbers takes the same path. The one exception, the end of a search on time, is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from dnup_ai.errors import ConfigError
from tournaments.results import Interval
from tournaments.sprt import Sprt, SprtResult
from tournaments.tune.evaluator import Deals, Evaluator, Trial
from tournaments.tune.optimiser import Optimiser
from tournaments.tune.race import RaceRound, Standing, race
from tournaments.tune.space import Setting, Space

Verdict = Literal["better", "no proof of a gain", "worse"]

CONFIRMATION = Sprt(t0=0.0, t1=0.05, alpha=0.025, beta=0.05, batch=100)
"""With alpha at half of 5% the test says better only where the two-sided 95% interval lies above 0 as well."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study spends. An evaluation is one setting on one deal.

    evaluations: of search and race together, None for a search that ends on time; race_share: of them for the race;
    settings: evaluated together in an iteration of the search, on common deals; deals: how many; finalists: settings
    that race, besides the default; confirm: the test of the winner against the default, None for none. Where it has no
    `max_deals`, half as many deals as search and race had evaluations. Raises ConfigError for what cannot be done.
    """

    evaluations: int | None
    race_share: float = 0.275
    settings: int = 8
    deals: int = 10
    finalists: int = 8
    confirm: Sprt | None = CONFIRMATION

    def __post_init__(self) -> None:
        if not 0 < self.race_share < 1:
            raise ConfigError(f"tune: expected a share for the race between 0 and 1, got {self.race_share:g}")
        for name, least in (("settings", 1), ("deals", 2), ("finalists", 1)):
            if getattr(self, name) < least:
                raise ConfigError(f"tune: expected {name} of {least} or more, got {getattr(self, name)}")
        if self.evaluations is not None and self.iterations < 1:
            least = round(self.settings * self.deals / (1 - self.race_share) + 1)
            raise ConfigError(f"tune: expected a budget of {least} or more evaluations, got {self.evaluations}")

    @property
    def iterations(self) -> int:
        """Return how many iterations the search has, if time does not end it."""
        assert self.evaluations is not None
        return int(self.evaluations * (1 - self.race_share)) // (self.settings * self.deals)


@dataclass(frozen=True, slots=True)
class SearchIteration:
    """An iteration of the search is over. number: from 1; iterations: of all, None if time ends it; best: so far."""

    number: int
    iterations: int | None
    trials: tuple[Trial, ...]
    best: Setting


@dataclass(frozen=True, slots=True)
class ConfirmationLook:
    """The test has looked at more deals. deals: how many so far; max_deals: it ends there at the latest."""

    deals: int
    max_deals: int
    result: SprtResult


@dataclass(frozen=True, slots=True)
class Spent:
    """Evaluations of each phase, a setting on a deal each."""

    search: int
    race: int
    confirmation: int


@dataclass(frozen=True, slots=True)
class StudyResult:
    """What a study found.

    verdict: of the winner against the default, by deals that nothing was chosen on; winner: of the race, the default
    if no setting was ahead of it; recommended: the winner if it is better, else the default; gain, interval: of the
    winner over the default in points, median-unbiased after the stopping of the test, None where nothing was tested;
    sprt: the test; standings: of the race; trials: all of search and race; spent: evaluations.
    """

    verdict: Verdict
    winner: Setting
    recommended: Setting
    gain: float | None
    interval: Interval | None
    sprt: SprtResult | None
    standings: tuple[Standing, ...]
    trials: tuple[Trial, ...]
    spent: Spent


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of a study."""

    result: StudyResult


Event = SearchIteration | RaceRound | ConfirmationLook | Finished


def run_study(
    space: Space,
    optimiser: Optimiser,
    evaluate: Evaluator,
    plan: Plan,
    *,
    default_is_baseline: bool = True,
    search_over: Callable[[int], bool] | None = None,
) -> Iterator[Event]:
    """Yield the events of a study as they happen, `Finished` at last.

    default_is_baseline: scores are differences to the default itself; else it is evaluated like any setting.
    search_over: asked after each iteration of the search, with their number so far, whether time is up; race and
    confirmation then get their shares of what the search has spent. Raises ConfigError if nothing ends the search.
    """
    if plan.evaluations is None and search_over is None:
        raise ConfigError("tune: expected a budget of evaluations or of time")
    deals = Deals(space, evaluate, default_is_baseline)
    trials: list[Trial] = []
    for searched in _search(optimiser, deals, plan, search_over):
        trials += searched.trials
        yield searched
    search_spent = deals.spent

    finalists = [setting for setting in optimiser.best(plan.finalists + 1) if setting != space.default]
    total = search_spent / (1 - plan.race_share) if plan.evaluations is None else plan.evaluations
    standings: tuple[Standing, ...] = ()
    winner = space.default
    budget = round(total) - search_spent
    for raced in race(finalists[: plan.finalists], deals, budget):
        trials += raced.trials
        standings, winner = raced.standings, raced.racing[0]
        yield raced
    race_spent = deals.spent - search_spent

    sprt = None
    if plan.confirm is not None and winner != space.default:
        for look in _confirm(winner, deals, _bounded(plan.confirm, round(total))):
            sprt = look.result
            yield look
    spent = Spent(search_spent, race_spent, deals.spent - search_spent - race_spent)
    yield Finished(_result(space.default, winner, sprt, standings, tuple(trials), spent))


def _search(
    optimiser: Optimiser, deals: Deals, plan: Plan, search_over: Callable[[int], bool] | None
) -> Iterator[SearchIteration]:
    number, over = 0, False
    iterations = None if plan.evaluations is None else plan.iterations
    while not over:
        number += 1
        settings = optimiser.ask(plan.settings)
        trials = deals.play(settings, plan.deals)
        optimiser.tell(settings, [trial.score for trial in trials])
        best = optimiser.best(1)
        yield SearchIteration(number, iterations, tuple(trials), best[0] if best else deals.space.default)
        over = number == iterations or (search_over is not None and search_over(number))


def _bounded(sprt: Sprt, evaluations: int) -> Sprt:
    """The test with an end."""
    return sprt if sprt.max_deals is not None else replace(sprt, max_deals=max(sprt.batch, evaluations // 2))


def _confirm(winner: Setting, deals: Deals, sprt: Sprt) -> Iterator[ConfirmationLook]:
    """Test the winner on fresh deals, a batch at a time, until the test has decided."""
    assert sprt.max_deals is not None
    differences: list[float] = []
    dealt, result = 0, sprt.decide([])
    while result.verdict == "running":
        count = min(sprt.batch, sprt.max_deals - dealt)
        ours, theirs = deals.play([winner, deals.space.default], count)
        dealt += count
        pairs = zip(ours.differences, theirs.differences, strict=True)
        differences += [our - their for our, their in pairs if our == our and their == their]  # not NaN
        result = sprt.decide(differences, last=dealt == sprt.max_deals)
        yield ConfirmationLook(dealt, sprt.max_deals, result)


def _result(
    default: Setting,
    winner: Setting,
    sprt: SprtResult | None,
    standings: tuple[Standing, ...],
    trials: tuple[Trial, ...],
    spent: Spent,
) -> StudyResult:
    gain = interval = None
    verdict: Verdict = "no proof of a gain"
    if sprt is not None:
        gain, interval = sprt.estimate, sprt.estimate_interval
        if gain is None or interval is None:
            # Differences so clear, or so equal, that the walk of the ratio gives no estimate.
            gain, interval = sprt.mean, sprt.mean_interval
        if interval is not None and interval[0] > 0:
            verdict = "better"
        elif interval is not None and interval[1] < 0:
            verdict = "worse"
    recommended = winner if verdict == "better" else default
    return StudyResult(verdict, winner, recommended, gain, interval, sprt, standings, trials, spent)
