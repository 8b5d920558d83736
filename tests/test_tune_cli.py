"""`dnup-ai tune` as a user calls it: what it says, and one clear line for whatever goes wrong."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from dnup_ai.errors import ConfigError
from playing import dnup_ai, played, tournament
from studies import OWN_BOTS, found, told
from tournaments.preset_files import preset_names, preset_text, read_preset
from tournaments.store import Store
from tournaments.tune.config_file import PRESETS, make_study, read_study

QUICK = ("--optimiser", "random", "--settings", 4, "--seed", 5, "-q", "-j", 1)
GREEDY = ("greedy", "-n", 2, "--games", 1000, *QUICK)


def test_a_better_setting_is_recommended_and_plays_better(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    done = told("greedy:epsilon=0.4", "-n", 2, "--games", 1000, *QUICK, "--store", path)
    assert (done.returncode, done.stderr) == (0, "")
    match = re.search(r"^better: (\S+) than greedy:epsilon=0.4 by \+(\S+) tokens a round, 95% \+", done.stdout, re.M)
    assert match is not None, done.stdout
    assert f"recommended: {match[1]}\n" in done.stdout
    _, summary = played(tournament(match[1], "greedy:epsilon=0.4", players=2, deals=2000, format="head-to-head"))
    (difference,) = summary["differences"]
    assert difference["interval"][0] > 0
    assert difference["difference"] == pytest.approx(float(match[2]), abs=0.15)


def test_where_nothing_is_proven_nothing_is_recommended(tmp_path: Path) -> None:
    """So few iterations never fill either tree: no level is better than the other."""
    words = ("ismcts:iterations=2", "-n", 2, "--levels", "nodes=1000,100000", "--games", 400, *QUICK)
    data = found(*words, "--store", tmp_path / "t.sqlite")
    assert data["verdict"] == "no proof of a gain"
    assert data["recommended"] is None
    out = told("--resume", tmp_path / "t.sqlite", "-q").stdout
    assert "no proof of a gain" in out
    assert "nothing is recommended: keep ismcts:iterations=2\n" in out
    assert "recommended: ismcts" not in out


def test_no_level_looks_best_where_no_other_than_the_default_is_known() -> None:
    """Too few were evaluated together to tell how much of a score is luck of the deals."""
    words = ("greedy:epsilon=0.3", "-n", 2, "--levels", "epsilon=0.1,0.5", "--games", 300, "--deals", 3)
    how = ("--settings", 3, "--seed", 4, "-j", 1, "--store", ":memory:")
    (parameter,) = found(*words, *how)["landscape"]["parameters"]
    assert [effect["mean"] for effect in parameter["effects"]] == [None, 0.0, None]
    assert re.search(r"│ epsilon +│ +\S+ │ +- │ +- │ +│", told(*words, *how, "-q").stdout)


@pytest.mark.parametrize(
    "words",
    [
        GREEDY,
        (
            *(
                "ismcts:iterations=3,defaults=engine",
                "-n",
                "2,3",
                "--levels",
                "exploration=0.1,1,3@log",
                "--levels",
                "final=visits,value",
            ),
            *("--games", 1200, "--opponent", "greedy", "--opponent", "ismcts:iterations=2", "--lineup", "one-vs-rest"),
            *("--rule", "repetition=2", "--deck", "standard", "--test", "t1=0.2,max_deals=100", "--finalists", 2),
            *("--deals", 6, "--on-fault", "forfeit", *QUICK),
        ),
    ],
)
def test_the_command_that_is_printed_does_it_again(tmp_path: Path, words: tuple[Any, ...]) -> None:
    first = found(*words, "--store", tmp_path / "one.sqlite")
    command = shlex.split(first["command"])
    assert command[:2] == ["dnup-ai", "tune"]
    assert found(*command[2:], "--store", tmp_path / "two.sqlite") == first


def test_a_file_of_settings_is_tuned(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(
        'bot = "ismcts:iterations=2,defaults=engine"\nplayers = [2, 3]\ngames = 900\nseed = 5\nsettings = 4\n'
        'optimiser = "random"\n'
        "[parameters.exploration]\nlow = 0.1\nhigh = 2\nlevels = 4\nscale = 'log'\n"
        "[parameters.rollout]\n[parameters.final]\nchoices = ['visits', 'value']\n"
    )
    made = make_study(read_study(file))
    assert [(dimension.name, len(dimension.levels)) for dimension in made.space.dimensions] == [
        ("exploration", 5),  # the default is one of them
        ("rollout", 3),
        ("final", 2),
    ]
    assert made.plan.evaluations == 225
    data = found(file, "-q", "-j", 1, "--store", tmp_path / "t.sqlite")
    assert data["settings"]["players"] == [2, 3]
    # The same file goes on with it, a changed one does not.
    assert found(file, "--resume", tmp_path / "t.sqlite") == data
    file.write_text(file.read_text().replace("games = 900", "games = 1000"))
    done = told(file, "--resume", tmp_path / "t.sqlite")
    assert done.returncode == 1
    assert "begun with other settings: games 1000 for 900;" in done.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('bot = "ismkts"', "line 1, bot: unknown bot 'ismkts' (did you mean 'ismcts'?)"),
        ('bot = "greedy"\ngamess = 5', "line 2, gamess: no such setting (did you mean 'games'?)"),
        ('bot = "greedy"\nplayers = "2"', "line 2, players: expected a number, or a list of numbers, got '2'"),
        ('bot = "greedy"\nplayers = [2, "3"]', "line 2, players[1]: expected a number, got '3'"),
        ('bot = "greedy"\nplayers = 9', "line 2, players: expected 2 to 5, got 9"),
        ('bot = "greedy"\ngames = 20', "line 2, games: expected "),
        (
            'bot = "greedy"\ngames = 2000\nhours = 1',
            "line 2, games: expected a budget in games or in hours, one of them",
        ),
        (
            'bot = "random"',
            "line 1, parameters: random has none to tune",
        ),
        (
            'bot = "plain"',
            "line 1, parameters: plain declares no levels (`tune=` of `param`): give levels of your own, with --levels",
        ),
        (
            'bot = "greedy"\n[parameters.epsilon]\nlevels = [0.1, 2]',
            "line 2, parameters.epsilon: 2 is no value of epsilon (float, 0 to 1)",
        ),
        (
            'bot = "greedy"\n[parameters.epsilom]',
            "line 2, parameters.epsilom: greedy has no such parameter (did you mean",
        ),
        (
            'bot = "greedy"\n[parameters.epsilon]\nlevels = 4',
            "line 2, parameters.epsilon: expected low and high beside",
        ),
        ('bot = "greedy"\n[parameters.epsilon]\nlevel = 3', "line 3, parameters.epsilon.level: no such setting"),
        ('bot = "greedy"\n[parameters.epsilon]\nlow = 1\nhigh = 0', "line 2, parameters.epsilon: expected low < high"),
        ('bot = "greedy"\n[parameters.epsilon]\nscale = "cubic"', "line 2, parameters.epsilon: expected the scale"),
        ('bot = "ismcts"\n[parameters.threads]', "line 2, parameters.threads: it has no levels of its own"),
        ('bot = "greedy"\nopponents = ["greedi"]', "line 2, opponents[0]: unknown bot 'greedi'"),
        ('bot = "greedy"\noptimiser = "luck"', "line 2, optimiser: "),
        ('bot = "greedy"\n[confirm]\nt2 = 1', "line 2, confirm: expected t1, alpha"),
        ('bot = "greedy"\n[confirm]\nalpha = 0.9', "line 2, confirm: expected alpha between 0 and 0.5, got 0.9"),
        ('bot = "ismcts"\nplayers = []', "line 2, players: expected a number, or several, got none"),
        ('bot = "greedy"\nopponents = []', "line 2, opponents: expected different bots, got none"),
        (
            'bot = "greedy"\nparameters = ["epsilon", 5]',
            "line 2, parameters[1]: expected the name of a parameter, got 5",
        ),
        ('bot = "greedy"\ndeals = 1', "line 2, deals: expected deals of 2 or more, got 1"),
        ('bot = "greedy"\nfinalists = 0', "line 2, finalists: expected finalists of 1 or more, got 0"),
        ('bot = "greedy"\nseed = -1', "line 2, seed: expected 0 to"),
        ('bot = "cheat"', "line 1, bot: bot cheat sees all cards"),
    ],
)
def test_a_fault_of_a_file_is_named_by_its_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_study(file)
    assert f"{file}, {problem}" in str(caught.value)


def test_presets_are_listed_printed_and_can_be_played() -> None:
    listed = dnup_ai("tune", "--print").stdout.splitlines()
    names = preset_names(PRESETS)
    assert [line.split()[0] for line in listed] == list(names)
    assert dnup_ai("tune", "--preset", "ismcts-2", "--print").stdout == preset_text(PRESETS, "ismcts-2")
    assert names == tuple(f"{bot}-{players}" for bot in ("dmcts", "ismcts") for players in (2, 3, 4, 5))
    for name in names:
        made = make_study(read_preset(PRESETS, name, read_study))
        assert (made.bot.name, str(made.players[0])) == tuple(name.split("-"))
        assert len(made.space.dimensions) >= 8


def test_a_preset_takes_another_bot_and_budget(tmp_path: Path) -> None:
    words = ("--preset", "ismcts-3", "ismcts:iterations=1", "--games", 400, *QUICK, "--no-confirm")
    data = found(*words, "--store", tmp_path / "t.sqlite")
    assert data["default"] == "ismcts:iterations=1"
    assert data["settings"]["games"] == 400


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((), "expected a bot to tune, a TOML file, or --preset"),
        (("nobody",), "unknown bot 'nobody'"),
        (("no.toml",), "no.toml: cannot be read: No such file or directory"),
        (
            ("greedy", "--params", "epsilom"),
            "parameters.epsilom: greedy has no such parameter (did you mean 'epsilon'?)",
        ),
        (("greedy", "--levels", "epsilon=0.1,7"), "parameters.epsilon: 7.0 is no value of epsilon (float, 0 to 1)"),
        (("greedy", "--levels", "epsilon=low"), "levels: expected values of epsilon (float, 0 to 1), got 'low'"),
        (("greedy", "--levels", "epsilon"), "levels: expected NAME=LEVEL,LEVEL, got 'epsilon'"),
        (("greedy", "--games", "30"), "games: expected "),
        (("greedy", "--games", "3000", "--hours", "1"), "games: expected a budget in games or in hours, one of them"),
        (("greedy", "--hours", "0"), "hours: expected a number above 0, got 0"),
        (("greedy", "-n", "2;3"), "--players: expected a number, or numbers with commas, as 2,3,4, got '2;3'"),
        (("greedy", "-n", "2,2"), "players: expected different table sizes, got [2, 2]"),
        (("greedy", "--test", "t1"), "--test: expected t1=0.05[,alpha=0.025,...], got 't1'"),
        (("greedy", "--optimiser", "luck"), "optimiser: expected "),
        (("greedy", "-j", "0"), "concurrency: expected 1 to 256, got 0"),
        (("greedy", "--cluster", "nonsense://"), "cluster: no scheduler at 'nonsense://'"),
        (("--preset", "ismct-3"), "unknown preset 'ismct-3' (did you mean 'ismcts-3'?)"),
        (("--preset", "ismcts-3", "my.toml"), "expected --preset or a file, got both"),
        (("--resume", "gone.sqlite"), "gone.sqlite: no such file"),
        (("--resume", "text.sqlite"), "text.sqlite: not a tournament file, or its beginning is lost"),
        (
            ("--resume", "plain.sqlite"),
            "plain.sqlite: a tournament file, but not of a study: `dnup-ai tune` makes those",
        ),
        (("--resume", "plain.sqlite", "--store", "x.sqlite"), "expected --resume or --store, got both"),
        (("greedy", "--store", "text.sqlite"), "text.sqlite: there is such a file already; --force writes over it"),
        (("greedy", "--report", "text.sqlite"), "text.sqlite: there is such a file already; --force writes over it"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.sqlite").write_text("no database")
    played(tournament("greedy", "random", deals=2), tmp_path / "plain.sqlite")
    done = told(*words, "-q")
    assert done.returncode == 1
    assert done.stderr.startswith("error: "), done.stderr
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain.sqlite", "text.sqlite"]


def test_a_bot_that_crashes_in_a_setting_stops_it_and_it_can_go_on(tmp_path: Path) -> None:
    bots, path = tmp_path / "my_bots.py", tmp_path / "t.sqlite"
    bots.write_text(OWN_BOTS)
    words = (f"{bots}:Crashes", "-n", 2, "--params", "place", "--games", 300, *QUICK, "--no-confirm", "--store", path)
    done = told(*words)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert re.search(
        r"error: \S+:Crashes:place=3 was at fault on deal \d+ at 2 players: exception: RuntimeError: three", done.stderr
    )
    assert f"go on with: dnup-ai tune --resume {path}" in done.stdout
    assert told("--resume", path, "-q").stderr == done.stderr
    data = found("--resume", path, "--on-fault", "forfeit")
    assert data["faults"] > 0
    assert found("--resume", path) == data


def test_bots_and_code_that_have_changed_are_refused_unless_it_is_accepted(tmp_path: Path) -> None:
    bots, path = tmp_path / "my_bots.py", tmp_path / "t.sqlite"
    bots.write_text(OWN_BOTS)
    words = (f"{bots}:Nth", "-n", 2, "--params", "place", "--games", 200, *QUICK, "--no-confirm", "--store", path)
    data = found(*words)
    bots.write_text(OWN_BOTS + "\n")
    done = told("--resume", path)
    assert done.returncode == 1
    assert done.stderr == (
        f"error: {path}: bot {bots}:Nth: {bots} has changed: games before and after would not be alike; "
        "--accept-changes plays on all the same\n"
    )
    assert found("--resume", path, "--accept-changes") == data
    assert found("--resume", path) == data
    with Store.open(path) as store:
        note = store.note("session") or ""
        store.keep("session", note.replace('"version": "0.1.0', '"version": "0.0.9'))
    done = told("--resume", path)
    assert done.returncode == 1
    assert "dnup-ai was 0.0.9+" in done.stderr


def test_settings_beside_the_file_of_a_study_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    found(*GREEDY, "--store", path)
    for words in (("--games", 5000), ("--params", "epsilon"), ("-n", 3), ("--no-confirm",), ("--seed", 6)):
        done = told("--resume", path, *words)
        assert done.returncode == 1
        assert done.stderr == (
            "error: --resume goes on with the settings of the file: of a study only --on-fault may change\n"
        )


def test_commands_on_tournaments_refuse_the_file_of_a_study(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    found(*GREEDY, "--store", path)
    played(tournament("greedy", "random", deals=2), tmp_path / "plain.sqlite")
    expected = f"error: {path}: the file of a study, not of one tournament: `dnup-ai tune --resume {path}`\n"
    for words in (("standings", path), ("resume", path), ("status", path), ("report", path), ("export", path)):
        done = dnup_ai("tournament", *words)
        assert (done.returncode, done.stderr) == (1, expected), words
    assert dnup_ai("tournament", "merge", tmp_path / "plain.sqlite", path).stderr == expected
