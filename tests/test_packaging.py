"""What is built is whole: an sdist builds a wheel, and the wheel has all that its users need."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Read, not imported: setup.py would build.
COMPILED = re.findall(r'"(\w+)"', re.search(r"^MODULES = \[(.*?)\]", (ROOT / "setup.py").read_text(), re.M | re.S)[1])


@pytest.mark.slow
def test_a_wheel_from_the_sdist_is_whole_and_works(tmp_path):
    """With build isolation and a fresh environment, as on a machine that has only Python and a C compiler."""
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path, ROOT], check=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, sdist], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "search" in COMPILED
    for module in COMPILED:
        assert any(name.startswith(f"cython_core/{module}.") and name.endswith(".so") for name in names), module
    for source in (ROOT / "cython_core").glob("*.p*"):
        if source.suffix in (".py", ".pyx", ".pxd", ".pyi"):
            assert f"cython_core/{source.name}" in names
    assert {"cython_core/py.typed", "dnup_ai/py.typed", "tournaments/py.typed"} <= set(names)
    assert {"dnup_ai/decks/standard.toml", "tournaments/presets/quick.toml"} <= set(names)
    assert {f"tournaments/report/templates/report.{end}" for end in ("html", "css")} <= set(names)
    assert "dnup_ai/evaluation/weights/dnup-3.json" in names
    assert zipfile.ZipFile(wheel).read("dnup_ai/games/dnup.md") == (ROOT / "docs" / "rules.md").read_bytes()

    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    subprocess.run([home / "bin" / "pip", "install", "-q", wheel], check=True)
    command = [
        home / "bin" / "dnup-ai",
        "tournament",
        "run",
        "greedy",
        "random",
        "--players",
        "2",
        "--deals",
        "20",
        "--store",
        ":memory:",
    ]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "40 rounds on 20 deals" in run.stdout
