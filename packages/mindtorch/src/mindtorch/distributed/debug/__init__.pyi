# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any

def get_rank() -> Any: ...
def start_debug_server(
    port: Any = 25999,
    worker_port: Any = 0,
    start_method: Any = None,
    dump_dir: Any = None,
    dump_interval: Any = 60.0,
    enabled_dumps: Any = None,
    handlers: Any = None,
    fetch_timeout: Any = 60.0,
) -> Any: ...
def stop_debug_server() -> Any: ...
def tcpstore_client(prefix: Any = "debug_server") -> Any: ...
