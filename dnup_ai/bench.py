"""How fast the core is on this machine: operations and whole rounds, in interleaved repeats."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from cython_core.bench import time_operations, time_rollouts
from cython_core.game import Rules, State
from cython_core.rng import Rng

EPSILON = 0.05
STATES = 256
"""States of random play that the operations are timed on: their data stays in the fast caches, as in a search."""
DEALS = 500


@dataclass(frozen=True)
class Measure:
    """One figure: its minimum (what the core can do) and maximum (how noisy the machine was) over the repeats."""

    players: int
    what: str
    unit: str
    best: float
    worst: float

    @property
    def spread(self) -> float:
        """Worst over best repeat, 1.0 on a quiet machine."""
        return max(self.best, self.worst) / min(self.best, self.worst)


def run_bench(
    rules_at: Callable[[int], Rules], players: tuple[int, ...], repeats: int, progress: Callable[[], None]
) -> list[Measure]:
    """Measure each number of players `repeats` times, in turn, so that a slow minute of the machine hits all alike.

    rules_at: the rules for a number of players; progress: called after each repeat of each number of players.
    """
    samples: dict[tuple[int, str, str], list[float]] = {}
    inputs = {n: (_states(rules_at(n)), _deals(rules_at(n))) for n in players}
    for repeat in range(repeats):
        for n in players:
            for what, unit, value in _measure_once(*inputs[n], Rng(repeat)):
                samples.setdefault((n, what, unit), []).append(value)
            progress()
    rates = ("rounds/s",)
    return [
        Measure(n, what, unit, *((max(values), min(values)) if unit in rates else (min(values), max(values))))
        for (n, what, unit), values in samples.items()
    ]


def machine() -> dict[str, object]:
    """Return what a reader needs to judge the figures: processor, cores, load, Python."""
    load = os.getloadavg()
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_1min": round(load[0], 2),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def as_json(measures: list[Measure], repeats: int) -> dict[str, object]:
    """Return the figures as `dnup-ai bench --json` prints them."""
    return {"machine": machine(), "repeats": repeats, "measures": [asdict(measure) for measure in measures]}


def _measure_once(states: list[State], deals: list[State], rng: Rng) -> Iterator[tuple[str, str, float]]:
    copying, listing, playing = time_operations(states, 200, rng)
    yield "copy", "ns", copying * 1e9
    yield "legal moves", "ns", listing * 1e9
    yield "apply + undo", "ns", playing * 1e9
    for policy, epsilon in (("random", 0.0), ("greedy", EPSILON)):
        seconds, turns = time_rollouts(deals, policy, epsilon, rng, 1000)
        yield f"{policy} turn", "ns", seconds / turns * 1e9
        yield f"{policy} rounds", "rounds/s", len(deals) / seconds


def _deals(rules: Rules) -> list[State]:
    return [rules.deal(Rng(0, deal)) for deal in range(DEALS)]


def _states(rules: Rules) -> list[State]:
    """Return states from all over random rounds: one from each of as many rounds, at a random turn."""
    states: list[State] = []
    deal = 0
    while len(states) < STATES:
        rng = Rng(0, deal, seat=0)
        line = [rules.deal(Rng(0, deal))]
        while not line[-1].is_over and len(line) < rules.max_turns:
            line.append(line[-1].copy())
            line[-1].apply(rng.choice(line[-1].legal_moves()))
        states.append(line[rng.below(len(line) - 1)])
        deal += 1
    return states


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
