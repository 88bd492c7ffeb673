"""``torch.package.analyze.is_from_package``: whether an object comes from an archive."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from .._mangling import is_mangled

__all__ = ["is_from_package"]


def is_from_package(obj: Any) -> bool:
    """Whether *obj*, an object, class or module, was loaded from a package."""
    if isinstance(obj, ModuleType):
        return is_mangled(obj.__name__)
    return is_mangled(type(obj).__module__)
