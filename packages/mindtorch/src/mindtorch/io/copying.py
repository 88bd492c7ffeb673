"""``copy.deepcopy`` and pickling of tensors."""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_autograd.hooks import warn_if_has_hooks
from mindtorch_storage.legacy_names import STORAGE_NAMES

from .. import _utils
from .._utils import _get_obj_state, _rebuild_from_type_v2, _set_obj_state
from ..call.subclass import retyped
from ..core import signature as S
from ..core.qscheme import QSCHEMES
from ..tensor import LEAF, Tensor, is_leaf, state_of
from ..tensor.array_memory import storage_of
from ..tensor.construction import share
from ..tensor.quantizer import PerTensor, quantizer_of
from ..tensor.storage_windows import look_at


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
    if t._sig_ & S.BATCHED:
        t.untyped_storage()  # refuses
    if id(t) in memo:
        return memo[id(t)]
    if t._sig_ & (S.NO_MEMORY | S.SPARSE | S.META) or (type(t) is not Tensor and not t._a_.size):
        with no_grad():
            made = t.clone()
        if type(made) is not type(t):
            raise _loses_its_class()
        made._sig_ &= ~S.REQUIRES_GRAD
        made._meta_ = S.STALE
        made._edge_ = None
    else:
        made = _copied(t, memo)
        if type(t) is not Tensor:
            if type(t.new_empty([])) is not type(t):
                raise _cannot_make_another()
            made = retyped(made, type(t))
    if t._sig_ & S.REQUIRES_GRAD:
        made._sig_ |= S.REQUIRES_GRAD
        made._meta_ = S.STALE
        made._edge_ = LEAF
    grad = t.grad
    if grad is not None:
        state_of(made).grad = copy.deepcopy(grad, memo)
    if type(t) is not Tensor or t.__dict__:
        _set_obj_state(made, copy.deepcopy(_get_obj_state(t), memo))
    memo[id(t)] = made
    return made


def _loses_its_class() -> RuntimeError:
    """torch _tensor.py, Tensor.__deepcopy__."""
    return RuntimeError(
        "The default implementation of __deepcopy__() for wrapper subclasses only works for "
        "subclass types that implement clone() and for which cloning returns another instance of "
        "the same subclass. You should either properly implement clone() for your subclass or "
        "override __deepcopy__() if it is intended behavior for clone() to return an instance of a "
        "different type."
    )


def _cannot_make_another() -> RuntimeError:
    """torch _tensor.py, Tensor.__deepcopy__."""
    return RuntimeError(
        "The default implementation of __deepcopy__() for non-wrapper subclasses only works for "
        "subclass types that implement new_empty() and for which that function returns another "
        "instance of the same subclass. You should either properly implement new_empty() for your "
        "subclass or override __deepcopy__() if it is intended behavior for new_empty() to return "
        "an instance of a different type."
    )


def _copied(t: Any, memo: dict[int, Any]) -> Any:
    a = t._a_
    # The storage finds itself in the memo, so all its tensors get one copy.
    storage = storage_of(t).__deepcopy__(memo)
    if t._sig_ & S.FREED:  # the copy of its storage grows
        made = t.new_empty((), device=storage.device)
        made.set_(storage, t.storage_offset(), a.shape, t.stride())
    else:
        made = look_at(storage, a.dtype, a.shape, t.stride(), t.storage_offset())
        made._shared_.value = 1  # torch makes it by ``set_``, which counts
    if t.is_conj():
        made = made.conj_physical()
    return made.neg() if t.is_neg() else made


def rebuild_args(t: Any) -> tuple[Any, tuple[Any, ...]]:
    """The function that makes *t* anew from a storage, and its arguments, as torch has them."""
    warn_if_has_hooks(t)
    sig = t._sig_
    needs_grad = bool(t.requires_grad)
    if sig & S.SPARSE_LAYOUTS:
        return _utils._rebuild_sparse_tensor, (t.layout, _parts(t))
    size, stride = tuple(t._a_.shape), t.stride()
    facts: tuple[Any, ...]
    if sig & S.NO_MEMORY:
        facts = (t.dtype, size, stride, t.storage_offset(), t.layout, t.device, needs_grad)
        return _utils._rebuild_wrapper_subclass, (type(t), *facts)
    if sig & S.META:
        return _utils._rebuild_meta_tensor_no_storage, (t.dtype, size, stride, needs_grad)
    facts = (t.storage_offset(), size, stride)
    if sig & S.QUANTIZED:
        facts = (*facts, _quantizer_parameters(t), needs_grad, OrderedDict())
        return _utils._rebuild_qtensor, (t._typed_storage(), *facts)
    metadata = _utils.get_tensor_metadata(t)
    return rebuild_of_memory(t, (*facts, needs_grad), *((metadata,) if metadata else ()))


def rebuild_of_memory(
    t: Any, window: tuple[Any, ...], *metadata: Any
) -> tuple[Any, tuple[Any, ...]]:
    """The function that makes a tensor over the memory of *t*, and its arguments.

    :param window: offset, size and strides, and whether the tensor wants a gradient.
    """
    # Hooks stay behind; the empty dictionary keeps torch's format.
    facts = (*window, OrderedDict())
    if t.dtype not in STORAGE_NAMES:  # no class of old says what the storage holds
        return _utils._rebuild_tensor_v3, (t.untyped_storage(), *facts, t.dtype, *metadata)
    return _utils._rebuild_tensor_v2, (t._typed_storage(), *facts, *metadata)


def _quantizer_parameters(t: Any) -> tuple[Any, ...]:
    """What a file says of the quantizer of *t*: its scheme, and what that goes by."""
    if isinstance(quantizer_of(t), PerTensor):
        return t.qscheme(), t.q_scale(), t.q_zero_point()
    channels = t.q_per_channel_scales(), t.q_per_channel_zero_points(), t.q_per_channel_axis()
    return QSCHEMES["per_channel_affine"], *channels


def _parts(t: Any) -> tuple[Any, ...]:
    """What a pickle has of a sparse tensor."""
    content = t._content_
    parts = tuple([share(part._a_, part) for _, part in content.named_parts()])
    return (*parts, t.size(), *((content.coalesced,) if t.is_sparse else ()))


def reduce(t: Any) -> Any:
    """How a tensor is pickled: its storage and a window on it, as torch does.

    Non-leaves come back as leaves.
    """
    if t._sig_ & S.BATCHED:
        t.untyped_storage()  # refuses
    func, args = rebuild_args(t)
    kind = type(t)
    own = kind.__getstate__ is not Tensor.__getstate__  # type: ignore[attr-defined]  # object has it
    state = t.__getstate__() if own else _get_obj_state(t)
    if kind is Tensor:
        if not state:
            return func, args
        # Named None: the class says it lives in torch, where pickle must not look for it.
        return _rebuild_from_type_v2, (func, None, args, state)
    return _rebuild_from_type_v2, (func, kind, args, state)


def set_state(t: Any, state: Any) -> None:
    """``Tensor.__setstate__``: the state that pickles of torch before 0.4 have.

    Raises RuntimeError for a non-leaf.
    """
    if not is_leaf(t):
        raise RuntimeError("__setstate__ can be only called on leaf Tensors")
    if len(state) == 4:
        t.set_(*state)
        return
    if len(state) == 5:
        t.data = state[0]
        state = (state[3], state[4], state[2])
    t.requires_grad, _, _ = state
