"""The arrows of the house point down: cython_core <- dnup_ai <- tournaments <- dnup_ai.cli."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["cython_core", "dnup_ai", "tournaments", "dnup_ai.cli"]
FILES = [path for package in ("cython_core", "dnup_ai", "tournaments") for path in (ROOT / package).rglob("*")]
SOURCES = sorted(path for path in FILES if path.suffix in (".py", ".pyx", ".pxd", ".pyi"))

CIMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)


def layer(module: str) -> int | None:
    """The floor of a module, None if it is not of the project."""
    found = [i for i, name in enumerate(LAYERS) if module == name or module.startswith(name + ".")]
    return max(found, default=None)


def imports(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".pyx", ".pxd"):
        return ["".join(pair) for pair in CIMPORT.findall(text)]
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides which floor it is from"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_points_up(path):
    own = layer(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for name in imports(path):
        if (target := layer(name)) is not None:
            assert target <= own, f"{path.relative_to(ROOT)} imports {name}"


def test_the_walk_sees_the_sources():
    """It would pass on an empty list too."""
    names = {path.name for path in SOURCES}
    assert {"dnup_rules.pxd", "game.pyx", "dnup.pyi", "runner.py", "app.py"} <= names
    assert "cython_core.rng" in imports(ROOT / "cython_core" / "game.pyx")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_nogil_function_says_how_it_fails(path):
    """A plain `cdef void f() nogil` takes the GIL to look for an exception."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.match(r"\s*(cdef|cpdef)\b.*\bnogil:?$", line):
            assert "noexcept" in line or "except " in line, f"{path.name}: {line.strip()}"
