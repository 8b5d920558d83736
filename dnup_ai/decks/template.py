"""The deck file that `dnup-ai decks template` prints: valid as it is, to be filled in from a box."""

DECK_TEMPLATE = """\
# A deck of dnup. Put the cards of your box here, then run `dnup-ai decks check` on this file and give its
# path wherever the name of a deck is asked for. The cards below are those of `standard`, a reconstruction.

# Small letters, digits and hyphens; not the name of a deck that ships. Positions and records give this name.
name = "my-deck"

# The card whose holder begins the round. It must be among the cards and bear none of the symbols below.
star = "1/5"

# Every card of the box once, as its two values, in either order: "3/7" and "7/3" are one card.
# At most 64 cards, different values from 1 to 15 on each, each value on at most 10 cards, no pair twice.
cards = [
    "1/3", "1/4", "1/5", "1/6", "1/7", "1/8", "1/9", "1/10",
    "2/3", "2/4", "2/5", "2/6", "2/7", "2/8", "2/9", "2/10",
    "3/4", "3/5", "3/6", "3/7", "3/9", "3/10",
    "4/5", "4/6", "4/8", "4/9", "4/10",
    "5/7", "5/8", "5/9", "5/10",
    "6/7", "6/8", "6/9", "6/10",
    "7/8", "7/9", "7/10",
    "8/9", "8/10",
]

# Which cards bear the symbols that say when a card leaves the deck; leave out what your box has not.
# What remains must deal out evenly for at least one number of players from 2 to 5.
[symbols]
# First symbol: out at 4 players and fewer.
1 = ["1/10", "2/10", "3/10", "4/10", "5/10", "6/10", "7/10", "8/10"]
# Second symbol: out at 3 players and fewer.
2 = ["1/9", "2/9", "3/9", "4/9", "5/9", "6/9", "7/9", "8/9"]
# Third symbol: out at 2 players.
3 = ["1/8", "2/7", "3/6", "4/5"]
"""
