"""A program that asks every public namespace for every name that it offers.

Where a checker does not see one, a user's correct program would be told of an error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from tests.stubs.homes import PACKAGES, sources
from tests.stubs.namespaces import is_public, offered

#: Functions that hide the module of their name, as in torch.
_BEHIND_FUNCTIONS = frozenset(
    f"mindtorch.{name}"
    for name in ("autograd.gradcheck", "autograd.variable", "distributed.rendezvous")
)


def _namespaces() -> Iterator[str]:
    for module, path in sources().items():
        package = path.name == "__init__.py" or module.count(".") == 1
        if package and is_public(module) and module not in _BEHIND_FUNCTIONS:
            yield module


def _is_pythons(space: ModuleType, name: str) -> bool:
    """Whether it is a module of Python's own, which a namespace hands on."""
    known = sys.stdlib_module_names  # a namespace may have such a module once it is asked for
    value = getattr(space, name, None) if name in known else vars(space).get(name)
    return isinstance(value, ModuleType) and value.__name__.partition(".")[0] not in PACKAGES


def program() -> str:
    """The text of the program: a line for each name."""
    lines, imports = [], []
    for module in _namespaces():
        try:
            space = import_module(module)
        except ImportError:  # of an optional dependency
            continue
        imports.append(f"import {module}")
        names = sorted(n for n in offered(space) if n[0] != "_" and n.isidentifier())
        lines += [f"{module}.{n}" for n in names if not _is_pythons(space, n)]
    return "\n".join([*imports, *lines]) + "\n"
