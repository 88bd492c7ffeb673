"""``torch.distributed.rpc.backend_registry``: the transports of calls by name."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from .agent import TensorPipeAgent
from .constants import DEFAULT_INIT_METHOD, DEFAULT_RPC_TIMEOUT_SEC
from .current_agent import set_current
from .options import TensorPipeRpcBackendOptions

__all__ = [
    "BackendType",
    "BackendValue",
    "backend_registered",
    "construct_rpc_backend_options",
    "init_backend",
    "register_backend",
]

Agent = TypeVar("Agent", bound=TensorPipeAgent)

BackendValue = namedtuple(
    "BackendValue", ["construct_rpc_backend_options_handler", "init_backend_handler"]
)


def _tensorpipe_construct_rpc_backend_options_handler(
    rpc_timeout: float, init_method: str, **kwargs: Any
) -> TensorPipeRpcBackendOptions:
    return TensorPipeRpcBackendOptions(rpc_timeout=rpc_timeout, init_method=init_method, **kwargs)


def begun(agent: Agent) -> Agent:
    """*agent*, which from now on is that of this process and known to the others."""
    set_current(agent)  # from the moment on that others know of it, it is called
    try:
        agent.begin()
    except BaseException:
        set_current(None)
        agent.close()
        raise
    return agent


def _tensorpipe_init_backend_handler(
    store: Any, name: str, rank: int, world_size: int | None, rpc_backend_options: Any
) -> TensorPipeAgent:
    if not isinstance(rpc_backend_options, TensorPipeRpcBackendOptions):
        raise TypeError(
            f"`rpc_backend_options` must be a `TensorPipeRpcBackendOptions`. {rpc_backend_options}"
        )
    return begun(TensorPipeAgent(store, name, rank, world_size or None, rpc_backend_options))


def _named(self: Any) -> str:
    return f"BackendType.{self.name}"


def _types(members: dict[str, Any]) -> Any:
    make: Any = Enum  # a class with these members, which no checker can know
    made = make("BackendType", members, module=__name__)
    made.__repr__ = _named
    made.__doc__ = "The transports of calls."
    return made


BackendType: Any = _types(
    {
        "TENSORPIPE": BackendValue(
            _tensorpipe_construct_rpc_backend_options_handler, _tensorpipe_init_backend_handler
        )
    }
)


def backend_registered(backend_name: str) -> bool:
    """Whether there is a transport of this name."""
    return backend_name in BackendType.__members__


def register_backend(
    backend_name: str,
    construct_rpc_backend_options_handler: Callable[..., Any],
    init_backend_handler: Callable[..., Any],
) -> Any:
    """Add a transport: what makes its options, and what begins its agent.

    Raises RuntimeError for a name that there is already.
    """
    global BackendType
    if backend_registered(backend_name):
        raise RuntimeError(f"RPC backend {backend_name}: already registered")
    value = BackendValue(construct_rpc_backend_options_handler, init_backend_handler)
    known = {each.name: each.value for each in BackendType}
    BackendType = _types({backend_name: value, **known})
    return BackendType[backend_name]


def construct_rpc_backend_options(
    backend: Any,
    rpc_timeout: float = DEFAULT_RPC_TIMEOUT_SEC,
    init_method: str = DEFAULT_INIT_METHOD,
    **kwargs: Any,
) -> Any:
    """The options of a transport."""
    return backend.value.construct_rpc_backend_options_handler(rpc_timeout, init_method, **kwargs)


def init_backend(backend: Any, *args: Any, **kwargs: Any) -> Any:
    """The agent of a transport, begun."""
    return backend.value.init_backend_handler(*args, **kwargs)
