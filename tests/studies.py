"""What tests of tuning on games share: studies, and commands as a user gives them."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dnup_ai.cli import main
from playing import without_times
from tournaments.store import MEMORY, Store
from tournaments.tune.config import Study
from tournaments.tune.config_file import make_study
from tournaments.tune.playing import Counts
from tournaments.tune.report import study_report
from tournaments.tune.session import begin_study, play_study
from tournaments.tune.summary import summarise_study

TIMES = ("seconds", "store")
SEVERAL = ["exploration", "rollout_turns", "final", "opponent_prior", "first_play"]

OWN_BOTS = """
from dataclasses import dataclass

from dnup_ai.bots import Bot, param


@dataclass(frozen=True)
class Params:
    place: int = param(1, low=0, high=9, tune=(0, 1, 2, 3), help="which of the legal moves")
    careful: bool = param(False, tune=(False, True), help="crashes where it is not")


class Nth(Bot):
    Params = Params

    def choose(self, view, history):
        moves = view.legal_moves()
        return moves[self.params.place % len(moves)]


class Crashes(Nth):
    def choose(self, view, history):
        if self.params.place == 3 and len(history) > 4:
            raise RuntimeError("three is too many")
        return super().choose(view, history)


class Fails(Nth):
    def __init__(self, params, rng):
        if params.place == 2:
            raise OSError("no book")
        super().__init__(params, rng)
"""


def study(**settings: Any) -> Study:
    """A quick study: by default of greedy at two players."""
    usual: dict[str, Any] = {"bot": "greedy", "players": 2, "seed": 5, "settings": 4, "optimiser": "random"}
    if "hours" not in settings:
        usual["games"] = 600
    return make_study({**usual, **settings})


def stored(path: Path) -> dict[tuple[str, int], Any]:
    """Games by tournament, but for the seconds that they took."""
    with Store.open(path) as store:
        runs = store._connection.execute("SELECT run, fingerprint, seed FROM runs").fetchall()
        return {(fingerprint, seed): without_times(store.games(run)) for run, fingerprint, seed in runs}


class Told(NamedTuple):
    """What a command says."""

    returncode: int
    stdout: str
    stderr: str


def told(*words: object) -> Told:
    """Call `dnup-ai tune` in this process, which is sooner done than in another."""
    out, err = io.StringIO(), io.StringIO()
    before = signal.getsignal(signal.SIGINT)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["dnup-ai", "tune", *map(str, words)])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            signal.signal(signal.SIGINT, before)
    return Told(code, out.getvalue(), err.getvalue())


def found(*words: object, how: Callable[..., Any] = told) -> dict[str, Any]:
    """What the command prints as JSON, but for times and the name of the file; how: `told`, or in a process."""
    done = how(*words, "--json", "-q")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    assert data.pop("complete")
    for name in TIMES:
        del data[name]
    return data


STUDY_PAGES = ("study", "evil study", "study that proves nothing")


def study_page(name: str, folder: Path) -> str:
    """Return the page of a study of that name, one of `STUDY_PAGES`."""
    own = folder / "<img src=x onerror=alert(1)>&amp;\"'.py"
    own.write_text(OWN_BOTS)
    made = {
        "study": lambda: study(bot="ismcts:iterations=2", games=1000, players=3, parameters=SEVERAL),
        "evil study": lambda: study(
            bot=f"{own}:Nth", games=200, opponents=["random"], settings=2, finalists=2, confirm={"max_deals": 100}
        ),
        "study that proves nothing": lambda: study(bot="greedy:epsilon=0", games=200, confirm=False),
    }[name]()
    with Store.create(MEMORY) as store:
        begin_study(store, made)
        counts = Counts()

        def note(event: object, now: Counts) -> None:
            nonlocal counts
            counts = now

        return study_report(summarise_study(made, play_study(made, store, show=note), counts))
