"""The rules of 3UP 3DOWN (docs/rules-3up3down.md) as inline functions: legal moves, apply and undo, the winner."""

from libc.stdint cimport uint16_t, uint64_t

from cython_core.bits cimport lowest
from cython_core.game cimport move_t
from cython_core.three_up_data cimport (
    CLEAR, CLEAR_1, CLEAR_2, DOWN, DRAW, KEEP, NODRAW, PICKUP, PLAY, SEEN_MASK, THREE_UP_COUNT, THREE_UP_HAND,
    THREE_UP_RANKS, UP, ThreeUpData, ThreeUpTables, ThreeUpUndo, cards_below, cards_of, cards_size, cards_top,
    count_of, keep_cards, keep_make, move_count, move_kind, move_make, move_rank,
)


cdef inline int hand_size(const ThreeUpData* s, int seat) noexcept nogil:
    return cards_size(s.hand[seat]) + s.hidden[seat]


cdef inline bint three_up_keeps(const ThreeUpData* s) noexcept nogil:
    """Whether the seat to move must still choose its face-up cards: they stay while the draw pile lasts."""
    return s.n_draw > 0 and s.up[s.turn] == 0


cdef inline int three_up_source(const ThreeUpData* s) noexcept nogil:
    """Where the seat to move plays from: PLAY (the hand), UP or DOWN (rules: "The face-up and face-down cards")."""
    if hand_size(s, s.turn):
        return PLAY
    return UP if s.up[s.turn] else DOWN


cdef inline uint64_t three_up_fitting(const ThreeUpData* s, uint64_t cards) noexcept nogil:
    """Those of the cards that may be played on the pile."""
    return cards & ~cards_below(cards_top(s.pile))


cdef inline int three_up_keep_moves(uint64_t hand, move_t* moves) noexcept nogil:
    """Writes every choice of three of the cards, ascending."""
    cdef int low, middle, high
    cdef uint64_t rest, last
    cdef int n = 0
    for low in range(THREE_UP_RANKS):
        if count_of(hand, low) == 0:
            continue
        rest = hand - cards_of(low, 1)
        for middle in range(low, THREE_UP_RANKS):
            if count_of(rest, middle) == 0:
                continue
            last = rest - cards_of(middle, 1)
            for high in range(middle, THREE_UP_RANKS):
                if count_of(last, high):
                    moves[n] = keep_make(low, middle, high)
                    n += 1
    return n


cdef inline int three_up_legal_moves(const ThreeUpTables* t, const ThreeUpData* s, move_t* moves) noexcept nogil:
    """Writes the legal moves of the seat to move, ascending; returns how many (rules: "A turn")."""
    cdef int source, rank, count
    cdef uint64_t fitting
    cdef int n = 0
    if s.turn < 0:
        return 0
    if three_up_keeps(s):
        return three_up_keep_moves(s.hand[s.turn], moves)
    source = three_up_source(s)
    if s.may_draw:
        moves[0] = move_make(DRAW, 0, 0)
        moves[1] = move_make(NODRAW, 0, 0)
        return 2 if source == PLAY else 1
    if source == DOWN:
        moves[0] = move_make(DOWN, 0, 0)
        return 1
    fitting = three_up_fitting(s, s.hand[s.turn] if source == PLAY else s.up[s.turn])
    if fitting == 0:
        moves[0] = move_make(PICKUP, 0, 0)
        return 1
    while fitting:
        rank = lowest(fitting) >> 2
        for count in range(1, count_of(fitting, rank) + 1):
            moves[n] = move_make(source, rank, count)
            n += 1
        fitting &= ~cards_of(rank, THREE_UP_COUNT)
    return n


# --- playing a move

cdef inline int three_up_pop(ThreeUpData* s) noexcept nogil:
    """Takes the next card off the draw pile: its rank + 1; 0 if the view does not know it."""
    cdef int word, shift, card
    s.n_draw -= 1
    word = s.n_draw >> 4
    shift = 4 * (s.n_draw & 15)
    card = (s.draw[word] >> shift) & 15
    s.draw[word] ^= <uint64_t>card << shift
    return card


cdef inline void three_up_fill_hand(ThreeUpData* s, int seat, move_t seen, ThreeUpUndo* undo) noexcept nogil:
    """Draws up to three cards in hand while the draw pile lasts. A view sees only its own seat's, named by `seen`."""
    cdef int size = hand_size(s, seat)
    cdef int shift = 0
    cdef int card
    while size < THREE_UP_HAND and s.n_draw:
        card = three_up_pop(s)
        if undo != NULL:
            undo.drawn |= <uint16_t>card << shift
        if s.view == seat:
            card = (seen >> shift) & 15
        if card:
            s.hand[seat] += cards_of(card - 1, 1)
        else:
            s.hidden[seat] += 1
        shift += 4
        size += 1


cdef inline void three_up_end_turn(
    const ThreeUpTables* t, ThreeUpData* s, move_t seen, ThreeUpUndo* undo
) noexcept nogil:
    s.extra = 0
    s.may_draw = 0
    three_up_fill_hand(s, s.turn, seen, undo)
    s.turn = s.turn + 1 if s.turn + 1 < t.players else 0


cdef inline void three_up_take(ThreeUpData* s, uint64_t cards) noexcept nogil:
    """Takes the pile, and cards that could not be played on it, to the mover's hand: everybody has seen them."""
    s.hand[s.turn] += s.pile + cards
    s.known[s.turn] += s.pile + cards
    s.pile = 0


cdef inline void three_up_from_hand(ThreeUpData* s, int rank, int count) noexcept nogil:
    """Takes cards from the mover's hand, those that everybody knows first."""
    cdef int seat = s.turn
    cdef int known = count_of(s.known[seat], rank)
    cdef int named = count_of(s.hand[seat], rank)
    known = count if count < known else known
    named = count if count < named else named
    s.known[seat] -= cards_of(rank, known)
    s.hand[seat] -= cards_of(rank, named)
    s.hidden[seat] -= count - named


cdef inline bint three_up_is_out(const ThreeUpData* s, int seat) noexcept nogil:
    """Whether a seat has no card left anywhere."""
    return s.hand[seat] == 0 and s.hidden[seat] == 0 and s.up[seat] == 0 and s.n_down[seat] == 0


cdef inline void three_up_land(
    const ThreeUpTables* t, ThreeUpData* s, int rank, int count, move_t seen, ThreeUpUndo* undo
) noexcept nogil:
    """Cards of one rank come to lie on the pile; then the win, an extra play, or the end of the turn."""
    cdef int seat = s.turn
    cdef int extra = s.extra - 1 if s.extra else 0
    cdef int size
    s.pile += cards_of(rank, count)
    if rank >= CLEAR or count_of(s.pile, rank) >= 3:
        s.gone += s.pile
        s.pile = 0
    if rank == CLEAR_1:
        extra += 1
    elif rank == CLEAR_2:
        extra += 2
    s.extra = extra
    s.may_draw = 0
    if three_up_is_out(s, seat):
        s.extra = 0
        s.turn = -1
        return
    if extra:
        size = hand_size(s, seat)
        # The newest card sets the right to draw.
        s.may_draw = rank > CLEAR and s.n_draw > 0 and size < THREE_UP_HAND
        # Nothing in hand, cards to draw and no right to: the extra plays lapse.
        if size or s.may_draw or s.n_draw == 0:
            return
    three_up_end_turn(t, s, seen, undo)


cdef inline void three_up_apply(
    const ThreeUpTables* t, ThreeUpData* s, move_t move, ThreeUpUndo* undo
) noexcept nogil:
    """Plays a legal move, in a true state or a view; `undo` may be NULL (rules: "A turn")."""
    cdef int seat = s.turn
    cdef int kind = move_kind(move)
    cdef move_t seen = move & SEEN_MASK
    cdef int rank = move_rank(move)
    cdef int count = move_count(move)
    cdef uint64_t cards
    if undo != NULL:
        undo.hand = s.hand[seat]
        undo.known = s.known[seat]
        undo.up = s.up[seat]
        undo.pile = s.pile
        undo.gone = s.gone
        undo.down = s.down[seat]
        undo.drawn = 0
        undo.n_down = s.n_down[seat]
        undo.n_draw = s.n_draw
        undo.hidden = s.hidden[seat]
        undo.extra = s.extra
        undo.may_draw = s.may_draw
        undo.turn = seat

    if kind == PLAY:
        three_up_from_hand(s, rank, count)
        three_up_land(t, s, rank, count, seen, undo)
    elif kind == UP:
        s.up[seat] -= cards_of(rank, count)
        three_up_land(t, s, rank, count, seen, undo)
    elif kind == PICKUP:
        three_up_take(s, 0)
        three_up_end_turn(t, s, seen, undo)
    elif kind == DOWN:
        s.n_down[seat] -= 1
        # A view learns only now which card it is.
        rank = (s.down[seat] >> 4 * s.n_down[seat] if s.view < 0 else seen) & 15
        s.down[seat] &= (1 << 4 * s.n_down[seat]) - 1
        rank -= 1
        if three_up_fitting(s, cards_of(rank, 1)):
            three_up_land(t, s, rank, 1, 0, undo)
        else:
            three_up_take(s, cards_of(rank, 1))
            three_up_end_turn(t, s, 0, undo)
    elif kind == KEEP:
        cards = keep_cards(move)
        if s.hidden[seat]:
            s.hidden[seat] -= THREE_UP_HAND
        else:
            s.hand[seat] -= cards
        s.up[seat] = cards
        s.turn = seat + 1 if seat + 1 < t.players else 0
    else:
        s.may_draw = 0
        if kind == DRAW:
            three_up_fill_hand(s, seat, seen, undo)


cdef inline void three_up_undo(ThreeUpData* s, const ThreeUpUndo* undo) noexcept nogil:
    """Takes back the move of `undo`, the last one played."""
    cdef int seat = undo.turn
    cdef int i
    cdef uint64_t card
    for i in range(undo.n_draw - s.n_draw):
        card = (undo.drawn >> 4 * i) & 15
        s.draw[(undo.n_draw - 1 - i) >> 4] |= card << 4 * ((undo.n_draw - 1 - i) & 15)
    s.hand[seat] = undo.hand
    s.known[seat] = undo.known
    s.up[seat] = undo.up
    s.pile = undo.pile
    s.gone = undo.gone
    s.down[seat] = undo.down
    s.n_down[seat] = undo.n_down
    s.n_draw = undo.n_draw
    s.hidden[seat] = undo.hidden
    s.extra = undo.extra
    s.may_draw = undo.may_draw
    s.turn = seat


# --- what the round gave

cdef inline int three_up_winner(const ThreeUpTables* t, const ThreeUpData* s) noexcept nogil:
    """The seat without a card; -1 if there is none."""
    cdef int seat
    if s.turn < 0:
        for seat in range(t.players):
            if three_up_is_out(s, seat):
                return seat
    return -1


cdef inline void three_up_payoffs(const ThreeUpTables* t, const ThreeUpData* s, double* payoffs) noexcept nogil:
    """One point for the winner; undecided: split equally."""
    cdef int winner = three_up_winner(t, s)
    cdef int seat
    for seat in range(t.players):
        payoffs[seat] = 1.0 / t.players if winner < 0 else seat == winner
