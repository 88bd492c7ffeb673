"""What the steps of optimizers ask alike: how they run, on what, and with which numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
from mindtorch_autograd import set_grad_enabled
from mindtorch_storage.device import CUDA

from .. import nn
from ..core.device_types import CAPTURABLE
from ..core.operators import ops
from ..tensor import Tensor
from ..utils._foreach_utils import (
    _get_foreach_kernels_supported_devices,
    _get_fused_kernels_supported_devices,
)


def _use_grad_for_differentiable(func: Callable[..., Any]) -> Callable[..., Any]:
    """*func*, a step, without recording unless the optimizer is ``differentiable``."""

    @functools.wraps(func)
    def _use_grad(*args: Any, **kwargs: Any) -> Any:
        with set_grad_enabled(args[0].defaults["differentiable"]):
            return func(*args, **kwargs)

    return _use_grad


def _get_value(x: Any) -> Any:
    """The number in *x*, where it may be a tensor."""
    return x.item() if isinstance(x, Tensor) else x


def _stack_if_compiling(x: Any) -> Any:
    """*x*: there is no compiler here that would want it stacked."""
    return x


def _to_scalar(x: Any) -> Any:
    """*x*, a tensor of one element without its dimensions."""
    return x.squeeze() if isinstance(x, Tensor) and x.dim() != 0 else x


def _get_scalar_dtype(is_fused: bool | None = None) -> Any:
    """The dtype of counters: float32 but where float64 is the default, and nothing is fused."""
    if is_fused:
        return st.float32
    return st.float64 if st.get_default_dtype() is st.float64 else st.float32


def _get_capturable_supported_devices(supports_xla: bool = True) -> list[str]:
    """Where a step may be captured; the accelerator of a build goes by its own name."""
    return [*CAPTURABLE, "xla"] if supports_xla else [*CAPTURABLE]


#: Classes of parameters whose steps may run over lists.
_foreach_supported_types = [Tensor, nn.parameter.Parameter]


def _default_to_fused_or_foreach(
    params: list[Any], differentiable: bool, use_fused: bool = False
) -> tuple[bool, bool]:
    """Whether a step is fused, and whether it runs over lists, where nobody says."""
    if differentiable:
        return False, False
    fused_on = _get_fused_kernels_supported_devices()
    lists_on = _get_foreach_kernels_supported_devices()
    fused = use_fused and all(
        p is None
        or type(p) in _foreach_supported_types
        and p.device.type in fused_on
        and p.is_floating_point()
        for p in params
    )
    foreach = not fused and all(
        p is None or type(p) in _foreach_supported_types and p.device.type in lists_on
        for p in params
    )
    return fused, foreach


def _device_dtype_check_for_fused(p: Any, cuda_unsupported: bool = False) -> None:
    """Refuse a parameter that torch's fused kernels do not take."""
    devices = _get_fused_kernels_supported_devices()
    if cuda_unsupported:
        devices.remove(CUDA)
    if not (p.is_floating_point() and p.device.type in devices):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported "
            f"devices: {devices} but {p.dtype} and {p.device.type}"
        )


def _view_as_real(params: list[Any], *state_and_grads: list[Any]) -> None:
    """Put into the lists, for complex tensors, the views of their parts."""
    for i, p in enumerate(params):
        if p.is_complex():
            params[i] = ops.view_as_real(p)
            for values in state_and_grads:
                values[i] = ops.view_as_real(values[i])


def _disable_dynamo_if_unsupported(
    single_tensor_fn: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that leaves functions as they are: there is no compiler here."""
    return lambda func: func
