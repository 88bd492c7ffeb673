"""``torch.distributed.rpc.api``: calls in workers by name.

Calls in other processes are not available: the only worker is the process itself.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from ...futures import Future, wait_all
from ...tensor import Tensor
from .._gradient_contexts import backward
from ..rendezvous import _rendezvous_helper
from .agent import Agent, WorkerInfo, current, set_current
from .backend_registry import BackendType
from .constants import DEFAULT_PROCESS_GROUP_TIMEOUT, DEFAULT_SHUTDOWN_TIMEOUT, UNSET_RPC_TIMEOUT
from .options import RpcBackendOptions, TensorPipeRpcBackendOptions
from .rref_proxy import RRefProxy

__all__ = [
    "AllGatherStates",
    "RRef",
    "get_worker_info",
    "init_rpc",
    "is_available",
    "method_factory",
    "new_method",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]

T = TypeVar("T")
#: The futures of the calls made within ``_wait_all``, by thread.
_waited = threading.local()


def is_available() -> bool:
    """Whether there is RPC: with one worker, this process."""
    return True


def _needed() -> Agent:
    agent = current()
    if agent is None:
        raise RuntimeError(
            "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first."
        )
    return agent


def _require_initialized(func: Callable[..., Any]) -> Callable[..., Any]:
    """*func*, refused until RPC is begun."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        _needed()
        return func(*args, **kwargs)

    return wrapper


def init_rpc(
    name: str,
    backend: BackendType | None = None,
    rank: int = -1,
    world_size: int | None = None,
    rpc_backend_options: RpcBackendOptions | None = None,
) -> None:
    """Begin RPC: from now on this process is the worker *name*.

    :param rank: its number, 0.
    :param world_size: how many workers there are: one.
    :param rpc_backend_options: how long calls may take, and how workers find each other.

    Raises RuntimeError for more than one worker: calls in other processes are not available.
    """
    if backend is not None and not isinstance(backend, BackendType):
        raise TypeError("Argument backend must be a member of BackendType")
    if rpc_backend_options is not None and not isinstance(rpc_backend_options, RpcBackendOptions):
        raise TypeError("Argument rpc_backend_options must be an instance of RpcBackendOptions")
    options = rpc_backend_options or TensorPipeRpcBackendOptions()
    if current() is not None:
        raise RuntimeError("RPC is already initialized")
    if not isinstance(name, str):
        raise RuntimeError(f"Argument 5 must be of type {str} but got type {type(name)}")
    _check_alone(rank, world_size)
    next(
        _rendezvous_helper(
            options.init_method, rank, world_size, timeout=DEFAULT_PROCESS_GROUP_TIMEOUT
        )
    )
    set_current(Agent(name, options, (PyRRef, WorkerInfo)))


def _check_alone(rank: int, world_size: int | None) -> None:
    """Raise RuntimeError for more than one worker, asked for or named by the environment."""
    if world_size is None:
        rank = int(os.environ.get("RANK", rank))
        world_size = int(os.environ.get("WORLD_SIZE", 1))
    if world_size > 1 or rank > 0:
        raise RuntimeError(
            f"init_rpc with rank {rank} and world_size {world_size} needs calls in other "
            "processes, which mindtorch does not have: the only world size is 1"
        )


@_require_initialized
def shutdown(graceful: bool = True, timeout: float = DEFAULT_SHUTDOWN_TIMEOUT) -> None:
    """End RPC.

    :param graceful: wait until the calls that run have ended.
    """
    agent = _needed()
    set_current(None)
    agent.close(graceful)


@_require_initialized
def get_worker_info(worker_name: str | None = None) -> WorkerInfo:
    """The worker of a name; this process without one."""
    agent = _needed()
    return agent.info if worker_name is None else agent.worker(worker_name)


def get_rpc_timeout() -> float:
    """How long a call may take, in seconds, unless it says otherwise."""
    return _needed().timeout


def _called(
    to: Any, func: Any, args: Any, kwargs: Any, timeout: float, stays: bool = False
) -> Future[Any]:
    agent = _needed()
    if not callable(func):
        raise TypeError("function should be callable.")
    agent.worker(to)
    return agent.call(func, tuple(args or ()), dict(kwargs or {}), timeout, stays)


@_require_initialized
def remote(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> PyRRef:
    """Have a worker call *func*, and return a reference to what it gives."""
    return PyRRef._of_call(_needed(), _called(to, func, args, kwargs, timeout, stays=True))


@_require_initialized
def rpc_sync(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Any:
    """Have a worker call *func*, and return what it gives. Raises what it raises.

    :param timeout: how long it may take, in seconds; 0 for as long as it likes.
    """
    return _called(to, func, args, kwargs, timeout).wait()


@_require_initialized
def rpc_async(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Future[Any]:
    """Have a worker call *func*, and return a future of what it gives."""
    future = _called(to, func, args, kwargs, timeout)
    if hasattr(_waited, "futures"):
        _waited.futures.append(future)
    return future


@contextmanager
def _wait_all() -> Generator[None, None, None]:
    """Wait, in the end, for all calls that ``rpc_async`` made inside."""
    _waited.futures = []
    try:
        yield
    finally:
        futures = _waited.futures
        del _waited.futures
        wait_all(futures)


class PyRRef:
    """A reference to a value that a worker holds, or will hold."""

    __module__ = "torch._C._distributed_rpc"

    def __init__(self, value: Any, type_hint: Any = None) -> None:
        agent = current()
        if agent is None:
            raise RuntimeError(
                "Current RPC agent is not set! Did you initialize the RPC framework "
                "(e.g. by calling `rpc.init_rpc`)?"
            )
        self._agent: Agent = agent
        self._number = agent.number()
        self._future: Future[Any] = Future()
        self._future.set_result(value)

    @classmethod
    def _of_call(cls, agent: Agent, future: Future[Any]) -> PyRRef:
        """A reference to what a call gives."""
        made = cls.__new__(cls)
        made._agent, made._number, made._future = agent, agent.number(), future
        return made

    def owner(self) -> WorkerInfo:
        """The worker that holds the value."""
        return self._agent.info

    def owner_name(self) -> str:
        """The name of the worker that holds the value."""
        return self._agent.info.name

    def is_owner(self) -> bool:
        """Whether this process holds the value: it is the only one."""
        return True

    def confirmed_by_owner(self) -> bool:
        """Whether the owner knows of this reference."""
        return True

    def to_here(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """The value, waited for. Raises what the call raised."""
        return self._future.wait()

    def local_value(self) -> Any:
        """The value, in the process that holds it."""
        return self._future.wait()

    def backward(self, dist_autograd_ctx_id: int = -1, retain_graph: bool = False) -> None:
        """Compute gradients of a value that is a tensor, or has one as ``loss``.

        :param dist_autograd_ctx_id: the context that keeps them; -1: they go into ``.grad``.

        Raises RuntimeError for another value.
        """
        value = self._future.wait()
        if not isinstance(value, Tensor):
            raise RuntimeError("RRef should contain a tensor for .backward()")
        if dist_autograd_ctx_id == -1:
            value.backward(retain_graph=retain_graph)
            return
        backward(dist_autograd_ctx_id, [value], retain_graph)

    def rpc_sync(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and waits: ``rref.rpc_sync().size()``."""
        return RRefProxy(self, rpc_sync, timeout)

    def rpc_async(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and gives futures."""
        return RRefProxy(self, rpc_async, timeout)

    def remote(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and gives references."""
        return RRefProxy(self, remote, timeout)

    def _get_type(self, timeout: float = UNSET_RPC_TIMEOUT, blocking: bool = True) -> Any:
        """The type of the value."""
        return type(self._future.wait())

    def _get_future(self) -> Any:
        """A future of the value."""
        return self._future

    def __repr__(self) -> str:
        return f"OwnerRRef(GloballyUniqueId(created_on=0, local_id={self._number}))"

    def __reduce__(self) -> Any:
        raise RuntimeError(
            "Can not pickle rref in python pickler, rref can only be pickled when using RPC"
        )


class RRef(PyRRef, Generic[T]):
    """A reference to a value of type ``T`` that a worker holds."""


class AllGatherStates:
    """What has come of the parts of an exchange between all workers."""

    def __init__(self) -> None:
        self.gathered_objects: dict[str, Any] = {}
        self.proceed_signal = threading.Event()


@_require_initialized
def _all_gather(
    obj: Any, worker_names: set[str] | None = None, timeout: float = UNSET_RPC_TIMEOUT
) -> dict[str, Any]:
    """What each worker gave, by their names."""
    name = _needed().info.name
    if worker_names is not None:
        assert name in worker_names, f"{name} is not expected by leader."
    return {name: obj}


@_require_initialized
def _barrier(worker_names: set[str]) -> None:
    """Wait for all workers of these names: there is this one."""
    _all_gather(None, set(worker_names))


def method_factory(method_name: str, docstring: str | None) -> Callable[..., Any]:
    """A method that calls the one of this name of the base of ``RRef``."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(super(RRef, self), method_name)(*args, **kwargs)

    if method.__doc__ is None:
        method.__doc__ = docstring
    return method


def new_method(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The last of the methods that torch made for ``RRef``: ``to_here``."""
    return self.to_here(*args, **kwargs)
