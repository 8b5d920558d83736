"""The rules of dnup-pile (docs/rules-pile.md) as inline functions: legal moves, apply and undo, what a round gives."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from cython_core.bits cimport lowest, popcount
from cython_core.game cimport move_t
from cython_core.pile_data cimport (
    LAY, PILE_CARDS, PILE_FIRST, PILE_MATCH_POINTS, PILE_SECOND, REVOLVE, SKIP, PileData, PileTables, PileUndo,
    pile_card, pile_kind, pile_make, pile_number, pile_shown,
)
from cython_core.rng cimport rng_below, rng_bits, rng_t


cdef inline int pile_visible(const PileTables* t, const PileData* s, int pile) noexcept nogil:
    """The number that counts on a pile."""
    return t.value[(s.up >> s.card[pile]) & 1][s.card[pile]]


cdef inline uint64_t pile_fitting(const PileTables* t, uint64_t up, int visible) noexcept nogil:
    """The cards, lying as `up` says, that may be played where this value is visible (rules: "Play")."""
    cdef uint64_t lower = t.near[0][visible]
    cdef uint64_t higher = t.near[1][visible]
    if t.active:
        return (lower & ~up) | (higher & up)
    return lower | higher


cdef inline int pile_cards_of(const PileData* s, int seat) noexcept nogil:
    """The number of cards in a hand."""
    return popcount(s.hand[seat]) + s.hidden[seat]


cdef inline int pile_still_in(const PileTables* t, const PileData* s) noexcept nogil:
    """How many seats have cards."""
    cdef int n = 0
    cdef int seat
    for seat in range(t.players):
        n += pile_cards_of(s, seat) > 0
    return n


cdef inline int pile_legal_moves(const PileTables* t, const PileData* s, move_t* moves) noexcept nogil:
    """Writes the legal moves of the seat to move, ascending; returns how many (rules: "A turn")."""
    cdef uint64_t fits[2]
    cdef uint64_t hand
    cdef move_t base
    cdef int card, pile
    cdef int n = 0
    if s.turn < 0:
        return 0
    fits[1] = 0
    for pile in range(t.piles):
        fits[pile] = pile_fitting(t, s.up, pile_visible(t, s, pile))
    hand = s.hand[s.turn] & (fits[0] | fits[1])
    if s.revolved[s.turn] < t.revolves:
        moves[0] = pile_make(REVOLVE, 0, 0, 0, 0)
        n = 1
    elif hand == 0:
        moves[0] = pile_make(SKIP, 0, 0, 0, 0)
        return 1
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        for pile in range(t.piles):
            if (fits[pile] >> card) & 1:
                base = pile_make(LAY, card, pile, (s.up >> card) & 1, 0)
                moves[n] = base
                moves[n + 1] = base | 1
                n += 2
    return n


# --- playing a move

cdef inline uint64_t pile_mix(uint64_t* x) noexcept nogil:
    """The next number of a generator of one word (SplitMix64: Steele, Lea and Flood, OOPSLA 2014)."""
    cdef uint64_t z
    x[0] += <uint64_t>0x9E3779B97F4A7C15
    z = x[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void pile_shuffle(PileData* s, uint64_t cards, rng_t* rng) noexcept nogil:
    """Makes these cards the stock of a true state, in random order, each either way up; the stock comes in empty."""
    cdef uint32_t pick
    cdef int n = 0
    cdef int i
    s.up = (s.up & ~cards) | (rng_bits(rng) & cards)
    while cards:
        s.stock[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    s.n_stock = n
    for i in range(n - 1, 0, -1):
        pick = rng_below(rng, i + 1)
        n = s.stock[i]
        s.stock[i] = s.stock[pick]
        s.stock[pick] = n


cdef inline void pile_reshuffle(PileData* s) noexcept nogil:
    """Turns the covered cards into a new stock; a view only counts them."""
    cdef rng_t rng
    cdef int i
    if s.view >= 0:
        s.n_stock = popcount(s.gone)
    else:
        for i in range(4):
            rng.s[i] = pile_mix(&s.draws)
        pile_shuffle(s, s.gone, &rng)
    s.gone = 0


cdef inline void pile_draw(const PileTables* t, PileData* s, int seat, PileUndo* undo) noexcept nogil:
    """Fills up the hand of a seat that has played (rules: "Drawing")."""
    cdef int card
    if pile_cards_of(s, seat) >= t.start:
        return
    if s.n_stock == 0 and t.reshuffle and s.gone:
        pile_reshuffle(s)
        if undo != NULL:
            undo.shuffled = True
    if s.n_stock == 0:
        return
    s.n_stock -= 1
    card = s.stock[s.n_stock]
    s.stock[s.n_stock] = 0
    if s.view >= 0:
        s.hidden[seat] += 1
    else:
        s.hand[seat] |= <uint64_t>1 << card
    if undo != NULL:
        undo.drew = True
        undo.drawn = card


cdef inline bint pile_wins_match(const PileTables* t, const PileData* s, int seat) noexcept nogil:
    """Whether being first ends the match, so that the one point is not played for."""
    return s.points[seat] + PILE_FIRST >= PILE_MATCH_POINTS


cdef inline bint pile_empty_hand(const PileTables* t, PileData* s, int seat, int feeder) noexcept nogil:
    """Gives points for a hand that the mover emptied; whether the round ends (rules: "The end of a round")."""
    if not t.second_out:
        s.first = seat
        if feeder != seat:
            s.second = feeder
        return True
    if s.first < 0:
        s.first = seat
        return pile_wins_match(t, s, seat)
    s.second = seat
    return True


cdef inline int pile_fewest(const PileTables* t, const PileData* s) noexcept nogil:
    """The seat with the fewest cards; -1: a tie."""
    cdef int best = PILE_CARDS + 1
    cdef int holder = -1
    cdef int seat, count
    for seat in range(t.players):
        count = pile_cards_of(s, seat)
        if count < best:
            best = count
            holder = seat
        elif count == best:
            holder = -1
    return holder


cdef inline void pile_apply(const PileTables* t, PileData* s, move_t move, PileUndo* undo) noexcept nogil:
    """Plays a legal move, in a true state or a view; `undo` may be NULL (rules: "A turn")."""
    cdef int seat = s.turn
    cdef int kind = pile_kind(move)
    cdef int pile = pile_number(move)
    cdef uint64_t card, covered
    cdef int feeder
    if undo != NULL:
        undo.draws = s.draws
        undo.hand = s.hand[seat]
        undo.gone = s.gone
        undo.up = s.up
        undo.turn = seat
        undo.pile = -1
        undo.card = 0
        undo.laid = 0
        undo.hidden = s.hidden[seat]
        undo.revolved = s.revolved[seat]
        undo.skips = s.skips
        undo.first = s.first
        undo.second = s.second
        undo.drew = False
        undo.drawn = 0
        undo.shuffled = False

    if kind == SKIP:
        s.skips += 1
        if s.skips == pile_still_in(t, s):
            # Blocked. Once somebody is out the two points are given.
            if s.first < 0 and not t.blocked_void:
                s.first = pile_fewest(t, s)
            s.turn = -1
            return
    elif kind == REVOLVE:
        s.skips = 0
        s.revolved[seat] += 1
        s.up ^= s.hand[seat]
    else:
        s.skips = 0
        if undo != NULL:
            undo.pile = pile
            undo.card = s.card[pile]
            undo.laid = s.laid[pile]
        card = <uint64_t>1 << pile_card(move)
        covered = <uint64_t>1 << s.card[pile]
        feeder = s.laid[pile]
        if s.hand[seat] & card:
            s.hand[seat] ^= card
        else:
            s.hidden[seat] -= 1
        s.gone |= covered
        s.up &= ~(covered | card)
        if pile_shown(move):
            s.up |= card
        s.card[pile] = pile_card(move)
        s.laid[pile] = seat
        pile_draw(t, s, seat, undo)
        if pile_cards_of(s, seat) == 0 and pile_empty_hand(t, s, seat, feeder):
            s.turn = -1
            return
    seat = seat + 1 if seat + 1 < t.players else 0
    while pile_cards_of(s, seat) == 0:
        seat = seat + 1 if seat + 1 < t.players else 0
    s.turn = seat


cdef inline void pile_undo(PileData* s, const PileUndo* undo) noexcept nogil:
    """Takes back the move of `undo`, the last one played."""
    cdef int seat = undo.turn
    cdef int i
    if undo.shuffled:
        for i in range(s.n_stock):
            s.stock[i] = 0
        s.n_stock = 0
    elif undo.drew:
        s.stock[s.n_stock] = undo.drawn
        s.n_stock += 1
    if undo.pile >= 0:
        s.card[undo.pile] = undo.card
        s.laid[undo.pile] = undo.laid
    s.draws = undo.draws
    s.hand[seat] = undo.hand
    s.gone = undo.gone
    s.up = undo.up
    s.hidden[seat] = undo.hidden
    s.revolved[seat] = undo.revolved
    s.skips = undo.skips
    s.first = undo.first
    s.second = undo.second
    s.turn = seat


# --- what the round gave

cdef inline void pile_payoffs(const PileTables* t, const PileData* s, double* payoffs) noexcept nogil:
    """Points by seat; those not given are split equally among the seats without, so that the sum is constant."""
    cdef int given = 0
    cdef int without = t.players
    cdef int seat
    if s.first >= 0:
        given += PILE_FIRST
        without -= 1
    if s.second >= 0:
        given += PILE_SECOND
        without -= 1
    for seat in range(t.players):
        if seat == s.first:
            payoffs[seat] = PILE_FIRST
        elif seat == s.second:
            payoffs[seat] = PILE_SECOND
        else:
            payoffs[seat] = <double>(PILE_FIRST + PILE_SECOND - given) / without
