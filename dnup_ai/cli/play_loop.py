"""The course of `dnup-ai play`: whose turn it is, what the person types, and what comes of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from dnup_ai.cli import play_screen as screen
from dnup_ai.cli.play_prompt import Ask, show, wait_sign
from dnup_ai.cli.play_save import RecordFile
from dnup_ai.cli.settings import read_seconds
from dnup_ai.errors import DnupError, NotationError
from dnup_ai.lines import Line, Span, line, wrapped
from tournaments.match import Fault

if TYPE_CHECKING:
    from rich.console import Console

    from cython_core.game import Move
    from dnup_ai.search import Budget
    from tournaments.sitting import Sitting


class Next(Enum):
    """What comes after a command: another one, the next thing in the round, or the end."""

    STAY = auto()
    GO_ON = auto()
    LEAVE = auto()


class Complaint(Exception):  # noqa: N818 - it is said, and the person is asked again
    """What is wrong with what the person typed."""


@dataclass
class Hints:
    """How the engine is asked for a hint. bot: None: the game's adviser; budget: of `hint` without seconds."""

    bot: str | None
    budget: Budget


@dataclass
class Course:
    """A sitting that is played, with whoever asks and whatever shows."""

    sitting: Sitting
    console: Console
    ask: Ask
    hints: Hints
    file: RecordFile | None = None
    _menu: list[Move] = field(default_factory=list)
    _over: bool = False  # whether the end of the round has been shown
    _back: bool = False  # whether something has just been taken back

    def run(self) -> None:
        """Play until the person leaves or the match is over; raises KeyboardInterrupt on Ctrl-C, all saved."""
        try:
            while self._step():
                pass
        except EOFError:
            pass
        finally:
            self._save_quietly()

    def _step(self) -> bool:
        """What comes next; returns whether it goes on."""
        sitting = self.sitting
        if sitting.turn is None:
            if not self._over:
                self._over = True
                self._show(screen.round_lines(sitting))
                if sitting.is_over:
                    self._show(screen.match_lines(sitting))
                self._save_quietly()
            return self._between()
        self._over = False
        if sitting.turn == sitting.person:
            return self._own_turn()
        spec = sitting.seating.specs[sitting.turn]
        waits = spec is not None and (bool(spec.file) or spec.takes("iterations"))
        with wait_sign(self.console, f"seat {sitting.turn} thinks", waits):
            found = sitting.ask_bot()
        if not isinstance(found, Fault):
            self._show(screen.folded(screen.event_line(sitting.seating, found)))
        return True

    def _own_turn(self) -> bool:
        # What the bots did has been shown as it happened, but for what was shown before something was taken back.
        if self._back:
            self._back = False
            self._show(screen.event_lines(self.sitting))
        self._draw()
        while True:
            words = [*(str(move) for move in self.sitting.view.legal_moves()), *_COMMANDS]
            text = self.ask("your move> ", words).strip()
            try:
                done = self._command(text)
                if done is None:
                    self._play(self._move(text))
                    return True
                if done is not Next.STAY:
                    return done is Next.GO_ON
            except (Complaint, DnupError) as error:
                self._complain(str(error))

    def _between(self) -> bool:
        """Between rounds, and after the last: Enter goes on."""
        while True:
            last = self.sitting.is_over
            text = self.ask("Enter leaves> " if last else "Enter deals the next round> ", list(_COMMANDS)).strip()
            if not text:
                if last:
                    return False
                self.sitting.next_round()
                self._show([screen.headline(f"round {len(self.sitting.rounds)}")])
                return True
            try:
                done = self._command(text)
                if done is None:
                    raise Complaint(
                        f"the round is over: Enter goes on, or a command ({', '.join(_COMMANDS)}), got {text!r}"
                    )
                if done is not Next.STAY:
                    return done is Next.GO_ON
            except (Complaint, DnupError) as error:
                self._complain(str(error))

    def _move(self, text: str) -> Move:
        """The move that a number or notation means; raises Complaint or NotationError with what is wrong."""
        game, view = self.sitting.seating.game, self.sitting.view
        if not text:
            raise Complaint(f"type a number from 1 to {len(self._menu)}, a move, or help")
        if text.lstrip("+-").isdecimal():
            if not text.isdecimal() or not 1 <= int(text) <= len(self._menu):
                raise Complaint(f"expected a number from 1 to {len(self._menu)}, got {text}")
            return self._menu[int(text) - 1]
        try:
            move = game.parse_move(view.rules, text)
        except NotationError as error:
            raise Complaint(self._unknown(text, error)) from error
        if reason := game.why_illegal(view, move):
            raise Complaint(f"{text} is not possible: {reason}")
        return move

    def _unknown(self, text: str, error: NotationError) -> str:
        """What to say of a text that is no move: it may have been meant for a command."""
        near = difflib.get_close_matches(text.split()[0], _COMMANDS, n=1)
        if near and ":" not in text and "@" not in text:
            return f"unknown {text!r}: did you mean {near[0]!r}?"
        return f"{text!r} is no move: {error}"

    def _play(self, move: Move) -> None:
        ply = self.sitting.play(move)
        self._show(screen.folded(screen.event_line(self.sitting.seating, ply)))
        self._save_quietly()

    def _command(self, text: str) -> Next | None:
        """Do what the text says, if it is a command; None: it is none."""
        name, *words = text.split() or [""]
        if name not in _COMMANDS:
            return None
        most = 1 if name in _WITH_WORD else 0
        if len(words) > most:
            raise Complaint(f"{name}: expected {'one word' if most else 'nothing'} behind it, got {' '.join(words)!r}")
        return _COMMANDS[name](self, words)

    def _hint(self, words: Sequence[str]) -> Next:
        from dataclasses import replace

        from dnup_ai.suggestions import suggest

        sitting = self.sitting
        if sitting.turn is None:
            raise Complaint("hint: the round is over")
        budget = self.hints.budget
        if words:
            budget = replace(budget, iterations=None, wall=read_seconds("hint", words[0]))
        seed = (sitting.seating.seed + len(sitting.round.plies)) % 2**32
        with wait_sign(self.console, "thinking", True):
            found = suggest(
                sitting.view,
                budget=budget,
                bot=self.hints.bot,
                seed=seed,
                history=sitting.round.moves,
                game=sitting.seating.game_spec,
            )
        self._show(screen.hint_lines(sitting.seating.game, sitting.view, found, self._menu))
        return Next.STAY

    def _undo(self, words: Sequence[str]) -> Next:
        rounds = len(self.sitting.rounds)
        taken = self.sitting.undo()
        if not taken:
            raise Complaint("undo: you have not moved yet")
        back = f", back in round {len(self.sitting.rounds)}" if len(self.sitting.rounds) < rounds else ""
        self._show([line(f"{taken} {'move' if taken == 1 else 'moves'} taken back{back}")])
        self._back = True
        self._save_quietly()
        return Next.GO_ON

    def _why(self, words: Sequence[str]) -> Next:
        plies = self.sitting.round.plies
        if not words:
            bots = [turn for turn, ply in enumerate(plies) if ply.seat != self.sitting.person]
            if not bots:
                raise Complaint("why: no bot has moved in this round yet")
            turn = bots[-1]
        else:
            if not words[0].isdecimal() or not 1 <= int(words[0]) <= len(plies):
                raise Complaint(f"why: expected a turn from 1 to {len(plies)} of this round, got {words[0]}")
            turn = int(words[0]) - 1
            if plies[turn].seat == self.sitting.person:
                raise Complaint(f"why: turn {words[0]} was yours")
        self._show(screen.why_lines(self.sitting, turn))
        return Next.STAY

    def _save(self, words: Sequence[str]) -> Next:
        if words:
            if self.file is None or self.file.path != Path(words[0]):
                file = RecordFile(Path(words[0]))
                file.write(self.sitting.records())
                self.file = file
        elif self.file is None:
            raise Complaint("save: expected the name of a file")
        assert self.file is not None
        self.file.write(self.sitting.records())
        self._show([line(f"saved to {self.file.path}, and from now on after each of your moves")])
        return Next.STAY

    def _rules(self, words: Sequence[str]) -> Next:
        page = self.sitting.seating.game.rules_page()
        if self.console.is_terminal:
            from rich.markdown import Markdown

            with self.console.pager(styles=True):
                self.console.print(Markdown(page))
        else:
            print(page, end="")
        return Next.STAY

    def _help(self, words: Sequence[str]) -> Next:
        self._show(screen.help_lines())
        return Next.STAY

    def _table(self, words: Sequence[str]) -> Next:
        if self.sitting.turn is None:
            self._over = False  # the end of the round is shown again
            return Next.GO_ON
        self._show(screen.event_lines(self.sitting))
        self._draw()
        return Next.STAY

    def _draw(self) -> None:
        lines, self._menu = screen.menu_lines(self.sitting.seating.game.move_groups(self.sitting.view))
        self._show([*screen.table_lines(self.sitting), (), *lines])

    def _quit(self, words: Sequence[str]) -> Next:
        return Next.LEAVE

    def _save_quietly(self) -> None:
        """Keep the file up to date, if there is one; the game goes on if that cannot be done."""
        if self.file is not None:
            try:
                self.file.write(self.sitting.records())
            except DnupError as error:
                self._complain(str(error))

    def _show(self, lines: Sequence[Line]) -> None:
        show(self.console, lines)

    def _complain(self, text: str) -> None:
        self._show([(Span(found[0].text, "wrong"),) if found else found for found in wrapped("  ! ", text.split(), 4)])


_COMMANDS: dict[str, Callable[[Course, Sequence[str]], Next]] = {
    "hint": Course._hint,
    "undo": Course._undo,
    "why": Course._why,
    "table": Course._table,
    "save": Course._save,
    "rules": Course._rules,
    "help": Course._help,
    "quit": Course._quit,
}
_WITH_WORD = ("hint", "why", "save")
