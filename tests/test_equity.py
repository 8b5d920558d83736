"""The match equity table is exact, and rewards are what the spec says of outcomes, also of rounds that end early."""

from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.dnup_equity import match_equity, reward_row, round_outcomes
from lines import states
from searching import opening, run


@cache
def exact(tokens):
    """Chances to win the match, as fractions, played out round by round: each pair of first and second equally likely.

    Written from the rules alone: 2 players: a round is worth 1, the first to 2 wins; else 2 and 1, the first to 4, and
    if the first out then has 4 the match is over before the second token is given.
    """
    n = len(tokens)
    chances = [Fraction(0)] * n
    pairs = [(seat, None) for seat in range(n)] if n == 2 else list(permutations(range(n), 2))
    for first, second in pairs:
        score = list(tokens)
        score[first] += 1 if n == 2 else 2
        goal = 2 if n == 2 else 4
        won = first if score[first] >= goal else None
        if won is None and second is not None:
            score[second] += 1
            won = second if score[second] >= goal else None
        rest = [Fraction(int(seat == won)) for seat in range(n)] if won is not None else exact(tuple(score))
        chances = [chance + part / len(pairs) for chance, part in zip(chances, rest, strict=True)]
    return tuple(chances)


SCORES = [score for n in (2, 3, 4, 5) for score in product(range(2 if n == 2 else 4), repeat=n)]


def test_every_score_has_the_exact_equity():
    """All 4 + 64 + 256 + 1024 scores, against fractions."""
    for score in SCORES:
        assert match_equity(score) == pytest.approx([float(chance) for chance in exact(score)], abs=1e-12), score


def test_equities_sum_to_one_and_depend_on_tokens_only():
    for score in SCORES:
        equity = match_equity(score)
        assert sum(equity) == pytest.approx(1, abs=1e-12)
        # Not above: at 0 : 3 : 3 one of the others is always first or second, and so has its fourth.
        assert min(equity) >= 0
        for order in list(permutations(range(len(score))))[:: max(1, len(score) - 1)]:
            turned = match_equity(tuple(score[seat] for seat in order))
            assert turned == pytest.approx([equity[seat] for seat in order], abs=1e-12)
        for seat, other in permutations(range(len(score)), 2):
            if score[seat] <= score[other]:
                assert equity[seat] <= equity[other] + 1e-12


def test_some_equities_known_by_hand():
    assert match_equity((0, 0)) == (0.5, 0.5)
    assert match_equity((1, 0)) == (0.75, 0.25)  # the other must win twice
    assert match_equity((1, 1)) == (0.5, 0.5)
    # All one short: whoever is first out wins, a token for the second never comes.
    assert match_equity((3, 3, 3)) == pytest.approx((1 / 3,) * 3)
    # One has 3: it wins as first or as second, which it is in 4 of the 6 orders; else it is third (2 orders), and the
    # round gave 2 and 1 to the others.
    third = float(exact((3, 2, 1))[0])
    assert match_equity((3, 0, 0))[0] == pytest.approx(4 / 6 + 2 / 6 * third)
    assert match_equity((4, 1, 0)) == (1.0, 0.0, 0.0)


def test_rounds_that_end_early():
    """The first out with 2 tokens and more wins at once: one way to end, where otherwise there is one per second."""
    assert round_outcomes((0, 0)) == [(0, -1), (1, -1)]
    assert sorted(round_outcomes((0, 0, 0))) == sorted(permutations(range(3), 2))
    ends = round_outcomes((2, 0, 1))
    assert ends.count((0, -1)) == 2, "as likely as (0, 1) and (0, 2) together"
    assert sorted(end for end in ends if end[0]) == [(1, 0), (1, 2), (2, 0), (2, 1)]
    assert set(round_outcomes((2, 0, 1), 1)) == {(1, 0), (1, 2)}
    assert reward_row("match", (2, 0, 1), 0, -1) == (1.0, 0.0, 0.0)
    assert reward_row("match", (1, 0), 0, -1) == (1.0, 0.0)
    assert reward_row("match", (0, 0), 0, -1) == (0.75, 0.25)


def test_rows_of_tokens_by_example():
    """As a share of the first prize; what was not given is split among those still in."""
    assert reward_row("tokens", (0, 0), 1, -1) == (0.0, 1.0)
    assert reward_row("tokens", (0, 0), -1, -1) == (0.5, 0.5)
    assert reward_row("tokens", (0, 0, 0), 2, 0) == (0.5, 0.0, 1.0)
    assert reward_row("tokens", (0, 0, 0), 2, -1) == (0.25, 0.25, 1.0)
    assert reward_row("tokens", (0, 0, 0), -1, -1) == (0.5, 0.5, 0.5)
    assert reward_row("tokens", (0,) * 5, 3, 1) == (0.0, 0.5, 0.0, 1.0, 0.0)
    assert reward_row("tokens", (0,) * 4, 3, -1) == pytest.approx((1 / 6, 1 / 6, 1 / 6, 1.0))
    # Over at once with 4 tokens: the second token is split as well.
    assert reward_row("tokens", (2, 0, 0), 0, -1) == (1.0, 0.25, 0.25)


@given(st.sampled_from(SCORES), st.sampled_from(["tokens", "match"]), st.data())
def test_every_row_sums_to_the_constant_of_its_kind(score, kind, data):
    seats = range(len(score))
    first = data.draw(st.sampled_from([-1, *seats]))
    seconds = [-1] if len(score) == 2 or first < 0 else [-1, *(seat for seat in seats if seat != first)]
    row = reward_row(kind, score, first, data.draw(st.sampled_from(seconds)))
    assert sum(row) == pytest.approx(1.0 if kind == "match" or len(score) == 2 else 1.5)
    assert all(0 <= part <= 1 for part in row)


@given(states())
def test_a_states_rewards_are_its_row_and_its_payoffs_rescaled(state):
    """`tokens` is the payoff over the first prize, whatever the tokens; `match` is the row for who is out."""
    prize = 1 if state.players == 2 else 2
    assert state.rewards() == pytest.approx([payoff / prize for payoff in state.payoffs()])
    out = (*state.out, -1, -1)
    assert state.rewards("match") == pytest.approx(reward_row("match", state.tokens, out[0], out[1]))
    guessed = state.rewards("match", evaluate=True)
    assert sum(guessed) == pytest.approx(1)


def test_what_is_undecided_is_the_mean_over_the_ways_to_end():
    for score in [(0, 1), (1, 2, 0), (3, 0, 1, 2)]:
        ends = round_outcomes(score)
        rows = [reward_row("match", score, *end) for end in ends]
        mean = [sum(column) / len(ends) for column in zip(*rows, strict=True)]
        assert reward_row("match", score, -1, -1) == pytest.approx(mean)
        assert reward_row("match", score, -1, -1) == pytest.approx(match_equity(score))


def test_a_search_for_matches_uses_the_table_of_its_own_tokens():
    """At 1 : 1 a round is the match, so every value is what a search for the round finds; at 1 : 0 it is rescaled."""
    rounds, level, ahead = (
        run(opening(2, 3, tokens=tokens), 1, 500, reward=reward)
        for tokens, reward in (((1, 1), "tokens"), ((1, 1), "match"), ((1, 0), "match"))
    )
    assert [move.visits for move in rounds.moves] == [move.visits for move in level.moves]
    assert [move.value for move in level.moves] == pytest.approx([move.value for move in rounds.moves])
    mover = opening(2, 3).turn
    low = 0.5 if mover == 0 else 0.0
    assert all(low <= move.value <= low + 0.5 for move in ahead.moves if move.visits)
    assert any(move.value not in (low, low + 0.5) for move in ahead.moves if move.visits)
