"""``torch.jit._await``: calls that run when their result is asked for."""

from __future__ import annotations

from typing import Any

from .._awaits import _Await, _Waiting

__all__ = ["_Await", "_awaitable", "_awaitable_nowait", "_awaitable_wait"]


def _awaitable(func: Any, *args: Any, **kwargs: Any) -> _Waiting:
    """A call of *func* that is to come."""
    return _Waiting(lambda: func(*args, **kwargs))


def _awaitable_wait(aw: Any) -> Any:
    """What the call returns; it runs once."""
    return aw.wait()


def _awaitable_nowait(o: Any) -> _Waiting:
    """*o* as if it were the result of a call."""
    return _Waiting(lambda: o)
