"""What is inside a tensor that a transform has made."""

from __future__ import annotations

from typing import Any

from ..core import signature as S

__all__ = ["debug_unwrap"]


def debug_unwrap(tensor: Any, *, recurse: bool = True) -> Any:
    """The tensor of all samples that a transform wraps, to be looked at only.

    :param recurse: also unwrap what other transforms have wrapped inside.
    """
    while tensor._sig_ & S.BATCHED:
        tensor = tensor._batched.value
        if not recurse:
            break
    return tensor


debug_unwrap.__module__ = __name__.rpartition(".")[0]
