"""The registry of games, and that a game of one's own needs nothing but its own file."""

import json
from pathlib import Path

import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.errors import ConfigError
from dnup_ai.games import game_named, game_names, game_of
from dnup_ai.search import ENGINE_DEFAULTS, Budget, SearchParams, params_for, search

TOY = f"{Path(__file__).parent / 'toy_game.py'}:TrickGame"


def test_games_are_found_by_name():
    for name in game_names():
        assert game_named(name).name == name
    assert game_of("dnup:3 turn=0").name == "dnup"
    assert game_of("whatever", "3up3down").name == "3up3down"
    with pytest.raises(ConfigError, match=r"unknown game 'dnup-pule' \(did you mean 'dnup-pile'\?\)"):
        game_of("dnup-pule:3 turn=0")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("dnap", r"unknown game 'dnap' \(did you mean 'dnup'\?\); there are dnup"),
        ("nowhere.py:Game", "no such file: nowhere.py"),
        (TOY.replace("TrickGame", "TrickGam"), r"did you mean 'TrickGame'\?"),
        (TOY.replace("TrickGame", "TrickRules"), "a game is a class that subclasses dnup_ai.games.Game"),
    ],
)
def test_what_is_no_game_says_what_there_is(name, problem):
    with pytest.raises(ConfigError, match=problem):
        game_named(name)


def test_the_toy_game_is_dealt_shown_and_counted(dnup_ai):
    position = dnup_ai("deal", "--game", TOY, "--players", 2, "--seed", 1).out
    assert position.startswith("trick:2 turn=0 data=Trick(")
    shown = dnup_ai("show", "--game", TOY, "-", stdin=position)
    assert (shown.code, shown.err) == (0, "")
    assert "3 legal moves:" in shown.out
    assert dnup_ai("perft", "--game", TOY, position.strip(), "--depth", 2).out == "9\n"


def test_every_bot_plays_the_toy_game_and_its_records_replay(dnup_ai, tmp_path):
    """Nothing that ships knows the game: all bots play it all the same."""
    specs = [
        f"{name}:iterations=30" if hasattr(bot.Params, "iterations") else name for name, bot in shipped_bots().items()
    ]
    records = tmp_path / "trick.jsonl"
    run = dnup_ai(
        "tournament", "run", *specs, "--game", TOY, "--players", 2, "--deals", 3, "--seed", 1, "--concurrency", 1,
        "--allow-cheating", "--store", records, "--quiet",
    )  # fmt: skip
    assert (run.code, run.err) == (0, "")
    assert "tricks/round" in run.out
    assert "rounds ended: out" in run.out
    replayed = dnup_ai("replay", records, "--game", TOY)
    assert (replayed.code, replayed.err) == (0, "")
    assert f"{45 * 2 * 3} rounds replayed" in replayed.out


def test_the_toy_game_is_played_by_several_processes(dnup_ai):
    """The workers find the game in its file by themselves."""
    words = ["tournament", "run", "ismcts:iterations=20", "random", "--game", TOY, "--players", 2, "--deals", 40]
    words += ["--seed", 1, "--json", "--quiet", "--store", ":memory:"]
    runs = [dnup_ai(*words, "--concurrency", workers) for workers in (1, 2)]
    assert [run.code for run in runs] == [0, 0]
    first, second = (json.loads(run.out) for run in runs)
    for found in (first, second):
        del found["seconds"]
        for standing in found["standings"]:
            del standing["ms_per_move"]
    assert first == second
    assert first["standings"][0]["bot"] == "ismcts:iterations=20"


def test_rules_are_given_as_name_and_value(dnup_ai):
    run = dnup_ai("deal", "--rule", "out_sets")
    assert run.code == 1
    assert "expected NAME=VALUE with an option of dnup (out_sets=open, repetition=3" in run.err
    assert dnup_ai("deal", "--rule", "out_sets=frozen", "--rule", "out_sets=open").code == 1
    assert dnup_ai("deal", "--rule", "out_sets=frozen", "--seed", 1).code == 0


def test_the_rules_are_printed_as_they_stand_in_the_docs(dnup_ai):
    page = (Path(__file__).parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
    assert dnup_ai("rules").out == page
    assert dnup_ai("rules", "dnup").out == page
    assert "as the commands see it" in dnup_ai("rules", TOY).out


@pytest.mark.parametrize("game", [name for name in game_names() if name != "trick"])
@pytest.mark.parametrize("unit", ["round", "match"])
def test_every_bot_plays_every_game_and_its_records_replay(dnup_ai, tmp_path, game, unit):
    records = tmp_path / "rounds.sqlite"
    bots = ["random", "greedy", "flat:iterations=10", "dmcts:iterations=10,worlds=3", "ismcts:iterations=10"]
    run = dnup_ai(
        "tournament", "run", *bots, "--game", game, "--players", 3, "--deals", 1, "--seed", 1, "--concurrency", 1,
        "--store", records, "--quiet", "--unit", unit,
    )  # fmt: skip
    assert (run.code, run.err) == (0, "")
    replayed = dnup_ai("replay", records)
    assert (replayed.code, replayed.err) == (0, "")
    assert replayed.out.endswith("all as recorded\n")
    assert dnup_ai("replay", records, "--show").code == 0


@pytest.mark.parametrize("game", [name for name in game_names() if name != "trick"])
def test_every_game_has_rules_decks_and_a_drawing(dnup_ai, game):
    assert len(dnup_ai("rules", game).out) > 1000
    assert "standard" in dnup_ai("decks", "--game", game).out
    position = dnup_ai("deal", "--game", game, "--players", 3, "--seed", 2, "--view", 0).out
    shown = dnup_ai("show", "-", stdin=position)
    assert (shown.code, shown.err) == (0, "")
    assert "seat 0" in shown.out
    assert max(map(len, shown.out.splitlines()[:-1])) <= 80


def test_a_game_has_search_defaults_of_its_own():
    """They stand for what was left out, and for nothing that was given; `defaults=engine` takes the engine's."""
    game = game_named("3up3down")
    rules = game.rules(game.load_deck("standard"), 3, {})
    assert params_for(rules, SearchParams()).selection == "puct"
    assert params_for(rules, SearchParams(selection="ucb1")).selection == "ucb1"
    assert parse_spec("ismcts:selection=ucb1") != parse_spec("ismcts")
    assert params_for(rules, SearchParams(defaults="engine")) == SearchParams(
        **{**ENGINE_DEFAULTS, "defaults": "engine"}
    )
    state = rules.deal(Rng(1))
    view = state.observe(0)
    found = [
        search(view, SearchParams(defaults=choice), Budget(iterations=200), rng=Rng(1)) for choice in ("game", "engine")
    ]
    assert found[0].rollout_turns < found[1].rollout_turns


def test_the_list_of_bots_names_a_games_own_defaults(dnup_ai):
    def defaults(*words):
        printed = " ".join(dnup_ai("bots", *words).out.split())
        return [part.partition(". ")[0] for part in printed.split("Defaults of ")[1:]]

    (three_up,) = defaults("--game", "3up3down")
    assert three_up.startswith("3up3down at 2, 3, 4, 5 and 6 players for bots that search: selection=puct, exploration")
    found = defaults()
    assert [text.partition(" players")[0] for text in found] == [f"dnup at {players}" for players in (2, 3, 4, 5)]
    assert ["enumerate=1024, belief_temperature=2.0" in text for text in found] == [True, True, True, False]
    assert not defaults("--game", "dnup-pile")
    unknown = dnup_ai("bots", "--game", "none")
    assert (unknown.code, unknown.out) == (1, "")


def test_a_reshuffle_is_recorded_and_replayed(dnup_ai, tmp_path):
    """Chance in the middle of a round: the record tells the new stock, since no move does."""
    store, records = tmp_path / "pile.sqlite", tmp_path / "pile.jsonl"
    words = ["--game", "dnup-pile", "--players", 3, "--deals", 1, "--seed", 1, "--concurrency", 1, "--quiet"]
    options = ["--rule", "reshuffle=always", "--max-turns", 200]
    assert dnup_ai("tournament", "run", "greedy", "random", *words, *options, "--store", store).code == 0
    assert dnup_ai("tournament", "export", store, "--output", records).code == 0
    assert '"stock:' in records.read_text()
    assert dnup_ai("replay", records).out.endswith("all as recorded\n")
    shuffled = records.read_text().replace('"stock:', '"stock:1/3,', 1)
    records.write_text(shuffled)
    assert dnup_ai("replay", records).code == 1


@pytest.mark.parametrize("game", ["dnup", "dnup-pile", "3up3down"])
def test_a_deck_file_of_every_game_is_made_and_checked(dnup_ai, tmp_path, game):
    """`--game` may stand before or behind `check` and `template`; the one behind counts."""
    path = tmp_path / "mine.toml"
    path.write_text(dnup_ai("decks", "template", "--game", game).out)
    assert path.read_text() == dnup_ai("decks", "--game", game, "template").out == game_named(game).deck_template()
    for words in (["check", path, "--game", game], ["--game", game, "check", path]):
        assert "is sound: " in dnup_ai("decks", *words).out
    assert dnup_ai("decks", "--game", "dnup", "check", path, "--game", game).code == 0
    assert "--game" in dnup_ai("decks", "check", "--help").out
