"""`dnup-ai deal`, `show`, `perft`, `replay`: single positions and records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from cython_core.game import State
    from dnup_ai.games import Game

POSITION = typer.Argument(help="A position (docs/notation.md), or - to read it from standard input.")
POSITION_DECK = typer.Option(None, "--deck", help="The file of the deck that the position names, if it does not ship.")


def deal(
    players: int = typer.Option(3, "--players", "-n", help="2 to 5."),
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
    found, state = _read(position, deck, rule, game)
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

    _, state = _read(position, deck, rule, game)
    try:
        counts = state.perft_divide(depth) if divide and depth > 0 else {}
        total = sum(counts.values()) if counts else state.perft(depth)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    for move, count in counts.items():
        print(f"{move} {count}")
    print(total)


def replay(
    file: Path = typer.Argument(help="Records of rounds, JSON Lines (docs/notation.md)."),
    show: bool = typer.Option(False, "--show", help="Print each round, move by move."),
    game: str = GAME,
) -> None:
    """Play records again and check every move, result and end; stop at the first fault, with file and line."""
    from dnup_ai.errors import RecordError
    from dnup_ai.games import game_named
    from tournaments.records import replay_file

    game_named(game)  # a game of one's own is known by its name once it is loaded
    rounds = 0
    for replayed in replay_file(file):
        rounds += 1
        if show:
            for line in replayed.lines():
                print(line)
    if not rounds:
        raise RecordError(f"{file}: no records in it")
    print(f"{file}: {rounds} {'round' if rounds == 1 else 'rounds'} replayed, all as recorded")


def _read(position: str, deck: str | None, rule: list[str] | None, game: str) -> tuple[Game, State]:
    """The position, and the game that its first word names."""
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
