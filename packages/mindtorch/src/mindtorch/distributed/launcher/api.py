"""Starting functions and programs as groups of processes: of one, in this process."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .._c10d.engine import several_processes

__all__ = ["LaunchConfig", "elastic_launch", "launch_agent"]


@dataclass
class LaunchConfig:
    """How many processes are started, and how they find each other."""

    min_nodes: int
    max_nodes: int
    nproc_per_node: int
    logs_specs: Any = None
    run_id: str = ""
    role: str = "default_role"
    rdzv_endpoint: str = ""
    rdzv_backend: str = "etcd"
    rdzv_configs: dict[str, Any] = field(default_factory=dict)
    rdzv_timeout: int = -1
    max_restarts: int = 3
    monitor_interval: float = 0.1
    start_method: str = "spawn"
    log_line_prefix_template: str | None = None
    metrics_cfg: dict[str, str] = field(default_factory=dict)
    local_addr: str | None = None
    event_log_handler: str = "null"
    numa_options: Any = None
    signals_to_handle: str = "SIGTERM,SIGINT,SIGHUP,SIGQUIT"
    duplicate_stdout_filters: Any = None
    duplicate_stderr_filters: Any = None
    virtual_local_rank: bool = False
    shutdown_timeout: int = 30


def refuse_several(processes: int, nodes: int) -> None:
    """Refuse more than one process."""
    if processes * nodes > 1:
        raise several_processes(processes * nodes)


def variables(role: str, max_restarts: int, address: str, port: int, run_id: str) -> dict[str, str]:
    """What a program finds in its environment that is started as a group of one."""
    return {
        "LOCAL_RANK": "0",
        "RANK": "0",
        "GROUP_RANK": "0",
        "ROLE_RANK": "0",
        "ROLE_NAME": role,
        "LOCAL_WORLD_SIZE": "1",
        "WORLD_SIZE": "1",
        "GROUP_WORLD_SIZE": "1",
        "ROLE_WORLD_SIZE": "1",
        "MASTER_ADDR": address,
        "MASTER_PORT": str(port),
        "TORCHELASTIC_RESTART_COUNT": "0",
        "TORCHELASTIC_MAX_RESTARTS": str(max_restarts),
        "TORCHELASTIC_RUN_ID": run_id,
        "TORCHELASTIC_USE_AGENT_STORE": "False",
    }


def standalone_variables(role: str, max_restarts: int) -> dict[str, str]:
    """The same on this host, at a free port, for a run of its own."""
    return variables(role, max_restarts, "localhost", _free_port(), str(uuid.uuid4()))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class elastic_launch:
    """Calls a function as each process of a group; gives what each has returned."""

    def __init__(self, config: LaunchConfig, entrypoint: Callable[..., Any] | str | None) -> None:
        self._config, self._entrypoint = config, entrypoint

    def __call__(self, *args: Any) -> dict[int, Any]:
        return launch_agent(self._config, self._entrypoint, list(args))


def launch_agent(
    config: LaunchConfig, entrypoint: Callable[..., Any] | str | None, args: list[Any]
) -> dict[int, Any]:
    """Call a function with the variables of a group of one; what it returns, by rank."""
    refuse_several(config.nproc_per_node, config.max_nodes)
    if not callable(entrypoint):
        raise RuntimeError("launching a program needs another process; use torchrun for one")
    given = standalone_variables(config.role, max_restarts=0)
    before = {k: os.environ.get(k) for k in given}
    os.environ.update(given)
    try:
        return {0: entrypoint(*args)}
    finally:
        for k, v in before.items():
            if v is None:
                os.environ.pop(k, None)
            else:
                os.environ[k] = v
