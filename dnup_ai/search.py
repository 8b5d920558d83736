"""Search one position: parameters, budget, and what came of it. The algorithm is in cython_core/search.pyx."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter, thread_time
from types import MappingProxyType
from typing import Any, NamedTuple

from cython_core.belief import Belief
from cython_core.evaluation import Evaluator, LinearEvaluator
from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.evaluation.weights import WEIGHTS_SUFFIX, evaluator_for
from dnup_ai.params import Value, describe_params, param

ALL_TURNS = 1000
BELIEF_SHARE = 0.5  # of the time of a move at most: rounds may be long, and a search of what is left must still be one
Z95 = 1.959964


@dataclass(frozen=True)
class SearchParams:
    """How to search. Rewards are scaled to [0, 1], so exploration means the same in every game.

    None, as where they are left out: the game's own value, or where it has none the one listed here (`params_for`).
    Sources: docs/search.md gives one for every parameter.
    """

    exploration: float | None = param(
        0.5,
        low=0,
        high=10,
        tune=(0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5),
        help="weight of exploration in the selection",
        by_game=True,
    )
    selection: str | None = param(
        "ucb1",
        choices=["ucb1", "puct"],
        tune=("ucb1", "puct"),
        help="rule of selection; puct: prior from greedy",
        by_game=True,
    )
    first_play: float | None = param(
        10.0,
        low=0,
        high=10,
        tune=(0.3, 0.5, 0.7, 1, 10),
        help="score of a move not yet tried; above 1: before all others",
        by_game=True,
    )
    opponent_key: str | None = param(
        "exact",
        choices=["exact", "merged"],
        tune=("exact", "merged"),
        help="opponents' plays: by cards, or by kind, value, number, zone",
        by_game=True,
    )
    widening: float | None = param(
        0.0,
        low=0,
        high=100,
        tune=(0, 0.5, 1, 2),
        help="own sets of one value and size: 1 + this * sqrt(visits); 0: all",
        by_game=True,
    )
    rollout: str | None = param(
        "greedy",
        choices=["random", "greedy", "mast"],
        tune=("random", "greedy", "mast"),
        help="how a world is played out",
        by_game=True,
    )
    epsilon: float | None = param(
        0.1,
        low=0,
        high=1,
        tune=(0, 0.05, 0.1, 0.2, 0.4),
        help="chance of a random move in greedy and mast rollouts",
        by_game=True,
    )
    rollout_turns: int | None = param(
        ALL_TURNS,
        low=0,
        high=ALL_TURNS,
        tune=(0, 1, 2, 4, 8, 16, ALL_TURNS),
        help="then the evaluation; 1000: to the end",
        by_game=True,
    )
    evaluation: str | None = param(
        "fitted",
        choices=["fitted", "simple"],
        suffix=WEIGHTS_SUFFIX,
        tune=("fitted", "simple"),
        help="by weights fitted on rounds: those that ship, if any, or of a file of fit-eval; or simple",
        by_game=True,
    )
    reward: str = param("tokens", choices=["tokens", "match"], help="tokens of the round, or match equity")
    opponents: str | None = param(
        "maxn",
        choices=["maxn", "paranoid"],
        tune=("maxn", "paranoid"),
        help="each for itself, or all against the root",
        by_game=True,
    )
    opponent_prior: float | None = param(
        0.0,
        low=0,
        high=1,
        tune=(0, 0.1, 0.2, 0.5),
        help="chance that an opponent in the tree plays by its hand",
        by_game=True,
    )
    opponent_temperature: float | None = param(
        1.0, low=0, high=100, tune=(1, 2, 4, 8), help="power of the prior by which it then plays", by_game=True
    )
    turn_cost: float | None = param(
        0.0,
        low=0,
        high=0.1,
        tune=(0, 0.001, 0.003, 0.01),
        help="reward lost per turn until the round ends",
        by_game=True,
    )
    repeats: int | None = param(
        0,
        low=0,
        high=8,
        tune=(0, 1, 2),
        help="a move to a state that the round had so often counts as undecided; 0: off",
        by_game=True,
    )
    enumerate: int | None = param(
        0,
        low=0,
        high=4096,
        tune=(0, 64, 256, 1024),
        help="as many worlds are listed and taken in turn, not drawn; 0: never",
        by_game=True,
    )
    belief_temperature: float | None = param(
        0.0,
        low=0,
        high=100,
        tune=(0, 0.5, 1, 2, 4),
        help="opponents' moves tell of their hands: power of the prior in the model; 0: off",
        by_game=True,
    )
    belief_floor: float | None = param(
        0.2, low=0, high=1, tune=(0.05, 0.1, 0.2, 0.4), help="share of any move in that model", by_game=True
    )
    belief_pool: int | None = param(
        256,
        low=1,
        high=4096,
        tune=(32, 64, 128, 256, 512),
        help="worlds that are weighed where enumerate cannot list them",
        by_game=True,
    )
    final: str | None = param(
        "visits",
        choices=["visits", "value", "lcb"],
        tune=("visits", "value", "lcb"),
        help="which move is chosen in the end",
        by_game=True,
    )
    early_stop: bool = param(False, help="stop when the most visited move cannot be caught")
    threads: int = param(1, low=1, high=64, help="root-parallel threads")
    nodes: int = param(1 << 18, low=1, high=1 << 26, help="nodes of a thread's tree; full: no new ones")

    defaults: str = param(
        "game", choices=["game", "engine"], help="of parameters that are left out: the game's own, or as listed here"
    )

    def __post_init__(self) -> None:
        # The core relies on these: it checks nothing, and has room for just so many turns and trees.
        for parameter in describe_params(type(self)):
            value = getattr(self, parameter.name)
            if not (parameter.allows(value) if value is not None else parameter.by_game):
                raise ValueError(f"{parameter.name}: expected {parameter.allowed()}, got {value!r}")


ENGINE_DEFAULTS: Mapping[str, Value] = MappingProxyType(
    {parameter.name: parameter.default for parameter in describe_params(SearchParams)}
)
"""What is searched with where neither the caller nor the game says otherwise."""


@dataclass(frozen=True)
class Budget:
    """When to stop, whichever comes first; None: no such limit. Each thread has the whole of it, but for what a belief
    took before.

    iterations: at least 1; the only limit under which a seed gives the same result again. wall, cpu: seconds, of
    the clock and of the thread; cap: seconds of the clock after which the search ends, though nothing is planned for
    it: short of it, the result is what it is without. At least one iteration is done whatever the limits say.
    """

    iterations: int | None = None
    wall: float | None = None
    cpu: float | None = None
    cap: float | None = None

    def __post_init__(self) -> None:
        limits = [limit for limit in (self.iterations, self.wall, self.cpu) if limit is not None]
        if not limits:
            raise ValueError("a budget needs a limit: iterations, wall or cpu")
        if self.cap is not None:
            limits.append(self.cap)
        if not all(0 <= limit < math.inf for limit in limits) or self.iterations == 0:
            raise ValueError(f"expected iterations of 1 and more and seconds of 0 and more, got {self}")


def params_for(rules: Rules, params: SearchParams) -> SearchParams:
    """Return the parameters to search a game with, none of them None any more: they are the game's own values.

    `params.defaults` `engine`: those that are declared.
    """
    own = {} if params.defaults == "engine" else rules.search_defaults()
    weights = params.evaluation if (params.evaluation or "").endswith(WEIGHTS_SUFFIX) else "fitted"
    if rules.feature_names() and not isinstance(evaluator_for(rules, weights or "fitted"), LinearEvaluator):
        # Rollouts are cut short for the sake of fitted weights, and none ship for these rules.
        own.pop("rollout_turns", None)
    left_out = [name for name in ENGINE_DEFAULTS if getattr(params, name) is None]
    return dataclasses.replace(params, **{name: own.get(name, ENGINE_DEFAULTS[name]) for name in left_out})


class Tried(NamedTuple):
    """The part of `MoveStats` by which the move to play is chosen."""

    visits: int
    value: float
    stderr: float


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What the search found out about one move of the root.

    visits: iterations that began with it; available: those in which they could, once it was in a tree; values:
    mean reward by seat, from 0 to 1; value: the root seat's; stderr: its standard error, from batches of iterations
    (infinite with fewer than two). The batches share the tree, so it is somewhat too small (docs/search.md); places:
    the root seat's chances to be first and second, if the search was told to count them.
    """

    move: Move
    visits: int
    available: int
    values: tuple[float, ...]
    value: float
    stderr: float
    places: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found.

    moves: every legal move, in the order of the state's list; best: the one to play; line: the most visited line that
    begins with it (principal variation); worlds: how many were drawn, or listed and used; exact: each world that agrees
    with the view was used equally often, so that the mean over all iterations has no chance of a draw of worlds in it
    (true also of a true state, which is the only world); belief: how likely the worlds were taken to be: `uniform`
    (equally), or by the moves of the opponents, with all of them `listed`, or a pool `sampled`; depth: mean depth of a
    leaf; revisited: share of the steps down the tree that led to a node seen before (0: a flat tree, nothing is
    learnt twice); nodes: of all trees; rollout_turns: mean; wall, cpu: seconds, cpu of all threads; stopped_by: the
    first thread's `iterations`, `wall`, `cpu` or `decided`; full: an arena was full.
    """

    moves: tuple[MoveStats, ...]
    best: Move
    line: tuple[Move, ...]
    iterations: int
    worlds: int
    exact: bool
    belief: str
    depth: float
    revisited: float
    nodes: int
    rollout_turns: float
    wall: float
    cpu: float
    stopped_by: str
    full: bool


class Engine:
    """A search that keeps its memory from move to move; one per bot, not shared between threads."""

    def __init__(
        self, params: SearchParams, *, worlds: int = 0, flat: bool = False, evaluator: Evaluator | None = None
    ) -> None:
        """worlds: 0, a fresh world each iteration and one tree (ISMCTS), or so many worlds, a tree each; flat: no tree
        below the root's moves; evaluator: of leaves, in place of the one that `params.evaluation` names.
        """
        if worlds < 0:
            raise ValueError(f"worlds: expected 0 or more, got {worlds}")
        self.params = params
        self.worlds = worlds
        self._evaluator = evaluator
        self._shape = {"trees": worlds, "max_depth": 1} if flat else {"trees": worlds}
        self._workers: list[Searcher] = []
        self._effective: Any = params
        self._belief: Belief | None = None
        self._spent = 0.0, 0.0

    @property
    def kind(self) -> str:
        """The bot that searches like this: `ismcts`, `dmcts` or `flat`."""
        return "flat" if "max_depth" in self._shape else "dmcts" if self.worlds else "ismcts"

    def search(
        self, view: State, budget: Budget, rng: Rng, history: Sequence[Move] = (), only: Move | None = None
    ) -> SearchResult:
        """Search the position as the seat to move sees it.

        view: that seat's view, or a true state to search with all cards open; history: the public moves of the round
        so far, from its very start, as `params.belief_temperature` needs them; without it, or if the moves do not lead
        here, all worlds are equally likely, and the result says so; only: the legal move that every iteration begins
        with, to find out what this one is worth; None: all are tried. The result depends on `rng`, the parameters, the
        history and, under an iteration budget, on nothing else. Raises ValueError if the round is over or the view is
        not of the seat to move.
        """
        self._run(view, budget, rng, history, only=-1 if only is None else view.legal_moves().index(only))
        return self.result(view)

    def think(
        self, view: State, budget: Budget, rng: Rng, pause: float, history: Sequence[Move] = ()
    ) -> Iterator[None]:
        """Search as `search` does, and count places; yield every `pause` seconds, and once at the end.

        In between `result` and `line` say what has been found so far. Under an iteration budget the pauses change
        nothing. Whoever stops asking ends the search there.
        """
        self._run(view, budget, rng, history, pause)
        yield
        while any(worker.stopped_by == "paused" for worker in self._workers):
            self._in_threads(lambda worker: worker.resume(pause) if worker.stopped_by == "paused" else None)
            yield

    def choose(self, view: State, budget: Budget, rng: Rng, history: Sequence[Move] = ()) -> Move:
        """Return the best move of the same search as `search`, without the rest of its result."""
        self._run(view, budget, rng, history)
        if self._effective.final == "lcb":
            return view.legal_moves()[choose_move(self._stats(view), "lcb")]
        return view.legal_moves()[choose_move(self._tried(view), self._effective.final)]

    @property
    def iterations(self) -> int:
        """How many iterations the last search did, in all threads."""
        return sum(worker.iterations for worker in self._workers)

    def _run(
        self,
        view: State,
        budget: Budget,
        rng: Rng,
        history: Sequence[Move],
        pause: float | None = None,
        only: int = -1,
    ) -> None:
        if view.turn is None:
            raise ValueError("the round is over: there is no move to search")
        if view.view not in (None, view.turn):
            raise ValueError(f"seat {view.view} cannot search for seat {view.turn}, whose turn it is")
        if not self._workers or not _fits(self._workers[0], view):
            # Worked out once: for a search of a few milliseconds it would take long.
            self._effective = params_for(view.rules, self.params)
            params = self._effective
            evaluator = self._evaluator
            if evaluator is None and params.rollout_turns < ALL_TURNS:
                evaluator = evaluator_for(view.rules, params.evaluation)
            self._workers = [Searcher(view, params, evaluator=evaluator, **self._shape) for _ in range(params.threads)]
        streams = {worker: rng.spawn() for worker in self._workers}
        undecided = self._look_back(view, history, rng, budget)
        wall, cpu = self._spent
        self._in_threads(
            lambda worker: worker.search(
                view,
                streams[worker],
                self.params.reward,
                iterations=budget.iterations or 0,
                wall=-1.0 if budget.wall is None else max(0.0, budget.wall - wall),
                cpu=-1.0 if budget.cpu is None else max(0.0, budget.cpu - cpu),
                cap=-1.0 if budget.cap is None else max(0.0, budget.cap - wall),
                pause=-1.0 if pause is None else pause,
                places=pause is not None,
                only=only,
                belief=self._belief,
                undecided=undecided,
            )
        )

    def _in_threads(self, work: Callable[[Searcher], None]) -> None:
        if len(self._workers) == 1:
            work(self._workers[0])
        else:
            with ThreadPoolExecutor(len(self._workers)) as pool:
                list(pool.map(work, self._workers))

    def _look_back(self, view: State, history: Sequence[Move], rng: Rng, budget: Budget) -> list[bool]:
        """Weigh the worlds, and return of each move whether it is undecided, as far as the parameters ask for either.

        A belief may take its share of the time of the budget. `_spent`: the seconds that it took, of the clock, and of
        the CPU.
        """
        self._belief, self._spent = None, (0.0, 0.0)
        params = self._effective
        if not history:
            return []
        began = perf_counter(), thread_time()
        codes = [move.code for move in history]
        if params.belief_temperature and view.view is not None:
            walls = [limit for limit in (budget.wall, budget.cap) if limit is not None]
            self._belief = Belief(
                view,
                codes,
                rng.spawn(),
                limit=params.enumerate,
                pool=params.belief_pool,
                temperature=params.belief_temperature,
                floor=params.belief_floor,
                cpu=-1.0 if budget.cpu is None else BELIEF_SHARE * budget.cpu,
                wall=BELIEF_SHARE * min(walls) if walls else -1.0,
            )
        undecided = []
        if params.repeats and view.rules.repetition:
            undecided = [count >= params.repeats for count in view.repeats(codes)]
        self._spent = perf_counter() - began[0], thread_time() - began[1]
        return undecided

    def _tried(self, view: State) -> list[Tried]:
        """Only what most choices need: a search of a millisecond has no time for more."""
        seat = view.turn
        assert seat is not None
        found = []
        for rows in zip(*(worker.root_statistics() for worker in self._workers), strict=True):
            visits = sum(row[0] for row in rows)
            reward = sum(row[2][seat] for row in rows)
            found.append(Tried(visits, reward / visits if visits else 0.0, math.inf))
        return found

    def _stats(self, view: State) -> tuple[MoveStats, ...]:
        """Sum what the threads found, in their order."""
        tables = [worker.root_statistics() for worker in self._workers]
        batches = [worker.root_batches() for worker in self._workers]
        places = [worker.root_places() for worker in self._workers]
        stats = []
        for index, (move, tried) in enumerate(zip(view.legal_moves(), self._tried(view), strict=True)):
            rows = [table[index] for table in tables]
            rewards = [sum(column) for column in zip(*(row[2] for row in rows), strict=True)]
            values = tuple(reward / max(tried.visits, 1) for reward in rewards)
            error = batch_error([batch for found in batches for batch in found[index]])
            first, second = (sum(found[index][place] for found in places) / max(tried.visits, 1) for place in (0, 1))
            available = sum(row[1] for row in rows)
            stats.append(MoveStats(move, tried.visits, available, values, tried.value, error, (first, second)))
        return tuple(stats)

    def line(self, view: State, index: int, length: int = 12) -> tuple[Move, ...]:
        """Return the most visited line, in the first thread's first tree, that begins with the legal move `index`."""
        codes = self._workers[0].principal_variation(index, length)
        return tuple(view.rules.wrap_move(code) for code in codes)

    def result(self, view: State) -> SearchResult:
        """Return what the search of this view has found so far."""
        workers = self._workers
        stats = self._stats(view)
        best = choose_move(stats, self._effective.final)
        iterations = self.iterations
        depth = sum(worker.depth_sum for worker in workers)
        drawn = 1 if view.view is None else (self.worlds * len(workers) or iterations)
        listed = workers[0].listed_worlds
        drawn = min(drawn, listed) if listed else drawn
        belief = "uniform" if self._belief is None else self._belief.source
        even = listed > 0 and belief == "uniform"
        exact = view.view is None or (even and all(self._is_even(worker) for worker in workers))
        return SearchResult(
            moves=stats,
            best=stats[best].move,
            line=self.line(view, best),
            iterations=iterations,
            worlds=min(drawn, iterations),
            exact=exact,
            belief=belief,
            depth=depth / iterations,
            revisited=sum(worker.revisits for worker in workers) / depth if depth else 0.0,
            nodes=sum(worker.n_nodes for worker in workers),
            rollout_turns=sum(worker.rollout_turns for worker in workers) / iterations,
            wall=self._spent[0] + max(worker.wall for worker in workers),
            cpu=self._spent[1] + sum(worker.cpu for worker in workers),
            stopped_by=workers[0].stopped_by,
            full=any(worker.full for worker in workers),
        )

    def _is_even(self, worker: Searcher) -> bool:
        """Whether the worker used each of the listed worlds equally often."""
        trees = self.worlds or 1
        return worker.iterations % trees == 0 and (self.worlds or worker.iterations) % worker.listed_worlds == 0


def _fits(worker: Searcher, view: State) -> bool:
    """Whether the worker's memory was made for states like this one."""
    return type(worker.view) is type(view) and worker.view.rules == view.rules


def search(
    view: State, params: SearchParams, budget: Budget, history: Sequence[Move] = (), *, rng: Rng
) -> SearchResult:
    """Search one position with ISMCTS.

    view: what the seat to move may know, or a true state to search with all cards open; history: the public moves
    of the round so far, from which `params.belief_temperature` takes how likely the worlds of the view are; by
    default, and without history, all are equally likely; rng: its next number seeds the search.
    Raises ValueError as `Engine.search` does.
    """
    return Engine(params).search(view, budget, rng, history)


def choose_move(stats: Sequence[MoveStats] | Sequence[Tried], final: str) -> int:
    """Return the index of the move to play, by most visits, highest value, or highest lower confidence bound.

    Ties go to the higher value, then to the first. Moves that were never tried are never chosen.
    """
    return rank_moves(stats, final)[0]


def rank_moves(stats: Sequence[MoveStats] | Sequence[Tried], final: str) -> list[int]:
    """Return the indices of the moves, best first, by the same criterion."""

    def merit(index: int) -> tuple[float, float, int]:
        move = stats[index]
        if move.visits == 0:
            return -math.inf, -math.inf, -index
        if final == "visits":
            return move.visits, move.value, -index
        return move.value - (Z95 * move.stderr if final == "lcb" else 0), move.value, -index

    return sorted(range(len(stats)), key=merit, reverse=True)


def batch_error(batches: Sequence[tuple[float, int]]) -> float:
    """Return the standard error of the overall mean, from the (sum, count) of independent batches.

    The batches' means are weighted by their counts; infinite with fewer than two batches.
    """
    if len(batches) < 2:
        return math.inf
    total = sum(count for _, count in batches)
    mean = sum(value for value, _ in batches) / total
    spread = sum((value - count * mean) ** 2 for value, count in batches)
    return math.sqrt(spread * len(batches) / (len(batches) - 1)) / total
