"""Graphs of what needs what."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

__all__ = ["DiGraph"]


class DiGraph:
    """Nodes with attributes, and edges from a node to what it needs."""

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, Any]] = {}
        self._next: dict[str, dict[str, None]] = {}
        self._before: dict[str, dict[str, None]] = {}

    def add_node(self, n: str, **kwargs: Any) -> None:
        """Add a node, or attributes to one."""
        self.nodes.setdefault(n, {}).update(kwargs)
        self._next.setdefault(n, {})
        self._before.setdefault(n, {})

    def add_edge(self, u: str, v: str) -> None:
        """Say that *u* needs *v*."""
        self.add_node(u)
        self.add_node(v)
        self._next[u][v] = None
        self._before[v][u] = None

    def successors(self, n: str) -> Iterator[str]:
        """What *n* needs. Raises ValueError for what is no node."""
        return iter(self._at(self._next, n))

    def predecessors(self, n: str) -> Iterator[str]:
        """What needs *n*. Raises ValueError for what is no node."""
        return iter(self._at(self._before, n))

    @staticmethod
    def _at(table: dict[str, dict[str, None]], n: str) -> dict[str, None]:
        try:
            return table[n]
        except KeyError:
            raise ValueError(f"The node {n} is not in the digraph.") from None

    @property
    def edges(self) -> Iterator[tuple[str, str]]:
        """All edges."""
        return ((u, v) for u, following in self._next.items() for v in following)

    def __contains__(self, n: str) -> bool:
        return n in self.nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def first_path(self, dst: str) -> list[str]:
        """A shortest path to *dst* from a node that nothing needs."""
        path, waiting = {dst: [dst]}, deque([dst])
        while waiting:
            node = waiting.popleft()
            before = self._before[node]
            if not before:
                return path[node]
            for each in before:
                if each not in path:
                    path[each] = [each, *path[node]]
                    waiting.append(each)
        return []

    def _reached(self, start: str, table: dict[str, dict[str, None]]) -> set[str]:
        found, waiting = {start}, [start]
        while waiting:
            for each in table[waiting.pop()]:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found

    def all_paths(self, src: str, dst: str) -> str:
        """The part of the graph that lies on paths from *src* to *dst*."""
        between = self._reached(src, self._next) & self._reached(dst, self._before)
        return _dot((u, v) for u, v in self.edges if u in between and v in between)

    def to_dot(self) -> str:
        """The graph in the language of Graphviz."""
        return _dot(self.edges)


def _dot(edges: Any) -> str:
    lines = "\n".join(f'"{u}" -> "{v}";' for u, v in edges)
    return f"digraph G {{\nrankdir = LR;\nnode [shape=box];\n{lines}\n}}\n"
