"""Decks: what ships, what a user's file may say, and how its errors name file, line and key."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.rng import Rng
from dnup_ai.decks import RECONSTRUCTION_NOTE, Deck, check_deck, deck_template, load_deck, shipped_decks
from dnup_ai.errors import ConfigError, DeckError
from dnup_ai.toml_lines import key_lines

TINY = """\
name = "tiny"
star = "1/5"
cards = [
    "1/2", "1/3", "1/4", "1/5",
    "2/3", "2/4", "2/5",
    "3/4", "3/5",
    "4/5",
]
symbols = { 2 = ["4/5"], 3 = ["3/5"] }
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write a deck file; returns its path."""

    def write(text: str | bytes) -> Path:
        path = tmp_path / "my.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def pairs(top: int) -> list[tuple[int, int]]:
    return [(low, high) for low in range(1, top + 1) for high in range(low + 1, top + 1)]


def rows(cards: list[tuple[int, int]]) -> str:
    """A deck file with one card a line, the first on line 4."""
    lines = "".join(f'"{low}/{high}",\n' for low, high in cards)
    return f'name = "rows"\nstar = "1/5"\ncards = [\n{lines}]\n'


# --- what ships


def test_standard_is_every_pair_but_five_and_every_value_eight_times() -> None:
    deck = load_deck("standard")
    assert set(pairs(10)) - set(deck.cards) == {(1, 2), (3, 8), (4, 7), (5, 6), (9, 10)}
    assert len(deck.cards) == 40
    assert set(Counter(value for card in deck.cards for value in card).values()) == {8}
    assert deck.star == (1, 5)


def test_standard_symbols_are_the_tens_the_nines_and_four_more() -> None:
    symbols = load_deck("standard").symbols
    assert symbols[1] == tuple((low, 10) for low in range(1, 9))
    assert symbols[2] == tuple((low, 9) for low in range(1, 9))
    assert symbols[3] == ((1, 8), (2, 7), (3, 6), (4, 5))


@pytest.mark.parametrize(("players", "each"), [(5, 8), (4, 8), (3, 8), (2, 10)])
def test_standard_deals_eight_cards_and_ten_at_two_players(players: int, each: int) -> None:
    deck = load_deck("standard")
    assert len(deck.cards_at(players)) == players * each
    hands = deck.rules(players).deal(Rng(1)).position().hands
    assert [len(hand) for hand in hands] == [each] * players


@pytest.mark.parametrize(("name", "top", "counts"), [("pairs-45", 10, (3, 5)), ("pairs-36", 9, (2, 3, 4))])
def test_pairs_decks_have_every_pair_and_no_symbols(name: str, top: int, counts: tuple[int, ...]) -> None:
    deck = load_deck(name)
    assert list(deck.cards) == pairs(top)
    assert deck.star == (1, 5)
    assert not any(deck.symbols.values())
    assert deck.player_counts() == counts


def test_shipped_decks_begin_with_standard_and_are_named_like_their_files() -> None:
    assert shipped_decks() == ("standard", "pairs-36", "pairs-45")
    assert [load_deck(name).name for name in shipped_decks()] == list(shipped_decks())


def test_reconstruction_note_is_one_line_that_says_what_to_do() -> None:
    assert "\n" not in RECONSTRUCTION_NOTE
    assert "reconstruction" in RECONSTRUCTION_NOTE
    assert "decks template" in RECONSTRUCTION_NOTE


# --- numbers of players


def test_symbols_leave_at_four_three_and_two_players() -> None:
    deck = load_deck("standard")
    for players, symbols in ((5, ()), (4, (1,)), (3, (1, 2)), (2, (1, 2, 3))):
        gone = {card for symbol in symbols for card in deck.symbols[symbol]}
        assert set(deck.cards_at(players)) == set(deck.cards) - gone
    assert deck.symbol_of((2, 7)) == 3
    assert deck.symbol_of((1, 5)) is None


def test_uneven_number_of_players_says_how_many_cards_and_which_numbers_work() -> None:
    with pytest.raises(DeckError, match=r"pairs-45 at 4 players: the 45 cards .* works with 3 or 5 players"):
        load_deck("pairs-45").cards_at(4)
    with pytest.raises(DeckError, match="works with 2, 3 or 4 players"):
        load_deck("pairs-36").rules(5)


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_numbers_of_players_without_rules(players: int) -> None:
    with pytest.raises(DeckError, match=f"players: expected 2 to 5, got {players}"):
        load_deck("standard").cards_at(players)


def test_rules_carry_the_options_and_refuse_others() -> None:
    deck = load_deck("standard")
    assert deck.rules(3, out_sets="frozen", repetition=0).options() == {"out_sets": "frozen", "repetition": 0}
    for options in ({"out_sets": "ajar"}, {"max_turns": 0}, {"repetition": "x"}, {"max_rounds": 10**30}):
        with pytest.raises(ConfigError, match="rules of dnup: "):
            deck.rules(3, **options)
    for name in ("outsets", "players", "deck", "self"):
        with pytest.raises(ConfigError, match=f"rules of dnup: unknown option '{name}'; there are out_sets, "):
            deck.rules(3, **{name: 1})
    for value in (2.5, True, "3", 10**30, None):
        with pytest.raises(ConfigError, match=r"rules of dnup: repetition: expected an integer up to 2147483647, got"):
            deck.rules(3, repetition=value)


# --- users' files


def test_a_users_file_works_wherever_a_name_does(write: Any) -> None:
    path = write(TINY)
    assert check_deck(path) == []
    deck = load_deck(path)
    assert deck == load_deck(str(path))
    assert deck == Deck("tiny", tuple(pairs(5)), (1, 5), {1: (), 2: ((4, 5),), 3: ((3, 5),)})
    assert deck.player_counts() == (2, 3, 5)
    assert " deck=tiny " in str(deck.rules(3).deal(Rng(1)))


def test_template_passes_the_check(write: Any) -> None:
    path = write(deck_template())
    assert check_deck(path) == []
    assert load_deck(path).player_counts() == (2, 3, 4, 5)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace('"4/5",\n', '"5/4",\n'),
        lambda text: text.replace("symbols = { 2", "[symbols]\n2").replace(", 3 =", "\n3 =").replace(" }", ""),
        lambda text: text.replace("symbols = { 2", "symbols.2").replace(", 3 =", "\nsymbols.'3' =").replace(" }", ""),
    ],
    ids=["CRLF", "byte order mark", "higher value first", "table", "dotted keys"],
)
def test_other_ways_to_write_the_same_deck(write: Any, change: Any) -> None:
    assert load_deck(write(change(TINY))) == load_deck(write(TINY))


def test_unknown_name_lists_those_that_ship() -> None:
    with pytest.raises(DeckError, match=r"deck 'standart': .*standard, pairs-36, pairs-45.*\.toml"):
        load_deck("standart")


@pytest.mark.parametrize("name", ["none.toml", "no/such/deck"])
def test_missing_file_says_so(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(DeckError, match=f"^{re.escape(str(path))}: cannot be read: No such file"):
        load_deck(str(path))
    assert len(check_deck(path)) == 1


def test_directory_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be read"):
        load_deck(tmp_path)


# --- what is wrong in a file: (text to replace, by what), the line and key, and a part of the message

FAULTS = [
    ('name = "tiny"', "", 1, "name", "the key is missing"),
    ('"tiny"', '"Tiny"', 1, "name", "got 'Tiny'"),
    ('"tiny"', '""', 1, "name", "got ''"),
    ('"tiny"', "7", 1, "name", "got 7"),
    ('"tiny"', '"standard"', 1, "name", "no deck that ships"),
    ('star = "1/5"', "", 1, "star", "the key is missing"),
    ('star = "1/5"', 'star = "1-5"', 2, "star", "a card like '3/7'"),
    ('star = "1/5"', 'star = "1/6"', 2, "star", "one of the cards"),
    ('star = "1/5"', 'star = "3/5"', 2, "star", "symbol 3"),
    ('star = "1/5"', 'star = "1/5"\nstars = 2', 3, "stars", "unknown key"),
    ("]\nsymbols", "]\nsymbol", 9, "symbol", "unknown key; expected name, star, cards or symbols"),
    ("cards = [", "cards = [3, ", 3, "cards[0]", "got 3"),
    ("cards = [", 'cards = ["3", ', 3, "cards[0]", "got '3'"),
    ('"2/5"', '"2/5 "', 5, "cards[6]", "got '2/5 '"),
    ('"2/5"', '"02/5"', 5, "cards[6]", "leading zeros"),
    ('"2/5"', '"0/5"', 5, "cards[6]", "values from 1 to 15"),
    ('"2/5"', '"2/16"', 5, "cards[6]", "values from 1 to 15"),
    ('"2/5"', '"2/\u0665"', 5, "cards[6]", "a card like '3/7'"),
    ('"2/5"', '"5/5"', 5, "cards[6]", "two different values"),
    ('"2/5"', '"3/1"', 5, "cards[6]", "got '3/1', the same pair as cards[1]"),
    ("2 = [", "0 = [", 9, "symbols.0", "the symbol 1, 2 or 3"),
    ("2 = [", "first = [", 9, "symbols.first", "the symbol 1, 2 or 3"),
    ('["3/5"]', '"3/5"', 9, "symbols.3", "a list of cards"),
    ('["3/5"]', '["3/6"]', 9, "symbols.3[0]", "one of the cards"),
    ('["3/5"]', '["3/5", "5/4"]', 9, "symbols.3[1]", "symbol 2 already"),
    ('["3/5"]', '["3/5", "3/5"]', 9, "symbols.3[1]", "symbol 3 already"),
    ('["3/5"]', '["3/5", ["1/2"]]', 9, "symbols.3[1]", "got ['1/2']"),
    ('{ 2 = ["4/5"], 3 = ["3/5"] }', '"4/5"', 9, "symbols", "expected a table"),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "said"), FAULTS)
def test_fault_names_file_line_and_key(write: Any, old: str, new: str, line: int, key: str, said: str) -> None:
    assert old in TINY
    path = write(TINY.replace(old, new, 1))
    problems = check_deck(path)
    assert len(problems) == 1, problems
    assert problems[0].startswith(f"{path}, line {line}, {key}: ")
    assert said in problems[0]
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(caught.value) == problems[0]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TINY.replace("cards =", "cards"), 3),
        (TINY.replace('"2/5",', '"2/5"'), 6),
        (TINY + 'name = "twice"\n', 10),
        (TINY.replace("]", "").replace("symbols", "#"), 9),
        (TINY.encode().replace(b"2/4", b"2\xff4"), 5),
        ('name = "x"\n\0', 2),
        ("deep = " + "[" * 5000, 1),
    ],
)
def test_what_is_not_toml_names_the_line(write: Any, text: str | bytes, line: int) -> None:
    path = write(text)
    assert [problem.startswith(f"{path}, line {line}") for problem in check_deck(path)] == [True]


def test_cards_that_no_number_of_players_can_share(write: Any) -> None:
    problems = check_deck(path := write(rows(pairs(5)[:7])))
    assert len(problems) == 1
    assert problems[0].startswith(f"{path}, line 3, cards: expected cards that can be dealt evenly")
    assert problems[0].endswith("got 7 at 2, 7 at 3, 7 at 4, 7 at 5")


def test_no_cards(write: Any) -> None:
    assert check_deck(path := write(rows([]))) == [f"{path}, line 3, cards: expected at least one card, got none"]


def many_cards(count: int) -> list[tuple[int, int]]:
    """So many pairs of 1..15 that no value is on more than ten of them."""
    near = [card for card in pairs(15) if card[1] - card[0] <= 5]
    return [*near, (1, 15), (1, 14), (2, 15), (1, 13), (2, 14), (3, 15)][:count]


def test_more_than_64_cards(write: Any) -> None:
    problems = check_deck(path := write(rows(many_cards(66))))
    assert problems == [f"{path}, line 68, cards[64]: expected at most 64 cards, got 66"]


def test_value_on_more_than_ten_cards_is_reported_once_at_the_eleventh(write: Any) -> None:
    cards = [(1, value) for value in range(2, 14)]
    problems = check_deck(path := write(rows(cards)))
    assert problems == [f"{path}, line 14, cards[10]: expected a value on at most 10 cards, got 1 on 12"]


def test_64_cards_and_ten_of_a_value_are_allowed(write: Any) -> None:
    assert load_deck(write(rows(many_cards(64)))).player_counts() == (2, 4)
    assert load_deck(write(rows([(1, value) for value in range(2, 12)]))).player_counts() == (2, 5)


def test_all_problems_are_reported_by_line_and_load_counts_them(write: Any) -> None:
    text = TINY.replace('"tiny"', '"T"').replace('"1/3"', '"1:3"').replace('["4/5"]', '["9/9"]') + "x = 1\n"
    problems = check_deck(path := write(text))
    assert [problem.split(", ")[1] for problem in problems] == ["line 1", "line 4", "line 9", "line 10"]
    with pytest.raises(DeckError) as caught:
        load_deck(path)
    assert str(caught.value).startswith(problems[0])
    assert "(and 3 more problems; `dnup-ai decks check " in str(caught.value)


def test_a_list_of_cards_that_is_missing_brings_no_further_errors(write: Any) -> None:
    text = re.sub(r"cards = \[.*?\]\n", "", TINY, flags=re.DOTALL)
    problems = check_deck(path := write(text))
    assert problems == [
        f"{path}, line 1, cards: the key is missing; " + 'expected the list of the cards, like ["1/3", "1/5"]'
    ]


def test_a_copy_of_a_deck_that_ships_may_keep_its_name(write: Any) -> None:
    standard = load_deck("standard")
    text = deck_template().replace('"my-deck"', '"standard"')
    assert load_deck(write(text)) == standard


# --- decks in records


def test_dict_has_the_keys_of_the_file_and_reads_back(write: Any) -> None:
    deck = load_deck(write(TINY))
    data = deck.to_dict()
    assert data == {
        "name": "tiny",
        "star": "1/5",
        "cards": [f"{low}/{high}" for low, high in pairs(5)],
        "symbols": {"2": ["4/5"], "3": ["3/5"]},
    }
    assert Deck.from_dict(data, "here") == deck


@pytest.mark.parametrize("name", ["standard", "pairs-45", "pairs-36"])
def test_shipped_decks_survive_dict_pickle_and_hash(name: str) -> None:
    deck = load_deck(name)
    for twin in (
        Deck.from_dict(deck.to_dict(), "here"),
        pickle.loads(pickle.dumps(deck)),
        copy.deepcopy(deck),
    ):
        assert twin == deck
        assert hash(twin) == hash(deck)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cards": ["1/2", "2/1"]}, "r.jsonl, line 3, cards[1]: expected every card once"),
        ({"cards": "1/2"}, "r.jsonl, line 3, cards: expected a list of cards"),
        ({"name": "standard"}, "r.jsonl, line 3, name: expected a name that no deck that ships has"),
        ({"symbols": None}, "r.jsonl, line 3, symbols: expected a table"),
    ],
)
def test_dict_errors_name_the_place_and_the_key(write: Any, change: dict[str, Any], said: str) -> None:
    data = load_deck(write(TINY)).to_dict() | change
    with pytest.raises(DeckError, match=re.escape(said)):
        Deck.from_dict(data, "r.jsonl, line 3")


@pytest.mark.parametrize("data", [None, [], "standard", 7])
def test_dict_must_be_one(data: object) -> None:
    with pytest.raises(DeckError, match=r"^here, expected a table with the keys name, star, cards, symbols"):
        Deck.from_dict(data, "here")


# --- properties


@given(st.data())
def test_any_damage_to_a_file_is_a_problem_with_a_line_or_none(tmp_path_factory: Any, data: st.DataObject) -> None:
    text = TINY
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + data.draw(st.sampled_from("\"/[]{}=,.#\n 0159xn'\\"))
            + text[at + data.draw(st.integers(0, 3)) :]
        )
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_bytes(text.encode())
    for problem in check_deck(path):
        match = re.match(re.escape(str(path)) + r", line (\d+), ", problem)
        assert match, problem
        assert 1 <= int(match[1]) <= text.count("\n") + 1


def test_lines_of_keys_in_every_syntax() -> None:
    text = """\
# comment = [
a = 'it''s'

[b]
"c" = [ # ] no end
    "x]", [1,
    2.5], { d = "\\"", e.f = '''
''' },
]
[[g]]
h = 1979-05-27 07:32:00
i.'j k' = \"\"\"
# not a comment
\"\"\"
l = 1
""".replace("'it''s'", "'its'")
    lines = key_lines(text)
    expected = {
        ("a",): 2,
        ("b",): 4,
        ("b", "c"): 5,
        ("b", "c", 0): 6,
        ("b", "c", 1): 6,
        ("b", "c", 1, 1): 7,
        ("b", "c", 2): 7,
        ("b", "c", 2, "e", "f"): 7,
        ("g",): 10,
        ("g", "h"): 11,
        ("g", "i", "j k"): 12,
        ("g", "l"): 15,
    }
    assert {path: lines[path] for path in expected} == expected
