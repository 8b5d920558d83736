"""Beliefs: worlds taken back to where the round began, Bayes' rule against a literal one, the search that uses it."""

import math
from collections import Counter
from itertools import pairwise
from statistics import fmean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cython_core.belief import EFFECTIVE_SHARE, LEAST_WORLDS, Belief
from cython_core.kuhn import KuhnRules
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.bots import parse_spec
from dnup_ai.search import Budget, Engine, SearchParams, search
from lines import EVERY_TABLE, choices, rules_of, seeds, tables
from reference_search import ReferenceSearch
from searching import SHAPES, opening, params_of, statistics
from tournaments.match import play_round


def line_of(state, numbers):
    """Play one move a number on `state`; returns the moves."""
    moves = []
    for number in numbers:
        if state.is_over:
            break
        legal = state.legal_moves()
        moves.append(legal[number % len(legal)])
        state.apply(moves[-1])
    return moves


def late(players, seed=1, turns=12, deck="standard"):
    """A true state some moves of the heuristic into a round, one in five of them random, and these moves."""
    for attempt in range(50):
        state, rng, moves = rules_of(deck, players).deal(Rng(seed, attempt)), Rng(seed, attempt, 7), []
        while not state.is_over and len(moves) < turns:
            moves.append(state.greedy_move(rng, 0.2))
            state.apply(moves[-1])
        if not state.is_over and len(state.legal_moves()) > 1:
            return state, moves
    raise AssertionError("every round was over by then")


def belief_of(view, moves, limit=1024, pool=64, temperature=2.0, floor=0.2, seed=1):
    codes = [move.code for move in moves]
    return Belief(view, codes, Rng(seed), limit=limit, pool=pool, temperature=temperature, floor=floor)


def literal_likelihood(start, moves, own, temperature, floor):
    """What the opponents played, move by move from the start."""
    state, found = start.copy(), 1.0
    for move in moves:
        if state.turn != own:
            legal = state.legal_moves()
            powers = [prior**temperature for prior in state.priors()]
            found *= floor / len(legal) + (1 - floor) * powers[legal.index(move)] / sum(powers)
        state.apply(move)
    return found


# --- back to the start


@given(tables, seeds, choices, st.sampled_from(["open", "frozen"]))
def test_a_state_goes_back_to_where_its_round_began(table, seed, numbers, out_sets):
    rules = rules_of(*table, out_sets=out_sets)
    state = rules.deal(Rng(seed), (1,) * rules.players)
    start = state.copy()
    moves = line_of(state, numbers)
    assert state.rewind(moves) == start


@settings(max_examples=50)
@given(tables, seeds, choices)
def test_so_does_every_world_and_the_moves_lead_from_there_to_it(table, seed, numbers):
    """No world that agrees with a view is one in which the round could not have gone as it did."""
    state = rules_of(*table).deal(Rng(seed))
    moves = line_of(state, numbers)
    for seat in range(state.players):
        view = state.observe(seat)
        for number in range(5):
            world = view.determinise(Rng(seed, number))
            start = world.rewind(moves)
            start.check()
            for move in moves:
                start.apply(move)  # raises if it is not legal
            assert start == world


def test_moves_of_another_round_lead_nowhere():
    state, moves = late(3)
    others = late(3, 2)[1]
    with pytest.raises(ValueError, match="these moves do not lead to this state"):
        state.rewind(others)
    with pytest.raises(ValueError, match="these moves do not lead to this state"):
        state.rewind(moves[:-1])
    with pytest.raises(ValueError, match="these moves do not lead to this state"):
        state.rewind(moves[1:])
    with pytest.raises(ValueError, match="a view"):
        state.observe(0).rewind(moves)
    with pytest.raises(ValueError, match="these moves do not lead to this state"):
        KuhnRules().deal(Rng(1)).rewind([])


# --- Bayes' rule


@pytest.mark.parametrize(("temperature", "floor"), [(0.5, 0.0), (1.0, 0.5), (3.0, 0.05), (2.0, 1.0)])
@pytest.mark.parametrize("seed", range(3))
def test_the_belief_is_bayes_rule_over_all_worlds(seed, temperature, floor):
    """Listed, from each start, move by move; also worlds that are not in the core's order of time."""
    state, moves = late(2, seed, 6)
    view = state.observe(state.turn)
    belief = belief_of(view, moves, temperature=temperature, floor=floor)
    assert belief.source == "listed"
    assert [world.to_bytes() for world in belief.worlds()] == [world.to_bytes() for world in view.worlds()]
    weights = [literal_likelihood(world.rewind(moves), moves, view.view, temperature, floor) for world in view.worlds()]
    expected = [weight / sum(weights) for weight in weights]
    assert belief.probabilities() == pytest.approx(expected, rel=1e-9)
    assert belief.effective == pytest.approx(1 / sum(chance * chance for chance in expected))
    assert 1 <= belief.effective < belief.n


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_pool_bears_weights_of_the_same_kind(players):
    """Uniform draws, each with its likelihood; tempered as a whole where too few would count."""
    tempered = 0
    for seed in range(6):
        state, moves = late(players, seed, 4 + 3 * seed)
        view = state.observe(state.turn)
        for temperature in (0.5, 20.0):
            belief = belief_of(view, moves, limit=0, pool=64, temperature=temperature, floor=0.01, seed=seed)
            if belief.listed:
                continue
            assert belief.source == "sampled"
            assert belief.n == 64
            assert sum(belief.probabilities()) == pytest.approx(1)
            assert belief.effective >= 64 * EFFECTIVE_SHARE * (1 - 1e-9)
            logs = [
                math.log(literal_likelihood(world.rewind(moves), moves, view.view, temperature, 0.01))
                for world in belief.worlds()
            ]
            found = [math.log(chance) for chance in belief.probabilities()]
            # One power for all worlds: differences of logarithms are in proportion, and the largest ones tell it.
            top, low = logs.index(max(logs)), logs.index(min(logs))
            power = (found[top] - found[low]) / (logs[top] - logs[low])
            assert found == pytest.approx([found[top] + power * (value - logs[top]) for value in logs], abs=1e-6)
            assert power <= 1 + 1e-9
            if power < 1 - 1e-6:
                tempered += 1
                assert belief.effective == pytest.approx(64 * EFFECTIVE_SHARE, rel=1e-3)
    assert tempered > 1


def test_a_pool_estimates_what_the_list_says():
    """The belief that a card lies one way up, from many pools: within 4 standard errors and a small bias."""
    state, moves = late(2, 3, 5)
    view = state.observe(state.turn)
    exact = belief_of(view, moves, temperature=1.0)
    assert exact.listed
    worlds = {world.to_bytes(): chance for world, chance in zip(exact.worlds(), exact.probabilities(), strict=True)}
    other = 1 - state.turn
    cards = [card for card in state.position().hands[other].cards if not card.mark]

    def share(belief):
        up = 0.0
        for world, chance in zip(belief.worlds(), belief.probabilities(), strict=True):
            active = {(card.active, card.inactive) for card in world.position().hands[other].cards}
            up += chance * ((cards[0].active, cards[0].inactive) in active)
        return up

    assert len(worlds) > 31
    pools = [share(belief_of(view, moves, limit=0, pool=31, temperature=1.0, seed=seed)) for seed in range(400)]
    error = math.sqrt(fmean((value - fmean(pools)) ** 2 for value in pools) / len(pools))
    assert fmean(pools) == pytest.approx(share(exact), abs=4 * error + 0.03)


def test_without_history_or_model_a_belief_is_uniform():
    state, moves = late(2, 1, 8)
    view = state.observe(state.turn)
    others = late(2, 5, 8)[1]
    for belief in (
        belief_of(view, []),
        belief_of(view, moves, temperature=0.0),
        belief_of(view, others),
        belief_of(view, moves[1:]),
        belief_of(view, [*moves, *moves]),
    ):
        assert (belief.source, belief.informed) == ("uniform", False)
        assert belief.probabilities() == [1 / belief.n] * belief.n
        assert belief.effective == belief.n
    kuhn = KuhnRules().deal(Rng(1))
    first = kuhn.legal_moves()[0]
    kuhn.apply(first)
    assert belief_of(kuhn.observe(kuhn.turn), [first], limit=0, pool=4).source == "uniform"


def test_what_is_out_of_range_is_refused():
    view = opening(2)
    for options in ({"temperature": -1.0}, {"floor": 1.5}, {"floor": -0.1}, {"limit": -1}, {"pool": 0}):
        with pytest.raises(ValueError, match="expected"):
            belief_of(view, [], **options)
    with pytest.raises(ValueError, match="this is the true state"):
        belief_of(view.determinise(Rng(1)), [])
    belief = belief_of(view, [])
    for other, pool in ((opening(2, 5), 4096), (view, 1)):
        searcher = Searcher(other, params_of(belief_pool=pool))
        with pytest.raises(ValueError, match="the belief is of another view, or of more worlds"):
            searcher.search(other, Rng(1), "tokens", iterations=1, belief=belief)


def test_draws_are_as_often_as_the_belief_says_up_to_rounding():
    state, moves = late(2, 2, 6)
    belief = belief_of(state.observe(state.turn), moves)
    chances, rng, total = belief.probabilities(), Rng(3), Counter()
    for _ in range(200):
        counts = Counter(belief.draw(rng))
        assert sum(counts.values()) == belief.n
        for index, chance in enumerate(chances):
            assert math.floor(chance * belief.n - 1e-9) <= counts[index] <= math.ceil(chance * belief.n + 1e-9)
        total += counts
    for index, chance in enumerate(chances):
        # A count differs from its mean by less than 1, so by less than 4 / sqrt(4 * 200) on average over 200 of them.
        assert total[index] / 200 == pytest.approx(chance * belief.n, abs=4 / math.sqrt(800))


def test_the_belief_does_not_look_at_the_true_world():
    """Another world of the same view, the same moves: the same bits."""
    state, moves = late(3, 2, 15)
    view = state.observe(state.turn)
    for number in range(3):
        again = view.determinise(Rng(number)).observe(state.turn)
        assert belief_of(again, moves).probabilities() == belief_of(view, moves).probabilities()


@pytest.mark.parametrize("bot", ["greedy", "ismcts:iterations=60,rollout_turns=4,exploration=0.3"])
def test_the_true_world_is_likelier_than_by_chance(bot):
    """Log-loss over 12 rounds of 2 players, each counted once; the figures of many rounds are in docs/search.md."""
    gains = []
    for deal in range(12):
        rules = rules_of("standard", 2)
        state = rules.deal(Rng(49_000 + deal))
        bots = [parse_spec(bot).make(Rng(49_000 + deal, 1, 0, seat)) for seat in range(2)]
        played = play_round(rules, bots, state).moves
        found = []
        for turn, move in enumerate(played[:40]):
            view = state.observe(state.turn)
            belief = belief_of(view, played[:turn])
            if belief.n > 1 and turn:
                index = [world.to_bytes() for world in belief.worlds()].index(state.to_bytes())
                found.append(math.log(belief.probabilities()[index] * belief.n))
            state.apply(move)
        gains.append(fmean(found))
    assert fmean(gains) > 0.25


# --- in the search


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("players", [2, 3])
def test_a_search_without_belief_takes_nothing_from_the_history(shape, players):
    state, moves = late(players, 3, 9)
    view = state.observe(state.turn)
    for options in ({}, {"enumerate": 1024}, {"belief_floor": 0.5, "belief_pool": 7}):
        engine = Engine(params_of(**options), **SHAPES[shape])
        without = engine.search(view, Budget(iterations=100), Rng(5))
        assert statistics(engine.search(view, Budget(iterations=100), Rng(5), moves)) == statistics(without)
        assert without.belief == "uniform"
    # Nor does one with it, where there is no history, or one that is of another round.
    engine = Engine(params_of(belief_temperature=2.0), **SHAPES[shape])
    plain = Engine(params_of(), **SHAPES[shape]).search(view, Budget(iterations=100), Rng(5))
    for history in ((), late(players, 8, 9)[1]):
        assert statistics(engine.search(view, Budget(iterations=100), Rng(5), history)) == statistics(plain)
    true = [
        Engine(params_of(**o)).search(state, Budget(iterations=50), Rng(5), moves)
        for o in ({}, {"belief_temperature": 2.0})
    ]
    assert statistics(true[0]) == statistics(true[1])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("players", "source"), [(2, "listed"), (5, "sampled")])
def test_a_search_with_belief_says_so_and_is_reproducible(shape, threads, players, source):
    state, moves = late(players, 3, 7)
    view = state.observe(state.turn)
    engine = Engine(params_of(belief_temperature=2.0, enumerate=1024, threads=threads), **SHAPES[shape])
    one, two = (engine.search(view, Budget(iterations=100), Rng(5), moves) for _ in range(2))
    assert statistics(one) == statistics(two)
    assert one.belief == source
    assert not one.exact
    assert one.iterations == 100 * threads
    assert one.moves != engine.search(view, Budget(iterations=100), Rng(5)).moves
    assert engine.choose(view, Budget(iterations=100), Rng(5), moves) == one.best
    assert search(view, engine.params, Budget(iterations=100), moves, rng=Rng(5)).belief == source


@pytest.mark.parametrize("option", ["belief_temperature", "belief_floor", "belief_pool"])
@pytest.mark.parametrize("players", [2, 4])
def test_every_option_of_beliefs_changes_the_search(option, players):
    state, moves = late(players, 4, 7)
    view = state.observe(state.turn)
    base = {"belief_temperature": 2.0, "belief_floor": 0.2, "belief_pool": 16}
    other = {"belief_temperature": 5.0, "belief_floor": 0.9, "belief_pool": 20}
    found = []
    for options in (base, base | {option: other[option]}):
        engine = Engine(params_of(**options))
        found.append(engine.search(view, Budget(iterations=200), Rng(5), moves).moves)
    assert found[0] != found[1]


@pytest.mark.parametrize("shape", [{}, {"max_depth": 1}, {"trees": 3}])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_search_with_belief_is_the_literal_one(shape, players):
    """Node by node and bit by bit, over some passes of the worlds."""
    state, moves = late(players, 6, 7)
    view = state.observe(state.turn)
    belief = belief_of(view, moves, pool=20)
    assert belief.informed
    params = params_of(enumerate=1024, belief_pool=20, rollout_turns=3, evaluation="simple", opponent_prior=0.2)
    core = Searcher(view, params, **shape)
    core.search(view, Rng(8), params.reward, iterations=200, belief=belief)
    literal = ReferenceSearch(view, params, Rng(8), belief=belief, **shape)
    for _ in range(200):
        literal.iterate()
    assert core.tree() == literal.tree()
    assert core.root_batches() == literal.root_batches()


def test_the_time_of_a_belief_is_part_of_the_budget():
    state, moves = late(5, 1, 30)
    view = state.observe(state.turn)
    engine = Engine(params_of(belief_temperature=2.0, belief_pool=64))
    result = engine.search(view, Budget(iterations=1), Rng(1), moves)
    assert result.belief == "sampled"
    alone = Engine(params_of(belief_temperature=0.0)).search(view, Budget(iterations=1), Rng(1), moves)
    assert result.cpu > 2 * alone.cpu, "64 worlds of 30 turns take longer than one iteration"
    assert result.wall >= result.cpu / 2


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_bots_hand_on_the_history(deck, players):
    rules = rules_of(deck, players, max_turns=12)
    moves = []
    for options in (",belief_temperature=0", ",belief_temperature=2.0,enumerate=1024,belief_pool=32"):
        bots = [parse_spec(f"ismcts:iterations=40{options}").make(Rng(7, 0, 0, seat)) for seat in range(players)]
        played = play_round(rules, bots, rules.deal(Rng(3)))
        assert played.outcome.fault is None
        moves.append(played.moves)
    assert moves[0] != moves[1]


@given(tables, seeds, choices, seeds)
@settings(max_examples=40)
def test_any_history_gives_a_sound_belief(table, seed, numbers, drawn):
    state = rules_of(*table).deal(Rng(seed))
    moves = line_of(state, numbers)
    assume(not state.is_over and moves)
    view = state.observe(state.turn)
    belief = belief_of(view, moves, limit=100, pool=20, seed=drawn)
    assert belief.informed
    assert sum(belief.probabilities()) == pytest.approx(1)
    assert min(belief.probabilities()) > 0
    assert belief.listed == (view.count_worlds(100) is not None)


# --- when time is short


def long_history(players, turns):
    """A view, and the moves of a round that has gone on for so long: flips, which every hand can play at any time."""
    state = rules_of("standard", players).deal(Rng(5))
    history = []
    while len(history) < turns:
        history.append(next(move for move in state.legal_moves() if str(move) == "flip"))
        state.apply(history[-1])
    return state.observe(state.turn), [move.code for move in history]


def timed(players, turns, **limits):
    view, codes = long_history(players, turns)
    return Belief(view, codes, Rng(1), limit=1024, pool=256, temperature=2.0, floor=0.2, **limits)


@pytest.mark.parametrize("players", [2, 3])
def test_time_enough_changes_nothing(players):
    free, limited = timed(players, 40), timed(players, 40, cpu=1000.0, wall=1000.0)
    assert limited.probabilities() == free.probabilities()
    assert (limited.n, limited.source, limited.worlds()) == (free.n, free.source, free.worlds())


@pytest.mark.parametrize("limits", [{"cpu": 0.0}, {"wall": 0.0}])
@pytest.mark.parametrize("players", [2, 3])
def test_without_time_all_worlds_are_equally_likely(players, limits):
    belief = timed(players, 40, **limits)
    assert belief.source == "uniform"
    assert set(belief.probabilities()) == {1 / belief.n}
    assert belief.n == (1024 if players == 2 else 256)


@pytest.mark.parametrize("players", [2, 3])
def test_with_little_time_it_is_a_pool_of_what_was_weighed(players):
    """Each world of it is one of the whole belief, likelier than another where it is there; limits shrink until it is
    cut, so that the test is of no machine's speed.
    """
    whole = timed(players, 150)
    place = {str(world): at for at, world in enumerate(whole.worlds())}
    assert len(place) == whole.n
    limit = 1.0
    while (cut := timed(players, 150, cpu=limit)).n == whole.n and cut.informed:
        limit *= 0.8
    assert LEAST_WORLDS <= cut.n < whole.n
    assert (cut.source, cut.listed) == ("sampled", False)
    assert sum(cut.probabilities()) == pytest.approx(1)
    places = [place[str(world)] for world in cut.worlds()]
    assert places == sorted(set(places))
    if players == 2:
        assert max(places) > 0.9 * whole.n, "spread over the whole list"
    weights = [whole.probabilities()[at] for at in places]
    order = sorted(range(cut.n), key=weights.__getitem__)
    likely = [cut.probabilities()[at] for at in order]
    assert all(low <= high + 1e-12 for low, high in pairwise(likely)), "tempered perhaps, but in the same order"


def test_a_search_keeps_half_of_its_time():
    """However long the round was; weighing 4,096 worlds takes longer than all of it, which left one iteration."""
    view, codes = long_history(3, 900)
    history = [view.rules.wrap_move(code) for code in codes]
    result = Engine(SearchParams(belief_pool=4096)).search(view, Budget(cpu=0.1), Rng(1), history)
    assert result.iterations > 100
