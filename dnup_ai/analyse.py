"""Which moves of a round lost expected points, how much, and what was better: by search from the mover's view."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from statistics import fmean, variance
from typing import Any

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.bots.registry import parse_spec
from dnup_ai.errors import ConfigError
from dnup_ai.games import Game, game_named
from dnup_ai.search import Budget, Engine, MoveStats

DEFAULT_ITERATIONS = 5000
DEFAULT_SEARCHES = 4
Z95 = 1.959964


@dataclass(frozen=True)
class Decision:
    """One move of a round, judged.

    number: of the move in the round, from 1; position: what the mover knew; choices: how many moves it had; better:
    what a search would have played instead, None if it was this move; loss: points by which that is better, as measured
    by searches that had no part in choosing it; interval: of 95%, for the loss that much longer searches would find;
    value, better_value: what the two are worth. marked: the interval has no 0 in it and the loss reaches the threshold.
    """

    number: int
    seat: int
    position: str
    move: str
    choices: int
    better: str | None
    value: float
    better_value: float
    loss: float
    interval: tuple[float, float]
    marked: bool

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self) | {"interval": list(self.interval)}


@dataclass(frozen=True)
class Judge:
    """How moves are judged.

    budget: of each search, by the game's adviser; searches: how many measure what a first one would rather have played,
    2 or more; utility: `tokens` or `match`; threshold: points that a move must have lost to be marked.
    """

    budget: Budget = Budget(iterations=DEFAULT_ITERATIONS)  # noqa: RUF009 - immutable
    searches: int = DEFAULT_SEARCHES
    utility: str = "tokens"
    threshold: float = 0.0

    def __post_init__(self) -> None:
        if not 2 <= self.searches <= 1000:
            raise ConfigError(f"searches: expected 2 to 1000, got {self.searches}")
        if not 0 <= self.threshold < math.inf:
            raise ConfigError(f"threshold: expected points, 0 or more, got {self.threshold}")

    def decision(self, view: State, move: str, number: int, rng: Rng, game: Game) -> Decision:
        """Judge a move from the view of the seat to move; the result depends on `rng` and the budget alone."""
        assert view.turn is not None
        moves = [str(legal) for legal in view.legal_moves()]
        played = moves.index(move)
        scale = 1.0 if self.utility == "match" else game.prize(view.rules)
        engine = Engine(replace(parse_spec(game.adviser).params, reward=self.utility))
        first = engine.search(view, self.budget, rng)
        best = moves.index(str(first.best))
        worth = scale * first.moves[played].value
        if best == played:
            return Decision(number, view.turn, str(view), move, len(moves), None, worth, worth, 0.0, (0.0, 0.0), False)
        # The first search chose the best of many noisy means, and hardly looked at poor moves. These have no reason to
        # flatter either move, and look at both as long.
        legal = view.legal_moves()
        here, there = (
            [self._worth(engine, view, legal[index], rng) for _ in range(self.searches)] for index in (played, best)
        )
        value, better = (scale * fmean(found.value for found in side) for side in (here, there))
        loss, noise = mean_and_half([scale * (b.value - a.value) for a, b in zip(here, there, strict=True)])
        iterations = fmean(found.visits for found in (*here, *there))
        half = math.hypot(noise, scale * drift95(better / scale, iterations))
        interval = (loss - half, loss + half)
        marked = loss > half and loss >= self.threshold
        return Decision(
            number, view.turn, str(view), move, len(moves), moves[best], value, better, loss, interval, marked
        )

    def _worth(self, engine: Engine, view: State, move: Move, rng: Rng) -> MoveStats:
        found = engine.search(view, self.budget, rng, only=move).moves
        return next(stats for stats in found if stats.move == move)


def drift95(value: float, iterations: float) -> float:
    """Return how far the difference of two moves in short searches may be from that in much longer ones, in 95%.

    All searches of one length share what they are too short to see, so it is no part of how they differ among
    themselves. value: of the better move, from 0 to 1; iterations: of the short searches. Measured (docs/assist.md).
    """
    # Even of a sure win a search explores something else at times, and its mean has that in it.
    clear = min(max(value, 0.01), 0.99)
    return 0.22 * math.pow(2000 / max(iterations, 1.0), 0.2) * math.sqrt(clear * (1 - clear))


def analyse_round(
    start: State,
    entries: Sequence[str],
    judge: Judge,
    *,
    seed: int = 0,
    seats: Collection[int] | None = None,
    game: Game | None = None,
    progress: Callable[[Decision], None] | None = None,
) -> tuple[Decision, ...]:
    """Judge the moves of a round.

    start: the true state that it starts from, left as it is; entries: its moves in notation, and events of chance
    between them, as in the `moves` of a record; every move is legal. seats: whose moves, None: all; seed: repeats the
    result under a budget of iterations, whichever seats are asked for; progress: called with each decision.
    Only the mover's view is searched: a move is judged by what could be known, not by how it turned out.
    """
    if not 0 <= seed < 2**32:
        raise ConfigError(f"seed: expected 0 to {2**32 - 1}, got {seed}")
    card_game = game or game_named(start.rules.game)
    state = start.copy()
    rng = Rng(seed)
    decisions = []
    number = 0
    for entry in entries:
        if not card_game.is_move(entry):
            card_game.replay_event(state, entry)
            continue
        number += 1
        own = rng.spawn()
        seat = state.turn
        assert seat is not None
        move = card_game.parse_move(state.rules, entry)
        if seats is None or seat in seats:
            decisions.append(judge.decision(state.observe(seat), str(move), number, own, card_game))
            if progress is not None:
                progress(decisions[-1])
        state.apply(move)
    return tuple(decisions)


@dataclass(frozen=True)
class Account:
    """What the moves of one player come to.

    player: a seat or a name; rounds: in which it had a move; moves: with more than one choice; marked: of them;
    lost: expected points lost a round, by the losses of all its moves, marked or not; interval: of 95%.
    """

    player: str
    rounds: int
    moves: int
    marked: int
    lost: float
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self) | {"interval": list(self.interval)}


def summarise(rounds: Iterable[Sequence[Decision]], player: Callable[[int, int], str]) -> tuple[Account, ...]:
    """Return the accounts of all players, by name, from the decisions of rounds.

    player: the name of who sat in a round, by its index, at a seat; one player may have sat at several.
    """
    by_player: dict[str, list[list[Decision]]] = {}
    for index, decisions in enumerate(rounds):
        by_seat: dict[int, list[Decision]] = {}
        for decision in decisions:
            by_seat.setdefault(decision.seat, []).append(decision)
        for seat, own in sorted(by_seat.items()):
            by_player.setdefault(player(index, seat), []).append(own)
    return tuple(_account(name, own) for name, own in sorted(by_player.items()))


def _account(name: str, rounds: Sequence[Sequence[Decision]]) -> Account:
    judged = [decision for decisions in rounds for decision in decisions if decision.choices > 1]
    sums = [sum(decision.loss for decision in decisions) for decisions in rounds]
    lost = fmean(sums)
    # With one round only the searches are known to vary; with more, rounds do, and that has the searches in it.
    half = mean_and_half(sums)[1] if len(sums) > 1 else math.sqrt(sum(_variance(decision) for decision in judged)) * Z95
    marked = sum(decision.marked for decision in judged)
    return Account(name, len(rounds), len(judged), marked, lost, (lost - half, lost + half))


def _variance(decision: Decision) -> float:
    """Of the loss, from its interval."""
    return ((decision.interval[1] - decision.interval[0]) / 2 / Z95) ** 2


def mean_and_half(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of two or more independent values, and half the width of its 95% interval (Student's t)."""
    return fmean(values), t95(len(values) - 1) * math.sqrt(variance(values) / len(values))


@cache
def t95(freedom: int) -> float:
    """Return the 97.5% point of Student's t."""
    from scipy.stats import t

    return float(t.ppf(0.975, freedom))
