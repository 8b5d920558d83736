"""`dnup-ai analyse`: which moves of recorded rounds lost expected points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dnup_ai.analyse import Account, Decision, Judge
    from dnup_ai.games import Game
    from tournaments.records import Replay

SCHEMA = 1


def analyse(
    record: Path = typer.Argument(
        help="Records of rounds, JSON Lines (docs/notation.md), or the file of a tournament."
    ),
    number: str | None = typer.Option(
        None,
        "--round",
        help="Only this one: the line of a file of records, from 1; of a tournament GAME or GAME.ROUND.",
    ),
    seat: list[int] | None = typer.Option(None, help="Only the moves of this seat; may be given again."),
    iterations: int = typer.Option(5000, min=1, help="Budget of each search; the seed repeats the result."),
    time: str | None = typer.Option(None, help="Instead: the time for each move, as 2s; no seed repeats that."),
    searches: int = typer.Option(4, help="Searches of the move, and of the better one, that measure the loss."),
    threshold: float = typer.Option(0.0, help="Mark moves that lost so many points and more."),
    utility: str = typer.Option("tokens", help="tokens (points of the round), or match (the chance to win the match)."),
    seed: int = typer.Option(0, help="0 to 4294967295."),
    as_json: bool = typer.Option(False, "--json", help="Print it all as JSON (docs/assist.md)."),
    game: str = typer.Option("dnup", "--game", help="A game of your own that the records are of, my_game.py:Class."),
) -> None:
    """Go through recorded rounds and mark the moves that lost expected points, from what the mover could know.

    A move is marked if a search would play another one, and 0 is not in the 95% interval of the difference between the
    two as further searches measure it, which look at both equally long.
    """
    from dnup_ai.analyse import Judge, summarise
    from dnup_ai.cli.settings import read_seconds
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named
    from dnup_ai.search import Budget

    if utility not in ("tokens", "match"):
        raise ConfigError(f"--utility: expected tokens or match, got {utility!r}")
    if not 0 <= seed < 2**32:
        raise ConfigError(f"--seed: expected 0 to {2**32 - 1}, got {seed}")
    budget = Budget(iterations=iterations)
    if time is not None:
        budget = Budget(wall=read_seconds("--time", time) / (2 * searches + 1))
    judge = Judge(budget, searches, utility, threshold)
    game_named(game)  # a game of one's own is known by its name once it is loaded
    found: list[tuple[Replay, tuple[Decision, ...]]] = []
    for replay, decisions in _judged(record, number, seat, judge, seed):
        found.append((replay, decisions))
        if not as_json:
            _print_round(replay, decisions, judge)
    rounds = [decisions for _, decisions in found]
    names = [_names(replay.record) for replay, _ in found]
    by_seat = summarise(rounds, lambda index, seat: f"seat {seat}")
    by_name = summarise(rounds, lambda index, seat: names[index][seat]) if any(names) and all(names) else ()
    if as_json:
        _print_json(record, found, by_seat, by_name, judge, seed, time)
        return
    points = "chance to win the match" if utility == "match" else game_named(found[0][0].record["game"]).points
    for title, accounts in (("seat", by_seat), ("player", by_name)):
        if accounts:
            _print_accounts(title, accounts, points)
    how = f"{time} a move" if time else f"{iterations} iterations a search"
    print(f"{how}, {searches} searches of each move compared; seed {seed}")


def _judged(
    path: Path, number: str | None, seats: Sequence[int] | None, judge: Judge, seed: int
) -> Iterator[tuple[Replay, tuple[Decision, ...]]]:
    """The rounds that are asked for, judged one by one; raises RecordError if there are none."""
    from dnup_ai.analyse import analyse_round
    from dnup_ai.errors import ConfigError, RecordError
    from dnup_ai.games import game_named

    some = False
    for replay in _replays(path, number):
        some = True
        players = replay.start.players
        if seats and not all(0 <= seat < players for seat in seats):
            raise ConfigError(f"--seat: expected 0 to {players - 1}, got {', '.join(map(str, seats))}")
        played: Game = game_named(replay.record["game"])
        with _progress(len(replay.moves), replay.place) as advance:
            decisions = analyse_round(
                replay.start, replay.moves, judge, seed=seed, seats=seats or None, game=played, progress=advance
            )
        yield replay, decisions
    if not some:
        raise RecordError(f"{path}: no records in it" if number is None else f"{path}: no round {number} in it")


def _replays(path: Path, number: str | None) -> Iterator[Replay]:
    """The rounds of either kind of file."""
    import re

    from dnup_ai.errors import ConfigError
    from tournaments.records import replay_file, replay_game
    from tournaments.store import Store
    from tournaments.store_file import is_store

    match = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?", number or "0")
    if match is None:
        raise ConfigError(f"--round: expected a number, or GAME.ROUND of a match, got {number!r}")
    if is_store(path):
        with Store.open(path) as store:
            for run in store.runs():
                for played in store.games(run.number, None if number is None else int(match[1])):
                    for index, replay in enumerate(replay_game(run.tournament, played, str(path))):
                        if match[2] is None or index == int(match[2]):
                            yield replay
        return
    if match[2] is not None:
        raise ConfigError("--round: GAME.ROUND is for the file of a tournament; of records give the line, from 1")
    for line, replay in enumerate(replay_file(path), 1):
        if number is None or line == int(match[1]):
            yield replay


def _progress(moves: int, place: str) -> Any:
    """A context that shows how far a round is, on a terminal; what it gives is called with each decision."""
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import Progress

    @contextmanager
    def shown() -> Iterator[Callable[[object], None]]:
        console = Console(stderr=True)
        with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
            task = bar.add_task(place, total=moves)
            yield lambda decision: bar.advance(task)

    return shown()


def _names(record: dict[str, Any]) -> list[str]:
    """Who sat where, by what the harness or a person's game wrote: `bots`; empty if it does not say."""
    names = record.get("bots")
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _place(replay: Replay) -> str:
    """Where the round is; of a match also which of its rounds."""
    return f"{replay.place}, round {replay.record['round']}" if "round" in replay.record else replay.place


def _print_round(replay: Replay, decisions: Sequence[Decision], judge: Judge) -> None:
    names = _names(replay.record)
    chosen = [decision for decision in decisions if decision.choices > 1]
    marked = [decision for decision in decisions if decision.marked]
    print(f"{_place(replay)}: {len(chosen)} moves with a choice")
    if not marked:
        print("      none marked")
    for decision in marked:
        low, high = decision.interval
        name = f" ({names[decision.seat]})" if names else ""
        print(f"{decision.number:4}. seat {decision.seat}{name}  {decision.move}")
        print(f"      lost {decision.loss:.3f} ({low:.3f} to {high:.3f}); better: {decision.better}")


def _print_accounts(title: str, accounts: Sequence[Account], points: str) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title, "rounds", "moves", "marked", f"{points} lost a round")
    for column in table.columns[1:]:
        column.justify = "right"
    for account in accounts:
        low, high = account.interval
        lost = f"{account.lost:.3f} ({low:.3f} to {high:.3f})"
        table.add_row(account.player, str(account.rounds), str(account.moves), str(account.marked), lost)
    Console(highlight=False, markup=False).print(table)


def _print_json(
    path: Path,
    found: Sequence[tuple[Replay, Sequence[Decision]]],
    by_seat: Sequence[Account],
    by_name: Sequence[Account],
    judge: Judge,
    seed: int,
    time: str | None,
) -> None:
    import json

    rounds = []
    for replay, decisions in found:
        about: dict[str, Any] = {"place": _place(replay), "game": replay.record["game"], "start": str(replay.start)}
        if names := _names(replay.record):
            about["players"] = names
        rounds.append(about | {"decisions": [decision.to_dict() for decision in decisions]})
    whole = {
        "schema": SCHEMA,
        "file": str(path),
        "utility": judge.utility,
        "iterations": judge.budget.iterations,
        "seconds_a_search": judge.budget.wall,
        "searches": judge.searches,
        "threshold": judge.threshold,
        "seed": seed,
        "rounds": rounds,
        "seats": [account.to_dict() for account in by_seat],
        "players": [account.to_dict() for account in by_name],
    }
    print(json.dumps(whole, indent=2))
