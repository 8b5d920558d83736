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


cdef inline void dnup_weights(const DnupTables* t, const DnupData* s, double* weights) noexcept nogil:
    """By the simple evaluation, per seat: how likely it is to be out next, up to a factor; 0 for who is out."""
    cdef int seat
    for seat in range(t.players):
        weights[seat] = 0 if s.n_out and seat == s.out[0] else exp(dnup_strength(t, s, seat))


cdef inline void dnup_expect(
    const DnupTables* t, const DnupData* s, const double* weights, const double* later, const double* table,
    double* rewards
) noexcept nogil:
    """Expected rewards of a state that is not over: who is out next is drawn in proportion to the weights of those
    still in, then the second of the rest in proportion to those of `later` (Plackett, Applied Statistics 24(2), 1975).
    """
    cdef double total = 0
    cdef double all_later = 0
    cdef double rest, chance
    cdef const double* row
    cdef int i, j, seat
    cdef int gone = s.out[0] if s.n_out else -1
    cdef bint last = t.players == 2
    for seat in range(t.players):
        rewards[seat] = 0
        if seat != gone:
            total += weights[seat]
            all_later += later[seat]
    for i in range(t.players):
        if i == gone:
            continue
        chance = weights[i] / total
        if s.n_out or last:
            row = dnup_row(table, gone, i) if s.n_out else dnup_row(table, i, -1)
            for seat in range(t.players):
                rewards[seat] += chance * row[seat]
            continue
        rest = all_later - later[i]
        for j in range(t.players):
            if j != i:
                row = dnup_row(table, i, j)
                for seat in range(t.players):
                    rewards[seat] += chance * later[j] / rest * row[seat]


cdef inline void dnup_evaluate(
    const DnupTables* t, const DnupData* s, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards, by the simple evaluation."""
    cdef double weights[DNUP_SEATS]
    if s.turn < 0:
        dnup_rewards(t, s, table, rewards)
        return
    dnup_weights(t, s, weights)
    dnup_expect(t, s, weights, weights, table, rewards)
