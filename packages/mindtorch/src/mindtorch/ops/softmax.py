"""``softmax`` and ``log_softmax`` with their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import wrap_dim
from mindtorch.ops.meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import sum_over

__all__: list[str] = []


def _meta(kernel: str) -> Any:
    def meta(self: Any, dim: int, half_to_float: bool) -> Out:
        shape = tuple(self.shape)
        if half_to_float:
            raise RuntimeError("softmax with half to float conversion is not supported on CPU")
        d = wrap_dim(dim, len(shape))
        last = "_lastdim" if shape and d == len(shape) - 1 else ""
        if self.numel() or not last:
            refuse(self.dtype, {f"{kernel}{last}_kernel_impl": INTEGRAL | BOOL | COMPLEX}, self)
        return Out(shape, self.dtype)

    return meta


def _kept_sum(a: Any, dim: int) -> Any:
    d = dim % a.ndim
    shape = list(a.shape)
    shape[d] = 1
    return sum_over(a, (d,)).reshape(shape)


def _shifted(self: Any, dim: int) -> Any:
    """``self - max`` as a fresh C-contiguous array."""
    top = np.maximum.reduce(self, dim, keepdims=True)
    return np.subtract(self, top, order="C")


def _softmax(self: Any, dim: int, half_to_float: bool) -> Any:
    if not self.ndim or not self.size:
        return np.ones(self.shape, self.dtype)
    out = _shifted(self, dim)
    np.exp(out, out)
    out /= _kept_sum(out, dim)
    return out


def _log_softmax(self: Any, dim: int, half_to_float: bool) -> Any:
    if not self.ndim or not self.size:
        return np.zeros(self.shape, self.dtype)
    out = _shifted(self, dim)
    out -= np.log(_kept_sum(np.exp(out), dim))
    return out


def _convert(name: str) -> Any:
    def composite(self: Any, dim: int, dtype: Any) -> Any:
        x = self if dtype is None or dtype == self.dtype else self.to(dtype)
        return getattr(ops, name)(x, dim, False)

    return composite


op(
    "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    composite=_convert("_softmax"),
    out="int_out",
    samples="softmax_int",
)
op(
    "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    composite=_convert("_log_softmax"),
    out="int_out",
    samples="softmax_int",
)
op(
    "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("softmax"),
    kernel=_softmax,
    variants="function",
    out=True,
    grad={"self": lambda g, c: ops._softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax",
)
op(
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("log_softmax"),
    kernel=_log_softmax,
    variants="function",
    out=True,
    grad={"self": lambda g, c: ops._log_softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax",
)


def _backward_meta(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Out:
    return Out(tuple(grad_output.shape), input_dtype)


def _softmax_backward(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if not output.ndim or not output.size:
        return np.zeros(output.shape, output.dtype)
    out = np.multiply(grad_output, output, order="C")
    total = _kept_sum(out, dim)
    out -= output * total
    return out


def _log_softmax_backward(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if not output.ndim or not output.size:
        return np.zeros(output.shape, output.dtype)
    out = np.exp(output, order="C")
    out *= _kept_sum(grad_output, dim)
    np.subtract(grad_output, out, out)
    return out


def _softmax_twice(g: Any, c: Any) -> Any:
    go, o, dim = c.grad_output, c.output, c.dim
    inner = (o * go).sum((dim,), True)
    return go * g - inner * g - go * (o * g).sum((dim,), True)


op(
    "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype)"
    " -> Tensor",
    meta=_backward_meta,
    kernel=_softmax_backward,
    variants="function",
    grad={
        "grad_output": lambda g, c: ops._softmax_backward_data(g, c.output, c.dim, c.input_dtype),
        "output": _softmax_twice,
    },
    samples="softmax_backward",
)
op(
    "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
    "ScalarType input_dtype) -> Tensor",
    meta=_backward_meta,
    kernel=_log_softmax_backward,
    variants="function",
    grad={
        "grad_output": lambda g, c: g - (g * c.output.exp()).sum((c.dim,), True),
        "output": lambda g, c: -(c.grad_output.sum((c.dim,), True) * c.output.exp() * g),
    },
    samples="softmax_backward",
)
