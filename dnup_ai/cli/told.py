"""Where the position of `dnup-ai suggest` comes from: text, a file, standard input, a record, what a person types."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dnup_ai.table_talk import TableTalk

if TYPE_CHECKING:
    from cython_core.game import Move, State
    from dnup_ai.games import Game
    from tournaments.records import Replay


class Source(NamedTuple):
    """The options that say where the position is; None: not given."""

    position: str | None
    record: Path | None
    round: str | None
    move: int | None
    told: TableTalk
    deck: str | None
    rule: list[str] | None
    game: str


def find_position(source: Source) -> tuple[Game, State, list[Move]]:
    """Return the game, the position, true or a view, and the moves that led to it, if they are known.

    Raises ConfigError if no place or more than one is given, and what reading raises.
    """
    from dnup_ai.errors import ConfigError

    is_told = replace(source.told, forgotten=0) != TableTalk() or source.told.forgotten > 0
    sources = {"POSITION": source.position is not None, "--record": source.record is not None, "a told table": is_told}
    given = [name for name, is_given in sources.items() if is_given]
    if len(given) != 1:
        what = f"got {' and '.join(given)}" if given else "got none"
        raise ConfigError(f"expected one of a position, --record FILE, or --players, --me, --hand and so on; {what}")
    if source.record is not None:
        return _from_record(source)
    if source.round is not None or source.move is not None:
        raise ConfigError("--round and --move belong to --record FILE")
    game, state = _told(source) if is_told else _from_text(source)
    return game, state, []


def _told(source: Source) -> tuple[Game, State]:
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.games import game_named

    game = game_named(source.game)
    return game, game.told_position(source.told, load_deck(game, source.deck), read_rules(game, source.rule))


def _from_text(source: Source) -> tuple[Game, State]:
    from dnup_ai.cli.positions import read_position

    assert source.position is not None
    return read_position(_text(source.position), source.deck, source.rule, source.game)


def _text(argument: str) -> str:
    """The argument itself if it looks like a position, else the first line of the file that it names."""
    from dnup_ai.errors import ConfigError, NotationError

    if argument == "-" or re.match(r"[a-z0-9-]+:[0-9]", argument):
        return argument
    try:
        with open(argument, encoding="utf-8") as file:
            lines = [line.strip() for line in file.read(1 << 20).splitlines()]
    except UnicodeDecodeError as error:
        raise NotationError(f"{argument}: expected a position as text: {error}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(
            f"{argument[:60]!r} is neither a position, like dnup:3 turn=..., nor a file: {reason}"
        ) from error
    written = [line for line in lines if line and not line.startswith("#")]
    if not written:
        raise NotationError(f"{argument}: expected a position, got an empty file")
    if written[0].startswith("{"):
        raise ConfigError(f"{argument}: this is a record; say which position of it: --record FILE --round I --move N")
    if len(written) > 1:
        raise NotationError(f"{argument}: expected one position, got {len(written)} lines")
    return written[0]


def _from_record(source: Source) -> tuple[Game, State, list[Move]]:
    from dnup_ai.errors import ConfigError, RecordError
    from dnup_ai.games import game_named
    from tournaments.records import replay_file
    from tournaments.store_file import is_store

    file = source.record
    assert file is not None
    if source.round is None or source.move is None:
        raise ConfigError("--record FILE needs --round I and --move N")
    if source.deck is not None or source.rule:
        raise ConfigError("--deck and --rule: a record says itself by which cards and rules it was played")
    match = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?", source.round)
    if match is None:
        raise ConfigError(f"--round: expected a number, or GAME.ROUND of a match, got {source.round!r}")
    game_named(source.game)  # a game of one's own is known by its name once it is loaded
    if is_store(file):
        replays = _stored(file, int(match[1]))
        number = int(match[2] or 0)
        if number >= len(replays):
            raise RecordError(f"{file}, game {match[1]}: it has the rounds 0 to {len(replays) - 1}, got {number}")
        replay = replays[number]
    else:
        if match[2] is not None:
            raise ConfigError("--round: GAME.ROUND is for the file of a tournament; of records give the line, from 1")
        found = list(replay_file(file, int(match[1])))
        if not found:
            raise RecordError(f"{file}: it has no line {match[1]} (lines count from 1)")
        replay = found[0]
    state, history = replay.after(source.move)
    return game_named(replay.record["game"]), state, history


def _stored(file: Path, number: int) -> list[Replay]:
    """The rounds of a game of a tournament's file."""
    from dnup_ai.errors import RecordError
    from tournaments.records import replay_game
    from tournaments.store import Store

    with Store.open(file) as store:
        for run in store.runs():
            for played in store.games(run.number, number):
                return list(replay_game(run.tournament, played, str(file)))
    raise RecordError(f"{file}: no game {number} is stored")
