"""A belief: how likely each world of a view is, after what the opponents have played."""

from libc.stdint cimport uint32_t

from cython_core.game cimport State, move_t
from cython_core.rng cimport rng_t


cdef class Belief:
    cdef readonly State view
    cdef State world  # scratch
    cdef State past
    cdef readonly bint informed
    cdef readonly bint listed
    cdef readonly int n
    cdef readonly double effective
    cdef double temperature
    cdef double floor
    cdef double* weights
    cdef uint32_t* kept  # those of the worlds that were weighed, by which the view or `streams` has them
    cdef bint by_list  # whether the view lists them, all or some
    cdef rng_t* streams  # of the worlds that are drawn: each draws its world anew, always the same
    cdef move_t* history
    cdef int n_history
    cdef move_t* moves
    cdef double* chances

    # The world with this index. It draws nothing and changes nothing: threads may share a belief.
    cdef void c_world(self, int index, State world) noexcept nogil
    # As many indices as there are worlds, each as often as its weight says, rounded up or down.
    cdef void c_draw(self, rng_t* rng, uint32_t* indices) noexcept nogil
    cdef bint weigh(self, double cpu, double wall) noexcept nogil
    cdef void c_world_at(self, uint32_t at, State world) noexcept nogil
    cdef double log_likelihood(self, State world) noexcept nogil
    cdef bint keep_weighed(self, int count) noexcept nogil
    cdef bint normalise(self) noexcept nogil
    cdef double power_sums(self, double power, double* total) noexcept nogil
