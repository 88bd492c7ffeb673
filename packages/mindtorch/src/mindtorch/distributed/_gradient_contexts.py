"""The contexts that keep gradients over remote calls, by their numbers."""

from __future__ import annotations

import threading
from itertools import count

from ..autograd import grad
from ..core.module_names import living_in
from ..tensor import Tensor

__all__ = ["backward", "enter", "get_gradients", "is_open", "leave"]

_numbers = count(1)
_entered = threading.local()
_open: dict[int, dict[Tensor, Tensor]] = {}


def enter() -> int:
    """Open a context in this thread. Returns its number."""
    number = next(_numbers)
    _open[number] = {}
    _entered.depth = getattr(_entered, "depth", 0) + 1
    return number


def leave(context_id: int) -> None:
    """Close the context of this thread that has this number."""
    del _open[context_id]
    _entered.depth -= 1


def is_open() -> bool:
    """Whether this thread is within a context."""
    return bool(getattr(_entered, "depth", 0))


def _of(context_id: int) -> dict[Tensor, Tensor]:
    try:
        return _open[context_id]
    except KeyError:
        raise RuntimeError(f"Could not find autograd context with id: {context_id}") from None


def _leaves(roots: list[Tensor]) -> list[Tensor]:
    """The leaves that *roots* were computed from."""
    found: dict[int, Tensor] = {id(r): r for r in roots if r.grad_fn is None and r.requires_grad}
    waiting, seen = [r.grad_fn for r in roots if r.grad_fn is not None], set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            found[id(leaf)] = leaf
        waiting += [each for each, _ in node.next_functions if each is not None]
    return list(found.values())


def backward(context_id: int, roots: list[Tensor], retain_graph: bool = False) -> None:
    """Compute the gradients of *roots*, numbers all, into the context.

    Raises RuntimeError for a context that is not open, and for a root that is no number.
    """
    kept = _of(context_id)
    if not roots:
        raise RuntimeError("No tensors provided for gradient computation.")
    for root in roots:
        if not root.requires_grad:
            raise RuntimeError("requires_grad not set on root")
        if root.numel() != 1:
            raise RuntimeError(f"{root} is not a scalar, all roots need to be scalar")
    leaves = _leaves(roots)
    found = grad(roots, leaves, retain_graph=retain_graph, allow_unused=True)
    for leaf, value in zip(leaves, found, strict=True):
        if value is not None:
            kept[leaf] = kept[leaf] + value if leaf in kept else value


def get_gradients(context_id: int) -> dict[Tensor, Tensor]:
    """The gradients of a context, by leaf. Raises RuntimeError for one that is not open."""
    return dict(_of(context_id))


living_in("mindtorch.distributed.autograd", backward, get_gradients)
