"""Statistics of every level, every pair of levels and every setting: how it scored and how often it was tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from tournaments.results import Floats, Ints

EPSILON = 0.5
"""Keeps the bonus of what was never tried finite."""


class TupleModel:
    """Statistics of 1-, 2- and N-tuples: a table row for each combination of levels of each tuple of dimensions."""

    def __init__(self, sizes: Sequence[int]) -> None:
        dimensions = range(len(sizes))
        tuples = [(i,) for i in dimensions] + (list(combinations(dimensions, 2)) if len(sizes) > 2 else [])
        # Where in the table the row of a tuple is: an offset, and a stride for each of its dimensions.
        self._strides = np.zeros((len(sizes), len(tuples)), dtype=np.int64)
        self._offsets = np.zeros(len(tuples), dtype=np.int64)
        rows = 0
        for column, dims in enumerate(tuples):
            self._offsets[column] = rows
            stride = 1
            for dim in dims:
                self._strides[dim, column] = stride
                stride *= sizes[dim]
            rows += stride
        self._visits = np.zeros(rows)
        self._sums = np.zeros(rows)
        self._whole: dict[bytes, tuple[float, float]] = {}  # visits and sum of whole settings
        self.total = 0.0
        self.sum = 0.0

    def add(self, places: Ints, score: float) -> None:
        """Take the score of an evaluation of a setting, of shape (dimensions,)."""
        rows = self._rows(places[None])[0]
        self._visits[rows] += 1
        self._sums[rows] += score
        key = places.tobytes()
        visits, total = self._whole.get(key, (0.0, 0.0))
        self._whole[key] = (visits + 1, total + score)
        self.total += 1
        self.sum += score

    def statistics(self, settings: Ints) -> tuple[Floats, Floats]:
        """Return visits and sums of each tuple of settings of shape (n, dimensions): two of shape (n, tuples)."""
        rows = self._rows(settings)
        whole = np.array([self._whole.get(places.tobytes(), (0.0, 0.0)) for places in settings]).reshape(-1, 2)
        return (
            np.column_stack([self._visits[rows], whole[:, 0]]),
            np.column_stack([self._sums[rows], whole[:, 1]]),
        )

    def upper_bounds(self, settings: Ints, exploration: float) -> Floats:
        """Return the upper confidence bound of each setting: the mean of those of its tuples.

        exploration: the weight of the bonus, in units of the scores. The formula is that of Lucas, Liu and
        Perez-Liebana (2018); what was never tried has the mean of all evaluations.
        """
        visits, sums = self.statistics(settings)
        overall = self.sum / self.total if self.total else 0.0
        means = np.where(visits > 0, sums / np.maximum(visits, 1), overall)
        bonus = exploration * np.sqrt(math.log(1 + self.total) / (visits + EPSILON))
        return np.asarray((means + bonus).mean(axis=1), dtype=np.float64)

    def _rows(self, settings: Ints) -> Ints:
        return np.asarray(self._offsets + settings @ self._strides, dtype=np.int64)
