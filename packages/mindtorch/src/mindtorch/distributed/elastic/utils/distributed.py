"""Stores and ports of agents."""

from __future__ import annotations

import datetime
from contextlib import closing

from mindtorch.distributed import TCPStore

from .api import get_socket_with_port

__all__ = ["create_c10d_store", "get_free_port", "get_socket_with_port"]


def create_c10d_store(
    is_server: bool,
    server_addr: str,
    server_port: int = -1,
    world_size: int = 1,
    timeout: float = 600,
    wait_for_workers: bool = True,
    retries: int = 3,
    use_libuv: bool | None = None,
) -> TCPStore:
    """A store that others reach, or the way to one.

    Raises ValueError where no port is given though there are others, and RuntimeError where no
    port is free after *retries*.
    """
    if server_port == -1 and world_size > 1:
        raise ValueError(f"server_port must be specified when world_size > 1, got {server_port=}")
    for attempt in range(1, retries + 1):
        port = get_free_port() if server_port == -1 else server_port
        try:
            return TCPStore(
                server_addr,
                port,
                world_size,
                is_server,
                datetime.timedelta(seconds=timeout),
                wait_for_workers=wait_for_workers,
            )
        except RuntimeError as error:
            if "Address already in use" not in str(error) or attempt == retries:
                raise
    raise RuntimeError("Failed to create a store")


def get_free_port() -> int:
    """The number of a port that is free now."""
    with closing(get_socket_with_port()) as found:
        address: tuple[str, int] = found.getsockname()
        return address[1]
