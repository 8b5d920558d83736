"""Fit an evaluation: play rounds, sample positions, and find the weights under which what came of them is likeliest.

The model is that of the search (State.c_expect): each seat still in has a strength, linear in its features, and who
comes next is drawn by a softmax of the strengths (Plackett, Applied Statistics 24(2), 1975). Who comes after that is
drawn from the rest by a softmax of the strengths times a factor, since it is further off (Benter, in: Efficiency of
Racetrack Betting Markets, 1994). So a position gives an event for each place that is still open and that somebody took.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from cython_core.game import Move, Rules, State
from cython_core.rng import Rng
from dnup_ai.bots.registry import BotSpec
from dnup_ai.errors import ConfigError

FITTING_SEEDS = 600_000
"""Deals of seeds from here on are for fitting; no strength is measured on them, nothing is fitted on those below."""
HELD_OUT = 5
"""One of so many rounds is not fitted on, but only measured."""
SAMPLED = 1 / 6
"""Chance of a turn to be sampled, which makes some four positions a round."""
STRAY = 0.5
"""Chance that the move before a sampled position is a random one: a search asks about all moves, not only good ones."""
MOST_TURNS = 300
"""A round that is longer is left as it is, like one that repeats itself."""
EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Of the ranges in a table of calibration."""
DECIMALS = 6
"""Of weights: what a machine or a library rounds otherwise is not in the file."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Events:
    """Places that seats took after sampled positions, a row each.

    features: event x seat x feature; open: event x seat, who could take the place; taken: the seat that did; place: 1,
    first, or 2; next: whether it is the next one of its position; simple: event x seat, chances by the game's simple
    evaluation, without meaning where not `next`; held_out: not to be fitted on.
    """

    features: Floats
    open: Flags
    taken: Ints
    place: Ints
    next: Flags
    simple: Floats
    held_out: Flags

    def part(self, which: Flags) -> Events:
        """Return some of the events."""
        columns: tuple[Any, ...] = (
            self.features,
            self.open,
            self.taken,
            self.place,
            self.next,
            self.simple,
            self.held_out,
        )
        return Events(*(column[which] for column in columns))

    def __len__(self) -> int:
        return len(self.taken)


@dataclass(frozen=True)
class Calibration:
    """Seats whose predicted chance to be first was in a range: how many, the mean prediction, and the frequency."""

    low: float
    high: float
    seats: int
    predicted: float
    observed: float


@dataclass(frozen=True)
class Loss:
    """Log-loss of one kind of event: the mean of minus the logarithm of the chance of the seat that took the place.

    what: `first`, `second`, once somebody is out, or `second later`, while nobody is; fitted, simple, uniform: by these
    weights, by the game's simple evaluation (None: it says nothing of this), and if all seats had the same chance.
    """

    what: str
    events: int
    fitted: float
    simple: float | None
    uniform: float


@dataclass(frozen=True)
class Fit:
    """weights: one a feature; later: the factor of the strengths for places after the next one."""

    weights: Floats
    later: float


def sample_events(
    rules: Rules, bot: BotSpec, rounds: int, seed: int, progress: Callable[[int], None] = lambda done: None
) -> Events:
    """Play rounds by a bot at all seats and sample their positions; the same seed gives the same events, bit for bit.

    progress: called with the number of rounds that are done. Raises ConfigError if the game has no features.
    """
    if not rules.feature_names():
        raise ConfigError(f"{rules.game} has no features to fit an evaluation on")
    rows: list[tuple[Any, ...]] = []
    for number in range(rounds):
        sampled, end = _play(rules, bot, seed, number)
        order = sorted((rank, seat) for seat, rank in enumerate(end.ranks()) if rank)
        for state in sampled:
            features, chances = np.array(state.features()), state.chances()
            simple = np.full(rules.players, np.nan) if chances is None else np.array(chances)
            still = np.array([rank == 0 for rank in state.ranks()])
            is_next = True
            for rank, seat in order:
                # The last one in takes a place for certain, which says nothing.
                if still[seat] and still.sum() > 1:
                    rows.append((features, still.copy(), seat, rank, is_next, simple, number % HELD_OUT == 0))
                    is_next = False
                still[seat] = False
        progress(number + 1)
    held_out = {row[-1] for row in rows}
    if len(held_out) < 2:
        raise ConfigError(f"{rounds} rounds gave too few positions to fit on: play more")
    return Events(*(np.array(column) for column in zip(*rows, strict=True)))


def _play(rules: Rules, bot: BotSpec, seed: int, number: int) -> tuple[list[State], State]:
    """Play one round; return the sampled positions, and the state in the end."""
    state = rules.deal(Rng(seed, number))
    bots = [bot.make(Rng(seed, number, 0, seat)) for seat in range(rules.players)]
    rng = Rng(seed, number, 1)
    sampled: list[State] = []
    seen: dict[bytes, int] = {}
    history: list[Move] = []
    while state.turn is not None and len(history) < min(MOST_TURNS, rules.max_turns):
        if rules.repetition:
            key = state.repetition_key()
            seen[key] = seen.get(key, 0) + 1
            if seen[key] >= rules.repetition:
                break
        wanted = rng.random() < SAMPLED
        if wanted and rng.random() < STRAY:
            move = rng.choice(state.legal_moves())
        else:
            move = bots[state.turn].choose(state.observe(state.turn), tuple(history))
        state.apply(move)
        history.append(move)
        if wanted and state.turn is not None:
            sampled.append(state.copy())
    return sampled, state


def chances(weights: Floats, events: Events) -> Floats:
    """Return the chance of each seat to take the place of each event; 0 where it could not."""
    strength = np.where(events.open, events.features @ weights, -np.inf)
    power = np.exp(strength - strength.max(axis=1, keepdims=True))
    result: Floats = power / power.sum(axis=1, keepdims=True)
    return result


def fit(events: Events, ridge: float = 10.0) -> Fit:
    """Return the weights of the highest likelihood, less a penalty of ridge / 2 times the sum of their squares.

    The weights are from events of next places, the factor for later ones from the others. The penalty is on weights of
    features scaled to a standard deviation of 1, so that it treats all alike.
    """
    weights = _fit_weights(events.part(events.next), ridge)
    later = events.part(~events.next)
    if len(later) == 0:
        return Fit(weights, 1.0)
    found = minimize_scalar(
        lambda factor: _loss(chances(factor * weights, later), later), bounds=(0, 2), method="bounded"
    )
    return Fit(weights, round(float(found.x), DECIMALS // 2))


def _fit_weights(events: Events, ridge: float, steps: int = 50) -> Floats:
    """Newton's method; the likelihood is concave, and the penalty makes the maximum unique."""
    scale = events.features[events.open].std(axis=0)
    scale = np.where(scale > 1e-12, scale, 1.0)
    scaled = replace(events, features=events.features / scale)
    weights = np.zeros(len(scale))
    value = _penalised(weights, scaled, ridge)
    for _ in range(steps):
        slope, curve = _derivatives(weights, scaled, ridge)
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while (after := _penalised(weights + size * step, scaled, ridge)) < value and size > 1e-6:
            size /= 2
        weights = weights + size * step
        if after - value < 1e-9 * len(events):
            break
        value = after
    return np.round(weights / scale, DECIMALS)


def _penalised(weights: Floats, events: Events, ridge: float) -> float:
    taken = chances(weights, events)[np.arange(len(events)), events.taken]
    return float(np.log(np.maximum(taken, 1e-300)).sum() - ridge / 2 * (weights @ weights))


def _derivatives(weights: Floats, events: Events, ridge: float) -> tuple[Floats, Floats]:
    """Gradient, and minus the matrix of second derivatives."""
    chance = chances(weights, events)
    n = len(weights)
    mean = np.einsum("es,esf->ef", chance, events.features)
    slope = (events.features[np.arange(len(events)), events.taken] - mean).sum(axis=0) - ridge * weights
    weighted = (events.features * np.sqrt(chance)[:, :, None]).reshape(-1, n)
    return slope, weighted.T @ weighted - mean.T @ mean + ridge * np.eye(n)


def assess(fitted: Fit, events: Events) -> tuple[Loss, ...]:
    """Say how good the chances by these weights are on events, best those that were held out."""
    losses = []
    for what, which, factor in (
        ("first", events.place == 1, 1.0),
        ("second", (events.place == 2) & events.next, 1.0),
        ("second later", (events.place == 2) & ~events.next, fitted.later),
    ):
        part = events.part(which)
        if len(part) == 0:
            continue
        known = factor == 1 and not np.isnan(part.simple).any() and bool(part.next.all())
        losses.append(
            Loss(
                what,
                len(part),
                _loss(chances(factor * fitted.weights, part), part),
                _loss(part.simple, part) if known else None,
                _loss(part.open / part.open.sum(axis=1, keepdims=True), part),
            )
        )
    return tuple(losses)


def _loss(chance: Floats, events: Events) -> float:
    taken = chance[np.arange(len(events)), events.taken]
    return float(-np.log(np.maximum(taken, 1e-300)).mean())


def calibrate(fitted: Fit, events: Events) -> tuple[Calibration, ...]:
    """Compare the predicted chances of all seats to be first with how often they were, by ranges."""
    events = events.part(events.place == 1)
    chance = chances(fitted.weights, events)
    predicted = chance[events.open]
    took = (np.arange(chance.shape[1])[None, :] == events.taken[:, None])[events.open]
    rows = []
    for low, high in pairwise(EDGES):
        here = (predicted >= low) & ((predicted < high) | (high == EDGES[-1]))
        if here.any():
            mean, share = float(predicted[here].mean()), float(took[here].mean())
            rows.append(Calibration(low, high, int(here.sum()), mean, share))
    return tuple(rows)
