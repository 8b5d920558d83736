"""Draws docs/screens/play.svg: some turns of a real match of `dnup-ai play`, as they look in a terminal.

    python benchmarks/screen_play.py [FILE]

What is typed is fixed, and so is the seed; only the hint, which has a second, may differ from run to run.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from dnup_ai.bots import parse_spec
from dnup_ai.cli.play_loop import Course, Hints
from dnup_ai.games import game_named
from dnup_ai.lines import WIDTH
from dnup_ai.search import Budget
from tournaments.person import Seating
from tournaments.sitting import Sitting

TARGET = Path(__file__).parent.parent / "docs" / "screens" / "play.svg"
SPECS = (None, "greedy", "ismcts")
SEED = 12


def main() -> None:
    """Play and draw."""
    os.environ.pop("NO_COLOR", None)
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    game = game_named("dnup")
    deck = game.load_deck("standard")
    specs = tuple(spec and parse_spec(spec) for spec in SPECS)
    seating = Seating(game, deck, game.rules(deck, 3, {}), specs, SEED)
    console = Console(
        record=True,
        width=WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        force_interactive=False,  # no signs that move
        color_system="truecolor",
        highlight=False,
    )
    typed = script(console)

    def ask(prompt: str, words: Sequence[str]) -> str:
        text = next(typed)
        console.print(f"{prompt}{text}", markup=False, soft_wrap=True)
        return text

    sitting = Sitting(seating)
    Course(sitting, console, ask, Hints("ismcts", Budget(wall=1.0))).run()
    sitting.close()
    target.parent.mkdir(parents=True, exist_ok=True)
    picture = console.export_svg(title=f"dnup-ai play greedy ismcts --seat=0 --seed={SEED}")
    # It names fonts of another site, which pages that show pictures do not load.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    target.write_text(picture, encoding="utf-8")


def script(console: Console) -> Iterator[str]:
    """What is typed, turn by turn; the picture begins behind what came before."""
    yield "1"
    console.export_text(clear=True)
    yield from ["1", "hint", "play:5/4", "why", "quit"]


if __name__ == "__main__":
    main()
