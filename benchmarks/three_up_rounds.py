"""Plays rounds of 3UP 3DOWN by the greedy heuristic and at random, and prints how they ended, as a table.

    python benchmarks/three_up_rounds.py                      # 1000 rounds each
    python benchmarks/three_up_rounds.py --rounds 100 --deck box-84

The last columns: share of the rounds that one greedy player wins among random ones, sitting at every seat in turn.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.decks.three_up import load_three_up_deck
from tournaments.match import round_end

EPSILON = 0.05  # of the greedy players, as in the bot


def greedy(state: State, rng: Rng) -> Move:
    """Return the move of the heuristic, which knows what the seat to move knows."""
    return state.observe(state.turn or 0).greedy_move(rng, EPSILON)


def uniform(state: State, rng: Rng) -> Move:
    """Return any legal move."""
    return rng.choice(state.legal_moves())


Player = Callable[[State, Rng], Move]


def play(state: State, players: list[Player], rng: Rng) -> tuple[str, int]:
    """Play the round on to its end; returns how it ended and the number of moves."""
    seen: dict[bytes, int] = {}
    moves = 0
    while (end := round_end(state.rules, state, moves, seen)) is None:
        state.apply(players[state.turn or 0](state, rng))
        moves += 1
    return end, moves


def row(deck: str, players: int, rounds: int, name: str, player: Player) -> str:
    """Return a line of the table: how rounds among equal players ended, and how long they were."""
    rules = load_three_up_deck(deck).rules(players)
    ends: Counter[str] = Counter()
    lengths = []
    first = 0
    for deal in range(rounds):
        state = rules.deal(Rng(1, deal))
        end, moves = play(state, [player] * players, Rng(1, deal, 1, 0))
        ends[end] += 1
        lengths.append(moves)
        first += state.result()[0]
    lengths.sort()
    shares = " | ".join(f"{100 * ends[end] / rounds:.1f}%" for end in ("out", "repetition", "max_turns"))
    quantiles = " / ".join(str(lengths[int(share * (rounds - 1))]) for share in (0.1, 0.5, 0.9))
    return f"| {name} | {players} | {shares} | {quantiles} | {100 * first / rounds:.1f}% |"


def duel(deck: str, players: int, rounds: int) -> str:
    """Return a line of the table: one greedy player among random ones."""
    rules = load_three_up_deck(deck).rules(players)
    won = 0
    for deal in range(rounds):
        seats: list[Player] = [uniform] * players
        seats[deal % players] = greedy
        state = rules.deal(Rng(2, deal // players))
        play(state, seats, Rng(2, deal, 1, 0))
        won += state.result()[deal % players]
    share = won / rounds
    error = 1.96 * (share * (1 - share) / rounds) ** 0.5
    return f"| {players} | {100 * share:.1f}% ± {100 * error:.1f} | {100 / players:.1f}% |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--deck", default="standard")
    asked = parser.parse_args()
    print(f"Deck {asked.deck}, {asked.rounds} rounds each.\n")
    print("| players' play | players | out | repetition | max_turns | moves: 10% / half / 90% | seat 0 wins |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, player in (("greedy", greedy), ("random", uniform)):
        for players in range(2, 7):
            print(row(asked.deck, players, asked.rounds, name, player))
    print("\n| players | one greedy among random wins | fair share |\n| --- | --- | --- |")
    for players in range(2, 7):
        print(duel(asked.deck, players, asked.rounds))


if __name__ == "__main__":
    main()
