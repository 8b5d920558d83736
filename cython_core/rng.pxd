"""The random numbers of the engine: xoshiro256++ (Blackman and Vigna, ACM TOMS 47(4), 2021), inline."""

from libc.stdint cimport uint32_t, uint64_t

ctypedef struct rng_t:
    uint64_t s[4]


cdef inline uint64_t _rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t rng_bits(rng_t* rng) noexcept nogil:
    """64 random bits."""
    cdef uint64_t result = _rotl(rng.s[0] + rng.s[3], 23) + rng.s[0]
    cdef uint64_t t = rng.s[1] << 17
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= rng.s[1]
    rng.s[1] ^= rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = _rotl(rng.s[3], 45)
    return result


cdef inline uint32_t rng_below(rng_t* rng, uint32_t n) noexcept nogil:
    """An integer from 0 to n - 1, exactly uniform (Lemire, ACM TOMACS 29(1), 2019); n >= 1."""
    cdef uint64_t product = (rng_bits(rng) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t>product < n:
        threshold = (-n) % n
        while <uint32_t>product < threshold:
            product = (rng_bits(rng) >> 32) * n
    return <uint32_t>(product >> 32)


cdef inline double rng_double(rng_t* rng) noexcept nogil:
    """A number in [0, 1) with 53 random bits."""
    return <double>(rng_bits(rng) >> 11) * (1.0 / 9007199254740992.0)


# The seed sequence: M. E. O'Neill, "Developing a seed_seq alternative" (pcg-random.org, 2015), seed_seq_fe128, with the
# constants and the way of drawing numbers that NumPy's SeedSequence has. Four words fill its pool exactly.

cdef inline uint32_t _seed_hash(uint32_t value, uint32_t* mult, uint32_t step) noexcept nogil:
    value ^= mult[0]
    mult[0] *= step
    value *= mult[0]
    return value ^ (value >> 16)


cdef inline uint32_t _seed_mix(uint32_t x, uint32_t y) noexcept nogil:
    cdef uint32_t mixed = <uint32_t>0xCA01F9DD * x - <uint32_t>0x4973F715 * y
    return mixed ^ (mixed >> 16)


cdef inline void rng_seed(rng_t* rng, const uint32_t* parts) noexcept nogil:
    """Seed with four words: the numbers of NumPy's `SeedSequence(parts).generate_state(4, "u8")`."""
    cdef uint32_t pool[4]
    cdef uint32_t mult = 0x43B0D7E5
    cdef uint64_t low
    cdef int i, j
    for i in range(4):
        pool[i] = _seed_hash(parts[i], &mult, 0x931E8875)
    for i in range(4):
        for j in range(4):
            if i != j:
                pool[j] = _seed_mix(pool[j], _seed_hash(pool[i], &mult, 0x931E8875))
    mult = 0x8B51F9DD
    for i in range(4):
        low = _seed_hash(pool[2 * i & 3], &mult, 0x58F38DED)
        rng.s[i] = low | <uint64_t>_seed_hash(pool[2 * i + 1 & 3], &mult, 0x58F38DED) << 32


cdef class Rng:
    cdef rng_t stream
