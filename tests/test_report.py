"""Reports: the page is sound, safe and whole whatever was played, and the other formats say the same."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from reports import EVIL, SESSION, games_of, samples, stored, tournament
from studies import STUDY_PAGES, study_page
from tournaments import commands
from tournaments.ledger import Ledger
from tournaments.report import REPORTS
from tournaments.report.blocks import clean
from tournaments.report.svg import COLOURS
from tournaments.standings import summarise
from tournaments.store import Session, Store

NAMES = [
    "league", "evil", "two", "sprt", "singles", "match", "twelve", "one bot", "one deal", "all faults", "all void",
    "another game", "own game", "no whole deal", "incomplete",
]  # fmt: skip
VOID = {"meta", "link", "br", "wbr"}


class Page(HTMLParser):
    """Reads a page strictly: what is opened must be closed, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None], str]] = []  # name, attributes, path
        self.words: dict[str, str] = {}  # text by path
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag}: an attribute twice"
        self.elements.append((tag, dict(attrs), "/".join(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"{tag} closes itself outside SVG"
        self.elements.append((tag, dict(attrs), "/".join(self.open)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} is closed but was not the last to open"

    def handle_data(self, data: str) -> None:
        path = "/".join(self.open)
        self.words[path] = self.words.get(path, "") + data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes, _ in self.elements if name == tag]


class Pages(dict[str, str]):
    """The pages of the samples, each made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.samples = samples(folder)

    def __missing__(self, name: str) -> str:
        if name in STUDY_PAGES:
            self[name] = study_page(name, self.folder)
            return self[name]
        with stored(self.folder / "games.sqlite", *self.samples[name]) as (store, ledger):
            self[name] = page = REPORTS["html"](store, ledger)
        return page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(tmp_path_factory.mktemp("report"))


def test_the_list_of_samples_is_whole(pages: Pages) -> None:
    assert list(pages.samples) == NAMES


@pytest.mark.parametrize("name", [*NAMES, *STUDY_PAGES])
def test_the_page_is_well_formed_and_refers_to_nothing_outside(pages: Pages, name: str) -> None:
    page = Page(pages[name])
    ids = [str(attributes["id"]) for _, attributes, _ in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes, _ in page.elements:
        assert tag not in ("script", "img", "iframe", "object", "embed", "base", "form", "style" if page.open else "")
        for key, value in attributes.items():
            assert not key.startswith("on")
            if key in ("href", "xlink:href", "src"):
                assert value is not None
                assert value == "data:," or (value.startswith("#") and value[1:] in ids)
            elif key in ("aria-labelledby",):
                assert value in ids
            for target in re.findall(r"url\(([^)]*)\)", value or ""):
                assert target.startswith("#")
                assert target[1:] in ids
    (style,) = (words for path, words in page.words.items() if path.endswith("head/style"))
    assert not re.search(r"url\(|@import|//", style)
    # Names of bots and the page's own words hold none either.
    assert "://" not in re.sub(r"<code>.*?</code>", "", pages[name], flags=re.DOTALL)


@pytest.mark.parametrize("name", [*NAMES, *STUDY_PAGES])
def test_headings_are_in_order_and_every_plot_has_a_label_a_text_and_a_table(pages: Pages, name: str) -> None:
    page = Page(pages[name])
    assert page.of("html")[0]["lang"] == "en"
    levels = [int(tag[1]) for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    figures = re.findall(r"<figure.*?</figure>", pages[name], re.DOTALL)
    assert len(figures) == len(page.of("svg")) > 0
    for figure in figures:
        part = Page(figure)
        (svg,) = part.of("svg")
        assert svg["role"] == "img"
        title = re.search(rf'<title id="{svg["aria-labelledby"]}">([^<]+)</title>', figure)
        assert title is not None
        assert len(title[1]) > 5
        assert [tag for tag, _, path in part.elements if tag == "table" and "details" in path] == ["table"]
        assert len(part.of("tr")) > 1
        assert len(part.of("figcaption")) == 1
    for part in re.findall(r"<table.*?</table>", pages[name], re.DOTALL):
        widths = [len(re.findall("<t[hd]", row)) for row in re.findall(r"<tr>.*?</tr>", part)]
        assert len(set(widths)) == 1


@pytest.mark.parametrize("name", [*NAMES, *STUDY_PAGES])
def test_plots_have_the_colours_of_the_page_and_no_others(pages: Pages, name: str) -> None:
    for svg in re.findall(r"<svg.*?</svg>", pages[name], re.DOTALL):
        assert not re.search(r"#[0-9a-fA-F]{6}\b(?!\))", svg)
        assert "font-family" not in svg
        assert set(re.findall(r"var\(--(\w+)\)", svg)) <= set(COLOURS)


def test_what_bots_are_called_and_say_is_text_and_no_more(pages: Pages) -> None:
    page = pages["evil"]
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" in page
    assert "<img" not in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "\N{REPLACEMENT CHARACTER}[31mred" in page
    text = " ".join(Page(page).words.values())
    # A long name may break between its parts, but its text is as it is.
    assert "<img src=x onerror=alert(1)>&amp;\"'.py:Bad" in text
    assert clean(EVIL) in text
    assert re.search(r"<text [^>]*>\d \$\\frac12\$\|\*`…</text>", page), "a plot takes a name for a formula"


def test_sections_show_what_was_played_for(pages: Pages) -> None:
    def titles(name: str) -> list[str]:
        return re.findall(r"<h[23] id=\"[\w-]+\">(.*?)</h[23]>", pages[name])

    every = ["Standings", "Faults", "What was played", "Seats", "Length and end of rounds", "How to repeat it"]
    for name in NAMES:
        assert {*every} - ({"Seats"} if name == "all void" else set()) <= {*titles(name)}, name
    assert "Sequential test" in titles("sprt")
    assert "Sequential test" not in titles("two")
    assert "One seat against the rest" in pages["singles"]
    assert "Differences on the same deals" in pages["two"]
    assert "Matches won: means and 95% intervals" in titles("match")
    assert "As deals went by" in titles("league")
    assert "As deals went by" not in titles("one deal")
    assert "Bot against bot" not in titles("one bot")
    assert "is a reconstruction" in pages["league"]
    assert "cut off: too many turns" in pages["league"]
    assert "The tournament is not complete" in pages["incomplete"]
    assert "dnup-ai tournament resume" in pages["incomplete"]
    assert "dnup-ai tournament resume" not in pages["league"]
    assert "None: no illegal move" in pages["league"]
    assert "0.1.0+abcdef123456" in pages["league"]


def test_the_sequential_test_is_shown_with_its_history(tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["sprt"]

    @dataclasses.dataclass(frozen=True)
    class Result:
        verdict: str = "H1"
        deals: int = 300
        llr: float = 3.1
        lower: float = -2.944
        upper: float = 2.944
        history: tuple[tuple[int, float], ...] = tuple((10 * look, 0.01 * look) for look in range(1, 1001))
        t: float = 0.08
        mean: float = 0.5
        mean_interval: tuple[float, float] = (0.25, 0.75)
        note: str = "biased"

    with stored(tmp_path / "games.sqlite", settings, games) as (store, ledger):
        assert ledger.test is not None
        ledger.test.result = lambda: Result()  # type: ignore[method-assign,assignment,return-value]
        page, text = REPORTS["html"](store, ledger), REPORTS["md"](store, ledger)
    assert 'id="likelihood-heading"' in page
    for part in (
        "H1 accepted: the advantage of the first bot is nearer to t1 than to t0",
        "−2.944 (H0), +2.944 (H1)",
        "+0.500 (+0.250 to +0.750)",
        "biased",
    ):
        assert part in page
        assert part.replace("_", "\\_") in text
    assert "Sequential test: H1 accepted" in page
    rows = re.findall(r"^\| [\d,]+ \| \+[\d.]+ \|$", text, re.MULTILINE)
    assert 100 <= len(rows) <= 201
    assert rows[-1] == "| 10,000 | +10.000 |"


def test_the_same_games_give_the_same_bytes_in_any_order_and_process(tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["evil"]
    with stored(tmp_path / "games.sqlite", settings, games) as (store, ledger):
        texts = {name: make(store, ledger) for name, make in REPORTS.items()}
    with stored(tmp_path / "games.sqlite", settings, games[::-1]) as (store, ledger):
        assert texts == {name: make(store, ledger) for name, make in REPORTS.items()}
    program = (
        "import sys; from pathlib import Path; from dnup_ai.cli.tournament_files import read_ledger\n"
        "from tournaments.store import Store\n"
        "assert not {'matplotlib', 'jinja2'} & set(sys.modules)\n"
        "from tournaments.report import REPORTS\n"
        "with Store.open(Path(sys.argv[1])) as store: text = REPORTS['html'](store, read_ledger(store))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "sys.stdout.buffer.write(text.encode())"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "games.sqlite")],
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    )
    assert run.stdout.decode() == texts["html"]
    assert run.stderr == b""


@pytest.mark.parametrize("name", NAMES)
def test_markdown_has_sound_tables_and_the_numbers_of_the_page(pages: Pages, name: str, tmp_path: Path) -> None:
    settings, games = samples(tmp_path)[name]
    with stored(tmp_path / "games.sqlite", settings, games) as (store, ledger):
        text = REPORTS["md"](store, ledger)
    outside = re.sub(r"^(`{3,})\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<" not in outside
    widths: list[int] = []
    for line in [*outside.splitlines(), ""]:
        if line.startswith("|"):
            widths.append(len(re.findall(r"(?<!\\)\|", line)))
        else:
            assert len(set(widths)) <= 1
            widths = []
    assert text.startswith("# ")
    if name != "evil":
        numbers = set(re.findall(r"<td class=\"number\">(.*?)</td>", pages[name]))
        cells = {cell.replace("\\", "") for line in outside.splitlines() for cell in line.strip("| ").split(" | ")}
        assert numbers - {""} <= cells


def test_markdown_of_a_small_tournament_reads_as_it_should(tmp_path: Path) -> None:
    settings = tournament(["greedy", "random"], players=2, deals=2)
    with stored(tmp_path / "games.sqlite", settings, games_of(settings)) as (store, ledger):
        text = REPORTS["md"](store, ledger)
        summary = summarise(ledger)
    best = summary.standings[0]
    assert best.mean is not None
    assert text.splitlines()[0] == "# dnup: 2 bots, 2 at the table"
    assert f"| 1 {best.bot} | {best.mean:.3f} | " in text
    assert "```\ndnup-ai tournament run greedy random --players=2 --deals=2 --seed=1\n```" in text
    assert "| 2026-01-02 03:04 | 0.1.0+abcdef123456 |" in text


def test_json_is_the_summary_with_commands_and_sessions(tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["incomplete"]
    with stored(tmp_path / "games.sqlite", settings, games) as (store, ledger):
        data = json.loads(REPORTS["json"](store, ledger))
        summary = json.loads(json.dumps(summarise(ledger).to_dict()))
    assert {name: data[name] for name in summary} == summary
    assert data["command"] == commands.repeat_command(settings.to_dict())
    assert data["resume"] == commands.resume_command(tmp_path / "games.sqlite")
    (run,) = data["runs"]
    assert (run["seed"], run["games"], run["planned"]) == (1, len(games), settings.game_count)
    assert run["sessions"][0]["began"] == SESSION.began


def test_a_file_of_two_runs_shows_both(tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["two"]
    other = dataclasses.replace(settings, seed=2)
    with Store.create(tmp_path / "both.sqlite") as store:
        ledger = Ledger(settings)
        for index, run in enumerate((settings, other)):
            number = store.begin(run, Session(SESSION.began, SESSION.version, (f"{index}a", "b")))
            store.add(number, games)
            ledger.add(games, index)
        page = REPORTS["html"](store, ledger)
    assert "--seed=1" in page
    assert "--seed=2" in page
    assert "24 played in full, of 24" in page
    assert "Not all games were played by the same version" in page


def test_the_command_writes_each_format(dnup_ai, tmp_path: Path) -> None:
    settings, games = samples(tmp_path)["two"]
    file = tmp_path / "games.sqlite"
    with stored(file, settings, games):
        pass
    for format, begin in (("html", "<!DOCTYPE html>"), ("md", "# dnup"), ("json", "{")):
        run = dnup_ai("tournament", "report", file, "--format", format)
        assert (run.code, run.err) == (0, "")
        assert file.with_suffix(f".{format}").read_text(encoding="utf-8").startswith(begin)
