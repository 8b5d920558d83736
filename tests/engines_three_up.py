"""One face for the two engines that the rules of 3UP 3DOWN are tested on: texts in, texts and numbers out.

Both engines raise ValueError for whatever the rules or the notation forbid.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Protocol

import reference_three_up as reference
from engines import _distinct, _value_errors

if TYPE_CHECKING:
    from cython_core.three_up import ThreeUpState


class Engine(Protocol):
    """What the tests of the rules ask of an engine; `position` and `moves` are texts."""

    def canon(self, position: str) -> str:
        """Read the position and write it again."""
        ...

    def deal(self, players: int, seed: int, deck: str = "standard") -> str: ...

    def moves(self, position: str) -> set[str]:
        """All legal moves; each once."""
        ...

    def play(self, position: str, *moves: str) -> str:
        """The position after the moves."""
        ...

    def observe(self, position: str, seat: int) -> str: ...

    def is_over(self, position: str) -> bool: ...

    def result(self, position: str) -> list[int]: ...

    def payoffs(self, position: str) -> list[float]: ...

    def ranks(self, position: str) -> list[int]: ...

    def perft(self, position: str, depth: int) -> int: ...

    def run(self, position: str, moves: list[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
        """Play the moves until the round ends: how many were played, and `end` ("" if the moves ran out)."""
        ...


class ReferenceEngine:
    """The literal implementation in reference_three_up.py."""

    def canon(self, position: str) -> str:
        return str(reference.parse(position))

    def deal(self, players: int, seed: int, deck: str = "standard") -> str:
        return str(reference.deal(deck, players, random.Random(seed)))

    def moves(self, position: str) -> set[str]:
        return _distinct(reference.legal(reference.parse(position)))

    def play(self, position: str, *moves: str) -> str:
        state = reference.parse(position)
        for move in moves:
            state = reference.play(state, move)
        return _read_again(self, str(state))

    def observe(self, position: str, seat: int) -> str:
        return str(reference.observe(reference.parse(position), seat))

    def is_over(self, position: str) -> bool:
        return reference.is_over(reference.parse(position))

    def result(self, position: str) -> list[int]:
        return reference.result(reference.parse(position))

    def payoffs(self, position: str) -> list[float]:
        return reference.payoffs(reference.parse(position))

    def ranks(self, position: str) -> list[int]:
        return reference.ranks(reference.parse(position))

    def perft(self, position: str, depth: int) -> int:
        return reference.perft(reference.parse(position), depth)

    def run(self, position: str, moves: list[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
        return reference.run(reference.parse(position), moves, repetition, max_turns)


class CoreEngine:
    """The product: its notation and its compiled core, imported late so that the reference runs alone."""

    def _state(self, position: str) -> ThreeUpState:
        from dnup_ai.notation.three_up import parse_three_up_position

        with _value_errors():
            return parse_three_up_position(position)

    def _apply(self, state: ThreeUpState, move: str) -> None:
        from dnup_ai.notation.three_up import parse_three_up_move

        with _value_errors():
            state.apply(parse_three_up_move(state.rules, move))

    def canon(self, position: str) -> str:
        return str(self._state(position))

    def deal(self, players: int, seed: int, deck: str = "standard") -> str:
        from cython_core.rng import Rng
        from dnup_ai.decks.three_up import load_three_up_deck

        with _value_errors():
            return str(load_three_up_deck(deck).rules(players).deal(Rng(seed)))

    def moves(self, position: str) -> set[str]:
        return _distinct([str(move) for move in self._state(position).legal_moves()])

    def play(self, position: str, *moves: str) -> str:
        state = self._state(position)
        for move in moves:
            self._apply(state, move)
        return _read_again(self, str(state))

    def observe(self, position: str, seat: int) -> str:
        return str(self._state(position).observe(seat))

    def is_over(self, position: str) -> bool:
        return self._state(position).is_over

    def result(self, position: str) -> list[int]:
        return list(self._state(position).result())

    def payoffs(self, position: str) -> list[float]:
        return list(self._state(position).payoffs())

    def ranks(self, position: str) -> list[int]:
        return list(self._state(position).ranks())

    def perft(self, position: str, depth: int) -> int:
        return self._state(position).perft(depth)

    def run(self, position: str, moves: list[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
        state = self._state(position)
        seen: Counter[bytes] = Counter()
        for played in range(len(moves) + 1):
            if state.is_over:
                return played, "out"
            if played == max_turns:
                return played, "max_turns"
            key = state.repetition_key()
            seen[key] += 1
            if repetition and seen[key] == repetition:
                return played, "repetition"
            if played < len(moves):
                self._apply(state, moves[played])
        return len(moves), ""


def _read_again(engine: Engine, position: str) -> str:
    """Every position that can be reached can also be read; if not, no ValueError may hide it."""
    try:
        again = engine.canon(position)
    except ValueError as error:
        raise AssertionError(f"reached, but not a position: {position}") from error
    assert again == position
    return position


# --- positions for examples ------------------------------------------------------------------------


def pos(
    hands: str,
    *,
    turn: str = "0",
    up: str = "",
    down: str = "",
    pile: str = "-",
    draw: str = "-",
    extra: str = "0",
    deck: str = "standard",
) -> str:
    """A true position with what matters to an example, in canonical form; all other cards are gone.

    Without `draw` the draw pile is used up, and without `up` and `down` nobody has cards on the table.
    """
    players = len(hands.split(";"))
    none = ";".join("-" * players)
    lists = ";".join((hands, up or none, pile))
    placed = [card for part in lists.split(";") for card in _cards_in(part.replace("+", ""))]
    placed += [card for part in f"{down or none};{draw}".split(";") if part != "-" for card in part.split(",")]
    left = Counter(reference.deck_cards(deck))
    left.subtract(Counter(placed))
    assert min(left.values()) >= 0, f"more cards than the deck has: {left}"
    gone = reference.write(list(left.elements()))
    name = "" if deck == "standard" else f" deck={deck}"
    return (
        f"3up3down:{players}{name} turn={turn} hands={hands} up={up or none} down={down or none} pile={pile} "
        f"draw={draw} gone={gone} extra={extra}"
    )


def _cards_in(listed: str) -> list[str]:
    parts = [] if listed == "-" else listed.split(",")
    return [card for part in parts for card in reference.read_counted(part)]


def field(position: str, key: str) -> str:
    """The value of a field of a canonical position."""
    return next(item for item in position.split(" ") if item.startswith(key + "=")).partition("=")[2]


def of_seat(position: str, key: str, seat: int) -> str:
    """The part of a field that belongs to a seat."""
    return field(position, key).split(";")[seat]


def gained(before: str, after: str) -> list[str]:
    """The cards that left the game between two positions."""
    more = Counter(reference.read_cards(field(after, "gone")))
    more.subtract(Counter(reference.read_cards(field(before, "gone"))))
    return reference.in_order(list(more.elements()))
