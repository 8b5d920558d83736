"""Plays games on the workers of a Dask scheduler, on this machine or on others (`pip install 'dnup-ai[cluster]'`)."""

from __future__ import annotations

import logging
import pickle
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

from dnup_ai.errors import ConfigError, DnupError
from tournaments.config import Tournament
from tournaments.provenance import bot_hash, code_version
from tournaments.runner import LOCAL_CLUSTER, Death, Future, sigint_held
from tournaments.tables import Chunk, Part, Tables

_CONNECT_SECONDS = 10
_LOOPBACK = "127.0.0.1"


class Cluster:
    """The workers of a Dask scheduler (`runner.Pool`); only the coordinator writes what they played."""

    # The scheduler takes about a millisecond a task, and results cross a network.
    chunk_seconds = 1.0

    def __init__(self, client: Any) -> None:
        self._client = client
        self._key = secrets.token_bytes(16)

    @property
    def window(self) -> int:
        """Three chunks a worker: workers may come and go."""
        threads: int = sum(self._client.nthreads().values())
        return 3 * max(1, threads)

    def pack(self, tournament: Tournament) -> bytes:
        return pickle.dumps((tournament, _versions(tournament)))

    def submit(self, parts: Sequence[Part]) -> Future:
        # Pickled here, as Dask would look for tasks in it. Not pure: a lost game is played again, not looked up.
        future: Future = self._client.submit(_play, self._key, pickle.dumps(parts), pure=False)
        return future

    def death(self, error: BaseException) -> Death | None:
        from distributed.scheduler import KilledWorker

        return Death(str(error), at_play=True) if isinstance(error, KilledWorker) else None


@contextmanager
def open_cluster(address: str, workers: int) -> Iterator[Cluster]:
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
            yield Cluster(client)
    finally:
        if local is not None:
            local.close()


def _versions(tournament: Tournament) -> tuple[str, tuple[str, ...]]:
    """What plays a tournament here: the code and its bots."""
    return code_version(), tuple(map(bot_hash, tournament.bots))


# --- in the workers

_here = threading.local()


def _play(key: bytes, work: bytes) -> Chunk:
    # A worker may have several threads; tables are for one. Another coordinator may have other files of bots.
    if getattr(_here, "key", None) != key:
        if hasattr(_here, "tables"):
            _here.tables.close()
        _here.tables, _here.key = Tables(_unpack), key
    chunk: Chunk = _here.tables.play(pickle.loads(work))
    return chunk


def _unpack(packed: bytes) -> Tournament:
    """The tournament, if it is played here by what the coordinator would play it with."""
    tournament: Tournament
    tournament, versions = pickle.loads(packed)
    if (here := _versions(tournament)) != versions:
        raise DnupError(
            f"a worker of the cluster has another version of dnup-ai or of the bots: {here}, not {versions}"
        )
    return tournament
