"""Files of weights, what they are refused for, and `dnup-ai fit-eval`."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.cli.fit_eval import FIRST_SEED
from dnup_ai.decks import load_deck
from dnup_ai.errors import ConfigError, DnupError
from dnup_ai.evaluation.fit import FITTING_SEEDS, Events, Fit, assess, calibrate, fit, sample_events
from dnup_ai.evaluation.weights import (
    WeightsError,
    evaluator_for,
    evaluator_from,
    fitted_evaluator,
    read_weights,
    weights_folder,
)
from dnup_ai.games import game_named
from dnup_ai.search import SearchParams, params_for
from lines import rules_of
from tournaments.provenance import GONE, bot_hash

THREE = weights_folder() / "dnup-3.json"


# --- files


def test_the_files_that_ship_say_how_they_were_made():
    names = sorted(file.name for file in weights_folder().iterdir() if file.name.endswith(".json"))
    assert {f"dnup-{players}.json" for players in (2, 3, 4, 5)} <= set(names)
    for name in names:
        content = json.loads((weights_folder() / name).read_text(encoding="utf-8"))
        about = content["fit"]
        assert set(about) == {"command", "bot", "rounds", "seed", "events", "held_out_log_loss", "date"}
        assert about["command"].startswith("dnup-ai fit-eval ")
        assert f"--bot={about['bot']} --seed={about['seed']}" in about["command"]
        assert about["seed"] >= FITTING_SEEDS
        for loss in about["held_out_log_loss"].values():
            assert loss["fitted"] < loss["uniform"]
            assert loss["simple"] is None or loss["fitted"] < loss["simple"]


def test_a_file_is_written_as_it_is_read(tmp_path):
    weights = read_weights(THREE)
    (tmp_path / "copy.json").write_text(str(weights), encoding="utf-8")
    assert read_weights(tmp_path / "copy.json") == weights
    assert str(weights) == THREE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "dnup-pile"}, "fitted for game dnup-pile, not for dnup;"),
        ({"players": 4}, "fitted for players 4, not for 3;"),
        ({"rules": {"version": 0, "out_sets": "open", "cards": 24}}, "fitted for rules {'version': 0,"),
        ({"rules": {"version": 1, "out_sets": "frozen", "cards": 24}}, "not for {'version': 1, 'out_sets': 'open'"),
        ({"rules": {"version": 1, "out_sets": "open", "cards": 36}}, "fit new ones: dnup-ai fit-eval"),
        ({"later": 11.0}, "later: expected 0 to 2"),
    ],
)
def test_weights_of_something_else_are_refused(change, message):
    weights = replace(read_weights(THREE), **change)
    with pytest.raises(WeightsError) as caught:
        evaluator_from(weights, rules_of("standard", 3), "mine.json")
    assert isinstance(caught.value, DnupError)
    assert str(caught.value).startswith("mine.json: ")
    assert message in str(caught.value)


def test_weights_of_other_features_are_refused_by_name():
    weights = read_weights(THREE)
    names = weights.features
    fewer = replace(weights, features=names[1:], weights=weights.weights[1:])
    with pytest.raises(WeightsError, match=r"fitted on other features \(different: plays\); fit new ones"):
        evaluator_from(fewer, rules_of("standard", 3))
    swapped = replace(weights, features=(names[1], names[0], *names[2:]))
    with pytest.raises(WeightsError, match=r"fitted on other features \(in another order"):
        evaluator_from(swapped, rules_of("standard", 3))


def test_how_rounds_are_cut_short_and_the_name_of_the_deck_do_not_count():
    for options in ({"repetition": 0}, {"max_turns": 50}, {"max_rounds": 3}):
        assert evaluator_from(read_weights(THREE), rules_of("standard", 3, **options))


def edited(text, **changes):
    return json.dumps({**json.loads(text), **changes})


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text[:-20], "not a file of weights"),
        (lambda text: "[]", "expected the keys version, game"),
        (lambda text: edited(text, note="x"), "expected the keys version, game"),
        (lambda text: edited(text, version=2), "expected version 1, got 2"),
        (lambda text: edited(text, hash="0" * 16), "is not that of its game, players, rules and features"),
        (lambda text: edited(text, players=4), "is not that of its game, players, rules and features"),
        (lambda text: edited(text, weights={"plays": 1.0}), "the names of the weights are not those of the features"),
        (lambda text: text.replace('"share": -', '"share": "x'), "not a file of weights"),
    ],
)
def test_files_that_are_none_name_the_fault(edit, message, tmp_path):
    file = tmp_path / "bad.json"
    file.write_text(edit(THREE.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(WeightsError, match=r"bad\.json: ") as caught:
        read_weights(file)
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(WeightsError, match="cannot read these weights: No such file"):
        read_weights(tmp_path / "none.json")


def test_files_are_found_by_the_rules_that_they_were_fitted_on(tmp_path):
    """By game and number of players first, then by what is in the file; one of changed features is an error."""
    weights = read_weights(THREE)
    assert fitted_evaluator(rules_of("standard", 3), tmp_path) is None
    other = replace(weights, rules={"version": 1, "out_sets": "frozen", "cards": 24})
    (tmp_path / "dnup-3-frozen.json").write_text(str(other), encoding="utf-8")
    assert fitted_evaluator(rules_of("standard", 3), tmp_path) is None
    assert fitted_evaluator(rules_of("standard", 3, out_sets="frozen"), tmp_path).weights == weights.weights
    (tmp_path / "dnup-3.json").write_text(str(weights), encoding="utf-8")
    assert fitted_evaluator(rules_of("standard", 3), tmp_path).later == weights.later
    assert fitted_evaluator(rules_of("standard", 4), tmp_path) is None
    old = replace(weights, rules={**weights.rules, "version": 0})
    (tmp_path / "dnup-3.json").write_text(str(old), encoding="utf-8")
    with pytest.raises(WeightsError, match=r"dnup-3\.json: fitted for rules .*'version': 0"):
        fitted_evaluator(rules_of("standard", 3), tmp_path)


@pytest.mark.parametrize("name", ["dnup-2-pairs-36.json", pytest.param("dnup-3.json", marks=pytest.mark.slow)])
def test_weights_that_ship_come_again_from_the_command_that_they_name(dnup_ai, tmp_path, name):
    """The same rounds, and weights as near as the solvers of two machines may be."""
    shipped = read_weights(weights_folder() / name)
    _, *words = shlex.split(shipped.fit["command"])
    run = dnup_ai(*words, "--output", tmp_path / "again.json", "--quiet")
    assert run.code == 0, run.err
    again = read_weights(tmp_path / "again.json")
    assert again.fit["events"] == shipped.fit["events"]
    assert again.weights == pytest.approx(shipped.weights, abs=1e-4)
    assert again.later == pytest.approx(shipped.later, abs=1e-4)


@pytest.fixture
def mine(tmp_path):
    """A file of weights for 3 players that are not those that ship."""
    weights = read_weights(THREE)
    file = tmp_path / "mine.json"
    file.write_text(str(replace(weights, weights=tuple(-weight for weight in weights.weights))), encoding="utf-8")
    return file


@pytest.mark.parametrize("bot", ["eval1", "ismcts:iterations=200"])
def test_a_bot_plays_by_a_file_of_weights(bot, mine):
    view = rules_of("standard", 3).deal(Rng(2))
    view = view.observe(view.turn)
    rules = view.rules
    joint = "," if ":" in bot else ":"
    spec = parse_spec(f"{bot}{joint}evaluation={mine}")
    spec.check(rules)
    assert evaluator_for(rules, str(mine)).weights == tuple(-weight for weight in read_weights(THREE).weights)
    by_mine, by_shipped = (parse_spec(text).make(Rng(1)).choose(view, ()) for text in (str(spec), bot))
    assert by_mine != by_shipped, "weights turned round play something else"


def test_rules_without_weights_that_ship_cut_rollouts_short_with_weights_of_ones_own(tmp_path):
    rules = rules_of("standard", 3, out_sets="frozen")
    file = tmp_path / "frozen.json"
    weights = replace(read_weights(THREE), rules=rules.evaluation_key())
    file.write_text(str(weights), encoding="utf-8")
    shipped = rules_of("standard", 3).search_defaults()["rollout_turns"]
    assert params_for(rules, SearchParams()).rollout_turns == 1000
    assert params_for(rules, SearchParams(evaluation=str(file))).rollout_turns == shipped


def test_a_tournament_refuses_weights_that_do_not_fit_before_it_plays(dnup_ai, mine, tmp_path):
    for players, file, message in ((4, mine, "fitted for players 3, not for 4"), (3, tmp_path / "no.json", "No such")):
        run = dnup_ai("tournament", "run", f"eval1:evaluation={file}", "greedy", "--players", players, "--deals", 2)
        assert run.code == 1
        assert run.err.startswith(f"error: {file}: ")
        assert message in run.err
        assert run.out == ""


def test_changed_weights_are_another_bot(mine):
    spec = parse_spec(f"eval1:evaluation={mine}")
    assert spec.files == (str(mine),)
    before = bot_hash(spec)
    mine.write_text(THREE.read_text(encoding="utf-8"), encoding="utf-8")
    assert bot_hash(spec) != before
    mine.unlink()
    assert bot_hash(spec) == GONE


def test_weights_are_not_lost_when_the_disk_is_full(dnup_ai, tmp_path):
    """What cannot be written is printed."""
    link = tmp_path / "full.json"
    link.symlink_to("/dev/full")
    run = dnup_ai("fit-eval", "--rounds", 20, "--quiet", "--force", "--output", link)
    assert run.code == 1
    assert "full.json: cannot write the weights: No space left on device; they are printed" in run.err
    assert set(json.loads(run.out)["weights"]) == set(rules_of("standard", 3).feature_names())


# --- the fit


def made_up(weights, later, events=20_000, seats=3, seed=1):
    """Events drawn from the model itself: half of them next places, half later ones."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(events, seats, len(weights))) * [1, 3, 0.2]
    still = np.ones((events, seats), dtype=bool)
    still[: events // 4, 0] = False
    is_next = np.arange(events) % 2 == 0
    strength = np.where(still, features @ weights * np.where(is_next, 1, later)[:, None], -np.inf)
    taken = (strength + rng.gumbel(size=(events, seats))).argmax(axis=1)
    place = np.where(is_next, 1, 2)
    simple = np.full((events, seats), np.nan)
    return Events(features, still, taken, place, is_next, simple, np.arange(events) % 5 == 0)


def test_the_fit_finds_the_weights_that_made_the_data():
    """Within 5 standard errors, which are at most 0.02, 0.01 and 0.09 for these 10,000 events; the seed is fixed."""
    weights = np.array([0.8, -0.4, 1.5])
    found = fit(made_up(weights, 0.6))
    assert np.all(np.abs(found.weights - weights) < 5 * np.array([0.02, 0.01, 0.09]))
    assert abs(found.later - 0.6) < 0.1


def test_the_fit_is_the_likeliest():
    """No small step in any direction makes the events likelier."""
    events = made_up(np.array([0.8, -0.4, 1.5]), 1.0)
    events = events.part(events.next)
    found = fit(events, ridge=0.0)
    best = assess(found, events)[0].fitted
    for i in range(3):
        for step in (-0.02, 0.02):
            moved = found.weights.copy()
            moved[i] += step
            assert assess(Fit(moved, 1.0), events)[0].fitted > best


def test_the_ridge_draws_weights_to_nothing_and_a_constant_feature_has_none():
    events = made_up(np.array([0.8, -0.4, 1.5]), 1.0)
    sizes = [np.abs(fit(events, ridge).weights).sum() for ridge in (0.0, 100.0, 1e4, 1e8)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 0.01
    constant = replace(events, features=np.concatenate([events.features, np.ones((len(events), 3, 1))], axis=2))
    assert fit(constant).weights[3] == 0


def test_calibration_counts_every_seat_once():
    weights = np.array([0.8, -0.4, 1.5])
    events = made_up(weights, 1.0)
    rows = calibrate(Fit(weights, 1.0), events)
    first = events.part(events.place == 1)
    assert sum(row.seats for row in rows) == first.open.sum()
    for row in rows:
        assert row.low <= row.predicted <= row.high
        # 5 standard errors of a frequency: false alarm 1 in 1,700,000 a row.
        assert abs(row.predicted - row.observed) < 5 * (0.25 / row.seats) ** 0.5


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_events_are_repeatable_and_what_they_say_they_are(players):
    rules = rules_of("standard", players)
    first, again, other = (sample_events(rules, parse_spec("greedy"), 30, seed) for seed in (600_000, 600_000, 600_001))
    for name in ("features", "open", "taken", "place", "next", "simple", "held_out"):
        assert np.array_equal(getattr(first, name), getattr(again, name), equal_nan=True)
    assert not np.array_equal(first.features, other.features)
    rows = np.arange(len(first))
    assert first.open[rows, first.taken].all(), "who takes a place could take it"
    assert (first.open.sum(axis=1) >= 2).all()
    assert set(first.place) == ({1} if players == 2 else {1, 2})
    assert first.next[first.place == 1].all()
    assert first.simple[first.next].sum(axis=1) == pytest.approx(1)
    assert (first.features[~first.open & first.next[:, None]] == 0).all(), "who is out has no features"
    assert 0 < first.held_out.sum() < len(first) / 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_weights_that_ship_foretell_rounds_that_nobody_fitted_on(players):
    """On fresh greedy rounds they beat the simple evaluation, and it beats knowing nothing; the seed is fixed."""
    rules = load_deck("standard").rules(players)
    weights = read_weights(weights_folder() / f"dnup-{players}.json")
    events = sample_events(rules, parse_spec("greedy:epsilon=0.1"), 400, 599_000)
    first = assess(Fit(np.array(weights.weights), weights.later), events)[0]
    assert first.simple is not None
    assert first.fitted < first.simple < first.uniform


def test_a_game_without_features_cannot_be_fitted():
    game = game_named("3up3down")
    rules = game.rules(game.load_deck("standard"), 3, {})
    with pytest.raises(ConfigError, match="3up3down has no features to fit an evaluation on"):
        sample_events(rules, parse_spec("greedy"), 5, 600_000)


# --- the command


def test_the_command_takes_the_seeds_that_are_for_fitting():
    assert FIRST_SEED == FITTING_SEEDS


def test_fit_eval_writes_weights_that_are_the_same_again(dnup_ai, tmp_path):
    runs, files = [], []
    for name in ("one.json", "two.json"):
        runs.append(dnup_ai("fit-eval", "--players", 2, "--rounds", 60, "--output", tmp_path / name, "--quiet"))
        files.append(json.loads((tmp_path / name).read_text(encoding="utf-8")))
        files[-1]["fit"].pop("date")
    assert [run.code for run in runs] == [0, 0], runs[0].err
    assert files[0] == files[1]
    assert runs[0].err == ""
    for text in ("dnup, 2 players: ", "Log-loss on the rounds held out", "Calibration", "80% to 100%"):
        assert text in runs[0].out
    command = "dnup-ai fit-eval --players=2 --rounds=60 --bot=greedy:epsilon=0.1 --seed=600000"
    assert f"repeat with: {command}" in runs[0].out
    assert files[0]["fit"]["command"] == command
    evaluator = evaluator_from(read_weights(tmp_path / "one.json"), rules_of("standard", 2))
    assert sum(evaluator.chances(rules_of("standard", 2).deal(Rng(1)))) == pytest.approx(1)


def test_fit_eval_takes_a_searching_bot_another_deck_and_rules(dnup_ai, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot = "ismcts:iterations=5,rollout_turns=2"
    options = ("--players", 3, "--deck", "pairs-36", "--rule", "out_sets=frozen", "--seed", 600_007)
    run = dnup_ai("fit-eval", "--rounds", 12, "--bot", bot, *options)
    assert run.code == 0, run.err
    content = json.loads(Path("dnup-3.json").read_text(encoding="utf-8"))
    assert content["rules"] == {"version": 1, "out_sets": "frozen", "cards": 36}
    assert content["fit"]["command"].endswith("--seed=600007 --deck=pairs-36 --rule=out_sets=frozen")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", 599_999), "600000"),
        (("--game", "3up3down"), "error: 3up3down has no features"),
        (("--bot", "cheat"), "error: --bot: cheat sees all cards"),
        (("--bot", "gredy"), "error: unknown bot 'gredy'"),
        (("--rule", "out_sets=shut"), "out_sets"),
        (("--output", "there.json"), "error: there.json exists; give another --output, or --force"),
        (("--output", "no/such/folder.json"), "error: no/such/folder.json: cannot write there: No such file"),
        (("--output", "folder.json", "--force"), "error: folder.json: cannot write there: Is a directory"),
        (("--output", "weights.txt"), "error: --output: expected a file *.json, got weights.txt"),
    ],
)
def test_fit_eval_says_what_is_wrong(dnup_ai, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    Path("there.json").write_text("{}", encoding="utf-8")
    Path("folder.json").mkdir()
    if options[0] == "--output":
        monkeypatch.setattr("dnup_ai.evaluation.fit.sample_events", lambda *_: pytest.fail("it played before"))
    run = dnup_ai("fit-eval", "--rounds", 10, "--quiet", *options)
    assert run.code != 0
    assert message in run.err
    assert Path("there.json").read_text(encoding="utf-8") == "{}"
