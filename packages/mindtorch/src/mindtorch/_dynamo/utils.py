"""``torch._dynamo.utils``: the counters of torch's compiler, all at zero, and what compares."""

from __future__ import annotations

import math
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .._subclasses.tracing_context import detect_fake_mode as detect_fake_mode
from ..aten import torch
from . import config

#: What the compiler counted, by subject: nothing.
counters: defaultdict[str, Counter[str]] = defaultdict(Counter)
guard_failures: defaultdict[Any, list[Any]] = defaultdict(list)
#: What was warned of with :func:`warn_once`.
warn_once_cache: set[str] = set()


def warn_once(msg: str, stacklevel: int = 1) -> None:
    """Warn of *msg*, once in a process."""
    if msg not in warn_once_cache:
        warn_once_cache.add(msg)
        warnings.warn(msg, stacklevel=stacklevel + 1)


@contextmanager
def disable_cache_limit() -> Iterator[None]:
    """A block in which a function may be compiled as often as it likes."""
    limits = dict.fromkeys(("recompile_limit", "accumulated_recompile_limit"), sys.maxsize)
    with config.patch(limits):
        yield


def is_compile_supported(device_type: str) -> bool:
    """False: there is no compiler here."""
    return False


def clone_input(x: torch.Tensor, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A copy of *x* that is a leaf where *x* requires a gradient."""
    copied = x.detach().clone() if dtype is None else x.detach().to(dtype, copy=True)
    return copied.requires_grad_(x.requires_grad)


def istype(obj: object, allowed_types: Any) -> bool:
    """Whether the type of *obj* is one of these, subclasses not counted."""
    if isinstance(allowed_types, (tuple, list, set, frozenset)):
        return type(obj) in allowed_types
    return type(obj) is allowed_types


def reset_recompile_user_contexts() -> None:
    """Forget what was said of contexts: nothing."""


class LazyString:
    """The text that *func* makes when it is asked for."""

    def __init__(self, func: Callable[..., str], *args: Any, **kwargs: Any) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs

    def __str__(self) -> str:
        return self.func(*self.args, **self.kwargs)


def same(ref: Any, res: Any, *, tol: float = 1e-4, equal_nan: bool = False) -> bool:
    """Whether two results hold the same, tensors and floats within *tol*."""
    if isinstance(ref, torch.Tensor):
        return (
            isinstance(res, torch.Tensor)
            and ref.shape == res.shape
            and ref.dtype == res.dtype
            and torch.allclose(ref, res, atol=tol, rtol=tol, equal_nan=equal_nan)
        )
    if isinstance(ref, float):
        return isinstance(res, float) and math.isclose(ref, res, rel_tol=tol, abs_tol=tol)
    if isinstance(ref, (list, tuple)):
        return len(ref) == len(res) and all(
            same(a, b, tol=tol, equal_nan=equal_nan) for a, b in zip(ref, res, strict=True)
        )
    if isinstance(ref, dict):
        return ref.keys() == res.keys() and all(
            same(ref[k], res[k], tol=tol, equal_nan=equal_nan) for k in ref
        )
    return bool(ref == res)
