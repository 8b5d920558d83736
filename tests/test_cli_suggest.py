"""`dnup-ai suggest`, as a user calls it."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cython_core.rng import Rng
from dnup_ai import Budget, suggest
from dnup_ai.decks import load_deck
from dnup_ai.games import game_named
from dnup_ai.notation import parse_move, parse_position

HERE = Path(__file__).parent
VIEW = (
    "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
)
TOLD = {
    "players": "3",
    "me": "0",
    "hand": "3/6 5/1 2/7",
    "table": "-;4/6 4/8;-",
    "counts": "3,8,8",
    "seen": "1/4 2/6 3/5",
}
TOLD_POSITION = "dnup:3 view=0 turn=0 hands=2/7,3/6,5/1~;8x;8x table=-;4/6,4/8;- gone=1/4,2/6,3/5 out=- tokens=0,0,0"
FAST = ("--iterations", "300", "--seed", "1")
COMMAND = [sys.executable, "-c", "from dnup_ai.cli import main; main()"]


def told(**changes: str | None) -> list[str]:
    return [part for key, value in (TOLD | changes).items() if value is not None for part in (f"--{key}", value)]


@pytest.fixture
def records(tmp_path):
    """Two rounds as records, with their path."""
    lines = []
    for seed in (1, 2):
        state = load_deck("standard").rules(3).deal(Rng(seed))
        start, moves, rng = str(state), [], Rng(seed, 1)
        while state.turn is not None:
            move = state.greedy_move(rng, 0.1)
            moves.append(str(move))
            state.apply(move)
        record = {"game": "dnup", "start": start, "moves": moves, "result": list(state.result()), "end": "out"}
        lines.append(json.dumps(record))
    path = tmp_path / "rounds.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def without_time(text: str) -> dict:
    made = json.loads(text)
    del made["seconds"]
    return made


def test_the_text_at_80_columns(dnup_ai):
    run = dnup_ai("suggest", VIEW, *FAST, "--beliefs")
    assert (run.code, run.err) == (0, "")
    text = run.out.replace(f"in {run.out.split(' iterations in ')[1].split(';')[0]};", "in 0.0 s;")
    golden = HERE / "golden" / "suggest_view.txt"
    if os.environ.get("REWRITE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines()[:-1])) <= 80


def test_the_text_of_two_players(dnup_ai):
    """No second place there, and zones are named."""
    row = next(row for row in json.loads((HERE / "data" / "sure_moves.json").read_text()) if row["kind"] == "2.2")
    run = dnup_ai("suggest", row["position"], *FAST)
    assert run.code == 0
    assert "not" in run.out
    assert "2nd" not in run.out


SCHEMA = {
    "schema": int,
    "game": str,
    "position": str,
    "seat": int,
    "bot": str,
    "utility": str,
    "seed": int,
    "moves": list,
    "iterations": int,
    "worlds": int,
    "seconds": float,
    "stopped_by": str,
    "exact": bool,
    "belief": str,
}
MOVE_SCHEMA = {
    "move": str,
    "value": float,
    "interval": list,
    "first": float,
    "second": float,
    "neither": float,
    "visits": int,
    "share": float,
    "line": list,
    "equal": bool,
    "reasons": list,
}


def test_the_schema_of_the_json(dnup_ai):
    made = json.loads(dnup_ai("suggest", VIEW, *FAST, "--json").out)
    assert {key: type(value) for key, value in made.items()} == SCHEMA
    assert made["schema"] == 1
    for move in made["moves"]:
        assert {key: type(value) for key, value in move.items()} == MOVE_SCHEMA
        assert [type(end) for end in move["interval"]] == [float, float]
    docs = (HERE.parent / "docs" / "suggest.md").read_text()
    for key in [*SCHEMA, *MOVE_SCHEMA, "beliefs"]:
        assert f"`{key}`" in docs, f"docs/suggest.md does not say what {key} is"


def test_the_json_is_that_of_python(dnup_ai):
    made = without_time(dnup_ai("suggest", VIEW, *FAST, "--json").out)
    answer = json.loads(json.dumps(suggest(VIEW, budget=Budget(iterations=300), seed=1, top=10).to_dict()))
    del answer["seconds"]
    assert made == answer


def test_beliefs_in_json(dnup_ai):
    made = json.loads(dnup_ai("suggest", VIEW, *FAST, "--json", "--beliefs").out)
    assert [row["seat"] for row in made["beliefs"]] == [0, 2]
    for row in made["beliefs"]:
        assert set(row) == {"seat", "cards", "values"}
        assert all(abs(sum(chances) - 1) < 1e-9 for chances in row["values"].values())
    both = [sum(row["cards"][card] for row in made["beliefs"]) for card in made["beliefs"][0]["cards"]]
    assert all(abs(chance - 1) < 1e-9 for chance in both)


def test_bots_without_values(dnup_ai):
    run = dnup_ai("suggest", VIEW, "--bot", "greedy", "--seed", 1)
    assert run.out.startswith("greedy does not search: it plays flip, and has no values to show; seed 1\n")
    made = json.loads(dnup_ai("suggest", VIEW, "--bot", "random", "--seed", 1, "--json").out)
    assert (made["stopped_by"], made["moves"][0]["value"]) == ("bot", None)


def test_what_a_person_types_is_the_position(dnup_ai):
    typed = dnup_ai("suggest", *told(), *FAST, "--json")
    assert typed.code == 0, typed.err
    assert without_time(typed.out) == without_time(dnup_ai("suggest", TOLD_POSITION, *FAST, "--json").out)
    assert json.loads(typed.out)["position"] == TOLD_POSITION


@pytest.mark.parametrize(
    ("changes", "position"),
    [
        ({"hand": "2/7, 3/6,5/1", "counts": "3 8 8", "seen": "4/1,6/2,5/3", "table": "-; 4/8 4/6;"}, TOLD_POSITION),
        ({"hand": "2/7 3/6 5/1+"}, TOLD_POSITION.replace("5/1~", "5/1+")),
        ({"seen": "1/4", "forgotten": "2"}, TOLD_POSITION.replace("1/4,2/6,3/5", "1/4,2x")),
        (
            {"hand": "3/6 2/7 2/8", "star": "2"},
            TOLD_POSITION.replace("2/7,3/6,5/1~;8x;8x", "2/7,2/8,3/6;8x;1~5,7x"),
        ),
        (
            {"hand": "3/6 2/7 2/8", "known": "-;5/1 7/8;-", "tokens": "0 1,3"},
            TOLD_POSITION.replace("2/7,3/6,5/1~;8x;8x", "2/7,2/8,3/6;5/1+,7/8+,6x;8x").replace("0,0,0", "0,1,3"),
        ),
        (
            {"counts": "3,16,0", "seen": "1/4 2/6 3/5 ", "out": "2"},
            TOLD_POSITION.replace(";8x;8x", ";16x;-").replace("out=-", "out=2"),
        ),
        (
            {"players": "2", "hand": "3/7 5/1 2/8", "table": "-;-;4/6 4/8;-", "counts": "3,12", "zone": "2"},
            "dnup:2 view=0 turn=0.2 hands=2/8,3/7,5/1~;12x table=-;-;4/6,4/8;- gone=1/4,2/6,3/5 out=- tokens=0,0",
        ),
    ],
)
def test_all_that_can_be_typed(dnup_ai, changes, position):
    run = dnup_ai("suggest", *told(**changes), *FAST, "--json")
    assert run.code == 0, run.err
    assert json.loads(run.out)["position"] == position


def test_standard_input_and_files(dnup_ai, tmp_path):
    expected = without_time(dnup_ai("suggest", VIEW, *FAST, "--json").out)
    assert without_time(dnup_ai("suggest", "-", *FAST, "--json", stdin=VIEW + "\n").out) == expected
    (tmp_path / "position.txt").write_text(f"# from Tuesday\n{VIEW}\n")
    assert without_time(dnup_ai("suggest", tmp_path / "position.txt", *FAST, "--json").out) == expected


@pytest.mark.parametrize(("line", "move"), [(1, 0), (1, 7), (2, 4)])
def test_the_position_of_a_record(dnup_ai, records, line, move):
    record = json.loads(records.read_text().splitlines()[line - 1])
    state = parse_position(record["start"])
    for text in record["moves"][:move]:
        state.apply(parse_move(state.rules, text))
    run = dnup_ai("suggest", "--record", records, "--round", line, "--move", move, *FAST, "--json")
    assert run.code == 0, run.err
    assert json.loads(run.out)["position"] == str(state.observe(state.turn))


def test_the_position_of_a_tournament(dnup_ai, tmp_path):
    store = tmp_path / "two.sqlite"
    arguments = ("greedy", "random", "--players", 2, "--deals", 2, "--seed", 3, "--unit", "match", "--quiet")
    assert dnup_ai("tournament", "run", *arguments, "--store", store).code == 0
    out = dnup_ai("tournament", "export", store).out.splitlines()
    record = next(record for record in map(json.loads, out) if record["game_number"] == 1 and record["round"] == 1)
    state = parse_position(record["start"])
    for text in record["moves"][:3]:
        state.apply(parse_move(state.rules, text))
    run = dnup_ai("suggest", "--record", store, "--round", "1.1", "--move", 3, *FAST, "--json")
    assert run.code == 0, run.err
    assert json.loads(run.out)["position"] == str(state.observe(state.turn))


@pytest.mark.parametrize("game", ["dnup-pile", "3up3down"])
def test_the_other_games(dnup_ai, game):
    position = dnup_ai("deal", "--game", game, "--players", 2, "--seed", 1).out.strip()
    run = dnup_ai("suggest", position, *FAST)
    assert (run.code, run.err) == (0, "")
    assert game_named(game).points in run.out
    refused = dnup_ai("suggest", "--game", game, *told(), *FAST)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith(f"error: {game}: a table cannot be told in options yet, give a position")


BAD = {
    "no position": ([], "expected one of a position, --record FILE, or --players, --me, --hand and so on; got none"),
    "two positions": ([VIEW, *told()], "got POSITION and a told table"),
    "no such file": (["no-such.txt"], "'no-such.txt' is neither a position, like dnup:3 turn=..., nor a file: No such"),
    "a bad position": (["dnup:3 turn=0"], "hands, column 14: expected the field hands=, got none"),
    "not the view of the mover": (
        [VIEW.replace("turn=1", "turn=2")],
        "seat 2 is to move, but this is the view of seat 1",
    ),
    "what is missing": (told(me=None, counts=None), "missing: --me, --counts"),
    "no zone": (told(players="2"), "missing: --zone (at 2 players: which of your two turns it is)"),
    "no such seat": (told(me="3"), "--me: expected seat 0..2, got 3"),
    "players": (told(players="6"), "--players: expected 2 to 5, got 6"),
    "a card twice": (
        told(seen="1/4 2/6 6/4"),
        "--seen, column 9: expected each card once, got '6/4', which --table has",
    ),
    "no card": (told(hand="3/6 5-1 2/7"), "--hand, column 5: expected a card like 3/7, got '5-1'"),
    "a card of no deck": (told(hand="3/6 1/2 5/1"), "--hand, column 5: expected a card of deck standard, got '1/2'"),
    "a card out of play": (told(hand="3/6 1/9 5/1"), "got '1/9', which is not in play at 3 players"),
    "no set": (
        told(table="-;4/6 5/8;-"),
        "--table, column 7: expected a card with the active value 4 of its set, got '5/8'",
    ),
    "two sets of one size": (told(table="-;4/6;7/8"), "--table: two sets of 1 card; sets of one size beat each other"),
    "too few lists": (told(table="-;4/6 4/8"), "--table: expected 3 lists with ; between them, one per seat, got 2"),
    "own count": (told(counts="4,8,8"), "--counts: you, seat 0, hold 3 cards by --hand, got 4"),
    "counts": (told(counts="3,8"), "--counts: expected 3 numbers, one per seat, got 2"),
    "cards missing": (
        told(seen="1/4"),
        "22 of the 24 cards in play are accounted for (3 in --hand, 2 in --table, 1 in --seen, 16 in other hands by "
        "--counts, 0 forgotten); 2 cards missing, of those that you named nowhere: 1/3, 1/6",
    ),
    "cards too many": (told(forgotten="2"), "26 of the 24 cards in play are accounted for"),
    "no star": (told(hand="3/6 2/7 2/8"), "--star: the starred card 1/5 is in no place that you named"),
    "the star elsewhere": (told(star="1"), "--star: the starred card 1/5 is already in --hand"),
    "everybody out": (told(counts="3,0,0"), "--counts: seats 1, 2 are out, so the round is over"),
    "tokens": (told(tokens="0,4,1"), "--tokens, column 3: expected tokens, short of the match, from 0 to 3, got '4'"),
    "own card as known": (told(known="7/8;-;-"), "--known: it is for other hands"),
    "time": ([VIEW, "--time", "soon"], "--time: expected a time above 0, as 500ms, 2s or 1m, got 'soon'"),
    "iterations": ([VIEW, "--iterations", "0"], "--iterations: expected 1 or more, got 0"),
    "bot": ([VIEW, "--bot", "gredy"], "unknown bot 'gredy' (did you mean 'greedy'?)"),
    "a bot that cheats": ([VIEW, "--bot", "cheat"], "it looks at hidden cards"),
    "seed": ([VIEW, "--seed", "-3"], "seed: expected 0 to 4294967295, got -3"),
    "top": ([VIEW, "--top", "0"], "top: expected 1 or more, got 0"),
    "utility": ([VIEW, "--utility", "joy"], "utility: expected 'tokens' or 'match', got 'joy'"),
    "threads": ([VIEW, "--threads", "65"], "threads: expected 1 to 64, got 65"),
    "round without record": ([VIEW, "--round", "1"], "--round and --move belong to --record FILE"),
    "no record": (["--record", "no-such.jsonl", "--round", "1", "--move", "1"], "no-such.jsonl: cannot be read"),
    "record without round": (["--record", "x.jsonl"], "--record FILE needs --round I and --move N"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line(dnup_ai, case):
    arguments, message = BAD[case]
    run = dnup_ai("suggest", *arguments)
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert message in run.err


def test_bad_places_in_records(dnup_ai, records):
    run = dnup_ai("suggest", "--record", records, "--round", 3, "--move", 0)
    assert (run.code, run.err) == (1, f"error: {records}: it has no line 3 (lines count from 1)\n")
    run = dnup_ai("suggest", "--record", records, "--round", 1, "--move", 999)
    assert run.code == 1
    assert "line 1: expected a move from 0 (the start) to" in run.err
    run = dnup_ai("suggest", records)
    assert "this is a record; say which position of it: --record FILE --round I --move N" in run.err
    last = len(json.loads(records.read_text().splitlines()[0])["moves"])
    assert "the round is over" in dnup_ai("suggest", "--record", records, "--round", 1, "--move", last).err


def test_an_option_that_does_not_exist_is_exit_code_2(dnup_ai):
    assert dnup_ai("suggest", VIEW, "--frobnicate").code == 2


def test_nothing_is_shown_while_it_thinks_where_there_is_no_terminal():
    command = [*COMMAND, "suggest", VIEW, "--time", "300ms"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "time is up" in run.stdout


def test_ctrl_c_gives_the_answer_so_far():
    """In a terminal: the live view shows, Ctrl-C ends it, the answer follows, and the exit code is 0."""
    main, terminal = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "40"}
    process = subprocess.Popen(
        [*COMMAND, "suggest", VIEW, "--time", "10m"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        start_new_session=True,
    )
    os.close(terminal)
    text = ""
    try:
        text = _read_until(main, "Ctrl-C: answer now", 60)
        process.send_signal(signal.SIGINT)
        text += _read_until(main, "ended early", 60)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)
    assert "Traceback" not in text


def test_ctrl_c_gives_json_too():
    process = subprocess.Popen(
        [*COMMAND, "suggest", VIEW, "--time", "10m", "--json", "--threads", "2"], stdout=subprocess.PIPE, text=True
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["stopped_by"] == "stopped"


def _read_until(file: int, wanted: str, seconds: float) -> str:
    text = ""
    end = time.monotonic() + seconds
    while wanted not in text:
        assert time.monotonic() < end, f"{wanted!r} did not come: {text[-500:]!r}"
        if select.select([file], [], [], 0.2)[0]:
            try:
                text += os.read(file, 65536).decode(errors="replace")
            except OSError:  # the other side is closed
                break
    assert wanted in text, text[-500:]
    return text


LOUD = """
print("as it is imported")
from dnup_ai.bots import Bot
class Loud(Bot):
    def __init__(self, params, rng):
        super().__init__(params, rng)
        print("as it is made")
    def choose(self, view, history):
        print("as it chooses")
        return view.legal_moves()[0]
"""


@pytest.mark.parametrize("beliefs", [[], ["--beliefs"]])
def test_what_a_bot_of_ones_own_prints_is_no_part_of_the_answer(dnup_ai, tmp_path, beliefs):
    (tmp_path / "loud.py").write_text(LOUD)
    run = dnup_ai("suggest", VIEW, "--bot", f"{tmp_path / 'loud.py'}:Loud", "--json", *beliefs)
    assert json.loads(run.out)["stopped_by"] == "bot"
    assert run.err.startswith("as it is imported\nas it is made\nas it chooses\n")


def test_moves_that_are_not_shown_are_counted_with_the_option_for_them(dnup_ai):
    shown = dnup_ai("suggest", VIEW, *FAST, "--top", 2).out
    assert "3 more of 5 legal moves are not shown (--top)\n" in shown


def test_the_page_shows_what_is_printed(dnup_ai):
    """The first example and the error of docs/suggest.md, but for the seconds; and its Python."""
    page = (HERE.parent / "docs" / "suggest.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    compared = 0
    for command, shown in blocks:
        if not shown:
            continue
        run = dnup_ai(*shlex.split(command)[1:])
        printed = (run.out or run.err).splitlines()
        for expected, line in zip(shown.splitlines(), printed, strict=False):
            assert re.sub(r"in [0-9.]+ s", "in 0.0 s", line) == re.sub(r"in [0-9.]+ s", "in 0.0 s", expected)
        compared += 1
    assert compared == 2
    (source,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(source, {})
