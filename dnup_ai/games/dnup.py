"""dnup, as the commands and the harness see it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cython_core.dnup import OPTIONS, DnupMove, DnupRules, DnupState
from cython_core.game import Move, Rules
from dnup_ai import decks
from dnup_ai.at_table import dnup as at_table
from dnup_ai.draw import draw_state
from dnup_ai.games import dnup_table
from dnup_ai.games.base import Game, Question
from dnup_ai.games.dnup_told import told_position
from dnup_ai.games.dnup_words import HandCounts, hand_counts, move_reasons, move_words
from dnup_ai.lines import Line, MoveGroup
from dnup_ai.notation import parse_move, parse_position
from dnup_ai.table_talk import TableTalk


class DnupDecks(Game):
    """What the games that are played with the cards of dnup have in common."""

    def shipped_decks(self) -> tuple[str, ...]:
        return decks.shipped_decks()

    def load_deck(self, name_or_path: str | os.PathLike[str]) -> decks.Deck:
        return decks.load_deck(name_or_path)

    def deck_from_dict(self, data: object, where: str) -> decks.Deck:
        return decks.Deck.from_dict(data, where)

    def check_deck(self, path: str | os.PathLike[str]) -> list[str]:
        return decks.check_deck(path)

    def deck_template(self) -> str:
        return decks.deck_template()

    def deck_row(self, deck: decks.Deck) -> tuple[str, ...]:
        values = sorted({value for card in deck.cards for value in card})
        return str(len(deck.cards)), f"{values[0]}-{values[-1]}"

    def deck_note(self, deck: str) -> str | None:
        return decks.RECONSTRUCTION_NOTE if deck == "standard" else None


class Dnup(DnupDecks):
    """The game of docs/rules.md."""

    name = "dnup"
    options = OPTIONS
    points = "tokens"
    deck_columns = ("cards", "values", "star", "cards in play, by number of players")
    event_help = at_table.HELP
    # Rounds played to the end: for these it is known how far to trust the values (docs/suggest.md).
    adviser = "ismcts:defaults=engine"

    def deck_row(self, deck: decks.Deck) -> tuple[str, ...]:
        in_play = ", ".join(f"{players}: {len(deck.cards_at(players))}" for players in deck.player_counts())
        return *super().deck_row(deck), f"{deck.star[0]}/{deck.star[1]}", in_play

    def rules(self, deck: decks.Deck, players: int, options: Mapping[str, Any]) -> DnupRules:
        return deck.rules(players, **options)

    def prize(self, rules: Rules) -> float:
        return 1.0 if rules.players == 2 else 2.0

    def parse_position(
        self, text: str, deck: decks.Deck | None = None, options: Mapping[str, Any] | None = None
    ) -> DnupState:
        return parse_position(text, deck, **(options or {}))

    def parse_move(self, rules: DnupRules, text: str) -> DnupMove:
        return parse_move(rules, text)

    def move_words(self, state: DnupState, move: DnupMove) -> tuple[str, str]:
        return move_words(state, move)

    def read_world(self, world: DnupState) -> HandCounts:
        return hand_counts(world)

    def move_reasons(self, view: DnupState, move: DnupMove, worlds: Iterable[tuple[HandCounts, float]]) -> list[str]:
        return move_reasons(view, move, worlds)

    def held_cards(self, state: DnupState) -> list[list[tuple[str, str]]]:
        return [
            [(f"{min(card[:2])}/{max(card[:2])}", str(card.active)) for card in hand.cards]
            for hand in state.position().hands
        ]

    def told_position(self, told: TableTalk, deck: decks.Deck, options: Mapping[str, Any]) -> DnupState:
        return told_position(told, deck, options)

    def draw(self, state: DnupState) -> str:
        return draw_state(state)

    def table_lines(self, view: DnupState, names: Sequence[str]) -> list[Line]:
        return dnup_table.table_lines(view, names)

    def move_groups(self, view: DnupState) -> list[MoveGroup]:
        return dnup_table.move_groups(view)

    def tell(self, before: DnupState, move: DnupMove, after: DnupState) -> str:  # type: ignore[override]
        return dnup_table.tell(before, move, after)

    def why_illegal(self, view: DnupState, move: DnupMove) -> str | None:  # type: ignore[override]
        return dnup_table.why_illegal(view, move)

    def public_hands(self, view: DnupState) -> dict[int, str]:
        return dnup_table.public_hands(view)

    def start_fault(self, start: DnupState) -> str | None:
        position = start.position()
        if position.gone or position.out or any(position.table):
            return "expected all cards in the hands"
        if not _holds_star(start.rules, start):
            return "expected the holder of the star to move"
        return None

    def next_question(self, rules: DnupRules, seat: int, answers: Mapping[str, str]) -> Question | None:
        return None if "position" in answers else at_table.next_question(rules, answers)

    def first_view(self, rules: DnupRules, seat: int, answers: Mapping[str, str], tokens: Sequence[int]) -> DnupState:
        return at_table.first_view(rules, seat, answers, tokens)

    def tokens_before(self, view: DnupState) -> tuple[int, ...]:
        return view.tokens

    def read_event(self, view: DnupState, text: str) -> DnupMove:
        return at_table.read_event(view, text)

    def event_fault(self, view: DnupState, move: Move) -> str | None:
        assert isinstance(move, DnupMove)
        return at_table.event_fault(view, move)

    def event_words(self, view: DnupState, words: Sequence[str]) -> list[str]:
        return at_table.event_words(view, words)


def _holds_star(rules: DnupRules, start: DnupState) -> bool:
    """Whether the star's holder is to move, at 2 players in the second zone."""
    position = start.position()
    if position.turn is None or (rules.players == 2 and position.zone != 2):
        return False
    hand = position.hands[position.turn].cards
    return any(rules.star == (min(card[:2]), max(card[:2])) for card in hand)
