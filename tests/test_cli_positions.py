"""`dnup-ai deal`, `show`, `perft`, `--version`, as a user calls them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cython_core.rng import Rng
from dnup_ai.decks import load_deck

VIEW = (
    "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
)
START = str(load_deck("standard").rules(3).deal(Rng(0)))
END = "dnup:2 turn=- hands=-;2/3,4/1 table=-;5/1;-;- gone=GONE out=0 tokens=0,1"


def test_deal_prints_the_deal_of_that_seed(dnup_ai):
    run = dnup_ai("deal", "--players", 3, "--seed", 1)
    assert run.out == f"{load_deck('standard').rules(3).deal(Rng(1))}\n"
    assert (run.code, run.err) == (0, "")


def test_deal_shows_a_seat_only_what_it_may_know(dnup_ai):
    run = dnup_ai("deal", "--players", 4, "--seed", 1, "--view", 2)
    assert run.out == f"{load_deck('standard').rules(4).deal(Rng(1)).observe(2)}\n"


def test_deal_goes_on_to_show(dnup_ai):
    position = dnup_ai("deal", "--players", 2).out
    run = dnup_ai("show", "-", stdin=position)
    assert run.code == 0
    assert "18 legal moves:" in run.out


def test_show_draws_every_card_with_both_ends(dnup_ai):
    run = dnup_ai("show", VIEW)
    assert run.out == (Path(__file__).parent / "golden" / "show_view.txt").read_text(encoding="utf-8")
    assert max(map(len, run.out.splitlines()[:-1])) <= 80


def test_show_says_that_standard_is_a_reconstruction(dnup_ai):
    assert "reconstruction" in dnup_ai("show", VIEW).out
    position = dnup_ai("deal", "--deck", "pairs-36").out.strip()
    assert "reconstruction" not in dnup_ai("show", position).out


def test_show_cannot_list_the_moves_of_another_seat(dnup_ai):
    run = dnup_ai("show", VIEW.replace("turn=1", "turn=0"))
    assert run.code == 0
    assert "its legal moves cannot be known from the view of seat 1" in run.out


def test_show_of_a_round_that_is_over(dnup_ai):
    cards = {"2/3", "1/4", "1/5"}
    gone = [f"{low}/{high}" for low, high in load_deck("standard").cards_at(2) if f"{low}/{high}" not in cards]
    run = dnup_ai("show", END.replace("GONE", ",".join(gone)))
    assert "the round is over; tokens that it gave: 1, 0" in run.out


def test_perft_counts_and_divides(dnup_ai):
    position = str(load_deck("standard").rules(5).deal(Rng(0)))
    assert dnup_ai("perft", position, "--depth", 3).out == "778\n"
    lines = dnup_ai("perft", position, "--depth", 3, "--divide").out.splitlines()
    assert lines[-1] == "778"
    assert len(lines) == 11
    assert sum(int(line.split(" ")[1]) for line in lines[:-1]) == 778


def test_version():
    run = subprocess.run(
        [Path(sys.executable).with_name("dnup-ai"), "--version"], capture_output=True, text=True, check=True
    )
    name, number = run.stdout.split()
    assert name == "dnup-ai"
    assert number.count(".") == 2


def test_a_reader_that_leaves_is_no_error():
    script = Path(sys.executable).with_name("dnup-ai")
    position = str(load_deck("standard").rules(5).deal(Rng(0)))
    run = subprocess.run(
        f"'{script}' perft '{position}' --depth 4 --divide | head -n 1", shell=True, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert run.stdout == "flip 792\n" or run.stdout.startswith("flip ")
    assert run.stderr == ""


def test_ctrl_c_ends_a_long_perft():
    """Counting does not come back to Python, so the signal itself must end the process."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from dnup_ai.cli import main; main()"
    )
    process = subprocess.Popen([sys.executable, "-c", code, "perft", START, "--depth", "50"], stderr=subprocess.PIPE)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in err


@pytest.mark.parametrize("words", [["deal"], ["bots"], ["decks"], ["show", START], ["decks", "template"]])
def test_output_that_cannot_be_written_is_one_line(words):
    script = Path(sys.executable).with_name("dnup-ai")
    with open("/dev/full", "w") as full:
        run = subprocess.run([script, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "error: cannot write the output: No space left on device\n")


def test_a_terminal_without_unicode_is_no_error():
    script = Path(sys.executable).with_name("dnup-ai")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = ["tournament", "run", "random", "--deals", "3", "-j", "1", "--quiet", "--store", ":memory:"]
    run = subprocess.run([script, *words], capture_output=True, text=True, env=environment, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "tokens/round" in run.stdout


def test_standard_input_that_is_closed_or_no_text_is_one_line():
    script = Path(sys.executable).with_name("dnup-ai")
    for command, problem in (
        (f"'{script}' show - <&-", "error: standard input: "),
        (f"printf '\\377' | PYTHONIOENCODING=utf-8:strict '{script}' show -", "error: standard input: "),
        (f"'{script}' show - < /dev/null", "error: dnup, column 1: "),
    ):
        run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert run.returncode == 1
        assert run.stderr.startswith(problem)
        assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["deal", "--players", 6], "expected 2 to 5, got 6"),
        (["deal", "--players", 4, "--deck", "pairs-45"], "it works with 3 or 5 players"),
        (["deal", "--deck", "nonesuch"], "expected one of those that ship (standard, pairs-36, pairs-45)"),
        (["deal", "--deck", "nowhere/my.toml"], "nowhere/my.toml"),
        (["deal", "--seed", -1], "seed: expected 0 to 4294967295, got -1"),
        (["deal", "--deal", -1], "deal: expected 0 to 4294967295, got -1"),
        (["deal", "--view", 3], "view: expected seat 0..2, got 3"),
        (["show", "dnup:3"], "turn"),
        (["show", ""], "column 1"),
        (["show", VIEW.replace("2/8", "2/9")], "2/9"),
        (["show", VIEW, "--rule", "out_sets=ajar"], "expected 'open' or 'frozen', got 'ajar'"),
        (["perft", VIEW, "--depth", 2], "determinise it first"),
        (["perft", "x", "--depth", 2], "column 1"),
        (["perft", START, "--depth", -1], "depth: expected 0 to 100, got -1"),
        (["perft", START, "--depth", 101], "depth: expected 0 to 100, got 101"),
        (["perft", START, "--depth", 10**20], "depth: expected 0 to 100, got 100000000000000000000"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (["replay", os.devnull], "/dev/null: no records in it"),
        (["replay", "r.jsonl", "--game", 0], "--game: expected the game of the records in r.jsonl, as dnup or"),
    ],
)
def test_bad_input_is_one_line_and_a_bad_exit(dnup_ai, args, message):
    run = dnup_ai(*args)
    assert run.code == 1
    assert run.out == ""
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert message in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("words", [["deal"], ["suggest"], ["tournament", "run"], ["tournament", "sprt"]])
def test_help_does_not_say_that_every_game_is_for_2_to_5(dnup_ai, words):
    shown = re.sub(r"[\s│]+", " ", dnup_ai(*words, "--help").out)
    assert "as many as game and deck allow (dnup: 2 to 5)" in shown
    assert dnup_ai("deal", "--game", "3up3down", "--players", 6).code == 0
