"""mindtorch: PyTorch's semantics in Python on numpy. ``import mindtorch as torch``."""

from __future__ import annotations

import gc as _gc
import warnings as _warnings
from importlib import import_module as _import_module
from os import environ as _environ
from sys import modules as _modules
from typing import Any

# Modules that are here only because torch has something under their path.
__path__.append(f"{__path__[0]}/compat/paths")
# Modules under the paths that the design documents give them.
__path__.append(f"{__path__[0]}/compat/design_paths")

# All that an import makes lives on. The collector would walk over it again and again: a fifth of
# the import time.
_collects = _gc.isenabled()
_gc.disable()
try:
    import numpy as _np

    # torch's CPU kernels say nothing of overflow, NaN or division by zero. numpy's setting holds
    # for this thread only; for the others the warnings that rise from here are filtered.
    _np.seterr(all="ignore")
    _warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"mindtorch\.")

    from . import aten as _aten
    from .__about__ import __version__
    from .aten import torch as _base
    from .aten.torch import *

    _aten.torch = _modules[__name__]  # see Note [One namespace] in aten/torch.py

    from . import autograd
    from .aten import families as _families
    from .install import install as _install
    from .tensor.pipelines import pipeline

    pipeline_context = pipeline

    _install()
    del _install
finally:
    if _collects:
        # All to the oldest generation, without a walk: enabling alone would collect at once.
        if not _gc.get_freeze_count():
            _gc.freeze()
            _gc.unfreeze()
        _gc.enable()

_SWITCHES = ".amp.switches"
#: Submodules and names in them that are imported when first asked for: most programs use few of
#: them. A name here stands in front of that of its name in ``aten/torch.py``.
_LAZY = {
    "_C": "",
    "_disable_dynamo": "._compile",
    "_ops": "",
    "PyTorchFileReader": ".serialization.records",
    "PyTorchFileWriter": ".serialization.records",
    "as_torch": ".compat.import_alias",
    "multiprocessing": "",
    "storage": "",
    **dict.fromkeys(
        ("get_pipeline_config", "pipeline_config", "set_pipeline_config"), ".tensor.pipelines"
    ),
    "dispatch_trace": ".functionality.tracing",
    **dict.fromkeys(("functionalize", "functionalize_context"), "._dispatch.functionalize"),
    "library": "",
    "AcceleratorError": ".npu",
    "Event": "mindtorch_npu.generic_streams",
    "OutOfMemoryError": ".npu",
    **dict.fromkeys(("DType", "Device"), "mindtorch_storage"),
    "Stream": "mindtorch_npu.generic_streams",
    "accelerator": "",
    "_utils": "",
    "func": "",
    "functional": "",
    "fx": "",
    "vmap": ".func",
    "_disable_functionalization": ".func.functional_tensors",
    "_enable_functionalization": ".func.functional_tensors",
    "_from_functional_tensor": ".func.functional_tensors",
    "_is_functional_tensor": ".func.functional_tensors",
    "_sync": ".func.functional_tensors",
    "_to_functional_tensor": ".func.functional_tensors",
    "amp": "",
    "autocast": ".amp",
    "autocast_decrement_nesting": _SWITCHES,
    "autocast_increment_nesting": _SWITCHES,
    "clear_autocast_cache": _SWITCHES,
    "get_autocast_dtype": _SWITCHES,
    "get_autocast_cpu_dtype": _SWITCHES,
    "get_autocast_gpu_dtype": _SWITCHES,
    "get_autocast_ipu_dtype": _SWITCHES,
    "get_autocast_xla_dtype": _SWITCHES,
    "set_autocast_cpu_dtype": _SWITCHES,
    "set_autocast_gpu_dtype": _SWITCHES,
    "set_autocast_ipu_dtype": _SWITCHES,
    "set_autocast_xla_dtype": _SWITCHES,
    "is_autocast_cpu_enabled": _SWITCHES,
    "is_autocast_ipu_enabled": _SWITCHES,
    "is_autocast_xla_enabled": _SWITCHES,
    "set_autocast_cpu_enabled": _SWITCHES,
    "set_autocast_ipu_enabled": _SWITCHES,
    "set_autocast_xla_enabled": _SWITCHES,
    "is_autocast_cache_enabled": _SWITCHES,
    "is_autocast_enabled": _SWITCHES,
    "set_autocast_cache_enabled": _SWITCHES,
    "set_autocast_dtype": _SWITCHES,
    "set_autocast_enabled": _SWITCHES,
    "_weights_only_unpickler": "",
    **dict.fromkeys("cuda npu".split(), ""),
    "version": "",
    "load": ".serialization",
    **dict.fromkeys(("pca_lowrank", "svd_lowrank"), ".linalg.lowrank"),
    "lobpcg": ".linalg.lobpcg",
    "FileCheck": ".testing.file_check",
    **dict.fromkeys(("eig", "lstsq", "matrix_rank", "solve"), ".linalg.utils"),
    "nn": "",
    "Future": ".futures._future",
    "GradScaler": ".amp",
    "classes": "._classes",
    "compile": ".compiler.compiling",
    "cond": "._higher_order_ops.cond",
    "while_loop": "._higher_order_ops.while_loop",
    "DisableTorchFunction": "._C",
    "DisableTorchFunctionSubclass": "._C",
    "DispatchKey": "._C",
    "DispatchKeySet": "._C",
    **dict.fromkeys(
        "CompilationUnit JITException ScriptFunction ScriptModule".split(),
        ".jit",
    ),
    **dict.fromkeys(("ScriptDict", "ScriptList"), ".jit._script"),
    **dict.fromkeys(
        (
            "AVG AggregationType AliasDb AnyType Argument ArgumentSpec AwaitType Block BoolType "
            "CallStack Capsule ClassType Code CompleteArgumentSpec ComplexType "
            "ConcreteModuleType ConcreteModuleTypeBuilder DeepCopyMemoTable "
            "DeserializationStorageContext DeviceObjType DictType EnumType ErrorReport "
            "ExecutionPlan FloatType FutureType Gradient Graph GraphExecutorState "
            "BenchmarkConfig BenchmarkExecutionStats BufferDict IODescriptor LockingLogger "
            "LoggerBase ModuleDict NoopLogger ParameterDict ScriptDictIterator "
            "ScriptDictKeyIterator ScriptListIterator "
            "InferredType IntType InterfaceType ListType LiteScriptModule Node NoneType "
            "NumberType OperatorInfo OptionalType PyObjectType PyTorchFileReader "
            "PyTorchFileWriter RRefType SUM ScriptClass ScriptClassFunction ScriptMethod "
            "ScriptModuleSerializer ScriptObject ScriptObjectProperty "
            "SerializationStorageContext StaticModule StreamObjType StringType SymBoolType "
            "SymIntType TensorType TracingState TupleType Type UnionType Use Value "
            "import_ir_module import_ir_module_from_buffer merge_type_from_type_comment parse_ir "
            "parse_type_comment unify_type_list"
        ).split(),
        ".jit.script_types",
    ),
    "StorageBase": "._C",
    "ThroughputBenchmark": ".utils.throughput_benchmark",
    "classproperty": "._utils",
    **dict.fromkeys(("fork", "wait"), ".jit._async"),
    **dict.fromkeys(("ExcludeDispatchKeyGuard", "FunctionSchema", "parse_schema"), "._C"),
    "thread_safe_generator": ".random",
    "ops": "._ops",
    "optim": "",
    "overrides": "",
    "random": "",
    "return_types": "",
    "save": ".serialization",
    "serialization": "",
    "testing": "",
    "types": "",
    "utils": "",
}


#: Namespaces that are imported when first asked for, each a package of its own above the ops.
_NAMESPACES = frozenset(
    (
        "__config__ __future__ _VF _awaits _classes _compile _custom_op _custom_ops _decomp "
        "_dispatch _dynamo _environment _export _functorch _guards _higher_order_ops _inductor "
        "_jit_internal _linalg_utils _lobpcg _logging _lowrank _meta_registrations _opaque_base "
        "_prims _prims_common _refs _sources _subclasses _tensor _tensor_str _utils_internal "
        "_vendor _vmap_internals ao compiler contrib cpu distributed distributions export fft "
        "futures hub jit linalg masked monitor mps mtia nativert nested numa onnx package "
        "profiler quantization quasirandom signal sparse special torch_version xpu"
    ).split()
)
#: Modules that are there from the start.
_SHOWN = ("autograd", "backends")
#: Names that ``from torch import *`` leaves out: those that torch does not list, and ours.
_NOT_STARRED = frozenset(
    (
        "DType Device as_torch dispatch_trace functionalize functionalize_context "
        "get_pipeline_config pipeline pipeline_config pipeline_context set_pipeline_config "
        "LoggerBase PRIVATE_OPS StorageBase USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH "
        "broadcast_shapes channels_last channels_last_3d classes classproperty "
        "compiled_with_cxx11_abi contiguous_format eig from_dlpack get_file_path jagged "
        "legacy_contiguous_format lstsq lu "
        "matrix_rank pca_lowrank per_channel_affine per_channel_affine_float_qparams "
        "per_channel_symmetric per_tensor_affine per_tensor_symmetric ops "
        "prepare_multiprocessing_environment preserve_format "
        "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 quantized_gru quantized_lstm "
        "segment_reduce set_default_dtype set_grad_enabled solve sparse_bsc sparse_bsr sparse_coo "
        "sparse_csc sparse_csr strided svd_lowrank symeig to_dlpack unique while_loop"
    ).split()
)


# Note [Packages first]: threads may load parts of mindtorch at the same time. Python locks a module
# before the package it is in, so one thread that imports ``nn.modules.hooks`` and another that
# imports ``nn`` wait for each other, and one of them gets half a module. Hence whoever is outside
# of a package whose modules need each other imports the package before a module of it.
#: Names that warn when they are asked for: what to call instead; empty where nothing is.
_DEPRECATED = {
    "has_cuda": "backends.cuda.is_built",
    "has_cudnn": "backends.cudnn.is_available",
    "has_mkldnn": "backends.mkldnn.is_available",
    "has_mps": "backends.mps.is_built",
    "set_vital": "",
}


def _deprecated(name: str) -> Any:
    """What a name gives that is not to be used any more; a warning says so."""
    instead = _DEPRECATED[name]
    told = f"use 'torch.{instead}()'" if instead else "do not call"
    _warnings.warn(f"'{name}' is deprecated, please {told}", stacklevel=3)
    if not instead:
        return lambda *args: None
    module, _, question = instead.rpartition(".")
    return getattr(_import_module(f".{module}", __name__), question)()


def __getattr__(name: str) -> Any:
    if name == "__all__":  # of a star import; few programs have one
        globals()[name] = found = _starred()
        return found
    if name in _DEPRECATED:
        return _deprecated(name)
    home = "" if name in _NAMESPACES else _LAZY.get(name)
    found: Any
    if home is None:
        found = getattr(_base, name)
    elif home:
        found = getattr(_import_module(home, __name__), name)
    else:
        try:
            found = _import_module(f".{name}", __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module 'torch' has no attribute '{name}'") from None
    globals()[name] = found
    return found


def _starred() -> list[str]:
    """What ``from torch import *`` gives: no modules but one, and no private names."""
    apart = {*_NOT_STARRED, *_NAMESPACES, *_SHOWN, *(n for n, home in _LAZY.items() if not home)}
    ends = ("Storage", "Tensor")
    kinds = "Bool Byte Char Double Float Int Long Short".split()
    typed = {"Tensor", "TypedStorage", "UntypedStorage", *(k + end for k in kinds for end in ends)}
    offered = {n for n in __dir__() if n[0] != "_" and not n.endswith(ends)} - apart
    return sorted({"export", *offered, *typed})


def __dir__() -> list[str]:
    # The modules that others are made of are attributes, as those of any package; they are not
    # what the package offers.
    offered = {n for n, v in globals().items() if n in _SHOWN or not isinstance(v, type(_np))}
    return sorted({*(offered - {"Any", "annotations"}), *_LAZY, *dir(_base)})


if "TORCH_NPU_SANITIZER" in _environ:  # as torch reads its TORCH_CUDA_SANITIZER
    from .utils.stream_sanitizer import enable_npu_sanitizer as _enable_npu_sanitizer

    _enable_npu_sanitizer()
