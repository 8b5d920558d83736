"""Evaluations: what the leaf of a search is worth to each seat, and the seam where better ones come in.

A search is given one Evaluator, which it never changes and threads may share. This one asks the game's own evaluation.
A linear one, weights on the game's features, is below.

A learned network is a third one: it turns a state into a weight per seat and hands these to State.c_expect, which knows
what they mean in the game. If its inputs are to be updated move by move it keeps them beside the state, not in it: the
search then makes such memory once a worker (a virtual `make_memory`), fills it for each world it draws (`c_begin`), and
updates it in Searcher.descend with each move that it plays there (`c_move`, before State.c_apply, from which the
features that change are known); State.c_play_on, which plays without the search, must be followed by `c_begin` unless
`rollout_turns` is 0. Evaluators without memory then override none of these.
"""

from cython_core.game cimport MAX_FEATURES, Rules, State


cdef class Evaluator:
    # Per seat, by a table of rewards (State.fill_rewards): the reward to expect of this true state, over or not.
    cdef void c_evaluate(self, State world, const double* table, double* rewards) noexcept nogil


cdef class LinearEvaluator(Evaluator):
    cdef readonly Rules rules
    cdef readonly tuple weights
    cdef readonly double later
    cdef double weight[MAX_FEATURES]  # zeros after the features there are
    cdef int n
    # Per seat: its strength less that of the strongest; 15 below that is the least.
    cdef void c_strengths(self, State world, double* strengths) noexcept nogil
