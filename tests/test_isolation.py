"""Users' bots in processes of their own: whatever they do is a fault of theirs, and nothing else changes."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.bots import Bot, BotSpec, parse_spec
from dnup_ai.decks import load_deck
from dnup_ai.errors import BotError
from dnup_ai.games import game_named
from tournaments.bot_process import BotProcess
from tournaments.isolation import BotHost, turn_request
from tournaments.match import FAULTS, Fault, Round, play_match, play_round

LIMIT = 0.3
PLENTY = 20.0  # on a busy machine too
RULES = load_deck("standard").rules(3)
TOY = Path(__file__).parent / "toy_game.py"

OWN_BOTS = """
import ctypes, multiprocessing, os, signal, subprocess, sys, threading, time
from contextlib import suppress
from pathlib import Path
from dnup_ai.bots import Bot
from dnup_ai.bots.searching import Ismcts

def first(view):
    return view.legal_moves()[0]

class First(Bot):
    def choose(self, view, history):
        return first(view)

class Draws(Bot):
    # All that a bot gets decides its move.
    def __init__(self, params, rng):
        super().__init__(params, rng)
        self.turns = rng.below(5)
    def choose(self, view, history):
        self.turns += 1
        assert isinstance(history, tuple)
        moves = view.legal_moves()
        text = f"{view} {[str(move) for move in history]} {self.turns} {self.rng.bits()}"
        with suppress(ValueError):
            view.apply(moves[-1])
        return moves[sum(text.encode()) % len(moves)]

class Thinks(Ismcts):
    pass

class Crashes(Bot):
    def choose(self, view, history):
        raise RuntimeError("no idea" * 1000)

class Leaves(Bot):
    def choose(self, view, history):
        raise SystemExit(3)

class Interrupts(Bot):
    def choose(self, view, history):
        raise KeyboardInterrupt

class Hangs(Bot):
    def choose(self, view, history):
        while True:
            pass

class HoldsTheGil(Bot):
    def choose(self, view, history):
        ctypes.PyDLL(None).sleep(60)

class Stops(Bot):
    def choose(self, view, history):
        os.kill(os.getpid(), signal.SIGSTOP)

class Exits(Bot):
    def choose(self, view, history):
        os._exit(3)

class Killed(Bot):
    def choose(self, view, history):
        os.kill(os.getpid(), signal.SIGKILL)

class Segfaults(Bot):
    def choose(self, view, history):
        ctypes.string_at(1)

class ExitsWithAChild(Bot):
    # The child holds the socket open.
    def choose(self, view, history):
        if os.fork() == 0:
            time.sleep(60)
        os._exit(4)

class Nothing(Bot):
    def choose(self, view, history):
        return None

class Unpicklable(Bot):
    def choose(self, view, history):
        return lambda: None

class Huge(Bot):
    def choose(self, view, history):
        return b"x" * 2**22

class Foreign(Bot):
    def choose(self, view, history):
        from dnup_ai.decks import load_deck
        from cython_core.rng import Rng
        return load_deck("standard").rules(2).deal(Rng(1)).legal_moves()[0]

class Writes(Bot):
    # Into every file that it has not opened.
    def choose(self, view, history):
        for number in range(3, 64):
            try:
                os.write(number, b"\\0\\0\\0\\2[]")
            except OSError:
                pass
        time.sleep(60)

class Closes(Bot):
    def choose(self, view, history):
        os.closerange(0, 256)
        return first(view)

class ClosesStandardFiles(Bot):
    def choose(self, view, history):
        for file in (sys.stdin, sys.stdout, sys.stderr):
            file.close()
        os.closerange(0, 3)
        return first(view)

class Prints(Bot):
    def choose(self, view, history):
        print("to be or")
        os.write(1, b"not to be\\n")
        return first(view)

class Reads(Bot):
    def choose(self, view, history):
        assert sys.stdin.read() == ""
        return first(view)

class Forks(Bot):
    # The fork returns from `choose` too.
    def choose(self, view, history):
        os.fork()
        return first(view)

class Parent(Bot):
    # Starts a process, a process of multiprocessing and a thread, which stay, and says which.
    def __init__(self, params, rng):
        super().__init__(params, rng)
        child = subprocess.Popen(["sleep", "60"])
        forked = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
        forked.start()
        threading.Thread(target=time.sleep, args=(60,)).start()
        (Path(__file__).parent / "pids").write_text(f"{os.getpid()} {child.pid} {forked.pid}")
    def choose(self, view, history):
        return first(view)

class HangsWithChildren(Parent):
    def choose(self, view, history):
        while True:
            pass

class Counts(Bot):
    def choose(self, view, history):
        self.iterations += 7
        return first(view)

class Miscounts(Bot):
    iterations = "many"
    def choose(self, view, history):
        return first(view)

class Seer(Bot):
    sees_all = True
    def choose(self, view, history):
        assert view.view is None
        return first(view)

class Remembers(Bot):
    # Dies in the second game that its process sees.
    made = 0
    def __init__(self, params, rng):
        super().__init__(params, rng)
        Remembers.made += 1
        if Remembers.made == 2:
            os._exit(5)
    def choose(self, view, history):
        return first(view)

class NoBook(First):
    def __init__(self, params, rng):
        raise OSError("no book")

class NoGrace(First):
    def __init__(self, params, rng):
        raise KeyboardInterrupt

class Stillborn(First):
    def __init__(self, params, rng):
        os._exit(6)

class NeverDone(First):
    def __init__(self, params, rng):
        while True:
            pass

class Logs(First):
    def __init__(self, params, rng):
        super().__init__(params, rng)
        self.log = open(Path(__file__).parent / "log", "w")
        self.log.write("a bot was here")
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("bots") / "my_bots.py"
    file.write_text(OWN_BOTS)
    return str(file)


@pytest.fixture(scope="module")
def host() -> Iterator[BotHost]:
    # One for most tests, as in a tournament: what one bot does is nothing to the next.
    with BotHost(PLENTY) as host:
        yield host


def first(view: State) -> Move:
    return view.legal_moves()[0]


def seat_of_first_turn(start: State) -> int:
    assert start.turn is not None
    return start.turn


def round_of(host: BotHost, spec: BotSpec | str, limit: float | None = PLENTY) -> Round:
    """A round in which the bot is the first to move, against two at random."""
    start = RULES.deal(Rng(1))
    specs = [parse_spec("random")] * 3
    specs[seat_of_first_turn(start)] = parse_spec(spec) if isinstance(spec, str) else spec
    bots = [host.make(spec, Rng(1, 0, 0, seat), seat) for seat, spec in enumerate(specs)]
    return play_round(RULES, bots, start, limit=limit)


def fault_of(played: Round) -> Fault:
    fault = played.outcome.fault
    assert fault is not None
    assert fault.kind in FAULTS
    assert fault.seat == seat_of_first_turn(played.start)
    assert (played.outcome.end, played.outcome.turns) == ("fault", 0)
    return fault


def is_there(pid: int) -> bool:
    """Whether the process runs: one that has ended and nobody has asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def processes_of(host: BotHost) -> list[int]:
    return [process._popen.pid for process in host._processes.values()]


# --- the same game


@pytest.mark.parametrize(
    ("game", "players"), [("dnup", 2), ("dnup", 4), ("dnup-pile", 3), ("3up3down", 3), (f"{TOY}:TrickGame", 2)]
)
def test_an_isolated_bot_plays_as_it_would_in_this_process(own: str, game: str, players: int) -> None:
    rules = game_named(game).rules(game_named(game).load_deck(game_named(game).shipped_decks()[0]), players, {})
    specs = [parse_spec(f"{own}:Draws"), parse_spec(f"{own}:Thinks:iterations=20"), parse_spec("random")] * 2
    with BotHost(game=game) as host:
        for index in range(6):
            rounds = []
            for isolated in (False, True):
                seats = [(specs[(seat + index) % len(specs)], Rng(3, index, 0, seat), seat) for seat in range(players)]
                bots = [host.make(*seat) if isolated else seat[0].make(seat[1]) for seat in seats]
                rounds.append(play_round(rules, bots, rules.deal(Rng(3, index))))
            alone, apart = rounds
            assert alone.outcome.fault is None
            assert apart.moves == alone.moves
            timeless = [played.outcome._replace(seconds=0, seat_seconds=()) for played in rounds]
            assert timeless[0] == timeless[1]
            assert sum(alone.outcome.iterations) % 20 == 0
        assert len(processes_of(host)) <= 2 * players


def test_in_a_match_each_round_has_a_history_of_its_own(own: str, host: BotHost) -> None:
    spec = parse_spec(f"{own}:Draws")
    matches = []
    for make in (lambda rng, seat: spec.make(rng), lambda rng, seat: host.make(spec, rng, seat)):
        bots = [make(Rng(2, 0, 0, seat), seat) for seat in range(3)]
        matches.append(
            play_match(RULES, bots, lambda index, tokens: RULES.deal(Rng(2, 0, index), tokens), limit=PLENTY)
        )
    alone, apart = matches
    assert len(alone.rounds) > 1
    assert apart.tokens == alone.tokens
    assert [played.moves for played in apart.rounds] == [played.moves for played in alone.rounds]


def test_a_host_that_is_closed_makes_no_more(own: str) -> None:
    with BotHost() as host:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        host.make(parse_spec(f"{own}:First"), Rng(1), 0)


def test_bots_that_ship_stay_in_this_process() -> None:
    with BotHost() as host:
        assert type(host.make(parse_spec("greedy"), Rng(1), 0)) is type(parse_spec("greedy").make(Rng(1)))
        assert processes_of(host) == []


# --- what is sent


@pytest.mark.parametrize(("game", "players"), [("dnup", 3), ("dnup-pile", 3), ("3up3down", 2)])
def test_what_is_sent_is_the_same_whatever_the_seat_cannot_see(game: str, players: int) -> None:
    named = game_named(game)
    rules = named.rules(named.load_deck(named.shipped_decks()[0]), players, {})
    state = rules.deal(Rng(4))
    rng = Rng(5)
    history: tuple[Move, ...] = ()
    swapped = 0
    while state.turn is not None and len(history) < 40:
        world = state.observe(state.turn).determinise(rng)
        swapped += world != state
        requests = {turn_request(truth.observe(state.turn), history, history[:-1]) for truth in (state, world)}
        assert len(requests) == 1
        move = rng.choice(state.legal_moves())
        state.apply(move)
        history += (move,)
    assert swapped > 5


def test_nothing_is_sent_but_views_rules_and_new_moves(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    send = BotProcess._send
    monkeypatch.setattr(BotProcess, "_send", lambda self, data: (sent.append(data), send(self, data))[1])
    with BotHost() as host:
        played = round_of(host, f"{own}:Draws")
    seat = seat_of_first_turn(played.start)
    expected = [pickle.dumps(("make", parse_spec(f"{own}:Draws"), Rng(1, 0, 0, seat), None))]
    expected.append(pickle.dumps(("rules", RULES)))
    state = played.start.copy()
    before: tuple[Move, ...] = ()
    for turn, move in enumerate(played.moves):
        if state.turn == seat:
            history = played.moves[:turn]
            assert pickle.loads(pickle.dumps(state.observe(seat))).view == seat
            expected.append(turn_request(state.observe(seat), history, before))
            before = history
        state.apply(move)
    assert sent == [*expected, b""]


# --- faults


@pytest.mark.parametrize(
    ("bot", "kind", "message"),
    [
        ("Crashes", "exception", "RuntimeError: no idea"),
        ("Leaves", "exception", "SystemExit: 3"),
        ("Interrupts", "exception", "KeyboardInterrupt"),
        ("Hangs", "time-out", "no move within the limit of 0.3 s"),
        ("HoldsTheGil", "time-out", "no move within the limit of 0.3 s"),
        ("Stops", "time-out", "no move within the limit of 0.3 s"),
        ("Exits", "death", "its process ended with exit code 3"),
        ("ExitsWithAChild", "death", "its process ended with exit code 4"),
        ("Killed", "death", "its process was killed by SIGKILL (signal 9)"),
        ("Segfaults", "death", "its process was killed by SIGSEGV (signal 11)"),
        ("Closes", "death", "its process "),
        ("Writes", "death", "its process no longer answers in the way agreed"),
        ("Nothing", "illegal", "expected a move, got NoneType"),
        ("Unpicklable", "illegal", "expected a move, got function"),
        ("Huge", "illegal", "expected a move, got bytes"),
        ("Foreign", "illegal", "is of other rules than this state"),
    ],
)
def test_what_a_bot_does_is_its_fault(own: str, host: BotHost, bot: str, kind: str, message: str) -> None:
    limit = LIMIT if kind == "time-out" else PLENTY
    played = round_of(host, f"{own}:{bot}", limit)
    fault = fault_of(played)
    assert fault.kind == kind
    assert message in fault.message
    assert len(fault.message) < 2100
    assert ('my_bots.py", line' in fault.traceback) == (kind == "exception")
    assert "tournaments" not in fault.traceback
    if kind == "time-out":
        assert played.outcome.seat_seconds[fault.seat] >= LIMIT
    # The next game is as if nothing had been.
    again = round_of(host, f"{own}:{bot}", limit)
    assert (again.moves, again.outcome.fault) == (played.moves, fault)


@pytest.mark.parametrize("bot", ["First", "Prints", "Reads", "Forks", "ClosesStandardFiles", "Miscounts"])
def test_what_a_bot_may_do_is_no_fault(own: str, bot: str, capfd: pytest.CaptureFixture[str]) -> None:
    # A new process writes to the standard error of the moment.
    with BotHost(PLENTY) as host:
        played = round_of(host, f"{own}:{bot}")
        assert played.outcome.fault is None
        assert played.moves == round_of(host, f"{own}:First").moves
    out, err = capfd.readouterr()
    assert out == ""
    assert ("to be or" in err) == ("not to be" in err) == (bot == "Prints")


def test_iterations_are_those_that_the_bot_counts(own: str, host: BotHost) -> None:
    played = round_of(host, f"{own}:Counts")
    seat = seat_of_first_turn(played.start)
    turns = sum(1 for turn in turns_of(played) if turn == seat)
    assert played.outcome.iterations == tuple(7 * turns if other == seat else 0 for other in range(3))
    assert round_of(host, f"{own}:Miscounts").outcome.iterations == (0, 0, 0)


def turns_of(played: Round) -> Iterator[int | None]:
    state = played.start.copy()
    for move in played.moves:
        yield state.turn
        state.apply(move)


def test_a_bot_that_sees_all_is_known_and_gets_it(own: str, host: BotHost) -> None:
    start = RULES.deal(Rng(1))
    bots = [host.make(parse_spec(f"{own}:Seer"), Rng(1, 0, 0, seat), seat) for seat in range(3)]
    with pytest.raises(ValueError, match="sees all"):
        play_round(RULES, bots, start)
    assert play_round(RULES, bots, start, allow_cheating=True, limit=PLENTY).outcome.fault is None


def test_a_bot_of_another_seat_lives_on(own: str, host: BotHost) -> None:
    specs = [parse_spec(f"{own}:{bot}") for bot in ("Exits", "First", "First")]
    bots = [host.make(spec, Rng(1, 0, 0, seat), seat) for seat, spec in enumerate(specs)]
    start = RULES.deal(Rng(1))
    while start.turn != 0:
        start.apply(first(start))
    assert play_round(RULES, bots, start, limit=PLENTY).outcome.fault == Fault(
        0, "death", "its process ended with exit code 3"
    )
    start.apply(first(start))
    view = start.observe(1)
    assert bots[1].choose(view.copy(), ()) == first(view)


def test_a_bot_whose_game_is_over_does_not_play_on(own: str, host: BotHost) -> None:
    one, other = (host.make(parse_spec(f"{own}:First"), Rng(1), 0) for _ in range(2))
    view = RULES.deal(Rng(1))
    assert other.choose(view, ()) == first(view)
    with pytest.raises(RuntimeError, match="the game of this bot is over"):
        one.choose(view, ())


def test_ctrl_c_while_a_bot_thinks_leaves_no_answer_behind(own: str) -> None:
    with BotHost() as host:
        bot = host.make(parse_spec(f"{own}:Hangs"), Rng(1), 0)
        (pid,) = processes_of(host)
        before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            with pytest.raises(KeyboardInterrupt):
                bot.choose(RULES.deal(Rng(1)), ())
        finally:
            signal.signal(signal.SIGALRM, before)
        assert not is_there(pid)


# --- bots that cannot be made


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("NoBook", "OSError: no book"),
        ("NoGrace", "KeyboardInterrupt"),
        ("Stillborn", "its process ended with exit code 6"),
        ("NeverDone", "not done in 0.3 s"),
    ],
)
def test_a_bot_that_cannot_be_made_is_one_clear_error(own: str, bot: str, problem: str) -> None:
    with BotHost(make_limit=0.3 if bot == "NeverDone" else PLENTY) as host, pytest.raises(BotError) as caught:
        host.make(parse_spec(f"{own}:{bot}"), Rng(1), 0)
    assert str(caught.value) == f"bot {own}:{bot}: its constructor failed: {problem}"


def test_a_bot_that_is_not_there_is_one_clear_error(own: str, host: BotHost) -> None:
    with pytest.raises(BotError, match="no class 'Nobody' in"):
        host.make(BotSpec("Nobody", own), Rng(1), 0)


def test_a_process_that_earlier_games_spoilt_is_replaced(own: str, host: BotHost) -> None:
    for _ in range(3):
        assert round_of(host, f"{own}:Remembers").outcome.fault is None


def test_a_process_that_cannot_be_started_is_one_clear_error(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with BotHost() as host:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(BotError, match="its process did not start: No such file or directory"):
            host.make(parse_spec(f"{own}:First"), Rng(1), 0)
        monkeypatch.undo()
        monkeypatch.setattr(sys, "path", [])
        with pytest.raises(BotError, match="its process did not start: its process ended with exit code 1"):
            host.make(parse_spec(f"{own}:First"), Rng(1), 0)


# --- no process is left behind


def pids_of(own: str) -> list[int]:
    return [int(pid) for pid in (Path(own).parent / "pids").read_text().split()]


def test_closing_ends_bots_and_what_they_have_started(own: str) -> None:
    with BotHost() as host:
        assert round_of(host, f"{own}:Parent").outcome.fault is None
        pids = pids_of(own)
        assert all(map(is_there, pids))
        host.close()
        wait_until(lambda: not any(map(is_there, pids)))


def test_a_hanging_bot_ends_with_what_it_has_started(own: str) -> None:
    with BotHost() as host:
        assert fault_of(round_of(host, f"{own}:HangsWithChildren", LIMIT)).kind == "time-out"
        wait_until(lambda: not any(map(is_there, pids_of(own))))


def test_closing_leaves_a_bot_time_to_write_what_it_has(own: str) -> None:
    with BotHost() as host:
        host.make(parse_spec(f"{own}:Logs"), Rng(1), 0)
    assert (Path(own).parent / "log").read_text() == "a bot was here"


def test_a_host_that_nobody_closed_is_closed_with_its_last_reference(own: str) -> None:
    host = BotHost()
    host.make(parse_spec(f"{own}:First"), Rng(1), 0)
    (pid,) = processes_of(host)
    del host
    assert not is_there(pid)


HARNESS = """
import sys, time
sys.path[:0] = {path!r}
from test_isolation import BotHost, round_of
host = BotHost()
print("made", flush=True)
round_of(host, {spec!r}, None)
time.sleep(60)
"""


@pytest.mark.parametrize("bot", ["Parent", "HangsWithChildren"])
def test_killing_the_harness_ends_bots_and_what_they_have_started(own: str, bot: str) -> None:
    (Path(own).parent / "pids").unlink(missing_ok=True)
    code = HARNESS.format(path=[str(Path(__file__).parent)], spec=f"{own}:{bot}")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as harness:
        wait_until(lambda: (Path(own).parent / "pids").exists() and len(pids_of(own)) == 3)
        pids = pids_of(own)
        time.sleep(0.1)
        assert all(map(is_there, pids))
        harness.kill()
        harness.wait()
        wait_until(lambda: not any(map(is_there, pids)))


def _play_in_worker(spec: str, pipe: Any) -> None:
    with BotHost() as host:
        played = round_of(host, spec)
    pipe.send((multiprocessing.current_process().daemon, played.moves, played.outcome.fault))


def test_it_works_in_a_worker_that_may_have_no_children_of_multiprocessing(own: str, host: BotHost) -> None:
    ours, theirs = multiprocessing.Pipe()
    worker = multiprocessing.get_context("fork").Process(
        target=_play_in_worker, args=(f"{own}:Draws", theirs), daemon=True
    )
    worker.start()
    assert ours.recv() == (True, round_of(host, f"{own}:Draws").moves, None)
    worker.join()


# --- limits of bots in this process


def test_a_move_that_takes_too_long_is_a_time_out() -> None:
    class Slow(Bot):
        def choose(self, view: State, history: Any) -> Move:
            time.sleep(0.02)
            return first(view)

    bots = [Slow(None, Rng(1)) for _ in range(3)]
    fault = fault_of(play_round(RULES, bots, RULES.deal(Rng(1)), limit=0.01))
    assert (fault.kind, fault.message) == ("time-out", "no move within the limit of 0.01 s")


@pytest.mark.parametrize("name", ["flat", "dmcts", "ismcts", "ismcts:threads=2"])
@pytest.mark.parametrize("budget", ["iterations=1000000000", "wall_ms=60000", "cpu_ms=60000"])
def test_a_search_ends_within_the_limit_by_itself(name: str, budget: str) -> None:
    """Whatever its budget: it has a move, and asked its engine to end before the limit, so that it is not too late."""
    spec = parse_spec(f"{name}{',' if ':' in name else ':'}{budget}")
    bot = spec.make(Rng(1))
    bot.move_limit = 0.05
    view = RULES.deal(Rng(1))
    view = view.observe(view.turn or 0)
    assert view.is_legal(bot.choose(view, ()))
    assert bot.iterations > 0
    result = bot.thoughts(view)
    assert result is not None
    assert result.stopped_by == "wall"


@pytest.mark.parametrize("options", ["", ",early_stop=true"])
def test_a_limit_that_is_not_reached_changes_nothing(options: str) -> None:
    spec = parse_spec(f"ismcts:iterations=200{options}")
    rounds = []
    for limit in (None, 30.0):
        bots = [spec.make(Rng(1, 0, 0, seat)) for seat in range(3)]
        rounds.append(play_round(RULES, bots, RULES.deal(Rng(1)), limit=limit))
    assert rounds[0].moves == rounds[1].moves
    assert rounds[0].outcome.iterations == rounds[1].outcome.iterations


def test_a_budget_below_the_limit_stays_what_it_is() -> None:
    bot = parse_spec("ismcts:wall_ms=20").make(Rng(1))
    played = play_round(RULES, [bot] * 3, RULES.deal(Rng(1)), limit=PLENTY)
    assert played.outcome.fault is None
    assert max(played.outcome.seat_seconds) < played.outcome.turns * PLENTY / 10


def test_seconds_and_iterations_are_those_of_the_seat_in_this_round() -> None:
    specs = [parse_spec(text) for text in ("ismcts:iterations=50,threads=2", "random", "flat:iterations=30")]
    bots = [spec.make(Rng(1, 0, 0, seat)) for seat, spec in enumerate(specs)]
    for seed in (1, 2):
        outcome = play_round(RULES, bots, RULES.deal(Rng(seed))).outcome
        assert outcome.iterations[0] % 100 == outcome.iterations[1] == outcome.iterations[2] % 30 == 0
        assert outcome.iterations[0] > 0
        assert 0 < outcome.seat_seconds[1] < outcome.seat_seconds[0]
        assert sum(outcome.seat_seconds) < outcome.seconds
