"""What every optimiser does: it asks for settings to be evaluated, is told their scores, and says which are best."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dnup_ai.errors import ConfigError
from tournaments.tune.space import Setting, Space


@dataclass(frozen=True, slots=True)
class Score:
    """What an evaluation of a setting gave.

    mean: of its paired differences to the baseline, in points; deviation: their standard deviation, in points, 0 if
    there are fewer than two; deals: how many differences there are; with 0 the mean says nothing.
    """

    mean: float
    deviation: float
    deals: int

    @property
    def stderr(self) -> float:
        """Return the standard error of the mean; infinite without deals."""
        return self.deviation / math.sqrt(self.deals) if self.deals else math.inf


def score_of(differences: Sequence[float]) -> Score:
    """Return the score of paired differences; those that are NaN, of deals that left, do not count."""
    values = np.asarray(differences, dtype=np.float64)
    values = values[~np.isnan(values)]
    if not len(values):
        return Score(0.0, 0.0, 0)
    return Score(float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0, len(values))


class Optimiser(Protocol):
    """Looks for settings with a high score. Its choices follow from its seed and from what it is told alone."""

    def ask(self, count: int) -> list[Setting]:
        """Return so many settings to evaluate on common deals; one may be there twice."""

    def tell(self, settings: Sequence[Setting], scores: Sequence[Score]) -> None:
        """Take the scores of the settings that were asked for last, in their order."""

    def best(self, count: int) -> list[Setting]:
        """Return at most so many different settings that look best, the best first."""


Maker = Callable[[Space, int], Optimiser]


def optimisers() -> Mapping[str, Maker]:
    """Return what makes an optimiser, by its name; each takes a space and a seed."""
    # Not at the top: the modules are written against this one.
    from tournaments.tune.cmaes_tuner import CmaesTuner
    from tournaments.tune.ntbea import NtbeaTuner
    from tournaments.tune.random_tuner import RandomTuner

    return {"ntbea": NtbeaTuner, "cmaes": CmaesTuner, "random": RandomTuner}


def optimiser_named(name: str) -> Maker:
    """Return what makes the optimiser. Raises ConfigError, which lists all, for a name that is none."""
    makers = optimisers()
    if name not in makers:
        raise ConfigError(f"tune: expected an optimiser of {', '.join(makers)}, got {name!r}")
    return makers[name]
