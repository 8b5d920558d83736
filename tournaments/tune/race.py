"""The race: the best few of the search and the default play on until one is left.

Sequential halving (Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013): rounds of
equal cost, after each of which the better half goes on. All play the same deals, fresh ones, and keep what they have
played in the rounds before; what the search saw of them is forgotten, since it chose them for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournaments.tune.evaluator import Deals, Trial
from tournaments.tune.optimiser import score_of
from tournaments.tune.space import Setting


@dataclass(frozen=True, slots=True)
class Standing:
    """How a setting stands in the race.

    mean, stderr: of its paired differences to the default, in points, 0 for the default itself; deals: on which.
    """

    setting: Setting
    mean: float
    stderr: float
    deals: int


@dataclass(frozen=True, slots=True)
class RaceRound:
    """A round of the race is over.

    number: from 1 to rounds; standings: of those that go on, by mean, then of those that left, the last ones first;
    racing: who goes on, after the last round the winner alone.
    """

    number: int
    rounds: int
    trials: tuple[Trial, ...]
    standings: tuple[Standing, ...]
    racing: tuple[Setting, ...]


def race(finalists: Sequence[Setting], deals: Deals, budget: int) -> Iterator[RaceRound]:
    """Yield the rounds of a race.

    finalists: different settings, without the default, which runs to the end; budget: evaluations, a setting on a deal
    each, of which each setting gets at least 2 in a round. Nothing is yielded without finalists.
    """
    default = deals.space.default
    racing, left = [*finalists], list[Standing]()
    rounds = math.ceil(math.log2(len(finalists))) or 1 if finalists else 0
    played: dict[Setting, list[float]] = {setting: [] for setting in (default, *finalists)}
    for number in range(1, rounds + 1):
        players = len(racing) + (not deals.default_is_baseline)
        trials = deals.play([default, *racing], max(2, budget // rounds // players))
        for trial in trials:
            played[trial.setting] += trial.differences
        # The default stands first: who is no better than it does not win.
        order = sorted((_standing(setting, played, default) for setting in [default, *racing]), key=lambda s: -s.mean)
        keep = math.ceil(len(racing) / 2)
        if number == rounds:
            going = order[:1]
        else:
            ahead = [standing for standing in order if standing.setting != default][:keep]
            going = [standing for standing in order if standing in ahead or standing.setting == default]
        left = [standing for standing in order if standing not in going] + left
        racing = [standing.setting for standing in going if standing.setting != default]
        yield RaceRound(number, rounds, tuple(trials), (*going, *left), tuple(standing.setting for standing in going))


def _standing(setting: Setting, played: dict[Setting, list[float]], default: Setting) -> Standing:
    score = score_of([ours - theirs for ours, theirs in zip(played[setting], played[default], strict=True)])
    return Standing(setting, score.mean if score.deals else -math.inf, score.stderr, score.deals)
