"""Settings of the environment, ports, and what stands for them in arguments."""

from __future__ import annotations

import os
import socket
from string import Template
from typing import Any


def get_env_variable_or_raise(env_name: str) -> str:
    """A variable of the environment. Raises ValueError if it is not set."""
    value = os.environ.get(env_name)
    if value is None:
        raise ValueError(f"Environment variable {env_name} expected, but not set")
    return value


def get_socket_with_port() -> socket.socket:
    """A socket of this host on a free port, which listens. Raises RuntimeError if none can."""
    for family, kind, protocol, _, _ in socket.getaddrinfo(
        "localhost", None, socket.AF_UNSPEC, socket.SOCK_STREAM
    ):
        found = socket.socket(family, kind, protocol)
        try:
            found.bind(("localhost", 0))
            found.listen(0)
            return found
        except OSError:
            found.close()
    raise RuntimeError("Failed to create a socket")


class macros:
    """What stands in arguments for the rank."""

    local_rank = "${local_rank}"

    @staticmethod
    def substitute(args: list[Any], local_rank: str) -> list[str]:
        """*args* with the rank in its places."""
        return [
            Template(arg).safe_substitute(local_rank=local_rank) if isinstance(arg, str) else arg
            for arg in args
        ]
