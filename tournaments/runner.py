"""Plays a tournament in one or several processes: games come out in the order of the schedule, always."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from time import perf_counter

from dnup_ai.errors import ConfigError, DnupError
from tournaments.config import Tournament
from tournaments.table import Played, Table

MAX_WORKERS = 256

# Long enough that handing a chunk over costs little, short enough that progress is smooth.
_CHUNK_SECONDS = 0.25
_CHUNK_GAMES = 2000
# Chunks under way per worker: enough that none waits while the first in order is awaited.
_WINDOW = 4

_Chunk = tuple[list[Played], float]


def play(tournament: Tournament, workers: int = 1, *, records: bool = False) -> Iterator[Played]:
    """Play all games and yield them in the order of the schedule, each as soon as those before it are done.

    workers: number of processes; with 1 this very one plays. records: whether `Played.records` is wanted.
    The same settings give the same games whatever `workers` is, but for times. Several workers are started
    with `spawn`, so a script that calls this needs `if __name__ == "__main__":`.
    Raises ConfigError for fewer workers than one or too many; while it plays, BotError if a bot cannot be made and
    DnupError if a worker dies. Before those, as at Ctrl-C, all games that were finished in order come out.
    """
    check_workers(workers)
    if workers == 1:
        return map(Table(tournament, records).play, tournament.games())
    return _play_in_processes(tournament, workers, records)


def check_workers(workers: int) -> None:
    """Raise ConfigError unless so many workers can play."""
    if not 1 <= workers <= MAX_WORKERS:
        raise ConfigError(f"workers: expected 1 to {MAX_WORKERS}, got {workers}")


@contextmanager
def sigint_held() -> Iterator[None]:
    """Within the block a Ctrl-C waits until its end; processes that are started in it never see one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _play_in_processes(tournament: Tournament, workers: int, records: bool) -> Iterator[Played]:
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(tournament, records),
    )
    pending: deque[Future[_Chunk]] = deque()
    waiting, size, finished = 0, 1, 0  # first game not handed out, size of a chunk, games that came out
    whole = False
    try:
        while True:
            with sigint_held():
                while len(pending) < _WINDOW * workers and waiting < tournament.game_count:
                    numbers = range(waiting, min(waiting + size, tournament.game_count))
                    pending.append(pool.submit(_play_chunk, numbers))
                    waiting = numbers.stop
            if not pending:
                break
            played, seconds = pending[0].result()
            for game in played:
                yield game
                finished = game.game.number + 1
            pending.popleft()
            size = _next_size(len(played), seconds)
        whole = True
    except (KeyboardInterrupt, BrokenProcessPool) as error:
        for game in _done(pending):
            # The first chunk may have come out in part, or in full, when it happened.
            if game.game.number == finished:
                yield game
                finished += 1
        if isinstance(error, KeyboardInterrupt):
            raise
        raise DnupError(
            f"a worker process died at or after game {finished} (out of memory, killed, or ended by a bot); "
            "the games before are kept"
        ) from error
    finally:
        if not whole:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        pool.shutdown(cancel_futures=True)


def _next_size(games: int, seconds: float) -> int:
    """Size of the next chunk, after one of so many games took that long. It decides nothing but speed."""
    wanted = round(games * _CHUNK_SECONDS / max(seconds, 1e-6))
    return max(1, min(wanted, 4 * games, _CHUNK_GAMES))


def _done(pending: deque[Future[_Chunk]]) -> Iterator[Played]:
    """The games of the chunks that are done, up to the first chunk that is not."""
    for future in pending:
        if not future.done() or future.cancelled() or future.exception() is not None:
            return
        yield from future.result()[0]


# --- in the workers

_work: tuple[Tournament, bool]
_table: Table | None = None


def _start_worker(tournament: Tournament, records: bool) -> None:
    # The table itself is made with the first game, where an exception reaches the coordinator.
    global _work
    _work = tournament, records
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Standard output is for results, not for what bots print.
    sys.stdout = sys.stderr
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the coordinator is gone: a killed one cannot say so."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _play_chunk(numbers: range) -> _Chunk:
    global _table
    began = perf_counter()
    if _table is None:
        _table = Table(*_work)
    played = [_table.play(game) for game in _table.tournament.games(numbers)]
    return played, perf_counter() - began
