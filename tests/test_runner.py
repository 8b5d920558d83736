"""The runner: the same games whatever plays them, deaths of workers survived, and clean ends."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec
from dnup_ai.decks import load_deck
from dnup_ai.errors import BotError, ConfigError, DnupError
from dnup_ai.games import game_named
from playing import played, tournament, without_times
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.match import Fault
from tournaments.records import game_records
from tournaments.runner import open_workers, play
from tournaments.session import play_missing
from tournaments.sprt import Sprt
from tournaments.sprt_prefix import DealPrefix
from tournaments.standings import summarise
from tournaments.store import MEMORY, Store
from tournaments.table import Played

OWN_BOTS = """
from dnup_ai.bots import Bot

class First(Bot):
    def choose(self, view, history):
        return view.legal_moves()[0]

class Crashes(Bot):
    def choose(self, view, history):
        raise RuntimeError(f"after {len(history)} moves")

class Fails(Bot):
    def __init__(self, params, rng):
        raise OSError("no book")
    def choose(self, view, history):
        return view.legal_moves()[0]
"""

# A game whose worker dies when a certain card is dealt: as a fault in a game's own code would end it.
DEADLY_GAME = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import toy_game

class DeadlyRules(toy_game.TrickRules):
    def deal(self, rng, tokens=None):
        state = super().deal(rng, tokens)
        if state.data.hands[0][0] == 4:
            os._exit(7)
        return state

class Deadly(toy_game.TrickGame):
    name = "deadly"
    def rules(self, deck, players, options):
        return DeadlyRules()
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


def all_games(*arguments: Any, **how: Any) -> list[Played]:
    return [game for games in play(*arguments, **how) for game in games]


@pytest.mark.parametrize("unit", ["round", "match"])
def test_the_number_of_workers_changes_nothing_but_times(own: str, unit: str) -> None:
    settings = tournament("greedy", "random", f"{own}:First", f"{own}:Crashes", unit=unit, deals=5)
    alone = played(settings)
    assert [rows[0].game for rows, _ in alone[0]] == list(range(settings.game_count))
    assert {row.end for rows, _ in alone[0] for row in rows} >= {"out", "fault"}
    for concurrency in (2, 8):
        assert played(settings, concurrency=concurrency) == alone


def test_the_order_in_which_games_come_changes_nothing() -> None:
    settings = tournament("greedy", "random", "ismcts:iterations=20", deals=15)
    games = all_games(settings)
    tables = []
    for seed in range(4):
        shuffled = games.copy()
        if seed:
            random.Random(seed).shuffle(shuffled)
        ledger = Ledger(settings)
        for game in shuffled:
            ledger.add([game])
        summary = summarise(ledger).to_dict()
        for standing in summary["standings"]:
            # A sum of times in another order is another number in its last bits.
            standing["ms_per_move"] = round(standing["ms_per_move"], 6)
        tables.append(summary)
    assert tables == [tables[0]] * 4


def test_the_order_changes_nothing_about_a_sequential_test() -> None:
    settings = tournament("greedy", "random", players=2, deals=200, format="head-to-head", sprt=Sprt(t0=0.0, t1=0.3))
    games = all_games(settings)
    results = []
    for seed in range(3):
        random.Random(seed).shuffle(games)
        ledger = Ledger(settings)
        for game in games:
            ledger.add([game])
        assert ledger.decided
        summary = summarise(ledger)
        results.append((summary.test, summary.deals, [standing.mean for standing in summary.standings]))
    assert results == [results[0]] * 3


def test_a_sequential_test_looks_at_the_last_deal() -> None:
    """19 deals are no multiple of the 10 between looks; one more drops out by a fault."""
    settings = tournament(
        "greedy", "random", players=2, deals=19, seed=3, format="head-to-head", sprt=Sprt(t0=0.0, t1=0.35)
    )
    games = all_games(settings)
    first = DealPrefix(settings)
    first.add(game for game in games if game.rows[0].deal < 18)
    assert (first.result().verdict, first.result().deals, first.end) == ("running", 10, None)
    whole = DealPrefix(settings)
    assert whole.add(games)
    assert (whole.result().verdict, whole.result().deals, whole.end) == ("H1", 19, 19)

    # The last deal leads to the last look although it adds nothing to it.
    for spoilt, end in ((4, 19), (18, 18)):
        test = DealPrefix(settings)
        for game in games:
            test.add([game._replace(fault=Fault(0, "illegal", "no")) if game.rows[0].deal == spoilt else game])
        assert (test.result().verdict, test.result().deals, test.end) == ("H1", 18, end)


def test_too_few_deals_for_a_look_are_inconclusive() -> None:
    settings = tournament("greedy", "random", players=2, deals=5, format="head-to-head", sprt=Sprt(t0=0.0, t1=0.3))
    test = DealPrefix(settings)
    assert not test.add(all_games(settings))
    assert (test.result().verdict, test.result().deals) == ("inconclusive", 0)


def test_the_most_deals_of_a_sequential_test_end_the_tournament() -> None:
    settings = tournament(
        "greedy", "greedy", players=2, deals=2000, format="head-to-head", sprt=Sprt(t0=0.0, t1=0.1, max_deals=25)
    )
    ledger = Ledger(settings)
    with Store.create(MEMORY) as store:
        play_missing(settings, store, ledger)
    assert ledger.decided
    assert ledger.games < settings.game_count
    summary = summarise(ledger)
    assert summary.test is not None
    assert (summary.test.verdict, summary.test.deals, summary.deals) == ("inconclusive", 25, 25)


def test_another_seed_plays_other_games() -> None:
    one, other = (played(tournament("random", "greedy", seed=seed)) for seed in (1, 2))
    assert one != other


def test_games_can_be_played_alone_by_their_number() -> None:
    settings = tournament("random", "greedy", "ismcts:iterations=10", deals=4)
    everything = without_times(all_games(settings))
    assert without_times(all_games(settings, [10, 3, 7])) == [everything[3], everything[7], everything[10]]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_one_pool_plays_many_tournaments_one_call_after_the_other(own: str, concurrency: int) -> None:
    many = [tournament("random", f"greedy:epsilon={share / 100}", players=2 + share % 3) for share in range(8)]
    many.append(tournament(f"{own}:First", "random", players=2))
    numbers: list[Sequence[int]] = [range(3, 3 + 2 * place) for place in range(len(many) - 1)]
    numbers.append([5, 2, 9])
    pids = set()
    with open_workers(concurrency) as workers:
        for work in (list(zip(many, numbers, strict=True)), [(many[3], range(12))], [], [(many[0], [])]):
            found: dict[int, list[Played]] = {}
            for index, games in workers.play(work):
                found.setdefault(index, []).extend(games)
            pids.add(tuple(sorted(child.pid or 0 for child in multiprocessing.active_children())))
            for index, (settings, some) in enumerate(work):
                assert without_times(found.get(index, [])) == without_times(all_games(settings, sorted(some)))
    assert len(pids) == 1, "workers were started anew"
    assert multiprocessing.active_children() == []


def test_every_seating_of_a_deal_is_on_the_same_cards() -> None:
    settings = tournament("random", "greedy", deals=2)
    starts: dict[int, set[str]] = {}
    for game in all_games(settings):
        (record,) = game_records(settings, game)
        starts.setdefault(record["deal"], set()).add(record["start"])
    assert [len(texts) for texts in starts.values()] == [1, 1]
    assert starts[0] != starts[1]
    # The cards of deal d are those that `dnup-ai deal --deal d` shows.
    assert starts[1] == {str(load_deck("standard").rules(3).deal(Rng(7, 1, 0, Rng.CHANCE)))}


def test_rounds_of_a_match_are_dealt_by_their_number_and_play_on_with_its_tokens() -> None:
    settings = tournament("random", "greedy", deals=1, unit="match")
    for game in all_games(settings):
        tokens = (0, 0, 0)
        for index, record in enumerate(game_records(settings, game)):
            assert (record["match"], record["round"]) == (game.rows[0].game, index)
            assert record["start"] == str(settings.rules().deal(Rng(7, 0, index, Rng.CHANCE), tokens))
            tokens = tuple(map(sum, zip(tokens, record["result"], strict=True)))


def test_a_worker_that_is_killed_loses_nothing() -> None:
    settings = tournament("random", "greedy", "ismcts:iterations=20", deals=150)
    expected = played(settings)
    found: list[Played] = []
    stop = threading.Event()
    killed = 0

    def kill() -> None:
        nonlocal killed
        rng = random.Random(1)
        while killed < 5 and not stop.wait(rng.uniform(0.2, 1.5)):
            if children := multiprocessing.active_children():
                os.kill(rng.choice(children).pid or 0, signal.SIGKILL)
                killed += 1

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        for games in play(settings, concurrency=2):
            found += games
    finally:
        stop.set()
        killer.join()
    assert killed
    # Who is killed twice in the very same game is taken for its victim; by chance that is rare, and then it is told.
    lost = {game.rows[0].game for game in found if game.fault is not None}
    assert len(lost) <= 1
    assert [game for game in without_times(found) if game[0][0].game not in lost] == [
        game for game in expected[0] if game[0][0].game not in lost
    ]
    assert multiprocessing.active_children() == []


def test_a_game_that_its_workers_die_of_is_counted_and_the_others_are_played(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY_GAME)
    name = f"{tmp_path}/deadly.py:Deadly"
    game = game_named(name)
    bots = tuple(map(parse_spec, ("random", "greedy")))
    settings = Tournament(bots, 2, 40, 7, game.load_deck("seven"), game=name)
    found = all_games(settings, concurrency=2)
    # Workers die of deals, and on each deal there are two games.
    lost = {played.rows[0].deal for played in found if played.fault is not None}
    assert 1 <= len(lost) <= 10
    for played_ in found:
        if played_.rows[0].deal in lost:
            assert played_.fault is not None
            assert (played_.fault.seat, played_.fault.kind) == (-1, "death")
            assert "exit code 7" in played_.fault.message
    assert sorted(played_.rows[0].game for played_ in found) == list(range(80))
    ledger = Ledger(settings)
    ledger.add(found)
    summary = summarise(ledger)
    assert summary.fault_counts == {"(worker)": {"death": 2 * len(lost)}}
    assert [standing.games for standing in summary.standings] == [80 - 2 * len(lost)] * 2


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_bot_that_cannot_be_made_is_one_clear_error(own: str, concurrency: int) -> None:
    with pytest.raises(BotError, match="Fails: its constructor failed: OSError: no book"):
        all_games(tournament(f"{own}:Fails", "random"), concurrency=concurrency)


def test_who_stops_listening_leaves_no_process_behind() -> None:
    games = play(tournament("random", "greedy", deals=10_000), concurrency=2)
    assert len(list(islice(games, 2))) == 2
    assert len(multiprocessing.active_children()) == 2
    del games
    deadline = time.monotonic() + 10
    while multiprocessing.active_children():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_settings_that_cannot_be_played_are_errors() -> None:
    for settings, problem in (
        ({"deals": 0}, "deals: expected 1 to"),
        ({"seed": 2**32}, "seed: expected 0 to 4294967295, got 4294967296"),
        ({"unit": "game"}, "unit: expected 'round' or 'match', got 'game'"),
        ({"format": "none"}, "format: expected"),
        ({"move_limit": 0}, "move_limit: expected seconds above 0, got 0"),
        ({"on_fault": "cry"}, "on_fault: expected 'forfeit' or 'void' or 'stop', got 'cry'"),
        ({"players": 7}, "players: expected 2 to 5, got 7"),
        ({"options": {"repetition": -1}}, "repetition: expected"),
    ):
        with pytest.raises(DnupError, match=problem.split(":")[0]) as caught:
            tournament("random", **settings)  # type: ignore[arg-type]
        assert problem in str(caught.value)
    with pytest.raises(ConfigError, match="concurrency: expected 1 to 256, got 0"):
        play(tournament("random"), concurrency=0)


def test_a_bot_that_is_there_twice_is_numbered() -> None:
    assert tournament("random", "greedy", "random").names() == ("random #1", "greedy", "random #2")
