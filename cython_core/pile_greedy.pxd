"""A cheap heuristic for dnup-pile: leave what others can hardly match, and keep a hand that can match anything.

It looks one move ahead and knows what the seat to move may know. All integers, so that it plays the same move
on every machine. Costs are in thousandths of a turn.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint64_t

from cython_core.bits cimport popcount
from cython_core.game cimport move_t
from cython_core.pile_data cimport (
    LAY, PILE_VALUES, REVOLVE, PileData, PileTables, pile_card, pile_kind, pile_number, pile_shown,
)
from cython_core.pile_rules cimport pile_fitting, pile_legal_moves, pile_visible
from cython_core.pile_view cimport pile_on_top
from cython_core.rng cimport rng_below, rng_double, rng_t

cdef enum:
    PILE_MOVES = 32  # at least Rules.max_moves
    TURN = 1000
    OUT = 100 * TURN  # gain of an empty hand: more than any other
    # Weights, tuned by playing thousands of greedy rounds against variants, one against the rest, 2 to 5 players.
    GAP = 350  # of a value that no card of the hand can be played on
    THIN = 150  # of a value that only one can
    STUCK = 500  # of leaving a value that none of the own cards can follow, should the others skip
    MATCHED = 1200  # of a value that every card in other hands fits
    MATCHED_DRAWING = 300  # the same while cards are drawn
    LOST_TURN = 2 * TURN  # of a revolve that was not needed
    LOST_REVOLVE = 5 * TURN  # the same while cards are drawn, when it can still be of more use

# What the mover takes into account, the same for all of its moves.
ctypedef struct PileLook:
    uint64_t unseen  # cards that may be in other hands
    int32_t chance[PILE_VALUES]  # that one of these fits where v is visible, in thousandths
    bint drawing  # whether there are cards left to draw


cdef inline void pile_look(const PileTables* t, const PileData* s, PileLook* look) noexcept nogil:
    cdef int value, n, fitting
    look.unseen = t.cards & ~(s.gone | s.hand[s.turn] | pile_on_top(t, s))
    look.drawing = s.n_stock > 0 or t.reshuffle
    n = popcount(look.unseen)
    for value in range(1, t.top + 1):
        if t.active:
            fitting = popcount(look.unseen & t.near[0][value]) + popcount(look.unseen & t.near[1][value])
            look.chance[value] = 500 * fitting // (n if n else 1)
        else:
            fitting = popcount(look.unseen & (t.near[0][value] | t.near[1][value]))
            look.chance[value] = 1000 * fitting // (n if n else 1)


cdef inline int32_t pile_gaps(const PileTables* t, uint64_t hand, uint64_t up) noexcept nogil:
    """What a hand costs for the values that none of its cards, or only one, can be played on."""
    cdef int32_t cost = 0
    cdef int value
    cdef uint64_t fitting
    for value in range(1, t.top + 1):
        fitting = hand & pile_fitting(t, up, value)
        if fitting == 0:
            cost += GAP
        elif fitting & (fitting - 1) == 0:
            cost += THIN
    return cost


cdef inline int32_t pile_cost(
    const PileTables* t, const PileData* s, const PileLook* look, move_t move
) noexcept nogil:
    """How bad the position is for the mover after a legal move."""
    cdef uint64_t hand = s.hand[s.turn]
    cdef int32_t cost, chance
    cdef int card, value, other
    if pile_kind(move) != LAY:
        if pile_kind(move) == REVOLVE and t.active:
            cost = pile_gaps(t, hand, s.up ^ hand)
        else:
            cost = pile_gaps(t, hand, s.up)
        if not look.drawing:
            return cost + LOST_TURN
        # Who draws the last card has most turns to go: with fewer cards left than players, not to draw wins a turn.
        if 0 < s.n_stock < t.players and not t.active:
            return cost - TURN
        return cost + LOST_REVOLVE
    card = pile_card(move)
    value = t.value[pile_shown(move)][card]
    hand ^= <uint64_t>1 << card
    if hand == 0 and not look.drawing:
        return -OUT
    chance = look.chance[value]
    if t.piles == 2:
        other = pile_visible(t, s, 1 - pile_number(move))
        chance = max(chance, look.chance[other])
    cost = pile_gaps(t, hand, s.up)
    cost += chance * (MATCHED_DRAWING if look.drawing else MATCHED) // 1000
    if hand & pile_fitting(t, s.up, value) == 0:
        cost += STUCK
    return cost


cdef inline move_t pile_greedy_move(const PileTables* t, const PileData* s, rng_t* rng, double epsilon) noexcept nogil:
    """The move of the least cost; with chance `epsilon` any legal move."""
    cdef move_t moves[PILE_MOVES]
    cdef PileLook look
    cdef int n = pile_legal_moves(t, s, moves)
    cdef int32_t cost, best
    cdef int i
    cdef int chosen = 0
    if n == 1:
        return moves[0]
    if epsilon > 0 and rng_double(rng) < epsilon:
        return moves[rng_below(rng, n)]
    pile_look(t, s, &look)
    best = pile_cost(t, s, &look, moves[0])
    for i in range(1, n):
        cost = pile_cost(t, s, &look, moves[i])
        if cost < best:
            best = cost
            chosen = i
    return moves[chosen]


cdef inline void pile_priors(
    const PileTables* t, const PileData* s, const move_t* moves, int n, double* priors
) noexcept nogil:
    """A softmax of minus the costs, one turn being one unit."""
    cdef PileLook look
    cdef int32_t costs[PILE_MOVES]
    cdef int32_t best
    cdef double total = 0
    cdef int i
    pile_look(t, s, &look)
    for i in range(n):
        costs[i] = pile_cost(t, s, &look, moves[i])
        if i == 0 or costs[i] < best:
            best = costs[i]
    for i in range(n):
        priors[i] = exp(<double>(best - costs[i]) / TURN)
        total += priors[i]
    for i in range(n):
        priors[i] /= total
