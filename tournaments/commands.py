"""Commands that play a tournament again, or the rest of it, as text for a shell."""

from __future__ import annotations

import os
import shlex
from typing import Any

from dnup_ai.games import DEFAULT_GAME, game_named
from tournaments.config import DEFAULT_MOVE_LIMIT


def repeat_command(settings: dict[str, Any]) -> str:
    """Return the command that plays a tournament again; settings: `Tournament.to_dict`."""
    game = game_named(settings["game"])
    words = ["dnup-ai", "tournament", "run", *settings["bots"]]
    words += [f"--{name}={settings[name]}" for name in ("players", "deals", "seed")]
    deck = settings["deck"]["name"]
    of_two = settings["format"] == "head-to-head"
    optional = {
        "game": (settings["game"], DEFAULT_GAME),
        "format": (settings["format"], "round-robin"),
        "lineup": (settings["lineup"], settings["lineup"] if not of_two else "alternating"),
        "challengers": (settings["challengers"], 1),
        "max-lineups": (settings["max_lineups"], 1000),
        "unit": (settings["unit"], "round"),
        "deck": (deck if deck in game.shipped_decks() else f"{deck}.toml", game.shipped_decks()[0]),
        "move-limit": (settings["move_limit"], DEFAULT_MOVE_LIMIT),
        "on-fault": (settings["on_fault"], "forfeit"),
    }
    words += [f"--{name}={value}" for name, (value, default) in optional.items() if value != default]
    words += ["--allow-cheating"] if settings["allow_cheating"] else []
    if settings["sprt"] is not None:
        given = {name: value for name, value in settings["sprt"].items() if value is not None}
        words.append("--sprt=" + ",".join(f"{name}={value}" for name, value in given.items()))
    words += [f"--rule={name}={value}" for name, value in settings["rules"].items()]
    return shlex.join(words)


def report_command(path: str | os.PathLike[str]) -> str:
    """Return the command that makes a page with plots of the file of a tournament."""
    return shlex.join(["dnup-ai", "tournament", "report", os.fspath(path)])


def resume_command(path: str | os.PathLike[str]) -> str:
    """Return the command that plays what the file of a tournament lacks."""
    return shlex.join(["dnup-ai", "tournament", "resume", os.fspath(path)])
