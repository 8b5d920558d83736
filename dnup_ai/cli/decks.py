"""`dnup-ai decks`: which decks there are, and help with one's own."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(help="List decks, check a deck file, print a template of one.", invoke_without_command=True)


@app.callback()
def decks(context: typer.Context) -> None:
    """List the decks that ship, check a deck file, or print one to fill in."""
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console
    from rich.table import Table

    from dnup_ai.decks import RECONSTRUCTION_NOTE, load_deck, shipped_decks

    table = Table(title="Decks that ship")
    for column, justify in (("deck", "left"), ("cards", "right"), ("values", "right"), ("star", "right")):
        table.add_column(column, justify="right" if justify == "right" else "left")
    table.add_column("cards in play, by number of players")
    for name in shipped_decks():
        deck = load_deck(name)
        values = sorted({value for card in deck.cards for value in card})
        in_play = ", ".join(f"{players}: {len(deck.cards_at(players))}" for players in deck.player_counts())
        star = f"{deck.star[0]}/{deck.star[1]}"
        table.add_row(name, str(len(deck.cards)), f"{values[0]}-{values[-1]}", star, in_play)
    console = Console()
    console.print(table)
    console.print(RECONSTRUCTION_NOTE, highlight=False)


@app.command()
def check(file: Path = typer.Argument(help="A deck file (TOML).")) -> None:
    """Say all that is wrong with a deck file, and where; exit code 1 if there is anything."""
    from dnup_ai.decks import check_deck, load_deck

    problems = check_deck(file)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(1)
    deck = load_deck(file)
    players = ", ".join(map(str, deck.player_counts()))
    print(f"{file}: deck {deck.name} is sound: {len(deck.cards)} cards, for {players} players")


@app.command()
def template() -> None:
    """Print a deck file to fill in with the cards of a box."""
    from dnup_ai.decks import deck_template

    print(deck_template(), end="")
