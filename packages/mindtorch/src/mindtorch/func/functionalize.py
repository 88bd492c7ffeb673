"""``torch.func.functionalize``: a function that changes nothing in place on its way.

Errors and order of events: torch/_functorch/eager_transforms.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..call.dispatch_entry import OVERLOADS, run
from ..functionality.functional_tensor import Functional, functional, sync, wrapped
from ..functionality.functionalization_levels import entered
from ..tensor import Tensor
from ..utils._pytree import tree_leaves, tree_map

__all__ = ["functionalize"]


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """*func* without changes in place: the same results from ops that return fresh tensors.

    :param remove: ``"mutations"``: in-place and ``out=`` ops become functional ones.
        ``"mutations_and_views"``: views become copies too.

    What *func* changes of its arguments is written into them at the end, with one ``copy_`` each.
    Seen by ``make_fx`` or a dispatch mode, the ops are those that remain. Raises RuntimeError for
    another *remove*, and when *func* changes a tensor that is none of its own with one that is.
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='mutations'): received invalid argument for remove={remove}."
            " Valid options are:\n"
            "     remove='mutations': all inplace and out= operators will be removed from the "
            "program, and replaced with their out-of-place equivalents.\n"
            "     remove='mutations_and_views': In addition to the above, all aliasing operators "
            "{view} will be replaced with their non-aliasing counterparts, {view}_copy.\n"
        )

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with entered(remove == "mutations") as level:
            inside = functools.partial(_wrap, level)
            inner_args, inner_kwargs = tree_map(inside, args), tree_map(inside, kwargs)
            outputs = func(*inner_args, **inner_kwargs)
            outputs = tree_map(functools.partial(_unwrap, level), outputs)
            outer = [*tree_leaves(args), *tree_leaves(kwargs)]
            inner = [*tree_leaves(inner_args), *tree_leaves(inner_kwargs)]
            for t in inner:
                if isinstance(t, Tensor):
                    sync(t)
            for before, after in zip(outer, inner, strict=True):
                if isinstance(before, Tensor):
                    _write_back(before, after._content_)
            return outputs

    return wrapper


def _wrap(level: int, value: Any) -> Any:
    return wrapped(value, level) if isinstance(value, Tensor) else value


def _unwrap(level: int, value: Any) -> Any:
    stands_for = functional(value, level)
    if stands_for is None:
        return value
    sync(value)
    return stands_for.value


def _write_back(target: Tensor, stands_for: Functional) -> None:
    """What has become of an argument goes into the caller's tensor, with shape and strides."""
    value = stands_for.value
    if value is target:
        return
    shape = tuple(value.shape)
    if target.nbytes != value.nbytes:
        target.resize_(shape)
    if tuple(target.shape) != shape:
        target.as_strided_(shape, tuple(value.stride()))
    run(OVERLOADS["aten::copy_"], (target, value, False))
