"""What to do in a position, how sure that is, and why: the engine's answer for one seat, as plain data."""

from __future__ import annotations

import math
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, replace
from typing import Any

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.beliefs import believe
from dnup_ai.bots.base import Bot
from dnup_ai.bots.registry import BotSpec, parse_spec
from dnup_ai.bots.searching import SearchBot
from dnup_ai.errors import ConfigError
from dnup_ai.games import Game, game_named, game_of
from dnup_ai.intervals import drift_of, gap_side, interval_sides
from dnup_ai.reasons import Reasons
from dnup_ai.search import Budget, Engine, MoveStats, SearchParams, params_for, rank_moves

SCHEMA = 1
DEFAULT_SECONDS = 2.0
_PAUSE = 0.1  # seconds between two looks at whether to stop
_PROGRESS = 0.25  # seconds between two reports of progress
_LINES = 5  # moves of which the line and the reasons are given
_LINE_LENGTH = 6


@dataclass(frozen=True)
class SuggestedMove:
    """What is known of one move of the seat to move.

    move: in the game's notation; value: expected points of the round (in dnup tokens), with the utility `match` the
    chance to win the match; interval: of 95%, for the value that a much longer search would give (docs/suggest.md);
    first, second, neither: the seat's chances of these places; visits: iterations that began with it, share: of all;
    line: the most tried continuation, itself first, in notation; equal: the interval of the difference to the best
    move has 0 in it; reasons: one plain fact each. Of a bot that does not search value, interval and chances are NaN.
    """

    move: str
    value: float
    interval: tuple[float, float]
    first: float
    second: float
    neither: float
    visits: int
    share: float
    line: tuple[str, ...]
    equal: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Suggestion:
    """The answer of `suggest`.

    schema: version of `to_dict`; position: the view that was searched; seat: the one to move; bot: its spec; utility:
    `tokens` or `match`; moves: best first; iterations, worlds: of all threads; seconds: of the clock; stopped_by:
    `iterations`, `wall`, `cpu`, `decided`, `stopped` (by who asked), `exact`, or `bot` if it does not search; exact:
    the values are proven, not estimated; belief: how likely the worlds were taken to be, `uniform` (equally), or by the
    opponents' moves of the round, all worlds `listed`, or a pool `sampled`; None if the bot does not search.
    """

    schema: int
    game: str
    position: str
    seat: int
    bot: str
    utility: str
    seed: int
    moves: tuple[SuggestedMove, ...]
    iterations: int
    worlds: int
    seconds: float
    stopped_by: str
    exact: bool
    belief: str | None

    @property
    def best(self) -> SuggestedMove:
        """The move to play."""
        return self.moves[0]

    @property
    def searched(self) -> bool:
        """Whether there are values: a bot that does not search gives only its move."""
        return self.stopped_by != "bot"

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON, with the keys of docs/suggest.md; numbers that there are not are None."""
        made = asdict(self)
        for move in made["moves"]:
            for key in ("value", "first", "second", "neither"):
                move[key] = None if math.isnan(move[key]) else move[key]
            move["interval"] = None if math.isnan(move["interval"][0]) else list(move["interval"])
            move["line"], move["reasons"] = list(move["line"]), list(move["reasons"])
        made["moves"] = list(made["moves"])
        return made


def suggest(
    position: str | State,
    *,
    budget: Budget | float | None = None,
    bot: str | None = None,
    threads: int | None = None,
    utility: str | None = None,
    seed: int | None = None,
    history: Sequence[Move] = (),
    game: str = "dnup",
    top: int | None = None,
    progress: Callable[[Suggestion], None] | None = None,
    stop: Callable[[], bool] | None = None,
    spent: float = 0.0,
) -> Suggestion:
    """Return what to do in a position, as the seat to move sees it.

    position: a view of the seat to move, or text of one; of a true state the other hands are not looked at, it is
    observed first. budget: seconds of the clock, or limits; None: the bot's own, else 2 seconds. bot: a spec, None
    for the game's adviser; threads, utility (`tokens` or `match`): None for what the spec says, else 1 and
    `tokens`. seed: 0 to 2**32 - 1, None for one that is drawn; it repeats the answer under a budget of iterations.
    history: the moves of the round so far; game: of a user's file, as `my_game.py:Class`; top: so many moves at
    most. progress: called about four times a second with the answer so far, without lines and reasons; stop: asked
    ten times a second whether to end at once; spent: seconds of the budget's clock that are gone already, of which
    half at most is then taken off.
    Raises NotationError, BotError, ConfigError with what is wrong.
    """
    view, card_game = _observed(position, game)
    if seed is None:
        seed = secrets.randbits(32)
    if not 0 <= seed < 2**32:
        raise ConfigError(f"seed: expected 0 to {2**32 - 1}, got {seed}")
    if top is not None and top < 1:
        raise ConfigError(f"top: expected 1 or more, got {top}")
    if utility not in (None, "tokens", "match"):
        raise ConfigError(f"utility: expected 'tokens' or 'match', got {utility!r}")
    spec = parse_spec(bot or card_game.adviser)
    if spec.sees_all:
        raise ConfigError(f"bot {bot}: it looks at hidden cards; a suggestion is made from what the seat can know")
    began = time.perf_counter()
    made = _made(spec, seed)
    if not isinstance(made, SearchBot):
        return _asked(view, card_game, made, str(spec), utility or "tokens", seed, history, began)
    if threads is not None and not 1 <= threads <= 64:
        raise ConfigError(f"threads: expected 1 to 64, got {threads}")
    engine = made.engine
    params = replace(
        engine.params,
        threads=engine.params.threads if threads is None else threads,
        reward=engine.params.reward if utility is None else utility,
    )
    engine.params = params = params_for(view.rules, params)
    assert params.final is not None
    thinking = _Thinking(view, card_game, engine, str(spec), params.reward, params.final, seed, began, top, history)
    limits = _limits(budget, made)
    if limits.wall is not None and spent > 0:
        limits = replace(limits, wall=max(limits.wall / 2, limits.wall - spent))
    return thinking.run(limits, made.rng, progress, stop)


def search_params(bot: str | None, game: Game) -> SearchParams:
    """Return the parameters by which a bot, None for the game's adviser, searches and believes.

    Those of the adviser if it does not search. Raises BotError if there is no such bot.
    """
    made = _made(parse_spec(bot or game.adviser), 0)
    return made.engine.params if isinstance(made, SearchBot) else search_params(None, game)


def _made(spec: BotSpec, seed: int) -> Bot:
    """The bot; what a user's one prints goes to standard error, out of the way of results."""
    with redirect_stdout(sys.stderr):
        return spec.make(Rng(seed))


def _observed(position: str | State, game: str) -> tuple[State, Game]:
    """The view of the seat to move, and its game."""
    if isinstance(position, str):
        card_game = game_of(position, game)
        state = card_game.parse_position(position)
    else:
        state = position
        card_game = game_named(game) if game_named(game).name == state.rules.game else game_named(state.rules.game)
    if state.turn is None:
        raise ConfigError(f"the round is over, there is nothing to suggest: {state}")
    if state.view not in (None, state.turn):
        raise ConfigError(f"seat {state.turn} is to move, but this is the view of seat {state.view}: {state}")
    return (state.observe(state.turn) if state.view is None else state.copy()), card_game


def _limits(budget: Budget | float | None, bot: SearchBot) -> Budget:
    if isinstance(budget, Budget):
        return budget
    if budget is not None:
        if not 0 <= budget < math.inf:
            raise ConfigError(f"budget: expected seconds, 0 or more, got {budget}")
        return Budget(wall=budget)
    own = bot.params
    return own.budget() if own.iterations or own.cpu_ms or own.wall_ms else Budget(wall=DEFAULT_SECONDS)


def _asked(
    view: State, game: Game, bot: Bot, spec: str, utility: str, seed: int, history: Sequence[Move], began: float
) -> Suggestion:
    """The answer of a bot that does not search: its move, and nothing else."""
    try:
        with redirect_stdout(sys.stderr):
            move = bot.choose(view.copy(), tuple(history))
        legal, text = isinstance(move, Move) and view.is_legal(move), str(move)
    except KeyboardInterrupt:
        raise
    except Exception as error:
        raise ConfigError(f"bot {spec}: {type(error).__name__}: {error}") from error
    if not legal:
        raise ConfigError(f"bot {spec}: expected a legal move, got {text}")
    nan = math.nan
    chosen = SuggestedMove(text, nan, (nan, nan), nan, nan, nan, 0, 0.0, (text,), False, ())
    seconds = time.perf_counter() - began
    return Suggestion(
        SCHEMA, game.name, str(view), _seat(view), spec, utility, seed, (chosen,), 0, 0, seconds, "bot", False, None
    )


@dataclass
class _Thinking:
    """One search with what is asked of it, while it goes on."""

    view: State
    game: Game
    engine: Engine
    spec: str
    utility: str
    final: str
    seed: int
    began: float
    top: int | None
    history: Sequence[Move]

    def run(
        self,
        budget: Budget,
        rng: Rng,
        progress: Callable[[Suggestion], None] | None,
        stop: Callable[[], bool] | None,
    ) -> Suggestion:
        shown = -math.inf
        for _ in self.engine.think(self.view, budget, rng, _PAUSE, self.history):
            if progress is not None and (now := time.perf_counter()) - shown >= _PROGRESS:
                shown = now
                progress(self.answer(None))
            if stop is not None and stop():
                break
        belief = believe(self.view, rng, self.history, params=self.engine.params)
        return self.answer(Reasons(self.game, self.view, belief))

    def answer(self, reasons: Reasons | None) -> Suggestion:
        """The answer so far; reasons: where they come from, None: without, and without lines."""
        found = self.engine.result(self.view)
        order = rank_moves(found.moves, self.final)
        scale = 1.0 if self.utility == "match" else self.game.prize(self.view.rules)
        best = found.moves[order[0]]
        drift = drift_of(self.game.name, self.view.players, self.engine.kind)
        moves = []
        for place, index in enumerate(order if self.top is None else order[: self.top]):
            stats = found.moves[index]
            gap = gap_side(_measured(best), _measured(stats), drift)
            line = self.engine.line(self.view, index, _LINE_LENGTH) if reasons and place < _LINES else (stats.move,)
            low, high = interval_sides(*_measured(stats), drift)
            first, second = stats.places
            moves.append(
                SuggestedMove(
                    move=str(stats.move),
                    value=scale * stats.value,
                    interval=(scale * (stats.value - low), scale * (stats.value + high)),
                    first=first,
                    second=second,
                    neither=max(0.0, 1 - first - second),
                    visits=stats.visits,
                    share=stats.visits / found.iterations,
                    line=tuple(map(str, line)),
                    equal=index != order[0] and best.value - stats.value <= gap,
                    reasons=reasons.of(stats.move) if reasons and place < _LINES else (),
                )
            )
        return Suggestion(
            schema=SCHEMA,
            game=self.game.name,
            position=str(self.view),
            seat=_seat(self.view),
            bot=self.spec,
            utility=self.utility,
            seed=self.seed,
            moves=tuple(moves),
            iterations=found.iterations,
            worlds=found.worlds,
            seconds=time.perf_counter() - self.began,
            stopped_by="stopped" if found.stopped_by == "paused" else found.stopped_by,
            exact=False,
            belief=found.belief,
        )


def _measured(stats: MoveStats) -> tuple[float, float, int]:
    return stats.value, stats.stderr, stats.visits


def _seat(view: State) -> int:
    assert view.turn is not None
    return view.turn
