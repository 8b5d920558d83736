"""3UP 3DOWN, as the commands and the harness see it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from cython_core.three_up import OPTIONS, ThreeUpMove, ThreeUpRules, ThreeUpState
from cython_core.three_up_position import RANKS, ThreeUpStack
from dnup_ai.decks import three_up as decks
from dnup_ai.decks.three_up import ThreeUpDeck
from dnup_ai.draw import plural, wrap
from dnup_ai.games import three_up_table
from dnup_ai.games.base import Game
from dnup_ai.lines import Line, MoveGroup
from dnup_ai.notation.three_up import parse_three_up_move, parse_three_up_position


class ThreeUp(Game):
    """The game of docs/rules-3up3down.md."""

    name = "3up3down"
    options = OPTIONS
    points = "wins"
    deck_columns = ("cards", "of each number", "C", "C1", "C2", "players")

    def shipped_decks(self) -> tuple[str, ...]:
        return decks.shipped_three_up_decks()

    def load_deck(self, name_or_path: str | os.PathLike[str]) -> ThreeUpDeck:
        return decks.load_three_up_deck(name_or_path)

    def deck_from_dict(self, data: object, where: str) -> ThreeUpDeck:
        return ThreeUpDeck.from_dict(data, where)

    def check_deck(self, path: str | os.PathLike[str]) -> list[str]:
        return decks.check_three_up_deck(path)

    def deck_template(self) -> str:
        return decks.three_up_deck_template()

    def deck_row(self, deck: ThreeUpDeck) -> tuple[str, ...]:
        numbers = sorted(set(deck.counts[:10]))
        each = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        players = deck.player_counts()
        clear = map(str, deck.counts[10:])
        return str(sum(deck.counts)), each, *clear, f"{players[0]} to {players[-1]}"

    def rules(self, deck: ThreeUpDeck, players: int, options: Mapping[str, Any]) -> ThreeUpRules:
        return deck.rules(players, **options)

    def parse_position(
        self, text: str, deck: ThreeUpDeck | None = None, options: Mapping[str, Any] | None = None
    ) -> ThreeUpState:
        return parse_three_up_position(text, deck, **(options or {}))

    def parse_move(self, rules: ThreeUpRules, text: str) -> ThreeUpMove:
        return parse_three_up_move(rules, text)

    def held_cards(self, state: ThreeUpState) -> list[list[tuple[str, str]]]:
        hands = state.position().hands
        return [[(RANKS[rank], RANKS[rank]) for rank in (*hand.cards, *hand.known)] for hand in hands]

    def draw(self, state: ThreeUpState) -> str:
        position = state.position()
        seen = "the true state" if position.view is None else f"as seat {position.view} sees it"
        pile = [RANKS[rank] for rank in position.pile]
        lines = [f"3up3down, {position.players} players, deck {position.deck}, {seen}", ""]
        lines += wrap("    pile       ", pile or ["empty"])
        lines += [f"    draw pile  {len(position.draw)} cards", ""]
        for seat, hand in enumerate(position.hands):
            cards = len(hand) + len(position.up[seat]) + len(position.down[seat])
            notes = f"{cards} {plural('card', cards)}" + (", to move" if position.turn == seat else "")
            lines.append(f"{'>' if position.turn == seat else ' '} seat {seat}: {notes}")
            lines += wrap("    hand       ", [part for part in str(hand).split(",") if part != "-"] or ["empty"])
            lines += wrap("    face up    ", [RANKS[rank] for rank in sorted(position.up[seat])] or ["none"])
            lines += [*wrap("    face down  ", _down(position.down[seat])), ""]
        lines += wrap("out of the game: ", [RANKS[rank] for rank in sorted(position.gone)] or ["none"])
        return "\n".join([*lines, "", "7*2 two sevens, + everybody knows it is here, 3x three that cannot be named"])

    def table_lines(self, view: ThreeUpState, names: Sequence[str]) -> list[Line]:
        return three_up_table.table_lines(view, names)

    def move_groups(self, view: ThreeUpState) -> list[MoveGroup]:
        return three_up_table.move_groups(view)

    def move_words(self, state: ThreeUpState, move: ThreeUpMove) -> tuple[str, str]:
        return three_up_table.move_words(move)

    def tell(self, before: ThreeUpState, move: ThreeUpMove, after: ThreeUpState) -> str:  # type: ignore[override]
        return three_up_table.tell(before, move, after)

    def why_illegal(self, view: ThreeUpState, move: ThreeUpMove) -> str | None:  # type: ignore[override]
        return three_up_table.why_illegal(view, move)

    def public_hands(self, view: ThreeUpState) -> dict[int, str]:
        return three_up_table.public_hands(view)

    def start_fault(self, start: ThreeUpState) -> str | None:
        position = start.position()
        if position.pile or position.gone or any(position.up) or any(len(hand) != 6 for hand in position.hands):
            return "expected six cards in every hand, and nothing on the table"
        return None if position.turn == 0 else "expected seat 0 to move"


def _down(stack: ThreeUpStack) -> list[str]:
    return [part for part in str(stack).split(",") if part != "-"] or ["none"]
