"""One face for the two engines that the rules are tested on: texts of the notation in, texts and numbers out.

Both engines raise ValueError for whatever the rules or the notation forbid.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import reference

if TYPE_CHECKING:
    from cython_core.dnup import DnupState


class Engine(Protocol):
    """What the tests of the rules ask of an engine; `position` and `moves` are texts."""

    def canon(self, position: str) -> str:
        """Read the position and write it again."""
        ...

    def deal(self, players: int, seed: int, deck: str = "standard", tokens: Sequence[int] = ()) -> str:
        """The position after a deal; no tokens given means that nobody has any."""
        ...

    def moves(self, position: str, out_sets: str = "open") -> set[str]:
        """All legal moves; each once."""
        ...

    def play(self, position: str, *moves: str, out_sets: str = "open") -> str:
        """The position after the moves, one turn each."""
        ...

    def observe(self, position: str, seat: int) -> str: ...

    def is_over(self, position: str) -> bool: ...

    def result(self, position: str) -> list[int]: ...

    def payoffs(self, position: str) -> list[float]: ...

    def ranks(self, position: str) -> list[int]: ...

    def perft(self, position: str, depth: int, out_sets: str = "open") -> int: ...

    def run(self, position: str, moves: Sequence[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
        """Play the moves until the round ends: how many were played, and `end` ("" if the moves ran out)."""
        ...


class ReferenceEngine:
    """The literal implementation in reference.py."""

    def canon(self, position: str) -> str:
        return str(reference.parse(position))

    def deal(self, players: int, seed: int, deck: str = "standard", tokens: Sequence[int] = ()) -> str:
        known = {deck.name: deck for deck in (reference.STANDARD, reference.PAIRS_45, reference.PAIRS_36)}
        return str(reference.deal(known[deck], players, random.Random(seed), list(tokens)))

    def moves(self, position: str, out_sets: str = "open") -> set[str]:
        return _distinct(reference.legal(reference.parse(position), out_sets))

    def play(self, position: str, *moves: str, out_sets: str = "open") -> str:
        state = reference.parse(position)
        for move in moves:
            state = reference.play(state, move, out_sets)
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

    def perft(self, position: str, depth: int, out_sets: str = "open") -> int:
        return reference.perft(reference.parse(position), depth, out_sets)

    def run(self, position: str, moves: Sequence[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
        script = iter(moves)

        def choose(_: reference.Position) -> str:
            for move in script:
                return move
            raise _ScriptEnded

        try:
            played, end = reference.run(reference.parse(position), choose, repetition, max_turns)
        except _ScriptEnded:
            return len(moves), ""
        return len(played), end


class CoreEngine:
    """The product: its notation and its compiled core, imported late so that the reference runs alone."""

    def _state(self, position: str, **options: Any) -> DnupState:
        from dnup_ai.notation import parse_position

        with _value_errors():
            return parse_position(position, **options)

    def _apply(self, state: DnupState, move: str) -> None:
        from dnup_ai.notation import parse_move

        with _value_errors():
            state.apply(parse_move(state.rules, move))

    def canon(self, position: str) -> str:
        return str(self._state(position))

    def deal(self, players: int, seed: int, deck: str = "standard", tokens: Sequence[int] = ()) -> str:
        from cython_core.rng import Rng
        from dnup_ai.decks import load_deck

        with _value_errors():
            return str(load_deck(deck).rules(players).deal(Rng(seed), list(tokens) or None))

    def moves(self, position: str, out_sets: str = "open") -> set[str]:
        return _distinct([str(move) for move in self._state(position, out_sets=out_sets).legal_moves()])

    def play(self, position: str, *moves: str, out_sets: str = "open") -> str:
        state = self._state(position, out_sets=out_sets)
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

    def perft(self, position: str, depth: int, out_sets: str = "open") -> int:
        return self._state(position, out_sets=out_sets).perft(depth)

    def run(self, position: str, moves: Sequence[str], repetition: int = 3, max_turns: int = 1000) -> tuple[int, str]:
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


class _ScriptEnded(Exception):  # noqa: N818 - a signal, not an error
    """The moves ran out before the round ended."""


def _distinct(moves: list[str]) -> set[str]:
    assert len(set(moves)) == len(moves), "a move is listed twice"
    return set(moves)


def _read_again(engine: Engine, position: str) -> str:
    """Every position that can be reached can also be read; if not, no ValueError may hide it."""
    try:
        again = engine.canon(position)
    except ValueError as error:
        raise AssertionError(f"reached, but not a position: {position}") from error
    assert again == position
    return position


@contextmanager
def _value_errors() -> Iterator[None]:
    """Let the product's own errors pass for the ValueError that the tests expect."""
    from dnup_ai.errors import DnupError

    try:
        yield
    except DnupError as error:
        raise ValueError(str(error)) from error


# --- positions for examples ------------------------------------------------------------------------


def pos(players: int, turn: str, hands: str, table: str = "", *, out: str = "-", tokens: str = "") -> str:
    """A true position with what matters to an example, in canonical form; all other cards are discarded."""
    table = table or ";".join("-" * len(reference.zones(players)))
    tokens = tokens or ",".join("0" * players)
    shown = [card.pair for part in f"{hands};{table}".split(";") for card in reference.read_cards(part)[0]]
    discarded = [f"{low}/{high}" for low, high in reference.STANDARD.at(players) if (low, high) not in shown]
    text = f"dnup:{players} turn={turn} hands={hands} table={table} gone={','.join(discarded) or '-'}"
    return str(reference.parse(f"{text} out={out} tokens={tokens}"))


def field(position: str, key: str) -> str:
    """The value of a field of a canonical position."""
    return next(item for item in position.split(" ") if item.startswith(key + "=")).partition("=")[2]


def hand(position: str, seat: int) -> str:
    return field(position, "hands").split(";")[seat]


def lying(position: str, zone: str) -> str:
    """The set in a zone, named `2` or at 2 players `1.2`."""
    zones = reference.zones(int(position[5]))
    return field(position, "table").split(";")[zones.index(zone)]


def gone(position: str) -> list[str]:
    return field(position, "gone").split(",")
