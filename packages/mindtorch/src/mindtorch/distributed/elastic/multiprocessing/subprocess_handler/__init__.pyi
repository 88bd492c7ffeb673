# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import handlers as handlers
from . import subprocess_handler as subprocess_handler

SubprocessHandler: Any
def get_subprocess_handler(
    entrypoint: Any,
    args: Any,
    env: Any,
    stdout: Any,
    stderr: Any,
    local_rank_id: Any,
    numa_options: Any = None,
) -> Any: ...
