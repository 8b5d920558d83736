"""How strong the bots are: pairs of bots at equal CPU time a move, on the same deals, in both populations, in Elo.

    python benchmarks/strength.py                     all that is not stored yet: hours
    python benchmarks/strength.py --only 5ms,decks    two sections
    python benchmarks/strength.py --list              what would be played, and how long that takes in CPU minutes
    python benchmarks/strength.py --show              the tables of what is stored, as in docs/strength.md

Each line of a table is a `dnup-ai tournament run --lineup one-vs-rest`: one seat of the first bot against the second at
all others, and on the same deal the other way round. The games are kept in a folder, so that a run that is broken off
goes on where it was; of those that are finished `benchmarks/strength.json` keeps the results. Where an interval has
to be narrow, deals are added until it is. CPU time makes it fair on a busy machine; only with a budget of iterations
would the very same games come again.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from common import load, machine, markdown, print_report

from tournaments.provenance import code_version

RESULTS = Path(__file__).with_suffix(".json")
SEED = 31
"""Of the deals. None of them was ever used to fit or to tune, but what the parts are worth was looked at on them."""
FRESH_SEED = 71
"""Of the deals on which `best` is judged: not even looked at before its defaults were settled."""

LIKE_HEURISTIC = "defaults=engine,rollout_turns=4,exploration=0.3"
"""The parameters of `heuristic`, for the bots that differ from it in kind."""

BOTS = (
    "best",
    "heuristic",
    f"dmcts:{LIKE_HEURISTIC}",
    f"flat:{LIKE_HEURISTIC}",
    "eval1",
    "greedy",
    f"cheat:{LIKE_HEURISTIC}",
)

MS_PER_GAME = {2: 22.0, 3: 33.0, 4: 45.0, 5: 54.0}
"""CPU time of a round by players for each millisecond a move, as measured: for `--list` only."""


NO_PART = {
    "rollout=random": (2,),  # no greedy turns
    "rollout_turns=4": (2,),
    "repeats=0": (3, 4),  # hardly any state comes back
    "enumerate=0": (4,),  # as at 3
    "final=visits": (3,),  # as it is there
}
"""Numbers of players at which there is no such part in `best`, or nothing that it could change."""


class Pair(NamedTuple):
    """A line of a table.

    deals: to begin with; more are added until half its 95% interval is at most within, in Elo. note: what it shows, if
    the bots do not say it.
    """

    section: str
    first: str
    second: str
    players: int
    ms: float
    deals: int
    deck: str = "standard"
    note: str = ""
    within: float = math.inf

    @property
    def seed(self) -> int:
        """Of its deals."""
        return FRESH_SEED if self.first.startswith("best") and self.section != "parts" else SEED

    @property
    def key(self) -> str:
        """The name of its file, and of its results."""
        return f"{self.section}-{self.ms:g}ms-{self.players}-{self.deck}-{plain(self.first)}-{plain(self.second)}"

    def deals_to_play(self, found: dict[str, Any] | None) -> int | None:
        """Return on how many deals to play it, all told, after what was found so far; None: it is finished."""
        if found is None:
            return self.deals
        low, high = found["elo_interval"]
        half = (high - low) / 2
        # A little more than the square says, since the interval may come out wider than its root.
        return None if half <= self.within else math.ceil(1.03 * found["deals"] * (half / self.within) ** 2)

    def minutes(self, deals: int) -> float:
        """CPU time that so many deals take, roughly."""
        fast = sum(bot.startswith(("greedy", "eval1")) for bot in (self.first, self.second))
        return 2 * deals * self.ms * MS_PER_GAME[self.players] * (2 - fast) / 2 / 60_000


SECTIONS = {
    "5ms": "At 5 ms",
    "50ms": "At 50 ms",
    "500ms": "At 500 ms",
    "doubling": "What twice the time is worth",
    "trial": "At 3 ms, beside an earlier trial in C++",
    "parts": "Each part, on against off",
    "decks": "Other decks",
    "search": "The search without an evaluation",
}


def pairs() -> Iterator[Pair]:
    """Return all lines of all tables."""
    deals = {2: 600, 3: 400, 4: 450, 5: 450}
    for first, second in (("best", "heuristic"), *((bot, "plain") for bot in BOTS)):
        for players in deals:
            yield Pair("5ms", first, second, players, 5, deals[players], within=20)
    deals = {2: 150, 3: 80, 4: 80}
    for first, second in (("best", "heuristic"), ("best", "plain"), ("heuristic", "plain")):
        for players in deals:
            yield Pair("50ms", first, second, players, 50, deals[players], within=40)
    yield Pair("500ms", "best", "plain", 2, 500, 40)
    yield Pair("500ms", "best", "plain", 3, 500, 25)
    for players, count in ((2, 300), (3, 200)):
        for ms in (5, 10, 20):
            yield Pair("doubling", f"best:cpu_ms={2 * ms}", f"best:cpu_ms={ms}", players, 1.5 * ms, count)
    for players, count in ((2, 600), (3, 500), (4, 500)):
        yield Pair("trial", "heuristic", "plain", players, 3, count)
    for note, first, second in (
        ("belief, against none", "best", "ismcts:belief_temperature=0"),
        ("the evaluation, against rounds played out", "best", "ismcts:rollout_turns=1000"),
        ("fitted weights, against the simple evaluation", "best", "ismcts:evaluation=simple"),
        ("PUCT, against UCB1", "best", "ismcts:selection=ucb1,exploration=0.3,first_play=0.6"),
        ("greedy turns, against random ones", "best", "ismcts:rollout=random"),
        ("all worlds listed, against a pool of 256", "best", "ismcts:enumerate=0"),
        ("8 greedy turns, against 4", "best", "ismcts:rollout_turns=4"),
        ("chosen by value or lower end, against by visits", "best", "ismcts:final=visits"),
        ("merged opponents' plays, against exact ones", "ismcts:opponent_key=merged", "ismcts:opponent_key=exact"),
        ("hand-conditioned opponents, against none", "ismcts:opponent_prior=0.2", "ismcts:opponent_prior=0"),
        ("states of before undecided, against not", "best", "ismcts:repeats=0"),
        ("a turn costs 0.01, against nothing", "ismcts:turn_cost=0.01", "best"),
    ):
        for players, count in ((2, 400), (3, 250), (4, 250)):
            if players not in NO_PART.get(second.partition(":")[2], ()):
                yield Pair("parts", first, second, players, 5, count, note=note)
    yield Pair("parts", "ismcts:enumerate=1024,belief_temperature=2", "best", 5, 5, 600, note="belief, against none")
    for deck, players, count in (
        ("pairs-45", 3, 100),
        ("pairs-45", 5, 100),
        ("pairs-36", 2, 150),
        ("pairs-36", 3, 100),
    ):
        for bot in BOTS:
            yield Pair("decks", bot, "plain", players, 5, count, deck)
    engine = "ismcts:defaults=engine"
    texts = f"{engine},rollout=random,exploration=0.5"
    for note, first, second in (
        ("greedy rollouts against random ones", engine, texts),
        ("flat with greedy rollouts against ismcts with random ones", "flat:defaults=engine", texts),
        ("ismcts against dmcts with 20 worlds", engine, "dmcts:defaults=engine,worlds=20"),
        ("exploration 0.5 against the square root of 2", engine, f"{engine},exploration=1.414214"),
    ):
        for players, count in ((2, 240), (3, 390), (4, 460)):
            yield Pair("search", first, second, players, 5, count, note=note)


def main() -> None:
    """Play what is not stored yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SECTIONS), help=f"sections, of {', '.join(SECTIONS)}")
    parser.add_argument("--players", default="2,3,4,5", help="numbers of players (default: 2,3,4,5)")
    parser.add_argument("--bots", help="only lines whose first bot is one of these kinds, say best,heuristic")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--games", type=Path, default=Path("build/strength"), help="folder (default: build/strength)")
    parser.add_argument("--list", action="store_true", help="play nothing, list what is missing")
    parser.add_argument("--show", action="store_true", help="play nothing, print the tables")
    args = parser.parse_args()
    sections = args.only.split(",")
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"--only: expected sections of {', '.join(SECTIONS)}, got {', '.join(sorted(unknown))}")
    kinds = {pair.first.partition(":")[0] for pair in pairs()}
    if unknown := set((args.bots or "best").split(",")) - kinds:
        parser.error(f"--bots: expected kinds of {', '.join(sorted(kinds))}, got {', '.join(sorted(unknown))}")
    if unknown := set(args.players.split(",")) - {"2", "3", "4", "5"}:
        parser.error(f"--players: expected some of 2, 3, 4, 5, got {', '.join(sorted(unknown))}")
    wanted = [
        pair
        for pair in pairs()
        if pair.section in sections
        and str(pair.players) in args.players.split(",")
        and (args.bots is None or pair.first.partition(":")[0] in args.bots.split(","))
    ]
    stored = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    load_before = load()
    if args.list:
        missing = {
            pair.key: pair.minutes(deals) for pair in wanted if (deals := pair.deals_to_play(stored.get(pair.key)))
        }
        for key, minutes in missing.items():
            print(f"{minutes:6.1f} {key}")
        print(f"{sum(missing.values()):6.1f} CPU minutes, roughly")
        return
    if not args.show:
        args.games.mkdir(parents=True, exist_ok=True)
        for pair in wanted:
            while deals := pair.deals_to_play(stored.get(pair.key)):
                stored[pair.key] = play(pair, deals, args.workers, args.games, more=pair.key in stored)
                keep(stored)
    tables = [
        f"### {SECTIONS[section]}\n\n{table([(pair, stored[pair.key]) for pair in group if pair.key in stored])}"
        for section, group in groupby(wanted, key=lambda pair: pair.section)
    ]
    print_report("Strength", *tables, load_before=load_before)


def play(pair: Pair, deals: int, workers: int, folder: Path, more: bool) -> dict[str, Any]:
    """Play the games of a line, on so many deals, that are not in its file yet, and return what came of them.

    more: on more deals than the file is known to have; else a file that is there is played to its own end.
    """
    file = folder / f"{pair.key}.sqlite"
    if file.exists():
        words = ["resume", str(file), *(["--deals", str(deals)] if more else [])]
    else:
        words = ["run", *(with_budget(bot, pair.ms) for bot in (pair.first, pair.second)), "--lineup", "one-vs-rest"]
        words += ["--players", str(pair.players), "--deals", str(deals), "--seed", str(pair.seed), "--deck", pair.deck]
        words += ["--store", str(file), "--allow-cheating"]
    print(shlex.join(["dnup-ai", "tournament", *words]), file=sys.stderr, flush=True)
    dnup_ai = str(Path(sys.executable).with_name("dnup-ai"))
    command = [dnup_ai, "tournament", *words, "--concurrency", str(workers), "--quiet", "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(
            f"{file}: this line stopped, as said above; if it was begun by other code, delete the file and start anew"
        )
    found = json.loads(run.stdout)
    names = found["settings"]["names"]
    by_name = {standing["bot"]: standing for standing in found["standings"]}
    first, second = (by_name[name] for name in names)
    # The ratings of two bots sum to zero.
    result: dict[str, Any] = {
        "deals": found["deals"],
        "seed": pair.seed,
        "games": found["games"],
        "elo": 2 * first["elo"],
        "elo_interval": [2 * end for end in first["elo_interval"]],
        "iterations_per_move": [first["iterations_per_move"], second["iterations_per_move"]],
        "ends": found["ends"],
        "faults": first["faults"] + second["faults"],
        "code": code_version(),
        "commit": commit(),
        "machine": machine()["processor"],
        "date": date.today().isoformat(),
    }
    for single in found["singles"]:
        role = "single" if single["one"] == names[0] else "rest"
        result[role] = {"share": single["share"], "elo": single["elo"], "elo_interval": single["elo_interval"]}
    return result


def commit() -> str:
    """Return the commit that plays, marked if anything but the results has been changed since."""

    def git(*words: str) -> str:
        return subprocess.run(("git", *words), cwd=RESULTS.parent, stdout=subprocess.PIPE, text=True, check=True).stdout

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", f":!{RESULTS.name}")
    return git("rev-parse", "--short=12", "HEAD").strip() + ("-dirty" if changed else "")


def keep(stored: dict[str, Any]) -> None:
    """Write the results, whole or not at all."""
    part = RESULTS.with_suffix(".part")
    part.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    part.rename(RESULTS)


def plain(spec: str) -> str:
    """Return the spec as a part of a file's name."""
    return "".join(letter if letter.isalnum() or letter in ".=" else "_" for letter in spec)


def with_budget(spec: str, ms: float) -> str:
    """Return the bot with this CPU time a move, if it has one and the spec does not say it."""
    if spec.startswith(("greedy", "eval1")) or "cpu_ms=" in spec:
        return spec
    return f"{spec}{',' if ':' in spec else ':'}cpu_ms={ms:g}"


def table(lines: list[tuple[Pair, dict[str, Any]]]) -> str:
    """Return the stored lines of a section."""
    head = [
        "bot",
        "against",
        "players",
        "deals",
        "Elo",
        "95%",
        "one seat",
        "95%",
        "all but one",
        "95%",
        "by repetition",
        "iterations a move",
    ]
    rows = []
    for pair, found in lines:
        single, rest = found["single"], found.get("rest")
        cells: list[object] = [pair.note or f"`{pair.first}`", "" if pair.note else f"`{pair.second}`", pair.players]
        if pair.deck != "standard":
            cells[1] = f"{cells[1]}, {pair.deck}"
        cells += [
            found["deals"],
            *elo(found["elo"], found["elo_interval"]),
            *elo(single["elo"], single["elo_interval"]),
        ]
        if rest is None or pair.players == 2:
            cells += ["", ""]
        else:
            low, high = rest["elo_interval"]
            cells += elo(-rest["elo"], (-high, -low))
        ends = found["ends"]
        cells.append(f"{100 * ends.get('repetition', 0) / sum(ends.values()):.1f}%")
        cells.append(" / ".join(f"{number:,.0f}" if number else "-" for number in found["iterations_per_move"]))
        rows.append(cells)
    return markdown(head, rows)


def elo(value: float, interval: tuple[float, float] | list[float]) -> list[str]:
    """Return the two cells of a difference."""
    return [f"{value:+.0f}", f"{interval[0]:+.0f} to {interval[1]:+.0f}"]


if __name__ == "__main__":
    main()
