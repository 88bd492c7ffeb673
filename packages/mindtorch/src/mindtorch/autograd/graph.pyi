# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Callable
from collections.abc import Sequence
from mindtorch.autograd.graph_node import Node as Node
from mindtorch.autograd.saved_mutation import allow_mutation_on_saved_tensors as allow_mutation_on_saved_tensors
from mindtorch.tensor import Tensor
from mindtorch_autograd.graph import GradientEdge as GradientEdge
from mindtorch_autograd.graph import _MultiHandle as _MultiHandle
from mindtorch_autograd.graph import get_gradient_edge as get_gradient_edge
from mindtorch_autograd.graph import register_multi_grad_hook as register_multi_grad_hook
from mindtorch_autograd.saved_variable import disable_saved_tensors_hooks as disable_saved_tensors_hooks
from mindtorch_autograd.saved_variable import saved_tensors_hooks as saved_tensors_hooks
from mindtorch_storage import ACCELERATOR
from typing import Any

class _Refused:
    budget: Any
    name: Any

    def __init__(self, budget: float, name: str) -> None:
        ...

    def __enter__(self) -> None:
        ...

    def __exit__(self, *error: object) -> None:
        ...
def _check_switch(enabled: Any) -> None: ...
def _engine_run_backward(t_outputs: Sequence[Tensor | GradientEdge], *args: Any, **kwargs: Any) -> tuple[Tensor, ...]: ...
def _register_logging_hooks_on_whole_graph(t_outputs: Sequence[Tensor | GradientEdge]) -> Callable[[], None]: ...
def increment_version(tensor: Any) -> None: ...
def region_activation_memory_budget(budget: float) -> Any: ...
class save_on_cpu(saved_tensors_hooks):

    def __init__(self, pin_memory: bool=False, device_type: str=ACCELERATOR) -> None:
        ...
def set_override_stale_capture_stream(enabled: bool) -> None: ...
def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None: ...
