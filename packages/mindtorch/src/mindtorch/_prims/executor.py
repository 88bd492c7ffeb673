"""``torch._prims.executor``: functions that are recorded and run as what was recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..fx import GraphModule
from ..fx.experimental.proxy_tensor import make_fx, wrapper_and_args_for_make_fx
from .context import TorchRefsMode

__all__ = ["execute", "make_traced"]


def execute(
    gm: GraphModule,
    *args: Any,
    executor: str = "aten",
    executor_parameters: dict[str, Any] | None = None,
) -> Any:
    """Run what was recorded. Raises ValueError for another executor than ``"aten"``."""
    if executor != "aten":
        raise ValueError(
            f"Received unexpected value for 'executor': {executor}. Allowed values are: aten."
        )
    return gm.forward(*args)


def make_traced(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that records the operators of each call of *fn*, and runs these.

    It takes ``executor=``, which is ``"aten"``.
    """

    @wraps(fn)
    def _traced(*args: Any, **kwargs: Any) -> Any:
        executor = str(kwargs.pop("executor", "aten"))
        wrapped, flat = wrapper_and_args_for_make_fx(fn, args, kwargs)
        with TorchRefsMode():
            gm = make_fx(wrapped)(flat)
        return execute(gm, flat, executor=executor)

    return _traced
