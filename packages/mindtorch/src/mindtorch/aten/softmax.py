"""``softmax`` and ``log_softmax`` with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindtorch.aten.summation import FEW, spread, spread_sums
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
        if self.numel():
            lacks = INTEGRAL | BOOL | COMPLEX
            if is_rare(self.dtype.np):
                lacks = lacks | {self.dtype.name}
            refuse(self.dtype, {f"{kernel}{last}_kernel_impl": lacks}, self)
        return Out(shape, self.dtype)

    return meta


#: Rows of up to so many numbers find their largest by sorting: a third of a reduction's time.
_SORTED = 64
#: Where squares add up to less, exponentials and quotients of them are far from zero and infinity.
_MILD = 32.0**2


def _largest(like: Any, d: int) -> Callable[[Any], Any]:
    """What finds the largest number along *d* of arrays like *like*, for each to subtract."""
    n = like.shape[d]
    if n <= _SORTED and like.size <= FEW:
        shape, kept = like.shape, (*like.shape[:d], 1, *like.shape[d + 1 :])
        places: Any = None  # few calls of kernels for rows of mild numbers come here

        def in_each_place(a: Any) -> Any:
            nonlocal places
            if places is None:
                last = np.arange(a.size).reshape(shape).take((-1,), d).reshape(-1)
                places = last[spread(shape, kept)]
            a = a.copy()
            a.sort(d)  # a NaN comes last
            return a.take(places)

        return in_each_place
    if n <= _SORTED and d == like.ndim - 1 and like.flags.c_contiguous:

        def of_rows(a: Any) -> Any:
            a = a.copy()
            a.sort()
            return a[..., -1:]

        return of_rows
    largest = np.maximum.reduce
    return lambda a: largest(a, d, None, None, True)


#: Exponentials of numbers between are far from zero and infinity, as are their sums and quotients.
_LOW, _HIGH = -32.0, 32.0


def _are_mild(x: Any, top: Callable[[Any], Any]) -> bool:
    """Whether the largest number of each row is between: a look at all is less than at rows."""
    return bool(x.max() < _HIGH) and (bool(x.min() > _LOW) or bool(top(x).min() > _LOW))


def _prepare_softmax(self: Any, dim: int, half_to_float: bool) -> Callable[..., Any]:
    shape, dtype = self.shape, self.dtype
    if not self.size:
        return lambda *_: np.empty(shape, dtype)
    if not shape:
        return lambda self, *_: np.asarray(self - self + dtype.type(1))
    d = dim % self.ndim
    exp, divide, subtract = np.exp, np.divide, np.subtract
    top, total, dense = _largest(self, d), spread_sums(self, d), self.flags.c_contiguous
    few = self.size < _MILD  # of more the squares of usual numbers are too much

    def kernel(self: Any, dim: int, half_to_float: bool) -> Any:
        if not dense:
            self = self.copy()
        if (flat := self.ravel()).dot(flat) < _MILD if few else _are_mild(self, top):
            out = exp(self)  # not if one is NaN
        else:
            out = subtract(self, top(self))
            exp(out, out)
        return divide(out, total(out), out)

    return kernel


def _safe_meta(self: Any, dim: int, dtype: Any) -> Out:
    shape = tuple(self.shape)
    found = self.dtype if dtype is None else dtype
    d = wrap_dim(dim, len(shape))
    last = "_lastdim" if d == max(len(shape) - 1, 0) else ""
    if self.numel():
        refuse(found, {f"softmax{last}_kernel_impl": INTEGRAL | BOOL | COMPLEX}, self)
    if self.dtype.is_complex:
        warn_discarded()  # torch converts before it asks which numbers are -inf
        raise RuntimeError("isneginf does not support complex inputs.")
    return Out(shape, found)


def _prepare_safe_softmax(self: Any, dim: int, dtype: Any) -> Callable[..., Any]:
    """Zeros where all numbers along *dim* are -inf: who may see nothing, sees nothing."""
    shape, cast = self.shape, None if dtype is None else dtype.np
    own = self.dtype if cast is None else cast
    if not self.size:
        return lambda self, *_: np.ones(shape, own)
    lowest = own.type(-np.inf)
    if not shape:
        return lambda self, *_: np.where(self != lowest, self - self + 1, 0).astype(own)
    plain = _prepare_softmax(self.astype(own), dim, False)
    largest, zero = np.maximum.reduce, own.type(0)

    def kernel(self: Any, *_: Any) -> Any:
        if cast is not None:
            self = self.astype(cast)
        blind = largest(self, dim, None, None, True) == lowest
        if not blind.any():
            return plain(self, dim, False)
        out = plain(np.where(blind, zero, self), dim, False)
        out *= ~blind
        return out

    return kernel


def _prepare_log_softmax(self: Any, dim: int, half_to_float: bool) -> Callable[..., Any]:
    """Half floats are computed in float32, but along the last dim torch keeps sums in theirs.

    Source: torch aten/src/ATen/native/cpu/SoftMaxKernel.cpp, vec_log_softmax_lastdim_chunk_kernel.
    """
    shape, dtype = self.shape, self.dtype
    if not self.size:
        return lambda *_: np.empty(shape, dtype)
    if not shape:
        return lambda self, *_: np.asarray(self - self)
    d = dim % self.ndim
    exp, log, subtract, divide = np.exp, np.log, np.subtract, np.divide
    narrow = dtype.itemsize == 2
    wide = self.astype(np.float32) if narrow else self
    top, total, dense = _largest(wide, d), spread_sums(wide, d), self.flags.c_contiguous
    rounded = dtype if d == self.ndim - 1 else np.dtype(np.float32)
    few = self.size < _MILD and not narrow

    def kernel(self: Any, dim: int, half_to_float: bool) -> Any:
        if not dense:
            self = self.copy()
        if few and (flat := self.ravel()).dot(flat) < _MILD:  # not if one is NaN
            out = exp(self)
            divide(out, total(out), out)
            return log(out, out)
        if narrow:
            self = self.astype(np.float32)
        out = subtract(self, top(self))
        parts = total(exp(out))
        if narrow:
            parts = log(parts.astype(rounded).astype(np.float32))
            return subtract(out, parts.astype(rounded).astype(np.float32), out)
        return subtract(out, log(parts, parts), out)

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
    tags=("out_has_no_formula",),
    autocast=("", "float32 result"),
)
op(
    "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    says="Return the logarithm of softmax along a dimension, computed without overflow."
    " The shape stays.",
    composite=_convert("_log_softmax"),
    kinds={"out": "explicit"},
    out=OutForm("int_out", declared="", meta="exact"),
    samples="softmax_int",
    tags=("out_has_no_formula",),
    autocast=("", "float32 result"),
)
op(
    "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("softmax"),
    prepare=_prepare_softmax,
    variants="function",
    out=OutForm(overlap="unchecked"),
    grad={"self": lambda g, c: ops._softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax",
    tags=("real_only",),
)
op(
    "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    meta=_safe_meta,
    prepare=_prepare_safe_softmax,
    variants="function",
    grad={"self": lambda g, c: ops._softmax_backward_data(g, c.result, c.dim, c.self.dtype)},
    samples="softmax_int",
)
op(
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
    meta=_meta("log_softmax"),
    prepare=_prepare_log_softmax,
    half=False,
    tags=("rounds", "real_only"),
    variants="function",
    out=OutForm(meta="exact", overlap="unchecked"),
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


def _prepare_softmax_backward(
    grad_output: Any, output: Any, dim: int, input_dtype: Any
) -> Callable[..., Any]:
    shape, dtype = output.shape, output.dtype
    if not shape or not output.size:
        return lambda *_: np.zeros(shape, dtype)
    total = spread_sums(output, dim % output.ndim)
    multiply, subtract = np.multiply, np.subtract

    def kernel(grad_output: Any, output: Any, *_: Any) -> Any:
        out = multiply(grad_output, output, order="C")
        subtract(grad_output, total(out), out)
        return multiply(out, output, out)

    return kernel


def _prepare_log_softmax_backward(
    grad_output: Any, output: Any, dim: int, input_dtype: Any
) -> Callable[..., Any]:
    shape, dtype = output.shape, output.dtype
    if not shape or not output.size:
        return lambda *_: np.zeros(shape, dtype)
    total = spread_sums(grad_output, dim % output.ndim)
    exp, multiply, subtract, contiguous = np.exp, np.multiply, np.subtract, np.ascontiguousarray
    dense = grad_output.flags.c_contiguous

    def kernel(grad_output: Any, output: Any, *_: Any) -> Any:
        out = exp(output, order="C")
        multiply(out, total(grad_output if dense else contiguous(grad_output)), out)
        return subtract(grad_output, out, out)

    return kernel


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
    prepare=_prepare_softmax_backward,
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
    prepare=_prepare_log_softmax_backward,
    tags=("devices: output, grad_output",),
    variants="function",
    grad={
        "grad_output": lambda g, c: g - (g * c.output.exp()).sum((c.dim,), True),
        "output": _log_softmax_twice,
    },
    samples="softmax_backward",
)
