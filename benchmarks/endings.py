"""Endings of dnup for two, solved: who wins, how fast that is known, who converts, and why rounds loop; ten minutes.

    python benchmarks/endings.py [--rounds 200] [--loops 4000] [--iterations 1000]

Rounds of the standard deck between greedy bots and between ismcts bots, on deals that no other study uses. Whenever a
round first comes to 2, 3, ... 7 live cards (in hands and on the table), that ending is solved with all cards open. From
those that somebody wins in 3 turns or more each bot plays on as the winner, with the view it would have in play (cheat:
with all cards), against greedy and against the solver, which sees all and loses as late as it can. And of the rounds
that the rule on repetition ends the state that came three times is solved.
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
BOTS = ("greedy", "flat", "ismcts", "cheat")
FIRST_DEAL = 9000
RULES = load_deck("standard").rules(2)

Player = Callable[[DnupState], Move]


def live_cards(state: DnupState) -> int:
    """Return the number of cards in hands and on the table."""
    position = state.position()
    return sum(len(hand.cards) for hand in position.hands) + sum(map(len, position.table))


def player(name: str, iterations: int, rng: Rng) -> Player:
    """Return a bot that is asked with the true state and sees of it what it may."""
    bot = parse_spec(f"{name}:iterations={iterations}" if iterations else name).make(rng)
    return lambda state: bot.choose(state.copy() if bot.sees_all else state.observe(state.turn or 0), ())


def play(state: DnupState, players: tuple[Player, Player]) -> Iterator[tuple[DnupState, str | None]]:
    """Yield each state of a round, one object that moves on, with how the round ended there, if it did."""
    seen: dict[bytes, int] = {}
    turns = 0
    while (end := round_end(RULES, state, turns, seen)) is None:
        yield state, None
        state.apply(players[state.turn or 0](state))
        turns += 1
    yield state, end


def rounds(name: str, count: int, iterations: int) -> Iterator[Iterator[tuple[DnupState, str | None]]]:
    """Yield rounds of a bot against itself."""
    for deal in range(count):
        bots = (player(name, iterations, Rng(FIRST_DEAL, deal, 1)), player(name, iterations, Rng(FIRST_DEAL, deal, 2)))
        yield play(RULES.deal(Rng(FIRST_DEAL, deal)), bots)


def collect(name: str, count: int, iterations: int) -> list[DnupState]:
    """Return the first state of each round with each number of live cards up to MOST."""
    found = []
    for line in rounds(name, count, iterations):
        seen = set()
        for state, _ in line:
            cards = live_cards(state)
            if cards <= MOST and cards not in seen and not state.is_over:
                seen.add(cards)
                found.append(state.copy())
    return found


def share(count: int, total: int) -> str:
    """A share in per cent with half the width of its 95% interval (Wilson)."""
    if total == 0:
        return "-"
    z = 1.959964
    part = count / total
    half = z * math.sqrt(part * (1 - part) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{100 * part:.0f} ±{100 * half:.0f}"


def solve_all(states: list[DnupState], solver: Solver) -> tuple[str, list[tuple[DnupState, Solution]]]:
    """Solve every state; returns the table by live cards, and those that somebody wins in 3 turns or more."""
    results: dict[int, Counter[str]] = defaultdict(Counter)
    times: dict[int, list[float]] = defaultdict(list)
    won = []
    for state in states:
        began = perf_counter()
        found = solver.solve(state, every_move=False)
        cards = live_cards(state)
        times[cards].append(1000 * (perf_counter() - began))
        results[cards][str(found.outcome) if found.exact else "open"] += 1
        if found.exact and found.outcome != "draw" and (found.distance or 0) >= 3:
            won.append((state, found))
    rows = []
    for cards, counts in sorted(results.items()):
        total = sum(counts.values())
        spent = sorted(times[cards])
        shares = [share(counts[outcome], total) for outcome in ("win", "draw", "loss", "open")]
        quantiles = [f"{spent[int(part * (total - 1))]:.2f}" for part in (0.5, 0.9, 0.99)]
        rows.append((cards, total, *shares, *quantiles))
    head = ("live cards", "endings", "mover wins, %", "draw, %", "mover loses, %", "not solved, %")
    return markdown((*head, "median ms", "90% ms", "99% ms"), rows), won


def convert(won: list[tuple[DnupState, Solution]], iterations: int, solver: Solver) -> str:
    """Return the table of how many won endings each bot wins."""
    cache: dict[bytes, Move] = {}

    def perfect(state: DnupState) -> Move:
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
                mine = player(name, 0 if name == "greedy" else iterations, Rng(FIRST_DEAL, number, 3))
                other = perfect if against == "solver" else player("greedy", 0, Rng(FIRST_DEAL, number, 4))
                end = None
                state = start.copy()
                for _, how in play(state, (mine, other) if winner == 0 else (other, mine)):
                    end = how
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
        for state, end in line:
            if end is not None:
                ends[end] += 1
                if end == "repetition":
                    if live_cards(state) > 10:
                        found["more than 10 cards"] += 1
                        continue
                    solution = solver.solve(state, every_move=False)
                    found[
                        "draw"
                        if solution.exact and solution.outcome == "draw"
                        else "won by somebody"
                        if solution.exact
                        else "not solved"
                    ] += 1
    kinds = [found[kind] for kind in ("draw", "won by somebody", "not solved", "more than 10 cards")]
    return (name, count, share(ends["repetition"], count), ends["repetition"], *kinds, ends["max_turns"])


def main() -> None:
    """Run the study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="that give endings, of each bot")
    parser.add_argument("--loops", type=int, default=4000, help="rounds of each greedy; of ismcts a tenth")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--states", type=int, default=500_000, help="at most, of one ending")
    arguments = parser.parse_args()
    before = load()
    solver = Solver(arguments.states)
    parts = []
    all_won = []
    for name in ("greedy", "ismcts"):
        iterations = 0 if name == "greedy" else arguments.iterations
        table, won = solve_all(collect(name, arguments.rounds, iterations), solver)
        parts += [f"Endings of {name} against itself, {arguments.rounds} rounds", table]
        all_won += won
    parts += [
        f"{len(all_won)} of them won in 3 turns or more, played on from the winner's side",
        convert(all_won, arguments.iterations, solver),
    ]
    rows = [loops(name, arguments.loops, 0, solver) for name in ("greedy", "greedy:epsilon=0")]
    rows.append(loops("ismcts", arguments.loops // 10, arguments.iterations, solver))
    head = ("bots", "rounds", "loop, %", "loops", "draws", "won by somebody", "not solved", "more than 10 cards")
    parts += ["Rounds that the rule on repetition ended", markdown((*head, "cut at max_turns"), rows)]
    print_report("Endings", *parts, load_before=before)


if __name__ == "__main__":
    main()
