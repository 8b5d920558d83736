"""Records of rounds, one JSON object a line (docs/notation.md): made, written, read and replayed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cython_core.game import State
from dnup_ai.errors import DnupError, RecordError
from dnup_ai.games import Deck, Game, game_named, game_names
from tournaments.match import Round, round_end

_ENDS = ("out", "blocked", "repetition", "max_turns", "fault")


def round_record(
    played: Round,
    game: Game,
    deck: Deck,
    place: Mapping[str, int] | None = None,
    harness: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the record of a round, its keys always in one order, ready for JSON.

    game, deck: of the rules; place: the `match` and `round` numbers of a round in a match; harness: what else
    to record.
    """
    outcome = played.outcome
    rules = played.start.rules
    record: dict[str, Any] = {
        "game": rules.game,
        "start": str(played.start),
        "moves": game.record_moves(played.start, played.moves),
        "result": list(outcome.result),
        "end": outcome.end,
    }
    if options := rules.options():
        record["rules"] = options
    if deck.name not in game.shipped_decks():
        record["deck"] = deck.to_dict()
    record.update(place or {})
    record.update(harness or {})
    record["turns"] = outcome.turns
    record["payoffs"] = list(outcome.payoffs)
    record["ranks"] = list(outcome.ranks)
    if outcome.fault is not None:
        record["fault"] = outcome.fault._asdict()
    record["seconds"] = round(outcome.seconds, 6)
    return record


class RecordWriter:
    """Writes records to a file, each handed to the system at once: a kill loses at most one line."""

    def __init__(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Open the file.

        force: write over a file that is there. Raises DnupError if one is and `force` is not given, and
        if the file cannot be opened.
        """
        self.path = Path(path)
        try:
            # No line-end translation, no buffer of ours: one write call per game.
            self._file = open(self.path, "wb" if force else "xb", buffering=0)  # noqa: SIM115
        except FileExistsError as error:
            raise DnupError(f"{path}: there is such a file already; --force writes over it") from error
        except OSError as error:
            raise self._failure(error) from error

    def write(self, lines: tuple[str, ...]) -> None:
        """Write lines, given without line ends; raises DnupError if the system cannot, as on a full disk."""
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Close the file; raises DnupError if the system cannot."""
        try:
            self._file.close()
        except OSError as error:
            raise self._failure(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failure(self, error: OSError) -> DnupError:
        return DnupError(f"{self.path}: cannot write records: {error.strerror or error}")


@dataclass(frozen=True, slots=True)
class Replay:
    """A record that replayed without a fault.

    line: its number in the file, from 1; record: the JSON object, keys of the harness included; start:
    the state before the first move; moves: the entries of the record.
    """

    line: int
    record: dict[str, Any]
    start: State
    moves: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Return what a person reads of it: the start, each move with the position after it, the end."""
        game = game_named(self.record["game"])
        state = self.start.copy()
        yield f"line {self.line}: {state}"
        for number, text in enumerate(self.moves, 1):
            seat = state.turn
            _play_entry(game, state, text)
            yield f"{number:4}. " + (f"seat {seat}  {text}" if game.is_move(text) else text)
            yield f"      {state}"
        yield f"      end: {self.record['end']}, result: {','.join(map(str, self.record['result']))}"


def replay_file(path: str | os.PathLike[str]) -> Iterator[Replay]:
    """Replay a file of records line by line, checking every move, result and end.

    Records of rounds that a `fault` ended are checked as far as they go. Keys that the notation does not
    know are the harness's, and allowed. Raises RecordError `FILE, line N, move M: ...` (lines and moves
    from 1) at the first fault, or if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                where = f"{path}, line {number}"
                if not line.endswith(b"\n"):
                    # Written by a program that was killed, or by hand; whole JSON is fine all the same.
                    where += " (the last, without a line end)"
                yield _replay(_read_json(line, where), where, number)
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


def _replay(record: dict[str, Any], where: str, line: int) -> Replay:
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
    return Replay(line, record, start, tuple(record["moves"]))


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
    if record["end"] == "fault":
        if end is not None:
            raise RecordError(f"{where}: end: expected {end!r}, got 'fault'")
    elif end is None:
        raise RecordError(f"{where}: end: the round is not over after the last move, got {record['end']!r}")
    elif end != record["end"]:
        raise RecordError(f"{where}: end: expected {end!r}, got {record['end']!r}")
    if result != record["result"]:
        raise RecordError(f"{where}: result: expected {result}, got {record['result']}")
