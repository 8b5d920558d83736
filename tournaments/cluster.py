"""Plays games on the workers of a Dask scheduler, on this machine or on others (`pip install 'dnup-ai[cluster]'`)."""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

from dnup_ai.errors import ConfigError, DnupError
from tournaments.config import Tournament
from tournaments.provenance import bot_hash, code_version
from tournaments.runner import LOCAL_CLUSTER, Chunk, Death, Future, play_chunk, sigint_held
from tournaments.table import Table

_CONNECT_SECONDS = 10
_LOOPBACK = "127.0.0.1"


class Cluster:
    """The workers of a Dask scheduler (`runner.Pool`); only the coordinator writes what they played."""

    # The scheduler takes about a millisecond a task, and results cross a network.
    chunk_seconds = 1.0

    def __init__(self, client: Any, tournament: Tournament) -> None:
        self._client = client
        versions = code_version(), tuple(map(bot_hash, tournament.bots))
        self._work = pickle.dumps((tournament, versions))

    @property
    def window(self) -> int:
        """Three chunks a worker: workers may come and go."""
        threads: int = sum(self._client.nthreads().values())
        return 3 * max(1, threads)

    def submit(self, numbers: Sequence[int]) -> Future:
        # Not pure: a game that was lost is played again, not looked up.
        future: Future = self._client.submit(_play, self._work, numbers, pure=False)
        return future

    def death(self, error: BaseException) -> Death | None:
        from distributed.scheduler import KilledWorker

        return Death(str(error), at_play=True) if isinstance(error, KilledWorker) else None


@contextmanager
def open_cluster(tournament: Tournament, address: str, workers: int) -> Iterator[Cluster]:
    """Connect to a scheduler, or with `local` start one with so many workers, which listens on loopback only.

    Raises ConfigError without Dask, and if nobody answers at the address.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ConfigError("cluster: needs Dask: pip install 'dnup-ai[cluster]'") from error
    local = None
    try:
        if address == LOCAL_CLUSTER:
            resource_tracker.ensure_running()  # as in processes.py
            quiet = {"distributed.worker.daemon": False, "logging.distributed": "critical"}
            with dask.config.set(quiet), sigint_held():
                local = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=workers,
                    threads_per_worker=1,
                    host=_LOOPBACK,
                    dashboard_address=f"{_LOOPBACK}:0",
                    silence_logs=logging.CRITICAL,
                )
        try:
            client = Client(local or address, timeout=_CONNECT_SECONDS)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TimeoutError) as error:
            raise ConfigError(
                f"cluster: no scheduler at {address!r}: start one with `dask scheduler --host {_LOOPBACK}`"
            ) from error
        with client:
            yield Cluster(client, tournament)
    finally:
        if local is not None:
            local.close()


# --- in the workers

_tables = threading.local()


def _play(work: bytes, numbers: Sequence[int]) -> Chunk:
    # A worker may have several threads; a table is for one.
    if getattr(_tables, "work", None) != work:
        if hasattr(_tables, "table"):
            _tables.table.close()
        tournament, versions = pickle.loads(work)
        here = code_version(), tuple(map(bot_hash, tournament.bots))
        if here != versions:
            raise DnupError(
                f"a worker of the cluster has another version of dnup-ai or of the bots: {here}, not {versions}"
            )
        _tables.table, _tables.work = Table(tournament), work
    return play_chunk(_tables.table, numbers)
