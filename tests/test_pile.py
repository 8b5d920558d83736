"""dnup-pile behind the contract: the conformance kit, the reference, views and worlds, notation, search, greedy."""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2

import reference_pile as reference
from cython_core.game import IllegalMoveError
from cython_core.pile import PileMove, PileRules, PileState
from cython_core.pile_equity import NOBODY, OPEN, match_equity, match_winner
from cython_core.pile_position import PileHand, PilePosition
from cython_core.position import Card
from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.decks import load_deck
from dnup_ai.errors import ConfigError, NotationError
from dnup_ai.notation.pile import parse_pile_move, parse_pile_position, pile_rules, read_pile_position
from dnup_ai.testing import check_apply, check_round, random_line
from pile_engines import pos

EVERY_OPTION: list[dict[str, Any]] = [
    {},
    {"piles": 2},
    {"match": "active"},
    {"revolves": 0},
    {"revolves": 2},
    {"reshuffle": "always"},
    {"one_point": "second_out"},
    {"blocked": "void"},
    {"piles": 2, "match": "active", "revolves": 2, "reshuffle": "always", "one_point": "second_out"},
    {"match": "active", "one_point": "second_out", "blocked": "void"},
]
EVERY_TABLE = [(players, options) for players in (2, 3, 4, 5) for options in EVERY_OPTION]

tables = st.sampled_from(EVERY_TABLE)
seeds = st.integers(0, 2**32 - 1)
choices = st.lists(st.integers(0, 999), max_size=60)


def play(state: PileState, line: list[int]) -> PileState:
    for choice in line:
        if state.is_over:
            break
        moves = state.legal_moves()
        state.apply(moves[choice % len(moves)])
    return state


@st.composite
def states(draw: st.DrawFn) -> PileState:
    """A true state somewhere in a round, under every option at every number of players."""
    players, options = draw(tables)
    points = draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))
    return play(pile_rules(players, **options).deal(Rng(draw(seeds)), points), draw(choices))


# --- the contract


@pytest.mark.parametrize(("players", "options"), EVERY_TABLE)
def test_random_rounds_keep_the_contract(players, options):
    assert sum(check_round(pile_rules(players, **options), seed, max_turns=80) for seed in range(2)) > 20


@pytest.mark.parametrize(("deck", "players"), [("pairs-45", 5), ("pairs-45", 2), ("pairs-36", 3), ("pairs-36", 5)])
def test_other_decks_keep_the_contract(deck, players):
    rules = pile_rules(players, load_deck(deck))
    assert f"deck={deck}" in str(rules.deal(Rng(1)))
    check_round(rules, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options"), EVERY_TABLE)
def test_many_random_rounds_keep_the_contract(players, options):
    for seed in range(100):
        check_round(pile_rules(players, **options), 1000 + seed, max_turns=200)


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


@given(states(), st.integers(0, 2**32 - 1))
def test_is_legal_says_what_the_list_says(state, code):
    codes = {move.code for move in state.legal_moves()}
    assert state.is_legal(code) == (code in codes)
    for near in codes:
        for bit in range(14):
            assert state.is_legal(near ^ 1 << bit) == (near ^ 1 << bit in codes)


def test_a_state_is_at_most_256_bytes():
    assert len(pile_rules(5).deal(Rng(0)).to_bytes()) <= 256


@given(tables, seeds, choices)
def test_the_same_seed_and_moves_give_the_same_bytes(table, seed, line):
    first, second = (play(pile_rules(table[0], **table[1]).deal(Rng(seed)), line) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


def test_a_deal_puts_every_card_everywhere_either_way_up():
    """Each card first in the stock, on the pile and in a hand, each way up, equally often: chi-square."""
    rules = pile_rules(3)
    counts: dict[str, Counter[Card]] = {"stock": Counter(), "pile": Counter(), "hand": Counter()}
    for seed in range(4000):
        position = rules.deal(Rng(7, seed)).position()
        counts["stock"][position.stock[0]] += 1
        counts["pile"][position.piles[0]] += 1
        counts["hand"][position.hands[2].cards[seed % 6]] += 1
    for place in ("stock", "pile"):
        statistic = sum((counts[place][pair] - 50) ** 2 / 50 for c in rules.cards for pair in (c, c[::-1]))
        assert statistic < chi2.ppf(1 - 1e-5, 79)
    assert len(counts["hand"]) == 80


def test_misuse_says_what_to_do():
    state = pile_rules(3).deal(Rng(1))
    for call, message in (
        (lambda: state.observe(3), r"expected seat 0\.\.2, got 3"),
        (lambda: state.determinise(Rng(1)), "determinise a view"),
        (lambda: state.reveal(state), "reveal what chance has shown in a view"),
        (lambda: state.observe(0).reveal(state.observe(1)), "expected the true state of this view"),
        (lambda: state.observe(1).legal_moves(), "cannot know the moves of seat 0"),
        (lambda: state.observe(0).perft(1), "determinise it first"),
        (lambda: state.observe(0).repetition_key(), "determinise it first"),
        (lambda: state.observe(0).drew((1, 3)), "no card was drawn"),
        (lambda: state.rules.move("flip"), "expected a move of kind skip, revolve, play, got 'flip'"),
        (lambda: state.rules.move("play", (1, 2), 1), "1/2 is not a card in play"),
        (lambda: state.rules.move("play", (1, 3), 2), "2 is not on the card 1/3"),
        (lambda: state.rules.move("play", (1, 3), 3, 1), "expected pile 0..0, got 1"),
        (lambda: state.rules.move("skip", (1, 3)), "takes no card"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(IllegalMoveError, match="skip is not legal in dnup-pile:3 turn=0"):
        state.apply(state.rules.move("skip"))


@given(states(), seeds)
def test_rollouts_end_and_pay_a_constant_sum(state, seed):
    for policy, epsilon in (("random", 0.0), ("greedy", 0.1)):
        payoffs, turns = state.rollout(Rng(seed), policy, epsilon, max_turns=300)
        assert abs(sum(payoffs) - 3) < 1e-9
        assert (turns == 0) == state.is_over


# --- the literal reference


def literal(players: int, seed: int, options: dict[str, Any]) -> tuple[reference.Position, reference.Options]:
    chosen = reference.Options(**options)
    rng = random.Random(seed)
    return reference.deal(players, rng, chosen, [rng.randrange(4) for _ in range(players)]), chosen


def agree_over_a_round(players: int, seed: int, options: dict[str, Any], views: bool, max_turns: int = 120) -> int:
    """Play one random round on both; returns the number of turns."""
    slow, chosen = literal(players, seed, options)
    fast = parse_pile_position(str(slow), **options)
    rng = random.Random(seed)
    for turns in range(max_turns):
        assert str(fast) == str(slow)
        assert (fast.end or "") == reference.end(slow)
        assert list(fast.result()) == reference.result(slow)
        assert list(fast.payoffs()) == pytest.approx(reference.payoffs(slow))
        assert list(fast.ranks()) == reference.ranks(slow)
        if views:
            for seat in range(players):
                assert str(fast.observe(seat)) == str(reference.observe(slow, seat))
        if fast.is_over:
            return turns
        moves = sorted(str(move) for move in fast.legal_moves())
        assert moves == reference.legal(slow, chosen)
        move = rng.choice(moves)
        undo = fast.apply(parse_pile_move(fast.rules, move))
        slow = reference.play(slow, move, chosen, (fast.reshuffled(undo) or "").removeprefix("stock:"))
    return max_turns


@pytest.mark.parametrize(("players", "options"), EVERY_TABLE)
def test_random_rounds_agree(players, options):
    for seed in range(10):
        agree_over_a_round(players, seed, options, views=seed < 3)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options"), EVERY_TABLE)
def test_twenty_thousand_random_rounds_agree(players, options):
    for seed in range(20_000 // len(EVERY_TABLE)):
        agree_over_a_round(players, 1000 + seed, options, views=seed % 10 == 0)


@pytest.mark.parametrize(("players", "options"), EVERY_TABLE)
def test_perft_agrees(players, options):
    """At the start and late in rounds, as deep as the literal reference allows."""
    for back, depth in ((0, 2), (4, 4), (2, 3)):
        slow, chosen = literal(players, 3, options)
        line = [slow]
        rng = random.Random(5)
        while line[-1].turn is not None and len(line) < 30:
            if chosen.reshuffle == "always" and len(line[-1].stock) <= 4:
                break  # the reference is told of reshuffles, and perft does not tell it
            line.append(reference.play(line[-1], rng.choice(reference.legal(line[-1], chosen)), chosen))
        position = line[-1 - back] if back else line[0]
        fast = parse_pile_position(str(position), **options)
        depth = next(d for d in range(depth, -1, -1) if d == 0 or fast.perft(d) < 1500)
        for shallow in range(depth + 1):
            assert fast.perft(shallow) == reference.perft(position, shallow, chosen)


def test_perft_divide_sums_to_perft():
    state = pile_rules(3).deal(Rng(0))
    counts = state.perft_divide(3)
    assert sum(counts.values()) == state.perft(3)
    assert all(isinstance(move, PileMove) for move in counts)


@pytest.mark.parametrize(
    ("players", "counts"),
    [(2, (1, 7, 57, 400, 2864)), (3, (1, 7, 55, 347, 2004)), (4, (1, 7, 47, 283, 1747)), (5, (1, 7, 47, 283, 1747))],
)
def test_perft_of_the_first_deal_stays_what_it_was(players, counts):
    """Pinned counts: a change of the rules, the order of cards or the deal shows here at once."""
    state = pile_rules(players).deal(Rng(0))
    assert tuple(state.perft(depth) for depth in range(5)) == counts


# --- reshuffles


def to_reshuffle(players: int, seed: int, **options: Any) -> tuple[PileState, PileState, Any]:
    """A state before a move that reshuffles, the same after it, and its undo record."""
    state = pile_rules(players, reshuffle="always", **options).deal(Rng(seed))
    rng = Rng(seed, 1)
    while True:
        before = state.copy()
        undo = state.apply(rng.choice(state.legal_moves()))
        if state.reshuffled(undo):
            return before, state, undo


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_reshuffle_is_told_set_and_undone(players):
    before, after, undo = to_reshuffle(players, 1)
    told = after.reshuffled(undo)
    other = after.copy()
    other.set_reshuffle(told)
    assert other.to_bytes() == after.to_bytes()
    cards = told.removeprefix("stock:").split(",")
    assert len(cards) == len(after.position().stock) + 1
    turned = ["/".join(reversed(card.split("/"))) for card in reversed(cards)]
    other.set_reshuffle("stock:" + ",".join(turned))
    other.check()
    assert other.reshuffled(undo) == "stock:" + ",".join(turned)
    assert [f"{a}/{b}" for a, b in other.position().stock] == turned[1:]
    other.undo(undo)
    assert other.to_bytes() == before.to_bytes()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda told: "3/8", "stock, column 1: expected stock: and the cards"),
        (lambda told: told[:-1], "stock, column "),
        (lambda told: told + ",1/1", "expected a card of the deck like 3/8, got '1/1'"),
        (lambda told: told.rpartition(",")[0], "stock, column 7: expected the \\d+ cards of the new stock"),
        (
            lambda told: told + "," + told.rpartition(",")[2],
            "stock, column 7: expected the \\d+ cards of the new stock",
        ),
        (lambda told: told.replace(",", ", ", 1), "expected a card of the deck like 3/8, got ' "),
    ],
)
def test_a_reshuffle_that_cannot_be_is_refused(change, problem):
    _, after, undo = to_reshuffle(3, 2)
    copy = after.copy()
    with pytest.raises(ValueError, match=problem):
        after.set_reshuffle(change(after.reshuffled(undo)))
    assert after.to_bytes() == copy.to_bytes()


def test_no_reshuffle_cannot_be_set():
    state = pile_rules(3).deal(Rng(1))
    undo = state.apply(state.legal_moves()[-1])
    assert state.reshuffled(undo) is None
    with pytest.raises(ValueError, match="expected the reshuffle of a move just played"):
        state.set_reshuffle("stock:1/3")


def test_a_reshuffle_is_uniform():
    """Which card is drawn first, and its way up: chi-square over the worlds of one view."""
    before, _, _ = to_reshuffle(3, 3)
    view = before.observe(before.turn)
    move = next(move for move in view.legal_moves() if move.kind == "play")
    counts: Counter[str] = Counter()
    draws = 4000
    rng = Rng(5)
    for _ in range(draws):
        world = view.determinise(rng)
        told = world.reshuffled(world.apply(move))
        counts[told.removeprefix("stock:").split(",")[0]] += 1
    cells = 2 * (len(before.position().gone) + 1)
    assert len(counts) == cells
    statistic = sum((count - draws / cells) ** 2 / (draws / cells) for count in counts.values())
    assert statistic < chi2.ppf(1 - 1e-5, cells - 1)


def test_the_generator_of_reshuffles_is_no_part_of_a_position():
    state = pile_rules(2, reshuffle="always").deal(Rng(1))
    read = parse_pile_position(str(state), reshuffle="always")
    assert read.to_bytes() != state.to_bytes()
    assert read == state
    assert hash(read) == hash(state)
    assert read.repetition_key() == state.repetition_key()
    assert pickle.loads(pickle.dumps(state)).to_bytes() == state.to_bytes()


# --- views: no leak


def swap_hidden(state: PileState, seat: int, rng: Rng) -> PileState:
    """Another true state that `seat` cannot tell from this one: other hands and the stock dealt and turned anew."""
    position = state.position()
    hidden = [card for other, hand in enumerate(position.hands) if other != seat for card in hand.cards]
    hidden += position.stock
    hidden = [card if rng.below(2) else card[::-1] for card in hidden]
    dealt = [hidden.pop(rng.below(len(hidden))) for _ in range(len(hidden))]
    hands = [
        hand if other == seat else PileHand(tuple(dealt.pop() for _ in hand.cards))
        for other, hand in enumerate(position.hands)
    ]
    kept = {item.name: getattr(position, item.name) for item in fields(position)}
    return PileState(state.rules, PilePosition(**{**kept, "hands": tuple(hands), "stock": tuple(dealt)}))


@given(states(), seeds)
def test_hidden_cards_leave_no_trace_in_a_view(state, seed):
    """Two true states that a seat cannot tell apart give it the same bytes by every path, also after moves."""
    for seat in range(state.players):
        view, twin = state.observe(seat), swap_hidden(state, seat, Rng(seed)).observe(seat)
        assert view.to_bytes() == twin.to_bytes()
        assert (str(view), repr(view), hash(view)) == (str(twin), repr(twin), hash(twin))
        assert pickle.dumps(view) == pickle.dumps(twin)
        assert view.determinise(Rng(seed)).to_bytes() == twin.determinise(Rng(seed)).to_bytes()
        if state.turn == seat:
            assert view.legal_moves() == twin.legal_moves()
            assert view.priors() == twin.priors()
            assert view.greedy_move(Rng(seed)) == twin.greedy_move(Rng(seed))
            for move in view.legal_moves():
                undos = view.apply(move), twin.apply(move)
                assert view.to_bytes() == twin.to_bytes()
                view.undo(undos[0])
                twin.undo(undos[1])


@given(states(), seeds)
def test_hidden_cards_change_no_choice_of_any_bot(state, seed):
    assume(not state.is_over)
    seat = state.turn
    other = swap_hidden(state, seat, Rng(seed))
    for name, bot in shipped_bots().items():
        if bot.sees_all:
            continue  # it is not given views
        spec = f"{name}:iterations=30" if hasattr(bot.Params, "iterations") else name
        chosen = [parse_spec(spec).make(Rng(seed)).choose(truth.observe(seat), ()) for truth in (state, other)]
        assert chosen[0] == chosen[1], f"{name} saw a hidden card"


@given(states(), seeds)
def test_greedy_knows_in_a_world_no_more_than_in_the_view(state, seed):
    """In rollouts the heuristic is given true states, and must play as the seat to move would."""
    assume(not state.is_over)
    assert state.greedy_move(Rng(seed)) == state.observe(state.turn).greedy_move(Rng(seed))


def test_swapping_hidden_cards_really_makes_another_truth():
    """The tests above prove something: the truths do differ, and so does the order of the stock."""
    state = pile_rules(3).deal(Rng(5))
    other = swap_hidden(state, 0, Rng(1))
    assert other != state
    assert other.position().stock != state.position().stock


# --- views move on


@given(states(), choices)
def test_observing_then_moving_is_moving_then_observing(state, line):
    """Over whole lines, what the seat draws being revealed to it."""
    views = [state.observe(seat) for seat in range(state.players)]
    for choice in line:
        if state.is_over:
            break
        moves = state.legal_moves()
        move = moves[choice % len(moves)]
        state.apply(move)
        for view in views:
            view.apply(move)
            view.reveal(state)
    for seat, view in enumerate(views):
        assert view.to_bytes() == state.observe(seat).to_bytes()


def test_a_card_that_the_seat_draws_is_without_a_name_until_it_is_told():
    state = parse_pile_position(pos(2, 0, ["4/8,1/7", "1/3,3/10"], ["5/2"], "9/2,1/9"))
    view = state.observe(0)
    start = view.copy()
    undo = view.apply(parse_pile_move(state.rules, "play:4/8>8"))
    assert "hands=1/7,1x;2x" in str(view)
    assert parse_pile_position(str(view)) == view
    worlds = {view.determinise(Rng(1, draw)).position().hands[0].cards for draw in range(60)}
    assert len(worlds) == 8  # the four cards that it may be, either way up
    view.apply(parse_pile_move(state.rules, "revolve"))
    with pytest.raises(ValueError, match=r"name it by reveal\(\) or drew\(\) first"):
        view.legal_moves()
    for card in ((4, 8), (1, 7), (1, 2)):
        with pytest.raises(ValueError, match="cannot have been drawn"):
            view.drew(card)
    view.drew((9, 2))
    assert "hands=1/7,9/2;2x" in str(view)
    assert view.legal_moves()
    with pytest.raises(ValueError, match="no card was drawn"):
        view.drew((1, 9))
    view = start.copy()
    undo = view.apply(parse_pile_move(state.rules, "play:4/8>8"))
    view.drew((9, 2))
    view.undo(undo)
    assert view.to_bytes() == start.to_bytes()


def test_what_others_draw_stays_unseen():
    state = parse_pile_position(pos(2, 0, ["4/8,1/7", "1/3,3/10"], ["5/2"], "9/2,1/9"))
    view = state.observe(1)
    move = parse_pile_move(state.rules, "play:4/8>8")
    view.apply(move)
    state.apply(move)
    assert view == state.observe(1)
    assert "hands=2x;1/3,3/10" in str(view)
    assert "stock=1x" in str(view)


@given(states(), seeds)
def test_a_view_takes_the_moves_that_some_world_allows(state, seed):
    assume(not state.is_over)
    view = state.observe((state.turn + 1) % state.players)
    possible = {move for draw in range(20) for move in view.determinise(Rng(seed, draw)).legal_moves()}
    assert all(view.is_legal(move) for move in possible)


def test_a_view_knows_which_moves_of_others_are_possible_in_some_world():
    """Exactly, late in rounds, where all worlds can be listed."""
    for options in ({}, {"match": "active"}, {"piles": 2}):
        rules = pile_rules(2, **options)
        codes = [
            rules.move("play", card, end, pile)
            for pair in rules.cards
            for card in (pair, pair[::-1])
            for end in pair
            for pile in range(rules.piles)
        ]
        codes += [rules.move("skip"), rules.move("revolve")]
        for seed in range(8):
            line = [state.copy() for state, move in random_line(rules, seed) if move]
            for state in line[-5:]:
                view = state.observe(1 - state.turn)
                if view.position().hands[state.turn].hidden > 3:
                    continue
                worlds = [parse_pile_position(text, **options) for text in all_worlds(view, options)]
                for move in codes:
                    assert view.is_legal(move) == any(world.is_legal(move) for world in worlds), (str(view), str(move))


# --- worlds


def all_worlds(view: PileState, options: dict[str, Any]) -> list[str]:
    slow = reference.parse(str(view), reference.Options(**options))
    return [str(world) for world in reference.worlds(slow)]


SMALL_VIEWS = [
    pos(2, 0, ["4/8,1/7", "1/3,3/10"], ["5/2"], "9/2"),
    pos(2, 1, ["4/8,1/7", "1/3,3/10"], ["5/2"], "9/2,1/10", revolved="1,0"),
    pos(3, 2, ["4/8", "1/3", "3/10,6/7"], ["5/2"], "-", laid="1"),
    pos(3, 1, ["4/8,2/6", "1/3", "3/10"], ["5/2"], "9/1"),
    pos(2, 0, ["4/8", "1/3"], ["5/2"], "9/2,1/10,7/8"),
    pos(3, 0, ["1/4", "-", "3/10,6/7"], ["5/2"], "8/9", laid="1", given="0,2,0"),
]


@pytest.mark.parametrize("text", SMALL_VIEWS)
@pytest.mark.parametrize("seat", [0, 1])
def test_determinise_is_uniform(text, seat):
    """Chi-square over all worlds: hands, ways up, the order of the stock and its ways up.

    The seeds are fixed; chosen anew, each of these cases would fail falsely once in 100,000 runs.
    """
    options = {"one_point": "second_out"} if "given" in text else {}
    view = parse_pile_position(text, **options).observe(seat)
    worlds = all_worlds(view, options)
    assert len(set(worlds)) == len(worlds) > 1
    rng = Rng(99, seat)
    draws = max(2000, 20 * len(worlds))
    counts = Counter(str(view.determinise(rng)) for _ in range(draws))
    assert set(counts) <= set(worlds)
    expected = draws / len(worlds)
    statistic = sum((counts[world] - expected) ** 2 / expected for world in worlds)
    assert statistic < chi2.ppf(1 - 1e-5, len(worlds) - 1)


def test_every_world_has_reshuffles_of_its_own():
    view = pile_rules(2, reshuffle="always").deal(Rng(1)).observe(0)
    assert view.to_bytes()[:8] == bytes(8)
    assert len({view.determinise(Rng(2, draw)).to_bytes()[:8] for draw in range(50)}) == 50


# --- keys and rewards


def test_where_either_end_fits_a_key_does_not_tell_how_the_card_was_held():
    for match, distinct in (("either", 1), ("active", 2)):
        rules = pile_rules(3, match=match)
        state = rules.deal(Rng(1))
        moves = [rules.move("play", card, 8) for card in ((4, 8), (8, 4))]
        assert len({state.move_key(move, 1) for move in moves}) == distinct


def test_merged_keys_are_by_kind_pile_and_visible_value():
    rules = pile_rules(3, piles=2)
    state = rules.deal(Rng(1))
    first = rules.move("play", (4, 8), 8, 1)
    same = [rules.move("play", (8, 1), 8, 1), rules.move("play", (5, 8), 8, 1)]
    other = [rules.move("play", (8, 1), 1, 1), rules.move("play", (5, 8), 8, 0), rules.move("revolve")]
    assert {state.move_key(move, 0, True) for move in same} == {state.move_key(first, 0, True)}
    assert state.move_key(first, 0, True) not in {state.move_key(move, 0, True) for move in other}
    assert {state.move_group(move) for move in same} == {state.move_group(first)}
    assert 0 < state.move_group(first) < 256
    assert state.move_group(rules.move("revolve")) == 0


@given(states())
def test_rewards_are_shares_and_sum_to_the_same(state):
    for evaluate in (False, True):
        tokens = state.rewards("tokens", evaluate)
        assert sum(tokens) == pytest.approx(1.5)
        assert all(-1e-12 <= reward <= 1 + 1e-12 for reward in tokens)
        assert sum(state.rewards("match", evaluate)) == pytest.approx(1)
    if state.is_over:
        assert state.rewards("tokens") == pytest.approx([payoff / 2 for payoff in state.payoffs()])


def test_match_equity_is_a_chance_to_win_and_symmetric():
    for players in (2, 3, 4, 5):
        for second_out in (False, True):
            assert match_equity((0,) * players, second_out) == pytest.approx((1 / players,) * players)
    ahead = match_equity((3, 1, 0), False)
    assert ahead[0] > ahead[1] > ahead[2]
    assert match_equity((4, 1, 0), False) == (1, 0, 0)
    state = pile_rules(3).deal(Rng(1), [2, 0, 0])
    assert state.rewards("match")[0] == pytest.approx(match_equity((2, 0, 0), False)[0])
    assert OPEN != NOBODY


def test_equal_points_are_decided_by_hands_emptied_then_by_twos():
    """docs/rules-pile.md, "The end of a match"."""
    assert match_winner((3, 2), (1, 1), (1, 1)) is None
    assert match_winner((5, 4), (2, 2), (2, 2)) == 0
    assert match_winner((4, 4), (2, 1), (2, 1)) == 0
    assert match_winner((4, 4), (2, 2), (1, 2)) == 1
    assert match_winner((4, 4), (2, 2), (2, 2)) is None


@pytest.mark.parametrize(
    ("rounds", "winner"),
    [
        ([], None),
        ([([2, 1, 0], "out")], None),
        ([([2, 1, 0], "out"), ([2, 0, 1], "out")], 0),
        ([([2, 1, 0], "out"), ([1, 2, 0], "out"), ([0, 1, 2], "out")], 1),  # 3, 4, 2
        ([([2, 1, 0], "out"), ([1, 0, 2], "out"), ([1, 0, 2], "out")], 2),  # 4 and 4: emptied once and twice
        ([([2, 0, 0], "blocked"), ([0, 2, 0], "out"), ([1, 2, 0], "out"), ([1, 0, 2], "out")], 1),
    ],
)
def test_a_match_is_won_by_4_points(rounds, winner):
    """docs/rules-pile.md, "The end of a match"."""
    rounds = [(tuple(result), end) for result, end in rounds]
    assert pile_rules(3).match_winner(rounds) == winner


def test_with_second_out_the_1_point_is_for_an_empty_hand_too():
    rounds = [((2, 1, 0), "out"), ((2, 0, 1), "out")]
    assert pile_rules(3, one_point="second_out").match_winner(rounds) == 0
    tied = [((2, 0, 1), "out"), ((1, 2, 0), "out"), ((1, 2, 0), "out")]
    assert pile_rules(3, one_point="second_out").match_winner(tied) == 0  # emptied three times, seat 1 twice
    assert pile_rules(3).match_winner(tied) == 1  # emptied once and twice


def test_priors_sum_to_one_and_favour_the_greedy_move():
    state = pile_rules(3).deal(Rng(3)).observe(0)
    priors = state.priors()
    assert sum(priors) == pytest.approx(1)
    assert state.legal_moves()[priors.index(max(priors))] == state.greedy_move(Rng(0))


# --- rules and notation


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"match": "any"}, "match: expected 'either' or 'active', got 'any'"),
        ({"reshuffle": "often"}, "reshuffle: expected 'never' or 'always', got 'often'"),
        ({"one_point": "nobody"}, "one_point: expected 'feeder' or 'second_out', got 'nobody'"),
        ({"blocked": "most"}, "blocked: expected 'fewest' or 'void', got 'most'"),
        ({"piles": 3}, "piles: expected 1 or 2, got 3"),
        ({"revolves": -1}, "revolves: expected 0 to 100, got -1"),
        ({"repetition": 1}, "repetition: expected 0 \\(off\\) or 2 and more, got 1"),
        ({"max_turns": 0}, "max_turns: expected 1 or more, got 0"),
        ({"max_rounds": 0}, "max_rounds: expected 1 or more, got 0"),
        ({"max_rounds": 2.5}, "max_rounds: expected an integer up to 2147483647, got 2.5"),
        ({"piles": True}, "piles: expected an integer"),
        ({"match": 3}, "match: expected 'either' or 'active', got 3"),
        ({"out_sets": "open"}, "unknown option 'out_sets'; there are piles, match, "),
    ],
)
def test_options_that_do_not_exist_are_refused(options, problem):
    with pytest.raises(ConfigError, match=f"rules of dnup-pile: .*{problem}"):
        pile_rules(3, **options)


def test_rules_carry_their_options():
    rules = pile_rules(3, piles=2, match="active")
    assert rules.options() == {"piles": 2, "match": "active"}
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules != pile_rules(3)
    assert "match=active" in repr(rules)
    assert (rules.game, rules.players, rules.repetition, rules.max_rounds) == ("dnup-pile", 3, 3, 100)
    with pytest.raises(ValueError, match="players: expected 2 to 5, got 6"):
        PileRules(6, rules.cards)
    with pytest.raises(ValueError, match="cards: expected 26 to 64 cards for 5 players, got 25"):
        PileRules(5, rules.cards[:25])


@given(states())
def test_positions_and_views_are_read_as_they_are_written(state):
    options = {"piles": state.rules.piles, **state.rules.options()}
    for each in (state, *(state.observe(seat) for seat in range(state.players))):
        read = parse_pile_position(str(each), **options)
        assert read == each
        assert str(read) == str(each)
        assert str(read_pile_position(str(each))) == str(each)
    for move in state.legal_moves():
        assert parse_pile_move(state.rules, str(move)) == move


def test_the_example_of_the_docs_is_read_and_written_as_it_is():
    """docs/rules-pile.md, "Notation"."""
    text = (Path(__file__).parent.parent / "docs" / "rules-pile.md").read_text()
    examples = [line.strip() for line in text.splitlines() if line.startswith("    dnup-pile:")]
    assert examples
    for example in examples:
        assert str(parse_pile_position(example)) == example
        parse_pile_position(example).check()


def test_the_number_of_piles_is_read_from_the_position():
    text = str(pile_rules(3, piles=2).deal(Rng(1)))
    assert parse_pile_position(text).rules.piles == 2
    with pytest.raises(NotationError, match=r"piles, column \d+: expected 1 as the option says, got 2"):
        parse_pile_position(text, piles=1)


GOOD = pos(3, 0, ["4/8,1/7", "1/3", "2/4"], ["5/2"], "9/2,1/9", laid="2", skips="1", revolved="0,1,0", points="0,2,1")
VIEW = str(parse_pile_position(GOOD).observe(0))


def column(text: str, part: str) -> int:
    return text.index(part) + 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("dnup:3", "dnup-pile, column 1: expected dnup-pile:N with 2 to 5 players, got 'dnup:3'"),
        ("dnup-pile:6", "dnup-pile, column 1"),
        ("", "dnup-pile, column 1"),
        ("dnup-pile:3 turn=0", "hands, column 19: expected the field hands=, got none"),
        (GOOD.replace(" turn", "  turn"), "position, column 13: expected one blank"),
        (GOOD + "\n", "position|points, column"),
        (GOOD + " turn=1", "turn, column .*expected every field once"),
        (GOOD + " table=-", "position, column .*expected one of deck, view"),
        (GOOD.replace("turn=0", "turn=3"), "turn, column 18: expected - or a seat from 0 to 2, got '3'"),
        (GOOD.replace("turn=0", "turn=-"), "turn, column 18: "),
        (GOOD.replace("4/8,", "4/8+,"), "hands, column 26: expected a card without a mark"),
        (GOOD.replace("4/8,", "8/8,"), "hands, column 26: expected a card with two different values"),
        (GOOD.replace("4/8,", "3/8,"), "hands, column 26: expected a card of deck standard, got '3/8'"),
        (GOOD.replace("4/8,", "1/7,"), "hands, column 30: expected each card once, got '1/7' again, as in column 26"),
        (GOOD.replace("4/8,", ""), "hands, column 26: .*1 missing: 0 without a name, of 4/8"),
        (GOOD.replace("4/8,", "1x,"), "hands, column 26: expected a card like 3/8, got '1x'"),
        (GOOD.replace(";2/4", ""), "hands, column 26: expected 3 hands, one per seat, got 2"),
        (GOOD.replace("piles=5/2", "piles=5/2;9/3;1/4"), "piles, column .*expected one pile or two, got 3"),
        (GOOD.replace("piles=5/2", "piles=-"), "piles, column .*expected a card like 7/3, its visible value first"),
        (GOOD.replace("laid=2", "laid=3"), "laid, column .*expected - or a seat from 0 to 2, got '3'"),
        (GOOD.replace("laid=2", "laid=2;1"), "laid, column .*expected a seat or - for each of 1, got 2"),
        (GOOD.replace("stock=9/2,", "stock=2x,"), "stock, column .*expected a card like 3/8, got '2x'"),
        (GOOD.replace("gone=1/4", "gone=4/1"), "gone, column .*expected the lower value first, got '4/1'"),
        (GOOD.replace("skips=1", "skips=01"), "skips, column .*expected skips in a row from 0 to 3, got '01'"),
        (GOOD.replace("skips=1", "skips=3"), "given, column|turn, column"),
        (GOOD.replace("revolved=0,1,0", "revolved=0,2,0"), "revolved, column .*expected 0 to 1, got 2"),
        (GOOD.replace("revolved=0,1,0", "revolved=0,1"), "revolved, column .*expected 3 numbers, one per seat"),
        (GOOD.replace("points=0,2,1", "points=0,4,1"), "points, column .*seat 1 leads with 4: the match is over"),
        (GOOD + " given=2,0,0", "given, column .*points that nobody has earned"),
        (GOOD + " deck=other", "deck, column .*expected a deck that ships"),
        (GOOD + " deck=pairs-45", "hands, column .*missing"),
        (VIEW.replace(";1x;", ";1/3;"), "hands, column .*the number of cards like 6x, since seat 0 cannot see"),
        (VIEW.replace("stock=2x", "stock=9/2,1x"), "stock, column .*the number of cards like 19x, or -"),
        (VIEW.replace("stock=2x", "stock=3x"), "hands, column .*1 too many: 5 without a name, of"),
        (VIEW.replace("1/7,4/8", "2x"), "hands, column .*1x at most"),
        (VIEW.replace("view=0", "view=7"), "view, column 18: expected - or a seat from 0 to 2"),
    ],
)
def test_bad_positions_name_field_and_column(text, problem):
    assert parse_pile_position(GOOD)
    with pytest.raises(NotationError, match=problem):
        parse_pile_position(text)


@pytest.mark.parametrize(
    ("piles", "text", "problem"),
    [
        (1, "flip", "kind, column 1: expected play:3/8>8, revolve or skip, got 'flip'"),
        (1, "revolve ", "kind, column 1"),
        (1, "play:3/9", "visible, column 9: expected > and the value"),
        (1, "play:3/8>8", "card, column 6: expected a card of deck standard, got '3/8'"),
        (1, "play:3/9+>9", "card, column 6: expected a card without a mark"),
        (1, "play:>9", "card, column 6: expected a card like 3/7"),
        (1, "play:3/9>8", "visible, column 10: expected 3 or 9, one of the values of the card, got '8'"),
        (1, "play:3/9>09", "visible, column 10"),
        (1, "play:3/9>9@0", "pile, column 11: expected the end of the move, since there is one pile"),
        (2, "play:3/9>9", "pile, column 11: expected @0 or @1, the pile"),
        (2, "play:3/9>9@2", "pile, column 12: expected a pile from 0 to 1, got '2'"),
    ],
)
def test_bad_moves_name_part_and_column(piles, text, problem):
    with pytest.raises(NotationError, match=problem):
        parse_pile_move(pile_rules(3, piles=piles), text)


@given(st.text(alphabet="dnup-ile:3 turn=0hads;/x,>@", max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (parse_pile_position, lambda text: parse_pile_move(pile_rules(3, piles=2), text)):
        with suppress(NotationError):
            read(text)


# --- how it plays


def duel(spec: str, others: str, players: int, rounds: int, **options: Any) -> tuple[float, float]:
    """The mean payoff of a bot alone among others, all seats in turn, less the equal share; and its standard error."""
    rules = pile_rules(players, **options)
    gains = []
    for deal in range(rounds):
        seat = deal % players
        bots = [parse_spec(spec if each == seat else others).make(Rng(deal, each)) for each in range(players)]
        state = rules.deal(Rng(31, deal // players))
        while not state.is_over:
            state.apply(bots[state.turn].choose(state.observe(state.turn), ()))
        gains.append(state.payoffs()[seat] - 3 / players)
    mean = sum(gains) / rounds
    return mean, math.sqrt(sum((gain - mean) ** 2 for gain in gains) / (rounds - 1) / rounds)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_greedy_beats_random(players):
    mean, error = duel("greedy", "random", players, 400)
    assert mean > 3 * error > 0


@pytest.mark.parametrize("options", [{"match": "active"}, {"piles": 2}, {"one_point": "second_out"}])
def test_greedy_beats_random_under_other_options(options):
    mean, error = duel("greedy", "random", 3, 400, **options)
    assert mean > 3 * error > 0


@pytest.mark.parametrize("players", [2, 3])
def test_search_beats_random(players):
    mean, error = duel("ismcts:iterations=60", "random", players, 60)
    assert mean > 3 * error > 0


def test_search_beats_greedy():
    mean, error = duel("ismcts:iterations=300", "greedy", 2, 80)
    assert mean > 3 * error > 0


@given(states(), seeds)
def test_search_returns_a_legal_move(state, seed):
    assume(not state.is_over)
    for spec in ("ismcts:iterations=20", "dmcts:iterations=20", "flat:iterations=20"):
        move = parse_spec(spec).make(Rng(seed)).choose(state.observe(state.turn), ())
        assert state.is_legal(move)
