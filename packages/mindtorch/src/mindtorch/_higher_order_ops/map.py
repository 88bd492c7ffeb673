"""``torch._higher_order_ops.map``: a function over the first dim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..utils._pytree import tree_flatten
from .along import put_together, slices
from .utils import _stack_pytree, _unstack_pytree  # noqa: F401 (programs look for them here)

__all__ = ["map"]


def map(f: Callable[..., Any], xs: Any, *args: Any) -> Any:
    """What *f* returns for each slice of *xs* along its first dim, stacked.

    Raises RuntimeError for other than tensors of one length along that dim.
    """
    leaves, _ = tree_flatten(xs)
    if not all(isinstance(x, torch.Tensor) for x in leaves):
        raise RuntimeError(f"Mapped xs can only consist of tensors. Got xs {leaves}.")
    shapes = [x.shape for x in leaves]
    if shapes[0][0] == 0:
        raise RuntimeError("Leading dimensions of mapped xs cannot be 0.")
    if any(shape[0] != shapes[0][0] for shape in shapes):
        raise RuntimeError(
            f"Leading dimensions of mapped xs must be consistent. Got shapes {shapes}."
        )
    return put_together([f(x, *args) for x in slices(xs, 0, False)], 0, False)


#: What torch's tests compare with: this is no operator in another form.
_fake_map = map
