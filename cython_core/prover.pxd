"""Who wins within so many turns, when two seats play for one prize with all cards open."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from cython_core.game cimport REWARDS, Rules, State, move_t, undo_t

cdef enum:
    PROOF_DEPTH = 120  # turns that a proof may look ahead

# What is known of one state. A number of turns is that to the end, the next one included; 0: not known.
ctypedef struct ProverEntry:
    uint64_t key[2]
    uint32_t search  # number of the search that made it: entries of others count as empty
    int8_t seat  # that wins for certain; -1
    uint8_t within  # ... in at most so many turns
    uint8_t open  # nobody can force anything in so few turns

# One state on the way from the root.
ctypedef struct ProverFrame:
    undo_t undo
    uint32_t first  # of its moves, in the stack of moves
    uint32_t n


cdef class Prover:
    cdef readonly Rules rules
    cdef readonly int node_limit
    cdef ProverEntry* entries
    cdef ProverFrame* frames
    cdef move_t* moves
    cdef uint64_t* keys
    cdef uint32_t mask
    cdef uint32_t search
    cdef uint32_t used
    cdef uint32_t top  # moves on the stack
    cdef readonly uint32_t nodes  # states looked at
    cdef uint32_t stop_at
    cdef bint stopped
    cdef int within  # turns that the last proof took
    cdef bint mixed  # there was an end at which nobody gets all and which is no draw
    cdef double rewards[REWARDS]

    # Forgets everything; `table`: the rewards by which ends are judged from now on.
    cdef void begin(self, const double* table) noexcept nogil
    # The seat that can force its win in at most `depth` turns, or -1, of a state that is not over; -1 says nothing if
    # `stopped` is set then: more than `nodes` states were looked at, there is no room, or `mixed` is set.
    cdef int prove(self, State state, int depth, uint32_t nodes) noexcept nogil
    # The same for depths of 1 turn and more, up to `nodes` states; the first that proves something is `within`.
    cdef int deepen(self, State state, int deepest, uint32_t nodes) noexcept nogil
    cdef int look(self, State state, const uint64_t* key, int depth, int ply) noexcept nogil
    cdef ProverEntry* find_only(self, const uint64_t* key) noexcept nogil
    cdef ProverEntry* find(self, const uint64_t* key) noexcept nogil
    cdef int winner_of(self, State state, const double* endless) noexcept nogil
