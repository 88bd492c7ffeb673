"""``torch.package.find_file_dependencies``: what a source imports."""

from __future__ import annotations

import ast

__all__ = ["find_files_source_depends_on"]


def find_files_source_depends_on(src: str, package: str) -> list[tuple[str, str | None]]:
    """What *src*, a source of *package*, imports: modules, and names that are taken from them.

    The name is None for a module that is imported itself. Raises SyntaxError.
    """
    found = _Imports(package)
    found.visit(ast.parse(src))
    return list(found.references)


class _Imports(ast.NodeVisitor):
    """Notes imports in the order in which they stand."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.references: dict[tuple[str, str | None], bool] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.references[(alias.name, None)] = True

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        home = self._absolute(node.module or "", node.level)
        for alias in node.names:
            taken = None if alias.name == "*" else alias.name
            self.references[(home, taken)] = True

    def visit_Call(self, node: ast.Call) -> None:
        """``__import__("name")``."""
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "__import__":
            return
        texts = [a.value if isinstance(a, ast.Constant) else None for a in node.args]
        if texts and isinstance(texts[0], str):
            level = texts[4] if len(texts) > 4 and isinstance(texts[4], int) else 0
            self.references[(self._absolute(texts[0], level), None)] = True

    def _absolute(self, name: str, level: int) -> str:
        if not level:
            return name
        parts = self.package.rsplit(".", level - 1)
        if len(parts) < level:
            raise ValueError("attempted relative import beyond top-level package")
        base = parts[0]
        return f"{base}.{name}" if name else base
