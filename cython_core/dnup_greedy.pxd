"""A cheap heuristic for dnup: empty the hand in the fewest plays, now or after a flip, with sets that stay.

It looks one move ahead and knows what the seat to move may know. All integers, so that it plays the same move
on every machine. Costs are in thousandths of a turn.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from cython_core.bits cimport lowest, popcount
from cython_core.dnup_data cimport (
    ADD, DNUP_OF_VALUE, DNUP_VALUES, FLIP, PLAY, TAKE, DnupData, DnupTables, move_kind, move_make, move_value,
    move_zone,
)
from cython_core.dnup_rules cimport dnup_floors, dnup_is_opponents, dnup_legal_moves
from cython_core.game cimport MAX_MOVES, move_t
from cython_core.rng cimport rng_below, rng_double, rng_t

cdef enum:
    TURN = 1000
    OUT = 100 * TURN  # gain of being out: more than any other

# A hand, counted by value: the two ways to hold it.
ctypedef struct GreedyHand:
    uint16_t slots[DNUP_VALUES]  # places of the cards by active value
    uint8_t actives[DNUP_VALUES]
    uint8_t inactives[DNUP_VALUES]
    int32_t cost  # of playing the active groups
    int32_t flipped  # of playing the inactive groups


cdef inline void greedy_fill(DnupTables* t) noexcept nogil:
    """Fills the tables of what a set of a size and value costs.

    `risk`: chance, in thousandths, that it is beaten on the table before its owner's next turn. `group`: cost of
    getting rid of such a group of cards: a turn, and more if the set is weak.
    """
    cdef int size, value
    cdef int32_t base
    for size in range(1, DNUP_OF_VALUE + 1):
        base = 800 if size == 1 else 500 if size == 2 else 250 if size == 3 else 80
        for value in range(1, t.top + 1):
            t.risk[size][value] = base * (t.top - value) // t.top
            t.group[size][value] = TURN + t.risk[size][value] * 3 // 10


cdef inline void greedy_count(const DnupTables* t, const DnupData* s, int seat, GreedyHand* h) noexcept nogil:
    """Counts the hand of a seat."""
    cdef uint64_t hand = s.hand[seat]
    cdef int card, side, value
    for value in range(DNUP_VALUES):
        h.slots[value] = 0
        h.actives[value] = 0
        h.inactives[value] = 0
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        side = (s.up >> card) & 1
        value = t.value[side][card]
        h.slots[value] |= t.slot[side][card]
        h.actives[value] += 1
        h.inactives[t.value[1 - side][card]] += 1
    h.cost = 0
    h.flipped = 0
    for value in range(1, t.top + 1):
        h.cost += t.group[h.actives[value]][value]
        h.flipped += t.group[h.inactives[value]][value]


cdef inline int32_t greedy_best_of(int32_t cost, int32_t flipped) noexcept nogil:
    """Cost of a hand that may be flipped first."""
    return cost if cost < flipped + TURN else flipped + TURN


cdef inline int greedy_other_value(const DnupTables* t, int value, int slot) noexcept nogil:
    """The other value of the card at this place among those of `value`."""
    cdef int card = t.card_of[value][slot]
    return t.value[0][card] + t.value[1][card] - value


cdef inline uint32_t greedy_subset(const DnupTables* t, const GreedyHand* h, int value, int size) noexcept nogil:
    """`size` of the cards of a value: first those whose inactive value stands alone in the hand."""
    cdef uint32_t mine = h.slots[value]
    cdef uint32_t chosen = 0
    cdef uint32_t bit
    cdef int lone
    for lone in range(1, -1, -1):
        mine = h.slots[value] & ~chosen
        while mine and size:
            bit = mine & -mine
            mine ^= bit
            if lone == 0 or h.inactives[greedy_other_value(t, value, lowest(bit))] == 1:
                chosen |= bit
                size -= 1
    return chosen


cdef inline int32_t greedy_after(
    const DnupTables* t, const GreedyHand* h, int value, uint32_t chosen, int32_t risk
) noexcept nogil:
    """Expected cost of the hand without the chosen cards of a value, which come back turned over with `risk`."""
    cdef int size = popcount(chosen)
    cdef int rest = h.actives[value] - size
    cdef int32_t cost = h.cost - t.group[h.actives[value]][value] + t.group[rest][value]
    cdef int32_t flipped = h.flipped
    cdef int32_t back = cost
    cdef int32_t kept
    cdef int other, lying
    while chosen:
        other = greedy_other_value(t, value, lowest(chosen))
        chosen &= chosen - 1
        flipped -= t.group[h.inactives[other]][other] - t.group[h.inactives[other] - 1][other]
        lying = h.actives[other]
        back += t.group[lying + 1][other] - t.group[lying][other]
    kept = greedy_best_of(cost, flipped)
    if risk == 0:
        return kept
    lying = h.inactives[value]
    flipped += t.group[lying + size][value] - t.group[lying][value]
    back = greedy_best_of(back, flipped)
    return kept + risk * (back - kept) // 1000


cdef inline int32_t greedy_beats(const DnupTables* t, const DnupData* s, int size, int maker) noexcept nogil:
    """What beating the set of this size is worth; `maker` is the zone of the set that is made."""
    cdef int zone, owner
    for zone in range(t.zones):
        if zone != maker and zone != s.zone and popcount(s.table[zone]) == size:
            owner = t.owner[zone]
            if owner == s.turn:
                return -TURN * size
            if s.n_out and owner == s.out[0]:
                return 0
            return 200 + 150 * size
    return 0


cdef inline int32_t greedy_taking(const DnupTables* t, const DnupData* s, const GreedyHand* h, int zone) noexcept nogil:
    """Cost of the hand with the set of a zone taken up, turned over."""
    cdef uint64_t cards = s.table[zone]
    cdef int value = s.value[zone]
    cdef int size = popcount(cards)
    cdef int32_t cost = h.cost
    cdef int32_t flipped = h.flipped
    cdef int held, other
    held = h.inactives[value]
    flipped += t.group[held + size][value] - t.group[held][value]
    while cards:
        other = t.value[0][lowest(cards)] + t.value[1][lowest(cards)] - value
        cards &= cards - 1
        held = h.actives[other]
        cost += t.group[held + 1][other] - t.group[held][other]
    return greedy_best_of(cost, flipped)


cdef inline int32_t greedy_cost(
    const DnupTables* t, const DnupData* s, const GreedyHand* h, move_t move
) noexcept nogil:
    """What the mover's hand costs after a legal move, less what the move does to the opponents."""
    cdef int kind = move_kind(move)
    cdef int value = move_value(move)
    cdef uint32_t chosen = move & ((1 << DNUP_OF_VALUE) - 1)
    cdef int size = popcount(chosen)
    cdef int32_t cost
    if kind == FLIP:
        return greedy_best_of(h.flipped, h.cost)
    if kind == TAKE:
        return greedy_taking(t, s, h, move_zone(move))
    if kind == ADD:
        cost = greedy_after(t, h, value, chosen, 0)
        cost -= greedy_beats(t, s, popcount(s.table[move_zone(move)]) + 1, move_zone(move))
    else:
        cost = greedy_after(t, h, value, chosen, t.risk[size][value]) - greedy_beats(t, s, size, s.zone)
    if size == popcount(s.hand[s.turn]):
        cost -= OUT
    return cost


cdef inline move_t dnup_greedy_move(const DnupTables* t, const DnupData* s, rng_t* rng, double epsilon) noexcept nogil:
    """The move after which the hand is expected to need the fewest turns; with chance `epsilon` any legal move."""
    cdef move_t moves[MAX_MOVES]
    cdef GreedyHand h
    cdef uint8_t floors[12]
    cdef uint32_t mine
    cdef int zone, value, size, i
    cdef int n = 1
    cdef int32_t cost, best
    cdef move_t best_move
    if epsilon > 0 and rng_double(rng) < epsilon:
        return moves[rng_below(rng, dnup_legal_moves(t, s, moves))]
    greedy_count(t, s, s.turn, &h)
    for size in range(12):
        floors[size] = 0
    dnup_floors(t, s, floors)
    # Candidates: of the sets of one value and size only one is looked at.
    moves[0] = move_make(FLIP, 0, 0, 0)
    for zone in range(t.zones):
        value = s.value[zone]
        if not dnup_is_opponents(t, s, zone):
            continue
        moves[n] = move_make(TAKE, zone, 0, 0)
        n += 1
        if h.slots[value] and floors[popcount(s.table[zone]) + 1] < value:
            mine = h.slots[value]
            while mine:
                moves[n] = move_make(ADD, zone, value, mine & -mine)
                n += 1
                mine &= mine - 1
    for value in range(1, t.top + 1):
        for size in range(1, h.actives[value] + 1):
            if floors[size] < value:
                mine = h.slots[value] if size == h.actives[value] else greedy_subset(t, &h, value, size)
                moves[n] = move_make(PLAY, 0, value, mine)
                n += 1
    best_move = moves[0]
    best = greedy_cost(t, s, &h, best_move)
    for i in range(1, n):
        cost = greedy_cost(t, s, &h, moves[i])
        if cost < best:
            best = cost
            best_move = moves[i]
    return best_move


cdef inline void dnup_priors(
    const DnupTables* t, const DnupData* s, const move_t* moves, int n, double* priors
) noexcept nogil:
    """A softmax of minus the costs, one turn being one unit."""
    cdef GreedyHand h
    cdef int32_t costs[MAX_MOVES]
    cdef int32_t best
    cdef double total = 0
    cdef int i
    greedy_count(t, s, s.turn, &h)
    for i in range(n):
        costs[i] = greedy_cost(t, s, &h, moves[i])
        if i == 0 or costs[i] < best:
            best = costs[i]
    for i in range(n):
        priors[i] = exp(<double>(best - costs[i]) / TURN)
        total += priors[i]
    for i in range(n):
        priors[i] /= total
