"""``torch.package``: files of code and tensors. The names are here; refused when called."""

from __future__ import annotations

from typing import Any

from .._unavailable import offer

#: Filled below.
__all__: list[str] = []

_REASON = "is not in mindtorch: use torch.save and ordinary packages"


class PackagingError(ValueError):
    """A package cannot be made."""


class EmptyMatchError(Exception):
    """A pattern matched no module."""


class ObjNotFoundError(Exception):
    """An object is not where its name says."""


class ObjMismatchError(Exception):
    """Another object is where an object's name says."""


def is_from_package(obj: Any) -> bool:
    """False: nothing comes from a package here."""
    return False


offer(
    globals(),
    _REASON,
    classes="Directory GlobGroup Importer OrderedImporter PackageExporter PackageImporter",
)


def __dir__() -> list[str]:
    return sorted(__all__)
