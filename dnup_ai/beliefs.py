"""What a seat believes of the cards that it cannot see: worlds with weights, and what follows for each opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cython_core import belief as core
from cython_core.game import Move, State
from cython_core.rng import Rng
from dnup_ai.games.base import Game
from dnup_ai.search import SearchParams, params_for

DRAWN = 1000  # worlds where there are too many to list: a chance is then within 3% of what it would be in all
MANY = 2000  # the same for a table of chances: within 2.2%


@dataclass(frozen=True)
class Belief:
    """Worlds that agree with a view, each with its weight (they add up to 1).

    listed: these are all of them; informed: the weights are by the moves of the opponents, not all the same.
    """

    worlds: tuple[State, ...]
    weights: tuple[float, ...]
    listed: bool
    informed: bool

    def __iter__(self) -> Iterator[tuple[State, float]]:
        return zip(self.worlds, self.weights, strict=True)


def believe(
    view: State,
    rng: Rng,
    history: Sequence[Move] = (),
    worlds: int = DRAWN,
    params: SearchParams = SearchParams(),  # noqa: B008 - immutable
) -> Belief:
    """Return what a bot that searches with these parameters believes at the seat of the view.

    history: the moves of the round so far, from its very start; without it, and with a `belief_temperature` of 0, all
    worlds that agree with the view are equally likely (docs/search.md, Beliefs). worlds: how many are drawn if there
    are more, where there are fewer they are listed; params: those that are left out are the game's own.
    """
    used = params_for(view.rules, params)
    assert used.belief_temperature is not None
    assert used.belief_floor is not None
    codes = [move.code for move in history]
    found = core.Belief(
        view, codes, rng, limit=worlds, pool=worlds, temperature=used.belief_temperature, floor=used.belief_floor
    )
    return Belief(tuple(found.worlds()), tuple(found.probabilities()), found.listed, found.informed)


@dataclass(frozen=True)
class SeatBelief:
    """What is believed of one other seat: chances, by their words, of each card and of each number of cards of a value.

    cards: chance that the seat holds the card, of those that the view cannot place; values: by value, the chance that
    it can play 0, 1, 2, ... cards of it as they lie.
    """

    seat: int
    cards: dict[str, float]
    values: dict[str, tuple[float, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"seat": self.seat, "cards": self.cards, "values": {key: list(row) for key, row in self.values.items()}}


def seat_beliefs(game: Game, view: State, belief: Belief) -> tuple[SeatBelief, ...]:
    """Return what the belief says of each other seat that holds cards."""
    known = [{card for card, _ in hand} for hand in game.held_cards(view)]
    held = [(game.held_cards(world), weight) for world, weight in belief]
    found = []
    for seat in range(view.players):
        if seat == view.view:
            continue
        cards: dict[str, float] = {}
        values: dict[str, dict[int, float]] = {}
        for hands, weight in held:
            for card in {card for card, _ in hands[seat]}:
                cards[card] = cards.get(card, 0.0) + weight
            for value, number in Counter(value for _, value in hands[seat]).items():
                row = values.setdefault(value, {})
                row[number] = row.get(number, 0.0) + weight
        if not cards:
            continue
        unseen = {card: chance for card, chance in sorted(cards.items(), key=_by_number) if card not in known[seat]}
        rows = {value: _row(counts) for value, counts in sorted(values.items(), key=_by_number)}
        found.append(SeatBelief(seat, unseen, rows))
    return tuple(found)


def _by_number(item: tuple[str, Any]) -> tuple[Any, ...]:
    """Numbers in a name sort as numbers."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in item[0].split("/"))


def _row(chances: dict[int, float]) -> tuple[float, ...]:
    """Chances of 0, 1, ... cards, from those of 1 and more."""
    row = tuple(chances.get(number, 0.0) for number in range(1, max(chances) + 1))
    return (max(0.0, 1 - sum(row)), *row)
