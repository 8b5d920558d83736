"""`dnup-ai deal`, `show`, `perft`, `replay`: single positions and records."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, PLAYERS, RULE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cython_core.game import State
    from dnup_ai.games import Game
    from tournaments.records import Replay

POSITION = typer.Argument(help="A position (docs/notation.md), or - to read it from standard input.")
POSITION_DECK = typer.Option(None, "--deck", help="The file of the deck that the position names, if it does not ship.")


def deal(
    players: int = typer.Option(3, "--players", "-n", help=f"{PLAYERS}."),
    seed: int = typer.Option(0, help="0 to 4294967295; the deals of a tournament run with this seed."),
    index: int = typer.Option(0, "--deal", help="Which deal of that run, from 0."),
    view: int | None = typer.Option(None, help="Show only what this seat may know."),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    game: str = GAME,
) -> None:
    """Shuffle, deal, and print the position."""
    from cython_core.rng import Rng
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named

    for name, value in (("seed", seed), ("deal", index)):
        if not 0 <= value < 2**32:
            raise ConfigError(f"{name}: expected 0 to {2**32 - 1}, got {value}")
    played = game_named(game)
    state = played.rules(load_deck(played, deck), players, read_rules(played, rule)).deal(Rng(seed, index))
    if view is None:
        print(state)
        return
    if not 0 <= view < players:
        raise ConfigError(f"view: expected seat 0..{players - 1}, got {view}")
    print(state.observe(view))


def show(
    position: str = POSITION, deck: str | None = POSITION_DECK, rule: list[str] | None = RULE, game: str = GAME
) -> None:
    """Draw a position and list its legal moves."""
    found, state = read_position(position, deck, rule, game)
    print(found.draw(state))
    print()
    if state.turn is None:
        print(f"the round is over; {found.points} that it gave: " + ", ".join(map(str, state.result())))
    elif state.view not in (None, state.turn):
        print(f"seat {state.turn} is to move; its legal moves cannot be known from the view of seat {state.view}")
    else:
        moves = state.legal_moves()
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:")
        for move in moves:
            print(f"  {move}")
    if note := found.deck_note(state.rules.deck):
        print()
        print(note)


def perft(
    position: str = POSITION,
    depth: int = typer.Option(..., help="Number of turns, 0 to 100."),
    divide: bool = typer.Option(False, "--divide", help="Also print the count behind each first move."),
    deck: str | None = POSITION_DECK,
    rule: list[str] | None = RULE,
    game: str = GAME,
) -> None:
    """Count the move sequences of exactly that many turns from a true position."""
    from dnup_ai.errors import ConfigError

    _, state = read_position(position, deck, rule, game)
    try:
        counts = state.perft_divide(depth) if divide and depth > 0 else {}
        total = sum(counts.values()) if counts else state.perft(depth)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    for move, count in counts.items():
        print(f"{move} {count}")
    print(total)


def replay(
    file: Path = typer.Argument(help="Records of rounds, JSON Lines (docs/notation.md), or the file of a tournament."),
    show: bool = typer.Option(False, "--show", help="Print each round, move by move."),
    game: str = typer.Option(
        "dnup",
        "--game",
        help="Of a tournament: the number of a game. Of records: a game of your own, my_game.py:Class.",
    ),
    rerun: bool = typer.Option(
        False, "--rerun", help="Of a tournament: let the bots play again, and say where they play otherwise."
    ),
) -> None:
    """Play records again and check every move, result and end; stop at the first fault, with its place."""
    from dnup_ai.errors import ConfigError, RecordError
    from dnup_ai.games import game_named
    from tournaments.records import replay_file
    from tournaments.store_file import is_store

    if is_store(file):
        if not game.isdecimal() and game != "dnup" and ".py:" not in game:
            raise ConfigError(f"--game: expected the number of a game in {file}, got {game!r}")
        replayed = _replay_store(file, int(game) if game.isdecimal() else None, show, rerun)
    else:
        if rerun:
            raise ConfigError("--rerun: records do not say how the bots are made; it needs the file of a tournament")
        if game.isdecimal():
            raise ConfigError(
                f"--game: expected the game of the records in {file}, as dnup or my_game.py:Class, got {game!r}: only "
                "the games in the file of a tournament have numbers"
            )
        game_named(game)  # a game of one's own is known by its name once it is loaded
        replayed = replay_file(file)
    rounds = 0
    for record in replayed:
        rounds += 1
        if show:
            for line in record.lines():
                print(line)
    if not rounds:
        raise RecordError(f"{file}: no records in it")
    print(f"{file}: {rounds} {'round' if rounds == 1 else 'rounds'} replayed, all as recorded")


def _replay_store(file: Path, number: int | None, show: bool, rerun: bool) -> Iterator[Replay]:
    from dnup_ai.errors import RecordError
    from tournaments.records import replay_game
    from tournaments.store import Store
    from tournaments.table import Table, difference

    with Store.open(file) as store:
        for run in store.runs(to_play=rerun):
            table = Table(run.tournament) if rerun else None
            games = 0
            for played in store.games(run.number, number):
                games += 1
                if table is not None:
                    (game,) = run.tournament.games([played.rows[0].game])
                    if other := difference(played, table.play(game)):
                        raise RecordError(f"{file}, game {game.number}: played again, {other}")
                yield from replay_game(run.tournament, played, str(file))
                if show and played.fault is not None:
                    print(f"      fault of seat {played.fault.seat}, {played.fault.kind}: {played.fault.message}")
                    print(textwrap.indent(played.fault.traceback, "      "), end="")
            if table is not None:
                table.close()
            if number is not None and not games:
                raise RecordError(f"{file}: no game {number} is stored; it has {len(store.numbers(run.number))} games")


def read_position(position: str, deck: str | None, rule: list[str] | None, game: str) -> tuple[Game, State]:
    """Return the position, `-` for standard input, and the game that its first word names."""
    from dnup_ai.cli.settings import read_rules
    from dnup_ai.games import game_of

    text = _read_line() if position == "-" else position
    found = game_of(text, game)
    return found, found.parse_position(text, None if deck is None else found.load_deck(deck), read_rules(found, rule))


def _read_line() -> str:
    from dnup_ai.errors import NotationError

    if sys.stdin is None:
        raise NotationError("standard input: expected a position, but it is closed")
    try:
        return sys.stdin.readline().rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"standard input: expected a position as ASCII text: {error}") from error
