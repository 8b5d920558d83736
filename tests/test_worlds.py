"""All worlds of a view: the list is what brute force lists, each once, and what `determinise` draws, equally often."""

import math
from collections import Counter
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from cython_core.kuhn import KuhnRules
from cython_core.rng import Rng
from dnup_ai.notation import parse_position
from dnup_ai.search import Budget, Engine
from lines import choices, play, rules_of, seeds, small_rules, states
from searching import SHAPES, opening, params_of, run
from test_views import all_worlds, small_deck

SMALL = [(2, 4), (2, 6), (3, 6)]


def small_views(players, cards, seed, turns):
    state = small_rules(players, cards).deal(Rng(seed))
    play(state, [Rng(seed, 1, turn).below(1000) for turn in range(turns)])
    return [state.observe(seat) for seat in range(players)]


def check_list(view):
    """The list against brute force: same set, no world twice, each agrees with the view."""
    worlds = view.worlds(100_000)
    assert len(worlds) == view.count_worlds(100_000)
    assert Counter(map(str, worlds)) == Counter(str(world) for world in all_worlds(view))
    for world in worlds:
        world.check()
        assert world.view is None
        if not view.position().gone_hidden:
            assert world.observe(view.view) == view
    return len(worlds)


@pytest.mark.parametrize(("players", "cards"), SMALL)
@pytest.mark.parametrize("turns", [0, 1, 2, 4, 7])
def test_the_list_is_that_of_brute_force(players, cards, turns):
    for seed in range(4):
        for view in small_views(players, cards, seed, turns):
            check_list(view)


@settings(max_examples=60)
@given(st.sampled_from(SMALL), seeds, choices)
def test_the_list_is_that_of_brute_force_anywhere(table, seed, line):
    state = play(small_rules(*table).deal(Rng(seed)), line)
    for seat in range(state.players):
        check_list(state.observe(seat))


FORGOTTEN = [
    # Four cards that may be in the two hands, and the star, which then can only be among the discarded ones.
    ("dnup:3 deck=small view=0 turn=0 hands=1/3;1x;1x table=-;-;- gone=3x", 4 * 3 * 4),
    # The star in a hand, its way up unknown.
    ("dnup:3 deck=small view=0 turn=0 hands=1/3;1~5,1x;1x table=-;-;- gone=2x", 4 * 3 * 8),
    ("dnup:3 deck=small view=0 turn=0 hands=1/3;1~5;1x table=-;4/3;- gone=2x", 3 * 4),
    ("dnup:2 deck=small view=1 turn=1.1 hands=2x;1/5~ table=-;-;4/3;- gone=2x", 3 * 4 * 4 // 4 * 2),
]


@pytest.mark.parametrize(("text", "count"), FORGOTTEN)
def test_forgotten_discards_are_dealt_too(text, count):
    players = int(text[5])
    _, deck = small_deck(small_rules(players).deal(Rng(0)))
    view = parse_position(f"{text} out=- tokens={','.join('0' * players)}", deck)
    assert len(all_worlds(view)) == count
    assert check_list(view) == count


def four_players():
    """The view of a late position of 4 players, with few enough worlds to draw each often."""
    rules = rules_of("standard", 4)
    for seed in range(200):
        state, rng = rules.deal(Rng(seed)), Rng(seed, 1)
        while not state.is_over:
            view = state.observe(state.turn)
            if (view.count_worlds(200) or 0) > 2:
                return view
            state.apply(state.greedy_move(rng, 0.2))
    raise AssertionError("no such view")


CHI_VIEWS = [view for table in SMALL for view in small_views(*table, 3, 2)] + [four_players()]


@pytest.mark.parametrize("view", CHI_VIEWS, ids=str)
def test_determinise_draws_each_world_of_the_list_equally_often(view):
    """Chi-square. Seeds are fixed; drawn anew, each of these would fail falsely once in 100,000 runs."""
    worlds = [world.to_bytes() for world in view.worlds(10_000)]
    draws = max(2000, 20 * len(worlds))
    rng = Rng(77)
    counts = Counter(view.determinise(rng).to_bytes() for _ in range(draws))
    assert set(counts) <= set(worlds)
    if len(worlds) > 1:
        expected = draws / len(worlds)
        statistic = sum((counts[world] - expected) ** 2 / expected for world in worlds)
        assert statistic < chi2.ppf(1 - 1e-5, len(worlds) - 1)


@given(states(), seeds)
def test_drawn_worlds_are_in_the_list_and_counts_are_capped(state, seed):
    for seat in range(state.players):
        view = state.observe(seat)
        count = view.count_worlds(600)
        exact = number_of_worlds(view)
        assert count == (exact if exact <= 600 else None)
        for limit in {1, max(1, exact - 1), exact, exact + 1}:
            if limit < 2**30:
                assert view.count_worlds(limit) == (exact if exact <= limit else None)
        if count is not None:
            worlds = {world.to_bytes() for world in view.worlds(600)}
            assert len(worlds) == count
            assert view.determinise(Rng(seed)).to_bytes() in worlds


def number_of_worlds(view):
    """By the formula: deals of the unnamed cards to the places, times two for each card whose way up is open."""
    position = view.position()
    others = [hand for seat, hand in enumerate(position.hands) if seat != view.view]
    hidden = [hand.hidden for hand in others]
    deals = math.factorial(sum(hidden) + position.gone_hidden)
    for part in [*hidden, position.gone_hidden]:
        deals //= math.factorial(part)
    return deals * 2 ** (sum(hidden) + sum(card.mark == "~" for hand in others for card in hand.cards))


def test_a_start_of_two_players_has_1024_worlds_and_the_order_is_fixed():
    view = opening(2)
    assert view.count_worlds() == 1024
    assert view.count_worlds(1023) is None
    assert [world.to_bytes() for world in view.worlds()] == [world.to_bytes() for world in view.copy().worlds()]


def test_hidden_cards_do_not_change_the_list():
    state = small_rules(3).deal(Rng(4))
    for seat in range(3):
        view = state.observe(seat)
        for world in view.worlds():
            assert [w.to_bytes() for w in world.observe(seat).worlds()] == [w.to_bytes() for w in view.worlds()]


def test_what_cannot_be_listed_says_so():
    state = rules_of("standard", 3).deal(Rng(1))
    view = state.observe(0)
    with pytest.raises(ValueError, match="this is the true state: worlds are those of a view"):
        state.worlds()
    with pytest.raises(ValueError, match="this is the true state"):
        state.count_worlds()
    with pytest.raises(ValueError, match="more than 1024 worlds agree"):
        view.worlds()
    with pytest.raises(ValueError, match="limit: expected 1 to"):
        view.count_worlds(0)
    kuhn = KuhnRules().deal(Rng(1)).observe(0)
    assert kuhn.count_worlds() is None
    with pytest.raises(ValueError, match="kuhn cannot list the worlds of a view"):
        kuhn.worlds()


# --- in the search


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_result_says_whether_every_world_was_used_equally_often(shape, threads):
    view = small_views(2, 6, 1, 2)[0]
    view = view if view.turn == 0 else small_views(2, 6, 1, 2)[1]
    n = view.count_worlds()
    assert 1 < n < 10
    for iterations, even in ((10 * n, True), (10 * n + 1, False)):
        result = Engine(params_of(enumerate=4096, threads=threads), **({**SHAPES[shape]} | worlds_of(shape, n))).search(
            view, Budget(iterations=iterations), Rng(1)
        )
        assert result.exact == even
        assert result.worlds == n
    assert not run(view, 1, 10 * n, shape).exact
    assert not run(view, 1, 10 * n, shape, enumerate=n - 1).exact
    assert run(view.determinise(Rng(1)), 1, 50, shape).exact


def worlds_of(shape, n):
    return {"worlds": 2 * n} if shape == "dmcts" else {}


def test_with_more_worlds_than_allowed_nothing_changes():
    view = opening(2)
    assert run(view, enumerate=1023).moves == run(view).moves
    assert run(view, enumerate=1024).moves != run(view).moves
    assert run(opening(3), enumerate=4096).moves == run(opening(3)).moves


def test_fewer_iterations_than_worlds_use_as_many():
    assert run(opening(2), iterations=77, enumerate=1024).worlds == 77


@pytest.mark.parametrize("number", range(6))
def test_listed_and_drawn_worlds_give_the_same_values(number):
    """Flat searches of 8 iterations a world, 40 with worlds drawn and 40 with worlds listed: their means agree.

    The mean reward over all iterations, every move being tried about as often as any other; within 3 standard errors of
    the difference, from the spread over the seeds. Six views with fixed seeds; drawn anew, one of them would fail
    falsely in about one run in 60 (3 errors: 1 in 370 each).
    """
    rules = rules_of("standard", 2)
    state, rng = rules.deal(Rng(51, number)), Rng(51, number, 1)
    for _ in range(1 + number % 3):
        state.apply(state.greedy_move(rng, 0.2))
    view = state.observe(state.turn)
    n = view.count_worlds(1024)
    assert n is not None
    assert n > 4
    means, errors = [], []
    for listed in (0, 1024):
        engine = Engine(params_of(enumerate=listed, exploration=10.0), flat=True)
        values = []
        for seed in range(40):
            result = engine.search(view, Budget(iterations=8 * n), Rng(9, seed, listed))
            assert result.exact == (listed > 0)
            values.append(sum(move.visits * move.value for move in result.moves) / result.iterations)
        means.append(fmean(values))
        errors.append(stdev(values) / math.sqrt(len(values)))
    assert abs(means[0] - means[1]) < 3 * math.hypot(*errors)
