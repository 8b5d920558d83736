"""The page of a report in a browser: nothing cut off at the width of a phone, both themes, no errors, no requests."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from reports import samples, stored
from studies import study_page
from tournaments.report import REPORTS

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here (Debian: apt-get install chromium)")

PHONE, DESK = 360, 1200
LIGHT, DARK = 1, 0

# A frame is as narrow as a phone, which a window cannot be. It says what it has found in its own document.
WRAPPER = """<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>wrapper</title>
<style>body { margin: 0 } iframe { border: 0; width: %dpx; height: 800px }</style>
<iframe src="/report.html"></iframe>
<pre id="found"></pre>
<script>
const box = item => {
  const rect = item.getBoundingClientRect();
  return [rect.left, rect.top, rect.right, rect.bottom];
};
document.querySelector("iframe").onload = event => {
  const view = event.target.contentWindow, page = view.document, root = page.documentElement;
  const found = {closed: root.scrollWidth};
  page.querySelectorAll("details").forEach(item => { item.open = true; });
  found.open = root.scrollWidth;
  found.width = root.clientWidth;
  const style = view.getComputedStyle(page.body);
  found.paper = style.backgroundColor;
  found.ink = style.color;
  found.requests = view.performance.getEntriesByType("resource").map(entry => entry.name);
  found.scripts = page.scripts.length;
  found.plots = [...page.querySelectorAll("svg.plot")].map(plot => ({
    name: plot.getAttribute("aria-labelledby"),
    box: box(plot),
    scale: plot.getScreenCTM().a,
    fill: view.getComputedStyle(plot.querySelector("text")).fill,
    texts: [...plot.querySelectorAll("text")].map(text => [text.textContent, ...box(text)]),
  }));
  found.small = [...page.querySelectorAll("p, td, th, figcaption, summary, code, a")]
    .map(item => parseFloat(view.getComputedStyle(item).fontSize)).reduce((a, b) => Math.min(a, b));
  found.wide = [...page.querySelectorAll("table, pre, svg")]
    .filter(item => item.getBoundingClientRect().right > root.clientWidth + 1)
    .filter(item => !item.closest(".scroll, pre")).length;
  document.getElementById("found").textContent = JSON.stringify(found);
};
</script>
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("browser")
    made = samples(folder)
    pages = {}
    for name in ("league", "evil", "twelve"):
        with stored(folder / "games.sqlite", *made[name]) as (store, ledger):
            pages[name] = REPORTS["html"](store, ledger)
    return {**pages, **{name: study_page(name, folder) for name in ("study",)}}


class Server:
    """Serves two pages on this machine, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                body = server.pages.get(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


def look(server: Server, page: str, profile: Path, width: int, theme: int) -> dict[str, Any]:
    """Return what a browser finds in a page; fails if it says anything on its console or asks for anything else."""
    server.pages = {"/": WRAPPER % width, "/report.html": page}
    server.asked.clear()
    assert CHROMIUM is not None
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-proxy-server",
        f"--user-data-dir={profile}", f"--blink-settings=preferredColorScheme={theme}", "--window-size=1300,900",
        "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom",
        f"http://127.0.0.1:{server.http.server_port}/",
    ]  # fmt: skip
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    console = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    assert not console
    assert sorted(server.asked) == ["/", "/report.html"]
    text = re.search(r'<pre id="found">(.*?)</pre>', run.stdout, re.DOTALL)
    assert text is not None
    assert text[1]
    found: dict[str, Any] = json.loads(html.unescape(text[1]))
    assert found["requests"] == []
    assert found["scripts"] == 0
    return found


@pytest.mark.parametrize(
    ("name", "width", "theme"),
    [
        ("league", PHONE, LIGHT),
        ("evil", PHONE, DARK),
        ("twelve", PHONE, LIGHT),
        ("league", DESK, DARK),
        ("study", PHONE, DARK),
        ("study", DESK, LIGHT),
    ],
)
def test_all_of_the_page_can_be_read(
    pages: dict[str, str], server: Server, tmp_path: Path, name: str, width: int, theme: int
) -> None:
    found = look(server, pages[name], tmp_path, width, theme)
    assert (found["closed"], found["open"]) == (found["width"], found["width"]), "the page scrolls sideways"
    assert found["wide"] == 0
    assert found["small"] >= 13
    assert len(found["plots"]) >= (2 if "study" in name else 7)
    for plot in found["plots"]:
        assert plot["scale"] * 13 >= 10.5, f"{plot['name']}: its text is too small"
        left, top, right, bottom = plot["box"]
        for text, *box in plot["texts"]:
            assert left - 1 <= box[0] < box[2] <= right + 1, f"{plot['name']}: {text!r} is cut off"
            assert top - 1 <= box[1] < box[3] <= bottom + 1, f"{plot['name']}: {text!r} is cut off"
        for index, (one, *box) in enumerate(plot["texts"]):
            for other, *second in plot["texts"][index + 1 :]:
                assert not _overlap(box, second), f"{plot['name']}: {one!r} lies on {other!r}"


def test_the_page_follows_the_theme(pages: dict[str, str], server: Server, tmp_path: Path) -> None:
    light = look(server, pages["league"], tmp_path / "light", DESK, LIGHT)
    dark = look(server, pages["league"], tmp_path / "dark", DESK, DARK)
    assert _luminance(light["paper"]) > 0.9 > 0.1 > _luminance(dark["paper"])
    for found in (light, dark):
        assert _contrast(found["paper"], found["ink"]) >= 7
        for plot in found["plots"]:
            assert _contrast(found["paper"], plot["fill"]) >= 4.5


def test_colours_stand_out_in_both_themes() -> None:
    """WCAG 2 AA: 4.5 for text, 3 for what else must be seen; lines carry their names in their own colour."""
    folder = Path(__file__).parent.parent / "tournaments" / "report" / "templates"
    style = (folder / "report.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    light, dark = (dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in blocks)
    assert set(light) == set(dark)
    for theme in (light, dark):
        for ground in ("paper", "panel", "warn"):
            assert _contrast(theme[ground], theme["ink"]) >= 4.5
        for name in ("soft", "link", *(name for name in theme if name.startswith("line"))):
            assert _contrast(theme["paper"], theme[name]) >= 4.5, name
        assert _contrast(theme["paper"], theme["accent"]) >= 3
        for shade in ("more", "less"):
            # The strongest shade of a cell is half of the colour.
            both = zip(_rgb(theme["paper"]), _rgb(theme[shade]), strict=True)
            mixed = tuple((one + other) / 2 for one, other in both)
            assert _contrast(mixed, theme["ink"]) >= 4.5, shade


def _contrast(one: object, other: object) -> float:
    """Return the contrast ratio of two colours (WCAG 2)."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: object) -> float:
    parts = [value / 255 for value in _rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rgb(colour: object) -> tuple[float, ...]:
    if isinstance(colour, tuple):
        return colour
    text = str(colour)
    if text.startswith("#"):
        return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
    return tuple(map(float, re.findall(r"[\d.]+", text)[:3]))


def _overlap(one: list[float], other: list[float]) -> bool:
    """Whether two boxes share more than a fifth of the smaller one."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return False
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return wide * high > 0.2 * smaller
