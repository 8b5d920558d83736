"""Tournament files for the tests of reports, made up and not played, so that they hold what bots seldom do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dnup_ai.bots import parse_spec
from dnup_ai.games import game_named
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.match import Fault
from tournaments.sprt import Sprt
from tournaments.store import Session, Store
from tournaments.table import Played, Row

EVIL = "</code></pre><script>alert('x')</script> `x` |a|b| $y$ \x1b[31mred\x00 \u202eback <!-- & \U0001f0a1"
"""What a bot may say when it fails."""
SESSION = Session("2026-01-02T03:04:05.000000+00:00", "0.1.0+abcdef123456", ())


def tournament(bots: list[str], players: int = 3, deals: int = 12, game: str = "dnup", **more: object) -> Tournament:
    """Return settings."""
    deck = game_named(game).load_deck(game_named(game).shipped_decks()[0])
    return Tournament(tuple(map(parse_spec, bots)), players, deals, 1, deck, game=game, **more)


def games_of(settings: Tournament, fault_every: int = 0, seed: int = 1) -> list[Played]:
    """Return made-up games: bots that come first win more often; a fault in each `fault_every`-th game."""
    found = []
    for game in settings.games():
        rng = random.Random(f"{seed} {game.number}")
        rounds = rng.randint(1, 4) if settings.unit == "match" else 1
        order = sorted(range(settings.players), key=lambda seat: game.seating[seat] + rng.gauss(0, 2))
        first, second = order[0], order[1] if settings.players > 2 else None
        fault = None
        if fault_every and game.number % fault_every == 0:
            seat = rng.randrange(settings.players)
            kind = ("exception", "illegal", "time-out", "death")[game.number // fault_every % 4]
            trace = f"Traceback (most recent call last):\n  {EVIL}\n" if kind == "exception" else ""
            fault = Fault(seat if kind != "death" else -1, kind, EVIL, trace)
        rows = []
        for index in range(rounds):
            last = index == rounds - 1
            points = [2 if seat == first else 1 if seat == second else 0 for seat in range(settings.players)]
            places = [1 if seat == first else 2 if seat == second else 0 for seat in range(settings.players)]
            turns = rng.randint(15, 40) if rng.random() < 0.98 else 1000
            row = Row(
                game.number, index, game.deal, _join(game.seating), _join(points), _join(points), _join(places), turns,
                "fault" if fault and last else "max_turns" if turns == 1000 else "out",
                first if last and settings.unit == "match" and not fault else None, "",
                _join([8] * settings.players), _join([8e-6 * 6.0**bot for bot in game.seating]),
                _join([100 * bot for bot in game.seating]),
            )  # fmt: skip
            rows.append(row)
        found.append(Played(tuple(rows), fault))
    return found


@contextmanager
def stored(path: Path, settings: Tournament, games: list[Played]) -> Iterator[tuple[Store, Ledger]]:
    """Yield a tournament file with these games, and the ledger of it."""
    with Store.create(path, force=True) as store:
        hashes = tuple(f"{index:012x}" for index, _ in enumerate(settings.bots))
        run = store.begin(settings, Session(SESSION.began, SESSION.version, hashes))
        store.add(run, games)
        store.commit()
        ledger = Ledger(settings)
        ledger.add(games)
        yield store, ledger


def evil_bots(folder: Path) -> list[str]:
    """Return bots whose names are markup."""
    folder.mkdir(parents=True, exist_ok=True)
    specs = ["greedy", "random"]
    for name in ("<img src=x onerror=alert(1)>&amp;\"'.py", "$\\frac12$|*`.py"):
        (folder / name).write_text(
            "from dnup_ai.bots import Bot\n\n\nclass Bad(Bot):\n"
            "    def choose(self, view, history):\n        raise OSError\n"
        )
        specs.append(f"{folder / name}:Bad")
    return specs


def own_game(folder: Path) -> str:
    """Return a game of a user's file."""
    (folder / "my_game.py").write_text(
        "from dnup_ai.games import PlainDeck\nfrom toy_game import TrickGame\n\n\n"
        "class Mine(TrickGame):\n    name = 'my-trick'\n    points = '<i>tricks</i>'\n\n"
        "    def deck_from_dict(self, data, where):\n        return PlainDeck(data['name'], (2,))\n"
    )
    return f"{folder / 'my_game.py'}:Mine"


def samples(folder: Path) -> dict[str, tuple[Tournament, list[Played]]]:
    """Return tournaments of all kinds, by name."""
    twelve = ["random", *(f"greedy:epsilon={index / 20}" for index in range(2, 13))]
    found = {
        "league": (tournament(["greedy", "greedy:epsilon=0.3", "ismcts:iterations=50,exploration=0.9", "random"]), 0),
        "evil": (tournament(evil_bots(folder / "<b>"), players=4), 3),
        "two": (tournament(["greedy", "random"], players=2, format="head-to-head"), 0),
        "sprt": (tournament(["greedy", "random"], format="head-to-head", sprt=Sprt(t0=0.0, t1=0.1), deals=40), 0),
        "singles": (tournament(["greedy", "random"], players=4, format="head-to-head", lineup="one-vs-rest"), 0),
        "match": (tournament(["greedy", "random", "greedy:epsilon=0.5"], unit="match"), 7),
        "twelve": (tournament(twelve, players=2, deals=4, format="gauntlet"), 0),
        "one bot": (tournament(["greedy"], players=5), 0),
        "one deal": (tournament(["greedy", "random"], players=2, deals=1), 0),
        "all faults": (tournament(["greedy", "random"], players=2, deals=2), 1),
        "all void": (tournament(["greedy", "random"], players=2, deals=2, on_fault="void"), 1),
        "another game": (tournament(["greedy", "random"], game="3up3down"), 0),
        "own game": (tournament(["random", "random"], 2, game=own_game(folder)), 0),
    }
    made = {name: (settings, games_of(settings, every)) for name, (settings, every) in found.items()}
    settings, games = made["league"]
    # The first game of the first deal only.
    return {**made, "no whole deal": (settings, games[:1]), "incomplete": (settings, games[: len(games) // 2])}


def _join(values: object) -> str:
    return ",".join(map(str, values))
