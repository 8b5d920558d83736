"""The match equity table of dnup (docs/rules.md, "Match equity")."""

from __future__ import annotations

from functools import cache
from itertools import permutations

MATCH_TOKENS = 4
MATCH_ROUNDS = 2  # with 2 players a match is won by rounds


def after_round(tokens: tuple[int, ...], first: int, second: int) -> tuple[int, ...]:
    """Return the score after a round in which these seats were out first and second (`second` -1: nobody)."""
    prize = 1 if len(tokens) == 2 else 2
    return tuple(count + (prize if seat == first else 1 if seat == second else 0) for seat, count in enumerate(tokens))


def winner(tokens: tuple[int, ...]) -> int | None:
    """Return the seat that has won the match, None if nobody has."""
    target = MATCH_ROUNDS if len(tokens) == 2 else MATCH_TOKENS
    return next((seat for seat, count in enumerate(tokens) if count >= target), None)


def round_outcomes(tokens: tuple[int, ...], first: int = -1) -> list[tuple[int, int]]:
    """Return the equally likely ways for a round to end from this score, as (first, second) out.

    first: who is out already, -1: nobody. `second` is -1 where the first out ends the round.
    """
    seats = range(len(tokens))
    firsts = seats if first < 0 else (first,)
    if len(tokens) == 2:
        return [(seat, -1) for seat in firsts]
    ends = []
    for one, two in permutations(seats, 2):
        if one in firsts:
            # All ordered pairs are equally likely; if the first wins the match, the second place is not played for.
            ends.append((one, -1 if winner(after_round(tokens, one, -1)) == one else two))
    return ends


@cache
def match_equity(tokens: tuple[int, ...]) -> tuple[float, ...]:
    """Return each seat's chance to win the match from this score, before a round, when all are equally strong.

    Dynamic programming over the scores: every round gives a token to somebody, so none recurs.
    """
    won = winner(tokens)
    if won is not None:
        return tuple(float(seat == won) for seat in range(len(tokens)))
    ends = [match_equity(after_round(tokens, *pair)) for pair in round_outcomes(tokens)]
    return tuple(sum(column) / len(ends) for column in zip(*ends, strict=True))


@cache
def reward_table(kind: str, tokens: tuple[int, ...]) -> tuple[tuple[tuple[int, int], tuple[float, ...]], ...]:
    """Return every (first, second) that can be out, -1 for nobody, with its `reward_row`."""
    seats = range(len(tokens))
    outcomes = [(-1, -1)] + [(first, second) for first in seats for second in range(-1, len(tokens)) if first != second]
    return tuple((outcome, reward_row(kind, tokens, *outcome)) for outcome in outcomes)


def reward_row(kind: str, tokens: tuple[int, ...], first: int, second: int) -> tuple[float, ...]:
    """Return what it is worth to each seat, from 0 to 1, that `first` and `second` are out (-1: nobody).

    kind: `tokens`, as a share of the first prize, those not given split equally among the seats still in; or
    `match`, the chance to win the match, what is undecided averaged over the ways for it to end; or `first`, `second`:
    whether the seat has that place.
    """
    seats = range(len(tokens))
    if kind in ("first", "second"):
        return tuple(float(seat == (first if kind == "first" else second)) for seat in seats)
    if kind == "match":
        pairs = round_outcomes(tokens, first) if second < 0 else [(first, second)]
        ends = [match_equity(after_round(tokens, *pair)) for pair in pairs]
        return tuple(sum(column) / len(ends) for column in zip(*ends, strict=True))
    given = {first: 1.0} if len(tokens) == 2 else {first: 1.0, second: 0.5}
    given.pop(-1, None)
    total = 1.0 if len(tokens) == 2 else 1.5
    share = (total - sum(given.values())) / max(1, len(tokens) - len(given))
    return tuple(given.get(seat, share) for seat in seats)
