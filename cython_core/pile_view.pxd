"""What a seat of dnup-pile may know (docs/rules-pile.md, "What everybody knows"): views, worlds, hidden hands."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from cython_core.bits cimport lowest, popcount
from cython_core.game cimport move_t
from cython_core.pile_data cimport (
    LAY, PILE_CARDS, PILE_SEATS, REVOLVE, SKIP, PileData, PileTables, pile_card, pile_kind, pile_lie, pile_make,
    pile_number,
)
from cython_core.pile_rules cimport pile_fitting, pile_shuffle, pile_visible
from cython_core.rng cimport rng_below, rng_bits, rng_t


cdef inline uint64_t pile_on_top(const PileTables* t, const PileData* s) noexcept nogil:
    """The cards on top of the piles."""
    cdef uint64_t cards = <uint64_t>1 << s.card[0]
    if t.piles == 2:
        cards |= <uint64_t>1 << s.card[1]
    return cards


cdef inline uint64_t pile_unnamed(const PileTables* t, const PileData* s) noexcept nogil:
    """The cards that are in no hand, covered or on top: the stock, and what a view cannot name."""
    cdef uint64_t named = s.gone | pile_on_top(t, s)
    cdef int seat
    for seat in range(t.players):
        named |= s.hand[seat]
    return t.cards & ~named


cdef inline bint pile_may_skip(const PileTables* t, const PileData* s) noexcept nogil:
    """Whether the hand of the seat to move may be such that no card fits."""
    cdef uint64_t always  # cards that fit, whichever way up
    cdef uint64_t some = 0  # cards that fit as they lie
    cdef uint64_t lower = 0
    cdef uint64_t higher = 0
    cdef int pile, visible
    for pile in range(t.piles):
        visible = pile_visible(t, s, pile)
        some |= pile_fitting(t, s.up, visible)
        lower |= t.near[0][visible]
        higher |= t.near[1][visible]
    always = lower & higher if t.active else lower | higher
    if s.hand[s.turn] & some:
        return False
    return popcount(pile_unnamed(t, s) & ~always) >= s.hidden[s.turn]


cdef inline bint pile_is_legal(const PileTables* t, const PileData* s, move_t move) noexcept nogil:
    """Whether `move`, any number, is legal; for the turn of a seat whose hand the view cannot name: may be legal."""
    cdef int kind = pile_kind(move)
    cdef int card = pile_card(move)
    cdef int pile = pile_number(move)
    cdef int lie = pile_lie(move)
    cdef uint64_t bit = <uint64_t>1 << card
    cdef uint64_t up
    if s.turn < 0:
        return False
    if kind == REVOLVE:
        return move == pile_make(REVOLVE, 0, 0, 0, 0) and s.revolved[s.turn] < t.revolves
    if kind == SKIP:
        return (
            move == pile_make(SKIP, 0, 0, 0, 0) and s.revolved[s.turn] >= t.revolves and pile_may_skip(t, s)
        )
    if kind != LAY or not t.cards & bit or pile >= t.piles:
        return False
    if s.hand[s.turn] & bit:
        if <int>((s.up >> card) & 1) != lie:
            return False
    elif s.view < 0 or s.hidden[s.turn] == 0 or not pile_unnamed(t, s) & bit:
        return False
    up = bit if lie else 0
    return (pile_fitting(t, up, pile_visible(t, s, pile)) >> card) & 1


cdef inline void pile_observe(const PileTables* t, const PileData* s, int seat, PileData* view) noexcept nogil:
    """Copies only what `seat` may know: all else is zero in the view."""
    cdef int other
    view[0] = s[0]
    view.view = seat
    view.draws = 0
    memset(view.stock, 0, sizeof(view.stock))
    # Over all seats that there may be, which the compiler unrolls: the others have no cards.
    for other in range(PILE_SEATS):
        if other != seat:
            view.hidden[other] += popcount(s.hand[other])
            view.hand[other] = 0
    view.up &= view.hand[seat] | pile_on_top(t, s)


cdef inline void pile_determinise(
    const PileTables* t, const PileData* view, rng_t* rng, PileData* world
) noexcept nogil:
    """One true state, each that agrees with the view equally likely: hands, ways up, the order of the stock."""
    cdef uint8_t pool[PILE_CARDS]
    cdef uint64_t unnamed = pile_unnamed(t, view)
    cdef uint64_t ups = rng_bits(rng)
    cdef uint64_t left = unnamed
    cdef uint64_t card
    cdef int n = 0
    cdef int seat, _i
    cdef int pick
    world[0] = view[0]
    world.view = -1
    while unnamed:
        pool[n] = lowest(unnamed)
        unnamed &= unnamed - 1
        n += 1
    for seat in range(t.players):
        for _i in range(view.hidden[seat]):
            pick = rng_below(rng, n)
            card = <uint64_t>1 << pool[pick]
            n -= 1
            pool[pick] = pool[n]
            world.hand[seat] |= card
            world.up |= ups & card
            left ^= card
        world.hidden[seat] = 0
    pile_shuffle(world, left, rng)
    if t.reshuffle:
        world.draws = rng_bits(rng)
