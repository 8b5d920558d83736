"""Are the intervals of `suggest` honest? Short searches beside long ones of the same positions.

    python benchmarks/intervals.py measure FILE [--positions 1000] [--long 100000] [--game dnup] [--bot ismcts]
    python benchmarks/intervals.py report FILE...

`measure` appends to a file of JSON Lines, and goes on where it stopped. Position k is of deal k of seed 31 (of the set
`fit`, by which the constants of dnup_ai/intervals.py were chosen) or 32 (`check`, on which they are judged), the sets
in turn, the numbers of players in turn; a greedy round (epsilon 0.2) is played, and one of its turns with two moves or
more is picked at random. Each position is searched once for long and once each for 500, 1,000 and 2,000 iterations,
every search with a stream of its own. With the defaults it takes about 20 minutes of CPU time.

`report` prints, by number of iterations and of players, how often the long search's value of the move that the short
one chose lies in the short one's interval: as batch means have it, and as `suggest` gives it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cython_core.game import State
from cython_core.rng import Rng
from dnup_ai.bots.registry import parse_spec
from dnup_ai.bots.searching import SearchBot
from dnup_ai.games import game_named
from dnup_ai.search import Budget

SETS = {"fit": 31, "check": 32}


def positions(game: str, players: Sequence[int], number: int) -> Iterator[tuple[str, int, State]]:
    """Yield the set, the index and the view of each position."""
    played = game_named(game)
    deck = played.load_deck(played.shipped_decks()[0])
    for index in range(number):
        for name, seed in SETS.items():
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
        for name, index, view in positions(arguments.game, players, arguments.positions):
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


def main() -> None:
    """Measure or report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("file")
    measuring.add_argument("--positions", type=int, default=1000, help="of each set")
    measuring.add_argument("--short", default="500,1000,2000")
    measuring.add_argument("--long", type=int, default=100_000)
    measuring.add_argument("--players", default="2,3,4,5")
    measuring.add_argument("--game", default="dnup")
    measuring.add_argument("--bot", default="ismcts")
    measuring.set_defaults(run=measure)
    reporting = commands.add_parser("report")
    reporting.add_argument("files", nargs="+")
    reporting.set_defaults(run=report)
    arguments = parser.parse_args()
    arguments.run(arguments)


def report(arguments: argparse.Namespace) -> None:
    """Print the tables."""


if __name__ == "__main__":
    main()
