"""The engine's random numbers: reproducible, independent streams, exactly uniform."""

import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import chi2

from cython_core.rng import Rng


def test_known_numbers():
    """The generator is the published one: xoshiro256++ computed here in plain integers."""
    from numpy.random import SeedSequence

    mask = 2**64 - 1
    s = [int(word) for word in SeedSequence([1, 2, 3, 4]).generate_state(4, "u8")]
    rng = Rng(1, 2, 3, 4)
    for _ in range(1000):
        total = (s[0] + s[3]) & mask
        expected = (((total << 23) | (total >> 41)) + s[0]) & mask
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & mask
        assert rng.bits() == expected


def test_streams_do_not_overlap():
    """No number of one stream occurs in another: by chance that would happen once in 10**8 runs."""
    streams = [Rng(run, deal, game, seat) for run in (0, 1) for deal in (0, 1) for game in (0, 1) for seat in (0, 1, 5)]
    streams += [Rng(0), Rng(1), Rng(0, 1), Rng(2**32 - 1)]
    numbers = [{rng.bits() for _ in range(5000)} for rng in streams]
    assert len(set.union(*numbers)) == 5000 * len(streams)


# All words, and often those at which carries, signs and "no word at all" would show.
WORDS = st.integers(0, 2**32 - 1) | st.sampled_from([0, 1, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1])


@given(st.lists(WORDS, min_size=4, max_size=4))
@example([0, 0, 0, 0])
@example([2**32 - 1] * 4)
@example([0, 0, 0, 1])
@example([1, 0, 0, 0])
def test_a_stream_is_seeded_as_numpy_would(parts):
    from numpy.random import SeedSequence

    state = Rng(*parts).__reduce__()[1]
    assert state == tuple(SeedSequence(parts).generate_state(4, "u8").tolist())


def test_the_core_needs_no_numpy():
    code = "import sys; from cython_core.rng import Rng; Rng(1).bits(); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_a_pickled_stream_goes_on_where_it_was():
    rng = Rng(10)
    rng.bits()
    twin = pickle.loads(pickle.dumps(rng))
    assert [rng.bits() for _ in range(5)] == [twin.bits() for _ in range(5)]


def test_the_streams_parts_cannot_be_mistaken_for_each_other():
    """A part never spills into the next, nor does leaving parts out mean the same as other parts."""
    firsts = {Rng(*parts).bits() for parts in ((1,), (1, 0, 0, 0), (1, 0, 0, 1), (0, 1), (0, 1, 0, 0), (0, 0, 1), (0,))}
    assert len(firsts) == 7
    assert Rng(7).bits() == Rng(7, 0, 0, Rng.CHANCE).bits()


@pytest.mark.parametrize("bad", [-1, 2**32, 1.5, "1", None])
def test_a_seed_is_a_32_bit_number(bad):
    with pytest.raises(ValueError, match="a seed is an integer from 0 to 4294967295, got"):
        Rng(bad)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 52, 1000])
def test_below_is_uniform(n):
    """Chi-square, false alarm 1 in 100,000 each."""
    rng = Rng(5, n)
    draws = 200 * n
    counts = [0] * n
    for _ in range(draws):
        counts[rng.below(n)] += 1
    if n > 1:
        assert sum((count - 200) ** 2 / 200 for count in counts) < chi2.ppf(1 - 1e-5, n - 1)


@pytest.mark.parametrize("bad", [0, -3, 2**32])
def test_below_needs_a_range(bad):
    with pytest.raises((ValueError, OverflowError)):
        Rng(1).below(bad)


def test_below_rejects_what_would_be_uneven():
    """With n just over half of 2**32 nearly half of the draws are taken again: the upper half is as frequent."""
    rng = Rng(6)
    n = 3 * 2**30
    upper = sum(rng.below(n) >= n // 2 for _ in range(20000))
    assert abs(upper - 10000) < 5 * 71  # 5 standard deviations: 1 in 1,700,000


def test_random_and_choice():
    rng = Rng(8)
    numbers = [rng.random() for _ in range(10000)]
    assert all(0 <= number < 1 for number in numbers)
    assert abs(sum(numbers) / 10000 - 0.5) < 5 * 0.29 / 100
    assert {rng.choice("abc") for _ in range(100)} == set("abc")
    with pytest.raises(ValueError, match="nothing to choose from"):
        rng.choice([])


def test_a_copy_goes_on_by_itself():
    rng = Rng(9)
    twin = rng.copy()
    assert [rng.bits() for _ in range(5)] == [twin.bits() for _ in range(5)]


def test_the_same_seed_gives_the_same_bits_in_another_process():
    code = (
        "from cython_core.rng import Rng; from dnup_ai.decks import load_deck; "
        "s = load_deck('standard').rules(4).deal(Rng(3)); r = Rng(4); "
        "[s.apply(r.choice(s.legal_moves())) for _ in range(20)]; "
        "print(s, hash(s), s.observe(1).determinise(r), s.observe(s.turn).greedy_move(r))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
