"""Searches random positions with random options until the time is up: for the build with the sanitizers.

    make soak                         # 30 seconds
    make soak SOAK_SECONDS=600        # the long one

Every table of every deck of every game, every kind of search, all options drawn anew each time, arenas from 1 node up,
one and two threads, with the moves of the round and without. Any fault of memory or of undefined behaviour ends the
process; so does a move that is not legal.
"""

from __future__ import annotations

import argparse
import time

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.bots.searching import SearchBotParams
from dnup_ai.games import game_named, game_names
from dnup_ai.params import describe_params
from dnup_ai.search import Budget, Engine

RULES: dict[str, dict[str, tuple[int | str, ...]]] = {
    "dnup": {"out_sets": ("open", "frozen")},
    "dnup-pile": {
        "piles": (1, 2),
        "match": ("either", "active"),
        "reshuffle": ("never", "always"),
        "one_point": ("feeder", "second_out"),
    },
}


def random_state(rng: Rng) -> tuple[State, list[Move]]:
    """Return a true state with somebody to move, anywhere in a random round of any game, and its moves so far."""
    game = game_named(rng.choice(game_names()))
    deck = game.load_deck(rng.choice(game.shipped_decks()))
    options = {name: rng.choice(values) for name, values in RULES.get(game.name, {}).items()}
    state = game.rules(deck, rng.choice(game.player_counts(deck)), options).deal(rng.spawn())
    moves: list[Move] = []
    for _ in range(rng.below(60)):
        move = rng.choice(state.legal_moves())
        undo = state.apply(move)
        if state.is_over:
            state.undo(undo)
            break
        moves.append(move)
    return state, moves


def random_params(rng: Rng) -> SearchBotParams:
    """Return options drawn anew, each over all that it may be, as far as memory and time allow."""
    values: dict[str, object] = {}
    for parameter in describe_params(SearchBotParams):
        if parameter.choices:
            values[parameter.name] = rng.choice(parameter.choices)
        elif parameter.type is bool:
            values[parameter.name] = bool(rng.below(2))
        elif parameter.type is float and parameter.low is not None and parameter.high is not None:
            values[parameter.name] = parameter.low + rng.random() ** 3 * (parameter.high - parameter.low)
    values |= {"cpu_ms": 0.0, "wall_ms": 0.0, "threads": 1 + rng.below(2), "nodes": 1 + rng.below(5000)}
    values["rollout_turns"] = rng.choice((0, 1, 4, 50, 1000))
    values |= {"enumerate": rng.below(200), "belief_pool": 1 + rng.below(200), "repeats": rng.below(3)}
    return SearchBotParams(**values)  # type: ignore[arg-type]


def main() -> None:
    """Search until the time is up, then say how much was done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = Rng(arguments.seed)
    end = time.monotonic() + arguments.seconds
    searches = iterations = 0
    while time.monotonic() < end:
        state, moves = random_state(rng)
        engine = Engine(random_params(rng), worlds=rng.choice((0, 0, 1, 7)), flat=rng.below(4) == 0)
        seen = state if rng.below(4) == 0 else state.observe(state.turn or 0)
        for history in rng.choice(((), moves)), moves:
            result = engine.search(seen, Budget(iterations=1 + rng.below(1500)), rng, history)
            if not state.is_legal(result.best):
                raise SystemExit(f"error: the search chose {result.best} in {state}")
            searches += 1
            iterations += result.iterations
    done = f"{searches} searches, {iterations} iterations in {arguments.seconds:g} s"
    print(f"soak: {done}, no fault (seed {arguments.seed})")


if __name__ == "__main__":
    main()
