"""Options of a search: each is wired, has a default and a range, is never written to, and outlives a new seed."""

from dataclasses import FrozenInstanceError, asdict, fields

import pytest
from hypothesis import given

from cython_core.rng import Rng
from dnup_ai.bots.searching import DmctsParams, SearchBotParams
from dnup_ai.params import describe_params
from dnup_ai.search import ALL_TURNS, ENGINE_DEFAULTS, Budget, Engine, SearchParams, choose_move
from lines import rules_of, states
from searching import SHAPES, SMALL_TREE, children, midround, opening, params_of, run, searched, statistics

# Per option: another value than the default, and whatever else must be set so that it has a say.
CHANGES = {
    "exploration": ({"exploration": 1.0}, {}),
    "selection": ({"selection": "puct"}, {}),
    "first_play": ({"first_play": 0.4}, {}),
    "opponent_key": ({"opponent_key": "merged"}, {}),
    "widening": ({"widening": 0.1}, {}),
    "rollout": ({"rollout": "random"}, {}),
    "epsilon": ({"epsilon": 0.3}, {}),
    "rollout_turns": ({"rollout_turns": 5}, {}),
    "evaluation": ({"evaluation": "simple"}, {"rollout_turns": 2}),
    "reward": ({"reward": "match"}, {}),
    "opponents": ({"opponents": "paranoid"}, {}),
    "opponent_prior": ({"opponent_prior": 0.3}, {}),
    "opponent_temperature": ({"opponent_temperature": 3.0}, {"opponent_prior": 0.5}),
    "turn_cost": ({"turn_cost": 0.01}, {}),
    "early_stop": ({"early_stop": True}, {"exploration": 0.0}),
    "threads": ({"threads": 2}, {}),
    "nodes": ({"nodes": 100}, {}),
    "enumerate": ({"enumerate": 4096}, {}),
}
# These change only what is made of the statistics.
AFTERWARDS = {"final"}
# These need a history: test_beliefs.py, test_repeats.py.
OF_HISTORY = {"belief_temperature", "belief_floor", "belief_pool", "repeats"}


@pytest.mark.parametrize("option", CHANGES)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_option_changes_the_search(option, players):
    """On a fixed seed, or it is not wired; and the same value twice changes nothing."""
    change, given = CHANGES[option]
    # With tokens, so that a match is another matter than a round.
    tokens = (1, 0) if players == 2 else (3, 2, 1, 0, 0)[:players]
    view = with_a_wide_group(players, 3, tokens=tokens) if option == "widening" else opening(players, 4, tokens=tokens)
    view = with_few_worlds(players) if option == "enumerate" else view
    if option == "opponents" and players == 2:
        pytest.skip("with 2 players to be against the root is to be for oneself: a test of its own, below")
    plain = run(view, 5, 400, **given)
    assert statistics(run(view, 5, 400, **given)) == statistics(plain)
    assert run(view, 5, 400, **{**given, **change}).moves != plain.moves


def with_a_wide_group(players, size, deck="standard", tokens=None):
    """The view of a deal in which the first seat may play so many sets of one value and size."""
    for seed in range(1000):
        view = opening(players, seed, deck, tokens)
        groups = [view.move_group(move) for move in view.legal_moves()]
        if max(groups.count(group) for group in set(groups) - {0}) >= size:
            return view
    raise AssertionError("no such deal")


def with_few_worlds(players):
    """A view late in a round of greedy players, with some worlds, but not more than can be listed."""
    for seed in range(100):
        state, rng = rules_of("standard", players).deal(Rng(seed)), Rng(seed, 1)
        while not state.is_over:
            view = state.observe(state.turn)
            if len(view.legal_moves()) > 3 and (view.count_worlds(4096) or 0) > 10:
                return view
            state.apply(state.greedy_move(rng, 0.1))
    raise AssertionError("no such view")


def test_with_two_players_paranoid_is_maxn():
    """What one wins the other loses; up to rounding, which these seeds do not meet."""
    for seed in range(5):
        view = opening(2, seed)
        both = [run(view, seed, 500, opponents=opponents) for opponents in ("maxn", "paranoid")]
        assert both[0].moves == both[1].moves


def test_no_option_is_forgotten_here():
    # `defaults` has its test with the games, since dnup has no defaults of its own.
    assert set(CHANGES) | AFTERWARDS | OF_HISTORY | {"defaults"} == {field.name for field in fields(SearchParams)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rollout", ["random", "greedy", "mast"])
@pytest.mark.parametrize("selection", ["ucb1", "puct"])
def test_the_ways_to_search_differ_from_each_other(shape, rollout, selection):
    view = midround(3, 5)
    mine = run(view, 2, 300, shape, rollout=rollout, selection=selection).moves
    for other in SHAPES:
        for way in ("random", "greedy", "mast"):
            for rule in ("ucb1", "puct"):
                if (other, way, rule) != (shape, rollout, selection) and {other, shape} != {"ismcts", "dmcts"}:
                    assert run(view, 2, 300, other, rollout=way, selection=rule).moves != mine, (other, way, rule)


def test_epsilon_is_the_chance_of_a_random_move_in_both_rollouts_that_have_it():
    view = opening(3)
    for rollout in ("greedy", "mast"):
        assert run(view, rollout=rollout, epsilon=0.0).moves != run(view, rollout=rollout, epsilon=0.5).moves
    assert run(view, rollout="random", epsilon=0.0).moves == run(view, rollout="random", epsilon=0.5).moves


def test_the_number_of_worlds_changes_dmcts():
    view = opening(3)
    found = [Engine(params_of(), worlds=worlds).search(view, Budget(iterations=300), Rng(1)) for worlds in (2, 3, 30)]
    assert [result.worlds for result in found] == [2, 3, 30]
    assert found[0].moves != found[1].moves != found[2].moves
    assert found[0].nodes != found[2].nodes


def test_more_exploration_spreads_the_visits():
    view = opening(3)
    spread = [max(move.visits for move in run(view, 1, 2000, exploration=c).moves) for c in (0.1, 0.5, 2.0, 10.0)]
    assert spread == sorted(spread, reverse=True)
    assert spread[0] > 3 * spread[-1]


def test_first_play_above_all_tries_every_move_before_any_twice():
    view = opening(4)
    count = len(view.legal_moves())
    assert [move.visits for move in run(view, iterations=count, shape="flat").moves] == [1] * count
    low = run(view, iterations=count, shape="flat", first_play=0.0, exploration=0.1)
    assert 0 in [move.visits for move in low.moves]


def test_widening_holds_back_sets_of_one_value_and_size():
    """Of one group at most 1 + w sqrt(visits), rounded up, are ever tried; of moves that stand alone, all."""
    view = with_a_wide_group(3, 6, "pairs-45")
    groups = {move: view.move_group(move) for move in view.legal_moves()}
    tried = [move.move for move in run(view, iterations=400, shape="flat", widening=0.05).moves if move.visits]
    for group in set(groups.values()) - {0}:
        assert sum(groups[move] == group for move in tried) <= 2  # 1 + 0.05 * 20
    assert all(move in tried for move, group in groups.items() if group == 0)
    assert len(tried) < len(groups)
    everything = run(view, iterations=400, shape="flat")
    assert all(move.visits for move in everything.moves)


def test_merged_keys_make_one_node_of_plays_that_differ_in_cards_only():
    view = opening(5)
    seat = view.turn
    trees = [searched(view, 3, 3000, opponent_key=key).tree() for key in ("exact", "merged")]
    fans = []
    for tree in trees:
        busy = max(children(tree, 0), key=lambda index: tree[index][2])
        moves = [tree[child][1] for child in children(tree, busy)]
        alike = [view.move_key(code, seat, True) for code in moves]
        fans.append((len(moves), len(set(alike))))
    assert fans[0][0] > fans[0][1], "exact: several plays of one kind"
    assert fans[1][0] == fans[1][1], "merged: one of each kind"
    # Own plays are never merged.
    own = [tree[child][1] for tree in trees[1:] for child in children(tree, 0)]
    assert sorted(own) == [move.code for move in view.legal_moves()]


@given(states())
def test_merged_keys_tell_apart_kind_zone_value_and_number_and_nothing_else(state):
    """By the text of the moves: of a play or an add the cards are left out, their value and number stay."""
    keys = {}
    for move in state.legal_moves():
        values = [active for active, _ in move.cards]
        alike = (move.kind, move.zone, values)
        for seat in range(state.players):
            keys.setdefault(state.move_key(move, seat, True), set()).add(repr(alike))
            assert state.move_key(move, seat) == move.code
    assert all(len(kinds) == 1 for kinds in keys.values())
    assert len(keys) == len(set.union(*keys.values())) if keys else state.is_over


def test_a_cost_per_turn_makes_every_reward_smaller_and_none_negative():
    view = opening(3)
    free, dear, dearest = (run(view, 1, 300, turn_cost=cost, rollout="random") for cost in (0, 0.001, 0.1))
    tried = [(a, b) for a, b in zip(free.moves, dear.moves, strict=True) if a.visits and b.visits]
    assert sum(sum(b.values) < sum(a.values) for a, b in tried) > 0.9 * len(tried)
    assert all(value >= 0 for move in dearest.moves for value in move.values)


def test_rollouts_are_as_long_as_they_may_be():
    view = opening(3)
    for turns in (0, 1, 7):
        assert run(view, rollout_turns=turns).rollout_turns <= turns
        assert run(view, rollout_turns=turns).rollout_turns == pytest.approx(turns, abs=0.5)
    assert run(view, rollout_turns=ALL_TURNS).rollout_turns > 10


def test_the_final_choice_is_by_visits_value_or_lower_bound():
    """Among the same statistics; the first of three moves is the most visited, the second has the best mean."""
    result = run(opening(3), 1, 600, exploration=1.0)
    chosen = {final: choose_move(result.moves, final) for final in ("visits", "value", "lcb")}
    moves = result.moves
    assert moves[chosen["visits"]].visits == max(move.visits for move in moves)
    assert moves[chosen["value"]].value == max(move.value for move in moves if move.visits)
    bounds = [move.value - 1.959964 * move.stderr if move.visits else -1e9 for move in moves]
    assert bounds[chosen["lcb"]] == max(bounds)
    for final, index in chosen.items():
        assert run(opening(3), 1, 600, exploration=1.0, final=final).best == moves[index].move
    views = [opening(players, seed) for players in (3, 4) for seed in range(6)]
    choices = [[run(view, 1, 200, exploration=1.0, final=final).best for final in chosen] for view in views]
    assert any(a != b for a, b, _ in choices)
    assert any(b != c for _, b, c in choices)


@pytest.mark.parametrize("kind", [SearchParams, SearchBotParams, DmctsParams])
def test_every_option_has_a_default_within_its_range_and_help(kind):
    for option in describe_params(kind):
        assert option.allows(option.default)
        assert option.help
        assert option.type is bool or option.choices or (option.low is not None and option.high is not None)


def test_the_defaults_are_those_of_the_documentation():
    expected = {"exploration": 0.5, "selection": "ucb1", "rollout": "greedy", "epsilon": 0.1, "threads": 1}
    expected |= {"rollout_turns": ALL_TURNS, "reward": "tokens", "opponents": "maxn", "final": "visits"}
    expected |= {
        "opponent_key": "exact",
        "widening": 0.0,
        "turn_cost": 0.0,
        "early_stop": False,
        "evaluation": "fitted",
    }
    assert {name: ENGINE_DEFAULTS[name] for name in expected} == expected
    assert SearchParams().exploration is None, "left to the game"
    assert DmctsParams().worlds == 20


def test_parameters_are_frozen_and_a_search_leaves_them_as_they_are():
    params = params_of(early_stop=True, threads=2)
    before = asdict(params)
    engine = Engine(params)
    engine.search(opening(3), Budget(iterations=50), Rng(1))
    assert asdict(engine.params) == before
    assert engine.params is params
    with pytest.raises(FrozenInstanceError):
        params.exploration = 1.0  # type: ignore[misc]


@pytest.mark.parametrize("option", CHANGES)
def test_options_outlive_a_new_seed(option):
    """An engine with another generator than before does what a new engine does with it."""
    change, given = CHANGES[option]
    view = opening(3, 4, tokens=(3, 2, 1))
    params = params_of(**{**given, **change})
    used = Engine(params)
    for seed in range(3):
        again = used.search(view, Budget(iterations=150), Rng(seed))
        new = Engine(params).search(view, Budget(iterations=150), Rng(seed))
        assert statistics(again) == statistics(new)
    assert params.nodes in (SMALL_TREE, 100)
