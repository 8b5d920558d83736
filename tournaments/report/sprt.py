"""The section of a report on the sequential test."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from tournaments.report import plots
from tournaments.report.blocks import Plot, Section, Shown, Table, Text, decimal, span
from tournaments.sprt import VERDICTS, SprtResult

_MAX_HISTORY = 200


def test(shown: Shown) -> Section:
    """Return what the sequential test says."""
    section = Section("test", "Sequential test")
    result = shown.summary.test
    if result is None:
        return section
    settings = shown.summary.settings["sprt"] or {}
    bots = shown.summary.bots
    section.blocks += [
        Text(
            f"The test asks again and again how much better {bots[0]} is than {bots[1]}, and stops as soon as that is "
            "clear enough. H0 says that its advantage on a deal, divided by the standard deviation of a deal, is t0, "
            "H1 that it is t1. The log likelihood ratio says how much better H1 explains the deals than H0: above the "
            "upper bound H1 is accepted, below the lower one H0."
        ),
        test_table(result, settings),
    ]
    section.blocks.append(Text(f"Note: {result.note}."))
    if result.history:
        section.blocks.append(likelihood_plot(result))
    return section


def test_table(result: SprtResult, settings: dict[str, Any]) -> Table:
    """Return the figures of a test; settings: of it, by name."""
    return Table("The test", ("value", "result"), tuple(_test_rows(result, settings)), words=2)


def likelihood_plot(result: SprtResult) -> Plot:
    """Return the plot of a test that has looked at deals."""
    history = result.history
    step = -(-len(history) // _MAX_HISTORY)
    thin = (*history[:-1:step], history[-1])
    return Plot(
        "likelihood",
        "Log likelihood ratio as deals went by",
        "The test ends where the line meets one of the dashed bounds.",
        Table(
            "Log likelihood ratio",
            ("deals", "ratio"),
            tuple((f"{deals:,}", decimal(ratio, 3, sign=True)) for deals, ratio in thin),
        ),
        partial(plots.likelihood, history=thin, lower=result.lower, upper=result.upper),
    )


def _test_rows(result: SprtResult, settings: dict[str, Any]) -> list[tuple[str, str]]:
    found = asdict(result)

    def row(title: str, name: str) -> list[tuple[str, str]]:
        if found.get(name) is None:
            return []
        ends = found.get(f"{name}_interval")
        interval = "" if ends is None else f" ({span(ends, lambda value: decimal(value, 3, sign=True))})"
        return [(title, decimal(found[name], 3, sign=True) + interval)]

    return [
        ("verdict", VERDICTS[result.verdict]),
        ("deals", f"{result.deals:,}"),
        ("log likelihood ratio", decimal(result.llr, 3, sign=True)),
        ("bounds", f"{decimal(result.lower, 3, sign=True)} (H0), {decimal(result.upper, 3, sign=True)} (H1)"),
        *((name, str(value)) for name, value in settings.items() if value is not None),
        *row("t: mean difference by its standard deviation", "t"),
        *row("mean difference on a deal (95% interval)", "mean"),
        *row("estimate of t (95% interval)", "estimate_t"),
        *row("estimate of the difference (95% interval)", "estimate"),
    ]
