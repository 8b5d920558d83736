"""The commands of `dnup-ai`, put together."""

from __future__ import annotations

import typer

from dnup_ai.cli import (
    analyse,
    assist,
    bench,
    bots,
    decks,
    fit_eval,
    play,
    positions,
    rules,
    suggest,
    tournament,
    tune,
)

app = typer.Typer(
    help="Research engine for AI opponents in hidden-hand shedding card games, starting with dnup.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"dnup-ai {version('dnup-ai')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


app.command()(suggest.suggest)
app.add_typer(tournament.app, name="tournament")
app.command()(tune.tune)
app.command()(play.play)
app.command()(bots.bots)
app.command()(rules.rules)
app.add_typer(decks.app, name="decks")
app.command()(positions.deal)
app.command()(positions.show)
app.command()(positions.perft)
app.command()(positions.replay)
app.command()(assist.assist)
app.command()(analyse.analyse)
app.command()(bench.bench)
app.command()(fit_eval.fit_eval)
