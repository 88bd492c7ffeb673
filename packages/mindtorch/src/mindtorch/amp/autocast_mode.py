"""``torch.autocast``: a block, or a function, in which listed ops run in reduced precision."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import mindtorch_storage as st
import numpy as np
from mindtorch_storage.device import CUDA

from ..aten import torch as _aten_torch
from ..core.warning import warn
from ..tensor import Tensor
from . import switches

__all__ = [
    "autocast_decorator",
    "autocast",
    "is_autocast_available",
    "custom_fwd",
    "custom_bwd",
]

#: As users have it: blocks call what counts them by torch's names, as torch does, so that programs
#: that replace those see the calls.
_torch: Any = _aten_torch

is_autocast_available = switches.is_autocast_available
_SUPPORTED = {
    "cpu": ("CPU", (st.bfloat16, st.float16)),
    st.ACCELERATOR: (st.ACCELERATOR, (st.float16, st.bfloat16)),
}


#: What torch says of a device that is not there.
_ABSENT = {CUDA: "CUDA is not available or torch_xla is imported. Disabling autocast."}
_ABSENT.pop(st.ACCELERATOR, None)


class autocast:
    """``with autocast(device.type):`` runs the ops of torch's lists in reduced precision.

    :param device_type: type of the devices whose tensors are cast (``"cpu"``).
    :param dtype: bfloat16 or float16; by default ``torch.get_autocast_dtype(device_type)``.
    :param enabled: False switches autocast off inside the block.
    :param cache_enabled: keep the casts of parameters until the outermost block ends.

    A function is decorated with it as well. The state belongs to the thread. Raises ValueError
    for a *device_type* that is no string, RuntimeError for one that is not known; a dtype that is
    not supported is warned of and switches autocast off.
    """

    def __init__(
        self,
        device_type: str,
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = switches.get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        self.custom_backend_name = st.ACCELERATOR  # what torch would call privateuseone
        if not switches.is_autocast_available(device_type):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        self._cache_enabled = (
            switches.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        )
        self._enabled = enabled and self._possible_()

    def _possible_(self) -> bool:
        """Whether the block can have what it asks for; if not, a warning says why."""
        reason = _ABSENT.get(self.device)
        if reason is None:
            name, dtypes = _SUPPORTED.get(
                self.device, (self.device.upper(), (st.bfloat16, st.float16))
            )
            if self.fast_dtype in dtypes:
                return True
            reason = (
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{name} Autocast only supports dtypes of {', '.join(map(str, dtypes))} currently."
            )
        warn(reason)
        return False

    def __enter__(self) -> autocast:
        device = self.device
        self.prev_cache_enabled = switches.is_autocast_cache_enabled()
        self.prev = switches.is_autocast_enabled(device)
        self.prev_fastdtype = switches.get_autocast_dtype(device)
        switches.set_autocast_enabled(device, self._enabled)
        switches.set_autocast_dtype(device, self.fast_dtype)
        _torch.autocast_increment_nesting()
        switches.set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *exc_info: object) -> Literal[False]:
        if _torch.autocast_decrement_nesting() == 0:
            _torch.clear_autocast_cache()
        switches.set_autocast_enabled(self.device, self.prev)
        switches.set_autocast_dtype(self.device, self.prev_fastdtype)
        switches.set_autocast_cache_enabled(self.prev_cache_enabled)
        return False

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(func):
            raise TypeError(
                f"autocast()(func) requires a callable, but got {type(func).__name__}. "
                "Did you mean to use autocast as a context manager? For example:\n"
                "    with torch.autocast(device_type=...):\n"
                "        output = model(input)"
            )

        return autocast_decorator(self, func)


def autocast_decorator(autocast_instance: autocast, func: Callable[..., Any]) -> Callable[..., Any]:
    """*func* that runs in the block of *autocast_instance*."""

    @functools.wraps(func)
    def decorate_autocast(*args: Any, **kwargs: Any) -> Any:
        with autocast_instance:
            return func(*args, **kwargs)

    unscripted: Any = decorate_autocast
    unscripted.__script_unsupported = "@autocast() decorator is not supported in script mode"
    return decorate_autocast


class _UnmanagedAutocast(autocast):
    """An :class:`autocast` that is entered and left by calls."""


def _enter_autocast(*vals: Any) -> _UnmanagedAutocast:
    """Begin a block with the arguments of :class:`autocast`; its end is _exit_autocast."""
    mode = _UnmanagedAutocast(*vals)
    mode.__enter__()
    return mode


def _exit_autocast(mode: _UnmanagedAutocast) -> None:
    """End the block that _enter_autocast began."""
    mode.__exit__(None, None, None)


def _cast(value: Any, device_type: str, dtype: Any) -> Any:
    """*value* with every floating point tensor of the device (float64 excepted) as *dtype*."""
    if isinstance(value, Tensor):
        wanted = (
            value.is_floating_point()
            and value.device.type == device_type
            and value.dtype is not st.float64
        )
        return value.to(dtype) if wanted else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return value
    if isinstance(value, Mapping):
        return {
            _cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()
        }
    if isinstance(value, Iterable):
        items = (_cast(v, device_type, dtype) for v in value)
        return type(value)(items) if isinstance(value, (list, tuple)) else items
    return value


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: Any = None
) -> Callable[..., Any]:
    """Decorates ``forward`` of a ``torch.autograd.Function`` that may run under autocast.

    With *cast_inputs* the floating point arguments are cast to that dtype and autocast is off
    inside; without, ``forward`` runs under the autocast that is on. Outside autocast it does
    nothing. Raises ValueError for a *device_type* that is no string.
    """
    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    forward = fwd

    @functools.wraps(forward)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        enabled = switches.is_autocast_enabled(device_type)
        ctx._dtype = switches.get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if cast_inputs is None or not enabled:
            return forward(ctx, *args, **kwargs)
        with autocast(device_type=device_type, enabled=False):
            cast_args = _cast(args, device_type, cast_inputs)
            return forward(ctx, *cast_args, **_cast(kwargs, device_type, cast_inputs))

    return decorated


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Callable[..., Any]:
    """Decorates ``backward``: it runs under the autocast that ``forward`` ran under.

    Raises ValueError for a *device_type* that is no string.
    """
    _check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)
    backward = bwd

    @functools.wraps(backward)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, dtype=ctx._dtype, enabled=ctx._fwd_used_autocast):
            return backward(ctx, *args, **kwargs)

    return decorated


def _check_device_type(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
