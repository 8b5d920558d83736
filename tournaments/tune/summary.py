"""What a study found in one place: what the terminal, the report and `--json` show, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dnup_ai.games import game_named
from dnup_ai.params import Value, value_text
from tournaments.results import Interval, t_interval
from tournaments.sprt import SprtResult
from tournaments.standings import plain
from tournaments.tune.commands import repeat_study
from tournaments.tune.config import Study
from tournaments.tune.landscape import Landscape, landscape
from tournaments.tune.playing import Counts
from tournaments.tune.race import Standing
from tournaments.tune.study import StudyResult, Verdict


@dataclass(frozen=True, slots=True)
class Raced:
    """How a setting stood in the race.

    bot: its spec; values: of the parameters that are tuned; mean, interval: points of it less those of the default on
    the same deals, None for the default itself; deals: on which.
    """

    bot: str
    values: dict[str, Value]
    mean: float
    interval: Interval | None
    deals: int

    def changes(self, settings: dict[str, Any]) -> str:
        """Return what the setting has other than the default; settings: `Study.to_dict`."""
        changed = [
            f"{name}={value_text(value)}"
            for (name, value), default in zip(self.values.items(), settings["default"], strict=True)
            if value != default
        ]
        return ", ".join(changed) or "default"


@dataclass(frozen=True, slots=True)
class StudySummary:
    """What a study found.

    settings: `Study.to_dict`; verdict: on the winner; default, winner: specs; values: of the winner; recommended: its
    spec if it is better, else None; gain, interval: of the winner over the default in points a seat and game, on deals
    that nothing was chosen on, median-unbiased; test: that these come from, None if there was none; race: the default
    and the settings that raced, the winner first; landscape: what the parameters are worth; games: of each phase;
    faults: games that ended by one; command: does it again.
    """

    settings: dict[str, Any]
    verdict: Verdict
    default: str
    winner: str
    values: dict[str, Value]
    recommended: str | None
    gain: float | None
    interval: Interval | None
    test: SprtResult | None
    race: tuple[Raced, ...]
    landscape: Landscape
    games: dict[str, int]
    faults: int
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON; what is infinite becomes None."""
        data: dict[str, Any] = plain(asdict(self))
        return data


def summarise_study(study: Study, result: StudyResult, counts: Counts) -> StudySummary:
    """Return what a study found; counts: of its games."""
    each = study.games_per_evaluation
    return StudySummary(
        settings=study.to_dict(),
        verdict=result.verdict,
        default=str(study.bot),
        winner=str(study.spec(result.winner)),
        values=study.space.values(result.winner),
        recommended=str(study.spec(result.recommended)) if result.verdict == "better" else None,
        gain=result.gain,
        interval=result.interval,
        test=result.sprt,
        race=tuple(raced(study, standing) for standing in result.standings),
        landscape=landscape(study.space, result.trials, default_is_baseline=study.default_is_baseline),
        games={name: each * evaluations for name, evaluations in asdict(result.spent).items()},
        faults=counts.faults,
        command=repeat_study(study),
    )


def raced(study: Study, standing: Standing) -> Raced:
    """Return how a setting stood in the race."""
    setting = standing.setting
    interval = None if setting == study.space.default else t_interval(standing.mean, standing.stderr**2, standing.deals)
    return Raced(str(study.spec(setting)), study.space.values(setting), standing.mean, interval, standing.deals)


def points_of(summary: StudySummary) -> str:
    """Return what was counted, in words."""
    settings = summary.settings
    return "matches won" if settings["unit"] == "match" else f"{game_named(settings['game']).points} a round"
