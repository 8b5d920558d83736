"""dnup-pile behind the contract of game.pxd. The rules themselves are in pile_rules.pxd and pile_view.pxd."""

from libc.stdint cimport uint64_t

from cython_core.game cimport Rules, State
from cython_core.pile_data cimport PileData, PileTables


cdef class PileRules(Rules):
    cdef PileTables tables
    cdef readonly tuple cards
    cdef readonly int piles
    cdef readonly str match
    cdef readonly int revolves
    cdef readonly str reshuffle
    cdef readonly str one_point
    cdef readonly str blocked
    cdef dict _index


cdef class PileState(State):
    cdef const PileTables* tables
    cdef PileData data
    cdef uint64_t _bit(self, str field, int first, int second, set seen) except 0
