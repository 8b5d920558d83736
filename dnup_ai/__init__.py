"""Research engine for AI opponents in hidden-hand shedding card games: `suggest` is the shortest way to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dnup_ai.search import Budget as Budget
    from dnup_ai.suggestions import SuggestedMove as SuggestedMove
    from dnup_ai.suggestions import Suggestion as Suggestion
    from dnup_ai.suggestions import suggest as suggest

__all__ = ["Budget", "SuggestedMove", "Suggestion", "suggest"]


def __getattr__(name: str) -> Any:
    """Import what is asked for: `import dnup_ai` itself loads nothing."""
    if name == "Budget":
        from dnup_ai.search import Budget

        return Budget
    if name in __all__:
        from dnup_ai import suggestions

        return getattr(suggestions, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
