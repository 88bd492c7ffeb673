"""Counts of calls."""

from __future__ import annotations

import collections
import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import ParamSpec, TypeVar

simple_call_counter: OrderedDict[str, int] = collections.OrderedDict()

_P = ParamSpec("_P")
_R = TypeVar("_R")


def count_label(label: str) -> None:
    """Count once more what is called *label*."""
    simple_call_counter[label] = simple_call_counter.get(label, 0) + 1


def count(fn: Callable[_P, _R]) -> Callable[_P, _R]:
    """*fn*, whose calls are counted."""

    @functools.wraps(fn)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        count_label(fn.__qualname__)
        return fn(*args, **kwargs)

    return wrapper
