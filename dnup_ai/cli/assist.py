"""`dnup-ai assist`: follow a real game at a real table, and be told what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dnup_ai.assist import SessionFile
    from dnup_ai.cli.prompt import Prompt
    from dnup_ai.games import Game


def assist(
    file: Path | None = typer.Argument(
        None, help="File of a session, to go on with, or to be made (default: assist-1.jsonl, or the next free number)."
    ),
    players: int | None = typer.Option(None, "--players", "-n", help="Of a new session: the number of players."),
    me: int | None = typer.Option(None, help="Of a new session: your seat, from 0, clockwise."),
    tokens: str | None = typer.Option(None, help="Of a new session: tokens before the round, by seat, as 0,2,1."),
    hand: str | None = typer.Option(None, help="Of a new session: your hand, like '3/7 5/1 ...', active values first."),
    begins: str | None = typer.Option(None, help="Of a new session: the seat that begins the round."),
    position: str | None = typer.Option(None, help="Of a new session: your view of a round that has begun already."),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    game: str = GAME,
    no_suggest: bool = typer.Option(False, "--no-suggest", help="Suggest only when asked to."),
    time: str = typer.Option("2s", help="How long to think about a suggestion, as 2s or 500ms."),
    bot: str | None = typer.Option(None, help="Who suggests: a bot that searches (default: the game's adviser)."),
    threads: int | None = typer.Option(None, help="Threads of its search."),
    seed: int | None = typer.Option(None, help="Of the suggestions (default: drawn and shown)."),
) -> None:
    """Follow a real game: enter your hand, then each event; it keeps what you know, and suggests when it is your turn.

    The session is kept in a file, line by line: after a crash `dnup-ai assist FILE` goes on with nothing lost.
    """
    from dnup_ai.assist import SessionFile
    from dnup_ai.cli.assist_loop import Advice, Follower
    from dnup_ai.cli.settings import read_seconds
    from dnup_ai.errors import ConfigError

    advice = Advice(read_seconds("--time", time), bot, threads, seed, automatic=not no_suggest)
    advice.check()
    answers = {name: text for name, text in (("hand", hand), ("begins", begins)) if text is not None}
    if position is not None:
        if answers:
            raise ConfigError("--position says all of a deal: expected no --hand and no --begins beside it")
        answers = {"position": position}
    path = file or _free_path()
    if SessionFile.is_there(path):
        given = {"--players": players, "--me": me, "--tokens": tokens, "--deck": deck, "--rule": rule or None}
        given |= {f"--{name}": text for name, text in answers.items()}
        if wrong := [name for name, value in given.items() if value is not None]:
            raise ConfigError(f"{', '.join(wrong)}: {path} is a session already; these are for a new one")
        _load_game(game)
        opened = SessionFile.open(path)
    else:
        opened = _create(path, game, players, me, tokens, deck, rule)
    with opened as kept:
        Follower(kept, advice).run(answers)


def _free_path() -> Path:
    """`assist-1.jsonl`, or where that is taken the next number."""
    return next(path for number in range(1, 10**6) if not (path := Path(f"assist-{number}.jsonl")).exists())


def _load_game(game: str) -> Game:
    """A game of one's own is known by its name once it is loaded."""
    from dnup_ai.games import game_named

    return game_named(game)


def _create(
    path: Path,
    game: str,
    players: int | None,
    me: int | None,
    tokens: str | None,
    deck: str | None,
    rule: list[str] | None,
) -> SessionFile:
    """A new session, by the options, and by asking for what they do not say."""
    from dnup_ai.assist import SessionFile, Settings
    from dnup_ai.cli.prompt import Prompt
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.errors import ConfigError

    played = _load_game(game)
    box = load_deck(played, deck)
    options = read_rules(played, rule)
    counts = played.player_counts(box)
    if players is not None and players not in counts:
        raise ConfigError(f"--players: expected {', '.join(map(str, counts))} with deck {box.name}, got {players}")
    if me is not None and players is not None and not 0 <= me < players:
        raise ConfigError(f"--me: expected 0 to {players - 1}, got {me}")
    prompt = Prompt(lambda before: [])
    if players is None:
        players = _number(prompt, f"players ({', '.join(map(str, counts))}): ", counts)
    if me is None:
        me = _number(prompt, f"your seat (0 to {players - 1}, clockwise): ", range(players))
    settings = Settings(game, players, me, box, options, _read_tokens(tokens))
    print(f"session in {path}; after a crash or `quit`: dnup-ai assist {path}")
    return SessionFile.create(path, settings)


def _number(prompt: Prompt, text: str, allowed: Sequence[int]) -> int:
    while True:
        try:
            typed = prompt.ask(text).strip()
        except (EOFError, KeyboardInterrupt):
            print("nothing was entered, there is no session")
            raise typer.Exit(1) from None
        if typed.isdecimal() and len(typed) < 4 and int(typed) in allowed:
            return int(typed)
        print(f"refused: expected one of {', '.join(map(str, allowed))}, got {typed[:40]!r}")


def _read_tokens(text: str | None) -> tuple[int, ...]:
    from dnup_ai.errors import ConfigError

    if text is None:
        return ()
    parts = text.replace(" ", ",").split(",")
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise ConfigError(f"--tokens: expected numbers with commas, one per seat, got {text!r}")
    return tuple(map(int, parts))
