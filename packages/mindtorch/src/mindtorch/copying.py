"""``copy.deepcopy`` and pickling of tensors."""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any

from . import signature as S
from .construct import alias_of, storage_of, strided_view, wrap
from .tensor import LEAF, Tensor, is_leaf, state_of


def deepcopy(t: Any, memo: dict[int, Any]) -> Any:
    """A copy with memory of its own; tensors that share storage share it in the copy too.

    Raises RuntimeError for a non-leaf, as torch.
    """
    if not is_leaf(t):
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    if id(t) in memo:
        return memo[id(t)]
    if t._sig & S.META:
        from .backends.meta import fresh
        from .ops.row import Out

        made = fresh(Out(tuple(t.shape), t.dtype, tuple(t.stride())))
    elif t._sig & S.CPU:
        t._settle()
        storage = storage_of(t)
        twin = memo.get(id(storage))
        if twin is None:
            owner = storage._owner
            twin = memo[id(storage)] = wrap(owner.copy())
        array = strided_view(
            twin._a.reshape(-1).view(t._a.dtype) if twin._a.dtype != t._a.dtype else twin._a,
            tuple(t._a.shape),
            tuple(t.stride()),
            t.storage_offset(),
        )
        made = wrap(array)
        made._shared = alias_of(twin)
        storage_of(twin)
    else:
        made = t.detach().clone()
    if t._sig & S.REQUIRES_GRAD:
        made._sig |= S.REQUIRES_GRAD
        made._edge = LEAF
    if type(t) is not Tensor:
        from .legacy import as_subclass

        made = as_subclass(made, type(t))
    memo[id(t)] = made
    grad = t.grad
    if grad is not None:
        state_of(made).grad = copy.deepcopy(grad, memo)
    if t.__dict__:
        made.__dict__.update(copy.deepcopy(t.__dict__, memo))
    return made


def reduce(t: Any) -> Any:
    """How a tensor is pickled: its storage and a window on it, as torch does."""
    from ._utils import _rebuild_tensor_v2

    if not is_leaf(t):
        raise RuntimeError(
            "Pickling of non-leaf tensors that require grad is not supported; detach() it first."
        )
    args = (
        t._typed_storage(),
        t.storage_offset(),
        tuple(t.shape),
        t.stride(),
        t.requires_grad,
        OrderedDict(),
    )
    return (_rebuild_tensor_v2, args)
