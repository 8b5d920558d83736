"""Numbers, as people read them."""

from __future__ import annotations

import re

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count_of(number: int, word: str) -> str:
    """As in `one card`, `two cards`, `11 cards`."""
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {word}{'' if number == 1 else 's'}"


def a_number(text: str) -> str:
    """As in `a 7`, `an 8 or 9`, `an 11`."""
    return ("an " if re.match(r"8|1[18]\b", text) else "a ") + text


def percent(chance: float) -> str:
    """A chance in words; never 0% or 100% for what is neither."""
    if 0 < chance < 0.005:
        return "under 1%"
    if 0.995 <= chance < 1 - 1e-9:
        return "over 99%"
    return f"{100 * chance:.0f}%"
