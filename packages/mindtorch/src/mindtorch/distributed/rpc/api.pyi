# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _float
from mindtorch.distributed.rpc.all_gather import AllGatherStates as AllGatherStates
from mindtorch.distributed.rpc.all_gather import _all_gather as _all_gather
from mindtorch.distributed.rpc.all_gather import _barrier as _barrier
from mindtorch.distributed.rpc.all_gather import _broadcast_to_followers as _broadcast_to_followers
from mindtorch.distributed.rpc.all_gather import _gather_to_leader as _gather_to_leader
from mindtorch.distributed.rpc.all_gather import _wait_all_workers as _wait_all_workers
from mindtorch.distributed.rpc.calls import _thread_local_var as _thread_local_var
from mindtorch.distributed.rpc.calls import _use_rpc_pickler as _use_rpc_pickler
from mindtorch.distributed.rpc.calls import _wait_all as _wait_all
from mindtorch.distributed.rpc.calls import rpc_async as rpc_async
from mindtorch.distributed.rpc.calls import rpc_sync as rpc_sync
from mindtorch.distributed.rpc.constants import DEFAULT_SHUTDOWN_TIMEOUT
from mindtorch.distributed.rpc.current_agent import _get_current_rpc_agent as _get_current_rpc_agent
from mindtorch.distributed.rpc.current_agent import _init_rpc_states as _init_rpc_states
from mindtorch.distributed.rpc.current_agent import _is_current_rpc_agent_set as _is_current_rpc_agent_set
from mindtorch.distributed.rpc.current_agent import _require_initialized as _require_initialized
from mindtorch.distributed.rpc.current_agent import _set_and_start_rpc_agent as _set_and_start_rpc_agent
from mindtorch.distributed.rpc.rref import PyRRef as PyRRef
from mindtorch.distributed.rpc.rref import RRef as RRef
from mindtorch.distributed.rpc.rref import _rref_context_get_debug_info as _rref_context_get_debug_info
from mindtorch.distributed.rpc.rref import _rref_typeof_on_owner as _rref_typeof_on_owner
from mindtorch.distributed.rpc.rref import _rref_typeof_on_user as _rref_typeof_on_user
from mindtorch.distributed.rpc.rref import method_factory as method_factory
from mindtorch.distributed.rpc.rref import new_method as new_method
from mindtorch.distributed.rpc.rref import remote as remote
from mindtorch.distributed.rpc.worker_info import WorkerInfo

UNSET_RPC_TIMEOUT: _float
def _delete_all_user_and_unforked_owner_rrefs(timeout: float=_FLUSH) -> None: ...
def _finalize_shutdown() -> None: ...
def _set_rpc_timeout(rpcTimeoutSeconds: float) -> None: ...
def enable_gil_profiling(flag: bool) -> None: ...
def get_rpc_timeout() -> float: ...
@_require_initialized
def get_worker_info(worker_name: str | int | None=None) -> WorkerInfo: ...
@_require_initialized
def shutdown(graceful: bool=True, timeout: float=DEFAULT_SHUTDOWN_TIMEOUT) -> None: ...
_FLUSH = 100.0
