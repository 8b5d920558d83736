"""The file of a tournament: an SQLite database to which games are added as they are finished, each once.

`synchronous` is NORMAL with a write-ahead log: a process killed at any moment loses at most the games of the last half
second, a machine without power at most those since the log was last written out; neither damages the file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from dnup_ai.errors import StoreError
from tournaments.config import SEPARATE, Tournament
from tournaments.match import Fault
from tournaments.store_file import check_size, connect, file_errors, files_beside, lock_of
from tournaments.table import Played, Row

MEMORY = Path(":memory:")
"""The path of a store that is kept in memory only."""
STUDY = "study"
"""The note with the settings of a study (`tournaments.tune`), to whose file its many tournaments belong together."""

_APPLICATION = int.from_bytes(b"dnup")
_FORMAT = 1
_COMMIT_SECONDS = 0.5
_SCHEMA = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY, fingerprint TEXT, seed INTEGER, deals INTEGER, settings TEXT, UNIQUE (fingerprint, seed)
);
CREATE TABLE sessions (
    session INTEGER PRIMARY KEY, run INTEGER REFERENCES runs, began TEXT, version TEXT, bot_hashes TEXT,
    UNIQUE (run, began, version, bot_hashes)
);
CREATE TABLE games (
    run INTEGER REFERENCES runs, game INTEGER, round INTEGER, deal INTEGER, seating TEXT, tokens TEXT, points TEXT,
    ranks TEXT, turns INTEGER, end TEXT, winner INTEGER, moves TEXT, asked TEXT, seconds TEXT, iterations TEXT,
    session INTEGER REFERENCES sessions,
    PRIMARY KEY (run, game, round)
) WITHOUT ROWID;
CREATE TABLE faults (
    run INTEGER REFERENCES runs, game INTEGER, seat INTEGER, kind TEXT, message TEXT, traceback TEXT,
    PRIMARY KEY (run, game)
) WITHOUT ROWID;
CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
"""
_ROW = ", ".join(Row._fields)
_INSERT = f"INSERT INTO games (run, session, {_ROW}) VALUES (?, ?{', ?' * len(Row._fields)}) ON CONFLICT DO NOTHING"
_INSERT_FAULT = "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament in a store: its number there, and its settings."""

    number: int
    tournament: Tournament


@dataclass(frozen=True, slots=True)
class Session:
    """A time of playing: when it began, with which version of the code, and with which bots (`provenance.bot_hash`)."""

    began: str
    version: str
    bot_hashes: tuple[str, ...]


class Store:
    """A tournament file, open. `create` makes one, `open` opens one that is there; close it, or use `with`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._sessions: dict[int, int] = {}  # of the runs that games are added to
        self._held = ExitStack()
        self._locked = False
        self._committed = monotonic()

    @classmethod
    def create(cls, path: Path, *, force: bool = False) -> Store:
        """Make a new file; force: in the place of one that is there. Raises StoreError."""
        if path != MEMORY:
            if path.exists() and not force:
                raise StoreError(f"{path}: there is such a file already; --force writes over it")
            with lock_of(path), file_errors(path, "cannot be made"):
                _remove(path)
        with ExitStack() as after, file_errors(path, "cannot be made"):
            if path != MEMORY:
                after.callback(_remove, path)
            store = cls(path, connect(path))
            store._connection.executescript(
                f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_FORMAT}; {_SCHEMA}"
            )
            # Into the file itself, so that a copy of it alone is known for what it is.
            store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            after.pop_all()  # it is made, so it stays
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a file; raises StoreError if it is not a tournament file, or damaged."""
        if not path.is_file():
            raise StoreError(f"{path}: no such file")
        check_size(path)
        with file_errors(path, "cannot be read"):
            store = cls(path, connect(path))
            (application,) = store._connection.execute("PRAGMA application_id").fetchone()
            (version,) = store._connection.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION:
                raise StoreError(f"{path}: an SQLite file, but not of a tournament")
            if version != _FORMAT:
                raise StoreError(
                    f"{path}: format {version}, expected {_FORMAT}: open it with the version that wrote it"
                )
            (problem,) = store._connection.execute("PRAGMA quick_check(1)").fetchone()
            if problem != "ok":
                raise sqlite3.DatabaseError(problem)
        return store

    @property
    def playing(self) -> bool:
        """Whether games can be added: a run was begun."""
        return bool(self._sessions)

    def begin(self, tournament: Tournament, session: Session) -> int:
        """Add games of this tournament from now on; returns the number of its run, which is made if it is new.

        Raises StoreError if another program is playing into the file.
        """
        self._lock()
        with file_errors(self.path, "cannot be written"):
            run = self._run_number(tournament)
            self._sessions[run] = self._session_number(run, session)
            self._connection.commit()
        return run

    def add(self, run: int, games: Iterable[Played]) -> None:
        """Add games of a run that was begun; those that are there already are left as they are. Committed every half
        second.
        """
        session = self._sessions[run]
        with file_errors(self.path, "cannot be written"):
            for rows, fault in games:
                self._connection.executemany(_INSERT, [(run, session, *row) for row in rows])
                if fault is not None:
                    self._connection.execute(_INSERT_FAULT, (run, rows[0].game, *fault))
            if monotonic() - self._committed >= _COMMIT_SECONDS:
                self.commit()

    def commit(self) -> None:
        """Write out what was added."""
        with file_errors(self.path, "cannot be written"):
            self._connection.commit()
        self._committed = monotonic()

    def runs(self, *, to_play: bool = False) -> list[Run]:
        """Return the tournaments in the file; several differ in the seed only.

        to_play: whether they are to be played on: raises a DnupError if that cannot be, as a bot is gone. Raises
        StoreError if there is none, as after a start that was broken off.
        """
        if self.note(STUDY) is not None:
            raise StoreError(
                f"{self.path}: the file of a study, not of one tournament: `dnup-ai tune --resume {self.path}`"
            )
        with file_errors(self.path, "cannot be read"):
            rows = self._connection.execute("SELECT run, seed, deals, settings FROM runs ORDER BY run").fetchall()
        if not rows:
            raise StoreError(f"{self.path}: no tournament in it: it was broken off before it began")
        found = []
        for run, seed, deals, settings in rows:
            data = {**json.loads(settings), "deals": deals, "seed": seed}
            found.append(Run(run, Tournament.from_dict(data, f"{self.path}: settings", to_play=to_play)))
        return found

    def note(self, name: str) -> str | None:
        """Return the text that was kept under a name, None if there is none."""
        with file_errors(self.path, "cannot be read"):
            # Files of earlier versions have no place for notes.
            (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'notes'").fetchone()
            found = tables and self._connection.execute("SELECT text FROM notes WHERE name = ?", (name,)).fetchone()
        return found[0] if found else None

    def keep(self, name: str, text: str) -> None:
        """Keep a text beside the games, in the place of one that is there under this name, and write it out.

        Raises StoreError if another program is playing into the file.
        """
        self._lock()
        with file_errors(self.path, "cannot be written"):
            self._connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, text))
        self.commit()

    def sessions(self, run: int) -> list[Session]:
        """Return the times in which a run was played, first to last."""
        with file_errors(self.path, "cannot be read"):
            rows = self._connection.execute(
                "SELECT began, version, bot_hashes FROM sessions WHERE run = ? ORDER BY session", (run,)
            ).fetchall()
        return [Session(began, version, tuple(hashes.split(","))) for began, version, hashes in rows]

    def games(self, run: int, numbers: int | range | None = None) -> Iterator[Played]:
        """Return the games of a run in the order of the schedule; numbers: of those with such a number if they are
        there, a range without gaps.
        """
        where, key = "run = ?", [run]
        if numbers is not None:
            first, last = (numbers.start, numbers.stop - 1) if isinstance(numbers, range) else (numbers, numbers)
            where, key = "run = ? AND game BETWEEN ? AND ?", [run, first, last]
        with file_errors(self.path, "cannot be read"):
            faults = {
                number: Fault(*fault)
                for number, *fault in self._connection.execute(
                    f"SELECT game, seat, kind, message, traceback FROM faults WHERE {where}", key
                )
            }
            rows: list[Row] = []
            for values in self._connection.execute(
                f"SELECT {_ROW} FROM games WHERE {where} ORDER BY run, game, round", key
            ):
                row = Row(*values)
                if rows and rows[0].game != row.game:
                    yield Played(tuple(rows), faults.get(rows[0].game))
                    rows = []
                rows.append(row)
            if rows:
                yield Played(tuple(rows), faults.get(rows[0].game))

    def numbers(self, run: int) -> set[int]:
        """Return the numbers of the games of a run that are stored."""
        with file_errors(self.path, "cannot be read"):
            return {
                number
                for (number,) in self._connection.execute("SELECT DISTINCT game FROM games WHERE run = ?", (run,))
            }

    def merge(self, path: Path) -> tuple[int, int]:
        """Add the games of another file of the same tournament; returns how many were new, and how many there before.

        Two runs of one tournament with different seeds are both kept. Raises StoreError if the settings differ.
        """
        with Store.open(path) as other:
            theirs = other.runs()
        mine = self.runs()
        for run in theirs:
            if run.tournament.fingerprint() != mine[0].tournament.fingerprint():
                difference = settings_difference(mine[0].tournament, run.tournament)
                raise StoreError(f"{path}: another tournament than {self.path}: {difference}")
        before = self._count()
        with file_errors(self.path, "cannot be written"):
            self._connection.commit()
            self._connection.execute("ATTACH ? AS other", (str(path),))
            offered = sum(self._take_over(run) for run in theirs)
            self._connection.commit()
            self._connection.execute("DETACH other")
        new = self._count() - before
        return new, offered - new

    def _lock(self) -> None:
        """Hold the file for playing, until it is closed."""
        if not self._locked and self.path != MEMORY:
            self._held.enter_context(lock_of(self.path))
            self._locked = True

    def _take_over(self, theirs: Run) -> int:
        """Copy a run of the attached file; returns how many games it has there."""
        execute = self._connection.execute
        mine = self._run_number(theirs.tournament)
        new = "run = ? AND game NOT IN (SELECT game FROM main.games WHERE run = ?)"
        execute(
            f"INSERT INTO faults SELECT ?, game, seat, kind, message, traceback FROM other.faults WHERE {new}",
            (mine, theirs.number, mine),
        )
        sessions = execute(
            "SELECT session, began, version, bot_hashes FROM other.sessions WHERE run = ?", (theirs.number,)
        ).fetchall()
        # Games are whole: one that is here already takes no round from there.
        execute(f"CREATE TEMP TABLE fresh AS SELECT DISTINCT game FROM other.games WHERE {new}", (theirs.number, mine))
        for number, began, version, hashes in sessions:
            session = self._session_number(mine, Session(began, version, tuple(hashes.split(","))))
            execute(
                f"INSERT INTO games (run, session, {_ROW}) SELECT ?, ?, {_ROW} FROM other.games "
                "WHERE run = ? AND session = ? AND game IN (SELECT game FROM fresh)",
                (mine, session, theirs.number, number),
            )
        execute("DROP TABLE fresh")
        (games,) = execute("SELECT count(DISTINCT game) FROM other.games WHERE run = ?", (theirs.number,)).fetchone()
        return int(games)

    def _count(self) -> int:
        (games,) = self._connection.execute("SELECT count(*) FROM games WHERE round = 0").fetchone()
        return int(games)

    def close(self) -> None:
        """Write out what was added, and close the file."""
        try:
            with file_errors(self.path, "cannot be written"):
                self._connection.commit()
        finally:
            self._connection.close()
            self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run_number(self, tournament: Tournament) -> int:
        execute = self._connection.execute
        key = tournament.fingerprint(), tournament.seed
        execute(
            "INSERT INTO runs (fingerprint, seed, deals, settings) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET deals = max(deals, excluded.deals)",
            (*key, tournament.deals, json.dumps(tournament.to_dict())),
        )
        (run,) = execute("SELECT run FROM runs WHERE fingerprint = ? AND seed = ?", key).fetchone()
        return int(run)

    def _session_number(self, run: int, session: Session) -> int:
        values = run, session.began, session.version, ",".join(session.bot_hashes)
        self._connection.execute(
            "INSERT INTO sessions (run, began, version, bot_hashes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", values
        )
        (number,) = self._connection.execute(
            "SELECT session FROM sessions WHERE run = ? AND began = ? AND version = ? AND bot_hashes = ?", values
        ).fetchone()
        return int(number)


def holds_games(path: Path) -> bool:
    """Whether games are written out in a tournament file; of one that cannot be read it is taken that there are."""
    if path == MEMORY or not path.exists():
        return False
    try:
        # A look from outside: what is not written out yet may never be.
        with closing(sqlite3.connect(path)) as connection:
            (found,) = connection.execute("SELECT EXISTS (SELECT * FROM games)").fetchone()
    except sqlite3.DatabaseError:
        return True
    return bool(found)


def remove_if_empty(path: Path) -> None:
    """Delete a tournament file in which no game is."""
    if path != MEMORY and path.exists() and not holds_games(path):
        _remove(path)


def _remove(path: Path) -> None:
    for file in (path, *files_beside(path)):
        file.unlink(missing_ok=True)


def settings_difference(one: Tournament, other: Tournament) -> str:
    """Return in which settings two tournaments differ, in words."""
    mine, theirs = one.to_dict(), other.to_dict()
    return "; ".join(
        f"{name} {theirs[name]!r} for {value!r}"
        for name, value in mine.items()
        if theirs[name] != value and name not in SEPARATE
    )
