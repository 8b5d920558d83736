"""`dnup-ai tune`: finds better parameters of a bot, and proves that they are better."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from dnup_ai.cli.settings import DECK, RULE, cores, free_path, print_presets, read_numbers

if TYPE_CHECKING:
    from tournaments.store import Store
    from tournaments.tune.config import Study
    from tournaments.tune.summary import StudySummary

_TEST_FORM = "t1=0.05[,alpha=0.025,...]"


class _How(NamedTuple):
    """What plays a study, and how it is shown: all that changes nothing about it."""

    concurrency: int | None
    cluster: str | None
    report: Path | None
    as_json: bool
    quiet: bool


def tune(
    target: str | None = typer.Argument(
        None, help="A TOML file (docs/tune.md), or a bot with the parameters that stay, as ismcts:iterations=200."
    ),
    preset: str | None = typer.Option(
        None, help="Start from a preset; a bot that is given comes in the place of its own."
    ),
    print_only: bool = typer.Option(
        False, "--print", help="Only print that preset, to change it and give it as a file; without one list them."
    ),
    resume: Path | None = typer.Option(None, "--resume", help="Go on with the study of this file, or show it again."),
    players: str | None = typer.Option(
        None, "--players", "-n", help="Seats at the table, or several numbers, as 2,3,4: the mean counts (default: 3)."
    ),
    params: str | None = typer.Option(
        None,
        help="Parameters to tune, as exploration,rollout_turns, at the levels that the bot declares (default: all).",
    ),
    levels: list[str] | None = typer.Option(
        None, help="A parameter to tune at levels of your own, as exploration=0.2,0.4,0.8; may be given again."
    ),
    opponent: list[str] | None = typer.Option(
        None, help="Whom it plays; given again: a pool (default: the bot as it is)."
    ),
    games: int | None = typer.Option(None, help="Budget of search and race (default: 20000)."),
    hours: float | None = typer.Option(None, help="The same as time, the longest confirmation included."),
    optimiser: str | None = typer.Option(None, help="ntbea (default), cmaes, or random."),
    confirm: bool | None = typer.Option(
        None, "--confirm/--no-confirm", help="Test the winner on deals never used before (default: yes)."
    ),
    test: str | None = typer.Option(None, help="Of that test: t1=0.05,alpha=0.025,beta=0.05,batch=100,max_deals=1000."),
    settings: int | None = typer.Option(None, help="Settings in an iteration of the search (default: 8)."),
    deals: int | None = typer.Option(None, help="Deals in an iteration of the search (default: 10)."),
    finalists: int | None = typer.Option(None, help="Settings that race, besides the default (default: 8)."),
    seed: int | None = typer.Option(None, help="0 to 4294967295; the same seed does the same (default: drawn)."),
    lineup: str | None = typer.Option(None, help="alternating (A B A B; default), or one-vs-rest (A B B B)."),
    unit: str | None = typer.Option(None, help="round (counts points; default), or match (counts matches won)."),
    game: str | None = typer.Option(
        None, help="A game of the engine, or your own as my_game.py:Class (default: dnup)."
    ),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    move_limit: float | None = typer.Option(None, help="Seconds after which a bot is at fault (default: 60)."),
    on_fault: str | None = typer.Option(
        None, help="stop (default), or forfeit: who is at fault in a game gets nothing there, the others all."
    ),
    allow_cheating: bool = typer.Option(False, "--allow-cheating", help="Let bots play that see all cards."),
    accept_changes: bool = typer.Option(
        False, "--accept-changes", help="Go on although the code or a bot has changed since."
    ),
    concurrency: int | None = typer.Option(
        None, "--concurrency", "-j", help="Processes that play (default: one per core)."
    ),
    cluster: str | None = typer.Option(
        None, help="Play on the Dask scheduler at this address, as tcp://host:8786; local: on one started here."
    ),
    store: Path | None = typer.Option(
        None, "--store", "-o", help="File that keeps the games (default: tune-SEED.sqlite); :memory: keeps none."
    ),
    force: bool = typer.Option(False, "--force", help="Write over that file, or the report, if it is there."),
    report: Path | None = typer.Option(None, help="Write a page with plots to this file."),
    as_json: bool = typer.Option(False, "--json", help="Print what was found as JSON."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
) -> None:
    """Search better parameters of a bot, race the best against the default, and prove the winner on unseen deals.

    All games are kept in a file; Ctrl-C ends it and keeps all, and --resume goes on.
    """
    import dataclasses

    from dnup_ai.errors import ConfigError, StoreError
    from tournaments.store import Store, remove_if_empty
    from tournaments.tune import session
    from tournaments.tune.config_file import PRESETS

    if print_only:
        print_presets(PRESETS, preset)
        return
    if report is not None and report.exists() and not force:
        raise StoreError(f"{report}: there is such a file already; --force writes over it")
    given = {
        "players": None if players is None else _numbers(players),
        "opponents": opponent or None, "games": games, "hours": hours, "optimiser": optimiser, "settings": settings,
        "deals": deals, "finalists": finalists, "seed": seed, "lineup": lineup, "unit": unit, "game": game,
        "deck": deck, "move_limit": move_limit, "on_fault": on_fault, "allow_cheating": allow_cheating or None,
        "confirm": confirm if test is None or confirm is False else read_numbers("--test", test, _TEST_FORM),
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    how = _How(concurrency, cluster, report, as_json, quiet)
    if resume is None:
        study = _study(target, preset, given, params, levels or [], rule or [])
        path = store or free_path(f"tune-{study.seed}")
        with ExitStack() as after, Store.create(path, force=force) as opened:
            after.callback(remove_if_empty, opened.path)
            session.begin_study(opened, study)
            _play(study, opened, how)
        return
    if store is not None:
        raise ConfigError("expected --resume or --store, got both")
    with Store.open(resume) as opened:
        study = session.stored_study(opened)
        if target is not None or preset is not None:
            wanted = {"seed": study.seed, **given}
            session.check_same(opened, _study(target, preset, wanted, params, levels or [], rule or []))
        elif params or levels or rule or given.keys() - {"on_fault"}:
            raise ConfigError("--resume goes on with the settings of the file: of a study only --on-fault may change")
        session.check_unchanged(opened, study, accept_changes)
        if on_fault is not None and on_fault != study.on_fault:
            study = dataclasses.replace(study, on_fault=on_fault)
            session.keep_study(opened, study)
        _play(study, opened, how)


def _study(
    target: str | None,
    preset: str | None,
    given: dict[str, Any],
    params: str | None,
    levels: list[str],
    rules: list[str],
) -> Study:
    """The study that a file or preset and the command line describe; the command line comes last."""
    from dnup_ai.bots import parse_spec
    from dnup_ai.cli.settings import read_rules
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named
    from dnup_ai.toml_files import is_path
    from tournaments.preset_files import read_preset
    from tournaments.tune.config_file import PRESETS, make_study, read_study
    from tournaments.tune.levels import read_levels

    is_file = target is not None and is_path(target) and ".py" not in target
    if is_file and preset is not None:
        raise ConfigError("expected --preset or a file, got both")
    if target is None and preset is None:
        raise ConfigError("expected a bot to tune, a TOML file, or --preset (--print lists them); --help says more")
    base = {}
    if preset is not None:
        base = read_preset(PRESETS, preset, read_study)
    elif is_file:
        base = read_study(Path(target or ""))
    if target is not None and not is_file:
        given["bot"] = target
    if "games" in given or "hours" in given:
        base = {name: value for name, value in base.items() if name not in ("games", "hours")}
    settings = {**base, **given}
    if rules:
        game = game_named(settings.get("game", "dnup"))
        settings["rules"] = {**settings.get("rules", {}), **read_rules(game, rules)}
    if params is not None or levels:
        named: dict[str, Any] = {name: {} for name in params.split(",")} if params else {}
        settings["parameters"] = {**named, **dict(read_levels(parse_spec(settings["bot"]), text) for text in levels)}
    return make_study(settings)


def _numbers(text: str) -> list[int]:
    from dnup_ai.errors import ConfigError

    try:
        return [int(part) for part in text.split(",")]
    except ValueError as error:
        raise ConfigError(f"--players: expected a number, or numbers with commas, as 2,3,4, got {text!r}") from error


def _play(study: Study, store: Store, how: _How) -> None:
    """Play what is missing and print what was found, or how far it is if something stopped it."""
    import signal
    import sys
    from contextlib import redirect_stdout
    from time import perf_counter

    from dnup_ai.cli.tune_live import Shown, live
    from dnup_ai.cli.tune_summary import print_found, print_stopped
    from dnup_ai.errors import DnupError
    from tournaments.runner import MAX_WORKERS, check_concurrency
    from tournaments.tune.session import play_study
    from tournaments.tune.summary import summarise_study

    workers = min(cores(), MAX_WORKERS) if how.concurrency is None else how.concurrency
    check_concurrency(workers)
    shown = Shown(study)
    result = None
    stopped: BaseException | None = None
    began = perf_counter()
    # Standard output is for results, not for what bots print.
    with live(shown, how.quiet) as show, redirect_stdout(sys.stderr):
        try:
            result = play_study(study, store, concurrency=workers, cluster=how.cluster, show=show)
        except (KeyboardInterrupt, DnupError) as error:
            if isinstance(error, DnupError) and not store.playing:
                raise  # it never began, so there is nothing to say of it
            stopped = error
            # What is found is on its way: whoever presses Ctrl-C again need not lose it.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            store.commit()
        except DnupError as error:
            stopped = stopped or error
    seconds = perf_counter() - began
    if result is not None:
        summary = summarise_study(study, result, shown.counts)
        if how.report is not None:
            _write_report(how.report, summary, store)
        print_found(summary, store.path, seconds, how.report, how.as_json)
    else:
        print_stopped(shown, store.path, seconds, stopped, how.as_json)
    if isinstance(stopped, KeyboardInterrupt):
        raise typer.Exit(130)
    if stopped is not None:
        raise stopped


def _write_report(path: Path, summary: StudySummary, store: Store) -> None:
    from dnup_ai.cli.tournament_files import write_new
    from tournaments.tune.report import study_report

    text = study_report(summary)
    write_new(path, store.path, True, lambda opened: opened.write(text.encode()))
