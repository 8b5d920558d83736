"""The process of a user's bot, from within: what `tournaments.bot_process` starts and asks."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import socket
import struct
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.bots.base import Bot
from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import BotError
from dnup_ai.games import game_named

HEADER = struct.Struct("!I")
"""Before each message, its length."""
MOST_ITERATIONS = 2**53
"""No bot is believed to have done more."""

# More says nothing that helps, and a message of a gigabyte would be the harness's trouble.
_MESSAGE_LENGTH = 2000
_TRACEBACK_LENGTH = 20_000

_rules: Rules | None = None


def sent_rules() -> Rules:
    """Return the rules that were sent last: views refer to them in place of bringing their own."""
    assert _rules is not None
    return _rules


def serve(descriptor: int, game: str) -> None:
    """Answer requests until one says that it is enough; if the harness is gone, end this process and its children.

    descriptor: of the socket to the harness; game: as of the tournament, as its rules may be of a user's file.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Standard output is for results, not for what bots print.
    sys.stdout = sys.stderr
    os.set_inheritable(descriptor, False)
    channel = socket.socket(fileno=descriptor)
    threading.Thread(target=_end_with_harness, args=(descriptor,), daemon=True).start()
    if ".py:" in game:
        game_named(game)
    own = os.getpid()
    guest = _Guest()
    with suppress(OSError):  # the harness is gone, and so is this process in a moment
        _serve(channel, guest, own)


def _serve(channel: socket.socket, guest: _Guest, own: int) -> None:
    _send(channel, ["ready"])
    while request := _receive(channel):
        answer = guest.answer(*pickle.loads(request))
        if os.getpid() != own:
            # The bot has forked, and this is its child, which nobody has asked.
            os._exit(0)
        if answer is not None:
            _send(channel, answer)


def _end_with_harness(descriptor: int) -> None:
    """End at once when the harness is gone, whatever the bot is doing: a killed one cannot say so."""
    poll = select.poll()
    poll.register(descriptor, 0)
    poll.poll()
    _end_all()


def _end_all() -> None:
    os.killpg(0, signal.SIGKILL)


def _send(channel: socket.socket, answer: list[Any]) -> None:
    # Plain data: what a bot has made is never unpickled by the harness.
    data = json.dumps(answer).encode()
    channel.sendall(HEADER.pack(len(data)) + data)


def _receive(channel: socket.socket) -> bytes:
    """The next request, empty at the end."""
    header = channel.recv(HEADER.size, socket.MSG_WAITALL)
    if len(header) < HEADER.size:
        _end_all()
    (length,) = HEADER.unpack(header)
    return channel.recv(length, socket.MSG_WAITALL) if length else b""


class _Guest:
    """The bot that plays here, and what it has seen of the round."""

    def __init__(self) -> None:
        self._bot: Bot | None = None
        self._history: tuple[Move, ...] = ()

    def answer(self, kind: str, *details: Any) -> list[Any] | None:
        """Do what is asked for; None: nobody waits for an answer."""
        if kind == "choose":
            return self._choose(*details)
        if kind == "make":
            return self._make(*details)
        global _rules
        (_rules,) = details
        return None

    def _make(self, spec: BotSpec, rng: Rng, limit: float | None) -> list[Any]:
        self._bot, self._history = None, ()
        try:
            self._bot = spec.make(rng)
            self._bot.move_limit = limit
            return ["made", bool(self._bot.sees_all)]
        except BotError as error:
            return ["failed", _short(str(error), _MESSAGE_LENGTH)]
        except BaseException as error:
            return ["failed", f"bot {spec}: its constructor failed: {_summary(error)}"]

    def _choose(self, kept: int, codes: list[int], view: State) -> list[Any]:
        assert self._bot is not None
        rules = view.rules
        self._history = self._history[:kept] + tuple([rules.wrap_move(code) for code in codes])
        try:
            move = self._bot.choose(view, self._history)
            if not isinstance(move, Move):
                return ["illegal", self._iterations(), f"expected a move, got {type(move).__name__}"]
            if move != rules.wrap_move(move.code):
                return ["illegal", self._iterations(), f"the move {move} is of other rules than this state"]
            return ["move", self._iterations(), move.code]
        except BaseException as error:
            trace = error.__traceback__ and error.__traceback__.tb_next  # from the bot's own code on
            text = "".join(traceback.format_exception(type(error), error, trace))
            return ["exception", self._iterations(), _summary(error), _short(text, _TRACEBACK_LENGTH)]

    def _iterations(self) -> int:
        """What the bot has counted, or 0 if that is no number."""
        try:
            return min(max(int(self._bot.iterations), 0), MOST_ITERATIONS)  # type: ignore[union-attr]
        except BaseException:
            return 0


def _summary(error: BaseException) -> str:
    return _short(traceback.format_exception_only(error)[-1].strip(), _MESSAGE_LENGTH)


def _short(text: str, length: int) -> str:
    """The text, or its begin and end: of a traceback these are what one looks for."""
    return text if len(text) <= length else f"{text[: length // 2]} ... {text[-length // 2 :]}"
