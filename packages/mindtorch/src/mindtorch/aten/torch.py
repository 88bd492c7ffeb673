"""The names of ``torch`` that need nothing above the operators.

What stands above the operators (``nn``, ``optim``, ``distributions``, ...) imports this module as
``torch``. The root package has these names and those of the namespaces.

Note [One namespace]: programs set names on ``torch``, as a context that makes ``torch.empty``
allocate on another device does, and mean the layers of ``nn`` as well. So the root puts itself
where this module was in the package ``aten`` before any namespace is imported: at run time
``from ..aten import torch`` gives the root. Of that it is to use what is named here, and a test
holds it to that.
"""

from __future__ import annotations

from importlib import import_module
from math import e, inf, nan, pi
from typing import Any

import mindtorch_storage as _storage
from mindtorch_autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from mindtorch_autograd.grad_mode import is_inference_mode_enabled
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
    short,
    uint8,
    uint16,
    uint32,
    uint64,
)
from mindtorch_storage.extended_dtypes import RARE_NAMES as _RARE_NAMES

from ..core.constants import *
from ..core.constants import __all__ as _constants
from ..core.size import Size
from ..tensor import Tensor
from ..tensor.default_generator import (
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from ..tensor.defaults import get_default_device, set_default_device, set_default_dtype
from ..tensor.generator import Generator
from ..tensor.legacy import TENSOR_TYPES as _TENSOR_TYPES
from ..tensor.legacy import tensor_classes as _classes_of_old
from ..tensor.legacy import tensor_type as _tensor_type
from .from_data import as_tensor, from_numpy, tensor
from .functions import *
from .functions import __all__ as _functions
from .register import FUNCTIONS as _FUNCTIONS

newaxis = None

#: Where functions are that are imported when first asked for: most programs use few of them.
#: A function here stands in front of the op of its name.
_HOMES = {
    "mindtorch_autograd.anomaly": (
        "is_anomaly_check_nan_enabled is_anomaly_enabled set_anomaly_enabled"
    ),
    "mindtorch_storage": "TypedStorage finfo iinfo",
    "mindtorch_storage.typed": "_warn_typed_storage_removal",
    ".asserting": (
        "_assert _check _check_index _check_is_size _check_not_implemented _check_tensor_all "
        "_check_tensor_all_with _check_type _check_value _check_with"
    ),
    "..backends.parallel": "get_num_threads set_num_threads",
    ".interop": "asarray frombuffer",
    "..compat.build_facts": (
        "FatalError PRIVATE_OPS USE_GLOBAL_DEPS USE_RTLD_GLOBAL_WITH_LIBTORCH "
        "_nnpack_available _use_cudnn_rnn_flatten_weight is_vulkan_available "
        "compiled_with_cxx11_abi dsmm get_file_path has_lapack has_mkl has_openmp has_spectral "
        "init_num_threads legacy_contiguous_format "
        "per_channel_affine per_channel_affine_float_qparams per_channel_symmetric "
        "per_tensor_affine per_tensor_symmetric prepare_multiprocessing_environment "
        "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 qscheme spmm"
    ),
    ".sparse.construction": (
        "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor "
        "sparse_csc_tensor sparse_csr_tensor"
    ),
    ".sparse.products": "hsmm saddmm",
    ".deprecated_range": "range",
    "..backends.device_modules": "_register_device_module get_device_module",
    ".dlpack": "from_dlpack to_dlpack",
    "..linalg.factorizations": "lu symeig",
    "..tensor.legacy": "set_default_tensor_type",
    ".nonzeros": "nonzero",
    ".norms": "cdist norm",
    "..io.printing": "set_printoptions",
    ".checked_numbers": ("_assert_scalar _print sym_constrain_range sym_constrain_range_for_size"),
    ".rare_functions": "chain_matmul",
    "..compat.refused": (
        "batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt "
        "batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats "
        "batch_norm_update_stats choose_qparams_optimized cudnn_affine_grid_generator "
        "cudnn_batch_norm cudnn_convolution cudnn_convolution_add_relu "
        "cudnn_convolution_relu cudnn_convolution_transpose cudnn_grid_sampler "
        "fbgemm_linear_fp16_weight "
        "fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight "
        "fbgemm_linear_int8_weight_fp32_activation fbgemm_linear_quantize_weight "
        "fbgemm_pack_gemm_matrix_fp16 fbgemm_pack_quantized_matrix "
        "miopen_batch_norm miopen_convolution "
        "miopen_convolution_add_relu miopen_convolution_relu miopen_convolution_transpose "
        "miopen_ctc_loss miopen_depthwise_convolution miopen_rnn mkldnn_adaptive_avg_pool2d "
        "mkldnn_convolution mkldnn_linear_backward_weights mkldnn_max_pool2d "
        "mkldnn_max_pool3d quantized_batch_norm "
        "quantized_gru_cell quantized_lstm_cell "
        "quantized_rnn_relu_cell "
        "quantized_rnn_tanh_cell"
    ),
    "..compat.quantized_functions": "quantized_gru quantized_lstm",
    ".segment_reduce": "_segment_reduce",
    "..call.settings": (
        "are_deterministic_algorithms_enabled get_deterministic_debug_mode "
        "get_float32_matmul_precision get_num_interop_threads "
        "is_deterministic_algorithms_warn_only_enabled is_warn_always_enabled "
        "set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal "
        "set_num_interop_threads set_warn_always use_deterministic_algorithms"
    ),
    ".spectral": "stft",
    "..storage": "_storage_classes",
    ".symbolic_numbers": (
        "SymBool SymFloat SymInt sym_float sym_fresh_size sym_int sym_ite sym_max sym_min sym_not "
        "sym_sqrt sym_sum"
    ),
    "..core.tags": "Tag",
    ".uniques": "unique_consecutive",
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    *_constants,
    *_functions,
    "Generator",
    "Size",
    "Tensor",
    "UntypedStorage",
    "as_tensor",
    "bfloat16",
    "bool",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "default_generator",
    "device",
    "double",
    "dtype",
    "e",
    "enable_grad",
    "float",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "get_default_device",
    "get_default_dtype",
    "get_rng_state",
    "half",
    "inf",
    "inference_mode",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "long",
    "manual_seed",
    "nan",
    "newaxis",
    "no_grad",
    "pi",
    "seed",
    "set_default_device",
    "set_default_dtype",
    "set_grad_enabled",
    "set_rng_state",
    "short",
    "tensor",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


def __getattr__(name: str) -> Any:
    home = _LAZY.get(name)
    found: Any
    if home is not None:
        found = getattr(import_module(home, __package__), name)
    else:
        found = _FUNCTIONS.get(name) or _RARE_NAMES.get(name)
        if name == "_tensor_classes":
            found = _classes_of_old()
        elif found is None and name in _TENSOR_TYPES:
            found = _tensor_type(name)
        elif found is None and name.endswith("Storage"):
            found = getattr(_storage, "FloatStorage" if name == "Storage" else name, None)
        if found is None:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY, *_FUNCTIONS, *_RARE_NAMES})
