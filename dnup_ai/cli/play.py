"""`dnup-ai play`: a person against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from dnup_ai.bots import BotSpec
    from tournaments.person import Seating

DEFAULT_BOT = "ismcts"


def play(
    bots: list[str] | None = typer.Argument(
        None,
        help="Bots, as `dnup-ai bots` lists them or my_bots.py:Class, from the seat after yours on "
        f"(default: {DEFAULT_BOT}); fewer than seats: again from the first.",
    ),
    players: int | None = typer.Option(None, "--players", "-n", help="Seats (default: 3, or those of bots and you)."),
    seat: int | None = typer.Option(None, help="Your seat, from 0 (default: drawn with the seed)."),
    seed: int | None = typer.Option(
        None,
        help="0 to 4294967295; the same seed deals the same cards, and bots whose budget is not in seconds answer "
        "alike (default: drawn).",
    ),
    rounds: int | None = typer.Option(None, min=1, help="Play so many single rounds (default: a match)."),
    time: str | None = typer.Option(
        None, help="Thinking time of a move, as 1s, for bots that search and have no budget in their spec."
    ),
    hint: str | None = typer.Option(None, help="Thinking time of hints, as 2s (default: 2s)."),
    hint_bot: str | None = typer.Option(None, help="The bot that gives hints (default: the game's adviser)."),
    save: Path | None = typer.Option(None, help="Keep the rounds in this file, as records (docs/notation.md)."),
    force: bool = typer.Option(False, "--force", help="Write over that file if it is there."),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    game: str = GAME,
    move_limit: float | None = typer.Option(None, help="Seconds after which a bot is at fault (default: 60)."),
    allow_cheating: bool = typer.Option(False, "--allow-cheating", help="Let bots play that see all cards."),
) -> None:
    """Play against bots at a terminal: whole matches, with hints, taking back, and records."""
    from rich.console import Console

    from dnup_ai.bots import parse_spec
    from dnup_ai.cli.play_loop import Course, Hints
    from dnup_ai.cli.play_prompt import make_ask, show
    from dnup_ai.cli.play_save import RecordFile
    from dnup_ai.cli.play_screen import opening_lines
    from dnup_ai.cli.settings import load_deck, read_rules, read_seconds
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_named
    from dnup_ai.search import Budget
    from tournaments.config import DEFAULT_MOVE_LIMIT
    from tournaments.person import Seating
    from tournaments.sitting import Sitting

    played = game_named(game)
    box = load_deck(played, deck)
    seconds = None if time is None else read_seconds("--time", time)
    specs = [parse_spec(bot) if seconds is None else _timed(parse_spec(bot), seconds) for bot in bots or [DEFAULT_BOT]]
    seats = players if players is not None else len(specs) + 1 if bots else 3
    if not 2 <= seats <= max(played.player_counts(box)):
        raise ConfigError(f"players: expected 2 to {max(played.player_counts(box))}, got {seats}")
    if len(specs) >= seats:
        raise ConfigError(
            f"expected at most {seats - 1} bots at {seats} seats, one of which is yours, got {len(specs)}"
        )
    seed = _seed(seed)
    own = _drawn_seat(seed, seats) if seat is None else seat
    if not 0 <= own < seats:
        raise ConfigError(f"seat: expected 0 to {seats - 1}, got {own}")
    limit = DEFAULT_MOVE_LIMIT if move_limit is None else move_limit
    if not 0 < limit < float("inf"):
        raise ConfigError(f"move_limit: expected seconds above 0, got {limit}")
    order: list[BotSpec | None] = [None] * seats
    for index in range(seats - 1):
        order[(own + 1 + index) % seats] = specs[index % len(specs)]
    seating = Seating(
        game=played,
        deck=box,
        rules=played.rules(box, seats, read_rules(played, rule)),
        specs=tuple(order),
        seed=seed,
        rounds=rounds,
        move_limit=limit,
        allow_cheating=allow_cheating,
        game_spec=game,
    )
    file = None if save is None else RecordFile(save, force)
    if hint_bot is not None:
        parse_spec(hint_bot)
    hints = Hints(hint_bot, Budget(wall=2.0 if hint is None else read_seconds("--hint", hint)))
    console = Console(highlight=False, markup=False)
    sitting = Sitting(seating)
    if file is not None:
        file.write(sitting.records())
    course = Course(sitting, console, make_ask(), hints, file)
    show(console, opening_lines(seating, _command(seating, deck, rule)))
    try:
        course.run()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        sitting.close()
        if course.file is not None:
            print(f"records in {course.file.path}; check them with: dnup-ai replay {course.file.path}")


def _timed(spec: BotSpec, seconds: float) -> BotSpec:
    """The spec with a budget in seconds, if it is of a bot that searches and has none of its own."""
    from dnup_ai.bots import parse_spec

    names = ("iterations", "cpu_ms", "wall_ms")
    given = [part.partition("=")[0] for part in spec.options.split(",")]
    if spec.file or not spec.takes("wall_ms") or any(name in given for name in names):
        return spec
    return parse_spec(f"{spec.name}:" + ",".join(filter(None, (spec.options, f"wall_ms={1000 * seconds:g}"))))


def _seed(seed: int | None) -> int:
    import secrets

    from dnup_ai.errors import ConfigError

    if seed is not None and not 0 <= seed < 2**32:
        raise ConfigError(f"seed: expected 0 to {2**32 - 1}, got {seed}")
    return secrets.randbelow(2**32) if seed is None else seed


def _drawn_seat(seed: int, seats: int) -> int:
    """The person's seat, from a stream that deals and bots do not draw from."""
    from cython_core.rng import Rng

    return Rng(seed, 2**32 - 1, 0, Rng.CHANCE).below(seats)


def _command(seating: Seating, deck: str | None, rule: list[str] | None) -> str:
    """The command that plays the same again, the person's moves apart."""
    import shlex

    from dnup_ai.games import DEFAULT_GAME
    from tournaments.config import DEFAULT_MOVE_LIMIT

    players = seating.rules.players
    bots = [str(seating.specs[(seating.person + 1 + index) % players]) for index in range(players - 1)]
    words = ["dnup-ai", "play", *bots, f"--seat={seating.person}", f"--seed={seating.seed}"]
    optional = {
        "game": (seating.game_spec, DEFAULT_GAME),
        "deck": (deck, None),
        "rounds": (seating.rounds, None),
        "move-limit": (seating.move_limit, DEFAULT_MOVE_LIMIT),
    }
    words += [f"--{name}={value}" for name, (value, default) in optional.items() if value != default]
    words += [f"--rule={option}" for option in rule or ()]
    words += ["--allow-cheating"] if seating.allow_cheating else []
    return shlex.join(words)
