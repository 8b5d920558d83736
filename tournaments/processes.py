"""Plays games in processes of this machine: a worker that dies takes one chunk with it, and another one is started."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker

from pebble import ProcessExpired, ProcessPool

from dnup_ai.errors import DnupError
from tournaments.config import Tournament
from tournaments.runner import Death, Future, sigint_held
from tournaments.tables import Chunk, Part, Tables

_MOST_BROKEN = 10


class Processes:
    """Processes, each a pebble pool of one (`runner.Pool`).

    In a pool of several, pebble loses a task that a worker has taken and not yet begun when it is killed; of the only
    worker of a pool it knows what that was.
    """

    # Long enough that handing a chunk over costs little, short enough that progress is smooth.
    chunk_seconds = 0.25

    def __init__(self, workers: int) -> None:
        # multiprocessing starts this with its first process, and lets Ctrl-C through to that one (`_schedule`).
        resource_tracker.ensure_running()
        self._pools: list[ProcessPool | None] = [None] * workers
        self._under_way = [0] * workers
        # A chunk to play and one to go on with.
        self.window = 2 * workers
        self._broken = 0

    def pack(self, tournament: Tournament) -> bytes:
        return pickle.dumps(tournament)

    def submit(self, parts: Sequence[Part]) -> Future:
        worker = min(range(len(self._pools)), key=self._under_way.__getitem__)
        try:
            future = self._schedule(worker, parts)
        except RuntimeError:
            # Its worker died while there was nothing to lose by it.
            self._end(worker)
            future = self._schedule(worker, parts)
        self._under_way[worker] += 1
        future.add_done_callback(lambda done: self._note(worker, done))
        return future

    def _schedule(self, worker: int, parts: Sequence[Part]) -> futures.Future[Chunk]:
        # pebble's threads, and the process that they start, begin with the first task: Ctrl-C is not for them.
        with sigint_held():
            pool = self._pools[worker]
            if pool is None:
                pool = self._pools[worker] = self._start()
            future: futures.Future[Chunk] = pool.schedule(_play, args=[parts])
        return future

    def death(self, error: BaseException) -> Death | None:
        if isinstance(error, ProcessExpired):
            code = error.exitcode or 0
            return Death(f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}", at_play=True)
        if isinstance(error, BrokenProcessPool):
            # A worker died that was not playing, as at its start: pebble gives up, and we take a new pool.
            for worker, pool in enumerate(self._pools):
                if pool is not None and not pool.active:
                    self._broken += 1
                    self._end(worker)
            if self._broken > _MOST_BROKEN:
                raise DnupError(
                    f"workers die before they play anything, {self._broken} times in a row: {error}"
                ) from error
            return Death(str(error), at_play=False)
        return None

    def close(self) -> None:
        """End all processes, whatever they do."""
        for worker in range(len(self._pools)):
            self._end(worker)

    def _end(self, worker: int) -> None:
        pool = self._pools[worker]
        self._pools[worker] = None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()

    def _note(self, worker: int, future: futures.Future[Chunk]) -> None:
        self._under_way[worker] -= 1
        if not future.cancelled() and future.exception() is None:
            self._broken = 0

    def _start(self) -> ProcessPool:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPool(1, initializer=_start_worker, context=spawn)


@contextmanager
def open_processes(workers: int) -> Iterator[Processes]:
    """Start so many workers, and end them in the end, whatever they do then."""
    processes = Processes(workers)
    try:
        yield processes
    finally:
        processes.close()


# --- in the workers

_tables = Tables()


def _start_worker() -> None:
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


def _play(parts: Sequence[Part]) -> Chunk:
    return _tables.play(parts)
