"""Records of rounds, one JSON object a line (docs/notation.md): made of stored games, read and replayed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cython_core.game import Move, State
from dnup_ai.errors import DnupError, RecordError
from dnup_ai.games import Deck, Game, game_named, game_names
from tournaments.config import Tournament
from tournaments.match import round_end
from tournaments.table import Played, start_of

UNFINISHED = "unfinished"
"""The end of a round that was left before its end, as a person may."""
_ENDS = ("out", "blocked", "repetition", "max_turns", "fault", UNFINISHED)


def game_records(tournament: Tournament, played: Played) -> Iterator[dict[str, Any]]:
    """Return the records of a game's rounds, their keys always in one order, ready for JSON."""
    card_game = game_named(tournament.game)
    rules = tournament.rules()
    names = tournament.names()
    match = tournament.unit == "match"
    tokens = (0,) * tournament.players
    for row in played.rows:
        start = start_of(rules, tournament.seed, row.deal, row.round, tokens if match else None)
        result = json.loads(f"[{row.tokens}]")  # whole numbers in most games
        tokens = tuple(map(sum, zip(tokens, result, strict=True)))
        seating = [int(text) for text in row.seating.split(",")]
        record = round_record(card_game, tournament.deck, start, row.moves.split(), result, row.end)
        if match:
            record |= {"match": row.game, "round": row.round}
        record |= {
            "bots": [names[bot] for bot in seating],
            "seed": tournament.seed,
            "game_number": row.game,
            "deal": row.deal,
            "seating": seating,
            "turns": row.turns,
            "payoffs": [float(text) for text in row.points.split(",")],
            "ranks": [int(text) for text in row.ranks.split(",")],
        }
        if played.fault is not None and row is played.rows[-1]:
            record["fault"] = played.fault._asdict()
        record["seconds"] = [float(text) for text in row.seconds.split(",")]
        record["iterations"] = [int(float(text)) for text in row.iterations.split(",")]
        yield record


def round_record(
    game: Game, deck: Deck, start: State, moves: list[str], result: list[int | float], end: str
) -> dict[str, Any]:
    """Return the keys of a record that say how a round went; moves: entries, as `Game.record_moves` makes them."""
    rules = start.rules
    record: dict[str, Any] = {
        "game": rules.game,
        "start": str(start),
        "moves": moves,
        "result": result,
        "end": end,
    }
    if options := rules.options():
        record["rules"] = options
    if deck.name not in game.shipped_decks():
        record["deck"] = deck.to_dict()
    return record


def replay_game(tournament: Tournament, played: Played, where: str) -> Iterator[Replay]:
    """Replay the rounds of a stored game, checking every move, result and end; raises RecordError as `replay_file`."""
    for record in game_records(tournament, played):
        place = f"game {record['game_number']}"
        yield _replay(record, f"{where}, {place}", place)


@dataclass(frozen=True, slots=True)
class Replay:
    """A record that replayed without a fault.

    place: `line N` of the file, from 1, or `game N` of the tournament; record: the JSON object, keys of the harness
    included; start: the state before the first move; moves: the entries of the record.
    """

    place: str
    record: dict[str, Any]
    start: State
    moves: tuple[str, ...]

    def after(self, entries: int) -> tuple[State, list[Move]]:
        """Return the true state after so many entries, and the moves that led to it; raises RecordError."""
        if not 0 <= entries <= len(self.moves):
            raise RecordError(f"{self.place}: expected a move from 0 (the start) to {len(self.moves)}, got {entries}")
        game = game_named(self.record["game"])
        state = self.start.copy()
        history = []
        for text in self.moves[:entries]:
            if game.is_move(text):
                history.append(game.parse_move(state.rules, text))
            _play_entry(game, state, text)
        return state, history

    def lines(self) -> Iterator[str]:
        """Return what a person reads of it: the start, each move with the position after it, the end."""
        game = game_named(self.record["game"])
        state = self.start.copy()
        yield f"{self.place}: {state}"
        for number, text in enumerate(self.moves, 1):
            seat = state.turn
            _play_entry(game, state, text)
            yield f"{number:4}. " + (f"seat {seat}  {text}" if game.is_move(text) else text)
            yield f"      {state}"
        yield f"      end: {self.record['end']}, result: {','.join(map(str, self.record['result']))}"


def replay_file(path: str | os.PathLike[str], line_number: int | None = None) -> Iterator[Replay]:
    """Replay a file of records line by line, checking every move, result and end.

    line_number: replay only this line, from 1; nothing if there are not so many.
    Records of rounds that a `fault` ended or that were left `unfinished` are checked as far as they go. Keys that the
    notation does not know are the harness's, and allowed. Raises RecordError `FILE, line N, move M: ...` (lines and
    moves from 1) at the first fault, or if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1 and line.startswith(b'{"assist":'):
                    raise RecordError(f"{path}: expected records of rounds, got a session of dnup-ai assist")
                if line_number not in (None, number):
                    continue
                where = f"{path}, line {number}"
                if not line.endswith(b"\n"):
                    # Written by a program that was killed, or by hand; whole JSON is fine all the same.
                    where += " (the last, without a line end)"
                yield _replay(_read_json(line, where), where, f"line {number}")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror or error}") from error


def _read_json(line: bytes, where: str) -> dict[str, Any]:
    """The JSON object of a line, its keys checked."""
    try:
        text = line.decode("utf-8").rstrip("\r\n")
        record = json.loads(text)
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise RecordError(f"{where}: expected text in UTF-8, got the byte {byte:#04x}") from error
    except json.JSONDecodeError as error:
        raise RecordError(f"{where}: not JSON: {error.msg}, column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not JSON: {error}") from error
    if not isinstance(record, dict):
        raise RecordError(f"{where}: expected a JSON object, got {text.strip()[:40]!r}")
    for key, (check, expected) in _SCHEMA.items():
        if key not in record and key not in _OPTIONAL:
            raise RecordError(f"{where}: the key {key!r} is missing")
        if key in record and not check(record[key]):
            raise RecordError(f"{where}: {key}: expected {expected}, got {json.dumps(record[key])[:60]}")
    return record


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and value == value


def _is_list(value: object, check: Any) -> bool:
    return isinstance(value, list) and all(check(item) for item in value)


_SCHEMA: Mapping[str, tuple[Any, str]] = {
    "game": (lambda value: value in game_names(), f"one of {', '.join(game_names())}"),
    "start": (lambda value: isinstance(value, str), "a position"),
    "moves": (lambda value: _is_list(value, lambda item: isinstance(item, str)), "a list of moves"),
    "result": (lambda value: _is_list(value, _is_number), "a list of points by seat"),
    "end": (lambda value: value in _ENDS, f"one of {', '.join(_ENDS)}"),
    "rules": (lambda value: isinstance(value, dict), "an object of options"),
    "deck": (lambda value: isinstance(value, dict), "an object with the keys of a deck file"),
    "match": (_is_count, "a number"),
    "round": (_is_count, "a number"),
}
_OPTIONAL = ("rules", "deck", "match", "round")


def _replay(record: dict[str, Any], where: str, place: str) -> Replay:
    game = game_named(record["game"])
    start = _start_state(game, record, where)
    rules = start.rules
    state = start.copy()
    seen: dict[bytes, int] = {}
    turns = 0
    for number, text in enumerate(record["moves"], 1):
        try:
            if game.is_move(text):
                # Asked once before each turn, as it counts the state.
                if end := round_end(rules, state, turns, seen):
                    raise RecordError(f"the round ended before it: {end}")
                turns += 1
            _play_entry(game, state, text)
        except (DnupError, ValueError) as error:
            raise RecordError(f"{where}, move {number}: {error}") from error
    end = round_end(rules, state, turns, seen)
    _check_end(record, end, list(state.result()), f"{where}, move {len(record['moves'])}")
    return Replay(place, record, start, tuple(record["moves"]))


def _play_entry(game: Game, state: State, entry: str) -> None:
    """Play an entry of `moves`, a move or an event of chance; raises NotationError, ValueError if it is not legal."""
    if game.is_move(entry):
        state.apply(game.parse_move(state.rules, entry))
    else:
        game.replay_event(state, entry)


def _start_state(game: Game, record: dict[str, Any], where: str) -> State:
    """The state that the record starts from: a true one, just dealt."""
    try:
        deck = game.deck_from_dict(record["deck"], where) if "deck" in record else None
        start = game.parse_position(record["start"], deck, record.get("rules", {}))
    except DnupError as error:
        raise RecordError(str(error) if str(error).startswith(where) else f"{where}: start: {error}") from error
    if start.view is not None:
        raise RecordError(f"{where}: start: expected the true state, got the view of seat {start.view}")
    if fault := game.start_fault(start):
        raise RecordError(f"{where}: start: {fault}")
    return start


def _check_end(record: dict[str, Any], end: str | None, result: list[int], where: str) -> None:
    """Check how the record says that the round ended against how it did."""
    if record["end"] in ("fault", UNFINISHED):
        if end is not None:
            raise RecordError(f"{where}: end: expected {end!r}, got {record['end']!r}")
    elif end is None:
        raise RecordError(f"{where}: end: the round is not over after the last move, got {record['end']!r}")
    elif end != record["end"]:
        raise RecordError(f"{where}: end: expected {end!r}, got {record['end']!r}")
    if result != record["result"]:
        raise RecordError(f"{where}: result: expected {result}, got {record['result']}")
