# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import agent as agent
from . import api as api
from . import backend_registry as backend_registry
from . import constants as constants
from . import deadlines as deadlines
from . import functions as functions
from . import internal as internal
from . import options as options
from . import references as references
from . import rref_proxy as rref_proxy
from . import server_process_global_profiler as server_process_global_profiler
from . import start as start
from . import wire as wire
from . import worker_info as worker_info
from mindtorch.distributed.rpc.agent import TensorPipeAgent as TensorPipeAgent
from mindtorch.distributed.rpc.api import AllGatherStates as AllGatherStates
from mindtorch.distributed.rpc.api import PyRRef as PyRRef
from mindtorch.distributed.rpc.api import RRef as RRef
from mindtorch.distributed.rpc.api import get_rpc_timeout as get_rpc_timeout
from mindtorch.distributed.rpc.api import get_worker_info as get_worker_info
from mindtorch.distributed.rpc.api import method_factory as method_factory
from mindtorch.distributed.rpc.api import new_method as new_method
from mindtorch.distributed.rpc.api import remote as remote
from mindtorch.distributed.rpc.api import rpc_async as rpc_async
from mindtorch.distributed.rpc.api import rpc_sync as rpc_sync
from mindtorch.distributed.rpc.api import shutdown as shutdown
from mindtorch.distributed.rpc.backend_registry import BackendType as BackendType
from mindtorch.distributed.rpc.options import RpcBackendOptions as RpcBackendOptions
from mindtorch.distributed.rpc.options import TensorPipeRpcBackendOptions as TensorPipeRpcBackendOptions
from mindtorch.distributed.rpc.start import init_rpc as init_rpc
from mindtorch.distributed.rpc.worker_info import WorkerInfo as WorkerInfo

def is_available() -> bool: ...
