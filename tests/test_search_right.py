"""The search is the one that it claims to be: availability, seats, hidden cards, values, and nobody favoured."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from cython_core.rng import Rng
from dnup_ai.bots import parse_spec, shipped_bots
from dnup_ai.decks import load_deck
from dnup_ai.notation import parse_position
from lines import seeds, states
from searching import SHAPES, children, midround, opening, run, searched, turned, turned_move
from test_views import swap_hidden
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.ratings import Duel, duels
from tournaments.runner import play as play_tournament

# --- availability, on a bandit made by hand

# Seat 0 may only flip or take (no card of its own beats the 4 on the table). Seat 1 then holds one hidden card: 5/7 or
# 6/8, either way up, the other of the two is gone. So in every world it may flip and take, and play exactly one of
# 5/7, 7/5, 6/8, 8/6: each there in one world of four. Its other cards are too low.
BANDIT = (
    "dnup:3 view=0 turn=0 hands=1/3,2/6,3/5;1/4+,2/5+,3/7+,1x;1/6+,1/7+,1/8+,2/3+,2/4+,2/7+ table=-;-;4/8 "
    "gone=1/5,2/8,3/4,3/6,4/5,4/6,5/8,6/7,7/8,1x out=- tokens=0,0,0"
)


def bandit(iterations, seed=1):
    """Seat 1's arms after seat 0's flip: {text: (visits, available)}, and the visits of the node itself.

    A cost of a whole reward per turn makes every reward 0: what is left of UCB1 is sqrt(log(availability) / visits).
    """
    view = parse_position(BANDIT)
    tree = searched(view, seed, iterations, turn_cost=1.0).tree()
    assert all(sum(node[4]) == 0 for node in tree)
    flip = next(index for index in children(tree, 0) if str(view.rules.wrap_move(tree[index][1])) == "flip")
    arms = {str(view.rules.wrap_move(tree[index][1])): tree[index][2:4] for index in children(tree, flip)}
    return arms, tree[flip][2]


@pytest.mark.parametrize("seed", range(5))
def test_availability_counts_the_worlds_in_which_a_move_was_there(seed):
    """Counted by hand: in each world there is one play, one flip, one take; a child counts from its birth on.

    The node's first visit is the one that made it; the next ones make its 6 children, as untried moves come first.
    A visit in which a play was there but not made yet made the flip or the take instead, so at most 2 are missing in
    the sum of the plays.
    """
    arms, visits = bandit(2000, seed)
    assert set(arms) == {"flip", "take@2", "play:5/7", "play:7/5", "play:6/8", "play:8/6"}
    chosen = visits - 1
    plays = [available for text, (_, available) in arms.items() if text.startswith("play")]
    assert chosen - 2 <= sum(plays) <= chosen
    for text in ("flip", "take@2"):
        assert chosen - 5 <= arms[text][1] <= chosen
    # Each play is there in a quarter of the worlds: 5 standard deviations, a false alarm in 400,000 runs of all seeds.
    spread = math.sqrt(visits * 0.25 * 0.75)
    assert all(abs(available - visits / 4) < 5 * spread for available in plays)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("iterations", [2000, 8000])
def test_selection_goes_by_availability_not_by_visits_of_the_parent(seed, iterations):
    """With equal rewards the scores sqrt(log(a) / v) are kept equal, so v is in proportion to log(a).

    For N visits: log(N) for the two moves that are always there, log(N/4) for the four that are there in a quarter
    of the worlds. N = 1000: 6.91 to 5.52, so 192 visits each to 154. By visits of the parent every move would have
    log(N): N/6 each, 167.
    """
    arms, visits = bandit(iterations, seed)
    always, rare = math.log(visits), math.log(visits / 4)
    unit = visits / (2 * always + 4 * rare)
    for text, (count, available) in arms.items():
        expected = unit * (rare if text.startswith("play") else always)
        if text.startswith("play"):
            # The worlds do not come up exactly equally often.
            expected *= math.log(available) / rare
        assert count == pytest.approx(expected, abs=0.02 * visits / 6)
        assert abs(count - visits / 6) > 0.05 * visits / 6


# --- seats and hidden cards


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("shape", ["ismcts", "flat"])
def test_relabelling_the_seats_relabels_the_statistics(players, shape):
    """In distribution, over 40 seeds: mean visits and mean values by seat of every move, the seats called otherwise.

    Two samples, z below the normal quantile of a false alarm in a million in all comparisons together.
    """
    view = midround(players, 3)
    view = view.observe(view.turn)
    by = players - 1
    samples = []
    for shift, first_seed in ((0, 0), (by, 1000)):
        start = turned(view, shift)
        found = {}
        for seed in range(first_seed, first_seed + 40):
            result = run(start, seed, 300, shape)
            for move in result.moves:
                values = [move.values[(seat + shift) % players] for seat in range(players)]
                found.setdefault(str(move.move), []).append([float(move.visits), *values])
        samples.append({turned_move(text, -shift, players): rows for text, rows in found.items()})
    assert set(samples[0]) == set(samples[1])
    comparisons = len(samples[0]) * (players + 1)
    limit = norm.isf(1e-6 / 2 / comparisons)
    for text, rows in samples[0].items():
        for mine, other in zip(zip(*rows, strict=True), zip(*samples[1][text], strict=True), strict=True):
            assert abs(z_of(mine, other)) < limit, text


def z_of(mine, other):
    means, squares = zip(*((mean(part), variance(part) / len(part)) for part in (mine, other)), strict=True)
    return (means[0] - means[1]) / math.sqrt(sum(squares)) if sum(squares) > 0 else (means[0] - means[1]) * math.inf


def mean(values):
    return math.fsum(values) / len(values)


def variance(values):
    return math.fsum((value - mean(values)) ** 2 for value in values) / (len(values) - 1)


@given(states(), seeds, st.sampled_from([*SHAPES]), st.sampled_from(["random", "greedy", "mast"]))
def test_hidden_cards_change_nothing_that_a_search_finds(state, seed, shape, rollout):
    """Not only the choice: every count and every value, from two truths that the seat cannot tell apart."""
    assume(not state.is_over)
    seat = state.turn
    views = [truth.observe(seat) for truth in (state, swap_hidden(state, seat, Rng(seed)))]
    found = [run(view, seed, 40, shape, rollout=rollout) for view in views]
    assert found[0].moves == found[1].moves
    assert found[0].line == found[1].line


@given(states(), seeds)
def test_hidden_cards_change_no_choice_of_a_bot_that_searches(state, seed):
    assume(not state.is_over)
    seat = state.turn
    truths = state, swap_hidden(state, seat, Rng(seed))
    for name, bot in shipped_bots().items():
        if hasattr(bot.Params, "iterations") and not bot.sees_all:
            more = "iterations=20,selection=puct,rollout=random,threads=2"
            for options in ("iterations=30", *([more] if hasattr(bot.Params, "selection") else [])):
                spec = parse_spec(f"{name}:{options}")
                choices = [spec.make(Rng(seed)).choose(truth.observe(seat), ()) for truth in truths]
                assert choices[0] == choices[1], f"{name} saw a hidden card"


def test_what_is_hidden_does_matter_to_who_may_see_it():
    """The two tests above can fail: searched with open cards, such truths are not alike."""
    state = midround(3)
    other = swap_hidden(state, state.turn, Rng(1))
    assert other != state
    assert run(state).moves != run(other).moves


# --- values


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(("rollout", "epsilon"), [("random", 0.0), ("greedy", 0.1)])
def test_values_of_flat_search_are_the_means_of_independent_rollouts(players, rollout, epsilon):
    """Calibrated, move by move and seat by seat: worlds drawn and played out by other means, from another stream.

    With strong exploration the visits hardly depend on the results. z below the quantile of a false alarm in a
    million in all comparisons together.
    """
    view = midround(players, 6, 20)
    view = view.observe(view.turn)
    result = run(view, 1, 12_000, "flat", rollout=rollout, epsilon=epsilon, exploration=10.0)
    rng = Rng(77)
    prize = 1 if players == 2 else 2
    moves = result.moves[:: max(1, len(result.moves) // 6)]
    limit = norm.isf(1e-6 / 2 / (len(moves) * players))
    for move in moves:
        drawn = []
        for _ in range(1500):
            world = view.determinise(rng)
            world.apply(move.move)
            drawn.append([payoff / prize for payoff in world.rollout(rng, rollout, epsilon)[0]])
        for seat, column in enumerate(zip(*drawn, strict=True)):
            error = math.sqrt(variance(column) / len(column) + variance(column) / move.visits)
            assert abs(move.values[seat] - mean(column)) <= limit * error + 1e-12, (str(move.move), seat)


def duels_of(tournament: Tournament) -> tuple[Duel, ...]:
    """One against the rest, over all games of a tournament."""
    ledger = Ledger(tournament)
    for games in play_tournament(tournament):
        ledger.add(games)
    return duels(ledger.results()[0], 2)


@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_against_itself_is_even(players):
    """One against the rest of its own kind: 0 Elo within its 95% interval, on deals that are fixed."""
    spec = parse_spec("ismcts:iterations=25")
    tournament = Tournament(
        (spec, spec), players, 50, 1, load_deck("standard"), format="head-to-head", lineup="one-vs-rest"
    )
    for duel in duels_of(tournament):
        assert duel.deals == 50
        assert duel.interval[0] < 1 / players < duel.interval[1]
        assert duel.elo_interval[0] < 0 < duel.elo_interval[1]


def test_the_search_beats_its_own_rollout_policy():
    """Not a measure of strength: a search with a fault in signs or seats would lose to greedy."""
    specs = (parse_spec("ismcts:iterations=200"), parse_spec("greedy"))
    tournament = Tournament(specs, 2, 40, 2, load_deck("standard"), format="head-to-head", lineup="one-vs-rest")
    duel = duels_of(tournament)[0]
    assert (duel.one, duel.rest) == (0, 1)
    assert duel.elo_interval[0] > 0


def test_openings_are_searched_deeper_than_one_move():
    """A tree of depth 1, or one in which nothing is seen twice, learns nothing: the known fault of wrong keys."""
    for players in (2, 3, 4, 5):
        result = run(opening(players), 1, 3000)
        assert result.depth > 1.8
        assert result.revisited > 0.4


# --- the evaluation


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_evaluation_knows_who_is_ahead(players):
    """Against the mean of 60 greedy rollouts from 120 states: correlated by more than 0.25 over the seats still in."""
    rng = Rng(8)
    guessed, came = [], []
    for number in range(120):
        state = midround(players, number, 6)
        for _ in range(rng.below(6 * players)):
            if not state.is_over:
                state.apply(state.greedy_move(rng, 0.1))
        if state.is_over:
            continue
        guess = state.rewards(evaluate=True)
        assert sum(guess) == pytest.approx(1.0 if players == 2 else 1.5)
        if state.out:
            assert guess[state.out[0]] == pytest.approx(1.0)
        rows = [state.rollout(rng, "greedy", 0.1)[0] for _ in range(60)]
        still = [seat for seat in range(players) if seat not in state.out]
        guessed += [guess[seat] for seat in still]
        came += [mean([row[seat] for row in rows]) for seat in still]
    assert correlation(guessed, came) > 0.25


def correlation(xs, ys):
    pairs = [(x - mean(xs), y - mean(ys)) for x, y in zip(xs, ys, strict=True)]
    return sum(x * y for x, y in pairs) / math.sqrt(sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs))


def test_the_evaluation_gives_the_second_prize_to_the_second():
    """Two seats with a card each and a hopeless third: first and second prize go to the two, more to the mover."""
    slow = ["1/5~", "2/6", "3/7", "4/8", "5/2", "6/4", "7/1"]  # a turn for each card, either way up
    held = {tuple(sorted(int(end) for end in card.rstrip("~").split("/"))) for card in ["8/6", "8/5", *slow]}
    gone = ",".join(f"{low}/{high}" for low, high in opening(3).rules.cards if (low, high) not in held)
    state = parse_position(f"dnup:3 turn=0 hands=8/6;8/5;{','.join(slow)} gone={gone}")
    guess = state.rewards(evaluate=True)
    assert guess[0] > guess[1] > 0.5 > 0.3 > guess[2]
