"""The settings of a study: all that decides what is played and chosen, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from dnup_ai.bots.registry import BotSpec, parse_spec
from dnup_ai.errors import ConfigError
from dnup_ai.games import DEFAULT_GAME, Deck, game_named
from dnup_ai.params import Value, format_params
from dnup_ai.search import SearchParams, params_for
from tournaments.config import DEFAULT_MOVE_LIMIT, Tournament
from tournaments.schedule import LINEUPS, SCHEDULE_DEAL
from tournaments.sprt import Sprt
from tournaments.tune.optimiser import optimisers
from tournaments.tune.space import Dimension, Setting, Space
from tournaments.tune.study import CONFIRMATION, Plan

ON_FAULT = ("stop", "forfeit")
DEFAULT_GAMES = 20_000
_PLAN = Plan(None)
_CONFIRMED = 0.5
"""Deals of the longest confirmation, by evaluations of search and race (`Plan.confirm`)."""


@dataclass(frozen=True)
class Study:
    """What a study tunes, against whom, and for how long.

    bot: with the parameters that stay, the budget of a move among them, and as the setting that is to be beaten; space:
    of the others, its default the bot's own values; opponents: one, the baseline, or a pool, over which the score is a
    mean; players: table sizes, over which it is one as well; deck, options, game, lineup, unit, move_limit,
    allow_cheating: as `config.Tournament` has them; on_fault: `stop`, or `forfeit`: who is at fault in a game gets
    nothing there and the others all; optimiser: a name of `optimiser.optimisers`; games: of search and race, or hours:
    of the clock for all, the longest confirmation included; settings, deals: that an iteration of the search plays;
    finalists: that race; confirm: the test of the winner, None for none; seed: 0 to 2**32 - 1.
    Raises ConfigError for what cannot be done.
    """

    bot: BotSpec
    space: Space
    opponents: tuple[BotSpec, ...]
    players: tuple[int, ...]
    deck: Deck
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    game: str = DEFAULT_GAME
    lineup: str = LINEUPS[0]
    unit: str = "round"
    move_limit: float = DEFAULT_MOVE_LIMIT
    allow_cheating: bool = False
    on_fault: str = "stop"
    optimiser: str = "ntbea"
    games: int | None = DEFAULT_GAMES
    hours: float | None = None
    settings: int = _PLAN.settings
    deals: int = _PLAN.deals
    finalists: int = _PLAN.finalists
    confirm: Sprt | None = CONFIRMATION

    def __post_init__(self) -> None:
        if (self.games is None) == (self.hours is None):
            raise ConfigError("games: expected a budget in games or in hours, one of them")
        if self.hours is not None and not 0 < self.hours < 10**5:
            raise ConfigError(f"hours: expected a number above 0, got {self.hours:g}")
        if self.on_fault not in ON_FAULT:
            raise ConfigError(f"on_fault: expected {' or '.join(map(repr, ON_FAULT))}, got {self.on_fault!r}")
        if not self.players or len(set(self.players)) < len(self.players):
            raise ConfigError(f"players: expected different table sizes, got {list(self.players)}")
        if not self.opponents or len(set(self.opponents)) < len(self.opponents):
            raise ConfigError(
                f"opponents: expected different bots, got {', '.join(map(str, self.opponents)) or 'none'}"
            )
        if self.optimiser not in optimisers():
            raise ConfigError(f"optimiser: expected {', '.join(optimisers())}, got {self.optimiser!r}")
        # Both raise if there is nothing to play, or not enough.
        self.tournaments(self.space.default)
        _ = self.plan

    @property
    def default_is_baseline(self) -> bool:
        """Whether scores are differences to the very bot that is to be beaten."""
        return self.opponents == (self.bot,)

    @property
    def games_per_evaluation(self) -> int:
        """How many games a setting plays on a deal: with each opponent at each table size, so and exchanged."""
        return 2 * len(self.opponents) * len(self.players)

    @cached_property
    def plan(self) -> Plan:
        """What is spent, in evaluations."""
        evaluations = None if self.games is None else self.games // self.games_per_evaluation
        least = self.games_per_evaluation * (int(self.settings * self.deals / (1 - _PLAN.race_share)) + 1)
        if self.games is not None and self.games < least:
            raise ConfigError(
                f"games: expected {least} or more for {self.settings} settings on {self.deals} deals, and a race, "
                f"got {self.games}"
            )
        return Plan(
            evaluations, settings=self.settings, deals=self.deals, finalists=self.finalists, confirm=self.confirm
        )

    @property
    def search_seconds(self) -> float:
        """Seconds of the clock for the search, if hours are what there is: race and confirmation cost in proportion."""
        assert self.hours is not None
        after = 0.0
        if self.confirm is not None:
            after = _CONFIRMED if self.default_is_baseline else 2 * _CONFIRMED
        return 3600 * self.hours * (1 - self.plan.race_share) / (1 + after)

    @cached_property
    def own_defaults(self) -> Mapping[str, Value]:
        """What the parameters that the bot leaves to the game are there."""
        return own_defaults(self.bot, self.game, self.deck, self.players, self.options)

    def spec(self, setting: Setting) -> BotSpec:
        """Return the bot with a setting: of the default, the bot itself."""
        return with_values(self.bot, self.space.values(setting), self.own_defaults)

    def tournaments(self, setting: Setting) -> list[Tournament]:
        """Return what a setting plays: a head-to-head with each opponent at each table size, on deals without end."""
        return [
            Tournament(
                bots=(self.spec(setting), opponent),
                players=players,
                deals=SCHEDULE_DEAL,
                seed=self.seed,
                deck=self.deck,
                options=self.options,
                format="head-to-head",
                lineup=self.lineup,
                unit=self.unit,
                allow_cheating=self.allow_cheating,
                game=self.game,
                move_limit=self.move_limit,
            )
            for players in self.players
            for opponent in self.opponents
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all settings as plain data for JSON."""
        first = self.tournaments(self.space.default)[0].to_dict()
        kept = ("game", "deck", "rules", "lineup", "unit", "allow_cheating", "move_limit", "seed")
        mine = ("on_fault", "optimiser", "games", "hours", "settings", "deals", "finalists")
        return {
            **{name: first[name] for name in kept},
            **{name: getattr(self, name) for name in mine},
            "bot": str(self.bot),
            "opponents": [str(spec) for spec in self.opponents],
            "players": list(self.players),
            "parameters": [
                {**asdict(dimension), "levels": list(dimension.levels)} for dimension in self.space.dimensions
            ],
            "default": list(self.space.default),
            "confirm": None if self.confirm is None else asdict(self.confirm),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> Study:
        """Return the settings that `to_dict` wrote; where: the place that an error about the deck names.

        Raises a DnupError that says what cannot be played.
        """
        game = game_named(data["game"])
        deck = data["deck"]["name"]
        names = ("game", "lineup", "unit", "allow_cheating", "move_limit", "seed", "on_fault", "optimiser", "games")
        return cls(
            bot=parse_spec(data["bot"]),
            space=Space(
                tuple(Dimension(**{**found, "levels": tuple(found["levels"])}) for found in data["parameters"]),
                tuple(data["default"]),
            ),
            opponents=tuple(map(parse_spec, data["opponents"])),
            players=tuple(data["players"]),
            deck=game.load_deck(deck) if deck in game.shipped_decks() else game.deck_from_dict(data["deck"], where),
            options=data["rules"],
            confirm=None if data["confirm"] is None else Sprt(**data["confirm"]),
            **{name: data[name] for name in (*names, "hours", "settings", "deals", "finalists")},
        )


def own_defaults(
    bot: BotSpec, game: str, deck: Deck, players: tuple[int, ...], options: Mapping[str, Any]
) -> Mapping[str, Value]:
    """Return what the parameters of a bot that are left to the game are there: those that are alike at all tables."""
    params = bot.params
    if not isinstance(params, SearchParams):
        return {}
    found = [asdict(params_for(game_named(game).rules(deck, size, options), params)) for size in players]
    left_out = [name for name, value in asdict(params).items() if value is None]
    return {name: found[0][name] for name in left_out if all(own[name] == found[0][name] for own in found)}


def with_values(bot: BotSpec, values: Mapping[str, Value], own: Mapping[str, Value]) -> BotSpec:
    """Return the bot with these values; those that it has already by leaving them to the game, `own`, stay left out."""
    kept = {
        name: None if getattr(bot.params, name) is None and own.get(name) == value else value
        for name, value in values.items()
    }
    return BotSpec(bot.name, bot.file, format_params(replace(bot.params, **kept)))
