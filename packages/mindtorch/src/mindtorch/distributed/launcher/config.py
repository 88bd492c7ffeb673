"""The settings of a launch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...core.module_names import living_in

__all__ = ["LaunchConfig"]


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


living_in("mindtorch.distributed.launcher.api", LaunchConfig)
