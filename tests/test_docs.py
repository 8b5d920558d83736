"""README.md and docs/bots.md: their Python runs, their commands run, and what is printed there is what is printed.
Of all pages: what they name is there.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "docs/bots.md"]
ALL_PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/*.md"))]
SURE = ("deal", "show", "decks", "replay")
"""Commands whose output does not depend on times or on how well bots play: it must be what the page shows."""


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[tuple[str, list[str]]]:
    """The commands of a page, each with the lines that it prints as far as the page shows them."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_python_with_prompts_prints_what_it_shows(page):
    for source in blocks(page, "python"):
        if source.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(source, {}, page, page, 0)
            assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_commands_run_and_print_what_is_shown(page, tmp_path):
    """In an empty folder with the page's my_bots.py, in order: later commands may need files of earlier ones."""
    (bots,) = [source for source in blocks(page, "python") if source.startswith("# my_bots.py\n")]
    (tmp_path / "my_bots.py").write_text(bots)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "80"}
    listed = commands(page)
    assert listed
    for command, shown in listed:
        assert command.startswith("dnup-ai ")
        faster = f"{command} --repeats 1" if command == "dnup-ai bench" else command
        run = subprocess.run(
            faster, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert run.returncode == 0, f"{command}: {run.stderr}"
        printed = [line.rstrip() for line in run.stdout.splitlines()]
        if command.split()[1] in SURE and "bots.py" not in command and "--show" not in command:
            assert printed[: len(shown)] == shown, command
        elif shown:
            assert printed[0] == shown[0] or "repeats" in shown[0] or "line 1:" in shown[0], command


@pytest.mark.parametrize("page", ALL_PAGES)
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text):
        if target.startswith(("http:", "https:")):
            continue
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), f"{page}: {target}"
        assert not anchor or anchor in anchors(file), f"{page}: {target}#{anchor}"


def anchors(file: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", ALL_PAGES)
def test_tests_that_are_named_exist(page):
    """As `tests/x.py`, `test_x.py`, and `test_x.py::test_y`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for name, test in re.findall(r"\b(?:tests/(?=\w)|(?=test_))(\w+\.py)(?:::(\w+))?", text):
        file = ROOT / "tests" / name
        assert file.is_file(), f"{page}: {name}"
        assert not test or f"\ndef {test}(" in file.read_text(encoding="utf-8"), f"{page}: {name}::{test}"


def test_every_file_of_tests_is_listed():
    page = (ROOT / "docs/tests.md").read_text(encoding="utf-8")
    listed = re.findall(r"`(test_\w+\.py)`", page)
    assert sorted(set(listed)) == sorted(path.name for path in (ROOT / "tests").glob("test_*.py"))


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in ("README.md", "CONTRIBUTING.md", "docs/tests.md"):
        for target in re.findall(r"(?:`|^    )make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page}: make {target}"
