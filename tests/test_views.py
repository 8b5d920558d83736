"""What a seat may know: no more than the rules say, and no less; worlds drawn from it are fair and possible."""

import pickle
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2

import reference
from cython_core.dnup import DnupState
from cython_core.position import Hand, HandCard, Position
from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.testing import random_line
from lines import EVERY_TABLE, choices, play, rules_of, seeds, small_rules, states

# --- no leak


def swap_hidden(state: DnupState, seat: int, rng: Rng) -> DnupState:
    """Another true state that `seat` cannot tell from this one: what it cannot name, dealt and turned anew."""
    position = state.position()
    unknown = [
        card[:2] for other, hand in enumerate(position.hands) for card in hand.cards if other != seat and not card.mark
    ]
    hands = []
    for other, hand in enumerate(position.hands):
        cards = [card for card in hand.cards if other == seat or card.mark]
        for _ in range(len(hand.cards) - len(cards)):
            active, inactive = unknown.pop(rng.below(len(unknown)))
            cards.append(HandCard(*((active, inactive) if rng.below(2) else (inactive, active))))
        if other != seat:
            turned = [HandCard(card.inactive, card.active, "~") if card.mark == "~" else card for card in cards]
            cards = turned if rng.below(2) else cards
        hands.append(Hand(tuple(cards)))
    fields = {name: getattr(position, name) for name in Position.__slots__ if name != "hands"}
    return DnupState(state.rules, Position(hands=tuple(hands), **fields))


@given(states(), seeds)
def test_hidden_cards_leave_no_trace_in_a_view(state, seed):
    """Two true states that a seat cannot tell apart give it the same bytes by every path, also after moves."""
    for seat in range(state.players):
        other = swap_hidden(state, seat, Rng(seed))
        view, twin = state.observe(seat), other.observe(seat)
        assert view.to_bytes() == twin.to_bytes()
        assert str(view) == str(twin)
        assert repr(view) == repr(twin)
        assert hash(view) == hash(twin)
        assert pickle.dumps(view) == pickle.dumps(twin)
        assert view.copy().to_bytes() == twin.copy().to_bytes()
        assert view.determinise(Rng(seed)).to_bytes() == twin.determinise(Rng(seed)).to_bytes()
        if state.turn == seat:
            assert view.legal_moves() == twin.legal_moves()
            for move in view.legal_moves()[:5]:
                undos = view.apply(move), twin.apply(move)
                assert view.to_bytes() == twin.to_bytes()
                view.undo(undos[0])
                twin.undo(undos[1])
            assert view.greedy_move(Rng(seed)) == twin.greedy_move(Rng(seed))


@given(states(), seeds)
def test_hidden_cards_change_no_choice_of_any_bot(state, seed):
    assume(not state.is_over)
    seat = state.turn
    other = swap_hidden(state, seat, Rng(seed))
    for name, bot in shipped_bots().items():
        if bot.sees_all:
            continue  # it is not given views
        spec = f"{name}:iterations=40" if hasattr(bot.Params, "iterations") else name
        chosen = [parse_spec(spec).make(Rng(seed)).choose(truth.observe(seat), ()) for truth in (state, other)]
        assert chosen[0] == chosen[1], f"{name} saw a hidden card"


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_swapping_hidden_cards_really_makes_another_truth(deck, players):
    """The two tests above prove something: the truths do differ."""
    state = rules_of(deck, players).deal(Rng(5))
    assert swap_hidden(state, 0, Rng(1)) != state


def test_a_view_shows_marked_cards_and_counts_only():
    state = rules_of("standard", 3).deal(Rng(1))
    view = state.observe((state.turn + 1) % 3).position()
    for seat, hand in enumerate(view.hands):
        if seat == view.view:
            assert len(hand.cards) == 8
        elif seat == state.turn:
            assert [tuple(card) for card in hand.cards] == [(1, 5, "~")]
            assert hand.hidden == 7
        else:
            assert hand == Hand((), 8)


# --- views move on


@given(states(), choices)
def test_observing_then_moving_is_moving_then_observing(state, line):
    """Also over whole lines: the view of the start, moved on by the public moves, is the view of the end."""
    views = [state.observe(seat) for seat in range(state.players)]
    for choice in line:
        if state.is_over:
            break
        moves = state.legal_moves()
        move = moves[choice % len(moves)]
        state.apply(move)
        for view in views:
            view.apply(move)
    for seat, view in enumerate(views):
        assert view.to_bytes() == state.observe(seat).to_bytes()


@given(states(), seeds)
def test_a_view_refuses_moves_that_no_world_allows(state, seed):
    """For another seat's turn a move is legal in a view exactly if it is in some world (sampled, and known cards)."""
    assume(not state.is_over)
    seat = (state.turn + 1) % state.players
    view = state.observe(seat)
    possible = {move for draw in range(20) for move in view.determinise(Rng(seed, draw)).legal_moves()}
    assert all(view.is_legal(move) for move in possible)


def test_a_view_knows_which_moves_of_others_are_possible_in_some_world():
    """Exactly, on a deck whose worlds can all be listed."""
    rules = small_rules(3)
    codes = [rules.move("play", [card]) for low, high in rules.cards for card in ((low, high), (high, low))]
    codes += [
        rules.move("play", pair)
        for pair in ([(1, 2), (1, 3)], [(2, 3), (2, 4)], [(3, 1), (3, 4)], [(1, 3), (1, 5)], [(2, 1), (2, 4)])
    ]
    for seed in range(30):
        for state, _ in random_line(rules, seed, 6):
            if state.is_over:
                continue
            for seat in set(range(3)) - {state.turn}:
                view = state.observe(seat)
                worlds = [DnupState(rules, world) for world in all_worlds(view)]
                for move in codes:
                    assert view.is_legal(move) == any(world.is_legal(move) for world in worlds), (str(view), str(move))


# --- worlds


def all_worlds(view: DnupState) -> list[Position]:
    """Every true position that agrees with a view, by the literal reference."""
    from dnup_ai.notation import read_position

    deck = small_deck(view)
    text = str(view)
    return [read_position(str(world), deck[1]) for world in reference.worlds(reference.parse(text, deck[0]))]


def small_deck(view):
    from dnup_ai.decks import Deck

    cards, star = view.rules.cards, view.rules.star
    return reference.Deck("small", cards, star, {}), Deck("small", cards, star, {})


SMALL_VIEWS = [
    (players, cards, seed, turns, seat)
    for players, cards in ((2, 4), (2, 6), (3, 6))
    for seed, turns in ((1, 0), (2, 1), (3, 2), (4, 3), (5, 5))
    for seat in range(players)
]


@pytest.mark.parametrize(("players", "cards", "seed", "turns", "seat"), SMALL_VIEWS)
def test_determinise_is_uniform(players, cards, seed, turns, seat):
    """Chi-square over all consistent deals, ways up included; every mover and phase.

    The seeds are fixed; chosen anew, each of these cases would fail falsely once in 100,000 runs.
    """
    state = small_rules(players, cards).deal(Rng(seed))
    play(state, [Rng(seed, 1, turn).below(1000) for turn in range(turns)])
    view = state.observe(seat)
    worlds = [str(world) for world in all_worlds(view)]
    assert len(set(worlds)) == len(worlds)
    rng = Rng(99, seed, seat)
    draws = max(2000, 20 * len(worlds))
    counts = Counter(str(view.determinise(rng)) for _ in range(draws))
    assert set(counts) <= set(worlds)
    if len(worlds) > 1:
        expected = draws / len(worlds)
        statistic = sum((counts[world] - expected) ** 2 / expected for world in worlds)
        assert statistic < chi2.ppf(1 - 1e-5, len(worlds) - 1)


def test_determinise_deals_forgotten_discards_like_other_unknowns():
    """Uniform also when a person forgot discarded cards; the star, unnamed, can only be among those."""
    from dnup_ai.notation import parse_position

    rules = small_rules(3)
    _, deck = small_deck(rules.deal(Rng(0)))
    text = "dnup:3 deck=small view=0 turn=0 hands=1/3;x1;x2 table=-;-;- gone=x3 out=- tokens=0,0,0"
    view = parse_position(text.replace("x1", "1x").replace("x2", "1x").replace("x3", "3x"), deck)
    worlds = [str(world) for world in all_worlds(view)]
    assert len(worlds) == 4 * 3 * 4  # an ordered pair of the four cards that may be in a hand, two ways up each
    draws = 200 * len(worlds)
    rng = Rng(3)
    counts = Counter(str(view.determinise(rng)) for _ in range(draws))
    statistic = sum((counts[world] - 200) ** 2 / 200 for world in worlds)
    assert statistic < chi2.ppf(1 - 1e-5, len(worlds) - 1)
    assert all("1/5" in world.split("gone=")[1] for world in counts)


@given(states(), seeds)
def test_every_free_card_moves(state, seed):
    """Whatever a view cannot name comes to lie in different hands, or differently, over the worlds."""
    for seat in range(state.players):
        view = state.observe(seat)
        if sum(hand.hidden for hand in view.position().hands):
            assert len({view.determinise(Rng(seed, draw)).to_bytes() for draw in range(30)}) > 1


def start_of(world: DnupState, truth: DnupState, start: DnupState, flips: list[int]) -> DnupState:
    """The start from which the public history leads to `world` instead of `truth`.

    A card that is still unnamed, or the star while its way up is unknown, has never left its first hand: so it was
    dealt there, its way up turned back once a flip of that hand.
    """
    hands = []
    for seat, hand in enumerate(start.position().hands):
        still = {frozenset(card[:2]) for card in truth.position().hands[seat].cards if card.mark != "+"}
        cards = [card for card in hand.cards if frozenset(card[:2]) not in still]
        for active, inactive, mark in world.position().hands[seat].cards:
            if mark != "+":
                ends = (inactive, active) if flips[seat] % 2 else (active, inactive)
                cards.append(HandCard(*ends, mark))
        hands.append(Hand(tuple(cards)))
    position = start.position()
    fields = {name: getattr(position, name) for name in Position.__slots__ if name != "hands"}
    return DnupState(start.rules, Position(hands=tuple(hands), **fields))


@given(states(), st.integers(0, 60), seeds)
def test_worlds_replay_the_public_history(state, length, seed):
    """0 impossible worlds: from the start that a world implies, every public move is legal and leads to it."""
    rules = state.rules
    start = rules.deal(Rng(seed))
    truth, flips, history = start.copy(), [0] * rules.players, []
    rng = Rng(seed, 1)
    for _ in range(length):
        if truth.is_over:
            break
        move = rng.choice(truth.legal_moves())
        if move.kind == "flip":
            flips[truth.turn] += 1
        history.append(move)
        truth.apply(move)
    for seat in range(rules.players):
        for draw in range(3):
            world = truth.observe(seat).determinise(Rng(seed, 2, draw))
            replayed = start_of(world, truth, start, flips)
            assert replayed.observe(seat) == start.observe(seat)
            for move in history:
                replayed.apply(move)  # raises if it is not legal
            assert replayed == world
