"""`dnup-ai bots`: which bots there are, and their parameters."""

from __future__ import annotations


def bots() -> None:
    """List the bots with their parameters: types, defaults, what is allowed."""
    import inspect

    from rich.console import Console
    from rich.table import Table

    from dnup_ai.bots.registry import shipped_bots
    from dnup_ai.params import describe_params

    table = Table()
    for column in ("bot", "parameter", "type", "default", "allowed", "meaning"):
        table.add_column(column, no_wrap=column in ("bot", "parameter", "type", "default"))
    for name, bot in shipped_bots().items():
        about = (inspect.getdoc(bot) or "").partition("\n")[0]
        table.add_row(name, "", "", "", "", about)
        for parameter in describe_params(bot.Params):
            default = str(parameter.default)
            row = (parameter.name, parameter.type.__name__, default, parameter.allowed(), parameter.help)
            table.add_row("", *row)
        table.add_section()
    console = Console(highlight=False, markup=False)
    console.print(table)
    console.print("Use: NAME or NAME:parameter=value,parameter=value, as greedy:epsilon=0.1.")
    console.print("Your own: my_bots.py:Class, a subclass of dnup_ai.bots.Bot, with parameters in the same way.")
