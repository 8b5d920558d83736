"""What a seat of dnup may know (docs/rules.md, "What everybody knows"): views, worlds, and moves of hidden hands."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from cython_core.bits cimport lowest, popcount
from cython_core.dnup_data cimport (
    ADD, DNUP_CARDS, DNUP_OF_VALUE, DNUP_SEATS, FLIP, PLAY, TAKE, DnupData, DnupTables, move_cards, move_kind,
    move_make, move_value, move_zone,
)
from cython_core.dnup_rules cimport dnup_apply, dnup_floors, dnup_is_opponents
from cython_core.game cimport move_t
from cython_core.rng cimport rng_below, rng_bits, rng_t


cdef inline uint64_t dnup_unnamed(const DnupTables* t, const DnupData* s) noexcept nogil:
    """The cards that a view cannot place; none in a true state."""
    cdef uint64_t named = s.gone
    cdef int i
    for i in range(t.players):
        named |= s.hand[i]
    for i in range(t.zones):
        named |= s.table[i]
    return t.cards & ~named


cdef inline bint dnup_is_legal(const DnupTables* t, const DnupData* s, move_t move) noexcept nogil:
    """Whether `move`, any number, is legal; for the turn of a seat whose hand the view cannot name: may be legal."""
    cdef uint8_t floors[12]
    cdef int kind = move_kind(move)
    cdef int zone = move_zone(move)
    cdef int value = move_value(move)
    cdef uint32_t slots = move & ((1 << DNUP_OF_VALUE) - 1)
    cdef uint64_t cards, named, fixed
    cdef int i, size
    if s.turn < 0:
        return False
    if kind == FLIP:
        return move == move_make(FLIP, 0, 0, 0)
    if zone >= t.zones:
        return False
    if kind == TAKE:
        return value == 0 and slots == 0 and dnup_is_opponents(t, s, zone)
    if (kind != PLAY and kind != ADD) or slots == 0:
        return False

    # The cards must be in the hand with this value up, as far as that is known.
    for i in range(DNUP_OF_VALUE):
        if (slots >> i) & 1 and t.card_of[value][i] == DNUP_CARDS:
            return False
    cards = move_cards(t, move)
    named = cards & s.hand[s.turn]
    fixed = named
    if s.view >= 0 and s.view != s.turn:
        fixed = named & s.known_up
        # The star is never among cards without a name: everybody knows who holds it.
        if (cards & ~named & ~dnup_unnamed(t, s)) or ((cards & ~named) >> t.star) & 1:
            return False
    if popcount(cards & ~named) > s.hidden[s.turn] or (s.up & fixed) != (t.second[value] & fixed):
        return False

    size = popcount(cards)
    if kind == ADD:
        if size != 1 or s.value[zone] != value or not dnup_is_opponents(t, s, zone):
            return False
        size = popcount(s.table[zone]) + 1
    elif zone != 0:
        return False
    for i in range(12):
        floors[i] = 0
    dnup_floors(t, s, floors)
    return floors[size] < value


cdef inline void dnup_observe(const DnupTables* t, const DnupData* s, int seat, DnupData* view) noexcept nogil:
    """Copies only what `seat` may know: all else is zero in the view (rules: "What everybody knows")."""
    cdef uint64_t hidden
    cdef int other
    view[0] = s[0]
    view.view = seat
    for other in range(t.players):
        if other != seat:
            hidden = s.hand[other] & ~s.known
            view.hidden[other] += popcount(hidden)
            view.hand[other] &= s.known
            view.up &= ~(s.hand[other] & ~s.known_up)


cdef inline void dnup_determinise(
    const DnupTables* t, const DnupData* view, rng_t* rng, DnupData* world
) noexcept nogil:
    """One true state, each that agrees with the view equally likely: cards dealt, ways up drawn."""
    cdef uint8_t pool[DNUP_CARDS]
    cdef uint64_t unnamed = dnup_unnamed(t, view)
    cdef uint64_t ups = rng_bits(rng)
    cdef uint64_t star = <uint64_t>1 << t.star
    cdef uint64_t card
    cdef int n = 0
    cdef int seat, _i
    cdef uint32_t pick
    world[0] = view[0]
    world.view = -1
    world.gone_hidden = 0
    if unnamed & star:
        # In a hand everybody would know it, so it is among the discarded cards that were forgotten.
        unnamed ^= star
        world.gone |= star
    while unnamed:
        pool[n] = lowest(unnamed)
        unnamed &= unnamed - 1
        n += 1
    for seat in range(t.players):
        if seat == view.view:
            continue
        world.up |= ups & view.hand[seat] & ~view.known_up
        for _i in range(view.hidden[seat]):
            pick = rng_below(rng, n)
            card = <uint64_t>1 << pool[pick]
            n -= 1
            pool[pick] = pool[n]
            world.hand[seat] |= card
            world.up |= ups & card
        world.hidden[seat] = 0
    while n:
        n -= 1
        world.gone |= <uint64_t>1 << pool[n]


# --- all worlds of a view: each way to deal the cards without a name, times each way up of those that lie in hands

cdef inline uint64_t view_unsure(const DnupTables* t, const DnupData* view) noexcept nogil:
    """The named cards of other hands whose way up is not known."""
    cdef uint64_t cards = 0
    cdef int seat
    for seat in range(t.players):
        if seat != view.view:
            cards |= view.hand[seat] & ~view.known_up
    return cards


cdef inline int dnup_count_worlds(const DnupTables* t, const DnupData* view, int limit) noexcept nogil:
    """How many true states agree with the view; limit + 1 if more than `limit`, which is below 2**30."""
    cdef int ways = popcount(view_unsure(t, view))
    cdef int cards = popcount(dnup_unnamed(t, view) & ~(<uint64_t>1 << t.star))
    cdef uint64_t count = 1
    cdef int seat, i
    for seat in range(t.players):
        # The seat's cards out of those that are left: a binomial, factor by factor, whole and growing at each step.
        for i in range(min(view.hidden[seat], cards - view.hidden[seat])):
            count = count * <uint64_t>(cards - i) // <uint64_t>(i + 1)
            if count > <uint64_t>limit:
                return limit + 1
        cards -= view.hidden[seat]
        ways += view.hidden[seat]
    if ways >= 31 or count << ways > <uint64_t>limit:
        return limit + 1
    return <int>(count << ways)


cdef inline uint64_t view_binomial(int n, int k) noexcept nogil:
    cdef uint64_t count = 1
    cdef int i
    for i in range(min(k, n - k)):
        count = count * <uint64_t>(n - i) // <uint64_t>(i + 1)
    return count


cdef inline void dnup_world(const DnupTables* t, const DnupData* view, int index, DnupData* world) noexcept nogil:
    """The true state with this index, below dnup_count_worlds: the ways up are its lowest digits, then, seat by seat,
    which of the cards that are left go to the hand."""
    cdef uint64_t star = <uint64_t>1 << t.star
    cdef uint64_t left = dnup_unnamed(t, view)
    cdef uint64_t turning = view_unsure(t, view)
    cdef uint64_t pool, card
    cdef uint64_t rest = index
    cdef uint64_t deal, choices, place
    cdef int seat, n, k
    world[0] = view[0]
    world.view = -1
    world.gone_hidden = 0
    if left & star:
        # In a hand everybody would know it, so it is among the discarded cards that were forgotten.
        left ^= star
        world.gone |= star
    k = popcount(turning)
    for seat in range(t.players):
        k += view.hidden[seat]
    deal = rest >> k
    rest &= (<uint64_t>1 << k) - 1
    for seat in range(t.players):
        world.hidden[seat] = 0
        k = view.hidden[seat]
        if k == 0:
            continue
        n = popcount(left)
        choices = view_binomial(n, k)
        place = deal % choices
        deal //= choices
        # The place-th set of k cards of the pool: those with the lowest card come first.
        pool = left
        while k:
            card = pool & -pool
            pool ^= card
            choices = view_binomial(n - 1, k - 1)
            if place < choices:
                world.hand[seat] |= card
                left ^= card
                turning |= card
                k -= 1
            else:
                place -= choices
            n -= 1
    world.gone |= left
    while turning:
        card = turning & -turning
        turning ^= card
        if rest & 1:
            world.up |= card
        rest >>= 1


# --- back to where the round began: what has been played says where it came from, all else never left its hand

cdef inline bint rewind_from(
    const DnupTables* t, const DnupData* world, const move_t* moves, int n, int first, DnupData* start
) noexcept nogil:
    """The start of the round that led to `world` by these moves if `first` held the star; False: none did."""
    cdef DnupData public  # what somebody sees who holds no cards
    cdef uint64_t flipped[DNUP_SEATS]  # all ones: the hand has been flipped an odd number of times
    cdef uint64_t star = <uint64_t>1 << t.star
    cdef uint64_t played = 0
    cdef uint64_t cards
    cdef int size = popcount(t.cards) // t.players
    cdef int i, seat
    memset(start, 0, sizeof(DnupData))
    start.tokens = world.tokens
    start.view = -1
    start.out[0] = -1
    start.out[1] = -1
    start.known = star
    start.turn = first
    # With 2 players the round opens with a single turn, in zone 2.
    start.zone = 2 * first + 1 if t.players == 2 else first
    public = start[0]
    public.view = t.players
    public.hand[first] = star
    for seat in range(t.players):
        public.hidden[seat] = size - (seat == first)
        flipped[seat] = 0
    for i in range(n):
        seat = public.turn
        if not dnup_is_legal(t, &public, moves[i]):
            return False
        if move_kind(moves[i]) == FLIP:
            flipped[seat] = ~flipped[seat]
        elif move_kind(moves[i]) != TAKE:
            cards = move_cards(t, moves[i]) & ~played
            played |= cards
            start.hand[seat] |= cards
            start.up |= cards & (t.second[move_value(moves[i])] ^ flipped[seat])
        dnup_apply(t, &public, moves[i], NULL)
    for seat in range(t.players):
        cards = world.hand[seat] & ~played
        start.hand[seat] |= cards
        start.up |= cards & (world.up ^ flipped[seat])
        if popcount(start.hand[seat]) != size:
            return False
    return start.hand[first] & star != 0 and public.turn == world.turn and public.zone == world.zone


cdef inline bint dnup_rewind(
    const DnupTables* t, const DnupData* world, const move_t* moves, int n, DnupData* start
) noexcept nogil:
    """State.c_rewind."""
    cdef int first
    for first in range(t.players):
        if rewind_from(t, world, moves, n, first, start):
            return True
    return False
