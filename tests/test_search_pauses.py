"""A search that pauses is the same search; the places that it counts are those of its rollouts."""

import pytest

from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.games import game_named
from dnup_ai.search import Budget, Engine
from searching import midround, opening, params_of
from toy_game import TrickRules

SHAPES = [{}, {"trees": 7}, {"max_depth": 1}]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("options", [{}, {"early_stop": True}, {"rollout": "mast"}], ids=str)
def test_pauses_change_nothing(shape, options):
    view = opening(3)
    params = params_of(**options)
    whole, parts = Searcher(view, params, **shape), Searcher(view, params, **shape)
    whole.search(view, Rng(4), "tokens", iterations=900)
    parts.search(view, Rng(4), "tokens", iterations=900, pause=0.0, places=True)
    pauses = 0
    while parts.stopped_by == "paused":
        parts.resume(0.0)
        pauses += 1
    assert pauses > 3
    assert parts.stopped_by == whole.stopped_by
    assert parts.iterations == whole.iterations
    assert parts.tree() == whole.tree()
    assert parts.root_batches() == whole.root_batches()


def test_a_search_that_is_over_does_not_resume():
    searcher = Searcher(opening(3), params_of())
    searcher.search(opening(3), Rng(1), "tokens", iterations=10)
    with pytest.raises(ValueError, match="the search is over: iterations"):
        searcher.resume()


def test_the_clock_runs_on_in_pauses():
    """A budget of time counts from the beginning, whatever the pauses; that of CPU time does not count them."""
    import time

    view = opening(3)
    searcher = Searcher(view, params_of())
    searcher.search(view, Rng(1), "tokens", wall=0.05, pause=0.0)
    time.sleep(0.06)
    searcher.resume()
    assert searcher.stopped_by == "wall"
    assert searcher.iterations <= 24
    searcher.search(view, Rng(1), "tokens", cpu=0.05, pause=0.0)
    time.sleep(0.06)
    searcher.resume()
    assert searcher.stopped_by == "cpu"
    assert searcher.iterations > 24


def test_no_places_unless_asked():
    searcher = Searcher(opening(3), params_of())
    searcher.search(opening(3), Rng(1), "tokens", iterations=50)
    assert set(searcher.root_places()) == {(0.0, 0.0)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_places_add_up_to_the_rewards(players):
    """Where every rollout ends with all tokens given, a place is what the tokens say."""
    view = opening(players)
    searcher = Searcher(view, params_of())
    searcher.search(view, Rng(3), "tokens", iterations=300, places=True)
    for (_, _, rewards), (first, second) in zip(searcher.root_statistics(), searcher.root_places(), strict=True):
        assert rewards[view.view] == pytest.approx(first + second / 2)
        assert second == 0 or players > 2


@pytest.mark.parametrize(("game", "players"), [("dnup", 2), ("dnup", 4), ("dnup-pile", 3), ("3up3down", 3)])
def test_rewards_of_places_are_the_ranks(game, players):
    played = game_named(game)
    rules = played.rules(played.load_deck(played.shipped_decks()[0]), players, {})
    for seed in range(10):
        state, rng = rules.deal(Rng(seed)), Rng(seed, 1)
        for _ in range(400):
            for kind, place in (("first", 1), ("second", 2)):
                assert state.rewards(kind) == tuple(float(rank == place) for rank in state.ranks())
            if state.turn is None:
                break
            expected = state.rewards("first", evaluate=True), state.rewards("second", evaluate=True)
            assert sum(expected[0]) == pytest.approx(1)
            assert sum(expected[1]) <= 1 + 1e-9
            # Tokens that are given for places only are the places' tokens.
            if game == "dnup" and not any(state.tokens):
                tokens = [one + two / 2 for one, two in zip(*expected, strict=True)]
                assert tokens == pytest.approx(state.rewards("tokens", evaluate=True))
            state.apply(state.greedy_move(rng, 0.2))


def test_places_of_a_game_in_python():
    state = TrickRules().deal(Rng(1))
    assert state.rewards("first") == (0.0, 0.0)
    while state.turn is not None:
        state.apply(state.legal_moves()[0])
    assert state.rewards("first") == tuple(float(rank == 1) for rank in state.ranks())
    view = TrickRules().deal(Rng(2)).observe(0)
    searcher = Searcher(view, params_of())
    searcher.search(view, Rng(3), "tokens", iterations=50, places=True)
    assert all(0 <= first <= visits for (visits, _, _), (first, _) in zip(
        searcher.root_statistics(), searcher.root_places(), strict=True))  # fmt: skip


def test_an_engine_that_thinks_is_one_that_searches():
    view = midround(3).observe(midround(3).turn)
    for threads in (1, 2):
        whole = Engine(params_of(threads=threads)).search(view, Budget(iterations=500), Rng(5))
        engine = Engine(params_of(threads=threads))
        assert list(engine.think(view, Budget(iterations=500), Rng(5), 0.0))
        found = engine.result(view)
        assert [(move.visits, move.value, move.stderr) for move in found.moves] == [
            (move.visits, move.value, move.stderr) for move in whole.moves
        ]
        assert (found.best, found.line, found.iterations) == (whole.best, whole.line, whole.iterations)
