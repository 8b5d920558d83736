"""`dnup-ai tournament`: bots play each other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dnup_ai.cli import tournament_files
from dnup_ai.cli.settings import DECK, GAME, PLAYERS, RULE, cores, free_path, print_presets, read_numbers

if TYPE_CHECKING:
    from tournaments.config import Tournament
    from tournaments.ledger import Ledger
    from tournaments.store import Store

app = typer.Typer(help="Play bots against each other, on the same deals from all seats.", no_args_is_help=True)

BOTS = typer.Argument(
    None,
    help="Bots, as `dnup-ai bots` lists them or my_bots.py:Class (default: ismcts:iterations=200 greedy random).",
)
SEED = typer.Option(None, help="0 to 4294967295; the same seed plays the same games (default: drawn).")
MOVE_LIMIT = typer.Option(None, help="Seconds after which a bot that has not moved is at fault (default: 60).")
ON_FAULT = typer.Option(
    None, help="forfeit (0 for the offender, void for the others; default), void (for all), or stop."
)
CONCURRENCY = typer.Option(None, "--concurrency", "-j", help="Processes that play (default: one per core).")
CLUSTER = typer.Option(
    None, help="Play on the Dask scheduler at this address, as tcp://host:8786; local: on one started here."
)
STORE = typer.Option(
    None, "--store", "-o", help="File that keeps the games (default: tournament-SEED.sqlite); :memory: keeps none."
)
FORCE = typer.Option(False, "--force", help="Write over that file if it is there.")
JSON = typer.Option(False, "--json", help="Print the results as JSON.")
QUIET = typer.Option(False, "--quiet", "-q", help="Show no progress.")
CHEATING = typer.Option(
    False, "--allow-cheating", help="Let bots play that see all cards, like cheat: yardsticks, not players."
)


@app.callback()
def tournament() -> None:
    """Play bots against each other, on the same deals from all seats."""


@app.command()
def run(
    bots: list[str] | None = BOTS,
    preset: str | None = typer.Option(None, help="Start from a preset; `dnup-ai tournament presets` lists them."),
    config: Path | None = typer.Option(None, help="Start from a TOML file (docs/tournaments.md)."),
    players: int | None = typer.Option(None, "--players", "-n", help=f"{PLAYERS}; default: 3."),
    deals: int | None = typer.Option(None, help="Deals of cards, each for every line-up (default: 300)."),
    seed: int | None = SEED,
    format: str | None = typer.Option(
        None, help="round-robin (every line-up), gauntlet (the first bot against the others), head-to-head (pairs)."
    ),
    lineup: str | None = typer.Option(
        None, help="Of head-to-head: alternating (A B A B), or one-vs-rest (A B B B); each with its complement."
    ),
    challengers: int | None = typer.Option(None, help="Of a gauntlet: how many of the first bots (default: 1)."),
    max_lineups: int | None = typer.Option(
        None, help="Of more line-ups a balanced random choice of so many plays (default: 1000)."
    ),
    unit: str | None = typer.Option(None, help="round (counts tokens; default), or match (counts matches won)."),
    sprt: str | None = typer.Option(
        None, help="Stop a head-to-head of two bots once it is decided: t0=0,t1=0.1[,alpha=0.05,beta=0.05]."
    ),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    repetition: int | None = typer.Option(
        None, help="End a round when a state occurs so often, 0: never (default: 3)."
    ),
    max_turns: int | None = typer.Option(None, help="End a round after so many turns (default: 1000)."),
    max_rounds: int | None = typer.Option(None, help="End a match after so many rounds (default: 100)."),
    move_limit: float | None = MOVE_LIMIT,
    on_fault: str | None = ON_FAULT,
    concurrency: int | None = CONCURRENCY,
    cluster: str | None = CLUSTER,
    store: Path | None = STORE,
    force: bool = FORCE,
    as_json: bool = JSON,
    quiet: bool = QUIET,
    game: str = GAME,
    allow_cheating: bool = CHEATING,
) -> None:
    """Play a tournament, keep its games in a file, and print who won how much; Ctrl-C ends it and keeps all."""
    given = {
        "bots": bots or None,
        "players": players,
        "deals": deals,
        "seed": seed,
        "deck": deck,
        "format": format,
        "lineup": lineup,
        "challengers": challengers,
        "max_lineups": max_lineups,
        "unit": unit,
        "move_limit": move_limit,
        "on_fault": on_fault,
        "sprt": None if sprt is None else read_numbers("--sprt", sprt, "t0=0,t1=0.1[,alpha=0.05,beta=0.05]"),
        "game": None if game == "dnup" else game,
        "allow_cheating": allow_cheating or None,
    }
    common = {"repetition": repetition, "max_turns": max_turns, "max_rounds": max_rounds}
    rules = [*(rule or ()), *(f"{name}={value}" for name, value in common.items() if value is not None)]
    settings = _settings(preset, config, {name: value for name, value in given.items() if value is not None}, rules)
    _play_new(settings, store, force, concurrency, cluster, as_json, quiet)


@app.command()
def sprt(
    bots: list[str] | None = typer.Argument(None, help="Two bots: is the first better than the second?"),
    players: int = typer.Option(3, "--players", "-n", help=f"{PLAYERS}."),
    t0: float = typer.Option(0.0, help="Null hypothesis: mean difference on a deal by its standard deviation."),
    t1: float = typer.Option(0.1, help="Alternative: the same, above t0."),
    alpha: float = typer.Option(0.05, help="Chance to find t1 where t0 is true, at most."),
    beta: float = typer.Option(0.05, help="Chance to find t0 where t1 is true, at most."),
    max_deals: int = typer.Option(10_000, help="Inconclusive after so many deals."),
    batch: int = typer.Option(10, help="Deals between two looks at the result."),
    lineup: str = typer.Option("alternating", help="alternating (A B A B), or one-vs-rest (A B B B)."),
    unit: str = typer.Option("round", help="round (counts tokens), or match (counts matches won)."),
    counts: str | None = typer.Option(
        None, help="Play nothing: differences on deals and how often each came, as -1:120,0:310,1:170."
    ),
    seed: int | None = SEED,
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    move_limit: float | None = MOVE_LIMIT,
    on_fault: str | None = ON_FAULT,
    concurrency: int | None = CONCURRENCY,
    cluster: str | None = CLUSTER,
    store: Path | None = STORE,
    force: bool = FORCE,
    as_json: bool = JSON,
    quiet: bool = QUIET,
    game: str = GAME,
    allow_cheating: bool = CHEATING,
) -> None:
    """Test whether a bot is better than another, on as few deals as it takes (sequential probability ratio test)."""
    from dnup_ai.errors import ConfigError

    test = {"t0": t0, "t1": t1, "alpha": alpha, "beta": beta, "batch": batch}
    if counts is not None:
        if bots:
            raise ConfigError("sprt: expected two bots or --counts, got both")
        tournament_files.print_counts(counts, test, as_json)
        return
    if len(bots or ()) != 2:
        raise ConfigError(f"sprt: expected two bots, or --counts, got {len(bots or ())} bots")
    given: dict[str, Any] = {
        "bots": bots, "players": players, "deals": max_deals, "seed": seed, "deck": deck, "format": "head-to-head",
        "lineup": lineup, "unit": unit, "sprt": test, "game": game, "allow_cheating": allow_cheating,
        "move_limit": move_limit, "on_fault": on_fault,
    }  # fmt: skip
    settings = _settings(None, None, {name: value for name, value in given.items() if value is not None}, rule or [])
    _play_new(settings, store, force, concurrency, cluster, as_json, quiet)


@app.command()
def resume(
    file: Path = typer.Argument(help="File of a tournament."),
    deals: int | None = typer.Option(None, help="Play on to so many deals, more than before."),
    accept_changes: bool = typer.Option(
        False, "--accept-changes", help="Play on although the code or a bot has changed since."
    ),
    concurrency: int | None = CONCURRENCY,
    cluster: str | None = CLUSTER,
    as_json: bool = JSON,
    quiet: bool = QUIET,
) -> None:
    """Play the games of a tournament that its file lacks: all of the schedule that is not stored."""
    import dataclasses

    from dnup_ai.errors import ConfigError
    from tournaments.session import changes
    from tournaments.store import Store

    runs = []
    with Store.open(file) as store:
        for found in store.runs(to_play=True):
            settings = found.tournament
            if deals is not None:
                if deals < settings.deals:
                    raise ConfigError(f"deals: expected {settings.deals} or more, which the file has, got {deals}")
                settings = dataclasses.replace(settings, deals=deals)
            sessions = store.sessions(found.number)
            if sessions and not accept_changes and (changed := changes(settings, sessions[-1])):
                raise ConfigError(
                    f"{file}: {'; '.join(changed)}: games before and after would not be alike; "
                    "--accept-changes plays on all the same"
                )
            runs.append(settings)
        _play(runs, store, concurrency, cluster, as_json, quiet)


@app.command()
def presets(
    name: str | None = typer.Argument(None, help="Print this one, to change it and give it as --config."),
) -> None:
    """List the tournaments that ship."""
    from tournaments.config_file import PRESETS

    print_presets(PRESETS, name)


tournament_files.add_commands(app)


def _settings(preset: str | None, config: Path | None, given: dict[str, Any], rules: list[str]) -> Tournament:
    """The tournament that preset or file and command line describe; the command line comes last."""
    from dnup_ai.cli.settings import read_rules
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named
    from tournaments.config_file import PRESETS, make_tournament, read_config
    from tournaments.preset_files import read_preset

    if preset is not None and config is not None:
        raise ConfigError("expected --preset or --config, got both")
    base = {}
    if preset is not None:
        base = read_preset(PRESETS, preset, read_config)
    elif config is not None:
        base = read_config(config)
    settings = {**base, **given}
    if rules:
        game = game_named(settings.get("game", "dnup"))
        settings["rules"] = {**settings.get("rules", {}), **read_rules(game, rules)}
    return make_tournament(settings)


def _play_new(
    settings: Tournament,
    path: Path | None,
    force: bool,
    concurrency: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    from tournaments.store import Store, remove_if_empty

    with ExitStack() as after, Store.create(path or free_path(f"tournament-{settings.seed}"), force=force) as store:
        after.callback(remove_if_empty, store.path)
        _play([settings], store, concurrency, cluster, as_json, quiet)


def _play(
    runs: Sequence[Tournament],
    store: Store,
    concurrency: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play what is missing and print the results, also of what was played before something stopped it.

    runs: all those of the store, which differ in the seed.
    """
    import signal
    import sys
    from contextlib import redirect_stdout
    from time import perf_counter

    from dnup_ai.cli.live import live
    from dnup_ai.errors import DnupError
    from tournaments.ledger import Ledger
    from tournaments.runner import MAX_WORKERS, check_concurrency
    from tournaments.session import play_missing

    workers = min(cores(), MAX_WORKERS) if concurrency is None else concurrency
    check_concurrency(workers)
    stopped: BaseException | None = None
    began = perf_counter()
    for settings in runs:
        ledger = Ledger(settings)
        # Standard output is for results, not for what bots print.
        with live(settings, ledger, quiet) as show, redirect_stdout(sys.stderr):
            try:
                few = min(workers, settings.game_count)
                play_missing(settings, store, ledger, concurrency=few, cluster=cluster, show=show)
            except (KeyboardInterrupt, DnupError) as error:
                if isinstance(error, DnupError) and not store.playing:
                    raise  # it never began, so there is nothing to say of games
                stopped = error
                # The results are on their way: whoever presses Ctrl-C again need not lose them.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                break
    try:
        store.commit()
    except DnupError as error:
        stopped = stopped or error
    if len(runs) > 1:
        ledger = tournament_files.read_ledger(store)
        runs = [run.tournament for run in store.runs()]
    _print(ledger, runs, store.path, perf_counter() - began, as_json, stopped)
    if isinstance(stopped, KeyboardInterrupt):
        raise typer.Exit(130)
    if stopped is not None:
        raise stopped


def _print(
    ledger: Ledger,
    runs: Sequence[Tournament],
    path: Path,
    seconds: float,
    as_json: bool,
    stopped: BaseException | None,
) -> None:
    from dnup_ai.cli.standings import print_json, print_summary
    from tournaments.commands import report_command, resume_command
    from tournaments.standings import summarise
    from tournaments.store import MEMORY, holds_games

    # On a full disk games may be finished that are not stored.
    stored = holds_games(path)
    remedy = resume_command(path) if stored and stopped is not None else None
    if as_json:
        print_json(summarise(ledger), runs, seconds=seconds, complete=stopped is None, resume=remedy, store=str(path))
        return
    if stopped is not None:
        why = "Ctrl-C" if isinstance(stopped, KeyboardInterrupt) else "an error"
        print(f"stopped by {why}; " + ("this is what is finished:" if ledger.games else "no game is finished"))
    if ledger.games:
        print_summary(summarise(ledger), runs, seconds)
    if remedy:
        print(f"play on with: {remedy}")
    elif stored:
        print(f"games in {path}; page with plots: {report_command(path)}")
    elif ledger.games and path != MEMORY:
        print("none of these games is stored")
