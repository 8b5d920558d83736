"""How `dnup-ai play` asks and prints: with line editing and completion at a terminal, plainly elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dnup_ai.lines import Line

if TYPE_CHECKING:
    from rich.console import Console

Ask = Callable[[str, Sequence[str]], str]
"""Asks for a line: what stands before it, and what can complete it. Raises EOFError and KeyboardInterrupt."""

_STYLES = {"up": "bold", "turn": "bold green", "own": "bold cyan", "quiet": "dim", "head": "bold", "wrong": "red"}


def show(console: Console, lines: Iterable[Line]) -> None:
    """Print lines, in colour where the terminal has it."""
    from rich.text import Text

    for found in lines:
        text = Text.assemble(*((span.text, _STYLES.get(span.role, "")) for span in found))
        text.rstrip()
        console.print(text, soft_wrap=True)


def make_ask() -> Ask:
    """Return how to ask: with completion if input and output are terminals."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _terminal()
    return _plain


def _plain(prompt: str, words: Sequence[str]) -> str:
    """Without a terminal: a line of standard input, shown behind the prompt as it is not seen there."""
    print(prompt, end="", flush=True)
    if sys.stdin is None:
        raise EOFError
    try:
        text = sys.stdin.readline()
    except UnicodeDecodeError as error:
        raise EOFError("standard input is not text") from error
    if not text:
        print()
        raise EOFError
    print(text.rstrip("\n"))
    return text


def _terminal() -> Ask:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.shortcuts import CompleteStyle

    class Words(Completer):
        """Completes the whole line to one of the words."""

        words: Sequence[str] = ()

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            typed = document.text_before_cursor.lstrip()
            for word in self.words:
                if word.startswith(typed):
                    yield Completion(word, start_position=-len(typed))

    completer = Words()
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=completer,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
    )

    def ask(prompt: str, words: Sequence[str]) -> str:
        completer.words = words
        return session.prompt(prompt)

    return ask


def wait_sign(console: Console, text: str, wanted: bool) -> Any:
    """Return a context in which a terminal says that somebody thinks."""
    from contextlib import nullcontext

    return console.status(text) if wanted and console.is_interactive else nullcontext()
