"""Written methods that want a tensor and are given an object: it may override functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.operators import UNCLAIMED, call_for_objects, written_parser

__all__ = ["answer_of"]


def answer_of(other: Any, method: Callable[..., Any], tensor: Any) -> Any:
    """What *other*, which is no tensor, makes of a call of a method of *tensor* with it.

    :raises TypeError: if it does not override functions, with the parser's text.
    """
    try:
        written_parser(f"Tensor.{method.__name__}").parse((other,))
    except TypeError as error:
        found = call_for_objects(error, method, (tensor, other), {}, depth=4)
        if found is UNCLAIMED:
            raise
        return found
    raise AssertionError(f"{method.__name__} takes {type(other)}")
