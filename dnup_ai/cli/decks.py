"""`dnup-ai decks`: which decks there are, and help with one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import GAME

if TYPE_CHECKING:
    from dnup_ai.games import Game

_OWN_GAME = typer.Option(None, "--game", help="A game of the engine, or your own as my_game.py:Class (default: dnup).")

app = typer.Typer(help="List decks, check a deck file, print a template of one.", invoke_without_command=True)


@app.callback()
def decks(context: typer.Context, game: str = GAME) -> None:
    """List the decks that ship, check a deck file, or print one to fill in."""
    from dnup_ai.games import game_named

    found = context.obj = game_named(game)
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Decks of {found.name} that ship")
    table.add_column("deck")
    for column in found.deck_columns:
        table.add_column(column, justify="left" if " " in column else "right")
    for name in found.shipped_decks():
        table.add_row(name, *found.deck_row(found.load_deck(name)))
    console = Console()
    console.print(table)
    for name in found.shipped_decks():
        if note := found.deck_note(name):
            console.print(note, highlight=False)


@app.command()
def check(
    context: typer.Context,
    file: Path = typer.Argument(help="A deck file (TOML)."),
    game: str | None = _OWN_GAME,
) -> None:
    """Say all that is wrong with a deck file, and where; exit code 1 if there is anything."""
    found = _game(context, game)
    problems = found.check_deck(file)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(1)
    deck = found.load_deck(file)
    players = ", ".join(map(str, found.player_counts(deck)))
    print(f"{file}: deck {deck.name} is sound: {found.deck_row(deck)[0]} cards, for {players} players")


@app.command()
def template(context: typer.Context, game: str | None = _OWN_GAME) -> None:
    """Print a deck file to fill in with the cards of a box."""
    print(_game(context, game).deck_template(), end="")


def _game(context: typer.Context, name: str | None) -> Game:
    """The game that a command names itself, else the one named before it."""
    from dnup_ai.games import game_named

    before: Game = context.obj
    return before if name is None else game_named(name)
