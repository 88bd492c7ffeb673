"""``torch._higher_order_ops.map``: a function over the first dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.higher_order_operator import HigherOrderOperator
from ..aten import torch
from ..utils._pytree import TreeSpec, tree_flatten, tree_leaves, tree_unflatten
from .along import put_together, slices
from .utils import _stack_pytree, _unstack_pytree  # noqa: F401 (programs look for them here)

__all__ = ["map", "map_impl"]


class MapImpl(HigherOrderOperator):
    """``torch.ops.higher_order.map_impl``: of a function that returns a tuple of tensors."""

    def __init__(self) -> None:
        super().__init__("map_impl")


map_impl = MapImpl()


@map_impl.py_impl(DispatchKey.CompositeImplicitAutograd)
def _each(f: Any, xs: list[Any], pos_args: list[Any]) -> Any:
    """What *f* returns for each slice, stacked."""
    return put_together([f(*x, *pos_args) for x in slices(xs, 0, False)], 0, False)


def map(f: Callable[..., Any], xs: Any, *args: Any) -> Any:
    """What *f* returns for each slice of *xs* along its first dim, stacked.

    Raises RuntimeError for other than tensors of one length along that dim.
    """
    leaves, spec = tree_flatten((xs, args))
    count = len(tree_leaves(xs))
    leaves, more = leaves[:count], leaves[count:]
    if not all(isinstance(x, torch.Tensor) for x in leaves):
        raise RuntimeError(f"Mapped xs can only consist of tensors. Got xs {leaves}.")
    shapes = [x.shape for x in leaves]
    if shapes[0][0] == 0:
        raise RuntimeError("Leading dimensions of mapped xs cannot be 0.")
    if any(shape[0] != shapes[0][0] for shape in shapes):
        raise RuntimeError(
            f"Leading dimensions of mapped xs must be consistent. Got shapes {shapes}."
        )
    made: list[TreeSpec] = []

    def of_leaves(*given: Any) -> tuple[Any, ...]:
        x, others = tree_unflatten(list(given), spec)
        results, results_spec = tree_flatten(f(x, *others))
        made.append(results_spec)
        return tuple(results)

    found = map_impl(of_leaves, leaves, more)
    return tree_unflatten(list(found), made[0])


#: What torch's tests compare with: this is no operator in another form.
_fake_map = map
