"""The sections of a report on what was played: length of rounds, time, faults, the test, settings, how to repeat it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dnup_ai.games import game_named
from tournaments.commands import repeat_command
from tournaments.report import plots
from tournaments.report.blocks import (
    NONE,
    Block,
    Code,
    Faults,
    FaultText,
    Plot,
    Section,
    Shown,
    Table,
    Text,
    amount,
    count,
    decimal,
    percent,
)
from tournaments.report.data import turn_bins
from tournaments.store import Session

_ENDS = {
    "out": "played to the end",
    "repetition": "cut off: the same position came again",
    "max_turns": "cut off: too many turns",
    "fault": "ended by a fault",
}


@dataclass(frozen=True, slots=True)
class RunShown:
    """A run in a file: settings, games played and planned, whether it is over, and when it was played."""

    settings: dict[str, Any]
    games: int
    planned: int
    complete: bool
    sessions: tuple[Session, ...]


def played(shown: Shown, runs: Sequence[RunShown]) -> Section:
    """Return what was played, as a table."""
    summary, settings = shown.summary, shown.summary.settings
    game = game_named(settings["game"])
    form = settings["format"] + (f", {settings['lineup']}" if settings["format"] == "head-to-head" else "")
    form += f", challengers: {settings['challengers']}" if settings["format"] == "gauntlet" else ""
    done, planned = sum(run.games for run in runs), sum(run.planned for run in runs)
    rows = [
        ("game", game.name if settings["game"] == game.name else f"{game.name} ({settings['game']})"),
        ("players at the table", str(settings["players"])),
        ("deck", settings["deck"]["name"]),
        ("format", form),
        ("what counts", "matches won" if shown.match else f"{game.points} of single rounds"),
        ("bots", str(len(summary.bots))),
        ("deals", f"{summary.deals:,} played in full, of {sum(run.settings['deals'] for run in runs):,}"),
        ("games", f"{done:,} of {planned:,}" if done < planned else f"{done:,}"),
        ("rounds", f"{summary.rounds:,}"),
        ("seed" if len(runs) == 1 else "seeds", ", ".join(str(run.settings["seed"]) for run in runs)),
    ]  # fmt: skip
    if settings["rules"]:
        rows.append(("rules changed", ", ".join(f"{name} = {value}" for name, value in settings["rules"].items())))
    blocks: list[Block] = [
        Table(
            "The tournament in short", ("setting", "value"), tuple((name, str(value)) for name, value in rows), words=2
        ),
        Text(
            "All line-ups play the same deals, and every bot gets every hand of a deal equally often, so good cards "
            "favour nobody. How sure a result is depends on how many deals there are."
        ),
    ]
    if (gain := summary.variance_reduction) is not None:
        worth = f"was worth {decimal(gain, 2)} times as many games for telling bots apart"
        if math.isinf(gain):
            worth = "took all luck out of the differences between bots"
        elif gain < 1:
            worth = f"did not help to tell bots apart here (it was worth {decimal(gain, 2)} times as many games)"
        blocks.append(
            Text(
                f"Playing each deal more than once, with bots at other seats, {worth}. The number is the variance "
                "that differences between bots would have, were every game on a deal of its own, by that they have."
            )
        )
    if summary.left_out:
        counted = "do not count" if summary.deals else "count all the same, as no deal was played in full"
        blocks.append(Text(f"{count(summary.left_out, 'game')} of unfinished deals or after the test: {counted}."))
    if note := game.deck_note(settings["deck"]["name"]):
        blocks.append(Text(note.replace("`", "")))
    return Section("played", "What was played", blocks)


def rounds(shown: Shown, turns: Sequence[int]) -> Section:
    """Return how long rounds were and how they ended."""
    summary = shown.summary
    section = Section("rounds", "Length and end of rounds")
    bins = turn_bins(turns)
    if bins:
        section.blocks.append(
            Plot(
                "turns",
                "Turns a round",
                f"How many rounds took how many turns; the mean is {decimal(summary.turns, 1)} (dashed, if in sight)."
                + (" The orange bar holds all longer rounds." if bins[-1].last is None else ""),
                Table(
                    "Rounds by their number of turns",
                    ("turns", "rounds", "share"),
                    tuple(
                        (
                            f"{found.first} or more" if found.last is None
                            else str(found.first) if found.first == found.last else f"{found.first} to {found.last}",
                            f"{found.rounds:,}",
                            percent(found.rounds / len(turns)),
                        )
                        for found in bins
                    ),
                ),
                partial(plots.histogram, bins=bins, mean=summary.turns),
            )
        )  # fmt: skip
    total = max(sum(summary.ends.values()), 1)
    section.blocks.append(
        Table(
            "How rounds ended",
            ("end", "meaning", "rounds", "share"),
            tuple(
                (end, _ENDS.get(end, NONE), f"{rounds:,}", percent(rounds / total))
                for end, rounds in summary.ends.items()
            ),
            words=2,
        )
    )
    capped = sum(rounds for end, rounds in summary.ends.items() if end in ("repetition", "max_turns"))
    if capped:
        section.blocks.append(
            Text(
                f"{count(capped, 'round')} of {total:,} ({percent(capped / total)}) did not end by themselves and were "
                "cut off; what was not given by then is shared by those still in."
            )
        )
    if summary.undecided:
        section.blocks.append(Text(f"{count(summary.undecided, 'game')} without a fault had no winner."))
    return section


def time(shown: Shown) -> Section:
    """Return how long bots took for a move."""
    rows = shown.summary.standings
    section = Section("time", "Time for a move")
    if not any(row.moves for row in rows):
        return section
    texts = [amount(row.ms_per_move) for row in rows]
    table = Table(
        "Time and iterations for a move, in the mean",
        ("bot", "ms a move", "iterations a move", "moves"),
        tuple(
            (name, text, amount(row.iterations_per_move) if row.iterations_per_move else NONE, f"{row.moves:,}")
            for name, text, row in zip(shown.names, texts, rows, strict=True)
        ),
    )
    section.blocks.append(
        Plot(
            "times",
            "Milliseconds for a move",
            "Time of the clock that each move took in the mean, on the machines that played; a strong bot that takes "
            "long is not better value. Bots that search also say how many playouts (iterations) that was good for. "
            "Where times differ much, each line of the grid is ten times the one before.",
            table,
            partial(plots.times, labels=shown.labels, values=[row.ms_per_move for row in rows], texts=texts),
        )
    )
    return section


def faults(shown: Shown) -> Section:
    """Return what bots did wrong."""
    summary = shown.summary
    section = Section("faults", "Faults")
    if not summary.fault_counts:
        section.blocks.append(Text("None: no illegal move, no error, no move over the time limit."))
        return section
    kinds = sorted({kind for found in summary.fault_counts.values() for kind in found})
    treated = {
        "forfeit": "the bot at fault gets 0, the game is void for the others",
        "void": "the game is void for all",
        "stop": "the tournament stops",
    }[summary.settings["on_fault"]]
    names = dict(zip((row.bot for row in summary.standings), shown.names, strict=True))
    # As in the standings; what no bot is to blame for comes last.
    order = [bot for bot in (*names, *summary.fault_counts) if bot in summary.fault_counts]
    counts = {bot: summary.fault_counts[bot] for bot in order}
    section.blocks += [
        Text(f"A bot that breaks the rules, fails or takes too long ends its game by a fault: {treated}."),
        Table(
            "Faults by bot and kind",
            ("bot", *kinds, "all"),
            tuple(
                (names.get(bot, bot), *(f"{found.get(kind, 0):,}" for kind in kinds), f"{sum(found.values()):,}")
                for bot, found in counts.items()
            ),
        ),
    ]
    total = sum(row for found in summary.fault_counts.values() for row in found.values())
    listed = "All of them:" if total == len(summary.faults) else f"The first {len(summary.faults)}:"
    section.blocks.append(Text(listed))
    section.blocks.append(
        Faults(
            tuple(
                FaultText(
                    f"Game {fault.game}, {'the worker' if fault.bot is None else names[fault.bot]}, {fault.kind}",
                    fault.message,
                    fault.traceback,
                )
                for fault in summary.faults
            )
        )
    )
    return section


def repeat(shown: Shown, runs: Sequence[RunShown], resume: str) -> Section:
    """Return how to repeat the tournament, what sharing deals bought, settings, and when it was played."""
    several = len(runs) > 1
    blocks: list[Block] = [Text(f"{'These commands play' if several else 'This command plays'} the same games again:")]
    blocks += [Code(repeat_command(run.settings)) for run in runs]
    if not all(run.complete for run in runs):
        blocks += [Text("The tournament is not complete. This plays the rest:", warning=True), Code(resume)]
    sessions = [(run, session) for run in runs for session in run.sessions]
    if len({(session.version, session.bot_hashes) for _, session in sessions}) > 1:
        blocks.append(Text("Not all games were played by the same version of the code and of the bots.", warning=True))
    blocks.append(
        Table(
            "When it was played, and by what",
            (*(("seed",) if several else ()), "from (UTC)", "version"),
            tuple(
                (*((str(run.settings["seed"]),) if several else ()), _minute(session.began), session.version)
                for run, session in sessions
            ),
            words=3,
        )
    )
    blocks.append(
        Table(
            "Fingerprints of the bots: of the spec, and of the file of a bot of your own",
            ("bot", "fingerprint"),
            tuple(
                (name, ", ".join(dict.fromkeys(session.bot_hashes[bot] for _, session in sessions)))
                for name, bot in zip(shown.names, shown.order, strict=True)
            ),
            words=2,
        )
    )
    settings = json.dumps(shown.summary.settings, indent=2, ensure_ascii=False)
    blocks.append(Code(settings, hidden="All settings, defaults included"))
    return Section("repeat", "How to repeat it", blocks)


def _minute(began: str) -> str:
    return began[:16].replace("T", " ")
