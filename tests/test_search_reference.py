"""The core's search is the literal one of reference_search.py, node by node and bit by bit, whatever the options."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cython_core.evaluation import LinearEvaluator
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.search import Budget, Engine
from lines import seeds, states
from reference_search import ReferenceSearch
from searching import SHAPES, children, midround, opening, params_of, run, searched, statistics

ITERATIONS = 50

search_params = st.builds(
    params_of,
    exploration=st.sampled_from([0.0, 0.3, 0.5, 2.0]),
    selection=st.sampled_from(["ucb1", "puct"]),
    first_play=st.sampled_from([0.0, 0.4, 10.0]),
    opponent_key=st.sampled_from(["exact", "merged"]),
    widening=st.sampled_from([0.0, 0.2, 1.0]),
    rollout=st.sampled_from(["random", "greedy", "mast"]),
    epsilon=st.sampled_from([0.0, 0.1, 1.0]),
    rollout_turns=st.sampled_from([0, 1, 5, 1000]),
    evaluation=st.sampled_from(["fitted", "simple"]),
    reward=st.sampled_from(["tokens", "match"]),
    opponents=st.sampled_from(["maxn", "paranoid"]),
    opponent_prior=st.sampled_from([0.0, 0.0, 0.3, 1.0]),
    opponent_temperature=st.sampled_from([0.0, 1.0, 3.5]),
    turn_cost=st.sampled_from([0.0, 0.002, 0.1]),
    enumerate=st.sampled_from([0, 0, 30, 4096]),
    nodes=st.just(4096),
)


shapes = st.sampled_from([{}, {"max_depth": 1}, {"max_depth": 2}, {"trees": 3}, {"trees": 3, "max_depth": 1}])


def some_weights(rules, seed):
    """Weights of either sign for all features, the same for the same seed."""
    rng = Rng(seed, 2)
    return [rng.random() - 0.5 for _ in rules.feature_names()]


def assert_same(state, params, seed, shape, iterations):
    weights = some_weights(state.rules, seed) if params.evaluation == "fitted" else None
    evaluator = None if weights is None else LinearEvaluator(state.rules, weights, 0.7)
    core = Searcher(state, params, evaluator=evaluator, **shape)
    core.search(state, Rng(seed, 1), params.reward, iterations=iterations)
    literal = ReferenceSearch(state, params, Rng(seed, 1), weights=weights, later=0.7, **shape)
    for _ in range(iterations):
        literal.iterate()
    assert core.tree() == literal.tree()
    assert core.root_batches() == literal.root_batches()


@settings(max_examples=150)
@given(states(), search_params, seeds, shapes, st.booleans())
def test_every_count_and_every_reward_is_the_literal_searchs(state, params, seed, shape, open_cards):
    """Views and true states, one tree and several, flat and deep; and the random numbers that are drawn on the way."""
    assume(not state.is_over)
    assert_same(state if open_cards else state.observe(state.turn), params, seed, shape, ITERATIONS)


@pytest.mark.slow
@settings(max_examples=1500)
@given(states(), search_params, seeds, shapes, st.booleans())
def test_many_searches_are_the_literal_ones(state, params, seed, shape, open_cards):
    assume(not state.is_over)
    assert_same(state if open_cards else state.observe(state.turn), params, seed, shape, 200)


@given(states(), seeds, st.sampled_from(["ismcts", "dmcts", "flat"]), st.sampled_from(["tokens", "match"]))
def test_rewards_sum_to_a_constant_and_every_iteration_is_somewhere(state, seed, shape, reward):
    """Over the seats: 1 in matches and with 2 players, else 1.5 (first prize 1, second 1/2), whatever a move's fate."""
    assume(not state.is_over)
    result = run(state.observe(state.turn), seed, 60, shape, reward=reward)
    total = 1.0 if reward == "match" or state.players == 2 else 1.5
    tried = [move for move in result.moves if move.visits]
    assert sum(move.visits for move in tried) == result.iterations == 60
    for move in tried:
        assert sum(move.values) == pytest.approx(total, abs=1e-9)
        assert all(-1e-12 <= value <= 1 + 1e-12 for value in move.values)
        assert move.value == move.values[state.turn]
        assert move.visits <= move.available <= 60
    assert [move.move for move in result.moves] == state.legal_moves()
    assert result.best in [move.move for move in tried]
    assert result.line[0] == result.best


@given(states(), seeds)
def test_the_line_is_one_that_the_view_takes_for_possible(state, seed):
    assume(not state.is_over)
    view = state.observe(state.turn)
    result = run(view, seed, 60)
    for move in result.line:
        view.apply(move)  # raises if it is in no world
    # An iteration makes one node, but for those that reach the end of the round inside the tree.
    assert 1 + len([move for move in result.moves if move.visits]) <= result.nodes <= 1 + 60


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_root_statistics_are_those_of_the_tree(players):
    searcher = searched(opening(players), 3, 300)
    tree = searcher.tree()
    rows = dict(zip((move.code for move in opening(players).legal_moves()), searcher.root_statistics(), strict=True))
    for index in children(tree, 0):
        _, move, visits, available, rewards = tree[index]
        assert rows[move] == (visits, available, rewards)
    assert tree[0][2] == 300
    assert tree[0][4] == pytest.approx([sum(tree[i][4][seat] for i in children(tree, 0)) for seat in range(players)])


def test_a_fresh_world_is_drawn_for_every_iteration_and_counted():
    view = opening(3)
    assert run(view, iterations=77).worlds == 77
    assert run(view, iterations=77, threads=2).worlds == 154
    assert run(view, iterations=77, shape="dmcts").worlds == 10
    assert run(view, iterations=7, shape="dmcts").worlds == 7
    assert run(midround(3), iterations=77).worlds == 1, "of a true state there is only one"


def test_trees_of_dmcts_have_a_world_each_and_keep_it():
    """In one world a move is legal or not: a child is available whenever its parent is passed, from its birth on."""
    view = midround(3, 2, 20)
    view = view.observe(view.turn)
    searcher = searched(view, 5, 4000, {"trees": 4})
    tree = searcher.tree()
    assert [node[0] for node in tree[:4]] == [None] * 4
    assert [node[2] for node in tree[:4]] == [1000] * 4, "iterations go round the trees"
    seen = 0
    for parent in range(len(tree)):
        below = children(tree, parent) if tree[parent][2] > 40 else []
        late = [tree[parent][2] - tree[child][3] for child in below]
        # A visit to the parent that made another child, or (below the root) the one that made the parent itself.
        assert all(delay <= len(below) for delay in late), (parent, late)
        seen += len(below)
    assert seen > 40
    # The worlds do differ: somewhere the opponents hold other cards, so the trees have other moves below the root.
    moves = []
    for root in range(4):
        flip = next(child for child in children(tree, root) if tree[child][1] == tree[children(tree, 0)[0]][1])
        moves.append({tree[child][1] for child in children(tree, flip)})
    assert any(other != moves[0] for other in moves[1:])


def test_each_thread_has_a_stream_of_its_own():
    """The first of two threads does what one alone does; the second adds something else."""
    view = opening(3)
    alone, both = run(view, 1, 100), run(view, 1, 100, threads=2)
    added = [b.visits - a.visits for a, b in zip(alone.moves, both.moves, strict=True)]
    assert min(added) >= 0
    assert sum(added) == 100
    assert added != [move.visits for move in alone.moves]
    assert both.line[:1] == (both.best,)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rollout", ["greedy", "mast"])
def test_an_engine_is_not_disturbed_by_what_it_searched_before(shape, rollout):
    """No stale tree: used over again, for other positions and other rules in between, it gives what a new one does."""
    params = params_of(rollout=rollout)
    engine = Engine(params, **SHAPES[shape])
    views = [opening(3), opening(3, 2), midround(4, 3), opening(2), opening(3)]
    for number, view in enumerate(views * 3):
        budget = Budget(iterations=50 + 10 * number)
        again = engine.search(view, budget, Rng(number))
        new = Engine(params, **SHAPES[shape]).search(view, budget, Rng(number))
        assert statistics(again) == statistics(new)
        assert engine.choose(view, budget, Rng(number)) == new.best
