"""dnup's state as one flat struct, its tables, and its moves as numbers.

A card is a bit. Bit c of `up` set: the second (higher) value of card c is active. Flipping a hand is one xor.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from cython_core.bits cimport lowest, popcount
from cython_core.game cimport move_t

cdef enum:
    DNUP_SEATS = 5
    DNUP_ZONES = 5
    DNUP_CARDS = 64
    DNUP_VALUES = 16  # values are 1..15
    DNUP_OF_VALUE = 10  # cards that may have one value
    DNUP_MATCH_TOKENS = 4

# A move is a number: kind, zone (add, take), value, and which of the cards that have this value (play, add). Ascending
# numbers are the order of the legal moves.
cdef enum:
    FLIP = 1
    TAKE = 2
    ADD = 3
    PLAY = 4
    MOVE_VALUE = 10
    MOVE_ZONE = 14
    MOVE_KIND = 18

# What stays the same through a match: the cards in play and the options.
ctypedef struct DnupTables:
    uint64_t cards
    uint64_t second[DNUP_VALUES]  # cards whose second value is v
    uint8_t value[2][DNUP_CARDS]  # of a card, by its way up
    uint16_t slot[2][DNUP_CARDS]  # one bit: place of the card among those that have that value
    uint8_t card_of[DNUP_VALUES][DNUP_OF_VALUE]  # card of a place
    uint8_t owner[DNUP_ZONES]  # seat of a zone
    int32_t risk[DNUP_OF_VALUE + 1][DNUP_VALUES]  # of a set, by size and value: see dnup_greedy.pxd
    int32_t group[DNUP_OF_VALUE + 1][DNUP_VALUES]
    uint8_t players
    uint8_t zones
    uint8_t star
    uint8_t top  # highest value of the deck
    uint8_t frozen  # option out_sets

# The whole state, true or a view. What is not known or does not count is zero, so equal states are equal bytes.
ctypedef struct DnupData:
    uint64_t hand[DNUP_SEATS]  # cards named in each hand
    uint64_t table[DNUP_ZONES]  # set in each zone
    uint64_t gone
    uint64_t up  # of cards in hands and on the table
    uint64_t known  # cards in hands that everybody knows to be there
    uint64_t known_up  # ... and their way up
    uint8_t value[DNUP_ZONES]  # of the set in each zone
    uint8_t hidden[DNUP_SEATS]  # cards in each hand that the view cannot name
    uint8_t tokens[DNUP_SEATS]  # before this round
    uint8_t gone_hidden
    uint8_t n_out
    int8_t out[2]  # seats that are out, in order; -1
    int8_t view  # -1: the true state
    int8_t turn  # -1: the round is over
    uint8_t zone  # of the seat to move; 0 when the round is over
    uint8_t zero[2]  # pads the struct to whole words

ctypedef struct DnupUndo:
    uint64_t hand  # of the mover
    uint64_t gone
    uint64_t up
    uint64_t known
    uint64_t known_up
    uint64_t own  # set discarded from the mover's zone
    uint64_t beaten
    uint64_t passed  # set of the seat that is out, discarded when the turn passed it
    move_t move
    uint8_t own_value
    int8_t beaten_zone  # -1: none
    uint8_t beaten_value
    int8_t passed_zone  # -1: none
    uint8_t passed_value
    uint8_t hidden  # of the mover
    int8_t turn
    uint8_t zone


cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> MOVE_KIND


cdef inline int move_zone(move_t move) noexcept nogil:
    return (move >> MOVE_ZONE) & 15


cdef inline int move_value(move_t move) noexcept nogil:
    return (move >> MOVE_VALUE) & 15


cdef inline move_t move_make(int kind, int zone, int value, uint32_t slots) noexcept nogil:
    return (<move_t>kind << MOVE_KIND) | (<move_t>zone << MOVE_ZONE) | (<move_t>value << MOVE_VALUE) | slots


cdef inline move_t move_alike(move_t move) noexcept nogil:
    """The move without its cards: kind, zone, value, and how many cards; below 256 for the plays among themselves."""
    cdef uint32_t slots = move & ((1 << DNUP_OF_VALUE) - 1)
    return move_kind(move) << 12 | move_zone(move) << 8 | move_value(move) << 4 | popcount(slots)


cdef inline uint64_t move_cards(const DnupTables* t, move_t move) noexcept nogil:
    """The cards that a play or an add takes from the hand."""
    cdef const uint8_t* card = t.card_of[move_value(move)]
    cdef uint32_t slots = move & ((1 << DNUP_OF_VALUE) - 1)
    cdef uint64_t cards = 0
    while slots:
        cards |= <uint64_t>1 << card[lowest(slots)]
        slots &= slots - 1
    return cards


cdef inline uint64_t _finish(uint64_t h) noexcept nogil:
    h = (h ^ h >> 33) * <uint64_t>0xFF51AFD7ED558CCD
    h = (h ^ h >> 33) * <uint64_t>0xC4CEB9FE1A85EC53
    return h ^ h >> 33


cdef inline void dnup_key(const DnupTables* t, const DnupData* s, uint64_t* key) noexcept nogil:
    """128 bits of what the rule on repetition compares: hands with their ways up, table, turn and zone, who is out."""
    cdef uint64_t word
    cdef uint64_t a = 0x9E3779B97F4A7C15
    cdef uint64_t b = 0xC2B2AE3D27D4EB4F
    cdef int i
    for i in range(t.players + t.zones + 2):
        if i < t.players:
            word = s.hand[i]
        elif i < t.players + t.zones:
            word = s.table[i - t.players]
        elif i == t.players + t.zones:
            word = s.up
        else:
            word = (
                <uint8_t>s.turn | <uint64_t>s.zone << 8 | <uint64_t><uint8_t>s.out[0] << 16
                | <uint64_t><uint8_t>s.out[1] << 24
            )
        a = (a ^ word) * <uint64_t>0xD6E8FEB86659FD93
        a ^= a >> 32
        b = ((b << 23 | b >> 41) + word) * <uint64_t>0xA0761D6478BD642F
        b ^= b >> 29
    key[0] = _finish(a)
    key[1] = _finish(b)


cdef inline uint64_t dnup_hash(const DnupData* s) noexcept nogil:
    """A hash of all that the state holds, the same in every process."""
    cdef uint64_t h = 0x9E3779B97F4A7C15
    cdef uint64_t word
    cdef size_t i
    for i in range(sizeof(DnupData) // 8):
        memcpy(&word, <const char*>s + 8 * i, 8)
        h = (h ^ word) * <uint64_t>0xD6E8FEB86659FD93
        h ^= h >> 32
    return h
