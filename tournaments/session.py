"""Plays what a tournament file lacks: games come from the runner, go to the store, and are counted in a ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime

from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import DnupError
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.provenance import GONE, bot_hash, code_version
from tournaments.runner import play, sigint_held
from tournaments.store import Session, Store


class FaultStopError(DnupError):
    """A bot was at fault in a tournament that stops at faults."""


def this_session(tournament: Tournament) -> Session:
    """Return what is playing from now on: the time, the code and the bots."""
    return session_of(tournament.bots, code_version())


def session_of(bots: Sequence[BotSpec], version: str) -> Session:
    """Return what is playing from now on: the time, the version of the code, and the bots."""
    return Session(datetime.now(UTC).isoformat(timespec="microseconds"), version, tuple(map(bot_hash, bots)))


def changes(tournament: Tournament, session: Session) -> list[str]:
    """Return in words what is no longer as it was in an earlier session of a tournament."""
    return differences(tournament.bots, session, this_session(tournament))


def differences(bots: Sequence[BotSpec], session: Session, now: Session) -> list[str]:
    """Return in words what of the code and the bots is not in one session as it was in another."""
    found = [f"dnup-ai was {session.version}, is {now.version}"] if session.version != now.version else []
    for spec, before, after in zip(bots, session.bot_hashes, now.bot_hashes, strict=True):
        if before != after:
            how = "is gone" if after == GONE else "has changed"
            found.append(f"bot {spec}: {' or '.join(spec.files)} {how}" if spec.files else f"bot {spec} {how}")
    return list(dict.fromkeys(found))


def play_missing(
    tournament: Tournament,
    store: Store,
    ledger: Ledger,
    *,
    concurrency: int = 1,
    cluster: str | None = None,
    show: Callable[[], None] = lambda: None,
) -> None:
    """Play all games of a tournament that the store lacks, and add them to it and to the ledger.

    ledger: of the tournament; what the store has is counted in it first; concurrency, cluster: as `runner.play` has
    them; show: called now and then, when games were added. With a sequential test it plays until that is decided.
    Raises what `runner.play` does, StoreError, KeyboardInterrupt, and FaultStopError; games finished before are stored.
    """
    run = store.begin(tournament, this_session(tournament))
    have: set[int] = set()
    for played in store.games(run):
        have.add(played.rows[0].game)
        ledger.add([played])
    if ledger.decided:
        return
    numbers: Sequence[int] = range(tournament.game_count)
    if have:
        numbers = [number for number in numbers if number not in have]
    # Closed, so that the workers end with the block.
    with closing(play(tournament, numbers, concurrency, cluster)) as finished:
        for games in finished:
            with sigint_held():
                store.add(run, games)
                ledger.add(games)
            show()
            if tournament.on_fault == "stop" and any(played.fault is not None for played in games):
                raise FaultStopError("stopped at the first fault, as on_fault is 'stop'")
            if ledger.decided:
                return
