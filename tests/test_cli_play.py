"""`dnup-ai play` as a person uses it: in a terminal of 80 columns, and through a pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from playing import dnup_ai
from terminal import COLOUR, Terminal

GAMES = ("dnup", "dnup-pile", "3up3down")
OWN_BOTS = """
from dnup_ai.bots import Bot

class Flips(Bot):
    def choose(self, view, history):
        return view.rules.move("flip")

class Fails(Bot):
    def choose(self, view, history):
        raise RuntimeError("no idea")
"""

Open = Callable[..., Terminal]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    opened: list[Terminal] = []

    def start(*words: object, **environment: str) -> Terminal:
        opened.append(Terminal("play", *words, cwd=tmp_path, **environment))
        return opened[-1]

    yield start
    for found in opened:
        found.close()


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


def piped(*words: object, typed: str = "", **options: object) -> str:
    done = dnup_ai("play", *words, input=typed, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def first_moves(found: Terminal) -> str:
    """Take the first move of every list until a match is over; returns all that was shown."""
    shown = found.prompt()
    while "Enter leaves" not in shown[-20:]:
        shown += found.type("" if "Enter deals" in shown[-40:] else "1")
    return shown


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_by_first_moves(terminal, tmp_path, game):
    words = ("greedy", "random", "--game", game, "--seed", 4, "--seat", 1, "--save", "all.jsonl")
    found = terminal(*words, "--rule", "max_turns=150")
    shown = first_moves(found)
    assert "round 1 is over" in shown
    assert re.search(r"(seat \d wins|you win|nobody wins) the match, after", shown)
    found.keys("\r")
    code, rest = found.end()
    assert code == 0
    assert "records in all.jsonl" in rest
    assert max(len(line) for line in shown.splitlines()) <= 80
    done = dnup_ai("replay", tmp_path / "all.jsonl")
    assert "replayed, all as recorded" in done.stdout
    records = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert {record["end"] for record in records} <= {"out", "blocked", "max_turns", "repetition"}
    assert all(record["bots"] == ["random", "person", "greedy"] for record in records)


def test_a_match_of_two_with_a_zone_each_turn(terminal):
    shown = first_moves(terminal("greedy", "--seed", 4, "--rounds", 1))
    assert "zone 1 (now)" in shown
    assert "zone 2 (now)" in shown


def test_hint_why_undo_twice_and_again(terminal):
    found = terminal("greedy", "ismcts:iterations=40", "--seed", 2, "--seat", 0)
    start = found.prompt()
    assert "why: no bot has moved" in found.type("why") or "seat" in start.split("your turn")[0]
    assert "undo: you have not moved yet" in found.type("undo")
    tables = [start, *(found.type("1") for _ in range(3))]
    hint = found.type("hint 200ms")
    assert re.search(r"hint of ismcts:defaults=engine: 0\.[12345] s, [\d,]+ iterations", hint)
    assert "tokens of the round" in hint
    assert max(map(len, hint.splitlines())) <= 80
    assert "then: you " in hint
    why = found.type("why")
    assert "It saw the table as you did" in why
    assert "shown after the round, by" in why
    assert re.search(r"turn \d+, seat 2, ismcts:iterations=40", why)
    for expected in (tables[2], tables[1]):
        back = found.type("undo")
        assert "moves taken back" in back
        assert after(back, "-- round") == after(expected, "-- round")
    # The same moves again are answered alike.
    assert after(found.type("1"), "-- round") == after(tables[2], "-- round")
    assert after(found.type("1"), "-- round") == after(tables[3], "-- round")
    found.keys("quit\r")
    assert found.end()[0] == 0


def after(text: str, mark: str) -> str:
    """The text from the last mark on."""
    return text[text.rindex(mark) :]


def test_a_table_is_drawn_again_with_what_happened(terminal):
    found = terminal("greedy", "--seed", 2, "--seat", 0)
    found.prompt()
    moved = found.type("1")
    again = found.type("table")
    assert "since your last turn:" in again
    assert after(again, "-- round") == after(moved, "-- round")
    event = next(line for line in moved.splitlines() if line.startswith("  seat 1 "))
    assert event in again


def test_moves_are_typed_in_notation_and_completed(terminal):
    found = terminal("greedy", "random", "--seed", 5, "--seat", 0)
    found.prompt()
    found.keys("play:1\t\r")
    assert "you play 1/8" in found.prompt()
    assert "you flip" in found.type("  flip ")


WRONG = {
    "": "type a number from 1 to 8, a move, or help",
    "0": "expected a number from 1 to 8, got 0",
    "-3": "expected a number from 1 to 8, got -3",
    "99": "expected a number from 1 to 8, got 99",
    "hnt": "unknown 'hnt': did you mean 'hint'?",
    "dance": "'dance' is no move: kind, column 1: expected play:CARDS, add:CARD@ZONE, take@ZONE or flip",
    "play:3/": "'play:3/' is no move: cards, column 6: expected a card like 3/7, got '3/'",
    "play:3/1,5/2": "is no move: cards, column 10: expected a card with the active value 3 of its set",
    "play:4/6": "play:4/6 is not possible: 4/6 is not in your hand",
    "play:1/3": "your card lies as 3/1: its 3 is up, and only a flip turns it over",
    "play:3/1": "a single card must be higher than seat 1's set 8/6, and 3 is not",
    "add:3/1@1": "that set is of 8s: a card with 3 up does not go with it",
    "add:8/5@0": "you never add to a set of your own",
    "take@0": "you never take a set of your own",
    "take@2": "there is no set in front of seat 2",
    "take@7": "zone, column 6: expected a seat from 0 to 2, got '7'",
    "hint soon": "hint: expected a time above 0, as 500ms, 2s or 1m, got 'soon'",
    "undo 2": "undo: expected nothing behind it, got '2'",
    "why 1000": "why: expected a turn from 1 to 4 of this round, got 1000",
    "why 2": "why: turn 2 was yours",
    "save": "save: expected the name of a file",
    "save my_bots.py": "my_bots.py: there is such a file already; give another name",
    "save no/such/folder": "no/such/folder: cannot be written: No such file or directory",
}


def test_wrong_input_has_its_message_and_changes_nothing(terminal, own):
    found = terminal("greedy", "random", "--seed", 5, "--seat", 0)
    found.prompt()
    table = after(found.type("1"), "-- round")
    for typed, message in WRONG.items():
        said = re.sub(r"\s+", " ", found.type(typed))
        assert f"! {message}" in said or message in said.partition("! ")[2], (typed, said)
    assert after(found.type("table"), "-- round") == table


def test_save_and_replay_also_of_an_unfinished_round(terminal, tmp_path):
    found = terminal("greedy", "--seed", 1)
    found.prompt()
    found.type("1")
    assert "saved to my.jsonl, and from now on after each of your moves" in found.type("save my.jsonl")
    found.type("1")
    before = (tmp_path / "my.jsonl").read_text()
    assert json.loads(before)["end"] == "unfinished"
    found.type("undo")
    assert len(json.loads((tmp_path / "my.jsonl").read_text())["moves"]) < len(json.loads(before)["moves"])
    found.keys("\x04")
    code, rest = found.end()
    assert code == 0
    assert "dnup-ai replay my.jsonl" in rest
    assert "1 round replayed, all as recorded" in dnup_ai("replay", tmp_path / "my.jsonl").stdout


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 0), ("quit\r", 0)])
def test_leaving_saves_what_was_played(terminal, tmp_path, keys, code):
    found = terminal("greedy", "random", "--seed", 1, "--save", "left.jsonl")
    found.prompt()
    found.type("1")
    found.keys(keys)
    left, rest = found.end()
    assert left == code
    assert "Traceback" not in rest
    (record,) = [json.loads(line) for line in (tmp_path / "left.jsonl").read_text().splitlines()]
    assert record["end"] == "unfinished"
    assert record["moves"]
    assert "all as recorded" in dnup_ai("replay", tmp_path / "left.jsonl").stdout


def test_colour_is_for_terminals_that_want_it(terminal):
    coloured = terminal("greedy", "--seed", 1)
    coloured.prompt()
    coloured.type("99")
    assert COLOUR.search(coloured.raw)
    plain = terminal("greedy", "--seed", 1, NO_COLOR="1")
    plain.prompt()
    plain.type("99")
    assert not COLOUR.search(plain.raw)
    assert "\x1b" not in piped("greedy", "--seed", 1, typed="1\nhelp\n")


def test_rules_are_shown(terminal):
    found = terminal("greedy", "--seed", 1)
    found.prompt()
    assert "Being out, and the end of a round" in found.type("rules")
    assert "# The rules of dnup" in piped("greedy", "--seed", 1, typed="rules\n")


def test_without_a_terminal_the_input_ends_the_game(own):
    shown = piped("greedy", "random", "--seed", 5, "--seat", 0, typed="1\n\nflip")
    assert "your move> 1\n  you play 1/8" in shown
    assert "you flip" in shown
    assert shown.rstrip().endswith("your move>")
    assert piped("greedy", "--seed", 1).rstrip().endswith("your move>")


def test_the_same_seed_gives_the_same_transcript():
    words = ("greedy", "ismcts:iterations=30", "random", "--game", "3up3down")
    typed = "1\n" * 30
    first = piped(*words, "--seed", 3, typed=typed)
    assert first == piped(*words, "--seed", 3, typed=typed)
    assert first != piped(*words, "--seed", 4, typed=typed)
    assert {re.search(r"seat (\d)  you", piped("greedy", "--seed", seed))[1] for seed in range(6)} == {"0", "1"}


def test_the_command_that_it_names_plays_the_same(tmp_path):
    words = ("random", "greedy", "--seed", 8, "--rounds", 2, "--rule", "out_sets=frozen", "--deck", "pairs-36")
    shown = piped(*words, typed="1\n" * 20)
    named = re.search(
        r"the same again: dnup-ai play (.*?)\n`help`|the same again: dnup-ai play (.*?)\nThe", shown, re.S
    )
    again = re.sub(r"\s+", " ", named[1] or named[2]).split()
    assert piped(*again, typed="1\n" * 20) == shown


def test_screens_do_not_tell_what_is_hidden(own, monkeypatch):
    """Two deals that the person cannot tell apart, the others always flip: all that is shown is equal."""
    from io import StringIO

    from rich.console import Console

    from cython_core.rng import Rng
    from dnup_ai.bots import parse_spec
    from dnup_ai.cli.play_loop import Course, Hints
    from dnup_ai.games import game_named
    from dnup_ai.search import Budget
    from tournaments import sitting as module
    from tournaments.person import Seating

    game = game_named("dnup")
    rules = game.rules(game.load_deck("standard"), 3, {})
    start = rules.deal(Rng(1))
    person = start.turn
    worlds = [start, *(start.observe(person).determinise(Rng(seed)) for seed in range(3))]
    specs = tuple(None if seat == person else parse_spec(f"{own}:Flips") for seat in range(3))
    transcripts = set()
    for world in worlds:
        monkeypatch.setattr(module, "start_of", lambda *_, world=world: world)
        sitting = module.Sitting(Seating(game, game.load_deck("standard"), rules, specs, 1))
        typed = iter(["1", "why", "3", "why 2", "table", "hint", "undo", "flip", "play:1/8", "take@0", "2", "1"])
        output = StringIO()

        def ask(prompt, words, typed=typed, output=output):
            output.write(prompt + " ".join(words) + "\n")
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        Course(sitting, Console(file=output, width=80), ask, Hints("ismcts", Budget(iterations=200))).run()
        sitting.close()
        assert sitting.round.end is None
        transcripts.add(re.sub(r": \d\.\d s, ", ": ", output.getvalue()))
    assert len({str(world) for world in worlds}) == 4
    assert len(transcripts) == 1


def test_a_bot_at_fault_voids_the_round_and_the_game_goes_on(own):
    shown = piped(f"{own}:Fails", "--seed", 1, "--seat", 0, "--rule", "max_rounds=2", typed="1\n1\n\n1\n1\n\n")
    assert shown.count("The round is void: it gives no rounds.") + shown.count("it gives no tokens.") == 2
    assert "RuntimeError: no idea" in re.sub(r"\s+", " ", shown)
    assert "nobody wins the match" in shown


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("greedy", "greedy", "-n", 2), "expected at most 1 bots at 2 seats, one of which is yours, got 2"),
        (("-n", 9), "players: expected 2 to 5, got 9"),
        (("greedy", "--seat", 2), "seat: expected 0 to 1, got 2"),
        (("greedy", "--seed", -1), "seed: expected 0 to 4294967295, got -1"),
        (("greedi",), "unknown bot 'greedi' (did you mean 'greedy'?)"),
        (("cheat",), "bot cheat sees all cards"),
        (("greedy", "--time", "soon"), "--time: expected a time above 0, as 500ms, 2s or 1m, got 'soon'"),
        (("greedy", "--hint-bot", "gredy"), "unknown bot 'gredy'"),
        (("greedy", "--rule", "stars=1"), "--rule: expected NAME=VALUE with an option of dnup"),
        (("greedy", "--game", "chess"), "unknown game 'chess'"),
        (("greedy", "--save", "my_bots.py"), "my_bots.py: there is such a file already; give another name, or --force"),
        (("greedy", "--save", "no/such"), "no/such: cannot be written"),
        (("greedy", "--move-limit", 0), "move_limit: expected seconds above 0, got 0"),
    ],
)
def test_wrong_options_are_one_line(own, tmp_path, words, error):
    done = dnup_ai("play", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert error in done.stderr
    assert done.stderr.count("\n") == 1


def test_bots_that_search_get_the_time_that_was_asked_for():
    shown = piped("ismcts", "flat:iterations=20", "greedy", "--time", "50ms", "--seed", 1)
    assert "ismcts:wall_ms=50.0" in shown
    assert "flat:iterations=20" in shown
    assert "flat:iterations=20," not in shown
