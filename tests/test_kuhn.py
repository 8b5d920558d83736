"""Kuhn poker: the contract and the search are not about dnup, and the search is right where the answer is known."""

import pytest

from cython_core.kuhn import KuhnRules, KuhnState
from cython_core.rng import Rng
from dnup_ai.search import Budget, Engine, SearchParams
from dnup_ai.testing import check_round
from python_kuhn import BET, PASS, CoinKuhn, CoinKuhnRules, Coins

RULES = KuhnRules()
CARDS = "JQK"
# Every information set: the mover's card, and the moves that it has seen.
LINES = {(): 0, ("pass",): 1, ("bet",): 1, ("pass", "bet"): 0}
INFORMATION_SETS = [(card, line) for line in LINES for card in CARDS]
OVER = [("pass", "pass"), ("bet", "pass"), ("bet", "bet"), ("pass", "bet", "pass"), ("pass", "bet", "bet")]

# Worse than the other move against some play of the opponent and better against none: a jack calls, a king gives up, a
# king does not bet when the other has passed. (A queen that bets is worse only if the opponent makes none of these
# mistakes.)
DOMINATED = {
    ("J", ("bet",)): "bet",
    ("J", ("pass", "bet")): "bet",
    ("K", ("bet",)): "pass",
    ("K", ("pass", "bet")): "pass",
    ("K", ("pass",)): "pass",
}
ENGINES = {
    "ismcts": {},
    "dmcts": {"worlds": 20},
    "flat": {"flat": True},
}


def view_of(card, line):
    """What the mover of an information set sees."""
    seat = LINES[line]
    return KuhnState(RULES, card + "x" if seat == 0 else "x" + card, line, seat)


# --- the game, counted out in plain Python, without the core


def gain(cards, line):
    """Chips that seat 0 wins at the end of a line of play."""
    if line[-2:] == ("bet", "pass"):
        return 1 if len(line) == 2 else -1
    stake = 2 if line[-1] == "bet" else 1
    return stake if CARDS.index(cards[0]) > CARDS.index(cards[1]) else -stake


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def uniform_value(cards, line, seat):
    """Chips that `seat` expects when both play uniformly from here."""
    if line in OVER:
        return gain(cards, line) * (1 if seat == 0 else -1)
    return mean(uniform_value(cards, (*line, move), seat) for move in ("pass", "bet"))


def deals_of(card, seat):
    """The deals that agree with a seat's card; against uniform play they stay equally likely throughout."""
    return [card + other if seat == 0 else other + card for other in CARDS if other != card]


def best_response(deals, line, seat, move=None):
    """Chips that `seat` expects from its best play (first `move`, if given), the other seat playing uniformly."""
    if line in OVER:
        return mean(gain(cards, line) * (1 if seat == 0 else -1) for cards in deals)
    values = {to: best_response(deals, (*line, to), seat) for to in ("pass", "bet")}
    if move is not None:
        return values[move]
    return max(values.values()) if len(line) % 2 == seat else mean(values.values())


def chips(reward):
    return 4 * reward - 2


# --- the game


def test_random_rounds_keep_the_contract():
    assert sum(check_round(RULES, seed) for seed in range(300)) > 600


def test_perft_counts_every_line_of_play():
    state = KuhnState(RULES, "QK")
    # pass-pass, bet-bet and pass-bet-bet are followed by two shows; bet-pass and pass-bet-pass are not.
    assert [state.perft(depth) for depth in range(7)] == [1, 2, 4, 4, 3, 1, 0]


@pytest.mark.parametrize("cards", [first + second for first in CARDS for second in CARDS if first != second])
@pytest.mark.parametrize("line", OVER)
def test_every_end_pays_what_the_rules_say(cards, line):
    state = KuhnState(RULES, cards, line)
    while not state.is_over:
        assert state.payoffs() == (0, 0)
        assert state.rewards(evaluate=True)[0] == (gain(cards, line) + 2) / 4
        assert state.rewards() == (0.5, 0.5)
        state.apply(state.legal_moves()[0])
    won = gain(cards, line)
    assert state.payoffs() == state.result() == (won, -won)
    assert state.ranks() == (won > 0, won < 0)
    assert state.rewards() == ((won + 2) / 4, (2 - won) / 4)
    assert state.rewards("match") == (won > 0, won < 0)


def test_positions_read_well():
    state = KuhnState(RULES, "QK", ("pass", "bet"))
    assert str(state) == "kuhn:2 turn=0 hands=Q;K moves=pass,bet"
    assert str(state.observe(0)) == "kuhn:2 view=0 turn=0 hands=Q;x moves=pass,bet"
    assert [str(move) for move in state.legal_moves()] == ["pass", "bet"]
    state.apply(RULES.move("bet"))
    assert [str(move) for move in state.legal_moves()] == ["show:Q"]
    state.apply(RULES.move("show:Q"))
    assert str(state.observe(1)) == "kuhn:2 view=1 turn=1 hands=Q;K moves=pass,bet,bet,show:Q"
    state.apply(RULES.move("show:K"))
    assert str(state.observe(0)) == "kuhn:2 view=0 turn=- hands=Q;K moves=pass,bet,bet,show:Q,show:K"


def test_a_hidden_card_is_either_of_two_equally_often():
    for card, line in INFORMATION_SETS:
        view, rng = view_of(card, line), Rng(1)
        drawn = [view.determinise(rng).hands for _ in range(2000)]
        for hands in deals_of(card, LINES[line]):
            assert abs(drawn.count(hands) - 1000) < 5 * 22.4  # 5 standard deviations


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("QQ",), "two seats have the card Q"),
        (("Qx",), "the card of seat 1 is not known here"),
        (("QK", (), 0), "the card of seat 1 is known here"),
        (("Q",), "expected two of J, Q, K and x, got 'Q'"),
        (("QK", ("bet", "pass", "bet")), "bet is not legal in kuhn:2 turn=- hands=Q;K moves=bet,pass"),
        (("QK", ("call",)), "expected one of pass, bet, show:J, show:Q, show:K, got 'call'"),
        (("QK", (), 2), r"expected seat 0\.\.1, got 2"),
    ],
)
def test_impossible_positions_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        KuhnState(RULES, *arguments)


# --- the search


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rollout", ["random", "greedy", "mast"])
def test_no_dominated_move_is_ever_chosen(engine, rollout):
    searcher = Engine(SearchParams(rollout=rollout), **ENGINES[engine])
    for (card, line), bad in DOMINATED.items():
        for seed in range(20):
            best = searcher.search(view_of(card, line), Budget(iterations=500), Rng(seed)).best
            assert str(best) != bad, f"{card} after {line or 'nothing'}, seed {seed}"


@pytest.mark.parametrize(("card", "line"), INFORMATION_SETS)
def test_flat_search_values_every_move_as_uniform_play_does(card, line):
    """Within 5 standard errors. Where the mover does not act again this is the best response to uniform play."""
    seat = LINES[line]
    engine = Engine(SearchParams(rollout="random"), flat=True)
    result = engine.search(view_of(card, line), Budget(iterations=20_000), Rng(2))
    for move in result.moves:
        to = (*line, str(move.move))
        exact = mean(uniform_value(cards, to, seat) for cards in deals_of(card, seat))
        assert abs(chips(move.value) - exact) <= 4 * 5 * move.stderr + 1e-9
        if not (seat == 0 and to == ("pass",)):
            assert exact == best_response(deals_of(card, seat), line, seat, str(move.move))


@pytest.mark.parametrize(("card", "line"), INFORMATION_SETS)
def test_the_tree_finds_the_best_response_to_a_uniform_opponent(card, line):
    """The opponent's coins are tossed beforehand, so that its nodes offer in each world the one move that it will make.

    The best value is that of the enumeration within 5 standard errors and 0.05 chips: the tree goes on trying its own
    worse replies now and then.
    """
    seat = LINES[line]
    cards = (CARDS.index(card), -1) if seat == 0 else (-1, CARDS.index(card))
    codes = tuple(PASS if move == "pass" else BET for move in line)
    tosses = (-1,) * (2 - sum(len(line[:i]) % 2 != seat for i in range(len(line))))
    view = CoinKuhn(CoinKuhnRules(1 - seat), Coins(cards, codes, tosses), seat)
    result = Engine(SearchParams(rollout="random")).search(view, Budget(iterations=4000), Rng(3))
    deals = deals_of(card, seat)
    exact = best_response(deals, line, seat)
    best = max(result.moves, key=lambda move: move.value)
    assert abs(chips(best.value) - exact) <= 4 * 5 * best.stderr + 0.05
    values = {code: best_response(deals, line, seat, text) for code, text in ((PASS, "pass"), (BET, "bet"))}
    if values[PASS] != values[BET]:
        assert values[result.best.code] == exact


def test_determinised_search_sees_that_a_queen_should_not_bet():
    """Against an opponent that gives up jacks and calls with kings, which is what a tree for each world finds.

    The single tree has one node for all that the opponent may hold, so there its bets are worth the same as passes.
    """
    for line in ((), ("pass",)):
        result = Engine(SearchParams(rollout="random"), worlds=50).search(
            view_of("Q", line), Budget(iterations=5000), Rng(4)
        )
        assert str(result.best) == "pass"


def test_coin_kuhn_keeps_the_contract():
    for coin in (0, 1):
        for seed in range(100):
            check_round(CoinKuhnRules(coin), seed)
