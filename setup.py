"""Builds the Cython core; everything else is in pyproject.toml.

Environment: DNUP_NATIVE=1 tunes for this very machine, DNUP_CHECKED=1 builds with the sanitizers (see README.md).
"""

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

# By name: a pattern that finds nothing would build an empty wheel without a word.
MODULES = [
    *("rng", "game", "dnup", "pile", "three_up", "kuhn", "python_state"),
    *("arena", "evaluation", "prover", "ending_graph", "solver", "belief", "search", "bench"),
]

CHECKED = os.environ.get("DNUP_CHECKED") == "1"
NATIVE = os.environ.get("DNUP_NATIVE") == "1"
# A folder per flavour, so that no object file of one is taken for another's.
BUILD = "build/" + ("checked" if CHECKED else "native" if NATIVE else "release")


def compile_flags() -> list[str]:
    """Compiler flags of the version that the environment asks for."""
    if CHECKED:
        # No recovery: the first undefined operation ends the process, so that a test fails.
        return ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags = ["-O3", "-g0"]
    if NATIVE:
        flags.append("-march=native")
    elif platform.machine() in ("x86_64", "AMD64"):
        flags.append("-march=x86-64-v2")  # the floor: a population count is one instruction
    return flags


class HintWatch:
    """Passes standard error on and remembers whether Cython printed a performance hint."""

    def __init__(self) -> None:
        self.seen = False

    def write(self, text: str) -> int:
        self.seen = self.seen or "performance hint" in text
        return sys.__stderr__.write(text)

    def flush(self) -> None:
        sys.__stderr__.flush()


def extensions() -> list[Extension]:
    """The C extensions, translated; a performance hint (a nogil function that takes the GIL) is an error."""
    flags = compile_flags()
    link = ["-fsanitize=address,undefined"] if CHECKED else []
    modules = [
        Extension(f"cython_core.{name}", [f"cython_core/{name}.pyx"], extra_compile_args=flags, extra_link_args=link)
        for name in MODULES
    ]
    sys.stderr = watch = HintWatch()  # type: ignore[assignment]
    try:
        built = cythonize(
            modules,
            build_dir=f"{BUILD}/cython",
            compiler_directives={
                "language_level": 3,
                "boundscheck": CHECKED,
                "wraparound": False,
                "initializedcheck": CHECKED,
                "cdivision": True,
                "freethreading_compatible": False,
            },
        )
    finally:
        sys.stderr = sys.__stderr__
    if watch.seen:
        sys.exit("error: Cython printed a performance hint (above): add `noexcept` or `except` to that function")
    return built


setup(
    ext_modules=extensions(),
    options={"build": {"build_base": BUILD}, "build_ext": {"force": True}},
)
