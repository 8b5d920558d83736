"""The tree's memory: a tree it is, every node once, counts that add up, however small or often used it is."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cython_core.rng import Rng
from cython_core.search import Searcher
from lines import seeds, states
from searching import children, midround, opening, params_of, searched


def check_tree(tree, seat_count, roots=1):
    """Structure and counts of a dump of nodes, parents first."""
    visits = [0] * len(tree)
    keys = set()
    for index, (parent, move, count, available, rewards) in enumerate(tree):
        assert (parent is None) == (index < roots)
        assert len(rewards) == seat_count
        if parent is None:
            continue
        assert parent < index, "parents first"
        assert (parent, move) not in keys, "a child twice"
        keys.add((parent, move))
        visits[parent] += count
        assert count >= 1
        assert count <= available <= tree[parent][2]
    # Every visit went on to a child, but those that made the node, ended there, or found the arena full.
    assert all(below <= node[2] for below, node in zip(visits, tree, strict=True))
    return visits


@given(states(), seeds, st.sampled_from([1, 2, 5, 40, 4096]), st.sampled_from(["exact", "merged"]))
def test_whatever_its_size_it_is_a_tree(state, seed, nodes, key):
    assume(not state.is_over)
    searcher = searched(state.observe(state.turn), seed, 120, nodes=nodes, opponent_key=key)
    tree = searcher.tree()
    visits = check_tree(tree, state.players)
    assert len(tree) == searcher.n_nodes <= nodes
    assert tree[0][2] == 120
    if not searcher.full:
        assert visits[0] == 120
        for parent in range(1, len(tree)):
            # The visit that made it, and no other unless the round ends there.
            assert visits[parent] in (tree[parent][2] - 1, 0)


def test_every_node_is_found_again():
    """No node is made twice: the children of a node that is passed often are as many as there are moves in it."""
    view = opening(3)
    tree = searched(view, 1, 20_000, nodes=1 << 15).tree()
    check_tree(tree, 3)
    assert len(tree) > 10_000
    assert sorted(tree[child][1] for child in children(tree, 0)) == [move.code for move in view.legal_moves()]


@pytest.mark.parametrize("nodes", [50, 1000])
def test_the_tree_grows_alike_until_the_arena_is_full(nodes):
    """The first nodes of a small arena are those of a big one, made in the same order by the same moves."""
    view = midround(4, 2)
    view = view.observe(view.turn)
    small = searched(view, 1, 3000, nodes=nodes)
    big = searched(view, 1, 3000)
    assert small.full
    assert not big.full
    assert small.n_nodes == nodes
    assert [node[:2] for node in small.tree()] == [node[:2] for node in big.tree()[:nodes]]


def test_nothing_of_an_earlier_search_is_left():
    """2000 searches in one memory: each begins with an empty tree, and is what a new memory gives."""
    view = opening(2)
    worker = Searcher(view, params_of(nodes=256))
    for number in range(2000):
        worker.search(view, Rng(number % 7), "tokens", iterations=5 + number % 11)
        assert worker.n_nodes <= 1 + 5 + number % 11
        assert worker.iterations == 5 + number % 11
        assert not worker.full
        if number % 100 == 99:
            assert worker.tree() == searched(view, number % 7, 5 + number % 11, nodes=256).tree()


def test_a_search_after_a_full_one_is_not_full():
    view = opening(3)
    worker = Searcher(view, params_of(nodes=30))
    worker.search(view, Rng(1), "tokens", iterations=500)
    assert worker.full
    worker.search(view, Rng(1), "tokens", iterations=5)
    assert not worker.full
    assert worker.n_nodes == 6


def test_trees_of_several_worlds_share_the_memory_and_no_node():
    searcher = searched(opening(3), 1, 900, {"trees": 9})
    tree = searcher.tree()
    visits = check_tree(tree, 3, roots=9)
    assert [node[2] for node in tree[:9]] == [100] * 9
    assert visits[:9] == [100] * 9
    for root in range(9):
        moves = [tree[child][1] for child in children(tree, root)]
        assert len(moves) == len(set(moves)) > 5
