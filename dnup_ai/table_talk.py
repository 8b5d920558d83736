"""What a person at a table can say of it, as it is typed; what it means is for the game to say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dnup_ai.notation.scan import Piece


@dataclass(frozen=True)
class TableTalk:
    """A table as one seat tells it, each part as text in the words of the options of `dnup-ai suggest`.

    players, me: the number of seats and the own one; hand: its cards; table: the sets, a list per zone; counts: cards
    in hand by seat; seen: discarded cards; forgotten: how many more of them there are that nobody remembers; known:
    cards in other hands that everybody has seen, a list per seat; star: the seat with the starred card in hand, if that
    is all that is known of it; turn: the seat to move, None: the own one; zone: at 2 players that of the turn, 1 or 2;
    out: the seats that are out; tokens: by seat, from before this round. None: not said.
    """

    players: int | None = None
    me: int | None = None
    hand: str | None = None
    table: str | None = None
    counts: str | None = None
    seen: str | None = None
    forgotten: int = 0
    known: str | None = None
    star: int | None = None
    turn: int | None = None
    zone: int | None = None
    out: str | None = None
    tokens: str | None = None

    def missing(self, *names: str) -> list[str]:
        """Return the options of these names that were not given."""
        return [f"--{name}" for name in names if getattr(self, name) is None]


def listed(piece: Piece) -> list[Piece]:
    """Return the items of a list with blanks or commas between them; `-` and nothing at all are an empty list."""
    if piece.text.strip() in ("", "-"):
        return []
    return [piece.part(match.start(), match.end()) for match in re.finditer(r"[^\s,]+", piece.text)]
