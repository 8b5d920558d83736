"""Plays a study, or the rest of one: its settings and its clock are notes in the file of its games.

What a study chose is not stored: it is run again on the games that are there, and takes the same path.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from time import perf_counter

from dnup_ai.errors import ConfigError, StoreError
from tournaments.provenance import code_version
from tournaments.runner import open_workers
from tournaments.session import differences, session_of
from tournaments.store import STUDY, Session, Store
from tournaments.tune.config import Study
from tournaments.tune.optimiser import optimiser_named
from tournaments.tune.playing import Counts, GameEvaluator
from tournaments.tune.study import Event, Finished, StudyResult, run_study

_SESSION, _CLOCK = "session", "clock"
# What decides how a study goes on, beside what plays: of the folder above.
_DECIDES = ("sprt.py", "sprt_prefix.py")

Show = Callable[[Event | None, Counts], None]
"""Is told of each event of a study, and now and then, with None, that games were played."""


@cache
def study_version() -> str:
    """Return the version of dnup-ai with a fingerprint of the code that plays and of that which chooses."""
    folder = Path(__file__).parent
    files = [*folder.glob("*.py"), *(folder.parent / name for name in _DECIDES)]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return f"{code_version()}.{digest.hexdigest()[:8]}"


def begin_study(store: Store, study: Study) -> None:
    """Make a new file that of a study."""
    store.keep(_SESSION, json.dumps(asdict(_now(study))))
    keep_study(store, study)


def keep_study(store: Store, study: Study) -> None:
    """Keep the settings of a study in its file."""
    store.keep(STUDY, json.dumps(study.to_dict()))


def stored_study(store: Store) -> Study:
    """Return the study that a file is of; raises StoreError if it is of none, a DnupError if it cannot be played."""
    text = store.note(STUDY)
    if text is None:
        raise StoreError(f"{store.path}: a tournament file, but not of a study: `dnup-ai tune` makes those")
    return Study.from_dict(json.loads(text), f"{store.path}: settings")


def check_same(store: Store, study: Study) -> None:
    """Raise ConfigError, which names what differs, unless the study that a file is of is this one."""
    before = json.loads(store.note(STUDY) or "{}")
    changed = [
        f"{name} {value!r} for {before[name]!r}" for name, value in study.to_dict().items() if before[name] != value
    ]
    if changed:
        raise ConfigError(
            f"{store.path}: begun with other settings: {'; '.join(changed)}; give none, or begin another study"
        )


def check_unchanged(store: Store, study: Study, accept: bool) -> None:
    """Raise ConfigError if code or bots have changed since a study began; accept: take note of it instead."""
    before = json.loads(store.note(_SESSION) or "{}")
    session = Session(before["began"], before["version"], tuple(before["bot_hashes"]))
    changed = differences((study.bot, *study.opponents), session, now := _now(study))
    if changed and not accept:
        raise ConfigError(
            f"{store.path}: {'; '.join(changed)}: games before and after would not be alike; "
            "--accept-changes plays on all the same"
        )
    if changed:
        store.keep(_SESSION, json.dumps(asdict(now)))


def play_study(
    study: Study,
    store: Store,
    *,
    concurrency: int = 1,
    cluster: str | None = None,
    show: Show = lambda event, counts: None,
) -> StudyResult:
    """Play what the file of a study lacks, and return what the study found.

    store: open, of this study; concurrency, cluster: as `runner.open_workers` has them. Raises what
    `GameEvaluator` does; what was played before is stored.
    """
    with open_workers(concurrency, cluster) as workers:
        evaluator = GameEvaluator(study, store, workers, lambda: show(None, evaluator.counts))
        clock = None if study.hours is None else _Clock(study, store, evaluator.counts)
        events = run_study(
            study.space,
            optimiser_named(study.optimiser)(study.space, study.seed),
            evaluator,
            study.plan,
            default_is_baseline=study.default_is_baseline,
            search_over=None if clock is None else clock.over,
        )
        for event in events:
            show(event, evaluator.counts)
            if isinstance(event, Finished):
                store.commit()
                return event.result
    raise AssertionError("a study ends with `Finished`")


class _Clock:
    """Ends a search on time. It is kept in the file: a search that is resumed ends where it would have, or did."""

    def __init__(self, study: Study, store: Store, counts: Counts) -> None:
        self._limit = study.search_seconds
        self._store = store
        self._counts = counts
        kept = json.loads(store.note(_CLOCK) or '{"iterations": 0, "seconds": 0, "over": false}')
        self._iterations, self._seconds, self._over = kept["iterations"], kept["seconds"], kept["over"]
        self._last = perf_counter()

    def over(self, iterations: int) -> bool:
        """Whether the search ends after so many iterations."""
        now = perf_counter()
        took, self._last = now - self._last, now
        if iterations <= self._iterations:  # was looked at before, by a program that has ended since
            return bool(self._over and iterations == self._iterations)
        self._iterations = iterations
        self._seconds += took
        self._over = self._seconds >= self._limit
        kept = {"iterations": iterations, "seconds": self._seconds, "over": self._over}
        self._store.keep(_CLOCK, json.dumps(kept))
        return bool(self._over)


def _now(study: Study) -> Session:
    return session_of((study.bot, *study.opponents), study_version())
