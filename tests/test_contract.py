"""The contract of game.pxd holds for dnup: the conformance kit, and the properties that issue from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.dnup import DnupState
from cython_core.game import IllegalMoveError, Move, State, Undo
from cython_core.rng import Rng
from dnup_ai.testing import check_apply, check_round
from lines import EVERY_TABLE, choices, play, rules_of, seeds, states, tables


@pytest.mark.parametrize("out_sets", ["open", "frozen"])
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_random_rounds_keep_the_contract(deck, players, out_sets):
    rules = rules_of(deck, players, out_sets=out_sets)
    assert sum(check_round(rules, seed, max_turns=150) for seed in range(3)) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_many_random_rounds_keep_the_contract(deck, players):
    for seed in range(200):
        check_round(rules_of(deck, players), 1000 + seed)


@given(states())
def test_every_move_undone_is_a_copy(state):
    for move in state.legal_moves():
        check_apply(state, move)


@given(states(), choices)
def test_a_whole_line_undone_is_a_copy(state, line):
    before = state.copy()
    undos = []
    for choice in line:
        if state.is_over:
            break
        moves = state.legal_moves()
        undos.append(state.apply(moves[choice % len(moves)]))
    for undo in reversed(undos):
        state.undo(undo)
    assert state.to_bytes() == before.to_bytes()
    assert hash(state) == hash(before)
    assert state.legal_moves() == before.legal_moves()


@given(states(), st.integers(0, 2**32 - 1))
def test_is_legal_says_what_the_list_says(state, code):
    """Any number is answered; only those of the list are legal."""
    codes = {move.code for move in state.legal_moves()}
    assert state.is_legal(code) == (code in codes)
    for near in codes:
        for bit in range(24):
            assert state.is_legal(near ^ 1 << bit) == (near ^ 1 << bit in codes)


@given(tables, seeds, choices)
def test_the_same_seed_and_moves_give_the_same_bytes(table, seed, line):
    first, second = (play(rules_of(*table).deal(Rng(seed)), line) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_a_state_is_at_most_256_bytes(deck, players):
    assert len(rules_of(deck, players).deal(Rng(0)).to_bytes()) <= 256


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_a_deal_is_fair(deck, players):
    """Everybody gets equally many cards, the star's holder begins, in zone 2 at 2 players."""
    rules = rules_of(deck, players)
    for seed in range(50):
        position = rules.deal(Rng(seed)).position()
        assert {len(hand) for hand in position.hands} == {len(rules.cards) // players}
        holder = next(seat for seat, hand in enumerate(position.hands) if any(card.mark for card in hand.cards))
        assert position.turn == holder
        assert position.zone == (2 if players == 2 else holder)
        assert not position.gone
        assert not any(position.table)


def test_a_deal_puts_every_card_everywhere_either_way_up():
    """Each card in each hand and each way up equally often: chi-square, false alarm 1 in 10,000."""
    from scipy.stats import chi2

    rules = rules_of("standard", 3)
    deals = 3000
    counts = {}
    for seed in range(deals):
        for seat, hand in enumerate(rules.deal(Rng(7, seed)).position().hands):
            for active, inactive, _ in hand.cards:
                counts[seat, active, inactive] = counts.get((seat, active, inactive), 0) + 1
    expected = deals / 6
    cells = [counts.get((seat, *pair), 0) for seat in range(3) for c in rules.cards for pair in (c, c[::-1])]
    # One constraint a card: its six cells sum to the number of deals; hand sizes and ways up vary freely enough
    # that the statistic stays below this bound (it is below chi-square: hands have a fixed size).
    assert sum((count - expected) ** 2 / expected for count in cells) < chi2.ppf(0.9999, 5 * len(rules.cards))


def test_states_moves_and_undos_are_not_made_by_hand():
    for kind in (Move, Undo):
        with pytest.raises(TypeError, match=r"come from"):
            kind()


def test_the_abstract_state_plays_no_game():
    with pytest.raises(NotImplementedError, match="a game makes its own states"):
        State()


def test_an_illegal_move_is_refused_with_the_position():
    rules = rules_of("standard", 3)
    state = rules.deal(Rng(1))
    before = state.to_bytes()
    with pytest.raises(IllegalMoveError, match=r"take@0 is not legal in dnup:3 turn="):
        state.apply(rules.move("take", zone=0))
    assert state.to_bytes() == before


@pytest.mark.parametrize("bad", [-1, 2**32, "flip", None, 1.5])
def test_what_is_no_move_is_refused(bad):
    with pytest.raises((ValueError, TypeError), match=r"expected a move or its code, got"):
        rules_of("standard", 3).deal(Rng(1)).apply(bad)


def test_a_move_of_other_rules_is_refused():
    flip = rules_of("standard", 4).move("flip")
    with pytest.raises(ValueError, match="of other rules"):
        rules_of("standard", 3).deal(Rng(1)).apply(flip)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda state: state.observe(3), r"expected seat 0\.\.2, got 3"),
        (lambda state: state.determinise(Rng(1)), "determinise a view"),
        (lambda state: state.perft(-1), "depth: expected 0 to 100, got -1"),
        (lambda state: state.rollout(Rng(1), "clever"), "expected policy 'random' or 'greedy', got 'clever'"),
        (lambda state: state.observe(0).observe(1), "it cannot show what seat 1 knows"),
        (lambda state: state.observe((state.turn + 1) % 3).legal_moves(), "cannot know the moves of seat"),
        (lambda state: state.observe(0).perft(1), "determinise it first"),
        (lambda state: state.observe(0).rollout(Rng(1)), "determinise it first"),
        (lambda state: state.observe(0).repetition_key(), "determinise it first"),
    ],
)
def test_misuse_says_what_to_do(call, message):
    with pytest.raises(ValueError, match=message):
        call(rules_of("standard", 3).deal(Rng(1)))


@given(states(), seeds)
def test_rollouts_end_and_pay_a_constant_sum(state, seed):
    for policy, epsilon in (("random", 0.0), ("greedy", 0.1)):
        payoffs, turns = state.rollout(Rng(seed), policy, epsilon, max_turns=500)
        assert abs(sum(payoffs) - sum(state.payoffs())) < 1e-9
        assert 0 <= turns <= 500
        assert (turns == 0) == state.is_over


def test_a_rollout_that_hits_its_cap_is_undecided_not_a_win():
    state = rules_of("standard", 4).deal(Rng(1))
    payoffs, turns = state.rollout(Rng(2), max_turns=3)
    assert turns == 3
    assert payoffs == (0.75,) * 4


def test_a_rollout_leaves_the_state_alone():
    state = rules_of("standard", 4).deal(Rng(1))
    before = state.to_bytes()
    state.rollout(Rng(2))
    assert state.to_bytes() == before


def test_a_dnup_state_is_made_from_its_position():
    state = rules_of("standard", 5).deal(Rng(3))
    assert DnupState(state.rules, state.position()) == state
