"""Records: what is written replays, and whatever is wrong with a file is named by line and move."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dnup_ai.assist import SessionFile, Settings
from dnup_ai.bots import parse_spec
from dnup_ai.decks import Deck, load_deck
from dnup_ai.errors import RecordError
from tournaments.config import Tournament
from tournaments.records import game_records, replay_file, replay_game
from tournaments.runner import play

Record = dict[str, Any]

OWN_DECK = """
name = "tiny"
star = "1/2"
cards = ["1/2", "1/3", "1/4", "1/5", "2/3", "2/4", "2/5", "3/4", "3/5", "4/5", "1/6", "2/6"]
"""


def records_of(players: int = 3, deck: Deck | None = None, deals: int = 3, **settings: Any) -> list[str]:
    specs = (parse_spec("random"), parse_spec("greedy"))
    tournament = Tournament(specs, players, deals, 11, deck or load_deck("standard"), **settings)
    return [
        json.dumps(record)
        for games in play(tournament)
        for played in games
        for record in game_records(tournament, played)
    ]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def record() -> Record:
    made: Record = json.loads(records_of(deals=1)[0])
    return made


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "options",
    [{}, {"repetition": 2}, {"max_turns": 9, "repetition": 0}, {"out_sets": "frozen"}],
    ids=["default", "repetition", "max_turns", "frozen"],
)
@pytest.mark.parametrize("unit", ["round", "match"])
def test_what_a_tournament_records_replays(tmp_path: Path, players: int, options: dict[str, Any], unit: str) -> None:
    options = options if unit == "round" else {**options, "max_rounds": 3}
    lines = records_of(players, options=options, unit=unit)
    replays = list(replay_file(write(tmp_path / "r.jsonl", lines)))
    assert [replay.place for replay in replays] == [f"line {number + 1}" for number in range(len(lines))]
    for replay, line in zip(replays, lines, strict=True):
        assert replay.record == json.loads(line)
        assert replay.record.get("rules", {}) == options
        assert [str(move) for move in replay.moves] == replay.record["moves"]


def test_keys_come_in_one_order_those_of_the_notation_first(tmp_path: Path) -> None:
    line = records_of(options={"max_rounds": 1}, unit="match")[0]
    assert list(json.loads(line)) == [
        *("game", "start", "moves", "result", "end", "rules", "match", "round"),
        *("bots", "seed", "game_number", "deal", "seating", "turns", "payoffs", "ranks", "seconds", "iterations"),
    ]


def test_a_deck_that_does_not_ship_is_in_the_record(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(OWN_DECK)
    lines = records_of(3, load_deck(tmp_path / "tiny.toml"))
    assert json.loads(lines[0])["deck"]["name"] == "tiny"
    # The record alone is enough: the deck's file is no longer needed.
    (tmp_path / "tiny.toml").unlink()
    assert len(list(replay_file(write(tmp_path / "r.jsonl", lines)))) == len(lines)


def test_a_round_that_a_fault_ended_is_checked_as_far_as_it_goes(tmp_path: Path, record: Record) -> None:
    record.update(moves=record["moves"][:4], result=[0, 0, 0], end="fault")
    path = write(tmp_path / "fault.jsonl", [json.dumps(record)])
    assert len(next(replay_file(path)).moves) == 4


def test_keys_of_the_harness_may_be_anything_or_missing(tmp_path: Path, record: Record) -> None:
    bare = {key: record[key] for key in ("game", "start", "moves", "result", "end")}
    path = write(tmp_path / "bare.jsonl", [json.dumps(bare), json.dumps({**bare, "weather": ["rain", None]})])
    assert [replay.record.get("weather") for replay in replay_file(path)] == [None, ["rain", None]]


def test_lines_show_start_moves_positions_and_end(tmp_path: Path, record: Record) -> None:
    replay = next(replay_file(write(tmp_path / "r.jsonl", [json.dumps(record)])))
    lines = list(replay.lines())
    assert lines[0] == f"line 1: {record['start']}"
    assert record["moves"][0] in lines[1]
    assert len(lines) == 2 + 2 * len(record["moves"])
    assert lines[-1].endswith(f"end: out, result: {','.join(map(str, record['result']))}")


def edit(**changes: Any) -> Callable[[Record], None]:
    return lambda record: record.update(changes)


def drop_last_move(record: Record) -> None:
    record["moves"].pop()


def drop_a_move(record: Record) -> None:
    del record["moves"][2]


def add_a_move(record: Record) -> None:
    record["moves"].append("flip")


def move_on(record: Record) -> None:
    # The cards lie in hands, but another seat is to move.
    turn = int(record["start"].split("turn=")[1][0])
    record["start"] = record["start"].replace(f"turn={turn}", f"turn={(turn + 1) % 3}")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (edit(moves=["flip", "jump"]), "line 2, move 2: kind, column 1"),
        (edit(moves=["take@1"]), "line 2, move 1: take@1 is not legal in dnup:3"),
        (drop_last_move, "end: the round is not over after the last move, got 'out'"),
        (drop_a_move, "line 2, move "),
        (add_a_move, "the round ended before it: out"),
        (edit(result=[0, 0, 0]), "result: expected ["),
        (edit(result=[2, 1]), "result: expected ["),
        (edit(end="repetition"), "end: expected 'out', got 'repetition'"),
        (edit(end="fault"), "end: expected 'out', got 'fault'"),
        (edit(end="tired"), 'end: expected one of out, blocked, repetition, max_turns, fault, unfinished, got "tired"'),
        (edit(game="chess"), 'game: expected one of dnup, dnup-pile, 3up3down, got "chess"'),
        (edit(start="dnup:3"), "line 2: start: "),
        (edit(moves="flip"), 'moves: expected a list of moves, got "flip"'),
        (edit(moves=[1]), "moves: expected a list of moves"),
        (edit(result=[True, 0, 0]), "result: expected a list of points"),
        (edit(rules={"repetition": 1}), "line 2: start: rules of dnup: repetition"),
        (edit(rules={"speed": 1}), "line 2: start: rules of dnup: "),
        (edit(rules=[]), "rules: expected an object of options"),
        (edit(rules={"max_turns": 5}), "line 2, move 6: the round ended before it: max_turns"),
        (edit(deck={"name": "mine"}), "line 2, "),
        (edit(match=-1), "match: expected a number, got -1"),
        (move_on, "start: expected the holder of the star to move"),
        (lambda record: record.pop("end"), "the key 'end' is missing"),
    ],
)
def test_the_first_fault_is_named_by_file_line_and_move(
    tmp_path: Path, record: Record, change: Callable[[Record], None], problem: str
) -> None:
    good = json.dumps(record)
    change(record)
    path = write(tmp_path / "r.jsonl", [good, json.dumps(record)])
    replays = replay_file(path)
    assert next(replays).place == "line 1"
    with pytest.raises(RecordError) as caught:
        next(replays)
    assert str(caught.value).startswith(f"{path}, line 2")
    assert str(caught.value).count(str(path)) == 1
    assert problem in str(caught.value)


def test_a_start_that_is_no_deal_is_an_error(tmp_path: Path, record: Record) -> None:
    from dnup_ai.notation import parse_move, parse_position

    start = parse_position(record["start"])
    start.apply(parse_move(start.rules, record["moves"][0]))
    for text, problem in (
        (str(start), "start: expected all cards in the hands"),
        (str(start.observe(1)), "start: expected the true state, got the view of seat 1"),
    ):
        record["start"] = text
        path = tmp_path / "start.jsonl"
        path.write_text(json.dumps(record) + "\n")
        with pytest.raises(RecordError, match=problem):
            next(replay_file(path))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1 (the last, without a line end): not JSON"),
        ("\n", "line 1: not JSON: Expecting value, column 1"),
        ("[1]\n", "line 1: expected a JSON object, got '[1]'"),
        ("[" * 100_000 + "\n", "line 1: not JSON"),
    ],
)
def test_what_is_no_record_is_an_error(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError) as caught:
        list(replay_file(path))
    assert f"{path}, {problem}" in str(caught.value)


def test_a_file_cut_anywhere_in_its_last_line_is_refused_there(tmp_path: Path) -> None:
    lines = records_of(deals=1)[:2]
    whole = "\n".join(lines).encode()
    path = tmp_path / "cut.jsonl"
    for cut in range(len(lines[0]) + 2, len(whole), 97):
        path.write_bytes(whole[:cut])
        replays = replay_file(path)
        next(replays)
        with pytest.raises(RecordError, match=r"line 2 \(the last, without a line end\): not JSON"):
            next(replays)
    # The line end alone is no loss.
    path.write_bytes(whole)
    assert len(list(replay_file(path))) == 2


def test_files_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(replay_file(tmp_path / "none.jsonl"))
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(RecordError, match=r"bytes.jsonl, line 1: expected text in UTF-8, got the byte 0xff"):
        list(replay_file(tmp_path / "bytes.jsonl"))


def test_a_stored_game_replays_and_a_change_of_a_byte_is_found() -> None:
    tournament = Tournament((parse_spec("random"), parse_spec("greedy")), 3, 1, 11, load_deck("standard"))
    (played, *_) = next(iter(play(tournament)))
    (replay,) = replay_game(tournament, played, "t.sqlite")
    assert replay.place == "game 0"
    assert " ".join(replay.moves) == played.rows[0].moves
    row = played.rows[0]
    for changed in (
        row._replace(tokens="9,9,9"),
        row._replace(end="repetition"),
        row._replace(moves=row.moves.partition(" ")[2]),
    ):
        with pytest.raises(RecordError, match=r"t\.sqlite, game 0, "):
            list(replay_game(tournament, played._replace(rows=(changed,)), "t.sqlite"))


@pytest.mark.parametrize("line", [None, 2])
def test_a_session_of_assist_is_told_from_records(tmp_path: Path, line: int | None) -> None:
    path = tmp_path / "friday.jsonl"
    with SessionFile.create(path, Settings("dnup", 3, 0, load_deck("standard"))) as file:
        file.append(file.session.note("no record"))
    with pytest.raises(RecordError) as caught:
        list(replay_file(path, line))
    assert str(caught.value) == f"{path}: expected records of rounds, got a session of dnup-ai assist"
