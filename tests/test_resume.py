"""Killed at any moment and resumed, a tournament ends as if nothing had been; what has changed since is refused."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from playing import command, dnup_ai, played, stored, table, tournament
from tournaments.ledger import Ledger
from tournaments.session import play_missing
from tournaments.standings import summarise
from tournaments.store import Store

BOTS = ("ismcts:iterations=30", "greedy", "random")
BACKENDS = {"serial": ("-j", 1), "processes": ("-j", 2), "dask": ("-j", 2, "--cluster", "local")}


def end_of(path: Path) -> tuple[list[Any], dict[str, Any]]:
    """Games and table of a file, but for times."""
    with Store.open(path) as store:
        (run,) = store.runs()
        ledger = Ledger(run.tournament)
        for game in store.games(run.number):
            ledger.add([game])
    return stored(path), table(summarise(ledger))


def kill_and_resume(tmp_path: Path, backend: str, kills: int, seed: int) -> None:
    """Kill it (all of its processes at once) at random moments, resume each time, and compare with a quiet run."""
    rng = random.Random(seed)
    path = tmp_path / f"{backend}.sqlite"
    deals = 60 + 25 * kills
    expected = played(tournament(*BOTS, deals=deals, seed=seed), tmp_path / "quiet.sqlite")
    how = BACKENDS[backend]
    start = command("tournament", "run", *BOTS, "--deals", deals, "--seed", seed, "--store", path, "-q", *how)
    resume = command("tournament", "resume", path, "-q", *how)
    for killed in range(kills):
        words = resume if killed and path.exists() and path.stat().st_size else [*start, "--force"]
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        time.sleep(rng.uniform(0.3, 3.0 if backend == "dask" else 2.0))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL), out + err
        if path.exists() and path.stat().st_size:
            try:
                games = stored(path)
            except Exception:  # killed while it made the file
                path.unlink()
            else:
                assert all(game in expected[0] for game in games)
    done = subprocess.run(resume if path.exists() else start, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert end_of(path) == expected
    quiet = subprocess.run(
        command("tournament", "standings", tmp_path / "quiet.sqlite"), capture_output=True, text=True, check=True
    ).stdout
    again = subprocess.run(command("tournament", "standings", path), capture_output=True, text=True, check=True).stdout
    assert again == quiet


@pytest.mark.parametrize("backend", BACKENDS)
def test_killed_three_times_and_resumed_it_ends_alike(tmp_path: Path, backend: str) -> None:
    kill_and_resume(tmp_path, backend, kills=3, seed=11)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_killed_twenty_times_and_resumed_it_ends_alike(tmp_path: Path, backend: str) -> None:
    kill_and_resume(tmp_path, backend, kills=20, seed=12)


def test_ctrl_c_keeps_all_and_names_the_way_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    words = command("tournament", "run", *BOTS, "--deals", 3000, "--seed", 5, "--store", path, "-j", 2)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not path.exists() or len(_games_so_far(path)) < 20:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "stopped by Ctrl-C; this is what is finished:" in out
    assert "tokens/round" in out
    assert f"play on with: dnup-ai tournament resume {path}" in out
    kept = stored(path)
    assert len(kept) >= 20
    whole = played(tournament(*BOTS, deals=len(kept) // 3 + 200, seed=5))[0]
    assert all(game in whole for game in kept)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_workers_never_see_a_ctrl_c_not_even_while_they_start(tmp_path: Path, backend: str) -> None:
    path = tmp_path / "t.sqlite"
    words = command("tournament", "run", *BOTS, "--deals", 3000, "--seed", 5, "--store", path, *BACKENDS[backend])
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while len(_games_so_far(path)) < 20:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        let_through = [pid for pid in _workers(process.pid) if not _blocked(pid) & 1 << (signal.SIGINT - 1)]
        process.send_signal(signal.SIGINT)
    assert not let_through


def _workers(parent: int) -> list[int]:
    """The processes that multiprocessing started, but for its resource tracker, which takes care of itself."""
    children = Path(f"/proc/{parent}/task").glob("*/children")
    pids = [int(pid) for started_by_thread in children for pid in started_by_thread.read_text().split()]
    workers = [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(workers) == 2
    return workers


def _blocked(pid: int) -> int:
    """Signals that a process holds back, a bit each."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in status if line.startswith("SigBlk:"))


def _games_so_far(path: Path) -> set[int]:
    try:
        with Store.open(path) as store:
            return store.numbers(1)
    except Exception:
        return set()


def test_resuming_plays_only_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    settings = tournament("greedy", "random", deals=10)
    expected = played(settings, tmp_path / "whole.sqlite")
    played(settings, path)
    with Store.open(path) as store:
        store._connection.execute("DELETE FROM games WHERE game IN (0, 7, 40)")
        store.commit()
        sessions = store.sessions(1)
        play_missing(settings, store, Ledger(settings))
        assert len(store.sessions(1)) == len(sessions) + 1
        new = store._connection.execute("SELECT game FROM games WHERE session = 2 ORDER BY game").fetchall()
    assert new == [(0,), (7,), (40,)]
    assert end_of(path) == expected


def test_resuming_can_go_on_to_more_deals(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    played(tournament("greedy", "random", deals=5), path)
    done = dnup_ai("tournament", "resume", path, "--deals", 12, "-q", "-j", 1)
    assert (done.returncode, done.stderr) == (0, "")
    assert end_of(path) == played(tournament("greedy", "random", deals=12))
    done = dnup_ai("tournament", "resume", path, "--deals", 3)
    assert (done.returncode, done.stderr) == (
        1,
        "error: deals: expected 12 or more, which the file has, got 3\n",
    )


def test_a_file_of_two_seeds_is_resumed_and_told_of_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for seed, name in ((1, "a"), (2, "b")):
        played(tournament("greedy", "random", players=2, deals=5, seed=seed), tmp_path / f"{name}.sqlite")
    assert dnup_ai("tournament", "merge", path, tmp_path / "b.sqlite").returncode == 0
    done = dnup_ai("tournament", "resume", path, "--deals", 12, "-q", "-j", 1)
    assert (done.returncode, done.stderr) == (0, "")
    for out in (done.stdout, dnup_ai("tournament", "standings", path).stdout):
        assert out.count("tokens/round") == 1
        assert "round-robin, 24 deals" in out
        for seed in (1, 2):
            command = f"dnup-ai tournament run greedy random --players=2 --deals=12 --seed={seed}\n"
            assert f"seed {seed}; repeat with: {command}" in out
    data = json.loads(dnup_ai("tournament", "standings", path, "--json").stdout)
    assert [(run["seed"], run["deals"], run["command"][-8:]) for run in data["runs"]] == [
        (1, 12, "--seed=1"),
        (2, 12, "--seed=2"),
    ]


def test_a_decided_test_is_not_played_on(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    words = ("sprt", "greedy", "random", "-n", 2, "--t1", 0.5, "--seed", 3, "-q", "-j", 1, "--store", path)
    first = dnup_ai("tournament", *words)
    assert "H1 accepted" in first.stdout
    before = stored(path)
    assert "H1 accepted" in dnup_ai("tournament", "resume", path, "-q").stdout
    assert stored(path) == before


def test_a_bot_that_has_changed_is_refused_unless_it_is_accepted(tmp_path: Path) -> None:
    bots, path = tmp_path / "my_bots.py", tmp_path / "t.sqlite"
    bots.write_text(
        "from dnup_ai.bots import Bot\n"
        "class Mine(Bot):\n    def choose(self, view, history):\n        return view.legal_moves()[0]\n"
    )
    played(tournament(f"{bots}:Mine", "random", players=2, deals=3), path)
    bots.write_text(bots.read_text().replace("[0]", "[-1]"))
    done = dnup_ai("tournament", "resume", path, "--deals", 5, "-q")
    assert done.returncode == 1
    assert done.stderr == (
        f"error: {path}: bot {bots}:Mine: {bots} has changed: games before and after would not be alike; "
        "--accept-changes plays on all the same\n"
    )
    assert f"changed since: bot {bots}:Mine" in dnup_ai("tournament", "status", path).stdout
    done = dnup_ai("tournament", "resume", path, "--deals", 5, "-q", "--accept-changes")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(stored(path)) == 10


def test_another_version_of_the_code_is_refused_unless_it_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    played(tournament("greedy", "random", deals=2), path)
    with Store.open(path) as store:
        store._connection.execute("UPDATE sessions SET version = '0.0.9+abc'")
    done = dnup_ai("tournament", "resume", path, "--deals", 5, "-q")
    assert done.returncode == 1
    assert "dnup-ai was 0.0.9+abc, is " in done.stderr
    assert dnup_ai("tournament", "resume", path, "--deals", 5, "-q", "--accept-changes").returncode == 0


def test_status_says_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    played(tournament("greedy", "random", deals=5), path)
    with Store.open(path) as store:
        store._connection.execute("DELETE FROM games WHERE game >= 20")
    out = dnup_ai("tournament", "status", path).stdout
    assert "seed 7: 20 of 30 games, 5 deals" in out
    assert f"play on with: dnup-ai tournament resume {path}" in out


def test_a_fault_can_stop_the_tournament(tmp_path: Path) -> None:
    bots = tmp_path / "my_bots.py"
    bots.write_text(
        "from dnup_ai.bots import Bot\n"
        "class Tires(Bot):\n    def choose(self, view, history):\n"
        "        assert len(history) < 30, 'tired'\n        return view.legal_moves()[0]\n"
    )
    words = ("run", f"{bots}:Tires", "random", "--deals", 500, "--seed", 1, "--on-fault", "stop", "-j", 1, "-q")
    done = dnup_ai("tournament", *words, "--store", tmp_path / "t.sqlite")
    assert done.returncode == 1
    assert done.stderr == "error: stopped at the first fault, as on_fault is 'stop'\n"
    assert "first fault: game " in done.stdout
    games = stored(tmp_path / "t.sqlite")
    assert [fault is not None for _, fault in games] == [False] * (len(games) - 1) + [True]
