"""Which modules need a stub: those whose names a checker does not find in the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType, ModuleType

from .facade import BASE, TENSOR
from .homes import PACKAGES, absolute, defined, file_of, sources, tree

#: Where the classes of results are.
RESULTS = "mindtorch.return_types"
_PRIVATE = re.compile(r"\._(?!_)")
#: Parts of mindtorch that are no namespaces of torch.
_INSIDE = frozenset("aten call compat core functionality install io tensor".split())


def is_public(module: str) -> bool:
    """Whether *module* is a namespace of torch that is no other's private part."""
    package, _, path = module.partition(".")
    inside = path.partition(".")[0] in _INSIDE
    return package == "mindtorch" and not inside and not _PRIVATE.search(module)


def facades() -> Iterator[str]:
    """The modules of mindtorch whose stubs are made name by name."""
    yield from (TENSOR, BASE)
    for module in sources():
        if is_public(module) and module != RESULTS and _needs_stub(module):
            yield module


def _needs_stub(module: str) -> bool:
    if "__getattr__" in defined(module) or file_of(module) != sources()[module]:
        return True  # asked for names at run time, or found by another path
    if sources()[module].name != "__init__.py" and module.count(".") > 1:
        return False
    try:
        space = import_module(module)
    except ImportError:
        return False
    return space.__name__ != module or not offered(space) <= _seen(module)


def offered(space: ModuleType) -> set[str]:
    """The names that a module says it has."""
    values = vars(space)
    names = set(values.get("__all__", ()))
    if "__all__" not in values and "__path__" in values:  # then a package offers what it imports
        names |= {n for n, v in values.items() if n[0] != "_" and _is_own(v)}
    return names | set(dir(space)) if "__dir__" in values else names


def _is_own(value: object) -> bool:
    origin = str(getattr(value, "__module__", "")).partition(".")[0]
    return type(value) in (type, FunctionType) and origin in ("torch", *PACKAGES)


def _seen(module: str) -> set[str]:
    """The names that a checker finds in the source, for others to import them from there."""
    found, listed = set(defined(module)), _listed(module)
    for node in tree(module).body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                if name == "*":
                    found |= offered(import_module(absolute(module, node)))
                elif alias.asname == alias.name or name in listed:
                    found.add(name)
    return found


def _listed(module: str) -> set[str]:
    """The names in the lists that ``__all__`` is made of, as far as a checker reads them."""
    found: set[str] = set()
    for node in ast.walk(tree(module)):
        target = getattr(node, "target", None) or next(iter(getattr(node, "targets", ())), None)
        if isinstance(target, ast.Name) and target.id == "__all__":
            try:
                found |= set(ast.literal_eval(node.value))
            except ValueError:
                return set()
    return found
