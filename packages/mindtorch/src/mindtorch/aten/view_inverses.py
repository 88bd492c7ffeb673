"""How a change of a view reaches its base: what ``inverse`` of the view rows says.

Each gives the base with the elements of a changed view in their place. Where views stay views, so
do those inverses that are views; else each is the copying form: *views* is asked for either.

Source: torch aten/src/ATen/FunctionalInverses.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from mindtorch_storage.layout import wrap_dim

__all__ = [
    "as_detached",
    "by_scatter",
    "expanded",
    "itself",
    "permuted",
    "reshape_aliased",
    "split",
    "split_with_sizes",
    "squeezed",
    "unbound",
    "unfolded",
    "unsafely_viewed",
    "unsqueezed",
    "viewed",
    "viewed_as_complex",
    "viewed_as_dtype",
    "viewed_as_real",
]

_Inverse = Callable[..., Any]


def _elsewhere(inverse: _Inverse) -> _Inverse:
    """*inverse*, of views that lack elements of the base, or show some twice.

    Where the base is to be a view of the view, it is one of the memory around that.
    """

    @wraps(inverse)
    def either(views: Any, base: Any, view: Any, *rest: Any) -> Any:
        if views.places:
            return view.as_strided(base.shape, base.stride(), base.storage_offset())
        return inverse(views, base, view, *rest)

    return either


def by_scatter(name: str) -> _Inverse:
    @_elsewhere
    def inverse(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
        return views.call(name, base, view, *rest)

    return inverse


def itself(name: str) -> _Inverse:
    """Ops that undo themselves."""

    def inverse(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
        return views(name, view, *rest)

    return inverse


@_elsewhere
def expanded(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
    """What was added to each of the places that show one element is added to it."""
    return views.call(
        "add.Tensor", base, _sum_to(views, views.call("sub.Tensor", view, base), base)
    )


def _sum_to(views: Any, t: Any, like: Any) -> Any:
    shape, wanted = tuple(t.shape), tuple(like.shape)
    lead = len(shape) - len(wanted)
    dims = list(range(lead))
    dims += [i for i in range(lead, len(shape)) if wanted[i - lead] == 1 and shape[i] != 1]
    if dims:
        t = views.call("sum.dim_IntList", t, tuple(dims), True)
    if lead:
        return views("view", t, wanted)
    return t if views.reapply else views.call("clone", t)


def permuted(views: Any, base: Any, view: Any, index: int, dims: Any) -> Any:
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[wrap_dim(d, n)] = i
    return views("permute", view, tuple(back))


def viewed(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
    return views("view", view, tuple(base.shape))


def unsafely_viewed(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
    return views.call("_unsafe_view", view, tuple(base.shape))


def reshape_aliased(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
    return views("_reshape_alias", view, tuple(base.shape), tuple(base.stride()))


def viewed_as_dtype(views: Any, base: Any, view: Any, index: int, *rest: Any) -> Any:
    return views("view.dtype", view, base.dtype)


def unsqueezed(views: Any, base: Any, view: Any, index: int, dim: int) -> Any:
    return views("squeeze.dim", view, dim)


def squeezed(views: Any, base: Any, view: Any, index: int, dim: Any = None) -> Any:
    """The dims that are gone come back, one by one from the first."""
    n = base.dim()
    if dim is None:
        dims = range(n)
    else:
        given = dim if isinstance(dim, (tuple, list)) else (dim,)
        dims = sorted({wrap_dim(d, n) for d in given})
    for d in dims:
        if n and base.shape[d] == 1:
            view = views("unsqueeze", view, d)
    return view


def as_detached(views: Any, base: Any, view: Any, index: int) -> Any:
    return view


@_elsewhere
def unfolded(views: Any, base: Any, view: Any, index: int, dim: int, size: int, step: int) -> Any:
    if views.reapply and size > step:
        raise RuntimeError(
            "While executing unfold, functionalization encountered a tensor being mutated that has "
            "internal overlap. When using torch.compile (or running functionalization directly), "
            "this is banned as the behavior is not well defined. Consider cloning the tensor "
            "before mutating it, or removing the mutation from your model."
        )
    return views.call("unfold_backward", view, tuple(base.shape), dim, size, step)


@_elsewhere
def split(views: Any, base: Any, view: Any, index: int, size: int, dim: int) -> Any:
    d = wrap_dim(dim, base.dim())
    start = index * size
    end = min(start + size, base.shape[d])
    return views.call("slice_scatter", base, view, d, start, end)


@_elsewhere
def split_with_sizes(views: Any, base: Any, view: Any, index: int, sizes: Any, dim: int) -> Any:
    d = wrap_dim(dim, base.dim())
    start = sum(sizes[:index])
    return views.call("slice_scatter", base, view, d, start, start + sizes[index])


@_elsewhere
def unbound(views: Any, base: Any, view: Any, index: int, dim: int) -> Any:
    return views.call("select_scatter", base, view, wrap_dim(dim, base.dim()), index)


def viewed_as_real(views: Any, base: Any, view: Any, index: int) -> Any:
    return views("view_as_complex", view)


def viewed_as_complex(views: Any, base: Any, view: Any, index: int) -> Any:
    return views("view_as_real", views.call("resolve_conj", view) if view.is_conj() else view)
