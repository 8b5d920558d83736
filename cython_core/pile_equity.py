"""What rounds of dnup-pile are worth in a match (docs/rules-pile.md, "The end of a match")."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

MATCH_POINTS = 4
OPEN = -1  # as the second: nobody yet
NOBODY = -2  # as the second: nobody, and the round is over

Rewards = tuple[float, ...]


def after_round(points: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    """Return the score after a round that gave these seats 2 points and 1 (negative: nobody)."""
    return tuple(count + (2 if seat == first else 1 if seat == second else 0) for seat, count in enumerate(points))


def leaders(points: Sequence[int]) -> tuple[int, ...]:
    """Return the seats that have the most points, if these end a match; nobody if they do not."""
    best = max(points)
    return tuple(seat for seat, count in enumerate(points) if count == best) if best >= MATCH_POINTS else ()


def match_winner(points: Sequence[int], emptied: Sequence[int], twos: Sequence[int]) -> int | None:
    """Return the seat that has won the match, None if nobody has: further rounds are played.

    points, emptied, twos: per seat, the points of the match, how often the hand was emptied, how often this gave 2
    points. Equal points are decided by the second, then by the third.
    """
    tied = leaders(points)
    for counts in (emptied, twos):
        if tied:
            best = max(counts[seat] for seat in tied)
            tied = tuple(seat for seat in tied if counts[seat] == best)
    return tied[0] if len(tied) == 1 else None


@cache
def match_equity(points: tuple[int, ...], second_out: bool) -> Rewards:
    """Return each seat's chance to win the match from this score, before a round, when all are equally strong.

    Each ordered pair of first and second is equally likely; a tie counts as shared. Dynamic programming over the
    scores: every round gives points, so none recurs.
    """
    tied = leaders(points)
    if tied:
        return tuple(1 / len(tied) if seat in tied else 0.0 for seat in range(len(points)))
    ends = [
        match_equity(after_round(points, first, _second(points, first, second, second_out)), second_out)
        for first, second in permutations(range(len(points)), 2)
    ]
    return _mean(ends)


@cache
def reward_table(kind: str, points: tuple[int, ...], second_out: bool) -> tuple[tuple[tuple[int, int], Rewards], ...]:
    """Return every (first, second) that a state can have, `OPEN` and `NOBODY` included, with what it is worth."""
    seats = range(len(points))
    outcomes = [(-1, OPEN), (-1, NOBODY)]
    outcomes += [(first, second) for first in seats for second in (NOBODY, OPEN, *seats) if first != second]
    return tuple((pair, reward_row(kind, points, *pair, second_out)) for pair in outcomes)


def reward_row(kind: str, points: tuple[int, ...], first: int, second: int, second_out: bool) -> Rewards:
    """Return what it is worth to each seat, from 0 to 1, that `first` got 2 points and `second` 1.

    kind: `tokens`, as a share of the 2 points, those not given split equally among the seats without; or `match`,
    the chance to win the match, what is undecided averaged over the ways for it to end; or `first`, `second`: whether
    the seat has that place.
    """
    seats = range(len(points))
    if kind in ("first", "second"):
        return tuple(float(seat == (first if kind == "first" else second)) for seat in seats)
    if kind == "match":
        if first < 0 or second != OPEN:
            return match_equity(after_round(points, first, second), second_out)
        others = [_second(points, first, seat, second_out) for seat in seats if seat != first]
        return _mean([match_equity(after_round(points, first, seat), second_out) for seat in others])
    given = {seat: worth for seat, worth in ((first, 1.0), (second, 0.5)) if seat >= 0}
    share = (1.5 - sum(given.values())) / max(1, len(points) - len(given))
    return tuple(given.get(seat, share) for seat in seats)


def _second(points: tuple[int, ...], first: int, second: int, second_out: bool) -> int:
    """The second, or nobody if being first ends the match before there is one."""
    return NOBODY if second_out and points[first] + 2 >= MATCH_POINTS else second


def _mean(rows: list[Rewards]) -> Rewards:
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))
