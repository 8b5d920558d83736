"""Files of fitted weights, JSON: one for each game, number of players, and kind of rules that they were fitted on.

`GAME-PLAYERS.json` is for the rules and the number of cards of the game's first deck, `GAME-PLAYERS-ANYTHING.json` for
others. Which it is says the key `rules` in the file, the game's Rules.evaluation_key().
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from cython_core.evaluation import Evaluator, LinearEvaluator
from cython_core.game import Rules
from dnup_ai.errors import DnupError

VERSION = 1
WEIGHTS_SUFFIX = ".json"
_KEYS = ("version", "game", "players", "rules", "features", "hash", "weights", "later", "fit")


class WeightsError(DnupError):
    """A file of weights that cannot be read, or is not for these rules; the message names the file and the remedy."""


@dataclass(frozen=True)
class Weights:
    """Fitted weights.

    game, players, rules: what they were fitted on, `rules` as Rules.evaluation_key() gives it; features: their names,
    in the core's order; weights: one for each; later: the factor of the strengths for places after the next one; fit:
    how they were made, for people.
    """

    game: str
    players: int
    rules: Mapping[str, Any]
    features: tuple[str, ...]
    weights: tuple[float, ...]
    later: float
    fit: Mapping[str, Any]

    def __str__(self) -> str:
        """The file: numbers by the name of their feature, so that a reader sees what counts."""
        content = {
            "version": VERSION,
            "game": self.game,
            "players": self.players,
            "rules": dict(self.rules),
            "features": list(self.features),
            "hash": fingerprint(self.game, self.players, self.rules, self.features),
            "weights": dict(zip(self.features, self.weights, strict=True)),
            "later": self.later,
            "fit": dict(self.fit),
        }
        return json.dumps(content, indent=1) + "\n"


def fingerprint(game: str, players: int, rules: Mapping[str, Any], features: Sequence[str]) -> str:
    """Return the hash of all that weights depend on: equal exactly if they may be used."""
    text = json.dumps([game, players, sorted(rules.items()), list(features)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def expected_fingerprint(rules: Rules) -> str:
    """Return the hash that weights for these rules must bear."""
    return fingerprint(rules.game, rules.players, rules.evaluation_key(), rules.feature_names())


def read_weights(path: str | os.PathLike[str] | Traversable) -> Weights:
    """Read a file of weights; raises WeightsError if it is not one, or does not hold what its hash says."""
    file = path if isinstance(path, Traversable) else Path(path)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{path}: cannot read these weights: {error.strerror or error}") from error
    except ValueError as error:
        raise WeightsError(f"{path}: not a file of weights: {error}") from error
    try:
        return _checked(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WeightsError(f"{path}: not a file of weights: {error}") from error


def _checked(content: Any) -> Weights:
    if not isinstance(content, dict) or set(content) != set(_KEYS):
        raise ValueError(f"expected the keys {', '.join(_KEYS)}")
    if content["version"] != VERSION:
        raise ValueError(f"expected version {VERSION}, got {content['version']!r}")
    features = tuple(map(str, content["features"]))
    if tuple(content["weights"]) != features:
        raise ValueError("the names of the weights are not those of the features")
    numbers = tuple(float(weight) for weight in content["weights"].values())
    found = Weights(
        str(content["game"]),
        int(content["players"]),
        content["rules"],
        features,
        numbers,
        float(content["later"]),
        content["fit"],
    )
    if content["hash"] != fingerprint(found.game, found.players, found.rules, found.features):
        raise ValueError(f"the hash {content['hash']!r} is not that of its game, players, rules and features")
    return found


def evaluator_from(weights: Weights, rules: Rules, where: str = "weights") -> LinearEvaluator:
    """Return the evaluator with these weights.

    Raises WeightsError that names the difference if they were fitted on another game or number of players, on rules
    that make other positions, or on other features than there are now.
    """
    for what, fitted, wanted in (
        ("game", weights.game, rules.game),
        ("players", weights.players, rules.players),
        ("rules", dict(weights.rules), rules.evaluation_key()),
    ):
        if fitted != wanted:
            raise WeightsError(f"{where}: fitted for {what} {fitted}, not for {wanted}; fit new ones: dnup-ai fit-eval")
    names = rules.feature_names()
    if weights.features != names:
        other = sorted(set(weights.features) ^ set(names))
        different = f"different: {', '.join(other)}" if other else "in another order"
        raise WeightsError(f"{where}: fitted on other features ({different}); fit new ones: dnup-ai fit-eval")
    try:
        return LinearEvaluator(rules, weights.weights, weights.later)
    except ValueError as error:
        raise WeightsError(f"{where}: {error}") from error


def weights_folder() -> Traversable:
    """Return the folder of the weights that ship."""
    return resources.files(__package__) / "weights"


def fitted_evaluator(rules: Rules, folder: Traversable | None = None) -> LinearEvaluator | None:
    """Return the evaluator whose weights ship for these rules; None if none were fitted for them.

    Raises WeightsError if there are some and the features have changed since.
    """
    where = weights_folder() if folder is None else folder
    if not rules.feature_names() or not where.is_dir():
        return None
    stem = f"{rules.game}-{rules.players}"
    for file in sorted(where.iterdir(), key=lambda file: (len(file.name), file.name)):
        if file.name == f"{stem}.json" or (file.name.startswith(f"{stem}-") and file.name.endswith(".json")):
            weights = read_weights(file)
            same = {**weights.rules, "version": None} == {**rules.evaluation_key(), "version": None}
            if (weights.game, weights.players) == (rules.game, rules.players) and same:
                return evaluator_from(weights, rules, file.name)
    return None


@lru_cache(maxsize=64)
def evaluator_for(rules: Rules, evaluation: str) -> Evaluator:
    """Return what the parameter `evaluation` names; files are read once in a process.

    evaluation: `fitted`, the weights that ship for the rules, or where none do the simple one; `simple`; or the path of
    a file of weights. Raises WeightsError if that cannot be read, or is not for these rules.
    """
    if evaluation.endswith(WEIGHTS_SUFFIX):
        return evaluator_from(read_weights(evaluation), rules, evaluation)
    return (fitted_evaluator(rules) if evaluation == "fitted" else None) or Evaluator()
