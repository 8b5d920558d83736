"""Plays the games of a tournament, in this process, in several, or on a cluster, and hands them over as they finish.

Below this module a game may be played more than once, as workers die; by its number it is stored once.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from queue import SimpleQueue
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from dnup_ai.errors import ConfigError
from tournaments.config import Tournament
from tournaments.match import Fault
from tournaments.table import Played, Table, lost_game

MAX_WORKERS = 256
LOCAL_CLUSTER = "local"

_TRIES = 2
_BATCH_SECONDS = 0.05  # of games played here that are handed over together
_MOST_GAMES = 2000  # in a chunk


class Future(Protocol):
    """A chunk under way: what the standard library's futures, pebble's and Dask's have in common."""

    def add_done_callback(self, fn: Callable[[Any], object], /) -> object: ...
    def result(self) -> Any: ...


class Pool(Protocol):
    """Workers that play chunks of games: the one protocol of the back-ends."""

    @property
    def window(self) -> int:
        """How many chunks may be under way at a time."""

    @property
    def chunk_seconds(self) -> float:
        """How long a chunk should take."""

    def submit(self, numbers: Sequence[int]) -> Future:
        """Begin to play the games with these numbers; the future's result is `Chunk`."""

    def death(self, error: BaseException) -> Death | None:
        """Return how a worker died, if that is what the error of a future means; the pool goes on without it."""


class Death(NamedTuple):
    """The death of a worker: how, in words, and whether it was playing the chunk that is lost by it."""

    how: str
    at_play: bool


Chunk = tuple[list[Played], float]
"""Games that were played, and the seconds that it took."""


def play(
    tournament: Tournament, numbers: Sequence[int] | None = None, concurrency: int = 1, cluster: str | None = None
) -> Iterator[list[Played]]:
    """Play games and yield them as they finish, in any order; each once.

    numbers: in the schedule, by default all; concurrency: processes, with 1 this very one plays; cluster: the address
    of a Dask scheduler, or `local` for one on this machine with `concurrency` workers. The same settings give the same
    games, whatever plays them, but for times (and bots with a budget of time). Processes are started with `spawn`, so a
    script that calls this needs `if __name__ == "__main__":`. A game whose worker dies is played again by another one;
    if that dies too, it is a fault of no seat.
    Raises ConfigError for fewer workers than one or too many; while it plays, BotError if a bot cannot be made. Before
    that, as at Ctrl-C, games that are finished come out.
    """
    check_concurrency(concurrency)
    if numbers is None:
        numbers = range(tournament.game_count)
    if cluster is None and concurrency == 1:
        return _play_here(tournament, numbers)
    return _play_in_pool(tournament, numbers, _open_pool(tournament, concurrency, cluster))


def check_concurrency(concurrency: int) -> None:
    """Raise ConfigError unless so many workers can play."""
    if not 1 <= concurrency <= MAX_WORKERS:
        raise ConfigError(f"concurrency: expected 1 to {MAX_WORKERS}, got {concurrency}")


def play_chunk(table: Table, numbers: Sequence[int]) -> Chunk:
    """Play games at a table: what every worker does."""
    began = perf_counter()
    played = [table.play(game) for game in table.tournament.games(numbers)]
    return played, perf_counter() - began


def _play_here(tournament: Tournament, numbers: Sequence[int]) -> Iterator[list[Played]]:
    table = Table(tournament)
    played: list[Played] = []
    began = perf_counter()
    try:
        for game in tournament.games(numbers):
            played.append(table.play(game))
            if perf_counter() - began >= _BATCH_SECONDS:
                batch, played = played, []
                yield batch
                began = perf_counter()
    except (Exception, KeyboardInterrupt):
        yield played
        raise
    finally:
        table.close()
    yield played


def _open_pool(tournament: Tournament, concurrency: int, cluster: str | None) -> AbstractContextManager[Pool]:
    if cluster is not None:
        from tournaments.cluster import open_cluster

        return open_cluster(tournament, cluster, concurrency)
    from tournaments.processes import open_processes

    return open_processes(tournament, concurrency)


def _play_in_pool(
    tournament: Tournament, numbers: Sequence[int], opening: AbstractContextManager[Pool]
) -> Iterator[list[Played]]:
    """Keep the window of a pool full, until all games have come out."""
    finished: SimpleQueue[Future] = SimpleQueue()
    under_way: dict[Future, Sequence[int]] = {}
    again: list[int] = []  # games of chunks whose worker died
    deaths: Counter[int] = Counter()
    place, size = 0, 1
    with opening as pool:
        try:
            while place < len(numbers) or again or under_way:
                while len(under_way) < pool.window and (again or place < len(numbers)):
                    if again:
                        chunk: Sequence[int] = [again.pop()]  # alone, so that it is known which game was fatal
                    else:
                        chunk = numbers[place : place + size]
                        place += len(chunk)
                    future = pool.submit(chunk)
                    under_way[future] = chunk
                    future.add_done_callback(finished.put)
                future = finished.get()
                chunk = under_way.pop(future)
                try:
                    played, seconds = future.result()
                except Exception as error:
                    death = pool.death(error)
                    if death is None:
                        raise
                    if len(chunk) == 1:
                        deaths[chunk[0]] += death.at_play
                    again += [number for number in chunk if deaths[number] < _TRIES]
                    given_up = [number for number in chunk if deaths[number] >= _TRIES]
                    if given_up:
                        fault = Fault(-1, "death", f"the worker died of it {_TRIES} times: {death.how}")
                        yield [lost_game(game, fault) for game in tournament.games(given_up)]
                    continue
                yield played
                size = _next_size(len(played), seconds, pool.chunk_seconds)
        except (Exception, KeyboardInterrupt):
            yield from _done(finished)
            raise


def _next_size(games: int, seconds: float, wanted: float) -> int:
    """Size of the next chunk, after one of so many games took that long. It decides nothing but speed."""
    return max(1, min(round(games * wanted / max(seconds, 1e-6)), 4 * games, _MOST_GAMES))


def _done(finished: SimpleQueue[Future]) -> Iterator[list[Played]]:
    """What has finished but was not looked at yet."""
    while not finished.empty():
        try:
            played, _ = finished.get().result()
        except Exception:
            continue
        yield played


@contextmanager
def sigint_held() -> Iterator[None]:
    """Within the block a Ctrl-C waits until its end; threads and processes that are started in it never see one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
