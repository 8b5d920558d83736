"""Makes docs/screens/assist.svg of a real run: `python docs/screens/assist.py`."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

TYPED = ["2/4 4/3 5/2 5/7 5/8 6/7 7/1 7/2", "2", "p 2/4", "p 2/3 2/8", "t2", "p 8/1", "p 6/3 6/4"]
OPTIONS = ["--players", "3", "--me", "0", "--time", "1s", "--seed", "1"]


def main() -> None:
    """Run a few turns, and write what was on the screen as a picture."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-c", "from dnup_ai.cli import main; main()", "assist", "friday.jsonl", *OPTIONS],
            input="\n".join(TYPED) + "\n",
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env=os.environ | {"COLUMNS": "80"},
        )
    shown = run.stdout.splitlines()
    # Up to the first suggestion's moves in words, and the events after it.
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ dnup-ai assist friday.jsonl --players 3 --me 0", style="bold"))
    suggestions = 0
    for line in shown:
        suggestions += line.startswith("┏")
        if suggestions > 1:
            break
        prompt = re.match(r"(seat \d( \(you\))?>|your 8 cards.*first:|seat that .* begins:)", line)
        text = Text(line)
        if prompt:
            text.stylize("bold green", 0, prompt.end())
        elif line.startswith("refused"):
            text.stylize("red")
        console.print(text, soft_wrap=False)
    Path(__file__).with_suffix(".svg").write_text(console.export_svg(title="dnup-ai assist"), encoding="utf-8")


if __name__ == "__main__":
    main()
