"""Memory of the arena in arena.pxd."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc


cdef int arena_allocate(Arena* arena, uint32_t capacity) except -1:
    cdef uint64_t size = 4
    while size < 2 * <uint64_t>capacity:
        size *= 2
    arena.nodes = <Node*>malloc(<size_t>capacity * sizeof(Node))
    arena.table = <uint64_t*>calloc(size, sizeof(uint64_t))
    if arena.nodes == NULL or arena.table == NULL:
        arena_free(arena)
        raise MemoryError(f"no memory for a search tree of {capacity} nodes: ask for fewer")
    arena.capacity = capacity
    arena.count = 0
    arena.mask = <uint32_t>(size - 1)
    arena.search = 0
    return 0


cdef void arena_free(Arena* arena) noexcept:
    free(arena.nodes)
    free(arena.table)
    arena.nodes = NULL
    arena.table = NULL


cdef void arena_clear(Arena* arena) noexcept nogil:
    cdef uint32_t slot
    arena.count = 0
    arena.search += 1
    if arena.search == 0:
        # The numbers of searches have come round: old entries would look new.
        for slot in range(arena.mask + 1):
            arena.table[slot] = 0
        arena.search = 1
