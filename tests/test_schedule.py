"""Who plays whom from which seat: checked against what itertools says, for 2 to 6 seats and 1 to 8 bots."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from dnup_ai.errors import ConfigError
from tournaments.schedule import Game, lineups, rotations, schedule, seatings

TABLES = [(bots, players) for bots in range(1, 9) for players in range(2, 7)]


@pytest.mark.parametrize(("bots", "players"), TABLES)
def test_all_line_ups_are_the_choices_of_bots_or_the_ways_to_seat_them_all(bots: int, players: int) -> None:
    everything = {tuple(sorted(seats)) for seats in product(range(bots), repeat=players)}
    expected = {seats for seats in everything if len(set(seats)) == min(bots, players)}
    found = lineups("all", bots, players)
    assert {tuple(sorted(lineup)) for lineup in found} == expected
    assert len(found) == len(expected)
    if bots >= players:
        assert found == list(combinations(range(bots), players))


@pytest.mark.parametrize("kind", ["all", "one-vs-rest"])
@pytest.mark.parametrize(("bots", "players"), TABLES)
def test_every_bot_holds_every_hand_of_a_deal_equally_often(kind: str, bots: int, players: int) -> None:
    if kind == "one-vs-rest" and bots == 1:
        pytest.skip("nobody to play against")
    played = seatings(kind, bots, players)
    assert len(set(played)) == len(played), "a seating is played twice"
    held = Counter((bot, seat) for seating in played for seat, bot in enumerate(seating))
    for bot in range(bots):
        assert len({held[bot, seat] for seat in range(players)}) == 1
    # The table is fair: each bot sits as often as every other.
    assert len({held[bot, 0] for bot in range(bots)}) == 1


def test_rotations_of_a_line_up_that_repeats_are_fewer() -> None:
    assert rotations((0, 1, 2)) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert rotations((0, 1, 0, 1)) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert rotations((0, 0)) == [(0, 0)]


def test_one_against_the_rest_is_played_for_each_ordered_pair() -> None:
    assert lineups("one-vs-rest", 3, 3) == [(0, 1, 1), (0, 2, 2), (1, 0, 0), (1, 2, 2), (2, 0, 0), (2, 1, 1)]
    # At two seats A against B is B against A.
    assert seatings("one-vs-rest", 2, 2) == ((0, 1), (1, 0))


def test_games_come_deal_by_deal_and_are_numbered_throughout() -> None:
    games = list(schedule(range(4), seatings("all", 2, 2)))
    assert games == [Game(0, 0, 0, (0, 1)), Game(1, 0, 1, (1, 0)), Game(2, 1, 0, (0, 1)), Game(3, 1, 1, (1, 0))]
    assert list(schedule([1, 3], seatings("all", 2, 2))) == games[1::2]


def test_what_cannot_be_seated_is_an_error() -> None:
    with pytest.raises(ConfigError, match="at least one bot"):
        lineups("all", 0, 3)
    with pytest.raises(ConfigError, match="at least two bots"):
        lineups("one-vs-rest", 1, 3)
    with pytest.raises(ConfigError, match="expected 'all' or 'one-vs-rest', got 'some'"):
        lineups("some", 2, 3)
    with pytest.raises(ConfigError, match="line-ups; name fewer"):
        lineups("all", 60, 5)
