"""Known noisy functions to tune, with the noise of games. Not tests themselves.

A paired difference per deal is the true gain of the setting over the default, plus luck of the deal, which settings on
common deals share in part, as they share the baseline's cards, plus luck of the games; its standard deviation is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

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
    return np.array([np.random.default_rng((seed, deal, *places)).standard_normal() for deal in deals])


def _ordered(name: str, count: int) -> Dimension:
    return Dimension(name, tuple(range(count)), True)


def smooth() -> Known:
    """Five numbers of 8 levels, each with a best level: 0.3 from the default to the best, most of it from two."""
    best, weights = (2, 6, 1, 5, 3), (0.4, 0.3, 0.15, 0.1, 0.05)
    space = Space(tuple(_ordered(f"x{i}", 8) for i in range(5)), (5, 3, 4, 2, 6))

    def value(setting: Setting) -> float:
        return -sum(w * (int(x) - b) ** 2 for x, b, w in zip(setting, best, weights, strict=True))

    scale = 0.3 / -value(space.default)
    return Known(space, lambda setting: scale * (value(setting) - value(space.default)))


def ridge() -> Known:
    """A mode that turns two other parameters on, which pay only together, along a diagonal; the rest does nothing.

    In the default's mode nothing matters but x2, and there is next to nothing to gain. In the mode `tree` the gain is
    0.25 where a = b, and lost two levels off it; `fast` loses 0.1.
    """
    mode = Dimension("mode", ("plain", "tree", "fast"), False)
    dimensions = (mode, _ordered("a", 7), _ordered("b", 7), _ordered("x2", 5), _ordered("idle", 4))
    space = Space((*dimensions, Dimension("flag", (False, True), False)), ("plain", 1, 5, 2, 0, False))

    def gain(setting: Setting) -> float:
        chosen, a, b, x2, _, _ = setting
        small = 0.01 * (1 - abs(int(x2) - 3)) if chosen != "fast" else -0.1
        on = 0.25 * max(0.0, 1 - abs(int(a) - int(b)) / 2) - 0.05 * (int(a) < 2) if chosen == "tree" else 0.0
        return small + on

    return Known(space, lambda setting: gain(setting) - gain(space.default))


def flat() -> Known:
    """Nothing matters."""
    return Known(ridge().space, lambda setting: 0.0)
