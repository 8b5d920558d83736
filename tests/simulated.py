"""Simulated tournaments of bots of known strength, in which the games of a deal share luck. Not tests themselves.

The strength of a seat is that of its bot, plus the effect of the seat, plus noise from the standard Gumbel
distribution: then the order of seats is exactly that of the Plackett-Luce model. The noise is a normal variable turned
into a Gumbel one, and a part of that normal variable, the hand, is the same in all games of a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from scipy.special import ndtr

from tournaments.ratings import Results
from tournaments.sprt import Sprt, SprtResult

HAND = 0.7
"""Share of the variance of the normal variable that the hand is."""
DESIGNS = ("duplicate", "own deals", "uneven")


@dataclass(frozen=True)
class Bench:
    """Bots of known strength, and the seatings that they play.

    strengths (k,) and effects (n,), each summing to zero; seatings: those of one duplicate deal.
    """

    strengths: np.ndarray
    effects: np.ndarray
    seatings: np.ndarray

    @classmethod
    def league(cls, bots: int, seats: int) -> Bench:
        """All line-ups in all rotations."""
        found = [lineup[turn:] + lineup[:turn] for lineup in combinations(range(bots), seats) for turn in range(seats)]
        return cls(centred(np.linspace(0.6, -0.6, bots)), centred(np.linspace(0.3, -0.3, seats)), np.array(found))

    @classmethod
    def pair(cls, seats: int) -> Bench:
        """Two bots, of which one sits at every second seat, from both sides."""
        seating = np.arange(seats) % 2
        return cls(np.array([0.3, -0.3]), centred(np.linspace(0.3, -0.3, seats)), np.stack([seating, 1 - seating]))

    @property
    def bots(self) -> int:
        """How many bots there are."""
        return len(self.strengths)

    def play(self, rng: np.random.Generator, deals: int, design: str) -> Results:
        """Play that many deals.

        Design `duplicate`: every seating on each deal; `own deals`: one random seating a deal; `uneven`: one to five
        random seatings a deal.
        """
        if design == "duplicate":
            deal = np.repeat(np.arange(deals), len(self.seatings))
            seating = np.tile(self.seatings, (deals, 1))
        else:
            games = np.ones(deals, dtype=int) if design == "own deals" else rng.integers(1, 6, size=deals)
            deal = np.repeat(np.arange(deals), games)
            seating = self.seatings[rng.integers(len(self.seatings), size=len(deal))]
        hands = rng.normal(size=(deals, seating.shape[1]))
        noise = HAND**0.5 * hands[deal] + (1 - HAND) ** 0.5 * rng.normal(size=seating.shape)
        gumbel = -np.log(-np.log(ndtr(noise)))
        return results_of(deal, seating, self.strengths[seating] + self.effects + gumbel)

    def chances(self, seating: Sequence[int]) -> dict[tuple[int, int], float]:
        """The chance of each pair of first and second seat."""
        weights = np.exp(self.strengths[list(seating)] + self.effects)
        total = weights.sum()
        return {
            (one, two): weights[one] / total * weights[two] / (total - weights[one])
            for one, two in permutations(range(len(weights)), 2)
        }

    def points(self) -> np.ndarray:
        """Expected points by seating and seat."""
        table = np.zeros(self.seatings.shape)
        for row, seating in enumerate(self.seatings):
            for (one, two), chance in self.chances(seating).items():
                table[row, one] += chance * (2 if len(seating) > 2 else 1)
                table[row, two] += chance * (1 if len(seating) > 2 else 0)
        return table

    def means(self) -> np.ndarray:
        """Expected points a seat of each bot."""
        points = self.points()
        return np.array([points[self.seatings == bot].mean() for bot in range(self.bots)])

    def difference(self, one: int, other: int) -> float:
        """Expected difference of two bots, over games in which both sit."""
        both = [
            points[seating == one].mean() - points[seating == other].mean()
            for points, seating in zip(self.points(), self.seatings, strict=True)
            if one in seating and other in seating
        ]
        return float(np.mean(both))

    def ahead(self, one: int, other: int) -> float:
        """Chance that one bot finishes ahead of another, ties as half, over games in which both sit."""
        games = []
        for seating in self.seatings:
            scores = [
                sum(chance * score(order, ours, theirs) for order, chance in self.chances(seating).items())
                for ours, theirs in permutations(range(len(seating)), 2)
                if (seating[ours], seating[theirs]) == (one, other)
            ]
            games += [np.mean(scores)] if scores else []
        return float(np.mean(games))


def score(order: Sequence[int], one: int, other: int) -> float:
    """1 if seat `one` is ahead of `other` when only the seats in this order are placed, 0 if behind, else a half."""
    places = [order.index(seat) if seat in order else len(order) for seat in (one, other)]
    return 0.5 if places[0] == places[1] else float(places[0] < places[1])


def centred(values: np.ndarray) -> np.ndarray:
    """The values less their mean."""
    return values - values.mean()


def results_of(deal: np.ndarray, seating: np.ndarray, utility: np.ndarray) -> Results:
    """Results of games in which the seats finish in the order of their utility; 2 points and 1, or 1 at two seats."""
    games = np.arange(len(seating))
    order = np.argsort(-utility, axis=1)
    ranks = np.zeros(seating.shape, dtype=int)
    ranks[games, order[:, 0]] = 1
    if seating.shape[1] > 1:
        ranks[games, order[:, 1]] = 2
    points = np.array([0, 2, 1] if seating.shape[1] > 2 else [0, 1, 0])[ranks]
    return Results(deal, seating, points, np.ones(seating.shape, bool), ranks, np.ones(len(seating), bool))


def covered(bench: Bench, design: str, deals: int, runs: int, seed: int) -> dict[str, np.ndarray]:
    """Play tournaments and return, by statistic, which of its intervals hold the truth: shape (runs, intervals)."""
    from tournaments.ratings import ahead_matrix, fit_ratings, head_to_head, mean_points

    truths = [
        *(("mean", mean) for mean in bench.means()),
        *(("rating", strength * 400 / np.log(10)) for strength in bench.strengths),
        ("rating difference", (bench.strengths[0] - bench.strengths[-1]) * 400 / np.log(10)),
        *(("seat effect", effect * 400 / np.log(10)) for effect in bench.effects),
        ("head to head", bench.difference(0, bench.bots - 1)),
    ]
    pairs = list(combinations(range(bench.bots), 2))
    truths += [("ahead", bench.ahead(*pair)) for pair in pairs] + [("ahead, excess", 0.0) for _ in pairs]
    hits: dict[str, list[bool]] = {}
    for run in range(runs):
        results = bench.play(np.random.default_rng([seed, run]), deals, design)
        ratings = fit_ratings(results, bench.bots)
        matrix = ahead_matrix(results, ratings)
        met = [matrix.get(*pair) for pair in pairs]
        intervals = [
            *(mean.interval for mean in mean_points(results, bench.bots, run)),
            *(rating.interval for rating in ratings.bots),
            ratings.difference(0, bench.bots - 1).interval,
            *(rating.interval for rating in ratings.seats),
            head_to_head(results, 0, bench.bots - 1).interval,
            *(pair.interval for pair in met),
            *(pair.excess_interval for pair in met),
        ]
        for (name, truth), interval in zip(truths, intervals, strict=True):
            # There is no excess to judge between two bots at two seats.
            if interval is not None:
                hits.setdefault(name, []).append(interval[0] <= truth <= interval[1])
    return {name: np.array(held).reshape(runs, -1) for name, held in hits.items()}


STEPS = {
    "halves, even": (np.array([-1, -0.5, 0, 0.5, 1]), np.array([0.1, 0.2, 0.4, 0.2, 0.1])),
    "mostly equal": (np.array([-1, 0, 1]), np.array([0.05, 0.9, 0.05])),
    "skewed": (np.array([-1, 0, 3]), np.array([0.45, 0.4, 0.15])),
}
"""Differences of deals and their chances, of mean 0."""


def differences(name: str, t: float, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Draw differences whose mean over standard deviation is t exactly: the chances are tilted until it is."""
    from scipy.optimize import brentq

    values, chances = STEPS[name]

    def tilted(tilt: float) -> np.ndarray:
        weights = chances * np.exp(tilt * values)
        return weights / weights.sum()

    def excess(tilt: float) -> float:
        mean = float(tilted(tilt) @ values)
        return mean / float(tilted(tilt) @ (values - mean) ** 2) ** 0.5 - t

    return rng.choice(values, p=tilted(brentq(excess, -1, 2)), size=shape)


def sprt_runs(name: str, t: float, runs: int, seed: int) -> list[SprtResult]:
    """Run tests of t = 0 against t = 0.2 to their end."""
    drawn = differences(name, t, (runs, 4000), np.random.default_rng(seed))
    return [Sprt(0.0, 0.2, max_deals=4000).decide(row) for row in drawn]
