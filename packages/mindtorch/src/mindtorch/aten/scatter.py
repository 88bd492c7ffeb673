"""Elements collected and spread along a dimension: gather, scatter and reductions into places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_autograd.errors import invalid_gradient

from mindtorch.aten.derivatives import delayed_refusal, not_implemented_for
from mindtorch.aten.index_bounds import bounds, flat_places
from mindtorch.aten.indexing import add_at
from mindtorch.aten.reduction_steps import average, neutral, ufunc_of
from mindtorch.aten.reflected import watched
from mindtorch.aten.scalars import cast, checked
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, UNSIGNED, refuse
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import wrap_dim
from mindtorch.core.operators import ops
from mindtorch.core.warning import warn_once

from ..call.forms import Corrected
from . import tangent_rules

__all__ = ["gather_backward"]


def _sizes(x: Any) -> list[int]:
    """The shape of a tensor, ``[1]`` for a scalar."""
    return list(x.shape) or [1]


def _check_dtypes(name: str, self: Any, index: Any, src: Any) -> None:
    if index.numel() and index.dtype.name not in ("int32", "int64"):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and self.dtype != src.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")


def _gather_meta(self: Any, dim: int, index: Any, sparse_grad: bool) -> Out:
    shape = tuple(index.shape)
    d = wrap_dim(dim, len(self.shape))
    if index.numel():
        if index.dtype.name not in ("int32", "int64"):
            raise RuntimeError("gather(): Expected dtype int32/int64 for index")
        mine, other = _sizes(self), _sizes(index)
        if len(mine) != len(other):
            raise RuntimeError(
                "Index tensor must have the same number of dimensions as input tensor"
            )
        for i, (n, m) in enumerate(zip(mine, other, strict=True)):
            if i != d and m > n:
                raise RuntimeError(
                    f"Size does not match at dimension {i} expected index "
                    f"{list(index.shape)} to be no larger than self {list(self.shape)} "
                    f"apart from dimension {d}"
                )
        refuse(self.dtype, {"scatter_gather_tensor_cpu": UNSIGNED}, self)
    return Out(shape, self.dtype)


def _finder(self: Any, dim: int, index: Any) -> Callable[[Any], Any]:
    """What gives the places, in flat memory like that of *self*, that indices along *dim* name."""
    rows, sizes = self.shape or (1,), index.shape or (1,)
    d = wrap_dim(dim, len(rows))
    size, find_bounds, places = rows[d], bounds(index.size), flat_places(rows, sizes, d)
    reshapes = sizes != index.shape

    def find(index: Any) -> Any:
        lowest, highest = find_bounds(index)
        if lowest < 0 or highest >= size:
            raise _out_of_bounds(index, d, size)
        return places(index.reshape(sizes) if reshapes else index)

    return find


def _out_of_bounds(index: Any, d: int, size: int) -> Exception:
    bad = index[(index < 0) | (index >= size)].reshape(-1)[0]
    return RuntimeError(f"index {bad} is out of bounds for dimension {d} with size {size}")


def _row_finder(self: Any, dim: int, index: Any) -> Callable[[Any], Any] | None:
    """What gives the rows along *dim* that an expanded index names, each element of them.

    None for an index that names elements one by one.
    """
    shape = index.shape
    d = wrap_dim(dim, max(len(shape), 1))
    others = [i for i in range(len(shape)) if i != d]
    expanded = all(shape[i] == self.shape[i] and not index.strides[i] for i in others)
    if not others or not expanded:
        return None
    size, find_bounds = self.shape[d], bounds(shape[d])
    first = tuple([slice(None) if i == d else 0 for i in range(len(shape))])

    def find(index: Any) -> Any:
        rows = index[first]
        lowest, highest = find_bounds(rows)
        if lowest < 0 or highest >= size:
            raise _out_of_bounds(rows, d, size)
        return rows

    return find


def _gather(self: Any, dim: int, index: Any, sparse_grad: bool) -> Callable[..., Any]:
    shape, dtype = index.shape, self.dtype
    if not index.size:
        return lambda self, *_: np.empty(shape, dtype)
    rows = _row_finder(self, dim, index)
    if rows is not None:
        return lambda self, dim, index, _: self.take(rows(index), dim)
    find = _finder(self, dim, index)
    if not shape:
        return lambda self, dim, index, _: self.take(find(index)).reshape(())
    return lambda self, dim, index, _: self.take(find(index))


def gather_backward(g: Any, source: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    """The gradient of the elements of *source* that *index* names along *dim*."""
    if sparse_grad:
        return ops._gather_sparse_backward(source, dim, index, g)
    return g.new_zeros(source.shape).scatter_add(dim, index, g)


op(
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    says="""Pick elements along a dimension by index, one for each element of the index.
    The index has as many dimensions as the input, and the result has its shape.

    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0], [1]]))
    tensor([[1],
            [4]])
    """,
    meta=_gather_meta,
    prepare=_gather,
    half=False,
    out=OutForm(meta="native", overlap="apart"),
    # The source is kept whole, as torch keeps it, which may ask whether it was changed since.
    grad={"self": lambda g, c: gather_backward(g, c.self, c.dim, c.index, c.sparse_grad)},
    samples="gather",
    tangent="linear",
)


# -- scatter ------------------------------------------------------------------------------------


def _scatter_meta(name: str) -> Any:
    def meta(self: Any, dim: int, index: Any, src: Any, *rest: Any) -> Out:
        d = wrap_dim(dim, len(self.shape))
        tensor = src if hasattr(src, "shape") else None
        _check_dtypes(name, self, index, tensor)
        if tensor is None:
            checked(src, self.dtype)
        if index.numel():
            _check_sizes(self, d, index, tensor)
            kernel = "scatter_gather_scalar_cpu" if tensor is None else "scatter_gather_tensor_cpu"
            refuse(self.dtype, {kernel: UNSIGNED}, self)
        return Out(tuple(self.shape), self.dtype)

    return meta


def _check_sizes(self: Any, dim: int, index: Any, src: Any) -> None:
    """torch aten/src/ATen/native/ScatterGatherChecks.h, scatter_shape_check."""
    mine, other = _sizes(self), _sizes(index)
    if len(mine) != len(other):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    wrong = any(i != dim and m > n for i, (n, m) in enumerate(zip(mine, other, strict=True)))
    if src is not None:
        if not wrong:
            sizes = _sizes(src)
            for i, m in enumerate(other):
                wrong = wrong or m > sizes[wrap_dim(i, len(sizes))]
        if len(_sizes(src)) != len(other):
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
        if wrong:
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than self "
                f"{list(self.shape)} apart from dimension {dim} and to be no larger size than "
                f"src {list(src.shape)}"
            )
    elif wrong:
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(self.shape)} "
            f"apart from dimension {dim}"
        )


def _part(src: Any, index: Any) -> Callable[[Any], Any]:
    """What gives of a source the part that the index has the shape of, as one row of numbers."""
    sizes = index.shape or (1,)
    part = None if src.shape == sizes else tuple([slice(n) for n in sizes])
    whole = src.shape or (1,)
    if part is None or whole == sizes:
        return lambda src: src.reshape(-1)
    return lambda src: src.reshape(whole)[part].reshape(-1)


def _given(self: Any, index: Any, src: Any) -> Callable[[Any], Any]:
    """What gives the numbers that are written: those of a source, or one."""
    if isinstance(src, np.ndarray):
        return _part(src, index)
    number = np.asarray(cast(src, self.dtype))
    return lambda src: number


def _prepare_scatter(self: Any, dim: int, index: Any, src: Any) -> Callable[..., Any]:
    if not index.size:
        return lambda self, *_: self.copy()
    find, given = _finder(self, dim, index), _given(self, index, src)

    def kernel(self: Any, dim: int, index: Any, src: Any) -> Any:
        out = self.copy()
        out.reshape(-1)[find(index).reshape(-1)] = given(src)
        return out

    return kernel


#: Older names of two reductions.
_NAMES = {"add": "sum", "multiply": "prod"}


def _prepare_scatter_with(
    self: Any, dim: int, index: Any, src: Any, reduce: str = "add"
) -> Callable[..., Any]:
    if not index.size:
        return lambda self, *_: self.copy()
    rows = _row_finder(self, dim, index)
    if rows is not None and reduce == "add" and isinstance(src, np.ndarray):
        part = tuple([slice(n) for n in index.shape])

        def add_rows(self: Any, dim: int, index: Any, src: Any, *_: Any) -> Any:
            out = self.copy()
            add_at(np.moveaxis(out, dim, 0), (rows(index),), np.moveaxis(src[part], dim, 0))
            return out

        return add_rows
    find, given = _finder(self, dim, index), _given(self, index, src)
    put = ufunc_of(self.dtype, _NAMES[reduce]).at

    def kernel(self: Any, dim: int, index: Any, src: Any, *_: Any) -> Any:
        out = self.copy()
        put(out.reshape(-1), find(index).reshape(-1), given(src))
        return out

    return kernel


def _scatter_reduce_meta(self: Any, dim: int, index: Any, src: Any, reduce: str) -> Out:
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    return _scatter_meta("scatter")(self, dim, index, src)


def _of_source(gradient: Any, shape: Any, c: Any) -> Any:
    """*gradient* itself. Raises RuntimeError where indices are fewer than the elements of src."""
    if tuple(gradient.shape) != tuple(shape):
        text = f"got {list(gradient.shape)} but expected shape compatible with {list(shape)}"
        raise invalid_gradient(type(c).__name__, 1, text)
    return gradient


op(
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    says="""Return a copy into which src is written along a dimension where index says.
    Where an index occurs twice, one of the values stays.

    >>> torch.scatter(torch.zeros(2, 3), 1, torch.tensor([[2], [0]]), 7.0)
    tensor([[0., 0., 7.],
            [7., 0., 0.]])
    """,
    meta=_scatter_meta("scatter"),
    prepare=_prepare_scatter,
    half=False,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm("src_out", meta="native", overlap="first: whole of self, apart"),
    grad={
        "self": lambda g, c: g.scatter(c.dim, c.index, 0),
        "src": lambda g, c: _of_source(g.gather(c.dim, c.index), c.src.shape, c),
    },
    samples="scatter_src",
    tags=("loops: inplace",),
)


op(
    "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    meta=_scatter_meta("scatter"),
    prepare=_prepare_scatter,
    half=False,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm("value_out", meta="native", overlap="first: whole of self, apart"),
    grad={"self": lambda g, c: g.scatter(c.dim, c.index, 0)},
    samples="scatter_value",
    node=1,
    tags=("loops: inplace",),
)


def _warn_of_reduce(*args: Any) -> None:
    warn_once(
        "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in "
        "a future PyTorch release. Use torch.scatter_reduce instead for more reduction options.",
    )


op(
    "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
    meta=_scatter_reduce_meta,
    prepare=_prepare_scatter_with,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm("reduce_out", meta="native", overlap="first: whole of self, apart"),
    grad=not_implemented_for("scatter", "self", "src"),
    samples="scatter_reduce",
    warns=_warn_of_reduce,
    tags=("loops: inplace",),
)
op(
    "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce)"
    " -> Tensor",
    meta=_scatter_reduce_meta,
    prepare=_prepare_scatter_with,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm("value_reduce_out", meta="native", overlap="first: whole of self, apart"),
    grad=not_implemented_for("scatter", "self"),
    samples="scatter_value_reduce",
    tags=("loops: inplace",),
)
op(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    says="""Return a copy to which src is added along a dimension where index says.

    >>> torch.scatter_add(torch.zeros(3), 0, torch.tensor([0, 2, 2]), torch.tensor([1.,
    ...     2., 3.]))
    tensor([1., 0., 5.])
    """,
    meta=_scatter_meta("scatter"),
    prepare=_prepare_scatter_with,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm(meta="native", overlap="first: whole of self, apart"),
    grad={
        "self": lambda g, c: g,
        "src": lambda g, c: _of_source(g.gather(c.dim, c.index), c.src.shape, c),
    },
    samples="scatter_src",
    autocast=("", "promote"),
)


#: Names that reductions have beside their own, without a gradient.
_SHORT = {"max": "amax", "min": "amin"}


def _reduce_two_meta(
    self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool
) -> Out:
    reduce = _SHORT.get(reduce, reduce)
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    if reduce == "mean":
        refuse(self.dtype, {"scatter_gather_tensor_cpu_reduce_mean": BOOL}, self)
    elif reduce in ("amax", "amin"):
        refuse(self.dtype, {f"scatter_gather_tensor_cpu_reduce_{reduce}": COMPLEX}, self)
    return _scatter_meta("scatter")(self, dim, index, src)


def _prepare_reduce_two(
    self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool
) -> Callable[..., Any]:
    if not index.size:
        return lambda self, *_: self.copy()
    reduce = _SHORT.get(reduce, reduce)
    find, given = _finder(self, dim, index), _given(self, index, src)
    put, start, size = ufunc_of(self.dtype, reduce).at, neutral(self.dtype, reduce), self.size

    def kernel(self: Any, dim: int, index: Any, src: Any, *_: Any) -> Any:
        out, places = self.copy(), find(index).reshape(-1)
        flat = out.reshape(-1)
        if not include_self:
            flat[places] = start
        put(flat, places, given(src))
        if reduce == "mean":
            count = np.bincount(places, minlength=size)
            average(flat, count + 1 if include_self else count)
        return out

    return kernel


def _reduce_two_grad(g: Any, c: Any) -> tuple[Any, Any]:
    x, src, dim, index = c.self, c.src, c.dim, c.index
    include = c.include_self
    reduce, result = c.reduce, c.result
    if reduce in _SHORT:
        raise RuntimeError(
            "Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got "
            f"{reduce}."
        )
    if reduce == "sum":
        g_self, g_src = g, g.gather(dim, index)
    elif reduce == "mean":
        count = ops.ones_like(g) if include else ops.zeros_like(g)
        count = count.scatter_add(dim, index, ops.ones_like(src))
        count.masked_fill_(count == 0, 1)
        g_self = g / count
        count = count.gather(dim, index)
        g_src = g.gather(dim, index) / count
    elif reduce in ("amax", "amin"):
        chosen = result.gather(dim, index)
        mine = (x == result).to(x.dtype)
        theirs = (src == chosen).to(x.dtype)
        shared = g / mine.scatter_add(dim, index, theirs)
        g_self = (x == result) * shared
        shared = shared.gather(dim, index)
        g_src = (src == chosen) * shared
    else:
        g_self, g_src = _prod_grads(g, x, dim, index, src, result, include)
    if not include:
        g_self = g_self.scatter(dim, index, 0)
    return g_self, _of_source(g_src, src.shape, c)


def _prod_grads(
    g: Any, x: Any, dim: int, index: Any, src: Any, result: Any, include: bool
) -> tuple[Any, Any]:
    # A single zero among the factors still has a gradient: the product of the others.
    filled = x.masked_fill(x == 0, 1)
    without = ops.scatter_reduce(filled, dim, index, src, "prod", include_self=include)
    g_self = g * without / filled
    zero = src == 0
    count = ops.zeros_like(x).scatter_add(dim, index, zero.to(x.dtype)).gather(dim, index)
    single = zero & (count == 1)
    others = ops.scatter_reduce(
        x, dim, index, src.masked_fill(single, 1), "prod", include_self=include
    )
    filled = src.masked_fill(zero, 1)
    ratio = (g * result).gather(dim, index) / filled
    g_src = ops.where(single, (g * others).gather(dim, index), ratio)
    if not (watched(g, count) or g.is_complex()) and (count > 1).any().item():
        g_src = delayed_refusal(
            g_src,
            "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src are "
            "scattered to the same position in self",
        )
    return g_self, g_src


op(
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
    "bool include_self=True) -> Tensor",
    says="""Return a copy into which src is reduced along a dimension where index says.

    >>> torch.scatter_reduce(torch.ones(3), 0, torch.tensor([0, 2, 2]),
    ...     torch.tensor([1., 2., 3.]), 'prod')
    tensor([1., 1., 6.])
    """,
    meta=_reduce_two_meta,
    prepare=_prepare_reduce_two,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm("two_out", overlap="first: whole of self, apart"),
    grad={"self, src": _reduce_two_grad},
    samples="scatter_reduce_two",
    tangent=Corrected(tangent_rules.not_of_products),
    tags=("real_only",),
)
