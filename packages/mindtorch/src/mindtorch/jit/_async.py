"""``torch.jit._async``: tasks of a script, which run at once here."""

from __future__ import annotations

from typing import Any

from ..futures._future import Future
from ._deprecation import USE_COMPILE, deprecated

__all__ = ["fork", "wait"]


def _fork(func: Any, *args: Any, **kwargs: Any) -> Future:
    """Run *func* now; returns a future that is done."""
    future = Future([])
    future.set_result(func(*args, **kwargs))
    return future


def _wait(future: Any) -> Any:
    """What a future holds. Raises TypeError for what is no future."""
    if not isinstance(future, Future):
        raise TypeError(
            "wait(): incompatible function arguments. The following argument types are supported:"
            f"\n    1. (arg0: torch._C.Future) -> object\n\nInvoked with: {future!r}"
        )
    return future.wait()


def fork(func: Any, *args: Any, **kwargs: Any) -> Future:
    """Run *func* now; returns a future that is done."""
    deprecated("fork", USE_COMPILE)
    return _fork(func, *args, **kwargs)


def wait(future: Any) -> Any:
    """What a future holds. Raises TypeError for what is no future."""
    deprecated("wait", USE_COMPILE)
    return _wait(future)
