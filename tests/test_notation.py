"""The notation: what is read, written and refused, with the field and the column of each fault."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.dnup import DnupState
from cython_core.position import Hand, HandCard, Position
from cython_core.rng import Rng
from dnup_ai import notation
from dnup_ai.decks import Deck, load_deck
from dnup_ai.errors import ConfigError, NotationError
from dnup_ai.notation import parse_move, parse_position, read_position
from dnup_ai.notation.positions import FIELDS as FIELD_NAMES
from lines import states

# 10 cards for 5 players, 9 for 3, 8 for 2.
TINY = Deck.from_dict(
    {
        "name": "tiny",
        "star": "1/5",
        "cards": ["1/2", "1/3", "1/4", "1/5", "2/3", "2/4", "2/5", "3/4", "3/5", "4/5"],
        "symbols": {"2": ["4/5"], "3": ["3/5"]},
    },
    "here",
)
TRUE = "dnup:3 deck=tiny turn=1 hands=1/2,3/1;1/5~,4/1;2/3,2/4 table=-;-;5/2 gone=3/4,3/5 out=- tokens=0,0,0"
VIEW = TRUE.replace("tiny", "tiny view=0").replace("1/5~,4/1;2/3,2/4", "1~5,1x;2/3+,1x")
TWO = "dnup:2 deck=tiny turn=0.2 hands=1/2,3/1+;1/5~,4/1 table=-;5/2;4/2,4/3;- gone=2/3 out=- tokens=1,0"
MIDDLE = (
    "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
)


# --- what is read


@pytest.mark.parametrize("text", [TRUE, VIEW, TWO])
def test_canonical_text_reads_and_writes_back(text: str) -> None:
    assert str(read_position(text, TINY)) == text
    assert str(parse_position(text, TINY)) == text


def test_view_in_the_middle_of_a_round() -> None:
    position = read_position(MIDDLE)
    assert position == Position(
        players=3,
        view=1,
        turn=1,
        zone=1,
        hands=(
            Hand((), 8),
            Hand((HandCard(2, 8), HandCard(3, 4), HandCard(4, 8, "+"))),
            Hand((HandCard(1, 5, "~"), HandCard(6, 4, "+")), 5),
        ),
        table=((), (), ((7, 3), (7, 6))),
        gone=((1, 4), (2, 6), (3, 5), (5, 7)),
        tokens=(0, 2, 1),
    )
    assert str(parse_position(MIDDLE)) == MIDDLE


def test_two_players_have_two_zones_each() -> None:
    position = read_position(TWO, TINY)
    assert (position.turn, position.zone) == (0, 2)
    assert position.table == ((), ((5, 2),), ((4, 2), (4, 3)), ())
    assert parse_position(TWO, TINY).zone == 1


def test_fields_and_cards_in_any_order() -> None:
    mixed = "dnup:3 gone=3/5,3/4 hands=3/1,1/2;4/1,1/5~;2/4,2/3 table=-;-;5/2 out=- deck=tiny view=- turn=1"
    assert read_position(mixed, TINY) == read_position(TRUE, TINY)
    assert str(parse_position(mixed, TINY)) == TRUE


def test_fields_left_out_have_defaults() -> None:
    dealt = load_deck("pairs-36").rules(2).deal(Rng(1))
    short = str(dealt).replace(" table=-;-;-;- gone=- out=- tokens=0,0", "")
    assert "table" not in short
    assert parse_position(short) == dealt


def test_options_reach_the_rules() -> None:
    rules = parse_position(TRUE, TINY, out_sets="frozen", max_turns=7).rules
    assert rules.options() == {"out_sets": "frozen", "max_turns": 7}
    for name in ("out_sets", "text", "deck", "players"):
        with pytest.raises(ConfigError, match=name):
            parse_position(TRUE, TINY, **{name: "ajar"})


def test_seen_star_names_its_way_up_in_every_view() -> None:
    text = VIEW.replace("1~5", "5/1+")
    assert read_position(text, TINY).hands[1].cards == (HandCard(5, 1, "+"),)
    assert str(parse_position(text, TINY)) == text


def test_own_star_in_a_view_keeps_the_way_up_that_only_its_holder_knows() -> None:
    text = VIEW.replace("view=0", "view=1").replace("1/2,3/1;1~5,1x", "2x;4/1,5/1~")
    assert str(parse_position(text, TINY)) == text


def test_forgotten_cards_may_be_gone_in_a_view_the_star_among_them() -> None:
    text = VIEW.replace("1~5,1x", "1/4+").replace("gone=3/4,3/5", "gone=3/4,2x")
    assert read_position(text, TINY).gone_hidden == 2
    assert str(parse_position(text, TINY)) == text


@pytest.mark.parametrize(
    ("players", "fields"),
    [
        (3, "turn=2 hands=1/2;-;2/3,2/4 table=-;5/1;- gone=1/3,1/4,2/5,3/4,3/5 out=1 tokens=3,1,3"),
        (3, "turn=- hands=1/2;-;2/3,2/4 table=-;5/1;- gone=1/3,1/4,2/5,3/4,3/5 out=1 tokens=0,2,0"),
        (3, "turn=- hands=1/2;-;- table=-;5/1;2/3,2/4 gone=1/3,1/4,2/5,3/4,3/5 out=1,2 tokens=0,0,0"),
        (2, "turn=- hands=1/2;- table=-;-;-;5/1 gone=1/3,1/4,2/3,2/4,2/5,3/4 out=1 tokens=1,1"),
    ],
    ids=["one out", "match over", "two out", "two players"],
)
def test_seats_that_are_out(players: int, fields: str) -> None:
    text = f"dnup:{players} deck=tiny {fields}"
    state = parse_position(text, TINY)
    assert str(state) == text
    assert state.is_over == ("turn=-" in text)


def test_positions_in_the_documentation_are_canonical() -> None:
    text = (Path(__file__).parent.parent / "docs" / "notation.md").read_text("utf-8")
    positions = re.findall(r"^    (dnup:.*)$", text, flags=re.MULTILINE)
    assert len(positions) >= 10
    for position in positions:
        assert str(parse_position(position, TINY if " deck=tiny " in position else None)) == position
    assert [parse_position(positions[0]).perft(depth) for depth in range(4)] == [1, 12, 150, 1252]


def test_record_in_the_documentation_replays() -> None:
    text = (Path(__file__).parent.parent / "docs" / "notation.md").read_text("utf-8")
    record = json.loads(re.search(r"```json\n(.*?)```", text, flags=re.DOTALL)[1])  # type: ignore[index]
    assert record["deck"] == TINY.to_dict()
    state = parse_position(record["start"], TINY)
    line = [str(state)]
    for move in record["moves"]:
        state.apply(parse_move(state.rules, move))
        line.append(str(state))
    assert list(state.result()) == record["result"]
    assert state.is_over
    assert "\n".join(f"    {position}" for position in line) in text


# --- what is refused: the field, a text with ^ before the column at fault, and a part of what was expected

FAULTS = [
    # the line and its fields
    ("dnup", "^", "dnup:N"),
    ("dnup", "^dnup:6 turn=0", "dnup:N"),
    ("dnup", "^dnup:03 turn=0", "dnup:N"),
    ("dnup", "^ " + TRUE, "dnup:N"),
    ("dnup", TRUE.replace("dnup:3", "dnup:^4"), "cannot be dealt evenly; it works with 2, 3 or 5"),
    ("position", TRUE.replace(" turn", "  turn").replace("  ", " ^ "), "one blank between fields"),
    ("position", TRUE + " ^", "one blank between fields"),
    ("tokens", TRUE + "^\n", "ASCII text on one line, got '\\n'"),
    ("position", TRUE.replace(" turn", " ^\tturn"), "ASCII"),
    ("gone", TRUE.replace("3/4,3/5", "3/4^\uff0c3/5"), "ASCII"),
    ("position", TRUE.replace("hands", "^hand"), "one of deck, view, turn, hands, table, gone, out, tokens"),
    ("position", TRUE.replace("out=-", "^out"), "with = and its value"),
    ("turn", TRUE + " ^turn=2", "every field once"),
    ("turn", TRUE.replace(" turn=1", "") + "^", "the field turn=, got none"),
    ("hands", "dnup:3 deck=tiny turn=1^", "the field hands="),
    # deck, view, turn, out, tokens
    ("deck", TRUE.replace("deck=tiny", "deck=^Tiny"), "the name of a deck"),
    ("deck", TRUE.replace("deck=tiny", "deck=^pairs-36"), "deck=tiny, the deck given, got 'pairs-36'"),
    ("deck", TRUE.replace(" deck=tiny", "") + "^", "got no deck=, which means 'standard'"),
    ("view", VIEW.replace("view=0", "view=^3"), "- or a seat from 0 to 2, got '3'"),
    ("view", VIEW.replace("view=0", "view=^00"), "- or a seat"),
    ("view", VIEW.replace("view=0", "view=^"), "- or a seat from 0 to 2, got ''"),
    ("turn", TRUE.replace("turn=1", "turn=^01"), "a seat from 0 to 2, got '01'"),
    ("turn", TRUE.replace("turn=1", "turn=^1.1"), "a seat from 0 to 2"),
    ("turn", TRUE.replace("turn=1", "turn=^-"), "the round is not over"),
    ("turn", TWO.replace("turn=0.2", "turn=^0"), "a zone, 0.1, 0.2, 1.1 or 1.2"),
    ("turn", TWO.replace("turn=0.2", "turn=^0.3"), "a zone"),
    ("turn", TRUE.replace("turn=1", "turn=^1").replace("out=-", "out=1"), "a seat that is not out"),
    ("turn", TRUE.replace("turn=1", "turn=^1").replace("out=-", "out=0,2"), "-, since the round is over"),
    (
        "turn",
        TRUE.replace("turn=1", "turn=^1").replace("out=- tokens=0", "out=0 tokens=2"),
        "-, since the round is over",
    ),
    ("turn", TWO.replace("turn=0.2", "turn=^0.2").replace("out=-", "out=1"), "-, since the round is over"),
    ("out", TRUE.replace("out=-", "out=0,^3"), "a seat from 0 to 2"),
    ("out", TRUE.replace("out=-", "out=0,^0"), "every seat once"),
    ("out", TRUE.replace("out=-", "out=0,2,^1"), "nobody behind seat 2"),
    ("out", TRUE.replace("out=- tokens=0", "out=0,^2 tokens=3"), "nobody behind seat 0"),
    ("out", TWO.replace("out=-", "out=0,^1"), "nobody behind seat 0"),
    ("tokens", TRUE.replace("=0,0,0", "=^0,0"), "3 numbers, one per seat"),
    ("tokens", TRUE.replace("=0,0,0", "=0,^4,0"), "tokens, short of the match, from 0 to 3"),
    ("tokens", TRUE.replace("=0,0,0", "=0,^01,0"), "got '01'"),
    ("tokens", TRUE.replace("=0,0,0", "=0,0,^-1"), "got '-1'"),
    ("tokens", TWO.replace("=1,0", "=^2,0"), "rounds won, short of the match, from 0 to 1"),
    # hands of a true state
    ("hands", TRUE.replace("1/2,3/1;", "^1/2,3/1,"), "3 hands, one per seat, got 2"),
    ("hands", TRUE.replace("hands=1/2,3/1", "hands=^-"), "a card, since seat 0 is not out"),
    ("hands", TRUE.replace("hands=", "hands=^").replace("out=-", "out=0"), "-, since seat 0 is out"),
    ("hands", TRUE.replace("3/1;", "^3/;"), "a card like 3/7, got '3/'"),
    ("hands", TRUE.replace("3/1;", "3/1,^;"), "a card like 3/7, got ''"),
    ("hands", TRUE.replace("3/1;", "^03/1;"), "got '03/1'"),
    ("hands", TRUE.replace("3/1;", "^3/1++;"), "got '3/1++'"),
    ("hands", TRUE.replace("3/1;", "^3/3;"), "two different values"),
    ("hands", TRUE.replace("3/1;", "^3/6;"), "a card of deck tiny"),
    (
        "hands",
        TRUE.replace("3/1;", "^5/4;"),
        "in play at 3 players, got '5/4': its symbol, 2, leaves the deck at 3",
    ),
    ("hands", TRUE.replace("3/1;", "^1x;"), "only a view hides cards"),
    ("hands", TRUE.replace("3/1;", "^1~3;"), "for other hands in a view"),
    ("hands", TRUE.replace("1/5~", "^1~5"), "for other hands in a view"),
    ("hands", TRUE.replace("3/1;", "^3/1~;"), "~ on the starred card 1/5 only"),
    ("hands", TRUE.replace("1/5~", "^1/5"), "+ or ~ on the starred card 1/5"),
    # hands of a view
    (
        "hands",
        VIEW.replace("hands=1/2,3/1", "hands=^2x"),
        "only a view hides cards, and none of its own seat's",
    ),
    ("hands", VIEW.replace("1~5,1x", "^1x,1~5"), "last in their list, and once"),
    ("hands", VIEW.replace("1~5,1x", "1~5,^1x,1x"), "last in their list, and once"),
    ("hands", VIEW.replace("1~5,1x", "1~5,^0x"), "7x, got '0x'"),
    ("hands", VIEW.replace("1~5,1x", "1~5,^01x"), "7x, got '01x'"),
    ("hands", VIEW.replace("1~5", "^5~1"), "lower value first"),
    ("hands", VIEW.replace("1~5", "^1~5+"), "what seat 0 can know"),
    ("hands", VIEW.replace("1~5", "^1/5~"), "what seat 0 can know"),
    ("hands", VIEW.replace("1~5", "1~5,^1/4"), "what seat 0 can know"),
    ("hands", VIEW.replace("2/3+", "^2~3"), "~ in the starred card 1/5 only"),
    ("hands", VIEW.replace("1~5,1x", "2x").replace("hands=", "hands=^"), "the starred card 1/5 by name"),
    # table, gone
    ("table", TRUE.replace("-;-;5/2", "^-;5/2"), "3 zones, got 2"),
    ("table", TWO.replace("-;5/2;4/2,4/3;-", "^-;5/2;4/2,4/3"), "4 zones, got 3"),
    ("table", TRUE.replace("5/2 ", "^5/2+ "), "without a mark"),
    ("table", VIEW.replace("-;-;5/2", "-;-;^1x"), "a card like 3/7, got '1x'"),
    ("table", TWO.replace("4/2,4/3", "4/2,^3/4"), "the active value 4 of its set"),
    ("table", TWO.replace("4/2,4/3;-", "^4/2;4/3"), "got a second set of size 1"),
    ("gone", TRUE.replace("gone=3/4,3/5", "gone=3/4,^5/3"), "the lower value first"),
    ("gone", TRUE.replace("gone=3/4,3/5", "gone=3/4,^1x"), "only a view hides cards"),
    ("gone", VIEW.replace("gone=3/4,3/5", "gone=^1x,3/4"), "last in their list"),
    # all cards together
    ("hands", TRUE.replace("hands=1/2,", "hands=^"), "each of the 9 cards in play once, got 1 missing: 1/2"),
    ("gone", TRUE.replace("gone=3/4,3/5", "gone=3/4,3/5,^1/3"), "got 1 too many: 1/3"),
    ("gone", TRUE.replace("gone=3/4,3/5", "gone=3/4,^1/3"), "got 1 too many: 1/3; 1 missing: 3/5"),
    ("table", TRUE.replace("-;-;5/2", "-;-;^3/1,3/2"), "got 2 too many: 1/3, 2/3; 1 missing: 2/5"),
    ("hands", VIEW.replace("hands=", "hands=^").replace("2/3+,1x", "2/3+"), "got 1 missing, of: 1/4, 2/4"),
    (
        "hands",
        VIEW.replace("hands=", "hands=^").replace("+,1x", "+,2x"),
        "got 1 too many: 3 without a name, of 1/4, 2/4",
    ),
]


@pytest.mark.parametrize(("field", "marked", "expected"), FAULTS)
def test_fault_names_field_and_column(field: str, marked: str, expected: str) -> None:
    assert marked.count("^") == 1
    with pytest.raises(NotationError) as caught:
        read_position(marked.replace("^", ""), TINY)
    message = str(caught.value)
    assert message.startswith(f"{field}, column {marked.index('^') + 1}: ")
    assert expected in message


def test_deck_that_does_not_ship_must_be_given() -> None:
    with pytest.raises(
        NotationError, match=r"^deck, column 13: expected a deck that ships \(standard, .*give the file"
    ):
        read_position(TRUE)


def test_long_text_is_cut_short_in_errors() -> None:
    with pytest.raises(NotationError) as caught:
        read_position("dnup:3 turn=" + "1" * 100_000 + " hands=-")
    assert len(str(caught.value)) < 120


def test_what_only_the_core_refuses_names_field_and_column_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(message: str) -> None:
        def state(*_: object) -> None:
            raise ValueError(message)

        monkeypatch.setattr(notation, "DnupState", state)

    refuse("out: seat 1 is asleep")
    with pytest.raises(NotationError, match=rf"^out, column {TRUE.index('out=') + 5}: seat 1 is asleep$"):
        parse_position(TRUE, TINY)
    refuse("nothing fits")
    with pytest.raises(NotationError, match=r"^position, column 1: nothing fits$"):
        parse_position(TRUE, TINY)


# --- moves


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("text", ["flip", "play:1/5", "play:2/3,2/4,2/5"])
def test_moves_without_a_zone(players: int, text: str) -> None:
    assert str(parse_move(TINY.rules(players), text)) == text


@pytest.mark.parametrize(
    ("players", "text", "zone"),
    [(3, "take@2", 2), (3, "add:2/5@0", 0), (2, "take@0.1", 0), (2, "add:2/5@1.2", 3), (2, "take@1.1", 2)],
)
def test_zone_of_a_move_is_an_index_in_the_table(players: int, text: str, zone: int) -> None:
    move = parse_move(TINY.rules(players), text)
    assert move.zone == zone
    assert str(move) == text


def test_cards_of_a_move_in_any_order() -> None:
    assert str(parse_move(TINY.rules(3), "play:2/5,2/3,2/4")) == "play:2/3,2/4,2/5"


@pytest.mark.parametrize(
    ("players", "field", "marked", "expected"),
    [
        (3, "kind", "^", "play:CARDS, add:CARD@ZONE, take@ZONE or flip, got ''"),
        (3, "kind", "^pass", "got 'pass'"),
        (3, "kind", "^Flip", "got 'Flip'"),
        (3, "kind", "^ flip", "got ' flip'"),
        (3, "kind", "^flipping", "got 'flipping'"),
        (3, "kind", "flip^ ", "the end of the move, got ' '"),
        (3, "kind", "flip^@1", "the end of the move"),
        (3, "cards", "play^", "a colon and what to play"),
        (3, "cards", "play^@1", "a colon and what to play"),
        (3, "cards", "play:^", "a card like 3/7, got ''"),
        (3, "cards", "play:^2/", "a card like 3/7, got '2/'"),
        (3, "cards", "play:^02/3", "got '02/3'"),
        (3, "cards", "play:2/3,^ 2/4", "got ' 2/4'"),
        (3, "cards", "play:2/3,^", "got ''"),
        (3, "cards", "play:^2/3+", "without a mark"),
        (3, "cards", "play:^1~5", "without a mark"),
        (3, "cards", "play:^2/2", "two different values"),
        (3, "cards", "play:^2/6", "a card in play in deck tiny at 3 players"),
        (3, "cards", "play:^4/5", "a card in play in deck tiny at 3 players"),
        (3, "cards", "play:2/3,^3/4", "the active value 2 of its set"),
        (3, "cards", "play:2/3,^2/3", "each card once"),
        (3, "cards", "play:^2/3@1", "a card like 3/7, got '2/3@1'"),
        (3, "cards", "add:^2/3,2/4@1", "one card"),
        (3, "cards", "add:^@1", "a card like 3/7"),
        (3, "zone", "add:2/3^", "@1 or another zone of a set, got ''"),
        (3, "zone", "take^", "@1 or another zone of a set"),
        (3, "zone", "take^:2/3", "@1 or another zone of a set"),
        (3, "zone", "take@^", "a seat from 0 to 2, got ''"),
        (3, "zone", "take@^3", "a seat from 0 to 2"),
        (3, "zone", "take@^01", "a seat from 0 to 2"),
        (3, "zone", "take@^1.1", "a seat from 0 to 2"),
        (3, "zone", "take@^1 ", "a seat from 0 to 2"),
        (3, "zone", "take@^\u0661", "a seat from 0 to 2"),
        (2, "zone", "take@^1", "a zone, 0.1, 0.2, 1.1 or 1.2"),
        (2, "zone", "take@^1.3", "a zone, 0.1, 0.2, 1.1 or 1.2"),
        (2, "zone", "take^", "@1.2 or another zone of a set"),
    ],
)
def test_fault_of_a_move_names_part_and_column(players: int, field: str, marked: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(TINY.rules(players), marked.replace("^", ""))
    message = str(caught.value)
    assert message.startswith(f"{field}, column {marked.index('^') + 1}: expected ")
    assert expected in message


# --- properties


def everything_seen(state: DnupState) -> list[DnupState]:
    return [state, *(state.observe(seat) for seat in range(state.players))]


@given(states())
def test_writing_then_reading_is_the_same_state(state: DnupState) -> None:
    options = state.rules.options()
    for seen in everything_seen(state):
        twin = parse_position(str(seen), **options)
        assert twin == seen
        assert str(twin) == str(seen)
        assert read_position(str(seen)) == seen.position()


@given(states())
def test_legal_moves_read_back(state: DnupState) -> None:
    for move in state.legal_moves():
        assert parse_move(state.rules, str(move)) == move


@given(states(), st.randoms(use_true_random=False))
def test_order_of_fields_and_cards_does_not_matter(state: DnupState, random: object) -> None:
    for seen in everything_seen(state):
        head, *fields = str(seen).split(" ")
        shuffled = []
        for field in fields:
            key, value = field.split("=")
            if key in ("hands", "table", "gone"):
                value = ";".join(shuffle_cards(cards, random) for cards in value.split(";"))
            shuffled.append(f"{key}={value}")
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        assert read_position(" ".join([head, *shuffled])) == seen.position()


def shuffle_cards(text: str, random: object) -> str:
    """The cards of a list in another order; those without a name stay last."""
    cards = [card for card in text.split(",") if not card.endswith("x")]
    random.shuffle(cards)  # type: ignore[attr-defined]
    return ",".join(cards + [card for card in text.split(",") if card.endswith("x")])


@given(st.data(), st.sampled_from([TRUE, VIEW, TWO]))
def test_damaged_positions_are_refused_or_read_back(data: st.DataObject, text: str) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.sampled_from([*" =-;,/~+x:.01234569@\n\u0663", "", "view=1 ", "1/5", ";-"]))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 3)) :]
    try:
        read_position(text, TINY)
    except NotationError as error:
        message = re.fullmatch(r"([a-z]+), column ([0-9]+): .*", str(error))
        fault = (message[1] in ("dnup", "position", *FIELD_NAMES), int(message[2])) if message else None
    else:
        state = parse_position(text, TINY)  # nothing is left for the core to refuse
        assert parse_position(str(state), TINY) == state
        return
    assert fault is not None
    assert fault[0]
    assert 1 <= fault[1] <= len(text) + 1


@given(st.text(alphabet="playddtkefi:@/,.0123456789 ~+", max_size=20), st.sampled_from([2, 3]))
def test_any_text_is_a_move_or_refused(text: str, players: int) -> None:
    rules = TINY.rules(players)
    try:
        move = parse_move(rules, text)
    except NotationError:
        return
    assert parse_move(rules, str(move)) == move
