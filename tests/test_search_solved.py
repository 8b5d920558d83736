"""Forced wins in two turns, and endings with all cards open: the search finds what brute force knows."""

import pytest

from cython_core.dnup import DnupState
from cython_core.position import Hand, HandCard, Position
from cython_core.rng import Rng
from searching import run, tiny, turned, turned_move
from solving import forced_wins, move_values, wins_now

# Views in which no move wins at once, and exactly these win by the next turn whatever the others hold and do;
# the other moves are not nearly as good (where they win a turn later, to choose them is no fault).
FORCED = {
    "dnup:2 deck=small view=0 turn=0.2 hands=2/1,3/1;1~5,2/3+ table=-;-;-;4/1,4/2 gone=-": "flip",
    "dnup:2 deck=small view=1 turn=1.2 hands=1~5,1x;1/2,1/3,4/1 table=-;4/2;-;- gone=-": "add:4/1@0.2",
    "dnup:2 deck=small view=1 turn=1.2 hands=1x;2/1,2/4,4/1 table=-;1/3,1/5;-;- gone=-": "play:4/1",
    "dnup:2 deck=small view=1 turn=1.1 hands=2x;1/2,1/5~,3/2 table=1/4;-;-;- gone=-": "play:1/2,1/5 play:3/2",
    "dnup:2 deck=small view=1 turn=1.1 hands=3x;1/2,4/1 table=-;1/5;-;- gone=-": "add:1/2@0.2",
    "dnup:3 deck=small view=1 turn=1 hands=1x;4/1+,5/1~;1/2+,1x table=3/1;-;- gone=-": "play:4/1 play:5/1",
    "dnup:3 deck=small view=0 turn=0 hands=1/3+,1/5~,4/2;1/2+;2/3+,1x table=-;-;- gone=-": "play:4/2",
    "dnup:4 deck=small view=3 turn=3 hands=4/2+,5/2+;3/1+,1x;4/3+;4/1,5/1+ table=-;-;3/2;- gone=-": "play:5/1",
    "dnup:5 deck=small view=0 turn=0 hands=4/1,5/1~;2x;1/2+,3/4+;1/3+,2/4+;2/5+,3/5+ table=-;-;-;-;-": "play:5/1",
}
AT_EVERY_SEAT = [(text, by) for text in FORCED for by in range(int(text[5]))]

# True states in which two seats play for one prize: 2 players, or 3 of whom one is out. Some moves win, others lose.
ENDINGS = [
    "dnup:2 deck=small turn=0.2 hands=3/1,3/2;5/1+ table=-;-;-;2/1 gone=1/4,2/4 out=-",
    "dnup:2 deck=small turn=1.1 hands=5/1+;2/4,4/1+ table=-;2/1;-;- gone=1/3,2/3 out=-",
    "dnup:2 deck=small turn=1.1 hands=3/1+;1/4+,2/4+ table=5/1;-;-;- gone=1/2,2/3 out=-",
    "dnup:2 deck=small turn=0.1 hands=4/2;4/1+ table=-;-;-;1/3,1/5 gone=1/2,2/3 out=-",
    "dnup:2 deck=small turn=1.2 hands=3/2;1/5+,4/2 table=-;-;-;- gone=1/2,1/3,1/4 out=-",
    "dnup:3 deck=small turn=0 hands=1/5+,4/1+;2/1,4/2+;- table=-;-;- gone=1/3,2/3 out=2",
    "dnup:3 deck=small turn=1 hands=-;1/4,3/2+;1/3 table=4/2;-;- gone=1/2,1/5 out=0",
    "dnup:3 deck=small turn=1 hands=-;1/2,4/2;1/5~ table=4/1;-;- gone=1/3,2/3 out=0",
    "dnup:3 deck=small turn=0 hands=2/4;-;3/2,4/1+ table=-;-;3/1 gone=1/2,1/5 out=1",
]


def whole(text):
    players = int(text[5])
    text += "" if " gone=" in text else " gone=-"
    text += "" if " out=" in text else " out=-"
    return tiny(text + " tokens=" + ",".join("0" * players))


def all_public(state):
    """The mover's view of the same cards, when everybody knows all of them."""
    position = state.position()
    hands = tuple(Hand(tuple(HandCard(*card[:2], "+") for card in hand.cards)) for hand in position.hands)
    kept = {name: getattr(position, name) for name in Position.__slots__ if name not in ("hands", "view")}
    return DnupState(state.rules, Position(hands=hands, view=state.turn, **kept))


# --- forced wins


def test_the_forced_wins_are_those_of_brute_force():
    for text, moves in FORCED.items():
        view = whole(text)
        assert [str(move) for move in forced_wins(view)] == moves.split(), text
        assert not wins_now(view)
        assert len(view.legal_moves()) > len(moves.split())


def test_there_is_one_for_every_number_of_players_and_both_zones():
    assert {int(text[5]) for text in FORCED} == {2, 3, 4, 5}
    assert {whole(text).position().zone for text in FORCED if text[5] == "2"} == {1, 2}


@pytest.mark.parametrize(("text", "by"), AT_EVERY_SEAT)
@pytest.mark.parametrize("shape", ["ismcts", "dmcts"])
@pytest.mark.parametrize("rollout", ["random", "greedy"])
def test_forced_wins_in_two_are_found_from_every_seat(text, by, shape, rollout):
    view = turned(whole(text), by)
    wanted = {turned_move(move, by, view.players) for move in FORCED[text].split()}
    for seed in range(2):
        result = run(view, seed, 20_000, shape, rollout=rollout)
        assert str(result.best) in wanted
        best = next(move for move in result.moves if move.move == result.best)
        assert best.value > 0.85
        assert best.value == best.values[view.turn]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("shape", ["ismcts", "dmcts", "flat"])
def test_a_win_at_once_is_found_from_every_seat(players, shape):
    """One card left that beats all there is: first out, reward 1."""
    text = {
        2: "dnup:2 deck=small view=0 turn=0.2 hands=5/1;2x table=-;-;-;4/1 gone=2x",
        3: "dnup:3 deck=small view=0 turn=0 hands=5/1;1x;2x table=-;4/1;- gone=1x",
        4: "dnup:4 deck=small view=0 turn=0 hands=5/1;1x;2x;2x table=-;4/1;-;- gone=1x",
        5: "dnup:5 deck=small view=0 turn=0 hands=5/1;2x;2x;2x;1x table=-;4/1;-;-;- gone=1x",
    }[players]
    text = text.replace("hands=5/1", "hands=5/1~")
    for by in range(players):
        view = turned(whole(text), by)
        assert [str(move) for move in wins_now(view.determinise(Rng(1)))] == ["play:5/1"]
        result = run(view, by, 200, shape)
        assert str(result.best) == "play:5/1"
        best = next(move for move in result.moves if move.move == result.best)
        assert best.value == 1.0
        assert best.stderr == 0.0


@pytest.mark.parametrize("text", FORCED)
def test_flat_search_finds_them_where_rollouts_play_on_well(text):
    """Without a tree it is the rollouts that must see the win: greedy ones always go out when they can."""
    view = whole(text)
    result = run(view, 1, 3000, "flat", epsilon=0.0)
    values = {str(move.move): move.value for move in result.moves}
    assert max(values[move] for move in FORCED[text].split()) > 0.95


# --- all known


@pytest.mark.parametrize("text", ENDINGS)
@pytest.mark.parametrize("shape", ["ismcts", "dmcts"])
def test_with_all_known_the_search_converges_to_minimax(text, shape):
    """Every legal move's value goes to the solved one: a prize for the winner, nothing for the other."""
    state = whole(text)
    prize = 1.0 if state.players == 2 else 0.5
    solved = {str(move): value for move, value in move_values(state).items()}
    assert set(solved.values()) == {0.0, 1.0}, "some moves win, others lose"
    view = all_public(state)
    assert run(view, iterations=1).worlds == 1
    errors = []
    for iterations in (1000, 64_000):
        result = run(view, 3, iterations, shape, rollout="random", nodes=1 << 17)
        best = next(move for move in result.moves if move.move == result.best)
        errors.append(1 - best.value / prize)
        wrong = [move for move in result.moves if solved[str(move.move)] == 0.0]
    assert solved[str(result.best)] == 1.0
    assert errors[1] < 0.08
    assert errors[1] <= errors[0]
    assert all(move.visits < 0.2 * result.iterations for move in wrong)
    if state.players == 3:
        assert all(move.values[state.out[0]] == 1.0 for move in result.moves)


@pytest.mark.parametrize("text", ENDINGS)
def test_a_view_in_which_all_is_known_is_searched_as_the_true_state(text):
    """The same choice, and its value within what 20,000 iterations leave open."""
    state = whole(text)
    hidden, opened = (run(start, 4, 20_000, rollout="random") for start in (all_public(state), state))
    assert str(hidden.best) == str(opened.best)
    values = [max(result.moves, key=lambda move: move.visits).value for result in (hidden, opened)]
    assert values[0] == pytest.approx(values[1], abs=0.1)
