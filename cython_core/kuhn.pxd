"""Kuhn poker (Kuhn, Contributions to the Theory of Games 1, 1950): the smallest game of cards that bluffs.

Two seats, three cards, one each; an ante of one chip. A seat passes or bets one chip: pass gives up against a bet, bet
calls one. When nobody gave up, both show, seat 0 first: a view learns a card from a move that is public, or never.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memcpy

from cython_core.game cimport Rules, State, move_t
from cython_core.rng cimport rng_below, rng_double, rng_t

# A move is PASS, BET, or SHOW plus the card.
cdef enum:
    PASS = 1
    BET = 2
    SHOW = 3

cdef enum:
    KUHN_CARDS = 3  # 0 jack, 1 queen, 2 king
    KUHN_UNKNOWN = -1
    KUHN_STAKE = 2  # the most that a seat can lose

# The whole state, true or a view. What does not count is zero, so equal states are equal bytes.
ctypedef struct KuhnData:
    int8_t card[2]  # of each seat; KUHN_UNKNOWN in a view of the other
    uint8_t line[3]  # passes and bets so far
    uint8_t n_line
    uint8_t shown  # seats that have shown: none, 0, both
    int8_t view  # -1: the true state

ctypedef struct KuhnUndo:
    KuhnData before


cdef inline bint kuhn_is_called(const KuhnData* s) noexcept nogil:
    """Whether the betting is over and nobody gave up."""
    return s.n_line >= 2 and s.line[s.n_line - 1] == s.line[s.n_line - 2]


cdef inline bint kuhn_is_folded(const KuhnData* s) noexcept nogil:
    """Whether the last mover gave up."""
    return s.n_line >= 2 and s.line[s.n_line - 1] == PASS and s.line[s.n_line - 2] == BET


cdef inline int kuhn_turn(const KuhnData* s) noexcept nogil:
    """The seat to move, -1 when the round is over."""
    if kuhn_is_called(s):
        return s.shown if s.shown < 2 else -1
    return -1 if kuhn_is_folded(s) else s.n_line % 2


cdef inline int kuhn_legal_moves(const KuhnData* s, move_t* moves) noexcept nogil:
    cdef int turn = kuhn_turn(s)
    if turn < 0:
        return 0
    if kuhn_is_called(s):
        moves[0] = SHOW + s.card[turn]
        return 1
    moves[0] = PASS
    moves[1] = BET
    return 2


cdef inline bint kuhn_is_legal(const KuhnData* s, move_t move) noexcept nogil:
    """Whether `move`, any number, is legal; of a card that the view does not know: may be legal."""
    cdef int turn = kuhn_turn(s)
    if turn < 0:
        return False
    if not kuhn_is_called(s):
        return move == PASS or move == BET
    if s.card[turn] == KUHN_UNKNOWN:
        return SHOW <= move < SHOW + KUHN_CARDS and move != <move_t>(SHOW + s.card[1 - turn])
    return move == <move_t>(SHOW + s.card[turn])


cdef inline void kuhn_apply(KuhnData* s, move_t move, KuhnUndo* undo) noexcept nogil:
    if undo != NULL:
        undo.before = s[0]
    if move >= SHOW:
        s.card[s.shown] = move - SHOW
        s.shown += 1
    else:
        s.line[s.n_line] = move
        s.n_line += 1


cdef inline int kuhn_gain(const KuhnData* s, bint ahead) noexcept nogil:
    """Chips that seat 0 won; `ahead`, of a true state: those that it would win if both showed now."""
    cdef int stake
    if kuhn_is_folded(s):
        return 1 if s.n_line == 2 else -1
    if s.shown < 2 and not ahead:
        return 0
    stake = KUHN_STAKE if kuhn_is_called(s) and s.line[s.n_line - 1] == BET else 1
    return stake if s.card[0] > s.card[1] else -stake


cdef inline void kuhn_observe(const KuhnData* s, int seat, KuhnData* view) noexcept nogil:
    """Copies only what `seat` may know: not the other's card before it was shown."""
    cdef int other = 1 - seat
    view[0] = s[0]
    view.view = seat
    if s.shown <= other:
        view.card[other] = KUHN_UNKNOWN


cdef inline void kuhn_determinise(const KuhnData* view, rng_t* rng, KuhnData* world) noexcept nogil:
    """Draws the other's card from the two that it can be."""
    cdef int other = 1 - view.view
    cdef int card
    world[0] = view[0]
    world.view = -1
    if view.card[other] == KUHN_UNKNOWN:
        card = rng_below(rng, 2)
        world.card[other] = card if card < view.card[view.view] else card + 1


cdef inline move_t kuhn_greedy_move(const KuhnData* s, rng_t* rng, double epsilon) noexcept nogil:
    """Bets and calls with the king, calls with the queen; with chance `epsilon` a random move."""
    cdef move_t moves[2]
    cdef int n = kuhn_legal_moves(s, moves)
    cdef int card = s.card[kuhn_turn(s)]
    if epsilon > 0 and rng_double(rng) < epsilon:
        return moves[rng_below(rng, n)]
    if n == 1:
        return moves[0]
    if card == 1:
        return BET if s.n_line and s.line[s.n_line - 1] == BET else PASS
    return BET if card == 2 else PASS


cdef inline uint64_t kuhn_hash(const KuhnData* s) noexcept nogil:
    """A hash of all that the state holds, the same in every process."""
    cdef uint64_t h
    memcpy(&h, s, sizeof(h))
    h = (h ^ <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xD6E8FEB86659FD93
    return h ^ h >> 32


cdef class KuhnRules(Rules):
    pass


cdef class KuhnState(State):
    cdef KuhnData data
