"""Loads a user's class, a bot or a game, out of a Python file."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
import zlib
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from dnup_ai.errors import DnupError, did_you_mean


def load_class(file: str, name: str, base: type[Any], what: str, error: Callable[[str], DnupError]) -> type[Any]:
    """Return the class `name` of a Python file; a file is run once per process, whatever happens to it later.

    Its folder is added at the end of the import path, so that the file can import its neighbours.
    base: the class that it must subclass; what: the word for such a thing in errors, as `bot`. Raises `error`: no such
    file, a file that does not import (with the exception and its line), no such class (with those that there are), or
    a class that is not whole.
    """
    module = _load_module(Path(file), error)
    found = getattr(module, name, None) if name else None
    if found is None:
        known = [key for key, value in vars(module).items() if _is_own(module, value, base)]
        asked = f"no class {name!r} in {file}{did_you_mean(name, known)}" if name else f"expected {file}:CLASS"
        raise error(f"{asked}; its {what}s: {', '.join(known) or 'none'}")
    if not (isinstance(found, type) and issubclass(found, base)):
        home = f"{base.__module__.rpartition('.')[0]}.{base.__name__}"
        raise error(f"{name!r} in {file} is not a {what}: a {what} is a class that subclasses {home}")
    if inspect.isabstract(found):
        missing = ", ".join(sorted(getattr(found, "__abstractmethods__")))  # noqa: B009
        raise error(f"{name!r} in {file} is not a whole {what}: it has no {missing}")
    return found


def _is_own(module: ModuleType, value: object, base: type) -> bool:
    """Whether it is a class of this kind that this very module defines."""
    return isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__


@cache
def _load_module(file: Path, error: Callable[[str], DnupError]) -> ModuleType:
    path = file.resolve()
    if not path.is_file():
        where = "" if file.is_absolute() else f"; its path is relative to the current folder, {Path.cwd()}"
        raise error(f"no such file: {file}{where}")
    # A name that no other module has; dataclasses and type hints look their module up by it.
    name = f"{path.stem}_{zlib.crc32(str(path).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise error(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        # Standard output is for results, not for what the file prints.
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as cause:
        del sys.modules[name]
        line = _line_of(cause, path)
        place = f", line {line}" if line is not None else ""
        text = " ".join(traceback.format_exception_only(cause)[-1].split())
        raise error(f"{file}{place}: does not import: {text}") from cause
    return module


def _line_of(error: BaseException, path: Path) -> int | None:
    """The line of the file at which it failed, the deepest if there are more."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == str(path)), None)
