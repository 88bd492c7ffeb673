"""mindtorch: PyTorch's semantics in Python on numpy. ``import mindtorch as torch``."""

from __future__ import annotations

import gc as _gc
import warnings as _warnings
from importlib import import_module as _import_module
from math import e, inf, nan, pi
from os import environ as _environ
from typing import Any

# All that an import makes lives on. The collector would walk over it again and again: a fifth of
# the import time.
_collects = _gc.isenabled()
_gc.disable()
try:
    import mindtorch_storage as _storage
    import numpy as _np
    from mindtorch_storage import (
        Device as device,
    )
    from mindtorch_storage import (
        DType as dtype,
    )
    from mindtorch_storage import (
        UntypedStorage,
        bfloat16,
        bool,
        can_cast,
        cdouble,
        cfloat,
        complex64,
        complex128,
        double,
        float,
        float16,
        float32,
        float64,
        get_default_dtype,
        half,
        int,
        int8,
        int16,
        int32,
        int64,
        long,
        promote_types,
        short,
        uint8,
        uint16,
        uint32,
        uint64,
    )
    from mindtorch_storage.rare_dtypes import RARE_NAMES as _RARE_NAMES

    from .__about__ import __version__
    from .constants import *
    from .size import Size
    from .tensor import Tensor

    # torch's CPU kernels say nothing of overflow, NaN or division by zero. numpy's setting holds
    # for this thread only; for the others the warnings that rise from here are filtered.
    _np.seterr(all="ignore")
    _warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"mindtorch\.")

    from . import autograd
    from .autograd import (
        enable_grad,
        inference_mode,
        is_grad_enabled,
        is_inference_mode_enabled,
        no_grad,
        set_grad_enabled,
    )
    from .data import as_tensor, from_numpy, tensor
    from .defaults import (
        get_default_device,
        set_default_device,
        set_default_dtype,
    )
    from .functions import *
    from .generator import (
        Generator,
        default_generator,
        get_rng_state,
        initial_seed,
        manual_seed,
        seed,
        set_rng_state,
    )
    from .install import install as _install
    from .legacy import TENSOR_TYPES as _TENSOR_TYPES
    from .legacy import tensor_type as _tensor_type
    from .ops import families as _families
    from .ops.register import FUNCTIONS as _FUNCTIONS
    from .pipelines import pipeline

    newaxis = None
    _install()
    del _install
finally:
    if _collects:
        # All to the oldest generation, without a walk: enabling alone would collect at once.
        if not _gc.get_freeze_count():
            _gc.freeze()
            _gc.unfreeze()
        _gc.enable()
# The package of the op rows; users mean torch.ops, the namespace of operators.
del ops  # noqa: F821  (the import of a module inside put it there)


_SWITCHES = ".amp.switches"
#: Submodules and functions that are imported when first asked for: most programs use few of them.
#: A function here stands in front of the op of its name.
_LAZY = {
    "_C": "",
    "_assert": ".asserting",
    "_check": ".asserting",
    "_check_index": ".asserting",
    "_check_is_size": ".asserting",
    "_check_not_implemented": ".asserting",
    "_check_tensor_all": ".asserting",
    "_check_tensor_all_with": ".asserting",
    "_check_type": ".asserting",
    "_check_value": ".asserting",
    "_check_with": ".asserting",
    "_ops": "",
    "_register_device_module": ".devices",
    "Tag": ".tags",
    "PyTorchFileReader": ".serialization.records",
    "PyTorchFileWriter": ".serialization.records",
    "TypedStorage": "mindtorch_storage",
    "_storage_classes": ".storage",
    "as_torch": ".import_alias",
    "asarray": ".borrowing",
    "from_dlpack": ".dlpack",
    "get_device_module": ".devices",
    "frombuffer": ".borrowing",
    "set_default_tensor_type": ".legacy",
    "to_dlpack": ".dlpack",
    "_warn_typed_storage_removal": "mindtorch_storage.typed",
    "multiprocessing": "",
    "storage": "",
    "dispatch_trace": ".tracing",
    "finfo": "mindtorch_storage",
    "iinfo": "mindtorch_storage",
    "library": "",
    "AcceleratorError": ".npu",
    "Event": "mindtorch_npu.generic",
    "OutOfMemoryError": ".npu",
    "Stream": "mindtorch_npu.generic",
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
    "are_deterministic_algorithms_enabled": ".settings",
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
    "cuda": "",
    "get_deterministic_debug_mode": ".settings",
    "get_float32_matmul_precision": ".settings",
    "get_num_interop_threads": ".settings",
    "get_num_threads": ".backends.parallel",
    "is_anomaly_check_nan_enabled": "mindtorch_autograd.anomaly",
    "is_anomaly_enabled": "mindtorch_autograd.anomaly",
    "is_deterministic_algorithms_warn_only_enabled": ".settings",
    "is_warn_always_enabled": ".settings",
    "set_anomaly_enabled": "mindtorch_autograd.anomaly",
    "set_deterministic_debug_mode": ".settings",
    "set_float32_matmul_precision": ".settings",
    "set_flush_denormal": ".settings",
    "set_num_interop_threads": ".settings",
    "set_num_threads": ".backends.parallel",
    "set_warn_always": ".settings",
    "use_deterministic_algorithms": ".settings",
    "version": "",
    "load": ".serialization",
    **dict.fromkeys(("lu", "symeig"), ".factorizations"),
    **dict.fromkeys(("pca_lowrank", "svd_lowrank"), "._lowrank"),
    "lobpcg": "._lobpcg",
    "FileCheck": ".testing.file_check",
    "fused_moving_avg_obs_fake_quant": ".moving_averages",
    **dict.fromkeys(("eig", "lstsq", "matrix_rank", "solve"), "._linalg_utils"),
    "nn": "",
    "nonzero": ".nonzeros",
    "Future": ".futures._future",
    "GradScaler": ".amp",
    "classes": "._classes",
    "compile": ".compiling",
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
        "._script_types",
    ),
    "StorageBase": "._C",
    "ThroughputBenchmark": ".utils.throughput_benchmark",
    "classproperty": "._utils",
    "legacy_contiguous_format": ".build_facts",
    **dict.fromkeys(("fork", "wait"), ".jit._async"),
    **dict.fromkeys(
        (
            "SymBool SymFloat SymInt sym_float sym_fresh_size sym_int sym_ite sym_max sym_min "
            "sym_not sym_sqrt sym_sum"
        ).split(),
        ".symbolic_numbers",
    ),
    **dict.fromkeys(
        (
            "FatalError PRIVATE_OPS USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH "
            "compiled_with_cxx11_abi dequantize get_file_path has_lapack has_mkl has_openmp "
            "has_spectral init_num_threads int_repr is_distributed is_vulkan_available "
            "per_channel_affine per_channel_affine_float_qparams per_channel_symmetric "
            "per_tensor_affine per_tensor_symmetric prepare_multiprocessing_environment "
            "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 q_per_channel_axis "
            "q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qscheme "
            "quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic "
            "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor "
            "sparse_csc_tensor sparse_csr_tensor ccol_indices_copy col_indices_copy "
            "crow_indices_copy dsmm hsmm hspmm indices_copy resize_as_sparse_ row_indices_copy "
            "saddmm smm spmm sspaddmm values_copy"
        ).split(),
        ".build_facts",
    ),
    "_segment_reduce": "._segments",
    "cdist": ".norms",
    "stft": ".spectral",
    **dict.fromkeys(
        (
            "batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt "
            "batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats "
            "batch_norm_update_stats choose_qparams_optimized cudnn_affine_grid_generator "
            "cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu "
            "cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler "
            "cudnn_is_acceptable empty_quantized fbgemm_linear_fp16_weight "
            "fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight "
            "fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight "
            "fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix "
            "miopen_batch_norm miopen_convolution "
            "miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose "
            "miopen_ctc_loss miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d "
            "mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d "
            "mkldnn_max_pool3d mkldnn_rnn_layer quantized_batch_norm quantized_gru "
            "quantized_gru_cell quantized_lstm quantized_lstm_cell quantized_max_pool1d "
            "quantized_max_pool2d quantized_max_pool3d quantized_rnn_relu_cell "
            "quantized_rnn_tanh_cell"
        ).split(),
        "._refused",
    ),
    **dict.fromkeys(
        (
            "chain_matmul conv_tbc native_channel_shuffle sym_constrain_range "
            "sym_constrain_range_for_size"
        ).split(),
        ".rare_functions",
    ),
    **dict.fromkeys(("ExcludeDispatchKeyGuard", "FunctionSchema", "parse_schema"), "._C"),
    "thread_safe_generator": ".random",
    "norm": ".norms",
    "npu": "",
    "ops": "._ops",
    "optim": "",
    "overrides": "",
    "range": ".closed_range",
    "random": "",
    "return_types": "",
    "save": ".serialization",
    "serialization": "",
    "set_printoptions": ".printing",
    "testing": "",
    "types": "",
    "unique_consecutive": ".uniques",
    "utils": "",
}


#: Namespaces that are imported when first asked for, each a package of its own above the ops.
_NAMESPACES = frozenset(
    (
        "__config__ __future__ _VF _awaits _classes _compile _custom_op _custom_ops _decomp "
        "_dynamo _environment _export _functorch _guards _higher_order_ops _inductor "
        "_jit_internal _linalg_utils _lobpcg _logging _lowrank _meta_registrations _prims "
        "_prims_common _refs _sources _subclasses _tensor_str _utils_internal _vmap_internals ao "
        "compiler contrib cpu distributed distributions export fft futures hub jit linalg masked "
        "monitor mps mtia nativert nested numa onnx package profiler quantization quasirandom "
        "signal sparse special torch_version xpu"
    ).split()
)
#: Modules that are there from the start.
_SHOWN = ("autograd",)


# Note [Packages first]: threads may load parts of mindtorch at the same time. Python locks a module
# before the package it is in, so one thread that imports ``nn.modules.hooks`` and another that
# imports ``nn`` wait for each other, and one of them gets half a module. Hence whoever is outside
# of a package whose modules need each other imports the package before a module of it.
def __getattr__(name: str) -> Any:
    home = "" if name in _NAMESPACES else _LAZY.get(name)
    found: Any
    if home is None:
        found = _FUNCTIONS.get(name) or _RARE_NAMES.get(name)
        if found is None and name in _TENSOR_TYPES:
            found = _tensor_type(name)
        elif found is None and name.endswith("Storage"):
            found = getattr(_storage, "FloatStorage" if name == "Storage" else name, None)
        if found is None:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
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


def __dir__() -> list[str]:
    # The modules that others are made of are attributes, as those of any package; they are not
    # what the package offers.
    offered = {n for n, v in globals().items() if n in _SHOWN or not isinstance(v, type(_np))}
    return sorted({*(offered - {"Any", "annotations"}), *_LAZY, *_FUNCTIONS, *_RARE_NAMES})


if "TORCH_NPU_SANITIZER" in _environ:  # as torch reads its TORCH_CUDA_SANITIZER
    from .backends.stream_sanitizer import enable_npu_sanitizer as _enable_npu_sanitizer

    _enable_npu_sanitizer()
