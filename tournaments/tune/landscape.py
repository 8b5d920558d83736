"""Which parameters matter: main effects of levels and strongest pairs, from all evaluations of a study.

Weighted least squares on the means of trials, with a weight for each deal, and the luck of the deals that the trials of
an iteration share as a random effect about 0: scores are differences to the default, so that the default need not have
been tried to be compared with. Where they are differences to something else, the luck is a constant for each iteration,
and a trial is compared with the others on the same deals only. Effects are those among the settings that were tried: an
optimiser tries good ones more often.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from dnup_ai.params import Value
from tournaments.results import LEVEL, Floats, Interval, Ints
from tournaments.tune.evaluator import Trial
from tournaments.tune.space import Space

_RATIOS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0, 10.0)
"""Variances of the luck that the trials of a deal share, by that which they do not: those that are compared."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What levels are worth, beside those of the default.

    levels: one, or those of a pair; deals: on which they were evaluated; mean: of the difference to the default's, in
    points; interval: 95%. None where the evaluations do not tell; the default's own is 0 without interval.
    """

    levels: tuple[Value, ...]
    deals: int
    mean: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Effects:
    """A parameter, or a pair of them.

    names: of one or two; effects: of all levels or combinations; deviation: how much of the standard deviation between
    settings tried is due to it, in points, less what noise would make: of a pair only what both do not do alone;
    p_value: the chance of as much by luck, times the number of parameters or pairs that were looked at, at most 1.
    """

    names: tuple[str, ...]
    effects: tuple[Effect, ...]
    deviation: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Landscape:
    """Parameters and the strongest pairs, each with the strongest first; noise: of a deal, a standard deviation."""

    parameters: tuple[Effects, ...]
    pairs: tuple[Effects, ...]
    noise: float | None


def landscape(space: Space, trials: Sequence[Trial], pairs: int = 5, *, default_is_baseline: bool = False) -> Landscape:
    """Return the landscape that the trials show.

    pairs: at most so many; default_is_baseline: whether scores are differences to the default itself. Too few trials
    show no effects at all.
    """
    # A default that is the baseline was not played: its zeros share no luck with anything.
    played = [trial for trial in trials if trial.score.deals and (trial.score.deviation or any(trial.differences))]
    mains: list[tuple[int, ...]] = [(dim,) for dim in range(len(space.dimensions))]
    data = _Data(space, played)
    if default_is_baseline:
        data.share_luck(mains)
    fit = data.fit(mains)
    singles = [
        data.effects(main, fit, data.fit([other for other in mains if other != main]), len(mains)) for main in mains
    ]
    every = list(combinations(range(len(space.dimensions)), 2)) if pairs else []
    doubles = [data.effects(pair, data.fit([*mains, pair]), fit, len(every)) for pair in every]
    doubles.sort(key=lambda effects: (effects.p_value, -effects.deviation))
    return Landscape(
        tuple(sorted(singles, key=lambda effects: (effects.p_value, -effects.deviation))),
        tuple(doubles[:pairs]),
        fit.noise,
    )


@dataclass(frozen=True)
class _Fit:
    """A fitted model.

    blocks: its parameters and pairs; inverse: of the normal matrix; estimable: projects onto what the trials tell;
    rank: of it; rss: sum of squared residuals, by deals; free: degrees of freedom.
    """

    blocks: list[tuple[int, ...]]
    coefficients: Floats
    inverse: Floats
    estimable: Floats
    rank: int
    rss: float
    free: int

    @property
    def noise(self) -> float | None:
        return math.sqrt(self.rss / self.free) if self.free > 0 else None


class _Data:
    """The trials as arrays, and what is computed on them."""

    def __init__(self, space: Space, trials: Sequence[Trial]) -> None:
        self._space = space
        self._default = space.places(space.default)
        self._places = np.array([space.places(trial.setting) for trial in trials], dtype=np.int64)
        self._places = self._places.reshape(-1, len(space.dimensions))
        self._weights = np.array([trial.score.deals for trial in trials], dtype=np.float64)
        self._scores = np.array([trial.score.mean for trial in trials], dtype=np.float64)
        _, self._group = np.unique([trial.iteration for trial in trials], return_inverse=True)
        self._groups = int(self._group.max(initial=-1)) + 1
        if len(trials) < 2 * self._groups:
            # Hardly anything was evaluated together: one constant for all.
            self._group, self._groups = np.zeros(len(trials), dtype=np.int64), min(len(trials), 1)
        self._totals = np.bincount(self._group, self._weights, self._groups)
        deals = np.zeros(self._groups)
        np.maximum.at(deals, self._group, self._weights)
        self._sharing = self._totals / np.maximum(deals, 1)  # trials on the deals of an iteration
        self._ratio = math.inf  # variance of the luck that trials share on a deal by that which they do not

    def share_luck(self, blocks: list[tuple[int, ...]]) -> None:
        """Take the luck of iterations as random, with the variance that makes the scores the likeliest."""
        if self._groups > 1:
            self._ratio = max(_RATIOS, key=lambda ratio: self._likelihood(blocks, ratio))

    def _likelihood(self, blocks: list[tuple[int, ...]], ratio: float) -> float:
        """The log likelihood of a ratio of variances, profiled over all else."""
        self._ratio = ratio
        rss = self.fit(blocks).rss
        spread = float(np.log1p(ratio * self._sharing).sum())
        return -len(self._scores) * math.log(max(rss, 1e-300)) - spread

    def fit(self, blocks: list[tuple[int, ...]]) -> _Fit:
        """Fit all the blocks together."""
        columns = np.column_stack(
            [self._columns(block, self._places) for block in blocks] or [np.empty((len(self._places), 0))]
        )
        root = np.sqrt(self._weights)
        design = self._within(columns) * root[:, None]
        scores = self._within(self._scores[:, None])[:, 0] * root
        normal = np.asarray(design.T @ design, dtype=np.float64)
        inverse = np.asarray(np.linalg.pinv(normal, rcond=1e-9, hermitian=True), dtype=np.float64)
        coefficients = np.asarray(inverse @ (design.T @ scores), dtype=np.float64)
        estimable = inverse @ normal
        rank = round(float(np.trace(estimable)))
        rss = float(((scores - design @ coefficients) ** 2).sum())
        constants = self._groups if math.isinf(self._ratio) else 0
        return _Fit(blocks, coefficients, inverse, estimable, rank, rss, len(scores) - constants - rank)

    def effects(self, block: tuple[int, ...], full: _Fit, rest: _Fit, looked_at: int) -> Effects:
        """What a block does, by the model with it and the one without."""
        deviation, p_value = 0.0, 1.0
        gained, freedom = rest.rss - full.rss, full.rank - rest.rank
        if freedom > 0 and full.noise:
            from scipy.special import fdtrc

            deviation = math.sqrt(max(0.0, gained - freedom * full.noise**2) / self._weights.sum())
            p_value = float(fdtrc(freedom, full.free, max(gained, 0.0) / freedom / full.noise**2))
        levels = [range(self._space.sizes[dim]) for dim in block]
        return Effects(
            tuple(self._space.dimensions[dim].name for dim in block),
            tuple(self._effect(block, places, full) for places in product(*levels)),
            deviation,
            min(1.0, p_value * looked_at),
        )

    def _effect(self, block: tuple[int, ...], places: tuple[int, ...], fit: _Fit) -> Effect:
        """The effect of levels of a block against the default's, all others being the same."""
        default = np.array(self._default)
        point = default.copy()
        point[list(block)] = places
        # Columns are 0 at the default, so what is at the point is the difference.
        contrast = np.concatenate([self._columns(other, point[None])[0] for other in fit.blocks])
        deals = int(self._weights[(self._places[:, list(block)] == places).all(axis=1)].sum())
        levels = tuple(self._space.dimensions[dim].levels[place] for dim, place in zip(block, places, strict=True))
        if not contrast.any():
            return Effect(levels, deals, 0.0, None)
        if not fit.noise or np.abs(contrast - fit.estimable @ contrast).max() > 1e-6:
            return Effect(levels, deals, None, None)
        from scipy.special import stdtrit

        mean = float(contrast @ fit.coefficients)
        half = (
            float(stdtrit(fit.free, (1 + LEVEL) / 2)) * fit.noise * math.sqrt(float(contrast @ fit.inverse @ contrast))
        )
        return Effect(levels, deals, mean, (mean - half, mean + half))

    def _columns(self, block: tuple[int, ...], places: Ints) -> Floats:
        """A column for each level but the default's; of a pair, for each two of them."""
        columns = np.ones((len(places), 1))
        for dim in block:
            others = [place for place in range(self._space.sizes[dim]) if place != self._default[dim]]
            levels = (places[:, dim, None] == np.array(others)).astype(np.float64)
            columns = (columns[:, :, None] * levels[:, None, :]).reshape(len(places), columns.shape[1] * len(others))
        return columns

    def _within(self, values: Floats) -> Floats:
        """Values less as much of the weighted mean of their iteration as is luck: all of it, if that is a constant."""
        sums = [np.bincount(self._group, self._weights * column, self._groups) for column in values.T]
        means = np.array(sums).reshape(values.shape[1], self._groups).T / self._totals[:, None]
        share = 1 - 1 / np.sqrt(1 + self._ratio * self._sharing)
        return np.asarray(values - (share[:, None] * means)[self._group], dtype=np.float64)
