"""The random numbers of the engine: one small stream per purpose."""

from libc.stdint cimport uint32_t, uint64_t

CHANCE_SEAT = 0xFFFFFFFF


cdef class Rng:
    CHANCE = CHANCE_SEAT

    def __init__(self, run, deal=0, game=0, seat=CHANCE_SEAT):
        cdef uint32_t parts[4]
        # One 32-bit word a part, so that no two lists of parts mean the same words to the seed sequence.
        parts[0] = _seed_word(run)
        parts[1] = _seed_word(deal)
        parts[2] = _seed_word(game)
        parts[3] = _seed_word(seat)
        rng_seed(&self.stream, parts)

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

    def __reduce__(self):
        return _unpickle_rng, (self.stream.s[0], self.stream.s[1], self.stream.s[2], self.stream.s[3])


def _unpickle_rng(uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3):
    cdef Rng rng = Rng.__new__(Rng)
    rng.stream.s[0] = s0
    rng.stream.s[1] = s1
    rng.stream.s[2] = s2
    rng.stream.s[3] = s3
    return rng


cdef uint32_t _seed_word(part) except? 0:
    if not (isinstance(part, int) and 0 <= part < 2**32):
        raise ValueError(f"a seed is an integer from 0 to 4294967295, got {part!r}")
    return part
