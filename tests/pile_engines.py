"""One face for the two engines that the rules of dnup-pile are tested on: texts in, texts and numbers out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import reference_pile as reference

if TYPE_CHECKING:
    from cython_core.pile import PileState


class Engine(Protocol):
    """What the tests of the rules ask of an engine; positions and moves are texts, options those of the ruleset."""

    def canon(self, position: str, **options: Any) -> str:
        """Read the position and write it again."""
        ...

    def deal(self, players: int, seed: int, **options: Any) -> str: ...

    def moves(self, position: str, **options: Any) -> set[str]: ...

    def play(self, position: str, *moves: str, stock: str = "", **options: Any) -> str:
        """The position after the moves; `stock`: what the reshuffle of the last one makes, in drawing order."""
        ...

    def observe(self, position: str, seat: int, **options: Any) -> str: ...

    def result(self, position: str, **options: Any) -> list[int]: ...

    def payoffs(self, position: str, **options: Any) -> list[float]: ...

    def ranks(self, position: str, **options: Any) -> list[int]: ...

    def end(self, position: str, **options: Any) -> str:
        """`out` or `blocked`; empty while the round goes on."""
        ...


class ReferenceEngine:
    """The literal implementation in reference_pile.py."""

    def _read(self, position: str, options: dict[str, Any]) -> tuple[reference.Position, reference.Options]:
        chosen = reference.Options(**options)
        return reference.parse(position, chosen), chosen

    def canon(self, position: str, **options: Any) -> str:
        return str(self._read(position, options)[0])

    def deal(self, players: int, seed: int, **options: Any) -> str:
        return str(reference.deal(players, random.Random(seed), reference.Options(**options)))

    def moves(self, position: str, **options: Any) -> set[str]:
        return _distinct(reference.legal(*self._read(position, options)))

    def play(self, position: str, *moves: str, stock: str = "", **options: Any) -> str:
        state, chosen = self._read(position, options)
        for move in moves:
            state = reference.play(state, move, chosen, stock if move is moves[-1] else "")
        return _read_again(self, str(state), options)

    def observe(self, position: str, seat: int, **options: Any) -> str:
        return str(reference.observe(self._read(position, options)[0], seat))

    def result(self, position: str, **options: Any) -> list[int]:
        return reference.result(self._read(position, options)[0])

    def payoffs(self, position: str, **options: Any) -> list[float]:
        return reference.payoffs(self._read(position, options)[0])

    def ranks(self, position: str, **options: Any) -> list[int]:
        return reference.ranks(self._read(position, options)[0])

    def end(self, position: str, **options: Any) -> str:
        return reference.end(self._read(position, options)[0])


class CoreEngine:
    """The product: its notation and its compiled core, imported late so that the reference runs alone."""

    def _state(self, position: str, options: dict[str, Any]) -> PileState:
        from dnup_ai.errors import DnupError
        from dnup_ai.notation.pile import parse_pile_position

        try:
            return parse_pile_position(position, **options)
        except DnupError as error:
            raise ValueError(str(error)) from error

    def canon(self, position: str, **options: Any) -> str:
        return str(self._state(position, options))

    def deal(self, players: int, seed: int, **options: Any) -> str:
        from cython_core.rng import Rng
        from dnup_ai.notation.pile import pile_rules

        return str(pile_rules(players, **options).deal(Rng(seed)))

    def moves(self, position: str, **options: Any) -> set[str]:
        return _distinct([str(move) for move in self._state(position, options).legal_moves()])

    def play(self, position: str, *moves: str, stock: str = "", **options: Any) -> str:
        from dnup_ai.errors import DnupError
        from dnup_ai.notation.pile import parse_pile_move

        state = self._state(position, options)
        for move in moves:
            try:
                state.apply(parse_pile_move(state.rules, move))
            except DnupError as error:
                raise ValueError(str(error)) from error
        if stock:
            state.set_reshuffle(f"stock:{stock}")
        return _read_again(self, str(state), options)

    def observe(self, position: str, seat: int, **options: Any) -> str:
        return str(self._state(position, options).observe(seat))

    def result(self, position: str, **options: Any) -> list[int]:
        return list(self._state(position, options).result())

    def payoffs(self, position: str, **options: Any) -> list[float]:
        return list(self._state(position, options).payoffs())

    def ranks(self, position: str, **options: Any) -> list[int]:
        return list(self._state(position, options).ranks())

    def end(self, position: str, **options: Any) -> str:
        return self._state(position, options).end or ""


def _distinct(moves: list[str]) -> set[str]:
    assert len(set(moves)) == len(moves), "a move is listed twice"
    return set(moves)


def _read_again(engine: Engine, position: str, options: dict[str, Any]) -> str:
    """Every position that can be reached can also be read; if not, no ValueError may hide it."""
    try:
        again = engine.canon(position, **options)
    except ValueError as error:
        raise AssertionError(f"reached, but not a position: {position}") from error
    assert again == position
    return position


# --- positions for examples ------------------------------------------------------------------------


def pos(
    players: int, turn: int, hands: Sequence[str], piles: Sequence[str], stock: str = "-", *, laid: str = "",
    **fields: str,
) -> str:  # fmt: skip
    """A true position with what matters to an example; all cards that it does not name are covered."""
    named = [card for text in (*hands, *piles, stock) for card in reference.read_cards(text)[0]]
    seen = {reference.pair_of(card) for card in named}
    gone = reference.write_cards([pair for pair in reference.STANDARD if pair not in seen])
    laid = laid or ";".join("-" * len(piles))
    text = f"dnup-pile:{players} turn={turn} hands={';'.join(hands)} piles={';'.join(piles)} laid={laid} stock={stock}"
    return " ".join([text, f"gone={gone}", *[f"{key}={value}" for key, value in fields.items()]])


def field(position: str, key: str) -> str:
    """The value of a field of a position; empty if it is left out."""
    return next((item for item in position.split(" ") if item.startswith(key + "=")), "").partition("=")[2]


def hand(position: str, seat: int) -> str:
    return field(position, "hands").split(";")[seat]
