"""`dnup-ai fit-eval`: fits the evaluation of a game for a number of players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from cython_core.game import Rules
    from dnup_ai.evaluation.fit import Calibration, Loss

FIRST_SEED = 600_000


def fit_eval(
    players: int = typer.Option(3, "--players", "-n", help="Number of players."),
    rounds: int = typer.Option(10_000, min=5, help="Rounds to play; one of five is held out to measure on."),
    bot: str = typer.Option(
        "greedy:epsilon=0.1", help="Who plays them, at all seats; a searching bot for a later, better fit."
    ),
    seed: int = typer.Option(
        FIRST_SEED,
        min=FIRST_SEED,
        max=2**32 - 1,
        help=f"{FIRST_SEED} and above, which are for fitting only; the same seed gives the same weights.",
    ),
    output: Path | None = typer.Option(None, "--output", "-o", help="File to write (default: GAME-PLAYERS.json)."),
    force: bool = typer.Option(False, "--force", help="Write over the file."),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
    game: str = GAME,
) -> None:
    """Play rounds, fit the weights of the game's features to who came first and second, and say how good they are."""
    from dnup_ai.bots.registry import parse_spec
    from dnup_ai.cli.progress import progress
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.errors import ConfigError
    from dnup_ai.evaluation.fit import assess, calibrate, fit, sample_events
    from dnup_ai.evaluation.weights import Weights
    from dnup_ai.games import game_named

    played = game_named(game)
    options = read_rules(played, rule)
    rules = played.rules(load_deck(played, deck), players, options)
    spec = parse_spec(bot)
    if spec.sees_all:
        raise ConfigError(f"--bot: {spec} sees all cards, so its rounds are not like those that are played")
    path = output or Path(f"{rules.game}-{rules.players}.json")
    _require_writable(path, force)
    with progress(rounds, "rounds", quiet) as show:
        events = sample_events(rules, spec, rounds, seed, show)
    found, rest = fit(events.part(~events.held_out)), events.part(events.held_out)
    losses = assess(found, rest)
    command = _command(rules, rounds, str(spec), seed, game, deck, options)
    about = _about(command, str(spec), rounds, seed, len(events), losses)
    names, key = rules.feature_names(), rules.evaluation_key()
    made = Weights(rules.game, rules.players, key, names, tuple(found.weights.tolist()), found.later, about)
    try:
        path.write_text(str(made), encoding="utf-8")
    except OSError as error:
        print(made)
        raise ConfigError(
            f"{path}: cannot write the weights: {error.strerror or error}; they are printed in place of that"
        ) from error
    print(f"{rules.game}, {rules.players} players: {len(events)} events, {len(rest)} of them held out")
    _print(losses, calibrate(found, rest))
    print(f"weights written to {path}; repeat with: {command}")
    print(f"play by them: ismcts:evaluation={path}")


def _require_writable(path: Path, force: bool) -> None:
    """Raise ConfigError now, not after all has been played, if the file cannot be written."""
    from dnup_ai.errors import ConfigError
    from dnup_ai.evaluation.weights import WEIGHTS_SUFFIX

    if path.suffix != WEIGHTS_SUFFIX:
        raise ConfigError(f"--output: expected a file *{WEIGHTS_SUFFIX}, got {path}")
    there = path.exists()
    if there and not force:
        raise ConfigError(f"{path} exists; give another --output, or --force to write over it")
    try:
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise ConfigError(f"{path}: cannot write there: {error.strerror or error}; give another --output") from error


def _command(
    rules: Rules, rounds: int, bot: str, seed: int, game: str, deck: str | None, options: dict[str, Any]
) -> str:
    """The command that gives these weights again."""
    import shlex

    from dnup_ai.games import DEFAULT_GAME

    words = [
        "dnup-ai",
        "fit-eval",
        f"--players={rules.players}",
        f"--rounds={rounds}",
        f"--bot={bot}",
        f"--seed={seed}",
    ]
    if game != DEFAULT_GAME:
        words.append(f"--game={game}")
    if deck is not None:
        words.append(f"--deck={deck}")
    return shlex.join(words + [f"--rule={name}={value}" for name, value in options.items()])


def _about(command: str, bot: str, rounds: int, seed: int, events: int, losses: Sequence[Loss]) -> dict[str, Any]:
    """What the file says of how it came about."""
    from datetime import date

    return {
        "command": command,
        "bot": bot,
        "rounds": rounds,
        "seed": seed,
        "events": events,
        "held_out_log_loss": {
            loss.what: {
                "events": loss.events,
                "fitted": round(loss.fitted, 6),
                "simple": None if loss.simple is None else round(loss.simple, 6),
                "uniform": round(loss.uniform, 6),
            }
            for loss in losses
        },
        "date": date.today().isoformat(),
    }


def _print(losses: Sequence[Loss], calibration: Sequence[Calibration]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("place", title="Log-loss on the rounds held out", title_justify="left")
    for column in ("events", "fitted", "simple", "uniform"):
        table.add_column(column, justify="right")
    for loss in losses:
        cells = ("-" if cell is None else f"{cell:.4f}" for cell in (loss.fitted, loss.simple, loss.uniform))
        table.add_row(loss.what, str(loss.events), *cells)
    measured = Table("chance to be first", title="Calibration on the rounds held out", title_justify="left")
    for column in ("seats", "predicted", "was first"):
        measured.add_column(column, justify="right")
    for row in calibration:
        label = f"{row.low:.0%} to {row.high:.0%}"
        measured.add_row(label, str(row.seats), f"{row.predicted:.1%}", f"{row.observed:.1%}")
    Console(highlight=False).print(table, measured)
