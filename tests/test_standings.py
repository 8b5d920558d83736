"""From games to the results of a tournament, by hand on small cases; the statistics themselves are in test_ratings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from playing import played, tournament
from tournaments.config import Tournament
from tournaments.ledger import Ledger
from tournaments.match import Fault
from tournaments.runner import play
from tournaments.standings import Summary, quick_summary, summarise
from tournaments.table import Played, Row


def row(game: int, seating: Sequence[int], points: Sequence[float], end: str = "out", **more: Any) -> Row:
    """A round of two players that the seat with more points won."""
    ranks = [0] * len(points) if points[0] == points[1] else [int(point == max(points)) for point in points]
    fields: dict[str, Any] = {
        "game": game,
        "round": 0,
        "deal": game // 2,
        "seating": seating,
        "tokens": [int(point) for point in points],
        "points": points,
        "ranks": ranks,
        "turns": 10,
        "end": end,
        "winner": None,
        "moves": "",
        "asked": [5, 5],
        "seconds": [0.5, 0.25],
        "iterations": [100, 0],
    }
    fields.update(more)
    return Row(
        **{
            name: ",".join(map(str, value)) if isinstance(value, list | tuple) else value
            for name, value in fields.items()
        }
    )


def two(deals: int = 2, **settings: Any) -> Tournament:
    return tournament("greedy", "random", players=2, deals=deals, **settings)


def ledger_of(settings: Tournament, *games: Row | tuple[Row, ...], faults: dict[int, Fault] | None = None) -> Ledger:
    ledger = Ledger(settings)
    for rows in games:
        rows_ = (rows,) if isinstance(rows, Row) else rows
        ledger.add([Played(rows_, (faults or {}).get(rows_[0].game))])
    return ledger


def both(ledger: Ledger) -> list[Summary]:
    """The whole summary and the quick one: they agree on standings."""
    return [summarise(ledger), quick_summary(ledger)]


WON = [row(0, (0, 1), (1, 0)), row(1, (1, 0), (0, 1)), row(2, (0, 1), (1, 0), turns=30), row(3, (1, 0), (1, 0))]
"""Bot 0 wins 2 of 2 on deal 0, and 1 of 2 on deal 1."""


def test_points_are_averaged_over_seats_and_intervals_are_over_deals() -> None:
    for summary in both(ledger_of(two(), *WON)):
        first, second = summary.standings
        assert (first.bot, first.mean, first.first, first.games) == ("greedy", 0.75, 0.75, 4)
        assert (second.bot, second.mean, second.first, second.games) == ("random", 0.25, 0.25, 4)
        # Two values, 1 and 0.5: t(0.975, 1) = 12.706, times their standard error 0.25.
        assert first.interval == pytest.approx((0.75 - 12.706 * 0.25, 0.75 + 12.706 * 0.25), rel=1e-4)
        assert (summary.deals, summary.games, summary.rounds, summary.turns) == (2, 4, 4, 15)
        assert summary.ends == {"out": 4}


def test_the_order_of_coming_does_not_matter() -> None:
    expected = summarise(ledger_of(two(), *WON))
    for order in ([3, 2, 1, 0], [2, 0, 3, 1]):
        assert summarise(ledger_of(two(), *(WON[index] for index in order))) == expected


def test_what_bots_spend_is_counted_by_bot_not_by_seat() -> None:
    first, second = sorted(summarise(ledger_of(two(), *WON)).standings, key=lambda standing: standing.bot)
    # Seat 0 took 0.5 s and 100 iterations for 5 moves, seat 1 0.25 s; each bot sat at each seat twice.
    assert (first.moves, first.ms_per_move, first.iterations_per_move) == (20, 75.0, 10.0)
    assert (second.moves, second.ms_per_move, second.iterations_per_move) == (20, 75.0, 10.0)


def test_points_not_given_are_shared_and_ends_are_counted() -> None:
    games = [row(0, (0, 1), (0.5, 0.5), end="repetition"), row(1, (1, 0), (0.5, 0.5), end="max_turns")]
    for summary in both(ledger_of(two(1), *games)):
        assert [standing.mean for standing in summary.standings] == [0.5, 0.5]
        assert [standing.first for standing in summary.standings] == [0, 0]
        assert summary.ends == {"max_turns": 1, "repetition": 1}
        assert summary.undecided == 2


def test_fewer_than_two_deals_have_no_interval() -> None:
    for summary in both(ledger_of(two(1), *WON[:2])):
        assert [standing.interval for standing in summary.standings] == [None, None]


def test_a_deal_that_is_not_played_in_full_stays_out_unless_there_is_no_other() -> None:
    for summary in both(ledger_of(two(), *WON[:3])):
        assert (summary.deals, summary.left_out, summary.rounds) == (1, 1, 3)
        assert [(standing.mean, standing.games) for standing in summary.standings] == [(1.0, 2), (0.0, 2)]
    for summary in both(ledger_of(two(), WON[0])):
        assert (summary.deals, summary.left_out) == (0, 1)
        assert [(standing.bot, standing.mean) for standing in summary.standings] == [("greedy", 1), ("random", 0)]


FAULT = Fault(1, "exception", "RuntimeError: no idea", "...")


def test_a_fault_forfeits_the_game_and_is_void_for_the_others() -> None:
    # In the second seating, (1, 0), seat 1 is bot 0.
    games = (WON[0], row(1, (1, 0), (0.5, 0.5), end="fault"))
    for summary in both(ledger_of(two(1), *games, faults={1: FAULT})):
        greedy, rand = summary.standings
        assert (greedy.bot, greedy.mean, greedy.games, greedy.faults) == ("greedy", 0.5, 2, 1)
        assert (rand.bot, rand.mean, rand.games, rand.faults) == ("random", 0.0, 1, 0)
        assert summary.fault_counts == {"greedy": {"exception": 1}}
        assert [(fault.game, fault.bot, fault.kind) for fault in summary.faults] == [(1, "greedy", "exception")]
        assert summary.ends == {"fault": 1, "out": 1}


def test_a_void_game_counts_for_nobody() -> None:
    games = (WON[0], row(1, (1, 0), (0.5, 0.5), end="fault"))
    for summary in both(ledger_of(two(1, on_fault="void"), *games, faults={1: FAULT})):
        assert [(standing.mean, standing.games) for standing in summary.standings] == [(1.0, 1), (0.0, 1)]
        assert summary.standings[0].faults == 1


def test_a_deal_with_a_fault_leaves_the_statistics_of_pairs() -> None:
    settings = two(2, format="head-to-head")
    games = (*WON[:2], WON[2], row(3, (1, 0), (0.5, 0.5), end="fault"))
    summary = summarise(ledger_of(settings, *games, faults={3: FAULT}))
    (difference,) = summary.differences
    assert (difference.difference, difference.deals) == (1.0, 1)
    summary = summarise(ledger_of(settings, *WON))
    (difference,) = summary.differences
    # On deal 1 each bot has won once.
    assert (difference.difference, difference.deals) == (0.5, 2)


def test_matches_count_by_their_winner() -> None:
    first = tuple(row(0, (0, 1), points, round=index) for index, points in enumerate([(1, 0), (0, 1)]))
    won = (*first, row(0, (0, 1), (1, 0), round=2, winner=0))
    for summary in both(ledger_of(two(1, unit="match"), won, row(1, (1, 0), (0, 1)))):
        greedy, rand = summary.standings
        assert (greedy.bot, greedy.mean, greedy.games, greedy.first) == ("greedy", 0.5, 2, 0.5)
        assert (rand.bot, rand.mean, rand.games) == ("random", 0.0, 2)
        assert (summary.games, summary.rounds, summary.undecided) == (2, 4, 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_tokens_of_a_table_add_up(players: int) -> None:
    ledger = Ledger(tournament("greedy", "random", "greedy:epsilon=0.5", players=players, deals=10))
    for games in play(ledger.tournament):
        ledger.add(games)
    for summary in both(ledger):
        points = sum((standing.mean or 0) * standing.games for standing in summary.standings)
        assert points == pytest.approx(summary.games * (1 if players == 2 else 3))
        firsts = sum((standing.first or 0) * standing.games for standing in summary.standings)
        assert firsts <= summary.games + 1e-9


def test_a_summary_is_plain_data() -> None:
    settings = tournament("greedy", "random", deals=5, format="head-to-head", lineup="one-vs-rest")
    _, data = played(settings)
    again = json.loads(json.dumps(data, allow_nan=False))
    assert again == data
    assert {"standings", "pairs", "seats", "singles", "differences", "variance_reduction", "settings"} <= set(data)
    assert len(data["singles"]) == 2
