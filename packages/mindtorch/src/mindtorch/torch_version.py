"""``torch.torch_version``: a version that compares as versions do, not as text does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["TorchVersion"]

_PARTS = re.compile(
    r"v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>a|b|c|rc|alpha|beta|pre|preview)[-_.]?(?P<pre_n>\d*))?"
    r"(?:-(?P<post_i>\d+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_n>\d*))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_n>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
_LETTER = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


class InvalidVersion(ValueError):
    """A text that is no version."""


def _key(text: str) -> tuple[Any, ...]:
    """What a version is ordered by. Source: PEP 440."""
    found = _PARTS.fullmatch(text.strip())
    if found is None:
        raise InvalidVersion(f"Invalid version: {text!r}")
    release = [int(n) for n in found["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        del release[-1]
    post = found["post"] is not None or found["post_i"] is not None
    if found["pre"]:
        letter = found["pre"].lower()
        pre: tuple[Any, ...] = (0, _LETTER.get(letter, letter), int(found["pre_n"] or 0))
    elif found["dev"] and not post:
        pre = (-1,)  # a development release comes before the first alpha
    else:
        pre = (1,)
    after = (1, int(found["post_n"] or found["post_i"] or 0)) if post else (0,)
    dev = (0, int(found["dev_n"] or 0)) if found["dev"] else (1,)
    local = tuple(
        (1, int(each)) if each.isdigit() else (0, each.lower())
        for each in re.split(r"[-_.]", found["local"] or "")
        if each
    )
    return (int(found["epoch"] or 0), tuple(release), pre, after, dev, bool(local), local)


class TorchVersion(str):
    """A version as text whose comparisons are those of versions.

    What it is compared with may be text, another version, or its parts: ``v >= (2, 0)``. Text that
    is no version is compared as text.

    Examples
    --------
    >>> TorchVersion("1.10.0a") > "1.2"
    True
    """

    __slots__ = ()

    def _compare(self, other: Any, how: str) -> Any:
        if isinstance(other, Iterable) and not isinstance(other, str):
            other = ".".join(str(each) for each in other)
        if not isinstance(other, str):
            other = str(other)
        try:
            return getattr(_key(self), how)(_key(other))
        except InvalidVersion:
            return getattr(str, how)(str(self), other)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, "__lt__")

    def __le__(self, other: Any) -> Any:
        return self._compare(other, "__le__")

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, "__gt__")

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, "__ge__")

    def __eq__(self, other: object) -> Any:
        return self._compare(other, "__eq__")

    def __ne__(self, other: object) -> Any:
        return not self == other

    __hash__ = str.__hash__
