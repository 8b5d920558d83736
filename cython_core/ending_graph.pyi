"""The graph of all states of an ending; `cython_core.solver` is the face for people."""

from typing import Self

class EndingGraph:
    """Memory for a graph of at most `node_limit` states, and what is known of them."""

    def __new__(cls, node_limit: int = ...) -> Self: ...
    @property
    def node_limit(self) -> int: ...
