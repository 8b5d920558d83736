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


cdef class Rng:
    cdef rng_t stream
