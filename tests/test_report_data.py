"""The numbers that only a report shows, and how numbers and names are written there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from reports import samples
from tournaments.ledger import Ledger
from tournaments.report import data
from tournaments.report.blocks import amount, decimal, elo, percent, short
from tournaments.results import t_interval


def test_running_means_end_with_the_mean_and_its_interval(tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["league"]
    ledger = Ledger(settings)
    ledger.add(games)
    results, _ = ledger.results()
    running = data.running_means(results, 4)
    by_seat = data.means_by_seat(results, 4)
    assert running.deals == list(range(1, 13))
    for bot in range(4):
        mean = float(results.points[results.bots == bot].mean())
        assert running.means[bot][-1] == pytest.approx(mean)
        seats = [cell.mean for cell in by_seat[bot]]
        weights = [cell.games for cell in by_seat[bot]]
        assert len(set(weights)) == 1
        assert sum(seats) / len(seats) == pytest.approx(mean)
        sums = results.by_deal_and_bot(results.points, 4)[:, bot]
        per_deal = sums / results.by_deal_and_bot(results.counts * 1.0, 4)[:, bot]
        for deals in (2, 7, 12):
            first = per_deal[:deals]
            expected = t_interval(float(first.mean()), float(first.var(ddof=1)) / deals, deals)
            assert (running.low[bot][deals - 1], running.high[bot][deals - 1]) == pytest.approx(expected)


def test_bins_hold_every_round_once() -> None:
    for turns in ([5], [3, 3, 9], list(range(100)), [20] * 500 + [1000], list(range(10, 40)) * 50 + [999, 1000]):
        bins = data.turn_bins(turns)
        assert sum(found.rounds for found in bins) == len(turns)
        assert len(bins) <= 25
        for one, after in pairwise(bins):
            assert one.last is not None
            assert after.first == one.last + 1
    assert data.turn_bins([20] * 500 + [1000])[-1] == data.Bin(21, None, 1)
    assert data.turn_bins([]) == []


def test_numbers_are_written_for_readers() -> None:
    assert [decimal(value, 2) for value in (None, float("nan"), float("inf"), -1.239, -0.001)] == [
        "–", "–", "+∞", "−1.24", "0.00",
    ]  # fmt: skip
    assert (elo(12.4), elo(-0.3), elo(float("-inf"))) == ("+12", "0", "−∞")
    assert (percent(0.1234), percent(-0.5, sign=True), percent(None)) == ("12.3%", "−50.0%", "–")
    assert [amount(value) for value in (0.0, 0.00123, 1.5, 1234567.0, None)] == [
        "0", "0.00123", "1.50", "1,234,567", "–",
    ]  # fmt: skip
    assert short("ismcts:iterations=200,exploration=0.9") == "ismcts 200 0…"
    assert short("greedy:epsilon=0.3 #2") == "greedy 0.3 #2"
    assert short("/a/long/way/to/my.py:Bot") == "my.py:Bot"
