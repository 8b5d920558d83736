"""A pseudo-terminal for the tests of commands that talk with a person."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

from playing import command

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78]|[\r\x07\x08]")


class Terminal:
    """A command at a terminal of 80 columns; what it has written so far is `text`, without escape sequences."""

    def __init__(self, *words: object, cwd: Path) -> None:
        self._own, other = pty.openpty()
        # A terminal that is asked where its cursor is would have to answer.
        environment = os.environ | {"PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "COLUMNS": "80", "LINES": "50"}
        self.process = subprocess.Popen(
            command(*words), stdin=other, stdout=other, stderr=other, cwd=cwd, env=environment, start_new_session=True
        )
        os.close(other)
        self.text = ""

    def read(self, seconds: float = 0.05) -> None:
        """Take in what is written within so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 or seconds == 0:
            ready, _, _ = select.select([self._own], [], [], max(left, 0))
            if not ready:
                return
            try:
                part = os.read(self._own, 1 << 16)
            except OSError:
                return  # the other end is closed
            self.text += _ESCAPES.sub("", part.decode("utf-8", "replace"))
            if seconds == 0:
                return

    def wait_for(self, pattern: str, since: int = 0, seconds: float = 30) -> None:
        """Wait until the pattern is in what was written since a place in `text`."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text[since:]):
            assert time.monotonic() < end, f"no {pattern!r} in {self.text[since:]!r}"
            assert self.process.poll() is None, f"it ended: {self.text[since:]!r}"
            self.read()

    def type(self, text: str) -> None:
        os.write(self._own, text.encode())

    def enter(self, line: str, then: str) -> None:
        """Type a line, and wait for what it leads to."""
        since = len(self.text)
        self.type(line + "\r")
        self.wait_for(then, since)

    def kill(self) -> None:
        """End it as nothing can be prepared for."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.close()

    def end(self, seconds: float = 30) -> int:
        """Wait until it has ended by itself; returns its exit code."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < end, self.text
            self.read()
        self.read(0.01)
        self.close()
        return self.process.returncode

    def close(self) -> None:
        os.close(self._own)
