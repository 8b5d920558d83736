"""Decks of dnup: those that ship, those of users, and how many players they serve (docs/rules.md)."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

from cython_core.dnup import OPTIONS, DnupRules
from cython_core.position import Card
from dnup_ai.decks.check import PLAYERS, DeckParts, check_deck_data
from dnup_ai.decks.template import DECK_TEMPLATE
from dnup_ai.errors import ConfigError, DeckError
from dnup_ai.toml_files import Problem, first_of, is_path, problem_text, read_toml_file

__all__ = [
    "PLAYERS",
    "RECONSTRUCTION_NOTE",
    "Deck",
    "check_deck",
    "deck_template",
    "load_deck",
    "shipped_decks",
]

RECONSTRUCTION_NOTE = (
    "The deck `standard` is a reconstruction, not the printed list of cards; for the cards of your own box "
    "fill in `dnup-ai decks template` and give that file as the deck (docs/rules.md)."
)


@dataclass(frozen=True)
class Deck:
    """The cards of a box (docs/rules.md, "The deck").

    name: as positions and records give it; cards: (lower, higher) value of each card, sorted; star: the card
    whose holder begins; symbols: the cards with each of the symbols 1, 2 and 3. Made by `load_deck` or
    `from_dict`, which check; the constructor does not.
    """

    name: str
    cards: tuple[Card, ...]
    star: Card
    # Equal names and cards are enough for a hash; a dict has none.
    symbols: Mapping[int, tuple[Card, ...]] = field(hash=False)

    def cards_at(self, players: int) -> tuple[Card, ...]:
        """Return the cards in play at this number of players, sorted.

        Raises DeckError if there are no rules for so many players, or not the same number of cards for each.
        """
        if players not in PLAYERS:
            raise DeckError(f"players: expected 2 to 5, got {players!r}")
        cards = self._parts().cards_at(players)
        if players not in self.player_counts():
            raise DeckError(
                f"deck {self.name} at {players} players: the {len(cards)} cards that remain cannot be dealt "
                f"evenly; it works with {_either(self.player_counts())} players"
            )
        return cards

    def player_counts(self) -> tuple[int, ...]:
        """Return the numbers of players, ascending, to whom the cards can be dealt evenly."""
        return self._parts().player_counts()

    def symbol_of(self, card: Card) -> int | None:
        """Return the symbol that the card bears, or None."""
        return next((symbol for symbol, cards in self.symbols.items() if card in cards), None)

    def rules(self, players: int, /, **options: Any) -> DnupRules:
        """Return the rules of dnup with this deck.

        options: those of docs/rules.md ("Options"): `out_sets`, `repetition`, `max_turns`, `max_rounds`.
        Raises DeckError as `cards_at` does, and ConfigError for an option or value that does not exist.
        """
        cards = self.cards_at(players)
        for name in options:
            if name not in OPTIONS:
                raise ConfigError(f"rules of dnup: unknown option {name!r}; there are {', '.join(OPTIONS)}")
        try:
            return DnupRules(players, cards, self.star, deck=self.name, **options)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"rules of dnup: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the deck with the keys of a deck file, as a record carries it (docs/notation.md)."""
        symbols = {str(symbol): _texts(cards) for symbol, cards in self.symbols.items() if cards}
        return {
            "name": self.name,
            "star": _texts([self.star])[0],
            "cards": _texts(self.cards),
            "symbols": symbols,
        }

    @classmethod
    def from_dict(cls, data: object, where: str) -> Self:
        """Return the deck that `to_dict` wrote.

        data: what the JSON of a record holds; where: the place to name in errors, as `rounds.jsonl, line 3`.
        Raises DeckError with the first problem and the number of further ones.
        """
        found = _check(data)
        if isinstance(found, DeckParts):
            return cls(*found)
        raise DeckError(first_of([f"{where}, {problem_text(problem)}" for problem in found]))

    def _parts(self) -> DeckParts:
        return DeckParts(self.name, self.cards, self.star, dict(self.symbols))


def load_deck(name_or_path: str | os.PathLike[str]) -> Deck:
    """Return the deck of that name, or the one in that file.

    name_or_path: a name out of `shipped_decks`, or a path: what ends in `.toml` or has a path separator.
    Raises DeckError: no such deck or file, or the first problem of the file and how many more there are.
    """
    if isinstance(name_or_path, str) and not is_path(name_or_path):
        if name_or_path not in shipped_decks():
            raise DeckError(
                f"deck {name_or_path!r}: expected one of those that ship ({', '.join(shipped_decks())}) "
                "or the path of a .toml file"
            )
        return _load_shipped(name_or_path)
    path = Path(name_or_path)
    found = read_toml_file(path, _check)
    if isinstance(found, DeckParts):
        return Deck(*found)
    raise DeckError(first_of(found, f"; `dnup-ai decks check {path}` lists them"))


def check_deck(path: str | os.PathLike[str]) -> list[str]:
    """Return all problems of a deck file in order, each naming file, line and key; none if it is right."""
    found = read_toml_file(Path(path), _check)
    return [] if isinstance(found, DeckParts) else found


@cache
def shipped_decks() -> tuple[str, ...]:
    """Return the names of the decks that ship, `standard` first."""
    names = [file.name.removesuffix(".toml") for file in _folder().iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (name != "standard", name)))


def deck_template() -> str:
    """Return a deck file with comments, valid as it is, to be filled in with the cards of a box."""
    return DECK_TEMPLATE


def _folder() -> Traversable:
    return resources.files(__name__)


@cache
def _load_shipped(name: str) -> Deck:
    found = check_deck_data(tomllib.loads((_folder() / f"{name}.toml").read_text("utf-8")))
    if isinstance(found, DeckParts):
        return Deck(*found)
    raise DeckError(first_of([f"{name}.toml, {problem_text(problem)}" for problem in found]))


def _check(data: object) -> DeckParts | list[Problem]:
    """Check a deck that is not one of those that ship: it may not pass for one of them either."""
    found = check_deck_data(data)
    if isinstance(found, DeckParts) and found.name in shipped_decks():
        shipped = load_deck(found.name)
        if Deck(*found) != shipped:
            text = f"expected a name that no deck that ships has, since the cards differ, got {found.name!r}"
            return [Problem(("name",), text)]
    return found


def _texts(cards: tuple[Card, ...] | list[Card]) -> list[str]:
    return [f"{lower}/{higher}" for lower, higher in cards]


def _either(numbers: tuple[int, ...]) -> str:
    """`2, 3 or 4`."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last
