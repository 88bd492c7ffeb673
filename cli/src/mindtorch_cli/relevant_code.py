"""The parts of a source that are worth parsing: Python's parser takes longest of all.

A quick look without syntax says where names stand. What is at the beginning of a line begins a
block; blocks in which nothing stands become empty lines, so that lines keep their numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

__all__ = ["relevant"]

#: Where a line begins that is neither indented nor goes on with what is above.
_BLOCK = re.compile(r"^(?![\s#)\]}]|else\b|elif\b|except\b|finally\b)", re.MULTILINE)
_QUOTES = ('"""', "'''")


def relevant(source: str, places: Iterable[int]) -> str:
    """*source* with the blocks around *places* (offsets) alone, and what it asks of the future."""
    ends = [*_ends(source), len(source)]
    wanted = {bisect_right(ends, place) for place in places}
    kept, start = [], 0
    for i, end in enumerate(ends):
        block = source[start:end]
        future = block.startswith("from __future__")
        kept.append(block if i in wanted or future else "\n" * block.count("\n"))
        start = end
    return "".join(kept)


def _ends(source: str) -> Iterable[int]:
    """Where one block ends and the next begins: not between a decorator and what it decorates, nor
    in a text of several lines."""
    start, decorated = 0, source.startswith("@")
    for found in _BLOCK.finditer(source, 1):
        place = found.start()
        if any(source.count(quote, start, place) % 2 for quote in _QUOTES):
            continue
        if not decorated:
            yield place
            start = place
        decorated = source.startswith("@", place)
