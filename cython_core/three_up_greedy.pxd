"""A cheap heuristic for 3UP 3DOWN: get rid of what will not fit later, keep what always fits for the end.

It looks at one move and knows what the seat to move may know. All integers, so that it plays the same move on every
machine.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint64_t

from cython_core.game cimport MAX_MOVES, move_t
from cython_core.rng cimport rng_below, rng_double, rng_t
from cython_core.three_up_data cimport (
    CLEAR, DRAW, KEEP, PLAY, THREE_UP_HAND, THREE_UP_RANKS, UP, ThreeUpData, ThreeUpTables, cards_size,
    count_of, keep_cards, move_count, move_kind, move_rank,
)
from cython_core.three_up_rules cimport hand_size, three_up_legal_moves


# Weights, found by playing the heuristic against itself with others, at 2 to 6 players.
cdef enum:
    RANK_WORTH = 10  # of holding a card, per rank; a low one is what one wants to be rid of
    CLEAR_WORTH = 110
    CLEAR_STEP = 20  # more for each extra play that a clear card gives
    DUMP = 80  # a card less, when no other is drawn for it
    TRIPLE = 30  # clearing the pile with a number
    PAIR = 50  # leaving two of a number on top: a third one clears the pile
    SCALE = 50  # of the priors: a move that is worse by so much is e times less likely
    PRESSURE = 6  # per card of the pile and sixteenth rank of its top: others may have to take it


cdef inline int32_t greedy_worth(int rank) noexcept nogil:
    """What a card is worth to its holder: how surely it can be played later, and what it then does."""
    return RANK_WORTH * rank if rank < CLEAR else CLEAR_WORTH + CLEAR_STEP * (rank - CLEAR)


cdef inline int32_t greedy_worths(uint64_t cards) noexcept nogil:
    cdef int32_t worth = 0
    cdef int rank
    for rank in range(THREE_UP_RANKS):
        worth += count_of(cards, rank) * greedy_worth(rank)
    return worth


cdef inline int32_t greedy_score(const ThreeUpData* s, move_t move) noexcept nogil:
    """How good a legal move is."""
    cdef int kind = move_kind(move)
    cdef int rank = move_rank(move)
    cdef int count = move_count(move)
    cdef int on_top
    cdef int32_t score
    if kind == KEEP:
        # The best cards last: those from the table are played when there is no choice of others.
        return greedy_worths(keep_cards(move))
    if kind == DRAW:
        return 1
    if kind != PLAY and kind != UP:
        return 0
    score = -count * greedy_worth(rank)
    if s.n_draw == 0 or hand_size(s, s.turn) > THREE_UP_HAND:
        score += DUMP * count
    if rank < CLEAR:
        on_top = count_of(s.pile, rank) + count
        if on_top >= 3:
            score += TRIPLE
        else:
            score += (PRESSURE * (cards_size(s.pile) + count) * rank >> 4) + (PAIR if on_top == 2 else 0)
    return score


cdef inline move_t three_up_greedy_move(
    const ThreeUpTables* t, const ThreeUpData* s, rng_t* rng, double epsilon
) noexcept nogil:
    """The move with the best score; with chance `epsilon` any legal move."""
    cdef move_t moves[MAX_MOVES]
    cdef int n = three_up_legal_moves(t, s, moves)
    cdef int32_t score
    cdef int32_t best = 0
    cdef int chosen = 0
    cdef int i
    if epsilon > 0 and rng_double(rng) < epsilon:
        return moves[rng_below(rng, n)]
    if n == 1:
        return moves[0]
    for i in range(n):
        score = greedy_score(s, moves[i])
        if i == 0 or score > best:
            best = score
            chosen = i
    return moves[chosen]


cdef inline void three_up_priors(
    const ThreeUpTables* t, const ThreeUpData* s, const move_t* moves, int n, double* priors
) noexcept nogil:
    """A softmax of the scores."""
    cdef int32_t scores[MAX_MOVES]
    cdef int32_t best = 0
    cdef double total = 0
    cdef int i
    for i in range(n):
        scores[i] = greedy_score(s, moves[i])
        if i == 0 or scores[i] > best:
            best = scores[i]
    for i in range(n):
        priors[i] = exp(<double>(scores[i] - best) / SCALE)
        total += priors[i]
    for i in range(n):
        priors[i] /= total
