"""``torch.distributed.rpc.api``: calls in workers by name, and references to what they give."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections import defaultdict
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

from ...core.module_names import living_in
from ...futures import Future, wait_all
from ...tensor import Tensor
from .. import _gradient_contexts as contexts
from . import internal
from .agent import TensorPipeAgent, WorkerInfo, current, set_current
from .constants import DEFAULT_SHUTDOWN_TIMEOUT, UNSET_RPC_TIMEOUT
from .internal import PythonUDF, _internal_rpc_pickler
from .references import Given, Id
from .rref_proxy import RRefProxy

__all__ = [
    "AllGatherStates",
    "RRef",
    "get_worker_info",
    "method_factory",
    "new_method",
    "remote",
    "rpc_async",
    "rpc_sync",
    "shutdown",
]

T = TypeVar("T")
#: What writes down calls.
_default_pickler: Any = _internal_rpc_pickler
#: Whether the end of RPC is silent about values that others still refer to.
_ignore_rref_leak = True
#: ``future_list``: the futures of the calls made within ``_wait_all``.
_thread_local_var = threading.local()
#: How long the end of RPC waits for references of others to go, in seconds.
_FLUSH = 100.0


def _is_current_rpc_agent_set() -> bool:
    """Whether RPC has begun."""
    return current() is not None


def _get_current_rpc_agent() -> TensorPipeAgent:
    """The worker of this process. Raises RuntimeError before RPC has begun."""
    agent = current()
    if agent is None:
        raise RuntimeError(
            "Current RPC agent is not set! Did you initialize the RPC framework (e.g. by calling "
            "`rpc.init_rpc`)?"
        )
    return agent


def _set_and_start_rpc_agent(agent: Any) -> None:
    """Let *agent* be the worker of this process."""
    set_current(agent)


def _init_rpc_states(agent: Any) -> None:
    """Let *agent* be the worker of this process, if it is not."""
    if not _is_current_rpc_agent_set():
        _set_and_start_rpc_agent(agent)


def _require_initialized(func: Callable[..., Any]) -> Callable[..., Any]:
    """*func*, refused until RPC is begun."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if not _is_current_rpc_agent_set():
            raise RuntimeError(
                "RPC has not been initialized. Call torch.distributed.rpc.init_rpc first."
            )
        return func(*args, **kwargs)

    return wrapper


@contextlib.contextmanager
def _use_rpc_pickler(rpc_pickler: Any) -> Generator[None, None, None]:
    """Let *rpc_pickler* write down calls."""
    global _default_pickler
    _default_pickler = rpc_pickler
    try:
        yield
    finally:
        _default_pickler = _internal_rpc_pickler


@_require_initialized
def get_worker_info(worker_name: str | int | None = None) -> WorkerInfo:
    """The worker of a name; this process without one."""
    return _get_current_rpc_agent().get_worker_info(worker_name)


def get_rpc_timeout() -> float:
    """How long a call may take, in seconds, unless it says otherwise."""
    return _get_current_rpc_agent().timeout


def _set_rpc_timeout(rpcTimeoutSeconds: float) -> None:
    """Set how long a call may take, in seconds, unless it says otherwise."""
    _get_current_rpc_agent().timeout = rpcTimeoutSeconds


# Calls


def _written(func: Any, args: Any, kwargs: Any) -> Any:
    """A call as bytes and tensors. Raises TypeError for what cannot be called."""
    if not callable(func):
        raise TypeError("function should be callable.")
    return _default_pickler.serialize(PythonUDF(func, tuple(args or ()), dict(kwargs or {})))


def _invoke_rpc(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Future[Any]:
    agent = _get_current_rpc_agent()
    worker = agent.worker(to)
    return agent.call(worker, "call", _written(func, args, kwargs), timeout)


@_require_initialized
def rpc_sync(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Any:
    """Have a worker call *func*, and return what it gives. Raises what it raises.

    :param timeout: how long it may take, in seconds; 0 for as long as it likes.
    """
    return _invoke_rpc(to, func, args, kwargs, timeout).wait()


@_require_initialized
def rpc_async(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> Future[Any]:
    """Have a worker call *func*, and return a future of what it gives."""
    future = _invoke_rpc(to, func, args, kwargs, timeout)
    if hasattr(_thread_local_var, "future_list"):
        _thread_local_var.future_list.append(future)
    return future


@_require_initialized
def remote(
    to: Any, func: Any, args: Any = None, kwargs: Any = None, timeout: float = UNSET_RPC_TIMEOUT
) -> PyRRef:
    """Have a worker call *func*, and return a reference to what it gives."""
    agent = _get_current_rpc_agent()
    worker, call = agent.worker(to), _written(func, args, kwargs)
    references = agent.references
    value = references.new()
    if worker == agent.info:
        # A fork of its own keeps the value until the call has ended.
        references.add_fork(value, value)
        made = PyRRef._owning(agent, value, references.value(value))
        made._creation = agent.call(worker, "remote", call, timeout, value, None)
        made._creation._when_done(lambda: references.drop_fork(value, value))
        return made
    fork = references.new()
    creation = agent.call(worker, "remote", call, timeout, value, fork)
    made = PyRRef._using(agent, Given(value, worker, fork, agent.info.id))
    made._creation = creation
    references.made(made, creation)
    return made


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


# References


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
        self._future = self._creation = self._kind = None
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
        answer = self._agent.request(self._owner, "fetch", (self._value, context), timeout)
        return self._agent.answer_of(self._owner, answer).wait()

    def _check_created(self) -> None:
        """Raise RuntimeError where the call has taken too long."""
        error = self._creation._error if self._creation is not None else None
        if error is not None and str(error).startswith("RPCErr:1:"):
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


# Exchanges between all workers


class AllGatherStates:
    """What has come of the parts of an exchange between all workers."""

    def __init__(self) -> None:
        self.gathered_objects: dict[str, Any] = {}
        self.proceed_signal = threading.Event()


_all_gather_lock = threading.RLock()
_all_gather_counts: dict[str, int] = {}
_all_gather_states: dict[str, AllGatherStates] = defaultdict(AllGatherStates)


def _all_names() -> set[str]:
    return {info.name for info in _get_current_rpc_agent().get_worker_infos()}


def _gather_to_leader(
    sequence_id: str, worker_name: str, obj: Any, worker_names: set[str] | None = None
) -> None:
    """Note what a worker gave to an exchange that this one leads."""
    with _all_gather_lock:
        if not worker_names:
            worker_names = _all_names()
            assert worker_name in worker_names, f"{worker_name} is not expected by leader."
        states = _all_gather_states[sequence_id]
        assert worker_name not in states.gathered_objects, (
            f"{worker_name} reported intent sequence id {sequence_id} twice. "
        )
        states.gathered_objects[worker_name] = obj
        if worker_names == set(states.gathered_objects):
            states.proceed_signal.set()


def _broadcast_to_followers(sequence_id: str, objects_map: dict[str, Any]) -> None:
    """Note what all workers gave."""
    with _all_gather_lock:
        states = _all_gather_states[sequence_id]
    assert not states.proceed_signal.is_set(), (
        f"Termination signal sequence id {sequence_id} got set twice."
    )
    states.gathered_objects = objects_map
    states.proceed_signal.set()


@_require_initialized
def _all_gather(
    obj: Any, worker_names: set[str] | None = None, timeout: float = UNSET_RPC_TIMEOUT
) -> dict[str, Any]:
    """What each worker gave, by their names. The first of the names leads.

    :param timeout: how long it may take, in seconds; unless it is given, each call may take as long
        as calls may.

    Raises RuntimeError where it takes longer.
    """
    names = worker_names or _all_names()
    me, leader = get_worker_info().name, min(names)
    if worker_names is not None:
        assert me in names, f"{me} is not expected by leader."
    joined = "".join(sorted(names))
    with _all_gather_lock:
        turn = _all_gather_counts.get(joined, 0)
        _all_gather_counts[joined] = turn + 1
    sequence_id = f"{joined}{turn}"
    limit = get_rpc_timeout() if timeout == UNSET_RPC_TIMEOUT else timeout
    if leader == me:
        _gather_to_leader(sequence_id, me, obj, names)
    else:
        rpc_sync(leader, _gather_to_leader, (sequence_id, me, obj, names), timeout=limit)
    with _all_gather_lock:
        states = _all_gather_states[sequence_id]
    states.proceed_signal.wait(timeout if timeout > 0 else None)
    if leader == me:
        _send_to_followers(sequence_id, states, names - {leader}, limit)
    with _all_gather_lock:
        return _all_gather_states.pop(sequence_id).gathered_objects


def _send_to_followers(
    sequence_id: str, states: AllGatherStates, followers: set[str], limit: float
) -> None:
    """Send what was gathered. Raises RuntimeError with the names of those that do not answer."""
    sent = (sequence_id, states.gathered_objects)
    futures = {
        name: rpc_async(name, _broadcast_to_followers, sent, timeout=limit) for name in followers
    }
    failed: list[tuple[str, RuntimeError]] = []
    for name, future in futures.items():
        try:
            future.wait()
        except RuntimeError as error:
            failed.append((name, error))
    if failed:
        raise RuntimeError(
            f"Followers {[name for name, _ in failed]} timed out in _all_gather after {limit:.2f} "
            f"seconds. The first exception is {failed[0][1]}"
        )


@_require_initialized
def _barrier(worker_names: set[str]) -> None:
    """Wait for all workers of these names."""
    _all_gather(None, set(worker_names))


@_require_initialized
def _wait_all_workers(timeout: float = DEFAULT_SHUTDOWN_TIMEOUT) -> None:
    """Wait until all workers have come here."""
    _all_gather(None, timeout=timeout)


# The end


def _delete_all_user_and_unforked_owner_rrefs(timeout: float = _FLUSH) -> None:
    """Let all references go, and wait for those of others."""
    _get_current_rpc_agent().references.flush(timeout)


@_require_initialized
def shutdown(graceful: bool = True, timeout: float = DEFAULT_SHUTDOWN_TIMEOUT) -> None:
    """End RPC.

    :param graceful: wait for all workers, and until the calls that run have ended.

    Raises RuntimeError where other workers do not come.
    """
    agent = _get_current_rpc_agent()
    try:
        if graceful:
            if agent.is_static_group:
                _wait_all_workers(timeout)
                _delete_all_user_and_unforked_owner_rrefs()
            agent.join(shutdown=True, timeout=timeout)
    finally:
        _finalize_shutdown()


def _finalize_shutdown() -> None:
    """End RPC in this process. Raises RuntimeError for values that others still refer to."""
    agent = _get_current_rpc_agent()
    try:
        agent.references.close(_ignore_rref_leak)
    finally:
        set_current(None)
        agent.close()
        _all_gather_counts.clear()
        _all_gather_states.clear()
