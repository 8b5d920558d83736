"""Timed loops over the contract of game.pxd, for `dnup-ai bench`: what a caller in C pays for each operation."""

from cpython.ref cimport PyObject
from libc.stdlib cimport free, malloc
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from cython_core.evaluation cimport Evaluator
from cython_core.game cimport MAX_MOVES, MAX_SEATS, REWARDS, Policy, State, move_t, undo_t
from cython_core.rng cimport Rng, rng_below


cdef double _now() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec


def time_operations(list states not None, int repeats, Rng rng not None):
    """Seconds per copy, per list of legal moves, and per apply + undo of a random legal move.

    states: true states that are not over, of the same rules. They are visited in turn, `repeats` times, so that no
    branch is learnt by heart. Returns (copy, legal, apply_undo).
    """
    cdef Py_ssize_t n = len(states)
    cdef Py_ssize_t i
    cdef int _k
    cdef double started, copying, listing, playing
    cdef State state, scratch
    cdef move_t moves[MAX_MOVES]
    cdef undo_t undo
    cdef PyObject** at = <PyObject**>malloc(n * sizeof(PyObject*))
    cdef move_t* chosen = <move_t*>malloc(n * sizeof(move_t))
    if at == NULL or chosen == NULL:
        free(at)
        free(chosen)
        raise MemoryError
    scratch = (<State>states[0]).blank()
    for i in range(n):
        state = states[i]
        at[i] = <PyObject*>state
        chosen[i] = moves[rng_below(&rng.stream, state.c_legal_moves(moves))]
    started = _now()
    for _k in range(repeats):
        for i in range(n):
            scratch.c_copy_from(<State>at[i])
    copying = _now() - started
    started = _now()
    for _k in range(repeats):
        for i in range(n):
            (<State>at[i]).c_legal_moves(moves)
    listing = _now() - started
    started = _now()
    for _k in range(repeats):
        for i in range(n):
            (<State>at[i]).c_apply(chosen[i], &undo)
            (<State>at[i]).c_undo(&undo)
    playing = _now() - started
    free(at)
    free(chosen)
    return copying / (n * repeats), listing / (n * repeats), playing / (n * repeats)


def time_rollouts(list states not None, str policy not None, double epsilon, Rng rng not None, int max_turns):
    """Plays a copy of each true state out, by the policy `random` or `greedy`. Returns (seconds, turns)."""
    cdef double payoffs[MAX_SEATS]
    cdef State state
    cdef State scratch = (<State>states[0]).blank()
    cdef Policy chosen = Policy.GREEDY if policy == "greedy" else Policy.RANDOM
    cdef double started = _now()
    cdef long turns = 0
    for state in states:
        scratch.c_copy_from(state)
        turns += scratch.c_play_on(&rng.stream, chosen, epsilon, max_turns)
        scratch.c_payoffs(payoffs)
    return _now() - started, turns


def time_evaluations(list states not None, Evaluator evaluator not None, int repeats):
    """Seconds per evaluation of true states, visited in turn, `repeats` times."""
    cdef double table[REWARDS]
    cdef double rewards[MAX_SEATS]
    cdef Py_ssize_t n = len(states)
    cdef Py_ssize_t i
    cdef int _k
    cdef double started
    cdef PyObject** at = <PyObject**>malloc(n * sizeof(PyObject*))
    if at == NULL:
        raise MemoryError
    for i in range(n):
        at[i] = <PyObject*>states[i]
    (<State>states[0]).fill_rewards("tokens", table)
    started = _now()
    for _k in range(repeats):
        for i in range(n):
            evaluator.c_evaluate(<State>at[i], table, rewards)
    started = _now() - started
    free(at)
    return started / (n * repeats)
