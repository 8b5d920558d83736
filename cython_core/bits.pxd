"""Sets of cards as the bits of a 64-bit word."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #define dnup_popcount(x) __builtin_popcountll(x)
    #define dnup_lowest(x) __builtin_ctzll(x)
    #define dnup_prefetch(p) __builtin_prefetch(p)
    """
    int popcount "dnup_popcount"(uint64_t x) noexcept nogil
    # Index of the lowest bit; x must not be 0.
    int lowest "dnup_lowest"(uint64_t x) noexcept nogil
    # Asks for the cache line at p, which will be read soon.
    void prefetch "dnup_prefetch"(const void* p) noexcept nogil
