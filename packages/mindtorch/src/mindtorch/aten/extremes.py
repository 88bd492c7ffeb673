"""Largest and smallest elements, and where they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, int64

from mindtorch.aten.reflected import watched
from mindtorch.call.elementwise_meta import COMPLEX, UNSIGNED, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import all_dims, contiguous, reduced_shape, wrap_dim
from mindtorch.core.half_precision import are_many_halves, widened
from mindtorch.core.operators import ops

from .tangent_rules import of_equals

__all__: list[str] = []


def _need_elements(name: str, self: Any, dims: Any) -> tuple[int, ...]:
    """The wrapped dims of an extreme, which has no value over nothing."""
    shape = self.shape
    axes = all_dims(dims, len(shape))
    if 0 in shape:
        if dims is None or (not isinstance(dims, int) and not dims):
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                "Specify the reduction dim with the 'dim' argument."
            )
        given = (dims,) if isinstance(dims, int) else dims
        for d in given if given is not None else axes:
            if shape[d] == 0:
                raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    return axes


def _extreme_meta(name: str, refused: str) -> Any:
    def meta(self: Any, dim: Any = (), keepdim: bool = False) -> Out:
        axes = _need_elements(name, self, dim)
        if self.numel():
            refuse(self.dtype, {refused: COMPLEX | UNSIGNED}, self)
        return Out(reduced_shape(self.shape, axes, keepdim), self.dtype)

    return meta


def _extreme(ufunc: Any) -> Any:
    """``prepare`` of a reduction by *ufunc* over some dims, or over all."""

    def prepare(self: Any, dim: Any = (), keepdim: bool = False) -> Callable[..., Any]:
        axes = tuple(sorted(all_dims(dim, self.ndim)))
        if axes and are_many_halves(self):
            single, half = prepare(widened(self), dim, keepdim), self.dtype
            return lambda self, *_: single(widened(self)).astype(half)
        if not axes:
            return lambda self, *_: self.copy("C")
        shape, reduce, dense = reduced_shape(self.shape, axes, keepdim), ufunc.reduce, contiguous
        if self.flags.c_contiguous and shape == reduced_shape(self.shape, axes, True):
            return lambda self, *_: reduce(self, axes, None, None, True)
        if not shape:
            dtype, empty = self.dtype, np.empty
            return lambda self, *_: reduce(self, None, None, empty((), dtype))
        return lambda self, *_: dense(reduce(self, axes)).reshape(shape)

    return prepare


def shared_among_equals(
    g: Any, x: Any, result: Any, dims: Any, keepdim: bool, nan: bool = False
) -> Any:
    """The gradient of an extreme, divided among the elements that attain it.

    With *nan*, a NaN result is attained by the NaN elements (torch does so for the full form).
    """
    if nan:
        return evenly_distributed(g, x, result)
    mask = _restored(result, dims, keepdim) == x
    shared = _shared(_restored(g, dims, keepdim), mask, dims)
    return shared if x.dim() or not shared.dim() else shared.sum()


def evenly_distributed(g: Any, x: Any, result: Any) -> Any:
    """The gradient of a full extreme or median, divided among the elements that attain it.

    Source: torch csrc/autograd/FunctionsManual.cpp, evenly_distribute_backward.
    """
    if not watched(g, x, result):
        unknown = x.is_floating_point() and result.isnan().item()
        mask = x.isnan() if unknown else x == result
        return g.new_zeros(x.shape).masked_fill_(mask, g / mask.sum())
    if not x.is_floating_point():
        mask = x == result
    else:
        unknown = x.isnan().logical_and(result.isnan())
        mask = (x == result).logical_or_(unknown)
    return mask * (g / mask.sum())


def _shared(g: Any, mask: Any, dims: Any) -> Any:
    return (g / mask.sum(dims, True)) * mask


def _restored(t: Any, dims: Sequence[int], keepdim: bool) -> Any:
    """*t* with sizes of one where dimensions were reduced; as it is where all of them were.

    Source: torch csrc/autograd/FunctionsManual.cpp, restore_reduced_dims.
    """
    if keepdim:
        return t
    ndim = t.dim() + len(dims)
    reduced = {d % ndim for d in dims}
    sizes = iter(t.shape)
    return t.reshape(tuple([1 if d in reduced else next(sizes) for d in range(ndim)]))


_CAN_CAST = (
    "cast: Expected canCast( typeMetaToScalarType(self.dtype()), "
    "typeMetaToScalarType(out.dtype())) to be true, but got false.  (Could this error message be "
    "improved?  If so, please report an enhancement request to PyTorch.)"
)
_SAME_AS_INPUT = (
    "Expected the dtype for input and out to match, but got {result} for input's dtype and {out} "
    "for out's dtype."
)
for _name, _ufunc, _found in (
    ("max", np.maximum, "largest"),
    ("min", np.minimum, "smallest"),
):
    op(
        f"{_name}(Tensor self) -> Tensor",
        says=f"Return the {_found} element, of the whole tensor or along a dimension; "
        "element by element of two tensors.",
        meta=_extreme_meta(_name, f"{_name}_all"),
        prepare=_extreme(_ufunc),
        reduces=_ufunc,
        half=False,
        out=OutForm("unary_out", text=_CAN_CAST),
        grad={"self": lambda g, c: shared_among_equals(g, c.self, c.result, None, False, True)},
        tangent=of_equals,
        node=1,
        batch=("reduced_by", f"a{_name}", False),
        samples="extreme",
    )
    op(
        f"a{_name}(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
        says=f"Return the {_found} elements over dimensions; equal ones share the gradient.",
        meta=_extreme_meta(f"a{_name}", f"{_name}_values_cpu"),
        prepare=_extreme(_ufunc),
        out=OutForm(text=_SAME_AS_INPUT),
        reduces=_ufunc,
        tags=("real_only",),
        grad={"self": lambda g, c: shared_among_equals(g, c.self, c.result, c.dim, c.keepdim)},
        samples="amax",
    )


def _aminmax_meta(self: Any, dim: int | None, keepdim: bool) -> tuple[Out, Out]:
    shape = self.shape
    axes = all_dims(dim, len(shape))
    if dim is None:
        if 0 in shape:
            raise RuntimeError(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has "
                "no identity."
            )
    elif shape and shape[axes[0]] == 0:
        raise IndexError(f"aminmax: Expected reduction dim {axes[0]} to have non-zero size.")
    if dim is not None and not shape and self.dtype.is_complex and self.device.type != "meta":
        raise RuntimeError(f"aminmax not implemented for {self.dtype.scalar_type}")
    if shape or dim is None:
        refuse(self.dtype, {"aminmax_cpu": COMPLEX | UNSIGNED}, self)
    one = Out(reduced_shape(shape, axes, keepdim), self.dtype)
    return one, one


_min, _max = _extreme(np.minimum), _extreme(np.maximum)


def _prepare_aminmax(self: Any, dim: int | None, keepdim: bool) -> Callable[..., tuple[Any, Any]]:
    least, most = _min(self, dim, keepdim), _max(self, dim, keepdim)
    return lambda self, *_: (least(self), most(self))


def _aminmax_grad(g: Any, c: Any) -> Any:
    x, low, high = c.self, c.result0, c.result1
    dims = () if c.dim is None else (wrap_dim(c.dim, x.dim()),)
    parts = []
    for one, result in ((g[0], low), (g[1], high)):
        if one is not None:
            one = _restored(one, dims, c.keepdim)
            parts.append(_shared(one, x == _restored(result, dims, c.keepdim), dims))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


op(
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    says="""Return the smallest and the largest element, of the whole tensor or along a dimension.

    >>> torch.aminmax(torch.tensor([3, 1, 2]))
    torch.return_types.aminmax(
    min=tensor(1),
    max=tensor(3))
    """,
    meta=_aminmax_meta,
    prepare=_prepare_aminmax,
    out=True,
    grad={"self": _aminmax_grad},
    samples="aminmax",
    tags=("joins: min, max",),
)


# -- where the extremes are ---------------------------------------------------------------------


def _arg_meta(name: str) -> Any:
    def meta(self: Any, dim: int | None, keepdim: bool) -> Out:
        shape = self.shape
        if self.dtype.is_complex:
            raise RuntimeError(f"{name}(): does not support complex input")
        if self.dtype is bool_:
            raise RuntimeError(f"{name}(): does not support bool input")
        axes = all_dims(dim, len(shape))
        if dim is not None:
            if shape and shape[axes[0]] == 0:
                raise IndexError(
                    f"{name}(): Expected reduction dim {axes[0]} to have non-zero size."
                )
        elif 0 in shape:
            raise IndexError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            )
        refuse(self.dtype, {f"{name}_cpu": UNSIGNED}, self)
        return Out(reduced_shape(shape, axes, keepdim), int64)

    return meta


def _arg(name: str) -> Any:
    """``prepare`` of the index of an extreme; *name* is that of numpy's method."""

    def prepare(self: Any, dim: int | None, keepdim: bool) -> Callable[..., Any]:
        axes = all_dims(dim, self.ndim)
        shape = reduced_shape(self.shape, axes, keepdim)
        if not self.ndim or not self.size:
            return lambda self, *_: np.zeros(shape, np.int64)
        find, empty, int64 = getattr(np.ndarray, name), np.empty, np.dtype(np.int64)
        if dim is None:
            return lambda self, *_: find(self, None, empty((), int64)).reshape(shape)
        d = axes[0]
        if self.ndim == 1:
            return lambda self, *_: find(self, d, empty((), int64)).reshape(shape)
        return lambda self, *_: contiguous(find(self, d)).reshape(shape)

    return prepare


def _with_index_meta(name: str) -> Any:
    def meta(self: Any, dim: int, keepdim: bool) -> tuple[Out, Out]:
        shape = self.shape
        d = wrap_dim(dim, len(shape))
        if shape and shape[d] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
        if self.dtype.is_complex:
            raise RuntimeError(f"{name}(): does not support complex input")
        out = reduced_shape(shape, (d,), keepdim)
        return Out(out, self.dtype), Out(out, int64)

    return meta


def row_starts(shape: Sequence[int], dim: int, keepdim: bool) -> Any:
    """Where the rows along *dim* begin, as places of flat memory."""
    inner = math.prod(shape[dim + 1 :])
    begin = np.arange(0, math.prod(shape), shape[dim] * inner)[:, None] + np.arange(inner)
    return begin.reshape(reduced_shape(shape, (dim,), keepdim))


#: The places of so many rows are kept from one call to the next.
_KEPT = 4096


def selecting(place: Callable[..., Any]) -> Callable[..., Callable[..., tuple[Any, Any]]]:
    """``prepare`` of an op that picks one element of each row: what they are, and where.

    :param place: ``place(array, dim, *facts)``: the places, with *dim* kept as one or without it.
    """

    def prepare(self: Any, *args: Any) -> Callable[..., tuple[Any, Any]]:
        *facts, dim, keepdim = args
        if not self.ndim:
            return lambda self, *args: (self.copy(), np.zeros((), np.int64))
        d = wrap_dim(dim, self.ndim)
        shape = reduced_shape(self.shape, (d,), keepdim)
        if not self.size:
            return lambda self, *args: (np.empty(shape, self.dtype), np.empty(shape, np.int64))
        inner, asarray, sizes = math.prod(self.shape[d + 1 :]), np.asarray, self.shape
        kept = row_starts(sizes, d, keepdim) if self.size <= _KEPT * sizes[d] else None

        def kernel(self: Any, *args: Any) -> tuple[Any, Any]:
            where = asarray(place(self, d, *facts)).reshape(shape)
            at = where if inner == 1 else where * inner
            starts = row_starts(sizes, d, keepdim) if kept is None else kept
            return asarray(self.take(at + starts)), contiguous(where)

        return kernel

    return prepare


def selected_grad(g: Any, dim: int, indices: Any, shape: Sequence[int], keepdim: bool) -> Any:
    """Gradient of an op that picks one element per row: put it where the element was."""
    if not keepdim and len(shape):
        g, indices = g.unsqueeze(dim), indices.unsqueeze(dim)
    return g.new_zeros(shape).scatter(dim, indices, g)


op(
    "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, "
    "bool keepdim) -> Tensor",
    composite=lambda g, dim, indices, sizes, keepdim: selected_grad(
        g, dim, indices, sizes, keepdim
    ),
    variants="",
)


for _name, _arg_function, _found in (
    ("max", np.ndarray.argmax, "largest"),
    ("min", np.ndarray.argmin, "smallest"),
):
    op(
        f"{_name}.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        meta=_with_index_meta(_name),
        prepare=selecting(_arg_function),
        half=False,
        out=OutForm(
            f"dim_{_name}",
            names=(_name, "max_values" if _name == "max" else "min_indices"),
            meta="native",
            overlap="apart",
        ),
        grad={"self": lambda g, c: selected_grad(g[0], c.dim, c.result1, c.self.shape, c.keepdim)},
        samples="max_dim",
    )
    op(
        f"arg{_name}(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
        says=f"Return the index of the {_found} element, flattened or along a dimension.",
        meta=_arg_meta(f"arg{_name}"),
        prepare=_arg(f"arg{_name}"),
        out=OutForm(meta="native", overlap="unchecked"),
        samples="argmax",
    )

op(
    "max.other(Tensor self, Tensor other) -> Tensor",
    says="Return the largest element; along a dimension with its index; of two tensors "
    "the larger elements.",
    composite=lambda self, other: ops.maximum(self, other),
    out=OutForm(dtype="cast"),
    out_kernel=lambda target, *args: ops.maximum(*args, out=target),
    samples="binary_real",
)
op(
    "min.other(Tensor self, Tensor other) -> Tensor",
    says="Return the smallest element; along a dimension with its index; of two "
    "tensors the smaller elements.",
    composite=lambda self, other: ops.minimum(self, other),
    out=OutForm(dtype="cast"),
    out_kernel=lambda target, *args: ops.minimum(*args, out=target),
    samples="binary_real",
)
