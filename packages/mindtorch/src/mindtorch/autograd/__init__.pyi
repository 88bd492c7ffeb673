# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor import Tensor
from mindtorch.tensor.types import _bool
from . import anomaly_mode as anomaly_mode
from . import forward_ad as forward_ad
from . import function as function
from . import functional as functional
from . import grad_mode as grad_mode
from . import grad_ops as grad_ops
from . import graph as graph
from . import leaf_lock as leaf_lock
from . import profiler as profiler
from . import profiler_legacy as profiler_legacy
from . import profiler_util as profiler_util
from . import root_check as root_check
from . import roots as roots
from mindtorch._C._autograd import _get_sequence_nr as _get_sequence_nr
from mindtorch._C._autograd import _is_kineto_stopped as _is_kineto_stopped
from mindtorch._C._autograd import _pop_saved_tensors_default_hooks as _pop_saved_tensors_default_hooks
from mindtorch._C._autograd import _push_saved_tensors_default_hooks as _push_saved_tensors_default_hooks
from mindtorch._C._autograd import kineto_available as kineto_available
from mindtorch._C._profiler import ProfilerActivity as ProfilerActivity
from mindtorch._C._profiler import ProfilerConfig as ProfilerConfig
from mindtorch._C._profiler import ProfilerState as ProfilerState
from mindtorch._C._profiler_events import DeviceType as DeviceType
from mindtorch._C._profiler_events import _KinetoEvent as _KinetoEvent
from mindtorch._C._profiler_results import _ProfilerResult as _ProfilerResult
from mindtorch._C._profiler_run import _add_metadata_json as _add_metadata_json
from mindtorch._C._profiler_run import _disable_profiler as _disable_profiler
from mindtorch._C._profiler_run import _enable_profiler as _enable_profiler
from mindtorch._C._profiler_run import _kineto_step as _kineto_step
from mindtorch._C._profiler_run import _prepare_profiler as _prepare_profiler
from mindtorch._C._profiler_run import _profiler_enabled as _profiler_enabled
from mindtorch.autograd.grad_mode import _unsafe_preserve_version_counter as _unsafe_preserve_version_counter
from mindtorch.autograd.grad_mode import enforce_grad_layout_policy as enforce_grad_layout_policy
from mindtorch.autograd.grad_mode import is_view_replay_enabled as is_view_replay_enabled
from mindtorch.autograd.gradcheck import gradcheck as gradcheck
from mindtorch.autograd.gradcheck import gradgradcheck as gradgradcheck
from mindtorch.autograd.root_gradients import _calculate_shape as _calculate_shape
from mindtorch.autograd.root_gradients import _is_checkpoint_valid as _is_checkpoint_valid
from mindtorch.autograd.root_gradients import _make_grads as _make_grads
from mindtorch.autograd.root_gradients import _tensor_or_tensors_to_tuple as _tensor_or_tensors_to_tuple
from mindtorch.autograd.variable import Variable as Variable
from mindtorch_autograd.anomaly import detect_anomaly as detect_anomaly
from mindtorch_autograd.anomaly import set_detect_anomaly as set_detect_anomaly
from mindtorch_autograd.function import Function as Function
from mindtorch_autograd.grad_mode import enable_grad as enable_grad
from mindtorch_autograd.grad_mode import inference_mode as inference_mode
from mindtorch_autograd.grad_mode import no_grad as no_grad
from mindtorch_autograd.grad_mode import set_grad_enabled as set_grad_enabled
from mindtorch_autograd.grad_mode import set_multithreading_enabled as set_multithreading_enabled
from mindtorch_autograd.legacy_function import NestedIOFunction as NestedIOFunction
from mindtorch_autograd.saved_tensor import SavedTensor as SavedTensor
from types import ModuleType
from typing import Any

class _Autograd(ModuleType):
    __dict__: Any

    @property
    def gradcheck(self) -> Any:
        ...

    @property
    def variable(self) -> Any:
        ...

    @variable.setter
    def variable(self, value: Any) -> None:
        ...

    @gradcheck.setter
    def gradcheck(self, value: Any) -> None:
        ...
def _variable(*args: Any, **kwargs: Any) -> Any: ...
def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None: ...
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Any,
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    only_inputs: _bool = True,
    allow_unused: _bool | None = None,
    is_grads_batched: _bool = False,
    materialize_grads: _bool = False,
) -> tuple[Tensor, ...]: ...
def variable(*args: Any, **kwargs: Any) -> Any: ...
