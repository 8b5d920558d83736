"""Standard errors and predictions: what the search says of its own certainty, against what happens."""

import math

import numpy as np
import pytest

from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, batch_error
from lines import rules_of
from searching import midround, opening, params_of, run


def test_batch_error_by_hand():
    # Means 1, 2, 3 of one value each: the sample deviation is 1, so the error is 1 / sqrt(3).
    assert batch_error([(1.0, 1), (2.0, 1), (3.0, 1)]) == pytest.approx(1 / math.sqrt(3))
    # Twice the same batches: the mean is the same, the spread about it too.
    assert batch_error([(2.0, 2), (4.0, 2), (6.0, 2)]) == pytest.approx(1 / math.sqrt(3))
    assert batch_error([(3.0, 3), (3.0, 3)]) == 0.0
    assert batch_error([(3.0, 3)]) == math.inf
    assert batch_error([]) == math.inf


@pytest.mark.parametrize("counts", [[50] * 16, [10, 20, 30, 40, 50, 60, 70, 80] * 2])
def test_batch_error_is_the_error_of_the_mean_in_a_simulation(counts):
    """Independent values of variance 1: the mean of n has variance 1/n, and so have the squared errors on average.

    4000 samples with 15 degrees of freedom: the ratio is within 3% of 1 but for one time in a thousand at least;
    batches of unequal size lose a little, so 5% is allowed. The seed is fixed.
    """
    rng = np.random.default_rng(5)
    n = sum(counts)
    squares, means = [], []
    for _ in range(4000):
        sums = [rng.normal(0, math.sqrt(count)) for count in counts]
        squares.append(batch_error(list(zip(sums, counts, strict=True))) ** 2)
        means.append(sum(sums) / n)
    assert np.mean(squares) * n == pytest.approx(1, rel=0.05)
    assert np.var(means) * n == pytest.approx(1, rel=0.08)


@pytest.mark.parametrize(("players", "rollout"), [(2, "greedy"), (3, "greedy"), (3, "random")])
def test_reported_errors_are_the_spread_over_seeds(players, rollout):
    """Flat search 120 times: the deviation of a move's value over the seeds is the error reported, within a factor.

    With 120 runs the deviation itself is known to 6.5%; UCB1 gives up on moves that began badly, which adds a little:
    three tenths are allowed. Moves with at least 50 visits in every run.
    """
    view = midround(players, 4)
    view = view.observe(view.turn)
    runs = [run(view, seed, 1500, "flat", rollout=rollout, exploration=2.0).moves for seed in range(120)]
    checked = 0
    for index in range(len(runs[0])):
        moves = [found[index] for found in runs]
        if min(move.visits for move in moves) < 50:
            continue
        spread = np.std([move.value for move in moves], ddof=1)
        reported = math.sqrt(np.mean([move.stderr**2 for move in moves]))
        if reported > 1e-9:
            assert 0.75 < spread / reported < 1.3, str(moves[0].move)
            checked += 1
    assert checked >= 2


def test_two_threads_have_less_error_than_one():
    view = opening(3)
    alone, both = (run(view, 1, 4000, "flat", threads=threads) for threads in (1, 2))
    best = max(range(len(alone.moves)), key=lambda index: alone.moves[index].visits)
    assert both.moves[best].stderr < alone.moves[best].stderr


def outcomes(players, positions, iterations, seed):
    """Pairs of what a search promised for its move, and what came of it when all seats played on by such searches."""
    rules = rules_of("standard", players)
    params = params_of()
    pairs = []
    for number in range(positions):
        rng = Rng(seed, number)
        state = rules.deal(rng)
        for _ in range(rng.below(4 * players)):
            if not state.is_over:
                state.apply(state.greedy_move(rng, 0.2))
        if state.is_over:
            continue
        engine = Engine(params)
        seat = state.turn
        result = engine.search(state.observe(seat), Budget(iterations=iterations), rng)
        promised = next(move.value for move in result.moves if move.move == result.best)
        state.apply(result.best)
        for _ in range(150):
            if state.is_over:
                break
            state.apply(engine.choose(state.observe(state.turn), Budget(iterations=iterations), rng))
        pairs.append((promised, state.rewards()[seat]))
    return pairs


def reliability(pairs, bins):
    """Per bin of equal size by what was promised: mean promised, mean that came, its standard error."""
    pairs = sorted(pairs)
    parts = [pairs[len(pairs) * i // bins : len(pairs) * (i + 1) // bins] for i in range(bins)]
    rows = []
    for part in parts:
        promised, came = (np.array(column) for column in zip(*part, strict=True))
        # Of few outcomes all may be alike: the error of at least one that is not.
        error = max(float(np.std(came, ddof=1)), math.sqrt(1 / len(came))) / math.sqrt(len(came))
        rows.append((promised.mean(), came.mean(), error))
    return rows


def assert_reliable(pairs, bins, optimism):
    """More promised, more came; and the search promises too much, by at most `optimism`, but never too little.

    That it promises too much is known: it picks the best of noisy means, and it thinks the others play as its rollouts
    and its tree do. Bands of 3.5 standard errors: six bins of a search that keeps to them fail one time in 400.
    """
    rows = reliability(pairs, bins)
    for promised, came, error in rows:
        assert promised - came > -3.5 * error
        assert promised - came < optimism + 3.5 * error
    came = [row[1] for row in rows]
    assert came[-1] - came[0] > 2 * math.hypot(rows[0][2], rows[-1][2])
    gap = np.mean([promised - reward for promised, reward in pairs])
    assert -0.05 < gap < optimism


@pytest.mark.parametrize("players", [2, 3])
def test_promises_are_reliable_to_some_degree(players):
    """60 iterations a move; the gap over all is 0.15 to 0.2 there."""
    assert_reliable(outcomes(players, 200, 60, 3), 3, 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_promises_are_reliable(players):
    """1000 iterations a move: the gap is about 0.1 (300 iterations: 0.1 to 0.15)."""
    assert_reliable(outcomes(players, 300, 1000, 4), 6, 0.17)
