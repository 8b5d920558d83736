"""dnup behind the contract of game.pxd. The rules themselves are in dnup_rules.pxd and dnup_view.pxd."""

from libc.stdint cimport uint64_t

from cython_core.dnup_data cimport DnupData, DnupTables
from cython_core.game cimport Rules, State


cdef class DnupRules(Rules):
    cdef DnupTables tables
    cdef readonly tuple cards
    cdef readonly tuple star
    cdef readonly str out_sets
    cdef dict _index


cdef class DnupState(State):
    cdef const DnupTables* tables
    cdef DnupData data
    cdef uint64_t _bit(self, str field, int active, int inactive, set seen) except 0
