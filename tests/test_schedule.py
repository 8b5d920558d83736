"""The schedule: who plays whom, each hand for each bot equally often, nothing twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from dnup_ai.errors import ConfigError
from tournaments.schedule import Game, Schedule, Seating, make_schedule, orders, rotations

SIZES = [(bots, players) for players in range(2, 7) for bots in range(2, 9)]


def cycle(schedule: Schedule) -> list[tuple[Seating, ...]]:
    return [schedule.seatings(deal) for deal in range(schedule.cycle)]


def hands(seatings: tuple[Seating, ...]) -> dict[tuple[int, int], int]:
    """How often each bot sits at each seat, which is to say holds each hand of the deal."""
    return dict(Counter((bot, seat) for seating in seatings for seat, bot in enumerate(seating)))


def canonical(seating: Seating) -> Seating:
    return min(rotations(seating))


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_in_a_round_robin_every_bot_holds_every_hand_of_a_deal_equally_often(bots: int, players: int) -> None:
    schedule = make_schedule("round-robin", "alternating", bots, players)
    for deal in range(min(schedule.cycle, 6)):
        held = hands(schedule.seatings(deal))
        for bot in range(bots):
            assert len({held[bot, seat] for seat in range(players)}) == 1
    if bots >= players:
        # A matrix of one number: bots that are all different meet every hand alike.
        assert len(set(hands(schedule.seatings(0)).values())) == 1


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_the_seatings_of_a_round_robin_are_those_that_itertools_lists(bots: int, players: int) -> None:
    schedule = make_schedule("round-robin", "alternating", bots, players)
    if bots >= players:
        lineups: set[Seating] = set(combinations(range(bots), players))
    else:
        lineups = {filled for filled in combinations_with_replacement(range(bots), players) if len(set(filled)) == bots}
    for deal in range(min(schedule.cycle, 6)):
        seatings = schedule.seatings(deal)
        assert len(set(seatings)) == len(seatings) == schedule.games_per_deal
        assert {tuple(sorted(seating)) for seating in seatings} == lineups
        # Whole rotations: with a seating come all that turn it.
        assert all(set(rotations(seating)) <= set(seatings) for seating in seatings)
    if bots >= players:
        played = {seating for seatings in cycle(schedule) for seating in seatings}
        everything = set(permutations(range(bots), players))
        assert played <= everything
        if players in (2, 3, 4, 6):
            assert played == everything


@pytest.mark.parametrize(("players", "count"), [(2, 1), (3, 2), (4, 6), (5, 4), (6, 120)])
def test_over_the_orders_of_a_line_up_every_bot_follows_every_other_equally_often(players: int, count: int) -> None:
    found = orders(tuple(range(players)))
    assert len(found) == len({canonical(order) for order in found}) == count
    follows = Counter((order[seat], order[(seat + 1) % players]) for order in found for seat in range(players))
    assert len(follows) == players * (players - 1)
    assert len(set(follows.values())) == 1


def test_five_seats_go_through_the_steps_one_to_four() -> None:
    assert orders((0, 1, 2, 3, 4)) == [tuple(step * place % 5 for place in range(5)) for step in (1, 2, 3, 4)]


def test_deals_go_through_the_orders_in_turn_and_every_line_up_is_on_every_deal() -> None:
    schedule = make_schedule("round-robin", "alternating", 4, 3)
    assert schedule.cycle == 2
    assert schedule.seatings(0)[:3] == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert schedule.seatings(1)[:3] == ((0, 2, 1), (2, 1, 0), (1, 0, 2))
    assert schedule.seatings(2) == schedule.seatings(0)


def test_a_line_up_that_repeats_has_fewer_rotations_and_orders() -> None:
    assert rotations((0, 1, 0, 1)) == ((0, 1, 0, 1), (1, 0, 1, 0))
    # A B A B has two rotations, A A B B four: that one is the order that is played.
    assert orders((0, 0, 1, 1)) == [(0, 0, 1, 1)]
    assert make_schedule("round-robin", "alternating", 1, 3).seatings(5) == ((0, 0, 0),)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("lineup", ["alternating", "one-vs-rest"])
def test_a_head_to_head_plays_each_deal_and_its_complement(players: int, lineup: str) -> None:
    schedule = make_schedule("head-to-head", lineup, 2, players)
    assert schedule.games_per_deal == 2
    for one, other in cycle(schedule):
        assert tuple(1 - bot for bot in one) == other
        assert set(hands((one, other)).values()) == {1}
        assert min(one.count(0), one.count(1)) == (1 if lineup == "one-vs-rest" else players // 2)
    # Over a cycle each bot is the single one, or has the seat more, at each seat equally often.
    over = hands(tuple(seating for seatings in cycle(schedule) for seating in seatings))
    assert len(set(over.values())) == 1
    assert len(set(map(frozenset, cycle(schedule)))) == schedule.cycle


def test_a_head_to_head_of_more_bots_plays_every_pair() -> None:
    schedule = make_schedule("head-to-head", "one-vs-rest", 3, 3)
    assert schedule.seatings(0) == ((0, 1, 1), (1, 0, 0), (0, 2, 2), (2, 0, 0), (1, 2, 2), (2, 1, 1))
    assert schedule.seatings(1)[:2] == ((1, 0, 1), (0, 1, 0))


@pytest.mark.parametrize(("bots", "players"), SIZES)
@pytest.mark.parametrize("challengers", [1, 2])
def test_in_a_gauntlet_one_challenger_meets_all_choices_of_the_others(
    bots: int, players: int, challengers: int
) -> None:
    if challengers >= bots:
        return
    seatings = make_schedule("gauntlet", "alternating", bots, players, challengers).seatings(0)
    assert len(set(seatings)) == len(seatings)
    for seating in seatings:
        assert sum(bot < challengers for bot in seating) == 1
    met = {frozenset(bot for bot in seating if bot >= challengers) for seating in seatings}
    rest = range(challengers, bots)
    expected = combinations(rest, players - 1) if len(rest) >= players - 1 else [rest]
    assert met == {frozenset(others) for others in expected}
    held = hands(seatings)
    for bot in range(bots):
        assert len({held[bot, seat] for seat in range(players)}) == 1


@pytest.mark.parametrize(("bots", "players", "most"), [(20, 4, 300), (12, 3, 50), (9, 5, 10), (6, 3, 19), (5, 4, 4)])
def test_of_too_many_line_ups_a_balanced_choice_plays(bots: int, players: int, most: int) -> None:
    def lineups(seed: int) -> list[Seating]:
        schedule = make_schedule("round-robin", "alternating", bots, players, max_lineups=most, seed=seed)
        assert len(schedule.lineups) == most
        return [tuple(sorted(orders[0][0])) for orders in schedule.lineups]

    chosen = lineups(1)
    assert len(set(chosen)) == most
    games = Counter(bot for lineup in chosen for bot in lineup)
    assert len(games) == bots
    assert max(games.values()) - min(games.values()) <= 1
    meetings = Counter(pair for lineup in chosen for pair in combinations(lineup, 2))
    mean = most * players * (players - 1) / (bots * (bots - 1))
    assert all(abs(meetings[pair] - mean) <= max(2, 0.4 * mean) for pair in combinations(range(bots), 2))
    assert lineups(1) == chosen
    if most < 19:
        assert any(lineups(seed) != chosen for seed in (2, 3, 4))


def test_games_come_deal_by_deal_and_are_numbered_throughout() -> None:
    schedule = make_schedule("round-robin", "alternating", 3, 2)
    assert list(schedule.games(range(5, 8))) == [
        Game(5, 0, 5, (2, 1)),
        Game(6, 1, 0, (0, 1)),
        Game(7, 1, 1, (1, 0)),
    ]
    assert [game.number for game in schedule.games([9, 3])] == [9, 3]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("round-robin", "alternating", 0, 3), "bots: expected at least one"),
        (("head-to-head", "alternating", 1, 3), "format 'head-to-head': expected at least two bots"),
        (("head-to-head", "some", 2, 3), "lineup: expected 'alternating' or 'one-vs-rest', got 'some'"),
        (("league", "alternating", 2, 3), "format: expected 'round-robin', 'gauntlet', 'head-to-head', got 'league'"),
        (
            ("gauntlet", "alternating", 3, 3, 3),
            "challengers: expected 1 to 2, so that 3 bots leave some to meet, got 3",
        ),
        (("round-robin", "alternating", 5, 3, 1, 0), "max_lineups: expected 1 or more, got 0"),
    ],
)
def test_what_cannot_be_seated_is_an_error(arguments: tuple[str, str, int, int], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_schedule(*arguments)
    assert problem in str(caught.value)
