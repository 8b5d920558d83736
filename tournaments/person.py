"""What a match with a person at the table is made of: who sits where, rounds so far, moves as the person saw them."""

from __future__ import annotations

from dataclasses import dataclass, field

from cython_core.game import Move, Rules, State
from dnup_ai.bots.registry import BotSpec
from dnup_ai.games import Deck, Game
from dnup_ai.search import SearchResult
from tournaments.config import DEFAULT_MOVE_LIMIT
from tournaments.match import Fault

PERSON = "person"
"""What records call the person, in the place of a bot's spec."""


@dataclass(frozen=True)
class Seating:
    """Who plays what.

    specs: the bot of each seat, None where the person sits; seed: deals the cards and feeds the bots; rounds: play so
    many single rounds, None: a match; game_spec: the game as the command line names it, for bots' own processes.
    """

    game: Game
    deck: Deck
    rules: Rules
    specs: tuple[BotSpec | None, ...]
    seed: int
    rounds: int | None = None
    move_limit: float = DEFAULT_MOVE_LIMIT
    allow_cheating: bool = False
    game_spec: str = "dnup"

    @property
    def person(self) -> int:
        """The person's seat."""
        return self.specs.index(None)

    def names(self) -> tuple[str, ...]:
        """Return who sits at each seat."""
        return tuple(PERSON if spec is None else str(spec) for spec in self.specs)


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was made: by whom, as the person saw it happen, and what a bot had thought of.

    before, after: the person's views; seconds, thoughts: of a bot.
    """

    seat: int
    move: Move
    seen: Move
    before: State
    after: State
    seconds: float = 0.0
    thoughts: SearchResult | None = None


@dataclass(slots=True)
class SatRound:
    """A round so far. end: None while it goes on; a round that a bot's `fault` ended is void: nobody gets anything."""

    start: State
    plies: list[Ply] = field(default_factory=list)
    end: str | None = None
    fault: Fault | None = None
    result: tuple[int, ...] = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(ply.move for ply in self.plies)
