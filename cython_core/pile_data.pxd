"""dnup-pile's state as one flat struct, its tables, and its moves as numbers.

A card is a bit. Bit c of `up` set: the second (higher) value of card c is active, or visible on a pile.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from cython_core.game cimport move_t

cdef enum:
    PILE_SEATS = 5
    PILE_PILES = 2
    PILE_CARDS = 64
    PILE_VALUES = 16  # values are 1..15
    PILE_FIRST = 2  # points for the first empty hand
    PILE_SECOND = 1
    PILE_MATCH_POINTS = 4

# A move is a number: kind, and of a play the card, the pile, which of its values was up in the hand and which one is
# visible then (0: the lower). Ascending numbers are the order of the legal moves.
cdef enum:
    SKIP = 1
    REVOLVE = 2
    LAY = 3
    MOVE_LIE = 1
    MOVE_PILE = 2
    MOVE_CARD = 3
    MOVE_KIND = 9

# What stays the same through a match: the cards and the options.
ctypedef struct PileTables:
    uint64_t cards
    uint64_t near[2][PILE_VALUES]  # cards whose lower, higher value fits when v is visible
    uint8_t value[2][PILE_CARDS]  # of a card, lower and higher
    uint8_t players
    uint8_t piles
    uint8_t start  # cards in a full hand
    uint8_t top  # highest value of the deck
    uint8_t revolves
    uint8_t active  # option match: only the active end fits
    uint8_t reshuffle
    uint8_t second_out  # option one_point
    uint8_t blocked_void

# The whole state, true or a view. What is not known or does not count is zero, so equal states are equal bytes.
ctypedef struct PileData:
    uint64_t draws  # generator of reshuffles to come; no part of what makes states equal, so it stands first
    uint64_t hand[PILE_SEATS]  # cards named in each hand
    uint64_t gone  # covered cards
    uint64_t up  # of cards in hands, on the piles and in the stock
    uint8_t stock[PILE_CARDS]  # the card drawn next is stock[n_stock - 1]; a view knows none
    uint8_t n_stock
    uint8_t hidden[PILE_SEATS]  # cards in each hand that the view cannot name
    uint8_t revolved[PILE_SEATS]  # times in this round
    uint8_t points[PILE_SEATS]  # before this round
    uint8_t card[PILE_PILES]  # on top of each pile
    int8_t laid[PILE_PILES]  # seat that laid it; -1: a start card
    uint8_t skips  # in a row, up to now
    int8_t first  # seat that got 2 points in this round; -1
    int8_t second  # seat that got 1 point; -1
    int8_t view  # -1: the true state
    int8_t turn  # -1: the round is over
    uint8_t zero[3]  # pads the struct to whole words

ctypedef struct PileUndo:
    uint64_t draws
    uint64_t hand  # of the mover
    uint64_t gone
    uint64_t up
    int8_t turn
    int8_t pile  # that a card was laid on; -1: none
    uint8_t card  # that was covered
    int8_t laid
    uint8_t hidden  # of the mover
    uint8_t revolved  # of the mover
    uint8_t skips
    int8_t first
    int8_t second
    uint8_t drew  # whether a card was drawn
    uint8_t drawn  # that card; 0 in a view
    uint8_t shuffled  # whether the covered cards became the stock


cdef inline int pile_kind(move_t move) noexcept nogil:
    return move >> MOVE_KIND


cdef inline int pile_card(move_t move) noexcept nogil:
    return (move >> MOVE_CARD) & 63


cdef inline int pile_number(move_t move) noexcept nogil:
    """The pile that a play goes to."""
    return (move >> MOVE_PILE) & 1


cdef inline int pile_lie(move_t move) noexcept nogil:
    """Which value of the card was up in the hand."""
    return (move >> MOVE_LIE) & 1


cdef inline int pile_shown(move_t move) noexcept nogil:
    """Which value of the card is visible on the pile."""
    return move & 1


cdef inline move_t pile_make(int kind, int card, int pile, int lie, int shown) noexcept nogil:
    return (
        (<move_t>kind << MOVE_KIND) | (<move_t>card << MOVE_CARD) | (<move_t>pile << MOVE_PILE)
        | (<move_t>lie << MOVE_LIE) | <move_t>shown
    )


cdef inline move_t pile_alike(const PileTables* t, move_t move) noexcept nogil:
    """The move without its card: kind, pile and visible value; from 1 to 32 for the plays among themselves."""
    if pile_kind(move) != LAY:
        return move
    return <move_t>LAY << MOVE_KIND | (
        (pile_number(move) << 4 | t.value[pile_shown(move)][pile_card(move)]) + 1
    )


cdef inline uint64_t pile_hash(const PileData* s) noexcept nogil:
    """A hash of all but the generator of reshuffles, the same in every process."""
    cdef uint64_t h = 0x9E3779B97F4A7C15
    cdef uint64_t word
    cdef size_t i
    for i in range(1, sizeof(PileData) // 8):
        memcpy(&word, <const char*>s + 8 * i, 8)
        h = (h ^ word) * <uint64_t>0xD6E8FEB86659FD93
        h ^= h >> 32
    return h
