"""Games in plain Python: they keep the contract, are searched like compiled ones, and their errors come through."""

import pickle
import traceback

import pytest

from cython_core.game import IllegalMoveError
from cython_core.kuhn import KuhnRules
from cython_core.python_state import PythonRules, PythonState
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.search import Budget, Engine, SearchParams, search
from dnup_ai.testing import check_round
from python_kuhn import PythonKuhn, PythonKuhnRules
from searching import params_of
from toy_game import Trick, TrickRules, TrickState

RULES = TrickRules()


def view_of(hand, *, led=0, gone=(), points=(0, 0)):
    """Seat 0's view on its own turn."""
    return TrickState(RULES, Trick((hand, (0,) * (len(hand) + bool(not led) - 1)), 0, led, gone, points), 0)


# --- the contract


@pytest.mark.parametrize("rules", [TrickRules(), PythonKuhnRules()], ids=lambda rules: rules.game)
def test_random_rounds_keep_the_contract(rules):
    for seed in range(100):
        assert check_round(rules, seed) >= 2


def test_moves_and_positions_read_by_default():
    state = TrickState(RULES, Trick(((1, 2), (3, 4)), 1, 0, (5, 7), (1, 0)))
    assert [str(move) for move in state.legal_moves()] == ["3", "4"]
    assert str(state.observe(0)) == (
        "trick:2 view=0 turn=1 data=Trick(hands=((1, 2), (0, 0)), turn=1, led=0, gone=(5, 7), points=(1, 0))"
    )
    assert repr(RULES) == "<trick rules players=2>"


def test_a_line_is_undone_also_in_a_copy():
    state = RULES.deal(Rng(1))
    before = state.copy()
    undos = [state.apply(state.legal_moves()[0]) for _ in range(4)]
    other = state.copy()
    for each in (state, other):
        for undo in reversed(undos):
            each.undo(undo)
        assert each == before
    with pytest.raises(ValueError, match="there is no move to undo in trick:2 turn=0"):
        state.undo(undos[0])


def test_illegal_moves_are_refused():
    state = TrickState(RULES, Trick(((1, 2), (3, 4)), 0, 0, (5, 7), (1, 0)))
    with pytest.raises(IllegalMoveError, match="move code 3 is not legal in trick:2"):
        state.apply(3)
    with pytest.raises(IllegalMoveError, match="move code 7 is not legal in trick:2 view=1"):
        state.observe(1).apply(7)
    assert state.perft(4) == 2 * 2


def test_rules_pickle_with_their_own_attributes():
    rules = TrickRules()
    rules.note = "kept"
    assert pickle.loads(pickle.dumps(rules)).note == "kept"
    assert pickle.loads(pickle.dumps(rules)) == rules == RULES
    assert rules != PythonKuhnRules()


def test_data_must_be_immutable():
    with pytest.raises(ValueError, match=r"data: expected an immutable value, got Trick\(hands=\[\]"):
        TrickState(RULES, Trick([], 0, 0, (), (0, 0)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", 1, 3, (0, 1)), "players: expected 2 to 6, got 1"),
        (("x", 2, 0, (0, 1)), "max_moves: expected 1 to"),
        (("x", 2, 3, (1, 1)), "points: expected the lowest and the highest"),
    ],
)
def test_rules_that_cannot_be_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        PythonRules(*arguments)


def test_rewards_are_points_scaled_or_the_win():
    over = TrickState(RULES, Trick(((), ()), 0, 0, (1, 2, 3, 4, 5, 6), (2, 1)))
    assert over.is_over
    assert over.rewards() == pytest.approx((2 / 3, 1 / 3))
    assert over.rewards("match") == (1, 0)
    assert over.ranks() == (1, 0)
    assert over.result() == over.payoffs() == (2, 1)
    start = RULES.deal(Rng(1))
    assert start.rewards() == start.rewards("match") == (0.5, 0.5)
    assert start.ranks() == start.result() == (0, 0)
    with pytest.raises(ValueError, match="expected 'tokens' or 'match', got 'chips'"):
        start.rewards("chips")


# --- the search


@pytest.mark.parametrize("rollout", ["random", "greedy", "mast"])
@pytest.mark.parametrize("shape", [{}, {"worlds": 10}, {"flat": True}], ids=["ismcts", "dmcts", "flat"])
def test_the_search_finds_the_obvious_move(shape, rollout):
    """A 3 lies there: the 4 takes the trick as well as the 6, which then takes the last one for certain."""
    view = view_of((4, 6), led=3, gone=(5, 7), points=(0, 1))
    result = Engine(SearchParams(rollout=rollout), **shape).search(view, Budget(iterations=300), Rng(5))
    assert str(result.best) == "4"
    assert result.moves[0].value == pytest.approx(2 / 3)
    assert sum(move.visits for move in result.moves) == result.iterations == 300


def test_the_same_seed_gives_the_same_result():
    view = RULES.deal(Rng(6)).observe(0)
    for params in (SearchParams(), SearchParams(selection="puct", threads=2), SearchParams(rollout_turns=2)):
        first, again, other = (search(view, params, Budget(iterations=200), rng=Rng(seed)) for seed in (1, 1, 2))
        assert first.moves == again.moves
        assert first.moves != other.moves


SAME = {
    "random": params_of(rollout="random"),
    "greedy": params_of(rollout="greedy", epsilon=0.2),
    "mast": params_of(rollout="mast"),
    "puct": params_of(selection="puct", first_play=0.5),
    "merged": params_of(opponent_key="merged", rollout="random"),
    "evaluation": params_of(rollout_turns=1),
    "paranoid": params_of(opponents="paranoid", widening=1.0),
}


@pytest.mark.parametrize("params", SAME.values(), ids=SAME)
@pytest.mark.parametrize("trees", [0, 5])
def test_a_game_written_twice_is_searched_alike_bit_for_bit(params, trees):
    """Kuhn poker, compiled and in Python: the whole trees are equal, visits, availability and sums of rewards."""
    for seed in range(4):
        compiled, plain = KuhnRules().deal(Rng(seed)), PythonKuhnRules().deal(Rng(seed))
        while not compiled.is_over:
            assert [move.code for move in compiled.legal_moves()] == [move.code for move in plain.legal_moves()]
            trees_found = []
            for state in (compiled, plain):
                view = state.observe(state.turn)
                searcher = Searcher(view, params, trees=trees)
                searcher.search(view, Rng(seed), "tokens", iterations=150)
                trees_found.append(searcher.tree())
            assert trees_found[0] == trees_found[1]
            move = compiled.legal_moves()[seed % len(compiled.legal_moves())].code
            compiled.apply(move)
            plain.apply(move)
        assert compiled.payoffs() == plain.payoffs()


# --- errors of the game's own code


class BugError(Exception):
    pass


class Broken(TrickState):
    """Fails in one method when it has been called so often (there is one counter, so that copies share it)."""

    method = ""
    calls = 0


def break_one(name):
    real = getattr(TrickState, name, None)

    def method(self, *args):
        if Broken.method == name:
            Broken.calls += 1
            if Broken.calls > 3:
                raise BugError(f"call {Broken.calls} of {name}")
        return real(self, *args)

    setattr(Broken, name, method)


HOOKS = ["get_turn", "legal_codes", "play", "deal_hidden", "get_points", "get_rewards", "choose_greedy", "get_priors",
         "evaluate", "get_key", "get_group", "hide", "may_play", "get_ranks"]  # fmt: skip
for hook in HOOKS:
    break_one(hook)

SEARCHED = {
    **{name: {} for name in ("get_turn", "legal_codes", "play", "deal_hidden", "get_points", "get_rewards", "get_key")},
    "choose_greedy": {"rollout": "greedy"},
    "get_priors": {"selection": "puct"},
    "evaluate": {"rollout_turns": 0},
    "get_group": {"widening": 0.5},
}


@pytest.fixture
def broken(monkeypatch):
    def make(method):
        monkeypatch.setattr(Broken, "method", "")
        monkeypatch.setattr(Broken, "calls", 0)
        view = Broken(RULES, RULES.deal(Rng(7)).observe(0).data, 0)
        Broken.method = method
        return view

    return make


@pytest.mark.parametrize("method", SEARCHED)
@pytest.mark.parametrize("rollout", ["random", "mast"])
@pytest.mark.parametrize("shape", [{}, {"worlds": 3}, {"flat": True}], ids=["ismcts", "dmcts", "flat"])
def test_an_error_in_the_game_ends_the_search_and_comes_back(broken, method, rollout, shape):
    view = broken(method)
    params = SearchParams(**{"rollout": rollout, **SEARCHED[method]})
    with pytest.raises(BugError, match=rf"call 4 of {method}") as caught:
        Engine(params, **shape).search(view, Budget(iterations=10**12), Rng(8))
    assert Broken.calls == 4, "the search went on asking the game"
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert "method" in names, "the traceback does not reach the game's code"
    assert caught.value.__context__ is None


def test_after_an_error_the_same_states_and_engine_work_again(broken):
    view = broken("play")
    engine = Engine(SearchParams(rollout="random"))
    with pytest.raises(BugError):
        engine.search(view, Budget(iterations=100), Rng(8))
    Broken.method = ""
    again = engine.search(view, Budget(iterations=100), Rng(9))
    assert again.moves == Engine(SearchParams(rollout="random")).search(view, Budget(iterations=100), Rng(9)).moves


def test_an_error_in_one_of_several_threads_comes_back(broken):
    with pytest.raises(BugError):
        Engine(SearchParams(threads=2)).search(broken("play"), Budget(iterations=2000), Rng(8))


def test_an_interrupt_ends_the_search(broken, monkeypatch):
    def interrupted(self, code):
        raise KeyboardInterrupt

    view = broken("")
    monkeypatch.setattr(Broken, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search(view, SearchParams(), Budget(iterations=10**12), rng=Rng(1))


CALLS = {
    "legal_codes": lambda state: state.legal_moves(),
    "play": lambda state: state.apply(state.data.hands[0][0]),
    "hide": lambda state: state.observe(1),
    "deal_hidden": lambda state: state.observe(1).determinise(Rng(1)),
    "may_play": lambda state: state.observe(1).is_legal(1),
    "get_points": lambda state: state.payoffs(),
    "get_ranks": lambda state: state.ranks(),
    "get_rewards": lambda state: state.rewards(),
    "evaluate": lambda state: state.rewards(evaluate=True),
    "choose_greedy": lambda state: state.greedy_move(Rng(1)),
    "get_priors": lambda state: state.priors(),
    "get_key": lambda state: state.move_key(1, 0),
    "get_group": lambda state: state.move_group(1),
    "get_turn": lambda state: state.rollout(Rng(1)),
}


@pytest.mark.parametrize("method", CALLS)
def test_an_error_in_the_game_comes_out_of_the_method_that_was_called(broken, method):
    broken("")
    state = Broken(RULES, RULES.deal(Rng(7)).data)
    before = state.copy()
    Broken.method, Broken.calls = method, 3
    with pytest.raises(BugError, match=f"call 4 of {method}") as caught:
        CALLS[method](state)
    assert caught.value.__context__ is None
    Broken.method = ""
    assert state == before
    CALLS[method](state)


def test_perft_raises_too(broken):
    broken("")
    state = Broken(RULES, RULES.deal(Rng(7)).data)
    Broken.method = "play"
    with pytest.raises(BugError):
        state.perft(4)


# --- what a game may get wrong


class Wrong(PythonState):
    """A game of one move, some answers of which are given by the test."""

    answers: dict[str, object] = {}  # noqa: RUF012

    def get_turn(self):
        return None if self.data else self.answers.get("get_turn", 0)

    def legal_codes(self):
        return self.answers.get("legal_codes", [1])

    def play(self, code):
        return 1

    def hide(self, seat):
        return self.data

    def deal_hidden(self, rng):
        return self.data

    def get_points(self):
        return self.answers.get("get_points", [1, 0])

    def get_priors(self, codes):
        return self.answers.get("get_priors", [1.0])

    def get_group(self, code):
        return self.answers.get("get_group", 0)

    def choose_greedy(self, rng):
        return self.answers.get("choose_greedy", 1)


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("legal_codes", [], "expected at least one move in wrong:2 turn=0 data=0"),
        ("legal_codes", [2, 1], r"expected ascending numbers of 1 and more, got \[2, 1\]"),
        ("legal_codes", [0, 1], "expected ascending numbers"),
        ("legal_codes", [1, 2**32], "expected ascending numbers"),
        ("legal_codes", range(1, 9999), "expected at most 2 moves, got 9998"),
        ("get_points", [1], r"get_points: expected 2 numbers|get_rewards: expected 2 numbers"),
        ("get_priors", [1, 2], "get_priors: expected 1 numbers, got"),
        ("get_group", 256, r"get_group: expected 0\.\.255, got 256"),
        ("choose_greedy", 2, r"choose_greedy: expected one of \[1\], got 2"),
    ],
)
def test_wrong_answers_are_named(monkeypatch, method, answer, message):
    monkeypatch.setattr(Wrong, "answers", {})
    state = Wrong(PythonRules("wrong", 2, 2, (0, 1)), 0)
    params = SearchParams(selection="puct", widening=1.0)
    assert search(state, params, Budget(iterations=20), rng=Rng(1)).best.code == 1
    monkeypatch.setattr(Wrong, "answers", {method: answer})
    if method == "choose_greedy":
        with pytest.raises(ValueError, match=message):
            state.greedy_move(Rng(1))
    else:
        with pytest.raises(ValueError, match=message):
            search(state, params, Budget(iterations=20), rng=Rng(1))


def test_a_seat_that_is_none_is_refused(monkeypatch):
    monkeypatch.setattr(Wrong, "answers", {"get_turn": 2})
    with pytest.raises(ValueError, match=r"get_turn: expected None or seat 0\.\.1, got 2"):
        Wrong(PythonRules("wrong", 2, 2, (0, 1)), 0)


def test_a_game_without_its_methods_says_what_is_missing():
    with pytest.raises(NotImplementedError, match="a game says whose turn it is"):
        PythonState(RULES, 0)


def test_a_class_that_forgets_the_constructor_of_its_base_does_not_crash():
    class Forgetful(TrickState):
        def __init__(self):
            pass

    state = Forgetful()
    assert str(state) == "unmade:2 turn=- data=None"
    assert state.is_over
    assert state.legal_moves() == []
    with pytest.raises(IllegalMoveError):
        state.apply(1)
    with pytest.raises(ValueError, match="the round is over"):
        search(state, SearchParams(), Budget(iterations=1), rng=Rng(1))


def test_python_kuhn_is_a_state_of_its_rules():
    state = PythonKuhnRules().deal(Rng(1))
    assert type(state.observe(0).determinise(Rng(1))) is PythonKuhn
