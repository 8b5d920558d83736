"""The core agrees with the literal reference, move for move, and in its perft counts."""

import random

import pytest

import reference
from cython_core.rng import Rng
from dnup_ai.decks import load_deck, shipped_decks
from dnup_ai.notation import parse_move, parse_position
from dnup_ai.testing import random_line
from lines import EVERY_TABLE

DECKS = {deck.name: deck for deck in (reference.STANDARD, reference.PAIRS_45, reference.PAIRS_36)}


def test_the_shipped_decks_are_the_ones_of_the_rules():
    assert set(shipped_decks()) == set(DECKS)
    for name, literal in DECKS.items():
        deck = load_deck(name)
        assert deck.star == literal.star
        for players in deck.player_counts():
            assert sorted(deck.cards_at(players)) == sorted(literal.at(players))


def agree_over_a_round(deck: str, players: int, seed: int, views: bool, out_sets: str = "open") -> int:
    """Play one random round on both; returns the number of turns."""
    rng = random.Random(seed)
    tokens = [rng.randrange(2 if players == 2 else 4) for _ in range(players)]
    literal = reference.deal(DECKS[deck], players, rng, tokens)
    state = parse_position(str(literal), out_sets=out_sets)
    turns = 0
    while True:
        assert str(state) == str(literal)
        assert state.is_over == reference.is_over(literal)
        assert list(state.result()) == reference.result(literal)
        assert list(state.payoffs()) == pytest.approx(reference.payoffs(literal))
        assert list(state.ranks()) == reference.ranks(literal)
        if views:
            for seat in range(players):
                assert str(state.observe(seat)) == str(reference.observe(literal, seat))
        if state.is_over or turns == 300:
            return turns
        moves = sorted(str(move) for move in state.legal_moves())
        assert moves == sorted(reference.legal(literal, out_sets))
        move = rng.choice(moves)
        literal = reference.play(literal, move, out_sets)
        state.apply(parse_move(state.rules, move))
        turns += 1


@pytest.mark.parametrize("out_sets", ["open", "frozen"])
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_random_rounds_agree(deck, players, out_sets):
    for seed in range(20):
        agree_over_a_round(deck, players, seed, views=seed < 5, out_sets=out_sets)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_twenty_thousand_random_rounds_agree(deck, players, block):
    rounds = 20_000 // len(EVERY_TABLE) // 10 + 1
    for seed in range(rounds):
        agree_over_a_round(
            deck, players, 10_000 + block * rounds + seed, views=seed % 10 == 0,
            out_sets="frozen" if seed % 4 == 0 else "open",
        )  # fmt: skip


def late_positions() -> list[tuple[str, int]]:
    """Positions of random play at every table, the last turns of rounds among them, with a depth that is quick."""
    positions = []
    for deck, players in EVERY_TABLE:
        for seed in range(3):
            line = [str(state) for state, _ in random_line(load_deck(deck).rules(players), seed)]
            positions += [line[-5], line[-9] if len(line) > 9 else line[0]]
    return positions


@pytest.mark.parametrize("position", late_positions())
def test_perft_agrees_late_in_the_round(position):
    state = parse_position(position)
    depth = next(depth for depth in (4, 3, 2, 1) if depth == 1 or state.perft(depth) < 3000)
    for shallow in range(depth + 1):
        assert state.perft(shallow) == reference.perft(reference.parse(position, DECKS[state.rules.deck]), shallow)


@pytest.mark.slow
@pytest.mark.parametrize("position", late_positions())
def test_perft_agrees_to_depth_4(position):
    state = parse_position(position)
    if state.perft(4) > 500_000:
        pytest.skip(f"{state.perft(4)} sequences: too many for the literal reference")
    assert state.perft(4) == reference.perft(reference.parse(position, DECKS[state.rules.deck]), 4)


@pytest.mark.parametrize(
    ("players", "counts"),
    [
        (2, (1, 18, 289, 3054, 29506)),
        (3, (1, 12, 93, 1173, 11386)),
        (4, (1, 14, 166, 1941, 18138)),
        (5, (1, 10, 90, 778, 6522)),
    ],
)
def test_perft_of_the_first_deal_stays_what_it_was(players, counts):
    """Pinned counts: a change of the rules, the order of cards or the deal shows here at once."""
    state = load_deck("standard").rules(players).deal(Rng(0))
    assert tuple(state.perft(depth) for depth in range(5)) == counts
