"""Every rule, option and decision of docs/rules-pile.md as an example, for the reference and for the core.

Unless an example says otherwise, the cards that it does not mention are covered (see `pos`), and the stock is empty.
Each docstring names the section of the rules that the test proves.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations

import pytest

import reference_pile as reference
from pile_engines import CoreEngine, Engine, ReferenceEngine, field, hand, pos

THIRD = 1 / 3

# Engines say why in their own words.
refusal = partial(pytest.raises, ValueError, match=r"\w")


@pytest.fixture(params=["reference", "core"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return ReferenceEngine() if request.param == "reference" else CoreEngine()


def refused(engine: Engine, position: str, *moves: str, **options: object) -> None:
    """None of the moves is legal, whether one asks for the list or tries."""
    for move in moves:
        assert move not in engine.moves(position, **options)
        with refusal():
            engine.play(position, move, **options)


# --- The deal --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards"), [(2, 6), (3, 6), (4, 5), (5, 5)])
def test_hands_have_six_cards_or_five_from_four_players_on(engine: Engine, players: int, cards: int) -> None:
    dealt = engine.deal(players, 1)
    assert [len(hand(dealt, seat).split(",")) for seat in range(players)] == [cards] * players
    assert len(field(dealt, "stock").split(",")) == 40 - players * cards - 1
    assert field(dealt, "gone") == "-"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_forty_cards_are_in_play_at_every_number_of_players(engine: Engine, players: int) -> None:
    state = reference.parse(engine.deal(players, 2))
    assert sorted(map(reference.pair_of, reference.all_named(state))) == sorted(reference.STANDARD)
    left_out = {(1, 2), (3, 8), (4, 7), (5, 6), (9, 10)}
    assert set(reference.STANDARD) == set(combinations(range(1, 11), 2)) - left_out


def test_the_ways_up_are_random_in_hands_and_stock(engine: Engine) -> None:
    """The deal, Decision: cards have no printed top."""
    for part in ("hands", "stock"):
        texts = [field(engine.deal(3, seed), part).replace(";", ",").split(",") for seed in range(40)]
        cards = [tuple(map(int, card.split("/"))) for text in texts for card in text]
        up = sum(a > b for a, b in cards) / len(cards)
        assert 0.4 < up < 0.6


def test_seat_0_begins_and_turns_go_clockwise(engine: Engine) -> None:
    position = engine.deal(4, 3)
    for seat in (0, 1, 2, 3, 0):
        assert field(position, "turn") == str(seat)
        position = engine.play(position, min(engine.moves(position)))


def test_one_start_card_is_turned_up(engine: Engine) -> None:
    dealt = engine.deal(3, 4)
    assert field(dealt, "piles").count("/") == 1
    assert field(dealt, "laid") == "-"


def test_piles_two_turns_up_two_start_cards(engine: Engine) -> None:
    """Options, `piles`: house rule."""
    dealt = engine.deal(5, 4, piles=2)
    assert field(dealt, "piles").count("/") == 2
    assert field(dealt, "laid") == "-;-"
    assert len(field(dealt, "stock").split(",")) == 40 - 25 - 2


# --- A turn: play ----------------------------------------------------------------------------------


def test_a_card_fits_with_the_same_number_one_more_or_one_less(engine: Engine) -> None:
    position = pos(2, 0, ["5/10,6/10,4/10,7/10,3/10", "1/3"], ["5/2"], revolved="1,0")
    assert {move.partition(">")[0] for move in engine.moves(position)} == {"play:5/10", "play:6/10", "play:4/10"}


def test_only_the_visible_number_counts(engine: Engine) -> None:
    position = pos(2, 0, ["2/10", "1/3"], ["5/2"], revolved="1,0")
    refused(engine, position, "play:2/10>2", "play:2/10>10")
    assert engine.moves(position) == {"skip"}


def test_ten_and_one_are_not_neighbours(engine: Engine) -> None:
    high = pos(2, 0, ["1/5,9/5", "1/3"], ["10/2"], revolved="1,0")
    assert engine.moves(high) == {"play:9/5>9", "play:9/5>5"}
    low = pos(2, 0, ["10/5,2/5", "1/3"], ["1/9"], revolved="1,0")
    assert engine.moves(low) == {"play:2/5>2", "play:2/5>5"}


def test_match_either_lets_any_end_fit(engine: Engine) -> None:
    """Options, `match`: the default, step 2 of the guide."""
    position = pos(2, 0, ["10/5", "1/3"], ["5/2"])
    assert engine.moves(position) == {"play:10/5>5", "play:10/5>10", "revolve"}


def test_match_active_lets_only_the_end_that_is_up_fit(engine: Engine) -> None:
    """Options, `match`: as the rule on revolving implies."""
    position = pos(2, 0, ["10/5,4/8", "1/3"], ["5/2"])
    assert engine.moves(position, match="active") == {"play:4/8>4", "play:4/8>8", "revolve"}
    refused(engine, position, "play:10/5>5", "play:10/5>10", match="active")
    turned = engine.play(position, "revolve", "revolve", match="active")
    assert {"play:5/10>5", "play:5/10>10"} <= engine.moves(turned, match="active")
    assert "play:8/4>8" not in engine.moves(turned, match="active")


@pytest.mark.parametrize(("visible", "pile"), [("4", "4/8"), ("8", "8/4")])
def test_who_plays_chooses_which_end_is_visible(engine: Engine, visible: str, pile: str) -> None:
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2"])
    after = engine.play(position, f"play:4/8>{visible}")
    assert field(after, "piles") == pile
    assert field(after, "laid") == "0"
    assert hand(after, 0) == "1/7"
    assert "2/5" in field(after, "gone").split(",")


def test_a_card_is_named_as_it_lies_in_the_hand(engine: Engine) -> None:
    position = pos(2, 0, ["8/4", "1/3"], ["5/2"])
    refused(engine, position, "play:4/8>8", "play:4/8>4")
    with refusal():
        engine.play(position, "play:8/4>7")


def test_with_two_piles_a_card_may_go_to_either_that_it_fits(engine: Engine) -> None:
    """Options, `piles`: house rule."""
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2", "9/3"], laid="1;0")
    plays = {"play:4/8>4@0", "play:4/8>8@0", "play:4/8>4@1", "play:4/8>8@1"}
    assert engine.moves(position, piles=2) == plays | {"revolve"}
    after = engine.play(position, "play:4/8>8@1", piles=2)
    assert field(after, "piles") == "5/2;8/4"
    assert field(after, "laid") == "1;0"
    refused(engine, position, "play:1/7>1@0", piles=2)


# --- A turn: revolve -------------------------------------------------------------------------------


def test_a_revolve_flips_the_whole_hand_and_nothing_else(engine: Engine) -> None:
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2"])
    after = engine.play(position, "revolve")
    assert hand(after, 0) == "7/1,8/4"
    assert hand(after, 1) == "1/3"
    assert field(after, "piles") == "5/2"
    assert field(after, "revolved") == "1,0"
    assert field(after, "turn") == "1"


def test_each_player_revolves_once_a_round(engine: Engine) -> None:
    position = pos(2, 0, ["4/8", "3/1"], ["5/2"])
    refused(engine, engine.play(position, "revolve", "revolve"), "revolve")


@pytest.mark.parametrize("revolves", [0, 1, 2, 3])
def test_revolves_sets_how_often(engine: Engine, revolves: int) -> None:
    """Options, `revolves`: house rule 2."""
    position = pos(2, 0, ["4/8", "4/1"], ["5/2"])
    for _ in range(revolves):
        position = engine.play(position, "revolve", "revolve", revolves=revolves)
    refused(engine, position, "revolve", revolves=revolves)


def test_no_card_is_drawn_for_a_revolve(engine: Engine) -> None:
    position = pos(2, 0, ["4/8", "3/1"], ["5/2"], "1/9,2/9")
    assert field(engine.play(position, "revolve"), "stock") == "1/9,2/9"


# --- A turn: skip ----------------------------------------------------------------------------------


def test_skip_only_when_no_card_fits_and_no_revolve_is_left(engine: Engine) -> None:
    stuck = pos(2, 0, ["1/9,8/10", "1/3"], ["5/2"])
    assert engine.moves(stuck) == {"revolve"}
    refused(engine, stuck, "skip")
    spent = pos(2, 0, ["1/9,8/10", "1/3"], ["5/2"], revolved="1,0")
    assert engine.moves(spent) == {"skip"}
    refused(engine, pos(2, 0, ["1/9,8/4", "1/3"], ["5/2"], revolved="1,0"), "skip")


def test_a_skip_costs_nothing(engine: Engine) -> None:
    position = pos(2, 0, ["1/9,8/10", "1/3"], ["5/2"], "1/4", revolved="1,0")
    after = engine.play(position, "skip")
    for key in ("hands", "piles", "stock", "gone", "points", "revolved"):
        assert field(after, key) == field(engine.canon(position), key)
    assert (field(after, "turn"), field(after, "skips")) == ("1", "1")


def test_any_other_turn_ends_a_row_of_skips(engine: Engine) -> None:
    position = pos(3, 0, ["1/9,8/10", "4/2,1/3", "9/3"], ["5/2"], revolved="1,1,0")
    assert field(engine.play(position, "skip", "play:4/2>4"), "skips") == "0"
    assert field(engine.play(position, "skip", "play:4/2>4", "revolve"), "skips") == "0"


# --- Drawing ---------------------------------------------------------------------------------------


def test_after_a_play_the_next_card_of_the_stock_is_drawn(engine: Engine) -> None:
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2"], "9/2,1/9")
    after = engine.play(position, "play:4/8>8")
    assert hand(after, 0) == "1/7,9/2"
    assert field(after, "stock") == "1/9"


def test_a_hand_that_is_full_after_the_play_draws_nothing(engine: Engine) -> None:
    """Drawing: only with fewer cards than at the start, so never more than one card."""
    dealt = engine.deal(2, 5)
    move = next(move for move in engine.moves(dealt) if move != "revolve")
    after = engine.play(dealt, move)
    assert len(hand(after, 0).split(",")) == 6
    with refusal():
        engine.canon(pos(2, 0, ["1/3,1/4,1/5,1/6,1/7,1/8,1/9", "3/4"], ["5/2"]))


def test_one_card_at_most_is_drawn_however_small_the_hand(engine: Engine) -> None:
    position = pos(2, 0, ["4/8", "1/3"], ["5/2"], "9/2,1/9,3/9")
    assert hand(engine.play(position, "play:4/8>8"), 0) == "9/2"


def test_reshuffle_never_lets_hands_shrink(engine: Engine) -> None:
    """Options, `reshuffle`: the default."""
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2"])
    after = engine.play(position, "play:4/8>8")
    assert hand(after, 0) == "1/7"
    assert field(after, "stock") == "-"


def test_reshuffle_always_makes_the_covered_cards_a_new_stock(engine: Engine) -> None:
    """Options, `reshuffle`: as written; all but the tops, when a draw is due and the stock is empty."""
    hands = ["4/8,1/7", ",".join(f"{a}/{b}" for a, b in reference.STANDARD[-6:])]
    position = pos(2, 0, hands, ["5/2"])
    covered = [*field(engine.canon(position), "gone").split(","), "2/5"]
    new = [card if i % 2 else "/".join(reversed(card.split("/"))) for i, card in enumerate(covered)][::-1]
    after = engine.play(position, "play:4/8>8", reshuffle="always", stock=",".join(new))
    assert field(after, "gone") == "-"
    assert field(after, "stock") == ",".join(new[1:])
    assert sorted(hand(after, 0).split(",")) == sorted(["1/7", new[0]])
    assert field(after, "piles") == "8/4"


def test_reshuffle_always_waits_for_a_draw_that_is_due(engine: Engine) -> None:
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2"], "9/2")
    after = engine.play(position, "play:4/8>8", reshuffle="always")
    assert field(after, "stock") == "-"
    assert field(after, "gone") != "-"


def test_reshuffle_takes_the_covered_cards_of_both_piles(engine: Engine) -> None:
    position = pos(2, 0, ["4/8,1/7", "1/3"], ["5/2", "9/3"])
    covered = [*field(engine.canon(position, piles=2), "gone").split(","), "2/5"]
    after = engine.play(position, "play:4/8>8@0", piles=2, reshuffle="always", stock=",".join(covered))
    assert field(after, "piles") == "8/4;9/3"
    assert field(after, "gone") == "-"


# --- The end of a round ----------------------------------------------------------------------------


def test_the_first_empty_hand_gets_2_and_the_feeder_1(engine: Engine) -> None:
    """Options, `one_point`: `feeder`, the default; the round ends at once."""
    position = pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], laid="2")
    after = engine.play(position, "play:4/8>8")
    assert engine.result(after) == [2, 0, 1]
    assert engine.payoffs(after) == [2, 0, 1]
    assert engine.ranks(after) == [1, 0, 2]
    assert engine.end(after) == "out"
    assert engine.moves(after) == set()
    assert field(after, "turn") == "-"
    assert field(after, "given") == "2,0,1"


def test_the_feeder_is_who_laid_the_card_not_who_moved_last(engine: Engine) -> None:
    position = pos(3, 2, ["4/8", "1/3", "10/8"], ["5/2"], laid="1", revolved="0,0,1")
    assert engine.result(engine.play(position, "skip", "play:4/8>8")) == [2, 1, 0]


def test_no_feeder_if_it_is_the_same_player(engine: Engine) -> None:
    after = engine.play(pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], laid="0"), "play:4/8>8")
    assert engine.result(after) == [2, 0, 0]
    assert engine.payoffs(after) == [2, 0.5, 0.5]
    assert engine.ranks(after) == [1, 0, 0]


def test_no_feeder_if_it_is_the_start_card(engine: Engine) -> None:
    after = engine.play(pos(2, 0, ["4/8", "1/3"], ["5/2"]), "play:4/8>8")
    assert engine.result(after) == [2, 0]
    assert engine.payoffs(after) == [2, 1]


def test_the_feeder_is_of_the_pile_that_the_last_card_went_on(engine: Engine) -> None:
    position = pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2", "9/3"], laid="1;2")
    assert engine.result(engine.play(position, "play:4/8>8@0", piles=2), piles=2) == [2, 1, 0]
    assert engine.result(engine.play(position, "play:4/8>8@1", piles=2), piles=2) == [2, 0, 1]


def test_a_hand_is_empty_only_after_the_draw(engine: Engine) -> None:
    """The end of a round, Decision: drawing comes first."""
    after = engine.play(pos(2, 0, ["4/8", "1/3"], ["5/2"], "1/9"), "play:4/8>8")
    assert engine.end(after) == ""
    assert hand(after, 0) == "1/9"


def test_second_out_lets_the_round_go_on_until_a_second_hand_is_empty(engine: Engine) -> None:
    """Options, `one_point`: the reading of the tie rule."""
    position = pos(3, 0, ["4/8", "7/3,1/3", "2/4,6/8"], ["5/2"], laid="2")
    first = engine.play(position, "play:4/8>8", one_point="second_out")
    assert engine.result(first, one_point="second_out") == [2, 0, 0]
    assert engine.payoffs(first, one_point="second_out") == [2, 0.5, 0.5]
    assert field(first, "turn") == "1"
    line = ("play:4/8>8", "play:7/3>7", "play:6/8>6", "revolve", "revolve")
    later = engine.play(position, *line, one_point="second_out")
    assert field(later, "turn") == "1"  # the seat that is out is passed over
    last = pos(3, 1, ["-", "7/3", "2/4,6/8"], ["8/4"], laid="0", given="2,0,0")
    second = engine.play(last, "play:7/3>3", one_point="second_out")
    assert engine.result(second, one_point="second_out") == [2, 1, 0]
    assert engine.ranks(second, one_point="second_out") == [1, 2, 0]
    assert engine.end(second, one_point="second_out") == "out"


def test_second_out_ends_at_once_if_the_first_wins_the_match(engine: Engine) -> None:
    """The end of a match: it ends as soon as somebody has 4 points."""
    position = pos(3, 0, ["4/8", "7/3", "2/4"], ["5/2"], points="2,3,0")
    after = engine.play(position, "play:4/8>8", one_point="second_out")
    assert engine.result(after, one_point="second_out") == [2, 0, 0]
    assert engine.end(after, one_point="second_out") == "out"


def test_second_out_at_two_players_lets_the_other_play_on_alone(engine: Engine) -> None:
    position = pos(2, 0, ["4/8", "7/3,9/1"], ["5/2"])
    after = engine.play(position, "play:4/8>8", "play:7/3>7", "revolve", one_point="second_out")
    assert field(after, "turn") == "1"
    over = engine.play(after, "skip", one_point="second_out")
    assert engine.result(over, one_point="second_out") == [2, 0]
    assert engine.end(over, one_point="second_out") == "blocked"


# --- Blocked ---------------------------------------------------------------------------------------


def blocked(hands: list[str], turn: int = 0, skips: str = "0", **fields: str) -> str:
    revolved = ",".join("1" * len(hands))
    return pos(len(hands), turn, hands, ["5/2"], skips=skips, revolved=revolved, **fields)


def test_a_round_is_blocked_when_everybody_skips_in_turn(engine: Engine) -> None:
    position = blocked(["1/9,8/10", "1/3", "7/8,9/7"])
    for _ in range(2):
        position = engine.play(position, "skip")
        assert engine.end(position) == ""
    position = engine.play(position, "skip")
    assert engine.end(position) == "blocked"
    assert field(position, "skips") == "3"
    assert engine.moves(position) == set()


def test_blocked_fewest_gives_2_to_the_fewest_cards(engine: Engine) -> None:
    """Options, `blocked`: the default."""
    after = engine.play(blocked(["1/9,8/10", "1/3", "7/8,9/7"]), "skip", "skip", "skip")
    assert engine.result(after) == [0, 2, 0]
    assert engine.payoffs(after) == [0.5, 2, 0.5]
    assert engine.ranks(after) == [0, 1, 0]


def test_blocked_fewest_gives_a_tie_nothing(engine: Engine) -> None:
    after = engine.play(blocked(["1/9", "1/3", "7/8,9/7"]), "skip", "skip", "skip")
    assert engine.result(after) == [0, 0, 0]
    assert engine.payoffs(after) == [1, 1, 1]
    assert engine.end(after) == "blocked"


def test_blocked_void_gives_nothing(engine: Engine) -> None:
    """Options, `blocked`."""
    position = blocked(["1/9,8/10", "1/3", "7/8,9/7"])
    after = engine.play(position, "skip", "skip", "skip", blocked="void")
    assert engine.result(after, blocked="void") == [0, 0, 0]
    assert engine.payoffs(after, blocked="void") == [1, 1, 1]
    assert engine.end(after, blocked="void") == "blocked"


def test_only_those_still_in_have_to_skip(engine: Engine) -> None:
    """With `second_out`; Decision: the 2 points are given by then, and a block gives no more."""
    position = blocked(["-", "1/9", "7/8,9/7"], turn=1, given="2,0,0")
    after = engine.play(position, "skip", "skip", one_point="second_out")
    assert engine.end(after, one_point="second_out") == "blocked"
    assert engine.result(after, one_point="second_out") == [2, 0, 0]
    assert engine.payoffs(after, one_point="second_out") == [2, 0.5, 0.5]


# --- What everybody knows --------------------------------------------------------------------------


def test_a_view_hides_other_hands_and_the_stock(engine: Engine) -> None:
    position = pos(3, 0, ["4/8,1/7", "1/3", "2/4,6/8"], ["5/2"], "9/2,1/9", laid="2", revolved="0,1,0", points="1,0,2")
    view = engine.observe(position, 2)
    assert field(view, "view") == "2"
    assert field(view, "hands") == "2x;1x;2/4,6/8"
    assert field(view, "stock") == "2x"
    for key in ("turn", "piles", "laid", "gone", "skips", "revolved", "points"):
        assert field(view, key) == field(engine.canon(position), key)


def test_what_a_skip_proves_is_not_in_a_view(engine: Engine) -> None:
    """What everybody knows, Decision."""
    position = pos(2, 0, ["1/9,8/10", "1/3"], ["5/2"], revolved="1,0")
    view = engine.observe(engine.play(position, "skip"), 1)
    assert field(view, "hands") == "2x;1/3"


def test_what_counting_proves_is_not_in_a_view(engine: Engine) -> None:
    view = engine.observe(pos(2, 0, ["1/9", "1/3"], ["5/2"]), 1)
    assert field(view, "hands") == "1x;1/3"


# --- Positions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"points": "4,0"},  # the match is over
        {"points": "5,4"},
        {"skips": "2"},  # the round is over, and seat 0 is to move
        {"revolved": "2,0"},
        {"given": "2,0"},
        {"given": "0,1"},
    ],
)
def test_impossible_positions_are_refused(engine: Engine, fields: dict[str, str]) -> None:
    engine.canon(pos(2, 0, ["1/9", "1/3"], ["5/2"]))
    with refusal():
        engine.canon(pos(2, 0, ["1/9", "1/3"], ["5/2"], **fields))


def test_equal_points_at_the_end_of_a_match_are_played_on(engine: Engine) -> None:
    """The end of a match: rounds until one of the tied leads."""
    position = pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], laid="1", points="4,4,1")
    assert engine.result(engine.play(position, "play:4/8>4")) == [2, 1, 0]


def test_fields_that_are_left_out_have_their_defaults(engine: Engine) -> None:
    text = pos(2, 0, ["1/9", "1/3"], ["5/2"])
    short = " ".join(item for item in text.split(" ") if not item.startswith(("laid=", "stock=")))
    assert engine.canon(short) == engine.canon(text)
    assert Counter(engine.canon(text).split("=")[0] for _ in range(2)) == {"dnup-pile:2 turn": 2}


# --- Rounds that do not end ------------------------------------------------------------------------


def test_a_state_is_the_same_with_all_that_a_round_hangs_on() -> None:
    """Rounds that do not end: hands, piles and who laid them, stock, revolves, skips; not what is to be shuffled."""
    from dnup_ai.notation.pile import parse_pile_position

    base = pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2")
    others = [
        pos(3, 0, ["8/4", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2"),
        pos(3, 0, ["4/8", "1/3", "2/4"], ["2/5"], "9/2,1/9", laid="2"),
        pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], "1/9,9/2", laid="2"),
        pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="1"),
        pos(3, 1, ["4/8", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2"),
        pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2", revolved="0,1,0"),
        pos(3, 0, ["4/8", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2", skips="1"),
    ]
    keys = {parse_pile_position(text, reshuffle="always").repetition_key() for text in [base, base, *others]}
    assert len(keys) == 1 + len(others)


def test_without_reshuffles_no_state_can_recur() -> None:
    """Rounds that do not end: every turn covers a card, uses up a revolve, or is a skip of a row that ends."""
    import random

    for seed in range(20):
        rng = random.Random(seed)
        start = reference.deal(3, rng)
        _, end = reference.run(start, lambda state, rng=rng: rng.choice(reference.legal(state)), repetition=2)
        assert end in ("out", "blocked")


def test_max_turns_ends_a_round_of_the_reference() -> None:
    import random

    start = reference.deal(2, random.Random(1))
    moves, end = reference.run(start, lambda state: reference.legal(state)[0], max_turns=7)
    assert (len(moves), end) == (7, "max_turns")
