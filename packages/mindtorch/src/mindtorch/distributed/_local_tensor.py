"""Tensors that stand for those of several ranks in one process: mindtorch has none of them.

There is never such a mode, so what asks for it goes on without. For ranks as threads of one process
there is the backend ``threaded``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ParamSpec, TypeVar

from ..core.unavailable import refusing_class

__all__ = [
    "LocalIntNode",
    "LocalTensor",
    "LocalTensorMode",
    "enabled_local_tensor_mode",
    "local_tensor_mode",
    "maybe_disable_local_tensor_mode",
    "maybe_run_for_local_tensor",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_HOME = "torch.distributed._local_tensor"
_REASON = "is not in mindtorch: use the backend 'threaded', whose ranks are threads"
LocalTensor, LocalTensorMode, LocalIntNode = (
    refusing_class(f"{_HOME}.{_name}", _REASON)
    for _name in ("LocalTensor", "LocalTensorMode", "LocalIntNode")
)


def local_tensor_mode() -> Any:
    """None: there is no such mode."""
    return None


def enabled_local_tensor_mode() -> Any:
    """None: there is no such mode."""
    return None


def maybe_disable_local_tensor_mode() -> AbstractContextManager[Any]:
    """A block without such a mode."""
    return nullcontext()


def maybe_run_for_local_tensor(func: Callable[_P, _R]) -> Callable[_P, _R]:
    """*func*, which in such a mode would run for each rank."""
    return func
