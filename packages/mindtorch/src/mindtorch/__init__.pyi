# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor.types import (
    Number,
    _DTypeLike,
    _bool,
    _complex,
    _device,
    _float,
    _int,
    _layout,
    _memory_format,
    _str,
)
from typing import overload
from . import _C as _C
from . import _VF as _VF
from . import __config__ as __config__
from . import __future__ as __future__
from . import _awaits as _awaits
from . import _classes as _classes
from . import _compile as _compile
from . import _custom_ops as _custom_ops
from . import _decomp as _decomp
from . import _dynamo as _dynamo
from . import _environment as _environment
from . import _functorch as _functorch
from . import _guards as _guards
from . import _higher_order_ops as _higher_order_ops
from . import _inductor as _inductor
from . import _jit_internal as _jit_internal
from . import _linalg_utils as _linalg_utils
from . import _lobpcg as _lobpcg
from . import _logging as _logging
from . import _lowrank as _lowrank
from . import _ops as _ops
from . import _prims_common as _prims_common
from . import _subclasses as _subclasses
from . import _tensor_str as _tensor_str
from . import _utils as _utils
from . import _utils_internal as _utils_internal
from . import _vmap_internals as _vmap_internals
from . import _weights_only_unpickler as _weights_only_unpickler
from . import accelerator as accelerator
from . import amp as amp
from . import ao as ao
from . import autograd as autograd
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
from mindtorch._classes import classes as classes
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
from mindtorch.aten.torch import *
from mindtorch.backends.device_modules import _register_device_module as _register_device_module
from mindtorch.compat.import_alias import as_torch as as_torch
from mindtorch.compiler.compiling import compile as compile
from mindtorch.core.constants import _mkldnn as _mkldnn
from mindtorch.core.override_state import DisableTorchFunction as DisableTorchFunction
from mindtorch.core.override_state import DisableTorchFunctionSubclass as DisableTorchFunctionSubclass
from mindtorch.func.functional_tensors import _disable_functionalization as _disable_functionalization
from mindtorch.func.functional_tensors import _enable_functionalization as _enable_functionalization
from mindtorch.func.functional_tensors import _from_functional_tensor as _from_functional_tensor
from mindtorch.func.functional_tensors import _is_functional_tensor as _is_functional_tensor
from mindtorch.func.functional_tensors import _sync as _sync
from mindtorch.func.functional_tensors import _to_functional_tensor as _to_functional_tensor
from mindtorch.func.vmap import vmap as vmap
from mindtorch.functionality.tracing import dispatch_trace as dispatch_trace
from mindtorch.futures._future import Future as Future
from mindtorch.jit import Error as _JITException_
from mindtorch.jit._async import fork as fork
from mindtorch.jit._async import wait as wait
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
from mindtorch.tensor.pipelines import pipeline as pipeline
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
from mindtorch_storage.typed import _warn_typed_storage_removal as _warn_typed_storage_removal
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
ScriptObject: Any
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
_LAZY: Any
_NAMESPACES: Any
_SHOWN: Any
_SWITCHES: _str
__version__: _str
def _adaptive_avg_pool2d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
def _adaptive_avg_pool3d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
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
_collects: _bool
def _conj(input: Tensor | Number | _complex) -> Tensor: ...
def _conj_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
def _conj_physical(input: Tensor) -> Tensor: ...
def _convert_indices_from_coo_to_csr(
    input: Tensor, size: _int, *, out_int32: _bool = False
) -> Tensor: ...
def _convert_indices_from_csr_to_coo(
    crow_indices: Tensor, col_indices: Tensor, *, out_int32: _bool = False, transpose: _bool = False
) -> Tensor: ...
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
_environ: Any
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
def _import_module(name: Any, package: Any = None) -> Any: ...
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
def _lu_with_info(
    input: Tensor, pivot: _bool = True, check_errors: _bool = True
) -> return_types._lu_with_info: ...
_modules: Any
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
def _safe_softmax(input: Tensor, dim: _int, dtype: _DTypeLike | None = None) -> Tensor: ...
def _sample_dirichlet(input: Tensor, generator: Generator | None = None) -> Tensor: ...
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
def _standard_gamma(input: Tensor, generator: Generator | None = None) -> Tensor: ...
def _standard_gamma_grad(input: Tensor, output: Tensor) -> Tensor: ...
_storage_classes: Any
def _unique(
    input: Tensor, sorted: _bool = True, return_inverse: _bool = False
) -> tuple[Tensor, Tensor]: ...
def _unique2(
    input: Tensor, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False
) -> tuple[Tensor, Tensor, Tensor]: ...
def _weight_norm(v: Tensor, g: Tensor, dim: _int = 0) -> Tensor: ...
def _weight_norm_interface(v: Tensor, g: Tensor, dim: _int = 0) -> tuple[Tensor, Tensor]: ...
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
def set_autocast_cpu_dtype(*args: Any) -> Any: ...
def set_autocast_cpu_enabled(*args: Any) -> Any: ...
def set_autocast_gpu_dtype(*args: Any) -> Any: ...
def set_autocast_ipu_dtype(*args: Any) -> Any: ...
def set_autocast_ipu_enabled(*args: Any) -> Any: ...
def set_autocast_xla_dtype(*args: Any) -> Any: ...
def set_autocast_xla_enabled(*args: Any) -> Any: ...
def unify_type_list(*args: Any, **kwargs: Any) -> Any: ...
