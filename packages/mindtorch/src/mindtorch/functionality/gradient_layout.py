"""The ``.grad`` of a leaf: whose memory it is, and how it is laid out."""

from __future__ import annotations

from functools import lru_cache
from sys import getrefcount
from typing import Any
from weakref import ref

import numpy as np
from mindtorch_storage.layout import is_contiguous, is_non_overlapping_and_dense

from ..call.dispatch_entry import OVERLOADS
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core.constants import contiguous_format, strided
from ..core.key_sets import grad_state, seen_by_python, tls_state
from ..core.layout_policy import enforced
from ..core.operators import ops
from ..core.warning import warn_once
from ..tensor import Tensor
from ..tensor.construction import share, wrap
from ..tensor.sparse_content import sparse_tensor
from ..tensor.tensor_impl import Alias, alias_of, base_of

#: What tensors are whose arrays are all there is to know of their memory.
_IN_MEMORY = S.DIM_MASK | S.ZERO_MASK | S.CPU | S.REQUIRES_GRAD | S.STRIDED | S.VIEWS
#: References to an alias that only one tensor has: that one's, a name's and an argument's.
_ALONE = 3


def taken(grad: Any, variable: Any) -> Any:
    """*grad* as the ``.grad`` of *variable*: its memory, if nobody else has claimed it and it is
    laid out like the variable (torch's gradient layout contract), else a copy."""
    if tls_state() or grad._sig_ & S.PYTHON:
        if seen_by_python(grad._sig_ | tls_state()):
            return _taken_visibly(grad, variable)
    if (grad._sig_ | variable._sig_) & S.SPARSE_LAYOUTS:
        return _sparse_taken(grad)
    if grad._a_.shape != variable._a_.shape and not obeys_layout(grad, variable):
        return laid_out(grad, variable)
    strides = grad._a_.strides
    if grad._edge_ is None:
        if strides == variable._a_.strides and not variable._sig_ & S.STRIDED and 0 not in strides:
            alias = grad._shared_
            if alias is None or getrefcount(alias) == _ALONE and not alias.claimed:
                alias_of(grad).claimed = ref(grad)
                return grad
            if not alias.claimed:
                alias.claimed = ref(grad)
                return share(grad._a_, grad)
        elif not enforced.get() or obeys_layout(grad, variable):
            alias = alias_of(grad)
            if not alias.claimed:
                alias.claimed = ref(grad)
                return share(grad._a_, grad)
            if not _is_claimant(grad, alias):
                return claim(_copied(grad))
    if grad._sig_ & S.REQUIRES_GRAD:
        grad = grad.detach()
    return claim(laid_out(grad, variable))


def _sparse_taken(grad: Any) -> Any:
    """*grad* for a leaf where one of them is sparse: a copy.

    Of a sparse one whose values lie in order the very indices and values, unless another leaf has
    them.
    Source: torch csrc/autograd/functions/accumulate_grad.h, accumulateGrad.
    """
    if grad._edge_ is None and grad._sig_ & S.SPARSE and grad._content_.values.is_contiguous():
        content = grad._content_
        alias = alias_of(content.values)
        if alias.claimed:
            return claim(ops.clone(grad))
        alias.claimed = ref(content.values)
        return sparse_tensor(content._replace(coalesced=content.nnz < 2), grad._a_.shape)
    return claim(ops.clone(grad.detach()))


def sum_of_two(a: Any, b: Any) -> Any:
    """The sum of two gradients; a dense one comes before a sparse one."""
    return b + a if a._sig_ & ~b._sig_ & S.SPARSE_LAYOUTS else a + b


def _is_claimant(grad: Any, alias: Any) -> bool:
    """Whether it is *grad* itself that is held elsewhere, and not only memory of it."""
    return bool(alias.claimed() is grad)


def _copied(grad: Any) -> Any:
    """A copy of *grad* with its strides.

    torch takes a fresh tensor over memory that others hold (what the gradient of a view is where
    the caller's ``gradient=`` comes through it): numbers added to that ``.grad`` then show in the
    caller's tensor, and in other leaves. We give the leaf memory of its own, laid out alike.
    """
    a = grad._a_
    if not (grad._sig_ & ~_IN_MEMORY or grad_state() | tls_state()) and a.size:
        array = np.ndarray(a.shape, a.dtype, strides=a.strides)
        np.copyto(array, a)
        return _filled(array)
    fresh = ops.empty_strided(grad.shape, grad.stride(), dtype=grad.dtype, device=grad.device)
    return fresh.copy_(grad)


@lru_cache(4096)
def _is_dense(shape: tuple[int, ...], byte_strides: tuple[int, ...], item: int) -> bool:
    """:func:`is_non_overlapping_and_dense` of an array."""
    return is_non_overlapping_and_dense(shape, [s // item for s in byte_strides])


def obeys_layout(grad: Any, variable: Any) -> bool:
    """Whether *grad* is laid out as the gradient of *variable* has to be.

    Strides of dimensions of size 1 are of no account, but for 0: that is an expanded view.

    Source: torch csrc/autograd/utils/grad_layout_contract.h, obeys_layout_contract.
    """
    if not (variable._sig_ | grad._sig_) & ~_IN_MEMORY:
        a, b = variable._a_, grad._a_
        if a.size and a.dtype is b.dtype and a.shape == b.shape:
            if not _is_dense(a.shape, a.strides, a.itemsize):
                return is_contiguous(a.shape, grad.stride())
            rows = zip(a.shape, a.strides, b.strides)
            return all([g != 0 if n == 1 else s == g for n, s, g in rows])
    strides, own = variable.stride(), grad.stride()
    if not is_non_overlapping_and_dense(variable._a_.shape, strides):
        return bool(grad.is_contiguous())
    if len(own) > len(strides):
        return False
    # A gradient may have another shape than a variable whose data was exchanged.
    return all([g != 0 if n == 1 else s == g for n, s, g in zip(grad._a_.shape, strides, own)])


def warn_of_layout(grad: Any, variable: Any) -> None:
    """Say once that a ``.grad`` that goes on being added to is laid out another way."""
    if (grad._sig_ | variable._sig_) & S.SPARSE_LAYOUTS:
        return
    if obeys_layout(grad, variable):
        return
    warn_once(
        "grad and param do not obey the gradient layout contract. This is not an error, but may "
        f"impair performance.\ngrad.sizes() = {list(grad.shape)}, strides() = "
        f"{list(grad.stride())}\nparam.sizes() = {list(variable.shape)}, strides() = "
        f"{list(variable.stride())}"
    )


def laid_out(grad: Any, variable: Any) -> Any:
    """A copy of *grad* that is laid out as the gradient of *variable* has to be.

    Source: torch csrc/autograd/utils/grad_layout_contract.h, clone_obey_contract.
    """
    a, like = grad._a_, variable._a_
    if grad._sig_ & S.SPARSE_LAYOUTS:
        return ops.clone(grad)
    if (
        not (grad._sig_ | variable._sig_) & ~_IN_MEMORY
        and not grad_state() | tls_state()
        and a.shape == like.shape
        and a.dtype is like.dtype
        and a.size
    ):
        if not variable._sig_ & S.STRIDED:
            return _filled(a.copy())
        if _is_dense(like.shape, like.strides, like.itemsize):
            fresh = np.ndarray(like.shape, like.dtype, strides=like.strides)
            np.copyto(fresh, a)
            return _filled(fresh)
    strides = variable.stride()
    if not is_non_overlapping_and_dense(variable._a_.shape, strides):
        return ops.clone(grad, memory_format=contiguous_format)
    elsewhere = None if (grad._sig_ ^ variable._sig_) & S.BACKENDS == 0 else variable.device
    fresh = ops.new_empty_strided(grad, variable.shape, strides, device=elsewhere)
    return fresh.copy_(grad)


def _filled(array: np.ndarray[Any, Any]) -> Any:
    """A tensor over *array*, which torch makes empty first and then fills: its first change."""
    t = wrap(array)
    t._shared_ = alias = Alias()
    alias.value = 1
    return t


def _taken_visibly(grad: Any, variable: Any) -> Any:
    """The same where somebody sees operators.

    Source: torch csrc/autograd/functions/accumulate_grad.h, clone_obey_contract.h.
    """
    if grad._edge_ is None and grad.stride() == variable.stride():
        return grad.detach()
    empty = call_again(
        OVERLOADS["aten::new_empty_strided"],
        (grad, variable.shape, variable.stride(), grad.dtype, strided, grad.device, None),
    )
    return empty.copy_(grad.detach() if grad._edge_ is not None else grad)


def sum_in_layout(a: Any, b: Any) -> Any:
    """The sum of two gradients, laid out as the first that is fresh and without gaps: torch adds to
    that in place.

    Source: torch csrc/autograd/input_buffer.cpp, can_accumulate_inplace.
    """
    for total, grad in ((a, b), (b, a)):
        if _is_fresh(total) and is_non_overlapping_and_dense(total._a_.shape, total.stride()):
            return ops.clone(total).add_(grad)
    return a + b


def _is_fresh(grad: Any) -> bool:
    """Whether nobody else has the memory of *grad*, but a base that it alone keeps alive."""
    alias = grad._shared_
    if type(grad) is not Tensor or (alias is not None and alias.claimed):
        return False
    if alias is None:
        return True
    holders = getrefcount(alias) - 2  # our name, the call
    base = base_of(grad)
    # Views without elements have strides of their own in torch: those are summed anew.
    if grad._a_.size and base is not None and base._shared_ is alias and getrefcount(base) <= 3:
        holders -= 1  # held by grad's state, our name, the call
    return holders <= 1


def claim(grad: Any) -> Any:
    """Note that a user holds *grad*: it must not change behind their back."""
    alias_of(grad).claimed = ref(grad)
    return grad
