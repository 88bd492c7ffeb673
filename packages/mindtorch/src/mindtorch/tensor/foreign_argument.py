"""Written methods that want a tensor and are given an object: it may override functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..core.operators import UNCLAIMED, call_for_objects, written_parser

__all__ = ["answer_of"]


def answer_of(other: Any, method: Callable[..., Any], tensor: Any) -> Any:
    """What *other*, which is no tensor, makes of a call of a method of *tensor* with it.

    :raises TypeError: if it does not override functions, with the parser's text.
    """
    frame, depth = sys._getframe(1), 3  # of the method; a class that overrides adds wrappers
    while frame.f_code.co_name in (method.__name__, "__call__") and frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    try:
        written_parser(f"Tensor.{method.__name__}").parse((other,))
    except TypeError as error:
        found = call_for_objects(error, method, (tensor, other), {}, depth=depth)
        if found is UNCLAIMED:
            raise
        return found
    raise AssertionError(f"{method.__name__} takes {type(other)}")
