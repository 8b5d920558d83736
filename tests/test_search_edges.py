"""Where a search has next to nothing to go by, or is asked for nonsense: a legal move, or an error that says why."""

import math
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.bots.searching import SearchBotParams
from dnup_ai.errors import BotError
from dnup_ai.search import Budget, Engine, SearchParams, search
from lines import rules_of, seeds, states
from searching import SHAPES, midround, opening, params_of, run, tiny

BUDGETS = [Budget(iterations=1), Budget(wall=0.0), Budget(cpu=0.0), Budget(wall=0.0, cpu=0.0, iterations=5)]


# --- always a legal move


@given(states(), seeds, st.sampled_from([*SHAPES]), st.sampled_from(BUDGETS), st.sampled_from([1, 2, 3, 1 << 14]))
def test_there_is_always_a_legal_move(state, seed, shape, budget, nodes):
    """One iteration, no time, an arena with room for next to nothing, one thread or two."""
    assume(not state.is_over)
    view = state.observe(state.turn)
    for threads in (1, 2):
        engine = Engine(params_of(nodes=nodes, threads=threads), **SHAPES[shape])
        result = engine.search(view, budget, Rng(seed))
        assert state.is_legal(result.best)
        assert result.iterations >= 1
        assert all(math.isfinite(move.value) for move in result.moves)
        assert result.line[0] == result.best
        assert state.is_legal(engine.choose(view, budget, Rng(seed)))


def test_no_time_is_one_iteration_and_the_reason_is_given():
    view = opening(3)
    for budget, iterations, reason in (
        (Budget(iterations=1), 1, "iterations"),
        (Budget(wall=0.0), 1, "wall"),
        (Budget(cpu=0.0), 1, "cpu"),
        (Budget(iterations=7, wall=3600.0, cpu=3600.0), 7, "iterations"),
        (Budget(iterations=10**9, cpu=0.0), 1, "cpu"),
    ):
        result = Engine(params_of()).search(view, budget, Rng(1))
        assert (result.iterations, result.stopped_by) == (iterations, reason)
        assert sum(move.visits for move in result.moves) == iterations


@pytest.mark.parametrize("limit", ["wall", "cpu"])
def test_a_budget_of_time_is_used_and_kept(limit):
    """It stops by that clock, not before it and not at once after a single iteration."""
    result = Engine(params_of()).search(opening(3), Budget(**{limit: 0.02}), Rng(1))
    assert result.stopped_by == limit
    assert result.iterations > 8
    assert getattr(result, limit) >= 0.02


def test_the_first_limit_that_is_reached_counts():
    result = Engine(params_of()).search(opening(3), Budget(iterations=10**9, wall=3600.0, cpu=0.01), Rng(1))
    assert result.stopped_by == "cpu"
    assert result.wall < 3600


def test_a_full_arena_says_so_and_the_search_goes_on():
    view = opening(3)
    for shape in SHAPES:
        assert not run(view, 1, 500, shape).full
        small = run(view, 1, 500, shape, nodes=8)
        assert small.full
        assert small.iterations == 500
        assert small.nodes == (11 if shape == "dmcts" else 8), "dmcts has at least the roots of its trees"
        assert view.is_legal(small.best)
    assert run(view, 1, 500, "ismcts", nodes=1).nodes == 1


def test_up_to_where_it_is_full_a_small_arena_changes_nothing():
    view = opening(3)
    enough = run(view, 1, 100)
    assert enough.nodes <= 101
    assert run(view, 1, 100, nodes=enough.nodes).moves == enough.moves
    assert run(view, 1, 100, nodes=enough.nodes - 1).full


@pytest.mark.parametrize("shape", SHAPES)
def test_one_legal_move(shape):
    """No card of the hand may be played, no set may be taken: only the flip is left; with early stop at once."""
    blocked = tiny("dnup:2 deck=small view=0 turn=0.1 hands=1/2;1~5 table=-;2/3;-;- gone=3x out=- tokens=0,0")
    assert len(blocked.legal_moves()) == 1
    result = run(blocked, 1, 100, shape, early_stop=True)
    assert (result.iterations, result.stopped_by, str(result.best)) == (1, "decided", "flip")
    assert run(blocked, 1, 100, shape).iterations == 100
    bot = parse_spec(f"{shape}:iterations=10").make(Rng(1))
    assert str(bot.choose(blocked, ())) == "flip"


@pytest.mark.parametrize("shape", SHAPES)
def test_hundreds_of_moves_of_one_hand(shape):
    """`pairs-45` at 3 players: 15 cards each. A search shorter than the list of moves still chooses one it tried."""
    views = [opening(3, seed, "pairs-45") for seed in range(300)]
    view = max(views, key=lambda view: len(view.legal_moves()))
    count = len(view.legal_moves())
    assert count > 60
    for iterations in (1, count // 2, 3 * count):
        result = run(view, 2, iterations, shape)
        assert len(result.moves) == count
        best = next(move for move in result.moves if move.move == result.best)
        assert best.visits == max(move.visits for move in result.moves) > 0


def test_five_players_and_a_round_nearly_over():
    for seed in range(20):
        state = midround(5, seed, 40)
        result = run(state.observe(state.turn), seed, 50)
        assert state.is_legal(result.best)
    last = tiny("dnup:3 deck=small view=1 turn=1 hands=-;1/2;1~5 table=-;-;- gone=4x out=0 tokens=0,0,0")
    result = run(last, 1, 200)
    best = next(move for move in result.moves if move.move == result.best)
    assert str(result.best) == "play:1/2"
    assert best.values == (1.0, 0.5, 0.0)


def test_all_moves_are_subsets_of_one_value():
    """A hand of one value: to play all of it at once is to be out."""
    text = "dnup:2 deck=small view=0 turn=0.2 hands=1/2,1/3,1/4,1/5~;2x table=-;-;-;- gone=- out=- tokens=0,0"
    for shape in SHAPES:
        result = run(tiny(text), 1, 400, shape, widening=0.0)
        assert len(result.moves) == 1 + 15
        assert str(result.best) == "play:1/2,1/3,1/4,1/5"


def test_a_search_stops_early_when_the_leader_cannot_be_caught():
    """And then the choice is that of the whole search: what is left could not have changed the most visited move."""
    stopped = 0
    for seed in range(12):
        view = opening(3, seed)
        whole = run(view, seed, 2000, exploration=0.2)
        early = run(view, seed, 2000, exploration=0.2, early_stop=True)
        assert early.best == whole.best
        visits = sorted((move.visits for move in early.moves), reverse=True)
        if early.stopped_by == "decided":
            stopped += 1
            left = 2000 - early.iterations
            assert visits[0] - visits[1] > left
            assert visits[0] - visits[1] <= left + 16, "not much later than it could"
        else:
            assert visits[0] - visits[1] <= 8
    assert stopped >= 6
    assert whole.stopped_by == "iterations"


# --- errors


def test_a_round_that_is_over_cannot_be_searched():
    with pytest.raises(ValueError, match="the round is over: there is no move to search"):
        Engine(params_of()).search(_over(), Budget(iterations=1), Rng(1))


def _over():
    state = midround(3, 1, 0)
    rng = Rng(1)
    while not state.is_over:
        state.apply(state.greedy_move(rng, 0.2))
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_the_seat_to_move_can_search(players):
    state = midround(players)
    for seat in set(range(players)) - {state.turn}:
        with pytest.raises(ValueError, match=f"seat {seat} cannot search for seat {state.turn}, whose turn it is"):
            search(state.observe(seat), params_of(), Budget(iterations=1), rng=Rng(1))


@pytest.mark.parametrize("limits", [{"iterations": 0}, {"iterations": -5}, {"wall": -1.0}, {"cpu": -0.001}])
def test_budgets_that_are_none_are_refused(limits):
    with pytest.raises(ValueError, match="expected iterations of 1 and more and seconds of 0 and more"):
        Budget(**limits)
    with pytest.raises(ValueError, match="a budget needs a limit: iterations, wall or cpu"):
        Budget()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("exploration=-1", "'exploration': expected float, 0 to 10, got '-1'"),
        ("selection=best", "'selection': expected str, one of ucb1, puct, got 'best'"),
        ("rollout_turns=1001", "'rollout_turns': expected int, 0 to 1000, got '1001'"),
        ("nodes=0", "'nodes': expected int, 1 to"),
        ("threads=65", "'threads': expected int, 1 to 64, got '65'"),
        ("turn_cost=0.2", "'turn_cost': expected float, 0 to 0.1"),
        ("epsilon=nan", "'epsilon': expected float, 0 to 1"),
        ("itertions=5", r"unknown parameter 'itertions' \(did you mean 'iterations'\?\)"),
    ],
)
def test_bad_values_in_a_spec_are_named_with_what_is_allowed(options, problem):
    for name, bot in shipped_bots().items():
        if issubclass(bot.Params, SearchBotParams):
            with pytest.raises(BotError, match=problem):
                parse_spec(f"{name}:{options}")


def test_bot_budgets_are_milliseconds_and_have_a_default():
    assert SearchBotParams().budget() == Budget(iterations=1000)
    assert SearchBotParams(cpu_ms=5).budget() == Budget(cpu=0.005)
    assert SearchBotParams(wall_ms=100, iterations=7).budget() == Budget(iterations=7, wall=0.1)


def test_a_search_in_python_needs_only_a_view_a_budget_and_a_stream():
    view = opening(2)
    before = view.to_bytes()
    result = search(view, SearchParams(), Budget(iterations=20), view.legal_moves(), rng=Rng(3))
    assert view.to_bytes() == before
    assert result.moves == Engine(SearchParams()).search(view, Budget(iterations=20), Rng(3)).moves


def test_the_gil_is_released():
    """While a long search runs another Python thread gets on, again and again."""
    from threading import Thread

    thread = Thread(target=lambda: Engine(params_of()).search(opening(3), Budget(wall=0.2), Rng(1)))
    thread.start()
    turns = 0
    while thread.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns > 5


def test_workers_are_made_for_the_rules_of_the_view():
    worker = Searcher(opening(3), params_of())
    worker.search(opening(3, 2), Rng(1), "tokens", iterations=10)
    assert worker.view == opening(3, 2)
    with pytest.raises(ValueError, match="reward: expected 'tokens' or 'match', got 'points'"):
        worker.search(opening(3), Rng(1), "points", iterations=10)


@pytest.mark.parametrize("nodes", [3, 8])
def test_with_less_room_than_moves_at_the_root_every_iteration_still_teaches(nodes):
    """Untried moves that can get no node are not tried for ever: all iterations go to moves that have one."""
    state = rules_of("standard", 4).deal(Rng(2))
    view = state.observe(state.turn)
    assert len(view.legal_moves()) > nodes
    result = search(view, params_of(nodes=nodes), Budget(iterations=500), rng=Rng(1))
    assert result.full
    tried = [move.visits for move in result.moves if move.visits]
    assert sum(tried) == 500
    assert len(tried) == nodes - 1
