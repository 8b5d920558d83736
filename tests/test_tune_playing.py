"""What a study plays, and the numbers that it takes from the games."""

from __future__ import annotations

import dataclasses
import math
import pickle
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnup_ai.bots import parse_spec
from dnup_ai.bots.registry import shipped_bots
from dnup_ai.errors import BotError, ConfigError
from dnup_ai.games import game_named, game_names
from dnup_ai.params import describe_params
from dnup_ai.search import params_for
from studies import OWN_BOTS, study
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.match import Fault
from tournaments.ratings import paired_differences
from tournaments.runner import open_workers, play
from tournaments.store import MEMORY, Store
from tournaments.table import Played
from tournaments.tables import Tables
from tournaments.tune import session
from tournaments.tune.config import Study
from tournaments.tune.playing import AtFaultError, GameEvaluator
from tournaments.tune.session import begin_study, play_study


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


def evaluate(made: Study, settings_: list[Any], deals: range, **how: Any) -> list[list[float]]:
    with Store.create(MEMORY) as store, open_workers(**how) as workers:
        begin_study(store, made)
        return GameEvaluator(made, store, workers)(settings_, deals)


@pytest.mark.parametrize("more", [{}, {"players": [2, 3, 4], "lineup": "one-vs-rest"}, {"unit": "match"}])
def test_scores_are_the_paired_differences_of_head_to_heads(more: dict[str, Any]) -> None:
    """Worked out anew by the statistics of tournaments, for a pool of opponents at all table sizes."""
    made = study(opponents=["greedy", "random"], games=2000, **more)
    deals = range(3, 9)
    found = evaluate(made, [(0.0,), (0.2,)], deals)
    for value, differences in zip((0.0, 0.2), found, strict=True):
        expected = []
        for players in made.players:
            for opponent in ("greedy", "random"):
                ledger = Ledger(
                    Tournament(
                        (parse_spec(f"greedy:epsilon={value}"), parse_spec(opponent)), players, 9, 5, made.deck,
                        format="head-to-head", lineup=made.lineup, unit=made.unit,
                    )
                )  # fmt: skip
                for games in play(ledger.tournament):
                    ledger.add(games)
                expected.append(paired_differences(ledger.results()[0], 0, 1)[deals.start :])
        assert differences == pytest.approx(np.mean(expected, axis=0))


def test_all_settings_of_a_call_play_the_same_cards_and_calls_can_be_split() -> None:
    made = study(players=[2, 3])
    whole = evaluate(made, [(0.0,), (0.1,)], range(8))
    with Store.create(MEMORY) as store, open_workers() as workers:
        begin_study(store, made)
        evaluator = GameEvaluator(made, store, workers)
        parts = [evaluator([setting], deals)[0] for setting in [(0.1,), (0.0,)] for deals in (range(3, 8), range(3))]
        assert [parts[3] + parts[2], parts[1] + parts[0]] == whole
        assert evaluator.counts.played == 2 * 2 * 2 * 8
        # Now they are there.
        assert evaluator([(0.0,), (0.1,)], range(8)) == whole
        assert evaluator.counts.played == evaluator.counts.found == 2 * 2 * 2 * 8
        starts = {
            (row.deal, run): row.seating for run in (1, 2) for rows, _ in store.games(run, range(4, 6)) for row in rows
        }
        assert {deal for deal, _ in starts} == {2}


GAME_DECKS = {name: game_named(name).load_deck(game_named(name).shipped_decks()[0]) for name in game_names()}


@given(st.sampled_from([name for name, bot in shipped_bots().items() if describe_params(bot.Params)]), st.data())
@settings(max_examples=150, deadline=None)
def test_a_bot_plays_with_the_very_values_of_its_setting(name: str, data: st.DataObject) -> None:
    """Also where the game has defaults of its own, which come in the place of the engine's."""
    game = data.draw(st.sampled_from(sorted(GAME_DECKS)))
    bot = shipped_bots()[name]
    base = parse_spec(
        data.draw(st.sampled_from([name, *([f"{name}:exploration=0.9"] if hasattr(bot.Params, "exploration") else [])]))
    )
    known = {found.name: found for found in describe_params(bot.Params) if found.tune or found.name == "evaluation"}
    if not known:
        return
    tuned = data.draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=4, unique=True))
    levels = {name: {"levels": list(known[name].tune or known[name].choices)} for name in tuned}
    made = study(bot=str(base), game=game, players=3, parameters=levels, allow_cheating=True)
    rules = made.tournaments(made.space.default)[0].rules()

    def plays(spec: Any) -> dict[str, Any]:
        params = spec.params
        effective = params_for(rules, params) if hasattr(params, "defaults") else params
        return {**dataclasses.asdict(effective), "defaults": ""}

    assert made.spec(made.space.default) == made.bot
    setting = tuple(data.draw(st.sampled_from(dimension.levels)) for dimension in made.space.dimensions)
    assert plays(made.spec(setting)) == {**plays(made.bot), **made.space.values(setting)}
    assert parse_spec(str(made.spec(setting))) == made.spec(setting)
    if setting != made.space.default:
        assert made.spec(setting) != made.bot


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("bot", [name for name, bot in shipped_bots().items() if describe_params(bot.Params)])
def test_every_bot_with_parameters_can_be_tuned_in_every_game(game: str, bot: str) -> None:
    known = {found.name: found for found in describe_params(shipped_bots()[bot].Params)}
    base = f"{bot}:iterations=4" if "iterations" in known else bot
    name = next(iter(set(known) & {"exploration", "epsilon", "worlds"}), "wall_ms")
    levels = {"exploration": [0.3, 0.8], "epsilon": [0.0, 0.3], "worlds": [1, 2], "wall_ms": [5.0, 9.0]}[name]
    made = study(
        bot=base, game=game, players=3, games=60, settings=2, deals=4, finalists=1, allow_cheating=True,
        parameters={name: {"levels": levels}}, confirm={"max_deals": 100},
    )  # fmt: skip
    with Store.create(MEMORY) as store:
        begin_study(store, made)
        result = play_study(made, store)
    assert result.verdict in ("better", "no proof of a gain", "worse")
    assert (result.recommended == result.winner) == (result.verdict == "better" or result.winner == made.space.default)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_bot_of_ones_own_is_tuned(own: str, concurrency: int) -> None:
    made = study(bot=f"{own}:Nth", games=200, settings=2, confirm=False)
    assert [dimension.name for dimension in made.space.dimensions] == ["place", "careful"]
    with Store.create(MEMORY) as store:
        begin_study(store, made)
        result = play_study(made, store, concurrency=concurrency)
    assert {trial.setting for trial in result.trials} > {made.space.default}


def test_settings_of_a_bot_of_ones_own_share_a_process_for_each_seat(own: str) -> None:
    made = study(bot=f"{own}:Nth", players=3)
    with closing(Tables()) as tables:
        for setting in [(0, True), (1, True), (2, False), (3, True)]:
            for tournament in made.tournaments(setting):
                tables.play([(pickle.dumps(tournament), range(4))])
        (host,) = tables._hosts.values()
        assert len(host._processes) == 3


def test_a_setting_in_which_the_bot_crashes_ends_the_study_or_loses_those_games(own: str) -> None:
    made = study(bot=f"{own}:Crashes")
    with pytest.raises(
        AtFaultError, match=r"Crashes:place=3 was at fault on deal 0 at 2 players: exception: Runtime"
    ) as caught:
        evaluate(made, [(1, False), (3, False)], range(2))
    assert "go on with --on-fault forfeit" in str(caught.value)
    fine, crashed = evaluate(dataclasses.replace(made, on_fault="forfeit"), [(1, True), (3, False)], range(20))
    assert all(map(math.isfinite, fine))
    # At two players a game of dnup gives one token: who crashes in both games of a deal loses it twice.
    total = sum(made.tournaments((1, False))[0].rules().deal(_rng()).payoffs())
    assert min(crashed) == -total
    assert np.mean(crashed) < np.mean(fine)


def test_a_deal_that_an_opponent_or_a_worker_spoils_leaves(own: str) -> None:
    made = study(on_fault="forfeit")
    (whole,) = evaluate(made, [(0.0,)], range(4))
    real = play

    class Spoilt:
        def play(self, work: Any) -> Any:
            for index, (tournament, numbers) in enumerate(work):
                games = [game for batch in real(tournament, numbers) for game in batch]
                for place, seat in ((0, games[0].rows[0].seating.split(",").index("1")), (4, -1)):
                    games[place] = Played(games[place].rows, Fault(seat, "death", "gone"))
                yield index, games

    with Store.create(MEMORY) as store:
        begin_study(store, made)
        (found,) = GameEvaluator(made, store, Spoilt())([(0.0,)], range(4))  # type: ignore[arg-type]
    assert [math.isnan(value) for value in found] == [True, False, True, False]
    assert [found[1], found[3]] == [whole[1], whole[3]]


def test_a_bot_that_cannot_be_made_in_a_setting_is_one_clear_error(own: str) -> None:
    with pytest.raises(BotError, match="Fails:place=2: its constructor failed: OSError: no book"):
        evaluate(study(bot=f"{own}:Fails"), [(1, True), (2, False)], range(2))


def test_a_search_ends_on_time_and_ends_there_again_when_it_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is one that goes on by 10 seconds with each look: one more at the start."""
    now = iter(range(0, 10**6, 10))
    monkeypatch.setattr(session, "perf_counter", lambda: next(now))
    made = study(hours=0.03, confirm=False)  # 78 seconds of search
    path = tmp_path / "t.sqlite"
    found = []
    with Store.create(path) as store:
        begin_study(store, made)
        found.append(play_study(made, store))
    assert made.search_seconds == pytest.approx(108 * 0.725)
    assert found[0].spent.search == sum(
        len({t.setting for t in found[0].trials if t.iteration == i} - {made.space.default}) * 10 for i in range(1, 9)
    )
    stop = 0

    def show(event: Any, counts: Any) -> None:
        if getattr(event, "number", 0) == stop:
            raise KeyboardInterrupt

    for stop in (0, 3, 8):
        # As if it had been killed after so many iterations: their games and the clock are there.
        other = tmp_path / f"{stop}.sqlite"
        with Store.create(other) as store:
            begin_study(store, made)
            if stop:
                with pytest.raises(KeyboardInterrupt):
                    play_study(made, store, show=show)
        with Store.open(other) as store:
            found.append(play_study(session.stored_study(store), store))
    # Once the end is kept, time has no more to say.
    monkeypatch.setattr(session, "perf_counter", lambda: 0.0)
    with Store.open(path) as store:
        assert play_study(made, store) == found[0]
    assert found[3] == found[0]


def test_settings_go_to_the_file_and_come_back(own: str) -> None:
    for made in (
        study(),
        study(bot=f"{own}:Nth:place=2", opponents=[f"{own}:Crashes", "random"], hours=1.5, confirm=False),
        study(
            bot="ismcts:iterations=5,defaults=engine",
            players=[4, 5],
            rules={"repetition": 2},
            confirm={"t1": 0.2, "max_deals": 500},
        ),
        study(
            bot="cheat",
            game="3up3down",
            allow_cheating=True,
            parameters={"nodes": {"low": 1, "high": 9, "scale": "log"}},
        ),
    ):
        assert Study.from_dict(made.to_dict(), "here") == made


def test_defaults_that_differ_between_tables_must_be_given() -> None:
    with pytest.raises(ConfigError, match=r"parameters\.exploration: the game's own value is not the same"):
        study(bot="ismcts:iterations=5", players=[2, 4], parameters=["exploration"])
    given = study(bot="ismcts:iterations=5,exploration=1", players=[2, 4], parameters=["exploration"])
    assert given.space.default == (1.0,)


def _rng() -> Any:
    from cython_core.rng import Rng

    return Rng(1)
