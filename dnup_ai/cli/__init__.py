"""The `dnup-ai` command: parses, calls, prints. Nothing imports this package."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from time import perf_counter

STARTED = perf_counter()
"""When the command began, as far as it can tell: commands with a time limit count from here."""


def main() -> None:
    """Run the command line; an error that the user can put right is one line and exit code 1."""
    from dnup_ai.cli.app import app
    from dnup_ai.errors import DnupError

    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that has no sign for a character is no reason to lose a table.
        sys.stdout.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except DnupError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of a pipe, like `head`, has seen enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # All files are read and written by code that names them; what is left is standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"error: cannot write the output: {error.strerror or error}", file=sys.stderr)
        sys.exit(1)
