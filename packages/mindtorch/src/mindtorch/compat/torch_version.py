"""``torch.torch_version``: a version that compares with strings, tuples and versions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..version import __version__ as internal_version

__all__ = ["TorchVersion"]

_PATTERN = re.compile(
    r"""\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>\d+)?)?
    (?P<post>-(?P<post_short>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n>\d+)?)?
    (?P<dev>[-_.]?dev[-_.]?(?P<dev_n>\d+)?)?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_PHASES = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}


class InvalidVersion(ValueError):
    """A string is no version as PEP 440 has them."""


def ordering_key(text: str) -> tuple[Any, ...]:
    """What versions of PEP 440 are ordered by. Raises InvalidVersion for other strings."""
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise InvalidVersion(f"Invalid version: '{text}'")
    found = match.groupdict()
    release = [int(part) for part in found["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    pre = found["pre"]
    post = int(found["post_short"] or found["post_n"] or 0) if found["post"] else -1
    dev: float = int(found["dev_n"] or 0) if found["dev"] else float("inf")
    phase: tuple[float, int]
    if pre is not None:
        phase = (_PHASES[pre.lower()], int(found["pre_n"] or 0))
    elif found["dev"] and not found["post"]:
        phase = (-1, 0)  # before every preview
    else:
        phase = (3, 0)
    # A version with a local part is later than that without; numbers are later than words.
    local = tuple(
        (1, int(part), "") if part.isdigit() else (0, 0, part.lower())
        for part in re.split(r"[-_.]", found["local"] or "")
        if part
    )
    return (int(found["epoch"] or 0), tuple(release), phase, post, dev, local)


class TorchVersion(str):
    """A version: a string that compares as versions do with strings, tuples and lists.

    With a string that is no version it compares as a string.
    """

    def _convert_to_version(self, inp: Any) -> Any:
        """What *inp* is ordered by. Raises ValueError for what is no version of any form."""
        if isinstance(inp, str):
            return ordering_key(inp)
        if isinstance(inp, Iterable):
            # (1, 2, 3), (1, 2) and (1,) of any mixture of numbers and strings.
            return ordering_key(".".join(str(item) for item in inp))
        raise InvalidVersion(str(inp))

    def _cmp_wrapper(self, cmp: Any, method: str) -> bool:
        try:
            return bool(getattr(ordering_key(self), method)(self._convert_to_version(cmp)))
        except InvalidVersion:
            # As torch: compared as a string, which may know nothing of the other type.
            found: bool = getattr(super(), method)(cmp)
            return found

    def __gt__(self, other: Any) -> bool:
        return self._cmp_wrapper(other, "__gt__")

    def __lt__(self, other: Any) -> bool:
        return self._cmp_wrapper(other, "__lt__")

    def __eq__(self, other: Any) -> bool:
        return self._cmp_wrapper(other, "__eq__")

    def __ge__(self, other: Any) -> bool:
        return self._cmp_wrapper(other, "__ge__")

    def __le__(self, other: Any) -> bool:
        return self._cmp_wrapper(other, "__le__")

    __hash__ = str.__hash__


__version__ = TorchVersion(internal_version)
