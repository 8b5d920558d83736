"""What a deck must be (docs/rules.md, "The deck"), in a file or in a record: every fault is found at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cython_core.position import Card
from dnup_ai.toml_files import Problem
from dnup_ai.toml_lines import KeyPath

PLAYERS = (2, 3, 4, 5)
SYMBOLS = (1, 2, 3)
MAX_CARDS = 64
MAX_VALUE = 15
MAX_CARDS_OF_VALUE = 10

_KEYS = ("name", "star", "cards", "symbols")
_NAME = re.compile(r"[a-z0-9-]+")
_CARD = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


class DeckParts(NamedTuple):
    name: str
    cards: tuple[Card, ...]
    star: Card
    symbols: dict[int, tuple[Card, ...]]

    def cards_at(self, players: int) -> tuple[Card, ...]:
        """The cards in play; symbol 1 leaves the deck at 4 players and fewer, 2 at 3, 3 at 2."""
        gone = {card for symbol, cards in self.symbols.items() if players <= 5 - symbol for card in cards}
        return tuple(card for card in self.cards if card not in gone)

    def player_counts(self) -> tuple[int, ...]:
        return tuple(n for n in PLAYERS if (count := len(self.cards_at(n))) >= n and count % n == 0)


def check_deck_data(data: object) -> DeckParts | list[Problem]:
    """Return the parts of a deck with the keys of a deck file, or everything that is wrong with it."""
    if not isinstance(data, Mapping):
        return [Problem((), f"expected a table with the keys {', '.join(_KEYS)}, got {_show(data)}")]
    checker = _Checker(data)
    parts = checker.parts()
    if not checker.problems and not parts.player_counts():
        counts = ", ".join(f"{len(parts.cards_at(n))} at {n}" for n in PLAYERS)
        text = f"expected cards that can be dealt evenly to 2, 3, 4 or 5 players, got {counts}"
        checker.fault(("cards",), text)
    return checker.problems or parts


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


class _Checker:
    """Goes through the keys in the order in which each needs the ones before it; collects the problems."""

    def __init__(self, data: Mapping[object, object]) -> None:
        self.problems: list[Problem] = []
        self._data = data

    def fault(self, path: KeyPath, text: str) -> None:
        self.problems.append(Problem(path, text))

    def parts(self) -> DeckParts:
        for key in self._data:
            if key not in _KEYS:
                self.fault((str(key),), f"unknown key; expected {', '.join(_KEYS[:-1])} or {_KEYS[-1]}")
        name = self._name()
        cards = self._cards()
        symbols = self._symbols(cards)
        star = self._star(cards, symbols)
        return DeckParts(
            name,
            tuple(sorted(cards)),
            star,
            {symbol: tuple(sorted(card for card in symbols if symbols[card] == symbol)) for symbol in SYMBOLS},
        )

    def _required(self, key: str, expected: str) -> object:
        if key not in self._data:
            self.fault((key,), f"the key is missing; expected {expected}")
        return self._data.get(key)

    def _name(self) -> str:
        expected = "a name of small letters, digits and hyphens, like 'my-deck'"
        name = self._required("name", expected)
        if isinstance(name, str) and _NAME.fullmatch(name):
            return name
        if "name" in self._data:
            self.fault(("name",), f"expected {expected}, got {_show(name)}")
        return ""

    def _cards(self) -> set[Card]:
        items = self._required("cards", 'the list of the cards, like ["1/3", "1/5"]')
        cards: dict[Card, int] = {}
        per_value: Counter[int] = Counter()
        full_at: dict[int, KeyPath] = {}
        for path, item, card in self._listed(("cards",), items if "cards" in self._data else []):
            if card in cards:
                self.fault(path, f"expected every card once, got {item!r}, the same pair as cards[{cards[card]}]")
                continue
            cards[card] = int(path[-1])
            for value in card:
                per_value[value] += 1
                if per_value[value] == MAX_CARDS_OF_VALUE + 1:
                    full_at[value] = path
        for value, path in full_at.items():
            self.fault(
                path,
                f"expected a value on at most {MAX_CARDS_OF_VALUE} cards, got {value} on {per_value[value]}",
            )
        if isinstance(items, list) and not items:
            self.fault(("cards",), "expected at least one card, got none")
        if isinstance(items, list) and len(items) > MAX_CARDS:
            self.fault(("cards", MAX_CARDS), f"expected at most {MAX_CARDS} cards, got {len(items)}")
        return set(cards)

    def _symbols(self, cards: set[Card]) -> dict[Card, int]:
        """The symbol of each card that bears one."""
        table = self._data.get("symbols", {})
        symbols: dict[Card, int] = {}
        if not isinstance(table, Mapping):
            self.fault(("symbols",), f'expected a table like {{ 1 = ["1/3"] }}, got {_show(table)}')
            return symbols
        for key, items in table.items():
            if key not in ("1", "2", "3"):
                self.fault(("symbols", str(key)), f"expected the symbol 1, 2 or 3, got {_show(key)}")
                continue
            for path, item, card in self._listed(("symbols", key), items):
                if cards and card not in cards:
                    self.fault(path, f"expected one of the cards of the deck, got {item!r}")
                elif card in symbols:
                    self.fault(
                        path,
                        f"expected one symbol a card, got {item!r}, which has symbol {symbols[card]} already",
                    )
                else:
                    symbols[card] = int(key)
        return symbols

    def _star(self, cards: set[Card], symbols: Mapping[Card, int]) -> Card:
        expected = "the starred card, like '1/5'"
        item = self._required("star", expected)
        if "star" not in self._data:
            return (0, 0)
        star = self._card(("star",), item)
        if star is None:
            return (0, 0)
        if cards and star not in cards:
            self.fault(("star",), f"expected one of the cards of the deck, got {item!r}")
        elif star in symbols:
            self.fault(("star",), f"expected a card without a symbol, got {item!r}, which has symbol {symbols[star]}")
        return star

    def _listed(self, path: KeyPath, items: object) -> Iterator[tuple[KeyPath, object, Card]]:
        """The items of a list of cards that are cards; the others are problems."""
        if not isinstance(items, list):
            self.fault(path, f'expected a list of cards, like ["1/3", "1/5"], got {_show(items)}')
            return
        for index, item in enumerate(items):
            card = self._card((*path, index), item)
            if card is not None:
                yield (*path, index), item, card

    def _card(self, path: KeyPath, item: object) -> Card | None:
        match = _CARD.fullmatch(item) if isinstance(item, str) else None
        if match is None:
            self.fault(path, f"expected a card like '3/7', got {_show(item)}")
            return None
        first, second = match.groups()
        for value in (first, second):
            if value.startswith("0") or not 1 <= int(value) <= MAX_VALUE:
                self.fault(path, f"expected values from 1 to {MAX_VALUE}, without leading zeros, got {item!r}")
                return None
        if first == second:
            self.fault(path, f"expected two different values, got {item!r}")
            return None
        return min(int(first), int(second)), max(int(first), int(second))
