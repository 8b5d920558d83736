"""A sequential test of two bots on paired deals: stops as soon as one of two hypotheses is much the likelier.

The generalised sequential probability ratio test in its normalised form: t is the mean of the differences of deals over
their standard deviation; H0 says t = t0, H1 says t = t1. With a and b as error rates, the test ends for H1 at a log
likelihood ratio of ln((1 - b) / a), for H0 at ln(b / (1 - a)) (Wald, 1945). The ratio after N deals is, profiled over
all else, about N / 2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)): M. Van den Bergh, Normalized Elo in practice, section 4.2
(https://www.cantate.be/Fishtest/normalized_elo_practical.pdf), as fishtest uses it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dnup_ai.errors import ConfigError
from tournaments.brownian import Walk
from tournaments.results import LEVEL, Floats, Interval, t_interval

Verdict = Literal["H0", "H1", "inconclusive", "running"]
MIN_BATCH = 10
NOTE = (
    "mean and t are biased by when the test stopped; the estimate is median-unbiased, as far as the walk of the ratio "
    "is Brownian"
)


VERDICTS: Mapping[Verdict, str] = {
    "H0": "H0 accepted: the advantage of the first bot is nearer to t0 than to t1",
    "H1": "H1 accepted: the advantage of the first bot is nearer to t1 than to t0",
    "inconclusive": "inconclusive: the most deals allowed did not decide it",
    "running": "not decided so far",
}
"""The verdicts in words."""


@dataclass(frozen=True, slots=True)
class SprtResult:
    """How a sequential test stands.

    verdict: `inconclusive` at the most deals allowed, `running` before; deals: how many it rests on; llr: log
    likelihood ratio, between the bounds lower (H0) and upper (H1); history: (deals, llr) at each look; t: mean over
    standard deviation; mean, mean_interval: of the differences, as if the number of deals had been fixed, so biased by
    the stopping; estimate_t, estimate_t_interval: median-unbiased for t, given when the test stopped; estimate,
    estimate_interval: the same times the standard deviation, in points; note: says which is biased. What too few or
    all equal differences do not give is None.
    """

    verdict: Verdict
    deals: int
    llr: float
    lower: float
    upper: float
    history: tuple[tuple[int, float], ...]
    t: float | None = None
    mean: float | None = None
    mean_interval: Interval | None = None
    estimate_t: float | None = None
    estimate_t_interval: Interval | None = None
    estimate: float | None = None
    estimate_interval: Interval | None = None
    note: str = NOTE


@dataclass(frozen=True, slots=True)
class Sprt:
    """Settings of a sequential test.

    t0, t1: the hypotheses; alpha, beta: the chances to accept H1 where t = t0, and H0 where t = t1; batch: deals
    between looks; max_deals: the test ends there, None for never. Raises ConfigError for settings that make no test.
    """

    t0: float = 0.0
    t1: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05
    batch: int = MIN_BATCH
    max_deals: int | None = None

    def __post_init__(self) -> None:
        if not (math.isfinite(self.t0) and math.isfinite(self.t1) and self.t0 < self.t1):
            raise ConfigError(f"sprt: expected t0 < t1, got t0 {self.t0} and t1 {self.t1}")
        for name, deals in (("batch", self.batch), ("max_deals", self.max_deals)):
            if deals is not None and not isinstance(deals, int):
                raise ConfigError(f"sprt: expected a whole number of deals as {name}, got {deals}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ConfigError(f"sprt: expected {name} between 0 and 0.5, got {rate}")
        if self.batch < MIN_BATCH:
            raise ConfigError(f"sprt: expected a batch of at least {MIN_BATCH} deals, got {self.batch}")
        if self.max_deals is not None and self.max_deals < self.batch:
            raise ConfigError(f"sprt: expected max_deals of at least a batch, {self.batch}, got {self.max_deals}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log likelihood ratios at which the test ends for H0 and for H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def monotonic(self) -> tuple[float, float]:
        """Return the range of t in which the log likelihood ratio grows with t.

        Its derivative has the sign of 1 - (t - t0)(t - t1), so the ends are (t0 + t1) / 2 -+ sqrt(1 + (t1 - t0)^2 / 4).
        Beyond, as for differences that are all equal and not 0, the formula falls back to 0: t is held to the range.
        """
        middle, half = (self.t0 + self.t1) / 2, (self.t1 - self.t0) / 2
        return middle - math.hypot(1, half), middle + math.hypot(1, half)

    def per_deal(self, t: float) -> float:
        """Return the log likelihood ratio of one deal at a t in the range."""
        low, high = self.monotonic
        t = min(max(t, low), high)
        return 0.5 * (math.log1p((t - self.t0) ** 2) - math.log1p((t - self.t1) ** 2))

    def decide(self, differences: Sequence[float] | Floats, last: bool = False) -> SprtResult:
        """Return the result on the differences of deals, which are in the order of deals and without gaps.

        last: no deals come after these. Looks are after every `batch` deals and at `max_deals`, or at the last deal if
        there are `batch` and it comes before; what comes after the look that decides is ignored, so the result of more
        deals is the same. All differences 0, as of identical bots, are t = 0.
        """
        values = np.round(np.asarray(differences, dtype=np.float64), 12)
        end = min(len(values), self.max_deals or len(values))
        over = last or end == self.max_deals
        looks = list(range(self.batch, end + 1, self.batch))
        # The bounds hold for looks at any deals, so that this one more makes no error likelier than they allow.
        if over and end > self.batch and end % self.batch:
            looks.append(end)
        # About the first value, so that equal values have no variance at all, and later ones change no earlier sum.
        first = float(values[0]) if len(values) else 0.0
        sums, squares = np.cumsum(values - first), np.cumsum((values - first) ** 2)
        history: list[tuple[int, float]] = []
        moments: tuple[int, float, float] = (0, 0.0, 0.0)
        for deals in looks:
            moments = _moments(deals, first, float(sums[deals - 1]), float(squares[deals - 1]))
            history.append((deals, self._llr(moments)))
            if not self.bounds[0] < history[-1][1] < self.bounds[1]:
                break
        return self._result(moments, tuple(history), over)

    def decide_counts(self, counts: Mapping[float, int]) -> SprtResult:
        """Return the result on differences of which only is known how often each came up: one look, at the end.

        Raises ConfigError for a negative count.
        """
        if any(count < 0 for count in counts.values()):
            raise ConfigError("sprt: expected counts from 0")
        found = sorted((round(difference, 12), count) for difference, count in counts.items() if count)
        deals = sum(count for _, count in found)
        if deals < self.batch:
            return self._result((0, 0.0, 0.0), (), over=False)
        first = found[0][0]
        sums, squares = (math.fsum(count * (value - first) ** power for value, count in found) for power in (1, 2))
        moments = _moments(deals, first, sums, squares)
        # One look at a number of deals that was fixed before: nothing has been stopped, so nothing is biased by it.
        over = self.max_deals is not None and deals >= self.max_deals
        return self._result(moments, ((deals, self._llr(moments)),), over, stopped=False)

    def _llr(self, moments: tuple[int, float, float]) -> float:
        return moments[0] * self.per_deal(_t_of(moments))

    def _result(
        self,
        moments: tuple[int, float, float],
        history: tuple[tuple[int, float], ...],
        over: bool,
        stopped: bool = True,
    ) -> SprtResult:
        (deals, mean, deviation), (lower, upper) = moments, self.bounds
        verdict: Verdict = "inconclusive" if over else "running"
        if not history:
            return SprtResult(verdict, 0, 0.0, lower, upper, ())
        llr = history[-1][1]
        if llr <= lower or llr >= upper:
            verdict = "H0" if llr <= lower else "H1"
        low = high = middle = None
        # Beyond the monotonic range the ratio says nothing more about t, and an estimate from it would be wrong.
        if stopped and deviation and self.monotonic[0] < _t_of(moments) < self.monotonic[1]:
            shares = ((1 + LEVEL) / 2, 0.5, (1 - LEVEL) / 2)
            low, middle, high = (self._quantile(deals, llr, share) for share in shares)
            if math.isinf(middle):
                low = high = middle = None
        return SprtResult(
            verdict,
            deals,
            llr,
            lower,
            upper,
            history,
            t=_t_of(moments),
            mean=mean,
            mean_interval=t_interval(mean, deviation**2 / (deals - 1), deals),
            estimate_t=middle,
            estimate_t_interval=None if low is None or high is None else (low, high),
            estimate=None if middle is None else middle * deviation,
            estimate_interval=None if low is None or high is None else (low * deviation, high * deviation),
        )

    def _quantile(self, deals: int, llr: float, share: float) -> float:
        """The t at which an outcome this good or worse has the given chance; infinite outside the monotonic range.

        The walk of the ratio is taken as Brownian, with the drift of the ratio at t and the variance that the estimate
        of t has on normal differences, (1 + t^2 / 2) / N. A last step beyond a bound is cut where it crossed. (The
        method of fishtest's confidence intervals.) What one deal can add to the ratio is bounded, so very early ends
        are rarer than in a Brownian walk, and intervals hold the truth rather more often than they say.
        """
        from scipy.optimize import brentq

        lower, upper = self.bounds
        end = min(max(llr, lower), upper)
        time = deals * (end / llr if llr else 1.0)
        middle, reach = (self.t0 + self.t1) / 2, 0.999 * (self.monotonic[1] - self.monotonic[0]) / 2

        def excess(t: float) -> float:
            ours, theirs = t - self.t0, t - self.t1
            slope = (self.t1 - self.t0) * (1 - ours * theirs) / ((1 + ours**2) * (1 + theirs**2))
            return Walk(lower, upper, self.per_deal(t), slope**2 * (1 + t**2 / 2)).worse(time, end) - share

        low, high = middle - reach, middle + reach
        if excess(low) <= 0:
            return -math.inf
        return math.inf if excess(high) >= 0 else float(brentq(excess, low, high, xtol=1e-9))


def _moments(deals: int, first: float, sums: float, squares: float) -> tuple[int, float, float]:
    """Deals, mean and standard deviation (of N, as likelihood has it) from sums of values less the first."""
    mean, square = sums / deals, squares / deals
    variance = square - mean**2
    return deals, first + mean, math.sqrt(variance) if variance > 1e-13 * square else 0.0


def _t_of(moments: tuple[int, float, float]) -> float:
    _, mean, deviation = moments
    if deviation:
        return mean / deviation
    return math.copysign(math.inf, mean) if mean else 0.0
