"""The game's own evaluation, a linear one on its features, and the moves of a view by what follows them."""

from libc.math cimport exp
from libc.stdint cimport int8_t
from libc.stdlib cimport calloc, free

from cython_core.game cimport MAX_FEATURES, MAX_MOVES, MAX_SEATS, REWARDS, Rules, State, move_t
from cython_core.rng cimport Rng

cdef double LEAST = -15  # strength below the strongest seat's, so that no chance is 0 or lost in rounding


cdef class Evaluator:
    cdef void c_evaluate(self, State world, const double* table, double* rewards) noexcept nogil:
        if world.c_turn() < 0:
            world.c_rewards(table, rewards)
        else:
            world.c_evaluate(table, rewards)

    def fits(self, Rules rules not None):
        return True

    def evaluate(self, State state not None, str kind="tokens"):
        cdef double table[REWARDS]
        cdef double rewards[MAX_SEATS]
        _require(self, state)
        if state.c_view() >= 0:
            raise ValueError("an evaluation starts from a true state, not from a view: determinise it first")
        state.fill_rewards(kind, table)
        self.c_evaluate(state, table, rewards)
        state.raise_pending()
        return tuple([rewards[seat] for seat in range(state.rules.players)])


cdef class LinearEvaluator(Evaluator):
    def __init__(self, Rules rules not None, weights, double later=1.0):
        names = rules.feature_names()
        self.rules = rules
        self.later = later
        if not 0 <= later <= 2:
            raise ValueError(f"later: expected 0 to 2, got {later!r}")
        self.weights = tuple([float(weight) for weight in weights])
        self.n = len(names)
        if not 0 < len(self.weights) == self.n <= MAX_FEATURES:
            raise ValueError(f"weights: expected {self.n} of them, one a feature of {rules}, got {len(self.weights)}")
        for i, weight in enumerate(self.weights):
            if not -1e6 <= weight <= 1e6:
                raise ValueError(f"weights: expected numbers up to a million, got {weight!r} for {names[i]}")
            self.weight[<int>i] = weight

    def fits(self, Rules rules not None):
        return (
            self.rules.game == rules.game and self.rules.players == rules.players
            and self.rules.feature_names() == rules.feature_names()
            and self.rules.evaluation_key() == rules.evaluation_key()
        )

    def chances(self, State state not None):
        cdef double strengths[MAX_SEATS]
        _require(self, state)
        state._require_going("chances are")
        self.c_strengths(state, strengths)
        come = state.ranks()
        weights = [0.0 if come[seat] else exp(strengths[seat]) for seat in range(state.rules.players)]
        return tuple([weight / sum(weights) for weight in weights])

    cdef void c_strengths(self, State world, double* strengths) noexcept nogil:
        cdef double features[MAX_SEATS * MAX_FEATURES]
        cdef int8_t ranks[MAX_SEATS]
        cdef int players = world.rules.players
        cdef int n = self.n
        cdef int seat, i
        cdef double even, odd
        cdef double most = -1e300
        cdef const double* row
        world.c_features(features)
        world.c_ranks(ranks)
        for seat in range(players):
            row = features + seat * n
            # In two sums, since one addition would wait for the other.
            even = 0
            odd = 0
            for i in range(0, n - 1, 2):
                even += self.weight[i] * row[i]
                odd += self.weight[i + 1] * row[i + 1]
            if n & 1:
                even += self.weight[n - 1] * row[n - 1]
            strengths[seat] = even + odd
            # A seat that is out has no features, and its strength of 0 must not make all others weak.
            if not ranks[seat]:
                most = max(most, strengths[seat])
        for seat in range(players):
            strengths[seat] = max(strengths[seat] - most, LEAST)

    cdef void c_evaluate(self, State world, const double* table, double* rewards) noexcept nogil:
        cdef double weights[MAX_SEATS]
        cdef double later[MAX_SEATS]
        cdef int seat
        if world.c_turn() < 0:
            world.c_rewards(table, rewards)
            return
        self.c_strengths(world, weights)
        for seat in range(world.rules.players):
            later[seat] = exp(self.later * weights[seat])
            weights[seat] = exp(weights[seat])
        world.c_expect(weights, later, table, rewards)


def move_values(State view not None, Evaluator evaluator not None, Rng rng not None, str reward not None, int worlds):
    cdef double table[REWARDS]
    cdef double rewards[MAX_SEATS]
    cdef move_t moves[MAX_MOVES]
    cdef double* sums
    cdef State world, after
    cdef int seat = view.c_turn()
    cdef int i, n, _w
    if worlds < 1:
        raise ValueError(f"worlds: expected 1 or more, got {worlds}")
    if seat < 0:
        raise ValueError("the round is over: there is no move to evaluate")
    if view.c_view() not in (-1, seat):
        raise ValueError(f"seat {view.view} cannot know the moves of seat {seat}, whose turn it is")
    _require(evaluator, view)
    world = view.copy()
    after = view.copy()
    view.fill_rewards(reward, table)
    n = view.c_legal_moves(moves)
    view.raise_pending()
    sums = <double*>calloc(n, sizeof(double))
    if sums == NULL:
        raise MemoryError
    with nogil:
        for _w in range(worlds):
            if view.c_view() >= 0:
                view.c_determinise(&rng.stream, world)
            for i in range(n):
                after.c_copy_from(world)
                after.c_apply(moves[i], NULL)
                evaluator.c_evaluate(after, table, rewards)
                sums[i] += rewards[seat]
    values = [sums[i] / worlds for i in range(n)]
    free(sums)
    view.raise_pending()
    return values


cdef int _require(Evaluator evaluator, State state) except -1:
    if not evaluator.fits(state.rules):
        raise ValueError(f"the evaluator is of other rules than this state: {state}")
    return 0
