"""The settings of a tournament: all that decides what is played, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cython_core.game import Rules
from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import ConfigError
from dnup_ai.games import DEFAULT_GAME, Deck, game_named
from tournaments.schedule import Game, Seating, schedule, seatings

UNITS = ("round", "match")


@dataclass(frozen=True)
class Tournament:
    """What is played: equal settings play equal games, whatever they are played with. It can be pickled.

    bots: those that take part, the same one twice if wanted; players: seats at the table; deals: how many
    deals of cards, each played with every seating; seed: 0 to 2**32 - 1; options: those of the rules that
    are given (docs/rules.md); lineup, unit: one of `schedule.LINEUPS`, of `UNITS`; allow_cheating: whether bots that
    see all cards may take part; game: a name of `dnup_ai.games`, of which the deck is. Raises ConfigError or
    DeckError for settings that cannot be played.
    """

    bots: tuple[BotSpec, ...]
    players: int
    deals: int
    seed: int
    deck: Deck
    options: Mapping[str, Any] = field(default_factory=dict)
    lineup: str = "all"
    unit: str = "round"
    allow_cheating: bool = False
    game: str = DEFAULT_GAME

    def __post_init__(self) -> None:
        for name, value, low, high in (("deals", self.deals, 1, 2**32), ("seed", self.seed, 0, 2**32 - 1)):
            if not low <= value <= high:
                raise ConfigError(f"{name}: expected {low} to {high}, got {value}")
        if self.unit not in UNITS:
            raise ConfigError(f"unit: expected {' or '.join(map(repr, UNITS))}, got {self.unit!r}")
        if not self.allow_cheating:
            for spec in self.bots:
                if spec.sees_all:
                    raise ConfigError(
                        f"bot {spec} sees all cards: it is a yardstick, not a player; --allow-cheating lets it play"
                    )
        # Both raise if they cannot be made.
        self.rules()
        _ = self.seatings

    def rules(self) -> Rules:
        """Return the rules of the game at this table."""
        return game_named(self.game).rules(self.deck, self.players, self.options)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of every deal, in order."""
        return seatings(self.lineup, len(self.bots), self.players)

    @property
    def game_count(self) -> int:
        """How many games are played."""
        return self.deals * len(self.seatings)

    def games(self, numbers: Iterable[int] | None = None) -> Iterator[Game]:
        """Return the games with these numbers, by default all, in order."""
        return schedule(range(self.game_count) if numbers is None else numbers, self.seatings)

    def names(self) -> tuple[str, ...]:
        """Return the name of each bot: its spec, marked if it sees all cards, numbered if it is there twice."""
        specs = [f"{spec} (sees all)" if spec.sees_all else str(spec) for spec in self.bots]
        return tuple(
            f"{spec} #{specs[:index].count(spec) + 1}" if specs.count(spec) > 1 else spec
            for index, spec in enumerate(specs)
        )
