"""`dnup-ai tournament` and `dnup-ai bots`, called as a user calls them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

# As the `dnup-ai` script does; Ctrl-C works even if whoever started the tests ignores it.
COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from dnup_ai.cli import main; main()"
)
OWN_BOTS = '''
import time
from dnup_ai.bots import Bot

class Slow(Bot):
    """Thinks for 2 ms."""
    def choose(self, view, history):
        time.sleep(0.002)
        return view.legal_moves()[0]

class Crashes(Bot):
    def choose(self, view, history):
        raise RuntimeError("no idea")

class Talks(Bot):
    def choose(self, view, history):
        print("hm")
        return view.legal_moves()[0]

class Rants(Bot):
    def choose(self, view, history):
        raise RuntimeError("one\\ntwo " + "x" * 10_000)

class Cheats(Bot):
    def choose(self, view, history):
        return view.rules.move("take", zone=view.turn)
'''


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


def dnup_ai(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", COMMAND, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def results(*words: object) -> dict[str, Any]:
    done = dnup_ai("tournament", "run", *words, "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def records(path: Path) -> list[dict[str, Any]]:
    read = [json.loads(line) for line in path.read_text().splitlines()]
    for record in read:
        del record["seconds"]
    return read


def test_without_arguments_it_plays_and_ends_with_a_table() -> None:
    done = dnup_ai("tournament", "run")
    assert done.returncode == 0
    # Nothing but progress, on a slow machine.
    assert all(line.endswith(" s left") for line in done.stderr.splitlines())
    for text in ("ismcts:iterations=200", "greedy", "random", "tokens/round", "95%", "rounds ended: out"):
        assert text in done.stdout
    seed = done.stdout.split("seed ")[1].split(";")[0]
    assert f"--seed={seed}" in done.stdout
    assert "`standard` is a reconstruction" in done.stdout
    assert max(map(len, done.stdout.split("seed ")[0].splitlines())) <= 80


def test_the_command_that_it_names_plays_the_same_again(tmp_path: Path) -> None:
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    options = ("greedy", "--bots", "random", "-n", 4, "--deals", 5, "--lineup", "one-vs-rest", "--max-turns", 90)
    command = results(*options, "--workers", 1, "--records", first)["command"].split()
    assert command[:3] == ["dnup-ai", "tournament", "run"]
    results(*command[3:], "--workers", 2, "--records", again)
    assert records(first) == records(again)
    assert len(records(first)) == 5 * 8
    assert {len(record["bots"]) for record in records(first)} == {4}
    assert {str(record["rules"]) for record in records(first)} == {"{'max_turns': 90}"}


def test_rounds_written_replay(tmp_path: Path, own: str) -> None:
    path = tmp_path / "r.jsonl"
    results("random", f"{own}:Crashes", "greedy", "--deals", 10, "--unit", "match", "--records", path)
    done = dnup_ai("replay", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "rounds replayed" in done.stdout


def test_results_as_json() -> None:
    found = results("greedy", "random", "-n", 2, "--deals", 50, "--seed", 3, "--workers", 1)
    assert (found["seed"], found["players"], found["deals"], found["games"]) == (3, 2, 50, 100)
    assert [standing["bot"] for standing in found["standings"]] == ["greedy", "random"]
    assert sum(standing["mean"] for standing in found["standings"]) == pytest.approx(1)
    assert sum(found["ends"].values()) == 100
    assert found["complete"] is True
    assert results("greedy", "random", "--deals", 1)["seed"] != results("greedy", "random", "--deals", 1)["seed"]


def test_matches_are_counted_by_who_won_them() -> None:
    found = results("greedy", "random", "--deals", 5, "--unit", "match", "--seed", 1, "--max-rounds", 1)
    assert found["undecided"] == found["games"]
    assert found["rules"] == {"max_rounds": 1}
    done = dnup_ai("tournament", "run", "greedy", "random", "--deals", 5, "--unit", "match")
    assert "matches won" in done.stdout


def test_bots_that_misbehave_are_counted_apart(own: str) -> None:
    done = dnup_ai("tournament", "run", f"{own}:Crashes", f"{own}:Cheats", "random", "--deals", 10, "-j", 2)
    assert done.returncode == 0
    assert "rounds ended: fault 30" in done.stdout
    assert "first fault: " in done.stdout
    found = results(f"{own}:Crashes", f"{own}:Cheats", "random", "--deals", 10, "-j", 2)
    faults = {standing["bot"].rpartition(":")[2]: standing["faults"] for standing in found["standings"]}
    # Of the three rotations Cheats begins one; in the others Crashes comes before it.
    assert faults == {"random": 0, "Crashes": 20, "Cheats": 10}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["gredy"], "error: unknown bot 'gredy' (did you mean 'greedy'?)"),
        (["greedy:epsilon=7"], "error: bot greedy: parameter 'epsilon': expected float, 0 to 1, got '7'"),
        (["nowhere.py:Me"], "error: no such file: nowhere.py"),
        (["--players", "7"], "error: players: expected 2 to 5, got 7"),
        (["--deals", "0"], "error: deals: expected 1 to"),
        (["--seed", "-1"], "error: seed: expected 0 to 4294967295, got -1"),
        (["--max-turns", "99999999999"], "error: rules of dnup: max_turns: expected an integer up to 2147483647, got"),
        (["--workers", "100000"], "error: workers: expected 1 to 256, got 100000"),
        (["--workers", "0"], "error: workers: expected 1 to 256, got 0"),
        (["--lineup", "some"], "error: line-up: expected 'all' or 'one-vs-rest', got 'some'"),
        (["random", "--lineup", "one-vs-rest"], "error: line-up 'one-vs-rest': expected at least two bots"),
        (["--deck", "none"], "error: deck 'none': expected one of those that ship"),
        (["--deck", "pairs-36", "--players", "5"], "error: deck pairs-36 at 5 players"),
        (["--repetition", "1"], "error: rules of dnup: repetition: expected"),
        (["--records", "/no/such/folder/r.jsonl"], "error: /no/such/folder/r.jsonl: cannot write records"),
    ],
)
def test_what_cannot_be_played_is_one_line(words: list[str], problem: str) -> None:
    done = dnup_ai("tournament", "run", *words)
    assert (done.returncode, done.stdout.count("tokens")) == (1, 0)
    assert done.stderr.startswith(problem)
    assert done.stderr.count("\n") == 1


def test_a_bot_file_that_does_not_import_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "my_bots.py"
    file.write_text("import dnup_ai\nnonsense\n")
    done = dnup_ai("tournament", "run", f"{file}:Me")
    assert done.returncode == 1
    assert done.stderr == (f"error: {file}, line 2: does not import: NameError: name 'nonsense' is not defined\n")


def test_records_are_not_written_over_but_by_force(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    results("random", "--deals", 2, "--records", path)
    done = dnup_ai("tournament", "run", "random", "--deals", 1, "--records", path)
    assert (done.returncode, "--force writes over it" in done.stderr) == (1, True)
    assert len(records(path)) == 2
    results("random", "--deals", 1, "--records", path, "--force")
    assert len(records(path)) == 1


def start_endless(path: Path, *words: object) -> subprocess.Popen[str]:
    """A tournament that records to the file and will not end by itself; returns when 20 rounds are there."""
    command = [sys.executable, "-P", "-c", COMMAND, "tournament", "run", *map(str, words)]
    # A group of its own: a terminal sends Ctrl-C to all processes of the group.
    process = subprocess.Popen(
        [*command, "--deals", "100000", "--records", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") >= 20):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    return process


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, own: str, workers: int) -> None:
    path, whole = tmp_path / "stopped.jsonl", tmp_path / "whole.jsonl"
    words = (f"{own}:Slow", "greedy", "random", "--seed", 5)
    process = start_endless(path, *words, "--workers", workers)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "stopped by Ctrl-C; this is what is finished:" in out
    assert "tokens/round" in out

    kept = records(path)
    deals = len(kept) // 3
    assert f"{len(kept)} rounds on {deals} deal{'s' if deals != 1 else ''}" in out
    results(*words, "--deals", deals + 1, "--records", whole)
    assert kept == records(whole)[: len(kept)]
    assert dnup_ai("replay", path).returncode == 0


def test_a_killed_tournament_leaves_whole_lines_and_no_process_behind(tmp_path: Path, own: str) -> None:
    path = tmp_path / "killed.jsonl"
    process = start_endless(path, f"{own}:Slow", "greedy", "random", "--workers", 2)
    process.kill()
    process.communicate(timeout=60)
    assert [record["deal"] * 3 + record["game_index"] for record in records(path)] == list(range(len(records(path))))
    deadline = time.monotonic() + 30
    while is_alive(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_worker_that_is_killed_is_one_line_and_keeps_what_is_finished(tmp_path: Path) -> None:
    file = tmp_path / "my_bots.py"
    file.write_text(
        "import os\nfrom dnup_ai.bots import Bot\n\n"
        "class Dies(Bot):\n"
        "    def choose(self, view, history):\n"
        "        if self.rng.below(300) == 0:\n"
        "            os._exit(9)\n"
        "        return view.legal_moves()[0]\n"
    )
    done = dnup_ai("tournament", "run", f"{file}:Dies", "random", "greedy", "--deals", 1000, "-j", 2)
    assert done.returncode == 1
    assert done.stderr.startswith("error: a worker process died at or after game ")
    assert done.stderr.count("\n") == 1
    assert "stopped by an error" in done.stdout


@pytest.mark.parametrize("workers", [1, 2])
def test_what_bots_print_does_not_get_into_the_results(own: str, workers: int) -> None:
    done = dnup_ai("tournament", "run", f"{own}:Talks", "random", "--deals", 4, "-q", "--json", "-j", workers)
    assert done.returncode == 0
    assert json.loads(done.stdout)["complete"] is True
    # Two processes may print at once.
    assert set(done.stderr) == set("hm\n")


def test_a_long_fault_is_one_line_of_the_report(own: str) -> None:
    done = dnup_ai("tournament", "run", f"{own}:Rants", "random", "--deals", 1, "-j", 1)
    line = next(line for line in done.stdout.splitlines() if line.startswith("first fault: "))
    assert "RuntimeError: one two" in line
    assert len(line) < 500


def test_records_do_not_depend_on_the_hash_seed_of_the_process(tmp_path: Path) -> None:
    paths = [tmp_path / f"{seed}.jsonl" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        words = ["greedy", "random", "ismcts:iterations=50", "--deals", "3", "--seed", "7", "-j", "1"]
        command = [sys.executable, "-c", COMMAND, "tournament", "run", *words, "--records", str(path)]
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        subprocess.run(command, env=environment, capture_output=True, timeout=120, check=True)
    assert records(paths[0]) == records(paths[1])
    assert len(records(paths[0])) == 9


def test_bots_are_listed_with_their_parameters() -> None:
    done = dnup_ai("bots")
    assert (done.returncode, done.stderr) == (0, "")
    for text in ("random", "greedy", "epsilon", "float", "0.05", "0 to 1", "my_bots.py:Class"):
        assert text in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_says_what_the_defaults_are() -> None:
    done = dnup_ai("tournament", "run", "--help")
    assert done.returncode == 0
    for option in ("--players", "--deals", "--seed", "--workers", "--lineup", "--unit", "--records", "--json"):
        assert option in done.stdout
    assert "default: drawn" in done.stdout
