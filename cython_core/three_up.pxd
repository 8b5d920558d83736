"""3UP 3DOWN behind the contract of game.pxd. The rules are in three_up_rules.pxd and three_up_view.pxd."""

from libc.stdint cimport uint64_t

from cython_core.game cimport Rules, State
from cython_core.three_up_data cimport ThreeUpData, ThreeUpTables


cdef class ThreeUpRules(Rules):
    cdef ThreeUpTables tables
    cdef readonly tuple counts


cdef class ThreeUpState(State):
    cdef const ThreeUpTables* tables
    cdef ThreeUpData data
    cdef uint64_t _place(self, str field, cards, uint64_t* placed) except? 0
    cdef int _lay(self, str field, stack, int limit, uint64_t* placed) except -1
