"""Moves to states that the round had before: counted on views as on true states; undecided for a search if asked."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cython_core.dnup import DnupState
from cython_core.game import Move, State
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.games import game_named
from dnup_ai.search import Budget, Engine, MoveStats
from lines import EVERY_TABLE, rules_of, seeds
from reference_search import ReferenceSearch
from searching import params_of

BACK_AND_FORTH = ("flip", "take")
"""What undoes what was done before."""


def wander(state: DnupState, rng: Rng, turns: int) -> list[Move]:
    """Play so many turns, mostly such as come back to where the round has been."""
    played = []
    while len(played) < turns and not state.is_over:
        moves = state.legal_moves()
        back = [move for move in moves if str(move).startswith(BACK_AND_FORTH)]
        played.append(rng.choice(back if back and rng.random() < 0.9 else moves))
        state.apply(played[-1])
    return played


def literal(state: State, start: State, moves: list[Move]) -> list[int]:
    """By the definition: all states of the round one after the other."""
    line = start.copy()
    keys = [line.repetition_key()]
    for move in moves:
        line.apply(move)
        keys.append(line.repetition_key())
    found = []
    for move in state.legal_moves():
        after = state.copy()
        after.apply(move)
        found.append(keys.count(after.repetition_key()))
    return found


@st.composite
def rounds(draw: st.DrawFn) -> tuple[DnupState, DnupState, list[Move]]:
    """A true state in a round that comes back to itself now and then, where it began, and the moves in between."""
    deck, players = draw(st.sampled_from(EVERY_TABLE))
    start = rules_of(deck, players).deal(Rng(draw(seeds)))
    state = start.copy()
    moves = wander(state, Rng(draw(seeds)), draw(st.integers(0, 40)))
    assume(not state.is_over)
    return state, start, moves


@given(rounds())
def test_a_view_knows_as_well_as_the_truth_what_comes_back(found):
    state, start, moves = found
    expected = literal(state, start, moves)
    assert state.repeats(moves) == expected
    assert state.observe(state.turn).repeats(moves) == expected


def circle(players: int = 2, times: int = 1) -> tuple[DnupState, list[Move]]:
    """A round in which all have flipped their hands so often that one flip more leads to a state of before."""
    state = rules_of("standard", players).deal(Rng(3))
    moves: list[Move] = []
    while max(state.repeats(moves)) < times:
        flip = next(move for move in state.legal_moves() if str(move) == "flip")
        state.apply(flip)
        moves.append(flip)
    return state, moves


def test_flips_come_back_to_where_the_round_began():
    state, moves = circle()
    again = [str(move) for move, count in zip(state.legal_moves(), state.repeats(moves), strict=True) if count]
    assert again == ["flip"]


def test_moves_that_did_not_lead_here_say_nothing():
    state, moves = circle()
    assert set(state.repeats(moves[:-1])) == {0}
    assert set(state.repeats([])) == {0}
    other = rules_of("standard", 2).deal(Rng(4))
    assert set(other.observe(other.turn).repeats(moves)) == {0}


def test_a_game_that_cannot_go_back_says_nothing(capfd):
    game = game_named("3up3down")
    state = game.load_deck(game.shipped_decks()[0]).rules(2).deal(Rng(1))
    move = state.legal_moves()[0]
    state.apply(move)
    assert set(state.repeats([move])) == {0}
    assert set(state.observe(state.turn).repeats([move])) == {0}
    assert capfd.readouterr().err == ""


@given(rounds(), seeds, st.booleans(), st.sampled_from([0, 4]), st.sampled_from(["ucb1", "puct"]))
def test_the_search_ends_there_like_the_literal_one(found, seed, open_cards, trees, selection):
    state, _, moves = found
    undecided = [count > 0 for count in state.repeats(moves)]
    view = state if open_cards else state.observe(state.turn)
    params = params_of(rollout_turns=3, evaluation="simple", selection=selection, turn_cost=0.01, nodes=4096)
    core = Searcher(view, params, trees=trees)
    core.search(view, Rng(seed), "tokens", iterations=60, undecided=undecided)
    reference = ReferenceSearch(view, params, Rng(seed), trees=trees, undecided=undecided)
    for _ in range(60):
        reference.iterate()
    assert core.tree() == reference.tree()
    assert core.root_batches() == reference.root_batches()


@pytest.mark.parametrize("players", [2, 3])
def test_a_move_that_comes_back_is_worth_a_share_of_the_prizes(players):
    state, moves = circle(players)
    view = state.observe(state.turn)

    def flip(repeats: int) -> MoveStats:
        engine = Engine(params_of(repeats=repeats))
        result = engine.search(view, Budget(iterations=500), Rng(1), moves)
        return next(move for move in result.moves if str(move.move) == "flip")

    shared = 0.5  # of one prize among 2, of 1 and 1/2 among 3
    assert set(flip(1).values) == {shared}
    assert flip(1).stderr == 0
    assert flip(2) == flip(0)
    assert flip(0).stderr > 0


def test_nobody_has_a_place_there():
    state, moves = circle(3)
    engine = Engine(params_of(repeats=1))
    view = state.observe(state.turn)
    for _ in engine.think(view, Budget(iterations=200), Rng(1), 60.0, moves):
        pass
    (flip,) = [move for move in engine.result(view).moves if str(move.move) == "flip"]
    assert flip.visits
    assert flip.places == (0, 0)


def test_without_the_rule_on_repetition_nothing_is_undecided():
    state = rules_of("standard", 2, repetition=0).deal(Rng(3))
    moves = []
    for _ in range(8):
        moves.append(next(move for move in state.legal_moves() if str(move) == "flip"))
        state.apply(moves[-1])
    view = state.observe(state.turn)
    on, off = (
        Engine(params_of(repeats=repeats)).search(view, Budget(iterations=100), Rng(1), moves).moves
        for repeats in (1, 0)
    )
    assert max(state.repeats(moves)) > 0
    assert on == off


def test_the_number_of_marks_must_fit():
    state, _ = circle()
    with pytest.raises(ValueError, match="undecided: expected nothing, or one for each of"):
        Searcher(state, params_of()).search(state, Rng(1), "tokens", iterations=1, undecided=[True])
