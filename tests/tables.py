"""Real tables for the tests of `assist`: true rounds, and what a person at them would say and type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from cython_core.game import Move, State
from cython_core.rng import Rng
from cython_core.three_up_position import RANKS
from dnup_ai.assist import Session, Settings
from dnup_ai.games import game_named

TABLES = [
    *[("dnup", deck, n, {}) for deck, n in (("standard", 2), ("standard", 3), ("standard", 4), ("standard", 5))],
    ("dnup", "pairs-36", 2, {}),
    ("dnup", "standard", 4, {"out_sets": "frozen"}),
    *[("dnup-pile", "standard", n, {}) for n in (2, 3, 4, 5)],
    ("dnup-pile", "standard", 3, {"piles": 2, "match": "active", "one_point": "second_out"}),
    ("dnup-pile", "standard", 2, {"reshuffle": "always", "revolves": 2}),
    *[("3up3down", "standard", n, {}) for n in (2, 3, 4, 5)],
]


@dataclass
class Table:
    """A true round, and the seat that follows it."""

    settings: Settings
    state: State

    def answers(self) -> dict[str, str]:
        """What the person says of the deal."""
        position: Any = self.state.observe(self.settings.seat).position()
        hand = position.hands[self.settings.seat]
        if self.settings.game == "3up3down":
            return {"hand": " ".join(RANKS[rank] for rank in hand.cards), "begins": str(position.turn)}
        answers = {"hand": " ".join(f"{card[0]}/{card[1]}" for card in hand.cards), "begins": str(position.turn)}
        if self.settings.game == "dnup-pile":
            return answers | {"piles": " ".join(f"{card[0]}/{card[1]}" for card in position.piles)}
        if position.turn == self.settings.seat:
            del answers["begins"]  # the star is in the hand
        return answers

    def happen(self, move: Move) -> tuple[str, str]:
        """Play a move; returns what a person types for it in short, and for the cards that it shows."""
        seat = self.settings.seat
        seen = self.state.seen_move(move, seat)
        before = self.state.observe(seat).position()
        mover = self.state.turn
        self.state.apply(move)
        shown = ""
        if self.settings.game == "3up3down":
            shown = " ".join(RANKS[rank] for rank in seen.seen)  # type: ignore[attr-defined]
        elif self.settings.game == "dnup-pile" and mover == seat:
            held = {card for card in before.hands[seat].cards if card != move.card}
            shown = " ".join(f"{a}/{b}" for a, b in {*self.state.position().hands[seat].cards} - held)
            shown = shown if move.kind == "play" else ""
        return short(move), shown


def short(move: Any) -> str:
    """The short form of a move."""
    text = str(move)
    for kind, letter in (("play:", "p "), ("add:", "a "), ("keep:", "k "), ("up:", "u ")):
        if text.startswith(kind):
            return letter + text.removeprefix(kind).replace(",", " ").replace(">", " ").replace("@", " ")
    if text.startswith("take@"):
        return "t" + text.removeprefix("take@")
    return {"flip": "f", "revolve": "r", "skip": "s", "down": "o", "pickup": "t", "draw": "d", "nodraw": "n"}[text]


def table(game: str, deck: str, players: int, options: dict[str, Any], seat: int, seed: int) -> Table:
    played = game_named(game)
    settings = Settings(game, players, seat, played.load_deck(deck), options)
    return Table(settings, settings.rules().deal(Rng(seed)))


def lines(at: Table, choices: list[int]) -> Iterator[tuple[str, str, State]]:
    """Play by these choices; yields what is typed, and the true state after it."""
    for choice in choices:
        if at.state.is_over:
            return
        moves = at.state.legal_moves()
        typed, shown = at.happen(moves[choice % len(moves)])
        yield typed, shown, at.state


def follow(session: Session, typed: str, shown: str) -> None:
    session.play(typed)
    if shown:
        session.show(shown)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    game, deck, players, options = draw(st.sampled_from(TABLES))
    return table(game, deck, players, options, draw(st.integers(0, players - 1)), draw(st.integers(0, 2**32 - 1)))
