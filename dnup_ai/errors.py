"""What goes wrong in ways that the user can put right: one line each, naming the place and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the known name that is nearest to an unknown one, to go on in a message; empty if none is near."""
    near = difflib.get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


class DnupError(Exception):
    """Base of every error that the command line prints as one line, with exit code 1."""


class DeckError(DnupError):
    """A deck that cannot be found, read or played; the message names the file and the place in it."""


class NotationError(DnupError):
    """Text that is not the notation of docs/notation.md; the message names the field and the column."""


class BotError(DnupError):
    """A bot specification that names no bot, or gives it parameters that it does not take."""


class RecordError(DnupError):
    """A record that does not replay; the message names file, line and move."""


class ConfigError(DnupError):
    """A setting of a tournament that cannot be played."""


class StoreError(DnupError):
    """A tournament file that cannot be made, read or written; the message names the file and what to do."""


class EventError(DnupError):
    """An event that cannot have happened at the table, or not now; the message says why."""
