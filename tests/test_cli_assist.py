"""`dnup-ai assist` as its user meets it: at a terminal, killed and gone on with, and what it says to nonsense."""

import json
import random
import re
import signal
from pathlib import Path

import pytest

from cython_core.rng import Rng
from dnup_ai.assist import SessionFile
from tables import short, table
from terminals import Terminal

VIEW = (
    "dnup:3 view=1 turn=1 hands=8x;2/8,3/4,4/8+;1~5,6/4+,5x table=-;-;7/3,7/6 gone=1/4,2/6,3/5,5/7 out=- tokens=0,2,1"
)
HAND = "2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2"  # seat 0 of the deal of 3 players with seed 1; seat 2 begins


def events_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()[1:]]


def script(game, players, seat, seed):
    """What a person types in a whole round, line by line, each with the prompt that then follows; the end state."""
    at = table(game, "standard", players, {}, seat, seed)
    typed = []
    answers = at.answers()
    order = ("piles", "hand", "begins") if game == "dnup-pile" else ("hand", "begins")
    typed += [answers[name] for name in order if name in answers]
    rng = Rng(seed, 1)
    while not at.state.is_over:
        line, shown = at.happen(at.state.greedy_move(rng, 0.1))
        typed += [line, shown] if shown else [line]
    return at, typed


@pytest.mark.parametrize(
    ("game", "players", "seat"), [("dnup", 3, 1), ("dnup", 2, 0), ("dnup-pile", 2, 0), ("3up3down", 2, 1)]
)
def test_a_whole_round_at_a_terminal(tmp_path, game, players, seat):
    at, typed = script(game, players, seat, seed=3)
    path = tmp_path / "game.jsonl"
    options = ["--players", players, "--me", seat, "--game", game, "--no-suggest"]
    terminal = Terminal("assist", path, *options, cwd=tmp_path)
    terminal.wait_for(r": ?$")
    for line in typed[:-1]:
        terminal.enter(line, r"(>|:) ?$")
    terminal.enter(typed[-1], r"the round is over; .* now: ")
    assert "refused" not in terminal.text
    assert "not understood" not in terminal.text
    terminal.wait_for("> ?$")
    terminal.type("quit\r")
    assert terminal.end() == 0
    assert len(events_of(path)) == len(typed)
    with SessionFile.open(path) as file:
        assert file.session.view.to_bytes() == at.state.observe(seat).to_bytes()
        assert file.session.tokens == at.state.result()


def test_words_are_completed_at_a_terminal(tmp_path):
    options = ["--players", 3, "--me", 0, "--hand", HAND, "--begins", 2, "--no-suggest"]
    terminal = Terminal("assist", "game.jsonl", *options, cwd=tmp_path)
    terminal.wait_for("seat 2> ?$")
    terminal.type("p 2/3 2/8\t")  # whole already
    terminal.enter("", r"seat 0 \(you\)> ?$")
    since = len(terminal.text)
    terminal.type("a 2/4 \t")  # only one zone
    terminal.wait_for("a 2/4 2", since)
    terminal.type("\r")
    terminal.wait_for("seat 1> ?$", since)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert events_of(tmp_path / "game.jsonl")[-1] == {"move": "add:2/4@2", "seat": 0}


def test_ctrl_c_ends_a_line_and_a_suggestion_but_no_session(tmp_path):
    options = ["--players", 3, "--me", 2, "--hand", "2/3 2/8 5/1 5/4 6/3 6/4 7/8 8/6", "--time", "600s"]
    terminal = Terminal("assist", "game.jsonl", *options, cwd=tmp_path)
    terminal.wait_for("Ctrl-C: answer now")
    terminal.process.send_signal(signal.SIGINT)
    terminal.wait_for("ended early")
    terminal.wait_for(r"seat 2 \(you\)> ?$")
    since = len(terminal.text)
    terminal.type("p 2/3\x03")
    terminal.wait_for("Ctrl-D or quit ends", since)
    terminal.wait_for(r"seat 2 \(you\)> ?$", since + 1)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert len(events_of(tmp_path / "game.jsonl")) == 1


def test_killed_at_random_moments_nothing_is_lost(tmp_path):
    """After each kill the file has what was entered, but at most for the line that was being typed."""
    at, typed = script("dnup-pile", 2, 0, seed=5)
    path = tmp_path / "game.jsonl"
    chance = random.Random(11)
    options = ["--players", 2, "--me", 0, "--game", "dnup-pile"]
    expected = None
    kills = 0
    while True:
        done = len(events_of(path)) if path.exists() and path.read_bytes().count(b"\n") else 0
        if expected is not None:
            assert done in expected, (done, expected)
            if done == len(typed):
                break
        terminal = Terminal("assist", path, "--no-suggest", *([] if done else options), cwd=tmp_path)
        if chance.random() < 0.2:
            terminal.read(chance.random() * 0.6)  # as it starts
            terminal.kill()
            kills += 1
            expected = {done}
            continue
        terminal.wait_for(r"(:|>) ?$")
        for line in typed[done : done + chance.randrange(4)]:
            terminal.enter(line, r"(:|>) ?$")
            done += 1
        expected = {done}
        if done < len(typed):
            way = chance.random()
            cut = len(typed[done]) if way < 0.7 else chance.randrange(len(typed[done]))
            terminal.type(typed[done][:cut] + ("\r" if way < 0.7 else ""))
            if way < 0.7:
                expected.add(done + 1)
            terminal.read(chance.random() * 0.03)
        terminal.kill()
        kills += 1
    assert kills > 5
    with SessionFile.open(path) as file:
        assert file.session.view.to_bytes() == at.state.observe(0).to_bytes()


def test_a_torn_line_is_dropped_with_a_message(tmp_path, dnup_ai):
    path = tmp_path / "game.jsonl"
    dnup_ai("assist", path, "--players", 3, "--me", 0, "--no-suggest", stdin=f"{HAND}\n2\np 2/3 2/8\n")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"move": "take@')
    run = dnup_ai("assist", path, "--no-suggest")
    assert run.code == 0
    assert f'the last line of {path} was cut off and is dropped: \'{{"move": "take@\'' in run.out
    assert "3 events so far, the last: seat 2: play:2/3,2/8" in run.out
    assert "> seat 0: 0 tokens, 8 cards, to move" in run.out
    assert path.read_bytes() == whole


def test_what_is_typed_and_said(tmp_path, dnup_ai):
    """The whole dialogue of a few turns, word by word."""
    typed = [
        HAND,
        "2",
        "p 2/4",
        "p 2/3 2/8",
        "2: f",
        "t2",
        "undo",
        "t 2",
        "note they look worried",
        "events",
        "f",
        "quit",
    ]
    path = tmp_path / "game.jsonl"
    run = dnup_ai("assist", path, "--players", 3, "--me", 0, "--no-suggest", stdin="\n".join(typed) + "\n")
    assert run.code == 0
    assert run.out.splitlines()[3:] == [
        f"your 8 cards, active value first: {HAND}",
        "seat that shows the star 1/5 and begins: 2",
        "seat 2> p 2/4",
        "refused: 2/4 cannot be played by seat 2: you hold it",
        "seat 2> p 2/3 2/8",
        "seat 0 (you)> 2: f",
        "refused: it is the turn of seat 0, not of seat 2",
        "seat 0 (you)> t2",
        "seat 1> undo",
        "taken back: seat 0: take@2",
        "seat 0 (you)> t 2",
        "seat 1> note they look worried",
        "seat 1> events",
        "   1. hand: 2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2",
        "   2. the deal",
        "   3. seat 2: play:2/3,2/8",
        "   4. seat 0: take@2",
        "seat 1> f",
        "seat 2> quit",
        f"go on with: dnup-ai assist {path}",
    ]
    assert events_of(path) == [
        {"deal": {"hand": HAND}},
        {"deal": {"begins": "2"}},
        {"move": "play:2/3,2/8", "seat": 2},
        {"move": "take@2", "seat": 0},
        {"undo": 1},
        {"move": "take@2", "seat": 0},
        {"note": "they look worried"},
        {"move": "flip", "seat": 1},
    ]


def test_it_suggests_when_it_is_your_turn(tmp_path, dnup_ai):
    """Unasked, unless told not to; on request with a time of its own."""
    start = ["--players", 3, "--me", 0, "--hand", HAND, "--begins", 2, "--bot", "ismcts:iterations=50", "--seed", 1]
    run = dnup_ai("assist", tmp_path / "a", *start, "--time", "50ms", stdin="p 2/3 2/8\n")
    assert run.out.count("95%") == 1
    assert "seed 1" in run.out
    run = dnup_ai("assist", tmp_path / "b", *start, "--no-suggest", stdin="suggest\np 2/3 2/8\nsuggest 10ms\nbeliefs\n")
    assert run.out.count("95%") == 1
    assert re.search(r"\d+ more of \d+ legal moves are not shown\n", run.out)
    assert "refused: it is not your turn, so there is nothing to suggest" in run.out
    assert "seat 1 may hold, in %:" in run.out


@pytest.mark.parametrize("game", ["dnup-pile", "3up3down"])
def test_other_games_are_suggested_for_too(tmp_path, dnup_ai, game):
    at = table(game, "standard", 2, {}, 0, 1)
    answers = at.answers()
    order = ("piles", "hand", "begins") if game == "dnup-pile" else ("hand", "begins")
    lines = [answers[name] for name in order]
    options = ["--players", 2, "--me", 0, "--game", game, "--time", "50ms"]
    run = dnup_ai("assist", tmp_path / "a", *options, stdin="\n".join(lines) + "\nbeliefs\nhelp\nshow\n")
    assert run.code == 0
    assert run.out.count("95%") == 1
    assert "seat 1 may hold, in %:" in run.out


def test_a_match_goes_on_with_the_next_round(tmp_path, dnup_ai):
    """Over two rounds; the second one is broken off, after it was asked whether."""
    at, typed = script("dnup", 3, 0, seed=2)
    result = at.state.result()
    other = table("dnup", "standard", 3, {}, 0, 1)
    move = other.state.legal_moves()[1]
    lines = [*typed, "f", "round", HAND, "2", short(move), "round", "no", "round", "yes", "undo 2", "quit"]
    run = dnup_ai("assist", tmp_path / "game", "--players", 3, "--me", 0, "--no-suggest", stdin="\n".join(lines) + "\n")
    now = ", ".join(f"seat {seat} {n}" for seat, n in enumerate(result))
    assert f"the round is over; tokens now: {now}" in run.out
    assert "refused: the round is over" in run.out
    assert "the round goes on" in run.out
    assert "taken back: the end of the round" in run.out
    with SessionFile.open(tmp_path / "game") as file:
        assert file.session.now.tokens == result
        assert file.session.view.turn == 2


@pytest.mark.parametrize("options", [[], ["--players", 3, "--me", 1, "--tokens", "0,2,1"]])
def test_a_round_can_be_joined_by_its_position(tmp_path, dnup_ai, options):
    """The position says all that there is to ask; the same may stand beside it."""
    run = dnup_ai("assist", tmp_path / "game", "--position", VIEW, *options, "--no-suggest", stdin="p 4/8\n")
    assert run.code == 0
    assert "dnup, 3 players, you are seat 1" in run.out
    assert "seat 2> " in run.out
    with SessionFile.open(tmp_path / "game") as file:
        assert file.session.settings.tokens == file.session.tokens == (0, 2, 1)


@pytest.mark.parametrize(
    ("game", "deck", "players"), [("dnup", "pairs-36", 2), ("dnup-pile", "pairs-45", 4), ("3up3down", "box-84", 6)]
)
def test_a_position_names_its_deck(tmp_path, dnup_ai, game, deck, players):
    view = dnup_ai("deal", "--game", game, "--deck", deck, "--players", players, "--view", 1).out.strip()
    run = dnup_ai("assist", tmp_path / "game", "--game", game, "--position", view, "--no-suggest")
    assert run.code == 0
    with SessionFile.open(tmp_path / "game") as file:
        assert str(file.session.view) == view
        assert file.session.settings.deck.name == deck


def test_a_game_of_ones_own_is_joined_by_its_position(tmp_path, dnup_ai):
    game = f"{Path(__file__).parent / 'toy_game.py'}:TrickGame"
    view = dnup_ai("deal", "--game", game, "--players", 2, "--view", 1).out.strip()
    run = dnup_ai("assist", tmp_path / "game", "--game", game, "--position", view, "--no-suggest")
    assert (run.code, run.err) == (0, "")
    assert "you are seat 1" in run.out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--players", 7], "--players: expected 2, 3, 4, 5 with deck standard, got 7"),
        (["--players", 3, "--me", 3], "--me: expected 0 to 2, got 3"),
        (["--players", 3, "--me", 0, "--tokens", "1,2"], "tokens: expected 3 numbers, one per seat, got 1,2"),
        (["--players", 3, "--me", 0, "--tokens", "a,b,c"], "--tokens: expected numbers with commas"),
        (["--players", 3, "--me", 0, "--tokens", "4,0,0"], "tokens: with 4,0,0 the match is over"),
        (["--deck", "gold"], "deck 'gold': expected one of those that ship"),
        (["--rule", "out_sets"], "--rule: expected NAME=VALUE with an option of dnup"),
        (["--game", "chess"], "unknown game 'chess'"),
        (["--time", "soon"], "--time: expected a time above 0, as 500ms, 2s or 1m, got 'soon'"),
        (["--bot", "nobody"], "unknown bot 'nobody'"),
        (["--bot", "cheat"], "--bot cheat: it looks at hidden cards"),
        (["--threads", 0], "--threads: expected 1 to 64, got 0"),
        (["--seed", -1], "--seed: expected 0 to 4294967295, got -1"),
        (["--position", "x", "--hand", "y"], "--position says all of a deal"),
        (["--position", "dnup:3 foo"], "position, column 8: expected one of deck, view, turn"),
        (["--position", VIEW, "--players", 4], "--players: expected 3, as the position says, got 4"),
        (["--position", VIEW, "--me", 0], "--me: expected 1, as the position says, got 0"),
        (["--position", VIEW, "--tokens", "1,1,1"], "--tokens: expected 0,2,1, as the position says, got 1,1,1"),
        (["--position", VIEW, "--game", "dnup-pile"], "--position: expected one of dnup-pile, got one of dnup"),
        (["--position", VIEW.replace("view=1 ", "view=- ")], "hands, column"),
        (["--players", 3, "--me", 0, "--hand", "2/4 4/3"], "hand: expected 8 cards, got 2"),
        (["--players", 3, "--me", 0, "--hand", HAND, "--begins", 0], "the starred card 1/5 is not in your hand"),
        (["--players", 3, "--me", 0, "--begins", 9], "begins, column 1: expected a seat from 0 to 2, got '9'"),
        (["--players", 3, "--me", 0, "--game", "dnup-pile", "--hand", "2/4"], "hand: expected 6 cards, got 1"),
        (["--players", 3, "--me", 0, "--game", "dnup-pile", "--begins", 9], "begins, column 1: expected a seat"),
        (["--players", 3, "--me", 0, "--game", "3up3down", "--begins", 9], "begins, column 1: expected a seat"),
    ],
)
def test_options_that_cannot_be(tmp_path, dnup_ai, options, why):
    """They are refused at once, with nothing asked for and no file that would be in the way of the right ones."""
    run = dnup_ai("assist", tmp_path / "game", *options)
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith(f"error: {why}")
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("xyzzy", "not understood: event, column 1: expected p CARDS, a CARD ZONE, t ZONE or f, got 'xyzzy'"),
        ("p 2-3", "not understood: cards, column 3: expected a card like 3/7, got '2-3'"),
        ("p 9/10", "not understood: cards, column 3: expected a card in play in deck standard at 3 players"),
        ("p 2/3 3/1", "not understood: cards, column 7: expected a card with the active value 2 of its set"),
        ("t9", "not understood: zone, column 2: expected a seat from 0 to 2, got '9'"),
        ("p 5/7", "refused: 5/7 cannot be played by seat 2: you hold it"),
        ("t1", "refused: the set in front of seat 1 cannot be taken by seat 2: no set lies in front of seat 1"),
        ("1: f", "refused: it is the turn of seat 2, not of seat 1"),
        ("undo x", "refused: undo: expected how many events, got 'x'"),
        ("undo 99", "refused: undo: 99 cannot be taken back, there are only 2"),
        ("undo 0", "refused: undo: expected 1 or more events, got 0"),
        ("note", "refused: note: expected some words"),
        ("suggest never", "not understood: suggest: expected a time above 0, as 500ms, 2s or 1m, got 'never'"),
        ("suggest", "refused: it is not your turn, so there is nothing to suggest"),
    ],
)
def test_lines_that_cannot_be(tmp_path, dnup_ai, line, said):
    """Each is refused in one line, changes nothing, and is not in the file."""
    options = ["--players", 3, "--me", 0, "--hand", HAND, "--begins", 2, "--no-suggest"]
    run = dnup_ai("assist", tmp_path / "game", *options, stdin=f"{line}\n")
    assert run.code == 0
    assert any(text.startswith(said) for text in run.out.splitlines()), run.out
    assert len(events_of(tmp_path / "game")) == 2


def test_a_hand_that_cannot_be_is_asked_for_again(tmp_path, dnup_ai):
    lines = ["3/6", "2/4 4/3 5/2 5/7 5/8 6/7 7/1 4/2", HAND, "0", "2", "quit"]
    run = dnup_ai("assist", tmp_path / "game", stdin="\n".join(["9", "3", "0", *lines]) + "\n")
    assert "refused: expected one of 2, 3, 4, 5, got '9'" in run.out
    assert "refused: hand: expected 8 cards, got 1" in run.out
    assert "not understood: hand, column 29: expected each card once, got '4/2'" in run.out
    assert "refused: the starred card 1/5 is not in your hand, so another seat begins" in run.out
    assert "seat 2> quit" in run.out


def test_files_that_cannot_be(tmp_path, dnup_ai):
    path = tmp_path / "game"
    path.write_text("my shopping list\n")
    run = dnup_ai("assist", path)
    assert (run.code, run.err) == (1, f"error: {path}, line 1: expected a JSON object, got 'my shopping list'\n")
    path.write_text('{"game": "dnup"}\n')
    assert f"{path}, line 1: expected a session of format 1, got 'None'" in dnup_ai("assist", path).err
    missing = tmp_path / "no" / "game"
    run = dnup_ai("assist", missing, "--players", 3, "--me", 0)
    assert (run.code, run.out) == (1, "")
    assert run.err == f"error: {missing}: cannot be made: No such file or directory\n"
    path.unlink()
    dnup_ai("assist", path, "--players", 3, "--me", 0)
    run = dnup_ai("assist", path, "--players", 3, "--hand", HAND)
    assert (run.code, run.err) == (
        1,
        f"error: --players, --hand: {path} is a session already; these are for a new one\n",
    )
    with SessionFile.open(path):
        assert "another dnup-ai assist is using it" in dnup_ai("assist", path).err
    assert dnup_ai("assist", tmp_path).code == 1


def test_nothing_entered_makes_no_session(tmp_path, dnup_ai):
    run = dnup_ai("assist", tmp_path / "game", stdin="3")
    assert run.code == 1
    assert "nothing was entered, there is no session" in run.out
    assert not (tmp_path / "game").exists()


def test_the_true_state_is_no_position_of_a_session(tmp_path, dnup_ai):
    truth = dnup_ai("deal").out.strip()
    run = dnup_ai("assist", tmp_path / "game", "--position", truth)
    assert (run.code, run.err) == (1, "error: --position: expected the view of a seat, got the true state\n")
    assert not (tmp_path / "game").exists()
