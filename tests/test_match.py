"""One round, one match: how they end, and what bots can and cannot do to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import pytest

import reference
from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.bots import Bot, parse_spec
from dnup_ai.bots.base import NoParams
from dnup_ai.bots.searching import SearchBot
from dnup_ai.decks import load_deck
from dnup_ai.games import game_named
from dnup_ai.search import Budget
from tournaments.match import Fault, Round, fault_in, play_match, play_round

Choice = Callable[[State, Sequence[Move]], Move]


def bot_of(choice: Choice) -> Bot:
    class Chosen(Bot):
        def choose(self, view: State, history: Sequence[Move]) -> Move:
            return choice(view, history)

    return Chosen(NoParams(), Rng(0))


def rules_of(players: int, **options: object) -> Rules:
    return load_deck("standard").rules(players, **options)


def shipped(name: str, players: int, seed: int = 1) -> list[Bot]:
    return [parse_spec(name).make(Rng(seed, 0, 0, seat)) for seat in range(players)]


def flip(view: State, history: Sequence[Move]) -> Move:
    return next(move for move in view.legal_moves() if str(move) == "flip")


def round_of(choices: Sequence[Choice], rules: Rules, seed: int = 1) -> Round:
    return play_round(rules, [bot_of(choice) for choice in choices], rules.deal(Rng(seed)))


# --- ends


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_rounds_end_as_the_reference_says(players: int, name: str) -> None:
    for seed in range(10):
        rules = rules_of(players, repetition=2, max_turns=60)
        start = rules.deal(Rng(seed))
        before = start.to_bytes()
        played = play_round(rules, shipped(name, players, seed), start)
        assert start.to_bytes() == before

        moves = iter(played.moves)
        position = reference.parse(str(start))
        texts, end = reference.run(position, lambda _, moves=moves: str(next(moves)), 2, 60)
        assert (texts, end) == ([str(move) for move in played.moves], played.outcome.end)
        for text in texts:
            position = reference.play(position, text)
        assert played.outcome.result == tuple(reference.result(position))
        assert played.outcome.ranks == tuple(reference.ranks(position))
        assert played.outcome.payoffs == pytest.approx(reference.payoffs(position))
        assert played.outcome.turns == len(texts)
        assert played.outcome.fault is None


@pytest.mark.parametrize(("players", "turns"), [(3, 12), (4, 16), (5, 20)])
def test_the_start_counts_among_repetitions(players: int, turns: int) -> None:
    # Everybody flips: after two rounds of the table it is the start again, which is then there a second time.
    played = round_of([flip] * players, rules_of(players))
    assert (played.outcome.end, played.outcome.turns) == ("repetition", turns)
    assert played.outcome.result == (0,) * players
    assert played.outcome.payoffs == pytest.approx((3 / players,) * players)


def test_two_players_repeat_their_turns_in_both_zones() -> None:
    # 0.2, 1.1, 1.2, 0.1 are four turns; each seat has flipped twice when the start is there again.
    played = round_of([flip] * 2, rules_of(2, repetition=2))
    assert (played.outcome.end, played.outcome.turns) == ("repetition", 4)


def test_repetition_can_be_off_and_max_turns_ends_the_round() -> None:
    played = round_of([flip] * 3, rules_of(3, repetition=0, max_turns=50))
    assert (played.outcome.end, played.outcome.turns) == ("max_turns", 50)
    # Both at once is an end by max_turns.
    played = round_of([flip] * 3, rules_of(3, max_turns=12))
    assert (played.outcome.end, played.outcome.turns) == ("max_turns", 12)


# --- what bots see


def test_bots_get_their_own_view_and_the_public_moves_so_far() -> None:
    seen: list[tuple[State, Sequence[Move]]] = []

    def watch(view: State, history: Sequence[Move]) -> Move:
        seen.append((view.copy(), history))
        return view.legal_moves()[0]

    played = round_of([watch] * 3, rules_of(3))
    state = played.start.copy()
    for turn, (view, history) in enumerate(seen):
        assert view.view == state.turn
        assert view == state.observe(view.view if view.view is not None else -1)
        assert history == played.moves[:turn]
        assert isinstance(history, tuple)
        state.apply(played.moves[turn])


def test_a_bot_that_changes_its_view_changes_nothing_else() -> None:
    def vandal(view: State, history: Sequence[Move]) -> Move:
        first = view.legal_moves()[0]
        view.apply(first)
        return first

    def calm(view: State, history: Sequence[Move]) -> Move:
        return view.legal_moves()[0]

    rules = rules_of(3)
    assert round_of([vandal] * 3, rules).moves == round_of([calm] * 3, rules).moves


# --- faults


def crash(view: State, history: Sequence[Move]) -> Move:
    raise RuntimeError("no idea")


def leave(view: State, history: Sequence[Move]) -> Move:
    raise SystemExit(0)


def nothing(view: State, history: Sequence[Move]) -> Move:
    return None  # type: ignore[return-value]


def number(view: State, history: Sequence[Move]) -> Move:
    return view.legal_moves()[0].code  # type: ignore[return-value]


def foreign(view: State, history: Sequence[Move]) -> Move:
    other = rules_of(2).deal(Rng(1))
    return other.legal_moves()[0]


class Broken:
    """A state whose rules trip over a move, instead of judging it."""

    def apply(self, move: Move) -> None:
        raise KeyError(0)


def give_up(view: State, history: Sequence[Move]) -> Move:
    raise GeneratorExit


def forbidden(view: State, history: Sequence[Move]) -> Move:
    unseen = rules_of(3).deal(Rng(77))
    while True:
        for move in unseen.legal_moves():
            if move not in view.legal_moves():
                return move
        unseen.apply(unseen.legal_moves()[0])


@pytest.mark.parametrize(
    ("choice", "kind", "message"),
    [
        (crash, "exception", "RuntimeError: no idea"),
        (leave, "exception", "SystemExit: 0"),
        (give_up, "exception", "GeneratorExit"),
        (nothing, "illegal", "expected a move, got NoneType"),
        (number, "illegal", "expected a move, got int"),
        (foreign, "illegal", "is of other rules"),
        (forbidden, "illegal", "is not legal in dnup:3"),
    ],
)
def test_a_fault_ends_the_round_and_is_no_loss(choice: Choice, kind: str, message: str) -> None:
    rules = rules_of(3)
    first = rules.deal(Rng(1)).turn
    assert first is not None
    offender = (first + 1) % 3
    choices = [choice if seat == offender else flip for seat in range(3)]
    played = round_of(choices, rules)
    fault = played.outcome.fault
    assert fault is not None
    assert (played.outcome.end, played.outcome.turns) == ("fault", 1)
    assert (fault.seat, fault.kind) == (offender, kind)
    assert message in fault.message
    assert (choice.__name__ in fault.traceback) == (kind == "exception")


@pytest.mark.parametrize("code", [5, 2**32 - 1])
@pytest.mark.parametrize("name", ["dnup", "dnup-pile", "3up3down"])
def test_a_move_code_that_does_not_exist_is_an_illegal_move(name: str, code: int) -> None:
    game = game_named(name)
    rules = game.rules(game.load_deck(game.shipped_decks()[0]), 3, {})

    def invented(view: State, history: Sequence[Move]) -> Move:
        return view.rules.wrap_move(code)

    fault = round_of([invented] * 3, rules).outcome.fault
    assert fault is not None
    assert (fault.kind, fault.traceback) == ("illegal", "")
    assert fault.message


def test_an_error_of_a_move_that_says_nothing_is_told_by_its_name() -> None:
    """Whatever the rules raise for a bot's move is the bot's fault, and leaves the state."""
    state = rules_of(3).deal(Rng(1))
    fault = fault_in(1, state.legal_moves()[0], 0.0, None, cast(State, Broken()))
    assert fault == Fault(1, "illegal", "KeyError: 0")


def test_ctrl_c_is_no_fault() -> None:
    def interrupted(view: State, history: Sequence[Move]) -> Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        round_of([interrupted] * 3, rules_of(3))


# --- the limit of a move


def test_a_search_that_reaches_the_limit_moves_in_time() -> None:
    bots = shipped("ismcts:iterations=1000000000", 2)
    rules = rules_of(2, max_turns=1)
    outcome = play_round(rules, bots, rules.deal(Rng(1)), limit=1.0).outcome
    assert (outcome.end, outcome.fault) == ("max_turns", None)
    assert max(outcome.seat_seconds) > 0.5


@pytest.mark.parametrize(("limit", "cap"), [(None, None), (0.001, 0.0), (0.1, 0.085), (1.0, 0.895), (60.0, 53.995)])
def test_a_search_leaves_part_of_the_limit_to_what_is_not_the_search(
    limit: float | None, cap: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = shipped("ismcts:iterations=7", 2)[0]
    assert isinstance(bot, SearchBot)
    bot.move_limit = limit
    planned: list[Budget] = []

    def choose(view: State, budget: Budget, *rest: object) -> Move:
        planned.append(budget)
        return view.legal_moves()[0]

    monkeypatch.setattr(bot.engine, "choose", choose)
    bot.choose(rules_of(2).deal(Rng(1)), ())
    assert planned[0].cap == (cap if cap is None else pytest.approx(cap))
    assert replace(planned[0], cap=None) == bot.params.budget()


# --- matches


@pytest.mark.parametrize(("players", "target"), [(2, 2), (3, 4), (4, 4), (5, 4)])
def test_a_match_is_rounds_until_somebody_has_won(players: int, target: int) -> None:
    rules = rules_of(players)
    asked: list[tuple[int, Sequence[int]]] = []

    def deal(index: int, tokens: Sequence[int]) -> State:
        asked.append((index, tokens))
        return rules.deal(Rng(3, 0, index), tokens)

    match = play_match(rules, shipped("random", players), deal)
    tokens = (0,) * players
    for index, played in enumerate(match.rounds):
        assert max(tokens) < target
        assert asked[index] == (index, tokens)
        assert f"tokens={','.join(map(str, tokens))}" in str(played.start)
        tokens = tuple(map(sum, zip(tokens, played.outcome.result, strict=True)))
    assert match.tokens == tokens
    assert match.winner is not None
    assert tokens[match.winner] >= target
    assert len(asked) == len(match.rounds)


def test_a_match_without_a_winner_is_undecided_after_max_rounds() -> None:
    rules = rules_of(3, max_rounds=4)
    bots = [bot_of(flip) for _ in range(3)]
    match = play_match(rules, bots, lambda index, tokens: rules.deal(Rng(3, 0, index), tokens))
    assert (len(match.rounds), match.winner, match.tokens) == (4, None, (0, 0, 0))


def test_a_fault_ends_the_match_without_a_winner() -> None:
    rules = rules_of(3)
    bots = [bot_of(crash) for _ in range(3)]
    match = play_match(rules, bots, lambda index, tokens: rules.deal(Rng(3, 0, index), tokens))
    assert (len(match.rounds), match.winner) == (1, None)
