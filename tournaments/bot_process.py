"""The process of a user's bot, as the harness sees it: started, asked, and ended whatever the bot does."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter
from typing import Any

from cython_core.game import Rules
from tournaments.bot_server import HEADER, MOST_ITERATIONS
from tournaments.match import BotFault, late

_START_SECONDS = 60.0  # of the process itself, which hangs only where the machine does
END_SECONDS = 1.0  # for what a bot does at exit
_LOOK_SECONDS = 0.25  # between two looks whether the process is still there, while an answer is awaited
_LONGEST_ANSWER = 1 << 20

# The folders to import from are those of this process, as in one that multiprocessing spawns.
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[3]); "
    "from tournaments.bot_server import serve; serve(int(sys.argv[1]), sys.argv[2])"
)


class BotProcess:
    """A process for one user's bot, and the socket to it. After a failure it is dead, and stays so."""

    def __init__(self, game: str) -> None:
        """Start it. Raises OSError if the system cannot, BotFault if it does not come up."""
        self.guests = 0  # bots that were made here: the last one plays
        self._rules: Rules | None = None
        self._socket, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            try:
                # A session of its own: Ctrl-C at the terminal is not for it, and all that it starts is one group.
                self._popen = subprocess.Popen(
                    [sys.executable, "-c", _PROGRAM, str(number), game, json.dumps([*map(str, sys.path)])],
                    stdin=subprocess.DEVNULL,
                    stdout=2,
                    pass_fds=[number],
                    start_new_session=True,
                )
            except BaseException:
                self._socket.close()
                raise
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        try:
            self._await(_START_SECONDS, ("ready",))
        except BaseException:
            self.kill()
            raise

    def ask(self, request: bytes, limit: float | None, *kinds: str, rules: Rules | None = None) -> list[Any]:
        """Return the answer, of one of these kinds, to a request. Raises BotFault `time-out` or `death`.

        rules: those that the view in the request is of; they are sent before it, unless the process has them.
        """
        try:
            if rules is not None and rules is not self._rules:
                self._send(pickle.dumps(("rules", rules)))
                self._rules = rules
            self._send(request)
            return self._await(limit, kinds)
        except BaseException:
            # Ctrl-C too: an answer that comes later would be taken for that to another request.
            self.kill()
            raise

    def leave(self) -> None:
        """Ask it to end by itself."""
        with suppress(BotFault):
            self._send(b"")

    def kill(self, patience: float = 0.0) -> None:
        """End it and what it has started, at once or if it has not ended by itself when its time is over."""
        if patience > 0:
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(patience)
        if self._socket.fileno() < 0:
            return  # it has been: its number may be another's by now
        # The children of a process that has ended are in its group still. (Another system says EPERM of a zombie.)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._socket.close()

    def _send(self, request: bytes) -> None:
        try:
            self._socket.sendall(HEADER.pack(len(request)) + request)
        except OSError:
            raise self._death() from None

    def _await(self, limit: float | None, kinds: Sequence[str]) -> list[Any]:
        deadline = None if limit is None else perf_counter() + limit
        data = b""
        while len(data) < HEADER.size or len(data) < HEADER.size + HEADER.unpack_from(data)[0]:
            self._await_data(deadline, limit)
            try:
                received = self._socket.recv(65536)
            except OSError:
                received = b""
            data += received
            if not received or len(data) > _LONGEST_ANSWER:
                raise self._death()
        try:
            answer = json.loads(data[HEADER.size :])
        except (ValueError, RecursionError):
            answer = None
        if not _is_answer(answer) or answer[0] not in kinds:
            raise self._death()
        return answer  # type: ignore[no-any-return]

    def _await_data(self, deadline: float | None, limit: float | None) -> None:
        """Return when there is something to read, be it the end."""
        while True:
            left = _LOOK_SECONDS if deadline is None else min(deadline - perf_counter(), _LOOK_SECONDS)
            if self._poll.poll(max(left, 0) * 1000):
                return
            # A child that it forked may hold the socket open after its own end.
            if self._popen.poll() is not None:
                raise self._death()
            if deadline is not None and limit is not None and perf_counter() >= deadline:
                raise BotFault("time-out", late(limit))

    def _death(self) -> BotFault:
        """What there is to say of its end, or of what it does instead of answering."""
        try:
            code = self._popen.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            text = "its process no longer answers in the way agreed (a bot must not write to files it has not opened)"
        else:
            text = f"its process {_in_words(code)}"
        return BotFault("death", text)


def _is_answer(answer: object) -> bool:
    """Whether it is of a form that `bot_server` makes: a bot may write into the socket, if it tries."""
    match answer:
        case ["ready"] | ["made", bool()] | ["failed", str()]:
            return True
        case ["move", int(iterations), int(code)]:
            return 0 <= iterations <= MOST_ITERATIONS and 0 <= code < 2**32
        case ["illegal", int(iterations), str()] | ["exception", int(iterations), str(), str()]:
            return 0 <= iterations <= MOST_ITERATIONS
    return False


def _in_words(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name} (signal {-code})"
    except ValueError:
        return f"was killed by signal {-code}"
