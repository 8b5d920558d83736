"""Users' bots, each in a process of its own: what it does there, down to its death, is a fault and no more.

A process is for one class at one seat, so that no bot can reach what another seat knows, and serves game after game,
whatever the bot's parameters, as starting one takes long. It is sent the bot to make, then at each of its turns the
view of its seat and the moves since the last one; never the true state, unless the bot is a yardstick that sees all. It
answers in plain data. This is to catch mistakes: a bot can still do with files, network and memory what its user can,
and a process that it starts in a session of its own outlives it.

It is a plain child process on a socket, as the workers of process pools may have none of `multiprocessing`'s.
"""

from __future__ import annotations

import copyreg
import io
import os
import pickle
import weakref
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.bots.base import Bot, NoParams
from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import BotError
from dnup_ai.games import DEFAULT_GAME
from tournaments.bot_process import END_SECONDS, BotProcess
from tournaments.bot_server import sent_rules
from tournaments.match import BotFault

MAKE_SECONDS = 60.0
"""How long a bot may take to load its file and to be made."""

_Key = tuple[str, str, int]
"""Of a process: the file and the class of its bots, and their seat."""


class BotHost:
    """Makes bots, the users' ones in processes of their own. To be closed; not to be shared between threads.

        with BotHost(limit=5.0) as host:
            bots = [host.make(spec, Rng(seed, deal, game, seat), seat) for seat, spec in enumerate(specs)]
            play_round(rules, bots, start, limit=5.0)

    A host plays one game at a time: the bot that is made for a class and a seat ends the one that was made before it.
    """

    def __init__(
        self, limit: float | None = None, *, game: str = DEFAULT_GAME, make_limit: float = MAKE_SECONDS
    ) -> None:
        """limit: seconds that a move of a user's bot may take, None: for ever; game: that of the tournament;
        make_limit: seconds that a bot may take to load its file and to be made. Starts nothing.
        """
        self._limit = limit
        self._game = game
        self._make_limit = make_limit
        self._processes: dict[_Key, BotProcess] = {}
        self._finalizer = weakref.finalize(self, _close, self._processes, os.getpid())

    def make(self, spec: BotSpec, rng: Rng, seat: int) -> Bot:
        """Return a new bot for a seat, which draws from `rng`: one that ships as it is, a user's one isolated.

        Raises BotError as `BotSpec.make` does, and if the process ends while the bot is made or takes too long: its
        cause is then the BotFault.
        """
        if not spec.file:
            return spec.make(rng)
        if not self._finalizer.alive:
            raise RuntimeError("this host is closed")
        request = pickle.dumps(("make", spec, rng, self._limit))
        key = spec.file, spec.name, seat
        process = self._processes.get(key)
        answer = None
        if process is not None:
            # If something of an earlier game spoils it, a new process has the last word.
            with suppress(BotFault):
                answer = process.ask(request, self._make_limit, "made", "failed")
        if process is None or answer is None:
            process = self._processes[key] = self._start(spec)
            try:
                answer = process.ask(request, self._make_limit, "made", "failed")
            except BotFault as fault:
                text = f"not done in {self._make_limit:g} s" if fault.kind == "time-out" else fault.message
                raise BotError(f"bot {spec}: its constructor failed: {text}") from fault
        if answer[0] == "failed":
            raise BotError(answer[1])
        return IsolatedBot(process, rng, self._limit, answer[1])

    def _start(self, spec: BotSpec) -> BotProcess:
        try:
            return BotProcess(self._game)
        except BotFault as fault:
            raise BotError(f"bot {spec}: its process did not start: {fault.message}") from None
        except OSError as error:
            raise BotError(f"bot {spec}: its process did not start: {error.strerror or error}") from error

    def close(self) -> None:
        """End all processes, and what they have started: a bot has a second for what it does at exit."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class IsolatedBot(Bot):
    """Stands for a user's bot in another process; `BotHost` makes it."""

    def __init__(self, process: BotProcess, rng: Rng, limit: float | None, sees_all: bool) -> None:
        super().__init__(NoParams(), rng)
        self.move_limit = limit
        self.sees_all = sees_all
        self._process = process
        self._sent: tuple[Move, ...] = ()
        process.guests += 1
        self._number = process.guests

    def choose(self, view: State, history: Sequence[Move]) -> Move:
        """Return the move that the bot chose. Raises BotFault for what went wrong in its process."""
        if self._number != self._process.guests:
            raise RuntimeError("the game of this bot is over: another one was made for its class and seat")
        history = tuple(history)
        request = turn_request(view, history, self._sent)
        self._sent = history
        kind, iterations, *details = self._process.ask(
            request, self.move_limit, "move", "illegal", "exception", rules=view.rules
        )
        self.iterations = iterations
        if kind != "move":
            raise BotFault(kind, *details)
        return view.rules.wrap_move(details[0])


def turn_request(view: State, history: tuple[Move, ...], sent: tuple[Move, ...]) -> bytes:
    """Return the message that asks for a move: the view and, of the history, what follows on what was sent before.

    After a new round has begun, that is all of it.
    """
    kept = len(sent) if history[: len(sent)] == sent else 0
    return _dumps(("choose", kept, [move.code for move in history[kept:]], view), view.rules)


def _dumps(request: tuple[Any, ...], rules: Rules) -> bytes:
    """Pickle a request. Rules are sent once, not with every view: making them takes longer than all the rest."""

    def reduce(found: Rules) -> Any:
        return (sent_rules, ()) if found is rules else found.__reduce__()

    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**copyreg.dispatch_table, type(rules): reduce}
    pickler.dump(request)
    return buffer.getvalue()


def _close(processes: dict[_Key, BotProcess], owner: int) -> None:
    if os.getpid() != owner:
        return  # a fork of the process whose bots they are
    for process in processes.values():
        process.leave()
    deadline = perf_counter() + END_SECONDS
    for process in processes.values():
        process.kill(deadline - perf_counter())
    processes.clear()
