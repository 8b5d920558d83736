"""The tables of a worker: it plays games of many tournaments, and is ready for those that come again."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import perf_counter

from tournaments.config import Tournament
from tournaments.isolation import BotHost
from tournaments.table import Played, Table

Part = tuple[bytes, Sequence[int]]
"""Games to play: a tournament, packed so that equal bytes are equal tournaments, and numbers in its schedule."""

Chunk = tuple[list[list[Played]], float]
"""Games that were played, part by part, and the seconds that it took."""

_MOST = 64  # a table has rules and texts of moves: a few kilobytes


class Tables:
    """Plays parts in one thread of one process, whatever tournaments they are of. Close it when done."""

    def __init__(self, unpack: Callable[[bytes], Tournament] = pickle.loads) -> None:
        """unpack: makes a tournament of what a `Part` has of it."""
        self._unpack = unpack
        self._tables: OrderedDict[bytes, Table] = OrderedDict()
        # Users' bots play in processes, which take long to start: tables share them.
        self._hosts: dict[tuple[str, float], BotHost] = {}

    def play(self, parts: Sequence[Part]) -> Chunk:
        """Play all games of the parts; raises BotError as `Table.play` does."""
        began = perf_counter()
        played = []
        for packed, numbers in parts:
            table = self.table(packed)
            played.append([table.play(game) for game in table.tournament.games(numbers)])
        return played, perf_counter() - began

    def table(self, packed: bytes) -> Table:
        """Return the table of a tournament, made if it is not one of the last few."""
        if packed in self._tables:
            self._tables.move_to_end(packed)
            return self._tables[packed]
        tournament = self._unpack(packed)
        key = tournament.game, tournament.move_limit
        if key not in self._hosts:
            self._hosts[key] = BotHost(tournament.move_limit, game=tournament.game)
        table = self._tables[packed] = Table(tournament, self._hosts[key])
        if len(self._tables) > _MOST:
            self._tables.popitem(last=False)
        return table

    def close(self) -> None:
        """End the processes of users' bots."""
        self._tables.clear()
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()
