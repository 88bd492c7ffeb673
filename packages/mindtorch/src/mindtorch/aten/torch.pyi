# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch import return_types
from mindtorch.tensor.types import (
    Number,
    _DTypeLike,
    _bool,
    _complex,
    _device,
    _dtype,
    _float,
    _int,
    _layout,
    _memory_format,
    _str,
)
from typing import Literal, overload
from typing_extensions import deprecated
from mindtorch.aten.asserting import _assert as _assert
from mindtorch.aten.asserting import _check as _check
from mindtorch.aten.asserting import _check_index as _check_index
from mindtorch.aten.asserting import _check_is_size as _check_is_size
from mindtorch.aten.asserting import _check_not_implemented as _check_not_implemented
from mindtorch.aten.asserting import _check_tensor_all as _check_tensor_all
from mindtorch.aten.asserting import _check_tensor_all_with as _check_tensor_all_with
from mindtorch.aten.asserting import _check_type as _check_type
from mindtorch.aten.asserting import _check_value as _check_value
from mindtorch.aten.asserting import _check_with as _check_with
from mindtorch.aten.dlpack import from_dlpack as from_dlpack
from mindtorch.aten.dlpack import to_dlpack as to_dlpack
from mindtorch.aten.from_data import as_tensor as as_tensor
from mindtorch.aten.from_data import from_numpy as from_numpy
from mindtorch.aten.from_data import tensor as tensor
from mindtorch.aten.functions import block_diag as block_diag
from mindtorch.aten.functions import broadcast_shapes as broadcast_shapes
from mindtorch.aten.functions import broadcast_tensors as broadcast_tensors
from mindtorch.aten.functions import cartesian_prod as cartesian_prod
from mindtorch.aten.functions import einsum as einsum
from mindtorch.aten.functions import is_storage as is_storage
from mindtorch.aten.functions import is_tensor as is_tensor
from mindtorch.aten.functions import meshgrid as meshgrid
from mindtorch.aten.functions import split as split
from mindtorch.aten.functions import tensordot as tensordot
from mindtorch.aten.functions import typename as typename
from mindtorch.aten.functions import unravel_index as unravel_index
from mindtorch.aten.norms import cdist as cdist
from mindtorch.aten.norms import norm as norm
from mindtorch.aten.rare_functions import chain_matmul as chain_matmul
from mindtorch.aten.spectral import stft as stft
from mindtorch.aten.symbolic_numbers import SymBool as SymBool
from mindtorch.aten.symbolic_numbers import SymFloat as SymFloat
from mindtorch.aten.symbolic_numbers import SymInt as SymInt
from mindtorch.aten.symbolic_numbers import sym_float as sym_float
from mindtorch.aten.symbolic_numbers import sym_fresh_size as sym_fresh_size
from mindtorch.aten.symbolic_numbers import sym_int as sym_int
from mindtorch.aten.symbolic_numbers import sym_ite as sym_ite
from mindtorch.aten.symbolic_numbers import sym_max as sym_max
from mindtorch.aten.symbolic_numbers import sym_min as sym_min
from mindtorch.aten.symbolic_numbers import sym_not as sym_not
from mindtorch.aten.symbolic_numbers import sym_sqrt as sym_sqrt
from mindtorch.aten.symbolic_numbers import sym_sum as sym_sum
from mindtorch.backends.device_modules import _register_device_module as _register_device_module
from mindtorch.backends.device_modules import get_device_module as get_device_module
from mindtorch.backends.parallel import get_num_threads as get_num_threads
from mindtorch.backends.parallel import set_num_threads as set_num_threads
from mindtorch.call.settings import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from mindtorch.call.settings import get_deterministic_debug_mode as get_deterministic_debug_mode
from mindtorch.call.settings import get_float32_matmul_precision as get_float32_matmul_precision
from mindtorch.call.settings import get_num_interop_threads as get_num_interop_threads
from mindtorch.call.settings import is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled
from mindtorch.call.settings import is_warn_always_enabled as is_warn_always_enabled
from mindtorch.call.settings import set_deterministic_debug_mode as set_deterministic_debug_mode
from mindtorch.call.settings import set_float32_matmul_precision as set_float32_matmul_precision
from mindtorch.call.settings import set_flush_denormal as set_flush_denormal
from mindtorch.call.settings import set_num_interop_threads as set_num_interop_threads
from mindtorch.call.settings import set_warn_always as set_warn_always
from mindtorch.call.settings import use_deterministic_algorithms as use_deterministic_algorithms
from mindtorch.compat.build_facts import FatalError as FatalError
from mindtorch.compat.build_facts import _nnpack_available as _nnpack_available
from mindtorch.compat.build_facts import _use_cudnn_rnn_flatten_weight as _use_cudnn_rnn_flatten_weight
from mindtorch.compat.build_facts import compiled_with_cxx11_abi as compiled_with_cxx11_abi
from mindtorch.compat.build_facts import get_file_path as get_file_path
from mindtorch.compat.build_facts import init_num_threads as init_num_threads
from mindtorch.compat.build_facts import is_vulkan_available as is_vulkan_available
from mindtorch.compat.build_facts import legacy_contiguous_format as legacy_contiguous_format
from mindtorch.compat.build_facts import prepare_multiprocessing_environment as prepare_multiprocessing_environment
from mindtorch.compat.build_facts import profiler_allow_cudagraph_cupti_lazy_reinit_cuda12 as profiler_allow_cudagraph_cupti_lazy_reinit_cuda12
from mindtorch.compat.quantized_functions import quantized_gru as quantized_gru
from mindtorch.compat.quantized_functions import quantized_lstm as quantized_lstm
from mindtorch.core.constants import _mkldnn as _mkldnn
from mindtorch.core.constants import channels_last as channels_last
from mindtorch.core.constants import channels_last_3d as channels_last_3d
from mindtorch.core.constants import contiguous_format as contiguous_format
from mindtorch.core.constants import jagged as jagged
from mindtorch.core.constants import layout as layout
from mindtorch.core.constants import memory_format as memory_format
from mindtorch.core.constants import preserve_format as preserve_format
from mindtorch.core.constants import sparse_bsc as sparse_bsc
from mindtorch.core.constants import sparse_bsr as sparse_bsr
from mindtorch.core.constants import sparse_coo as sparse_coo
from mindtorch.core.constants import sparse_csc as sparse_csc
from mindtorch.core.constants import sparse_csr as sparse_csr
from mindtorch.core.constants import strided as strided
from mindtorch.core.qscheme import qscheme as _qscheme
from mindtorch.core.qscheme import qscheme as qscheme
from mindtorch.core.size import Size as Size
from mindtorch.core.tags import Tag as Tag
from mindtorch.io.printing import set_printoptions as set_printoptions
from mindtorch.linalg.factorizations import lu as lu
from mindtorch.linalg.utils import _symeig as _symeig_
from mindtorch.tensor import Tensor as Tensor
from mindtorch.tensor.default_generator import default_generator as default_generator
from mindtorch.tensor.default_generator import get_rng_state as get_rng_state
from mindtorch.tensor.default_generator import initial_seed as initial_seed
from mindtorch.tensor.default_generator import manual_seed as manual_seed
from mindtorch.tensor.default_generator import seed as seed
from mindtorch.tensor.default_generator import set_rng_state as set_rng_state
from mindtorch.tensor.defaults import get_default_device as get_default_device
from mindtorch.tensor.defaults import set_default_device as set_default_device
from mindtorch.tensor.defaults import set_default_dtype as set_default_dtype
from mindtorch.tensor.generator import Generator as Generator
from mindtorch.tensor.legacy import set_default_tensor_type as set_default_tensor_type
from mindtorch_autograd.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from mindtorch_autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from mindtorch_autograd.anomaly import set_anomaly_enabled as set_anomaly_enabled
from mindtorch_autograd.grad_mode import enable_grad as enable_grad
from mindtorch_autograd.grad_mode import inference_mode as inference_mode
from mindtorch_autograd.grad_mode import is_grad_enabled as is_grad_enabled
from mindtorch_autograd.grad_mode import is_inference_mode_enabled as is_inference_mode_enabled
from mindtorch_autograd.grad_mode import no_grad as no_grad
from mindtorch_autograd.grad_mode import set_grad_enabled as set_grad_enabled
from mindtorch_storage.device import Device as _device_
from mindtorch_storage.dtype import DType as _dtype_
from mindtorch_storage.dtype import get_default_dtype as get_default_dtype
from mindtorch_storage.finfo import finfo as finfo
from mindtorch_storage.finfo import iinfo as iinfo
from mindtorch_storage.typed import TypedStorage as TypedStorage
from mindtorch_storage.typed import _warn_typed_storage_removal as _warn_typed_storage_removal
from mindtorch_storage.untyped import UntypedStorage as UntypedStorage
from typing import Any

PRIVATE_OPS: Any
USE_GLOBAL_DEPS: _bool
USE_RTLD_GLOBAL_WITH_LIBTORCH: _bool
def _adaptive_avg_pool2d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
def _adaptive_avg_pool3d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
@overload
def _add_relu(
    input: Tensor, other: Tensor, *, alpha: Number | _complex = 1, out: Tensor | None = None
) -> Tensor: ...
@overload
def _add_relu(input: Tensor, other: Number | _complex, alpha: Number | _complex = 1) -> Tensor: ...
@overload
def _add_relu_(input: Tensor, other: Tensor, *, alpha: Number | _complex = 1) -> Tensor: ...
@overload
def _add_relu_(input: Tensor, other: Number | _complex, alpha: Number | _complex = 1) -> Tensor: ...
def _addmm_activation(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    use_gelu: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def _aminmax(input: Tensor) -> tuple[Tensor, Tensor]: ...
@overload
def _aminmax(input: Tensor, dim: _int, keepdim: _bool = False) -> tuple[Tensor, Tensor]: ...
def _amp_foreach_non_finite_check_and_unscale_(
    self: Sequence[Tensor], found_inf: Tensor, inv_scale: Tensor
) -> None: ...
def _amp_update_scale_(
    input: Tensor,
    growth_tracker: Tensor,
    found_inf: Tensor,
    scale_growth_factor: _float,
    scale_backoff_factor: _float,
    growth_interval: _int,
) -> Tensor: ...
@overload
def _assert_async(input: Tensor) -> None: ...
@overload
def _assert_async(input: Tensor, assert_msg: _str) -> None: ...
def _assert_scalar(*args: Any, **kwargs: Any) -> None: ...
def _assert_tensor_metadata(
    a: Tensor,
    size: Sequence[_int] | None = None,
    stride: Sequence[_int] | None = None,
    dtype: _DTypeLike | None = None,
    *,
    device: _device | _str | _int | None = None,
    layout: _layout | None = None,
) -> None: ...
def _batch_norm_impl_index(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor, _int]: ...
def _cast_Byte(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Char(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Double(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Float(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Half(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Int(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Long(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _cast_Short(input: Tensor, non_blocking: _bool = False) -> Tensor: ...
def _choose_qparams_per_tensor(
    input: Tensor, reduce_range: _bool = False
) -> tuple[_float, _int]: ...
def _chunk_cat(
    tensors: Sequence[Tensor], dim: _int, num_chunks: _int, *, out: Tensor | None = None
) -> Tensor: ...
def _coalesce(input: Tensor) -> Tensor: ...
def _compute_linear_combination(
    input: Tensor, coefficients: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def _conj(input: Tensor | Number | _complex) -> Tensor: ...
def _conj_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def _conj_physical(input: Tensor) -> Tensor: ...
def _convert_indices_from_coo_to_csr(
    input: Tensor, size: _int, *, out_int32: _bool = False
) -> Tensor: ...
def _convert_indices_from_csr_to_coo(
    crow_indices: Tensor, col_indices: Tensor, *, out_int32: _bool = False, transpose: _bool = False
) -> Tensor: ...
def _convert_weight_to_int4pack_for_cpu(input: Tensor, innerKTiles: _int) -> Tensor: ...
@overload
def _convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[_int],
    padding: Sequence[_int],
    dilation: Sequence[_int],
    transposed: _bool,
    output_padding: Sequence[_int],
    groups: _int,
    benchmark: _bool,
    deterministic: _bool,
    cudnn_enabled: _bool,
) -> Tensor: ...
@overload
def _convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[_int],
    padding: Sequence[_int],
    dilation: Sequence[_int],
    transposed: _bool,
    output_padding: Sequence[_int],
    groups: _int,
    benchmark: _bool,
    deterministic: _bool,
    cudnn_enabled: _bool,
    allow_tf32: _bool,
) -> Tensor: ...
def _convolution_mode(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[_int],
    padding: _str,
    dilation: Sequence[_int],
    groups: _int,
) -> Tensor: ...
def _cummax_helper(input: Tensor, values: Tensor, indices: Tensor, dim: _int) -> None: ...
def _cummin_helper(input: Tensor, values: Tensor, indices: Tensor, dim: _int) -> None: ...
def _debug_has_internal_overlap(input: Tensor) -> _int: ...
def _dim_arange(like: Tensor, dim: _int) -> Tensor: ...
def _dirichlet_grad(x: Tensor, alpha: Tensor, total: Tensor) -> Tensor: ...
@overload
def _efficientzerotensor(
    size: Sequence[_int],
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def _efficientzerotensor(
    *size: _int,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def _empty_affine_quantized(
    size: Sequence[_int],
    *,
    scale: _float = 1.0,
    zero_point: _int = 0,
    memory_format: _memory_format | None = ...,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def _empty_affine_quantized(
    *size: _int,
    scale: _float = 1.0,
    zero_point: _int = 0,
    memory_format: _memory_format | None = ...,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def _empty_per_channel_affine_quantized(
    size: Sequence[_int],
    *,
    scales: Tensor,
    zero_points: Tensor,
    axis: _int,
    memory_format: _memory_format | None = ...,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def _empty_per_channel_affine_quantized(
    *size: _int,
    scales: Tensor,
    zero_points: Tensor,
    axis: _int,
    memory_format: _memory_format | None = ...,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def _fake_quantize_learnable_per_channel_affine(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    axis: _int,
    quant_min: _int,
    quant_max: _int,
    grad_factor: _float = 1.0,
) -> Tensor: ...
def _fake_quantize_learnable_per_tensor_affine(
    input: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    quant_min: _int,
    quant_max: _int,
    grad_factor: _float = 1.0,
) -> Tensor: ...
def _fft_c2c(
    input: Tensor,
    dim: Sequence[_int],
    normalization: _int,
    forward: _bool,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def _fft_c2r(
    input: Tensor,
    dim: Sequence[_int],
    normalization: _int,
    last_dim_size: _int,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def _fft_r2c(
    input: Tensor,
    dim: Sequence[_int],
    normalization: _int,
    onesided: _bool,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def _foobar(
    input: Tensor, arg1: _bool = True, arg2: _bool = True, *, arg3: _bool = True
) -> Tensor: ...
def _foreach_abs(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_abs_(self: Sequence[Tensor]) -> Any: ...
def _foreach_acos(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_acos_(self: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_add(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_add(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_add(
    self: Sequence[Tensor], other: Tensor | Sequence[Tensor], *, alpha: Number | _complex = 1
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_add_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_add_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_add_(
    self: Sequence[Tensor], other: Tensor | Sequence[Tensor], *, alpha: Number | _complex = 1
) -> Any: ...
@overload
def _foreach_addcdiv(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    scalars: Sequence[Number | _complex] | Tensor,
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_addcdiv(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    value: Number | _complex = 1,
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_addcdiv_(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    scalars: Sequence[Number | _complex] | Tensor,
) -> Any: ...
@overload
def _foreach_addcdiv_(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    value: Number | _complex = 1,
) -> Any: ...
@overload
def _foreach_addcmul(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    scalars: Sequence[Number | _complex] | Tensor,
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_addcmul(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    value: Number | _complex = 1,
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_addcmul_(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    scalars: Sequence[Number | _complex] | Tensor,
) -> Any: ...
@overload
def _foreach_addcmul_(
    self: Sequence[Tensor],
    tensor1: Sequence[Tensor],
    tensor2: Sequence[Tensor],
    value: Number | _complex = 1,
) -> Any: ...
def _foreach_asin(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_asin_(self: Sequence[Tensor]) -> Any: ...
def _foreach_atan(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_atan_(self: Sequence[Tensor]) -> Any: ...
def _foreach_ceil(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_ceil_(self: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_clamp_max(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_max(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_max(self: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_max_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_clamp_max_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_clamp_max_(self: Sequence[Tensor], other: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_clamp_min(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_min(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_min(self: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_clamp_min_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_clamp_min_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_clamp_min_(self: Sequence[Tensor], other: Sequence[Tensor]) -> Any: ...
def _foreach_clone(
    self: Sequence[Tensor], *, memory_format: _memory_format | None = None
) -> tuple[Tensor, ...]: ...
def _foreach_copy_(
    self: Sequence[Tensor], src: Sequence[Tensor], non_blocking: _bool = False
) -> Any: ...
def _foreach_cos(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_cos_(self: Sequence[Tensor]) -> Any: ...
def _foreach_cosh(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_cosh_(self: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_div(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_div(
    self: Sequence[Tensor], other: Tensor | Sequence[Tensor]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_div(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_div_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_div_(self: Sequence[Tensor], other: Tensor | Sequence[Tensor]) -> Any: ...
@overload
def _foreach_div_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
def _foreach_erf(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_erf_(self: Sequence[Tensor]) -> Any: ...
def _foreach_erfc(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_erfc_(self: Sequence[Tensor]) -> Any: ...
def _foreach_exp(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_exp_(self: Sequence[Tensor]) -> Any: ...
def _foreach_expm1(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_expm1_(self: Sequence[Tensor]) -> Any: ...
def _foreach_floor(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_floor_(self: Sequence[Tensor]) -> Any: ...
def _foreach_frac(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_frac_(self: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_lerp(
    self: Sequence[Tensor],
    tensors1: Sequence[Tensor],
    weight: Number | _complex | Sequence[Number | _complex],
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_lerp(
    self: Sequence[Tensor], tensors1: Sequence[Tensor], weights: Sequence[Tensor]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_lerp_(
    self: Sequence[Tensor],
    tensors1: Sequence[Tensor],
    weight: Number | _complex | Sequence[Number | _complex],
) -> Any: ...
@overload
def _foreach_lerp_(
    self: Sequence[Tensor], tensors1: Sequence[Tensor], weights: Sequence[Tensor]
) -> Any: ...
def _foreach_lgamma(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_lgamma_(self: Sequence[Tensor]) -> Any: ...
def _foreach_log(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_log10(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_log10_(self: Sequence[Tensor]) -> Any: ...
def _foreach_log1p(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_log1p_(self: Sequence[Tensor]) -> Any: ...
def _foreach_log2(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_log2_(self: Sequence[Tensor]) -> Any: ...
def _foreach_log_(self: Sequence[Tensor]) -> Any: ...
def _foreach_max(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_maximum(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_maximum(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_maximum(self: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_maximum_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_maximum_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_maximum_(self: Sequence[Tensor], other: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_minimum(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_minimum(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_minimum(self: Sequence[Tensor], other: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_minimum_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_minimum_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_minimum_(self: Sequence[Tensor], other: Sequence[Tensor]) -> Any: ...
def _foreach_mm(self: Sequence[Tensor], mat2: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def _foreach_mul(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_mul(
    self: Sequence[Tensor], other: Tensor | Sequence[Tensor]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_mul(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_mul_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_mul_(self: Sequence[Tensor], other: Tensor | Sequence[Tensor]) -> Any: ...
@overload
def _foreach_mul_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
def _foreach_neg(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_neg_(self: Sequence[Tensor]) -> Any: ...
def _foreach_norm(
    self: Sequence[Tensor], ord: Number | _complex = 2, dtype: _DTypeLike | None = None
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_pow(
    self: Number | _complex | Sequence[Tensor], exponent: Sequence[Tensor]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_pow(
    self: Sequence[Tensor], exponent: Number | _complex | Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
def _foreach_pow_(
    self: Sequence[Tensor],
    exponent: Number | _complex | Sequence[Number | _complex] | Sequence[Tensor],
) -> Any: ...
def _foreach_powsum(
    self: Sequence[Tensor], ord: Number | _complex = 2, dtype: _DTypeLike | None = None
) -> tuple[Tensor, ...]: ...
def _foreach_reciprocal(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_reciprocal_(self: Sequence[Tensor]) -> Any: ...
def _foreach_round(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_round_(self: Sequence[Tensor]) -> Any: ...
def _foreach_rsqrt(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_rsqrt_(self: Sequence[Tensor]) -> Any: ...
def _foreach_sigmoid(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_sigmoid_(self: Sequence[Tensor]) -> Any: ...
def _foreach_sign(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_sign_(self: Sequence[Tensor]) -> Any: ...
def _foreach_sin(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_sin_(self: Sequence[Tensor]) -> Any: ...
def _foreach_sinh(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_sinh_(self: Sequence[Tensor]) -> Any: ...
def _foreach_sqrt(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_sqrt_(self: Sequence[Tensor]) -> Any: ...
@overload
def _foreach_sub(self: Sequence[Tensor], scalar: Number | _complex) -> tuple[Tensor, ...]: ...
@overload
def _foreach_sub(
    self: Sequence[Tensor], scalars: Sequence[Number | _complex]
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_sub(
    self: Sequence[Tensor], other: Sequence[Tensor], *, alpha: Number | _complex = 1
) -> tuple[Tensor, ...]: ...
@overload
def _foreach_sub_(self: Sequence[Tensor], scalar: Number | _complex) -> Any: ...
@overload
def _foreach_sub_(self: Sequence[Tensor], scalars: Sequence[Number | _complex]) -> Any: ...
@overload
def _foreach_sub_(
    self: Sequence[Tensor], other: Sequence[Tensor], *, alpha: Number | _complex = 1
) -> Any: ...
def _foreach_tan(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_tan_(self: Sequence[Tensor]) -> Any: ...
def _foreach_tanh(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_tanh_(self: Sequence[Tensor]) -> Any: ...
def _foreach_trunc(self: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _foreach_trunc_(self: Sequence[Tensor]) -> Any: ...
def _foreach_zero_(self: Sequence[Tensor]) -> Any: ...
def _functional_assert_async(input: Tensor, assert_msg: _str, dep_token: Tensor) -> Tensor: ...
def _functional_assert_scalar(
    self: Number | _complex, assert_msg: _str, dep_token: Tensor
) -> Tensor: ...
def _functional_sym_constrain_range(
    size: Number | _complex, min: _int | None, max: _int | None, dep_token: Tensor
) -> Tensor: ...
def _functional_sym_constrain_range_for_size(
    size: Number | _complex, min: _int | None, max: _int | None, dep_token: Tensor
) -> Tensor: ...
def _fused_adagrad_(
    self: Sequence[Tensor],
    grads: Sequence[Tensor],
    state_sums: Sequence[Tensor],
    state_steps: Sequence[Tensor],
    *,
    lr: Tensor | _float,
    lr_decay: _float,
    weight_decay: _float,
    eps: _float,
    maximize: _bool,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
) -> None: ...
def _fused_adam_(
    self: Sequence[Tensor],
    grads: Sequence[Tensor],
    exp_avgs: Sequence[Tensor],
    exp_avg_sqs: Sequence[Tensor],
    max_exp_avg_sqs: Sequence[Tensor],
    state_steps: Sequence[Tensor],
    *,
    lr: Tensor | _float,
    beta1: _float,
    beta2: _float,
    weight_decay: _float,
    eps: _float,
    amsgrad: _bool,
    maximize: _bool,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
) -> None: ...
def _fused_adamw_(
    self: Sequence[Tensor],
    grads: Sequence[Tensor],
    exp_avgs: Sequence[Tensor],
    exp_avg_sqs: Sequence[Tensor],
    max_exp_avg_sqs: Sequence[Tensor],
    state_steps: Sequence[Tensor],
    *,
    lr: Tensor | _float,
    beta1: _float,
    beta2: _float,
    weight_decay: _float,
    eps: _float,
    amsgrad: _bool,
    maximize: _bool,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
) -> None: ...
def _fused_moving_avg_obs_fq_helper(
    input: Tensor,
    observer_on: Tensor,
    fake_quant_on: Tensor,
    running_min: Tensor,
    running_max: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    averaging_const: _float,
    quant_min: _int,
    quant_max: _int,
    ch_axis: _int,
    per_row_fake_quant: _bool = False,
    symmetric_quant: _bool = False,
) -> return_types._fused_moving_avg_obs_fq_helper: ...
def _fused_rms_norm(
    input: Tensor, normalized_shape: Sequence[_int], weight: Tensor | None, eps: _float | None
) -> tuple[Tensor, Tensor]: ...
def _fused_sdp_choice(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    *,
    scale: _float | None = None,
    enable_gqa: _bool = False,
) -> _int: ...
def _fused_sgd_(
    self: Sequence[Tensor],
    grads: Sequence[Tensor],
    momentum_buffer_list: Sequence[Tensor],
    *,
    weight_decay: _float,
    momentum: _float,
    lr: Tensor | _float,
    dampening: _float,
    nesterov: _bool,
    maximize: _bool,
    is_first_step: _bool,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
) -> None: ...
def _grouped_mm(
    input: Tensor,
    mat2: Tensor,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: _DTypeLike | None = None,
) -> Tensor: ...
def _has_compatible_shallow_copy_type(input: Tensor, from_: Tensor, /) -> _bool: ...
def _histogramdd_bin_edges(
    input: Tensor,
    bins: Sequence[_int],
    *,
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
) -> tuple[Tensor, ...]: ...
def _histogramdd_from_bin_cts(
    input: Tensor,
    bins: Sequence[_int],
    *,
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
) -> Tensor: ...
def _histogramdd_from_bin_tensors(
    input: Tensor, bins: Sequence[Tensor], *, weight: Tensor | None = None, density: _bool = False
) -> Tensor: ...
def _index_put_impl_(
    input: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: _bool = False,
    unsafe: _bool = False,
) -> Tensor: ...
def _int_mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def _is_all_true(input: Tensor) -> Tensor: ...
def _is_any_true(input: Tensor) -> Tensor: ...
def _is_zerotensor(input: Tensor) -> _bool: ...
def _lazy_clone(input: Tensor) -> Tensor: ...
def _linalg_check_errors(info: Tensor, api_name: _str, *, is_matrix: _bool) -> None: ...
def _linalg_det(
    A: Tensor, *, out: tuple[Tensor, Tensor, Tensor] | list[Tensor] | None = None
) -> return_types._linalg_det: ...
def _linalg_eigh(
    A: Tensor,
    UPLO: _str = "L",
    compute_v: _bool = True,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types._linalg_eigh: ...
def _linalg_slogdet(
    A: Tensor, *, out: tuple[Tensor, Tensor, Tensor, Tensor] | list[Tensor] | None = None
) -> return_types._linalg_slogdet: ...
def _linalg_solve_ex(
    A: Tensor,
    B: Tensor,
    *,
    left: _bool = True,
    check_errors: _bool = False,
    out: tuple[Tensor, Tensor, Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types._linalg_solve_ex: ...
def _linalg_svd(
    A: Tensor,
    full_matrices: _bool = False,
    compute_uv: _bool = True,
    *,
    driver: _str | None = None,
    out: tuple[Tensor, Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types._linalg_svd: ...
def _log_softmax(
    input: Tensor, dim: _int, half_to_float: _bool, *, out: Tensor | None = None
) -> Tensor: ...
def _log_softmax_backward_data(
    grad_output: Tensor, output: Tensor, dim: _int, input_dtype: _DTypeLike
) -> Tensor: ...
def _logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor: ...
def _lu_with_info(
    input: Tensor, pivot: _bool = True, check_errors: _bool = True
) -> return_types._lu_with_info: ...
def _make_per_channel_quantized_tensor(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: _int
) -> Tensor: ...
def _make_per_tensor_quantized_tensor(input: Tensor, scale: _float, zero_point: _int) -> Tensor: ...
def _masked_softmax(
    input: Tensor, mask: Tensor, dim: _int | None = None, mask_type: _int | None = None
) -> Tensor: ...
@overload
def _native_batch_norm_legit(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    training: _bool,
    momentum: _float,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def _native_batch_norm_legit(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
def _native_batch_norm_legit_no_training(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    momentum: _float,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
def _native_multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: _int,
    num_head: _int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    mask: Tensor | None = None,
    need_weights: _bool = True,
    average_attn_weights: _bool = True,
    mask_type: _int | None = None,
) -> tuple[Tensor, Tensor]: ...
def _neg_view(input: Tensor) -> Tensor: ...
def _neg_view_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def _pack_padded_sequence(
    input: Tensor, lengths: Tensor, batch_first: _bool
) -> tuple[Tensor, Tensor]: ...
def _pad_packed_sequence(
    data: Tensor,
    batch_sizes: Tensor,
    batch_first: _bool,
    padding_value: Number | _complex,
    total_length: _int,
) -> tuple[Tensor, Tensor]: ...
def _pin_memory(input: Tensor, device: _device | _str | _int | None = None) -> Tensor: ...
def _prelu_kernel(input: Tensor, weight: Tensor) -> Tensor: ...
def _print(*args: Any, **kwargs: Any) -> None: ...
def _reshape_from_tensor(input: Tensor, shape: Tensor) -> Tensor: ...
def _rowwise_prune(
    weight: Tensor, mask: Tensor, compressed_indices_dtype: _DTypeLike
) -> tuple[Tensor, Tensor]: ...
def _safe_softmax(input: Tensor, dim: _int, dtype: _DTypeLike | None = None) -> Tensor: ...
def _sample_dirichlet(input: Tensor, generator: Generator | None = None) -> Tensor: ...
def _scaled_dot_product_attention_math(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    dropout_mask: Tensor | None = None,
    *,
    scale: _float | None = None,
    enable_gqa: _bool = False,
) -> tuple[Tensor, Tensor]: ...
def _scaled_dot_product_efficient_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_bias: Tensor | None,
    compute_log_sumexp: _bool,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    *,
    scale: _float | None = None,
) -> return_types._scaled_dot_product_efficient_attention: ...
def _scaled_mm(
    input: Tensor,
    mat2: Tensor,
    scale_a: Tensor,
    scale_b: Tensor,
    bias: Tensor | None = None,
    scale_result: Tensor | None = None,
    out_dtype: _DTypeLike | None = None,
    use_fast_accum: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def _scaled_mm_v2(
    input: Tensor,
    mat2: Tensor,
    scale_a: Sequence[Tensor],
    recipe_a: Sequence[_int],
    swizzle_a: Sequence[_int],
    scale_b: Sequence[Tensor],
    recipe_b: Sequence[_int],
    swizzle_b: Sequence[_int],
    bias: Tensor | None,
    out_dtype: _DTypeLike | None,
    contraction_dim: Sequence[_int] | None = None,
    use_fast_accum: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def _segment_reduce(
    data: Tensor,
    reduce: _str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: _int = 0,
    unsafe: _bool = False,
    initial: Number | _complex | None = None,
) -> Tensor: ...
def _shape_as_tensor(input: Tensor) -> Tensor: ...
def _sobol_engine_draw(
    quasi: Tensor,
    n: _int,
    sobolstate: Tensor,
    dimension: _int,
    num_generated: _int,
    dtype: _DTypeLike | None,
) -> tuple[Tensor, Tensor]: ...
def _sobol_engine_ff_(
    input: Tensor, n: _int, sobolstate: Tensor, dimension: _int, num_generated: _int
) -> Tensor: ...
def _sobol_engine_initialize_state_(input: Tensor, dimension: _int) -> Tensor: ...
def _sobol_engine_scramble_(input: Tensor, ltm: Tensor, dimension: _int) -> Tensor: ...
def _softmax(
    input: Tensor, dim: _int, half_to_float: _bool, *, out: Tensor | None = None
) -> Tensor: ...
def _softmax_backward_data(
    grad_output: Tensor, output: Tensor, dim: _int, input_dtype: _DTypeLike
) -> Tensor: ...
def _sparse_log_softmax_backward_data(
    grad_output: Tensor, output: Tensor, dim: _int, input: Tensor
) -> Tensor: ...
def _sparse_softmax_backward_data(
    grad_output: Tensor, output: Tensor, dim: _int, input: Tensor
) -> Tensor: ...
def _sparse_sparse_matmul(input: Tensor, other: Tensor) -> Tensor: ...
@overload
def _sparse_sum(input: Tensor) -> Tensor: ...
@overload
def _sparse_sum(input: Tensor, *, dtype: _DTypeLike) -> Tensor: ...
@overload
def _sparse_sum(input: Tensor, dim: _int | Sequence[_int]) -> Tensor: ...
@overload
def _sparse_sum(input: Tensor, dim: _int | Sequence[_int], *, dtype: _DTypeLike) -> Tensor: ...
def _stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def _standard_gamma(input: Tensor, generator: Generator | None = None) -> Tensor: ...
def _standard_gamma_grad(input: Tensor, output: Tensor) -> Tensor: ...
_storage_classes: Any
@overload
def _test_autograd_multiple_dispatch(input: Tensor) -> Tensor: ...
@overload
def _test_autograd_multiple_dispatch(input: Tensor, b: _bool) -> Tensor: ...
def _test_autograd_multiple_dispatch_view(input: Tensor) -> Tensor: ...
def _test_check_tensor(input: Tensor) -> Tensor: ...
def _test_functorch_fallback(input: Tensor, other: Tensor) -> Tensor: ...
def _test_serialization_subcmul(
    input: Tensor, other: Tensor, alpha: Number | _complex = 1
) -> Tensor: ...
def _to_cpu(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def _transform_bias_rescale_qkv(
    qkv: Tensor, qkv_bias: Tensor, num_heads: _int
) -> tuple[Tensor, Tensor, Tensor]: ...
def _transformer_encoder_layer_fwd(
    src: Tensor,
    embed_dim: _int,
    num_heads: _int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    use_gelu: _bool,
    norm_first: _bool,
    eps: _float,
    norm_weight_1: Tensor,
    norm_bias_1: Tensor,
    norm_weight_2: Tensor,
    norm_bias_2: Tensor,
    ffn_weight_1: Tensor,
    ffn_bias_1: Tensor,
    ffn_weight_2: Tensor,
    ffn_bias_2: Tensor,
    mask: Tensor | None = None,
    mask_type: _int | None = None,
) -> Tensor: ...
def _unique(
    input: Tensor, sorted: _bool = True, return_inverse: _bool = False
) -> tuple[Tensor, Tensor]: ...
def _unique2(
    input: Tensor, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False
) -> tuple[Tensor, Tensor, Tensor]: ...
def _unsafe_index(input: Tensor, indices: Sequence[Tensor | None]) -> Tensor: ...
def _unsafe_index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False
) -> Tensor: ...
def _unsafe_masked_index(
    input: Tensor, mask: Tensor, indices: Sequence[Tensor | None], fill: Number | _complex
) -> Tensor: ...
def _unsafe_masked_index_put_accumulate(
    input: Tensor, mask: Tensor, indices: Sequence[Tensor | None], values: Tensor
) -> Tensor: ...
def _validate_compressed_sparse_indices(
    is_crow: _bool, compressed_idx: Tensor, plain_idx: Tensor, cdim: _int, dim: _int, nnz: _int
) -> None: ...
def _validate_sparse_bsc_tensor_args(
    ccol_indices: Tensor,
    row_indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    check_pinning: _bool | None = None,
) -> None: ...
def _validate_sparse_bsr_tensor_args(
    crow_indices: Tensor,
    col_indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    check_pinning: _bool | None = None,
) -> None: ...
def _validate_sparse_compressed_tensor_args(
    compressed_indices: Tensor,
    plain_indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    layout: _layout,
    check_pinning: _bool | None = None,
) -> None: ...
def _validate_sparse_coo_tensor_args(
    indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    is_coalesced: _bool | None = None,
    check_pinning: _bool | None = None,
) -> None: ...
def _validate_sparse_csc_tensor_args(
    ccol_indices: Tensor,
    row_indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    check_pinning: _bool | None = None,
) -> None: ...
def _validate_sparse_csr_tensor_args(
    crow_indices: Tensor,
    col_indices: Tensor,
    values: Tensor,
    size: Sequence[_int],
    check_pinning: _bool | None = None,
) -> None: ...
def _weight_int4pack_mm_for_cpu(
    input: Tensor, mat2: Tensor, qGroupSize: _int, qScaleAndZeros: Tensor
) -> Tensor: ...
def _weight_int8pack_mm(input: Tensor, mat2: Tensor, scales: Tensor) -> Tensor: ...
def _weight_norm(v: Tensor, g: Tensor, dim: _int = 0) -> Tensor: ...
def _weight_norm_interface(v: Tensor, g: Tensor, dim: _int = 0) -> tuple[Tensor, Tensor]: ...
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def abs_(input: Tensor) -> Tensor: ...
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def acos_(input: Tensor) -> Tensor: ...
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def acosh_(input: Tensor) -> Tensor: ...
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
def adaptive_max_pool1d(
    input: Tensor, output_size: _int | Sequence[_int]
) -> tuple[Tensor, Tensor]: ...
@overload
def add(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def add(
    input: Tensor | Number | _complex,
    alpha: Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addbmm(
    beta: Number | _complex,
    input: Tensor,
    alpha: Number | _complex,
    batch1: Tensor,
    batch2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addbmm(
    beta: Number | _complex,
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def addcdiv(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addcdiv(
    input: Tensor,
    value: Number | _complex,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def addcmul(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addcmul(
    input: Tensor,
    value: Number | _complex,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    out_dtype: _DTypeLike,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmm(
    beta: Number | _complex,
    input: Tensor,
    alpha: Number | _complex,
    mat1: Tensor,
    mat2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmm(
    beta: Number | _complex, input: Tensor, mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmv(
    beta: Number | _complex,
    input: Tensor,
    alpha: Number | _complex,
    mat: Tensor,
    vec: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmv(
    beta: Number | _complex, input: Tensor, mat: Tensor, vec: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def addmv_(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmv_(
    beta: Number | _complex, input: Tensor, alpha: Number | _complex, mat: Tensor, vec: Tensor
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addmv_(beta: Number | _complex, input: Tensor, mat: Tensor, vec: Tensor) -> Tensor: ...
@overload
def addr(
    input: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addr(
    beta: Number | _complex,
    input: Tensor,
    alpha: Number | _complex,
    vec1: Tensor,
    vec2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def addr(
    beta: Number | _complex, input: Tensor, vec1: Tensor, vec2: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def adjoint(input: Tensor) -> Tensor: ...
def affine_grid_generator(theta: Tensor, size: Sequence[_int], align_corners: _bool) -> Tensor: ...
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def all(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def all(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def allclose(
    input: Tensor,
    other: Tensor,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> _bool: ...
def alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def amax(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def amin(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def aminmax(
    input: Tensor,
    *,
    dim: _int | None = None,
    keepdim: _bool = False,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.aminmax: ...
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def any(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def any(
    input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def arange(
    end: Number | _complex,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def arange(
    start: Number | _complex,
    end: Number | _complex,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def arange(
    start: Number | _complex,
    end: Number | _complex,
    step: Number | _complex = 1,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arccos_(input: Tensor) -> Tensor: ...
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arccosh_(input: Tensor) -> Tensor: ...
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arcsin_(input: Tensor) -> Tensor: ...
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arcsinh_(input: Tensor) -> Tensor: ...
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arctan_(input: Tensor) -> Tensor: ...
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def arctanh_(input: Tensor) -> Tensor: ...
def argmax(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def argmin(
    input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def argsort(
    input: Tensor,
    *,
    stable: _bool,
    dim: _int = -1,
    descending: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor: ...
def argwhere(input: Tensor) -> Tensor: ...
def as_strided(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor: ...
def as_strided_(
    input: Tensor, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None
) -> Tensor: ...
def as_strided_copy(
    input: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor: ...
def asarray(
    obj: Any,
    *,
    dtype: _DTypeLike | None = None,
    device: _device | _str | _int | None = None,
    copy: _bool | None = None,
    requires_grad: _bool = False,
) -> Tensor: ...
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def asin_(input: Tensor) -> Tensor: ...
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def asinh_(input: Tensor) -> Tensor: ...
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def atan_(input: Tensor) -> Tensor: ...
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def atanh_(input: Tensor) -> Tensor: ...
@overload
def atleast_1d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def atleast_2d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...
@overload
def atleast_3d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def avg_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor: ...
@overload
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    out_dtype: _DTypeLike,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def baddbmm(
    beta: Number | _complex,
    input: Tensor,
    alpha: Number | _complex,
    batch1: Tensor,
    batch2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def baddbmm(
    beta: Number | _complex,
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def bartlett_window(
    window_length: _int,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def bartlett_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool,
) -> Tensor: ...
def batch_norm_backward_elemt(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_backward_reduce(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_elemt(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_gather_stats(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_gather_stats_with_counts(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_stats(*args: Any, **kwargs: Any) -> Any: ...
def batch_norm_update_stats(*args: Any, **kwargs: Any) -> Any: ...
@overload
def bernoulli(
    input: Tensor, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def bernoulli(input: Tensor, p: _float, *, generator: Generator | None = None) -> Tensor: ...
bfloat16: _dtype
def bilinear(
    input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None
) -> Tensor: ...
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: _int = ...,
) -> Tensor: ...
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor: ...
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Tensor: ...
bit: _dtype
bits16: _dtype
bits1x8: _dtype
bits2x4: _dtype
bits4x2: _dtype
bits8: _dtype
@overload
def bitwise_and(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def bitwise_and(self: Number | _complex, other: Tensor) -> Tensor: ...
@overload
def bitwise_left_shift(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def bitwise_left_shift(self: Number | _complex, other: Tensor) -> Tensor: ...
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def bitwise_or(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def bitwise_or(self: Number | _complex, other: Tensor) -> Tensor: ...
@overload
def bitwise_right_shift(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def bitwise_right_shift(self: Number | _complex, other: Tensor) -> Tensor: ...
@overload
def bitwise_xor(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def bitwise_xor(self: Number | _complex, other: Tensor) -> Tensor: ...
@overload
def blackman_window(
    window_length: _int,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def blackman_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def bmm(
    input: Tensor, mat2: Tensor, out_dtype: _DTypeLike, *, out: Tensor | None = None
) -> Tensor: ...
bool: _dtype
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor: ...
@overload
def bucketize(
    input: Tensor,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def bucketize(
    self: Number | _complex, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False
) -> Tensor: ...
def can_cast(from_: _DTypeLike, to: _DTypeLike) -> _bool: ...
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def ccol_indices_copy(input: Tensor) -> Tensor: ...
cdouble: _dtype
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def ceil_(input: Tensor) -> Tensor: ...
def celu(input: Tensor, alpha: Number | _complex = 1.0) -> Tensor: ...
def celu_(input: Tensor, alpha: Number | _complex = 1.0) -> Tensor: ...
cfloat: _dtype
chalf: _dtype
def channel_shuffle(input: Tensor, groups: _int) -> Tensor: ...
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
def cholesky_inverse(
    input: Tensor, upper: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def cholesky_solve(
    input: Tensor, input2: Tensor, upper: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
def choose_qparams_optimized(*args: Any, **kwargs: Any) -> Any: ...
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
@overload
def clamp(
    input: Tensor,
    min: Tensor | None = None,
    max: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def clamp(
    input: Tensor,
    min: Number | _complex | None = None,
    max: Number | _complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
@overload
def clamp_(
    input: Tensor, min: Number | _complex | None = None, max: Number | _complex | None = None
) -> Tensor: ...
def clamp_max(
    input: Tensor, max: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def clamp_max_(input: Tensor, max: Tensor | Number | _complex) -> Tensor: ...
def clamp_min(
    input: Tensor, min: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def clamp_min_(input: Tensor, min: Tensor | Number | _complex) -> Tensor: ...
@overload
def clip(
    input: Tensor,
    min: Tensor | None = None,
    max: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def clip(
    input: Tensor,
    min: Number | _complex | None = None,
    max: Number | _complex | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
@overload
def clip_(
    input: Tensor, min: Number | _complex | None = None, max: Number | _complex | None = None
) -> Tensor: ...
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor: ...
def col_indices_copy(input: Tensor) -> Tensor: ...
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor: ...
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor: ...
complex128: _dtype
complex32: _dtype
complex64: _dtype
def concat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def concatenate(
    tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None
) -> Tensor: ...
def conj(input: Tensor) -> Tensor: ...
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def conj_physical_(input: Tensor) -> Tensor: ...
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: Number | _complex = 0) -> Tensor: ...
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: _int = 0) -> Tensor: ...
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[_int],
    padding: Sequence[_int],
    dilation: Sequence[_int],
    transposed: _bool,
    output_padding: Sequence[_int],
    groups: _int,
) -> Tensor: ...
def copysign(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def corrcoef(input: Tensor) -> Tensor: ...
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def cos_(input: Tensor) -> Tensor: ...
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def cosh_(input: Tensor) -> Tensor: ...
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = ...
) -> Tensor: ...
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor: ...
@overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor: ...
@overload
def count_nonzero(input: Tensor, dim: Sequence[_int]) -> Tensor: ...
def cov(
    input: Tensor,
    *,
    correction: _int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor: ...
def cross(
    input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def crow_indices_copy(input: Tensor) -> Tensor: ...
@overload
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Sequence[_int],
    target_lengths: Sequence[_int],
    blank: _int = 0,
    reduction: _int = ...,
    zero_infinity: _bool = False,
) -> Tensor: ...
@overload
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: _int = 0,
    reduction: _int = ...,
    zero_infinity: _bool = False,
) -> Tensor: ...
def cudnn_affine_grid_generator(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_batch_norm(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_convolution(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_convolution_add_relu(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_convolution_relu(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_convolution_transpose(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_grid_sampler(*args: Any, **kwargs: Any) -> Any: ...
def cudnn_is_acceptable(input: Tensor) -> _bool: ...
def cummax(
    input: Tensor, dim: _int, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.cummax: ...
def cummin(
    input: Tensor, dim: _int, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.cummin: ...
def cumprod(
    input: Tensor, dim: _int, *, dtype: _DTypeLike | None = None, out: Tensor | None = None
) -> Tensor: ...
def cumsum(
    input: Tensor, dim: _int, *, dtype: _DTypeLike | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def cumulative_trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor: ...
@overload
def cumulative_trapezoid(y: Tensor, *, dx: Number | _complex = 1, dim: _int = -1) -> Tensor: ...
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def deg2rad_(input: Tensor) -> Tensor: ...
@overload
def dequantize(input: Tensor) -> Tensor: ...
@overload
def dequantize(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]: ...
def det(input: Tensor) -> Tensor: ...
def detach(input: Tensor) -> Tensor: ...
def detach_(input: Tensor) -> Tensor: ...
def detach_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
device = _device_
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor: ...
def diagflat(input: Tensor, offset: _int = 0) -> Tensor: ...
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor: ...
def diagonal_copy(
    input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None
) -> Tensor: ...
def diagonal_scatter(
    input: Tensor, src: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1
) -> Tensor: ...
def diff(
    input: Tensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def dist(input: Tensor, other: Tensor, p: Number | _complex = 2) -> Tensor: ...
@overload
def div(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def div(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    rounding_mode: _str | None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def divide(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def divide(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    rounding_mode: _str | None,
    out: Tensor | None = None,
) -> Tensor: ...
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor: ...
double: _dtype
def dropout(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def dropout_(input: Tensor, p: _float, train: _bool) -> Tensor: ...
@overload
def dsmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def dsmm(
    input: Tensor, mat2: Tensor, out_dtype: _DTypeLike, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def dsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]: ...
@overload
def dsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
dtype = _dtype_
e: _float
def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: _int = -1,
    scale_grad_by_freq: _bool = False,
    sparse: _bool = False,
) -> Tensor: ...
@overload
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: _bool,
    mode: _int,
    sparse: _bool,
    per_sample_weights: Tensor | None,
    include_last_offset: _bool,
    padding_idx: _int | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
@overload
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: _bool = False,
    mode: _int = 0,
    sparse: _bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: _bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
def embedding_renorm_(
    input: Tensor, indices: Tensor, max_norm: _float, norm_type: _float
) -> Tensor: ...
@overload
def empty(
    size: Sequence[_int],
    *,
    memory_format: _memory_format | None = None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def empty(
    *size: _int,
    memory_format: _memory_format | None = None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def empty_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def empty_permuted(
    size: Sequence[_int],
    physical_layout: Sequence[_int],
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def empty_quantized(
    size: Sequence[_int],
    qtensor: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def empty_strided(
    size: Sequence[_int],
    stride: Sequence[_int],
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def eq(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def equal(input: Tensor, other: Tensor) -> _bool: ...
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def erf_(input: Tensor) -> Tensor: ...
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def erfc_(input: Tensor) -> Tensor: ...
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def exp2_(input: Tensor) -> Tensor: ...
def exp_(input: Tensor) -> Tensor: ...
def expand_copy(
    input: Tensor, size: Sequence[_int], *, implicit: _bool = False, out: Tensor | None = None
) -> Tensor: ...
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def expm1_(input: Tensor) -> Tensor: ...
@overload
def eye(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def eye(
    n: _int,
    m: _int,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: _int, quant_min: _int, quant_max: _int
) -> Tensor: ...
@overload
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: _int, quant_max: _int
) -> Tensor: ...
@overload
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: _float, zero_point: _int, quant_min: _int, quant_max: _int
) -> Tensor: ...
def fbgemm_linear_fp16_weight(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_linear_fp16_weight_fp32_activation(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_linear_int8_weight(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_linear_int8_weight_fp32_activation(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_linear_quantize_weight(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_pack_gemm_matrix_fp16(*args: Any, **kwargs: Any) -> Any: ...
def fbgemm_pack_quantized_matrix(*args: Any, **kwargs: Any) -> Any: ...
def feature_alpha_dropout(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def feature_alpha_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def feature_dropout(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def feature_dropout_(input: Tensor, p: _float, train: _bool) -> Tensor: ...
def fill(input: Tensor, value: Tensor | Number | _complex) -> Tensor: ...
def fill_(input: Tensor, value: Tensor | Number | _complex) -> Tensor: ...
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def fix_(input: Tensor) -> Tensor: ...
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor: ...
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def fliplr(input: Tensor) -> Tensor: ...
def flipud(input: Tensor) -> Tensor: ...
float: _dtype
float16: _dtype
float32: _dtype
float4_e2m1fn_x2: _dtype
float64: _dtype
float8_e4m3fn: _dtype
float8_e4m3fnuz: _dtype
float8_e5m2: _dtype
float8_e5m2fnuz: _dtype
float8_e8m0fnu: _dtype
@overload
def float_power(
    input: Tensor, exponent: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def float_power(
    self: Number | _complex, exponent: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def floor_(input: Tensor) -> Tensor: ...
def floor_divide(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def fmod(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def frac_(input: Tensor) -> Tensor: ...
def frexp(
    input: Tensor, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.frexp: ...
def frobenius_norm(input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False) -> Tensor: ...
def from_file(
    filename: _str,
    shared: _bool | None = None,
    size: _int | None = 0,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def frombuffer(
    buffer: Any,
    *,
    dtype: _DTypeLike,
    count: _int = -1,
    offset: _int = 0,
    requires_grad: _bool = False,
) -> Tensor: ...
def full(
    size: Sequence[_int],
    fill_value: Number | _complex,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def full_like(
    input: Tensor,
    fill_value: Number | _complex,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def fused_moving_avg_obs_fake_quant(
    input: Tensor,
    observer_on: Tensor,
    fake_quant_on: Tensor,
    running_min: Tensor,
    running_max: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    averaging_const: _float,
    quant_min: _int,
    quant_max: _int,
    ch_axis: _int,
    per_row_fake_quant: _bool = False,
    symmetric_quant: _bool = False,
) -> Tensor: ...
def gather(
    input: Tensor,
    dim: _int,
    index: Tensor,
    *,
    sparse_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def gcd_(input: Tensor, other: Tensor) -> Tensor: ...
def ge(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def geqrf(
    input: Tensor, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.geqrf: ...
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def get_device(input: Tensor) -> _int: ...
@overload
def gradient(input: Tensor, *, dim: Sequence[_int], edge_order: _int = 1) -> tuple[Tensor, ...]: ...
@overload
def gradient(
    input: Tensor,
    *,
    spacing: Number | _complex | Sequence[Number | _complex] | Sequence[Tensor],
    dim: Sequence[_int],
    edge_order: _int = 1,
) -> tuple[Tensor, ...]: ...
@overload
def gradient(
    input: Tensor,
    *,
    spacing: Number | _complex | None = None,
    dim: _int | None = None,
    edge_order: _int = 1,
) -> tuple[Tensor, ...]: ...
@overload
def gradient(
    input: Tensor,
    *,
    spacing: Sequence[Number | _complex] | Sequence[Tensor],
    dim: _int | None = None,
    edge_order: _int = 1,
) -> tuple[Tensor, ...]: ...
def greater(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def greater_equal(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor: ...
def grid_sampler_2d(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor: ...
def grid_sampler_3d(
    input: Tensor, grid: Tensor, interpolation_mode: _int, padding_mode: _int, align_corners: _bool
) -> Tensor: ...
def group_norm(
    input: Tensor,
    num_groups: _int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
    cudnn_enabled: _bool = True,
) -> Tensor: ...
@overload
def gru(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> tuple[Tensor, Tensor]: ...
@overload
def gru(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> tuple[Tensor, Tensor]: ...
def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor: ...
def gt(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
half: _dtype
@overload
def hamming_window(
    window_length: _int,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    alpha: _float,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def hamming_window(
    window_length: _int,
    periodic: _bool,
    alpha: _float,
    beta: _float,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def hann_window(
    window_length: _int,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def hann_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def hardshrink(
    input: Tensor, lambd: Number | _complex = 0.5, *, out: Tensor | None = None
) -> Tensor: ...
has_lapack: _bool
has_mkl: _bool
has_openmp: _bool
has_spectral: _bool
def hash_tensor(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    keepdim: _bool = False,
    mode: _int = 0,
    out: Tensor | None = None,
) -> Tensor: ...
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: _float = 1.0, reduction: _int = ...
) -> Tensor: ...
def histc(
    input: Tensor,
    bins: _int = 100,
    min: Number | _complex = 0,
    max: Number | _complex = 0,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def histogram(
    input: Tensor,
    bins: Tensor,
    *,
    weight: Tensor | None = None,
    density: _bool = False,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.histogram: ...
@overload
def histogram(
    input: Tensor,
    bins: _int = 100,
    *,
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.histogram: ...
def histogramdd(
    input: Tensor,
    bins: _int | Sequence[_int] | Sequence[Tensor],
    range: Sequence[_float] | None = None,
    weight: Tensor | None = None,
    density: _bool = False,
) -> return_types.histogramdd: ...
def hsmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def hsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]: ...
@overload
def hsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def hspmm(mat1: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def i0_(input: Tensor) -> Tensor: ...
def igamma(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def igammac(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def imag(input: Tensor) -> Tensor: ...
def index_add(
    input: Tensor,
    dim: _int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
def index_copy(
    input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def index_fill(
    input: Tensor, dim: _int, index: Tensor, value: Tensor | Number | _complex
) -> Tensor: ...
def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False
) -> Tensor: ...
def index_put_(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: _bool = False
) -> Tensor: ...
def index_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    source: Tensor,
    reduce: _str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor: ...
def index_select(
    input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def indices_copy(input: Tensor) -> Tensor: ...
inf: _float
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: _bool,
    momentum: _float,
    eps: _float,
    cudnn_enabled: _bool,
) -> Tensor: ...
int: _dtype
int1: _dtype
int16: _dtype
int2: _dtype
int3: _dtype
int32: _dtype
int4: _dtype
int5: _dtype
int6: _dtype
int64: _dtype
int7: _dtype
int8: _dtype
def int_repr(input: Tensor) -> Tensor: ...
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def is_complex(input: Tensor) -> _bool: ...
def is_conj(input: Tensor) -> _bool: ...
def is_distributed(input: Tensor) -> _bool: ...
def is_floating_point(input: Tensor) -> _bool: ...
def is_inference(input: Tensor) -> _bool: ...
def is_neg(input: Tensor) -> _bool: ...
def is_nonzero(input: Tensor) -> _bool: ...
def is_same_size(input: Tensor, other: Tensor) -> _bool: ...
def is_signed(input: Tensor) -> _bool: ...
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> Tensor: ...
def isfinite(input: Tensor) -> Tensor: ...
@overload
def isin(
    elements: Tensor,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def isin(
    element: Number | _complex,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def isin(
    elements: Tensor,
    test_element: Number | _complex,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
def isinf(input: Tensor) -> Tensor: ...
def isnan(input: Tensor) -> Tensor: ...
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def isreal(input: Tensor) -> Tensor: ...
def istft(
    input: Tensor,
    n_fft: _int,
    hop_length: _int | None = None,
    win_length: _int | None = None,
    window: Tensor | None = None,
    center: _bool = True,
    normalized: _bool = False,
    onesided: _bool | None = None,
    length: _int | None = None,
    return_complex: _bool = False,
) -> Tensor: ...
@overload
def kaiser_window(
    window_length: _int,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def kaiser_window(
    window_length: _int,
    periodic: _bool,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def kaiser_window(
    window_length: _int,
    periodic: _bool,
    beta: _float,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def kl_div(
    input: Tensor, target: Tensor, reduction: _int = ..., *, log_target: _bool = False
) -> Tensor: ...
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def kthvalue(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.kthvalue: ...
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[_int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: _float = 1e-05,
    cudnn_enable: _bool = True,
) -> Tensor: ...
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def lcm_(input: Tensor, other: Tensor) -> Tensor: ...
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def ldexp_(input: Tensor, other: Tensor) -> Tensor: ...
def le(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def lerp(
    input: Tensor, end: Tensor, weight: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def less(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def less_equal(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def linspace(
    start: Tensor | Number | _complex,
    end: Tensor,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def linspace(
    start: Tensor | Number | _complex,
    end: Number | _complex,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def log10_(input: Tensor) -> Tensor: ...
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def log1p_(input: Tensor) -> Tensor: ...
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def log2_(input: Tensor) -> Tensor: ...
def log_(input: Tensor) -> Tensor: ...
def log_softmax(
    input: Tensor, dim: _int, dtype: _DTypeLike | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor: ...
def logdet(input: Tensor) -> Tensor: ...
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor: ...
def logit_(input: Tensor, eps: _float | None = None) -> Tensor: ...
@overload
def logspace(
    start: Tensor | Number | _complex,
    end: Tensor,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def logspace(
    start: Tensor | Number | _complex,
    end: Number | _complex,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def logsumexp(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
long: _dtype
@overload
def lstm(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def lstm(
    input: Tensor,
    hx: Sequence[Tensor],
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> tuple[Tensor, Tensor, Tensor]: ...
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]: ...
def lt(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def lu_solve(
    input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def lu_unpack(
    LU_data: Tensor,
    LU_pivots: Tensor,
    unpack_data: _bool = True,
    unpack_pivots: _bool = True,
    *,
    out: tuple[Tensor, Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.lu_unpack: ...
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: _float = 0.0, reduction: _int = ...
) -> Tensor: ...
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | Number | _complex) -> Tensor: ...
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor: ...
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def matrix_exp(input: Tensor) -> Tensor: ...
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.max: ...
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> tuple[Tensor, Tensor]: ...
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def mean(
    input: Tensor, *, dtype: _DTypeLike | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def median(input: Tensor) -> Tensor: ...
@overload
def median(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.median: ...
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def min(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.min: ...
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def miopen_batch_norm(*args: Any, **kwargs: Any) -> Any: ...
def miopen_convolution(*args: Any, **kwargs: Any) -> Any: ...
def miopen_convolution_add_relu(*args: Any, **kwargs: Any) -> Any: ...
def miopen_convolution_relu(*args: Any, **kwargs: Any) -> Any: ...
def miopen_convolution_transpose(*args: Any, **kwargs: Any) -> Any: ...
def miopen_ctc_loss(*args: Any, **kwargs: Any) -> Any: ...
def miopen_depthwise_convolution(*args: Any, **kwargs: Any) -> Any: ...
def miopen_rnn(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_adaptive_avg_pool2d(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_convolution(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_linear_backward_weights(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_max_pool2d(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_max_pool3d(*args: Any, **kwargs: Any) -> Any: ...
def mkldnn_rnn_layer(
    input: Tensor,
    weight0: Tensor,
    weight1: Tensor,
    weight2: Tensor,
    weight3: Tensor,
    hx_: Tensor,
    cx_: Tensor,
    reverse: _bool,
    batch_sizes: Sequence[_int],
    mode: _int,
    hidden_size: _int,
    num_layers: _int,
    has_biases: _bool,
    bidirectional: _bool,
    batch_first: _bool,
    train: _bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...
@overload
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def mm(
    input: Tensor, mat2: Tensor, out_dtype: _DTypeLike, *, out: Tensor | None = None
) -> Tensor: ...
def mode(
    input: Tensor,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.mode: ...
@overload
def moveaxis(input: Tensor, source: _int, destination: _int) -> Tensor: ...
@overload
def moveaxis(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor: ...
@overload
def movedim(input: Tensor, source: _int, destination: _int) -> Tensor: ...
@overload
def movedim(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor: ...
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def mul(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def multinomial(
    input: Tensor,
    num_samples: _int,
    replacement: _bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def multiply(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def mvlgamma(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor: ...
nan: _float
def nan_to_num(
    input: Tensor,
    nan: _float | None = None,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def nan_to_num_(
    input: Tensor,
    nan: _float | None = None,
    posinf: _float | None = None,
    neginf: _float | None = None,
) -> Tensor: ...
def nanmean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def nanmedian(input: Tensor) -> Tensor: ...
@overload
def nanmedian(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.nanmedian: ...
def nanquantile(
    input: Tensor,
    q: Tensor | _float,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: _str = "linear",
    out: Tensor | None = None,
) -> Tensor: ...
def nansum(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def narrow(input: Tensor, dim: _int, start: Tensor | _int, length: _int) -> Tensor: ...
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int) -> Tensor: ...
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: _bool,
    momentum: _float,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor: ...
def native_dropout(input: Tensor, p: _float, train: _bool | None) -> tuple[Tensor, Tensor]: ...
def native_group_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    N: _int,
    C: _int,
    HxW: _int,
    group: _int,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
def native_layer_norm(
    input: Tensor,
    normalized_shape: Sequence[_int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: _float,
) -> tuple[Tensor, Tensor, Tensor]: ...
def ne(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def neg_(input: Tensor) -> Tensor: ...
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def negative_(input: Tensor) -> Tensor: ...
newaxis: None
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def nonzero(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def nonzero(input: Tensor, *, as_tuple: Literal[False], out: Tensor | None = None) -> Tensor: ...
@overload
def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...
@overload
def nonzero(input: Tensor, *, as_tuple: _bool) -> Tensor | tuple[Tensor, ...]: ...
def nonzero_static(
    input: Tensor, *, size: _int, fill_value: _int = -1, out: Tensor | None = None
) -> Tensor: ...
def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor: ...
@overload
def normal(
    mean: Tensor | _float,
    std: Tensor,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def normal(
    mean: Tensor, std: _float = 1, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def normal(
    mean: _float,
    std: _float,
    size: Sequence[_int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def not_equal(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def nuclear_norm(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def nuclear_norm(input: Tensor, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
def numel(input: Tensor) -> _int: ...
@overload
def ones(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def ones(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def ones_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def orgqr(input: Tensor, input2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def ormqr(
    input: Tensor,
    input2: Tensor,
    input3: Tensor,
    left: _bool = True,
    transpose: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False
) -> Tensor: ...
def pdist(input: Tensor, p: _float = 2.0) -> Tensor: ...
per_channel_affine: _qscheme
per_channel_affine_float_qparams: _qscheme
per_channel_symmetric: _qscheme
per_tensor_affine: _qscheme
per_tensor_symmetric: _qscheme
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def permute_copy(input: Tensor, dims: Sequence[_int], *, out: Tensor | None = None) -> Tensor: ...
pi: _float
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor: ...
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor: ...
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor: ...
def poisson(input: Tensor, generator: Generator | None = None) -> Tensor: ...
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: _bool, full: _bool, eps: _float, reduction: _int
) -> Tensor: ...
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def positive(input: Tensor) -> Tensor: ...
@overload
def pow(
    input: Tensor, exponent: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def pow(self: Number | _complex, exponent: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def prelu(input: Tensor, weight: Tensor) -> Tensor: ...
@overload
def prod(input: Tensor, *, dtype: _DTypeLike | None = None) -> Tensor: ...
@overload
def prod(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def promote_types(type1: _DTypeLike, type2: _DTypeLike) -> _dtype: ...
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor: ...
def q_per_channel_axis(input: Tensor) -> _int: ...
def q_per_channel_scales(input: Tensor) -> Tensor: ...
def q_per_channel_zero_points(input: Tensor) -> Tensor: ...
def q_scale(input: Tensor) -> _float: ...
def q_zero_point(input: Tensor) -> _int: ...
qint32: _dtype
qint8: _dtype
def qr(
    input: Tensor, some: _bool = True, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.qr: ...
def quantile(
    input: Tensor,
    q: Tensor | _float,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: _str = "linear",
    out: Tensor | None = None,
) -> Tensor: ...
def quantize_per_channel(
    input: Tensor, scales: Tensor, zero_points: Tensor, axis: _int, dtype: _DTypeLike
) -> Tensor: ...
@overload
def quantize_per_tensor(
    input: Tensor, scale: Tensor, zero_point: Tensor, dtype: _DTypeLike
) -> Tensor: ...
@overload
def quantize_per_tensor(
    input: Tensor, scale: _float, zero_point: _int, dtype: _DTypeLike
) -> Tensor: ...
@overload
def quantize_per_tensor(
    tensors: Sequence[Tensor], scales: Tensor, zero_points: Tensor, dtype: _DTypeLike
) -> tuple[Tensor, ...]: ...
def quantize_per_tensor_dynamic(
    input: Tensor, dtype: _DTypeLike, reduce_range: _bool
) -> Tensor: ...
def quantized_batch_norm(*args: Any, **kwargs: Any) -> Any: ...
def quantized_gru_cell(*args: Any, **kwargs: Any) -> Any: ...
def quantized_lstm_cell(*args: Any, **kwargs: Any) -> Any: ...
def quantized_max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def quantized_max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def quantized_max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
) -> Tensor: ...
def quantized_rnn_relu_cell(*args: Any, **kwargs: Any) -> Any: ...
def quantized_rnn_tanh_cell(*args: Any, **kwargs: Any) -> Any: ...
quint2x4: _dtype
quint4x2: _dtype
quint8: _dtype
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def rad2deg_(input: Tensor) -> Tensor: ...
@overload
def rand(
    size: Sequence[_int],
    *,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def rand(
    *size: _int,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def rand(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def rand(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def rand_like(
    input: Tensor,
    *,
    generator: Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def rand_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    generator: Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: Tensor | _int,
    *,
    generator: Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    high: Tensor | _int,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn(
    size: Sequence[_int],
    *,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn(
    *size: _int,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn_like(
    input: Tensor,
    *,
    generator: Generator | None,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randn_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randperm(
    n: _int,
    *,
    generator: Generator | None,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def randperm(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def range(
    start: Number,
    end: Number = ...,
    step: Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    requires_grad: _bool = False,
) -> Tensor: ...
def ravel(input: Tensor) -> Tensor: ...
def real(input: Tensor) -> Tensor: ...
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def reciprocal_(input: Tensor) -> Tensor: ...
def relu(input: Tensor) -> Tensor: ...
def relu_(input: Tensor) -> Tensor: ...
@overload
def remainder(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def remainder(self: Number | _complex, other: Tensor) -> Tensor: ...
def renorm(
    input: Tensor,
    p: Number | _complex,
    dim: _int,
    maxnorm: Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def repeat_interleave(
    input: Tensor,
    repeats: Tensor | _int,
    dim: _int | None = None,
    *,
    output_size: _int | None = None,
) -> Tensor: ...
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor: ...
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor: ...
def resize_as_(
    input: Tensor, the_template: Tensor, *, memory_format: _memory_format | None = None
) -> Tensor: ...
def resize_as_sparse_(input: Tensor, the_template: Tensor) -> Tensor: ...
def resolve_conj(input: Tensor) -> Tensor: ...
def resolve_neg(input: Tensor) -> Tensor: ...
@overload
def result_type(tensor: Tensor, other: Tensor | Number | _complex) -> _dtype: ...
@overload
def result_type(scalar: Number | _complex, tensor: Tensor) -> _dtype: ...
@overload
def result_type(scalar1: Number | _complex, scalar2: Number | _complex) -> _dtype: ...
def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[_int],
    weight: Tensor | None = None,
    eps: _float | None = None,
) -> Tensor: ...
@overload
def rnn_relu(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> tuple[Tensor, Tensor]: ...
@overload
def rnn_relu(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> tuple[Tensor, Tensor]: ...
def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor: ...
@overload
def rnn_tanh(
    data: Tensor,
    batch_sizes: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
) -> tuple[Tensor, Tensor]: ...
@overload
def rnn_tanh(
    input: Tensor,
    hx: Tensor,
    params: Sequence[Tensor],
    has_biases: _bool,
    num_layers: _int,
    dropout: _float,
    train: _bool,
    bidirectional: _bool,
    batch_first: _bool,
) -> tuple[Tensor, Tensor]: ...
def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor: ...
def roll(
    input: Tensor, shifts: _int | Sequence[_int], dims: _int | Sequence[_int] | None = None
) -> Tensor: ...
def rot90(input: Tensor, k: _int = 1, dims: Sequence[_int] = (0, 1)) -> Tensor: ...
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor: ...
@overload
def round_(input: Tensor) -> Tensor: ...
@overload
def round_(input: Tensor, *, decimals: _int) -> Tensor: ...
def row_indices_copy(input: Tensor) -> Tensor: ...
def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
def rrelu(
    input: Tensor,
    lower: Number | _complex = 0.125,
    upper: Number | _complex = 0.3333333333333333,
    training: _bool = False,
    generator: Generator | None = None,
) -> Tensor: ...
def rrelu_(
    input: Tensor,
    lower: Number | _complex = 0.125,
    upper: Number | _complex = 0.3333333333333333,
    training: _bool = False,
    generator: Generator | None = None,
) -> Tensor: ...
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def rsqrt_(input: Tensor) -> Tensor: ...
@overload
def rsub(input: Tensor, other: Tensor, *, alpha: Number | _complex = 1) -> Tensor: ...
@overload
def rsub(input: Tensor, other: Number | _complex, alpha: Number | _complex = 1) -> Tensor: ...
@overload
def saddmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def saddmm(
    beta: Number | _complex, input: Tensor, alpha: Number | _complex, mat1: Tensor, mat2: Tensor
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def saddmm(beta: Number | _complex, input: Tensor, mat1: Tensor, mat2: Tensor) -> Tensor: ...
def scalar_tensor(
    s: Number | _complex,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: _str, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor, dim: _int, index: Tensor, value: Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def scatter(
    input: Tensor,
    dim: _int,
    index: Tensor,
    value: Number | _complex,
    *,
    reduce: _str,
    out: Tensor | None = None,
) -> Tensor: ...
def scatter_add(
    input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
def scatter_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    reduce: _str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: _str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def searchsorted(
    sorted_sequence: Tensor,
    self: Number | _complex,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: _str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def segment_reduce(
    data: Tensor,
    reduce: _str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: _int = 0,
    unsafe: _bool = False,
    initial: Number | _complex | None = None,
) -> Tensor: ...
def select(input: Tensor, dim: _int, index: _int) -> Tensor: ...
def select_copy(input: Tensor, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor: ...
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor: ...
def selu(input: Tensor) -> Tensor: ...
def selu_(input: Tensor) -> Tensor: ...
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
short: _dtype
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sigmoid_(input: Tensor) -> Tensor: ...
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sin_(input: Tensor) -> Tensor: ...
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sinc_(input: Tensor) -> Tensor: ...
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sinh_(input: Tensor) -> Tensor: ...
def slice_copy(
    input: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def slice_inverse(
    input: Tensor,
    src: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
) -> Tensor: ...
def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def slogdet(
    input: Tensor, *, out: tuple[Tensor, Tensor] | list[Tensor] | None = None
) -> return_types.slogdet: ...
def smm(input: Tensor, mat2: Tensor) -> Tensor: ...
def softmax(
    input: Tensor, dim: _int, dtype: _DTypeLike | None = None, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def sort(
    input: Tensor,
    *,
    stable: _bool | None,
    dim: _int = -1,
    descending: _bool = False,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.sort: ...
@overload
def sort(
    input: Tensor,
    dim: _int = -1,
    descending: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.sort: ...
def sparse_bsc_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def sparse_bsr_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def sparse_compressed_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def sparse_coo_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def sparse_csc_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def sparse_csr_tensor(*args: Any, **kwargs: Any) -> Tensor: ...
def split_copy(
    input: Tensor, split_size: _int, dim: _int = 0, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]: ...
def split_with_sizes(
    input: Tensor, split_sizes: Sequence[_int], dim: _int = 0
) -> tuple[Tensor, ...]: ...
def split_with_sizes_copy(
    input: Tensor,
    split_sizes: Sequence[_int],
    dim: _int = 0,
    *,
    out: Sequence[Tensor] | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def spmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def spmm(
    input: Tensor, mat2: Tensor, out_dtype: _DTypeLike, *, out: Tensor | None = None
) -> Tensor: ...
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def sqrt_(input: Tensor) -> Tensor: ...
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def square_(input: Tensor) -> Tensor: ...
@overload
def squeeze(input: Tensor) -> Tensor: ...
@overload
def squeeze(input: Tensor, dim: _int | Sequence[_int]) -> Tensor: ...
@overload
def squeeze_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def squeeze_copy(
    input: Tensor, dim: _int | Sequence[_int], *, out: Tensor | None = None
) -> Tensor: ...
@overload
def sspaddmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Number | _complex = 1,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def sspaddmm(
    beta: Number | _complex, input: Tensor, alpha: Number | _complex, mat1: Tensor, mat2: Tensor
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def sspaddmm(beta: Number | _complex, input: Tensor, mat1: Tensor, mat2: Tensor) -> Tensor: ...
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: Number | _complex | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def std(input: Tensor, unbiased: _bool = True) -> Tensor: ...
@overload
def std_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
) -> tuple[Tensor, Tensor]: ...
@overload
def std_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: Number | _complex | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def std_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]: ...
@overload
def sub(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
@deprecated("this order of arguments is deprecated")
def sub(
    input: Tensor | Number | _complex,
    alpha: Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def subtract(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    alpha: Number | _complex = 1,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def subtract(
    input: Tensor | Number | _complex, other: Number | _complex, alpha: Number | _complex = 1
) -> Tensor: ...
@overload
def sum(input: Tensor, *, dtype: _DTypeLike | None = None) -> Tensor: ...
@overload
def sum(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor: ...
def svd(
    input: Tensor,
    some: _bool = True,
    compute_uv: _bool = True,
    *,
    out: tuple[Tensor, Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.svd: ...
def swapaxes(input: Tensor, axis0: _int, axis1: _int) -> Tensor: ...
def swapdims(input: Tensor, dim0: _int, dim1: _int) -> Tensor: ...
def sym_constrain_range(*args: Any, **kwargs: Any) -> None: ...
def sym_constrain_range_for_size(*args: Any, **kwargs: Any) -> None: ...
symeig = _symeig_
def t(input: Tensor) -> Tensor: ...
def t_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def take_along_dim(
    input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def tan_(input: Tensor) -> Tensor: ...
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def tanh_(input: Tensor) -> Tensor: ...
@overload
def tensor_split(input: Tensor, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]: ...
@overload
def tensor_split(
    input: Tensor, tensor_indices_or_sections: Tensor, dim: _int = 0
) -> tuple[Tensor, ...]: ...
@overload
def tensor_split(input: Tensor, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
def threshold(
    input: Tensor,
    threshold: Number | _complex,
    value: Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def threshold_(input: Tensor, threshold: Number | _complex, value: Number | _complex) -> Tensor: ...
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor: ...
def topk(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.topk: ...
def trace(input: Tensor) -> Tensor: ...
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor: ...
def transpose_copy(
    input: Tensor, dim0: _int, dim1: _int, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def trapezoid(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor: ...
@overload
def trapezoid(y: Tensor, *, dx: Number | _complex = 1, dim: _int = -1) -> Tensor: ...
@overload
def trapz(y: Tensor, *, dx: _float = 1, dim: _int = -1) -> Tensor: ...
@overload
def trapz(y: Tensor, x: Tensor, *, dim: _int = -1) -> Tensor: ...
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: _bool = True,
    transpose: _bool = False,
    unitriangular: _bool = False,
    *,
    out: tuple[Tensor, Tensor] | list[Tensor] | None = None,
) -> return_types.triangular_solve: ...
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def tril_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: _float = 1.0,
    p: _float = 2.0,
    eps: _float = 1e-06,
    swap: _bool = False,
    reduction: _int = ...,
) -> Tensor: ...
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor: ...
def triu_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def true_divide(
    input: Tensor | Number | _complex,
    other: Tensor | Number | _complex,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def trunc_(input: Tensor) -> Tensor: ...
uint1: _dtype
uint16: _dtype
uint2: _dtype
uint3: _dtype
uint32: _dtype
uint4: _dtype
uint5: _dtype
uint6: _dtype
uint64: _dtype
uint7: _dtype
uint8: _dtype
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]: ...
def unbind_copy(
    input: Tensor, dim: _int = 0, *, out: Sequence[Tensor] | None = None
) -> tuple[Tensor, ...]: ...
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor: ...
def unfold_copy(
    input: Tensor, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def unique(
    input: Tensor,
    sorted: _bool = True,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: _int | None = None,
) -> Tensor: ...
@overload
def unique(
    input: Tensor,
    sorted: _bool = True,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any: ...
@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    dim: _int | None = None,
) -> Tensor: ...
@overload
def unique_consecutive(
    input: Tensor,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any: ...
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]: ...
def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Sequence[_int], dim: _int = 0
) -> tuple[Tensor, ...]: ...
def unsqueeze(input: Tensor, dim: _int) -> Tensor: ...
def unsqueeze_copy(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor: ...
def values_copy(input: Tensor) -> Tensor: ...
def vander(x: Tensor, N: _int | None = None, increasing: _bool = False) -> Tensor: ...
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: Number | _complex | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor: ...
@overload
def var(input: Tensor, unbiased: _bool = True) -> Tensor: ...
@overload
def var_mean(
    input: Tensor, dim: _int | Sequence[_int] | None, unbiased: _bool = True, keepdim: _bool = False
) -> tuple[Tensor, Tensor]: ...
@overload
def var_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: Number | _complex | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def var_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]: ...
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def view_as_complex(input: Tensor) -> Tensor: ...
def view_as_complex_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def view_as_real(input: Tensor) -> Tensor: ...
def view_as_real_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def view_copy(input: Tensor, dtype: _DTypeLike, *, out: Tensor | None = None) -> Tensor: ...
@overload
def view_copy(input: Tensor, size: Sequence[_int], *, out: Tensor | None = None) -> Tensor: ...
@overload
def vsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]: ...
@overload
def vsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]: ...
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor: ...
@overload
def where(condition: Tensor) -> tuple[Tensor, ...]: ...
@overload
def where(
    condition: Tensor, input: Tensor, other: Tensor, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def where(
    condition: Tensor, self: Number | _complex, other: Tensor | Number | _complex
) -> Tensor: ...
@overload
def where(condition: Tensor, input: Tensor, other: Number | _complex) -> Tensor: ...
@overload
def xlogy(
    input: Tensor, other: Tensor | Number | _complex, *, out: Tensor | None = None
) -> Tensor: ...
@overload
def xlogy(self: Number | _complex, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def xlogy_(input: Tensor, other: Tensor | Number | _complex) -> Tensor: ...
def zero_(input: Tensor) -> Tensor: ...
@overload
def zeros(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
@overload
def zeros(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
def zeros_like(
    input: Tensor,
    *,
    memory_format: _memory_format | None = None,
    dtype: _DTypeLike | None = None,
    layout: _layout | None = None,
    device: _device | _str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor: ...
