"""The random numbers of the engine: one small stream per purpose."""

from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")

class Rng:
    """A stream of random numbers (xoshiro256++, Blackman and Vigna 2021).

    `Rng(run, deal, game, seat)` is seeded with the numbers of NumPy's `SeedSequence([run, deal, game, seat])`; every
    part is an integer from 0 to 2**32 - 1. Streams of different parts are independent. A pickled stream goes on where
    it was.
    """

    CHANCE: int
    """The `seat` of the stream that shuffles and deals."""

    def __init__(self, run: int, deal: int = 0, game: int = 0, seat: int = ...) -> None: ...
    def below(self, n: int) -> int:
        """An integer from 0 to n - 1, each exactly equally likely; 1 <= n < 2**32."""
    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
    def choice(self, items: Sequence[_T]) -> _T: ...
    def bits(self) -> int:
        """64 random bits."""
    def spawn(self) -> Rng:
        """A new stream, its state made of this one's next 256 bits."""
    def copy(self) -> Rng: ...
