"""``torch.package.glob_group``: sets of names by patterns, as ``torch.**``."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["GlobGroup", "GlobPattern"]

GlobPattern = str | Iterable[str]


class GlobGroup:
    """The names that match one of some patterns, and none of others.

    ``*`` is anything within one segment of a name, ``**`` any number of segments.

    :param separator: what lies between segments.

    Raises ValueError for ``**`` that is part of a segment.
    """

    def __init__(
        self, include: GlobPattern, *, exclude: GlobPattern = (), separator: str = "."
    ) -> None:
        self._dbg = f"GlobGroup(include={include}, exclude={exclude})"
        self.include = _compiled(include, separator)
        self.exclude = _compiled(exclude, separator)
        self.separator = separator

    def __str__(self) -> str:
        return self._dbg

    __repr__ = __str__

    def matches(self, candidate: str) -> bool:
        """Whether the group has *candidate*."""
        name = self.separator + candidate
        found = any(pattern.fullmatch(name) for pattern in self.include)
        return found and not any(pattern.fullmatch(name) for pattern in self.exclude)


def _compiled(patterns: GlobPattern, separator: str) -> list[re.Pattern[str]]:
    several = [patterns] if isinstance(patterns, str) else patterns
    return [
        re.compile("".join(_segment(part, separator) for part in pattern.split(separator)))
        for pattern in several
    ]


def _segment(part: str, separator: str) -> str:
    """What a segment matches, with the separator before it."""
    apart = re.escape(separator)
    if part == "**":
        return f"({apart}[^{apart}]+)*"
    if "**" in part:
        raise ValueError("** can only appear as an entire path segment")
    return apart + f"[^{apart}]*".join(re.escape(piece) for piece in part.split("*"))
