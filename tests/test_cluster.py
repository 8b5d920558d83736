"""Dask on loopback: a scheduler and two workers, one of them killed in the middle, and the result as always."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dnup_ai.errors import ConfigError, DnupError
from playing import dnup_ai, played, tournament, without_times
from tournaments.runner import play
from tournaments.table import Played

pytest.importorskip("distributed")


class Scheduler:
    """A scheduler and its workers, as a user starts them: each a process with a command of Dask's."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "s.json")
        file = folder / "s.json"
        deadline = time.monotonic() + 30
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]
        self.workers = [
            self._start(
                "worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny"
            )
            for _ in range(workers)
        ]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    started = Scheduler(tmp_path, workers=2)
    yield started
    started.close()


def test_one_worker_of_two_is_killed_and_the_result_is_the_same(scheduler: Scheduler) -> None:
    settings = tournament("ismcts:iterations=100", "greedy", "random", deals=200)
    expected = played(settings)[0]
    found: list[Played] = []
    for number, games in enumerate(play(settings, cluster=scheduler.address)):
        found += games
        if number == 2:
            scheduler.workers[0].send_signal(signal.SIGKILL)
            assert len(found) < settings.game_count / 2
    assert without_times(found) == expected


def test_a_local_cluster_plays_the_same_and_users_bots_too(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(
        "from dnup_ai.bots import Bot\n"
        "class First(Bot):\n    def choose(self, view, history):\n        return view.legal_moves()[0]\n"
    )
    settings = tournament(f"{tmp_path}/my_bots.py:First", "greedy", "random", deals=8)
    assert played(settings, cluster="local", concurrency=2) == played(settings)


def test_workers_with_other_code_or_bots_are_refused(scheduler: Scheduler, tmp_path: Path) -> None:
    file = tmp_path / "my_bots.py"
    file.write_text(
        "from dnup_ai.bots import Bot\n"
        "class First(Bot):\n    def choose(self, view, history):\n        return view.legal_moves()[0]\n"
    )
    settings = tournament(f"{file}:First", "random", deals=4)
    games = play(settings, cluster=scheduler.address)
    next(games)
    games.close()
    from tournaments import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "code_version", lambda: "another")
        with pytest.raises(DnupError, match="a worker of the cluster has another version of dnup-ai or of the bots"):
            list(play(settings, cluster=scheduler.address))


def test_nobody_at_the_address_is_one_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"cluster: no scheduler at 'tcp://127\.0\.0\.1:9'"):
        list(play(tournament("random"), cluster="tcp://127.0.0.1:9"))
    done = dnup_ai("tournament", "run", "random", "--cluster", "nonsense://", "--store", ":memory:", "-q")
    assert done.returncode == 1
    assert done.stderr.startswith("error: cluster: no scheduler at 'nonsense://'")
