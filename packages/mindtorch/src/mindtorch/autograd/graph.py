"""``torch.autograd.graph``: looking at the graph, and hooks on what it saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mindtorch_autograd import (
    GradientEdge,
    disable_saved_tensors_hooks,
    get_gradient_edge,
    register_multi_grad_hook,
    saved_tensors_hooks,
)
from mindtorch_autograd.graph import _MultiHandle, node_of
from mindtorch_storage import ACCELERATOR

from ..core.module_names import living_in
from ..core.submodules import reached as _reached
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of

_get_grad_fn_or_grad_acc = node_of
living_in(
    __name__,
    GradientEdge,
    disable_saved_tensors_hooks,
    get_gradient_edge,
    register_multi_grad_hook,
    saved_tensors_hooks,
)


class save_on_cpu(saved_tensors_hooks):
    """Keep what is saved for backward in host memory; bring it back when it is needed.

    :param pin_memory: pin that memory, so that a device copies from it while others run.
    :param device_type: the device whose memory is spared; here every one is.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = ACCELERATOR) -> None:
        def pack(t: Any) -> Any:
            host = t.cpu()
            return (t.device, host.pin_memory() if pin_memory and not t.is_sparse else host)

        def unpack(packed: Any) -> Any:
            device, t = packed
            return t.to(device, non_blocking=pin_memory)

        super().__init__(pack, unpack)


def increment_version(tensor: Any) -> None:
    """Note that *tensor* (or each of several) was changed in a way autograd cannot see.

    Inference tensors have no version: nothing is noted.
    Raises RuntimeError for anything but tensors.
    """
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in tensor:
        if not isinstance(t, Tensor):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        alias_of(t).value += 1


def region_activation_memory_budget(budget: float) -> Any:
    """Part of ``torch.compile`` in torch, without effect elsewhere; refused as torch refuses it."""
    name = "torch.autograd.graph.region_activation_memory_budget"
    return _Refused(budget, name)


class _Refused:
    def __init__(self, budget: float, name: str) -> None:
        self.budget, self.name = budget, name

    def __enter__(self) -> None:
        if not 0 <= self.budget <= 1:
            raise ValueError(f"{self.name}: must be in [0, 1], got {self.budget}")
        raise RuntimeError(
            f"{self.name} can only be used inside a torch.compile region; it has no effect in "
            "eager mode."
        )

    def __exit__(self, *error: object) -> None:
        pass


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Choose whether a leaf filled from another stream than its own gives a warning (once)."""
    from ..functionality import backward_streams  # not at import: few programs use streams

    _check_switch(enabled)
    backward_streams.warns_on_mismatch = enabled


def set_override_stale_capture_stream(enabled: bool) -> None:
    """Part of CUDA graphs in torch; there are none here, so nothing changes."""
    _check_switch(enabled)


def _check_switch(enabled: Any) -> None:
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")


def _engine_run_backward(
    t_outputs: Sequence[Tensor | GradientEdge], *args: Any, **kwargs: Any
) -> tuple[Tensor, ...]:
    """Run a backward whose gradients are all given; see ``Variable._execution_engine``."""
    from .variable import Variable  # not at import: few programs come here

    found: tuple[Tensor, ...] = Variable._execution_engine.run_backward(t_outputs, *args, **kwargs)
    return found


def _register_logging_hooks_on_whole_graph(
    t_outputs: Sequence[Tensor | GradientEdge],
) -> Callable[[], None]:
    """Log each node before it runs; returns what takes the hooks off again."""
    from .logged import log_whole_graph  # few programs log nodes

    return log_whole_graph(t_outputs)


#: What is imported when first asked for.
_LAZY = {
    "Node": "..graph_node",
    "_AllowMutationOnSavedContext": "..saved_mutation",
    "_CloneArgBeforeMutateMode": "..saved_mutation",
    "_Handle": "..saved_mutation",
    "_get_sid": "..saved_mutation",
    "_get_tid": "..saved_mutation",
    "allow_mutation_on_saved_tensors": "..saved_mutation",
}


__getattr__ = _reached(__name__, homes=_LAZY)


__all__ = [
    "GradientEdge",
    "Node",  # noqa: F822  (see __getattr__)
    "_MultiHandle",
    "_get_grad_fn_or_grad_acc",
    "allow_mutation_on_saved_tensors",  # noqa: F822  (the same)
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "region_activation_memory_budget",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_override_stale_capture_stream",
    "set_warn_on_accumulate_grad_stream_mismatch",
]
