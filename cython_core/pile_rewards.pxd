"""What outcomes of a round of dnup-pile are worth, and what a state that is not over promises."""

from libc.math cimport exp

from cython_core.game cimport MAX_SEATS
from cython_core.pile_data cimport PILE_SEATS, PileData, PileTables
from cython_core.pile_rules cimport pile_cards_of, pile_fitting

cdef enum:
    OPEN = -1  # as the second: nobody yet
    NOBODY = -2  # as the second: nobody, and the round is over


cdef inline double* pile_row(const double* table, int first, int second) noexcept nogil:
    """The rewards by seat when these seats got 2 points and 1; first -1: nobody; second: OPEN or NOBODY."""
    return <double*>&table[((first + 1) * (PILE_SEATS + 2) + second + 2) * MAX_SEATS]


cdef inline void pile_rewards(
    const PileTables* t, const PileData* s, const double* table, double* rewards
) noexcept nogil:
    cdef int second = NOBODY if s.second < 0 and s.turn < 0 else s.second
    cdef const double* row = pile_row(table, s.first, second)
    cdef int seat
    for seat in range(t.players):
        rewards[seat] = row[seat]


cdef inline double pile_strength(const PileTables* t, const PileData* s, int seat) noexcept nogil:
    """How near a seat with cards is to an empty hand: by how many they are, and how many values they can follow.

    Weights: maximum likelihood of who got 2 points in some 12,000 greedy rounds of the standard deck, at every number
    of players.
    """
    cdef double strength = -0.46 * t.players * pile_cards_of(s, seat)
    cdef int value, wait
    for value in range(1, t.top + 1):
        if s.hand[seat] & pile_fitting(t, s.up, value):
            strength += 0.25
    if s.n_stock == 0:
        wait = seat - s.turn
        strength -= 0.38 * (wait if wait >= 0 else wait + t.players)
    return strength


cdef inline void pile_weights(const PileTables* t, const PileData* s, double* weights) noexcept nogil:
    """By the simple evaluation, per seat: how likely it is to empty its hand next, up to a factor; 0 for who has."""
    cdef int seat
    for seat in range(t.players):
        weights[seat] = exp(pile_strength(t, s, seat)) if pile_cards_of(s, seat) else 0


cdef inline void pile_expect(
    const PileTables* t, const PileData* s, const double* weights, const double* later, const double* table,
    double* rewards
) noexcept nogil:
    """Expected rewards of a state that is not over: who empties their hand next is drawn in proportion to the weights
    of those with cards, then the second by those of `later` (Plackett, Applied Statistics 24(2), 1975); or, if the
    point is the feeder's, the seat d places before the first in proportion to 1/2^d, as measured."""
    cdef double behind[PILE_SEATS]
    cdef double total = 0
    cdef double rest, chance
    cdef const double* row
    cdef int i, j, seat, distance
    for seat in range(t.players):
        rewards[seat] = 0
        if pile_cards_of(s, seat):
            total += weights[seat]
    for i in range(t.players):
        if pile_cards_of(s, i) == 0:
            continue
        chance = weights[i] / total
        if s.first >= 0:
            row = pile_row(table, s.first, i)
            for seat in range(t.players):
                rewards[seat] += chance * row[seat]
            continue
        rest = 0
        for j in range(t.players):
            distance = i - j if i > j else i - j + t.players
            if j == i or (t.second_out and pile_cards_of(s, j) == 0):
                behind[j] = 0
            else:
                behind[j] = later[j] if t.second_out else 1.0 / (1 << distance)
            rest += behind[j]
        for j in range(t.players):
            if behind[j] > 0:
                row = pile_row(table, i, j)
                for seat in range(t.players):
                    rewards[seat] += chance * behind[j] / rest * row[seat]


cdef inline void pile_evaluate(
    const PileTables* t, const PileData* s, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards, by the simple evaluation."""
    cdef double weights[PILE_SEATS]
    if s.turn < 0:
        pile_rewards(t, s, table, rewards)
        return
    pile_weights(t, s, weights)
    pile_expect(t, s, weights, weights, table, rewards)
