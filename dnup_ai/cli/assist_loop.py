"""The dialogue of `dnup-ai assist`: one line after the other, each kept in the file before the next is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cython_core.game import State
from cython_core.rng import Rng
from dnup_ai.assist import Event, Session, SessionFile
from dnup_ai.beliefs import MANY, believe, seat_beliefs
from dnup_ai.cli.answers import print_answer, print_beliefs
from dnup_ai.cli.interrupts import interruptible
from dnup_ai.cli.prompt import Prompt
from dnup_ai.cli.settings import read_seconds
from dnup_ai.cli.thinking import live_answer
from dnup_ai.errors import ConfigError, DnupError, EventError
from dnup_ai.suggestions import Suggestion, search_params, suggest

COMMANDS = {
    "show": ("show", "what you know, drawn"),
    "suggest": ("suggest [TIME]", "what to do, thought about for so long, as 5s"),
    "beliefs": ("beliefs", "what the others may hold, with chances"),
    "undo": ("undo [N]", "takes back the last event, or the last N"),
    "events": ("events", "lists what undo can take back"),
    "note": ("note WORDS", "writes a remark into the file"),
    "round": ("round", "goes on to the next round; breaks this one off, after asking, if it is not over"),
    "help": ("help", "this"),
    "quit": ("quit", "ends; all is in the file (also: Ctrl-D)"),
}
_MOVES_SHOWN = 5


@dataclass(frozen=True)
class Advice:
    """How to suggest: seconds of the clock, the bot, its threads and seed, and whether to do it unasked."""

    seconds: float
    bot: str | None
    threads: int | None
    seed: int | None
    automatic: bool

    def check(self) -> None:
        """Raise BotError or ConfigError if nothing can be suggested like this, before a game is under way."""
        from dnup_ai.bots.registry import parse_spec

        if self.bot is not None and parse_spec(self.bot).sees_all:
            raise ConfigError(f"--bot {self.bot}: it looks at hidden cards, which nobody can show it here")
        if self.seed is not None and not 0 <= self.seed < 2**32:
            raise ConfigError(f"--seed: expected 0 to {2**32 - 1}, got {self.seed}")
        if self.threads is not None and not 1 <= self.threads <= 64:
            raise ConfigError(f"--threads: expected 1 to 64, got {self.threads}")

    def ask(self, view: State, session: Session, seconds: float | None = None) -> Suggestion:
        """Return what to do; Ctrl-C ends the search early, with the answer so far."""
        with interruptible() as stop, live_answer(session.game, quiet=False) as progress:
            return suggest(
                view,
                budget=seconds or self.seconds,
                bot=self.bot,
                threads=self.threads,
                seed=self.seed,
                history=session.now.moves,
                game=session.settings.game,
                top=_MOVES_SHOWN,
                progress=progress,
                stop=stop,
            )


class Follower:
    """Asks for events, notes those that can be, and says what follows from them."""

    def __init__(self, file: SessionFile, advice: Advice) -> None:
        self._file = file
        self._session = file.session
        self._advice = advice
        self._prompt = Prompt(self._words)
        self._done = False

    def run(self, answers: Mapping[str, str]) -> None:
        """Follow until the person quits; answers: to the questions of the first deal, from the command line."""
        self._say_where()
        for name, text in answers.items():
            self._note(lambda session, name=name, text=text: session.deal({name: text}))  # type: ignore[misc]
        if answers or self._session.my_turn:
            self._say_next()
        while not self._done:
            try:
                line = self._prompt.ask(self._prompt_text()).strip()
            except KeyboardInterrupt:
                print("Ctrl-D or quit ends")
                continue
            except EOFError:
                break
            if not line:
                continue
            try:
                self._take(line)
            except EventError as error:
                print(f"refused: {error}")
            except DnupError as error:
                print(f"not understood: {error}")
        print(f"go on with: dnup-ai assist {self._file.path}")

    # --- what is typed

    def _take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in COMMANDS:
            commands: dict[str, Callable[[str], None]] = {
                "show": self._show,
                "suggest": self._suggest,
                "beliefs": self._beliefs,
                "undo": self._undo,
                "events": self._events,
                "note": lambda text: self._note(lambda session: session.note(text)),
                "round": self._round,
                "help": self._help,
                "quit": self._quit,
            }
            commands[word](rest.strip())
            return
        session = self._session
        if question := session.question:
            self._note(lambda session: session.deal({question.name: line}))
        elif session.pending:
            self._note(lambda session: session.show(line))
        else:
            self._note(lambda session: session.play(line))
        self._say_next()

    def _note(self, take: Callable[[Session], Event]) -> None:
        """Note an event that can be, and wait until the disk has it."""
        self._file.append(take(self._session))

    def _undo(self, rest: str) -> None:
        count = self._count(rest)
        taken = self._session.undoable[-count:]
        self._note(lambda session: session.undo(count))
        for text in reversed(taken):
            print(f"taken back: {text}")
        self._say_next(suggesting=False)

    def _count(self, text: str) -> int:
        if text and not (text.isdecimal() and len(text) < 7):
            raise EventError(f"undo: expected how many events, got {text[:40]!r}")
        return int(text or 1)

    def _round(self, rest: str) -> None:
        session = self._session
        broken_off = session.view is not None and not session.round_over
        if broken_off:
            try:
                sure = self._prompt.ask("the round is not over; break it off? (yes/no) ").strip()
            except (EOFError, KeyboardInterrupt):
                sure = ""
            if sure not in ("y", "yes"):
                print("the round goes on")
                return
        self._note(lambda session: session.next_round(broken_off=broken_off))
        self._say_next()

    def _events(self, rest: str) -> None:
        for number, text in enumerate(self._session.undoable, 1):
            print(f"{number:4}. {text}")

    def _help(self, rest: str) -> None:
        listed = [("events, of the seat whose turn it is:", "")]
        listed += [(f"  {short}", meaning) for short, meaning in self._session.game.event_help]
        listed += [("  or in full", "as in the notation of the game, like the moves that are suggested")]
        listed += [("commands:", ""), *((f"  {usage}", meaning) for usage, meaning in COMMANDS.values())]
        for left, right in listed:
            print(f"{left:<18} {right}".rstrip())

    def _quit(self, rest: str) -> None:
        self._done = True

    # --- what is said

    def _show(self, rest: str) -> None:
        view = self._session.view
        if view is None:
            raise EventError("no round has begun, so there is nothing to show")
        print(self._session.game.draw(view))

    def _suggest(self, rest: str) -> None:
        session = self._session
        seconds = read_seconds("suggest", rest) if rest else None
        view = session.view
        if view is None or not session.my_turn:
            raise EventError("it is not your turn, so there is nothing to suggest")
        print_answer(session.game, view, self._advice.ask(view, session, seconds), len(view.legal_moves()))

    def _beliefs(self, rest: str) -> None:
        session = self._session
        view = session.view
        if view is None or session.pending:
            raise EventError("nothing is believed before a deal is told, or while a card is to be named")
        rng = Rng(self._advice.seed or 0, 1)
        params = search_params(self._advice.bot, session.game)
        belief = believe(view, rng, session.now.moves, MANY, params)
        print_beliefs(seat_beliefs(session.game, view, belief))

    def _say_where(self) -> None:
        session = self._session
        settings = session.settings
        print(f"{session.game.name}, {settings.players} players, you are seat {settings.seat}; help lists what to type")
        if self._file.dropped:
            print(f"the last line of {self._file.path} was cut off and is dropped: {self._file.dropped[:60]!r}")
        if session.undoable:
            print(f"{len(session.undoable)} events so far, the last: {session.undoable[-1]}")
            if session.view is not None:
                self._show("")
        elif note := session.game.deck_note(settings.deck.name):
            print(note)

    def _say_next(self, suggesting: bool = True) -> None:
        """Say what the last event led to."""
        session = self._session
        if session.round_over:
            points = ", ".join(f"seat {seat} {n}" for seat, n in enumerate(session.tokens))
            print(f"the round is over; {session.game.points} now: {points}")
            if session.winner is not None:
                print(f"seat {session.winner} has won the match")
            else:
                print("round goes on with the next one")
        elif suggesting and session.my_turn and self._advice.automatic:
            self._suggest("")

    def _prompt_text(self) -> str:
        session = self._session
        if question := session.question:
            return f"{question.text}: "
        if session.pending:
            cards = "the card" if session.pending == 1 else f"the {session.pending} cards"
            return f"{cards} that you have seen now: "
        view = session.view
        if view is None or view.turn is None:
            return "> "
        return f"seat {view.turn} (you)> " if session.my_turn else f"seat {view.turn}> "

    def _words(self, before: Sequence[str]) -> Sequence[str]:
        """What may come next, for completion."""
        session = self._session
        view = session.view
        commands = [] if before else list(COMMANDS)
        if view is None or view.turn is None or session.pending:
            return commands
        words = list(before)
        if words and words[0].endswith(":"):
            words = words[1:]
        return [*session.game.event_words(view, words), *commands]
