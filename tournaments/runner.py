"""Plays games of tournaments, in this process, in several, or on a cluster, and hands them over as they finish.

Below this module a game may be played more than once, as workers die; by its number it is stored once.
"""

from __future__ import annotations

import pickle
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from queue import SimpleQueue
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from dnup_ai.errors import ConfigError
from tournaments.config import Tournament
from tournaments.match import Fault
from tournaments.table import Played, lost_game
from tournaments.tables import Part, Tables

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

    def pack(self, tournament: Tournament) -> bytes:
        """Return the tournament as the workers take it."""

    def submit(self, parts: Sequence[Part]) -> Future:
        """Begin to play games; the future's result is `tables.Chunk`."""

    def death(self, error: BaseException) -> Death | None:
        """Return how a worker died, if that is what the error of a future means; the pool goes on without it."""


class Death(NamedTuple):
    """The death of a worker: how, in words, and whether it was playing the chunk that is lost by it."""

    how: str
    at_play: bool


Work = tuple[Tournament, Sequence[int]]
"""Games to play: the tournament that they are of, and their numbers in its schedule."""

Finished = tuple[int, list[Played]]
"""Games that were played: the place of their tournament in the list of work, and what came of them."""


class Workers(Protocol):
    """What plays, from `open_workers` to its end."""

    def play(self, work: Sequence[Work]) -> Generator[Finished, None, None]:
        """Play games and yield them as they finish, in any order; each once.

        A game whose worker dies is played again by another one; if that dies too, it is a fault of no seat. Raises
        BotError if a bot cannot be made. Before that, as at Ctrl-C, games that are finished come out; after it, nothing
        more is to be played.
        """


def play(
    tournament: Tournament, numbers: Sequence[int] | None = None, concurrency: int = 1, cluster: str | None = None
) -> Generator[list[Played], None, None]:
    """Play games of a tournament and yield them as they finish, as `Workers.play` does.

    numbers: in the schedule, by default all; concurrency, cluster: as `open_workers` has them. The same settings give
    the same games, whatever plays them, but for times (and bots with a budget of time). Raises ConfigError for fewer
    workers than one or too many.
    """
    check_concurrency(concurrency)
    work = [(tournament, range(tournament.game_count) if numbers is None else numbers)]
    return _play_alone(work, concurrency, cluster)


def _play_alone(work: Sequence[Work], concurrency: int, cluster: str | None) -> Generator[list[Played], None, None]:
    with open_workers(concurrency, cluster) as workers, closing(workers.play(work)) as finished:
        for _, played in finished:
            yield played


@contextmanager
def open_workers(concurrency: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Yield what plays games of any tournaments, one call after the other, and end it in the end.

    concurrency: processes, with 1 this very one plays; cluster: the address of a Dask scheduler, or `local` for one on
    this machine with `concurrency` workers. Processes are started with `spawn`, so a script that calls this needs
    `if __name__ == "__main__":`. Raises ConfigError for fewer workers than one or too many, or if there is no cluster.
    """
    check_concurrency(concurrency)
    if cluster is None and concurrency == 1:
        with closing(_Here()) as here:
            yield here
        return
    with _open_pool(concurrency, cluster) as pool:
        yield _InPool(pool)


def check_concurrency(concurrency: int) -> None:
    """Raise ConfigError unless so many workers can play."""
    if not 1 <= concurrency <= MAX_WORKERS:
        raise ConfigError(f"concurrency: expected 1 to {MAX_WORKERS}, got {concurrency}")


class _Here:
    """This process plays."""

    def __init__(self) -> None:
        self._tables = Tables()

    def play(self, work: Sequence[Work]) -> Generator[Finished, None, None]:
        for index, (tournament, numbers) in enumerate(work):
            table = self._tables.table(pickle.dumps(tournament))
            played: list[Played] = []
            began = perf_counter()
            try:
                for game in tournament.games(numbers):
                    played.append(table.play(game))
                    if perf_counter() - began >= _BATCH_SECONDS:
                        batch, played = played, []
                        yield index, batch
                        began = perf_counter()
            except (Exception, KeyboardInterrupt):
                yield index, played
                raise
            yield index, played

    def close(self) -> None:
        self._tables.close()


def _open_pool(concurrency: int, cluster: str | None) -> AbstractContextManager[Pool]:
    if cluster is not None:
        from tournaments.cluster import open_cluster

        return open_cluster(cluster, concurrency)
    from tournaments.processes import open_processes

    return open_processes(concurrency)


class _Queue:
    """The games that nobody has been given yet, in the order of the work."""

    def __init__(self, work: Sequence[Work]) -> None:
        self.left = sum(len(numbers) for _, numbers in work)
        self._work = work
        self._place = (0, 0)  # in the list of work, and there in the numbers

    def take(self, games: int) -> list[tuple[int, Sequence[int]]]:
        """Take so many games away, or all."""
        taken = []
        index, start = self._place
        self.left -= (wanted := min(games, self.left))
        while wanted:
            numbers = self._work[index][1][start : start + wanted]
            if numbers:
                taken.append((index, numbers))
            wanted -= len(numbers)
            start += len(numbers)
            if start == len(self._work[index][1]):
                index, start = index + 1, 0
        self._place = index, start
        return taken


class _InPool:
    """The workers of a pool play."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._size = 1  # of the next chunk

    def play(self, work: Sequence[Work]) -> Generator[Finished, None, None]:
        """Keep the window of the pool full, until all games have come out."""
        pool, queue = self._pool, _Queue(work)
        packed = [pool.pack(tournament) for tournament, _ in work]
        finished: SimpleQueue[Future] = SimpleQueue()
        under_way: dict[Future, list[tuple[int, Sequence[int]]]] = {}
        again: list[tuple[int, int]] = []  # games of chunks whose worker died
        deaths: Counter[tuple[int, int]] = Counter()
        try:
            while queue.left or again or under_way:
                window = pool.window
                while len(under_way) < window and (again or queue.left):
                    if again:
                        index, number = again.pop()
                        chunk: list[tuple[int, Sequence[int]]] = [
                            (index, [number])
                        ]  # alone: so it is known what is fatal
                    else:
                        # Towards the end chunks get smaller, so that the workers end together.
                        chunk = queue.take(min(self._size, -(-queue.left // window)))
                    future = pool.submit([(packed[index], numbers) for index, numbers in chunk])
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
                    games = [(index, number) for index, numbers in chunk for number in numbers]
                    if len(games) == 1:
                        deaths[games[0]] += death.at_play
                    again += [game for game in games if deaths[game] < _TRIES]
                    for index, number in games:
                        if deaths[index, number] >= _TRIES:
                            fault = Fault(-1, "death", f"the worker died of it {_TRIES} times: {death.how}")
                            yield index, [lost_game(game, fault) for game in work[index][0].games([number])]
                    continue
                for (index, _), part in zip(chunk, played, strict=True):
                    yield index, part
                self._size = _next_size(sum(map(len, played)), seconds, pool.chunk_seconds)
        except (Exception, KeyboardInterrupt):
            yield from _done(finished, under_way)
            raise


def _next_size(games: int, seconds: float, wanted: float) -> int:
    """Size of the next chunk, after one of so many games took that long. It decides nothing but speed."""
    return max(1, min(round(games * wanted / max(seconds, 1e-6)), 4 * games, _MOST_GAMES))


def _done(
    finished: SimpleQueue[Future], under_way: dict[Future, list[tuple[int, Sequence[int]]]]
) -> Iterator[Finished]:
    """What has finished but was not looked at yet."""
    while not finished.empty():
        future = finished.get()
        try:
            played, _ = future.result()
        except Exception:
            continue
        for (index, _), part in zip(under_way[future], played, strict=True):
            yield index, part


@contextmanager
def sigint_held() -> Iterator[None]:
    """Within the block a Ctrl-C waits until its end; threads and processes that are started in it never see one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
