"""How RPC begins: the workers find each other by a store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from numbers import Integral
from typing import Any

from ...core.module_names import living_in
from .. import _gradient_contexts as contexts
from .. import autograd
from .._c10d.stores import PrefixStore, Store
from ..constants import default_pg_timeout
from ..rendezvous import _create_store_from_options, rendezvous
from . import api, backend_registry
from .current_agent import current
from .options import RpcBackendOptions

__all__ = ["init_rpc"]

_counter_lock = threading.Lock()
_count = 0
#: The rendezvous of the workers, which has to stay while they find each other.
_rendezvous: Iterator[Any] | None = None


def init_rpc(
    name: str,
    backend: Any = None,
    rank: int = -1,
    world_size: int | None = None,
    rpc_backend_options: RpcBackendOptions | None = None,
) -> None:
    """Begin RPC: from now on this process is the worker *name*.

    :param rank: its number.
    :param world_size: how many workers there are; without it they may come and go.
    :param rpc_backend_options: how long calls may take, and how workers find each other.
    """
    global _count, _rendezvous
    types = backend_registry.BackendType
    if backend is not None and not isinstance(backend, types):
        raise TypeError("Argument backend must be a member of BackendType")
    if rpc_backend_options is not None and not isinstance(rpc_backend_options, RpcBackendOptions):
        raise TypeError("Argument rpc_backend_options must be an instance of RpcBackendOptions")
    if backend is None:
        backend = _backend_of(rpc_backend_options)
    options = rpc_backend_options or backend_registry.construct_rpc_backend_options(backend)
    if world_size:
        _rendezvous = rendezvous(options.init_method, rank, world_size, timeout=default_pg_timeout)
        store = next(_rendezvous)[0]
    else:
        store = _create_store_from_options(options, rank)
    store.set_timeout(timedelta(seconds=options.rpc_timeout))
    with _counter_lock:
        store = PrefixStore(f"rpc_prefix_{_count}", store)
        _count += 1
    _init_rpc_backend(backend, store, name, rank, world_size, options)


def _backend_of(options: RpcBackendOptions | None) -> Any:
    """The transport that has such options. Raises TypeError if none has."""
    types = backend_registry.BackendType
    if options is None:
        return types.TENSORPIPE
    for each in types:
        try:
            usual = backend_registry.construct_rpc_backend_options(each)
        except TypeError:  # it has no usual options: who wants it says so
            continue
        if isinstance(options, type(usual)):
            return each
    raise TypeError(f"Could not infer backend for options {options}")


def _init_rpc_backend(
    backend: Any = None,
    store: Any = None,
    name: Any = None,
    rank: int = -1,
    world_size: int | None = None,
    rpc_backend_options: Any = None,
) -> None:
    """Begin RPC with workers that *store* connects."""
    wanted: list[tuple[Any, Any]] = [
        (backend, backend_registry.BackendType),
        (store, Store),
        (name, str),
        (rank, Integral),
        (world_size, (Integral, type(None))),
        (rpc_backend_options, RpcBackendOptions),
    ]
    for given, kind in wanted:
        if not isinstance(given, kind):
            raise RuntimeError(
                f"Argument {given} must be of type {kind} but got type {type(given)}"
            )
    if current() is not None:
        raise RuntimeError("RPC is already initialized")
    autograd._init(rank)
    agent = backend_registry.init_backend(
        backend,
        store=store,
        name=name,
        rank=rank,
        world_size=world_size,
        rpc_backend_options=rpc_backend_options,
    )
    api._init_rpc_states(agent)


@api._require_initialized
def _get_debug_info() -> dict[str, Any]:
    """How many values, calls and contexts of gradients there are."""
    agent = api._get_current_rpc_agent()
    return {
        **api._rref_context_get_debug_info(),
        **agent.get_debug_info(),
        **contexts._get_debug_info(),
    }


living_in("mindtorch.distributed.rpc", init_rpc)
