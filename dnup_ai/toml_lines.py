"""Where the keys of a TOML text stand: tomllib keeps no lines, and an error in a deck file must name one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

KeyPath = tuple[str | int, ...]
"""Keys and indices from the top of the file, as `("cards", 3)` or `("symbols", "1", 0)`."""

_TOKEN = re.compile(
    r"""(?P<skip>\#[^\n]*|[ \t\r]+)
      | (?P<newline>\n)
      | (?P<text>\"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
      | (?P<sign>[][{}=,.])
      | (?P<bare>[^][{}=,.\s"'\#]+)""",
    re.VERBOSE | re.DOTALL,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int

    def is_sign(self, sign: str) -> bool:
        return self.kind == "sign" and self.text == sign

    def key(self) -> str:
        if self.kind == "text":
            return str(tomllib.loads(f"key = {self.text}")["key"])
        return self.text


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line, from 1, on which each key and each item of an array begins.

    `text` must be TOML that tomllib accepts; nothing is checked here.
    """
    return _Reader(text).read()


def _scan(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skip":
            yield _Token(kind, match.group(), line)
        line += match.group().count("\n")
    while True:
        yield _Token("end", "", line)


class _Reader:
    """Reads the tokens one by one; `token` is the one not yet used."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens = _scan(text)
        self.token = next(self._tokens)

    def read(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self.token.kind != "end":
            if self.token.kind == "newline":
                self._advance()
            elif self.token.is_sign("["):
                # `[[x]]` is read as `[x]`: a deck has no such key, and its first line is the one to report.
                self._advance()
                table = self._key((), "]")
                if self.token.is_sign("]"):
                    self._advance()
            else:
                self._value(self._key(table, "="))
        return self.lines

    def _advance(self) -> None:
        self.token = next(self._tokens)

    def _skip(self) -> None:
        """Pass over what may stand between items."""
        while self.token.kind == "newline" or self.token.is_sign(","):
            self._advance()

    def _key(self, path: KeyPath, last: str) -> KeyPath:
        """Read a dotted key and the sign `last` behind it."""
        while self.token.kind != "end" and not self.token.is_sign(last):
            if self.token.kind in ("bare", "text"):
                path = (*path, self.token.key())
                self.lines.setdefault(path, self.token.line)
            self._advance()
        self._advance()
        return path

    def _value(self, path: KeyPath) -> None:
        if self.token.is_sign("["):
            self._items(path, "]")
        elif self.token.is_sign("{"):
            self._items(path, "}")
        else:
            # A number or a date may be several tokens: `1.5`, `1979-05-27 07:32:00`.
            while self.token.kind in ("bare", "text") or self.token.is_sign("."):
                self._advance()

    def _items(self, path: KeyPath, last: str) -> None:
        """Read an array or an inline table from its opening sign to its closing one, `last`."""
        self._advance()
        self._skip()
        index = 0
        while self.token.kind != "end" and not self.token.is_sign(last):
            if last == "}":
                item = self._key(path, "=")
            else:
                item = (*path, index)
                index += 1
                self.lines.setdefault(item, self.token.line)
            self._value(item)
            self._skip()
        self._advance()
