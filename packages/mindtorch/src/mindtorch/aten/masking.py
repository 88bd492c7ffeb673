"""Elements chosen by a mask: ``masked_fill``, ``masked_select``, ``nonzero`` and relatives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import bool_, from_numpy, uint8

from mindtorch.aten.reflected import watched, zeros_of
from mindtorch.aten.scalars import checked
from mindtorch.call.elementwise_meta import UNSIGNED, broadcast_shapes, refuse, refuse_array
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.constants import preserve_format
from mindtorch.core.dims import numel_of, scalar_name, type_string
from mindtorch.core.errors import c_type_name, in_place_shape
from mindtorch.core.operators import of, ops
from mindtorch.core.warning import warn

from ..call.forms import DeviceRule
from . import device_rules, tangent_rules

__all__ = ["masked_select_backward"]


def refuse_mask(mask: Any) -> None:
    """``masked_fill`` takes bools only."""
    if mask.dtype is not bool_:
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            f"{c_type_name(mask.dtype)}"
        )


def _masked_fill_meta(self: Any, mask: Any, value: Any) -> Out:
    if hasattr(value, "shape") and len(value.shape):
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{len(value.shape)} dimension(s)."
        )
    shape = broadcast_shapes(tuple(mask.shape), tuple(self.shape))
    refuse_mask(mask)
    if not hasattr(value, "shape"):
        checked(value, self.dtype)
    refuse(self.dtype, {"masked_fill": UNSIGNED}, self)
    return Out(shape, self.dtype)


def _prepare_masked_fill(self: Any, mask: Any, value: Any) -> Callable[..., Any]:
    shape, dtype, copy = np.broadcast_shapes(self.shape, mask.shape), self.dtype, np.copyto
    spread = None if shape == self.shape else np.broadcast_to
    given = isinstance(value, np.ndarray)
    number = None if given else np.asarray(checked(value, from_numpy(dtype)))
    loses = number is None and value.dtype.kind == "c" and dtype.kind != "c"

    def kernel(self: Any, mask: Any, value: Any) -> Any:
        if number is not None:
            value = number
        elif loses:
            value = np.asarray(checked(value.item(), from_numpy(dtype))).astype(dtype)
        else:
            value = value.astype(dtype)
        out = self.copy() if spread is None else spread(self, shape).copy()
        copy(out, value, where=mask)
        return out

    return kernel


def _filled_before_mask(self: Any, mask: Any, value: Any) -> None:
    """torch names the tensor that is filled before the mask; elsewhere the other way round."""
    if not getattr(value, "ndim", 0):
        refuse_mask(mask)
        shape = broadcast_shapes(tuple(self.shape), tuple(mask.shape))
        if shape != tuple(self.shape):
            raise in_place_shape(tuple(self.shape), shape)


_IN_PLACE = InplaceForm(
    check=_filled_before_mask,
    broadcasts=True,
    reads=2,  # the value is a number by then
    writes=True,
    overlap="deprecated: This also applies to advanced indexing e.g. tensor[mask] = scalar",
)
op(
    "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
    says="""Return a copy with one value where a mask is true.
    The mask broadcasts to the shape of the input.

    >>> torch.masked_fill(torch.tensor([1, 2, 3]), torch.tensor([True, False, True]), 0)
    tensor([0, 2, 0])
    """,
    meta=_masked_fill_meta,
    prepare=_prepare_masked_fill,
    half=False,
    inplace=_IN_PLACE,
    out=OutForm("Scalar_out", function=False),
    grad={"self": lambda g, c: g.masked_fill(c.mask, 0)},
    samples="masked_fill",
    tags=("on_meta: mask, self",),
    devices=DeviceRule(here=device_rules.of_masks),
)
op(
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    meta=_masked_fill_meta,
    prepare=_prepare_masked_fill,
    half=False,
    inplace=_IN_PLACE,
    out=OutForm("Tensor_out", function=False),
    grad={
        "self": lambda g, c: g.masked_fill(c.mask, 0),
        "value": lambda g, c: ops.where(c.mask, g, 0).sum(),
    },
    samples="masked_fill_tensor",
    tags=("on_meta: mask, self, value", "loops: functional", "loops: inplace"),
    devices=DeviceRule(here=device_rules.of_masks, meta=device_rules.of_value),
    node=1,
)


def _masked_select(self: Any, mask: Any) -> Any:
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes(tuple(mask.shape), tuple(self.shape))
    if 0 not in shape:
        refuse_array(self, {"masked_select": UNSIGNED})
    if self.shape == mask.shape:
        return self[mask] if shape else self.reshape(1)[mask.reshape(1)]
    return np.broadcast_to(self, shape)[np.broadcast_to(mask, shape)]


def masked_select_backward(g: Any, x: Any, mask: Any) -> Any:
    """The gradient of the elements of *x* where *mask* is true."""
    whole = x.expand(broadcast_shapes(tuple(x.shape), tuple(mask.shape)))
    whole = of("zeros_like")(whole, memory_format=preserve_format)
    return whole.masked_scatter(mask, g) if watched(g, mask) else whole.masked_scatter_(mask, g)


op(
    "masked_select(Tensor self, Tensor mask) -> Tensor",
    says="""Return the elements where a mask is true, as a vector.
    Mask and input broadcast.

    >>> torch.masked_select(torch.tensor([1, 2, 3]), torch.tensor([True, False, True]))
    tensor([1, 3])
    """,
    kernel=_masked_select,
    half=False,
    out=OutForm(
        text="masked_select(): self and result must have the same scalar type", overlap="apart"
    ),
    grad={"self": lambda g, c: masked_select_backward(g, c.self, c.mask)},
    samples="masked_select",
    tags=("symbols: masked_select", "data_dependent_output", "not_on_meta"),
    devices=DeviceRule(meta=device_rules.no_kernel),
)


def _masked_scatter_meta(self: Any, mask: Any, source: Any) -> Out:
    shape = broadcast_shapes(tuple(mask.shape), tuple(self.shape))
    if self.dtype != source.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{scalar_name(self.dtype)} and {scalar_name(source.dtype)}"
        )
    if mask.dtype is not bool_:
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            f"{scalar_name(mask.dtype)}"
        )
    return Out(shape, self.dtype)


def _prepare_masked_scatter(self: Any, mask: Any, source: Any) -> Callable[..., Any]:
    shape, size = np.broadcast_shapes(self.shape, mask.shape), source.size
    whole, spread, count_of = self.shape == mask.shape, np.broadcast_to, np.count_nonzero

    def kernel(self: Any, mask: Any, source: Any) -> Any:
        if whole:
            out = self.copy()
        else:
            out, mask = spread(self, shape).copy(), spread(mask, shape)
        count = count_of(mask)
        if count > size:
            raise RuntimeError("Number of elements of source < number of ones in mask")
        out[mask] = source.reshape(size)[:count]
        return out

    return kernel


def _warn_of_bytes(self: Any, mask: Any, source: Any) -> None:
    if mask.dtype is uint8 and self.dtype == source.dtype:
        warn(
            "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now "
            "deprecated,please use a mask with dtype torch.bool instead."
        )


def _masked_scatter_back(g: Any, mask: Any, sizes: Any) -> Any:
    if g.device.type == "meta":  # how many are chosen is unknown there, and of no matter
        return g.new_empty(sizes)
    chosen = g.masked_select(mask)
    missing = numel_of(sizes) - chosen.numel()
    if missing > 0:
        chosen = ops.cat([chosen, zeros_of(g, (missing,))], 0)
    return chosen.view(sizes)


op(
    "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor",
    batch="whole_loop",
    composite=_masked_scatter_back,
    kinds={"functional": "explicit"},
    grad={"grad_output": lambda g, c: of("zeros_like")(c.grad_output).masked_scatter(c.mask, g)},
    variants="",
    samples="masked_scatter_backward",
    tangent=tangent_rules.of_masked_scatter_backward,
)


def _mask_fits(self: Any, mask: Any, source: Any) -> None:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp: only the mask is expanded."""
    layout.expand_strides(
        tuple(mask.shape), tuple(mask.stride()), tuple(self.shape), partial(type_string, mask)
    )


op(
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    says="""Return a copy whose elements where a mask is true are taken in turn from source.

    >>> torch.masked_scatter(torch.zeros(3), torch.tensor([True, False, True]),
    ...     torch.tensor([5., 6.]))
    tensor([5., 0., 6.])
    """,
    meta=_masked_scatter_meta,
    prepare=_prepare_masked_scatter,
    half=False,
    inplace=InplaceForm(check=_mask_fits, broadcasts=True, iterates=False),
    out=OutForm(function=False),
    grad={
        "self": lambda g, c: g.masked_fill(c.mask, 0),
        "source": lambda g, c: ops.masked_scatter_backward(g, c.mask, c.source.shape),
    },
    samples="masked_scatter",
    warns=_warn_of_bytes,
    warns_of=("uint8",),
    tags=("loops: functional", "loops: inplace"),
)


# -- where the true elements are ----------------------------------------------------------------


#: From so many elements on, their places in flat memory are found and taken apart.
_MANY = 2048


def _no_places(ndim: int) -> Any:
    """No rows, with the strides that numpy would forget."""
    return np.ndarray((0, ndim), np.int64, np.empty(1, np.int64), 0, (8, 0))


def _places_of_many(x: Any) -> Any:
    """:func:`_nonzero` of contiguous memory: numpy is slow with each dim, and other dtypes."""
    flat = (x if x.dtype == bool else x != 0).reshape(-1).nonzero()[0]
    if not len(flat):
        return _no_places(x.ndim)
    found = np.empty((x.ndim, len(flat)), np.int64)
    for d in range(x.ndim - 1, 0, -1):
        before = flat // x.shape[d]
        np.subtract(flat, before * x.shape[d], found[d])
        flat = before
    found[0] = flat
    return found.T


def _nonzero(self: Any) -> Any:
    refuse_array(self, {"nonzero_count_cpu": UNSIGNED})
    ndim = self.ndim
    if self.size > _MANY and self.flags.c_contiguous:
        return _places_of_many(self)
    places = self.nonzero() if ndim else self.reshape(1).nonzero()
    count = len(places[0])
    if not count:
        return _no_places(ndim)
    # torch fills the result column by column, and its strides show it.
    found = np.empty((ndim, count), np.int64)
    for i in range(ndim):
        found[i] = places[i]
    return found.T


op(
    "nonzero(Tensor self) -> Tensor",
    says="Return the indices of the elements that are not zero, one row each."
    " The result is int64 and has a column for each dimension.",
    kernel=_nonzero,
    half=False,
    out=OutForm(
        text="nonzero: Expected out tensor to have scalar type Long but got scalar type{out}"
    ),
    samples="nonzero",
    tags=(
        "symbols: nonzero",
        "data_dependent_output",
    ),
)


def _nonzero_numpy(self: Any) -> Any:
    if self.dim() == 0:
        self = self.unsqueeze(0)
    return self.nonzero().unbind(1)


op(
    "nonzero_numpy(Tensor self) -> Tensor[]",
    says="Return the indices of the elements that are not zero, one tensor per dimension.",
    composite=_nonzero_numpy,
    batch="no_fallback",
    variants="",
    tags=("symbols: nonzero_numpy",),
)
op(
    "argwhere(Tensor self) -> Tensor",
    says="""Return the indices of the elements that are not zero, one row each.
    The result is int64 and has a column for each dimension.

    >>> torch.argwhere(torch.tensor([[0, 1], [2, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """,
    batch="whole_loop",
    composite=lambda self: self.nonzero(),
    samples="nonzero",
    tags=("loops: functional",),
)
