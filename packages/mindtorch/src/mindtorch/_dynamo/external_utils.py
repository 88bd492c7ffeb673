"""``torch._dynamo.external_utils``: what programs ask of the compiler."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..aten import torch
from ..core.compiling import is_compiling as _is_compiling
from ..utils._pytree import tree_map_only

__all__ = ["is_compiling", "wrap_inline", "wrap_numpy"]


def is_compiling() -> bool:
    """Whether a graph is drawn of the program."""
    return _is_compiling()


def wrap_inline(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls *fn*."""

    @functools.wraps(fn)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    return inner


def wrap_numpy(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors that calls *f* with their arrays and returns tensors."""

    @functools.wraps(f)
    def wrap(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = tree_map_only(torch.Tensor, lambda x: x.numpy(), (args, kwargs))
        return tree_map_only(np.ndarray, torch.as_tensor, f(*args, **kwargs))

    return wrap
