"""``torch.package.analyze.find_first_use_of_broken_modules``: where packages break."""

from __future__ import annotations

from ..package_exporter import PackagingError

__all__ = ["find_first_use_of_broken_modules"]


def find_first_use_of_broken_modules(exc: PackagingError) -> dict[str, list[str]]:
    """By the modules that could not be packaged, a path of what needs them.

    Raises AssertionError for another error.
    """
    assert isinstance(exc, PackagingError), "exception must be a PackagingError"
    graph = exc.dependency_graph
    broken = [name for name, said in graph.nodes.items() if said.get("error") is not None]
    return {name: path for name in broken if (path := graph.first_path(name))}
