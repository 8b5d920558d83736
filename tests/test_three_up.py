"""3UP 3DOWN behind the contract: conformance, the reference, what a seat may know, notation, decks, strength."""

import pickle
import random
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2

import reference_three_up as reference
from cython_core.game import IllegalMoveError
from cython_core.rng import Rng
from cython_core.three_up import ThreeUpRules, ThreeUpState
from cython_core.three_up_position import RANKS, ThreeUpHand, ThreeUpPosition, ThreeUpStack
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.decks.three_up import (
    ThreeUpDeck,
    check_three_up_deck,
    load_three_up_deck,
    shipped_three_up_decks,
    three_up_deck_template,
)
from dnup_ai.errors import ConfigError, DeckError, NotationError
from dnup_ai.notation.three_up import parse_three_up_move, parse_three_up_position
from dnup_ai.search import Budget, Engine, SearchParams
from dnup_ai.testing import check_apply, check_round, random_line
from engines_three_up import pos

EVERY_TABLE = [(deck, players) for deck in ("standard", "box-84") for players in range(2, 7)]

# So few cards are hidden late in a round of two that all deals of them can be counted.
SMALL = ThreeUpDeck("small", (3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 2, 1))
reference.DECKS["small"] = dict(zip(RANKS, SMALL.counts, strict=True))


def rules_of(deck: str, players: int, **options: int) -> ThreeUpRules:
    return load_three_up_deck(deck).rules(players, **options)


def play(state: ThreeUpState, choices: list[int]) -> ThreeUpState:
    """Play one move a number, until the round is over or the numbers are."""
    for choice in choices:
        if state.is_over:
            break
        moves = state.legal_moves()
        state.apply(moves[choice % len(moves)])
    return state


tables = st.sampled_from(EVERY_TABLE)
seeds = st.integers(0, 2**32 - 1)
choices = st.lists(st.integers(0, 999), max_size=40)


@st.composite
def states(draw: st.DrawFn) -> ThreeUpState:
    """A true state anywhere in a round, at every number of players of both decks."""
    state = rules_of(*draw(tables)).deal(Rng(draw(seeds)))
    rng = Rng(draw(seeds))
    for _ in range(draw(st.integers(0, 200))):
        undo = state.apply(rng.choice(state.legal_moves()))
        if state.is_over:
            state.undo(undo)
            break
    return play(state, draw(choices))


# --- the contract


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_random_rounds_keep_the_contract(deck, players):
    assert check_round(rules_of(deck, players), 1) > 30


@pytest.mark.slow
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_many_random_rounds_keep_the_contract(deck, players):
    for seed in range(50):
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
        for bit in range(32):
            assert state.is_legal(near ^ 1 << bit) == (near ^ 1 << bit in codes)


@given(tables, seeds, choices)
def test_the_same_seed_and_moves_give_the_same_bytes(table, seed, line):
    first, second = (play(rules_of(*table).deal(Rng(seed)), line) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


def test_a_state_is_at_most_256_bytes():
    assert len(rules_of("standard", 6).deal(Rng(0)).to_bytes()) <= 256


def test_a_deal_puts_every_card_everywhere():
    """Each rank in each place as often as it should be: chi-square, false alarm 1 in 10,000."""
    rules = rules_of("standard", 3)
    deals = 3000
    counts: Counter[tuple[str, int]] = Counter()
    for deal in range(deals):
        position = rules.deal(Rng(7, deal)).position()
        for place, cards in (
            ("hand", position.hands[1].cards),
            ("down", position.down[2].cards),
            ("next", position.draw.cards[:6]),
            ("last", position.draw.cards[-6:]),
        ):
            counts.update((place, card) for card in cards)
    statistic = 0.0
    for place, size in (("hand", 6), ("down", 3), ("next", 6), ("last", 6)):
        for card, number in enumerate(rules.counts):
            expected = deals * size * number / 74
            statistic += (counts[place, card] - expected) ** 2 / expected
    assert statistic < chi2.ppf(0.9999, 4 * 12)


@given(states(), seeds)
def test_rollouts_end_and_pay_a_constant_sum(state, seed):
    for policy, epsilon in (("random", 0.0), ("greedy", 0.1)):
        payoffs, turns = state.rollout(Rng(seed), policy, epsilon, max_turns=500)
        assert sum(payoffs) == pytest.approx(1)
        assert 0 <= turns <= 500
        assert (turns == 0) == state.is_over


def test_a_rollout_that_hits_its_cap_is_undecided_not_a_win():
    payoffs, turns = rules_of("standard", 4).deal(Rng(1)).rollout(Rng(2), max_turns=3)
    assert turns == 3
    assert payoffs == (0.25,) * 4


@given(states())
def test_priors_are_probabilities_and_the_greedy_move_has_the_highest(state):
    assume(not state.is_over)
    priors = state.priors()
    assert sum(priors) == pytest.approx(1)
    assert min(priors) > 0
    assert priors[state.legal_moves().index(state.greedy_move(Rng(1)))] == pytest.approx(max(priors))


@given(states())
def test_rewards_are_those_of_the_outcome_and_evaluations_sum_to_one(state):
    for kind in ("tokens", "match"):
        assert state.rewards(kind) == pytest.approx(state.payoffs())
        expected = state.rewards(kind, evaluate=True)
        assert sum(expected) == pytest.approx(1)
        assert min(expected) >= 0
    with pytest.raises(ValueError, match="expected 'tokens' or 'match', got 'money'"):
        state.rewards("money")


def test_the_evaluation_says_something():
    """Over greedy rounds it is nearer to who won than equal chances are, by mean squared error."""
    rules = rules_of("standard", 3)
    errors = [0.0, 0.0]
    for deal in range(300):
        state = rules.deal(Rng(21, deal))
        rng = Rng(22, deal)
        seen = []
        for turn in range(600):
            if state.is_over:
                break
            if turn % 10 == 0:
                seen.append(state.rewards(evaluate=True))
            state.apply(state.greedy_move(rng, 0.05))
        for expected in seen:
            for seat, won in enumerate(state.payoffs()):
                errors[0] += (expected[seat] - won) ** 2
                errors[1] += (1 / 3 - won) ** 2
    assert errors[0] < 0.97 * errors[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 1}, "players: expected 2 to 6, got 1"),
        ({"players": 7}, "players: expected 2 to 6, got 7"),
        ({"counts": [6] * 12}, "counts: expected 13 numbers"),
        ({"counts": [16] + [6] * 12}, "counts: expected 0 to 15 cards of rank 1, got 16"),
        ({"counts": [-1] + [6] * 12}, "counts: expected 0 to 15 cards of rank 1, got -1"),
        ({"counts": [2] * 13, "players": 3}, "counts: expected 28 to 108 cards at 3 players, got 26"),
        ({"counts": [9] * 13}, "counts: expected 19 to 108 cards at 2 players, got 117"),
        ({"repetition": 1}, r"repetition: expected 0 \(off\) or 2 and more, got 1"),
        ({"max_turns": 0}, "max_turns: expected 1 or more, got 0"),
        ({"max_rounds": 0}, "max_rounds: expected 1 or more, got 0"),
    ],
)
def test_rules_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ThreeUpRules(**{"players": 2, "counts": [6] * 13} | arguments)


def test_rules_are_equal_by_what_they_say():
    rules = rules_of("standard", 3, max_turns=50)
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert rules != rules_of("standard", 3)
    assert rules.options() == {"max_turns": 50}
    assert repr(rules) == "<3up3down rules players=3 deck=standard max_turns=50>"
    assert rules.deal(Rng(1), [0, 0, 0]) == rules.deal(Rng(1))
    with pytest.raises(ValueError, match="tokens: a match is one round"):
        rules.deal(Rng(1), [1, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fold",), "expected a move of kind draw, nodraw"),
        (("keep", (1, 2)), "keep: expected three cards, got 2"),
        (("play", ()), "play: expected 1 to 15 cards, got 0"),
        (("play", (1, 2)), "play: expected cards of one rank, got 2,3"),
        (("play", (13,)), "play: expected ranks from 0 to 12, got 13"),
        (("down", (1,)), "down: takes no cards, got 2"),
        (("down", (), (1, 2)), "down: shows at most 1 cards, got 2"),
        (("keep", (1, 2, 3), (4,)), "keep: shows at most 0 cards, got 1"),
    ],
)
def test_moves_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        rules_of("standard", 2).move(*arguments)


# --- the literal reference


def agree_over_a_round(deck: str, players: int, seed: int, views: bool) -> int:
    """Play one random round on both; returns the number of moves."""
    rng = random.Random(seed)
    literal = reference.deal(deck, players, rng)
    state = parse_three_up_position(str(literal))
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
        if state.is_over or turns == 600:
            return turns
        moves = sorted(str(move) for move in state.legal_moves())
        assert moves == sorted(reference.legal(literal))
        move = rng.choice(moves)
        literal = reference.play(literal, move)
        state.apply(parse_three_up_move(state.rules, move))
        turns += 1


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_random_rounds_agree(deck, players):
    for seed in range(4):
        agree_over_a_round(deck, players, seed, views=seed == 0)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_two_thousand_random_rounds_agree(deck, players, block):
    for seed in range(40):
        agree_over_a_round(deck, players, 1000 + 40 * block + seed, views=seed % 10 == 0)


def positions_of_a_round() -> list[str]:
    """Positions of random play at every table, the last moves of rounds among them."""
    positions = []
    for deck, players in EVERY_TABLE:
        line = [str(state) for state, _ in random_line(rules_of(deck, players), 3)]
        positions += [line[players], line[len(line) // 2], line[-5]]
    return positions


@pytest.mark.parametrize("position", positions_of_a_round())
def test_perft_agrees(position):
    state = parse_three_up_position(position)
    depth = next(depth for depth in (5, 4, 3, 2, 1) if depth == 1 or state.perft(depth) < 300)
    for shallow in range(depth + 1):
        assert state.perft(shallow) == reference.perft(reference.parse(position), shallow)


@pytest.mark.slow
@pytest.mark.parametrize("position", positions_of_a_round())
def test_perft_agrees_deeper(position):
    state = parse_three_up_position(position)
    depth = next(depth for depth in (8, 7, 6, 5, 4, 3) if depth == 3 or state.perft(depth) < 10_000)
    assert state.perft(depth) == reference.perft(reference.parse(position), depth)


@pytest.mark.parametrize(
    ("players", "counts"),
    [
        (2, (1, 14, 112, 336, 896, 1784)),
        (3, (1, 14, 112, 896, 2688, 7168)),
        (4, (1, 14, 112, 896, 17920, 53760)),
        (5, (1, 14, 112, 896, 17920, 250880)),
        (6, (1, 14, 112, 896, 17920, 250880)),
    ],
)
def test_perft_of_the_first_deal_stays_what_it_was(players, counts):
    """Pinned counts: a change of the rules or of the deal shows here at once."""
    state = rules_of("standard", players).deal(Rng(0))
    assert tuple(state.perft(depth) for depth in range(6)) == counts


# --- no leak


def swap_hidden(state: ThreeUpState, seat: int, rng: Rng) -> ThreeUpState:
    """Another true state that `seat` cannot tell from this one: hands, face-down cards and draw pile dealt anew."""
    position = state.position()
    unknown = [*position.draw.cards, *(card for stack in position.down for card in stack.cards)]
    unknown += [card for other, hand in enumerate(position.hands) if other != seat for card in hand.cards]

    def dealt(number: int) -> tuple[int, ...]:
        return tuple(unknown.pop(rng.below(len(unknown))) for _ in range(number))

    hands = tuple(
        hand if other == seat else ThreeUpHand(tuple(sorted(dealt(len(hand.cards)))), hand.known)
        for other, hand in enumerate(position.hands)
    )
    changed = {
        "hands": hands,
        "down": tuple(ThreeUpStack(dealt(len(stack))) for stack in position.down),
        "draw": ThreeUpStack(dealt(len(position.draw))),
    }
    fields = {name: getattr(position, name) for name in ThreeUpPosition.__slots__}
    return ThreeUpState(state.rules, ThreeUpPosition(**fields | changed))


@given(states(), seeds)
def test_hidden_cards_leave_no_trace_in_a_view(state, seed):
    """Two true states that a seat cannot tell apart give it the same bytes by every path."""
    for seat in range(state.players):
        other = swap_hidden(state, seat, Rng(seed))
        view, twin = state.observe(seat), other.observe(seat)
        assert view.to_bytes() == twin.to_bytes()
        assert str(view) == str(twin)
        assert hash(view) == hash(twin)
        assert pickle.dumps(view) == pickle.dumps(twin)
        assert view.determinise(Rng(seed)).to_bytes() == twin.determinise(Rng(seed)).to_bytes()
        if state.turn == seat:
            assert view.legal_moves() == twin.legal_moves()
            assert view.priors() == twin.priors()
            assert view.greedy_move(Rng(seed)) == twin.greedy_move(Rng(seed))
            for move in state.legal_moves():
                assert state.move_key(move, seat) == other.move_key(move, seat) == view.move_key(move, seat)


@given(states(), seeds)
def test_hidden_cards_change_no_choice_of_any_bot(state, seed):
    """No bot sees a hidden hand, a face-down card, or the order of the draw pile."""
    assume(not state.is_over and len(state.legal_moves()) > 1)
    seat = state.turn
    other = swap_hidden(state, seat, Rng(seed))
    for name, bot in shipped_bots().items():
        if bot.sees_all:
            continue  # it is not given views
        spec = f"{name}:iterations=30" if hasattr(bot.Params, "iterations") else name
        chosen = [parse_spec(spec).make(Rng(seed)).choose(truth.observe(seat), ()) for truth in (state, other)]
        assert chosen[0] == chosen[1], f"{name} saw a hidden card"


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_swapping_hidden_cards_really_makes_another_truth(deck, players):
    """The two tests above prove something: hands, face-down cards and draw pile do differ."""
    state = rules_of(deck, players).deal(Rng(5))
    other = swap_hidden(state, 0, Rng(1))
    assert other.position().hands != state.position().hands
    assert other.position().down != state.position().down
    assert other.position().draw != state.position().draw


# --- views move on


@given(states(), choices)
def test_a_view_moved_on_by_what_its_seat_sees_is_the_view_of_the_end(state, line):
    views = [state.observe(seat) for seat in range(state.players)]
    for choice in line:
        if state.is_over:
            break
        moves = state.legal_moves()
        move = moves[choice % len(moves)]
        for seat, view in enumerate(views):
            view.apply(state.seen_move(move, seat))
        state.apply(move)
    for seat, view in enumerate(views):
        assert view.to_bytes() == state.observe(seat).to_bytes()


DRAWING = pos("3,7*2;1,2,5", up="4,9,C;2*2,10", down="1,2,3;4,5,6", draw="8,C,9")


def test_what_a_move_shows_is_seen_by_its_own_seat_only():
    state = parse_three_up_position(DRAWING)
    move = parse_three_up_move(state.rules, "play:7*2")
    assert str(state.seen_move(move, 0)) == "play:7*2>8,C"
    assert state.seen_move(move, 0).seen == (7, 10)
    assert str(state.seen_move(move, 1)) == "play:7*2"
    blind = parse_three_up_position(pos("-;3", down="5,9;-"))
    assert [str(blind.seen_move(blind.legal_moves()[0], seat)) for seat in range(2)] == ["down>5"] * 2


def test_a_view_is_not_moved_on_by_a_move_that_shows_it_a_card_unless_told_which():
    state = parse_three_up_position(DRAWING)
    view = state.observe(0)
    before = view.to_bytes()
    move = parse_three_up_move(state.rules, "play:7*2")
    assert view.is_legal(move)
    with pytest.raises(ValueError, match=r"play:7\*2 shows 2 cards to seat 0: apply seen_move\(move, 0\)"):
        view.apply(move)
    assert view.to_bytes() == before
    other = state.observe(1)
    other.apply(move)
    assert other.position().hands[0].hidden == 3


@pytest.mark.parametrize("seen", ["8", "8,9,C", "8,6*2", "C2*3"])
def test_a_view_refuses_cards_that_a_move_cannot_show(seen):
    """Too few, too many, or more of a rank than are left."""
    view = parse_three_up_position(DRAWING).observe(0)
    with pytest.raises(IllegalMoveError):
        view.apply(parse_three_up_move(view.rules, f"play:7*2>{seen}"))


def test_a_true_state_takes_no_cards_with_a_move():
    state = parse_three_up_position(DRAWING)
    move = parse_three_up_move(state.rules, "play:7*2")
    with pytest.raises(IllegalMoveError):
        state.apply(state.seen_move(move, 0))
    with pytest.raises(ValueError, match="determinise it first"):
        state.observe(0).seen_move(move, 0)
    with pytest.raises(IllegalMoveError, match="pickup is not legal"):
        state.seen_move(parse_three_up_move(state.rules, "pickup"), 0)


@given(states(), seeds)
def test_a_view_takes_every_move_that_some_world_allows(state, seed):
    assume(not state.is_over)
    view = state.observe((state.turn + 1) % state.players)
    possible = {move for draw in range(20) for move in view.determinise(Rng(seed, draw)).legal_moves()}
    assert all(view.is_legal(move) for move in possible)


# --- worlds


SMALL_TRUTHS = [
    "turn=0 hands=4,5;6,7+ up=-;C1 down=3,1;2,1,5 pile=2",
    "turn=1 hands=4,5;6,7+ up=-;C1 down=3,1;2,1,5 pile=2",
    "turn=1 hands=4;C2,1*2,2 up=9;- down=2,1,5;- pile=3",
    "turn=0 hands=4,5;6,2,7+ up=-;- down=-;1,1,5 pile=2",
    "turn=1 hands=-;- up=-;- down=1,2,1;3,2,C1 pile=4",
]


def small_state(text: str) -> ThreeUpState:
    """A true position of the small deck; all cards that it does not place are gone."""
    fields = dict(item.split("=") for item in text.split(" "))
    return parse_three_up_position(
        pos(
            fields["hands"],
            turn=fields["turn"],
            up=fields["up"],
            down=fields["down"],
            pile=fields["pile"],
            draw=fields.get("draw", "-"),
            deck="small",
        ),
        SMALL,
    )


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", SMALL_TRUTHS)
def test_determinise_is_uniform_over_deals_of_single_cards(text, seat):
    """Chi-square over all deals that agree with the view; fixed seeds, a false alarm would be 1 in 100,000."""
    view = small_state(text).observe(seat)
    expected = Counter(str(world) for world in reference.worlds(reference.parse(str(view))))
    total = sum(expected.values())
    draws = max(3000, 20 * len(expected))
    rng = Rng(99, seat)
    counts = Counter(str(view.determinise(rng)) for _ in range(draws))
    assert set(counts) <= set(expected)
    assert len(expected) > 1
    statistic = sum((counts[world] - draws * n / total) ** 2 / (draws * n / total) for world, n in expected.items())
    assert statistic < chi2.ppf(1 - 1e-5, len(expected) - 1)


def test_determinise_deals_the_draw_pile_anew():
    """Each card that is not seen comes next equally often: chi-square, false alarm 1 in 100,000."""
    state = rules_of("standard", 3).deal(Rng(4))
    view = state.observe(1)
    unseen = Counter(dict(enumerate(state.rules.counts)))
    unseen.subtract(state.position().hands[1].cards)
    rng = Rng(8)
    draws = 5000
    worlds = [view.determinise(rng).position() for _ in range(draws)]
    for place in (0, 20, -1):
        counts = Counter(world.draw.cards[place] for world in worlds)
        expected = {rank: draws * count / unseen.total() for rank, count in unseen.items() if count}
        statistic = sum((counts[rank] - number) ** 2 / number for rank, number in expected.items())
        assert statistic < chi2.ppf(1 - 1e-5, len(expected) - 1)


@given(states(), seeds)
def test_worlds_agree_with_the_view_and_differ(state, seed):
    assume(not state.is_over)
    for seat in range(state.players):
        view = state.observe(seat)
        worlds = [view.determinise(Rng(seed, draw)) for draw in range(10)]
        for world in worlds:
            world.check()
            assert world.observe(seat) == view
        if len(state.position().draw) > 2:
            assert len({world.to_bytes() for world in worlds}) > 1


@given(states())
def test_a_move_key_is_what_everybody_sees_of_a_choice(state):
    """Equal for all seats, different for different moves; merged, only the cards of a keep are left aside."""
    moves = state.legal_moves()
    for seat in range(state.players):
        assert len({state.move_key(move, seat) for move in moves}) == len(moves)
        for move in moves:
            assert state.move_key(state.seen_move(move, seat), seat) == state.move_key(move, seat)
    merged = {state.move_key(move, 0, merge=True) for move in moves}
    assert len(merged) == (1 if moves and moves[0].kind == "keep" else len(moves))


# --- notation


@given(states())
def test_positions_and_moves_are_read_as_they_are_written(state):
    for position in (state, *(state.observe(seat) for seat in range(state.players))):
        again = parse_three_up_position(str(position))
        assert again == position
        assert str(again) == str(position)
    for move in state.legal_moves():
        assert parse_three_up_move(state.rules, str(move)) == move
        for seat in range(state.players):
            seen = state.seen_move(move, seat)
            assert parse_three_up_move(state.rules, str(seen)) == seen


SPEC = (
    "3up3down:3 view=0 turn=0 hands=3,7*2;3x;7+,2x up=4,9,C;2,2,10;1,5,8 down=3x;3x;3x pile=5,6*2 draw=40x "
    "gone=C1,10*3 extra=0"
)


def test_the_example_of_the_rules_is_read():
    """Cards in any order, also one by one; written in the order of ranks, with their numbers."""
    view = parse_three_up_position(SPEC)
    assert str(view) == SPEC.replace("C1,10*3", "10*3,C1").replace("2,2,10", "2*2,10")
    assert [str(move) for move in view.legal_moves()] == ["play:7", "play:7*2"]
    assert not view.is_legal(view.rules.move("down"))


def test_fields_are_read_in_any_order_and_may_be_left_out():
    head, *fields = SPEC.split(" ")
    assert parse_three_up_position(" ".join([head, *reversed(fields)])) == parse_three_up_position(SPEC)
    short = pos("3;4").replace(" pile=-", "").replace(" draw=-", "").replace(" extra=0", "")
    short = short.replace(" up=-;-", "").replace(" down=-;-", "")
    assert str(parse_three_up_position(short)) == pos("3;4")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3up3down:3", "3up3down:7", "3up3down, column 1: expected 3up3down:N with 2 to 6 players"),
        ("3up3down:3", "dnup:3", "3up3down, column 1: expected 3up3down:N"),
        ("view=0", "view=3", "view, column 17: expected - or a seat from 0 to 2, got '3'"),
        ("view=0", "view=0 view=0", "view, column 19: expected every field once"),
        ("view=0", "viw=0", "position, column 12: expected one of view, deck, turn"),
        ("view=0 ", "view=0  ", "position, column 19: expected one blank between fields"),
        ("view=0", "view=0 deck=mine", "deck, column 24: expected a deck that ships"),
        ("view=0", "view=0 deck=Mine", "deck, column 24: expected the name of a deck"),
        ("turn=0", "turn=00", "turn, column 24: expected - or a seat"),
        ("turn=0 ", "", "turn, column 116: expected the field turn=, got none"),
        ("turn=0", "turn=-", "turn, column 24: the round is over and a seat is to move, or the reverse"),
        ("3,7*2;", "3,7*1;", r"hands, column 34: expected a card like 7, 7\*2 or C1, got '7\*1'"),
        ("3,7*2;", "3,7,7,7;", "hands, column 32: 1 card too many"),
        ("3,7*2;", "3,7*2,1x;", "hands, column 38: expected a card like"),
        ("3,7*2;", "3,7*16;", "hands, column 34: expected a card like"),
        ("3,7*2;", "3,07*2;", "hands, column 34: expected a card like"),
        ("7+,2x", "7,2x", "hands, column 41: expected what seat 0 can know"),
        ("7+,2x", "2x,7+", "hands, column 41: expected cards without names last"),
        ("7+,2x", "7+,02x", "hands, column 44: expected what seat 0 can know"),
        ("7+,2x", "7+,2x;-", "hands, column 32: expected 3 lists of cards, one per seat, got 4"),
        ("7+,2x", "7+,3x", "hands, column 32: 1 card too many"),
        ("7+,2x", "7+,1x", "hands, column 32: "),
        ("up=4,9,C;", "up=4,9,C3;", "up, column 54: expected a card like"),
        ("up=4,9,C;", "up=4,9,C,10;", "up, column 50: seat 0 has more than 3 face-up cards"),
        ("down=3x", "down=1,2,3", "down, column 74: expected - or a number of cards like 3x"),
        ("pile=5,6*2", "pile=5,6*3", "hands, column 32: 1 card too many"),
        ("pile=5,6*2 draw=40x", "pile=5,6*3 draw=39x", "pile, column 88: three of a number"),
        ("pile=5,6*2", "pile=5,6*2+", "pile, column 90: expected a card like"),
        ("draw=40x", "draw=41x", "hands, column 32: 1 card too many"),
        ("draw=40x", "draw=39x", "hands, column 32: 1 card missing"),
        ("gone=C1,10*3", "gone=C1,10*7", "gone, column 108: too many cards of rank 10"),
        ("extra=0", "extra=1d", "extra, column 122: a draw is possible after a clear card"),
        ("extra=0", "extra=0d", "extra, column 122: expected plays owed, as 2 or 2d, from 1 to 99"),
        ("extra=0", "extra=2", "extra, column 122: more extra plays than the clear cards"),
        ("extra=0", "extra=d", "extra, column 122: expected plays owed"),
        ("extra=0", "extra=0\n", "extra, column 123: expected ASCII text on one line"),
    ],
)
def test_bad_positions_are_refused_with_field_and_column(old, new, message):
    assert old in SPEC
    with pytest.raises(NotationError, match=message):
        parse_three_up_position(SPEC.replace(old, new, 1))


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (pos("3;4", down="5;-").replace("down=5", "down=1x"), "down, column .*: expected a rank"),
        (pos("3;4", down="5;-").replace("down=5", "down=5*2"), "down, column .*: expected a rank"),
        (pos("3;4", up="5;-"), "down, column .*: seat 0 has played face-down cards before its face-up ones"),
        (pos("3,4;5,6,7", up="1*3;2*3", down="1,1,1;2,2,2", draw="8"), "hands, column .*: seat 0 has less than 3"),
        (pos("3,4,5;6,7,8", up="1*3;2*2", down="1,1,1;2,2,2", draw="8"), "up, column .*: seat 1 has played from the"),
        (pos("3;4").replace("turn=0", "turn=-"), "turn, column 17: the round is over and a seat is to move"),
        (pos("-;4"), "turn, column 17: the round is over and a seat is to move"),
        (pos("-;-", turn="-"), "hands, column .*: seats 0 and 1 have no card left"),
        (pos("-;4", turn="-", extra="1"), "extra, column .*: the round is over"),
        (pos("3;4", pile="C"), "pile, column .*: three of a number or a clear card"),
        (
            pos("3*3,4*3;5*3,6*3", up="-;1*3", down="1,1,1;2,2,2", draw="8"),
            "up, column .*: the seats choose three face-up cards in turn, and seat 0 is the next",
        ),
        (pos("3,4;5", up="7*4;-", down="1,1,1;-"), "up, column .*: seat 0 has more than 3 face-up cards"),
    ],
)
def test_impossible_positions_are_refused(position, message):
    with pytest.raises(NotationError, match=message):
        parse_three_up_position(position)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fold", "kind, column 1: expected keep:CARDS, play:CARDS"),
        ("played", "kind, column 1: expected keep:CARDS"),
        ("play", r"cards, column 5: expected a colon and cards, like :7\*2"),
        ("play:", "cards, column 6: expected a card like"),
        ("play:7,8", "cards, column 6: expected cards of one rank"),
        ("play:11", "cards, column 6: expected a card like"),
        ("play:7*2+", "cards, column 6: expected a card like"),
        ("keep:3,7", "cards, column 6: expected three cards"),
        ("keep:3,7,C1>2", "seen, column 13: expected no more cards than the move can show"),
        ("down>2,3", "seen, column 6: expected no more cards"),
        ("play:7>", "seen, column 8: expected a card like"),
        ("down ", "kind, column 5: expected the end of the move"),
        ("pickup:3", "kind, column 7: expected the end of the move"),
    ],
)
def test_bad_moves_are_refused_with_part_and_column(text, message):
    with pytest.raises(NotationError, match=message):
        parse_three_up_move(rules_of("standard", 2), text)


def test_cards_of_a_move_are_read_in_any_order():
    rules = rules_of("standard", 2)
    assert str(parse_three_up_move(rules, "keep:C1,7,3")) == "keep:3,7,C1"
    assert str(parse_three_up_move(rules, "keep:7*2,3")) == "keep:3,7*2"
    assert str(parse_three_up_move(rules, "play:7,7")) == "play:7*2"
    assert parse_three_up_move(rules, "keep:3,7*2").cards == (2, 6, 6)


# --- decks


def test_the_shipped_decks_are_the_ones_of_the_rules():
    assert shipped_three_up_decks() == ("standard", "box-84")
    for name, total in (("standard", 74), ("box-84", 84)):
        deck = load_three_up_deck(name)
        assert reference.DECKS[name] == dict(zip(RANKS, deck.counts, strict=True))
        assert sum(deck.counts) == total
        assert deck.player_counts() == (2, 3, 4, 5, 6)
        assert ThreeUpDeck.from_dict(deck.to_dict(), "here") == deck


def test_a_deck_file_is_read_and_played(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(three_up_deck_template())
    assert check_three_up_deck(path) == []
    deck = load_three_up_deck(path)
    assert deck.name == "my-box"
    start = str(deck.rules(6).deal(Rng(1)))
    assert " deck=my-box " in start
    assert str(parse_three_up_position(start, deck)) == start
    with pytest.raises(NotationError, match="expected a deck that ships"):
        parse_three_up_position(start)
    with pytest.raises(NotationError, match="expected deck=my-box, the deck given, got no deck="):
        parse_three_up_position(SPEC, deck)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("C1 = 6, ", "", "counts: the rank C1 is missing"),
        ("C1 = 6", "C1 = 16", "counts.C1: expected 0 to 15 cards, got 16"),
        ("C1 = 6", "C1 = true", "counts.C1: expected 0 to 15 cards, got True"),
        ("C1 = 6", "C1 = 6, C3 = 1", "counts.C3: expected one of the ranks 1, 2"),
        ('"my-box"', '"My box"', "name: expected a name of small letters"),
        ('name = "my-box"', "", "name: expected a name of small letters, digits and hyphens, like 'my-box', got none"),
        ('"my-box"', '"box-84"', "name: expected a name that no deck that ships has"),
        ('name = "my-box"', 'name = "my-box"\nstar = 1', "star: unknown key; expected name or counts"),
        ("counts = {", "counts = [{", "not TOML"),
        ("= 6", "= 0", "counts: expected 19 to 108 cards, got 2"),
        ("= 6", "= 15", "counts: expected 19 to 108 cards, got 182"),
    ],
)
def test_bad_deck_files_are_refused_with_line_and_key(tmp_path, old, new, message):
    path = tmp_path / "mine.toml"
    path.write_text(three_up_deck_template().replace(old, new))
    problems = check_three_up_deck(path)
    assert message in problems[0]
    assert problems[0].startswith(f"{path}, line ")
    with pytest.raises(DeckError) as caught:
        load_three_up_deck(path)
    assert problems[0] in str(caught.value)


def test_decks_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(DeckError, match="deck 'mine': expected one of those that ship"):
        load_three_up_deck("mine")
    with pytest.raises(DeckError, match="cannot be read"):
        load_three_up_deck(tmp_path / "none.toml")
    with pytest.raises(DeckError, match="record 3, expected a table with the keys name and counts, got 5"):
        ThreeUpDeck.from_dict(5, "record 3")
    with pytest.raises(DeckError, match="deck small at 3 players: expected more than 27 cards, got 22"):
        SMALL.rules(3)
    with pytest.raises(DeckError, match="players: expected 2 to 6, got 7"):
        SMALL.rules(7)
    with pytest.raises(ConfigError, match="unknown option 'out_sets'; there are repetition"):
        SMALL.rules(2, out_sets="open")
    with pytest.raises(ConfigError, match="max_turns: expected an integer"):
        SMALL.rules(2, max_turns="many")
    with pytest.raises(ConfigError, match="repetition: expected 0"):
        SMALL.rules(2, repetition=1)


# --- strength


def shares(rules: ThreeUpRules, deals: int, seed: int, choose) -> float:
    """Share of the rounds that seat 0's player wins, who sits at every seat in turn, less the fair share.

    choose: returns the move, given the view and whether it is that player's.
    """
    won = 0.0
    for deal in range(deals):
        for seat in range(rules.players):
            state = rules.deal(Rng(seed, deal))
            rng = Rng(seed, deal, 1, seat)
            for _ in range(rules.max_turns):
                if state.is_over:
                    break
                state.apply(choose(state.observe(state.turn), state.turn == seat, rng))
            won += state.payoffs()[seat]
    return won / deals / rules.players


@pytest.mark.parametrize(("deck", "players"), EVERY_TABLE)
def test_greedy_beats_random_clearly(deck, players):
    """One greedy player among random ones wins far more than its share (docs/rules-3up3down.md has the figures)."""

    def choose(view, own, rng):
        return view.greedy_move(rng) if own else rng.choice(view.legal_moves())

    assert shares(rules_of(deck, players), 180 // players, 31, choose) > 1 / players + 0.15


@pytest.mark.parametrize("players", [2, 4])
def test_ismcts_beats_random(players):
    engine = Engine(SearchParams())

    def choose(view, own, rng):
        moves = view.legal_moves()
        if not own or len(moves) == 1:
            return rng.choice(moves)
        chosen = engine.choose(view, Budget(150), rng)
        assert chosen in moves
        return chosen

    assert shares(rules_of("standard", players), 40 // players, 41, choose) > 1 / players + 0.15


@pytest.mark.slow
def test_ismcts_beats_greedy():
    """With parameters that suit the game (docs/rules-3up3down.md)."""
    engine = Engine(SearchParams(selection="puct", exploration=0.5, first_play=0.5, rollout_turns=20))

    def choose(view, own, rng):
        if own and len(view.legal_moves()) > 1:
            return engine.choose(view, Budget(1000), rng)
        return view.greedy_move(rng, 0.05)

    assert shares(rules_of("standard", 3), 60, 6, choose) > 1 / 3 + 0.04


@pytest.mark.parametrize("bot", ["flat", "dmcts", "ismcts"])
@given(state=states(), seed=seeds)
def test_every_search_returns_a_legal_move(bot, state, seed):
    assume(not state.is_over)
    view = state.observe(state.turn)
    before = view.to_bytes()
    chosen = parse_spec(f"{bot}:iterations=20").make(Rng(seed)).choose(view, ())
    assert chosen in view.legal_moves()
    assert view.to_bytes() == before


def test_the_same_seed_searches_the_same():
    view = rules_of("standard", 3).deal(Rng(3)).observe(0)
    for selection in ("ucb1", "puct"):
        for rollout in ("random", "greedy", "mast"):
            params = SearchParams(selection=selection, rollout=rollout)
            first, second = (Engine(params).search(view, Budget(300), rng=Rng(1)) for _ in range(2))
            assert first.moves == second.moves
            assert first.best in view.legal_moves()
