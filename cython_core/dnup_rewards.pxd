"""What outcomes of a round of dnup are worth, and what a state that is not over promises."""

from libc.math cimport exp

from cython_core.dnup_data cimport DNUP_SEATS, DnupData, DnupTables
from cython_core.dnup_greedy cimport TURN, GreedyHand, greedy_best_of, greedy_count
from cython_core.game cimport MAX_SEATS


cdef inline double* dnup_row(const double* table, int first, int second) noexcept nogil:
    """The rewards by seat when these seats are out, in this order; -1: nobody yet."""
    return <double*>&table[((first + 1) * (DNUP_SEATS + 1) + second + 1) * MAX_SEATS]


cdef inline void dnup_rewards(
    const DnupTables* t, const DnupData* s, const double* table, double* rewards
) noexcept nogil:
    cdef const double* row = dnup_row(table, s.out[0], s.out[1])
    cdef int seat
    for seat in range(t.players):
        rewards[seat] = row[seat]


cdef inline double dnup_strength(const DnupTables* t, const DnupData* s, int seat) noexcept nogil:
    """How near a seat is to being out: minus the turns that its hand is expected to need, and those it waits."""
    cdef GreedyHand hand
    cdef double turns
    cdef int wait
    greedy_count(t, s, seat, &hand)
    turns = <double>greedy_best_of(hand.cost, hand.flipped) / TURN
    wait = seat - s.turn
    if wait < 0:
        wait += t.players
    # Weights: maximum likelihood of who was out first in some 7,000 greedy rounds from positions of the standard deck.
    if t.players == 2:
        return -0.35 * turns - 0.45 * <double>wait / t.players
    return -0.7 * turns - 0.85 * <double>wait / t.players


cdef inline void dnup_evaluate(
    const DnupTables* t, const DnupData* s, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards: who is out next is drawn by a softmax of the strengths of those still in, then the second by
    one of the rest (Plackett, Applied Statistics 24(2), 1975)."""
    cdef double weight[DNUP_SEATS]
    cdef double total = 0
    cdef double rest, chance
    cdef const double* row
    cdef int i, j, seat
    cdef bint last = t.players == 2
    if s.turn < 0:
        dnup_rewards(t, s, table, rewards)
        return
    for seat in range(t.players):
        rewards[seat] = 0
        weight[seat] = 0 if s.n_out and seat == s.out[0] else exp(dnup_strength(t, s, seat))
        total += weight[seat]
    for i in range(t.players):
        if weight[i] == 0:
            continue
        chance = weight[i] / total
        if s.n_out or last:
            row = dnup_row(table, s.out[0], i) if s.n_out else dnup_row(table, i, -1)
            for seat in range(t.players):
                rewards[seat] += chance * row[seat]
            continue
        rest = total - weight[i]
        for j in range(t.players):
            if j != i:
                row = dnup_row(table, i, j)
                for seat in range(t.players):
                    rewards[seat] += chance * weight[j] / rest * row[seat]
