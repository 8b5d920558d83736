"""What the commands and the harness need to know of a game beside its rules: decks, notation, how it looks."""

from __future__ import annotations

import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar, Protocol

from cython_core.game import Move, Rules, State
from dnup_ai.errors import ConfigError, EventError, NotationError
from dnup_ai.lines import Line, MoveGroup, does, line
from dnup_ai.table_talk import TableTalk


class Deck(Protocol):
    """The cards of a game, as data; every game has its own kind. It can be pickled."""

    @property
    def name(self) -> str: ...

    def player_counts(self) -> tuple[int, ...]:
        """Return the numbers of players, ascending, that it works with."""

    def to_dict(self) -> dict[str, Any]:
        """Return it with the keys of a deck file, as a record carries it."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person at a real table must say: the name of the answer, and what to ask."""

    name: str
    text: str


@dataclass(frozen=True)
class PlainDeck:
    """The deck of a game that has only one: its name, and the numbers of players that it works with."""

    name: str
    players: tuple[int, ...]

    def player_counts(self) -> tuple[int, ...]:
        return self.players

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name}


class Game(ABC):
    """A game of the engine. All that is its own is here, in its core module and in its bots' heuristics.

    name: the first word of its positions; options: those of its rules with their defaults; points: what a round
    gives, in the plural.
    """

    name: ClassVar[str]
    options: ClassVar[Mapping[str, Any]]
    points: ClassVar[str]
    deck_columns: ClassVar[tuple[str, ...]] = ()
    """What `dnup-ai decks` says of each deck beside its name, and in which words."""
    adviser: ClassVar[str] = "ismcts"
    """The bot that tells people what to do, where they name none."""

    @abstractmethod
    def shipped_decks(self) -> tuple[str, ...]:
        """Return the names of the decks that ship, the default first."""

    @abstractmethod
    def load_deck(self, name_or_path: str | os.PathLike[str]) -> Deck:
        """Return the deck of that name or file; raises DeckError."""

    @abstractmethod
    def deck_from_dict(self, data: object, where: str) -> Deck:
        """Return the deck that `Deck.to_dict` wrote; raises DeckError that begins with `where`."""

    @abstractmethod
    def check_deck(self, path: str | os.PathLike[str]) -> list[str]:
        """Return all problems of a deck file, each naming file, line and key."""

    @abstractmethod
    def deck_template(self) -> str:
        """Return a deck file to fill in, valid as it is."""

    @abstractmethod
    def deck_row(self, deck: Any) -> tuple[str, ...]:
        """Return the cells of `deck_columns` for a deck."""

    def deck_note(self, deck: str) -> str | None:
        """Return the line that people at a real table should read before they use the deck of that name."""
        return None

    def player_counts(self, deck: Any) -> tuple[int, ...]:
        """Return the numbers of players, ascending, that the game is for with a deck."""
        counts: tuple[int, ...] = deck.player_counts()
        return counts

    @abstractmethod
    def rules(self, deck: Any, players: int, options: Mapping[str, Any]) -> Rules:
        """Return the rules; raises DeckError or ConfigError that names the option."""

    def search_defaults(self) -> dict[int, dict[str, Any]]:
        """Return by number of players the search parameters whose best known values are not the engine's defaults."""
        deck = self.load_deck(self.shipped_decks()[0])
        return {players: self.rules(deck, players, {}).search_defaults() for players in self.player_counts(deck)}

    def prize(self, rules: Rules) -> float:
        """Return the points that a reward of 1 stands for, as the search counts them: those of the first place."""
        return 1.0

    @abstractmethod
    def parse_position(self, text: str, deck: Any = None, options: Mapping[str, Any] | None = None) -> State:
        """Return the state that the text describes; deck: for positions that name it; raises NotationError."""

    @abstractmethod
    def parse_move(self, rules: Any, text: str) -> Move:
        """Return the move that the text describes; raises NotationError."""

    def rules_page(self) -> str:
        """Return the rules as played, options and decisions included, as Markdown.

        A game that ships has them in the file of its name beside its module; the default is the docstring.
        """
        page = resources.files(__package__) / f"{self.name}.md"
        return page.read_text(encoding="utf-8") if page.is_file() else inspect.getdoc(self) or ""

    def draw(self, state: Any) -> str:
        """Return the position as text of several lines, at most 80 columns wide."""
        return str(state).replace(" ", "\n  ")

    def table_lines(self, view: Any, names: Sequence[str]) -> list[Line]:
        """Return the table as the person sees it whose view this is, every line at most 80 columns wide.

        names: who sits at each seat. Nothing but the view is drawn, so nothing hidden is.
        """
        return [line(text) for text in self.draw(view).splitlines()]

    def move_groups(self, view: Any) -> list[MoveGroup]:
        """Return all legal moves of the seat to move, whose view this is, in groups with words to choose by."""
        return [MoveGroup("move", tuple((move, str(move)) for move in view.legal_moves()))]

    def tell(self, before: Any, move: Move, after: Any) -> str:
        """Return in words what a move did: one seat's views before and after it, and the move as that seat saw it."""
        return f"{does(before.turn, before.view, 'play')} {move}"

    def why_illegal(self, view: Any, move: Move) -> str | None:
        """Return why a move is not legal for the seat to move, whose view this is; None if it is."""
        return None if view.is_legal(move) else "the rules do not allow it here"

    def public_hands(self, view: Any) -> dict[int, str]:
        """Return in words, by seat, which cards of its hand everybody knows, of the seats that still hold cards.

        view: of any seat; only what all seats know is told of it.
        """
        return {}

    def move_words(self, state: Any, move: Any) -> tuple[str, str]:
        """Return what a move does in this state or view, before it is played: the verb, and the rest of the words.

        Sets and hands of the view's own seat are `your`. The default is the notation.
        """
        return "choose", str(move)

    def read_world(self, world: Any) -> Any:
        """Return what `move_reasons` has to know of a world: it is read once, for all moves. Default: the world."""
        return world

    def move_reasons(self, view: Any, move: Any, worlds: Iterable[tuple[Any, float]]) -> list[str]:
        """Return facts, a few words each, that speak for or against a legal move of the view's seat.

        worlds: what the seat believes, as `read_world` gives it, with weights that add up to 1; a chance is a sum of
        the weights of those in which it is so. The default says nothing.
        """
        return []

    def held_cards(self, state: Any) -> list[list[tuple[str, str]]]:
        """Return by seat the cards in hand that a state names, each as (card, value): what it is and what it plays as.

        The default names none.
        """
        return [[] for _ in range(state.players)]

    def told_position(self, told: TableTalk, deck: Any, options: Mapping[str, Any]) -> State:
        """Return the view of a seat from what a person says of the table; raises NotationError, ConfigError.

        The default can not.
        """
        raise ConfigError(f"{self.name}: a table cannot be told in options yet, give a position (docs/games.md)")

    def start_fault(self, start: Any) -> str | None:
        """Return why no round starts from this true state, None if one may."""
        return None

    def record_moves(self, start: Any, moves: Sequence[Move]) -> list[str]:
        """Return the `moves` of a record: their texts, and what else a replay needs to know."""
        return [str(move) for move in moves]

    def is_move(self, entry: str) -> bool:
        """Whether an entry of a record's `moves` is a move; else it is an event of chance, for `replay_event`."""
        return True

    def replay_event(self, state: Any, entry: str) -> None:
        """Make chance in a state what the entry of a record says it was; raises ValueError."""
        raise ValueError(f"{self.name} has no events of chance in its records, got {entry!r}")

    # --- at a real table, as one seat sees it (dnup_ai/assist)

    event_help: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The short forms of `read_event`, each with its meaning."""

    def next_question(self, rules: Any, seat: int, answers: Mapping[str, str]) -> Question | None:
        """Return what must still be said of a new deal before `first_view` can tell what `seat` knows.

        answers: those so far, by the names of their questions; `position`, a view as text, answers everything.
        Raises NotationError or EventError if an answer cannot be.
        """
        return None if "position" in answers else Question("position", f"position, as seat {seat} sees it")

    def first_view(self, rules: Any, seat: int, answers: Mapping[str, str], tokens: Sequence[int]) -> State:
        """Return what `seat` knows at the start of a round, from the answers to all questions.

        tokens: per seat, those of the match before this round. Raises NotationError or EventError.
        """
        raise EventError(f"{self.name}: the start of a round is entered as a position (--position)")

    def tokens_before(self, view: Any) -> tuple[int, ...]:
        """Return the tokens of the match before the round of this view, per seat."""
        return (0,) * int(view.rules.players)

    def read_event(self, view: Any, text: str) -> Move:
        """Return the move of the seat to move that a person typed, in notation or in the game's short form.

        Raises NotationError.
        """
        return self.parse_move(view.rules, text)

    def event_fault(self, view: Any, move: Move) -> str | None:
        """Return in words why the move cannot be played now, as far as the seat of this view knows; None: it can."""
        return None if view.is_legal(move) else f"{move} is against the rules here"

    def event_words(self, view: Any, words: Sequence[str]) -> list[str]:
        """Return what may come next behind the words of an event that were typed, for completion."""
        return [] if words or view.turn != view.view else [str(move) for move in view.legal_moves()]

    def cards_shown(self, view: Any, move: Move) -> int:
        """Return how many cards chance shows to the seat of this view with a move that can be played now.

        So many must be named with `apply_shown` instead of `apply`. In most games none.
        """
        return 0

    def apply_shown(self, view: Any, move: Move, cards: str) -> None:
        """Play a move with the cards that it shows, as a person types them; raises NotationError or EventError."""
        raise NotationError(f"{self.name}: no move shows cards, got {cards!r}")
