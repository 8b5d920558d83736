"""`dnup-ai rules`: a game's rules as they are played here."""

from __future__ import annotations

import typer


def rules(game: str = typer.Argument("dnup", help="A game of the engine, or your own as my_game.py:Class.")) -> None:
    """Print the rules as played, with their options and what was decided where the sources are silent."""
    from rich.console import Console
    from rich.markdown import Markdown

    from dnup_ai.games import game_named

    page = game_named(game).rules_page()
    console = Console()
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        print(page, end="")
