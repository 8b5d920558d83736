"""A model of what somebody plays who holds a hand: the game's heuristic, sharpened.

It says how likely a move makes a world (belief.pyx), and what an opponent in the tree plays with some chance, in place
of the rule of selection, as in restricted Nash responses (Johanson, Zinkevich, Bowling: Computing Robust
Counter-Strategies, NIPS 2007).
"""

from libc.math cimport pow

from cython_core.game cimport State, move_t


cdef inline void model_fill(
    State world, const move_t* moves, int n, double temperature, double* chances
) noexcept nogil:
    """A probability for each of the legal moves of this true state, in proportion to its prior ** temperature."""
    cdef double total = 0
    cdef int i
    world.c_priors(moves, n, chances)
    for i in range(n):
        chances[i] = pow(chances[i], temperature)
        total += chances[i]
    for i in range(n):
        chances[i] /= total
