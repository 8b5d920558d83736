"""The runner: the same games in the same order whatever plays them, and clean ends."""

from __future__ import annotations

import json
import multiprocessing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from dnup_ai.errors import BotError, ConfigError, DnupError
from tournaments.config import Tournament
from tournaments.runner import play
from tournaments.table import Played

OWN_BOTS = """
import os, time
from dnup_ai.bots import Bot

class First(Bot):
    def choose(self, view, history):
        return view.legal_moves()[0]

class Crashes(Bot):
    def choose(self, view, history):
        raise RuntimeError(f"after {len(history)} moves")

class Dies(Bot):
    # Ends its process some way into the tournament.
    made = 0
    def __init__(self, params, rng):
        super().__init__(params, rng)
        Dies.made += 1
    def choose(self, view, history):
        if Dies.made > 10:
            os._exit(3)
        return view.legal_moves()[0]

class Fails(Bot):
    def __init__(self, params, rng):
        raise OSError("no book")
    def choose(self, view, history):
        return view.legal_moves()[0]
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


def tournament(*bots: str, players: int = 3, deals: int = 20, **settings: Any) -> Tournament:
    specs = tuple(map(parse_spec, bots))
    return Tournament(specs, players, deals, settings.pop("seed", 7), load_deck("standard"), **settings)


def without_times(games: list[Played]) -> list[Any]:
    stripped = []
    for played in games:
        records = [json.loads(line) for line in played.records]
        for record in records:
            del record["seconds"]
        rounds = [outcome._replace(seconds=0) for outcome in played.rounds]
        stripped.append((played.game, rounds, played.winner, records))
    return stripped


@pytest.mark.parametrize("unit", ["round", "match"])
def test_the_number_of_workers_changes_nothing_but_times(own: str, unit: str) -> None:
    settings = tournament("greedy", "random", f"{own}:First", f"{own}:Crashes", unit=unit)
    alone = list(play(settings, 1, records=True))
    assert [played.game for played in alone] == list(settings.games())
    assert {outcome.end for played in alone for outcome in played.rounds} >= {"out", "fault"}
    for workers in (2, 3):
        together = list(play(settings, workers, records=True))
        assert without_times(together) == without_times(alone)


def test_another_seed_plays_other_games() -> None:
    one, other = (list(play(tournament("random", "greedy", seed=seed))) for seed in (1, 2))
    assert without_times(one) != without_times(other)


def test_every_seating_of_a_deal_is_on_the_same_cards() -> None:
    played = list(play(tournament("random", "greedy", deals=2), records=True))
    starts: dict[int, set[str]] = {}
    for game in played:
        starts.setdefault(game.game.deal, set()).add(json.loads(game.records[0])["start"])
    assert [len(texts) for texts in starts.values()] == [1, 1]
    assert starts[0] != starts[1]
    # The cards of deal d are those that `dnup-ai deal --deal d` shows.
    assert starts[1] == {str(load_deck("standard").rules(3).deal(Rng(7, 1, 0, Rng.CHANCE)))}


def test_rounds_of_a_match_are_dealt_by_their_number_and_play_on_with_its_tokens() -> None:
    settings = tournament("random", "greedy", deals=1, unit="match")
    for played in play(settings, records=True):
        tokens = (0, 0, 0)
        for index, line in enumerate(played.records):
            record = json.loads(line)
            assert (record["match"], record["round"]) == (played.game.number, index)
            assert record["start"] == str(settings.rules().deal(Rng(7, 0, index, Rng.CHANCE), tokens))
            tokens = tuple(map(sum, zip(tokens, record["result"], strict=True)))


def test_records_are_made_only_when_asked_for() -> None:
    assert next(iter(play(tournament("random"), 1))).records == ()
    assert len(next(iter(play(tournament("random"), 1, records=True))).records) == 1


def test_a_worker_that_dies_is_one_clear_error_and_keeps_the_games_before(own: str) -> None:
    settings = tournament(f"{own}:Dies", "random", "greedy", deals=100)
    kept: list[Played] = []
    with pytest.raises(DnupError, match=r"a worker process died at or after game [0-9]+ .*; the games before"):
        kept.extend(play(settings, 2))
    assert [played.game for played in kept] == list(islice(settings.games(), len(kept)))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_cannot_be_made_is_one_clear_error(own: str, workers: int) -> None:
    with pytest.raises(BotError, match="Fails: its constructor failed: OSError: no book"):
        list(play(tournament(f"{own}:Fails", "random"), workers))


def test_who_stops_listening_leaves_no_process_behind() -> None:
    games = play(tournament("random", "greedy", deals=10_000), 2)
    assert len(list(islice(games, 5))) == 5
    assert len(multiprocessing.active_children()) == 2
    del games
    assert multiprocessing.active_children() == []


def test_settings_that_cannot_be_played_are_errors() -> None:
    for settings, problem in (
        ({"deals": 0}, "deals: expected 1 to"),
        ({"seed": 2**32}, "seed: expected 0 to 4294967295, got 4294967296"),
        ({"unit": "game"}, "unit: expected 'round' or 'match', got 'game'"),
        ({"lineup": "none"}, "line-up: expected"),
        ({"players": 7}, "players: expected 2 to 5, got 7"),
        ({"options": {"repetition": -1}}, "repetition: expected"),
    ):
        with pytest.raises(DnupError, match=problem.split(":")[0]) as caught:
            tournament("random", **settings)  # type: ignore[arg-type]
        assert problem in str(caught.value)
    with pytest.raises(ConfigError, match="workers: expected 1 to 256, got 0"):
        play(tournament("random"), 0)


def test_a_bot_that_is_there_twice_is_numbered() -> None:
    assert tournament("random", "greedy", "random").names() == ("random #1", "greedy", "random #2")
