"""The nodes of search trees: by index, in memory of fixed size, children found through one hash table.

Nothing is allocated while a search runs, and starting a new one clears nothing: the table's entries bear the number
of the search that made them.
"""

from libc.stdint cimport uint32_t, uint64_t

from cython_core.bits cimport prefetch
from cython_core.game cimport MAX_SEATS, move_t

cdef enum:
    NO_NODE = 0xFFFFFFFF

ctypedef struct Node:
    uint64_t key  # of the move that leads here, as the root seat observes it
    uint32_t parent
    move_t move  # the move, or one of those with this key
    uint32_t visits
    uint32_t available  # iterations in which it could have been chosen from its parent
    uint32_t seen  # number of the last iteration that counted it as available
    uint32_t depth
    double reward[MAX_SEATS]  # sum over the visits, by seat

ctypedef struct Arena:
    Node* nodes
    uint64_t* table  # number of the search << 32 | index of a node
    uint32_t capacity
    uint32_t count
    uint32_t mask  # size of the table - 1
    uint32_t search


cdef int arena_allocate(Arena* arena, uint32_t capacity) except -1
cdef void arena_free(Arena* arena) noexcept
# Empties the arena for a new search.
cdef void arena_clear(Arena* arena) noexcept nogil


cdef inline uint32_t arena_slot(const Arena* arena, uint32_t parent, uint64_t key) noexcept nogil:
    """Where the search for a child begins."""
    cdef uint64_t h = (key ^ (<uint64_t>parent << 32)) * <uint64_t>0x9E3779B97F4A7C15
    return <uint32_t>(h >> 32) & arena.mask


cdef inline void arena_prefetch(const Arena* arena, uint32_t parent, uint64_t key) noexcept nogil:
    """Fetches the table's line for a child that will be looked up soon."""
    prefetch(&arena.table[arena_slot(arena, parent, key)])


cdef inline uint32_t arena_find(const Arena* arena, uint32_t parent, uint64_t key) noexcept nogil:
    """The child of `parent` with this key, or NO_NODE."""
    cdef uint32_t slot = arena_slot(arena, parent, key)
    cdef uint64_t entry = arena.table[slot]
    cdef uint32_t index
    while entry >> 32 == arena.search:
        index = <uint32_t>entry
        if arena.nodes[index].key == key and arena.nodes[index].parent == parent:
            return index
        slot = (slot + 1) & arena.mask
        entry = arena.table[slot]
    return NO_NODE


cdef inline uint32_t arena_add(Arena* arena, uint32_t parent, uint64_t key, move_t move) noexcept nogil:
    """A new child, which must not exist yet; NO_NODE if the arena is full."""
    cdef uint32_t slot
    cdef int seat
    cdef Node* node
    if arena.count == arena.capacity:
        return NO_NODE
    slot = arena_slot(arena, parent, key)
    while arena.table[slot] >> 32 == arena.search:
        slot = (slot + 1) & arena.mask
    arena.table[slot] = <uint64_t>arena.search << 32 | arena.count
    node = &arena.nodes[arena.count]
    node.key = key
    node.parent = parent
    node.move = move
    node.visits = 0
    node.available = 0
    node.seen = 0
    node.depth = 0 if parent == NO_NODE else arena.nodes[parent].depth + 1
    for seat in range(MAX_SEATS):
        node.reward[seat] = 0
    arena.count += 1
    return arena.count - 1
