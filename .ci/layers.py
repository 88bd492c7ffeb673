#!/usr/bin/env python3
"""Holds the structure of the packages: no circle of imports, no import of a higher layer.

    python .ci/layers.py

Every import counts, also inside functions and under ``TYPE_CHECKING``. Prints what is wrong and
exits with 1; prints nothing and exits with 0 where all is well.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Layers of mindtorch, the lowest first. Above them stand the user's namespaces, and at the top
#: the root and ``install``, which joins the layers.
LAYERS = ("core", "tensor", "call", "backends", "functionality", "aten")
#: The modules beside the packages of mindtorch: the root's own, and torch's paths.
LOOSE = 12


def modules(root: Path) -> dict[str, Path]:
    """Path by dotted name of every module of the packages and the command."""
    found = {}
    for source in (*sorted(root.glob("packages/*/src")), root / "cli" / "src"):
        for path in sorted(source.rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module: str, path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """Line and module of each import of a product module in *module*."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                above = node.level - (path.name == "__init__.py")
                package = parts[: len(parts) - above] if above else parts
                base = ".".join([*package, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            while name and name not in known:
                name = name.rpartition(".")[0]
            if name and name != module:
                yield node.lineno, name


def layer(module: str) -> int:
    """How high *module* stands in mindtorch; -1 for modules of the packages below it."""
    package, _, rest = module.partition(".")
    if package == "mindtorch_cli" or module in ("mindtorch", "mindtorch.install"):
        return len(LAYERS) + 1
    if package != "mindtorch":
        return -1
    name = rest.partition(".")[0]
    return LAYERS.index(name) if name in LAYERS else len(LAYERS)


def faults(root: Path) -> list[str]:
    """What is wrong with the structure of a checkout, a line each."""
    known = modules(root)
    graph: dict[str, set[str]] = {}
    found = []
    for module, path in known.items():
        graph[module] = set()
        for line, other in imported(module, path, known):
            graph[module].add(other)
            if layer(module) < layer(other):
                found.append(f"{path.relative_to(root)}:{line}: {other} stands above {module}")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found.append("a circle of imports: " + " <- ".join(error.args[1]))
    loose = sorted((root / "packages/mindtorch/src/mindtorch").glob("*.py"))
    if len(loose) > LOOSE + 1:  # __init__
        found.append(f"{len(loose) - 1} modules beside the packages of mindtorch, {LOOSE} at most")
    return found


if __name__ == "__main__":
    wrong = faults(ROOT)
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(bool(wrong))
