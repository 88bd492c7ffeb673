"""Names of modules of packages, which begin with ``<torch_package_0>``."""

from __future__ import annotations

from itertools import count

__all__ = ["demangle", "is_mangled", "new_prefix", "prefix_of"]

_numbers = count()


def new_prefix() -> str:
    """What the names of one more package begin with."""
    return f"<torch_package_{next(_numbers)}>"


def is_mangled(name: str) -> bool:
    """Whether *name* is one of a package."""
    return name.startswith("<torch_package_") and ">" in name


def prefix_of(name: str) -> str:
    """What *name* begins with, if it is one of a package."""
    return name.partition(".")[0] if is_mangled(name) else name


def demangle(name: str) -> str:
    """*name* as it is within its package."""
    return name.partition(".")[2] if is_mangled(name) else name
