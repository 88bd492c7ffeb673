# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from . import _C as _C
from . import __config__ as __config__
from . import __future__ as __future__
from . import _awaits as _awaits
from . import _custom_op as _custom_op
from . import _decomp as _decomp
from . import _dispatch as _dispatch
from . import _dynamo as _dynamo
from . import _export as _export
from . import _functorch as _functorch
from . import _higher_order_ops as _higher_order_ops
from . import _inductor as _inductor
from . import _logging as _logging
from . import _ops as _ops
from . import _prims as _prims
from . import _prims_common as _prims_common
from . import _refs as _refs
from . import _subclasses as _subclasses
from . import _utils as _utils
from . import _vendor as _vendor
from . import accelerator as accelerator
from . import amp as amp
from . import ao as ao
from . import autograd as autograd
from . import backends as backends
from . import compiler as compiler
from . import contrib as contrib
from . import cpu as cpu
from . import cuda as cuda
from . import distributed as distributed
from . import distributions as distributions
from . import export as export
from . import fft as fft
from . import func as func
from . import functional as functional
from . import futures as futures
from . import fx as fx
from . import hub as hub
from . import jit as jit
from . import library as library
from . import linalg as linalg
from . import masked as masked
from . import monitor as monitor
from . import mps as mps
from . import mtia as mtia
from . import multiprocessing as multiprocessing
from . import nativert as nativert
from . import nested as nested
from . import nn as nn
from . import npu as npu
from . import numa as numa
from . import onnx as onnx
from . import optim as optim
from . import overrides as overrides
from . import package as package
from . import profiler as profiler
from . import quantization as quantization
from . import quasirandom as quasirandom
from . import random as random
from . import return_types as return_types
from . import serialization as serialization
from . import signal as signal
from . import sparse as sparse
from . import special as special
from . import storage as storage
from . import testing as testing
from . import torch_version as torch_version
from . import types as types
from . import utils as utils
from . import version as version
from . import xpu as xpu
from mindtorch._C._masks import ExcludeDispatchKeyGuard as ExcludeDispatchKeyGuard
from mindtorch._higher_order_ops.cond import cond as cond
from mindtorch._higher_order_ops.while_loop import while_loop as while_loop
from mindtorch._ops import ops as ops
from mindtorch._utils import classproperty as classproperty
from mindtorch.amp.autocast_mode import autocast as autocast
from mindtorch.amp.grad_scaler import GradScaler as GradScaler
from mindtorch.amp.switches import autocast_decrement_nesting as autocast_decrement_nesting
from mindtorch.amp.switches import autocast_increment_nesting as autocast_increment_nesting
from mindtorch.amp.switches import clear_autocast_cache as clear_autocast_cache
from mindtorch.amp.switches import get_autocast_dtype as get_autocast_dtype
from mindtorch.amp.switches import is_autocast_cache_enabled as is_autocast_cache_enabled
from mindtorch.amp.switches import is_autocast_enabled as is_autocast_enabled
from mindtorch.amp.switches import set_autocast_cache_enabled as set_autocast_cache_enabled
from mindtorch.amp.switches import set_autocast_dtype as set_autocast_dtype
from mindtorch.amp.switches import set_autocast_enabled as set_autocast_enabled
from mindtorch.aten.torch import *
from mindtorch.aten.torch import _adaptive_avg_pool2d as _adaptive_avg_pool2d
from mindtorch.aten.torch import _adaptive_avg_pool3d as _adaptive_avg_pool3d
from mindtorch.aten.torch import _add_relu as _add_relu
from mindtorch.aten.torch import _add_relu_ as _add_relu_
from mindtorch.aten.torch import _addmm_activation as _addmm_activation
from mindtorch.aten.torch import _aminmax as _aminmax
from mindtorch.aten.torch import _amp_foreach_non_finite_check_and_unscale_ as _amp_foreach_non_finite_check_and_unscale_
from mindtorch.aten.torch import _amp_update_scale_ as _amp_update_scale_
from mindtorch.aten.torch import _assert as _assert
from mindtorch.aten.torch import _assert_async as _assert_async
from mindtorch.aten.torch import _assert_scalar as _assert_scalar
from mindtorch.aten.torch import _assert_tensor_metadata as _assert_tensor_metadata
from mindtorch.aten.torch import _batch_norm_impl_index as _batch_norm_impl_index
from mindtorch.aten.torch import _cast_Byte as _cast_Byte
from mindtorch.aten.torch import _cast_Char as _cast_Char
from mindtorch.aten.torch import _cast_Double as _cast_Double
from mindtorch.aten.torch import _cast_Float as _cast_Float
from mindtorch.aten.torch import _cast_Half as _cast_Half
from mindtorch.aten.torch import _cast_Int as _cast_Int
from mindtorch.aten.torch import _cast_Long as _cast_Long
from mindtorch.aten.torch import _cast_Short as _cast_Short
from mindtorch.aten.torch import _check as _check
from mindtorch.aten.torch import _check_index as _check_index
from mindtorch.aten.torch import _check_is_size as _check_is_size
from mindtorch.aten.torch import _check_not_implemented as _check_not_implemented
from mindtorch.aten.torch import _check_tensor_all as _check_tensor_all
from mindtorch.aten.torch import _check_tensor_all_with as _check_tensor_all_with
from mindtorch.aten.torch import _check_type as _check_type
from mindtorch.aten.torch import _check_value as _check_value
from mindtorch.aten.torch import _check_with as _check_with
from mindtorch.aten.torch import _choose_qparams_per_tensor as _choose_qparams_per_tensor
from mindtorch.aten.torch import _chunk_cat as _chunk_cat
from mindtorch.aten.torch import _coalesce as _coalesce
from mindtorch.aten.torch import _compute_linear_combination as _compute_linear_combination
from mindtorch.aten.torch import _conj as _conj
from mindtorch.aten.torch import _conj_copy as _conj_copy
from mindtorch.aten.torch import _conj_physical as _conj_physical
from mindtorch.aten.torch import _convert_indices_from_coo_to_csr as _convert_indices_from_coo_to_csr
from mindtorch.aten.torch import _convert_indices_from_csr_to_coo as _convert_indices_from_csr_to_coo
from mindtorch.aten.torch import _convert_weight_to_int4pack_for_cpu as _convert_weight_to_int4pack_for_cpu
from mindtorch.aten.torch import _convolution as _convolution
from mindtorch.aten.torch import _convolution_mode as _convolution_mode
from mindtorch.aten.torch import _cummax_helper as _cummax_helper
from mindtorch.aten.torch import _cummin_helper as _cummin_helper
from mindtorch.aten.torch import _debug_has_internal_overlap as _debug_has_internal_overlap
from mindtorch.aten.torch import _dim_arange as _dim_arange
from mindtorch.aten.torch import _dirichlet_grad as _dirichlet_grad
from mindtorch.aten.torch import _efficientzerotensor as _efficientzerotensor
from mindtorch.aten.torch import _empty_affine_quantized as _empty_affine_quantized
from mindtorch.aten.torch import _empty_per_channel_affine_quantized as _empty_per_channel_affine_quantized
from mindtorch.aten.torch import _fake_quantize_learnable_per_channel_affine as _fake_quantize_learnable_per_channel_affine
from mindtorch.aten.torch import _fake_quantize_learnable_per_tensor_affine as _fake_quantize_learnable_per_tensor_affine
from mindtorch.aten.torch import _fft_c2c as _fft_c2c
from mindtorch.aten.torch import _fft_c2r as _fft_c2r
from mindtorch.aten.torch import _fft_r2c as _fft_r2c
from mindtorch.aten.torch import _foobar as _foobar
from mindtorch.aten.torch import _foreach_abs as _foreach_abs
from mindtorch.aten.torch import _foreach_abs_ as _foreach_abs_
from mindtorch.aten.torch import _foreach_acos as _foreach_acos
from mindtorch.aten.torch import _foreach_acos_ as _foreach_acos_
from mindtorch.aten.torch import _foreach_add as _foreach_add
from mindtorch.aten.torch import _foreach_add_ as _foreach_add_
from mindtorch.aten.torch import _foreach_addcdiv as _foreach_addcdiv
from mindtorch.aten.torch import _foreach_addcdiv_ as _foreach_addcdiv_
from mindtorch.aten.torch import _foreach_addcmul as _foreach_addcmul
from mindtorch.aten.torch import _foreach_addcmul_ as _foreach_addcmul_
from mindtorch.aten.torch import _foreach_asin as _foreach_asin
from mindtorch.aten.torch import _foreach_asin_ as _foreach_asin_
from mindtorch.aten.torch import _foreach_atan as _foreach_atan
from mindtorch.aten.torch import _foreach_atan_ as _foreach_atan_
from mindtorch.aten.torch import _foreach_ceil as _foreach_ceil
from mindtorch.aten.torch import _foreach_ceil_ as _foreach_ceil_
from mindtorch.aten.torch import _foreach_clamp_max as _foreach_clamp_max
from mindtorch.aten.torch import _foreach_clamp_max_ as _foreach_clamp_max_
from mindtorch.aten.torch import _foreach_clamp_min as _foreach_clamp_min
from mindtorch.aten.torch import _foreach_clamp_min_ as _foreach_clamp_min_
from mindtorch.aten.torch import _foreach_clone as _foreach_clone
from mindtorch.aten.torch import _foreach_copy_ as _foreach_copy_
from mindtorch.aten.torch import _foreach_cos as _foreach_cos
from mindtorch.aten.torch import _foreach_cos_ as _foreach_cos_
from mindtorch.aten.torch import _foreach_cosh as _foreach_cosh
from mindtorch.aten.torch import _foreach_cosh_ as _foreach_cosh_
from mindtorch.aten.torch import _foreach_div as _foreach_div
from mindtorch.aten.torch import _foreach_div_ as _foreach_div_
from mindtorch.aten.torch import _foreach_erf as _foreach_erf
from mindtorch.aten.torch import _foreach_erf_ as _foreach_erf_
from mindtorch.aten.torch import _foreach_erfc as _foreach_erfc
from mindtorch.aten.torch import _foreach_erfc_ as _foreach_erfc_
from mindtorch.aten.torch import _foreach_exp as _foreach_exp
from mindtorch.aten.torch import _foreach_exp_ as _foreach_exp_
from mindtorch.aten.torch import _foreach_expm1 as _foreach_expm1
from mindtorch.aten.torch import _foreach_expm1_ as _foreach_expm1_
from mindtorch.aten.torch import _foreach_floor as _foreach_floor
from mindtorch.aten.torch import _foreach_floor_ as _foreach_floor_
from mindtorch.aten.torch import _foreach_frac as _foreach_frac
from mindtorch.aten.torch import _foreach_frac_ as _foreach_frac_
from mindtorch.aten.torch import _foreach_lerp as _foreach_lerp
from mindtorch.aten.torch import _foreach_lerp_ as _foreach_lerp_
from mindtorch.aten.torch import _foreach_lgamma as _foreach_lgamma
from mindtorch.aten.torch import _foreach_lgamma_ as _foreach_lgamma_
from mindtorch.aten.torch import _foreach_log as _foreach_log
from mindtorch.aten.torch import _foreach_log10 as _foreach_log10
from mindtorch.aten.torch import _foreach_log10_ as _foreach_log10_
from mindtorch.aten.torch import _foreach_log1p as _foreach_log1p
from mindtorch.aten.torch import _foreach_log1p_ as _foreach_log1p_
from mindtorch.aten.torch import _foreach_log2 as _foreach_log2
from mindtorch.aten.torch import _foreach_log2_ as _foreach_log2_
from mindtorch.aten.torch import _foreach_log_ as _foreach_log_
from mindtorch.aten.torch import _foreach_max as _foreach_max
from mindtorch.aten.torch import _foreach_maximum as _foreach_maximum
from mindtorch.aten.torch import _foreach_maximum_ as _foreach_maximum_
from mindtorch.aten.torch import _foreach_minimum as _foreach_minimum
from mindtorch.aten.torch import _foreach_minimum_ as _foreach_minimum_
from mindtorch.aten.torch import _foreach_mm as _foreach_mm
from mindtorch.aten.torch import _foreach_mul as _foreach_mul
from mindtorch.aten.torch import _foreach_mul_ as _foreach_mul_
from mindtorch.aten.torch import _foreach_neg as _foreach_neg
from mindtorch.aten.torch import _foreach_neg_ as _foreach_neg_
from mindtorch.aten.torch import _foreach_norm as _foreach_norm
from mindtorch.aten.torch import _foreach_pow as _foreach_pow
from mindtorch.aten.torch import _foreach_pow_ as _foreach_pow_
from mindtorch.aten.torch import _foreach_powsum as _foreach_powsum
from mindtorch.aten.torch import _foreach_reciprocal as _foreach_reciprocal
from mindtorch.aten.torch import _foreach_reciprocal_ as _foreach_reciprocal_
from mindtorch.aten.torch import _foreach_round as _foreach_round
from mindtorch.aten.torch import _foreach_round_ as _foreach_round_
from mindtorch.aten.torch import _foreach_rsqrt as _foreach_rsqrt
from mindtorch.aten.torch import _foreach_rsqrt_ as _foreach_rsqrt_
from mindtorch.aten.torch import _foreach_sigmoid as _foreach_sigmoid
from mindtorch.aten.torch import _foreach_sigmoid_ as _foreach_sigmoid_
from mindtorch.aten.torch import _foreach_sign as _foreach_sign
from mindtorch.aten.torch import _foreach_sign_ as _foreach_sign_
from mindtorch.aten.torch import _foreach_sin as _foreach_sin
from mindtorch.aten.torch import _foreach_sin_ as _foreach_sin_
from mindtorch.aten.torch import _foreach_sinh as _foreach_sinh
from mindtorch.aten.torch import _foreach_sinh_ as _foreach_sinh_
from mindtorch.aten.torch import _foreach_sqrt as _foreach_sqrt
from mindtorch.aten.torch import _foreach_sqrt_ as _foreach_sqrt_
from mindtorch.aten.torch import _foreach_sub as _foreach_sub
from mindtorch.aten.torch import _foreach_sub_ as _foreach_sub_
from mindtorch.aten.torch import _foreach_tan as _foreach_tan
from mindtorch.aten.torch import _foreach_tan_ as _foreach_tan_
from mindtorch.aten.torch import _foreach_tanh as _foreach_tanh
from mindtorch.aten.torch import _foreach_tanh_ as _foreach_tanh_
from mindtorch.aten.torch import _foreach_trunc as _foreach_trunc
from mindtorch.aten.torch import _foreach_trunc_ as _foreach_trunc_
from mindtorch.aten.torch import _foreach_zero_ as _foreach_zero_
from mindtorch.aten.torch import _functional_assert_async as _functional_assert_async
from mindtorch.aten.torch import _functional_assert_scalar as _functional_assert_scalar
from mindtorch.aten.torch import _functional_sym_constrain_range as _functional_sym_constrain_range
from mindtorch.aten.torch import _functional_sym_constrain_range_for_size as _functional_sym_constrain_range_for_size
from mindtorch.aten.torch import _fused_adagrad_ as _fused_adagrad_
from mindtorch.aten.torch import _fused_adam_ as _fused_adam_
from mindtorch.aten.torch import _fused_adamw_ as _fused_adamw_
from mindtorch.aten.torch import _fused_moving_avg_obs_fq_helper as _fused_moving_avg_obs_fq_helper
from mindtorch.aten.torch import _fused_rms_norm as _fused_rms_norm
from mindtorch.aten.torch import _fused_sdp_choice as _fused_sdp_choice
from mindtorch.aten.torch import _fused_sgd_ as _fused_sgd_
from mindtorch.aten.torch import _grouped_mm as _grouped_mm
from mindtorch.aten.torch import _has_compatible_shallow_copy_type as _has_compatible_shallow_copy_type
from mindtorch.aten.torch import _histogramdd_bin_edges as _histogramdd_bin_edges
from mindtorch.aten.torch import _histogramdd_from_bin_cts as _histogramdd_from_bin_cts
from mindtorch.aten.torch import _histogramdd_from_bin_tensors as _histogramdd_from_bin_tensors
from mindtorch.aten.torch import _index_put_impl_ as _index_put_impl_
from mindtorch.aten.torch import _int_mm as _int_mm
from mindtorch.aten.torch import _is_all_true as _is_all_true
from mindtorch.aten.torch import _is_any_true as _is_any_true
from mindtorch.aten.torch import _is_zerotensor as _is_zerotensor
from mindtorch.aten.torch import _lazy_clone as _lazy_clone
from mindtorch.aten.torch import _linalg_check_errors as _linalg_check_errors
from mindtorch.aten.torch import _linalg_det as _linalg_det
from mindtorch.aten.torch import _linalg_eigh as _linalg_eigh
from mindtorch.aten.torch import _linalg_slogdet as _linalg_slogdet
from mindtorch.aten.torch import _linalg_solve_ex as _linalg_solve_ex
from mindtorch.aten.torch import _linalg_svd as _linalg_svd
from mindtorch.aten.torch import _log_softmax as _log_softmax
from mindtorch.aten.torch import _log_softmax_backward_data as _log_softmax_backward_data
from mindtorch.aten.torch import _logcumsumexp as _logcumsumexp
from mindtorch.aten.torch import _lu_with_info as _lu_with_info
from mindtorch.aten.torch import _make_per_channel_quantized_tensor as _make_per_channel_quantized_tensor
from mindtorch.aten.torch import _make_per_tensor_quantized_tensor as _make_per_tensor_quantized_tensor
from mindtorch.aten.torch import _masked_softmax as _masked_softmax
from mindtorch.aten.torch import _mkldnn as _mkldnn
from mindtorch.aten.torch import _native_batch_norm_legit as _native_batch_norm_legit
from mindtorch.aten.torch import _native_batch_norm_legit_no_training as _native_batch_norm_legit_no_training
from mindtorch.aten.torch import _native_multi_head_attention as _native_multi_head_attention
from mindtorch.aten.torch import _neg_view as _neg_view
from mindtorch.aten.torch import _neg_view_copy as _neg_view_copy
from mindtorch.aten.torch import _nnpack_available as _nnpack_available
from mindtorch.aten.torch import _pack_padded_sequence as _pack_padded_sequence
from mindtorch.aten.torch import _pad_packed_sequence as _pad_packed_sequence
from mindtorch.aten.torch import _pin_memory as _pin_memory
from mindtorch.aten.torch import _prelu_kernel as _prelu_kernel
from mindtorch.aten.torch import _print as _print
from mindtorch.aten.torch import _register_device_module as _register_device_module
from mindtorch.aten.torch import _reshape_from_tensor as _reshape_from_tensor
from mindtorch.aten.torch import _rowwise_prune as _rowwise_prune
from mindtorch.aten.torch import _safe_softmax as _safe_softmax
from mindtorch.aten.torch import _sample_dirichlet as _sample_dirichlet
from mindtorch.aten.torch import _scaled_dot_product_attention_math as _scaled_dot_product_attention_math
from mindtorch.aten.torch import _scaled_dot_product_efficient_attention as _scaled_dot_product_efficient_attention
from mindtorch.aten.torch import _scaled_mm as _scaled_mm
from mindtorch.aten.torch import _scaled_mm_v2 as _scaled_mm_v2
from mindtorch.aten.torch import _segment_reduce as _segment_reduce
from mindtorch.aten.torch import _shape_as_tensor as _shape_as_tensor
from mindtorch.aten.torch import _sobol_engine_draw as _sobol_engine_draw
from mindtorch.aten.torch import _sobol_engine_ff_ as _sobol_engine_ff_
from mindtorch.aten.torch import _sobol_engine_initialize_state_ as _sobol_engine_initialize_state_
from mindtorch.aten.torch import _sobol_engine_scramble_ as _sobol_engine_scramble_
from mindtorch.aten.torch import _softmax as _softmax
from mindtorch.aten.torch import _softmax_backward_data as _softmax_backward_data
from mindtorch.aten.torch import _sparse_log_softmax_backward_data as _sparse_log_softmax_backward_data
from mindtorch.aten.torch import _sparse_softmax_backward_data as _sparse_softmax_backward_data
from mindtorch.aten.torch import _sparse_sparse_matmul as _sparse_sparse_matmul
from mindtorch.aten.torch import _sparse_sum as _sparse_sum
from mindtorch.aten.torch import _stack as _stack
from mindtorch.aten.torch import _standard_gamma as _standard_gamma
from mindtorch.aten.torch import _standard_gamma_grad as _standard_gamma_grad
from mindtorch.aten.torch import _storage_classes as _storage_classes
from mindtorch.aten.torch import _test_autograd_multiple_dispatch as _test_autograd_multiple_dispatch
from mindtorch.aten.torch import _test_autograd_multiple_dispatch_view as _test_autograd_multiple_dispatch_view
from mindtorch.aten.torch import _test_check_tensor as _test_check_tensor
from mindtorch.aten.torch import _test_functorch_fallback as _test_functorch_fallback
from mindtorch.aten.torch import _test_serialization_subcmul as _test_serialization_subcmul
from mindtorch.aten.torch import _to_cpu as _to_cpu
from mindtorch.aten.torch import _transform_bias_rescale_qkv as _transform_bias_rescale_qkv
from mindtorch.aten.torch import _transformer_encoder_layer_fwd as _transformer_encoder_layer_fwd
from mindtorch.aten.torch import _unique as _unique
from mindtorch.aten.torch import _unique2 as _unique2
from mindtorch.aten.torch import _unsafe_index as _unsafe_index
from mindtorch.aten.torch import _unsafe_index_put as _unsafe_index_put
from mindtorch.aten.torch import _unsafe_masked_index as _unsafe_masked_index
from mindtorch.aten.torch import _unsafe_masked_index_put_accumulate as _unsafe_masked_index_put_accumulate
from mindtorch.aten.torch import _use_cudnn_rnn_flatten_weight as _use_cudnn_rnn_flatten_weight
from mindtorch.aten.torch import _validate_compressed_sparse_indices as _validate_compressed_sparse_indices
from mindtorch.aten.torch import _validate_sparse_bsc_tensor_args as _validate_sparse_bsc_tensor_args
from mindtorch.aten.torch import _validate_sparse_bsr_tensor_args as _validate_sparse_bsr_tensor_args
from mindtorch.aten.torch import _validate_sparse_compressed_tensor_args as _validate_sparse_compressed_tensor_args
from mindtorch.aten.torch import _validate_sparse_coo_tensor_args as _validate_sparse_coo_tensor_args
from mindtorch.aten.torch import _validate_sparse_csc_tensor_args as _validate_sparse_csc_tensor_args
from mindtorch.aten.torch import _validate_sparse_csr_tensor_args as _validate_sparse_csr_tensor_args
from mindtorch.aten.torch import _warn_typed_storage_removal as _warn_typed_storage_removal
from mindtorch.aten.torch import _weight_int4pack_mm_for_cpu as _weight_int4pack_mm_for_cpu
from mindtorch.aten.torch import _weight_int8pack_mm as _weight_int8pack_mm
from mindtorch.aten.torch import _weight_norm as _weight_norm
from mindtorch.aten.torch import _weight_norm_interface as _weight_norm_interface
from mindtorch.aten.torch import tensor as tensor
from mindtorch.compat.import_alias import as_torch as as_torch
from mindtorch.compat.paths import _VF as _VF
from mindtorch.compat.paths import _classes as _classes
from mindtorch.compat.paths import _compile as _compile
from mindtorch.compat.paths import _custom_ops as _custom_ops
from mindtorch.compat.paths import _environment as _environment
from mindtorch.compat.paths import _guards as _guards
from mindtorch.compat.paths import _jit_internal as _jit_internal
from mindtorch.compat.paths import _linalg_utils as _linalg_utils
from mindtorch.compat.paths import _lobpcg as _lobpcg
from mindtorch.compat.paths import _lowrank as _lowrank
from mindtorch.compat.paths import _opaque_base as _opaque_base
from mindtorch.compat.paths import _tensor as _tensor
from mindtorch.compat.paths import _tensor_str as _tensor_str
from mindtorch.compat.paths import _utils_internal as _utils_internal
from mindtorch.compat.paths import _vmap_internals as _vmap_internals
from mindtorch.compat.paths import _weights_only_unpickler as _weights_only_unpickler
from mindtorch.compat.paths._classes import classes as classes
from mindtorch.compat.paths._compile import _disable_dynamo as _disable_dynamo
from mindtorch.compiler.compiling import compile as compile
from mindtorch.core.override_state import DisableTorchFunction as DisableTorchFunction
from mindtorch.core.override_state import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from mindtorch.core.script_object import ScriptObject as ScriptObject
from mindtorch.func.functional_tensors import _disable_functionalization as _disable_functionalization
from mindtorch.func.functional_tensors import _enable_functionalization as _enable_functionalization
from mindtorch.func.functional_tensors import _from_functional_tensor as _from_functional_tensor
from mindtorch.func.functional_tensors import _is_functional_tensor as _is_functional_tensor
from mindtorch.func.functional_tensors import _sync as _sync
from mindtorch.func.functional_tensors import _to_functional_tensor as _to_functional_tensor
from mindtorch.func.vmap import vmap as vmap
from mindtorch.functionality.functionalization_levels import writing_back as _functionalize_
from mindtorch.functionality.functionalization_levels import writing_back as _functionalize_context_
from mindtorch.functionality.tracing import dispatch_trace as dispatch_trace
from mindtorch.futures._future import Future as Future
from mindtorch.jit._async import fork as fork
from mindtorch.jit._async import wait as wait
from mindtorch.jit._errors import Error as _JITException_
from mindtorch.jit._script import CompilationUnit as CompilationUnit
from mindtorch.jit._script import ScriptDict as ScriptDict
from mindtorch.jit._script import ScriptFunction as ScriptFunction
from mindtorch.jit._script import ScriptList as ScriptList
from mindtorch.jit._script import ScriptModule as ScriptModule
from mindtorch.jit.script_types import AVG as AVG
from mindtorch.jit.script_types import AggregationType as AggregationType
from mindtorch.jit.script_types import SUM as SUM
from mindtorch.linalg.lobpcg import lobpcg as lobpcg
from mindtorch.linalg.lowrank import pca_lowrank as pca_lowrank
from mindtorch.linalg.lowrank import svd_lowrank as svd_lowrank
from mindtorch.linalg.utils import eig as eig
from mindtorch.linalg.utils import lstsq as lstsq
from mindtorch.linalg.utils import matrix_rank as matrix_rank
from mindtorch.linalg.utils import solve as solve
from mindtorch.random import thread_safe_generator as thread_safe_generator
from mindtorch.serialization.loading import load as load
from mindtorch.serialization.saving import save as save
from mindtorch.tensor.pipelines import get_pipeline_config as get_pipeline_config
from mindtorch.tensor.pipelines import pipeline as _pipeline_context_
from mindtorch.tensor.pipelines import pipeline as pipeline
from mindtorch.tensor.pipelines import set_pipeline_config as _pipeline_config_
from mindtorch.tensor.pipelines import set_pipeline_config as set_pipeline_config
from mindtorch.testing.file_check import FileCheck as FileCheck
from mindtorch.utils.throughput_benchmark import ThroughputBenchmark as ThroughputBenchmark
from mindtorch_dispatch.function_schema import FunctionSchema as FunctionSchema
from mindtorch_dispatch.keys import DispatchKey as DispatchKey
from mindtorch_dispatch.keyset import DispatchKeySet as DispatchKeySet
from mindtorch_dispatch.schema import parse_schema as parse_schema
from mindtorch_npu.errors import AcceleratorError as AcceleratorError
from mindtorch_npu.errors import OutOfMemoryError as OutOfMemoryError
from mindtorch_npu.generic_streams import Event as Event
from mindtorch_npu.generic_streams import Stream as Stream
from mindtorch_storage.device import Device as Device
from mindtorch_storage.dtype import DType as DType
from mindtorch_storage.untyped import UntypedStorage as _StorageBase_
from typing import Any

AliasDb: Any
AnyType: Any
Argument: Any
ArgumentSpec: Any
AwaitType: Any
BenchmarkConfig: Any
BenchmarkExecutionStats: Any
Block: Any
BoolType: Any
BufferDict: Any
CallStack: Any
Capsule: Any
ClassType: Any
Code: Any
CompleteArgumentSpec: Any
ComplexType: Any
ConcreteModuleType: Any
ConcreteModuleTypeBuilder: Any
DeepCopyMemoTable: Any
DeserializationStorageContext: Any
DeviceObjType: Any
DictType: Any
EnumType: Any
ErrorReport: Any
ExecutionPlan: Any
FloatType: Any
FutureType: Any
Gradient: Any
Graph: Any
GraphExecutorState: Any
IODescriptor: Any
InferredType: Any
IntType: Any
InterfaceType: Any
JITException = _JITException_
ListType: Any
LiteScriptModule: Any
LockingLogger: Any
LoggerBase: Any
ModuleDict: Any
Node: Any
NoneType: Any
NoopLogger: Any
NumberType: Any
OperatorInfo: Any
OptionalType: Any
ParameterDict: Any
PyObjectType: Any
PyTorchFileReader: Any
PyTorchFileWriter: Any
RRefType: Any
ScriptClass: Any
ScriptClassFunction: Any
ScriptDictIterator: Any
ScriptDictKeyIterator: Any
ScriptListIterator: Any
ScriptMethod: Any
ScriptModuleSerializer: Any
ScriptObjectProperty: Any
SerializationStorageContext: Any
StaticModule: Any
StorageBase = _StorageBase_
StreamObjType: Any
StringType: Any
SymBoolType: Any
SymIntType: Any
TensorType: Any
TracingState: Any
TupleType: Any
Type: Any
UnionType: Any
Use: Any
Value: Any
__version__: _str
def _deprecated(name: str) -> Any: ...
_environ: Any
def _import_module(name: Any, package: Any = None) -> Any: ...
_modules: Any
def _starred() -> list[str]: ...
functionalize = _functionalize_
functionalize_context = _functionalize_context_
def get_autocast_cpu_dtype(*args: Any) -> Any: ...
def get_autocast_gpu_dtype(*args: Any) -> Any: ...
def get_autocast_ipu_dtype(*args: Any) -> Any: ...
def get_autocast_xla_dtype(*args: Any) -> Any: ...
def import_ir_module(*args: Any, **kwargs: Any) -> Any: ...
def import_ir_module_from_buffer(*args: Any, **kwargs: Any) -> Any: ...
def is_autocast_cpu_enabled(*args: Any) -> Any: ...
def is_autocast_ipu_enabled(*args: Any) -> Any: ...
def is_autocast_xla_enabled(*args: Any) -> Any: ...
def merge_type_from_type_comment(*args: Any, **kwargs: Any) -> Any: ...
def parse_ir(*args: Any, **kwargs: Any) -> Any: ...
def parse_type_comment(*args: Any, **kwargs: Any) -> Any: ...
pipeline_config = _pipeline_config_
pipeline_context = _pipeline_context_
def set_autocast_cpu_dtype(*args: Any) -> Any: ...
def set_autocast_cpu_enabled(*args: Any) -> Any: ...
def set_autocast_gpu_dtype(*args: Any) -> Any: ...
def set_autocast_ipu_dtype(*args: Any) -> Any: ...
def set_autocast_ipu_enabled(*args: Any) -> Any: ...
def set_autocast_xla_dtype(*args: Any) -> Any: ...
def set_autocast_xla_enabled(*args: Any) -> Any: ...
def unify_type_list(*args: Any, **kwargs: Any) -> Any: ...
