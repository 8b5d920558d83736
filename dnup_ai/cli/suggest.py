"""`dnup-ai suggest`: what to do in a position, how sure that is, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dnup_ai.cli.settings import DECK, GAME, PLAYERS, RULE

if TYPE_CHECKING:
    from cython_core.game import Move, State
    from dnup_ai.beliefs import SeatBelief
    from dnup_ai.games import Game
    from dnup_ai.search import Budget

_TOLD = "A table told by a person"
_THINKING = "Thinking"
_OUTPUT = "Output"


def suggest(
    position: str | None = typer.Argument(
        None, help="A position (docs/notation.md), - to read it from standard input, or a file with one."
    ),
    record: Path | None = typer.Option(None, help="Records, or a tournament's file; with --round and --move."),
    round: str | None = typer.Option(
        None, help="Of records the line, from 1; of a tournament the GAME, or GAME.ROUND."
    ),
    move: int | None = typer.Option(None, help="The position after it, as `replay --show` counts; 0: the start."),
    players: int | None = typer.Option(None, help=f"{PLAYERS}.", rich_help_panel=_TOLD),
    me: int | None = typer.Option(None, help="Your seat, from 0; you are to move.", rich_help_panel=_TOLD),
    hand: str | None = typer.Option(None, help="Your cards, upper end first: '3/6 5/1 2/7'.", rich_help_panel=_TOLD),
    table: str | None = typer.Option(None, help="The sets, a list per zone: '-;4/6 4/8;-'.", rich_help_panel=_TOLD),
    counts: str | None = typer.Option(None, help="Cards in hand by seat: 3,8,8.", rich_help_panel=_TOLD),
    seen: str | None = typer.Option(None, help="Discarded cards: '1/4 2/6 3/5'.", rich_help_panel=_TOLD),
    forgotten: int = typer.Option(0, help="How many more cards are discarded.", rich_help_panel=_TOLD),
    known: str | None = typer.Option(
        None, help="Cards in other hands that all have seen, a list per seat: '-;4/6;-'.", rich_help_panel=_TOLD
    ),
    star: int | None = typer.Option(None, help="The seat that has the starred card in hand.", rich_help_panel=_TOLD),
    zone: int | None = typer.Option(None, help="At 2 players: which of your two turns it is.", rich_help_panel=_TOLD),
    out: str | None = typer.Option(None, help="The seat that is out.", rich_help_panel=_TOLD),
    tokens: str | None = typer.Option(None, help="Tokens by seat before this round: 0,2,1.", rich_help_panel=_TOLD),
    time: str | None = typer.Option(None, help="To think: 2s (default), 500ms, 1m.", rich_help_panel=_THINKING),
    iterations: int | None = typer.Option(None, help="At most so many, by each thread.", rich_help_panel=_THINKING),
    threads: int | None = typer.Option(None, help="1 to 64.", rich_help_panel=_THINKING),
    bot: str | None = typer.Option(
        None, help="As in `dnup-ai bots`, or my_bots.py:Class (default: the game's adviser).", rich_help_panel=_THINKING
    ),
    seed: int | None = typer.Option(None, help="0 to 4294967295; drawn if not given.", rich_help_panel=_THINKING),
    utility: str | None = typer.Option(
        None, help="tokens of the round, or match: the chance to win it.", rich_help_panel=_THINKING
    ),
    top: int = typer.Option(10, help="So many moves at most.", rich_help_panel=_OUTPUT),
    beliefs: bool = typer.Option(
        False, "--beliefs", help="Also what the others may hold: chances of cards and values.", rich_help_panel=_OUTPUT
    ),
    as_json: bool = typer.Option(False, "--json", help="JSON (docs/suggest.md).", rich_help_panel=_OUTPUT),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Nothing while it thinks.", rich_help_panel=_OUTPUT),
    deck: str | None = DECK,
    rule: list[str] | None = RULE,
    game: str = GAME,
) -> None:
    """Say what to do in a position: the moves, what they are worth, how sure that is, and why.

    The time counts from the start of the command. Ctrl-C ends the thinking with the answer so far.

    Exit codes: 0 an answer, 1 an error in what was given, 2 no such option, 130 Ctrl-C with no answer yet.
    """
    from time import perf_counter

    from dnup_ai.cli import STARTED
    from dnup_ai.cli.interrupts import interruptible
    from dnup_ai.cli.thinking import live_answer
    from dnup_ai.cli.told import Source, find_position
    from dnup_ai.suggestions import suggest as ask
    from dnup_ai.table_talk import TableTalk

    told = TableTalk(players, me, hand, table, counts, seen, forgotten, known, star, None, zone, out, tokens)
    found, state, history = find_position(Source(position, record, round, move, told, deck, rule, game))
    budget = _budget(time, iterations)
    with interruptible() as stop, live_answer(found, quiet) as progress:
        answer = ask(
            state,
            budget=budget,
            bot=bot,
            threads=threads,
            utility=utility,
            seed=seed,
            history=history,
            game=game,
            top=top,
            progress=progress,
            stop=stop,
            spent=perf_counter() - STARTED,
        )
    view = state.observe(answer.seat) if state.view is None else state
    believed = _beliefs(found, view, bot, answer.seed, history) if beliefs else None
    if as_json:
        import json

        extra = {} if believed is None else {"beliefs": [seat.to_dict() for seat in believed]}
        print(json.dumps(answer.to_dict() | extra, indent=2))
        return
    from dnup_ai.cli.answers import print_answer, print_beliefs

    print_answer(found, view, answer, len(view.legal_moves()), "--top")
    if believed is not None:
        print_beliefs(believed)
    if note := found.deck_note(view.rules.deck):
        print()
        print(note)


def _budget(time: str | None, iterations: int | None) -> Budget | None:
    from dnup_ai.cli.settings import read_seconds
    from dnup_ai.errors import ConfigError
    from dnup_ai.search import Budget

    if iterations is not None and not 1 <= iterations <= 10**12:
        raise ConfigError(f"--iterations: expected 1 or more, got {iterations}")
    wall = None if time is None else read_seconds("--time", time)
    return None if wall is None and iterations is None else Budget(iterations, wall)


def _beliefs(game: Game, view: State, bot: str | None, seed: int, history: list[Move]) -> tuple[SeatBelief, ...]:
    from cython_core.rng import Rng
    from dnup_ai.beliefs import MANY, believe, seat_beliefs
    from dnup_ai.suggestions import search_params

    return seat_beliefs(game, view, believe(view, Rng(seed, 1), history, MANY, search_params(bot, game)))
