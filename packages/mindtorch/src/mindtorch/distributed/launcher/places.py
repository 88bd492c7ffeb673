"""Where the processes of a launch are: which hosts, which ranks, and where they find each other."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from .._c10d.errors import DistNetworkError
from .._c10d.tcp_store import TCPStore
from .config import LaunchConfig

__all__ = ["Place", "free_port", "meeting"]

#: How long hosts wait for each other, and the port that they meet at, unless others are given.
_PATIENCE = timedelta(seconds=600)
_PORT = 29500


def free_port() -> int:
    """A port of this host that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def threads_per_process(processes: int) -> int:
    """How many threads each of *processes* on this host gets, so that all have a core of their own.

    The cores are those that this process may run on.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) // processes)


@dataclass
class Place:
    """A host among *nodes*, the number *node* of them, with *local* processes, as each has."""

    nodes: int
    local: int
    node: int
    address: str
    port: int
    run_id: str
    role: str
    max_restarts: int

    def rank(self, local_rank: int) -> int:
        """The rank of the process *local_rank* of this host."""
        return self.node * self.local + local_rank

    def variables(self, local_rank: int, attempt: int) -> dict[str, str]:
        """What the process *local_rank* finds in its environment."""
        rank, size = self.rank(local_rank), self.nodes * self.local
        found: dict[str, Any] = {
            "LOCAL_RANK": local_rank,
            "RANK": rank,
            "GROUP_RANK": self.node,
            "ROLE_RANK": rank,
            "ROLE_NAME": self.role,
            "LOCAL_WORLD_SIZE": self.local,
            "WORLD_SIZE": size,
            "GROUP_WORLD_SIZE": self.nodes,
            "ROLE_WORLD_SIZE": size,
            "MASTER_ADDR": self.address,
            "MASTER_PORT": self.port,
            "TORCHELASTIC_RESTART_COUNT": attempt,
            "TORCHELASTIC_MAX_RESTARTS": self.max_restarts,
            "TORCHELASTIC_RUN_ID": self.run_id,
            "TORCHELASTIC_USE_AGENT_STORE": False,
        }
        if self.local > 1:
            threads = threads_per_process(self.local)
            found |= {
                name: os.environ.get(name, threads)
                for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
            }
        return {name: str(value) for name, value in found.items()}


def _split(endpoint: str) -> tuple[str, int]:
    host, _, port = endpoint.rpartition(":") if ":" in endpoint else (endpoint, "", "")
    return host, int(port) if port else _PORT


def _is_here(host: str) -> bool:
    """Whether *host* is a name or an address of this machine."""
    if host in ("localhost", "127.0.0.1", "::1", socket.gethostname(), socket.getfqdn()):
        return True
    try:
        theirs = {info[4][0] for info in socket.getaddrinfo(host, None)}
        ours = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
    except OSError:
        return False
    return bool(theirs & ours)


def _store(host: str, port: int) -> TCPStore:
    """The store at the endpoint, which the first that comes on the host of that name serves."""
    if _is_here(host):
        try:
            return TCPStore(host, port, None, True, _PATIENCE, multi_tenant=True)
        except DistNetworkError:
            pass  # another launch on this host serves it
    return TCPStore(host, port, None, False, _PATIENCE)


@contextmanager
def meeting(config: LaunchConfig) -> Iterator[Place]:
    """The place of this host for as long as its processes run.

    One host needs nothing. Several are numbered by ``rdzv_configs["rank"]`` with the static
    rendezvous, whose endpoint is where the first process listens; with others in the order in which
    they come to the endpoint, at which the host of that name listens.
    """
    nodes, count = config.max_nodes, config.nproc_per_node
    rest = (config.run_id or str(uuid.uuid4()), config.role, config.max_restarts)
    if nodes == 1:
        host, port = "127.0.0.1", free_port()
        if config.rdzv_backend == "static" and config.rdzv_endpoint:
            host, port = _split(config.rdzv_endpoint)
        yield Place(1, count, 0, host, port, *rest)
        return
    host, port = _split(config.rdzv_endpoint)
    if config.rdzv_backend == "static":
        yield Place(nodes, count, int(config.rdzv_configs.get("rank", 0)), host, port, *rest)
        return
    store = _store(host, port)
    node = store.add(f"{config.run_id}/nodes", 1) - 1
    if node >= nodes:
        raise RuntimeError(f"{nodes} hosts have come already: there is no place for another")
    if node == 0:
        address = config.local_addr or socket.getfqdn()
        store.set(f"{config.run_id}/first", f"{address} {free_port()}")
    address, master = store.get(f"{config.run_id}/first").decode().split()
    yield Place(nodes, count, node, address, int(master), *rest)
    # The host that listens goes last: as soon as it hears of the end, others may lose it.
    with suppress(DistNetworkError):
        if store.add(f"{config.run_id}/done", 1) == nodes:
            store.set(f"{config.run_id}/end", "")
        store.wait([f"{config.run_id}/end"], _PATIENCE)
