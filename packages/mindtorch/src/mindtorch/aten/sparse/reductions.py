"""Sums, norms and softmax of sparse tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage import float32, float64
from mindtorch_storage.layout import wrap_dim

from ...call.row import op
from ...core.constants import sparse_csr
from ...core.errors import not_implemented_for
from ...core.half_precision import widened
from ...core.layout_names import layout_name
from ...core.operators import of, ops
from ...tensor import Tensor
from .coalescing import coalesced
from .compressing import compress, to_coo
from .masks import found_among
from .parts import COMPRESSED, COO, array, by_number, coo_tensor, flat_indices, is_sparse

__all__: list[str] = []

Array = np.ndarray[Any, Any]

# -- sums ------------------------------------------------------------------------------------------


def _dims(dim: Any, ndim: int) -> list[int]:
    dims = [dim] if isinstance(dim, int) else list(dim or range(ndim))
    found = [wrap_dim(d, ndim) for d in dims]
    for d in found:
        if found.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return found


def _sum_over(self: Tensor, dim: Any) -> Tensor:
    """The sum over dimensions; dense where no sparse one is left.

    Source: torch aten/src/ATen/native/sparse/SparseTensorMath.cpp, _sparse_sum.
    """
    dims = _dims(dim, self._a_.ndim)
    content = self._content_
    sparse_dim = content.sparse_dim
    dense = [d - sparse_dim + 1 for d in dims if d >= sparse_dim]
    values = content.values
    if dense:
        values = of("sum.dim_IntList")(values, tuple(dense), False, None)
    gone = [d for d in dims if d < sparse_dim]
    if len(gone) == sparse_dim:
        return of("sum.dim_IntList")(values, (0,), False, None)
    shape = tuple([n for d, n in enumerate(self._a_.shape) if d not in dims])
    indices = np.delete(array(content.indices), gone, 0)
    made = coo_tensor(indices, values, shape, content.coalesced if not gone else None)
    return made if made._content_.coalesced else coalesced(made)


def _sum_over_coo(self: Tensor, dim: Any) -> Tensor:
    dims = _dims(dim, self.dim())
    if not self.is_sparse:
        self._indices()  # refuses other layouts
    return _sum_over(self, dims)


def _sum_over_backward(g: Any, c: Any) -> Any:
    return ops._sparse_sum_backward(g, c.self, c.dim)


def _all(self: Tensor, dtype: Any = None) -> Tensor:
    made: Tensor = ops.sum(self.coalesce().values(), dtype=dtype)
    return made


op(
    "_sparse_sum(Tensor self) -> Tensor",
    says="Return the sum of the elements of a COO tensor; see ``torch.sparse.sum``.",
    composite=_all,
    variants="function",
    samples="coo_operand",
)
op(
    "_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor",
    composite=_all,
    variants="function",
    samples="sparse_sum_dtype",
)
op(
    "_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor",
    composite=_sum_over_coo,
    kinds={"functional": "explicit"},
    variants="function",
    grad={"self": _sum_over_backward},
    samples="sparse_sum_dim",
)
op(
    "_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor",
    composite=lambda self, dim, dtype: of("_sparse_sum.dim")(self._to_(None, dtype), dim),
    variants="function",
    samples="sparse_sum_dim_dtype",
)
op(
    "_sparse_sum_backward(Tensor grad, Tensor self, int[] dim) -> Tensor",
    variants="",
    samples="sparse_sum_backward",
)


@COO("_sparse_sum_backward")
def _sum_backward(grad: Tensor, self: Tensor, dim: Sequence[int]) -> Tensor:
    """What of the gradient of a sum belongs to each element.

    Source: torch aten/src/ATen/native/sparse/SparseTensorMath.cpp, _sparse_sum_backward_cpu.
    """
    if not grad.numel() or is_sparse(grad) and not grad._content_.nnz:
        made: Tensor = ops.zeros_like(self)
        return made
    self = coalesced(self)
    dims = _dims(dim, self._a_.ndim)
    content, shape = self._content_, self._a_.shape
    sparse_dim = content.sparse_dim
    gone = [d for d in dims if d < sparse_dim]
    indices = array(content.indices)
    whole = len(gone) == sparse_dim
    if whole is is_sparse(grad):
        want, is_now = ("dense", "sparse") if whole else ("sparse", "dense")
        raise RuntimeError(
            f"_sparse_sum_backward_cpu: expected grad_ Tensor to be {want}, but got {is_now}"
        )
    if whole:
        values = np.broadcast_to(array(grad), (content.nnz, *grad._a_.shape))
    else:
        grad = coalesced(grad)
        rest = np.delete(indices, gone, 0)
        sizes = [shape[d] for d in range(sparse_dim) if d not in gone]
        flat, own = flat_indices(grad), array(grad._content_.values)
        values = found_among(flat, own, by_number(rest, sizes))
    for d in sorted(d for d in dims if d >= sparse_dim):
        values = np.expand_dims(values, d - sparse_dim + 1)
    values = np.broadcast_to(values, (content.nnz, *shape[sparse_dim:]))
    return coo_tensor(content.indices, np.array(values), shape, True)


@COO("sum")
@COMPRESSED("sum")
def _sum(self: Tensor, dtype: Any) -> Tensor:
    made: Tensor = ops.sum(self._content_.values, dtype=dtype)
    return made


@COO("sum.dim_IntList")
def _sum_dims(self: Tensor, dim: Any, keepdim: bool, dtype: Any) -> Tensor:
    if dtype is not None:
        self = self._to_(None, dtype)
    elif not (self.is_floating_point() or self.is_complex()):
        self = self.long()
    dims = _dims(dim, self._a_.ndim)
    made = _sum_over(self, dims)
    if keepdim:
        for d in sorted(dims):
            made = ops.unsqueeze(made, d)
    return made


@COMPRESSED("sum.dim_IntList")
def _sum_dims_compressed(self: Tensor, dim: Any, keepdim: bool, dtype: Any) -> Tensor:
    if self.layout is not sparse_csr:
        raise RuntimeError(
            "Currently the only compressed sparse format supported for sum.dim_IntList is CSR, but "
            f"got layout {layout_name(self.layout)}"
        )
    if not keepdim:
        raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
    if self._content_.batch_dim:
        raise RuntimeError("sums of batches of CSR matrices along dimensions are not supported")
    dims = _dims(dim, self._a_.ndim)
    made = _sum_dims(to_coo(self), dims, True, dtype)
    if not is_sparse(made):
        made = made.to_sparse()
    return compress(made, sparse_csr)


COO.register("any", lambda self: ops.any(self._content_.values))

# -- norms -----------------------------------------------------------------------------------------


@COO("norm.Scalar")
def _norm_of_all(self: Tensor, p: Any) -> Tensor:
    return _norm_of(self, p, None, False, None)


@COO("norm.ScalarOpt_dtype")
def _norm_of_all_as(self: Tensor, p: Any, dtype: Any) -> Tensor:
    return _norm_of(self, p, None, False, dtype)


@COO("norm.ScalarOpt_dim")
def _norm(self: Tensor, p: Any, dim: Any, keepdim: bool) -> Tensor:
    return _norm_of(self, p, dim, keepdim, None)


@COO("norm.ScalarOpt_dim_dtype")
def _norm_of(self: Tensor, p: Any, dim: Any, keepdim: bool, dtype: Any) -> Tensor:
    if dim and sorted(_dims(dim, self._a_.ndim)) != list(range(self._a_.ndim)):
        raise RuntimeError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty "
            "or contain all dimensions of the input"
        )
    if keepdim:
        raise RuntimeError("norm_sparse currently does not support keepdim=True")
    if dtype is not None:
        raise RuntimeError("norm_sparse currently does not support 'dtype' argument")
    order = 2.0 if p is None else p
    made: Tensor = ops.norm(coalesced(self)._content_.values, order)
    return made


# -- softmax ---------------------------------------------------------------------------------------


class _Lines:
    """The elements that stand in one line along a sparse dimension, brought side by side."""

    def __init__(self, indices: Array, sizes: Sequence[int], dim: int):
        rest = np.delete(indices, dim, 0)
        flat = by_number(rest, [n for d, n in enumerate(sizes) if d != dim])
        self.order = np.argsort(flat, kind="stable")
        flat = flat[self.order]
        new = np.concatenate(([True], flat[1:] != flat[:-1]))[: len(flat)]
        self.starts = np.flatnonzero(new)
        self.line = np.cumsum(new) - 1

    def reduced(self, ufunc: np.ufunc, values: Array) -> Array:
        """Each line's values under *ufunc*, for each of its elements."""
        if not len(values):
            return values
        return ufunc.reduceat(values, self.starts, 0)[self.line]

    def back(self, values: Array) -> Array:
        """Values in the order that the elements had."""
        out = np.empty_like(values)
        out[self.order] = values
        return out


def _line_softmax(lines: _Lines, values: Array, log: bool) -> Array:
    values = values[lines.order]
    shifted = values - lines.reduced(np.maximum, values)
    powers = np.exp(shifted)
    total = lines.reduced(np.add, powers)
    return lines.back(shifted - np.log(total) if log else powers / total)


def _softmax(name: str, log: bool) -> None:
    dense_op = "log_softmax" if log else "softmax"

    def kernel(self: Tensor, dim: int, half_to_float: bool) -> Tensor:
        at = wrap_dim(dim, self._a_.ndim)
        if self.dtype not in (float32, float64):
            raise not_implemented_for(dense_op, self.dtype)
        self = coalesced(self)
        content = self._content_
        if at >= content.sparse_dim:
            values = getattr(ops, dense_op)(content.values, at - content.sparse_dim + 1)
            return coo_tensor(content.indices, values, self._a_.shape, True)
        numbers = array(content.values)
        wide = widened(numbers)
        lines = _Lines(array(content.indices), self._a_.shape[: content.sparse_dim], at)
        with np.errstate(all="ignore"):
            out = _line_softmax(lines, wide, log)
        return coo_tensor(
            content.indices, out.astype(numbers.dtype, copy=False), self._a_.shape, True
        )

    def backward(grad: Tensor, output: Tensor, dim: int, self: Tensor) -> Tensor:
        at = wrap_dim(dim, self._a_.ndim)
        content = output._content_
        result = widened(array(content.values))
        sizes = output._a_.shape[: content.sparse_dim]
        wanted = by_number(array(content.indices), sizes)
        grad = coalesced(grad)
        g = found_among(flat_indices(grad), widened(array(grad._content_.values)), wanted)

        summed = g if log else result * g
        if at >= content.sparse_dim:
            total = summed.sum(at - content.sparse_dim + 1, keepdims=True)
        else:
            lines = _Lines(array(content.indices), sizes, at)
            total = lines.back(lines.reduced(np.add, summed[lines.order]))
        out = g - np.exp(result) * total if log else result * (g - total)
        return coo_tensor(
            content.indices, out.astype(output._a_.dtype, copy=False), output._a_.shape, True
        )

    def composite(self: Tensor, dim: int, dtype: Any) -> Tensor:
        given = self if dtype is None else self._to_(None, dtype)
        made: Tensor = of(name)(given, dim, False)
        return made

    def grads(g: Any, c: Any) -> Any:
        return of(f"{name}_backward_data")(g, c.result, c.dim, c.self)

    op(
        f"{name}(Tensor self, int dim, bool half_to_float) -> Tensor",
        variants="",
        grad={"self": grads},
        samples="sparse_softmax_kernel",
    )
    op(
        f"{name}.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
        says=f"Return the {'logarithm of the ' if log else ''}softmax over the elements that a COO "
        "tensor has along *dim*; those that it has not are minus infinity.",
        composite=composite,
        module="sparse",
        variants="function",
        samples="sparse_softmax",
    )
    op(
        f"{name}_backward_data(Tensor grad_output, Tensor output, int dim, Tensor self) -> Tensor",
        variants="function",
        samples="sparse_softmax_backward",
    )
    COO.register(name, kernel)
    COO.register(f"{name}_backward_data", backward)


_softmax("_sparse_softmax", False)
_softmax("_sparse_log_softmax", True)
