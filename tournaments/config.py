"""The settings of a tournament: all that decides what is played, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from cython_core.game import Rules
from dnup_ai.bots.registry import BotSpec, parse_spec, split_spec
from dnup_ai.errors import ConfigError
from dnup_ai.games import DEFAULT_GAME, Deck, game_named
from tournaments.schedule import SCHEDULE_DEAL, Game, Schedule, make_schedule
from tournaments.sprt import Sprt

UNITS = ("round", "match")
ON_FAULT = ("forfeit", "void", "stop")
DEFAULT_MOVE_LIMIT = 60.0
SEPARATE = ("deals", "seed")
"""Settings in which runs may differ that are one tournament."""


@dataclass(frozen=True)
class Tournament:
    """What is played: equal settings play equal games, whatever they are played with. It can be pickled.

    bots: those that take part, the same one twice if wanted; players: seats at the table; deals: how many
    deals of cards, each played with every line-up; seed: 0 to 2**32 - 1; options: those of the rules that
    are given (docs/rules.md); format, lineup, challengers, max_lineups: as `schedule.make_schedule` has them; unit: one
    of `UNITS`; allow_cheating: whether bots that see all cards may take part; game: a name of `dnup_ai.games`, of which
    the deck is; move_limit: seconds of the clock after which a bot that has not moved is at fault; on_fault: one of
    `ON_FAULT`; sprt: the test that may end a head-to-head of two bots before its last deal.
    Raises ConfigError or DeckError for settings that cannot be played.
    """

    bots: tuple[BotSpec, ...]
    players: int
    deals: int
    seed: int
    deck: Deck
    options: Mapping[str, Any] = field(default_factory=dict)
    format: str = "round-robin"
    lineup: str = "alternating"
    challengers: int = 1
    max_lineups: int = 1000
    unit: str = "round"
    allow_cheating: bool = False
    game: str = DEFAULT_GAME
    move_limit: float = DEFAULT_MOVE_LIMIT
    on_fault: str = "forfeit"
    sprt: Sprt | None = None
    stored_names: tuple[str, ...] | None = field(default=None, compare=False)
    """Names of the bots of a stored tournament whose bots need not be there any more: it is read, not played."""

    def __post_init__(self) -> None:
        for name, value, low, high in (("deals", self.deals, 1, SCHEDULE_DEAL), ("seed", self.seed, 0, 2**32 - 1)):
            if not low <= value <= high:
                raise ConfigError(f"{name}: expected {low} to {high}, got {value}")
        for name, word, words in (("unit", self.unit, UNITS), ("on_fault", self.on_fault, ON_FAULT)):
            if word not in words:
                raise ConfigError(f"{name}: expected {' or '.join(map(repr, words))}, got {word!r}")
        if not 0 < self.move_limit < float("inf"):
            raise ConfigError(f"move_limit: expected seconds above 0, got {self.move_limit}")
        if self.sprt is not None and not (self.format == "head-to-head" and len(self.bots) == 2):
            raise ConfigError("sprt: it compares two bots: expected the format 'head-to-head' with two bots")
        if not self.allow_cheating and self.stored_names is None:
            for spec in self.bots:
                if spec.sees_all:
                    raise ConfigError(
                        f"bot {spec} sees all cards: it is a yardstick, not a player; --allow-cheating lets it play"
                    )
        # Both raise if they cannot be made.
        rules = self.rules()
        _ = self.schedule
        if self.stored_names is None:
            for spec in self.bots:
                spec.check(rules)

    def rules(self) -> Rules:
        """Return the rules of the game at this table."""
        return game_named(self.game).rules(self.deck, self.players, self.options)

    @cached_property
    def schedule(self) -> Schedule:
        """The games of all deals."""
        return make_schedule(
            self.format, self.lineup, len(self.bots), self.players, self.challengers, self.max_lineups, self.seed
        )

    @property
    def game_count(self) -> int:
        """How many games are played, if no test ends it before."""
        return self.deals * self.schedule.games_per_deal

    def games(self, numbers: Iterable[int] | None = None) -> Iterator[Game]:
        """Return the games with these numbers, by default all, in order."""
        return self.schedule.games(range(self.game_count) if numbers is None else numbers)

    def names(self) -> tuple[str, ...]:
        """Return the name of each bot: its spec, marked if it sees all cards, numbered if it is there twice."""
        if self.stored_names is not None:
            return self.stored_names
        specs = [f"{spec} (sees all)" if spec.sees_all else str(spec) for spec in self.bots]
        return tuple(
            f"{spec} #{specs[:index].count(spec) + 1}" if specs.count(spec) > 1 else spec
            for index, spec in enumerate(specs)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the effective settings as plain data for JSON; of the rules the options not at their defaults."""
        return {
            "game": self.game,
            "bots": [str(spec) for spec in self.bots],
            "names": list(self.names()),
            "players": self.players,
            "deals": self.deals,
            "seed": self.seed,
            "deck": self.deck.to_dict(),
            "rules": dict(self.rules().options()),
            "format": self.format,
            "lineup": self.lineup,
            "challengers": self.challengers,
            "max_lineups": self.max_lineups,
            "unit": self.unit,
            "allow_cheating": self.allow_cheating,
            "move_limit": self.move_limit,
            "on_fault": self.on_fault,
            "sprt": None if self.sprt is None else asdict(self.sprt),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str, *, to_play: bool = True) -> Tournament:
        """Return the settings that `to_dict` wrote; raises a DnupError that says what cannot be played.

        where: the place that an error about the deck names; to_play: whether the bots must be there.
        """
        game = game_named(data["game"])
        deck = data["deck"]["name"]
        names = ("players", "deals", "seed", "format", "lineup", "challengers", "max_lineups", "unit")
        return cls(
            bots=tuple(map(parse_spec if to_play else split_spec, data["bots"])),
            stored_names=None if to_play else tuple(data["names"]),
            deck=game.load_deck(deck) if deck in game.shipped_decks() else game.deck_from_dict(data["deck"], where),
            options=data["rules"],
            game=data["game"],
            sprt=None if data["sprt"] is None else Sprt(**data["sprt"]),
            **{name: data[name] for name in (*names, "allow_cheating", "move_limit", "on_fault")},
        )

    def fingerprint(self) -> str:
        """Return a text that is equal for settings that are equal but for those in `SEPARATE`."""
        settings = {name: value for name, value in self.to_dict().items() if name not in SEPARATE}
        return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]
