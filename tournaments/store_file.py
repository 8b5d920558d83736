"""The file beneath a store: opened, locked, checked, its errors in words. SQLite and the system, nothing of games."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dnup_ai.errors import StoreError


def is_store(path: Path) -> bool:
    """Whether the file looks like an SQLite file."""
    try:
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError:
        return False


def connect(path: Path) -> sqlite3.Connection:
    """Open a database with a log of its own, or, in a folder that cannot be written to, only to read."""
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.OperationalError as error:
        if not path.exists() or not ("unable to open" in str(error) or "readonly" in str(error)):
            raise
        # A folder that cannot be written to has no place for the log, but what is in the file can be read.
        connection.close()
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    return connection


@contextmanager
def lock_of(path: Path) -> Iterator[None]:
    """Hold the right to play into a file; raises StoreError if another program does. It falls with the process.

    On a file beside it: SQLite's own locks would be lost if this process opened and closed the database once more.
    """
    lock = path.with_name(f"{path.name}-playing")
    with file_errors(path, "cannot be written"), lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(f"{path}: another program is playing into it; wait for it, or end it") from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)


def check_size(path: Path) -> None:
    """Raise StoreError for a file that is cut short: what lacks of its last page SQLite would read as zeros."""
    with path.open("rb") as file:
        head = file.read(100)
    if len(head) < 100 or not head.startswith(b"SQLite format 3"):
        raise StoreError(f"{path}: not a tournament file, or its beginning is lost")
    # Format of the head: https://www.sqlite.org/fileformat.html. A log that is there may have more than the file.
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    log = files_beside(path)[0]
    expected = (1 << 16 if page == 1 else page) * pages
    if (size := path.stat().st_size) != expected and not (log.exists() and log.stat().st_size):
        raise StoreError(
            f"{path}: damaged: expected {expected} bytes, got {size}; take a copy of it that is whole, or play it again"
        )


def files_beside(path: Path) -> list[Path]:
    """The files that SQLite keeps beside an open database."""
    return [path.with_name(path.name + end) for end in ("-wal", "-shm")]


@contextmanager
def file_errors(path: Path, what: str) -> Iterator[None]:
    """Turn what SQLite and the system say into an error that names the file and what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "malformed" in text or "not a database" in text or not isinstance(error, sqlite3.OperationalError):
            raise StoreError(
                f"{path}: damaged ({text}): it is no longer whole; take a copy of it that is, or play it again"
            ) from error
        if "readonly" in text:
            raise StoreError(f"{path}: {what}: {text}: copy it to a folder that you may write to") from error
        if "full" in text or "disk I/O" in text:
            raise StoreError(f"{path}: {what}: {text}: free some space") from error
        raise StoreError(f"{path}: {what}: {text}") from error
    except OSError as error:
        raise StoreError(f"{path}: {what}: {error.strerror or error}") from error
