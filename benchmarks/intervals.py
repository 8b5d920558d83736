"""Are the intervals of `suggest` honest? Short searches beside long ones of the same positions.

    python benchmarks/intervals.py measure FILE [--positions 1000] [--long 100000] [--game dnup] [--bot ismcts]
    python benchmarks/intervals.py report FILE...

`measure` appends to a file of JSON Lines, and goes on where it stopped. Position k is of deal k of seed 31 (of the set
`fit`, by which the constants of dnup_ai/intervals.py were chosen) or 32 (`check`, on which they are judged), the sets
in turn (33 is `fresh`, looked at by nobody until all was settled), the numbers of players in turn; a greedy round
(epsilon 0.2) is played, and one of its turns with two moves or more is picked at random. Each position is searched once
for long and once each for 500, 1,000 and 2,000 iterations, every search with a stream of its own. With the defaults it
takes about 20 minutes of CPU time.

`report` prints how often the long search's value of the move that the short one chose lies in the short one's
interval, as batch means have it and as `suggest` gives it; and what part of the gaps between the chosen move and the
others (with 5% of the visits and more) is above the lower end of its interval, which should be 97.5% or more. `fit`
prints the constants that the set `fit` asks for.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from common import markdown

from cython_core.game import State
from cython_core.rng import Rng
from dnup_ai.bots.registry import parse_spec
from dnup_ai.bots.searching import SearchBot
from dnup_ai.games import game_named
from dnup_ai.intervals import Z95, Drift, drift_of, gap_side, interval_sides, noise_of, room_of
from dnup_ai.search import Budget

SETS = {"fit": 31, "check": 32, "fresh": 33}


def positions(game: str, players: Sequence[int], number: int, sets: Sequence[str]) -> Iterator[tuple[str, int, State]]:
    """Yield the set, the index and the view of each position."""
    played = game_named(game)
    deck = played.load_deck(played.shipped_decks()[0])
    for index in range(number):
        for name in sets:
            seed = SETS[name]
            rng = Rng(seed, index, 1)
            state = played.rules(deck, players[index % len(players)], {}).deal(Rng(seed, index))
            views = []
            while state.turn is not None and len(views) < 300:
                views.append(state.observe(state.turn))
                state.apply(state.greedy_move(rng, 0.2))
            yield name, index, rng.choice([view for view in views if len(view.legal_moves()) > 1])


def measure(arguments: argparse.Namespace) -> None:
    """Search what is not in the file yet."""
    path = Path(arguments.file)
    done = {(row["set"], row["index"]) for row in read([path])} if path.exists() else set()
    bot = parse_spec(arguments.bot).make(Rng(0))
    assert isinstance(bot, SearchBot)
    players = [int(text) for text in arguments.players.split(",")]
    with path.open("a") as file:
        for name, index, view in positions(arguments.game, players, arguments.positions, arguments.sets.split(",")):
            if (name, index) in done:
                continue
            row: dict[str, Any] = {"set": name, "index": index, "game": arguments.game, "bot": arguments.bot}
            row |= {"players": view.rules.players, "position": str(view), "searches": {}}
            for iterations in (*map(int, arguments.short.split(",")), arguments.long):
                found = bot.engine.search(view, Budget(iterations=iterations), Rng(SETS[name], index, 2, iterations))
                best = [move.move for move in found.moves].index(found.best)
                stats = [[move.visits, move.value, min(move.stderr, 1.0)] for move in found.moves]
                row["searches"][str(iterations)] = {"best": best, "moves": stats}
            file.write(json.dumps(row) + "\n")
            file.flush()


def read(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the whole lines of the files; one that a kill cut off is left out."""
    lines = [line for path in paths for line in path.read_text().splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith("\n")]


class Case(NamedTuple):
    """One short search beside the long one: what it said of its chosen move, and how the gaps to the others changed."""

    iterations: int
    players: int
    game: str
    kind: str
    chosen: tuple[float, float, int]
    long: float
    gaps: list[tuple[tuple[float, float, int], float]]


def cases(rows: Sequence[Mapping[str, Any]], name: str) -> list[Case]:
    """Return the short searches of a set."""
    found = []
    for row in rows:
        if row["set"] != name:
            continue
        *shorts, last = sorted(row["searches"], key=int)
        long = [value for _, value, _ in row["searches"][last]["moves"]]
        for iterations in shorts:
            search = row["searches"][iterations]
            moves = [(value, stderr, visits) for visits, value, stderr in search["moves"]]
            best = search["best"]
            others = [i for i, move in enumerate(moves) if i != best and move[2] >= 0.05 * int(iterations)]
            gaps = [(moves[i], (long[best] - long[i]) - (moves[best][0] - moves[i][0])) for i in others]
            found.append(Case(int(iterations), row["players"], row["game"], row["bot"], moves[best], long[best], gaps))
    return found


def share(flags: Iterable[bool]) -> str:
    """Return a share in percent."""
    listed = list(flags)
    return f"{100 * sum(listed) / len(listed):.1f}%"


def batches_hold(case: Case) -> bool:
    """Whether the interval by batch means alone, without any correction, holds."""
    return abs(case.long - case.chosen[0]) <= Z95 * case.chosen[1]


def interval_holds(case: Case) -> bool:
    """Whether the interval that `suggest` gives holds."""
    down, up = interval_sides(*case.chosen, drift_of(case.game, case.players, case.kind))
    return -down - 1e-9 <= case.long - case.chosen[0] <= up + 1e-9


def width(case: Case) -> float:
    """Return the width of that interval."""
    return sum(interval_sides(*case.chosen, drift_of(case.game, case.players, case.kind)))


def gaps_hold(case: Case) -> list[bool]:
    """Whether the gaps to the others are not below the lower ends of their intervals."""
    drift = drift_of(case.game, case.players, case.kind)
    return [change >= -gap_side(case.chosen, other, drift) for other, change in case.gaps]


def report(arguments: argparse.Namespace) -> None:
    """Print the tables of the set."""
    found = cases(read([Path(file) for file in arguments.files]), arguments.set)
    head = ("iterations", "players", "positions", "by batch means", "as given", "below", "above", "mean width", "gaps")
    rows: list[tuple[object, ...]] = []
    for iterations in (*sorted({case.iterations for case in found}), 0):
        for players in (*sorted({case.players for case in found}), 0):
            part = [case for case in found if iterations in (0, case.iterations) and players in (0, case.players)]
            missed = [case for case in part if not interval_holds(case)]
            rows.append(
                (
                    f"{iterations:,}" if iterations else "all",
                    players or "all",
                    len(part),
                    share(map(batches_hold, part)),
                    share(map(interval_holds, part)),
                    share(case in missed and case.long < case.chosen[0] for case in part),
                    share(case in missed and case.long > case.chosen[0] for case in part),
                    f"{fmean(map(width, part)):.3f}",
                    share(flag for case in part for flag in gaps_hold(case)),
                )
            )
    print(markdown(head, rows))


def fit(arguments: argparse.Namespace) -> None:
    """Print the constants of dnup_ai/intervals.py, from the set `fit`."""
    rows = read([Path(file) for file in arguments.files])
    found = [case for case in cases(rows, "fit") if arguments.pool or case.iterations == 2000]
    pooled = arguments.pool
    keys = {(case.kind, case.game, 0 if pooled else case.players) for case in found}
    for kind, game, players in sorted(keys):
        part = [case for case in found if (case.kind, case.game) == (kind, game) and players in (0, case.players)]
        noise = Z95 * drift_of(game, players, kind).noise
        changes = [(case.long - case.chosen[0], case) for case in part]
        down = [needed(-change, noise * noise_of(*case.chosen), room_of_case(case).down) for change, case in changes]
        up = [needed(change, noise * noise_of(*case.chosen), room_of_case(case).up) for change, case in changes]
        gap = [
            needed(-change, noise * math.hypot(noise_of(*case.chosen), noise_of(*other)), room_of_case(case).gap)
            for case in part
            for other, change in case.gaps
        ]
        print(f'("{kind}", "{game}", {players}): Drift({quantile(down):.3f}, {quantile(up):.3f}, {quantile(gap):.3f}),')


def needed(change: float, noise: float, room: float) -> float:
    """Return the drift with which the end of the interval would have been just so far."""
    return math.sqrt(max(0.0, change * change - noise * noise)) / room if change > 0 else 0.0


def room_of_case(case: Case) -> Drift:
    """Return the room of the chosen move's value."""
    return room_of(case.chosen[0], case.chosen[2])


def quantile(values: Sequence[float]) -> float:
    """Return the smallest value that 97.5% are not above."""
    return sorted(values)[min(len(values) - 1, math.ceil(0.975 * len(values)) - 1)]


def main() -> None:
    """Measure or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("file")
    measuring.add_argument("--positions", type=int, default=1000, help="of each set")
    measuring.add_argument("--short", default="500,1000,2000")
    measuring.add_argument("--long", type=int, default=100_000)
    measuring.add_argument("--sets", default="fit,check")
    measuring.add_argument("--players", default="2,3,4,5")
    measuring.add_argument("--game", default="dnup")
    measuring.add_argument("--bot", default="ismcts")
    measuring.set_defaults(run=measure)
    for name, run in (("report", report), ("fit", fit)):
        reading = commands.add_parser(name)
        reading.add_argument("files", nargs="+")
        reading.add_argument("--set", default="check", help="of positions to report on")
        reading.add_argument("--pool", action="store_true", help="fit all numbers of players and iterations together")
        reading.set_defaults(run=run)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
