"""Known noisy functions to tune, with the noise of games. Not tests themselves.

A paired difference per deal is the true gain of the setting over the default, plus luck of the deal, which settings on
common deals share in part, as they share the baseline's cards, plus luck of the games; its standard deviation is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from tournaments.tune.space import Dimension, Setting, Space

SHARED = 0.25
"""Share of the variance that settings on common deals have in common."""


@dataclass(frozen=True)
class Known:
    """A function of which the truth is known: the gain of a setting over the default, in points."""

    space: Space
    gain: Callable[[Setting], float]

    def evaluator(self, seed: int) -> Callable[[Sequence[Setting], range], list[list[float]]]:
        """Return what plays it; a seed is one course of luck, and each setting has its own on each deal."""

        def evaluate(settings: Sequence[Setting], deals: range) -> list[list[float]]:
            shared = _normal(seed, deals, ())
            return [
                list(
                    self.gain(setting)
                    + np.sqrt(SHARED) * shared
                    + np.sqrt(1 - SHARED) * _normal(seed, deals, self.space.places(setting))
                )
                for setting in settings
            ]

        return evaluate


def _normal(seed: int, deals: range, places: tuple[int, ...]) -> np.ndarray:
    """Standard normal numbers that depend on seed, deal and setting alone: the hash of all (SplitMix64) as a share."""
    key = seed + 1
    for place in places:
        key = (key * 1_000_003 + place + 1) % 2**61
    mixed = np.arange(deals.start, deals.stop, dtype=np.uint64) + np.uint64(key * 0x9E3779B97F4A7C15 % 2**64)
    for _ in range(2):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return ndtri((mixed >> np.uint64(11)) / 2**53 + 2**-54)


def _ordered(name: str, count: int) -> Dimension:
    return Dimension(name, tuple(range(count)), True)


def smooth() -> Known:
    """Six numbers of 7 levels, each with a best level that is not the default's.

    The best setting is 0.24 above the default, a random one 0.24 below it on average: the default is sensible.
    """
    best, default = (2, 4, 1, 4, 3, 2), (4, 2, 2, 3, 4, 3)
    weights = (0.03, 0.02, 0.015, 0.01, 0.01, 0.005)
    space = Space(tuple(_ordered(f"x{i}", 7) for i in range(6)), default)

    def gain(setting: Setting) -> float:
        lost = [
            weight * ((int(x) - top) ** 2 - (start - top) ** 2)
            for x, top, start, weight in zip(setting, best, default, weights, strict=True)
        ]
        return -sum(lost)

    return Known(space, gain)


def ridge() -> Known:
    """A mode that turns two other parameters on, which pay only together, along a diagonal; two more do nothing.

    In the default's mode only `c` matters, by 0.02. In the mode `tree` a setting is 0.2 above the default where a = b,
    0.05 next to it, and 0.15 below everywhere else, so that the mode looks bad on average; `fast` is 0.15 below.
    """
    dimensions = (
        Dimension("mode", ("plain", "tree", "fast"), False),
        _ordered("a", 9),
        _ordered("b", 9),
        _ordered("c", 3),
        _ordered("idle", 5),
        Dimension("flag", (False, True), False),
    )
    space = Space(dimensions, ("plain", 2, 6, 0, 2, False))

    def gain(setting: Setting) -> float:
        mode, a, b, c, _, _ = setting
        small = 0.02 * (c == 1)
        if mode == "tree":
            return small + {0: 0.2, 1: 0.05}.get(abs(int(a) - int(b)), -0.15)
        return small - 0.15 * (mode == "fast")

    return Known(space, gain)


def flat() -> Known:
    """Nothing matters."""
    return Known(ridge().space, lambda setting: 0.0)
