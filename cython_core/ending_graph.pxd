"""The graph of an ending with all cards open: its states and moves, and what they are worth (ending_graph.pyx)."""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from cython_core.game cimport MAX_SEATS, REWARDS, State, move_t, undo_t
from cython_core.prover cimport Prover

cdef enum Status:
    UNSEEN = 0  # found, not expanded
    OPEN = 1  # expanded, not decided
    PENDING = 2  # decided in the layer that is being worked on
    DECIDED = 3

# One state.
ctypedef struct GraphNode:
    uint64_t key[2]
    double reward[MAX_SEATS]  # of an open one: what a round gives that is never decided
    double bound  # no more can the seat to move get
    uint32_t edges  # the first of those that leave it; they lie side by side
    uint32_t n_edges
    uint32_t before  # the first of those that lead to it
    uint32_t left  # successors that are not decided
    uint32_t rank  # turns until the value is certain
    int8_t turn  # -1: the round is over
    uint8_t status
    uint8_t movers  # bits of the seats that move from here on
    bint mark

# One move from a state to another.
ctypedef struct GraphEdge:
    uint32_t parent
    uint32_t child
    uint32_t next  # edge that leads to the same child
    move_t move


cdef class EndingGraph:
    cdef readonly int node_limit
    cdef uint32_t edge_limit
    cdef GraphNode* nodes
    cdef GraphEdge* edges
    cdef uint64_t* table  # number of the graph << 32 | index of a node
    cdef uint32_t mask
    cdef uint32_t graph
    cdef uint32_t n_nodes
    cdef uint32_t n_edges
    cdef uint32_t* path  # node and next edge, by depth
    cdef undo_t* undos
    cdef uint32_t* queue
    cdef move_t* moves
    cdef uint64_t* keys
    cdef uint32_t* children
    cdef double rewards[REWARDS]
    cdef int seats
    cdef Prover prover
    cdef bint proving  # two seats and one prize
    cdef uint32_t last_given  # highest rank of a node that was decided without its moves
    cdef uint8_t movers  # of the whole graph
    cdef double endless[MAX_SEATS]  # what the round gives if it is never decided
    cdef uint32_t n_queue
    cdef uint32_t layer
    cdef uint32_t endless_from  # nodes of this rank and above are never decided by an end

    cdef void clear(self) noexcept nogil
    cdef uint32_t find_or_add(self, const uint64_t* key) noexcept nogil
    cdef bint expand(self, State state, uint32_t index, bint whole) noexcept nogil
    cdef bint is_proven(self, State state, GraphNode* node) noexcept nogil
    cdef bint explore(self, State state, uint32_t root) noexcept nogil

    cdef void settle(self, uint32_t begin) noexcept nogil
    cdef void push(self, uint32_t index) noexcept nogil
    cdef void choose(self, GraphNode* node) noexcept nogil
    cdef void find_movers(self) noexcept nogil
    cdef void find_bounds(self) noexcept nogil
    cdef void find_common_bounds(self) noexcept nogil
    cdef double next_end(self, int seat, double below) noexcept nogil
    cdef bint is_duel(self, uint8_t pair) noexcept nogil
    cdef bint alike(self, const double* x, const double* y) noexcept nogil
    cdef void decide_all(self) noexcept nogil
    cdef int look_ahead(self, int depth) except -1
