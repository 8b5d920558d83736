"""What outcomes of a round of 3UP 3DOWN are worth, and what a state that is not over promises."""

from libc.math cimport exp

from cython_core.game cimport MAX_SEATS
from cython_core.three_up_data cimport THREE_UP_SEATS, ThreeUpData, ThreeUpTables, cards_size
from cython_core.three_up_greedy cimport greedy_worths
from cython_core.three_up_rules cimport hand_size, three_up_winner


cdef inline double* three_up_row(const double* table, int winner) noexcept nogil:
    """The rewards by seat when this seat has won; -1: nobody."""
    return <double*>&table[(winner + 1) * MAX_SEATS]


cdef inline void three_up_rewards(
    const ThreeUpTables* t, const ThreeUpData* s, const double* table, double* rewards
) noexcept nogil:
    cdef const double* row = three_up_row(table, three_up_winner(t, s))
    cdef int seat
    for seat in range(t.players):
        rewards[seat] = row[seat]


cdef inline double three_up_strength(const ThreeUpTables* t, const ThreeUpData* s, int seat) noexcept nogil:
    """How near a seat is to having no card left: minus the cards that it must play, their worth as greedy sees it."""
    cdef int table = cards_size(s.up[seat]) + s.n_down[seat]
    cdef double worth = greedy_worths(s.hand[seat]) + greedy_worths(s.up[seat])
    # Weights: maximum likelihood of who won in some 4,800 greedy rounds; they grow with the number of players.
    return t.players * (-0.09 * hand_size(s, seat) - 0.15 * table + 0.001 * worth)


cdef inline void three_up_weights(const ThreeUpTables* t, const ThreeUpData* s, double* weights) noexcept nogil:
    """By the simple evaluation, per seat: how likely it is to win, up to a factor."""
    cdef int seat
    for seat in range(t.players):
        weights[seat] = exp(three_up_strength(t, s, seat))


cdef inline void three_up_expect(
    const ThreeUpTables* t, const double* weights, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards of a state that is not over: the winner is drawn in proportion to the weights."""
    cdef double total = 0
    cdef const double* row
    cdef int seat, winner
    for seat in range(t.players):
        rewards[seat] = 0
        total += weights[seat]
    for winner in range(t.players):
        row = three_up_row(table, winner)
        for seat in range(t.players):
            rewards[seat] += weights[winner] / total * row[seat]


cdef inline void three_up_evaluate(
    const ThreeUpTables* t, const ThreeUpData* s, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards, by the simple evaluation."""
    cdef double weights[THREE_UP_SEATS]
    if s.turn < 0:
        three_up_rewards(t, s, table, rewards)
        return
    three_up_weights(t, s, weights)
    three_up_expect(t, weights, table, rewards)
