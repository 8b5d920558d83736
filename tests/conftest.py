"""Guards and fixtures of the suite."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import settings

# How long an example takes says nothing about whether it is right.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    try:
        import cython_core.dnup  # noqa: F401
    except ModuleNotFoundError as error:
        pytest.exit(f"the core is not compiled here ({error}): run `make test`, or `pip install -e .` first", 4)


@dataclass(frozen=True)
class Run:
    """What a command did, as its user sees it."""

    code: int
    out: str
    err: str


@pytest.fixture
def dnup_ai(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Call `dnup-ai` with arguments, through its entry point; `stdin` is what it can read."""
    from io import StringIO

    from dnup_ai.cli import main

    def run(*args: object, stdin: str = "") -> Run:
        monkeypatch.setattr(sys, "argv", ["dnup-ai", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        monkeypatch.setenv("COLUMNS", "80")
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run
