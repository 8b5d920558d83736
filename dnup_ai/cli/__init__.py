"""The `dnup-ai` command: parses, calls, prints. Nothing imports this package."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; an error that the user can put right is one line and exit code 1."""
    from dnup_ai.cli.app import app
    from dnup_ai.errors import DnupError

    try:
        app()
    except DnupError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        # The reader of a pipe, like `head`, has seen enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
