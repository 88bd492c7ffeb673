"""How the views of functional tensors are made, and how a change of one reaches its base.

Every view row has an inverse here: the base with the elements of a changed view in their place.
Where views stay views, so do those inverses that are views; else each is the copying form.

Source: torch aten/src/ATen/FunctionalInverses.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage.layout import wrap_dim

from ..call.derived_forms import COPIES, copy_name
from ..call.dispatch_entry import OVERLOADS, run
from ..tensor import Tensor
from .functional_tensor import Step

__all__ = ["called", "step_of", "view_overload"]


def called(name: str, *args: Any) -> Any:
    """The overload *name* with these arguments, then its defaults."""
    overload = OVERLOADS["aten::" + name]
    overload.analyse()
    return run(overload, (*args, *overload.defaults[len(args) :]))


def view_overload(name: str, reapply: bool) -> Any:
    """The overload that makes the view, or the copy that stands for it."""
    if not reapply and name in COPIES:
        name = copy_name(name)
    return OVERLOADS["aten::" + name]


class _Views:
    """View ops by name: themselves, or their copying forms."""

    def __init__(self, reapply: bool) -> None:
        self.reapply = reapply

    def __call__(self, name: str, *args: Any) -> Any:
        return called(name if self.reapply else copy_name(name), *args)


_VIEWS, _COPIES = _Views(True), _Views(False)
#: ``inverse(views, base, view, index, *arguments of the view op)``.
_Inverse = Callable[..., Tensor]


def step_of(name: str, rest: tuple[Any, ...], index: int, reapply: bool, many: bool) -> Step:
    """The step of the view op *name* with the arguments *rest* after its base.

    :param index: which result it is, of an op with several.
    """
    overload = view_overload(name, reapply)
    inverse = INVERSES[name]
    views = _VIEWS if reapply else _COPIES

    def again(base: Tensor) -> Tensor:
        made = run(overload, (base, *rest))
        return made[index] if many else made

    def back(base: Tensor, view: Tensor) -> Tensor:
        return inverse(views, base, view, index, *rest)

    return Step(again, back, name == "as_strided")


def _scatter(name: str) -> _Inverse:
    def inverse(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
        return called(name, base, view, *rest)

    return inverse


def _itself(name: str) -> _Inverse:
    """Ops that undo themselves."""

    def inverse(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
        return views(name, view, *rest)

    return inverse


def _expand(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
    """What was added to each of the places that show one element is added to it."""
    return called("add.Tensor", base, _sum_to(views, called("sub.Tensor", view, base), base))


def _sum_to(views: _Views, t: Tensor, like: Tensor) -> Tensor:
    shape, wanted = tuple(t.shape), tuple(like.shape)
    lead = len(shape) - len(wanted)
    dims = list(range(lead))
    dims += [i for i in range(lead, len(shape)) if wanted[i - lead] == 1 and shape[i] != 1]
    if dims:
        t = called("sum.dim_IntList", t, tuple(dims), True)
    if lead:
        return views("view", t, wanted)
    return t if views.reapply else called("clone", t)


def _permute(views: _Views, base: Tensor, view: Tensor, index: int, dims: Any) -> Tensor:
    n = len(dims)
    back = [0] * n
    for i, d in enumerate(dims):
        back[wrap_dim(d, n)] = i
    return views("permute", view, tuple(back))


def _view(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
    return views("view", view, tuple(base.shape))


def _unsafe_view(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
    return called("_unsafe_view", view, tuple(base.shape))


def _reshape_alias(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
    return views("_reshape_alias", view, tuple(base.shape), tuple(base.stride()))


def _view_dtype(views: _Views, base: Tensor, view: Tensor, index: int, *rest: Any) -> Tensor:
    return views("view.dtype", view, base.dtype)


def _unsqueeze(views: _Views, base: Tensor, view: Tensor, index: int, dim: int) -> Tensor:
    return views("squeeze.dim", view, dim)


def _squeeze(views: _Views, base: Tensor, view: Tensor, index: int, dim: Any = None) -> Tensor:
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


def _detach(views: _Views, base: Tensor, view: Tensor, index: int) -> Tensor:
    return view


def _unfold(
    views: _Views, base: Tensor, view: Tensor, index: int, dim: int, size: int, step: int
) -> Tensor:
    if views.reapply and size > step:
        raise RuntimeError(
            "While executing unfold, functionalization encountered a tensor being mutated that has "
            "internal overlap. When using torch.compile (or running functionalization directly), "
            "this is banned as the behavior is not well defined. Consider cloning the tensor "
            "before mutating it, or removing the mutation from your model."
        )
    return called("unfold_backward", view, tuple(base.shape), dim, size, step)


def _split(views: _Views, base: Tensor, view: Tensor, index: int, size: int, dim: int) -> Tensor:
    d = wrap_dim(dim, base.dim())
    start = index * size
    end = min(start + size, base.shape[d])
    return called("slice_scatter", base, view, d, start, end)


def _split_sizes(
    views: _Views, base: Tensor, view: Tensor, index: int, sizes: Any, dim: int
) -> Tensor:
    d = wrap_dim(dim, base.dim())
    start = sum(sizes[:index])
    return called("slice_scatter", base, view, d, start, start + sizes[index])


def _unbind(views: _Views, base: Tensor, view: Tensor, index: int, dim: int) -> Tensor:
    return called("select_scatter", base, view, wrap_dim(dim, base.dim()), index)


def _view_as_real(views: _Views, base: Tensor, view: Tensor, index: int) -> Tensor:
    return views("view_as_complex", view)


def _view_as_complex(views: _Views, base: Tensor, view: Tensor, index: int) -> Tensor:
    return views("view_as_real", called("resolve_conj", view) if view.is_conj() else view)


#: View row -> inverse.
INVERSES: dict[str, _Inverse] = {
    "_conj": _itself("_conj"),
    "_neg_view": _itself("_neg_view"),
    "_reshape_alias": _reshape_alias,
    "_unsafe_view": _unsafe_view,
    "alias": _itself("alias"),
    "as_strided": _scatter("as_strided_scatter"),
    "detach": _detach,
    "diagonal": _scatter("diagonal_scatter"),
    "expand": _expand,
    "permute": _permute,
    "select.int": _scatter("select_scatter"),
    "slice.Tensor": _scatter("slice_scatter"),
    "split.Tensor": _split,
    "split_with_sizes": _split_sizes,
    "squeeze": _squeeze,
    "squeeze.dim": _squeeze,
    "squeeze.dims": _squeeze,
    "t": _itself("t"),
    "transpose.int": _itself("transpose.int"),
    "unbind.int": _unbind,
    "unfold": _unfold,
    "unsqueeze": _unsqueeze,
    "view": _view,
    "view.dtype": _view_dtype,
    "view_as_complex": _view_as_complex,
    "view_as_real": _view_as_real,
}
