"""Names of modules of packages, which begin with ``<torch_package_0>``."""

from __future__ import annotations

from itertools import count

__all__ = ["PackageMangler", "demangle", "get_mangle_prefix", "is_mangled"]

_numbers = count()


class PackageMangler:
    """Gives the names of one package's modules a beginning of their own."""

    def __init__(self) -> None:
        self._parent = f"<torch_package_{next(_numbers)}>"

    def mangle(self, name: str) -> str:
        """*name* as the process knows it."""
        assert name, "name must not be empty"
        return f"{self._parent}.{name}"

    def demangle(self, mangled: str) -> str:
        """The name within this package; those of others stay as they are."""
        return demangle(mangled) if mangled.startswith(self._parent + ".") else mangled

    def parent_name(self) -> str:
        """What the names begin with."""
        return self._parent


def is_mangled(name: str) -> bool:
    """Whether *name* is one of a package."""
    return name.startswith("<torch_package_") and ">" in name


def get_mangle_prefix(name: str) -> str:
    """What *name* begins with, if it is one of a package."""
    return name.partition(".")[0] if is_mangled(name) else name


def demangle(name: str) -> str:
    """*name* as it is within its package."""
    return name.partition(".")[2] if is_mangled(name) else name
