"""Moving and casting all tensors of a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from mindtorch_autograd import no_grad

from ...core import conversion_flags as _future
from ...core.operators import ops
from ...core.warning import warn
from ...tensor.casting import parse_module_to
from ...tensor.construction import is_compatible
from ...utils._python_dispatch import is_traceable_wrapper_subclass
from ...utils.swapping import swap_tensors
from ..parameter import Parameter, is_lazy

__all__ = ["Conversion"]


def _fits_into(tensor: Any, converted: Any) -> bool:
    """Whether *tensor* can take over the memory of *converted* and stay the same object.

    A meta tensor has no memory, and memory of another layout is not of its kind: new objects
    are made of both, as in torch.
    """
    swapped = _future.get_swap_module_params_on_conversion()
    if _future.get_overwrite_module_params_on_conversion() and not swapped:
        return False
    return is_compatible(tensor, converted)


def _swaps(converted: Any) -> bool:
    """Whether a parameter exchanges all with what was made of it, and not its memory alone.

    A wrapper has inner tensors, and where a fake tensor is, its memory does not say.
    """
    swaps = _future.get_swap_module_params_on_conversion() or hasattr(converted, "fake_mode")
    return swaps or is_traceable_wrapper_subclass(converted)


class Conversion:
    """The part of :class:`Module` that converts parameters and buffers."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    children: Callable[[], Any]

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Self:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for key, param in self._parameters.items():
            if param is None:
                continue
            grad = param.grad
            with no_grad():
                converted = fn(param)
                converted_grad = None if grad is None else fn(grad)
            kept = param
            if _swaps(converted):
                swap_tensors(param, Parameter(converted, param.requires_grad))
            elif _fits_into(param, converted):
                param.data = converted
            else:
                kept = self._parameters[key] = Parameter(converted, param.requires_grad)
            if grad is None:
                continue
            if is_traceable_wrapper_subclass(converted_grad):
                kept.grad = converted_grad
            elif _fits_into(grad, converted_grad):
                grad.data = converted_grad
                kept.grad = grad
            else:
                kept.grad = converted_grad.requires_grad_(  # type: ignore[union-attr]  # not None: grad is not
                    grad.requires_grad
                )
        for key, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[key] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Move and cast in place: ``to(device)``, ``to(dtype)``, ``to(tensor)``, or by keyword.

        A dtype casts floating point and complex tensors only.
        """
        device, dtype, non_blocking, memory_format = parse_module_to(args, kwargs)
        if dtype is not None:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                    f"dtype={dtype}"
                )
            if dtype.is_complex:
                warn(
                    "Complex modules are a new feature under active development whose design may "
                    "change, and some modules might not work as expected when using complex "
                    "tensors as parameters or buffers. Please file an issue at "
                    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a "
                    "complex module does not work as expected.",
                )

        def convert(t: Any) -> Any:
            target = dtype if t.is_floating_point() or t.is_complex() else None
            if is_lazy(t):
                return t.to(device=device, dtype=target, non_blocking=non_blocking)
            # a subclass may have a method of its own, so it is called as torch calls it
            layout = memory_format if t.dim() in (4, 5) else None
            options = {} if layout is None else {"memory_format": layout}
            try:
                return t.to(device, target, non_blocking, **options)
            except NotImplementedError as error:
                if str(error) != "Cannot copy out of meta tensor; no data!":
                    raise
                raise NotImplementedError(
                    f"{error} Please use torch.nn.Module.to_empty() instead of "
                    "torch.nn.Module.to() when moving module from meta to a different device."
                ) from None

        return self._apply(convert)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move to *device* without the numbers: tensors are uninitialised there."""
        return self._apply(lambda t: ops.empty_like(t, device=device), recurse=recurse)

    def cpu(self) -> Self:
        """Move to host memory."""
        return self._apply(lambda t: t.cpu())

    def npu(self, device: Any = None) -> Self:
        """Move to an NPU (the current one by default)."""
        return self._apply(lambda t: t.npu(device))

    def cuda(self, device: Any = None) -> Self:
        """Move to a CUDA device: see :meth:`Tensor.cuda`."""
        return self._apply(lambda t: t.cuda(device))

    def xpu(self, device: Any = None) -> Self:
        """Move to an XPU: see :meth:`Tensor.xpu`."""
        return self._apply(lambda t: t.xpu(device))

    def mtia(self, device: Any = None) -> Self:
        """Move to an MTIA device: see :meth:`Tensor.mtia`."""
        return self._apply(lambda t: t.mtia(device))

    def ipu(self, device: Any = None) -> Self:
        """Move to an IPU: see :meth:`Tensor.ipu`."""
        return self._apply(lambda t: t.ipu(device))

    def type(self, dst_type: Any) -> Self:
        """Cast all parameters and buffers to *dst_type*."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Cast floating point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Cast floating point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Cast floating point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self) -> Self:
        """Cast floating point parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def share_memory(self) -> Self:
        """Move to memory that other processes can share."""
        return self._apply(lambda t: t.share_memory_())
