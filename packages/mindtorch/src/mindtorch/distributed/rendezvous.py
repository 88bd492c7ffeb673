"""How processes find each other: by variables of the environment, an address, or a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlparse, urlunparse

from ._c10d.fake import LoneStore, others_are_imagined
from ._c10d.file_store import FileStore
from ._c10d.stores import PrefixStore, Store
from ._c10d.tcp_store import TCPStore
from .constants import default_pg_timeout

__all__ = ["register_rendezvous_handler", "rendezvous"]

_rendezvous_handlers: dict[str, Callable[..., Iterator[tuple[Store, int, int]]]] = {}


def register_rendezvous_handler(scheme: str, handler: Callable[..., Any]) -> None:
    """Let *handler* answer for URLs of *scheme*: it yields stores with rank and world size."""
    if scheme in _rendezvous_handlers:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    _rendezvous_handlers[scheme] = handler


def _query_to_dict(query: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in filter(None, query.split("&")))
    return {key: value for key, _, value in pairs}


def _get_use_libuv_from_query_dict(query_dict: dict[str, str]) -> bool:
    return query_dict.get("use_libuv", os.environ.get("USE_LIBUV", "1")) == "1"


def _rendezvous_helper(url: str, rank: int, world_size_opt: int | None, **kwargs: Any) -> Any:
    result = urlparse(url)
    world_size = -1 if world_size_opt is None else world_size_opt
    if world_size_opt is None and result.scheme == "env":
        rank, world_size = (
            int(os.environ.get(name, default))
            for name, default in (("RANK", rank), ("WORLD_SIZE", world_size))
        )
    if rank != -1 or world_size != -1 or world_size_opt is None:
        query = _query_to_dict(result.query)
        if "rank" in query or "world_size" in query:
            raise AssertionError(
                f"The url: {url} has node-specific arguments(rank, world_size) already."
            )
        if rank != -1:
            query["rank"] = str(rank)
        if world_size != -1 or world_size_opt is None:
            query["world_size"] = str(world_size)
        result = result._replace(query="&".join(f"{k}={v}" for k, v in query.items()))
        url = urlunparse(result)
    handler = _rendezvous_handlers.get(result.scheme)
    if handler is None:
        raise RuntimeError(f"No rendezvous handler for {result.scheme}://")
    return handler(url, **kwargs)


def rendezvous(url: str, rank: int = -1, world_size: int = -1, **kwargs: Any) -> Any:
    """Yield store, rank and world size as *url* says."""
    if not isinstance(url, str | bytes):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    if not isinstance(rank, int):
        raise RuntimeError(f"`rank` must be an integer. {rank}")
    if not isinstance(world_size, int):
        raise RuntimeError(f"`world_size` must be an integer. {world_size}")
    return _rendezvous_helper(url, rank, world_size, **kwargs)


def _create_store_from_options(backend_options: Any, rank: int) -> Store:
    store, _, _ = next(_rendezvous_helper(backend_options.init_method, rank, None))
    return store


def _rendezvous_error(msg: str) -> ValueError:
    return ValueError("Error initializing torch.distributed using " + msg)


def _file_rendezvous_handler(url: str, **kwargs: Any) -> Any:
    result = urlparse(url)
    query = _query_to_dict(result.query)
    for name, missing in (
        ("", not result.path),
        *((n, n not in query) for n in ("rank", "world_size")),
    ):
        if missing:
            said = f"{_words(name)} parameter missing" if name else "path missing"
            raise _rendezvous_error(f"file:// rendezvous: {said}")
    world_size = int(query["world_size"])
    yield FileStore(result.path, world_size), int(query["rank"]), world_size
    raise RuntimeError("Unable to perform rerendezvous using file:// method")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _torchelastic_use_agent_store() -> bool:
    return os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == str(True)


def _create_c10d_store(
    hostname: str, port: int, rank: int, world_size: int, timeout: timedelta, use_libuv: bool = True
) -> Store:
    if not 0 <= port < 2**16:
        raise ValueError(f"port must have value from 0 to 65535 but was {port}.")
    if others_are_imagined():
        return LoneStore()
    if _torchelastic_use_agent_store():
        attempt = os.environ["TORCHELASTIC_RESTART_COUNT"]
        tcp_store = TCPStore(hostname, port, world_size, False, timeout)
        return PrefixStore(f"/worker/attempt_{attempt}", tcp_store)
    return TCPStore(
        hostname, port, world_size, rank == 0, timeout, multi_tenant=True, use_libuv=use_libuv
    )


def _tcp_rendezvous_handler(
    url: str, timeout: timedelta = default_pg_timeout, **kwargs: Any
) -> Any:
    result = urlparse(url)
    if result.port is None:
        raise _rendezvous_error("tcp:// rendezvous: port number missing")
    query = _query_to_dict(result.query)
    for name in ("rank", "world_size"):
        if name not in query:
            raise _rendezvous_error(f"tcp:// rendezvous: {_words(name)} parameter missing")
    if result.hostname is None:
        raise AssertionError("hostname cannot be None")
    rank, world_size = int(query["rank"]), int(query["world_size"])
    libuv = _get_use_libuv_from_query_dict(query)
    store = _create_c10d_store(result.hostname, result.port, rank, world_size, timeout, libuv)
    yield store, rank, world_size
    raise RuntimeError("Unable to perform re-rendezvous using tcp:// method")


def _env_rendezvous_handler(
    url: str, timeout: timedelta = default_pg_timeout, **kwargs: Any
) -> Any:
    query = _query_to_dict(urlparse(url).query)

    def variable(name: str) -> str:
        found = os.environ.get(name)
        if found is None:
            raise _rendezvous_error(
                f"env:// rendezvous: environment variable {name} expected, but not set"
            )
        return found

    rank = int(query["rank"]) if "rank" in query else int(variable("RANK"))
    world_size = int(query["world_size"]) if "world_size" in query else int(variable("WORLD_SIZE"))
    address, port = variable("MASTER_ADDR"), int(variable("MASTER_PORT"))
    libuv = _get_use_libuv_from_query_dict(query)
    yield _create_c10d_store(address, port, rank, world_size, timeout, libuv), rank, world_size
    raise RuntimeError("Unable to perform re-rendezvous using env:// method")


register_rendezvous_handler("tcp", _tcp_rendezvous_handler)
register_rendezvous_handler("env", _env_rendezvous_handler)
register_rendezvous_handler("file", _file_rendezvous_handler)
