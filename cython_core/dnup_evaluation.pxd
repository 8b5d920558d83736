"""What an evaluation of dnup looks at: numbers per seat of a true state, for a strength that is linear in them.

A hand is two words of counts, 4 bits a value: how often each is active, and how often inactive. All that is asked of a
hand is bit operations on these; only the cover (below) looks at single cards.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from cython_core.bits cimport lowest, popcount
from cython_core.dnup_data cimport DNUP_SEATS, DNUP_VALUES, DNUP_ZONES, DnupData, DnupTables

# Whoever changes what a feature is raises this: weights that were fitted before are then refused.
cdef enum:
    DNUP_FEATURES_VERSION = 1

# In the order of DNUP_FEATURES in dnup.pyx. Zero for a seat that is out. "Flipped": of the hand turned over. A set
# "lies" for a seat if it is still there at its next action, as far as other seats do not change that.
cdef enum:
    F_PLAYS  # fewest plays that empty the hand, a flip in between counted as one
    F_PLAYS_1  # 1 if it is just one
    F_ACTIVE  # different active values: plays without a flip
    F_INACTIVE
    F_COVER  # fewest values, active or inactive, of which every card has one
    F_CLOCK  # turns of the table until the last of F_PLAYS, in rounds of the table
    F_LEAD  # by how much the best of the others' clocks is behind it, at most 2 to either side
    F_SHARE  # its clock as a part of all clocks
    F_TO_MOVE
    F_HAND  # cards
    F_LARGEST  # cards in the largest set that could be played, of those with one active value
    F_SECOND_FLIPPED  # ... the largest but one of the hand flipped
    F_SINGLES  # active values of one card only
    F_SINGLES_FLIPPED
    F_LOW_1  # how far these are below the highest value there is, as parts of it, added up
    F_LOW_2  # the same of active values of two cards, and of three and more
    F_LOW_3
    F_LOW_1_FLIPPED
    F_LOW_2_FLIPPED
    F_LOW_3_FLIPPED
    F_WEAK  # chances that each set of the hand would be beaten on the table, as greedy sees it, added up
    F_WEAK_SQUARED
    F_COST  # turns that the hand costs as greedy sees it: F_ACTIVE + 0.3 F_WEAK, or the same flipped and a turn more
    F_BLOCKED  # active values whose cards cannot be played together for a set that lies
    F_OUT_NEXT  # 1 if the next action can empty the hand
    F_OUT_NOW  # ... and it is to move
    F_OUT_SAFE  # ... and no set of its own can come back before
    F_OUT_WEAK  # F_WEAK, F_SET_VALUE if F_OUT_NEXT
    F_OUT_VALUE
    F_SET_VALUE  # values of its own sets on the table, as parts of the highest
    F_BEATABLE  # own sets that a seat can beat by a play before they are discarded, as the hands are
    F_BACK_PLAYS  # plays more that the hand needs with their cards
    F_THREATS  # others' sets that lie and that it can beat by a play
    F_KNOWN  # cards of the hand that everybody knows
    F_STAR  # 1 if it holds the star
    F_LATE_PLAYS  # F_PLAYS once a seat is out
    F_1_NOW  # F_TO_MOVE if F_PLAYS is 1
    F_2_BLOCKED  # F_BLOCKED, F_THREATS if F_PLAYS is 2
    F_2_THREATS
    F_2_ADDS  # sets that lie and can be added to, if F_PLAYS is 2
    DNUP_N_FEATURES

# What is counted of a seat's hand.
ctypedef struct DnupFace:
    uint64_t actives  # 4 bits a value: how many cards have it active
    uint64_t inactives
    uint16_t joined[DNUP_VALUES]  # by active value: the inactive values on its cards, as bits
    uint32_t values  # active values, as bits
    int cover
    int plays


cdef inline uint64_t nibbles(uint64_t counts) noexcept nogil:
    """The lowest bit of each count that is not 0."""
    counts |= counts >> 1
    counts |= counts >> 2
    return counts & <uint64_t>0x1111111111111111


cdef inline uint64_t nibbles_from(uint64_t counts, int least) noexcept nogil:
    """The lowest bit of each count, at most 10, that is `least` or more."""
    cdef uint64_t add = <uint64_t>0x0101010101010101 * <uint64_t>(128 - least)
    cdef uint64_t even = (counts & <uint64_t>0x0F0F0F0F0F0F0F0F) + add
    cdef uint64_t odd = ((counts >> 4) & <uint64_t>0x0F0F0F0F0F0F0F0F) + add
    return ((even & <uint64_t>0x8080808080808080) >> 7) | ((odd & <uint64_t>0x8080808080808080) >> 3)


cdef inline uint64_t nibbles_max(uint64_t counts, int* largest) noexcept nogil:
    """The lowest bit of each of the largest counts, which is stored."""
    cdef uint64_t found = <uint64_t>0x1111111111111111
    cdef uint64_t with_bit
    cdef int bit
    largest[0] = 0
    for bit in range(3, -1, -1):
        with_bit = (counts >> bit) & found
        if with_bit:
            found = with_bit
            largest[0] |= 1 << bit
    return found


cdef inline int dnup_cover(const uint16_t* joined, uint32_t values) noexcept nogil:
    """The fewest values, active or inactive, of which every card has one.

    That is how many cards can be chosen with all their values different (Koenig, Mathematische Annalen 77, 1916), found
    by alternating paths: each active value gets an inactive one on a card of its own, others step aside if they can.
    """
    cdef uint8_t mate[DNUP_VALUES]  # active value, by inactive value that is taken
    cdef uint8_t own[DNUP_VALUES]  # inactive value, by active value that has one
    cdef uint8_t via[DNUP_VALUES]  # active value from which an inactive one was reached
    cdef uint32_t taken = 0
    cdef uint32_t seen, todo, fresh, free
    cdef int value, other, at, before
    cdef int cover = 0
    while values:
        value = lowest(values)
        values &= values - 1
        free = joined[value] & ~taken
        if free:
            other = lowest(free)
            mate[other] = value
            own[value] = other
            taken |= <uint32_t>1 << other
            cover += 1
            continue
        own[value] = 0  # none: the path below ends here
        seen = joined[value]
        todo = seen
        fresh = seen
        while fresh:
            via[lowest(fresh)] = value
            fresh &= fresh - 1
        while todo:
            at = mate[lowest(todo)]
            todo &= todo - 1
            fresh = joined[at] & ~seen
            free = fresh & ~taken
            if free:
                other = lowest(free)
                taken |= <uint32_t>1 << other
                cover += 1
                # Along the path each gives up its own value to the one that reached it.
                while True:
                    mate[other] = at
                    before = own[at]
                    own[at] = other
                    if at == value:
                        break
                    other = before
                    at = via[other]
                break
            seen |= fresh
            todo |= fresh
            while fresh:
                via[lowest(fresh)] = at
                fresh &= fresh - 1
    return cover


cdef inline void face_add(
    const DnupTables* t, DnupFace* face, uint64_t cards, uint64_t up, int turned
) noexcept nogil:
    """Counts these cards in the hand, turned over or not."""
    cdef int card, side, active, inactive
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        side = ((up >> card) & 1) ^ turned
        active = t.value[side][card]
        inactive = t.value[1 - side][card]
        face.actives += <uint64_t>1 << 4 * active
        face.inactives += <uint64_t>1 << 4 * inactive
        face.joined[active] |= <uint16_t>1 << inactive
        face.values |= <uint32_t>1 << active


cdef inline void face_plays(DnupFace* face) noexcept nogil:
    """How many plays empty the hand: without a flip one for each active value; with one, which may come after some of
    the plays, one for each value of a cover."""
    cdef int active = popcount(face.values)
    face.cover = dnup_cover(face.joined, face.values)
    face.plays = active if active <= face.cover else face.cover + 1


cdef inline double face_low(const DnupTables* t, uint64_t counts, int* low) noexcept nogil:
    """Returns how many of the sets of a hand would be beaten, as greedy sees it; adds up by size how low they are."""
    cdef uint64_t left = nibbles(counts)
    cdef int risk = 0
    cdef int value, size
    low[0] = 0
    low[1] = 0
    low[2] = 0
    while left:
        value = lowest(left) >> 2
        left &= left - 1
        size = (counts >> 4 * value) & 15
        risk += t.risk[size][value]
        low[2 if size > 2 else size - 1] += t.top - value
    return 0.001 * risk


cdef inline int dnup_clock(const DnupTables* t, const DnupData* s, int wait, int plays) noexcept nogil:
    """Turns of the table that pass before a seat, `wait` turns from its next, has its play number `plays`."""
    cdef int run
    if t.players > 2:
        return wait + (plays - 1) * (t.players - s.n_out)
    # Two turns each: the seat to move has 2 or 1 of them left, the other one 2 after those.
    run = 2 if wait else 2 - (s.zone & 1)
    plays -= 1
    if plays < run:
        return wait + plays
    plays -= run
    return wait + run + 2 + plays // 2 * 4 + (plays & 1)


cdef inline uint32_t dnup_lying(const DnupTables* t, const DnupData* s, const int* wait, int seat) noexcept nogil:
    """The zones, as bits, of the sets that lie when a seat has its next action; not the one that it then discards."""
    cdef uint32_t lying = 0
    cdef int zone, owner
    for zone in range(t.zones):
        if s.table[zone] == 0:
            continue
        owner = t.owner[zone]
        if t.players > 2:
            if owner != seat and (wait[owner] > wait[seat] or wait[seat] == 0):
                lying |= <uint32_t>1 << zone
        elif s.turn == seat:
            lying |= <uint32_t>(zone != s.zone) << zone
        elif owner == seat:
            lying |= <uint32_t>(zone & 1) << zone
        else:
            # Of the seat to move only what it has just played in zone 1.
            lying |= <uint32_t>(zone & 1 == 0 and s.zone & 1) << zone
    return lying


cdef inline void dnup_features(const DnupTables* t, const DnupData* s, double* out) noexcept nogil:
    """DNUP_N_FEATURES numbers for each seat of a true state that is not over."""
    cdef DnupFace face[DNUP_SEATS]
    cdef DnupFace back
    cdef int wait[DNUP_SEATS]
    cdef int clock[DNUP_SEATS]
    cdef uint32_t lying[DNUP_SEATS]
    cdef uint32_t threats[DNUP_SEATS]
    cdef int size_in[DNUP_ZONES]
    cdef uint32_t beatable = 0
    cdef uint32_t mine, sets
    cdef uint64_t blocked, group
    cdef double* f
    cdef double flipped
    cdef double span = 1.0 / (4 if t.players == 2 else t.players - s.n_out)
    cdef double part = 1.0 / t.top
    cdef int low[6]
    cdef int seat, other, zone, size, value, largest, best, lead, adds
    cdef int clocks = 0
    cdef int gone = s.out[0] if s.n_out else -1
    cdef int cycle = 4 if t.players == 2 else t.players - s.n_out
    cdef bint one_left
    memset(out, 0, t.players * DNUP_N_FEATURES * sizeof(double))
    memset(face, 0, sizeof(face))

    for zone in range(t.zones):
        size_in[zone] = popcount(s.table[zone])
    for seat in range(t.players):
        wait[seat] = seat - s.turn if seat >= s.turn else seat - s.turn + t.players
        if t.players == 2 and wait[seat]:
            wait[seat] = 2 - (s.zone & 1)
        elif gone >= 0 and (gone - s.turn if gone >= s.turn else gone - s.turn + t.players) < wait[seat]:
            wait[seat] -= 1
    for seat in range(t.players):
        if seat == gone:
            continue
        face_add(t, &face[seat], s.hand[seat], s.up, 0)
        face_plays(&face[seat])
        clock[seat] = dnup_clock(t, s, wait[seat], face[seat].plays)
        clocks += clock[seat] + 1
        lying[seat] = dnup_lying(t, s, wait, seat)
        threats[seat] = 0
        sets = lying[seat]
        while sets:
            zone = lowest(sets)
            sets &= sets - 1
            other = t.owner[zone]
            if other != seat and other != gone:
                group = nibbles_from(face[seat].actives, size_in[zone])
                threats[seat] |= <uint32_t>((group >> 4 * s.value[zone]) >> 4 != 0) << zone
        beatable |= threats[seat]

    for seat in range(t.players):
        if seat == gone:
            continue
        f = out + seat * DNUP_N_FEATURES
        best = 1 << 20
        for other in range(t.players):
            if other != seat and other != gone and clock[other] < best:
                best = clock[other]
        lead = best - clock[seat]
        f[F_PLAYS] = face[seat].plays
        f[F_PLAYS_1] = face[seat].plays == 1
        f[F_ACTIVE] = popcount(face[seat].values)
        f[F_INACTIVE] = popcount(nibbles(face[seat].inactives))
        f[F_COVER] = face[seat].cover
        f[F_CLOCK] = clock[seat] * span
        f[F_LEAD] = 2 if lead > 2 * cycle else -2 if lead < -2 * cycle else lead * span
        f[F_SHARE] = <double>(clock[seat] + 1) / clocks
        f[F_TO_MOVE] = wait[seat] == 0
        f[F_HAND] = popcount(s.hand[seat])
        f[F_LATE_PLAYS] = f[F_PLAYS] if s.n_out else 0
        nibbles_max(face[seat].actives, &largest)
        f[F_LARGEST] = largest
        group = nibbles_max(face[seat].inactives, &largest)
        nibbles_max(face[seat].inactives & ~(15 * (group & (0 - group))), &largest)
        f[F_SECOND_FLIPPED] = largest
        f[F_SINGLES] = f[F_ACTIVE] - popcount(nibbles_from(face[seat].actives, 2))
        f[F_SINGLES_FLIPPED] = f[F_INACTIVE] - popcount(nibbles_from(face[seat].inactives, 2))
        f[F_WEAK] = face_low(t, face[seat].actives, low)
        flipped = face_low(t, face[seat].inactives, low + 3)
        for size in range(6):
            f[F_LOW_1 + size] = low[size] * part
        f[F_WEAK_SQUARED] = f[F_WEAK] * f[F_WEAK]
        f[F_COST] = min(f[F_ACTIVE] + 0.3 * f[F_WEAK], f[F_INACTIVE] + 0.3 * flipped + 1)
        f[F_KNOWN] = popcount(s.hand[seat] & s.known)
        f[F_STAR] = (s.hand[seat] >> t.star) & 1
        f[F_THREATS] = popcount(threats[seat])

        # What the sets that lie forbid, and what they offer.
        blocked = 0
        adds = 0
        sets = lying[seat]
        while sets:
            zone = lowest(sets)
            sets &= sets - 1
            size = size_in[zone]
            value = s.value[zone]
            group = nibbles_from(face[seat].actives, size) & ~nibbles_from(face[seat].actives, size + 1)
            if t.owner[zone] == seat:
                # A set of its own that it beats comes back.
                blocked |= group
                continue
            blocked |= group & (((<uint64_t>1 << 4 * value) << 1) - 1)
            if (face[seat].values >> value) & 1 and not (t.frozen and t.owner[zone] == gone):
                for other in range(t.zones):
                    if (lying[seat] >> other) & 1 and size_in[other] == size + 1 and s.value[other] >= value:
                        break
                else:
                    adds += 1
        f[F_BLOCKED] = popcount(blocked)
        one_left = s.hand[seat] & (s.hand[seat] - 1) == 0
        if (face[seat].values & (face[seat].values - 1) == 0 and blocked == 0) or (one_left and adds):
            f[F_OUT_NEXT] = 1
            f[F_OUT_NOW] = wait[seat] == 0
            f[F_OUT_WEAK] = f[F_WEAK]
        if face[seat].plays == 1:
            f[F_1_NOW] = wait[seat] == 0
        elif face[seat].plays == 2:
            f[F_2_BLOCKED] = f[F_BLOCKED]
            f[F_2_THREATS] = f[F_THREATS]
            f[F_2_ADDS] = adds

        # Its own sets, and what it means if they come back.
        mine = 0
        for zone in range(t.zones):
            if t.owner[zone] == seat and s.table[zone]:
                f[F_SET_VALUE] += s.value[zone] * part
                mine |= <uint32_t>1 << zone
        f[F_OUT_VALUE] = f[F_OUT_NEXT] * f[F_SET_VALUE]
        mine &= beatable
        if mine == 0:
            f[F_OUT_SAFE] = f[F_OUT_NEXT]
            continue
        f[F_BEATABLE] = popcount(mine)
        back = face[seat]
        while mine:
            zone = lowest(mine)
            mine &= mine - 1
            face_add(t, &back, s.table[zone], s.up, 1)
        face_plays(&back)
        f[F_BACK_PLAYS] = back.plays - face[seat].plays
