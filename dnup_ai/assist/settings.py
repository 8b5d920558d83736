"""What does not change in a session: the game, its rules and deck, the seat, the tokens that it began with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from cython_core.game import Rules
from dnup_ai.errors import ConfigError, DnupError, StoreError
from dnup_ai.games import Deck, Game, game_named

FORMAT = 1


@dataclass(frozen=True)
class Settings:
    """The settings of a session.

    game: its name, or my_game.py:Class; seat: whose knowledge is kept, from 0; deck: the cards; options: of the rules,
    those that are not at their defaults; tokens: per seat, those of the match before its first round.
    The constructor raises ConfigError or DeckError if there is no such game.
    """

    game: str
    players: int
    seat: int
    deck: Deck
    options: Mapping[str, Any] = field(default_factory=dict)
    tokens: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        rules = self.rules()
        if not 0 <= self.seat < self.players:
            raise ConfigError(f"seat: expected 0 to {self.players - 1}, got {self.seat}")
        if not self.tokens:
            object.__setattr__(self, "tokens", (0,) * self.players)
        if len(self.tokens) != self.players or min(self.tokens) < 0:
            given = ",".join(map(str, self.tokens))
            raise ConfigError(f"tokens: expected {self.players} numbers, one per seat, got {given}")
        if any(self.tokens) and rules.match_winner([(self.tokens, "out")]) is not None:
            raise ConfigError(f"tokens: with {','.join(map(str, self.tokens))} the match is over")

    def card_game(self) -> Game:
        """Return the game."""
        return game_named(self.game)

    def rules(self) -> Rules:
        """Return the rules."""
        return self.card_game().rules(self.deck, self.players, self.options)

    def to_dict(self) -> dict[str, Any]:
        """Return it as the first line of a session file has it."""
        found: dict[str, Any] = {"assist": FORMAT, "game": self.game, "players": self.players, "seat": self.seat}
        shipped = self.deck.name in self.card_game().shipped_decks()
        found["deck"] = self.deck.name if shipped else self.deck.to_dict()
        if self.options:
            found["rules"] = dict(self.options)
        return found | {"tokens": list(self.tokens)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str) -> Self:
        """Return the settings that `to_dict` wrote; raises StoreError that begins with `where`."""
        if data.get("assist") != FORMAT:
            raise StoreError(f"{where}: expected a session of format {FORMAT}, got {str(data.get('assist'))[:40]!r}")
        checks: dict[str, Any] = {
            "game": lambda value: isinstance(value, str),
            "players": lambda value: type(value) is int,
            "seat": lambda value: type(value) is int,
            "deck": lambda value: isinstance(value, str | dict),
            "tokens": lambda value: isinstance(value, list) and all(type(item) is int for item in value),
        }
        for key, check in checks.items():
            if not check(data.get(key)):
                raise StoreError(f"{where}: {key}: not what a session has there, got {str(data.get(key))[:40]!r}")
        if not isinstance(data.get("rules", {}), dict):
            raise StoreError(f"{where}: rules: expected an object of options")
        try:
            game = game_named(data["game"])
            deck = data["deck"]
            found = game.load_deck(deck) if isinstance(deck, str) else game.deck_from_dict(deck, where)
            return cls(data["game"], data["players"], data["seat"], found, data.get("rules", {}), tuple(data["tokens"]))
        except DnupError as error:
            raise StoreError(str(error) if str(error).startswith(where) else f"{where}: {error}") from error
