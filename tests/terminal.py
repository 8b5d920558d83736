"""A command in a pseudo-terminal of 80 columns and 24 lines, driven as a person drives it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from pathlib import Path
from time import monotonic

from playing import command

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-B]|[=>78])")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:[34][0-8]|9[0-7])(?:;[0-9]+)*m")
PROMPT = re.compile(r"(your move|Enter [a-z ]+)> ?\Z")


class Terminal:
    """Runs `dnup-ai` with these words; close it."""

    def __init__(self, *words: object, cwd: Path | None = None, **environment: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        # Nobody here answers the question where the cursor is.
        env = kept | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "PAGER": "cat"} | environment
        self._process = subprocess.Popen(
            command(*words), stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=env, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.raw = ""
        self._read = 0  # how much of it has been returned

    def text(self) -> str:
        """What has come since the last prompt, without escape sequences."""
        return ESCAPES.sub("", self.raw[self._read :]).replace("\r", "")

    def prompt(self, seconds: float = 30.0) -> str:
        """Wait for the next prompt; return what came before it, that included."""
        deadline = monotonic() + seconds
        while not (PROMPT.search(self.text()) and "\n" in self.text()):
            assert monotonic() < deadline, f"no prompt after {self.text()[-2000:]!r}"
            assert self._more(), f"it has ended: {self.text()[-2000:]!r}"
        found = self.text()
        self._read = len(self.raw)
        return found

    def type(self, text: str) -> str:
        """Type a line, and wait for the next prompt."""
        self.keys(text + "\r")
        return self.prompt()

    def keys(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self, seconds: float = 30.0) -> tuple[int, str]:
        """Wait for its end; return exit code and what came until then."""
        deadline = monotonic() + seconds
        while self._more():
            assert monotonic() < deadline, self.text()[-2000:]
        return self._process.wait(seconds), self.text()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)

    def _more(self) -> bool:
        """Read what there is; False at the end."""
        if not select.select([self._master], [], [], 0.2)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.raw += data.decode("utf-8", errors="replace")
        return bool(data)
