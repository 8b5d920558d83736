"""The random numbers of the engine: one small stream per purpose."""

from numpy.random import SeedSequence

CHANCE_SEAT = 0xFFFFFFFF


cdef class Rng:
    CHANCE = CHANCE_SEAT

    def __init__(self, run, deal=0, game=0, seat=CHANCE_SEAT):
        parts = [run, deal, game, seat]
        for part in parts:
            # One 32-bit word a part, so that no two lists of parts mean the same words to SeedSequence.
            if not (isinstance(part, int) and 0 <= part < 2**32):
                raise ValueError(f"a seed is an integer from 0 to 4294967295, got {part!r}")
        words = SeedSequence(parts).generate_state(4, "u8")
        for i in range(4):
            self.stream.s[i] = words[i]

    def below(self, n):
        if not 1 <= n < 2**32:
            raise ValueError(f"expected n from 1 to 4294967295, got {n!r}")
        return rng_below(&self.stream, n)

    def random(self):
        return rng_double(&self.stream)

    def choice(self, items):
        if not len(items):
            raise ValueError("nothing to choose from: the sequence is empty")
        return items[rng_below(&self.stream, len(items))]

    def bits(self):
        return rng_bits(&self.stream)

    def spawn(self):
        cdef Rng child = Rng.__new__(Rng)
        for i in range(4):
            child.stream.s[i] = rng_bits(&self.stream)
        return child

    def copy(self):
        cdef Rng other = Rng.__new__(Rng)
        other.stream = self.stream
        return other
