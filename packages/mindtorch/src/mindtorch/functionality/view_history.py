"""The history of views: what becomes of it when they, their base or another view are changed.

Note [Views and in-place]
    A view knows its base (never itself a view), the version of their memory at which its edge was
    true, and how it was made. A change in place of the base gives the base a new edge; one of a
    view gives the *base* one, a :class:`CopySlices`. In both cases the version tells every other
    view that its edge is of the past, whoever made the change, and it makes itself a new one when
    it is next asked (:func:`refresh`): that of ``as_strided`` of the base.

    Whether a view requires grad is its base's to say, too. Where that changes the alias is
    ``touched``, and views look (``edges.ask_base``). The bit of views is part of the signature:
    only calls on views look at any of this, and if nothing requires grad only at ``touched``.

Note [Views made in no_grad]
    Such a view of a tensor that requires grad requires grad as well, but has no edge: what is made
    of it has a node that leads nowhere. To change it, or to use it after its base was changed, is
    refused; so are changes of one of several views of a call, and of views that a Function made.

Source: torch csrc/autograd/variable.cpp, VariableTypeUtils.h.
"""

from __future__ import annotations

import weakref
from typing import Any

from mindtorch_autograd import Node, extras_of, grad_mode, next_key, unwrap
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_storage import UntypedStorage

from ..core import signature as S
from ..core.errors import leaf_in_place, view_in_place, view_of_leaf_in_place
from ..core.operators import of
from ..tensor import Tensor
from ..tensor.construction import snapshot
from ..tensor.edges import ask_base, history_changed, leaf_edge
from ..tensor.stale_grad_metadata import expected, note_former
from ..tensor.tensor_impl import Alias, Leaf, State, alias_of, base_of
from .copy_slices import CopySlices

grad_state = grad_mode.state.get
_UNSEEN = tls.with_excluded(0, K.Python | K.PythonTLSSnapshot)


def creation_of(t: Tensor) -> str:
    """How the view *t* was made, where in-place ops on it are forbidden; else an empty string."""
    state = t._state_
    kind = type(state)
    creation: str = ""
    if kind is State:
        creation = state.creation
    elif kind is tuple:
        creation = state[2]
    return creation or ("no_grad" if t._sig_ & S.NO_GRAD_VIEW else "")


def is_stale(t: Tensor) -> bool:
    """Whether the view *t* has to look for its history, or whether it requires grad, again."""
    state = t._state_
    kind = type(state)
    if kind is tuple:
        base, version, _ = state
    elif kind is State:
        base, version = state.base, state.attr_version
    else:
        base, version = state, 0
    wants = (t._sig_ | base._sig_) & S.REQUIRES_GRAD
    if not wants:
        return False
    if t._edge_ is None:
        wants = base._sig_ & S.REQUIRES_GRAD
    return version != t._shared_.value or wants != t._sig_ & S.REQUIRES_GRAD


def check_inplace(t: Tensor) -> None:
    """Refuse in-place ops that would lose gradients, for something that requires grad.

    The edge is looked at as it is, even if it is of the past. Source: check_inplace.
    """
    base = None if t._state_ is None else base_of(t)
    if base is not None:
        _refuse_created(t)
        ask_base(t)
    if not t._sig_ & S.REQUIRES_GRAD:
        return
    if base is not None and (base._edge_ is None or type(base._edge_) is Leaf):
        raise view_of_leaf_in_place()
    if t._edge_ is None or type(t._edge_) is Leaf:
        raise leaf_in_place()


def _refuse_created(t: Tensor, indirect: bool = False) -> None:
    """Refuse a change of the view *t*, or its use after another, for how it was made.

    Source: handle_view_on_rebase.
    """
    creation = creation_of(t)
    if creation:
        node, nr = unwrap(t._edge_)
        if node is None or type(node) is Leaf:
            raise view_in_place(creation, indirect)
        raise view_in_place(creation, indirect, node.name(), nr)


def rebase(t: Tensor, node: Node) -> None:
    """*t* was changed in place by *node*: its history, and its base's, now begin there."""
    base = None if t._state_ is None else base_of(t)
    if base is None:
        _begin(t, node)
        return
    copy = CopySlices()
    copy._edges_ = (_edge_of(base), *node._edges_[1:])
    copy._key_ = next_key()  # after the edges: a node's key is below all it points to
    state = t._state_
    if type(state) is State and state.steps:
        window: Any = state.steps
    else:
        window = (t._a_.shape, t.stride(), t.storage_offset())
    copy._saved_ = (node, window, (base._a_.shape, base.stride(), base.storage_offset()))
    copy._extra_ = None
    if base._sig_ & S.FORMER:
        extras_of(copy).metas = (expected(base), *[None] * (len(copy._edges_) - 1))
    _begin(base, copy)
    refresh(t)
    if node._keeps_result_:
        extras_of(node).changed_view = weakref.ref(unwrap(t._edge_)[0])


def continue_view(t: Tensor, node: Node) -> None:
    """*t* looks at its memory another way by *node*, which is none of its base's business.

    Source: set_gradient_edge; hooks stay where they are.
    """
    t._edge_ = node
    t._sig_ = t._sig_ & ~S.FORMER | S.REQUIRES_GRAD
    t._meta_ = S.STALE
    state = t._state_
    if state is None or base_of(t) is None:
        return
    now = t._shared_.value
    if type(state) is State:
        state.attr_version = now
    else:
        t._state_ = (base_of(t), now, state[2] if type(state) is tuple else "")


def _begin(t: Tensor, node: Node) -> None:
    """The history of *t*, which is no view, now ends in *node*."""
    before = t._edge_
    t._edge_ = node
    t._sig_ &= ~S.FORMER
    t._meta_ = S.STALE
    if t._state_ is not None:
        history_changed(t, before)
    if not t._sig_ & S.REQUIRES_GRAD:
        t._sig_ |= S.REQUIRES_GRAD
        t._meta_ = S.STALE
        alias_of(t).touched = True


def _edge_of(base: Tensor) -> Any:
    """The edge of *base*, which is no view."""
    edge = base._edge_
    return leaf_edge(base) if type(edge) is Leaf else edge


def refresh(t: Tensor) -> None:
    """Rebuild the edge of view *t* if its memory was changed since. Source: VariableHooks::grad_fn.

    Raises RuntimeError if that is forbidden for how the view was made.
    """
    state = t._state_
    kind = type(state)
    if kind is tuple:
        base, version, creation = state
    elif kind is State:
        base, version = state.base, state.attr_version
    else:
        base, version = state, 0
    before = t._edge_
    if not base._sig_ & S.REQUIRES_GRAD and (before is None or type(before) is Leaf):
        ask_base(t)
        return
    now = t._shared_.value
    if now != version:
        _refuse_created(t, indirect=True)
        made = _again(t, base)
        t._edge_ = made._edge_
        if made._a_.shape == t._a_.shape:
            t._sig_ &= ~S.FORMER
            t._meta_ = S.STALE
        else:  # ``t_`` made it another since
            note_former(made)
            t._sig_ |= S.FORMER
            t._meta_ = S.STALE
        if kind is State:
            state.attr_version = now
            history_changed(t, before)
        else:
            t._state_ = (base, now, "")
    ask_base(t)


def read_in_any_case(result: Any) -> Any:
    """Let the node of *result* read what it saved though its edges lead nowhere, as torch's does.

    Of views made in no_grad there are such nodes. They cannot run twice either.
    """
    for t in result if isinstance(result, (tuple, list)) else (result,):
        node = unwrap(t._edge_)[0] if isinstance(t, Tensor) else None
        if isinstance(node, Node) and not any(node._edges_):
            reading = getattr(type(node), "_reading", None)
            if reading is not None:
                node.__class__ = reading(type(node))
    return result


def _again(t: Tensor, base: Tensor) -> Any:
    """*t* as a view made of *base* now, for its edge."""
    state = t._state_
    token = grad_mode.state.set((grad_state() | grad_mode.GRAD_ENABLED) & ~grad_mode.INFERENCE)
    word = tls.state.get()
    try:
        tls.state.set(_UNSEEN)  # whoever sees operators, this is none of a program's
        if type(state) is State and state.steps:
            if base._sig_ & S.PYTHON:
                tls.state.set(0)  # its class made the view, and makes it again
            view = base
            for step in state.steps:
                view = step(view)
            return view
        if not base._sig_ & S.REQUIRES_GRAD:  # which it did once: a node that leads nowhere
            base = snapshot(base)
            base._sig_ |= S.REQUIRES_GRAD
            base._meta_ = S.STALE
        geometry = t._a_.shape, t.stride(), t.storage_offset()
        try:
            return of("as_strided")(base, *geometry)
        except RuntimeError:  # ``set_`` gave the base memory that is too small: there is no window
            return of("as_strided")(_boundless(base), *geometry)
    finally:
        tls.state.set(word)
        grad_mode.state.reset(token)


def _boundless(base: Tensor) -> Tensor:
    """What stands for *base*, with its history, where only the node of a window is wanted."""
    stand_in = snapshot(base)
    alias = stand_in._shared_ = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._meta(1 << 62, base.device)
    return stand_in


__all__ = [
    "check_inplace",
    "continue_view",
    "creation_of",
    "is_stale",
    "read_in_any_case",
    "rebase",
    "refresh",
]
