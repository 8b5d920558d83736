"""The rules of dnup (docs/rules.md) as inline functions: legal moves, apply and undo, what a round gives."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from cython_core.bits cimport lowest, popcount
from cython_core.dnup_data cimport (
    ADD, DNUP_MATCH_TOKENS, DNUP_OF_VALUE, DNUP_VALUES, FLIP, PLAY, TAKE, DnupData, DnupTables, DnupUndo, move_cards,
    move_kind, move_make, move_value, move_zone,
)
from cython_core.game cimport move_t


cdef inline uint32_t dnup_by_value(const DnupTables* t, uint64_t hand, uint64_t up, uint16_t* slots) noexcept nogil:
    """Sorts a hand by active value: `slots[v]` gets the places of its cards of value v (it must come in as zeros).

    Returns the values that occur, as bits.
    """
    cdef uint32_t values = 0
    cdef int card, side, value
    while hand:
        card = lowest(hand)
        side = (up >> card) & 1
        value = t.value[side][card]
        slots[value] |= t.slot[side][card]
        values |= <uint32_t>1 << value
        hand &= hand - 1
    return values


cdef inline bint dnup_is_opponents(const DnupTables* t, const DnupData* s, int zone) noexcept nogil:
    """Whether a set lies in the zone that the seat to move may add to or take."""
    cdef int owner = t.owner[zone]
    if s.table[zone] == 0 or owner == s.turn:
        return False
    return not (t.frozen and s.n_out and owner == s.out[0])


cdef inline void dnup_floors(const DnupTables* t, const DnupData* s, uint8_t* floors) noexcept nogil:
    """`floors[k]`: the value that a set of k cards must exceed, 0 if no such set lies there (12 zeros come in).

    The mover's own zone does not count: its set is discarded first.
    """
    cdef int zone
    for zone in range(t.zones):
        if s.table[zone] and zone != s.zone:
            floors[popcount(s.table[zone])] = s.value[zone]


cdef inline int dnup_legal_moves(const DnupTables* t, const DnupData* s, move_t* moves) noexcept nogil:
    """Writes the legal moves of the seat to move, ascending; returns how many (rules: "A turn")."""
    cdef uint8_t floors[12]
    cdef uint16_t slots[DNUP_VALUES]
    cdef uint32_t values, mine, chosen, sizes
    cdef move_t base
    cdef int zone, value, size, count
    cdef int n = 1
    if s.turn < 0:
        return 0
    for size in range(12):
        floors[size] = 0
    for value in range(DNUP_VALUES):
        slots[value] = 0
    dnup_floors(t, s, floors)
    values = dnup_by_value(t, s.hand[s.turn], s.up, slots)

    moves[0] = move_make(FLIP, 0, 0, 0)
    for zone in range(t.zones):
        if dnup_is_opponents(t, s, zone):
            moves[n] = move_make(TAKE, zone, 0, 0)
            n += 1
    for zone in range(t.zones):
        value = s.value[zone]
        if (values >> value) & 1 and dnup_is_opponents(t, s, zone):
            if floors[popcount(s.table[zone]) + 1] < value:
                mine = slots[value]
                base = move_make(ADD, zone, value, 0)
                while mine:
                    moves[n] = base | (mine & -mine)
                    n += 1
                    mine &= mine - 1
    while values:
        value = lowest(values)
        values &= values - 1
        mine = slots[value]
        base = move_make(PLAY, 0, value, 0)
        if mine & (mine - 1) == 0:
            moves[n] = base | mine
            n += floors[1] < value
            continue
        count = popcount(mine)
        sizes = 0
        for size in range(1, count + 1):
            sizes |= <uint32_t>(floors[size] < value) << size
        # Every set of cards of this value, ascending; kept if its size may be played.
        chosen = mine & -mine
        while chosen:
            moves[n] = base | chosen
            n += (sizes >> popcount(chosen)) & 1
            chosen = (chosen - mine) & mine
    return n


# --- playing a move

cdef inline void dnup_discard(DnupData* s, int zone) noexcept nogil:
    """Discards the set of a zone; which way up it lay is forgotten."""
    s.gone |= s.table[zone]
    s.up &= ~s.table[zone]
    s.table[zone] = 0
    s.value[zone] = 0


cdef inline void dnup_pick_up(DnupData* s, int zone, int seat) noexcept nogil:
    """Moves the set of a zone to a hand, turned over; everybody has seen it."""
    cdef uint64_t cards = s.table[zone]
    s.hand[seat] |= cards
    s.up ^= cards
    s.known |= cards
    s.known_up |= cards
    s.table[zone] = 0
    s.value[zone] = 0


cdef inline int dnup_beaten_by(const DnupTables* t, const DnupData* s, int size, int winner) noexcept nogil:
    """The zone whose set has this size, the winner's own left aside; -1 if there is none (sizes are distinct)."""
    cdef int zone
    for zone in range(t.zones):
        if zone != winner and popcount(s.table[zone]) == size:
            return zone
    return -1


cdef inline void dnup_pass_turn(const DnupTables* t, DnupData* s, DnupUndo* undo) noexcept nogil:
    """The next seat to move; a seat that is out is passed, and its set discarded."""
    if t.players == 2:
        # Zone 1, then zone 2, then the opponent's zone 1.
        s.zone = (s.zone + 1) & 3
        s.turn = s.zone >> 1
        return
    s.turn = s.turn + 1 if s.turn + 1 < t.players else 0
    if s.n_out and s.turn == s.out[0]:
        if undo != NULL:
            undo.passed_zone = s.turn
            undo.passed = s.table[s.turn]
            undo.passed_value = s.value[s.turn]
        dnup_discard(s, s.turn)
        s.turn = s.turn + 1 if s.turn + 1 < t.players else 0
    s.zone = s.turn


cdef inline bint dnup_ends(const DnupTables* t, const DnupData* s) noexcept nogil:
    """Whether the round ends with the seats that are out: the second, or the first if that wins the match."""
    if t.players == 2 or s.n_out == 2:
        return s.n_out > 0
    return s.n_out == 1 and s.tokens[s.out[0]] + 2 >= DNUP_MATCH_TOKENS


cdef inline void dnup_apply(const DnupTables* t, DnupData* s, move_t move, DnupUndo* undo) noexcept nogil:
    """Plays a legal move, in a true state or a view; `undo` may be NULL (rules: "A turn", "Being out")."""
    cdef int seat = s.turn
    cdef int kind = move_kind(move)
    cdef int target = s.zone  # zone whose set is made
    cdef uint64_t cards, shown
    cdef int beaten = -1
    if undo != NULL:
        undo.hand = s.hand[seat]
        undo.gone = s.gone
        undo.up = s.up
        undo.known = s.known
        undo.known_up = s.known_up
        undo.own = s.table[target]
        undo.own_value = s.value[target]
        undo.move = move
        undo.beaten = 0
        undo.beaten_zone = -1
        undo.beaten_value = 0
        undo.passed = 0
        undo.passed_zone = -1
        undo.passed_value = 0
        undo.hidden = s.hidden[seat]
        undo.turn = seat
        undo.zone = target

    dnup_discard(s, target)
    if kind == FLIP:
        shown = s.hand[seat]
        if s.view >= 0 and s.view != seat:
            shown &= s.known_up
        s.up ^= shown
    elif kind == TAKE:
        target = move_zone(move)
        if undo != NULL:
            undo.beaten = s.table[target]
            undo.beaten_zone = target
            undo.beaten_value = s.value[target]
        dnup_pick_up(s, target, seat)
    else:
        if kind == ADD:
            target = move_zone(move)
        cards = move_cards(t, move)
        s.hidden[seat] -= popcount(cards & ~s.hand[seat])
        s.hand[seat] &= ~cards
        s.known &= ~cards
        s.known_up &= ~cards
        s.up = (s.up & ~cards) | (t.second[move_value(move)] & cards)
        s.table[target] |= cards
        s.value[target] = move_value(move)
        beaten = dnup_beaten_by(t, s, popcount(s.table[target]), target)
        if beaten >= 0:
            if undo != NULL:
                undo.beaten = s.table[beaten]
                undo.beaten_zone = beaten
                undo.beaten_value = s.value[beaten]
            if s.n_out and t.owner[beaten] == s.out[0]:
                dnup_discard(s, beaten)
            else:
                dnup_pick_up(s, beaten, t.owner[beaten])
        # Judged after the sets that came back (2 players: perhaps one's own).
        if (s.hand[seat] | s.hidden[seat]) == 0:
            s.out[s.n_out] = seat
            s.n_out += 1
            if dnup_ends(t, s):
                s.turn = -1
                s.zone = 0
                return
    dnup_pass_turn(t, s, undo)


cdef inline void dnup_undo(const DnupTables* t, DnupData* s, const DnupUndo* undo) noexcept nogil:
    """Takes back the move of `undo`, the last one played."""
    cdef int seat = undo.turn
    cdef int kind = move_kind(undo.move)
    cdef int owner
    if undo.passed_zone >= 0:
        s.table[undo.passed_zone] = undo.passed
        s.value[undo.passed_zone] = undo.passed_value
    if s.n_out and s.out[s.n_out - 1] == seat:
        s.n_out -= 1
        s.out[s.n_out] = -1
    if kind == ADD:
        s.table[move_zone(undo.move)] &= ~move_cards(t, undo.move)
        # The value stays: an add never makes a set.
    if undo.beaten_zone >= 0:
        owner = t.owner[undo.beaten_zone]
        s.hand[owner] &= ~undo.beaten
        s.table[undo.beaten_zone] = undo.beaten
        s.value[undo.beaten_zone] = undo.beaten_value
    s.table[undo.zone] = undo.own
    s.value[undo.zone] = undo.own_value
    s.hand[seat] = undo.hand
    s.hidden[seat] = undo.hidden
    s.gone = undo.gone
    s.up = undo.up
    s.known = undo.known
    s.known_up = undo.known_up
    s.turn = seat
    s.zone = undo.zone


# --- what the round gave

cdef inline void dnup_payoffs(const DnupTables* t, const DnupData* s, double* payoffs) noexcept nogil:
    """Tokens by seat; those not given are split equally among the seats still in, so that the sum is constant."""
    cdef int given = 0
    cdef int i
    cdef int total = 1 if t.players == 2 else 3
    for i in range(s.n_out):
        given += dnup_prize(t, i)
    for i in range(t.players):
        payoffs[i] = <double>(total - given) / (t.players - s.n_out)
    for i in range(s.n_out):
        payoffs[s.out[i]] = dnup_prize(t, i)


cdef inline int dnup_prize(const DnupTables* t, int place) noexcept nogil:
    """Tokens for being out first (place 0) or second (place 1)."""
    return 1 if t.players == 2 else 2 - place
