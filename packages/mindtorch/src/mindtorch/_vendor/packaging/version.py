"""``torch._vendor.packaging.version``: versions as PEP 440 has them."""

from __future__ import annotations

from functools import total_ordering
from typing import Any

from ...compat.torch_version import InvalidVersion, ordering_key

__all__ = ["InvalidVersion", "Version", "parse"]


@total_ordering
class Version:
    """A version, which compares with others. Raises InvalidVersion for a text that is none."""

    def __init__(self, version: str) -> None:
        self._key = ordering_key(version)
        self._text = version.strip()

    @property
    def release(self) -> tuple[int, ...]:
        """The numbers of the release: of ``1.20.0rc1`` 1, 20 and 0."""
        numbers = self._text.lower().removeprefix("v").rpartition("!")[2]
        found = []
        for part in numbers.split("."):
            digits = part[: len(part) - len(part.lstrip("0123456789"))]
            if not digits:
                break
            found.append(int(digits))
            if digits != part:
                break
        return tuple(found)

    @property
    def major(self) -> int:
        """The first number of the release."""
        return self._number(0)

    @property
    def minor(self) -> int:
        """The second number of the release, or 0."""
        return self._number(1)

    @property
    def micro(self) -> int:
        """The third number of the release, or 0."""
        return self._number(2)

    def _number(self, at: int) -> int:
        return self.release[at] if at < len(self.release) else 0

    def __eq__(self, other: Any) -> bool:
        return self._key == other._key if isinstance(other, Version) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self._key < other._key if isinstance(other, Version) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Version('{self}')>"


def parse(version: str) -> Version:
    """The version that a text names. Raises InvalidVersion for any other text."""
    return Version(version)
