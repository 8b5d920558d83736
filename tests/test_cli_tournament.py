"""`dnup-ai tournament` and `dnup-ai bots`, called as a user calls them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from playing import dnup_ai

IN_MEMORY = ("--store", ":memory:")

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


def results(*words: object) -> dict[str, Any]:
    done = dnup_ai("tournament", "run", *words, "--json", "--quiet", *(() if "--store" in words else IN_MEMORY))
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def records(path: Path) -> list[dict[str, Any]]:
    done = dnup_ai("tournament", "export", path)
    assert (done.returncode, done.stderr) == (0, "")
    read = [json.loads(line) for line in done.stdout.splitlines()]
    for record in read:
        del record["seconds"]
    return read


def test_without_arguments_it_plays_and_ends_with_a_table(tmp_path: Path) -> None:
    done = dnup_ai("tournament", "run", cwd=tmp_path)
    assert done.returncode == 0
    # Nothing but progress, on a slow machine.
    assert all(line.endswith(" s left") for line in done.stderr.splitlines())
    for text in ("ismcts:iterations=200", "greedy", "random", "tokens/round", "±", "rounds ended: out"):
        assert text in done.stdout
    seed = done.stdout.split("seed ")[1].split(";")[0]
    assert f"--seed={seed}" in done.stdout
    assert "`standard` is a reconstruction" in done.stdout
    assert max(map(len, done.stdout.split("seed ")[0].splitlines())) <= 80


@pytest.mark.parametrize("columns", [50, 20])
def test_on_a_narrow_terminal_no_bot_and_no_number_is_lost(columns: int) -> None:
    words = ("greedy:epsilon=0.5", "random", "greedy", "--lineup", "one-vs-rest", "--format", "head-to-head")
    done = dnup_ai(
        "tournament", "run", *words, "--deals", 4, *IN_MEMORY, "-q", env={**os.environ, "COLUMNS": str(columns)}
    )
    tables = done.stdout.partition("rounds on")[0]
    assert tables.count("│ greedy:") >= 3
    assert tables.count("random") >= 3
    assert "…" not in tables


def test_the_command_that_it_names_plays_the_same_again(tmp_path: Path) -> None:
    first, again = tmp_path / "first.sqlite", tmp_path / "again.sqlite"
    options = ("greedy", "random", "-n", 4, "--deals", 5, "--lineup", "one-vs-rest", "--max-turns", 90)
    command = results(*options, "-j", 1, "--store", first)["command"].split()
    assert command[:3] == ["dnup-ai", "tournament", "run"]
    results(*command[3:], "-j", 2, "--store", again)
    assert records(first) == records(again)
    assert len(records(first)) == 5 * 2
    assert {len(record["bots"]) for record in records(first)} == {4}
    assert {str(record["rules"]) for record in records(first)} == {"{'max_turns': 90}"}


def test_rounds_exported_replay(tmp_path: Path, own: str) -> None:
    path = tmp_path / "t.sqlite"
    words = ("random", f"{own}:Crashes", "greedy", "--deals", 10, "--unit", "match", "--store", path)
    results(*words)
    assert dnup_ai("tournament", "export", path, "--output", tmp_path / "r.jsonl").returncode == 0
    done = dnup_ai("replay", tmp_path / "r.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "rounds replayed" in done.stdout
    done = dnup_ai("replay", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "rounds replayed" in done.stdout


def test_results_as_json() -> None:
    found = results("greedy", "random", "-n", 2, "--deals", 50, "--seed", 3, "-j", 1)
    assert (found["settings"]["seed"], found["settings"]["players"], found["deals"], found["games"]) == (3, 2, 50, 100)
    assert [standing["bot"] for standing in found["standings"]] == ["greedy", "random"]
    assert sum(standing["mean"] for standing in found["standings"]) == pytest.approx(1)
    assert sum(found["ends"].values()) == 100
    assert found["complete"] is True
    assert results("random", "--deals", 1)["settings"]["seed"] != results("random", "--deals", 1)["settings"]["seed"]


def test_matches_are_counted_by_who_won_them() -> None:
    found = results("greedy", "random", "--deals", 5, "--unit", "match", "--seed", 1, "--max-rounds", 1)
    assert found["undecided"] == found["games"]
    assert found["settings"]["rules"] == {"max_rounds": 1}
    done = dnup_ai("tournament", "run", "greedy", "random", "--deals", 5, "--unit", "match", *IN_MEMORY)
    assert " won " in done.stdout


def test_bots_that_misbehave_are_counted_apart(own: str) -> None:
    done = dnup_ai("tournament", "run", f"{own}:Crashes", f"{own}:Cheats", "random", "--deals", 10, "-j", 2, *IN_MEMORY)
    assert done.returncode == 0
    assert "rounds ended: fault 30" in done.stdout
    assert f"faults of {own}:Cheats: illegal " in done.stdout
    assert "first fault: " in done.stdout
    found = results(f"{own}:Crashes", f"{own}:Cheats", "random", "--deals", 10, "-j", 2)
    faults = {standing["bot"].rpartition(":")[2]: standing["faults"] for standing in found["standings"]}
    # Whoever comes first ends the round.
    assert faults["random"] == 0
    assert sum(faults.values()) == 30
    assert min(faults["Crashes"], faults["Cheats"]) > 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["gredy"], "error: unknown bot 'gredy' (did you mean 'greedy'?)"),
        (["greedy:epsilon=7"], "error: bot greedy: parameter 'epsilon': expected float, 0 to 1, got '7'"),
        (["nowhere.py:Me"], "error: no such file: nowhere.py; its path is relative to the current folder, /"),
        (["--players", "7"], "error: players: expected 2 to 5, got 7"),
        (["--deals", "0"], "error: deals: expected 1 to"),
        (["--seed", "-1"], "error: seed: expected 0 to 4294967295, got -1"),
        (["--max-turns", "99999999999"], "error: rules of dnup: max_turns: expected an integer up to 2147483647, got"),
        (["-j", "100000"], "error: concurrency: expected 1 to 256, got 100000"),
        (["-j", "0"], "error: concurrency: expected 1 to 256, got 0"),
        (
            ["greedy", "random", "--lineup", "some"],
            "error: lineup: expected 'alternating' or 'one-vs-rest', got 'some'",
        ),
        (["--format", "some"], "error: format: expected 'round-robin', 'gauntlet', 'head-to-head', got 'some'"),
        (["random", "--lineup", "one-vs-rest"], "error: format 'head-to-head': expected at least two bots"),
        (["--deck", "none"], "error: deck 'none': expected one of those that ship"),
        (["--deck", "pairs-36", "--players", "5"], "error: deck pairs-36 at 5 players"),
        (["--repetition", "1"], "error: rules of dnup: repetition: expected"),
        (["--store", "/no/such/folder/t.sqlite"], "error: /no/such/folder/t.sqlite: cannot be written: No such file"),
        (["--sprt", "t0=0,t1=0.1"], "error: sprt: it compares two bots"),
        (["a", "b", "--sprt", "t0=0,t1=x"], "error: --sprt: expected t0=0,t1=0.1[,alpha=0.05,beta=0.05], got 't1=x'"),
        (
            ["greedy", "random", "--sprt", "t0=0,t1=0.1,batch=20.5"],
            "error: sprt: expected a whole number of deals as batch, got 20.5",
        ),
        (["--move-limit", "0"], "error: move_limit: expected seconds above 0, got 0"),
        (["--on-fault", "cry"], "error: on_fault: expected 'forfeit' or 'void' or 'stop', got 'cry'"),
        (["--preset", "leage"], "error: unknown preset 'leage' (did you mean 'league'?)"),
        (["--config", "/no/such.toml"], "error: /no/such.toml: cannot be read: No such file"),
        (["--preset", "league", "--config", "x.toml"], "error: expected --preset or --config, got both"),
    ],
)
def test_what_cannot_be_played_is_one_line(words: list[str], problem: str) -> None:
    done = dnup_ai("tournament", "run", *words, *(() if "--store" in words else IN_MEMORY))
    assert (done.returncode, done.stdout.count("tokens")) == (1, 0)
    assert done.stderr.startswith(problem)
    assert done.stderr.count("\n") == 1


def test_a_bot_file_that_does_not_import_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "my_bots.py"
    file.write_text("import dnup_ai\nnonsense\n")
    done = dnup_ai("tournament", "run", f"{file}:Me", *IN_MEMORY)
    assert done.returncode == 1
    assert done.stderr == (f"error: {file}, line 2: does not import: NameError: name 'nonsense' is not defined\n")


def test_a_file_is_not_written_over_but_by_force(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    results("random", "--deals", 2, "--store", path)
    done = dnup_ai("tournament", "run", "random", "--deals", 1, "--store", path)
    assert (done.returncode, "--force writes over it" in done.stderr) == (1, True)
    assert len(records(path)) == 2
    results("random", "--deals", 1, "--store", path, "--force")
    assert len(records(path)) == 1


def test_the_file_is_named_by_the_seed_and_its_use_is_told(tmp_path: Path) -> None:
    done = dnup_ai("tournament", "run", "random", "--deals", 2, "--seed", 4, cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tournament-4.sqlite"]
    dnup_ai("tournament", "run", "random", "--deals", 2, "--seed", 4, "-q", cwd=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"tournament-4.sqlite", "tournament-4-2.sqlite"}
    assert "games in tournament-4.sqlite; page with plots: dnup-ai tournament report tournament-4.sqlite" in done.stdout


@pytest.mark.parametrize("concurrency", [1, 2])
def test_what_bots_print_does_not_get_into_the_results(own: str, concurrency: int) -> None:
    done = dnup_ai(
        "tournament", "run", f"{own}:Talks", "random", "--deals", 4, "-q", "--json", "-j", concurrency, *IN_MEMORY
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["complete"] is True
    # Two processes may print at once.
    assert set(done.stderr) == set("hm\n")


def test_a_long_fault_is_one_line_of_the_report(own: str) -> None:
    done = dnup_ai("tournament", "run", f"{own}:Rants", "random", "--deals", 1, "-j", 1, *IN_MEMORY)
    line = next(line for line in done.stdout.splitlines() if line.startswith("first fault: "))
    assert "RuntimeError: one two" in line
    assert len(line) < 500


def test_games_do_not_depend_on_the_hash_seed_of_the_process(tmp_path: Path) -> None:
    paths = [tmp_path / f"{seed}.sqlite" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        words = ("greedy", "random", "ismcts:iterations=50", "--deals", 3, "--seed", 7, "-j", 1, "-q", "--store", path)
        assert dnup_ai("tournament", "run", *words, env={**os.environ, "PYTHONHASHSEED": str(seed)}).returncode == 0
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
    for option in (
        "--players",
        "--deals",
        "--seed",
        "--concurrency",
        "--lineup",
        "--unit",
        "--store",
        "--sprt",
        "--max-turns",
        "--on-fault",
        "--json",
    ):
        assert option in done.stdout
    assert "default: drawn" in done.stdout
