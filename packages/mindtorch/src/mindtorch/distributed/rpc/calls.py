"""Calls in other workers: how they are written down, made and waited for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from typing import Any

from ..._ops import packet_named
from ...futures import Future, wait_all
from ...jit._builtins import _find_builtin
from ...jit._script import ScriptFunction
from .constants import UNSET_RPC_TIMEOUT
from .current_agent import _get_current_rpc_agent, _require_initialized
from .internal import PythonUDF, RPCExecMode, _internal_rpc_pickler
from .profiling import profiled

__all__ = ["rpc_async", "rpc_sync"]

#: What writes down calls.
_default_pickler: Any = _internal_rpc_pickler
#: ``future_list``: the futures of the calls made within ``_wait_all``.
_thread_local_var = threading.local()


@contextlib.contextmanager
def _use_rpc_pickler(rpc_pickler: Any) -> Generator[None, None, None]:
    """Let *rpc_pickler* write down calls."""
    global _default_pickler
    _default_pickler = rpc_pickler
    try:
        yield
    finally:
        _default_pickler = _internal_rpc_pickler


def _written(func: Any, args: Any, kwargs: Any) -> Any:
    """A call as bytes and tensors.

    Operators are called by their schemas. Raises TypeError for what cannot be called, RuntimeError
    for arguments that an operator does not take.
    """
    if not callable(func):
        raise TypeError("function should be callable.")
    args, kwargs = tuple(args or ()), dict(kwargs or {})
    name = _find_builtin(func)
    if name is not None:
        func = packet_named(name)
        func._check(args, kwargs)
    return _default_pickler.serialize(PythonUDF(func, args, kwargs))


def kind_of(func: Any, kind: str) -> str:
    """The kind of a request for *func*: operators and scripts have kinds of their own."""
    is_script = isinstance(func, ScriptFunction) or _find_builtin(func) is not None
    return f"script_{kind}" if is_script else kind


def _invoke_rpc(
    mode: RPCExecMode, to: Any, func: Any, args: Any, kwargs: Any, timeout: float
) -> Future[Any]:
    agent = _get_current_rpc_agent()
    worker = agent.membership.destination(to)
    with profiled(mode, func, agent.info, worker) as profile:
        call = _written(func, args, kwargs)
        return agent.call(worker, kind_of(func, "call"), call, timeout, profile=profile)


@_require_initialized
def rpc_sync(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Any:
    """Have a worker call *func*, and return what it gives. Raises what it raises.

    :param timeout: how long it may take, in seconds; 0 for as long as it likes.
    """
    return _invoke_rpc(RPCExecMode.SYNC, to, func, args, kwargs, timeout).wait()


@_require_initialized
def rpc_async(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Future[Any]:
    """Have a worker call *func*, and return a future of what it gives."""
    future = _invoke_rpc(RPCExecMode.ASYNC, to, func, args, kwargs, timeout)
    if hasattr(_thread_local_var, "future_list"):
        _thread_local_var.future_list.append(future)
    return future


@contextlib.contextmanager
def _wait_all() -> Generator[None, None, None]:
    """Wait, in the end, for all calls that ``rpc_async`` made inside."""
    _thread_local_var.future_list = []
    try:
        yield
    finally:
        try:
            wait_all(_thread_local_var.future_list)
        finally:
            del _thread_local_var.future_list
