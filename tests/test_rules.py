"""Every rule and every decision of docs/rules.md as an example, for the reference and for the core.

Unless an example says otherwise, the cards that it does not mention are discarded (see `pos`). Each docstring
names the section of the rules that the test proves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import partial
from itertools import combinations

import pytest

import reference
from engines import CoreEngine, Engine, ReferenceEngine, field, gone, hand, lying, pos

THIRD = 1 / 3

# Engines say why in their own words.
refusal = partial(pytest.raises, ValueError, match=r"\w")


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return ReferenceEngine() if request.param == "reference" else CoreEngine()


def refused(engine: Engine, position: str, *moves: str, out_sets: str = "open") -> None:
    """None of the moves is legal, whether one asks for the list or tries."""
    for move in moves:
        assert move not in engine.moves(position, out_sets)
        with refusal():
            engine.play(position, move, out_sets=out_sets)


def pairs(position: str) -> Counter[tuple[int, int]]:
    """All cards that a position names, without their way up."""
    cards = re.findall(r"(\d+)[/~](\d+)", position)
    return Counter((min(int(a), int(b)), max(int(a), int(b))) for a, b in cards)


def playing(cards: str) -> set[str]:
    """The moves that play one or more of the cards as a set."""
    every = cards.split(",")
    return {"play:" + ",".join(some) for size in range(1, len(every) + 1) for some in combinations(every, size)}


# --- Deck ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards"), [(5, 8), (4, 8), (3, 8), (2, 10)])
def test_hands_have_eight_cards_or_ten_at_two_players(engine: Engine, players: int, cards: int) -> None:
    """Deck, Decision: 8 at 5, 4 and 3 players and 10 at 2; the deck has 40, 32, 24 and 20 cards."""
    dealt = engine.deal(players, 1)
    assert [len(hand(dealt, seat).split(",")) for seat in range(players)] == [cards] * players
    assert len(pairs(dealt)) == players * cards


def test_standard_deck_has_every_value_on_eight_cards(engine: Engine) -> None:
    """Deck, Decision: all 45 pairs of 1..10 but 1/2, 3/8, 4/7, 5/6 and 9/10."""
    cards = pairs(engine.deal(5, 1))
    assert set(cards) == set(combinations(range(1, 11), 2)) - {(1, 2), (3, 8), (4, 7), (5, 6), (9, 10)}
    assert set(cards.values()) == {1}
    assert Counter(value for card in cards for value in card) == dict.fromkeys(range(1, 11), 8)


def test_cards_leave_by_their_symbols(engine: Engine) -> None:
    """Deck, Decision: at 4 players the 10s leave, at 3 the 9s too, at 2 also 1/8, 2/7, 3/6 and 4/5."""
    five, four, three, two = (set(pairs(engine.deal(players, 1))) for players in (5, 4, 3, 2))
    assert five - four == {card for card in five if 10 in card}
    assert four - three == {card for card in four if 9 in card}
    assert three - two == {(1, 8), (2, 7), (3, 6), (4, 5)}


@pytest.mark.parametrize(
    ("deck", "highest", "players"),
    [("pairs-45", 10, 5), ("pairs-45", 10, 3), ("pairs-36", 9, 4), ("pairs-36", 9, 3), ("pairs-36", 9, 2)],
)
def test_decks_of_all_pairs(engine: Engine, deck: str, highest: int, players: int) -> None:
    """Deck: pairs-45 has all pairs of 1..10 for 5 or 3 players, pairs-36 all of 1..9 for 2, 3 or 4."""
    dealt = engine.deal(players, 1, deck)
    assert dealt.startswith(f"dnup:{players} deck={deck} turn=")
    assert engine.canon(dealt) == dealt
    assert set(pairs(dealt)) == set(combinations(range(1, highest + 1), 2))
    assert {len(hand(dealt, seat).split(",")) for seat in range(players)} == {len(pairs(dealt)) // players}


@pytest.mark.parametrize(("deck", "players"), [("pairs-45", 2), ("pairs-45", 4), ("pairs-36", 5)])
def test_cards_that_cannot_be_dealt_evenly_are_an_error(engine: Engine, deck: str, players: int) -> None:
    """Deck: a number of players to which the cards cannot be dealt evenly is an error when asked for."""
    with refusal():
        engine.deal(players, 1, deck)


# --- Deal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_cards_are_dealt_out(engine: Engine, players: int) -> None:
    """Deal: shuffle the cards and deal them all out; nothing lies on the table, nobody is out."""
    dealt = engine.deal(players, 3)
    assert set(field(dealt, "table")) == {"-", ";"}
    assert (field(dealt, "gone"), field(dealt, "out")) == ("-", "-")
    assert field(dealt, "tokens") == ",".join("0" * players)
    assert engine.canon(dealt) == dealt


def test_tokens_of_the_match_so_far_are_kept_in_a_deal(engine: Engine) -> None:
    """Being out: `tokens=` is part of the state."""
    assert field(engine.deal(3, 1, tokens=[3, 0, 2]), "tokens") == "3,0,2"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_holder_of_the_star_begins(engine: Engine, players: int) -> None:
    """Deal and 2 players: the holder of the starred card, 1/5, begins, at 2 players with a turn in zone 2."""
    starters = set()
    for seed in range(30):
        dealt = engine.deal(players, seed)
        holder = next(seat for seat in range(players) if re.search(r"1/5~|5/1~", hand(dealt, seat)))
        assert field(dealt, "turn") == (f"{holder}.2" if players == 2 else f"{holder}")
        starters.add(holder)
    assert starters == set(range(players))


def test_way_up_is_shuffled(engine: Engine) -> None:
    """Deal: shuffle the way up of each card; the star's holder is known, nothing else and no way up."""
    texts = [engine.deal(5, seed) for seed in range(40)]
    assert {tuple(re.findall(r"1/5~|5/1~", text)) for text in texts} == {("1/5~",), ("5/1~",)}
    assert {tuple(re.findall(r"7/10|10/7", text)) for text in texts} == {("7/10",), ("10/7",)}
    assert all(text.count("~") == 1 and "+" not in text for text in texts)


def test_star_need_not_be_played_first(engine: Engine) -> None:
    """Deal, from the publisher's FAQ: the starred 1/5 starts but need not be played."""
    start = pos(4, "1", "2/3;1/5~,4/6;7/8;6/9")
    assert engine.moves(start) == {"flip", "play:1/5", "play:4/6"}


# --- A turn, 3 to 5 players --------------------------------------------------------------------------

OWN_SET_LIES = pos(4, "1", "2/3;6/4,8/5;7/3;6/9", "-;7/1,7/2;6/1;-")


@pytest.mark.parametrize(
    ("move", "hands", "table"),
    [
        ("flip", "2/3;4/6,5/8;7/3;6/9", "-;-;6/1;-"),
        ("take@2", "2/3;1/6+,6/4,8/5;7/3;6/9", "-;-;-;-"),
        ("add:6/4@2", "2/3;8/5;7/3;6/9", "-;-;6/1,6/4;-"),
        ("play:8/5", "2/3;6/4;1/6+,7/3;6/9", "-;8/5;-;-"),
    ],
)
def test_own_set_is_discarded_first(engine: Engine, move: str, hands: str, table: str) -> None:
    """A turn: first your own set, if one still lies in front of you, is discarded; then one of four."""
    assert engine.moves(OWN_SET_LIES) == {"flip", "take@2", "add:6/4@2", "play:8/5"}
    after = engine.play(OWN_SET_LIES, move)
    assert after == pos(4, "2", hands, table)
    assert {"1/7", "2/7"} <= set(gone(after))


def test_own_set_never_conflicts_with_what_you_play(engine: Engine) -> None:
    """A turn: your own set, discarded first, never conflicts with what you do next."""
    start = pos(4, "1", "2/3;4/2,4/6;7/3;6/9", "-;7/1,7/2;-;-")
    assert engine.play(start, "play:4/2,4/6") == pos(4, "2", "2/3;-;7/3;6/9", "-;4/2,4/6;-;-", out="1")


def test_own_set_never_conflicts_with_what_you_add(engine: Engine) -> None:
    """A turn: as above, for a set that grows to the size of the mover's old set."""
    after = engine.play(OWN_SET_LIES, "add:6/4@2")
    assert lying(after, "2") == "6/1,6/4"
    assert hand(after, 1) == "8/5"


def test_set_that_stays_until_the_next_turn_is_discarded_then(engine: Engine) -> None:
    """A turn: a set lies for one round of turns, then it is discarded."""
    start = pos(3, "0", "4/2,6/7;3/5;5/8")
    after = engine.play(start, "play:4/2", "flip", "flip")
    assert (lying(after, "0"), "2/4" in gone(after)) == ("4/2", False)
    after = engine.play(after, "flip")
    assert (lying(after, "0"), "2/4" in gone(after)) == ("-", True)


def test_turns_go_clockwise(engine: Engine) -> None:
    """A turn: clockwise is seat, seat+1, ... and from the last seat to the first."""
    position = pos(5, "3", "2/3;4/6;7/3;6/9;7/10")
    turns = []
    for _ in range(6):
        position = engine.play(position, "flip")
        turns.append(field(position, "turn"))
    assert turns == ["4", "0", "1", "2", "3", "4"]


def test_playing_does_not_change_the_position_played_from(engine: Engine) -> None:
    """Moves on a copy: the same position gives the same moves and results again."""
    assert engine.play(OWN_SET_LIES, "flip") == engine.play(OWN_SET_LIES, "flip")


# play


def test_play_one_or_more_cards_of_one_active_value(engine: Engine) -> None:
    """A turn, play: one or more cards with the same active value, not necessarily all of them."""
    start = pos(4, "0", "4/1,4/2,4/6,7/3;2/3;3/5;6/9")
    assert engine.moves(start) == playing("4/1,4/2,4/6") | {"play:7/3", "flip"}
    assert engine.play(start, "play:4/1,4/6") == pos(4, "1", "4/2,7/3;2/3;3/5;6/9", "4/1,4/6;-;-;-")


def test_cards_of_a_move_are_read_in_any_order(engine: Engine) -> None:
    """Notation, move: any order when read, sorted when written."""
    start = pos(4, "0", "4/1,4/2,4/6,7/3;2/3;3/5;6/9")
    assert engine.play(start, "play:4/6,4/1,4/2") == engine.play(start, "play:4/1,4/2,4/6")


@pytest.mark.parametrize(
    "move",
    [
        "play:4/1,7/3",  # two values
        "play:4/1,4/1",
        "play:1/4",  # lies in the hand the other way up
        "play:2/3",  # in another hand
        "play:4/9",  # discarded
        "take@0",
        "take@1",  # no set lies there
        "take@4",  # no such seat
        "pass",
    ],
)
def test_moves_that_cannot_be(engine: Engine, move: str) -> None:
    """A turn: cards of the hand as they lie in it, of one active value, each once; sets that are there."""
    refused(engine, pos(4, "0", "4/1,4/2,4/6,7/3;2/3;3/5;6/9"), move)


def test_example_of_the_rules_sheet_sizes_and_values(engine: Engine) -> None:
    """A turn, play; rules sheet: with one 7 and three 6s there, one card must be above 7, three above 6.

    Any other size may be played without regard to its value.
    """
    start = pos(5, "0", "5/2,5/3,5/4,7/2,8/1,8/2,8/5;1/3;2/3;3/4;9/1", "-;7/1;-;6/2,6/3,6/4;-")
    fives = {"play:5/2,5/3", "play:5/2,5/4", "play:5/3,5/4"}
    assert engine.moves(start) == fives | playing("8/1,8/2,8/5") | {"add:7/2@1", "take@1", "take@3", "flip"}


@pytest.mark.parametrize("card", ["6/8", "7/2"])
def test_play_of_the_same_size_must_be_higher(engine: Engine, card: str) -> None:
    """A turn, play: v must be higher than the value of a set of the same size; lower or equal is refused."""
    refused(engine, pos(4, "0", f"{card},8/4;2/3;3/5;6/9", "-;-;7/1;-"), f"play:{card}")


def test_beaten_set_goes_back_to_its_owner_turned_over(engine: Engine) -> None:
    """A turn, play: the set of the same size goes back to its owner, turned over and now known to all."""
    start = pos(4, "2", "2/3;4/8;6/1,9/1,9/2;5/2", "7/3,7/6;-;-;8/2")
    after = engine.play(start, "play:9/1,9/2")
    assert after == pos(4, "3", "2/3,3/7+,6/7+;4/8;6/1;5/2", "-;-;9/1,9/2;8/2")


def test_card_that_was_beaten_is_played_with_its_other_value(engine: Engine) -> None:
    """A turn: cards that go back to a hand are turned over, so their owner plays them by the other value."""
    start = pos(3, "0", "8/1,2/3;4/6;7/5", "-;-;7/3")
    after = engine.play(start, "play:8/1", "flip")
    assert hand(after, 2) == "3/7+,7/5"
    # Neither 3 nor 7 beats the 8, but it is gone by the next turn.
    assert engine.moves(after) == {"take@0", "flip"}
    after = engine.play(after, "take@0", "flip", "flip")
    assert engine.moves(after) == {"play:1/8", "play:3/7", "play:7/5", "flip"}


# add


def test_example_of_the_rules_sheet_refused_add(engine: Engine) -> None:
    """A turn, add; rules sheet: a 3 may not make a set of two where two 5s lie."""
    start = pos(4, "0", "3/4,8/2;2/9;4/8;6/1", "-;3/6;5/7,5/8;-")
    refused(engine, start, "add:3/4@1")


def test_example_of_the_rules_sheet_add_that_beats(engine: Engine) -> None:
    """A turn, add; rules sheet: a 5 makes two 5s, so two 3s go back to their owner and become 4 and 6."""
    start = pos(4, "0", "5/7,8/2;2/9;4/8;6/1", "-;5/8;3/4,3/6;-")
    after = engine.play(start, "add:5/7@1")
    assert after == pos(4, "1", "8/2;2/9;4/3+,4/8,6/3+;6/1", "-;5/7,5/8;-;-")


def test_add_needs_the_same_value(engine: Engine) -> None:
    """A turn, add: one card of your hand to an opponent's set, of the same value; any opponent's."""
    start = pos(4, "0", "3/1,5/2,7/6,8/4;4/9;2/9;6/1", "-;3/4;5/7,5/8;7/1,7/2,7/3")
    adds = {move for move in engine.moves(start) if move.startswith("add")}
    # The 3 would make two where two 5s lie, the 5 three where three 7s lie; nothing has the size of four 7s.
    assert adds == {"add:7/6@3"}
    refused(engine, start, "add:8/4@1", "add:7/6@1", "add:3/1@0")


def test_grown_set_of_equal_value_is_refused(engine: Engine) -> None:
    """A turn, add: the grown set's value must be higher than the other's, equal is not enough."""
    start = pos(4, "0", "3/1,8/2;2/9;4/8;6/1", "-;3/4;3/6,3/7;-")
    refused(engine, start, "add:3/1@1")
    assert lying(engine.play(start, "add:3/1@2"), "2") == "3/1,3/6,3/7"


def test_add_is_of_one_card(engine: Engine) -> None:
    """A turn, add: one card of your hand."""
    refused(engine, pos(4, "0", "7/2,7/3,8/2;2/9;4/8;6/1", "-;7/1;-;-"), "add:7/2,7/3@1")


def test_own_set_can_be_neither_grown_nor_taken(engine: Engine) -> None:
    """A turn, add: never to your own set; take: an opponent's set."""
    start = pos(4, "1", "2/3;7/2,8/4;3/5;6/9", "-;7/1;-;-")
    assert engine.moves(start) == {"play:7/2", "play:8/4", "flip"}
    refused(engine, start, "add:7/2@1", "take@1")


def test_added_card_belongs_to_the_owner_of_the_set(engine: Engine) -> None:
    """A turn, add: a grown set that is beaten goes back whole to the player in front of whom it lies."""
    start = pos(4, "0", "5/7,8/2;6/1,6/2,4/9;4/8;2/9", "-;-;5/8;-")
    after = engine.play(start, "add:5/7@2", "play:6/1,6/2")
    assert after == pos(4, "2", "8/2;4/9;4/8,7/5+,8/5+;2/9", "-;6/1,6/2;-;-")


def test_grown_set_is_discarded_at_its_owners_next_turn(engine: Engine) -> None:
    """A turn: the whole set in front of a player is discarded first, added cards included."""
    start = pos(4, "0", "5/7,8/2;6/1,6/2,4/9;4/8;2/9", "-;5/8;-;-")
    after = engine.play(start, "add:5/7@1", "flip")
    assert after == pos(4, "2", "8/2;1/6,2/6,9/4;4/8;2/9")
    assert {"5/7", "5/8"} <= set(gone(after))


# take


def test_example_of_the_rules_sheet_take(engine: Engine) -> None:
    """A turn, take; rules sheet: three 2s taken into the hand become 5, 7 and 9."""
    start = pos(4, "0", "8/6;3/1;4/3;6/1", "-;-;2/5,2/7,2/9;-")
    assert engine.play(start, "take@2") == pos(4, "1", "5/2+,7/2+,8/6,9/2+;3/1;4/3;6/1")


def test_take_whole_sets_of_opponents_only(engine: Engine) -> None:
    """A turn, take: an opponent's set, whichever lies on the table."""
    start = pos(5, "2", "2/3;4/6;1/3;6/9;7/10", "7/1;-;8/2,8/4;9/1,9/2,9/3;-")
    takes = {move for move in engine.moves(start) if move.startswith("take")}
    assert takes == {"take@0", "take@3"}


# flip


def test_flip_turns_the_whole_hand(engine: Engine) -> None:
    """A turn, flip: every card's active and inactive value change places, of the own hand only."""
    start = pos(4, "2", "2/3;4/8,9/1+;1/5~,3/7+,4/6;6/1", "-;-;-;8/2")
    after = engine.play(start, "flip")
    assert after == pos(4, "3", "2/3;4/8,9/1+;5/1~,6/4,7/3+;6/1", "-;-;-;8/2")
    assert hand(engine.play(after, "flip", "flip", "flip", "flip"), 2) == "1/5~,3/7+,4/6"


def test_flip_is_legal_when_nothing_else_is(engine: Engine) -> None:
    """A turn: there is no pass; flip is always legal."""
    start = pos(4, "0", "2/3,4/6;1/3;3/5;-", "-;-;-;9/1", out="3")
    assert engine.moves(start, "frozen") == {"flip"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_invariants_of_random_rounds(engine: Engine, players: int) -> None:
    """A turn: flip is always legal, sizes are distinct, a move beats at most one set, only movers get out."""
    rng = random.Random(players)
    position = engine.deal(players, players)
    everything = pairs(position)
    for _ in range(120):
        if engine.is_over(position):
            break
        moves = engine.moves(position)
        assert "flip" in moves
        mover = int(field(position, "turn")[0])
        after = engine.play(position, rng.choice(sorted(moves)))
        sets = [zone.split(",") for zone in field(after, "table").split(";") if zone != "-"]
        assert len({len(cards) for cards in sets}) == len(sets)
        assert pairs(after) == everything
        before = field(position, "hands").split(";")
        emptied = [seat for seat in range(players) if hand(after, seat) == "-" != before[seat]]
        assert emptied in ([], [mover])
        assert sum(engine.payoffs(after)) == pytest.approx(1 if players == 2 else 3)
        grown = [s for s in range(players) if s != mover and hand(after, s).count("/") > before[s].count("/")]
        assert len(grown) <= 1
        position = after


# --- Being out, and the end of a round ---------------------------------------------------------------

FIRST_OUT = pos(4, "2", "2/3;-;4/2;6/1", "-;7/1;-;-", out="1")


def test_first_out_by_playing_the_last_cards(engine: Engine) -> None:
    """Being out: whoever's hand is empty after their own action is out; the first gets 2; their set stays."""
    after = engine.play(pos(4, "1", "2/3;7/1;4/2;6/1"), "play:7/1")
    assert after == FIRST_OUT
    assert not engine.is_over(after)
    assert engine.result(after) == [0, 2, 0, 0]
    assert engine.ranks(after) == [0, 1, 0, 0]


def test_first_out_by_adding_the_last_card(engine: Engine) -> None:
    """Being out: also by an add, when nothing is left in front of who is out."""
    start = pos(4, "1", "2/3;7/1;4/2;6/1", "-;8/2,8/4;7/3;-")
    # Two 7s beat nothing: the mover's own two 8s are discarded first.
    assert engine.play(start, "add:7/1@2") == pos(4, "2", "2/3;-;4/2;6/1", "-;-;7/1,7/3;-", out="1")


def test_set_of_the_first_out_stays_until_their_next_turn_would_come(engine: Engine) -> None:
    """Being out: after a turn, while the next seat is out, its set is discarded and the turn passes on."""
    after = engine.play(FIRST_OUT, "flip", "flip")
    assert (field(after, "turn"), lying(after, "1")) == ("0", "7/1")
    after = engine.play(after, "flip")
    assert (field(after, "turn"), lying(after, "1")) == ("2", "-")
    assert "1/7" in gone(after)


def test_seat_that_is_out_is_passed_over_again_and_again(engine: Engine) -> None:
    """Being out: the first out takes no more turns."""
    position, turns = FIRST_OUT, []
    for _ in range(7):
        position = engine.play(position, "flip")
        turns.append(field(position, "turn"))
    assert turns == ["3", "0", "2", "3", "0", "2", "3"]


def test_set_of_who_is_out_is_discarded_when_beaten_by_a_play(engine: Engine) -> None:
    """Being out: if it is beaten before, it is discarded instead of going back."""
    start = pos(4, "2", "2/3;-;4/2,9/2;6/1", "-;7/1;-;-", out="1")
    after = engine.play(start, "play:9/2")
    assert after == pos(4, "3", "2/3;-;4/2;6/1", "-;-;9/2;-", out="1")
    assert "1/7" in gone(after)


@pytest.mark.parametrize("out_sets", ["open", "frozen"])
def test_set_of_who_is_out_is_discarded_when_beaten_by_an_add(engine: Engine, out_sets: str) -> None:
    """Being out: the same when another set grows to its size; with frozen sets, beating stays."""
    start = pos(4, "2", "2/3;-;4/2,5/7;6/1", "5/8;3/4,3/6;-;-", out="1")
    after = engine.play(start, "add:5/7@0", out_sets=out_sets)
    assert after == pos(4, "3", "2/3;-;4/2;6/1", "5/7,5/8;-;-;-", out="1")
    assert {"3/4", "3/6"} <= set(gone(after))


@pytest.mark.parametrize("out_sets", ["open", "frozen"])
def test_set_of_who_is_out_must_still_be_beaten(engine: Engine, out_sets: str) -> None:
    """Being out: while it lies there it conflicts like any other set, frozen or not."""
    start = pos(4, "2", "2/3;-;4/3,7/2,9/2;6/1", "-;7/1;-;-", out="1")
    refused(engine, start, "play:4/3", "play:7/2", out_sets=out_sets)
    assert "play:9/2" in engine.moves(start, out_sets)


def test_open_sets_of_who_is_out_can_be_grown_and_taken(engine: Engine) -> None:
    """Being out, Decision: with `open`, the default, a set of who is out may be added to and taken."""
    start = pos(4, "2", "2/3;-;4/3,7/2;6/1", "-;7/1;-;-", out="1")
    assert engine.moves(start) == engine.moves(start, "open") == {"flip", "take@1", "add:7/2@1"}
    assert engine.play(start, "take@1") == pos(4, "3", "2/3;-;1/7+,4/3,7/2;6/1", out="1")
    assert engine.play(start, "add:7/2@1") == pos(4, "3", "2/3;-;4/3;6/1", "-;7/1,7/2;-;-", out="1")


def test_frozen_sets_of_who_is_out_can_only_be_beaten(engine: Engine) -> None:
    """Being out, Decision: with `frozen`, neither added to nor taken; other players' sets are as ever."""
    start = pos(4, "2", "2/3;-;4/3,7/2,8/4;6/1", "8/2,8/6;7/1;-;-", out="1")
    assert engine.moves(start, "frozen") == {"flip", "take@0", "add:8/4@0", "play:8/4"}
    refused(engine, start, "take@1", "add:7/2@1", out_sets="frozen")
    after = engine.play(start, "play:8/4", out_sets="frozen")
    assert (lying(after, "1"), hand(after, 1), "1/7" in gone(after)) == ("-", "-", True)


def test_open_set_of_who_is_out_that_grows_beats_and_is_discarded_in_time(engine: Engine) -> None:
    """Being out: a grown set of who is out beats others; it is still discarded when their turn would come."""
    start = pos(4, "2", "2/3;-;2/4,7/2;6/1", "5/7,5/8;7/1;-;-", out="1")
    after = engine.play(start, "add:7/2@1")
    assert after == pos(4, "3", "2/3,7/5+,8/5+;-;2/4;6/1", "-;7/1,7/2;-;-", out="1")
    after = engine.play(after, "flip", "flip")
    assert after == pos(4, "2", "3/2,5/7+,5/8+;-;2/4;1/6", out="1")


def test_second_out_ends_the_round_at_once(engine: Engine) -> None:
    """Being out: the second out gets 1 token and the round ends at once; beaten sets still go back."""
    start = pos(4, "3", "2/3;-;4/2;6/1", "-;7/1,7/2;5/3;-", out="1")
    after = engine.play(start, "play:6/1")
    assert after == pos(4, "-", "2/3;-;3/5+,4/2;-", "-;7/1,7/2;-;6/1", out="1,3")
    assert engine.is_over(after)
    assert engine.moves(after) == set()
    assert engine.result(after) == [0, 2, 0, 1]
    assert engine.ranks(after) == [0, 1, 0, 2]
    assert engine.payoffs(after) == pytest.approx([0, 2, 0, 1])


def test_nothing_is_passed_over_or_discarded_after_the_end(engine: Engine) -> None:
    """Being out: the round ends at once, so the next seat's set, though it is out, is not discarded."""
    start = pos(4, "0", "6/1;-;4/2;2/3", "-;7/1,7/2;-;-", out="1")
    after = engine.play(start, "play:6/1")
    assert after == pos(4, "-", "-;-;4/2;2/3", "6/1;7/1,7/2;-;-", out="1,0")


def test_second_out_by_adding(engine: Engine) -> None:
    """Being out: the second out too may get rid of the last card by an add."""
    start = pos(3, "2", "2/3;-;5/4", "5/7;-;-", out="1")
    after = engine.play(start, "add:5/4@0")
    assert after == pos(3, "-", "2/3;-;-", "5/4,5/7;-;-", out="1,2")
    assert engine.result(after) == [0, 2, 1]


def test_no_move_after_the_end(engine: Engine) -> None:
    """Being out: the round is over, nobody moves."""
    over = pos(3, "-", "2/3;-;-", "5/4,5/7;-;-", out="1,2")
    refused(engine, over, "flip", "take@0")


@pytest.mark.parametrize("tokens", ["0,2,3,3", "0,3,0,0"])
def test_match_ends_with_the_first_out(engine: Engine, tokens: str) -> None:
    """Being out: if the first out then has 4 tokens, round and match end at once and the 1 is not given."""
    start = pos(4, "1", "2/3;7/1;4/2;6/1", tokens=tokens)
    after = engine.play(start, "play:7/1")
    assert after == pos(4, "-", "2/3;-;4/2;6/1", "-;7/1;-;-", out="1", tokens=tokens)
    assert engine.is_over(after)
    assert engine.moves(after) == set()
    assert engine.result(after) == [0, 2, 0, 0]
    assert engine.ranks(after) == [0, 1, 0, 0]
    assert engine.payoffs(after) == pytest.approx([THIRD, 2, THIRD, THIRD])


def test_match_goes_on_while_the_first_out_has_fewer_than_four(engine: Engine) -> None:
    """Being out: 3 tokens do not end the match, whatever the others have."""
    start = pos(4, "1", "2/3;7/1;4/2;6/1", tokens="3,1,3,3")
    after = engine.play(start, "play:7/1")
    assert (engine.is_over(after), field(after, "turn")) == (False, "2")


def test_second_out_may_reach_four(engine: Engine) -> None:
    """Being out: the second out gets the 1 though the match ends by it."""
    start = pos(3, "2", "2/3;-;5/4", "5/7;-;-", out="1", tokens="0,1,3")
    after = engine.play(start, "add:5/4@0")
    assert (engine.is_over(after), engine.result(after)) == (True, [0, 2, 1])


def test_tokens_are_those_before_the_round(engine: Engine) -> None:
    """Notation, `tokens=`: tokens per seat before this round's; a round does not change it."""
    start = pos(4, "1", "2/3;7/1;4/2;6/1", tokens="1,1,0,3")
    assert field(engine.play(start, "play:7/1"), "tokens") == "1,1,0,3"


# --- 2 players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "turns"),
    [("0.2", ["1.1", "1.2", "0.1", "0.2", "1.1"]), ("1.2", ["0.1", "0.2", "1.1", "1.2", "0.1"])],
)
def test_two_turns_in_a_row_after_a_single_opening_turn(engine: Engine, start: str, turns: list[str]) -> None:
    """2 players: the star's holder opens with a single turn in zone 2: 0.2, 1.1, 1.2, 0.1, 0.2, ..."""
    position = pos(2, start, "1/5~,2/3;4/6,7/8" if start == "0.2" else "4/6,7/8;1/5~,2/3")
    seen = []
    for _ in turns:
        position = engine.play(position, "flip")
        seen.append(field(position, "turn"))
    assert seen == turns


@pytest.mark.parametrize(
    ("turn", "kept", "discarded"), [("0.1", "-;6/4,6/8", ["1/7"]), ("0.2", "1/7;-", ["4/6", "6/8"])]
)
def test_each_turn_discards_its_own_zone_only(engine: Engine, turn: str, kept: str, discarded: list[str]) -> None:
    """2 players: each turn discards what lies in that zone only."""
    start = pos(2, turn, "2/3,2/4;3/4", "1/7;6/4,6/8;-;5/2,5/7,5/8")
    after = engine.play(start, "flip")
    assert field(after, "table") == f"{kept};-;5/2,5/7,5/8"
    assert set(gone(after)) - set(gone(start)) == set(discarded)


@pytest.mark.parametrize("turn", ["0.1", "0.2", "1.1", "1.2"])
def test_played_set_goes_into_the_zone_of_the_turn(engine: Engine, turn: str) -> None:
    """2 players: a turn for zone 1, then one for zone 2; a played set goes into that zone."""
    after = engine.play(pos(2, turn, "7/8,2/3;6/7,2/4"), "play:7/8" if turn[0] == "0" else "play:6/7")
    assert lying(after, turn) == ("7/8" if turn[0] == "0" else "6/7")


def test_own_other_zone_conflicts(engine: Engine) -> None:
    """2 players: sets conflict with every other set of the same size, your own other zone included."""
    start = pos(2, "0.1", "2/3,2/5,6/8,7/5;3/4", "8/4,8/7;6/1;-;-")
    # The two 8s in the turn's own zone are discarded first; the 6 in the other must be beaten.
    assert engine.moves(start) == {"flip", "play:7/5", "play:2/3,2/5"}
    after = engine.play(start, "play:7/5")
    assert after == pos(2, "0.2", "1/6+,2/3,2/5,6/8;3/4", "7/5;-;-;-")


def test_own_beaten_set_comes_back_before_the_mover_is_judged_out(engine: Engine) -> None:
    """2 players: it comes back to your hand before you are judged to be out."""
    after = engine.play(pos(2, "0.1", "7/8;4/6", "-;6/7;-;-"), "play:7/8")
    assert after == pos(2, "0.2", "7/6+;4/6", "7/8;-;-;-")
    assert not engine.is_over(after)


def test_opponents_set_is_beaten_in_either_zone(engine: Engine) -> None:
    """2 players: a beaten set of the opponent goes back to their hand, whichever zone it lay in."""
    start = pos(2, "0.2", "7/8,2/3;4/6", "-;-;6/7;5/7,5/8")
    assert engine.play(start, "play:7/8") == pos(2, "1.1", "2/3;4/6,7/6+", "-;7/8;-;5/7,5/8")
    start = pos(2, "0.1", "7/8,2/3;4/6", "-;-;5/7,5/8;6/7")
    assert engine.play(start, "play:7/8") == pos(2, "0.2", "2/3;4/6,7/6+", "7/8;-;5/7,5/8;-")


def test_add_and_take_only_touch_the_opponents_zones(engine: Engine) -> None:
    """2 players: add and take only touch the opponent's zones."""
    start = pos(2, "0.1", "2/3,6/8,7/8;4/6", "-;6/7;7/1,7/3;-")
    assert engine.moves(start) == {"flip", "take@1.1", "add:7/8@1.1", "play:7/8"}
    refused(engine, start, "take@0.2", "add:6/8@0.2", "take@1.2", "take@1")
    both = pos(2, "0.1", "2/3;4/6", "-;-;7/1,7/3;8/5")
    assert engine.moves(both) == {"flip", "take@1.1", "take@1.2"}
    assert engine.play(both, "take@1.2") == pos(2, "0.2", "2/3,5/8+;4/6", "-;-;7/1,7/3;-")


def test_grown_set_beats_the_opponents_own_other_set(engine: Engine) -> None:
    """2 players: a set that grows in one zone of the opponent beats a set in the other."""
    start = pos(2, "0.1", "7/8,2/3;4/6", "-;-;7/1;5/2,5/8")
    assert engine.play(start, "add:7/8@1.1") == pos(2, "0.2", "2/3;2/5+,4/6,8/5+", "-;-;7/1,7/8;-")


def test_grown_set_beats_the_movers_own_other_set(engine: Engine) -> None:
    """2 players: an add may send the mover's own other set back, before the mover is judged to be out."""
    start = pos(2, "0.1", "7/8;4/6", "-;5/2,5/8;7/1;-")
    after = engine.play(start, "add:7/8@1.1")
    assert after == pos(2, "0.2", "2/5+,8/5+;4/6", "-;-;7/1,7/8;-")


def test_grown_set_must_be_higher_than_the_movers_own_other_set(engine: Engine) -> None:
    """2 players: an add that makes a lower set of the size of the mover's other set is refused."""
    refused(engine, pos(2, "0.1", "4/6,2/3;2/5", "-;5/7,5/8;4/8;-"), "add:4/6@1.1")


def test_first_out_wins_the_round_at_two_players(engine: Engine) -> None:
    """2 players: the first player out wins the round; a set of theirs in the other zone is no hindrance."""
    after = engine.play(pos(2, "0.1", "7/8;4/6", "-;5/2,5/8;-;-"), "play:7/8")
    assert after == pos(2, "-", "-;4/6", "7/8;5/2,5/8;-;-", out="0")
    assert engine.is_over(after)
    assert engine.result(after) == [1, 0]
    assert engine.ranks(after) == [1, 0]
    assert engine.payoffs(after) == pytest.approx([1, 0])


def test_first_out_by_adding_at_two_players(engine: Engine) -> None:
    """2 players: the same by an add, and at 1:1 rounds."""
    after = engine.play(pos(2, "1.2", "2/3;7/8", "7/1;-;-;-", tokens="1,1"), "add:7/8@0.1")
    assert after == pos(2, "-", "2/3;-", "7/1,7/8;-;-;-", out="1", tokens="1,1")
    assert engine.result(after) == [0, 1]


def test_set_survives_for_one_turn_cycle_at_two_players(engine: Engine) -> None:
    """2 players: a set lies until the next turn for its zone, that is for three turns between."""
    after = engine.play(pos(2, "0.1", "7/8,2/3;4/6"), "play:7/8", "flip", "flip", "flip")
    assert (field(after, "turn"), lying(after, "0.1")) == ("0.1", "7/8")
    assert lying(engine.play(after, "flip"), "0.1") == "-"


# --- What everybody knows ----------------------------------------------------------------------------

KNOWN = pos(4, "0", "1/5~,2/3,4/6+;3/7,6/1,9/2+;4/8;2/4", "-;-;-;8/1,8/6")


def test_view_names_the_own_hand_and_what_all_know(engine: Engine) -> None:
    """What everybody knows: what came from the table, its way up; the star's holder; the discard."""
    assert field(engine.observe(KNOWN, 1), "hands") == "1~5,4/6+,1x;3/7,6/1,9/2+;1x;1x"
    assert field(engine.observe(KNOWN, 0), "hands") == "1/5~,2/3,4/6+;9/2+,2x;1x;1x"
    assert field(engine.observe(KNOWN, 3), "hands") == "1~5,4/6+,1x;9/2+,2x;1x;2/4"
    for seat in range(4):
        view = engine.observe(KNOWN, seat)
        assert field(view, "view") == str(seat)
        assert [field(view, key) for key in ("turn", "table", "gone", "out", "tokens")] == [
            field(KNOWN, key) for key in ("turn", "table", "gone", "out", "tokens")
        ]
        assert engine.canon(view) == view


def test_view_of_a_view_by_its_own_seat_is_itself(engine: Engine) -> None:
    """What everybody knows: a seat that looks twice sees no more and no less."""
    view = engine.observe(KNOWN, 2)
    assert engine.observe(view, 2) == view


def test_view_of_the_example_in_the_notation(engine: Engine) -> None:
    """Notation: the example is the view of a true position."""
    example = (
        "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6"
        " gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
    )
    mine, theirs = "1/3,1/7,2/3,2/4,5/2,6/1,7/2,8/1", "3/6,5/1~,5/4,5/8,6/4+,7/8,8/6"
    true = f"dnup:3 turn=1 hands={mine};2/8,3/4,4/8+;{theirs} table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
    assert engine.observe(true, 1) == example
    assert engine.canon(example) == example


def test_view_does_not_depend_on_hidden_cards(engine: Engine) -> None:
    """What everybody knows: everything else in other hands is any unseen card, either way up."""
    swapped = pos(4, "0", "5/1~,8/4,4/6+;3/7,6/1,9/2+;4/2;3/2", "-;-;-;8/1,8/6")
    assert engine.observe(swapped, 1) == engine.observe(KNOWN, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_counting_proves_nothing_in_a_view(engine: Engine, players: int) -> None:
    """Notation: what merely counting would prove stays `x`, at every number of players."""
    others = "".join([";7/8+", ";5/8+", ";3/7+"][: players - 2])
    start = pos(players, "0.2" if players == 2 else "0", f"2/3;4/6{others}")
    # 4/6 is the only card that seat 0 does not see.
    assert field(engine.observe(start, 0), "hands") == f"2/3;1x{others}"


def test_star_stays_unknown_through_flips_until_it_is_seen(engine: Engine) -> None:
    """What everybody knows: the star's holder is known, its way up unknown until it is seen."""
    start = pos(3, "0", "1/5~,2/3;6/4,7/8;3/4")
    assert hand(engine.observe(start, 1), 0) == "1~5,1x"
    flipped = engine.play(start, "flip")
    assert hand(flipped, 0) == "3/2,5/1~"
    assert hand(engine.observe(flipped, 1), 0) == "1~5,1x"
    assert hand(engine.observe(flipped, 0), 0) == "3/2,5/1~"
    back = engine.play(start, "play:1/5", "play:6/4")
    assert hand(back, 0) == "2/3,5/1+"
    assert hand(engine.observe(back, 2), 0) == "5/1+,1x"
    assert hand(engine.observe(engine.play(back, "flip", "flip"), 2), 0) == "1/5+,1x"


def test_known_card_stays_known_through_flips_until_it_is_played(engine: Engine) -> None:
    """What everybody knows: a card known to be in a hand stays so through flips until it is played."""
    start = pos(3, "0", "8/1,2/3;4/6;7/5", "-;-;7/3")
    after = engine.play(start, "play:8/1")
    assert [hand(engine.observe(after, seat), 2) for seat in (0, 1)] == ["3/7+,1x"] * 2
    after = engine.play(after, "take@0", "flip")
    assert [hand(engine.observe(after, seat), 2) for seat in (0, 1)] == ["7/3+,1x"] * 2
    assert [hand(engine.observe(after, seat), 1) for seat in (0, 2)] == ["1/8+,1x"] * 2
    after = engine.play(after, "flip", "flip", "play:7/3")
    assert hand(engine.observe(after, 0), 2) == "1x"
    assert lying(after, "2") == "7/3"


def test_legal_moves_of_a_view_are_those_of_the_state(engine: Engine) -> None:
    """Words, view: the seat to move knows all its moves."""
    for position in (KNOWN, OWN_SET_LIES, FIRST_OUT):
        view = engine.observe(position, int(field(position, "turn")))
        assert engine.moves(view) == engine.moves(position)


MOVES_ON = [
    (KNOWN, "flip"),
    (KNOWN, "take@3"),
    (KNOWN, "play:4/6"),
    (KNOWN, "play:2/3"),
    (KNOWN, "play:1/5"),
    (OWN_SET_LIES, "add:6/4@2"),
    (OWN_SET_LIES, "play:8/5"),
    (FIRST_OUT, "take@1"),
    (pos(4, "2", "2/3;-;9/2,4/2;6/1", "-;7/1;-;-", out="1"), "play:9/2"),
    (pos(4, "3", "2/3;-;4/2;6/1", "-;7/1,7/2;5/3;-", out="1"), "play:6/1"),
    (pos(2, "0.1", "7/8;4/6", "-;5/2,5/8;7/1;-"), "add:7/8@1.1"),
    (pos(2, "0.1", "7/8;4/6", "-;6/7;-;-"), "play:7/8"),
]


@pytest.mark.parametrize(("position", "move"), MOVES_ON)
def test_observing_then_moving_equals_moving_then_observing(engine: Engine, position: str, move: str) -> None:
    """Notation: a view can also be moved on by public moves; cards that it could not name come out of `x`."""
    after = engine.play(position, move)
    for seat in range(int(position[5])):
        assert engine.play(engine.observe(position, seat), move) == engine.observe(after, seat)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_views_follow_whole_rounds(engine: Engine, players: int) -> None:
    """Notation: the same along a random round, each seat's view being moved on from the deal to the end."""
    rng = random.Random(10 + players)
    position = engine.deal(players, players)
    views = [engine.observe(position, seat) for seat in range(players)]
    for _ in range(60):
        if engine.is_over(position):
            break
        move = rng.choice(sorted(engine.moves(position)))
        position = engine.play(position, move)
        views = [engine.play(view, move) for view in views]
        assert views == [engine.observe(position, seat) for seat in range(players)]


def test_public_moves_that_a_view_knows_to_be_impossible(engine: Engine) -> None:
    """Notation: another seat can only play cards that, by the view, may be in its hand that way up."""
    view = engine.observe(pos(4, "0", "1/5~,2/3,4/6+;3/7,6/1,9/2+;4/8;2/4,7/8"), 1)
    assert hand(view, 0) == "1~5,4/6+,1x"
    for move in ("play:4/6", "play:1/5", "play:5/1", "play:2/3", "play:3/2", "play:7/8", "play:4/6,4/8"):
        assert engine.play(view, move) != view
    impossible = [
        "play:6/4",  # known to be the other way up
        "play:9/2",  # in the viewer's own hand
        "play:2/9",
        "play:7/9",  # discarded
        "play:2/3,2/4",  # two cards, but only one that the view cannot name
        "play:2/3,2/3",
        "play:1/10",  # not in play at 4 players
    ]
    for move in impossible:
        with refusal():
            engine.play(view, move)


def test_view_with_forgotten_discards(engine: Engine) -> None:
    """Notation, `gone=`: in a view some discards may be forgotten; they stay so when the view is moved on."""
    view = (
        "dnup:2 view=0 turn=1.1 hands=2/3,6/7;7/8+,3x table=-;-;-;-"
        " gone=1/3,1/4,1/6,2/4,2/5,2/6,2/8,3/4,3/7,5x out=- tokens=0,0"
    )
    assert engine.canon(view) == view
    after = engine.play(view, "play:4/6")
    assert field(after, "hands") == "2/3,6/7;7/8+,2x"
    assert field(after, "gone") == field(view, "gone")
    assert engine.play(after, "flip", "flip").count("5x") == 1
    # A star whose place is not known was discarded: in a hand it always bears a mark.
    with refusal():
        engine.play(view, "play:1/5")


# --- Notation ----------------------------------------------------------------------------------------


def test_fields_and_cards_are_read_in_any_order_and_written_in_one(engine: Engine) -> None:
    """Notation: fields in any order when read; written output sorts cards as numbers, marks ignored."""
    text = (
        "dnup:5 tokens=0,0,1,0,3 gone=- table=-;-;-;-;- out=- view=- deck=standard turn=4"
        " hands=10/2,9/3+,9/1,2/6,2/4,1/3,3/2,4/3;6/1,1/4,1/7,1/8,10/1,5/2,7/2,2/8;"
        "2/9,3/5,3/6,3/7,3/10,4/5,4/6,4/8;4/9,4/10,5/7,5/8,5/9,5/10,6/7,6/8;5/1~,6/9,6/10,7/8,7/9,7/10,8/9,8/10"
    )
    assert engine.canon(text) == (
        "dnup:5 turn=4"
        " hands=1/3,2/4,2/6,3/2,4/3,9/1,9/3+,10/2;1/4,1/7,1/8,2/8,5/2,6/1,7/2,10/1;"
        "2/9,3/5,3/6,3/7,3/10,4/5,4/6,4/8;4/9,4/10,5/7,5/8,5/9,5/10,6/7,6/8;5/1~,6/9,6/10,7/8,7/9,7/10,8/9,8/10"
        " table=-;-;-;-;- gone=- out=- tokens=0,0,1,0,3"
    )


def test_fields_have_defaults(engine: Engine) -> None:
    """Notation: `turn=` and `hands=` are required, all other fields have a default."""
    dealt = engine.deal(3, 5)
    short = f"dnup:3 hands={field(dealt, 'hands')} turn={field(dealt, 'turn')}"
    assert engine.canon(short) == dealt


def test_out_is_written_in_the_order_of_going_out(engine: Engine) -> None:
    """Notation, `out=`: seats that are out, in order."""
    over = pos(3, "-", "-;2/3;-", "5/4,5/7;-;-", out="2,0")
    assert engine.canon(over) == over
    assert engine.ranks(over) == [2, 0, 1]
    assert engine.result(over) == [1, 0, 2]


SOUND = pos(3, "0", "1/5~,2/3,4/6+;3/7,7/8;3/4", "-;6/7;5/7,5/8")
SEEN = (
    "dnup:3 view=0 turn=0 hands=2/3,4/6+;1~5,2x;1x table=-;6/7;5/7,5/8"
    " gone=1/3,1/4,1/6,1/7,1/8,2/4,2/5,2/6,2/7,2/8,3/5,3/6,4/5,4/8,6/8 out=- tokens=0,0,0"
)


def test_sound_positions_are_read(engine: Engine) -> None:
    """The positions that the errors below are made of are themselves in order."""
    assert engine.canon(SOUND) == SOUND
    assert engine.canon(SEEN) == SEEN


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("dnup:3", "dnup:6", id="too many players"),
        pytest.param("dnup:3 ", "dnup:3  ", id="two blanks"),
        pytest.param("turn=0", "turn=0 turn=0", id="field twice"),
        pytest.param("turn=0", "turn=0 colour=red", id="unknown field"),
        pytest.param("turn=0 ", "", id="no turn"),
        pytest.param("turn=0", "turn=3", id="no such seat"),
        pytest.param("turn=0", "turn=0.1", id="zone at three players"),
        pytest.param("turn=0", "turn=-", id="no turn though the round goes on"),
        pytest.param("turn=0", "deck=none turn=0", id="unknown deck"),
        pytest.param("2/3,", "", id="card missing"),
        pytest.param("2/3,", "2/3,2/4,", id="card twice"),
        pytest.param("2/3,", "2/9,", id="card not in play"),
        pytest.param("2/3,", "02/3,", id="leading zero"),
        pytest.param("2/3,", "2/3~,", id="unknown way up though not the star"),
        pytest.param("1/5~", "1/5", id="star without a mark"),
        pytest.param("1/5~", "1~5", id="unknown way up in a true state"),
        pytest.param("2/3,", "1x,", id="unnamed in a true state"),
        pytest.param("3/4 ", "- ", id="empty hand of who is not out"),
        pytest.param(";3/4 ", " ", id="hand missing"),
        pytest.param("5/7,5/8", "5/7,8/5", id="set of two values"),
        pytest.param("-;6/7;5/7,5/8", "6/7;5/8;5/7", id="two sets of one size"),
        pytest.param("-;6/7;5/7,5/8", "6/7;5/7,5/8", id="zone missing"),
        pytest.param("6/7;", "6/7+;", id="mark on the table"),
        pytest.param("1/3", "3/1", id="discard with the higher value first"),
        pytest.param("out=-", "out=2", id="out with cards in hand"),
        pytest.param("tokens=0,0,0", "tokens=0,0", id="tokens missing"),
        pytest.param("tokens=0,0,0", "tokens=0,00,0", id="tokens with a leading zero"),
    ],
)
def test_unsound_positions_are_refused(engine: Engine, old: str, new: str) -> None:
    """Notation: parsed strictly; every card is in one place; sizes differ; the star bears a mark."""
    assert old in SOUND
    with refusal():
        engine.canon(SOUND.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("view=0", "view=3", id="no such seat"),
        pytest.param("2/3,4/6+;", "4/6+,1x;", id="unnamed in the own hand"),
        pytest.param("1~5,", "5~1,", id="higher value first"),
        pytest.param("1~5,", "1~5+,", id="way up both known and not"),
        pytest.param("1~5,", "1/5~,", id="way up of another's star"),
        pytest.param("1~5,2x", "3x", id="star in a hand without a mark"),
        pytest.param("1~5,2x", "1~5,3/7,1x", id="hidden card of another"),
        pytest.param("1~5,2x", "1~5,3~7,1x", id="not the star"),
        pytest.param("1~5,2x", "2x,1~5", id="x not last"),
        pytest.param("1~5,2x", "1~5,1x,1x", id="x twice"),
        pytest.param("1~5,2x", "1~5,3x", id="too many"),
        pytest.param("1~5,2x", "1~5,1x", id="too few"),
        pytest.param("2x", "0x", id="none"),
    ],
)
def test_unsound_views_are_refused(engine: Engine, old: str, new: str) -> None:
    """Notation: in another's hand a view names only `a/b+` and `a~b`; the own hand it names whole."""
    assert old in SEEN
    with refusal():
        engine.canon(SEEN.replace(old, new, 1))


@pytest.mark.parametrize("turn", ["0", "1", "2"])
def test_round_that_is_over_has_no_turn(engine: Engine, turn: str) -> None:
    """Notation, `turn=`: never a seat that is out; `-` when the round is over, by tokens too."""
    for text in (
        pos(3, "-", "-;2/3;-", "5/4,5/7;-;-", out="2,0"),
        pos(3, "-", "-;2/3;4/6", "7/8;-;-", out="0", tokens="2,0,0"),
    ):
        with refusal():
            engine.canon(text.replace("turn=-", f"turn={turn}"))


def test_seat_that_is_out_has_no_turn(engine: Engine) -> None:
    """Notation, `turn=`: never a seat that is out."""
    with refusal():
        engine.canon(FIRST_OUT.replace("turn=2", "turn=1"))


# --- Rounds that do not end; payoffs -----------------------------------------------------------------

# At 3 players all flip: the start recurs when everybody has flipped twice, after 6, 12, ... turns.
THREE = pos(3, "0", "1/5~,2/3;4/6;7/8")
# Here the start recurs after 4 turns, but the star is known from the first time on.
SHOWN = pos(2, "0.2", "1/5~,2/3;4/6,7/8")
SHOW = ["play:1/5", "take@0.2", "play:5/1", "take@1.2"]


@pytest.mark.parametrize(("repetition", "turns"), [(2, 6), (3, 12), (4, 18)])
def test_repetition_counts_the_start_and_every_turn(engine: Engine, repetition: int, turns: int) -> None:
    """Rounds that do not end: counted before each turn, the start included."""
    assert engine.run(THREE, ["flip"] * 40, repetition=repetition) == (turns, "repetition")


def test_repetition_is_three_and_can_be_turned_off(engine: Engine) -> None:
    """Rounds that do not end: `repetition` is 3 unless told otherwise; 0 is off."""
    assert engine.run(THREE, ["flip"] * 40) == (12, "repetition")
    assert engine.run(THREE, ["flip"] * 40, repetition=0) == (40, "")


def test_repetition_at_two_players_looks_at_the_zone_too(engine: Engine) -> None:
    """Rounds that do not end: the same turn and zone; with two flips each that is every 4 turns."""
    assert engine.run(pos(2, "0.2", "1/5~,2/3;4/6,7/8"), ["flip"] * 40) == (8, "repetition")


def test_repetition_does_not_look_at_what_is_known(engine: Engine) -> None:
    """Rounds that do not end: hands with their ways up, table, turn, who is out; not who knows what."""
    once = engine.play(SHOWN, *SHOW)
    assert once == SHOWN.replace("1/5~", "1/5+")
    assert engine.run(SHOWN, SHOW * 5) == (8, "repetition")


def test_same_hands_with_another_table_are_not_the_same_state(engine: Engine) -> None:
    """Rounds that do not end: a set that was discarded since makes another state."""
    start = pos(3, "0", "1/5~,2/3;4/6;7/8", "-;-;6/7")
    # The set of seat 2 goes in the third turn: the start never recurs, the position after 6 turns does.
    assert engine.run(start, ["flip"] * 40) == (15, "repetition")


@pytest.mark.parametrize("turns", [1, 7, 11])
def test_max_turns_ends_the_round(engine: Engine, turns: int) -> None:
    """Rounds that do not end: the round ends when `max_turns` turns are played."""
    assert engine.run(THREE, ["flip"] * 40, max_turns=turns) == (turns, "max_turns")


def test_max_turns_is_a_thousand(engine: Engine) -> None:
    """Rounds that do not end: `max_turns` is 1000 unless told otherwise."""
    assert engine.run(THREE, ["flip"] * 1100, repetition=0) == (1000, "max_turns")


def test_round_that_ends_in_the_last_turn_allowed_ends_by_out(engine: Engine) -> None:
    """Rounds that do not end: `end` is `out` when the last of `max_turns` turns ends the round."""
    start = pos(2, "0.1", "7/8;4/6")
    assert engine.run(start, ["flip", "play:8/7"], max_turns=2) == (2, "out")
    assert engine.run(start, ["flip", "play:8/7"], max_turns=1) == (1, "max_turns")


def test_repetition_and_max_turns_are_no_part_of_the_position(engine: Engine) -> None:
    """Rounds that do not end: applied by whoever runs the round, not part of legal moves or the end."""
    after = engine.play(THREE, *["flip"] * 24)
    assert after == THREE
    assert not engine.is_over(after)
    assert engine.moves(after) == engine.moves(THREE) != set()


@pytest.mark.parametrize(
    ("position", "result", "payoffs"),
    [
        (SHOWN, [0, 0], [0.5, 0.5]),
        (THREE, [0, 0, 0], [1, 1, 1]),
        (pos(5, "3", "2/3;4/6;7/3;6/9;7/10"), [0] * 5, [0.6] * 5),
        (FIRST_OUT, [0, 2, 0, 0], [THIRD, 2, THIRD, THIRD]),
        (pos(3, "1", "-;2/3;4/6", "7/8;-;-", out="0"), [2, 0, 0], [2, 0.5, 0.5]),
        (pos(3, "-", "-;2/3;4/6", "7/8;-;-", out="0", tokens="2,0,0"), [2, 0, 0], [2, 0.5, 0.5]),
        (pos(3, "-", "-;2/3;-", "5/4,5/7;-;-", out="2,0"), [1, 0, 2], [1, 0, 2]),
        (pos(5, "-", "-;2/3;-;4/6;7/10", "5/4;-;-;-;-", out="0,2"), [2, 0, 1, 0, 0], [2, 0, 1, 0, 0]),
        (pos(2, "-", "2/3;-", out="1"), [0, 1], [0, 1]),
    ],
)
def test_tokens_not_given_are_split_among_those_still_in(
    engine: Engine, position: str, result: list[int], payoffs: list[float]
) -> None:
    """Rounds that do not end: tokens won stay, the rest is split equally, so payoffs have a constant sum."""
    assert engine.result(position) == result
    assert engine.payoffs(position) == pytest.approx(payoffs)


# --- perft -------------------------------------------------------------------------------------------


def test_perft_counts_sequences_of_exactly_that_many_turns(engine: Engine) -> None:
    """Notation, perft: the last turn may end the round; what ended earlier does not count; depth 0 is 1."""
    start = pos(2, "0.1", "7/8;4/6")
    # Play or flip; after play the round is over, after flip the same again; then seat 1 has that choice.
    assert [engine.perft(start, depth) for depth in range(4)] == [1, 2, 2, 2]


def test_perft_ignores_the_end_of_the_match(engine: Engine) -> None:
    """Notation, perft: match ends by tokens are ignored; `out_sets` is not."""
    start = pos(3, "0", "7/8;4/6;2/3", tokens="2,0,0")
    # After play:7/8 seat 1 flips or takes it, if it may; after flip seat 1 flips or plays.
    assert engine.perft(start, 2) == 4
    assert engine.perft(start, 2, "frozen") == 3


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_perft_of_a_deal(engine: Engine, players: int) -> None:
    """Notation, perft: the sum over all moves of the sequences that follow."""
    start = engine.deal(players, 7)
    moves = engine.moves(start)
    assert engine.perft(start, 1) == len(moves)
    assert engine.perft(start, 2) == sum(len(engine.moves(engine.play(start, move))) for move in moves)


# --- worlds of the reference -------------------------------------------------------------------------


def test_worlds_of_the_reference_are_all_states_that_agree_with_a_view() -> None:
    """Words, world: every full state that agrees with a view, each once."""
    view = reference.parse(SEEN)
    worlds = [str(world) for world in reference.worlds(view)]
    # 3 cards are unnamed: 3 ways to choose the last hand's, all 3 and the star either way up.
    assert len(worlds) == len(set(worlds)) == 3 * 2**3 * 2
    assert {str(reference.observe(reference.parse(world), 0)) for world in worlds} == {SEEN}
    assert SOUND not in worlds


def test_worlds_of_the_reference_deal_forgotten_discards_too() -> None:
    """Notation, `gone=`: forgotten cards are dealt like other unknowns; an unmarked star is in no hand."""
    view = reference.parse(
        "dnup:2 view=0 turn=1.1 hands=2/3,6/7;7/8+,2x table=-;-;-;-"
        " gone=1/3,1/4,1/6,1/7,2/4,2/5,2/6,2/8,3/4,3/7,5/7,5/8,3x out=- tokens=0,0"
    )
    worlds = [str(world) for world in reference.worlds(view)]
    # 1/5, 3/5, 4/6, 4/8 and 6/8 are unnamed; two of the four that are not the star are in the hand.
    assert len(worlds) == len(set(worlds)) == 6 * 2**2
    assert all("1/5" in gone(world) for world in worlds)
