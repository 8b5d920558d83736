"""Turns a Matplotlib figure into SVG that lives inside a page: its colours and its font are those of the page."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 340
"""Units across a plot; about as many pixels as a small phone has, so that its text can be read there."""
FONT = 13

LINES = tuple(f"line{index}" for index in range(1, 9))
"""Names of the colours that tell lines apart."""
_NAMES = ("ink", "soft", "grid", "accent", "more", "less", *LINES)
# Stand-ins, which nothing else in a plot has, so that they can be found again and made variables of the page.
COLOURS = {name: f"#0102{index:02x}" for index, name in enumerate(_NAMES, 1)}
"""What to give Matplotlib for each colour of the page."""

_STYLE = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "dnup-ai",  # the same plot, the same ids
    "text.parse_math": False,  # names of bots are not formulas
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with Matplotlib, so that the layout is the same everywhere
    "font.size": FONT,
    "axes.labelsize": FONT,
    "xtick.labelsize": FONT,
    "ytick.labelsize": FONT,
    "text.color": COLOURS["ink"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.edgecolor": COLOURS["soft"],
    "xtick.color": COLOURS["soft"],
    "ytick.color": COLOURS["soft"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "grid.color": COLOURS["grid"],
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "path.simplify": False,
}


@contextmanager
def page_style() -> Iterator[None]:
    """Within the block Matplotlib draws as the page wants it, whatever its user has set."""
    from matplotlib import style

    with style.context(["default", _STYLE]), warnings.catch_warnings():
        # The page's font may well have them.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        yield


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """Return an empty figure of this size, in units of the page. For use within `page_style`."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width / 72, height / 72), layout="constrained")


def inline_svg(figure: Figure, name: str, title: str, min_width: float = 0) -> str:
    """Return the figure as an `svg` element for HTML: no address, no fixed size, ids that begin with `name`.

    name: different for each plot of a page; title: what the plot shows, for those who cannot see it; min_width: pixels
    below which it is scrolled rather than made smaller.
    """
    out = StringIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(out, format="svg", metadata=metadata)
    root = ElementTree.fromstring(out.getvalue())
    used = set(re.findall(r"#([\w.-]+)", " ".join(value for item in root.iter() for value in item.attrib.values())))
    _clean(root, name, used)
    *_, width, _ = root.attrib["viewBox"].split()
    size = f"min-width:{min_width:.0f}px;" if min_width else ""
    about = ElementTree.Element("title", id=f"{name}-title")
    about.text = title
    root.insert(0, about)
    root.attrib = {
        "class": "plot",
        "viewBox": root.attrib["viewBox"],
        "style": f"{size}max-width:{float(width) * 1.4:.0f}px",
        "role": "img",
        "aria-labelledby": f"{name}-title",
    }
    return ElementTree.tostring(root, encoding="unicode")


def _clean(item: ElementTree.Element, name: str, used: set[str]) -> None:
    """Take out namespaces, styles, metadata and ids that nothing refers to, and put in what the page knows."""
    item.tag = item.tag.rpartition("}")[2]
    item.text = item.text if item.text and item.text.strip() else None
    item.tail = None
    attributes: dict[str, str] = {}
    for key, value in item.attrib.items():
        key = key.rpartition("}")[2]
        if key == "id":
            if value in used:
                attributes[key] = f"{name}-{value}"
        elif key == "style":
            attributes[key] = _style(value)
        elif key == "transform" and value.startswith("rotate(-0 "):
            continue
        else:
            value = re.sub(r"(url\(#|^#)", rf"\g<1>{name}-", value)
            attributes[key] = " ".join(re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", value).split())
    item.attrib = attributes
    for child in list(item):
        if child.tag.rpartition("}")[2] in ("metadata", "style"):
            item.remove(child)
        else:
            _clean(child, name, used)


_VARIABLES = {colour: f"var(--{name})" for name, colour in COLOURS.items()}


def _style(text: str) -> str:
    """The style of an element with the colours of the page and without a font family."""
    text = re.sub(r"#[0-9a-f]{6}", lambda found: _VARIABLES.get(found[0], found[0]), text)
    text = re.sub(r"font-family:[^;]*;?\s*", "", text)
    # Older versions give size and family in one.
    return re.sub(r"font:\s*([^;]*?)([\d.]+px)[^;]*", r"font-size: \2", text)
