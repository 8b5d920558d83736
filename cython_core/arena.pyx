"""Memory of the arena in arena.pxd."""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc


cdef enum:
    SPARES = 8  # as many as bots and threads of a table commonly have

# Arenas that are free, for the next ones that ask: a bot lives for a game, and to map its memory anew would cost a game
# of short searches as much as the searches do. Used under the GIL only.
cdef Arena[SPARES] spares
cdef int spare_count = 0


cdef int arena_allocate(Arena* arena, uint32_t capacity) except -1:
    global spare_count
    cdef uint64_t size = 4
    cdef int i
    for i in range(spare_count - 1, -1, -1):
        if spares[i].capacity == capacity:
            arena[0] = spares[i]
            spare_count -= 1
            spares[i] = spares[spare_count]
            return 0
    while size < 2 * <uint64_t>capacity:
        size *= 2
    arena.nodes = <Node*>malloc(<size_t>capacity * sizeof(Node))
    arena.table = <uint64_t*>calloc(size, sizeof(uint64_t))
    if arena.nodes == NULL or arena.table == NULL:
        arena_release(arena)
        raise MemoryError(f"no memory for a search tree of {capacity} nodes: ask for fewer")
    arena.capacity = capacity
    arena.count = 0
    arena.mask = <uint32_t>(size - 1)
    arena.search = 0
    return 0


cdef void arena_free(Arena* arena) noexcept:
    global spare_count
    if arena.nodes != NULL and spare_count < SPARES:
        spares[spare_count] = arena[0]
        spare_count += 1
        arena.nodes = NULL
        arena.table = NULL
    else:
        arena_release(arena)


cdef void arena_release(Arena* arena) noexcept:
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
