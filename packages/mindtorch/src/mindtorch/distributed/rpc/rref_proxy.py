"""``torch.distributed.rpc.rref_proxy``: methods of the value behind a reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...futures import Future
from .constants import UNSET_RPC_TIMEOUT
from .functions import async_execution

__all__ = ["RRefProxy"]


def _local_invoke(rref: Any, func_name: str, args: Any, kwargs: Any) -> Any:
    """Call a method of the value of *rref*."""
    return getattr(rref.local_value(), func_name)(*args, **kwargs)


_local_invoke_async_execution = async_execution(_local_invoke)
_local_invoke_async_execution.__qualname__ = "_local_invoke_async_execution"


def _invoke_rpc(
    rref: Any, rpc_api: Any, func_name: str, timeout: float, *args: Any, **kwargs: Any
) -> Any:
    """Call a method where the value is, once its type is known."""

    def call(kind: Any) -> Any:
        method = getattr(kind, func_name)  # raises in the words of the class
        later = hasattr(method, "_wrapped_async_rpc_function")
        invoke = _local_invoke_async_execution if later else _local_invoke
        return rpc_api(rref.owner(), invoke, args=(rref, func_name, args, kwargs), timeout=timeout)

    if rpc_api.__name__ != "rpc_async":
        return call(rref._get_type(timeout=timeout))
    result: Future[Any] = Future()
    kind = rref._get_type(timeout=timeout, blocking=False)
    kind._when_done(lambda: _settle(result, lambda: _later(result, call(kind.value()))))
    return result


def _later(result: Future[Any], future: Any) -> None:
    """Let *result* be what *future* will be."""
    future._when_done(lambda: _settle(result, lambda: result.set_result(future.value())))


def _settle(result: Future[Any], function: Callable[[], None]) -> None:
    """Call *function*; what it raises is the error of *result*."""
    try:
        function()
    except Exception as error:
        result._complete(None, error)


class RRefProxy:
    """Calls methods of the value of *rref* through *rpc_api*."""

    def __init__(self, rref: Any, rpc_api: Any, timeout: float = UNSET_RPC_TIMEOUT) -> None:
        self.rref, self.rpc_api, self.rpc_timeout = rref, rpc_api, timeout

    def __getattr__(self, func_name: str) -> Any:
        return partial(_invoke_rpc, self.rref, self.rpc_api, func_name, self.rpc_timeout)
