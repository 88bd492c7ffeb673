"""Elementwise ops over sparse tensors: those that leave zeros zero work on the elements alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import can_cast
from mindtorch_storage.dtype import bool_, float16
from mindtorch_storage.layout import broadcast_shapes

from ...call.dispatch_entry import OVERLOADS
from ...core.constants import sparse_csr
from ...core.errors import cannot_cast, not_implemented_for
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import become
from ..pointwise import check_add, check_sub
from .coalescing import coalesced, segment_sums
from .compressing import compress, coo_coordinates, to_coo
from .construction import empty_coo
from .conversion import dense_of
from .masks import check_mask_size, elements_at, found_among
from .parts import (
    COMPRESSED,
    COO,
    array,
    coo_tensor,
    flat_indices,
    is_sparse,
    with_values,
)

__all__ = ["LINEAR", "OF_ZERO_ZERO"]

#: Ops of one tensor that give zero for zero. COO tensors are coalesced before.
OF_ZERO_ZERO = (
    "abs asin asinh atan atanh ceil deg2rad erf erfinv expm1 floor frac isinf isnan "
    "isneginf isposinf log1p nan_to_num rad2deg relu round sgn sign signbit sin sinh sqrt tan "
    "tanh trunc"
).split()
#: The same, of a sum too: the op of a sum is the sum of the ops.
LINEAR = ("neg",)


def _of_elements(name: str, first: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    def kernel(self: Tensor, *rest: Any) -> Tensor:
        self = first(self)
        values = self._content_.values
        return with_values(self, getattr(ops, name)(values, *rest).clone())

    return kernel


def _itself(t: Tensor) -> Tensor:
    return t


def _in_place(name: str) -> Callable[..., Tensor]:
    function = _of_elements(name, _itself)

    def kernel(self: Tensor, *rest: Any) -> Tensor:
        if not self._content_.coalesced:
            raise RuntimeError(f"{name}_ requires coalesced input")
        return function(self, *rest)

    return kernel


for _name in OF_ZERO_ZERO:
    COO.register(_name, _of_elements(_name, coalesced))
    if f"aten::{_name}_" in OVERLOADS:
        COO.register(f"{_name}_", _in_place(_name))
    if _name != "nan_to_num":  # as in torch
        COMPRESSED.register(_name, _of_elements(_name, _itself))


@COO("conj_physical_")
def _conjugate_in_place(self: Tensor) -> Tensor:
    if self.is_complex():
        raise RuntimeError("unsupported tensor layout: Sparse")
    return self


@COMPRESSED("conj_physical_")
def _conjugate_compressed_in_place(self: Tensor) -> Tensor:
    values = ops.conj_physical(self._content_.values).clone()
    return become(self, self._content_._replace(values=values), self._a_.shape)


for _name in LINEAR:
    COO.register(_name, _of_elements(_name, _itself))
    COMPRESSED.register(_name, _of_elements(_name, _itself))
COMPRESSED.register("angle", _of_elements("angle", _itself))
for _kernels in (COO, COMPRESSED):
    for _name in ("_conj", "_conj_physical"):
        _kernels.register(_name, _of_elements("conj_physical", _itself), forms=False)


def _with_dims(name: str) -> Callable[[Tensor], Tensor]:
    """``view_as_real`` and its kin, which add or take a dense dimension."""

    def kernel(self: Tensor) -> Tensor:
        content = self._content_
        values = getattr(ops, name)(content.values).clone()
        lead = self._a_.shape[: content.sparse_dim]
        return coo_tensor(content.indices, values, (*lead, *values.shape[1:]), content.coalesced)

    return kernel


for _name in ("view_as_real", "view_as_complex"):
    COO.register(_name, _with_dims(_name), forms=False)


@COO("threshold_backward")
def _threshold_backward(grad: Tensor, self: Tensor, threshold: Any) -> Tensor:
    """The gradient of ``relu``: what of *grad* stands where *self* has an element above."""
    if threshold != 0:
        raise RuntimeError("threshold_backward: only a threshold of 0 leaves zeros zero")
    grad, self = coalesced(grad), coalesced(self)
    indices, one, other = _matches(grad, self)
    above = other > 0
    return coo_tensor(indices, np.where(above, one, np.zeros((), one.dtype)), grad._a_.shape, True)


@COMPRESSED("threshold_backward")
def _threshold_backward_compressed(grad: Tensor, self: Tensor, threshold: Any) -> Tensor:
    values = ops.threshold_backward(grad._content_.values, self._content_.values, threshold)
    return with_values(grad, values)


# -- sums ------------------------------------------------------------------------------------------


def _sized(t: Any) -> list[int]:
    return list(t.shape) if isinstance(t, Tensor) else []


def _mismatch(kind: str, self: Any, other: Any) -> RuntimeError:
    return RuntimeError(
        "add: expected 'self' and 'other' to have same size, but self has size "
        f"{_sized(self)} while other has size {_sized(other)} (FYI: {kind} addition does not "
        "currently support broadcasting)"
    )


def _scaled(values: Any, alpha: Any) -> Any:
    return values if type(alpha) is int and alpha == 1 else ops.mul(values, alpha)


#: Dtypes that two COO tensors with elements are not added in.
_NOT_ADDED = frozenset((bool_, float16))


def _common(self: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """The elements of both, in the dtype in which they meet."""
    dtype = ops.result_type(self, other)
    one, two = (t._content_.values for t in (self, other))
    return one._to_(None, dtype), two._to_(None, dtype)


@COO("add.Tensor")
def _add_coo(self: Any, other: Any, alpha: Any) -> Tensor:
    check_add(self, other, alpha)
    if not is_sparse(other):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if not is_sparse(self):
        return _add_to_dense(self, other, alpha)
    if self._a_.shape != other._a_.shape:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {_sized(self)} != "
            f"{_sized(other)}"
        )
    one, two = self._content_, other._content_
    values, more = _common(self, other)
    if one.nnz and two.nnz and values.dtype in _NOT_ADDED:
        whole = values.is_contiguous() and more.is_contiguous()
        raise not_implemented_for("cadd_sparse" if whole else "add_out_sparse_cpu", values.dtype)
    return _sum_of(self, other, values, more, alpha)


def _sum_of(self: Tensor, other: Tensor, values: Tensor, more: Tensor, alpha: Any) -> Tensor:
    """The sum of COO tensors of one size, whose elements are *values* and *more* in one dtype."""
    one, two = self._content_, other._content_
    more = _scaled(more, alpha)._to_(None, values.dtype)
    if one.sparse_dim != two.sparse_dim:
        if not two.nnz:
            return with_values(self, values)
        if not one.nnz:
            return with_values(other, more)
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same density, but 'self' has "
            f"{one.sparse_dim} sparse dimensions while 'other' has {two.sparse_dim} sparse "
            "dimensions"
        )
    indices = np.concatenate((array(one.indices), array(two.indices)), 1)
    if values.is_contiguous() and more.is_contiguous():
        places, starts = merged(flat_indices(self), flat_indices(other))
        both = array(ops.cat([values, more]))
        values = wrap(segment_sums(both.take(places, 0), starts))
        values = _without_minus(values) if one.nnz and two.nnz else values
        indices = indices.take(places[starts], 1)
    else:
        values = ops.cat([values, more])
    return coo_tensor(indices, values, self._a_.shape, one.coalesced and two.coalesced)


def _without_minus(values: Tensor) -> Tensor:
    """No zero is negative in a sum that began with zero."""
    made: Tensor = ops.add(values, 0) if values.dtype is not bool_ else values
    return made


def merged(one: Any, two: Any) -> tuple[Any, Any]:
    """Two lists of places run through side by side, the lesser first and equal ones as one.

    An order of both, one list after the other, and where in it a new element begins. In torch, this
    takes lists to be sorted, whether they are or not; so a sum of tensors that are not coalesced
    has its elements in this order.
    """
    if (one[1:] >= one[:-1]).all() and (two[1:] >= two[:-1]).all():
        both = np.concatenate((one, two))
        again = np.concatenate((_occurrence(one), _occurrence(two)))
        order = np.lexsort((again, both))
        ahead = (both[order[1:]] != both[order[:-1]]) | (again[order[1:]] != again[order[:-1]])
        return order, np.flatnonzero(np.concatenate(([True], ahead))[: len(order)])
    order, starts, i, j, n, m = [], [], 0, 0, len(one), len(two)
    first, second = one.tolist(), two.tolist()
    while i < n or j < m:
        starts.append(len(order))
        before, after = i, j
        if before < n and (after >= m or first[before] <= second[after]):
            order.append(i)
            i += 1
        if after < m and (before >= n or second[after] <= first[before]):
            order.append(n + j)
            j += 1
    return np.array(order, np.int64), np.array(starts, np.int64)


def _occurrence(places: Any) -> Any:
    """How many equal ones stand before each, in a sorted list."""
    return np.arange(len(places)) - np.searchsorted(places, places)


def _add_to_dense(self: Any, other: Tensor, alpha: Any) -> Tensor:
    if not isinstance(self, Tensor) or self._a_.shape != other._a_.shape:
        raise _mismatch("dense-sparse", self, other)
    other = other._to_(None, ops.result_type(self, other))  # in which equal places are added up
    return ops.add(self, other.to_dense(), alpha=alpha)


@COO("sub.Tensor")
def _sub_coo(self: Any, other: Any, alpha: Any) -> Tensor:
    check_sub(self, other, alpha)
    return _add_coo(self, other, -alpha)


@COMPRESSED("add.Tensor")
def _add_compressed(self: Any, other: Any, alpha: Any) -> Tensor:
    check_add(self, other, alpha)
    if not (is_sparse(self) and is_sparse(other)):
        one, two = (self, other) if is_sparse(self) else (other, self)
        if not isinstance(two, Tensor) or one._a_.shape != two._a_.shape:
            raise _mismatch("op2-sparse", two, one)
        return ops.add(self.to_dense(), other.to_dense(), alpha=alpha)
    if self._a_.shape != other._a_.shape:
        raise _mismatch("op2-sparse", self, other)
    if self.layout is not other.layout:
        raise RuntimeError(
            f"add: expected tensors of one layout, but got {self.layout} and {other.layout}"
        )
    blocksize = self._content_.blocksize if self._content_.blocksize != (1, 1) else None
    one, two = self._content_, other._content_
    if one.compressed is two.compressed and one.plain is two.plain:
        return with_values(self, ops.add(one.values, two.values, alpha=alpha))
    self_coo, other_coo = coalesced(to_coo(self)), coalesced(to_coo(other))
    made = _sum_of(self_coo, other_coo, *_common(self_coo, other_coo), alpha)
    return compress(made, self.layout, blocksize)


# -- products --------------------------------------------------------------------------------------


def _matches(one: Tensor, two: Tensor) -> tuple[Any, Any, Any]:
    """The coordinates of *one* that *two*, which is coalesced, has as well; and the elements."""
    wanted, flat = flat_indices(one), flat_indices(two)
    indices, values = array(one._content_.indices), array(one._content_.values)
    if not len(flat):
        return indices[:, :0], values[:0], array(two._content_.values)[:0]
    at = np.minimum(np.searchsorted(flat, wanted), len(flat) - 1)
    there = flat[at] == wanted
    return indices[:, there], values[there], array(two._content_.values)[at[there]]


def _mul_sparse(self: Tensor, other: Tensor) -> Tensor:
    """The product of two COO tensors; of one without dimensions and another, as of a number."""
    if self._a_.ndim and not other._a_.ndim:
        return _mul_dense(self, wrap(dense_of(other)))
    if other._a_.ndim and not self._a_.ndim:
        return _mul_dense(other, wrap(dense_of(self)))
    one, two = self._content_, other._content_
    alike = self._a_.ndim == other._a_.ndim and one.sparse_dim == two.sparse_dim
    if not alike or self._a_.shape[: one.sparse_dim] != other._a_.shape[: two.sparse_dim]:
        raise RuntimeError(
            "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, "
            "number of sparse dimensions, and shape of sparse dimensions"
        )
    dtype = ops.result_type(self, other)
    if one.coalesced and two.coalesced or not (one.nnz and two.nnz):
        if dtype is bool_ and one.nnz and two.nnz:
            raise not_implemented_for(
                "addcmul_cpu_out" if one.dense_dim else "mul_out_sparse", dtype
            )
        indices, values, more = _matches(self, other)
        kept = True
    else:  # the elements of the one that is not, each times what the other has there
        swapped = one.coalesced or (not two.coalesced and one.nnz >= two.nnz)
        self, other = (other, coalesced(self)) if swapped else (self, coalesced(other))
        indices, values = array(self._content_.indices), array(self._content_.values)
        more = found_among(flat_indices(other), array(other._content_.values), flat_indices(self))
        kept = False
    product = ops.mul(wrap(values), wrap(more))
    if not kept or one.dense_dim:  # torch adds them to zeros
        product = _without_minus(product)
    shape = (*self._a_.shape[: one.sparse_dim], *product.shape[1:])
    return coo_tensor(indices, product._to_(None, dtype), shape, kept)


def _mul_dense(self: Tensor, other: Any) -> Tensor:
    """A sparse tensor times a number, or a dense tensor."""
    content = self._content_
    if not isinstance(other, Tensor) or not other.dim():
        return with_values(self, ops.mul(content.values, other))
    shape = tuple(broadcast_shapes(self._a_.shape, other._a_.shape))
    if shape != self._a_.shape:
        self = broadcast_coo(self, shape)
        content = self._content_
    sparse_dim = content.sparse_dim
    numbers = np.broadcast_to(array(other), shape)
    found = numbers[tuple(array(content.indices))] if sparse_dim else numbers[None]
    product = ops.mul(content.values, wrap(np.array(found)))
    if not product.numel():
        return empty_coo(shape, product.dtype, sparse_dim, content.dense_dim)
    return coo_tensor(content.indices, product, shape, content.coalesced)


def broadcast_coo(t: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A COO tensor repeated to *shape*; the result is coalesced if *t* is."""
    content = t._content_
    lead = len(shape) - t._a_.ndim
    sparse_dim = content.sparse_dim + lead
    own = (*(1,) * lead, *t._a_.shape)
    indices, values = array(content.indices), array(content.values)
    indices = np.concatenate((np.zeros((lead, indices.shape[1]), np.int64), indices))
    grown = [i for i in range(sparse_dim) if own[i] != shape[i]]
    values = np.broadcast_to(values, (len(values), *shape[sparse_dim:]))
    times = int(np.prod([shape[i] for i in grown]))
    places = np.stack([x.reshape(-1) for x in np.indices([shape[i] for i in grown])])
    indices, values = np.tile(indices, times), np.tile(values, (times, *(1,) * (values.ndim - 1)))
    indices[grown] = np.repeat(places, content.nnz, 1)
    made = coo_tensor(indices, values, shape, False)
    return coalesced(made) if content.coalesced else made


@COO("mul.Tensor")
def _mul_coo(self: Any, other: Any) -> Tensor:
    if is_sparse(self) and is_sparse(other):
        return _mul_sparse(self, other)
    return _mul_dense(self, other) if is_sparse(self) else _mul_dense(other, self)


COO.register("mul.Scalar", _mul_dense)


@COO("mul_.Tensor")
@COO("mul_.Scalar")
def _mul_coo_in_place(self: Tensor, other: Any) -> Tensor:
    """As torch has it, nobody knows of an order of the elements after a dense factor."""
    made = _mul_coo(self, other)
    if is_sparse(other) or made._content_.nnz < 2:
        return made
    return become(made, made._content_._replace(coalesced=False), made._a_.shape)


@COMPRESSED("mul.Tensor")
def _mul_compressed(self: Any, other: Any) -> Tensor:
    if not is_sparse(self):
        self, other = other, self
    if is_sparse(other) and not other._a_.ndim:
        other = wrap(dense_of(other))
    if not isinstance(other, Tensor) or not other.dim():
        return with_values(self, ops.mul(self._content_.values, other))
    layout, content = self.layout, self._content_
    if is_sparse(other):
        if layout is sparse_csr and other.is_sparse:
            return _mul_at_places(compress(other, sparse_csr), to_coo(self))
        if other.layout is not layout:
            raise RuntimeError("Expected result Tensor to be of format CSR")
        blocksize = content.blocksize if content.blocksize != (1, 1) else None
        product = _mul_sparse(coalesced(to_coo(self)), coalesced(to_coo(other)))
        return compress(product, layout, blocksize)
    return _mul_at_places(self, other)


def _mul_at_places(self: Tensor, other: Tensor) -> Tensor:
    """A compressed tensor times the elements that a dense or COO one has at its places."""
    check_mask_size(other, self)
    values = self._content_.values
    found = elements_at(other, coo_coordinates(self._content_, self._a_.shape))
    return with_values(self, ops.mul(values, wrap(found.reshape(values.shape))))


COMPRESSED.register("mul.Scalar", _mul_compressed)


# -- quotients and powers --------------------------------------------------------------------------


def _check_division(self: Any, other: Any, what: str) -> None:
    """Refuse to divide by anything but one number, and dense tensors. Raises RuntimeError."""
    if isinstance(other, Tensor) and (other.dim() or is_sparse(other)):
        got = (
            f"got shape {list(other.shape)} for divisor" if other.dim() else "got a sparse divisor"
        )
        raise RuntimeError(f"{what} requires a scalar or zero-dim dense tensor divisor ({got})")
    if not is_sparse(self):
        raise RuntimeError(f"{what} requires a sparse dividend")


@COO("div.Tensor", "div.Scalar")
def _div(self: Any, other: Any) -> Tensor:
    return _div_rounded(self, other, None)


@COO("div.Tensor_mode", "div.Scalar_mode")
def _div_rounded(
    self: Any, other: Any, rounding_mode: str | None, what: str = "Sparse division"
) -> Tensor:
    _check_division(self, other, what)
    self = coalesced(self) if rounding_mode else self
    return with_values(self, ops.div(self._content_.values, other, rounding_mode=rounding_mode))


@COO("floor_divide", "floor_divide.Scalar")
def _floor_divide(self: Any, other: Any) -> Tensor:
    return _div_rounded(self, other, "floor", "Sparse floor division")


@COO("pow.Tensor_Scalar", "pow.Tensor_Scalar_out", forms=False)
def _power(self: Tensor, exponent: Any) -> Tensor:
    if exponent == 0:
        raise RuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor "
            "dense"
        )
    self = coalesced(self)
    made = ops.pow(self._content_.values, exponent)
    if not can_cast(made.dtype, self.dtype):
        raise cannot_cast(made.dtype, self.dtype)
    return with_values(self, made._to_(None, self.dtype))


for _kernels in (COO, COMPRESSED):
    _kernels.register("is_same_size", lambda self, other: self._a_.shape == other._a_.shape)
