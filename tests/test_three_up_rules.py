"""Every rule and every decision of docs/rules-3up3down.md as an example, for the reference and for the core.

Unless an example says otherwise, the cards that it does not mention are gone (see `pos`). Each docstring names the
section of the rules that the test proves.
"""

from __future__ import annotations

from functools import partial

import pytest

import reference_three_up as reference
from engines_three_up import CoreEngine, Engine, ReferenceEngine, field, gained, of_seat, pos

# Engines say why in their own words.
refusal = partial(pytest.raises, ValueError, match=r"\w")

# While the draw pile lasts everybody has three cards face up and three face down.
TABLE = {"up": "10*3;9*3", "down": "1,1,1;2,2,2"}


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return ReferenceEngine() if request.param == "reference" else CoreEngine()


def refused(engine: Engine, position: str, *moves: str) -> None:
    """None of the moves is legal, whether one asks for the list or tries."""
    for move in moves:
        assert move not in engine.moves(position)
        with refusal():
            engine.play(position, move)


# --- Players, deck and deal ------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
def test_two_to_six_players_get_three_cards_face_down_and_six_in_hand(engine: Engine, players: int) -> None:
    """The deal: three cards each face down, six to the hand, the rest is the draw pile; no pile yet, seat 0 begins."""
    dealt = engine.deal(players, 1)
    for seat in range(players):
        assert len(reference.read_hand(of_seat(dealt, "hands", seat))) == 6
        assert len(of_seat(dealt, "down", seat).split(",")) == 3
        assert of_seat(dealt, "up", seat) == "-"
    assert len(field(dealt, "draw").split(",")) == 74 - 9 * players
    assert (field(dealt, "pile"), field(dealt, "gone"), field(dealt, "turn")) == ("-", "-", "0")


def test_there_are_no_rules_for_one_or_seven_players(engine: Engine) -> None:
    """Players: 2 to 6."""
    for players in (1, 7):
        with refusal():
            engine.canon(pos(";".join(["3"] + ["4"] * (players > 1) + ["5"] * (players - 2))))


@pytest.mark.parametrize(("deck", "clears"), [("standard", (6, 6, 2)), ("box-84", (8, 8, 8))])
def test_the_decks_are_those_of_the_rules(engine: Engine, deck: str, clears: tuple[int, ...]) -> None:
    """The deck, Decision: 74 cards as listed, or 84 with eight of each clear card."""
    dealt = engine.deal(2, 3, deck)
    text = ",".join(field(dealt, key) for key in ("hands", "down", "draw")).replace(";", ",")
    named = [card for part in text.split(",") for card in reference.read_counted(part)]
    assert [named.count(card) for card in reference.RANKS] == [6] * 10 + list(clears)


def test_the_seats_choose_three_of_six_to_lie_face_up_in_order(engine: Engine) -> None:
    """The deal, Decision: in seat order each chooses three of the six; three stay in the hand."""
    dealt = engine.deal(2, 1)
    first = sorted(engine.moves(dealt))
    assert all(move.startswith("keep:") for move in first)
    after = engine.play(dealt, first[0])
    assert field(after, "turn") == "1"
    assert of_seat(after, "up", 0) == first[0].removeprefix("keep:")
    assert len(reference.read_hand(of_seat(after, "hands", 0))) == 3
    second = sorted(engine.moves(after))
    assert all(move.startswith("keep:") for move in second)
    last = engine.play(after, second[-1])
    assert field(last, "turn") == "0"
    assert all(move.startswith("play:") for move in engine.moves(last))


def test_every_choice_of_three_cards_can_be_kept_and_each_is_listed_once(engine: Engine) -> None:
    """The deal: alike cards make one choice."""
    dealt = engine.deal(3, 2)
    six = reference.read_hand(of_seat(dealt, "hands", 0)).own
    expected = {
        f"keep:{reference.write([a, b, c])}"
        for i, a in enumerate(six)
        for j, b in enumerate(six)
        for k, c in enumerate(six)
        if i < j < k
    }
    assert engine.moves(dealt) == expected


# --- A turn ----------------------------------------------------------------------------------------


def test_anything_may_be_played_on_an_empty_pile(engine: Engine) -> None:
    """A turn: anything on an empty pile; one or several cards of one rank."""
    position = pos("1,4*2,C;5")
    assert engine.moves(position) == {"play:1", "play:4", "play:4*2", "play:C"}
    after = engine.play(position, "play:4*2")
    assert (field(after, "pile"), field(after, "turn"), of_seat(after, "hands", 0)) == ("4*2", "1", "1,C")


def test_a_card_must_be_at_least_the_top_of_the_pile(engine: Engine) -> None:
    """A turn: equal or higher."""
    position = pos("3,5,6*2;5", pile="2,5")
    assert engine.moves(position) == {"play:5", "play:6", "play:6*2"}
    refused(engine, position, "play:3", "pickup", "play:5*2", "play:7")


def test_cards_of_two_ranks_are_not_played_together(engine: Engine) -> None:
    """A turn, Decision: several suitable cards means of one rank."""
    with refusal():
        engine.play(pos("3,4;5"), "play:3,4")


def test_a_playable_card_must_be_played_also_a_clear_card(engine: Engine) -> None:
    """A turn: no pick-up while a card in hand fits."""
    position = pos("3,C;5", pile="9")
    assert engine.moves(position) == {"play:C"}
    refused(engine, position, "pickup")


def test_who_cannot_play_takes_the_whole_pile_and_the_turn_ends(engine: Engine) -> None:
    """A turn: the pile goes to the hand, where everybody knows its cards."""
    position = pos("3,4;5", pile="2,9*2")
    assert engine.moves(position) == {"pickup"}
    after = engine.play(position, "pickup")
    assert of_seat(after, "hands", 0) == "2+,3,4,9*2+"
    assert (field(after, "pile"), field(after, "turn")) == ("-", "1")


def test_turns_go_round(engine: Engine) -> None:
    """A turn: seat after seat."""
    position = pos("3,4;5,6;7,8")
    turns = []
    for move in ("play:3", "play:5", "play:7", "pickup"):
        position = engine.play(position, move)
        turns.append(field(position, "turn"))
    assert turns == ["1", "2", "0", "1"]


# --- Clearing the pile -----------------------------------------------------------------------------


def test_three_of_a_number_on_top_clear_the_pile(engine: Engine) -> None:
    """Clearing the pile: three played by one player; the cards leave the game, the next player begins anew."""
    position = pos("6*3,8;1", pile="2,5")
    after = engine.play(position, "play:6*3")
    assert (field(after, "pile"), field(after, "turn")) == ("-", "1")
    assert gained(position, after) == ["2", "5", "6", "6", "6"]
    assert engine.moves(after) == {"play:1"}


def test_three_of_a_number_clear_the_pile_whoever_played_them(engine: Engine) -> None:
    """Clearing the pile: different players' cards count together."""
    position = pos("6,8;6*2,9;6", pile="2")
    after = engine.play(position, "play:6", "play:6")
    assert field(after, "pile") == "2,6*2"
    after = engine.play(after, "play:6")
    assert field(after, "pile") == "-"
    four = engine.play(pos("6*2,8;1", pile="6*2"), "play:6*2")
    assert field(four, "pile") == "-"


def test_two_of_a_number_do_not_clear_the_pile(engine: Engine) -> None:
    """Clearing the pile: three or more, and only of one number."""
    assert field(engine.play(pos("6,7;1", pile="5*2"), "play:6"), "pile") == "5*2,6"


def test_a_clear_card_clears_the_pile_and_leaves_with_it(engine: Engine) -> None:
    """Clearing the pile: Clear does that and no more; the turn ends."""
    position = pos("C,3;1", pile="9,10*2")
    after = engine.play(position, "play:C")
    assert (field(after, "pile"), field(after, "turn"), field(after, "extra")) == ("-", "1", "0")
    assert gained(position, after) == ["9", "10", "10", "C"]


def test_a_clear_card_may_begin_an_empty_pile(engine: Engine) -> None:
    """Clearing the pile: no clear card ever lies in a pile."""
    after = engine.play(pos("C,3;1"), "play:C")
    assert field(after, "pile") == "-"


# --- Extra plays -----------------------------------------------------------------------------------


def test_clear_plus_one_gives_one_more_play(engine: Engine) -> None:
    """Extra plays: the same player once more."""
    after = engine.play(pos("C1,3,8;1", pile="9"), "play:C1")
    assert (field(after, "turn"), field(after, "extra")) == ("0", "1")
    assert engine.moves(after) == {"play:3", "play:8"}
    after = engine.play(after, "play:3")
    assert (field(after, "turn"), field(after, "extra"), field(after, "pile")) == ("1", "0", "3")


def test_clear_plus_two_gives_two_more_plays(engine: Engine) -> None:
    """Extra plays: the same player twice more, the second on what the first laid."""
    after = engine.play(pos("C2,3,8,9;1", pile="9"), "play:C2", "play:8")
    assert (field(after, "turn"), field(after, "extra"), field(after, "pile")) == ("0", "1", "8")
    assert engine.moves(after) == {"play:9"}
    assert field(engine.play(after, "play:9"), "turn") == "1"


def test_before_the_extra_play_of_a_clear_plus_one_one_may_draw(engine: Engine) -> None:
    """Extra plays: draw up to three cards in hand, or not."""
    position = pos("C1,3,4;5*3", draw="8,7,6", **TABLE)
    after = engine.play(position, "play:C1")
    assert field(after, "extra") == "1d"
    assert engine.moves(after) == {"draw", "nodraw"}
    drawn = engine.play(after, "draw")
    assert (of_seat(drawn, "hands", 0), field(drawn, "draw"), field(drawn, "extra")) == ("3,4,8", "7,6", "1")
    assert engine.moves(drawn) == {"play:3", "play:4", "play:8"}
    kept = engine.play(after, "nodraw")
    assert (of_seat(kept, "hands", 0), field(kept, "draw"), field(kept, "extra")) == ("3,4", "8,7,6", "1")
    assert engine.moves(kept) == {"play:3", "play:4"}


def test_there_is_no_choice_where_nothing_can_be_drawn(engine: Engine) -> None:
    """Extra plays: three or more cards in hand, or no draw pile, and the play follows at once."""
    full = engine.play(pos("C1,3,4,5;5*3", draw="8,7,6", **TABLE), "play:C1")
    assert (field(full, "extra"), engine.moves(full)) == ("1", {"play:3", "play:4", "play:5"})
    used_up = engine.play(pos("C1,3;5"), "play:C1")
    assert (field(used_up, "extra"), engine.moves(used_up)) == ("1", {"play:3"})


def test_clear_plus_two_gives_a_draw_before_the_first_play_only(engine: Engine) -> None:
    """Extra plays: not before the second."""
    position = pos("C2,3,4;5*3", draw="8,7,6,2", **TABLE)
    after = engine.play(position, "play:C2")
    assert field(after, "extra") == "2d"
    after = engine.play(after, "draw", "play:3")
    assert (field(after, "extra"), of_seat(after, "hands", 0)) == ("1", "4,8")
    assert engine.moves(after) == {"play:4", "play:8"}


def test_with_an_empty_hand_and_a_right_to_draw_one_must_draw(engine: Engine) -> None:
    """Extra plays: `nodraw` would leave nothing to play."""
    after = engine.play(pos("C1*3;5*3", draw="8,7,6", **TABLE), "play:C1*3")
    assert field(after, "extra") == "1d"
    assert engine.moves(after) == {"draw"}
    assert of_seat(engine.play(after, "draw"), "hands", 0) == "6,7,8"


def test_several_clear_cards_of_one_rank_count_once(engine: Engine) -> None:
    """Extra plays: two Clear +1 played together give one play."""
    after = engine.play(pos("C1*2,3;1"), "play:C1*2")
    assert field(after, "extra") == "1"
    after = engine.play(pos("C2*2,3;1"), "play:C2*2")
    assert field(after, "extra") == "2"


def test_extra_plays_of_chained_clear_cards_add_up(engine: Engine) -> None:
    """Extra plays: a clear card played as an extra play adds its own to those left."""
    after = engine.play(pos("C1,C2,3,4,5;1"), "play:C2")
    assert field(after, "extra") == "2"
    after = engine.play(after, "play:C1")
    assert field(after, "extra") == "2"
    after = engine.play(after, "play:3", "play:4")
    assert (field(after, "turn"), field(after, "extra")) == ("1", "0")


def test_the_newest_card_sets_the_right_to_draw(engine: Engine) -> None:
    """Extra plays: Clear gives none, Clear +1 gives one again, a number gives none."""
    start = pos("C,C1,C2;5*3", draw="8,7,6,2", **TABLE)
    after = engine.play(start, "play:C2", "nodraw", "play:C")
    assert (field(after, "extra"), of_seat(after, "hands", 0)) == ("1", "C1")
    assert engine.moves(after) == {"play:C1"}
    after = engine.play(start, "play:C2", "nodraw", "play:C1")
    assert (field(after, "extra"), engine.moves(after)) == ("2d", {"draw", "nodraw"})


def test_who_cannot_make_an_extra_play_takes_the_pile(engine: Engine) -> None:
    """Extra plays: by the same rules; the pick-up ends the turn."""
    after = engine.play(pos("C2,8,3;1"), "play:C2", "play:8")
    assert engine.moves(after) == {"pickup"}
    after = engine.play(after, "pickup")
    assert (of_seat(after, "hands", 0), field(after, "turn"), field(after, "extra")) == ("3,8+", "1", "0")


def test_an_extra_play_with_no_card_left_is_the_win(engine: Engine) -> None:
    """Extra plays: the last card may be a Clear +2."""
    after = engine.play(pos("C2;1"), "play:C2")
    assert engine.is_over(after)
    assert engine.result(after) == [1, 0]
    assert field(after, "extra") == "0"


def test_an_extra_play_with_an_empty_hand_goes_on_from_the_table(engine: Engine) -> None:
    """Extra plays: with the draw pile used up, the face-up and then the face-down cards are played."""
    after = engine.play(pos("C1;1", up="4,9;-", down="1,2,3;-"), "play:C1")
    assert engine.moves(after) == {"up:4", "up:9"}
    after = engine.play(pos("C1;1", down="1,2,3;-"), "play:C1")
    assert engine.moves(after) == {"down"}


def test_an_extra_play_lapses_when_nothing_is_in_hand_and_nothing_may_be_drawn(engine: Engine) -> None:
    """Extra plays: with cards in the draw pile and no right to draw, the turn ends; then one draws as always."""
    start = pos("C2,4*2;5*3", draw="8,7,6,2", **TABLE)
    after = engine.play(start, "play:C2", "nodraw", "play:4*2")
    assert (field(after, "turn"), field(after, "extra")) == ("1", "0")
    assert (of_seat(after, "hands", 0), field(after, "draw")) == ("6,7,8", "2")


def test_clear_cards_from_the_table_work_as_from_the_hand(engine: Engine) -> None:
    """Extra plays: face-up and face-down ones."""
    after = engine.play(pos("-;1", up="C1,3;-", down="1,2,3;-", pile="9"), "up:C1")
    assert (field(after, "extra"), field(after, "pile"), engine.moves(after)) == ("1", "-", {"up:3"})
    after = engine.play(pos("-;1", down="C2,3,4;-", pile="9"), "down")
    assert (field(after, "extra"), field(after, "pile"), engine.moves(after)) == ("2", "-", {"down"})
    after = engine.play(after, "down", "down")
    assert engine.result(after) == [1, 0]


# --- Drawing ---------------------------------------------------------------------------------------


def test_at_the_end_of_a_turn_one_draws_up_to_three_cards(engine: Engine) -> None:
    """Drawing: from the draw pile in its order."""
    after = engine.play(pos("3*2,4;5*3", draw="8,7,6", **TABLE), "play:3*2")
    assert (of_seat(after, "hands", 0), field(after, "draw")) == ("4,7,8", "6")


def test_with_three_or_more_cards_one_draws_none(engine: Engine) -> None:
    """Drawing: not until the hand has become smaller."""
    after = engine.play(pos("3,4*3;5*3", draw="8,7,6", **TABLE), "play:3")
    assert (of_seat(after, "hands", 0), field(after, "draw")) == ("4*3", "8,7,6")


def test_one_draws_after_a_pick_up_too(engine: Engine) -> None:
    """Drawing: a pick-up included, if the hand is still smaller than three (after an extra play only)."""
    start = pos("C2,8,3;5*3", draw="9,7,6", **TABLE)
    after = engine.play(start, "play:C2", "nodraw", "play:8", "pickup")
    assert (of_seat(after, "hands", 0), field(after, "draw"), field(after, "turn")) == ("3,8+,9", "7,6", "1")


def test_one_draws_what_is_left(engine: Engine) -> None:
    """Drawing: while the draw pile lasts."""
    after = engine.play(pos("3*3;5*3", draw="8,7", **TABLE), "play:3*3")
    assert (of_seat(after, "hands", 0), field(after, "draw")) == ("7,8", "-")


# --- The face-up and face-down cards ---------------------------------------------------------------


def test_the_cards_on_the_table_wait_for_the_draw_pile_and_the_hand(engine: Engine) -> None:
    """The face-up and face-down cards: not while there are cards in hand."""
    position = pos("3;1", up="3,4;-", down="1,2,3;-")
    assert engine.moves(position) == {"play:3"}
    refused(engine, position, "up:3", "up:4", "down", "play:3*2")
    used_up = engine.play(pos("3*3;5*3", draw="8", **TABLE), "play:3*3")
    assert of_seat(used_up, "hands", 0) == "8"


def test_face_up_cards_are_played_by_the_same_rules(engine: Engine) -> None:
    """The face-up and face-down cards: one or several of a rank, equal or higher, else the pile is taken."""
    position = pos("-;1", up="4,9*2;-", down="1,2,3;-", pile="5")
    assert engine.moves(position) == {"up:9", "up:9*2"}
    after = engine.play(position, "up:9")
    assert (of_seat(after, "up", 0), field(after, "pile"), field(after, "turn")) == ("4,9", "5,9", "1")
    position = pos("-;1", up="4,8;-", down="1,2,3;-", pile="9")
    assert engine.moves(position) == {"pickup"}
    after = engine.play(position, "pickup")
    assert (of_seat(after, "hands", 0), of_seat(after, "up", 0)) == ("9+", "4,8")


def test_face_up_cards_come_before_face_down_cards(engine: Engine) -> None:
    """The face-up and face-down cards, Decision: the source has it the other way round."""
    position = pos("-;1", up="4;-", down="1,2,3;-")
    refused(engine, position, "down")
    assert engine.moves(pos("-;1", down="1,2,3;-")) == {"down"}
    with refusal():
        engine.canon(pos("-;1", up="4;-", down="1,2;-"))


def test_a_face_down_card_is_played_if_it_fits(engine: Engine) -> None:
    """The face-up and face-down cards: one at a time, turned over unseen."""
    after = engine.play(pos("-;1", down="7,2,3;-", pile="5"), "down")
    assert (of_seat(after, "down", 0), field(after, "pile"), field(after, "turn")) == ("2,3", "5,7", "1")


def test_a_face_down_card_that_does_not_fit_goes_to_the_hand_with_the_pile(engine: Engine) -> None:
    """The face-up and face-down cards: everybody has seen it."""
    after = engine.play(pos("-;1", down="4,2,3;-", pile="5*2"), "down")
    assert (of_seat(after, "hands", 0), of_seat(after, "down", 0), field(after, "pile")) == ("4+,5*2+", "2,3", "-")
    assert field(after, "turn") == "1"


def test_who_took_the_pile_plays_from_the_hand_until_it_is_empty(engine: Engine) -> None:
    """The face-up and face-down cards: then from the table again."""
    position = engine.play(pos("-;2*3", up="4;-", down="1,2,3;-", pile="5"), "pickup", "play:2")
    assert engine.moves(position) == {"play:5"}
    position = engine.play(position, "play:5", "pickup")
    assert engine.moves(position) == {"up:4"}


def test_a_face_down_card_can_make_three_of_a_number(engine: Engine) -> None:
    """The face-up and face-down cards: by the same rules."""
    assert field(engine.play(pos("-;1", down="5,2;-", pile="5*2"), "down"), "pile") == "-"


# --- The end of a round ----------------------------------------------------------------------------


def test_the_first_without_a_card_wins_and_the_others_get_nothing(engine: Engine) -> None:
    """The end of a round: 1 to the winner."""
    after = engine.play(pos("5,6;3;4"), "play:5", "pickup", "play:4")
    assert engine.result(after) == [0, 0, 1]
    assert engine.payoffs(after) == [0, 0, 1]
    assert engine.ranks(after) == [0, 0, 1]
    assert (field(after, "turn"), engine.moves(after)) == ("-", set())


def test_cards_on_the_table_count(engine: Engine) -> None:
    """The end of a round: an empty hand is not enough."""
    after = engine.play(pos("5;3,4", down="1;-"), "play:5")
    assert not engine.is_over(after)
    assert engine.payoffs(after) == [0.5, 0.5]
    assert engine.ranks(after) == [0, 0]


def test_a_round_ends_when_a_state_occurs_three_times(engine: Engine) -> None:
    """Rounds that do not end: `repetition`, counted before every move; what is known of the hands does not count."""
    start = pos("1,2;3,4,9")
    cycle = ["play:1", "play:9", "pickup", "play:3", "play:9", "pickup"]
    assert engine.play(start, *cycle) == start.replace("1,2;3,4,9", "1+,2;3+,4,9+")
    assert engine.run(start, cycle * 2) == (12, "repetition")
    assert engine.run(start, cycle * 2, repetition=2) == (6, "repetition")
    assert engine.run(start, cycle * 2, repetition=0) == (12, "")


def test_a_round_ends_after_max_turns_moves(engine: Engine) -> None:
    """Rounds that do not end: `max_turns` counts moves, draws and choices included."""
    start = pos("C1,3,4;5*3", draw="8,7,6", **TABLE)
    line = ["play:C1", "draw", "play:3", "play:5"]
    assert engine.run(start, line, max_turns=3) == (3, "max_turns")
    assert engine.run(start, line) == (4, "")


# --- What everybody knows --------------------------------------------------------------------------


def test_hands_face_down_cards_and_the_draw_pile_are_hidden(engine: Engine) -> None:
    """What everybody knows: face-up cards, pile, counts; nobody knows face-down cards, their owner neither."""
    position = pos("3,7*2;4,5,6", draw="8,9", pile="2", **TABLE)
    view = engine.observe(position, 0)
    assert field(view, "hands") == "3,7*2;3x"
    assert (field(view, "down"), field(view, "draw")) == ("3x;3x", "2x")
    for key in ("up", "pile", "gone", "turn"):
        assert field(view, key) == field(position, key)
    assert field(engine.observe(position, 1), "hands") == "3x;4,5,6"


def test_cards_that_were_picked_up_are_known_until_they_are_played(engine: Engine) -> None:
    """What everybody knows: a play of k cards takes public ones first."""
    position = engine.play(pos("2,7;4", pile="7,9"), "pickup")
    assert of_seat(position, "hands", 0) == "2,7,7+,9+"
    assert of_seat(engine.observe(position, 1), "hands", 0) == "7+,9+,2x"
    own = position.replace("turn=1", "turn=0")
    after = engine.play(own, "play:7")
    assert of_seat(after, "hands", 0) == "2,7,9+"
    after = engine.play(own, "play:7*2")
    assert of_seat(after, "hands", 0) == "2,9+"


def test_drawn_cards_are_known_to_their_owner_only(engine: Engine) -> None:
    """What everybody knows: draws are unseen."""
    after = engine.play(pos("3*2,4;5*3", draw="8,7,6", **TABLE), "play:3*2")
    assert of_seat(engine.observe(after, 0), "hands", 0) == "4,7,8"
    assert of_seat(engine.observe(after, 1), "hands", 0) == "3x"


# --- perft -----------------------------------------------------------------------------------------


def test_perft_counts_moves(engine: Engine) -> None:
    """Notation: sequences of exactly so many moves, draws and choices included."""
    start = pos("C1,3,4;5*3", draw="8,7,6", **TABLE)
    assert [engine.perft(start, depth) for depth in range(4)] == [1, 3, 8, 19]
