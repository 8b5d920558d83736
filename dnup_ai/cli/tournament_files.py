"""`dnup-ai tournament`: commands that read the file of a tournament and play nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from tournaments.ledger import Ledger
    from tournaments.store import Store

FILE = typer.Argument(help="File of a tournament.")
FORCE = typer.Option(False, "--force", help="Write over that file if it is there.")


def add_commands(app: typer.Typer) -> None:
    """Add the commands of this module to those of the tournament."""
    for command in (status, standings, export, merge, report):
        app.command()(command)


def status(file: Path = FILE, as_json: bool = typer.Option(False, "--json", help="Print it as JSON.")) -> None:
    """Say how far a tournament is, what played it, and how to play on."""
    import json
    from dataclasses import asdict

    from tournaments.commands import resume_command
    from tournaments.ledger import Ledger
    from tournaments.session import changes
    from tournaments.sprt import VERDICTS
    from tournaments.store import Store

    found = []
    with Store.open(file) as store:
        for run in store.runs():
            sessions = store.sessions(run.number)
            ledger = Ledger(run.tournament)
            for played in store.games(run.number):
                ledger.add([played])
            found.append((run.tournament, ledger, sessions, changes(run.tournament, sessions[-1]) if sessions else []))
    if as_json:
        runs = [
            {
                "games": ledger.games,
                "of": tournament.game_count,
                "decided": ledger.decided,
                "changed": changed,
                "sessions": [asdict(session) for session in sessions],
                "settings": tournament.to_dict(),
            }
            for tournament, ledger, sessions, changed in found
        ]
        print(json.dumps({"runs": runs}, indent=2))
        return
    for tournament, ledger, sessions, changed in found:
        bots = ", ".join(tournament.names())
        print(f"{tournament.game}, {tournament.players} players, {tournament.format}: {bots}")
        print(f"seed {tournament.seed}: {ledger.games} of {tournament.game_count} games, {tournament.deals} deals")
        for session in sessions:
            print(f"played from {session.began.partition('.')[0]} UTC with dnup-ai {session.version}")
        for change in changed:
            print(f"changed since: {change}")
        if ledger.decided and ledger.test is not None:
            result = ledger.test.result()
            print(f"sequential test, after {result.deals} deals: {VERDICTS[result.verdict]}")
        elif ledger.games < tournament.game_count:
            print(f"play on with: {resume_command(file)}")


def standings(file: Path = FILE, as_json: bool = typer.Option(False, "--json", help="Print it as JSON.")) -> None:
    """Print the results of a tournament, as far as it is."""
    from dnup_ai.cli.standings import print_json, print_summary
    from tournaments.standings import summarise
    from tournaments.store import Store

    with Store.open(file) as store:
        ledger, runs = _finished(store), [run.tournament for run in store.runs()]
    if as_json:
        print_json(summarise(ledger), runs, store=str(file))
    else:
        print_summary(summarise(ledger), runs)


def export(
    file: Path = FILE,
    format: str = typer.Option("jsonl", help="jsonl (records that replay), csv or parquet (a line for each seat)."),
    output: Path | None = typer.Option(None, "--output", "-o", help="File to write (default: standard output)."),
    force: bool = FORCE,
) -> None:
    """Write the games of a tournament in another format."""
    import sys

    from dnup_ai.errors import ConfigError
    from tournaments.export import FORMATS
    from tournaments.store import Store

    if format not in FORMATS:
        raise ConfigError(f"format: expected {', '.join(FORMATS)}, got {format!r}")
    if format == "parquet" and output is None:
        raise ConfigError("format: parquet is not text: say where to write it with --output")
    with Store.open(file) as store:
        if output is None:
            FORMATS[format](store, sys.stdout.buffer)
        else:
            write_new(output, file, force, lambda target: FORMATS[format](store, target))


def merge(
    file: Path = FILE,
    others: list[Path] = typer.Argument(help="Files of the same tournament: other games, or another seed."),
) -> None:
    """Add the games of other files of the same tournament to the first file; each game counts once."""
    from tournaments.store import Store

    with Store.open(file) as store:
        for other in others:
            new, known = store.merge(other)
            print(f"{other}: {new} games added, {known} in {file} already")


def report(
    file: Path = FILE,
    format: str = typer.Option("html", help="html (one page, works offline), md or json."),
    output: Path | None = typer.Option(None, "--output", "-o", help="File to write (default: FILE with another end)."),
    force: bool = FORCE,
) -> None:
    """Write a report with plots, tables, settings and how to repeat it."""
    from dnup_ai.errors import ConfigError
    from tournaments.report import REPORTS
    from tournaments.store import Store

    if format not in REPORTS:
        raise ConfigError(f"format: expected {', '.join(REPORTS)}, got {format!r}")
    with Store.open(file) as store:
        text = REPORTS[format](store, _finished(store))
    target = output or file.with_suffix(f".{format}")
    write_new(target, file, force, lambda opened: opened.write(text.encode()))
    print(f"report in {target}")


def write_new(path: Path, source: Path, force: bool, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file that was made of the file of a tournament, and is not that; force: also over one that is there."""
    from dnup_ai.errors import StoreError

    if path.exists() and source.exists() and path.samefile(source):
        raise StoreError(f"{path}: that is the tournament itself; name another file with --output")
    try:
        with path.open("wb" if force else "xb") as target:
            write(target)
    except FileExistsError as error:
        raise StoreError(f"{path}: there is such a file already; --force writes over it") from error
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from error


def read_ledger(store: Store) -> Ledger:
    """Return the games of a file: of several runs, which differ in the seed, those of all."""
    from tournaments.ledger import Ledger

    runs = store.runs()
    ledger = Ledger(runs[0].tournament)
    for index, run in enumerate(runs):
        for played in store.games(run.number):
            ledger.add([played], index)
    return ledger


def _finished(store: Store) -> Ledger:
    """The same, if there are games: raises StoreError if there are none."""
    from dnup_ai.errors import StoreError

    ledger = read_ledger(store)
    if not ledger.games:
        raise StoreError(f"{store.path}: no game is finished; play on with: dnup-ai tournament resume {store.path}")
    return ledger


def print_counts(counts: str, test: dict[str, float], as_json: bool) -> None:
    """Print what the sequential test says of counts, as `-1:120,0:310,1:170`."""
    import math

    from dnup_ai.cli.standings import print_test
    from dnup_ai.errors import ConfigError
    from tournaments.config_file import make_sprt

    found: dict[float, int] = {}
    for part in counts.split(","):
        difference, _, count = part.partition(":")
        try:
            value = float(difference)
            if not math.isfinite(value):
                raise ValueError
            found[value] = found.get(value, 0) + int(count)
        except ValueError as error:
            raise ConfigError(
                f"counts: expected DIFFERENCE:COUNT with commas, as -1:120,0:310,1:170, got {part!r}"
            ) from error
    print_test(make_sprt(test).decide_counts(found), as_json)
