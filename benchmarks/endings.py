"""Endings of dnup for two, solved: who wins, how fast that is known, who converts, and why rounds loop; ten minutes.

    python benchmarks/endings.py [--rounds 200] [--loops 4000] [--iterations 1000]
    python benchmarks/endings.py --rounds 0 --loops 10000 --looping best --states 8000000      nearly all is solved then

Rounds of the standard deck between greedy bots and between the best ones, on deals that no other study uses. Whenever a
round first comes to 2, 3, ... 7 live cards (in hands and on the table), that ending is solved with all cards open. From
those that somebody wins in 3 turns or more each bot plays on as the winner, with the view and the moves that it
would have (cheat: with all cards), against greedy and against the solver, which sees all and loses as late as it can.
And of the rounds that the rule on repetition ends the state that came three times is solved.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from time import perf_counter

from common import load, markdown, print_report

from cython_core.dnup import DnupState
from cython_core.game import Move
from cython_core.rng import Rng
from cython_core.solution import Solution
from cython_core.solver import Solver
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from tournaments.match import round_end

MOST = 7
LIKE_HEURISTIC = "defaults=engine,rollout_turns=4,exploration=0.3"
BOTS = (
    "greedy",
    "eval1",
    f"flat:{LIKE_HEURISTIC}",
    f"dmcts:{LIKE_HEURISTIC}",
    "plain",
    "ismcts:defaults=engine",
    "heuristic",
    "best",
    f"cheat:{LIKE_HEURISTIC}",
)
LOOPING = (
    "ismcts:defaults=engine",
    "heuristic",
    "best",
    "ismcts:repeats=0",
    "ismcts:repeats=0,turn_cost=0.01",
    "ismcts:repeats=0,rollout_turns=4",
    "ismcts:repeats=0,belief_temperature=0",
)
"""Bots whose loops are solved, beside greedy ones."""

FIRST_DEAL = 9000
RULES = load_deck("standard").rules(2)

Player = Callable[[DnupState, list[Move]], Move]
Ending = tuple[DnupState, list[Move]]
"""A state, with the moves of the round that led there."""


def live_cards(state: DnupState) -> int:
    """Return the number of cards in hands and on the table."""
    position = state.position()
    return sum(len(hand.cards) for hand in position.hands) + sum(map(len, position.table))


def player(name: str, iterations: int, rng: Rng) -> Player:
    """Return a bot that is asked with the true state and sees of it what it may."""
    if not name.startswith(("greedy", "eval1")):
        name += f"{',' if ':' in name else ':'}iterations={iterations}"
    bot = parse_spec(name).make(rng)
    return lambda state, moves: bot.choose(state.copy() if bot.sees_all else state.observe(state.turn or 0), moves)


def play(start: Ending, players: tuple[Player, Player]) -> Iterator[tuple[Ending, str | None]]:
    """Yield each state of a round and its moves, objects that move on, with how the round ended there, if it did."""
    state, moves = start[0].copy(), list(start[1])
    seen: dict[bytes, int] = {}
    turns = 0
    while (end := round_end(RULES, state, turns, seen)) is None:
        yield (state, moves), None
        move = players[state.turn or 0](state, moves)
        state.apply(move)
        moves.append(move)
        turns += 1
    yield (state, moves), end


def rounds(name: str, count: int, iterations: int) -> Iterator[Iterator[tuple[Ending, str | None]]]:
    """Yield rounds of a bot against itself."""
    for deal in range(count):
        bots = (player(name, iterations, Rng(FIRST_DEAL, deal, 1)), player(name, iterations, Rng(FIRST_DEAL, deal, 2)))
        yield play((RULES.deal(Rng(FIRST_DEAL, deal)), []), bots)


def collect(name: str, count: int, iterations: int) -> list[Ending]:
    """Return the first state of each round with each number of live cards up to MOST."""
    found = []
    for line in rounds(name, count, iterations):
        seen = set()
        for (state, moves), _ in line:
            cards = live_cards(state)
            if cards <= MOST and cards not in seen and not state.is_over:
                seen.add(cards)
                found.append((state.copy(), list(moves)))
    return found


def share(count: int, total: int) -> str:
    """A share in per cent with half the width of its 95% interval (Wilson)."""
    if total == 0:
        return "-"
    z = 1.959964
    part = count / total
    half = z * math.sqrt(part * (1 - part) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * part:.0f} ±{100 * half:.0f}"


def solve_all(endings: list[Ending], solver: Solver) -> tuple[str, list[tuple[Ending, Solution]]]:
    """Solve every ending; returns the table by live cards, and those that somebody wins in 3 turns or more."""
    results: dict[int, Counter[str]] = defaultdict(Counter)
    times: dict[int, list[float]] = defaultdict(list)
    won = []
    for ending in endings:
        began = perf_counter()
        found = solver.solve(ending[0], every_move=False)
        cards = live_cards(ending[0])
        times[cards].append(1000 * (perf_counter() - began))
        results[cards][str(found.outcome) if found.exact else "open"] += 1
        if found.exact and found.outcome != "draw" and (found.distance or 0) >= 3:
            won.append((ending, found))
    rows = []
    for cards, counts in sorted(results.items()):
        total = sum(counts.values())
        spent = sorted(times[cards])
        shares = [share(counts[outcome], total) for outcome in ("win", "draw", "loss", "open")]
        quantiles = [f"{spent[int(part * (total - 1))]:.2f}" for part in (0.5, 0.9, 0.99)]
        rows.append((cards, total, *shares, *quantiles))
    head = ("live cards", "endings", "mover wins, %", "draw, %", "mover loses, %", "not solved, %")
    return markdown((*head, "median ms", "90% ms", "99% ms"), rows), won


def convert(won: list[tuple[Ending, Solution]], iterations: int, solver: Solver) -> str:
    """Return the table of how many won endings each bot wins."""
    cache: dict[bytes, Move] = {}

    def perfect(state: DnupState, moves: list[Move]) -> Move:
        key = state.repetition_key()
        if key not in cache:
            found = solver.solve(state, every_move=False)
            cache[key] = found.best[0] if found.best else state.legal_moves()[0]
        return cache[key]

    rows = []
    for name in BOTS:
        cells = []
        for against in ("greedy", "solver"):
            ends: Counter[str] = Counter()
            for number, (start, found) in enumerate(won):
                winner = 0 if found.values[0] == 1.0 else 1
                mine = player(name, iterations, Rng(FIRST_DEAL, number, 3))
                other = perfect if against == "solver" else player("greedy", 0, Rng(FIRST_DEAL, number, 4))
                *_, ((state, _), end) = play(start, (mine, other) if winner == 0 else (other, mine))
                ends["won" if state.out == (winner,) else "lost" if end == "out" else "looped"] += 1
            cells += [share(ends[way], len(won)) for way in ("won", "lost", "looped")]
        rows.append((name, *cells))
    columns = [f"{way} against {against}, %" for against in ("greedy", "solver") for way in ("won", "lost", "looped")]
    return markdown(("winner played by", *columns), rows)


def loops(name: str, count: int, iterations: int, solver: Solver) -> tuple[object, ...]:
    """Return a row: of the rounds of a bot against itself how many loop, and what the loops are worth."""
    ends: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for line in rounds(name, count, iterations):
        *_, ((state, _), end) = line
        assert end is not None
        ends[end] += 1
        if end != "repetition":
            continue
        if live_cards(state) > 10:
            found["more than 10 cards"] += 1
            continue
        solution = solver.solve(state, every_move=False)
        found["not solved" if not solution.exact else "draw" if solution.outcome == "draw" else "won by somebody"] += 1
    kinds = [found[kind] for kind in ("draw", "won by somebody", "not solved", "more than 10 cards")]
    return (name, count, share(ends["repetition"], count), ends["repetition"], *kinds, ends["max_turns"])


def main() -> None:
    """Run the study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="that give endings, of each bot; 0: none")
    parser.add_argument("--loops", type=int, default=4000, help="rounds of each greedy; of searches a tenth")
    parser.add_argument(
        "--looping", help="bots whose loops are solved, with spaces between (default: those that are told)"
    )
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--states", type=int, default=500_000, help="at most, of one ending")
    arguments = parser.parse_args()
    before = load()
    solver = Solver(arguments.states)
    parts = []
    all_won = []
    for name in ("greedy", "best") if arguments.rounds else ():
        table, won = solve_all(collect(name, arguments.rounds, arguments.iterations), solver)
        parts += [f"Endings of {name} against itself, {arguments.rounds} rounds", table]
        all_won += won
    if all_won:
        parts += [
            f"{len(all_won)} of them won in 3 turns or more, played on from the winner's side",
            convert(all_won, arguments.iterations, solver),
        ]
    looping = arguments.looping.split() if arguments.looping else ["greedy", "greedy:epsilon=0", *LOOPING]
    counts = [arguments.loops if name.startswith("greedy") else arguments.loops // 10 for name in looping]
    rows = [loops(name, count, arguments.iterations, solver) for name, count in zip(looping, counts, strict=True)]
    head = ("bots", "rounds", "loop, %", "loops", "draws", "won by somebody", "not solved", "more than 10 cards")
    parts += ["Rounds that the rule on repetition ended", markdown((*head, "cut at max_turns"), rows)]
    print_report("Endings", *parts, load_before=before)


if __name__ == "__main__":
    main()
