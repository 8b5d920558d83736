"""What played: versions of the code and of the users' bots, so that a run is not continued by something else."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

import cython_core
import dnup_ai
from dnup_ai.bots.registry import BotSpec

GONE = "gone"

# What decides how a game goes: not the commands, nor what is done with finished games.
_HARNESS = ("schedule.py", "match.py", "table.py", "isolation.py", "bot_process.py", "bot_server.py")


@cache
def code_version() -> str:
    """Return the version of dnup-ai with a fingerprint of the code that plays: equal in equal installations."""
    digest = hashlib.sha256()
    packages = [Path(next(iter(package.__path__))) for package in (cython_core, dnup_ai)]
    files = [
        (f"{package.name}/{path.relative_to(package).as_posix()}", path)
        for package in packages
        for path in package.rglob("*")
        if path.suffix in (".py", ".pyx", ".pxd", ".toml", ".json") and path.relative_to(package).parts[0] != "cli"
    ]
    files += [(f"tournaments/{name}", Path(__file__).with_name(name)) for name in _HARNESS]
    for name, path in sorted(files):
        digest.update(f"{name}\n".encode() + path.read_bytes())
    return f"{metadata.version('dnup-ai')}+{digest.hexdigest()[:12]}"


def bot_hash(spec: BotSpec) -> str:
    """Return a fingerprint of a bot: of its spec, and of the user's files that it plays by (`BotSpec.files`).

    What these files import is not looked at. `gone` if one of them is not there any more.
    """
    digest = hashlib.sha256(str(spec).encode())
    for file in spec.files:
        try:
            digest.update(Path(file).read_bytes())
        except OSError:
            return GONE
    return digest.hexdigest()[:12]
