"""Bots that ship, a user's own bots, and the specs that name them."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.bots import BotSpec, parse_spec, shipped_bots
from dnup_ai.decks import load_deck
from dnup_ai.errors import BotError
from dnup_ai.params import describe_params
from tournaments.config import Tournament
from tournaments.match import play_round
from tournaments.runner import play

OWN_BOTS = '''
from __future__ import annotations
from dataclasses import dataclass
from dnup_ai.bots import Bot, param
import neighbour

@dataclass(frozen=True)
class Limits:
    depth: int = param(2, low=1, high=9)

class Cautious(Bot):
    """Takes the first move."""
    Params = Limits
    def choose(self, view, history):
        return view.legal_moves()[0]

class Bold(Bot):
    @dataclass(frozen=True)
    class Params:
        nerve: float = param(1, low=0)
    def choose(self, view, history):
        return view.legal_moves()[-1]

class Unfinished(Bot):
    pass

class Broken(Bot):
    def __init__(self, params, rng):
        raise OSError("no book")
    def choose(self, view, history):
        return view.legal_moves()[0]

class Leaves(Bot):
    def __init__(self, params, rng):
        raise SystemExit(3)
    def choose(self, view, history):
        return view.legal_moves()[0]

class Other:
    pass
'''


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "neighbour.py").write_text("")
    (tmp_path / "my_bots.py").write_text(OWN_BOTS)
    return str(tmp_path / "my_bots.py")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        ("greedy", "greedy"),
        ("greedy:epsilon=0.05", "greedy"),
        ("greedy:epsilon=0.10", "greedy:epsilon=0.1"),
        ("greedy:epsilon=1", "greedy:epsilon=1.0"),
    ],
)
def test_equal_specs_are_equal_texts(text: str, canonical: str) -> None:
    spec = parse_spec(text)
    assert str(spec) == canonical
    assert parse_spec(canonical) == spec
    assert hash(parse_spec(canonical)) == hash(spec)
    assert pickle.loads(pickle.dumps(spec)) == spec


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "gredy",
            "unknown bot 'gredy' (did you mean 'greedy'?); there are random, greedy, eval1, flat, dmcts, plain",
        ),
        ("", "unknown bot ''"),
        ("greedy:", "expected key=value after the last colon"),
        ("greedy:epsilon=2", "expected float, 0 to 1, got '2'"),
        ("greedy:eps=0", "unknown parameter 'eps' (did you mean 'epsilon'?); it takes epsilon (float, 0 to 1)"),
        ("random:epsilon=0", "it takes no parameters"),
    ],
)
def test_specs_that_name_nothing_say_what_there_is(text: str, problem: str) -> None:
    with pytest.raises(BotError) as caught:
        parse_spec(text)
    assert problem in str(caught.value)


def test_bots_that_ship_declare_sound_parameters() -> None:
    assert list(shipped_bots())[:2] == ["random", "greedy"]
    for name, bot in shipped_bots().items():
        assert bot.name == name
        assert bot.__doc__
        assert all(parameter.help for parameter in describe_params(bot.Params))


def test_a_users_bot_is_named_by_file_and_class(own: str) -> None:
    spec = parse_spec(f"{own}:Cautious:depth=3")
    assert spec == BotSpec("Cautious", own, "depth=3")
    assert str(spec) == f"{own}:Cautious:depth=3"
    assert str(parse_spec(f"{own}:Bold:nerve=1.0")) == f"{own}:Bold"
    bot = pickle.loads(pickle.dumps(spec)).make(Rng(1))
    assert bot.params.depth == 3
    assert type(bot).__name__ == "Cautious"


def test_a_users_bot_cannot_be_found(own: str) -> None:
    for text, problem in (
        (f"{own}x.py:Cautious", "no such file"),
        (f"{own}", f"expected {own}:CLASS; its bots: Cautious, Bold, Unfinished, Broken, Leaves"),
        (f"{own}:Cautius", "(did you mean 'Cautious'?); its bots: Cautious, Bold"),
        (f"{own}:Other", "'Other' in .* is not a bot: a bot is a class that subclasses dnup_ai.bots.Bot"),
        (f"{own}:param", "'param' in .* is not a bot"),
        (f"{own}:Bot", "'Bot' in .* is not a whole bot"),
        (f"{own}:Unfinished", r"is not a whole bot: it has no choose"),
        (f"{own}:Cautious:depth=10", "parameter 'depth': expected int, 1 to 9, got '10'"),
    ):
        with pytest.raises(BotError, match=problem if ".*" in problem or "\\" in problem else None) as caught:
            parse_spec(text)
        assert ".*" in problem or "\\" in problem or problem in str(caught.value)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("import dnup_ai\n\nx = undefined\n", ", line 3: does not import: NameError: name 'undefined'"),
        ("def f(:\n", ", line 1: does not import: SyntaxError"),
        ("def f():\n    raise SystemExit(2)\nf()\n", ", line 2: does not import: SystemExit: 2"),
        ("class End(BaseException):\n    pass\nraise End('a\\nb')\n", ", line 3: does not import: "),
        ("import no_such_thing\n", ", line 1: does not import: ModuleNotFoundError: No module named"),
    ],
)
def test_a_file_that_does_not_import_names_exception_and_line(tmp_path: Path, source: str, place: str) -> None:
    file = tmp_path / "broken_bots.py"
    file.write_text(source)
    with pytest.raises(BotError) as caught:
        parse_spec(f"{file}:Any")
    assert f"{file}{place}" in str(caught.value)


def test_parameters_that_are_no_dataclass_are_an_error_that_names_the_bot(tmp_path: Path) -> None:
    file = tmp_path / "loose_bots.py"
    file.write_text("from dnup_ai.bots import Bot\nclass Loose(Bot):\n    Params = int\n    choose = None\n")
    with pytest.raises(BotError, match=r"^bot .*loose_bots.py:Loose: int: expected a frozen dataclass"):
        parse_spec(f"{file}:Loose")


def test_long_names_are_cut_short_in_errors() -> None:
    with pytest.raises(BotError) as caught:
        parse_spec("g" * 100_000)
    assert len(str(caught.value)) < 300


def test_a_constructor_that_fails_is_one_clear_error(own: str) -> None:
    with pytest.raises(BotError, match=r"Leaves: its constructor failed: SystemExit: 3"):
        parse_spec(f"{own}:Leaves").make(Rng(1))
    with pytest.raises(BotError, match=r"Broken: its constructor failed: OSError: no book"):
        parse_spec(f"{own}:Broken").make(Rng(1))


def test_random_draws_every_legal_move_equally_often() -> None:
    """Chi-square over the moves of one position; a sound bot fails in 1 of 10,000 seeds, and this seed is fixed."""
    from scipy.stats import chi2

    state = load_deck("standard").rules(3).deal(Rng(5))
    assert state.turn is not None
    view = state.observe(state.turn)
    moves = view.legal_moves()
    bot = parse_spec("random").make(Rng(1, 2, 3, 0))
    draws = 200 * len(moves)
    counts = Counter(bot.choose(view, ()) for _ in range(draws))
    assert set(counts) == set(moves)
    statistic = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert statistic < chi2.ppf(0.9999, len(moves) - 1)


def _moves(spec: str, seed: int) -> tuple[Move, ...]:
    rules = load_deck("standard").rules(3)
    bots = [parse_spec(spec).make(Rng(seed, 0, 0, seat)) for seat in range(3)]
    return play_round(rules, bots, rules.deal(Rng(4))).moves


def test_epsilon_of_greedy_is_wired() -> None:
    assert _moves("greedy:epsilon=0", 1) == _moves("greedy:epsilon=0", 2), "no chance, one line of play"
    assert _moves("greedy:epsilon=0", 1) != _moves("greedy:epsilon=1", 1)
    assert _moves("greedy:epsilon=1", 1) != _moves("greedy:epsilon=1", 2)
    assert _moves("greedy:epsilon=1", 1) == _moves("greedy:epsilon=1", 1)


@pytest.mark.parametrize("name", list(shipped_bots()))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_bot_chooses_the_same_where_it_cannot_see_a_difference(name: str, players: int) -> None:
    rules = load_deck("standard").rules(players)
    state: State = rules.deal(Rng(3, players))
    rng = Rng(9, players)
    for turn in range(30):
        if state.turn is None:
            break
        seat = state.turn
        view = state.observe(seat)
        other = view.determinise(rng).observe(seat)
        chosen = [parse_spec(name).make(Rng(1, turn, 0, seat)).choose(seen, ()) for seen in (view, other)]
        assert chosen[0] == chosen[1]
        state.apply(chosen[0])


@pytest.mark.parametrize(("players", "least"), [(2, 0.95), (3, 1.8), (4, 1.8), (5, 1.8)])
def test_greedy_beats_random(players: int, least: float) -> None:
    """Tokens a round of one greedy against randoms, over 1000 deals from all seats; the seed is fixed."""
    specs = (parse_spec("greedy"), parse_spec("random"))
    tournament = Tournament(specs, players, 1000, 1, load_deck("standard"), format="head-to-head", lineup="one-vs-rest")
    tokens = 0.0
    rounds = 0
    for played in (game for games in play(tournament) for game in games):
        row = played.rows[0]
        seating = row.seating.split(",")
        # At two seats each game is one against the rest from both sides.
        if seating.count("0") == 1:
            rounds += 1
            tokens += float(row.points.split(",")[seating.index("0")])
    assert rounds == 1000 * (2 if players == 2 else 1)
    assert tokens / rounds >= least
