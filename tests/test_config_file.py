"""Tournaments in TOML: what a file says is what is played, and each fault is named by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dnup_ai.errors import ConfigError
from playing import dnup_ai
from tournaments.config import Tournament
from tournaments.config_file import PRESETS, make_tournament, read_config
from tournaments.preset_files import preset_names, preset_text, read_preset

WHOLE = """
game = "dnup"
bots = ["greedy", "random"]
players = 2
deals = 40
seed = 9
deck = "pairs-36"
format = "head-to-head"
lineup = "one-vs-rest"
unit = "match"
allow_cheating = true
move_limit = 2.5
on_fault = "void"
max_lineups = 7
challengers = 1

[rules]
max_rounds = 3

[sprt]
t0 = -0.1
t1 = 0.2
alpha = 0.01
beta = 0.02
batch = 20
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "tour.toml"
    path.write_text(text)
    return path


def test_every_setting_can_be_in_a_file(tmp_path: Path) -> None:
    found = make_tournament(read_config(write(tmp_path, WHOLE)))
    settings = found.to_dict()
    expected = {
        "game": "dnup", "bots": ["greedy", "random"], "players": 2, "deals": 40, "seed": 9, "format": "head-to-head",
        "lineup": "one-vs-rest", "unit": "match", "allow_cheating": True, "move_limit": 2.5, "on_fault": "void",
        "max_lineups": 7, "challengers": 1, "rules": {"max_rounds": 3},
    }  # fmt: skip
    assert {name: settings[name] for name in expected} == expected
    assert settings["deck"]["name"] == "pairs-36"
    assert {key: value for key, value in settings["sprt"].items() if value is not None} == {
        "t0": -0.1, "t1": 0.2, "alpha": 0.01, "beta": 0.02, "batch": 20,
    }  # fmt: skip
    # No setting of a tournament that a file could not have.
    assert set(settings) == set(expected) | {"deck", "sprt", "names"}
    assert Tournament.from_dict(settings, "here") == found


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('players = "two"', "line 2, players: expected a number, got 'two'"),
        ("playrs = 2", "line 2, playrs: no such setting (did you mean 'players'?)"),
        ("zzz = 2", "line 2, zzz: no such setting; there are game, bots, "),
        ("players = 2.5", "line 2, players: expected a number, got 2.5"),
        ("deals = true", "line 2, deals: expected a number, got True"),
        ("players = 9", "line 2, players: expected 2 to 5, got 9"),
        ("deals = 0", "line 2, deals: expected 1 to "),
        ('bots = ["greedy", "gredy"]', "line 2, bots[1]: unknown bot 'gredy' (did you mean 'greedy'?)"),
        ('bots = ["greedy", 3]', "line 2, bots[1]: expected the spec of a bot, got 3"),
        ('bots = "greedy"', "line 2, bots: expected a list of bots, got 'greedy'"),
        ("bots = []", "line 2, bots: expected at least one"),
        ('deck = "nowhere"', "line 2, deck: deck 'nowhere': expected one of those that ship"),
        ('game = "chess"', "line 2, game: unknown game 'chess'"),
        ('format = "cup"', "line 2, format: expected 'round-robin', 'gauntlet', 'head-to-head', got 'cup'"),
        ("rules = { foo = 1 }", "line 2, rules: expected options of dnup ("),
        ("sprt = { t0 = 1 }", "line 2, sprt: expected t0 and t1, t1 is missing"),
        (
            "sprt = { t0 = 0, t1 = 0.1, batch = 20.5 }",
            "line 2, sprt: expected a whole number of deals as batch, got 20.5",
        ),
        ("sprt = { t0 = 0, t1 = 0.1, t2 = 1 }", "line 2, sprt: expected t0, t1, alpha, beta, batch, got 't2'"),
        ('on_fault = "cry"', "line 2, on_fault: expected 'forfeit' or 'void' or 'stop', got 'cry'"),
        ("move_limit = -1", "line 2, move_limit: expected seconds above 0, got -1"),
        ("players = = 3", "line 2, column 11: not TOML: "),
        ("players = 3\nplayers = 4", "line 3, column 12: not TOML: "),
    ],
)
def test_each_fault_is_named_by_file_line_and_key(tmp_path: Path, line: str, problem: str) -> None:
    path = write(tmp_path, f"# a tournament\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}, {problem}")
    done = dnup_ai("tournament", "run", "--config", path, "--store", ":memory:")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"error: {path}, {problem}")


def test_several_faults_are_counted(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"line 1, players: expected a number, got '2' \(and 1 more problem\)"):
        read_config(write(tmp_path, 'players = "2"\nfoo = 1\n'))


def test_the_command_line_comes_before_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, 'bots = ["greedy", "random"]\nplayers = 4\ndeals = 3\nseed = 1\n[rules]\nmax_turns = 70\n')
    words = ("tournament", "run", "--config", path, "--store", ":memory:", "--json", "-q", "-j", 1)
    found = json.loads(dnup_ai(*words, "--players", 2, "--seed", 5, "--rule", "repetition=2").stdout)["settings"]
    assert (found["players"], found["seed"], found["deals"]) == (2, 5, 3)
    assert found["rules"] == {"max_turns": 70, "repetition": 2}
    found = json.loads(dnup_ai(*words, "random").stdout)["settings"]
    assert (found["bots"], found["players"]) == (["random"], 4)


def test_presets_are_listed_printed_and_can_be_played() -> None:
    listed = dnup_ai("tournament", "presets")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(preset_names(PRESETS))
    assert {"quick", "league", "gauntlet", "match", "sprt"} <= set(preset_names(PRESETS))
    for name in preset_names(PRESETS):
        assert dnup_ai("tournament", "presets", name).stdout == preset_text(PRESETS, name)
        make_tournament(read_preset(PRESETS, name, read_config))
    done = dnup_ai("tournament", "run", "--preset", "match", "--deals", 1, "--store", ":memory:", "-q", "-j", 1)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_seed_is_drawn() -> None:
    assert make_tournament({}).seed != make_tournament({}).seed
