"""The contract of game.pxd for games that are written in plain Python."""

from cython_core.game cimport Rules, State, move_t
from cython_core.rng cimport rng_t


cdef class Fault:
    cdef object error  # what the game's own code raised first
    cdef bint failed


cdef class PythonRules(Rules):
    cdef readonly double low
    cdef readonly double high


cdef class PythonState(State):
    cdef readonly object data  # immutable, so that copies can share it
    cdef object past  # (data, past) before each move that can be undone, None: none
    cdef Fault fault  # shared by all states that were made from one another
    cdef int turn_seat  # of this data; -1: the round is over
    cdef int view_seat
    cdef void _fail(self, error)
    cdef int _become(self, data, int view) except -1
    cdef list _codes(self)
    cdef move_t _greedy(self, rng_t* rng, double epsilon) except 0
    cdef object _deal(self, rng_t* rng)
    cdef int _rewards(self, const double* table, double* rewards, bint evaluate) except -1
