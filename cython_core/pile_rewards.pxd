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


cdef inline void pile_evaluate(
    const PileTables* t, const PileData* s, const double* table, double* rewards
) noexcept nogil:
    """Expected rewards: who empties their hand next is drawn by a softmax of the strengths, and then the second of the
    rest likewise (Plackett, Applied Statistics 24(2), 1975); or, if the point is the feeder's, the seat d places
    before the first in proportion to 1/2^d, as measured."""
    cdef double weight[PILE_SEATS]
    cdef double behind[PILE_SEATS]
    cdef double total = 0
    cdef double rest, chance
    cdef const double* row
    cdef int i, j, seat, distance
    if s.turn < 0:
        pile_rewards(t, s, table, rewards)
        return
    for seat in range(t.players):
        rewards[seat] = 0
        weight[seat] = exp(pile_strength(t, s, seat)) if pile_cards_of(s, seat) else 0
        total += weight[seat]
    for i in range(t.players):
        if weight[i] == 0:
            continue
        chance = weight[i] / total
        if s.first >= 0:
            row = pile_row(table, s.first, i)
            for seat in range(t.players):
                rewards[seat] += chance * row[seat]
            continue
        rest = 0
        for j in range(t.players):
            distance = i - j if i > j else i - j + t.players
            behind[j] = weight[j] if t.second_out else 1.0 / (1 << distance)
            if j == i:
                behind[j] = 0
            rest += behind[j]
        for j in range(t.players):
            if behind[j] > 0:
                row = pile_row(table, i, j)
                for seat in range(t.players):
                    rewards[seat] += chance * behind[j] / rest * row[seat]
