"""3UP 3DOWN's state as one flat struct, and its moves as numbers.

Cards of one rank are alike, so a set of cards is a count per rank: a word of 4 bits a rank. A sequence whose order
counts (the draw pile, face-down cards) has 4 bits a card, its rank + 1, and ends with the card that comes next; 0 is
an unknown card.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from cython_core.game cimport move_t

cdef enum:
    THREE_UP_SEATS = 6
    THREE_UP_RANKS = 13
    THREE_UP_CARDS = 108
    THREE_UP_COUNT = 15  # cards that may be of one rank
    THREE_UP_HAND = 3  # cards in hand up to which one draws, and face-up and face-down cards at first
    THREE_UP_DEALT = 9  # cards each at first
    DRAW_WORDS = 6
    # Ranks: 0..9 are the numbers 1..10.
    CLEAR = 10
    CLEAR_1 = 11
    CLEAR_2 = 12

# A move is a number: kind, rank, how many cards (keep: its three ranks, ascending), and the cards that chance showed,
# ranks + 1, ascending from the lowest bits. Ascending numbers are the order of the legal moves.
cdef enum:
    DRAW = 1
    NODRAW = 2
    KEEP = 3
    PLAY = 4
    UP = 5
    DOWN = 6
    PICKUP = 7
    SEEN_BITS = 12
    SEEN_MASK = 0xFFF
    MOVE_COUNT = 12
    MOVE_RANK = 16
    MOVE_KIND = 24

# What stays the same from deal to deal.
ctypedef struct ThreeUpTables:
    uint64_t cards  # the deck
    uint8_t total  # its cards
    uint8_t players

# The whole state, true or a view: 240 bytes. What is not known or does not count is zero, so equal states are equal
# bytes. The pile never falls, so that its counts say all of it: its top is its highest rank.
ctypedef struct ThreeUpData:
    uint64_t hand[THREE_UP_SEATS]  # cards named in each hand
    uint64_t known[THREE_UP_SEATS]  # ... that everybody knows to be there
    uint64_t up[THREE_UP_SEATS]  # face-up cards
    uint64_t pile
    uint64_t gone
    uint64_t draw[DRAW_WORDS]  # the draw pile, 16 cards a word
    uint16_t down[THREE_UP_SEATS]  # face-down cards
    uint8_t n_down[THREE_UP_SEATS]
    uint8_t hidden[THREE_UP_SEATS]  # cards in each hand that the view cannot name
    uint8_t n_draw
    uint8_t extra  # extra plays that are owed
    uint8_t may_draw  # whether the seat to move must first say if it draws
    int8_t view  # -1: the true state
    int8_t turn  # -1: the round is over
    uint8_t zero[3]  # pads the struct to whole words

ctypedef struct ThreeUpUndo:
    uint64_t hand  # of the mover
    uint64_t known
    uint64_t up
    uint64_t pile
    uint64_t gone
    uint16_t down
    uint16_t drawn  # cards that the mover drew, as they lay in the pile, the first one in the lowest bits
    uint8_t n_down
    uint8_t n_draw
    uint8_t hidden
    uint8_t extra
    uint8_t may_draw
    int8_t turn


# --- sets of cards

cdef inline uint64_t cards_of(int rank, int count) noexcept nogil:
    return <uint64_t>count << 4 * rank


cdef inline int count_of(uint64_t cards, int rank) noexcept nogil:
    return (cards >> 4 * rank) & 15


cdef inline int cards_size(uint64_t cards) noexcept nogil:
    """How many cards there are in a set."""
    cdef uint64_t pairs = (cards & <uint64_t>0x0F0F0F0F0F0F0F0F) + ((cards >> 4) & <uint64_t>0x0F0F0F0F0F0F0F0F)
    return (pairs * <uint64_t>0x0101010101010101) >> 56


cdef inline int cards_top(uint64_t cards) noexcept nogil:
    """The highest rank of a set; 0 if there is none, as anything may be played then."""
    cdef int rank = THREE_UP_RANKS - 1
    while rank > 0 and count_of(cards, rank) == 0:
        rank -= 1
    return rank


cdef inline uint64_t cards_below(int rank) noexcept nogil:
    """A mask of the ranks below this one."""
    return (<uint64_t>1 << 4 * rank) - 1


# --- moves

cdef inline int move_kind(move_t move) noexcept nogil:
    return move >> MOVE_KIND


cdef inline int move_rank(move_t move) noexcept nogil:
    return (move >> MOVE_RANK) & 15


cdef inline int move_count(move_t move) noexcept nogil:
    return (move >> MOVE_COUNT) & 15


cdef inline move_t move_make(int kind, int rank, int count) noexcept nogil:
    return (<move_t>kind << MOVE_KIND) | (<move_t>rank << MOVE_RANK) | (<move_t>count << MOVE_COUNT)


cdef inline move_t keep_make(int low, int middle, int high) noexcept nogil:
    """The keep of three ranks, which ascend."""
    return (<move_t>KEEP << MOVE_KIND) | (<move_t>low << 20) | (<move_t>middle << 16) | (<move_t>high << 12)


cdef inline uint64_t keep_cards(move_t move) noexcept nogil:
    """The cards that a keep lays face up."""
    return cards_of((move >> 20) & 15, 1) + cards_of((move >> 16) & 15, 1) + cards_of((move >> 12) & 15, 1)


cdef inline move_t seen_make(uint64_t cards) noexcept nogil:
    """Up to three cards as the part of a move that says what it showed."""
    cdef move_t seen = 0
    cdef int shift = 0
    cdef int rank, _i
    for rank in range(THREE_UP_RANKS):
        for _i in range(count_of(cards, rank)):
            seen |= <move_t>(rank + 1) << shift
            shift += 4
    return seen


cdef inline uint64_t three_up_hash(const ThreeUpData* s) noexcept nogil:
    """A hash of all that the state holds, the same in every process."""
    cdef uint64_t h = 0x9E3779B97F4A7C15
    cdef uint64_t word
    cdef size_t i
    for i in range(sizeof(ThreeUpData) // 8):
        memcpy(&word, <const char*>s + 8 * i, 8)
        h = (h ^ word) * <uint64_t>0xD6E8FEB86659FD93
        h ^= h >> 32
    return h
