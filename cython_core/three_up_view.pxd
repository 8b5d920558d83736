"""What a seat of 3UP 3DOWN may know (docs/rules-3up3down.md, "What everybody knows"): views, worlds, seen moves."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from cython_core.game cimport move_t
from cython_core.rng cimport rng_below, rng_t
from cython_core.three_up_data cimport (
    DOWN, DRAW, KEEP, NODRAW, PICKUP, PLAY, SEEN_MASK, THREE_UP_CARDS, THREE_UP_RANKS, UP, ThreeUpData,
    ThreeUpTables, ThreeUpUndo, cards_below, cards_of, cards_size, cards_top, count_of, keep_cards, keep_make,
    move_count, move_kind, move_make, move_rank, seen_make,
)
from cython_core.three_up_rules cimport (
    hand_size, three_up_apply, three_up_fitting, three_up_keeps, three_up_source,
)


cdef inline uint64_t three_up_unnamed(const ThreeUpTables* t, const ThreeUpData* s) noexcept nogil:
    """The cards that a view cannot place; in a true state those of the draw pile and face down."""
    cdef uint64_t unnamed = t.cards - s.pile - s.gone
    cdef int seat
    for seat in range(t.players):
        unnamed -= s.hand[seat] + s.up[seat]
    return unnamed


cdef inline bint three_up_has(uint64_t cards, uint64_t wanted) noexcept nogil:
    """Whether the wanted cards are all among these."""
    cdef int rank
    for rank in range(THREE_UP_RANKS):
        if count_of(wanted, rank) > count_of(cards, rank):
            return False
    return True


cdef inline bint three_up_may_keep(const ThreeUpTables* t, const ThreeUpData* s, move_t move) noexcept nogil:
    cdef int low = (move >> 20) & 15
    cdef int middle = (move >> 16) & 15
    cdef int high = (move >> 12) & 15
    if not low <= middle <= high < THREE_UP_RANKS or move != keep_make(low, middle, high):
        return False
    return three_up_has(three_up_unnamed(t, s) if s.hidden[s.turn] else s.hand[s.turn], keep_cards(move))


cdef inline bint three_up_may(const ThreeUpTables* t, const ThreeUpData* s, move_t move) noexcept nogil:
    """Whether a bare move is legal; for the turn of a seat whose hand the view cannot name: in some world."""
    cdef int kind = move_kind(move)
    cdef int rank = move_rank(move)
    cdef int seat = s.turn
    cdef int hidden = s.hidden[seat]
    cdef int source, others
    cdef uint64_t unnamed
    if three_up_keeps(s):
        return kind == KEEP and three_up_may_keep(t, s, move)
    source = three_up_source(s)
    if s.may_draw:
        return move == move_make(DRAW, 0, 0) or (move == move_make(NODRAW, 0, 0) and source == PLAY)
    if source == DOWN:
        return move == move_make(DOWN, 0, 0)
    unnamed = three_up_unnamed(t, s) if hidden else 0
    if kind == PICKUP:
        # All that is in the hand lies below the top: also what the view cannot name.
        if move != move_make(PICKUP, 0, 0) or s.pile == 0:
            return False
        if three_up_fitting(s, s.hand[seat] if source == PLAY else s.up[seat]):
            return False
        return hidden <= cards_size(unnamed & cards_below(cards_top(s.pile)))
    if kind != source or rank >= THREE_UP_RANKS or move != move_make(kind, rank, move_count(move)):
        return False
    if move_count(move) == 0 or not three_up_fitting(s, cards_of(rank, 1)):
        return False
    if source == UP:
        return move_count(move) <= count_of(s.up[seat], rank)
    others = count_of(unnamed, rank)
    return move_count(move) <= count_of(s.hand[seat], rank) + (others if others < hidden else hidden)


cdef inline int three_up_shown(const ThreeUpTables* t, const ThreeUpData* s, move_t bare) noexcept nogil:
    """How many cards a bare move that may be legal shows to the seat of this view; 0 in a true state."""
    cdef ThreeUpData after
    if s.view < 0:
        return 0
    if move_kind(bare) == DOWN:
        return 1
    if s.view != s.turn:
        return 0
    # What it draws and is not told of stays unnamed.
    after = s[0]
    three_up_apply(t, &after, bare, NULL)
    return after.hidden[s.view]


cdef inline bint three_up_is_legal(const ThreeUpTables* t, const ThreeUpData* s, move_t move) noexcept nogil:
    """Whether `move`, any number, is legal or may be; in a view with or without what it shows."""
    cdef move_t bare = move & ~<move_t>SEEN_MASK
    cdef move_t seen = move & SEEN_MASK
    cdef uint64_t cards = 0
    cdef int n = 0
    cdef int card
    if s.turn < 0 or not three_up_may(t, s, bare):
        return False
    if seen == 0:
        return True
    for n in range(3):
        card = (seen >> 4 * n) & 15
        if 0 < card <= THREE_UP_RANKS:
            cards += cards_of(card - 1, 1)
    n = cards_size(cards)
    return seen_make(cards) == seen and n == three_up_shown(t, s, bare) and three_up_has(three_up_unnamed(t, s), cards)


cdef inline move_t three_up_seen(
    const ThreeUpTables* t, const ThreeUpData* s, move_t move, int seat
) noexcept nogil:
    """The bare legal move of a true state as `seat` sees it happen."""
    cdef ThreeUpData after
    cdef ThreeUpUndo undo
    cdef uint64_t cards = 0
    cdef int mover = s.turn
    if move_kind(move) == DOWN:
        return move | (s.down[mover] >> 4 * (s.n_down[mover] - 1))
    if seat != mover:
        return move
    after = s[0]
    three_up_apply(t, &after, move, &undo)
    while undo.drawn:
        cards += cards_of((undo.drawn & 15) - 1, 1)
        undo.drawn >>= 4
    return move | seen_make(cards)


cdef inline void three_up_observe(
    const ThreeUpTables* t, const ThreeUpData* s, int seat, ThreeUpData* view
) noexcept nogil:
    """Copies only what `seat` may know: all else is zero in the view."""
    cdef int other, i
    view[0] = s[0]
    view.view = seat
    for i in range(6):
        view.draw[i] = 0
    for other in range(t.players):
        view.down[other] = 0
        if other != seat:
            view.hidden[other] += cards_size(s.hand[other] - s.known[other])
            view.hand[other] = s.known[other]


cdef inline void three_up_determinise(
    const ThreeUpTables* t, const ThreeUpData* view, rng_t* rng, ThreeUpData* world
) noexcept nogil:
    """One true state: the cards that the view cannot place dealt anew, each deal of them equally likely."""
    cdef uint8_t pool[THREE_UP_CARDS]
    cdef uint64_t unnamed = three_up_unnamed(t, view)
    cdef int n = 0
    cdef int rank, seat, i, _i
    cdef uint32_t pick
    cdef uint8_t card
    for rank in range(THREE_UP_RANKS):
        for _i in range(count_of(unnamed, rank)):
            pool[n] = rank
            n += 1
    # Shuffled from the end, so that the cards come off the end.
    for i in range(n - 1, 0, -1):
        pick = rng_below(rng, i + 1)
        card = pool[pick]
        pool[pick] = pool[i]
        pool[i] = card
    world[0] = view[0]
    world.view = -1
    for seat in range(t.players):
        for _i in range(view.hidden[seat]):
            n -= 1
            world.hand[seat] += cards_of(pool[n], 1)
        world.hidden[seat] = 0
        for i in range(view.n_down[seat]):
            n -= 1
            world.down[seat] |= <uint16_t>(pool[n] + 1) << 4 * i
    for i in range(view.n_draw):
        n -= 1
        world.draw[i >> 4] |= <uint64_t>(pool[n] + 1) << 4 * (i & 15)
