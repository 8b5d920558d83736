"""`dnup-ai assist`: follow a real game at a real table, and be told what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dnup_ai.cli.settings import DECK, GAME, RULE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dnup_ai.assist import Settings
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
    from dnup_ai.assist import Session, SessionFile
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
        settings = _settings(game, players, me, _read_tokens(tokens), deck, rule, position)
        # Answers that cannot be are found before there is a file, which would refuse the right ones.
        trial = Session(settings)
        for name, text in answers.items():
            trial.deal({name: text})
        opened = SessionFile.create(path, settings)
        print(f"session in {path}; after a crash or `quit`: dnup-ai assist {path}")
    with opened as kept:
        Follower(kept, advice).run(answers)


def _free_path() -> Path:
    """`assist-1.jsonl`, or where that is taken the next number."""
    return next(path for number in range(1, 10**6) if not (path := Path(f"assist-{number}.jsonl")).exists())


def _load_game(game: str) -> Game:
    """A game of one's own is known by its name once it is loaded."""
    from dnup_ai.games import game_named

    return game_named(game)


def _settings(
    game: str,
    players: int | None,
    me: int | None,
    tokens: tuple[int, ...] | None,
    deck: str | None,
    rule: list[str] | None,
    position: str | None,
) -> Settings:
    """Those of a new session, by the options, the position, and by asking for what neither says."""
    from dnup_ai.assist import Settings
    from dnup_ai.cli.prompt import Prompt
    from dnup_ai.cli.settings import load_deck, read_rules
    from dnup_ai.errors import ConfigError

    played = _load_game(game)
    options = read_rules(played, rule)
    if position is not None:
        found = _settings_of(position, game, deck, options)
        said = (("--players", players, found.players), ("--me", me, found.seat), ("--tokens", tokens, found.tokens))
        for option, given, expected in said:
            if given not in (None, expected):
                raise ConfigError(f"{option}: expected {_listed(expected)}, as the position says, got {_listed(given)}")
        return found
    box = load_deck(played, deck)
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
    return Settings(game, players, me, box, options, tokens or ())


def _settings_of(position: str, game: str, deck: str | None, options: dict[str, Any]) -> Settings:
    """Those that a position says: players, seat, tokens, and the deck, unless it is given."""
    from dnup_ai.assist import Settings
    from dnup_ai.cli.settings import load_deck
    from dnup_ai.errors import ConfigError
    from dnup_ai.games import game_of

    played, named = _load_game(game), game_of(position, game)
    if named.name != played.name:
        raise ConfigError(f"--position: expected one of {played.name}, got one of {named.name}; give --game")
    view = played.parse_position(position, deck and load_deck(played, deck), options)
    if view.view is None:
        raise ConfigError("--position: expected the view of a seat, got the true state")
    if deck is None and view.rules.deck in played.shipped_decks():
        deck = view.rules.deck
    box = load_deck(played, deck)
    return Settings(game, view.players, view.view, box, options, played.tokens_before(view))


def _listed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


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


def _read_tokens(text: str | None) -> tuple[int, ...] | None:
    from dnup_ai.errors import ConfigError

    if text is None:
        return None
    parts = text.replace(" ", ",").split(",")
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise ConfigError(f"--tokens: expected numbers with commas, one per seat, got {text!r}")
    return tuple(map(int, parts))
