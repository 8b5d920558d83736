"""Plays one round, or one match, between bots: asks, checks, applies, and says how it ended."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from cython_core.game import Move, Rules, State
from dnup_ai.bots.base import Bot

FAULTS = ("illegal", "exception", "time-out", "death")


class Fault(NamedTuple):
    """What a bot did wrong.

    seat: where it sits; kind: one of `FAULTS`: `illegal` (a move that the rules forbid, or no move at all),
    `exception`, `time-out` (no move within the limit) or `death` (of the process that the bot has of its own);
    message: one line or a few; traceback: of an exception, else empty.
    """

    seat: int
    kind: str
    message: str
    traceback: str = ""


class BotFault(Exception):  # noqa: N818 - it becomes a fault, and is no error of the harness
    """What `Bot.choose` of a bot in another process raises for what went wrong there: the fields of `Fault`."""

    def __init__(self, kind: str, message: str, traceback: str = "") -> None:
        super().__init__(kind, message, traceback)
        self.kind = kind
        self.message = message
        self.traceback = traceback


class Outcome(NamedTuple):
    """How a round ended.

    result: tokens that it gave, by seat; payoffs: the same with those not given split equally among the
    seats still in; ranks: 1 came first, 2 second, 0 neither; end: `out`, `repetition`, `max_turns` or
    `fault` (docs/rules.md); turns: how many were played; seconds: how long it took; fault: the one that
    ended the round; asked: how often each seat's bot was asked for a move; seat_seconds: how long it took to choose
    (one in another process: with the handing over); iterations: what it counted as such.
    """

    result: tuple[int, ...]
    payoffs: tuple[float, ...]
    ranks: tuple[int, ...]
    end: str
    turns: int
    seconds: float
    fault: Fault | None
    asked: tuple[int, ...] = ()
    seat_seconds: tuple[float, ...] = ()
    iterations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was played: its start, not to be changed, its moves and its outcome."""

    start: State
    moves: tuple[Move, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played: its rounds, the tokens in the end, by seat, and who won; None: undecided."""

    rounds: tuple[Round, ...]
    tokens: tuple[int, ...]
    winner: int | None


def round_end(rules: Rules, state: State, turns: int, seen: dict[bytes, int]) -> str | None:
    """Return why no further turn is played, None if one is (docs/rules.md, "Rounds that do not end").

    Call it before each turn, the first included: it counts the state in `seen`, empty at first.
    """
    if state.is_over:
        return state.end
    if turns >= rules.max_turns:
        return "max_turns"
    if rules.repetition:
        key = state.repetition_key()
        seen[key] = count = seen.get(key, 0) + 1
        if count >= rules.repetition:
            return "repetition"
    return None


def play_round(
    rules: Rules, bots: Sequence[Bot], start: State, allow_cheating: bool = False, limit: float | None = None
) -> Round:
    """Play one round.

    bots: one per seat; start: the true state to start from, left as it is; allow_cheating: whether bots that ask for
    it (`sees_all`) get the true state; limit: seconds that a move may take. It is looked at when the move is there: a
    bot that may never return needs a process of its own (`tournaments.isolation`). A fault of a bot ends the round
    with the end `fault`; Ctrl-C passes through. Raises ValueError if a bot asks to see all and may not.
    """
    if not allow_cheating and any(bot.sees_all for bot in bots):
        raise ValueError("a bot that sees all cards plays only if allow_cheating is set")
    began = perf_counter()
    if limit is not None:
        for bot in bots:
            bot.move_limit = limit
    earlier = [bot.iterations for bot in bots]
    asked, seconds = [0] * len(bots), [0.0] * len(bots)
    state = start.copy()
    seen: dict[bytes, int] = {}
    moves: tuple[Move, ...] = ()
    fault = None
    # A round of fast bots takes microseconds: this loop is most of what the harness adds to it.
    while (end := round_end(rules, state, len(moves), seen)) is None:
        seat = state.turn
        assert seat is not None
        bot = bots[seat]
        # Only what the seat may know leaves this function.
        seen_by_bot = state.copy() if bot.sees_all else state.observe(seat)
        asked[seat] += 1
        asked_at = perf_counter()
        try:
            move = bot.choose(seen_by_bot, moves)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            seconds[seat] += perf_counter() - asked_at
            end, fault = "fault", fault_of(seat, error)
            break
        took = perf_counter() - asked_at
        seconds[seat] += took
        fault = fault_in(seat, move, took, limit, state)
        if fault is not None:
            end = "fault"
            break
        moves += (move,)
    outcome = Outcome(
        state.result(),
        state.payoffs(),
        state.ranks(),
        end,
        len(moves),
        perf_counter() - began,
        fault,
        tuple(asked),
        tuple(seconds),
        tuple([bot.iterations - before for bot, before in zip(bots, earlier, strict=True)]),
    )
    return Round(start, moves, outcome)


def play_match(
    rules: Rules,
    bots: Sequence[Bot],
    deal: Callable[[int, Sequence[int]], State],
    allow_cheating: bool = False,
    limit: float | None = None,
) -> Match:
    """Play rounds until somebody has won the match, or `rules.max_rounds` are played.

    bots: one per seat, the same for all rounds; deal: returns the start of the round with an index, given
    the tokens before it; allow_cheating, limit: as in `play_round`. A fault ends the match without a winner.
    """
    rounds: list[Round] = []
    tokens = (0,) * rules.players
    winner = None
    while winner is None and len(rounds) < rules.max_rounds:
        played = play_round(rules, bots, deal(len(rounds), tokens), allow_cheating, limit)
        rounds.append(played)
        if played.outcome.fault is not None:
            break
        tokens = tuple(map(sum, zip(tokens, played.outcome.result, strict=True)))
        winner = rules.match_winner([(played.outcome.result, played.outcome.end) for played in rounds])
    return Match(tuple(rounds), tokens, winner)


def fault_in(seat: int, move: object, took: float, limit: float | None, state: State) -> Fault | None:
    """Play the move that a bot chose in so many seconds, or return what is wrong with it and leave the state."""
    if limit is not None and took > limit:
        return Fault(seat, "time-out", late(limit))
    if not isinstance(move, Move):
        return Fault(seat, "illegal", f"expected a move, got {type(move).__name__}")
    try:
        state.apply(move)
    except ValueError as error:
        return Fault(seat, "illegal", str(error))
    except Exception as error:  # rules that trip over a move cannot play it: no reason to end the harness
        return Fault(seat, "illegal", _described(error))
    return None


def fault_of(seat: int, error: BaseException) -> Fault:
    """Return the fault that an exception in `Bot.choose` is."""
    if isinstance(error, BotFault):
        return Fault(seat, error.kind, error.message, error.traceback)
    return Fault(seat, "exception", _described(error), "".join(traceback.format_exception(error)))


def _described(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip()


def late(limit: float) -> str:
    """Return the message of a time-out: the same in every run, so it does not say how long it took."""
    return f"no move within the limit of {limit:g} s"
