"""Writing elements by index tensors and masks: ``index_put``.

Kernels raise what depends on the numbers (an index out of range), metas all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import DType, uint8

from mindtorch.aten.reflected import zeros_of
from mindtorch.aten.scalars import checked
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.index_checks import (
    MASKS,
    mask_misfit,
)
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name
from mindtorch.core.errors import index_put_dtypes, raise_if
from mindtorch.core.signature import dtype_of

from ..backends.overlap import check_itself, check_operands, refuse_shared
from ..call.dispatch_entry import OVERLOADS
from ..call.forms import DeviceRule
from ..call.index_checks import fills, too_many
from ..call.overload import Overload
from . import looks
from .indexing import (
    add_at,
    check_given,
    cloned,
    direct_call,
    in_range,
    infer_index,
    is_flag,
    like,
    place_of_indices,
    planned,
    warn_of_bytes,
)

__all__ = ["gradient_of_self", "index_put_meta", "index_put_warns", "prepare_index_put"]


def _filling_misfit(self: Any, indices: Sequence[Any], values: Any) -> IndexError | None:
    """The error of a mask that comes first, where one number is written: torch asks it before all.

    Source: torch ATen/native/TensorAdvancedIndexingUtils.h, canDispatchToMaskedFill.
    """
    if tuple(values.shape).count(1) != len(values.shape):
        return None
    for place, index in enumerate(indices):
        if index is not None:
            is_mask = index.dtype.name in MASKS
            return mask_misfit(self.shape, index, place) if is_mask else None
    return None


def index_put_warns(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> None:
    if not fills(indices, values, accumulate):
        if accumulate or not _filling_misfit(self, indices, values):
            warn_of_bytes(self, indices)


def index_put_meta(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Out:
    if not accumulate:
        raise_if(_filling_misfit(self, indices, values))
    check_given(self, indices)
    if fills(indices, values, accumulate):
        if any(i is not None and i.dtype is uint8 for i in indices):
            raise RuntimeError(
                "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char"
            )
        return like(self)
    found = infer_index(self, indices)
    # The kernel sees the masks, and where there is nothing to write to, first what is out of range;
    # on meta nothing is.
    if found is not None and (0 not in self.shape or self.is_meta and self.dtype != values.dtype):
        _refuse_values(values.shape, found.shape, self.dtype, values.dtype)
    return like(self)


def _refuse_values(shape: Sequence[int], target: Sequence[int], to: DType, dtype: DType) -> None:
    """Raise for values that do not fit where they shall go: first for their shape."""
    if not _expandable(shape, target):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(shape)} cannot be broadcast to "
            f"indexing result of shape {list(target)}"
        )
    if dtype != to:
        raise index_put_dtypes(scalar_name(to), scalar_name(dtype))


#: Of so many numbers the places are kept, so that several may be added to one.
_FEW = 4096


def prepare_index_put(
    self: Any, indices: Sequence[Any], values: Any, accumulate: bool
) -> Callable[..., Any]:
    """Masks, of which the numbers decide the shape, go the long way."""
    given = [index for index in indices if index is not None]
    numbers = all(index.dtype.kind == "i" and index.size for index in given)
    if not (given and numbers and self.size and values.dtype == self.dtype):
        return _index_put
    if accumulate and not (self.flags.c_contiguous and self.size <= _FEW):
        return _index_put
    plan, common = planned(self.shape, indices)
    place = place_of_indices(plan)
    shown = [n for n, p in zip(self.shape, plan, strict=False) if isinstance(p, slice)]
    shown += list(self.shape[len(plan) :])
    target = (*shown[:place], *common, *shown[place:])
    _refuse_values(values.shape, target, dtype_of(self.dtype), dtype_of(values.dtype))
    whole, fits = slice(None), values.shape == target
    plain, spread = self.flags.c_contiguous, np.broadcast_to

    def put(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Any:
        out = self.copy() if plain else cloned(self)
        try:
            out[tuple([whole if index is None else index for index in indices])] = values
        except IndexError:
            return _index_put(self, indices, values, accumulate)  # in torch's words
        return out

    if not accumulate:
        return put
    places = np.arange(self.size).reshape(self.shape)
    add = (np.logical_or if self.dtype.kind == "b" else np.add).at

    def add_up(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Any:
        try:
            at = places[tuple([whole if index is None else index for index in indices])]
        except IndexError:
            return _index_put(self, indices, values, accumulate)
        out = self.copy()
        given = values if fits else spread(values, target)
        add(out.reshape(-1), at.reshape(-1), given.reshape(-1))
        return out

    return add_up


def _index_put(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Any:
    out = cloned(self)
    if values.dtype != self.dtype and fills(indices, values, accumulate):
        number = values.reshape(()).item()
        checked(number, dtype_of(self.dtype))
        real = isinstance(number, complex) and self.dtype.kind != "c"
        values = np.asarray(number.real if real else number).astype(self.dtype)
    plan, whole = planned(self.shape, indices)
    if 0 in self.shape:
        in_range(self.shape, list(plan), whole)
    arrays = [p for p in plan if not isinstance(p, slice)]
    common = np.broadcast_shapes(*[p.shape for p in arrays if p.dtype.kind != "b"])
    if any(is_flag(p) for p in arrays):
        target = out[tuple(plan)].shape
    else:
        place = place_of_indices(plan)
        shown = [n for n, p in zip(self.shape, plan, strict=False) if isinstance(p, slice)]
        shown += list(self.shape[len(plan) :])
        target = (*shown[:place], *common, *shown[place:])
    _refuse_values(values.shape, target, dtype_of(self.dtype), dtype_of(values.dtype))
    at = in_range(self.shape, plan, whole)
    if accumulate:
        add_at(out, at, values)
    else:
        out[at] = values
    return out


def gradient_of_self(g: Any, c: Any) -> Any:
    if c.accumulate:
        return g
    return direct_call("index_put", g, c.indices, zeros_of(g, tuple(c.values.shape)), False)


def _refuse_overlap(overload: Overload, args: tuple[Any, ...], target: Any) -> None:
    """Look at the memory of a write by indices; one number under a mask is a ``masked_fill_``."""
    indices = args[1]
    if len(indices) > target.dim():
        raise too_many(target.dim(), len(indices))
    check_itself(overload.row, target)
    if args[2].numel() == 1 and fills(*args[1:4]):
        check_itself(OVERLOADS["aten::masked_fill_.Tensor"].row, target)
        return
    check_operands(overload, args, target)
    for index in indices:
        if index is not None:
            refuse_shared(target, index)


def _expandable(shape: Sequence[int], target: Sequence[int]) -> bool:
    if len(shape) > len(target):
        return False
    return all(a == b or a == 1 for a, b in zip(reversed(shape), reversed(target), strict=False))


op(
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    says="Return a copy in which the elements at the given indices are replaced by "
    "values, or increased by them.",
    meta=index_put_meta,
    prepare=prepare_index_put,
    half=False,
    inplace=InplaceForm(
        overlap="deprecated: This also applies to advanced indexing e.g. tensor[indices] = tensor",
        writes=True,
        overlap_check=_refuse_overlap,
    ),
    out=OutForm(function=False, meta="native"),
    grad={
        "self": gradient_of_self,
        "values": lambda g, c: direct_call("index.Tensor", g, c.indices),
    },
    samples="index_put",
    tags=("rounds",),
    warns=index_put_warns,
    warns_of=("uint8",),
    devices=DeviceRule(indexed=True),
    looks=looks.indexed,
    autocast=("", "promote"),
)
