"""``torch._C``: the dispatcher's introspection under torch's names, and the core classes.

Only what is real is here; a name of torch's that is missing has nothing behind it yet.
Differences of key order and names are those of ``mindtorch_dispatch`` (its README lists them).
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any as _Any

from mindtorch_autograd import is_grad_enabled as _is_grad_enabled
from mindtorch_dispatch import DispatchKey, DispatchKeySet
from mindtorch_storage import ACCELERATOR as _ACCELERATOR
from mindtorch_storage import Device as device
from mindtorch_storage import DType as dtype
from mindtorch_storage import UntypedStorage as StorageBase

from ..aten.function_mode_points import set_grad_enabled as _set_grad_enabled
from ..core.constants import layout, memory_format
from ..core.size import Size
from ..tensor import Tensor as TensorBase
from ..tensor.defaults import types_device as _types_device
from ..tensor.generator import Generator
from . import _functorch, _nn
from ._engine import *
from ._functions import _VariableFunctions, _VariableFunctionsClass
from ._keys import *
from ._masks import *
from ._modes import *
from ._registrations import *
from ._schemas import *

__all__ = [
    "DispatchKey",
    "DispatchKeySet",
    "Generator",
    "Size",
    "StorageBase",
    "TensorBase",
    "_VariableFunctions",
    "_VariableFunctionsClass",
    "_functorch",
    "_nn",
    "device",
    "dtype",
    "layout",
    "memory_format",
]


def is_grad_enabled() -> bool:
    """Whether grad mode is on in this thread."""
    return _is_grad_enabled()


def _get_default_device() -> str:
    """The kind of device of the default tensor type."""
    return _types_device()


#: Names that are looked for when first asked for: where, and what they are called there if not so.
_LAZY = {
    **dict.fromkeys(
        "_data_address _has_storage _is_alias_of _is_cow_tensor _overlaps _set_conj _set_neg "
        "_storage_Use_Count _storage_address _storage_id".split(),
        "._memory",
    ),
    **dict.fromkeys(
        "_TensorMeta _are_functorch_transforms_active _get_graph_executor_optimize "
        "_get_tracing_state _jit_can_fuse_on_cpu _jit_set_num_profiled_runs "
        "_jit_can_fuse_on_gpu _jit_override_can_fuse_on_cpu _jit_override_can_fuse_on_gpu "
        "_jit_set_nvfuser_enabled _jit_set_nvfuser_guard_mode _jit_set_profiling_executor "
        "_jit_set_profiling_mode _jit_set_texpr_fuser_enabled _log_api_usage_once".split(),
        "._libraries",
    ),
    # The gradients of the package.
    **dict.fromkeys(
        "_DisableAutocast _FunctionBase _ImperativeEngine _InferenceMode _LegacyVariableBase "
        "_any_requires_grad _enter_dual_level _exit_dual_level _increment_version "
        "_is_fwd_grad_enabled _set_fwd_grad_enabled".split(),
        "._differentiation",
    ),
    # What the package itself shows too, which this one is a part of.
    **dict.fromkeys("AcceleratorError OutOfMemoryError".split(), "mindtorch_npu"),
    **dict.fromkeys("Event Stream".split(), "mindtorch_npu.generic_streams"),
    **dict.fromkeys(
        "autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache "
        "get_autocast_dtype is_autocast_cache_enabled is_autocast_enabled "
        "set_autocast_cache_enabled set_autocast_dtype set_autocast_enabled".split(),
        "..amp.switches",
    ),
    **dict.fromkeys(
        "default_generator finfo get_default_dtype get_num_interop_threads get_num_threads iinfo "
        "is_anomaly_check_nan_enabled is_anomaly_enabled is_inference_mode_enabled "
        "set_anomaly_enabled set_flush_denormal set_num_interop_threads set_num_threads".split(),
        "..aten.torch",
    ),
    "_LinAlgError": "..core.errors:LinAlgError",
    "PyTorchFileReader": "..serialization.records",
    "PyTorchFileWriter": "..serialization.records",
    "_WeakTensorRef": "._weak",
    "_from_dlpack": "..aten.dlpack:from_dlpack",
    "_get_privateuse1_backend_name": "..utils.own_device:device_name",
    "_has_torch_function": "..call.torch_function:has_torch_function",
    "_has_torch_function_unary": "..call.torch_function:has_torch_function_unary",
    "_has_torch_function_variadic": "..call.torch_function:has_torch_function_variadic",
    "_rename_privateuse1_backend": "..utils.own_device:rename",
    "_set_print_stack_traces_on_fatal_signal": "._signals",
    "_skip_one_hop_torch_function": "..call.torch_function:redispatch_function",
    "_to_dlpack": "..aten.dlpack:to_dlpack",
    **dict.fromkeys(("_warn", "_warn_deprecation"), "._warnings"),
    "Future": "..futures._future",
    **dict.fromkeys(("Block", "Graph", "Node", "Value"), "..jit.script_types"),
    "FileCheck": "..testing.file_check",
    **dict.fromkeys(
        "ListType ScriptMethod ScriptObject TensorType TupleType".split(), "..jit.script_types"
    ),
    **dict.fromkeys("ScriptDict ScriptFunction ScriptList ScriptModule".split(), "..jit._script"),
    # What torch takes from its bindings, and has itself here.
    **dict.fromkeys(
        (
            "AVG AggregationType AliasDb AnyType ArgumentSpec AwaitType BenchmarkConfig "
            "BenchmarkExecutionStats BoolType BufferDict CallStack Capsule ClassType Code "
            "CompilationUnit CompleteArgumentSpec ComplexType ConcreteModuleType "
            "ConcreteModuleTypeBuilder DeepCopyMemoTable DeserializationStorageContext "
            "DeviceObjType DictType EnumType ErrorReport ExecutionPlan FatalError FloatType "
            "FutureType Gradient GraphExecutorState IODescriptor InferredType IntType "
            "InterfaceType JITException LiteScriptModule LockingLogger LoggerBase ModuleDict "
            "NoneType NoopLogger NumberType OperatorInfo OptionalType ParameterDict PyObjectType "
            "RRefType SUM ScriptClass ScriptClassFunction ScriptDictIterator "
            "ScriptDictKeyIterator ScriptListIterator ScriptModuleSerializer ScriptObjectProperty "
            "SerializationStorageContext StaticModule StreamObjType StringType SymBoolType "
            "SymIntType ThroughputBenchmark TracingState Type UnionType Use fork "
            "get_autocast_cpu_dtype get_autocast_gpu_dtype get_autocast_ipu_dtype "
            "get_autocast_xla_dtype import_ir_module import_ir_module_from_buffer "
            "init_num_threads is_autocast_cpu_enabled is_autocast_ipu_enabled "
            "is_autocast_xla_enabled merge_type_from_type_comment parse_ir parse_type_comment "
            "qscheme set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_gpu_dtype "
            "set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype "
            "set_autocast_xla_enabled unify_type_list wait"
        ).split(),
        "..",
    ),
    **dict.fromkeys(
        (
            "_add_cached_tensor _is_cached_tensor _remove_cached_tensor _set_cached_tensors_enabled"
        ).split(),
        "._cached_tensors",
    ),
    "_get_all_dtypes": "._dtypes",
    "_get_cpu_capability": "..backends.cpu:get_cpu_capability",
    **dict.fromkeys("has_lapack has_mkl has_openmp has_spectral".split(), "..compat.build_facts"),
}
#: Submodules that are imported when first asked for.
_SUBMODULES = (
    "_distributed_autograd",
    "_distributed_c10d",
    "_distributed_rpc",
    "_acc",
    "_autograd",
    "_cpu",
    "_monitor",
    "_profiler",
    "_fft",
    "_linalg",
    "_sparse",
    "_special",
)
#: How names of devices begin, which ``_devices`` has.
_OF_DEVICES = (
    "_npu_",
    f"_{_ACCELERATOR}_",
    "_accelerator_",
    "_get_accelerator",
    "_host_",
    "_activate_",
)
#: How names of switches begin, which ``_switches`` has.
_OF_SWITCHES = (
    *("_get_", "_set_", "_is_any_autocast", "_is_autocast", "_autocast_supported"),
    *("_BlasBackend", "_LinalgBackend", "_has_cu", "_has_mkldnn", "_has_mps", "_has_xpu"),
)


def __getattr__(name: str) -> _Any:
    if name in _SUBMODULES:
        return _import_module(f".{name}", __name__)
    home = _LAZY.get(name)
    if home is not None:
        module, _, there = home.partition(":")
        return getattr(_import_module(module, __name__), there or name)
    if name.startswith(_OF_DEVICES):
        bindings = _import_module("._devices", __name__).BINDINGS
        if name in bindings:
            return bindings[name]
    if name.startswith(_OF_SWITCHES):
        switches = _import_module("._switches", __name__).SWITCHES
        if name in switches:
            return switches[name]
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
