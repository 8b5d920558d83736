"""The sections of the page of a study on what parameters, and pairs of them, are worth."""

from __future__ import annotations

from functools import partial

from dnup_ai.params import value_text
from tournaments.report import plots
from tournaments.report.blocks import Block, Plot, Section, Table, Text, decimal, span
from tournaments.tune.landscape import Effects
from tournaments.tune.summary import StudySummary, points_of

_SURE = 0.05


def parameters(summary: StudySummary) -> Section:
    """Return the main effects: a plot for each parameter."""
    found = summary.landscape.parameters
    section = Section("parameters", "What parameters are worth")
    if not found:
        return section
    sure = [effects.names[0] for effects in found if effects.p_value < _SURE]
    section.blocks += [
        Text(
            "From all evaluations of search and race: how much more a level makes than the default's, all else being "
            "equal, in the mean of the settings that were tried. "
            + (f"More than luck: {', '.join(sure)}." if sure else "No parameter shows more than luck would.")
        ),
        Table(
            "Parameters, the most telling first. Spread: how far settings differ by it; chance: of as much by luck, "
            "times the number of parameters",
            ("parameter", "spread", "chance"),
            tuple((*effects.names, decimal(effects.deviation, 3), _chance(effects)) for effects in found),
        ),
        *(_main_effect(number, effects, summary) for number, effects in enumerate(found, 1)),
    ]
    return section


def pairs(summary: StudySummary) -> Section:
    """Return the strongest pairs: what both do together that neither does alone."""
    section = Section("pairs", "Strongest pairs")
    found = [
        effects for effects in summary.landscape.pairs if any(effect.mean is not None for effect in effects.effects)
    ]
    if not found:
        return section
    section.blocks.append(
        Table(
            "What two parameters do together beyond what each does alone; chance: of as much by luck, times the number "
            "of pairs",
            ("pair", "spread", "chance"),
            tuple((" × ".join(effects.names), decimal(effects.deviation, 3), _chance(effects)) for effects in found),
        )
    )
    section.blocks += [
        _pair(number, effects, summary) for number, effects in enumerate(found, 1) if effects.p_value < _SURE
    ]
    return section


def _main_effect(number: int, effects: Effects, summary: StudySummary) -> Block:
    (name,) = effects.names
    labels = [value_text(effect.levels[0]) for effect in effects.effects]
    default = next(
        value_text(effect.levels[0]) for effect in effects.effects if effect.mean == 0.0 and not effect.interval
    )
    return Plot(
        f"parameter-{number}",
        f"{name}: {points_of(summary)} more than at {default}",
        f"Of a level of {name} how much more it makes than the default's, {default}, with its 95% interval. Levels "
        "without a dot were not tried often enough to tell.",
        Table(
            f"Levels of {name}",
            ("level", "mean", "95% interval", "deals"),
            tuple(
                (label, _number(effect.mean), span(effect.interval, _number), f"{effect.deals:,}")
                for label, effect in zip(labels, effects.effects, strict=True)
            ),
        ),
        partial(
            plots.dots, labels=labels, values=[effect.mean for effect in effects.effects],
            intervals=[effect.interval for effect in effects.effects], axis=points_of(summary), least=0.02,
            reference=0.0,
        ),
    )  # fmt: skip


def _pair(number: int, effects: Effects, summary: StudySummary) -> Block:
    one, other = (
        [value_text(level) for level in dict.fromkeys(effect.levels[place] for effect in effects.effects)]
        for place in (0, 1)
    )
    means = [effect.mean for effect in effects.effects]
    most = max((abs(mean) for mean in means if mean is not None), default=0.0) or 1.0
    rows = [means[at : at + len(other)] for at in range(0, len(means), len(other))]
    first, second = effects.names
    return Plot(
        f"pair-{number}",
        f"{first} (rows) and {second}: {points_of(summary)} more than the default",
        f"Of each level of {first} with each of {second} how much more the two make together than those of the "
        "default. Empty where the settings that were tried do not tell.",
        Table(
            f"{first} and {second}",
            (first, second, "mean", "95% interval", "deals"),
            tuple(
                (
                    *map(value_text, effect.levels),
                    _number(effect.mean),
                    span(effect.interval, _number),
                    f"{effect.deals:,}",
                )
                for effect in effects.effects
            ),
            words=2,
        ),
        partial(
            plots.shaded, labels=one, columns=other,
            shades=[[None if mean is None else mean / most for mean in row] for row in rows],
            texts=[["" if mean is None else decimal(mean, 2, sign=True) for mean in row] for row in rows], axis=second,
        ),
    )  # fmt: skip


def _number(value: float | None) -> str:
    return decimal(value, 3, sign=True)


def _chance(effects: Effects) -> str:
    return "<0.001" if effects.p_value < 0.001 else decimal(effects.p_value, 3)
