"""References to values in a worker: ``RRef``."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ...futures import Future
from .agent import Agent, WorkerInfo, current
from .constants import UNSET_RPC_TIMEOUT

__all__ = ["PyRRef", "RRef"]

T = TypeVar("T")


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
        from ...tensor import Tensor

        value = self._future.wait()
        if not isinstance(value, Tensor):
            raise RuntimeError("RRef should contain a tensor for .backward()")
        if dist_autograd_ctx_id == -1:
            value.backward(retain_graph=retain_graph)
            return
        from ..autograd import backward

        backward(dist_autograd_ctx_id, [value], retain_graph)

    def _proxy(self, name: str, timeout: float) -> Any:
        from . import api
        from .rref_proxy import RRefProxy

        return RRefProxy(self, getattr(api, name), timeout)

    def rpc_sync(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and waits: ``rref.rpc_sync().size()``."""
        return self._proxy("rpc_sync", timeout)

    def rpc_async(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and gives futures."""
        return self._proxy("rpc_async", timeout)

    def remote(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """What calls methods of the value and gives references."""
        return self._proxy("remote", timeout)

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

    __module__ = "torch.distributed.rpc.api"
