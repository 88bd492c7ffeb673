# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _float, _int, _str
from . import agent as agent
from . import all_gather as all_gather
from . import api as api
from . import backend_registry as backend_registry
from . import calls as calls
from . import constants as constants
from . import current_agent as current_agent
from . import deadlines as deadlines
from . import functions as functions
from . import handlers as handlers
from . import internal as internal
from . import marshalling as marshalling
from . import membership as membership
from . import options as options
from . import profiling as profiling
from . import references as references
from . import requests as requests
from . import retries as retries
from . import rref as rref
from . import rref_proxy as rref_proxy
from . import server_process_global_profiler as server_process_global_profiler
from . import start as start
from . import wire as wire
from . import worker_info as worker_info
from mindtorch.distributed.rpc.agent import TensorPipeAgent as TensorPipeAgent
from mindtorch.distributed.rpc.all_gather import AllGatherStates as AllGatherStates
from mindtorch.distributed.rpc.api import get_rpc_timeout as get_rpc_timeout
from mindtorch.distributed.rpc.api import get_worker_info as get_worker_info
from mindtorch.distributed.rpc.api import shutdown as shutdown
from mindtorch.distributed.rpc.backend_registry import BackendType as BackendType
from mindtorch.distributed.rpc.calls import rpc_async as rpc_async
from mindtorch.distributed.rpc.calls import rpc_sync as rpc_sync
from mindtorch.distributed.rpc.options import RpcBackendOptions as RpcBackendOptions
from mindtorch.distributed.rpc.options import TensorPipeRpcBackendOptions as TensorPipeRpcBackendOptions
from mindtorch.distributed.rpc.rref import PyRRef as PyRRef
from mindtorch.distributed.rpc.rref import RRef as RRef
from mindtorch.distributed.rpc.rref import method_factory as method_factory
from mindtorch.distributed.rpc.rref import new_method as new_method
from mindtorch.distributed.rpc.rref import remote as remote
from mindtorch.distributed.rpc.start import init_rpc as init_rpc
from mindtorch.distributed.rpc.worker_info import WorkerInfo as WorkerInfo

_DEFAULT_INIT_METHOD: _str
_DEFAULT_NUM_WORKER_THREADS: _int
_DEFAULT_RPC_TIMEOUT_SEC: _float
_UNSET_RPC_TIMEOUT: _float
def is_available() -> bool: ...
