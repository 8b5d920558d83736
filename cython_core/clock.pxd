"""The clocks that budgets are measured by."""

from posix.time cimport CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec


# Seconds of the CPU that this thread has used, or of the clock.
cdef inline double seconds(bint thread) noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_THREAD_CPUTIME_ID if thread else CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec
