"""Killed at any moment and resumed, a study ends as if nothing had been, whatever plays it; so it does without."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from playing import command
from studies import found, stored
from tournaments.store import Store

BACKENDS = {"serial": ("-j", 1), "processes": ("-j", 2), "dask": ("-j", 2, "--cluster", "local")}
STUDY = (
    # Begins with a setting that is far from the best, so that there is something to confirm.
    *(
        "ismcts:iterations=15,exploration=4,defaults=engine",
        "-n",
        "2,3",
        "--levels",
        "exploration=0.2,0.5,1",
        "--optimiser",
        "random",
    ),
    *("--levels", "final=visits,value", "--games", 480, "--settings", 3, "--finalists", 2, "--seed", 11),
)


Quiet = tuple[dict[str, Any], dict[tuple[str, int], Any]]
"""What the study finds that nothing disturbs, and its games."""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Quiet:
    path = tmp_path_factory.mktemp("quiet") / "t.sqlite"
    return found(*STUDY, "-j", 1, "--store", path), stored(path)


def kill_and_resume(path: Path, quiet: Quiet, backend: str, kills: int, seed: int) -> None:
    """Kill it (all of its processes at once) at random moments, resume each time, and compare with a quiet run."""
    rng = random.Random(seed)
    expected, games = quiet
    assert expected["games"]["confirmation"] > 0
    total = sum(map(len, games.values()))
    how = BACKENDS[backend]
    # One after a random time, as it may come before there is any game; the others at random games.
    moments = [rng.uniform(0.2, 1.5), *sorted(rng.randrange(1, total) for _ in range(kills - 1))]
    for moment in moments:
        words = ("--resume", path, *how) if _is_study(path) else (*STUDY, *how, "--store", path, "--force")
        process = subprocess.Popen(
            command("tune", *words, "-q"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        began = time.monotonic()
        while process.poll() is None and not (
            time.monotonic() - began >= moment if isinstance(moment, float) else _games(path) >= moment
        ):
            time.sleep(0.02)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), out + err
        if _is_study(path):
            assert all(game in games[run] for run, some in stored(path).items() for game in some)
    assert _games(path) > 0
    assert found("--resume", path, *how) == expected
    assert stored(path) == games


def _games(path: Path) -> int:
    return sum(map(len, stored(path).values())) if _is_study(path) else 0


def _is_study(path: Path) -> bool:
    """Whether it got so far as to say what it is."""
    try:
        with Store.open(path) as store:
            return store.note("study") is not None
    except Exception:  # killed while it made the file
        return False


@pytest.mark.parametrize("backend", BACKENDS)
def test_killed_and_resumed_it_ends_alike(tmp_path: Path, quiet: Quiet, backend: str) -> None:
    kill_and_resume(tmp_path / "t.sqlite", quiet, backend, kills=3 if backend == "serial" else 2, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_killed_twenty_times_and_resumed_it_ends_alike(tmp_path: Path, quiet: Quiet, backend: str) -> None:
    kill_and_resume(tmp_path / "t.sqlite", quiet, backend, kills=20, seed=4)


def test_two_runs_with_one_seed_are_equal_whatever_plays_them_and_another_seed_is_another(
    tmp_path: Path, quiet: Quiet
) -> None:
    one, other = tmp_path / "one.sqlite", tmp_path / "other.sqlite"
    assert found(*STUDY, "-j", 3, "--store", one) == quiet[0]
    assert stored(one) == quiet[1]
    # What is finished is shown again, and nothing is played.
    assert found("--resume", one) == quiet[0]
    assert stored(one) == quiet[1]
    assert found(*STUDY[:-1], 12, "-j", 1, "--no-confirm", "--store", other)["race"] != quiet[0]["race"]


def test_ctrl_c_keeps_all_and_names_the_way_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    words = command("tune", *STUDY, "--games", 100_000, "--store", path, "-j", 2)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while _games(path) < 20:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "stopped by Ctrl-C after " in out
    assert "nothing is recommended" in out
    assert f"go on with: dnup-ai tune --resume {path}" in out
    assert _games(path) >= 20
