"""`dnup-ai bench`, called as a user calls it: its shape, never its figures."""

import json


def test_the_table_fits_into_80_columns(dnup_ai):
    run = dnup_ai("bench", "--repeats", 1)
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert max(map(len, lines)) <= 80
    for what in ("copy, ns", "apply + undo, ns", "random rounds/s", "greedy rounds/s"):
        assert sum(what in line for line in lines) == 1
    assert "load" in run.out


def test_figures_as_json(dnup_ai):
    run = dnup_ai("bench", "--repeats", 2, "--players", "2,3", "--json")
    found = json.loads(run.out)
    assert (run.code, found["repeats"]) == (0, 2)
    assert {measure["players"] for measure in found["measures"]} == {2, 3}
    assert all(measure["best"] > 0 for measure in found["measures"])
    assert set(found["machine"]) >= {"processor", "cores", "load_1min", "python"}


def test_the_numbers_of_players_are_those_of_the_deck(dnup_ai):
    run = dnup_ai("bench", "--deck", "pairs-36", "--repeats", 1, "--json")
    assert [*dict.fromkeys(measure["players"] for measure in json.loads(run.out)["measures"])] == [2, 3, 4]


def test_what_cannot_be_timed_is_one_line(dnup_ai):
    for words, problem in (
        (["--players", "2,x"], "--players: expected numbers with commas"),
        (["--players", "6"], "players: expected 2 to 5, got 6"),
        (["--deck", "pairs-45", "--players", "4"], "deck pairs-45 at 4 players"),
    ):
        run = dnup_ai("bench", *words)
        assert (run.code, run.out) == (1, "")
        assert problem in run.err
        assert run.err.count("\n") == 1
