"""``softmax`` and ``log_softmax`` with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindtorch.aten.summation import sum_over
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name, wrap_dim
from mindtorch.core.extended_dtypes import is_rare
from mindtorch.core.operators import ops, to_type
from mindtorch.core.warning import warn_discarded

__all__: list[str] = []


def _meta(kernel: str) -> Any:
    def meta(self: Any, dim: int, half_to_float: bool) -> Out:
        shape = tuple(self.shape)
        if half_to_float:
            raise RuntimeError("softmax with half to float conversion is not supported on CPU")
        d = wrap_dim(dim, len(shape))
        last = "_lastdim" if d == max(len(shape) - 1, 0) else ""
        if self.numel() or not last:
            lacks = INTEGRAL | BOOL | COMPLEX
            if is_rare(self.dtype.np):
                lacks = lacks | {self.dtype.name}
            refuse(self.dtype, {f"{kernel}{last}_kernel_impl": lacks}, self)
        return Out(shape, self.dtype)

    return meta


def _kept_sum(a: Any, dim: int) -> Any:
    d = dim % a.ndim
    shape = list(a.shape)
    shape[d] = 1
    return sum_over(a, (d,)).reshape(shape)


def _totals(self: Any, d: int) -> Callable[[Any], Any]:
    """The sum along *d* of arrays like *self*, which stays as one of size one."""
    if self.ndim == 1 or self.size >= 512:
        return lambda a: _kept_sum(a, d)
    add = np.add.reduce
    return lambda a: add(a, d, None, None, True)  # of so few what sum_over does


def _prepare_softmax(self: Any, dim: int, half_to_float: bool) -> Callable[..., Any]:
    if not self.ndim or not self.size:
        return lambda self, *_: np.ones(self.shape, self.dtype)
    d = dim % self.ndim
    total, largest, subtract, exp = _totals(self, d), np.maximum.reduce, np.subtract, np.exp

    def kernel(self: Any, *_: Any) -> Any:
        out = subtract(self, largest(self, d, None, None, True), order="C")
        exp(out, out)
        out /= total(out)
        return out

    return kernel


def _safe_meta(self: Any, dim: int, dtype: Any) -> Out:
    shape = tuple(self.shape)
    found = self.dtype if dtype is None else dtype
    d = wrap_dim(dim, len(shape))
    last = "_lastdim" if d == max(len(shape) - 1, 0) else ""
    if self.numel() or not last:
        refuse(found, {f"softmax{last}_kernel_impl": INTEGRAL | BOOL | COMPLEX}, self)
    if self.dtype.is_complex:
        warn_discarded()  # torch converts before it asks which numbers are -inf
        raise RuntimeError("isneginf does not support complex inputs.")
    return Out(shape, found)


def _safe_softmax(self: Any, dim: int, dtype: Any) -> Any:
    """Zeros where all numbers along *dim* are -inf: who may see nothing, sees nothing."""
    if dtype is not None:
        self = self.astype(dtype.np, copy=False)
    if not self.size:
        return np.ones(self.shape, self.dtype)
    if not self.ndim:
        return np.asarray(0.0 if self == -np.inf else 1.0, self.dtype)
    blind = np.maximum.reduce(self, dim, keepdims=True) == -np.inf
    if not blind.any():
        return _prepare_softmax(self, dim, False)(self)
    out = _prepare_softmax(self, dim, False)(np.where(blind, self.dtype.type(0), self))
    out *= ~blind
    return out


def _prepare_log_softmax(self: Any, dim: int, half_to_float: bool) -> Callable[..., Any]:
    """Half floats are computed in float32, but along the last dim torch keeps sums in theirs.

    Source: torch aten/src/ATen/native/cpu/SoftMaxKernel.cpp, vec_log_softmax_lastdim_chunk_kernel.
    """
    if not self.ndim or not self.size:
        return lambda self, *_: np.zeros(self.shape, self.dtype)
    d = dim % self.ndim
    total, largest, subtract = _totals(self, d), np.maximum.reduce, np.subtract
    exp, log, narrow = np.exp, np.log, self.dtype.itemsize == 2
    rounded = self.dtype if narrow and d == self.ndim - 1 else None

    def kernel(self: Any, *_: Any) -> Any:
        if narrow:
            self = self.astype(np.float32)
        out = subtract(self, largest(self, d, None, None, True), order="C")
        parts = total(exp(out))
        if rounded is None:
            log(parts, parts)
        else:
            parts = log(parts.astype(rounded).astype(np.float32))
            parts = parts.astype(rounded).astype(np.float32)
        out -= parts
        return out

    return kernel


def _convert(name: str) -> Any:
    def composite(self: Any, dim: int, dtype: Any) -> Any:
        x = self if dtype is None or dtype == self.dtype else to_type(self, dtype)
        return getattr(ops, name)(x, dim, False)

    return composite


op(
    "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    says="""Return exponentials along a dimension, scaled so that they sum up to one.
    The shape stays.

    >>> torch.softmax(torch.tensor([1., 1., 1., 1.]), dim=0)
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """,
    composite=_convert("_softmax"),
    kinds={"out": "explicit"},
    out=OutForm("int_out", declared=""),
    samples="softmax_int",
    tags=("explicit",),
    autocast=("", "float32 result"),
)
op(
    "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    says="Return the logarithm of softmax along a dimension, computed without overflow."
    " The shape stays.",
    composite=_convert("_log_softmax"),
    kinds={"out": "explicit"},
    out=OutForm("int_out", declared=""),
    samples="softmax_int",
    tags=("explicit",),
    autocast=("", "float32 result"),
)
op(
    "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("softmax"),
    prepare=_prepare_softmax,
    variants="function",
    out=True,
    grad={"self": lambda g, c: ops._softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax",
    tags=("real_only",),
)
op(
    "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    meta=_safe_meta,
    kernel=_safe_softmax,
    variants="function",
    grad={"self": lambda g, c: ops._softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax_int",
)
op(
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("log_softmax"),
    prepare=_prepare_log_softmax,
    half=False,
    tags=(
        "rounds",
        "real_only",
    ),
    variants="function",
    out=True,
    grad={"self": lambda g, c: ops._log_softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax",
)


def _backward_meta(kernel: str, checked: str) -> Any:
    def meta(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Out:
        shape, other = tuple(grad_output.shape), tuple(output.shape)
        d = wrap_dim(dim, len(shape)) if checked == "dim" or shape == other else 0
        if shape != other:
            raise RuntimeError(
                "Expected tensor for argument #1 'grad' to have same size as tensor for argument "
                f"#2 'output'; but {list(shape)} does not equal {list(other)} "
                f"(while checking arguments for {kernel}_backward)"
            )
        last = "_lastdim" if d == max(len(shape) - 1, 0) else ""
        if grad_output.numel():
            name = f"{kernel}_backward{last}_kernel_impl"
            refuse(grad_output.dtype, {name: INTEGRAL | BOOL | COMPLEX}, grad_output)
        if output.dtype is not grad_output.dtype:
            raise RuntimeError(
                f"expected scalar type {scalar_name(grad_output.dtype)} but found "
                f"{scalar_name(output.dtype)}"
            )
        return Out(shape, grad_output.dtype)

    return meta


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
    third = go * (o * g).sum((dim,), True)
    second = (o * go).sum((dim,), True) * g
    return go * g - second - third


def _log_softmax_twice(g: Any, c: Any) -> Any:
    chances = c.output.exp()
    return -c.grad_output.sum((c.dim,), True) * chances * g


op(
    "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype)"
    " -> Tensor",
    meta=_backward_meta("softmax", "size"),
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
    meta=_backward_meta("log_softmax", "dim"),
    kernel=_log_softmax_backward,
    tags=("devices: output, grad_output",),
    variants="function",
    grad={
        "grad_output": lambda g, c: g - (g * c.output.exp()).sum((c.dim,), True),
        "output": _log_softmax_twice,
    },
    samples="softmax_backward",
)
