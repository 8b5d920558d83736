"""Writes the games of a tournament file in formats that others read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

from dnup_ai.errors import ConfigError
from tournaments.records import game_records
from tournaments.store import Store

COLUMNS = (
    "seed", "game", "round", "deal", "seat", "bot", "tokens", "points", "rank", "turns", "end", "won_match", "moves",
    "seconds", "iterations", "fault",
)  # fmt: skip
"""Of the tables: a line for each seat of a round. points: tokens with those not given shared, as the standings
count them (after a fault 0 for the offender, and none for the others); moves: that the seat chose."""

_BATCH = 10_000


def write_jsonl(store: Store, target: IO[bytes]) -> None:
    """Write the records of all rounds, JSON Lines (docs/notation.md)."""
    for run in store.runs():
        for played in store.games(run.number):
            for record in game_records(run.tournament, played):
                target.write(json.dumps(record).encode() + b"\n")


def write_csv(store: Store, target: IO[bytes]) -> None:
    """Write `COLUMNS` of all rounds as CSV with a line of heads."""
    text = io.TextIOWrapper(target, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_lines(store))
    text.detach()


def write_parquet(store: Store, target: IO[bytes]) -> None:
    """Write `COLUMNS` of all rounds as Parquet; raises ConfigError without PyArrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise ConfigError("format: parquet needs PyArrow: pip install 'dnup-ai[parquet]'") from error
    types = {"bot": pyarrow.string(), "end": pyarrow.string(), "fault": pyarrow.string(), "won_match": pyarrow.bool_()}
    types |= {"tokens": pyarrow.float64(), "points": pyarrow.float64(), "seconds": pyarrow.float64()}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.int64())) for name in COLUMNS])
    with pyarrow.parquet.ParquetWriter(target, schema) as writer:
        rest = _lines(store)
        while lines := list(islice(rest, _BATCH)):
            columns = dict(zip(COLUMNS, map(list, zip(*lines, strict=True)), strict=True))
            writer.write_table(pyarrow.table(columns, schema=schema))


FORMATS: Mapping[str, Callable[[Store, IO[bytes]], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}


def _lines(store: Store) -> Iterator[tuple[Any, ...]]:
    for run in store.runs():
        names = run.tournament.names()
        for rows, fault in store.games(run.number):
            for row in rows:
                columns = (row.seating, row.tokens, row.points, row.ranks, row.asked, row.seconds, row.iterations)
                for seat, values in enumerate(zip(*(column.split(",") for column in columns), strict=True)):
                    bot, tokens, points, rank, moves, seconds, iterations = values
                    ended = fault is not None and row is rows[-1]
                    at_fault = ended and fault is not None and fault.seat == seat
                    # As the standings count a fault: 0 for the offender, nothing for the others.
                    forfeits = run.tournament.on_fault != "void"
                    shown = float(points) if not ended else 0.0 if at_fault and forfeits else None
                    yield (
                        run.tournament.seed, row.game, row.round, row.deal, seat, names[int(bot)], float(tokens),
                        shown, int(rank), row.turns, row.end, row.winner == seat, int(moves), float(seconds),
                        int(float(iterations)), fault.kind if at_fault and fault else None,
                    )  # fmt: skip
