"""The file of a session: lines of JSON that are only ever added, each on the disk before the next one is asked for."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dnup_ai.assist.session import Event, Session
from dnup_ai.assist.settings import Settings
from dnup_ai.errors import DnupError, StoreError


class SessionFile:
    """The file of a session, open for adding events; close it, or use `with`.

    path: where it is; session: what its lines tell; dropped: what stood behind the last whole line when it was opened,
    as a program that was killed leaves it; it is no longer there.
    """

    def __init__(self, path: Path, session: Session, handle: int, dropped: str = "") -> None:
        self.path = path
        self.session = session
        self.dropped = dropped
        self._handle = handle

    @classmethod
    def create(cls, path: Path, settings: Settings) -> Self:
        """Make the file of a new session; raises StoreError if there is such a file, unless it has nothing in it."""
        with _errors(path, "cannot be made"):
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            try:
                _lock(path, handle)
                if not _is_stillborn(_read(handle)):
                    raise StoreError(f"{path}: there is such a file already")
                os.ftruncate(handle, 0)
                _write(handle, settings.to_dict())
                _sync_folder(path)
            except BaseException:
                os.close(handle)
                raise
        return cls(path, Session(settings), handle)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file of a session and replay it; raises StoreError that names the line at fault."""
        if not path.is_file():
            raise StoreError(f"{path}: no such file")
        with _errors(path, "cannot be opened"):
            handle = os.open(path, os.O_RDWR | os.O_APPEND)
            try:
                _lock(path, handle)
                data = _read(handle)
                session, length = _replay(path, data)
                dropped = data[length:]
                if dropped:
                    os.ftruncate(handle, length)
                    os.fsync(handle)
                elif not data.endswith(b"\n"):
                    # Only the line end is missing: the event is whole.
                    os.write(handle, b"\n")
                    os.fsync(handle)
            except BaseException:
                os.close(handle)
                raise
        return cls(path, session, handle, dropped.decode("utf-8", "replace"))

    @staticmethod
    def is_there(path: Path) -> bool:
        """Whether there is a file that is not just the beginning of one that was never finished being made."""
        try:
            with path.open("rb") as file:
                return not _is_stillborn(file.read())
        except OSError:
            return path.exists()

    def append(self, event: Event) -> None:
        """Add an event; when it returns, the line is on the disk. Raises StoreError."""
        with _errors(self.path, "cannot be written"):
            _write(self._handle, event)

    def close(self) -> None:
        """Close the file; nothing is left to be written."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _replay(path: Path, data: bytes) -> tuple[Session, int]:
    """The session that the lines tell, and how many bytes of them are whole lines."""
    lines = data.splitlines(keepends=True)
    length = 0
    session: Session | None = None
    for number, line in enumerate(lines, 1):
        where = f"{path}, line {number}"
        torn = number == len(lines) and not line.endswith(b"\n")
        found = _object(line)
        if found is None:
            # An object that is cut short is never one itself.
            if torn and session is not None:
                break
            raise StoreError(f"{where}: expected a JSON object, got {line[:40].decode('utf-8', 'replace').strip()!r}")
        if session is None:
            session = Session(Settings.from_dict(found, where))
        else:
            try:
                session.take(found)
            except DnupError as error:
                raise StoreError(f"{where}: {error}") from error
        length += len(line)
    if session is None:
        raise StoreError(f"{path}: nothing in it")
    return session, length


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_stillborn(data: bytes) -> bool:
    """Whether these are the bytes of a session that was killed before its settings were written."""
    start = b'{"assist": '
    return b"\n" not in data and _object(data) is None and (start.startswith(data) or data.startswith(start))


def _read(handle: int) -> bytes:
    parts = []
    os.lseek(handle, 0, os.SEEK_SET)
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write(handle: int, line: dict[str, Any]) -> None:
    """Add a line at the end, and wait until the disk has it; what a full disk took of it is taken back."""
    data = memoryview(json.dumps(line).encode() + b"\n")
    before = os.fstat(handle).st_size
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, before)
        raise


def _sync_folder(path: Path) -> None:
    """A new file is in its folder only when the disk has the folder too."""
    folder = os.open(path.resolve().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _lock(path: Path, handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreError(f"{path}: another dnup-ai assist is using it") from error


@contextmanager
def _errors(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: {what}: {error.strerror or error}") from error
