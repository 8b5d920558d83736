"""`dnup-ai decks`: which decks there are, and help with one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import GAME

if TYPE_CHECKING:
    from dnup_ai.games import Game

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
def check(context: typer.Context, file: Path = typer.Argument(help="A deck file (TOML).")) -> None:
    """Say all that is wrong with a deck file, and where; exit code 1 if there is anything."""
    game: Game = context.obj
    problems = game.check_deck(file)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(1)
    deck = game.load_deck(file)
    players = ", ".join(map(str, game.player_counts(deck)))
    print(f"{file}: deck {deck.name} is sound: {game.deck_row(deck)[0]} cards, for {players} players")


@app.command()
def template(context: typer.Context) -> None:
    """Print a deck file to fill in with the cards of a box."""
    game: Game = context.obj
    print(game.deck_template(), end="")
