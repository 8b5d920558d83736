"""What the tests of the search share: a small deck, positions as text, engines by name, seats turned round."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace
from typing import Any

from cython_core.dnup import DnupRules, DnupState
from cython_core.position import Position
from cython_core.rng import Rng
from cython_core.search import Searcher
from dnup_ai.decks import Deck
from dnup_ai.notation import parse_position
from dnup_ai.search import ENGINE_DEFAULTS, Budget, Engine, SearchParams, SearchResult
from lines import play, rules_of

# Enough for every number of players: the first six cards at 2 and 3, eight at 4, ten at 5.
TEN_CARDS = ((1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5))
CARDS_AT = {2: 6, 3: 6, 4: 8, 5: 10}
SHAPES: dict[str, dict[str, Any]] = {"ismcts": {}, "dmcts": {"worlds": 10}, "flat": {"flat": True}}
SMALL_TREE = 1 << 14


def tiny_deck(players: int) -> Deck:
    return Deck("small", TEN_CARDS[: CARDS_AT[players]], (1, 5), {})


def tiny(text: str) -> DnupState:
    """The state of a position with the small deck."""
    return parse_position(text, tiny_deck(int(text[len("dnup:")])))


def tiny_rules(players: int) -> DnupRules:
    return tiny_deck(players).rules(players)


def opening(players: int, seed: int = 1, deck: str = "standard", tokens: tuple[int, ...] | None = None) -> DnupState:
    """The view of the seat that begins."""
    state = rules_of(deck, players).deal(Rng(seed), tokens)
    return state.observe(state.turn)


def midround(players: int, seed: int = 1, turns: int = 12, deck: str = "standard") -> DnupState:
    """A true state some random turns into a round that is not over."""
    state = rules_of(deck, players).deal(Rng(seed))
    rng = Rng(seed, 7)
    play(state, [rng.below(1000) for _ in range(turns)])
    assert not state.is_over
    return state


def params_of(**options: Any) -> SearchParams:
    """The parameters with the engine's defaults, whatever the game's own are."""
    return SearchParams(**{**ENGINE_DEFAULTS, "nodes": SMALL_TREE, **options})


def run(view: DnupState, seed: int = 1, iterations: int = 200, shape: str = "ismcts", **options: Any) -> SearchResult:
    """One search by a new engine."""
    engine = Engine(params_of(**options), **SHAPES[shape])
    return engine.search(view, Budget(iterations=iterations), Rng(seed))


def statistics(result: SearchResult) -> tuple[Any, ...]:
    """All of a result that a seed decides: not the times."""
    timed = ("wall", "cpu")
    return tuple(getattr(result, field.name) for field in fields(result) if field.name not in timed)


def searched(
    view: DnupState, seed: int, iterations: int, shape: dict[str, int] | None = None, **options: Any
) -> Searcher:
    """The worker itself after a search. Its options are not checked, so they may be out of their ranges."""
    params = SimpleNamespace(**{**vars(params_of()), **options})
    searcher = Searcher(view, params, **(shape or {}))
    searcher.search(view, Rng(seed), params.reward, iterations=iterations)
    return searcher


def children(tree: list[Any], parent: int) -> list[int]:
    return [index for index, node in enumerate(tree) if node[0] == parent]


def turned(state: DnupState, by: int) -> DnupState:
    """The same position with every seat called `by` more, all the way round the table."""
    position = state.position()
    n = position.players
    zones = len(position.table) // n

    def moved(items: tuple[Any, ...], width: int = 1) -> tuple[Any, ...]:
        shift = (len(items) - by * width) % len(items)
        return items[shift:] + items[:shift]

    changes: dict[str, Any] = {
        "hands": moved(position.hands),
        "table": moved(position.table, zones),
        "tokens": moved(position.tokens),
        "out": tuple((seat + by) % n for seat in position.out),
        "view": None if position.view is None else (position.view + by) % n,
        "turn": None if position.turn is None else (position.turn + by) % n,
    }
    if n > 2:
        changes["zone"] = changes["turn"]
    kept = {name: getattr(position, name) for name in Position.__slots__ if name not in changes}
    return DnupState(state.rules, Position(**changes, **kept))


def turned_move(text: str, by: int, players: int) -> str:
    """The text of a move after the same turn of the seats."""
    head, at, zone = text.partition("@")
    if not at:
        return text
    seat, dot, rest = zone.partition(".")
    return f"{head}@{(int(seat) + by) % players}{dot}{rest}"
