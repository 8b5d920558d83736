"""Presets that ship: the TOML files of a folder of the package, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from dnup_ai.errors import ConfigError, did_you_mean

_T = TypeVar("_T")


def preset_names(folder: Traversable) -> tuple[str, ...]:
    """Return the names of the presets in a folder."""
    files = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


def preset_text(folder: Traversable, name: str) -> str:
    """Return the file of a preset; raises ConfigError that lists those there are."""
    return _file(folder, name).read_text(encoding="utf-8")


def read_preset(folder: Traversable, name: str, read: Callable[[Path], _T]) -> _T:
    """Return what `read` finds in the file of a preset; raises ConfigError as `preset_text` does."""
    with resources.as_file(_file(folder, name)) as path:
        return read(path)


def _file(folder: Traversable, name: str) -> Traversable:
    names = preset_names(folder)
    if name not in names:
        raise ConfigError(f"unknown preset {name!r}{did_you_mean(name, names)}; there are {', '.join(names)}")
    return folder / f"{name}.toml"
