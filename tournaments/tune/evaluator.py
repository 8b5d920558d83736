"""How settings are evaluated: on deals of one global sequence, common to those evaluated together, and used once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from tournaments.tune.optimiser import Score, score_of
from tournaments.tune.space import Setting, Space


class Evaluator(Protocol):
    """Plays settings against the baseline."""

    def __call__(self, settings: Sequence[Setting], deals: range) -> Sequence[Sequence[float]]:
        """Return for each setting its paired differences to the baseline in points, one for each of the deals.

        settings: all different; deals: indices of the global sequence. A difference is NaN where the deal left the
        statistics. The same setting on the same deal must give the same number whenever it is asked for.
        """


@dataclass(frozen=True)
class Trial:
    """A setting was evaluated.

    iteration: from 1, the same for settings that were evaluated together; differences: one for each deal.
    """

    iteration: int
    setting: Setting
    deals: range
    differences: tuple[float, ...]

    @cached_property
    def score(self) -> Score:
        """Return the score that the differences give."""
        return score_of(self.differences)


class Deals:
    """The global sequence of deals, from which each evaluation takes the next ones, and what was spent."""

    def __init__(self, space: Space, evaluate: Evaluator, default_is_baseline: bool) -> None:
        """default_is_baseline: the differences of the default are 0 then, and nobody needs to play them."""
        self.space = space
        self.default_is_baseline = default_is_baseline
        self.spent = 0  # evaluations: a setting on a deal each
        self.iteration = 0  # the last one
        self._evaluate = evaluate
        self._next = 0

    def play(self, settings: Sequence[Setting], count: int) -> list[Trial]:
        """Return a trial on the next deals for each setting; one that is there twice is played once."""
        deals = range(self._next, self._next + count)
        self._next = deals.stop
        self.iteration += 1
        free = (self.space.default,) if self.default_is_baseline else ()
        played = [setting for setting in dict.fromkeys(settings) if setting not in free]
        found = dict(zip(played, self._evaluate(played, deals), strict=True)) if played else {}
        for setting, differences in found.items():
            if len(differences) != count:
                text = self.space.text(setting)
                raise ValueError(f"evaluator: expected {count} differences of {text}, got {len(differences)}")
        self.spent += len(played) * count
        zeros = (0.0,) * count
        return [Trial(self.iteration, setting, deals, tuple(found.get(setting, zeros))) for setting in settings]
