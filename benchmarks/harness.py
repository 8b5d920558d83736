"""What the tournament harness costs, storing included, and what a second process brings: ratios within one run.

    python benchmarks/harness.py              all of it: about 3 minutes
    python benchmarks/harness.py --pairs 2    a quick look

Overhead: the same games in a bare loop (deal, ask, apply, and nothing else) and in `dnup-ai tournament run
--concurrency 1`, its games stored in a file; in CPU time, so that other work on the machine counts for neither.
Studies: the same for a head-to-head as a tournament and for as many games of a study, between settings that cost alike.
Workers: rounds per second of the clock with one process and with two; and two threads of one process, which share
Python's lock. Each figure is the best of interleaved pairs.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter, process_time

from common import load, markdown, print_report

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.session import play_missing
from tournaments.standings import summarise
from tournaments.store import Store
from tournaments.table import Table
from tournaments.tune.config import Study
from tournaments.tune.config_file import make_study
from tournaments.tune.session import begin_study, play_study

SEED = 31


def tournament(bots: str, deals: int, players: int = 3) -> Tournament:
    """Return a round robin of these bots."""
    return Tournament(tuple(map(parse_spec, bots.split())), players, deals, SEED, load_deck("standard"))


def bare_loop(settings: Tournament) -> None:
    """Play all rounds and keep nothing."""
    rules = settings.rules()
    for game in settings.games():
        state = rules.deal(Rng(SEED, game.deal))
        bots = [settings.bots[bot].make(Rng(SEED, game.deal, game.game, seat)) for seat, bot in enumerate(game.seating)]
        history = []
        while (seat := state.turn) is not None and len(history) < rules.max_turns:
            move = bots[seat].choose(state.observe(seat), history)
            state.apply(move)
            history.append(move)


def core_alone(settings: Tournament) -> None:
    """Play as many greedy rounds as there are games, each in one call of the core."""
    rules = settings.rules()
    rng = Rng(SEED)
    for game in settings.games():
        rules.deal(Rng(SEED, game.deal)).rollout(rng, "greedy", 0.05)


def table_alone(settings: Tournament) -> None:
    """Play all rounds as a worker does: faults watched, rows made, nothing stored."""
    table = Table(settings)
    _play(table, range(settings.game_count))
    table.close()


def _play(table: Table, numbers: range) -> None:
    for game in table.tournament.games(numbers):
        table.play(game)


def stored(settings: Tournament, concurrency: int = 1) -> None:
    """Play the tournament into a file, and sum it up, as the command does."""
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "t.sqlite") as store:
        ledger = Ledger(settings)
        play_missing(settings, store, ledger, concurrency=concurrency)
        summarise(ledger)


def in_threads(settings: Tournament, threads: int) -> None:
    """Play all rounds in threads of this process, each with a table of its own; nothing stored."""
    local = threading.local()

    def chunk(numbers: range) -> None:
        if not hasattr(local, "table"):
            local.table = Table(settings)
        _play(local.table, numbers)

    size = max(1, settings.game_count // (8 * threads))
    with ThreadPoolExecutor(threads) as pool:
        list(
            pool.map(
                chunk, [range(at, min(at + size, settings.game_count)) for at in range(0, settings.game_count, size)]
            )
        )


def best(runs: Mapping[str, Callable[[], object]], pairs: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return the least time of each, run in turn."""
    found = dict.fromkeys(runs, float("inf"))
    for _ in range(pairs):
        for name, run in runs.items():
            began = clock()
            run()
            found[name] = min(found[name], clock() - began)
    return found


def overhead(pairs: int, scale: float) -> str:
    """Return the table of the cost of the harness."""
    rows = []
    for label, bots, deals in (
        (
            "ismcts at 1 ms CPU a move",
            "ismcts:cpu_ms=1 ismcts:cpu_ms=1,exploration=0.7 ismcts:cpu_ms=1,epsilon=0.2",
            100,
        ),
        ("greedy", "greedy greedy:epsilon=0.1 greedy:epsilon=0.2", 10_000),
    ):
        settings = tournament(bots, max(1, round(deals * scale)))
        runs = {"bare loop": lambda s=settings: bare_loop(s), "tournament, stored": lambda s=settings: stored(s)}
        if label == "greedy":
            runs["core alone"] = lambda s=settings: core_alone(s)
            runs["worker alone"] = lambda s=settings: table_alone(s)
        found = best(runs, pairs, process_time)
        rounds = settings.game_count
        for name in ("core alone", "bare loop", "worker alone", "tournament, stored"):
            if name in found:
                per_round = 1e6 * found[name] / rounds
                rows.append([label, name, rounds, f"{per_round:,.1f}", f"{found['bare loop'] / found[name]:.2f}"])
    return markdown(["bots", "what plays", "rounds", "µs a round", "speed of the bare loop"], rows)


def studied(study: Study) -> int:
    """Do the study into a file, as the command does; returns how many games that were."""
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "t.sqlite") as store:
        begin_study(store, study)
        spent = play_study(study, store).spent
    return study.games_per_evaluation * (spent.search + spent.race)


def studies(pairs: int, scale: float) -> str:
    """Return the table of what a study costs beside a tournament."""
    rows = []
    for bot, name, levels, games in (
        ("ismcts:iterations=100", "final", ["visits", "value"], 1_200),
        ("greedy", "epsilon", [0.04, 0.045, 0.05, 0.055], 20_000),
    ):
        games = max(240, round(games * scale))
        study = make_study(
            {
                "bot": bot, "players": 3, "games": games, "seed": SEED, "confirm": False, "optimiser": "random",
                "parameters": {name: {"levels": levels}},
            }
        )  # fmt: skip
        specs = study.spec((levels[0],)), study.spec((levels[1],))
        games = studied(study)
        pair = Tournament(specs, 3, games // 2, SEED, study.deck, format="head-to-head")
        runs: dict[str, Callable[[], object]] = {
            "tournament": lambda s=pair: stored(s), "study": lambda s=study: studied(s),
        }  # fmt: skip
        found = best(runs, pairs, process_time)
        for what, seconds in found.items():
            rows.append([bot, what, f"{games / seconds:,.0f}", f"{found['tournament'] / seconds:.2f}"])
    return markdown(["bot", "what plays", "rounds/s of CPU", "times the tournament"], rows)


def workers(pairs: int, scale: float) -> str:
    """Return the table of what a second worker brings."""
    rows = []
    for label, bots, deals in (
        ("ismcts, 100 iterations", "ismcts:iterations=100 ismcts:iterations=100,epsilon=0.2 flat:iterations=100", 400),
        ("greedy", "greedy greedy:epsilon=0.1 greedy:epsilon=0.2", 20_000),
    ):
        settings = tournament(bots, max(1, round(deals * scale)))
        runs: dict[str, Callable[[], None]] = {
            "1 process": lambda s=settings: stored(s),
            "2 processes": lambda s=settings: stored(s, 2),
            "2 threads, not stored": lambda s=settings: in_threads(s, 2),
        }
        found = best(runs, pairs, perf_counter)
        for name, seconds in found.items():
            rate = settings.game_count / seconds
            rows.append([label, name, f"{rate:,.0f}", f"{found['1 process'] / seconds:.2f}"])
    return markdown(["bots", "what plays", "rounds/s", "times 1 process"], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5, help="interleaved repeats (default: 5)")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many deals (default: 1)")
    parser.add_argument("--only", choices=["overhead", "studies", "workers"], help="one of the tables")
    args = parser.parse_args()
    load_before = load()
    tables = {"overhead": overhead, "studies": studies, "workers": workers}
    parts = [tables[name](args.pairs, args.scale) for name in ([args.only] if args.only else tables)]
    note = "Processes take about half a second to start, which is in the times of 2 processes."
    print_report("The harness", *parts, note, load_before=load_before)


if __name__ == "__main__":
    main()
