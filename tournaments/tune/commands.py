"""Commands that do a study again, or the rest of it, as text for a shell."""

from __future__ import annotations

import os
import shlex
from dataclasses import asdict
from typing import Any

from dnup_ai.games import DEFAULT_GAME, game_named
from dnup_ai.params import describe_params, value_text
from tournaments.config import DEFAULT_MOVE_LIMIT
from tournaments.schedule import LINEUPS
from tournaments.tune.config import ON_FAULT, Study
from tournaments.tune.levels import make_space
from tournaments.tune.study import CONFIRMATION


def repeat_study(study: Study) -> str:
    """Return the command that does a study again."""
    settings = study.to_dict()
    game = game_named(study.game)
    deck = study.deck.name
    words = ["dnup-ai", "tune", str(study.bot), f"--players={','.join(map(str, study.players))}"]
    words += [f"--games={study.games}"] if study.games is not None else [f"--hours={study.hours:g}"]
    words += [f"--seed={study.seed}"]
    words += _parameters(study)
    if not study.default_is_baseline:
        words += [f"--opponent={spec}" for spec in study.opponents]
    defaults: dict[str, Any] = {
        "game": DEFAULT_GAME, "lineup": LINEUPS[0], "unit": "round", "move_limit": DEFAULT_MOVE_LIMIT,
        "on_fault": ON_FAULT[0], "optimiser": Study.optimiser, "settings": Study.settings, "deals": Study.deals,
        "finalists": Study.finalists,
    }  # fmt: skip
    words += [
        f"--{name.replace('_', '-')}={settings[name]}"
        for name, default in defaults.items()
        if settings[name] != default
    ]
    if deck != game.shipped_decks()[0]:
        words.append(f"--deck={deck if deck in game.shipped_decks() else f'{deck}.toml'}")
    words += [f"--rule={name}={value}" for name, value in settings["rules"].items()]
    words += ["--allow-cheating"] if study.allow_cheating else []
    if study.confirm is None:
        words.append("--no-confirm")
    else:
        usual = asdict(CONFIRMATION)
        changed = [f"{name}={value}" for name, value in asdict(study.confirm).items() if value != usual[name]]
        words += [f"--test={','.join(changed)}"] if changed else []
    return shlex.join(words)


def _parameters(study: Study) -> list[str]:
    """The options that give the space: names, if all levels are those that the bot declares."""
    dimensions = study.space.dimensions
    names = [dimension.name for dimension in dimensions]
    declared = {parameter.name for parameter in describe_params(type(study.bot.params)) if parameter.tune}
    if declared.issuperset(names) and make_space(study.bot, study.own_defaults, names) == study.space:
        return [f"--params={','.join(names)}"]
    return [
        f"--levels={dimension.name}={','.join(map(value_text, dimension.levels))}"
        + ("" if dimension.scale == "linear" else f"@{dimension.scale}")
        for dimension in dimensions
    ]


def resume_study(path: str | os.PathLike[str]) -> str:
    """Return the command that goes on with a study, or says again what it found."""
    return shlex.join(["dnup-ai", "tune", "--resume", os.fspath(path)])
