"""dnup-pile, as the commands and the harness see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cython_core.game import Move, Rules
from cython_core.pile import OPTIONS, PileMove, PileRules, PileState
from dnup_ai import decks
from dnup_ai.draw import plural, two_rows, wrap
from dnup_ai.games import pile_table
from dnup_ai.games.dnup import DnupDecks
from dnup_ai.lines import Line, MoveGroup
from dnup_ai.notation.pile import parse_pile_move, parse_pile_position, pile_rules
from dnup_ai.words import count_of


class Pile(DnupDecks):
    """The game of docs/rules-pile.md: all cards of a deck of dnup, at every number of players."""

    name = "dnup-pile"
    options = OPTIONS
    points = "points"
    deck_columns = ("cards", "values")

    def player_counts(self, deck: decks.Deck) -> tuple[int, ...]:
        return decks.PLAYERS

    def deck_row(self, deck: decks.Deck) -> tuple[str, ...]:
        return super().deck_row(deck)[:2]

    def rules(self, deck: decks.Deck, players: int, options: Mapping[str, Any]) -> PileRules:
        return pile_rules(players, deck, **options)

    def prize(self, rules: Rules) -> float:
        return 2.0

    def parse_position(
        self, text: str, deck: decks.Deck | None = None, options: Mapping[str, Any] | None = None
    ) -> PileState:
        return parse_pile_position(text, deck, **(options or {}))

    def parse_move(self, rules: PileRules, text: str) -> PileMove:
        return parse_pile_move(rules, text)

    def held_cards(self, state: PileState) -> list[list[tuple[str, str]]]:
        hands = state.position().hands
        return [[(f"{min(card)}/{max(card)}", str(card[0])) for card in hand.cards] for hand in hands]

    def move_reasons(self, view: PileState, move: PileMove, worlds: Iterable[tuple[PileState, float]]) -> list[str]:
        # In a world, since a view cannot name what is drawn; how much is drawn is the same in all.
        after = next(iter(worlds))[0].copy()
        after.apply(move)
        assert view.turn is not None
        return [f"leaves {count_of(len(after.position().hands[view.turn]), 'card')}"]

    def draw(self, state: PileState) -> str:
        position = state.position()
        seen = "the true state" if position.view is None else f"as seat {position.view} sees it"
        lines = [f"dnup-pile, {position.players} players, deck {position.deck}, {seen}", ""]
        for pile, (card, seat) in enumerate(zip(position.piles, position.laid, strict=True)):
            by = "start card" if seat is None else f"laid by seat {seat}"
            lines += two_rows(
                f"pile {pile}" if len(position.piles) > 1 else "pile", [(str(card[0]), f"{card[1]}  {by}")]
            )
        lines += [f"    stock   {len(position.stock) + position.stock_hidden} cards", ""]
        for seat, hand in enumerate(position.hands):
            notes = [f"{position.points[seat]} {plural('point', position.points[seat])}"]
            notes += [f"{len(hand)} {plural('card', len(hand))}", f"revolved {position.revolved[seat]}"]
            notes += ["to move"] if position.turn == seat else []
            lines.append(f"{'>' if position.turn == seat else ' '} seat {seat}: {', '.join(notes)}")
            ends = [(str(active), str(inactive)) for active, inactive in sorted(hand.cards)]
            lines += [*two_rows("hand", ends + [("?", "?")] * hand.hidden), ""]
        lines += wrap("covered: ", [f"{low}/{high}" for low, high in position.gone] or ["none"])
        return "\n".join(lines)

    def table_lines(self, view: PileState, names: Sequence[str]) -> list[Line]:
        return pile_table.table_lines(view, names)

    def move_groups(self, view: PileState) -> list[MoveGroup]:
        return pile_table.move_groups(view)

    def move_words(self, state: PileState, move: PileMove) -> tuple[str, str]:
        return pile_table.move_words(move)

    def tell(self, before: PileState, move: PileMove, after: PileState) -> str:  # type: ignore[override]
        return pile_table.tell(before, move, after)

    def why_illegal(self, view: PileState, move: PileMove) -> str | None:  # type: ignore[override]
        return pile_table.why_illegal(view, move)

    def start_fault(self, start: PileState) -> str | None:
        position = start.position()
        if position.gone or position.skips or any(position.revolved) or any(seat is not None for seat in position.laid):
            return "expected the start cards on the piles, and nothing done yet"
        if len({len(hand) for hand in position.hands}) > 1:
            return "expected hands of one size"
        return None if position.turn == 0 else "expected seat 0 to move"

    def record_moves(self, start: PileState, moves: Sequence[Move]) -> list[str]:
        """The moves, and after one that led to a reshuffle the new stock: chance, which no move tells."""
        state = start.copy()
        entries = []
        for move in moves:
            undo = state.apply(move)
            entries.append(str(move))
            if stock := state.reshuffled(undo):
                entries.append(stock)
        return entries

    def is_move(self, entry: str) -> bool:
        return not entry.startswith("stock:")

    def replay_event(self, state: PileState, entry: str) -> None:
        state.set_reshuffle(entry)
