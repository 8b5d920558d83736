"""`dnup-ai tournament`: bots play each other."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from tournaments.config import Tournament
    from tournaments.records import RecordWriter
    from tournaments.standings import Summary, Tally
    from tournaments.table import Played

DEFAULT_BOTS = "ismcts:iterations=200 greedy random"

app = typer.Typer(help="Play bots against each other, on the same deals from all seats.", no_args_is_help=True)


@app.callback()
def tournament() -> None:
    """Play bots against each other, on the same deals from all seats."""


@app.command()
def run(
    bots: list[str] | None = typer.Argument(
        None,
        help=f"Bots, as `dnup-ai bots` lists them or my_bots.py:Class (default: {DEFAULT_BOTS}).",
    ),
    more_bots: list[str] | None = typer.Option(None, "--bots", "-b", help="A bot more; may be given again."),
    players: int = typer.Option(3, "--players", "-n", help="Seats at the table, 2 to 5."),
    deals: int = typer.Option(300, help="Deals of cards; each is played with every seating."),
    seed: int | None = typer.Option(None, help="0 to 4294967295; the same seed plays the same games (default: drawn)."),
    workers: int | None = typer.Option(None, "--workers", "-j", help="Processes (default: one per core)."),
    lineup: str = typer.Option("all", help="all (every line-up of the bots), or one-vs-rest (A against n-1 B)."),
    unit: str = typer.Option("round", help="round (counts tokens), or match (counts matches won)."),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    repetition: int | None = typer.Option(
        None, help="End a round when a state occurs so often, 0: never (default: 3)."
    ),
    max_turns: int | None = typer.Option(None, help="End a round after so many turns (default: 1000)."),
    max_rounds: int | None = typer.Option(None, help="End a match after so many rounds (default: 100)."),
    records: Path | None = typer.Option(None, help="Write the rounds to this file, as JSON Lines."),
    force: bool = typer.Option(False, "--force", help="Write over the file of --records."),
    as_json: bool = typer.Option(False, "--json", help="Print the results as JSON."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
    game: str = GAME,
    allow_cheating: bool = typer.Option(
        False, "--allow-cheating", help="Let bots play that see all cards, like cheat: yardsticks, not players."
    ),
) -> None:
    """Play a round robin and print who won how much; Ctrl-C ends it and keeps what is finished."""
    common = {"repetition": repetition, "max_turns": max_turns, "max_rounds": max_rounds}
    rules = [*(rule or ()), *(f"{name}={value}" for name, value in common.items() if value is not None)]
    specs = [*(more_bots or ()), *(bots or ())] or DEFAULT_BOTS.split()
    settings = _settings(game, specs, players, deals, seed, deck, rules, lineup, unit, allow_cheating)
    began = perf_counter()
    summary, stopped = _play(settings, workers, records, force, quiet)
    _print(settings, summary, perf_counter() - began, _command(settings, deck), as_json, stopped)
    if isinstance(stopped, KeyboardInterrupt):
        raise typer.Exit(130)
    if stopped is not None:
        raise stopped


def _settings(
    game: str,
    specs: Iterable[str],
    players: int,
    deals: int,
    seed: int | None,
    deck: str | None,
    rules: list[str],
    lineup: str,
    unit: str,
    allow_cheating: bool,
) -> Tournament:
    import secrets

    from dnup_ai.bots.registry import parse_spec
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.games import game_named
    from tournaments.config import Tournament

    played = game_named(game)

    return Tournament(
        bots=tuple(map(parse_spec, specs)),
        players=players,
        deals=deals,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        deck=load_deck(played, deck),
        options=read_rules(played, rules),
        lineup=lineup,
        unit=unit,
        allow_cheating=allow_cheating,
        game=game,
    )


def _play(
    settings: Tournament, workers: int | None, records: Path | None, force: bool, quiet: bool
) -> tuple[Summary, BaseException | None]:
    """Play it; returns what is finished and what stopped it early, if anything did."""
    import sys
    from contextlib import ExitStack, redirect_stdout

    from dnup_ai.cli.progress import progress
    from dnup_ai.errors import DnupError
    from tournaments.records import RecordWriter
    from tournaments.runner import MAX_WORKERS, check_workers, play, sigint_held
    from tournaments.standings import Tally

    tally = Tally(settings)
    if workers is None:
        workers = min(_cores(), MAX_WORKERS)
    check_workers(workers)
    processes = min(workers, settings.game_count)
    writer = None if records is None else RecordWriter(records, force=force)
    try:
        with ExitStack() as stack:
            if writer is not None:
                stack.enter_context(writer)
            show = stack.enter_context(progress(settings.game_count, "games", quiet))
            # Standard output is for results, not for what bots print.
            stack.enter_context(redirect_stdout(sys.stderr))
            for done, played in enumerate(play(settings, processes, records=writer is not None), 1):
                with sigint_held():
                    _keep(played, tally, writer)
                show(done)
    except (KeyboardInterrupt, DnupError) as error:
        return tally.summary(), error
    return tally.summary(), None


def _keep(played: Played, tally: Tally, writer: RecordWriter | None) -> None:
    if writer is not None:
        writer.write(played.records)
    tally.add(played)


def _print(
    settings: Tournament,
    summary: Summary,
    seconds: float,
    command: str,
    as_json: bool,
    stopped: BaseException | None,
) -> None:
    if as_json:
        import json

        about = {
            "game": settings.game,
            "bots": settings.names(),
            "players": settings.players,
            "deck": settings.deck.name,
            "lineup": settings.lineup,
            "seed": settings.seed,
            "rules": settings.rules().options(),
        }
        result = {
            **about,
            **summary.to_dict(),
            "seconds": seconds,
            "complete": stopped is None,
            "command": command,
        }
        print(json.dumps(result, indent=2))
        return
    from dnup_ai.cli.standings import print_summary

    if stopped is not None:
        why = "Ctrl-C" if isinstance(stopped, KeyboardInterrupt) else "an error"
        finished = "this is what is finished:" if summary.games else "no game is finished"
        print(f"stopped by {why}; {finished}")
    if summary.games:
        print_summary(settings, summary, seconds, command)


def _command(settings: Tournament, deck: str | None) -> str:
    """The command that plays the same again."""
    import shlex

    words = ["dnup-ai", "tournament", "run", *map(str, settings.bots)]
    words += [f"--players={settings.players}", f"--deals={settings.deals}", f"--seed={settings.seed}"]
    optional = {
        "game": (settings.game, "dnup"),
        "lineup": (settings.lineup, "all"),
        "unit": (settings.unit, "round"),
        "deck": (deck, None),
    }
    words += [f"--{name}={value}" for name, (value, default) in optional.items() if value != default]
    words += ["--allow-cheating"] if settings.allow_cheating else []
    words += [f"--rule={name}={value}" for name, value in settings.rules().options().items()]
    return shlex.join(words)


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
