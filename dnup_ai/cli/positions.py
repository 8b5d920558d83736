"""`dnup-ai deal`, `show`, `perft`, `replay`: single positions and records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cython_core.dnup import DnupState

DECK_HELP = "A deck that ships, or a deck file. For positions: the file of the deck that they name."
POSITION = typer.Argument(help="A position (docs/notation.md), or - to read it from standard input.")
DECK = typer.Option(None, "--deck", help=DECK_HELP)
OUT_SETS = typer.Option("open", help="Sets of players who are out: open (may be added to, taken) or frozen.")


def deal(
    players: int = typer.Option(3, "--players", "-n", help="2 to 5."),
    seed: int = typer.Option(0, help="0 to 4294967295; the deals of a tournament run with this seed."),
    index: int = typer.Option(0, "--deal", help="Which deal of that run, from 0."),
    view: int | None = typer.Option(None, help="Show only what this seat may know."),
    deck: str = typer.Option("standard", help=DECK_HELP),
) -> None:
    """Shuffle, deal, and print the position."""
    from cython_core.rng import Rng
    from dnup_ai.decks import load_deck
    from dnup_ai.errors import ConfigError

    for name, value in (("seed", seed), ("deal", index)):
        if not 0 <= value < 2**32:
            raise ConfigError(f"{name}: expected 0 to {2**32 - 1}, got {value}")
    state = load_deck(deck).rules(players).deal(Rng(seed, index))
    if view is None:
        print(state)
        return
    if not 0 <= view < players:
        raise ConfigError(f"view: expected seat 0..{players - 1}, got {view}")
    print(state.observe(view))


def show(position: str = POSITION, deck: str | None = DECK, out_sets: str = OUT_SETS) -> None:
    """Draw a position and list its legal moves."""
    from dnup_ai.decks import RECONSTRUCTION_NOTE
    from dnup_ai.draw import draw_state

    state = _read(position, deck, out_sets)
    print(draw_state(state))
    print()
    if state.turn is None:
        print("the round is over; tokens that it gave: " + ", ".join(map(str, state.result())))
    elif state.view not in (None, state.turn):
        print(f"seat {state.turn} is to move; its legal moves cannot be known from the view of seat {state.view}")
    else:
        moves = state.legal_moves()
        print(f"{len(moves)} legal {'move' if len(moves) == 1 else 'moves'}:")
        for move in moves:
            print(f"  {move}")
    if state.rules.deck == "standard":
        print()
        print(RECONSTRUCTION_NOTE)


def perft(
    position: str = POSITION,
    depth: int = typer.Option(..., help="Number of turns, 0 to 100."),
    divide: bool = typer.Option(False, "--divide", help="Also print the count behind each first move."),
    deck: str | None = DECK,
    out_sets: str = OUT_SETS,
) -> None:
    """Count the move sequences of exactly that many turns from a true position."""
    from dnup_ai.errors import ConfigError

    state = _read(position, deck, out_sets)
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
) -> None:
    """Play records again and check every move, result and end; stop at the first fault, with file and line."""
    from dnup_ai.errors import RecordError
    from tournaments.records import replay_file

    rounds = 0
    for replayed in replay_file(file):
        rounds += 1
        if show:
            for line in replayed.lines():
                print(line)
    if not rounds:
        raise RecordError(f"{file}: no records in it")
    print(f"{file}: {rounds} {'round' if rounds == 1 else 'rounds'} replayed, all as recorded")


def _read(position: str, deck: str | None, out_sets: str) -> DnupState:
    from dnup_ai.decks import load_deck
    from dnup_ai.notation import parse_position

    text = _read_line() if position == "-" else position
    return parse_position(text, None if deck is None else load_deck(deck), out_sets=out_sets)


def _read_line() -> str:
    from dnup_ai.errors import NotationError

    if sys.stdin is None:
        raise NotationError("standard input: expected a position, but it is closed")
    try:
        return sys.stdin.readline().rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NotationError(f"standard input: expected a position as ASCII text: {error}") from error
