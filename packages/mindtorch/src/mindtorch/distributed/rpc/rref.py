"""References to values of workers: what can be asked of them, and the calls that give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ...core.module_names import living_in
from ...futures import Future
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal
from .agent import TensorPipeAgent
from .calls import _written, kind_of, rpc_async, rpc_sync
from .constants import UNSET_RPC_TIMEOUT
from .current_agent import _get_current_rpc_agent, _require_initialized
from .internal import RPCExecMode
from .profiling import profiled
from .references import Given, Id
from .rref_proxy import RRefProxy
from .worker_info import WorkerInfo

__all__ = ["PyRRef", "RRef", "method_factory", "new_method", "remote"]

T = TypeVar("T")


@_require_initialized
def remote(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> PyRRef:
    """Have a worker call *func*, and return a reference to what it gives."""
    agent = _get_current_rpc_agent()
    worker, references = agent.membership.destination(to), agent.references
    with profiled(RPCExecMode.REMOTE, func, agent.info, worker) as profile:
        call = _written(func, args, kwargs)
        value, kind = references.new(), kind_of(func, "remote")
        if worker == agent.info:
            # A fork of its own keeps the value until the call has ended.
            references.add_fork(value, value)
            made = PyRRef._owning(agent, value, references.value(value))
            creation = agent.call(worker, kind, call, timeout, value, None, profile=profile)
            creation._when_done(lambda: references.drop_fork(value, value))
        else:
            fork = references.new()
            creation = agent.call(worker, kind, call, timeout, value, fork, profile=profile)
            made = PyRRef._using(agent, Given(value, worker, fork, agent.info.id))
            references.made(made, creation)
    made._fetch = kind_of(func, "fetch")
    made._creation, made._profiling = creation, creation if profile else None
    return made


def _rref_typeof_on_owner(rref: PyRRef, blocking: bool = True) -> Any:
    """The type of a value that this worker holds."""
    kind = type(rref.local_value())
    if blocking:
        return kind
    future: Future[Any] = Future()
    future.set_result(kind)
    return future


def _rref_typeof_on_user(
    rref: PyRRef, timeout: float = UNSET_RPC_TIMEOUT, blocking: bool = True
) -> Any:
    """The type of a value that another worker holds."""
    future = rpc_async(rref.owner(), _rref_typeof_on_owner, args=(rref,), timeout=timeout)
    return future.wait() if blocking else future


class PyRRef:
    """A reference to a value that a worker holds, or will hold."""

    _agent: TensorPipeAgent
    _value: Id
    _owner: WorkerInfo
    #: What the owner knows this reference by; None where it is the owner's own.
    _fork: Id | None
    #: The value, where this worker holds it.
    _future: Any
    #: Whether the call that gives the value has been made; None where there was none.
    _creation: Any
    #: The same where a profiler shows the call, done when it has.
    _profiling: Any
    #: The kind of the request for the value.
    _fetch = "fetch"
    _confirmed: bool
    _deleted = True
    #: A future of the type of another worker's value, once somebody has asked for it.
    _kind: Any

    def __init__(self, value: Any, type_hint: Any = None) -> None:
        agent = _get_current_rpc_agent()
        future: Future[Any] = Future()
        future.set_result(value)
        self._refer(agent, agent.references.new(), agent.info, None)
        self._future = future

    def _refer(self, agent: TensorPipeAgent, value: Id, owner: WorkerInfo, fork: Id | None) -> None:
        self._agent, self._value, self._owner, self._fork = agent, value, owner, fork
        self._future = self._creation = self._profiling = self._kind = None
        self._confirmed, self._deleted = fork is None, False

    @classmethod
    def _owning(cls, agent: TensorPipeAgent, value: Id, future: Any) -> PyRRef:
        """A reference of the owner."""
        made = cls.__new__(cls)
        made._refer(agent, value, agent.info, None)
        made._future = future
        return made

    @classmethod
    def _using(cls, agent: TensorPipeAgent, given: Given) -> PyRRef:
        """A reference of another worker."""
        made = cls.__new__(cls)
        made._refer(agent, given.value, given.owner, given.fork)
        return made

    def __del__(self) -> None:
        if not self._deleted and self._fork is not None:
            self._agent.references.forget(self)

    def _serialize(self) -> Given:
        """Hand the reference on."""
        if self._deleted:
            raise RuntimeError(f"{self!r} Cannot call fork an UserRRef after deletion.")
        self._check_created()
        return self._agent.references.lend(self)

    @staticmethod
    def _deserialize(given: Given) -> PyRRef:
        """The reference that was handed on."""
        agent = _get_current_rpc_agent()
        if given.owner == agent.info:
            made = PyRRef._owning(agent, given.value, agent.references.value(given.value))
            agent.references.come_home(given)
            return made
        made = PyRRef._using(agent, given)
        agent.references.accept(given, made)
        return made

    def owner(self) -> WorkerInfo:
        """The worker that holds the value."""
        return self._owner

    def owner_name(self) -> str:
        """The name of the worker that holds the value."""
        return self._owner.name

    def is_owner(self) -> bool:
        """Whether this process holds the value."""
        return self._fork is None

    def confirmed_by_owner(self) -> bool:
        """Whether the owner knows of this reference."""
        return self._confirmed

    def to_here(self, timeout: float = UNSET_RPC_TIMEOUT) -> Any:
        """The value, waited for. Raises what the call raised."""
        if self._fork is None:
            return self.local_value()
        if self._deleted:
            raise RuntimeError(
                f"{self!r} Cannot call to_here() on it after deletion. User RRefs are deleted in "
                "rpc.shutdown()"
            )
        self._check_created()
        context = contexts.current_number()
        answer = self._agent.request(self._owner, self._fetch, (self._value, context), timeout)
        return self._agent.marshalling.answer_of(self._owner, answer).wait()

    def _check_created(self) -> None:
        """Raise RuntimeError where the call has taken too long, or was lost."""
        error = self._creation._error if self._creation is not None else None
        if error is not None and str(error).startswith(("RPCErr:1:", "RPCErr:2:")):
            raise RuntimeError(
                "RRef creation via rpc.remote() timed out, and it is possible that the RRef on the "
                f"owner node does not exist. Timed out: {error}"
            )

    def local_value(self) -> Any:
        """The value, in the process that holds it. Raises RuntimeError in another."""
        if self._fork is not None:
            raise RuntimeError(
                f"For UserRRef(rref_id={self._value}, fork_id={self._fork}), can't call "
                f"localValue() on user {self._agent.info!r}. Call it on owner {self._owner!r}"
            )
        self._check_created()
        value = self._future.wait()
        internal._handle_exception(value)
        return value

    def backward(self, dist_autograd_ctx_id: int = -1, retain_graph: bool = False) -> None:
        """Compute gradients of a value that is a tensor.

        :param dist_autograd_ctx_id: the context that keeps them; -1: they go into ``.grad``.

        Raises RuntimeError for another value, and for one of another worker without a context.
        """
        if self._fork is not None:
            if dist_autograd_ctx_id == -1:
                raise RuntimeError("User RRefs require 'dist_autograd_ctx_id' to be specified")
            content = (self._value, dist_autograd_ctx_id, retain_graph)
            contexts.there(dist_autograd_ctx_id).meet(self._owner.id)
            self._agent.request(self._owner, "backward", content, UNSET_RPC_TIMEOUT).wait()
            return
        value = self.local_value()
        if not isinstance(value, Tensor):
            raise RuntimeError("RRef should contain a tensor for .backward()")
        if dist_autograd_ctx_id == -1:
            value.backward(retain_graph=retain_graph)
            return
        contexts.backward(dist_autograd_ctx_id, [value], retain_graph)

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
        """The type of the value, or a future of it. It is asked for once."""
        if self._fork is None:
            return _rref_typeof_on_owner(self, blocking)
        if self._kind is None:
            self._kind = _rref_typeof_on_user(self, timeout, blocking=False)
        if not blocking:
            return self._kind
        try:
            return self._kind.wait()
        except Exception:
            self._kind = None  # the next one asks anew
            raise

    def _get_future(self) -> Any:
        """A future of the call that gives the value. Raises RuntimeError where there was none."""
        if self._creation is None:
            raise RuntimeError("Failed to get future for RRef: it was not made by rpc.remote()")
        return self._creation

    def _get_profiling_future(self) -> Any:
        """A future that is done when a profile has the call. Raises RuntimeError without one."""
        if self._profiling is None:
            raise RuntimeError("Profiling future has not been set!")
        return self._profiling

    def __repr__(self) -> str:
        if self._fork is None:
            return f"OwnerRRef({self._value})"
        return f"UserRRef(RRefId = {self._value}, ForkId = {self._fork})"

    def __reduce__(self) -> Any:
        raise RuntimeError(
            "Can not pickle rref in python pickler, rref can only be pickled when using RPC"
        )


class RRef(PyRRef, Generic[T]):
    """A reference to a value of type ``T`` that a worker holds."""


internal._references += [PyRRef, RRef]
living_in("mindtorch._C._distributed_rpc", PyRRef)


def method_factory(method_name: str, docstring: str | None) -> Callable[..., Any]:
    """A method that calls the one of this name of the base of ``RRef``."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(super(RRef, self), method_name)(*args, **kwargs)

    method.__doc__ = docstring
    return method


# ``RRef`` has methods of its own, as in torch.
for _name in (
    "__str__ backward confirmed_by_owner is_owner local_value owner owner_name remote rpc_async "
    "rpc_sync to_here"
).split():
    setattr(RRef, _name, method_factory(_name, getattr(PyRRef, _name).__doc__))


def new_method(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The last of the methods that torch makes for ``RRef``: ``to_here``."""
    return self.to_here(*args, **kwargs)


def _rref_context_get_debug_info() -> dict[str, str]:
    """How many values are held and references are on their way."""
    return _get_current_rpc_agent().references.counts()
