"""Bots: those that ship, and what is needed to write one's own."""

from dnup_ai.bots.base import Bot
from dnup_ai.bots.registry import BotSpec, parse_spec, shipped_bots
from dnup_ai.params import param

__all__ = ["Bot", "BotSpec", "param", "parse_spec", "shipped_bots"]
