"""The tournament file: each game once, nothing lost, and whatever is wrong with a file is said."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from dnup_ai.errors import DnupError, StoreError
from playing import dnup_ai, played, stored, tournament, without_times
from tournaments.ledger import Ledger
from tournaments.runner import play
from tournaments.session import play_missing, this_session
from tournaments.store import MEMORY, Store, holds_games
from tournaments.table import Played

SETTINGS = tournament("greedy", "random", players=3, deals=6)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    played(SETTINGS, tmp_path / "t.sqlite")
    return tmp_path / "t.sqlite"


@pytest.mark.parametrize("unit", ["round", "match"])
def test_what_was_played_is_what_is_stored(tmp_path: Path, unit: str) -> None:
    settings = tournament("greedy", "random", "greedy:epsilon=0.5", deals=3, unit=unit)
    games, _ = played(settings, tmp_path / "t.sqlite")
    assert stored(tmp_path / "t.sqlite") == games
    assert games == without_times(game for chunk in play(settings) for game in chunk)
    assert len(games) == settings.game_count
    with Store.open(tmp_path / "t.sqlite") as store:
        (run,) = store.runs()
        assert run.tournament == settings
        assert store.numbers(1) == set(range(settings.game_count))
        assert without_times(store.games(1, 4)) == games[4:5]


def test_a_game_that_comes_twice_is_stored_once(tmp_path: Path) -> None:
    games = [game for chunk in play(SETTINGS) for game in chunk]
    with Store.create(tmp_path / "t.sqlite") as store:
        run = store.begin(SETTINGS, this_session(SETTINGS))
        for _ in range(2):
            store.add(run, games)
            store.add(run, reversed(games[:5]))
    assert stored(tmp_path / "t.sqlite") == without_times(games)


def test_the_settings_are_kept_and_equal_settings_are_one_run(tmp_path: Path) -> None:
    with Store.create(tmp_path / "t.sqlite") as store:
        numbers = [store.begin(SETTINGS, this_session(SETTINGS)) for _ in range(2)]
        longer = tournament("greedy", "random", players=3, deals=9)
        numbers.append(store.begin(longer, this_session(longer)))
        assert numbers == [1, 1, 1]
        assert [run.tournament.deals for run in store.runs()] == [9]
        other = tournament("greedy", "random", players=3, deals=6, seed=8)
        assert store.begin(other, this_session(other)) == 2
        assert len(store.sessions(1)) == 3


def test_several_decks_and_options_come_back_as_they_were(tmp_path: Path) -> None:
    settings = tournament(
        "greedy", "random", players=2, options={"max_turns": 50}, format="head-to-head", lineup="one-vs-rest",
        on_fault="void", move_limit=2.5,
    )  # fmt: skip
    with Store.create(tmp_path / "t.sqlite") as store:
        store.begin(settings, this_session(settings))
        assert [run.tournament for run in store.runs()] == [settings]


def test_a_file_that_is_there_is_written_over_only_by_force(file: Path) -> None:
    before = stored(file)
    with pytest.raises(StoreError, match="there is such a file already; --force writes over it"):
        Store.create(file)
    assert stored(file) == before
    with Store.create(file, force=True) as store, pytest.raises(StoreError, match="no tournament in it"):
        store.runs()


def test_merging_takes_each_game_once(tmp_path: Path) -> None:
    games, _ = played(SETTINGS, tmp_path / "whole.sqlite")
    chunks = [game for chunk in play(SETTINGS) for game in chunk]
    for name, part in (("a", chunks[:20]), ("b", chunks[12:])):
        with Store.create(tmp_path / f"{name}.sqlite") as store:
            run = store.begin(SETTINGS, this_session(SETTINGS))
            store.add(run, part)
    with Store.open(tmp_path / "a.sqlite") as store:
        assert store.merge(tmp_path / "b.sqlite") == (len(chunks) - 20, 8)
        assert store.merge(tmp_path / "b.sqlite") == (0, len(chunks) - 12)
    assert stored(tmp_path / "a.sqlite") == games


def test_merging_another_seed_adds_its_deals_and_other_settings_are_refused(tmp_path: Path) -> None:
    played(SETTINGS, tmp_path / "a.sqlite")
    played(tournament("greedy", "random", players=3, deals=4, seed=8), tmp_path / "b.sqlite")
    played(tournament("greedy", "greedy:epsilon=1", players=3, deals=1), tmp_path / "c.sqlite")
    done = dnup_ai("tournament", "merge", tmp_path / "a.sqlite", tmp_path / "b.sqlite")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(dnup_ai("tournament", "standings", tmp_path / "a.sqlite", "--json").stdout)
    assert (found["deals"], found["games"]) == (10, 60)
    done = dnup_ai("tournament", "merge", tmp_path / "a.sqlite", tmp_path / "c.sqlite")
    assert done.returncode == 1
    assert "another tournament than" in done.stderr
    assert "greedy:epsilon=1" in done.stderr


def test_a_fault_is_kept_with_its_traceback(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(
        "from dnup_ai.bots import Bot\n"
        "class Crashes(Bot):\n    def choose(self, view, history):\n        raise RuntimeError('no idea')\n"
    )
    played(tournament(f"{tmp_path}/my_bots.py:Crashes", "random", players=2, deals=1), tmp_path / "t.sqlite")
    with Store.open(tmp_path / "t.sqlite") as store:
        faults = [game.fault for game in store.games(1)]
    assert all(fault is not None and fault.kind == "exception" for fault in faults)
    assert all(fault is not None and "in choose" in fault.traceback for fault in faults)


def test_a_file_cut_anywhere_is_refused_or_whole(file: Path, tmp_path: Path) -> None:
    """Never a traceback, never a game that is not one of those that were played."""
    data, games = file.read_bytes(), stored(file)
    cut = tmp_path / "cut.sqlite"
    for size in [*range(0, 200, 7), *range(200, len(data), 1021), len(data) - 1]:
        cut.write_bytes(data[:size])
        try:
            found = stored(cut)
        except StoreError as error:
            assert str(error).startswith(f"{cut}: ")  # noqa: PT017 - either is right
        else:
            assert all(game in games for game in found)
    cut.write_bytes(data)
    assert stored(cut) == games


@pytest.mark.parametrize("size", [0, 10, 100, 5000])
def test_commands_refuse_a_cut_file_in_one_line(file: Path, size: int) -> None:
    file.write_bytes(file.read_bytes()[:size])
    for words in (["standings"], ["status"], ["resume"], ["export"], ["report"]):
        done = dnup_ai("tournament", *words, file)
        assert done.returncode == 1
        assert done.stderr.startswith(f"error: {file}: ")
        assert done.stderr.count("\n") == 1


def test_a_log_cut_anywhere_loses_only_its_end(tmp_path: Path) -> None:
    """What a kill leaves is the file and its log; SQLite takes the log up to the first frame that is not whole."""
    path = tmp_path / "t.sqlite"
    games = [game for chunk in play(SETTINGS) for game in chunk]
    store = Store.create(path)
    run = store.begin(SETTINGS, this_session(SETTINGS))
    for game in games:
        store.add(run, [game])
        store.commit()
    copy = tmp_path / "copy.sqlite"
    log = path.with_name("t.sqlite-wal").read_bytes()
    counts = []
    for size in range(0, len(log), 40_961):
        shutil.copy(path, copy)
        copy.with_name("copy.sqlite-wal").write_bytes(log[:size])
        try:
            found = stored(copy)
        except StoreError:
            found = []
        assert found == without_times(games)[: len(found)]
        counts.append(len(found))
    store.close()
    assert counts == sorted(counts)
    assert stored(path) == without_times(games)


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    ledger = Ledger(SETTINGS)
    store = Store.create(path)
    run = store.begin(SETTINGS, this_session(SETTINGS))
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")

    def fill() -> None:
        for game in (game for games in play(SETTINGS) for game in games):
            store.add(run, [game])
            store.commit()
            ledger.add([game])

    with pytest.raises(StoreError, match=r"full: free some space$"):
        fill()
    store._connection.close()
    assert holds_games(path)
    store._held.close()
    assert 0 < ledger.games < SETTINGS.game_count
    assert len(stored(path)) == ledger.games
    with Store.open(path) as again:
        play_missing(SETTINGS, again, Ledger(SETTINGS))
    assert stored(path) == played(SETTINGS)[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a small disk")
def test_a_disk_that_fills_up_is_one_clear_error_with_the_way_on(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=5m", "none", disk], check=False).returncode:
        pytest.skip("this system lets nobody mount")
    try:
        words = ("greedy", "random", "--deals", 10_000, "--seed", 1, "-j", 1, "--quiet", "--store", disk / "t.sqlite")
        done = dnup_ai("tournament", "run", *words)
        assert done.returncode == 1
        assert f"error: {disk / 't.sqlite'}: cannot be written: " in done.stderr
        assert f"play on with: dnup-ai tournament resume {disk / 't.sqlite'}\n" in done.stdout
        assert "Traceback" not in done.stderr
        whole = {game[0][0].game: game for game in played(tournament("greedy", "random", deals=3000, seed=1))[0]}
        kept = stored(disk / "t.sqlite")
        assert kept
        assert all(whole.get(game[0][0].game, game) == game for game in kept)
    finally:
        subprocess.run(["umount", disk], check=False)


@pytest.mark.parametrize("words", [("tournament", "run", "greedy", "random", "--deals", 10_000), ("tune", "greedy")])
def test_nobody_is_sent_on_to_a_file_in_which_no_game_found_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dnup_ai: Any, words: tuple[object, ...]
) -> None:
    add, at_ctrl_c = Store.add, signal.getsignal(signal.SIGINT)

    def add_and_fill(store: Store, run: int, games: Iterable[Played]) -> None:
        add(store, run, games)
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")

    monkeypatch.setattr(Store, "add", add_and_fill)
    monkeypatch.setattr("tournaments.store._COMMIT_SECONDS", 1e9)  # it is full before the first half second is over
    path = tmp_path / "t.sqlite"
    try:
        done = dnup_ai(*words, "--seed", 1, "-j", 1, "-q", "--store", path)
    finally:
        signal.signal(signal.SIGINT, at_ctrl_c)
    assert done.code == 1
    assert done.err == f"error: {path}: cannot be written: database or disk is full: free some space\n"
    assert "stopped by an error" in done.out
    assert "on with:" not in done.out
    assert words[0] == "tune" or "none of these games is stored\n" in done.out
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.store._SCHEMA", "CREATE TABLE games (game); CREATE TABLE games (game);")
    with pytest.raises(StoreError, match="cannot be made"):
        Store.create(tmp_path / "t.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    connection = sqlite3.connect(tmp_path / "other")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    for name, problem in (
        ("none", "no such file"),
        ("text", "not a tournament file"),
        ("other", "an SQLite file, but not of a tournament"),
    ):
        with pytest.raises(StoreError, match=problem):
            Store.open(tmp_path / name)
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        Store.create(tmp_path / "no" / "folder")


def test_a_newer_format_is_refused(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99, expected 1"):
        Store.open(file)


def own_bot(path: Path, choose: str = "return view.legal_moves()[0]", init: str = "pass") -> Path:
    path.write_text(
        "from dnup_ai.bots import Bot\n"
        "class A(Bot):\n"
        f"    def __init__(self, params, rng):\n        super().__init__(params, rng)\n        {init}\n"
        f"    def choose(self, view, history):\n        {choose}\n"
    )
    return path


def test_results_can_be_read_when_the_bots_are_gone_and_playing_on_cannot(tmp_path: Path) -> None:
    bots, path = own_bot(tmp_path / "my_bots.py"), tmp_path / "t.sqlite"
    played(tournament(f"{bots}:A", "random", players=2, deals=2), path)
    bots.unlink()
    for words in (["standings"], ["status"], ["export"], ["export", "--format", "csv"], ["report"]):
        done = dnup_ai("tournament", words[0], path, *words[1:])
        assert (done.returncode, done.stderr) == (0, ""), words
    assert f"bot {bots}:A: {bots} is gone" in dnup_ai("tournament", "status", path).stdout
    assert dnup_ai("replay", path).returncode == 0
    done = dnup_ai("tournament", "resume", path, "--deals", 3)
    assert (done.returncode, done.stderr) == (1, f"error: no such file: {bots}\n")  # as its path is not relative


def test_two_programs_do_not_play_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite"
    with Store.create(path) as store:
        store.begin(SETTINGS, this_session(SETTINGS))
        for words in (["run", "random", "--store", path, "--force"], ["resume", path]):
            done = dnup_ai("tournament", *words, "-q")
            assert done.returncode == 1
            assert f"{path}: another program is playing into it" in done.stderr
            assert done.stdout == ""
        assert dnup_ai("tournament", "status", path).returncode == 0
    assert dnup_ai("tournament", "resume", path, "-q").returncode == 0
    assert [found.name for found in tmp_path.iterdir()] == ["t.sqlite"]


def test_a_file_of_a_folder_that_cannot_be_written_to_can_be_read(file: Path) -> None:
    """As root may write anywhere, by what the store does then: open it as one that nobody changes."""
    expected = stored(file)
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)
    store = Store(file, connection)
    assert without_times(store.games(1)) == expected
    with pytest.raises(StoreError, match="copy it to a folder that you may write to"):
        store.begin(SETTINGS, this_session(SETTINGS))
    store.close()


def test_a_copy_of_the_file_alone_is_known_while_it_is_played(tmp_path: Path) -> None:
    path, copy = tmp_path / "t.sqlite", tmp_path / "copy.sqlite"
    with Store.create(path) as store:
        store.begin(SETTINGS, this_session(SETTINGS))
        shutil.copy(path, copy)
        with pytest.raises(StoreError, match="no tournament in it: it was broken off before it began"):
            stored(copy)


@pytest.mark.parametrize("words", [["report"], ["export"], ["report", "--force"], ["export", "--force"]])
def test_what_is_made_of_a_tournament_does_not_take_its_place(file: Path, words: list[str]) -> None:
    before = stored(file)
    done = dnup_ai("tournament", words[0], file, "--output", file, *words[1:])
    assert (done.returncode, done.stderr) == (
        1,
        f"error: {file}: that is the tournament itself; name another file with --output\n",
    )
    assert stored(file) == before
    other = file.with_name("other")
    other.write_text("precious")
    done = dnup_ai("tournament", words[0], file, "--output", other)
    assert (done.returncode, "--force writes over it" in done.stderr) == (1, True)
    assert other.read_text() == "precious"


def test_a_constructor_that_fails_later_is_a_fault_of_that_game(tmp_path: Path) -> None:
    bots = own_bot(tmp_path / "my_bots.py", init="assert rng.below(4), 'no book'")
    games, found = played(tournament(f"{bots}:A", "random", players=2, deals=20, seed=3), tmp_path / "t.sqlite")
    kinds = {fault.message for _, fault in games if fault is not None}
    assert len(games) == 40
    assert kinds == {f"bot {bots}:A: its constructor failed: AssertionError: no book"}
    assert 1 < found["fault_counts"][f"{bots}:A"]["exception"] < 30


def test_a_process_that_ends_in_a_later_constructor_is_a_death(tmp_path: Path) -> None:
    init = "import os; rng.below(4) or os._exit(4)"
    bots = own_bot(tmp_path / "my_bots.py", init=init)
    games, _ = played(tournament(f"{bots}:A", "random", players=2, deals=4, seed=3), tmp_path / "t.sqlite")
    faults = {(fault.kind, fault.message) for _, fault in games if fault is not None}
    assert faults == {("death", f"bot {bots}:A: its constructor failed: its process ended with exit code 4")}
    assert len(games) == 8


def test_a_tournament_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    bots = own_bot(tmp_path / "my_bots.py", init="raise OSError('no book')")
    done = dnup_ai("tournament", "run", f"{bots}:A", "random", "--store", tmp_path / "t.sqlite", "-q", "-j", 1)
    assert done.returncode == 1
    assert "its constructor failed: OSError: no book" in done.stderr
    assert not (tmp_path / "t.sqlite").exists()


def test_exports_count_a_fault_as_the_standings_do(tmp_path: Path) -> None:
    bots, path = own_bot(tmp_path / "my_bots.py", choose="raise RuntimeError('no')"), tmp_path / "t.sqlite"
    _, found = played(tournament(f"{bots}:A", "greedy", players=2, deals=3), path)
    lines = dnup_ai("tournament", "export", path, "--format", "csv").stdout.splitlines()
    rows = [dict(zip(lines[0].split(","), line.split(","), strict=True)) for line in lines[1:]]
    for standing in found["standings"]:
        points = [float(row["points"]) for row in rows if row["bot"] == standing["bot"] and row["points"]]
        assert (sum(points) / len(points) if points else None) == standing["mean"]
        assert len(points) == standing["games"]


def test_in_memory_nothing_is_written(tmp_path: Path) -> None:
    played(SETTINGS, MEMORY)
    done = dnup_ai("tournament", "run", "random", "--deals", 2, "--store", ":memory:", cwd=tmp_path)
    assert done.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_deck_of_ones_own_is_in_the_file(tmp_path: Path) -> None:
    from dnup_ai.decks import load_deck
    from tournaments.config import Tournament

    (tmp_path / "tiny.toml").write_text(
        'name = "tiny"\nstar = "1/2"\n'
        'cards = ["1/2", "1/3", "1/4", "1/5", "2/3", "2/4", "2/5", "3/4", "3/5", "4/5", "1/6", "2/6"]\n'
    )
    settings = Tournament(SETTINGS.bots, 3, 2, 1, load_deck(str(tmp_path / "tiny.toml")))
    games, _ = played(settings, tmp_path / "t.sqlite")
    (tmp_path / "tiny.toml").unlink()
    assert stored(tmp_path / "t.sqlite") == games
    try:
        with Store.open(tmp_path / "t.sqlite") as store:
            assert store.runs()[0].tournament.deck == settings.deck
    except DnupError as error:
        pytest.fail(str(error))
