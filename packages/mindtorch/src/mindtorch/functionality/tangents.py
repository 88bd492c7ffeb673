"""Tangents: what forward mode hangs on a tensor, per level.

Note [Forward mode]
    A *dual* tensor is any tensor with the DUAL bit in its signature and, in its ``__dict__``, a
    dictionary from level to tangent. It is used like any other tensor: kernels see its array,
    autograd records and saves it as it is. A call whose signature has the bit first makes the call
    without it, then the result's tangent (see ``forward_mode``), so plain calls pay nothing.

    A sample of a batch has no tangents of its own: the tensor of all samples has. So a call meets
    the key of batches first, tangents next, and autograd at last, however ``vmap``, ``jvp`` and
    ``grad`` are nested; samples do not depend on each other, so these commute.

    Levels are the dual level of ``torch.autograd.forward_ad`` (0) and one per ``torch.func.jvp``
    that runs. A tangent of level L may have tangents of lower levels itself, which is how
    derivatives of higher order come about. At the end of a level its tangents are taken off.
"""

from __future__ import annotations

import weakref
from contextvars import ContextVar
from typing import Any

from ..call.subclass import of_its_class
from ..core import signature as S
from ..core.operators import ops
from ..tensor import Tensor, base_of, blank
from ..tensor.construction import share, take_content
from ..tensor.edges import gradient_edge
from ..tensor.tensor_impl import alias_of
from .batching import batch

#: The levels that are open in this thread, each with the tensors that have a tangent there.
open_levels: ContextVar[tuple[tuple[int, list[Any]], ...]] = ContextVar(
    "mindtorch_dual_levels", default=()
)
#: Whether results get tangents (``forward_ad._set_fwd_grad_enabled``).
enabled: ContextVar[bool] = ContextVar("mindtorch_forward_grad", default=True)

_NAME = "_tangents"


def open_level(number: int) -> None:
    """Begin a level."""
    open_levels.set((*open_levels.get(), (number, [])))


def close_level(number: int) -> None:
    """End the innermost level: its tangents are taken off."""
    *outer, (last, members) = open_levels.get()
    assert last == number
    open_levels.set(tuple(outer))
    for ref in members:
        t = ref()
        if t is not None:
            own = t.__dict__.get(_NAME)
            if own is not None:
                own.pop(number, None)
                if not own:
                    del t.__dict__[_NAME]
                    t._sig_ &= ~S.DUAL
                    t._meta_ = S.STALE


def tangents(t: Any) -> dict[int, Any]:
    """The tangents of *t* by level."""
    if not isinstance(t, Tensor) or not t._sig_ & S.DUAL:
        return {}
    own: dict[int, Any] = t.__dict__.get(_NAME, {})
    return own


def tangent_of(t: Any, level: int) -> Any:
    """The tangent of *t* at *level*, or None. A view asks its base.

    None too while forward mode is switched off.
    """
    if not enabled.get():
        return None
    if isinstance(t, Tensor) and t._sig_ & S.BATCHED:
        value, dim, number = t._batched
        found = tangent_of(value, level)
        return None if found is None else batch(found, dim, number)
    found = tangents(t).get(level)
    if found is None and isinstance(t, Tensor):
        base = base_of(t)
        if base is not None and level in tangents(base):
            found = _window(tangents(base)[level], t, base)
            attach(t, level, found)
    return found


def _window(whole: Any, t: Any, base: Any) -> Any:
    """Of the tangent of *base* the part that belongs to its view *t*."""
    if t.dtype is not base.dtype:  # pairs of numbers as complex numbers, or the reverse
        whole = whole.view(-1).view(t.dtype)
        part = whole.as_strided(t.shape, t.stride(), t.storage_offset() - _first(base, t))
        return part._conj() if t._sig_ & S.CONJ else part
    offset = t.storage_offset() - base.storage_offset() + whole.storage_offset()
    part = whole.as_strided(t.shape, t.stride(), offset)
    flips = (t._sig_ ^ base._sig_) & S.LAZY
    if flips & S.CONJ:
        part = part._conj()
    return part._neg_view() if flips & S.NEG else part


def shown(t: Any) -> list[Any]:
    """The tangents of *t* that are printed, lowest level first."""
    return [tangent for _, tangent in sorted(tangents(t).items())] if enabled.get() else []


def forget(t: Any) -> None:
    """Take the tangents off *t*."""
    if t._sig_ & S.DUAL:
        t.__dict__.pop(_NAME, None)
        t._sig_ &= ~S.DUAL
        t._meta_ = S.STALE


def attach(t: Any, level: int, tangent: Any) -> None:
    """Make *tangent* that of *t*, whatever its layout."""
    own = t.__dict__.get(_NAME)
    if own is None:
        own = t.__dict__[_NAME] = {}
    t._sig_ |= S.DUAL
    t._meta_ = S.STALE
    own[level] = tangent
    for number, members in open_levels.get():
        if number == level:
            members.append(weakref.ref(t))
            return
    raise AssertionError(f"level {level} is not open")


def set_tangent(t: Any, level: int, tangent: Any) -> None:
    """Make *tangent* that of *t*, laid out like *t*, so that views of both correspond.

    A view whose base has none gives its base one, which is zero elsewhere.
    Source: torch csrc/autograd/autograd_meta.cpp, AutogradMeta::set_fw_grad.
    """
    if tangent._a_.shape != t._a_.shape:
        raise size_of_tangent(t, tangent)
    base = base_of(t)
    if base is not None and _inside(t, base):
        whole = tangent_of(base, level)
        if whole is None:
            whole = _zeros_laid_out_like(base, tangent if t.dtype is base.dtype else base)
            attach(base, level, whole)
        part = _window(whole, t, base)
        part.copy_(tangent)
        attach(t, level, part)
        return
    attach(t, level, laid_out_like(tangent, t))


def pass_on(t: Any, alias: Any) -> None:
    """Give *alias*, which lies as *t* does, the tangents of *t*."""
    for level, tangent in tangents(t).items():
        attach(alias, level, tangent)


def size_of_tangent(t: Any, tangent: Any) -> RuntimeError:
    """torch csrc/autograd/autograd_meta.cpp, AutogradMeta::set_fw_grad."""
    return RuntimeError(
        "Trying to set a forward gradient that has a different size than that of the original "
        f"Tensor, this is not supported. Tensor is of size {list(t.shape)} while the given "
        f"forward gradient is of size {list(tangent.shape)}."
    )


def tangent_of_integers() -> RuntimeError:
    """torch csrc/autograd/autograd_meta.cpp, the assertion at the head of set_fw_grad."""
    return RuntimeError(
        "(new_grad_base.is_floating_point() || new_grad_base.is_complex()) && "
        "(self_base.is_floating_point() || self_base.is_complex()) INTERNAL ASSERT FAILED at "
        '"/__w/pytorch/pytorch/torch/csrc/autograd/autograd_meta.cpp":159, please report a bug to '
        "PyTorch. Expected both tensor and its forward grad to be floating point or complex"
    )


def laid_out_like(tangent: Any, t: Any) -> Any:
    """*tangent* over memory as that of *t*: as large, with its offset, strides and lazy bits.

    So what shows a window on *t* can show the same window on the tangent.
    Source: torch csrc/autograd/autograd_meta.cpp, has_same_meta.
    """
    if _alike(tangent, t):
        return tangent
    return _zeros_laid_out_like(t, tangent).copy_(tangent)


def _alike(a: Any, b: Any) -> bool:
    if (a._sig_ | b._sig_) & S.MEMORYLESS:
        return bool(a.stride() == b.stride())
    if (a._sig_ ^ b._sig_) & S.LAZY or _room(a) != _room(b):
        return False
    if not a._a_.size:
        return True
    if a.storage_offset() != b.storage_offset():
        return False
    pairs = zip(a.stride(), b.stride(), a.shape, strict=True)
    return all(s == t or n == 1 for s, t, n in pairs)


def _room(t: Any) -> int:
    """How many elements the memory of *t* has room for."""
    return int(t.untyped_storage().nbytes()) // int(t.element_size())


def _zeros_laid_out_like(t: Any, tangent: Any) -> Any:
    """Zeros of the dtype and device of *tangent* over memory like that of *t*."""
    if (t._sig_ | tangent._sig_) & S.MEMORYLESS:
        return ops.new_empty_strided(tangent, t.shape, t.stride()).zero_()
    room = ops.new_zeros(tangent, (_room(t),))
    made = room.as_strided(t.shape, t.stride(), t.storage_offset())
    if tangent.is_complex() and t._sig_ & S.CONJ:
        made = made._conj()
    return made._neg_view() if t._sig_ & S.NEG else made


def _inside(t: Any, base: Any) -> bool:
    """Whether a tangent of *base* has room for that of its view *t*, and where."""
    if base.is_contiguous():
        pairs = base.dtype.to_real(), base.dtype.to_complex()
        return t.dtype is base.dtype or (t.dtype in pairs and not base._sig_ & S.LAZY)
    return t.dtype is base.dtype and not base._sig_ & S.MEMORYLESS


def _first(base: Any, t: Any) -> int:
    """Where *base* begins, in elements of *t*."""
    return int(base.storage_offset() * base.element_size() // t.element_size())


def without_history(t: Any) -> Any:
    """*t* over the same memory without history, but with its tangents."""
    if t._sig_ & S.BATCHED:
        value, dim, number = t._batched
        return batch(without_history(value), dim, number)
    made = of_its_class(share(t._a_, t), t)
    pass_on(t, made)
    return made


def below(t: Any, level: int) -> Any:
    """*t* as lower levels see it: the same, history included, without tangents of *level* on."""
    if isinstance(t, Tensor) and t._sig_ & S.BATCHED:
        value, dim, number = t._batched
        return batch(below(value, level), dim, number)
    if not isinstance(t, Tensor) or not t._sig_ & S.DUAL:
        return t
    node = gradient_edge(t) if t._sig_ & S.REQUIRES_GRAD else None  # one node for both
    s: Any = blank()
    s._a_ = t._a_
    s._sig_ = t._sig_ & ~S.DUAL
    s._shared_ = alias_of(t)
    s._edge_ = t._edge_
    s._state_ = t._state_
    if t._sig_ & S.CONTENT:
        take_content(s, t)
    s = of_its_class(s, t)
    s.__dict__.pop(_NAME, None)
    own = {k: v for k, v in tangents(t).items() if k < level}
    if own:
        s._sig_ |= S.DUAL
        s.__dict__[_NAME] = own
    s.__dict__["_node"] = node
    return s
