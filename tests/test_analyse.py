"""`analyse`: blunders are marked, best moves never; what it says repeats, and is the same from either kind of file."""

import json
import re
from pathlib import Path

import pytest

from cython_core.rng import Rng
from dnup_ai.analyse import Decision, Judge, analyse_round, drift95, mean_and_half, summarise
from dnup_ai.errors import ConfigError
from dnup_ai.games import game_named
from dnup_ai.search import Budget, Engine, SearchParams
from playing import dnup_ai as run_dnup_ai
from solving import move_values
from test_search_solved import ENDINGS, all_public, whole

DNUP = game_named("dnup")
QUICK = Judge(Budget(iterations=2000), 3)


@pytest.mark.parametrize("text", ENDINGS)
def test_in_solved_endings_blunders_are_marked_and_best_moves_are_not(text):
    """Cards open, two seats for one prize: some moves win, the others lose all of it."""
    state = whole(text)
    view = all_public(state)
    prize = 1.0
    values = {str(move): value for move, value in move_values(state).items()}
    best = {move for move, value in values.items() if value == max(values.values())}
    judge = Judge(Budget(iterations=20_000), 3)
    for number, move in enumerate(values):
        decision = judge.decision(view, move, 1, Rng(number), DNUP)
        assert decision.choices == len(values)
        if move in best:
            assert not decision.marked, decision
        else:
            assert decision.marked, decision
            assert decision.better in best
            assert 0.3 * prize < decision.loss <= prize
            assert decision.interval[0] <= decision.loss <= decision.interval[1]


def a_round(seed=1, players=3, odd="random"):
    rules = DNUP.rules(DNUP.load_deck("standard"), players, {})
    start = rules.deal(Rng(seed))
    state, rng, entries = start.copy(), Rng(seed, 1), []
    while not state.is_over:
        moves = state.legal_moves()
        move = rng.choice(moves) if state.turn == 0 and odd == "random" else state.greedy_move(rng)
        entries.append(str(move))
        state.apply(move)
    return start, entries


def test_a_round_is_judged_from_what_the_movers_knew():
    start, entries = a_round()
    before = start.to_bytes()
    decisions = analyse_round(start, entries, QUICK, seed=3)
    assert start.to_bytes() == before
    assert [decision.number for decision in decisions] == list(range(1, len(entries) + 1))
    assert [decision.move for decision in decisions] == entries
    state = start.copy()
    for decision in decisions:
        assert decision.position == str(state.observe(decision.seat))
        assert decision.seat == state.turn
        assert decision.better is None or decision.better in {str(move) for move in state.legal_moves()}
        if decision.better is None:
            assert (decision.loss, decision.marked) == (0.0, False)
        assert decision.marked == (decision.interval[0] > 0)
        assert decision.loss == pytest.approx(decision.better_value - decision.value)
        state.apply(DNUP.parse_move(state.rules, decision.move))


def test_who_plays_at_random_loses_most():
    rounds = [analyse_round(*a_round(seed), QUICK, seed=seed) for seed in range(3)]
    accounts = {account.player: account for account in summarise(rounds, lambda index, seat: f"seat {seat}")}
    assert set(accounts) == {"seat 0", "seat 1", "seat 2"}
    assert all(account.rounds == 3 for account in accounts.values())
    assert accounts["seat 0"].marked > max(accounts["seat 1"].marked, accounts["seat 2"].marked)
    assert accounts["seat 0"].lost > 2 * max(accounts["seat 1"].lost, accounts["seat 2"].lost)


def test_a_seed_repeats_and_a_choice_of_seats_changes_nothing():
    start, entries = a_round()
    whole_round = analyse_round(start, entries, QUICK, seed=5)
    assert analyse_round(start, entries, QUICK, seed=5) == whole_round
    only = analyse_round(start, entries, QUICK, seed=5, seats={1})
    assert only == tuple(decision for decision in whole_round if decision.seat == 1)


def test_a_threshold_leaves_small_losses_unmarked():
    start, entries = a_round()
    some = analyse_round(start, entries, QUICK, seed=5)
    least = max(decision.loss for decision in some if decision.marked)
    fewer = analyse_round(start, entries, Judge(QUICK.budget, QUICK.searches, threshold=least), seed=5)
    assert [decision.number for decision in fewer if decision.marked] == [
        decision.number for decision in some if decision.marked and decision.loss >= least
    ]


@pytest.mark.parametrize("name", ["dnup-pile", "3up3down"])
def test_other_games_are_analysed_with_their_chance(name):
    """Reshuffles and draws happen as the record says; the views are those of the true round."""
    game = game_named(name)
    options = {"reshuffle": "always", "max_turns": 40} if name == "dnup-pile" else {}
    rules = game.rules(game.load_deck("standard"), 2, options)
    start = rules.deal(Rng(2))
    state, rng, moves = start.copy(), Rng(2, 1), []
    while not state.is_over and len(moves) < 40:
        moves.append(state.greedy_move(rng))
        state.apply(moves[-1])
    entries = game.record_moves(start, moves)
    judged = analyse_round(start, entries, Judge(Budget(iterations=60), 2))
    assert len(judged) == len(moves)
    assert [decision.move for decision in judged] == list(map(str, moves))


def test_a_search_of_one_move_gives_it_all_iterations():
    start, _ = a_round()
    view = start.observe(start.turn)
    for move in view.legal_moves()[:4]:
        found = Engine(SearchParams()).search(view, Budget(iterations=300), Rng(1), only=move)
        assert found.best == move
        assert {str(stats.move): stats.visits for stats in found.moves if stats.visits} == {str(move): 300}
        assert found.line[0] == move


def test_accounts_sum_losses_and_their_uncertainty():
    def made(seat, loss, half, choices=3):
        return Decision(1, seat, "", "a", choices, "b", 0.0, loss, loss, (loss - half, loss + half), loss > half)

    (one,) = summarise([[made(0, 0.5, 0.1), made(0, -0.2, 0.3), made(0, 0.0, 0.0, 1)]], lambda index, seat: "x")
    assert (one.rounds, one.moves, one.marked, one.lost) == (1, 2, 1, pytest.approx(0.3))
    assert one.interval == (pytest.approx(0.3 - 0.1**0.5), pytest.approx(0.3 + 0.1**0.5))
    rounds = [[made(0, loss, 0.1), made(1, 2 * loss, 0.1)] for loss in (0.1, 0.3, 0.2)]
    (both,) = summarise(rounds, lambda index, seat: "x")
    assert both.rounds == 6
    first, second = summarise(rounds, lambda index, seat: f"seat {seat}")
    assert (first.lost, second.lost) == (pytest.approx(0.2), pytest.approx(0.4))
    assert first.interval == (pytest.approx(0.2 - 4.3027 * 0.1 / 3**0.5, abs=1e-4), pytest.approx(0.4484, abs=1e-4))


def test_intervals_narrow_with_the_searches_and_with_how_clear_it_is():
    assert mean_and_half([1.0, 3.0]) == (2.0, pytest.approx(12.7062, abs=1e-4))
    assert drift95(0.5, 2000) == pytest.approx(0.11)
    assert drift95(0.5, 64_000) == pytest.approx(0.055)
    assert [drift95(value, 2000) for value in (0.0, 1.0)] == pytest.approx([0.0219, 0.0219], abs=1e-4)


def test_what_cannot_be_judged():
    start, entries = a_round()
    with pytest.raises(ConfigError, match="searches: expected 2 to 1000, got 1"):
        Judge(searches=1)
    with pytest.raises(ConfigError, match="threshold: expected points, 0 or more, got -1"):
        Judge(threshold=-1)
    with pytest.raises(ConfigError, match="seed: expected 0 to"):
        analyse_round(start, entries, QUICK, seed=-1)


# --- the command


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same rounds as the file of a tournament and as records."""
    folder = tmp_path_factory.mktemp("files")
    store, records = folder / "games.sqlite", folder / "rounds.jsonl"
    words = ["tournament", "run", "greedy", "random", "--players", 2, "--deals", 2, "--seed", 1, "--quiet"]
    assert run_dnup_ai(*words, "--store", store).returncode == 0
    assert run_dnup_ai("tournament", "export", store, "--output", records).returncode == 0
    return store, records


FAST = ["--iterations", 300, "--searches", 2]


def test_both_kinds_of_file_say_the_same(files, dnup_ai):
    found = [json.loads(dnup_ai("analyse", path, *FAST, "--json").out) for path in files]
    for data in found:
        assert set(data) == {
            "schema", "file", "utility", "iterations", "seconds_a_search", "searches", "threshold", "seed", "rounds",
            "seats", "players",
        }  # fmt: skip
        assert (data["schema"], data["iterations"], data["searches"], data["seed"]) == (1, 300, 2, 0)
        assert {account["player"] for account in data["players"]} == {"greedy", "random"}
        decision = data["rounds"][0]["decisions"][0]
        assert set(decision) == set(Decision.__dataclass_fields__)
    store, records = found
    assert len(store["rounds"]) == len(records["rounds"]) == 4
    for one, other in zip(store["rounds"], records["rounds"], strict=True):
        assert one["decisions"] == other["decisions"]
        assert one["players"] == other["players"]
    assert store["seats"] == records["seats"]
    lost = {account["player"]: account["lost"] for account in store["players"]}
    assert lost["random"] > lost["greedy"]


def test_what_it_prints(files, dnup_ai):
    run = dnup_ai("analyse", files[1], *FAST, "--round", 2, "--seat", 0)
    assert run.code == 0
    lines = run.out.splitlines()
    assert lines[0].startswith("line 2: ")
    assert lines[0].endswith(" moves with a choice")
    assert "seat 1" not in run.out
    assert "tokens lost a round" in run.out
    assert all(len(line) <= 80 for line in lines)
    assert dnup_ai("analyse", files[1], *FAST, "--round", 2, "--seat", 0).out == run.out
    assert "chance to win the match lost a round" in " ".join(
        dnup_ai("analyse", files[0], *FAST, "--round", "0.0", "--utility", "match").out.split()
    )
    assert "100ms a move" in dnup_ai("analyse", files[1], "--searches", 2, "--round", 1, "--time", "100ms").out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--round", "x"], "--round: expected a number, or GAME.ROUND of a match, got 'x'"),
        (["--round", "99"], "no round 99 in it"),
        (["--round", "1.1"], "--round: GAME.ROUND is for the file of a tournament"),
        (["--seat", 2], "--seat: expected 0 to 1, got 2"),
        (["--searches", 1], "searches: expected 2 to 1000, got 1"),
        (["--threshold", -0.5], "threshold: expected points, 0 or more, got -0.5"),
        (["--utility", "money"], "--utility: expected tokens or match, got 'money'"),
        (["--seed", -1], "--seed: expected 0 to 4294967295, got -1"),
        (["--time", "0"], "--time: expected a time above 0, as 500ms, 2s or 1m, got '0'"),
        (["--game", "chess"], "unknown game 'chess'"),
    ],
)
def test_options_that_cannot_be(files, dnup_ai, options, why):
    run = dnup_ai("analyse", files[1], *options)
    assert run.code == 1
    assert run.err.startswith("error: ")
    assert why in run.err


def test_files_that_cannot_be(tmp_path, dnup_ai):
    path = tmp_path / "rounds.jsonl"
    assert "cannot be read: No such file" in dnup_ai("analyse", path).err
    path.write_text("")
    assert dnup_ai("analyse", path).err == f"error: {path}: no records in it\n"
    path.write_text("nonsense\n")
    assert f"{path}, line 1: not JSON" in dnup_ai("analyse", path).err


def test_the_python_of_the_page_runs():
    page = (Path(__file__).parent.parent / "docs" / "assist.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found: dict = {}
    exec(source, found)
    assert [decision.move for decision in found["decisions"]] == ["play:2/3,2/8", "take@2"]
