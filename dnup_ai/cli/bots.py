"""`dnup-ai bots`: which bots there are, and their parameters."""

from __future__ import annotations

import typer


def bots(
    game: str = typer.Option("dnup", "--game", help="A game of the engine: the defaults that are its own are listed."),
) -> None:
    """List the bots with their parameters: types, defaults, what is allowed."""
    import inspect

    from rich.console import Console
    from rich.table import Table

    from dnup_ai.bots.registry import shipped_bots
    from dnup_ai.games import game_named
    from dnup_ai.params import Parameter, describe_params

    defaults = game_named(game).search_defaults()
    console = Console(highlight=False, markup=False)
    listed = Table("bot", "what it does")
    takers: dict[tuple[Parameter, ...], list[str]] = {}
    for name, bot in shipped_bots().items():
        listed.add_row(name, (inspect.getdoc(bot) or "").partition("\n")[0])
        if parameters := describe_params(bot.Params):
            takers.setdefault(parameters, []).append(name)
    console.print(listed)
    for parameters, names in takers.items():
        table = Table(title=f"Parameters of {', '.join(names)}", title_justify="left")
        for column in ("parameter", "type", "default", "allowed", "meaning"):
            table.add_column(column, no_wrap=column in ("parameter", "type", "default"))
        for parameter in parameters:
            default = str(parameter.default)
            table.add_row(parameter.name, parameter.type.__name__, default, parameter.allowed(), parameter.help)
        console.print(table)
    counts: dict[str, list[int]] = {}
    for players, own in defaults.items():
        if own:
            counts.setdefault(", ".join(f"{name}={value}" for name, value in own.items()), []).append(players)
    for values, at in counts.items():
        players_text = " and ".join(filter(None, (", ".join(map(str, at[:-1])), str(at[-1]))))
        console.print(f"Defaults of {game_named(game).name} at {players_text} players for bots that search: {values}.")
    console.print("Use: NAME or NAME:parameter=value,parameter=value, as greedy:epsilon=0.1.")
    console.print("Your own: my_bots.py:Class, a subclass of dnup_ai.bots.Bot, with parameters in the same way.")
