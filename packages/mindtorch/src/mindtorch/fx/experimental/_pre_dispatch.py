"""What tracing before autograd sees of functions: methods that are operators to torch, and modes.

Methods such as ``x.float()`` and ``x.T`` do their work without the dispatcher, so a mode of
operators would see what they come to. While tracing is on, they call the operator of their name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch.modes import PRE_DISPATCH
from mindtorch_storage import Device, DType

from ... import _C
from ..._ops import ops
from ...core.constants import contiguous_format
from ...overrides import TorchFunctionMode
from ...tensor import Tensor
from ...tensor.casting import CASTS, parse_to
from ...tensor.legacy import device_of_type_name, dtype_of_type_name
from ..graph import Graph

__all__ = ["PreDispatchTorchFunctionMode"]

Function = Callable[..., Any]


class PreDispatchTorchFunctionMode(TorchFunctionMode):
    """Writes switches of gradients into *graph*, and lets methods be operators.

    Source: torch/fx/experimental/proxy_tensor.py, PreDispatchTorchFunctionMode.
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*, or the operator of its name."""
        if not len(PRE_DISPATCH):  # inside of an operator that is written down as a whole
            return func(*args, **(kwargs or {}))
        if func is _C._set_grad_enabled:
            self.graph.call_function(func, args)
        return _OPERATORS.get(func, func)(*args, **(kwargs or {}))


def _to(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    return _to_overload(self, *parse_to(args, kwargs))


def _to_overload(self: Tensor, device: Any, dtype: Any, *rest: Any) -> Any:
    """The overload of ``to`` that torch's binding calls, with *rest* as :func:`parse_to`."""
    if dtype is None:
        return _with_options(self, device, *rest)
    if device is None:
        return ops.aten.to.dtype(self, dtype, *rest)
    return ops.aten.to.device(self, device, dtype, *rest)


def _with_options(
    self: Tensor, device: Any, non_blocking: Any, copy: Any, memory_format: Any
) -> Any:
    return ops.aten.to.dtype_layout(
        self,
        dtype=self.dtype,
        layout=self.layout,
        device=self.device if device is None else device,
        non_blocking=non_blocking,
        copy=copy,
        memory_format=memory_format,
    )


def _cast(dtype: DType) -> Function:
    def cast(self: Tensor, memory_format: Any = None) -> Any:
        return ops.aten.to.dtype(self, dtype, False, False, memory_format)

    return cast


def _cpu(self: Tensor, memory_format: Any = None) -> Any:
    return _with_options(self, Device("cpu"), False, False, memory_format)


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    if dtype is None:
        return self.type()
    device = device_of_type_name(dtype, self.device)
    return _to_overload(self, device, dtype_of_type_name(dtype), non_blocking, False, None)


def _number(kind: type) -> Function:
    return lambda self: kind(ops.aten.item.default(self))


def _contiguous(self: Tensor, memory_format: Any = contiguous_format) -> Any:
    """The operator, but for a tensor that is so already: torch's binding returns it."""
    if self.is_contiguous(memory_format=memory_format):
        return self
    if memory_format is contiguous_format:
        return ops.aten.contiguous.default(self)
    return ops.aten.contiguous.default(self, memory_format=memory_format)


def _conj(self: Tensor) -> Any:
    return ops.aten.conj.default(self) if self.is_complex() else self


#: Operators of Python that torch has under their own names, not those of what they compute.
_SYMBOLS = [
    f"__{prefix}{name}__" for prefix in ("", "i") for name in "and or xor lshift rshift".split()
]
_OPERATORS: dict[Any, Function] = {
    **{getattr(Tensor, name): _cast(dtype) for name, dtype in CASTS.items()},
    Tensor.chalf: ops.aten.chalf.default,
    Tensor.cpu: _cpu,
    Tensor.to: _to,
    Tensor.type: _type,
    Tensor.type_as: ops.aten.type_as.default,
    Tensor.contiguous: _contiguous,
    Tensor.conj: _conj,
    **{getattr(Tensor, name): getattr(ops.aten, name) for name in _SYMBOLS},
    Tensor.item: ops.aten.item.default,
    **{getattr(Tensor, f"__{k.__name__}__"): _number(k) for k in (bool, int, float, complex)},
    **{
        getattr(Tensor, name).__get__: getattr(ops.aten, operator).default
        for name, operator in (("T", "numpy_T"), ("H", "matrix_H"), ("mT", "mT"), ("mH", "mH"))
    },
}
