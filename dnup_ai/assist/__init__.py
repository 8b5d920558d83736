"""Following a real game from one seat: a session, and the file that it is kept in (docs/assist.md)."""

from dnup_ai.assist.file import SessionFile
from dnup_ai.assist.session import Event, Session
from dnup_ai.assist.settings import Settings

__all__ = ["Event", "Session", "SessionFile", "Settings"]
