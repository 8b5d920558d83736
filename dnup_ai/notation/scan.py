"""Strict reading of one line of text: pieces that know where they stand, so that errors can say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from dnup_ai.errors import NotationError

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: its field in the notation, what it says and the column, from 1, where it begins."""

    field: str
    text: str
    column: int

    def part(self, start: int, end: int | None = None, field: str | None = None) -> Piece:
        """The characters from `start` up to `end`, of the same field unless another is given."""
        return Piece(field or self.field, self.text[start:end], self.column + start)

    def split(self, separator: str) -> list[Piece]:
        """What stands between the separators, one character each."""
        pieces = []
        start = 0
        for text in self.text.split(separator):
            pieces.append(self.part(start, start + len(text)))
            start += len(text) + 1
        return pieces

    def listed(self, separator: str = ",") -> list[Piece]:
        """The items of a list, of which `-` says that there are none."""
        return [] if self.text == "-" else self.split(separator)

    def number(self, low: int, high: int, what: str) -> int:
        """The number that the piece is; raises NotationError unless it is `what`, from low to high."""
        if not re.fullmatch(r"0|[1-9][0-9]{0,8}", self.text) or not low <= int(self.text) <= high:
            self.fault(f"{what} from {low} to {high}")
        return int(self.text)

    def fault(self, expected: str, got: str | None = None) -> NoReturn:
        """Raise a NotationError: `expected` was not what is here, the text unless `got` says it better."""
        shown = self.text if len(self.text) <= _SHOWN else self.text[: _SHOWN - 3] + "..."
        raise NotationError(f"{self.field}, column {self.column}: expected {expected}, got {got or repr(shown)}")


def split_fields(
    text: str, game: str, most: int, fields: Sequence[str], required: Sequence[str]
) -> tuple[int, dict[str, Piece]]:
    """Return the number of players of a position and the values of the fields that it has.

    game: the first word; most: of players; fields: those there are; required: those that must be given.
    Raises NotationError naming field and column.
    """
    head, *pieces = Piece(game, text, 1).split(" ")
    for piece in [head, *pieces]:
        strange = re.search("[^!-~]", piece.text)
        if strange:
            key = piece.text.partition("=")[0]
            field = key if key in fields else game if piece is head else "position"
            piece.part(strange.start(), strange.end(), field).fault("ASCII text on one line")
    if not re.fullmatch(f"{game}:[2-{most}]", head.text):
        head.fault(f"{game}:N with 2 to {most} players")
    found: dict[str, Piece] = {}
    for piece in pieces:
        key, equals, _ = piece.text.partition("=")
        if not piece.text:
            piece.part(0, field="position").fault("one blank between fields", "a blank too many")
        if not equals or key not in fields:
            piece.part(0, len(key), "position").fault(f"one of {', '.join(fields)}, with = and its value")
        if key in found:
            piece.part(0, len(key), key).fault("every field once")
        found[key] = piece.part(len(key) + 1, field=key)
    for key in required:
        if key not in found:
            Piece(key, "", len(text) + 1).fault(f"the field {key}=", "none")
    return int(head.text[-1]), found
