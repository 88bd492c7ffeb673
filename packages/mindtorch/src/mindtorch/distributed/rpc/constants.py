"""``torch.distributed.rpc.constants``: the defaults of calls."""

from __future__ import annotations

from datetime import timedelta

__all__: list[str] = []

DEFAULT_RPC_TIMEOUT_SEC = 60.0
UNSET_RPC_TIMEOUT = -1.0
DEFAULT_INIT_METHOD = "env://"
DEFAULT_SHUTDOWN_TIMEOUT = 0
DEFAULT_NUM_WORKER_THREADS = 16
#: Under the names of ``torch._C._distributed_rpc``, too, from which torch's module takes them.
_DEFAULT_RPC_TIMEOUT_SEC = DEFAULT_RPC_TIMEOUT_SEC
_UNSET_RPC_TIMEOUT = UNSET_RPC_TIMEOUT
_DEFAULT_INIT_METHOD = DEFAULT_INIT_METHOD
_DEFAULT_NUM_WORKER_THREADS = DEFAULT_NUM_WORKER_THREADS
DEFAULT_PROCESS_GROUP_TIMEOUT = timedelta(milliseconds=2**31 - 1)
