"""``torch._dynamo.utils``: the counters of torch's compiler, all at zero, and what compares."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ..aten import torch

#: What the compiler counted, by subject: nothing.
counters: defaultdict[str, Counter[str]] = defaultdict(Counter)
guard_failures: defaultdict[Any, list[Any]] = defaultdict(list)


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
