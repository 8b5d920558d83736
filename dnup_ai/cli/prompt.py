"""Asking a person for lines: with line editing and completion at a terminal, plainly elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence

Words = Callable[[Sequence[str]], Sequence[str]]
"""Returns the words that may come behind those that are typed already."""


class Prompt:
    """Asks for lines. `ask` raises EOFError at the end of the input, KeyboardInterrupt for Ctrl-C."""

    def __init__(self, words: Words) -> None:
        terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
        self.ask = _terminal(words) if terminal and os.environ.get("TERM") != "dumb" else _plain


def _plain(text: str) -> str:
    """A line of standard input, repeated behind the prompt, since nobody has seen it typed there."""
    print(text, end="", flush=True)
    if sys.stdin is None:
        raise EOFError
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError as error:
        raise EOFError from error
    echo = line.rstrip("\n") if not sys.stdin.isatty() else ""
    if echo or not line.endswith("\n"):
        print(echo)
    elif not sys.stdin.isatty():
        print()
    if not line.endswith("\n"):
        # What stands before the end of the input without a line end was not entered.
        raise EOFError
    return line[:-1]


def _terminal(words: Words) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.shortcuts import CompleteStyle

    class NextWord(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            typed = document.text_before_cursor.replace(",", " ").split(" ")
            before, begun = [word for word in typed[:-1] if word], typed[-1]
            for word in words(before):
                if word.startswith(begun):
                    yield Completion(word, start_position=-len(begun))

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=NextWord(),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
    )
    return lambda text: session.prompt(text)
