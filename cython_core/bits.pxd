"""Sets of cards as the bits of a 64-bit word."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define dnup_popcount(x) __builtin_popcountll(x)
    #define dnup_lowest(x) __builtin_ctzll(x)
    """
    int popcount "dnup_popcount"(uint64_t x) noexcept nogil
    # Index of the lowest bit; x must not be 0.
    int lowest "dnup_lowest"(uint64_t x) noexcept nogil
