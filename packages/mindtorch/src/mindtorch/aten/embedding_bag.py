"""Sums, means and maxima of rows of a table: ``embedding_bag``; and ``embedding_renorm_``.

Source: torch aten/src/ATen/native/EmbeddingBag.cpp, Embedding.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import promote_types

from ..call.elementwise_meta import COMPLEX, FLOATING, refuse
from ..call.row import Out, op
from ..core.dims import scalar_name, type_string
from ..core.operators import ops
from ..functionality.tangents import tangent_of
from .derivatives import listed_as_not_implemented, no_formula_for
from .index_bounds import bounds
from .indexing import add_at
from .vector_norm import vector_norm

__all__: list[str] = []

SUM, MEAN, MAX = range(3)
_INDICES = ("int64", "int32")
#: A tensor's type by the size of its integers.
_TYPES = {4: "IntTensor", 8: "LongTensor"}
_FAST = ("float16", "bfloat16", "float32")


def _scalar_types(name: str, at: int, t: Any, kinds: str, function: str) -> RuntimeError:
    return RuntimeError(
        f"Expected tensor for argument #{at} '{name}' to have one of the following scalar types: "
        f"{kinds}; but got {type_string(t)} instead (while checking arguments for {function})"
    )


def _check(weight: Any, indices: Any, offsets: Any, mode: int, scales: Any, last: bool) -> None:
    if indices.dim() not in (1, 2):
        raise RuntimeError(
            f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {indices.dim()}"
        )
    for name, t, ndim in (("offsets", offsets, 1), ("weight", weight, 2)):
        if t.dim() != ndim:
            raise RuntimeError(
                f"{name} has to be a {ndim}D Tensor, but got Tensor of dimension {t.dim()}"
            )
    common = promote_types(offsets.dtype, indices.dtype)
    if common.name not in _INDICES:
        wrong = indices if common is indices.dtype else offsets
        raise _scalar_types("indices", 1, wrong, "Long, Int", "embedding_bag")
    if weight.dtype.name not in (*_FAST, "float64"):
        kinds = "Half, BFloat16, Float, Double"
        raise _scalar_types("weight", 1, weight, kinds, "embedding_bag")
    if scales is not None and mode != SUM:
        raise RuntimeError("embedding_bag: per_sample_weights only supported with mode='sum'")
    if mode not in (SUM, MEAN, MAX):
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if last and not offsets.shape[0]:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if scales is None:
        return
    if scales.dtype is not weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument "
            f"#1 'per_sample_weights'; but type {type_string(weight)} does not equal "
            f"{type_string(scales)} (while checking arguments for embedding_bag)"
        )
    if scales.dim() != 1:
        raise RuntimeError(
            "Expected per_sample_weights.value().dim() == 1 to be true, but got false.  (Could "
            "this error message be improved?  If so, please report an enhancement request to "
            "PyTorch.)"
        )
    if scales.numel() != indices.numel():
        raise RuntimeError(
            "Expected per_sample_weights.value().numel() == indices.numel() to be true, but got "
            "false.  (Could this error message be improved?  If so, please report an enhancement "
            "request to PyTorch.)"
        )


def _is_fast(dtype: str, stride: int, padding_idx: int, mode: int) -> bool:
    """Whether torch's kernel sums without a list of which bag each index belongs to."""
    return mode != MAX and dtype in _FAST and stride == 1 and padding_idx < 0


def _meta(forward_only: bool) -> Any:
    def meta(
        weight: Any, indices: Any, offsets: Any, scale_grad_by_freq: bool, mode: int, sparse: bool,
        per_sample_weights: Any, include_last_offset: bool, padding_idx: int,
    ) -> tuple[Out, ...]:  # fmt: skip
        _check(weight, indices, offsets, mode, per_sample_weights, include_last_offset)
        whole = offsets.shape[0]
        bags = whole - int(include_last_offset)
        width, kind = weight.shape[1], indices.dtype
        if weight.device.type != "meta":
            kind = promote_types(kind, offsets.dtype)
        fast = _is_fast(weight.dtype.name, weight.stride(1), padding_idx, mode)
        short = fast and mode == SUM and weight.device.type != "meta"
        on_meta = weight.device.type == "meta"
        counted = whole if on_meta or forward_only and mode == SUM else bags
        if mode == MAX:
            most: tuple[int, ...] = (bags, width)
        else:
            most = (0,) if weight.device.type == "meta" else (counted,)
        return (
            Out((bags, width), weight.dtype),
            Out((0,) if short else (indices.shape[0],), kind),
            Out((counted,), kind),
            Out(most, kind),
        )

    return meta


def _check_numbers(table: int, indices: Any, offsets: Any, last: bool) -> None:
    if offsets.size and offsets[0]:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {int(offsets[0])}\n[ torch.{_TYPES[offsets.itemsize]}{{}} ]"
        )
    if offsets.size and offsets[-1] > indices.shape[0]:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {indices.shape[0]} but got "
            f"offsets[-1] of {int(offsets[-1])}"
        )
    lowest, highest = bounds(indices.size)(indices)
    if lowest < 0 or highest >= table:
        at = int(((indices < 0) | (indices >= table)).argmax())
        raise RuntimeError(
            f"Index {at} of input takes value {int(indices[at])} which is not in the valid range "
            f"[0, {table})"
        )


def _bag_of_each(count: int, offsets: Any, bags: int) -> Any:
    starts = np.zeros(count + 1, np.int64)
    np.add.at(starts, offsets[1:bags], 1)
    return starts.cumsum()[:count]


def _bag(forward_only: bool) -> Any:
    def kernel(
        weight: Any, indices: Any, offsets: Any, scale_grad_by_freq: bool, mode: int, sparse: bool,
        scales: Any, last: bool, padding_idx: int,
    ) -> tuple[Any, ...]:  # fmt: skip
        _check_numbers(weight.shape[0], indices, offsets, last)
        dtype = weight.dtype
        kind = np.promote_types(indices.dtype, offsets.dtype)
        indices, offsets = indices.astype(kind, copy=False), offsets.astype(kind, copy=False)
        bags = offsets.shape[0] - bool(last)
        stride = weight.strides[1] // weight.itemsize if weight.ndim == 2 else 1
        name = dtype.name
        fast = _is_fast(name, stride, padding_idx, mode)
        which = _bag_of_each(indices.shape[0], offsets, bags)
        kept = slice(None) if padding_idx < 0 else np.flatnonzero(indices != padding_idx)
        used, home = indices[kept], which[kept]
        if not bags:  # no bag takes what there is
            used, home, scales = used[:0], home[:0], None
        sizes = np.zeros(offsets.shape[0] if forward_only and mode == SUM else bags, kind)
        if bags and mode != SUM:
            sizes = np.bincount(home, minlength=bags).astype(kind, copy=False)
        wide = np.float32 if dtype.itemsize == 2 else dtype
        if fast and last:  # what lies behind the last offset is nobody's
            within = np.arange(len(indices))[kept] < offsets[-1]
            used, home = used[within], home[within]
        rows = weight[used].astype(wide, copy=False)
        most: Any = None
        out = np.zeros((bags, weight.shape[1]), wide)
        if mode == MAX:
            out, most = _largest(rows, used, home, out, kind)
        else:
            if scales is not None:
                factors = scales[kept]
                factors = factors[within] if fast and last else factors
                rows = rows * factors.astype(wide)[:, None]
            add_at(out, (home,), rows)
        if mode == MEAN:
            out /= np.maximum(sizes, 1).astype(wide)[:, None]
        listed = np.zeros(0, kind) if fast and mode == SUM else which.astype(kind)
        return out.astype(dtype, copy=False), listed, sizes, sizes.copy() if most is None else most

    return kernel


def _largest(rows: Any, used: Any, home: Any, out: Any, kind: Any) -> tuple[Any, Any]:
    """The largest of each bag's *rows*, whose bags are in order, and the index it comes from.

    The first of equal ones counts. A comparison with NaN never holds, so it stays where it comes
    first and is passed over elsewhere.
    """
    most = np.zeros(out.shape, kind)
    if not home.size:
        return out, most
    starts = np.flatnonzero(np.diff(home, prepend=-1))
    filled, which = (
        home[starts],
        np.repeat(np.arange(len(starts)), np.diff(starts, append=len(home))),
    )
    first = rows[starts]
    comparable = np.where(np.isnan(rows), -np.inf, rows).astype(rows.dtype, copy=False)
    largest = np.maximum.reduceat(comparable, starts)
    reaching = comparable == largest[which]
    places = np.where(reaching, np.arange(len(rows))[:, None], len(rows))
    place = np.minimum.reduceat(places, starts)
    lost = np.isnan(first)
    out[filled] = np.where(lost, first, largest)
    most[filled] = used[np.where(lost, starts[:, None], place)]
    return out, most


def _grads(g: Any, c: Any) -> tuple[Any, Any]:
    weight = scales = None
    if c.mask[0] and c.sparse:
        weight = ops._embedding_bag_sparse_backward(
            g[0], c.indices, c.offsets, c.result1, c.result2, c.weight.shape[0],
            c.scale_grad_by_freq, c.mode, c.per_sample_weights, c.padding_idx,
        )  # fmt: skip
    elif c.mask[0]:
        weight = ops._embedding_bag_backward(
            g[0], c.indices, c.offsets, c.result1, c.result2, c.result3, c.weight.shape[0],
            c.scale_grad_by_freq, c.mode, c.sparse, c.per_sample_weights, c.padding_idx,
        )  # fmt: skip
    if c.mask[1] and c.per_sample_weights is not None:
        scales = ops._embedding_bag_per_sample_weights_backward(
            g[0], c.weight, c.indices, c.offsets, c.result1, c.mode, c.padding_idx
        )
    return weight, scales


_ARGUMENTS = (
    "(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
    "int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"
)
for _name in ("_embedding_bag", "_embedding_bag_forward_only"):
    _only = _name != "_embedding_bag"
    op(
        _name + _ARGUMENTS,
        meta=_meta(_only),
        kernel=_bag(_only),
        half=False,
        variants="",
        grad=(
            no_formula_for("_embedding_bag_forward_only", "weight", "per_sample_weights")
            if _only
            else {"weight, per_sample_weights": _grads}
        ),
        tangent="not implemented",
        samples="embedding_bag_forward" if _only else "embedding_bag_row",
        tags=("rounds",),
    )


def _backward_meta(
    grad: Any, indices: Any, offsets: Any, offset2bag: Any, bag_size: Any, maximum_indices: Any,
    num_weights: int, scale_grad_by_freq: bool, mode: int, sparse: bool, *rest: Any,
) -> Out:  # fmt: skip
    if sparse:
        raise RuntimeError("_embedding_bag_sparse_backward has the gradients of sparse layout")
    if scale_grad_by_freq and mode == MAX:
        pass  # torch counts no frequencies here
    return Out((num_weights, grad.shape[1]), grad.dtype)


def _backward(
    grad: Any, indices: Any, offsets: Any, which: Any, sizes: Any, most: Any, rows: int,
    by_frequency: bool, mode: int, sparse: bool, scales: Any, padding_idx: int,
) -> Any:  # fmt: skip
    out = np.zeros((rows, grad.shape[1]), grad.dtype)
    if not indices.size:
        return out
    if not which.size:
        which = _bag_of_each(indices.shape[0], offsets, grad.shape[0])
    if mode == MAX:
        filled = np.bincount(which[indices != padding_idx], minlength=grad.shape[0]) > 0
        columns = np.broadcast_to(np.arange(grad.shape[1]), most.shape)
        add_at(out, (most[filled], columns[filled]), grad[filled])
        return out
    kept = indices != padding_idx
    used, home = indices[kept], which[kept]
    parts = grad[home]
    if by_frequency:
        parts = parts / _frequencies(used, rows)[used].astype(parts.dtype)[:, None]
    if mode == MEAN:
        parts = parts / sizes[home].astype(parts.dtype)[:, None]
    elif scales is not None:
        parts = parts * scales[kept].astype(parts.dtype)[:, None]
    add_at(out, (used,), parts)
    return out


def _frequencies(used: Any, rows: int) -> Any:
    """What torch divides each row's gradient by: the count, but not always of that row.

    It looks the number of a row among those in use up in the sorted indices.
    """
    counts = np.bincount(used, minlength=rows)
    present = np.unique(used)
    out = counts.copy()
    out[present] = counts[np.sort(used)[: len(present)]]
    return out


op(
    "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, "
    "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, "
    "int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
    meta=_backward_meta,
    kernel=_backward,
    variants="",
    grad=no_formula_for("_embedding_bag_backward", "grad", "per_sample_weights"),
)


def _scales_backward(
    grad: Any, weight: Any, indices: Any, offsets: Any, which: Any, mode: int, padding_idx: int
) -> Any:
    if not which.size and indices.size:
        which = _bag_of_each(indices.shape[0], offsets, grad.shape[0])
    products = (grad[which] * weight[indices]).sum(-1)
    return np.where(indices == padding_idx, products.dtype.type(0), products)


op(
    "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, "
    "Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
    meta=lambda grad, weight, indices, *rest: Out((indices.shape[0],), grad.dtype),
    kernel=_scales_backward,
    variants="",
    grad=listed_as_not_implemented("_embedding_bag_per_sample_weights_backward", "grad", "weight"),
)


def _public(
    weight: Any, indices: Any, offsets: Any, scale_grad_by_freq: bool, mode: int, sparse: bool,
    per_sample_weights: Any, include_last_offset: bool, padding_idx: int | None = None,
) -> Any:  # fmt: skip
    pad = -1
    if padding_idx is not None:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise RuntimeError(
                f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, "
                f"but got {padding_idx}"
            )
        pad = padding_idx % rows
    slopes = weight.requires_grad or tangent_of(weight, 0) is not None
    function = ops._embedding_bag if slopes else ops._embedding_bag_forward_only
    return function(
        weight.contiguous(), indices, offsets, scale_grad_by_freq, mode, sparse,
        per_sample_weights, include_last_offset, pad,
    )  # fmt: skip


op(
    "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
    "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
    "bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)",
    says="Return sums, means or maxima of the rows of a table that bags of indices name."
    " Offsets say where each bag begins.",
    composite=_public,
    variants="function",
    samples="embedding_bag",
    tags=("loops: functional",),
)
op(
    "embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, "
    "bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, "
    "bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)",
    composite=_public,
    variants="function",
    samples="embedding_bag_padding",
    tags=("loops: functional",),
)


def _renorm_meta(self: Any, indices: Any, max_norm: float, norm_type: float) -> Out:
    function = "embedding_renorm_"
    if self.dim() != 2:
        raise RuntimeError(
            f"Expected 2-dimensional tensor, but got {self.dim()}-dimensional tensor for argument "
            f"#1 'self' (while checking arguments for {function})"
        )
    if indices.dtype.name not in _INDICES:
        raise _scalar_types("indices", 2, indices, "Long, Int", function)
    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. "
            f"Got {scalar_name(self.dtype)} instead."
        )
    refuse(self.dtype, {"norm_cpu": frozenset({self.dtype.name}) - FLOATING - COMPLEX}, self)
    return Out(tuple(self.shape), self.dtype, tuple(self.stride()))


def _renorm(self: Any, indices: Any, max_norm: float, norm_type: float) -> Any:
    rows = indices.flatten()
    rows.sort()
    if len(rows) > 1:
        first = np.empty(len(rows), bool)
        first[0] = True
        np.not_equal(rows[1:], rows[:-1], out=first[1:])
        rows = rows[first]
    if rows.size and (rows[0] < 0 or rows[-1] >= self.shape[0]):
        bad = rows[0] if rows[0] < 0 else rows[rows >= self.shape[0]][0]
        raise IndexError(
            f"select(): index {int(bad)} out of range for tensor of size {list(self.shape)} at "
            "dimension 0"
        )
    chosen = self.take(rows, 0)
    norms = vector_norm(chosen, norm_type, (1,), True, None).real.astype(np.float64)
    out = self.copy()
    over = (norms > max_norm)[:, 0].nonzero()[0]
    if len(over):
        scales = max_norm / (norms.take(over, 0) + 1e-7)
        out[rows.take(over)] = (chosen.take(over, 0) * scales).astype(self.dtype)
    return out


RENORM = op(
    "embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) "
    "-> Tensor(a!)",
    says="Scale down the rows of a table that indices name and whose norm exceeds a maximum.",
    meta=_renorm_meta,
    kernel=_renorm,
    half=False,
    variants="function",
    grad=no_formula_for("embedding_renorm_", "self"),
    samples="embedding_renorm",
    tags=("rounds", "loops: inplace"),
)
