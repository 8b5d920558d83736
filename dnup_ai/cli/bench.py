"""`dnup-ai bench`: speed of the core on this machine."""

from __future__ import annotations

import typer

from dnup_ai.cli.settings import DECK, GAME


def bench(
    players: str | None = typer.Option(None, help="Numbers of players, with commas (default: all of the deck)."),
    repeats: int = typer.Option(10, min=1, help="Interleaved repeats; the best counts, the worst shows the noise."),
    deck: str | None = DECK,
    game: str = GAME,
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Time copy, legal moves, apply + undo, and whole random and greedy rounds, on one core."""
    import json
    from functools import partial

    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from dnup_ai.bench import as_json as to_json
    from dnup_ai.bench import machine, run_bench
    from dnup_ai.cli.settings import load_deck
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named

    played = game_named(game)
    box = load_deck(played, deck)
    try:
        counts = played.player_counts(box) if players is None else tuple(dict.fromkeys(map(int, players.split(","))))
    except ValueError as error:
        raise ConfigError(f"--players: expected numbers with commas, like 2,3, got {players!r}") from error
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("timing", total=repeats * len(counts))
        measures = run_bench(lambda n: played.rules(box, n, {}), counts, repeats, partial(progress.advance, task))
    if as_json:
        print(json.dumps(to_json(measures, repeats), indent=2))
        return
    figures = {(measure.players, measure.what): measure for measure in measures}
    table = Table(
        title=f"Speed of {played.name}: best of {repeats} interleaved repeats (+ or x: the worst)", title_justify="left"
    )
    table.add_column("")
    for n in counts:
        table.add_column(f"{n} players", justify="right")
    for what, unit in dict.fromkeys((measure.what, measure.unit) for measure in measures):
        cells = [figures[n, what] for n in counts]
        form = "{:,.0f}" if unit == "rounds/s" else "{:.1f}"
        label = f"{what}/s" if unit == "rounds/s" else f"{what}, {unit}"
        table.add_row(label, *(f"{form.format(cell.best)} {_excess(cell.spread)}" for cell in cells))
    out = Console()
    out.print(table)
    facts = machine()
    out.print(
        f"{facts['processor']}, {facts['cores']} cores, load {facts['load_1min']}, "
        f"Python {facts['python']}, {facts['system']}",
        highlight=False,
    )


def _excess(spread: float) -> str:
    """How much worse the worst repeat was, in at most 4 characters up to a factor of 1000."""
    if spread < 1.995:
        return f"+{100 * (spread - 1):.0f}%"
    return f"x{spread:.1f}" if spread < 9.95 else f"x{spread:.0f}"
