"""The ADInplaceOrView key: version counters, bases of views, and history after in-place ops.

Note [Views and in-place]
    A view keeps its base (``_state``) and carries the VIEW bit when it was made in grad mode.
    Changing a base, or a view of it, in place gives the *base* a new edge and notes the version
    in the shared alias (``rebased``). A view whose ``attr_version`` is older rebuilds its edge
    as ``as_strided`` of the base when it is next used (:func:`refresh`). Because the VIEW bit
    is part of the signature, only calls on views look at any of this.

Note [Views made in no_grad]
    Such a view of a tensor that requires grad requires grad as well, but has no edge; nothing else
    is like that. What is made of it has a node that leads nowhere, to change it is refused, and so
    is its use after its base was changed. Both bits follow from the signature: nobody pays.
"""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import Node, grad_mode, next_key, unwrap
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_dispatch.keys import DENSE_MASK

from .. import signature as S
from .._tensor.gradient import history_changed, leaf_edge
from ..backends.cpu import cpu
from ..backends.fast_in_place import fast_in_place
from ..backends.fast_views import FAST_VIEWS, mark_view
from ..backends.outputs import below_autograd
from ..calls import BUILDERS, Call, boxed, build
from ..constants import contiguous_format
from ..construct import alias_of
from ..errors import (
    BASE_CHANGED,
    created_view_in_place,
    inference_view_in_place,
    leaf_in_place,
    untracked_view_in_place,
    untracked_view_of_changed,
    view_of_leaf_in_place,
)
from ..ops.in_place_rules import IN_PLACE_CHECKS, OWN_DTYPE
from ..ops.overload import INPLACE, OUT, Overload
from ..tensor import Leaf, State, Tensor, base_of, state_of
from . import keys
from .python import detached

#: Views that torch makes without telling them their base: only the version is shared.
UNTRACKED = frozenset(("alias_no_grad", "detach", "view.dtype"))

grad_state = grad_mode.state.get
_UNSEEN = tls.with_excluded(0, K.Python | K.PythonTLSSnapshot)


def build_inplace_or_view(overload: Overload, sig: int, mask: int) -> Call:
    """Bump the version after an in-place op; tell a view its base."""
    below = mask & keys.BELOW_ADINPLACEORVIEW
    shortcut = FAST_VIEWS.get(overload.row.name)
    if shortcut is not None and _straight_to_backend(overload, below):
        fast = shortcut(overload, sig, view_bits(sig))
        if fast is not None:
            return fast
    inner = build(overload, sig, below)
    if overload.kind == INPLACE:
        if "counts_its_change" in overload.row.tags:
            return inner
        checked = _checked(overload, inner, sig)
        bumping = _bumping(overload, checked)
        if overload.row.ufunc is None or hasattr(inner, "traced") or checked is not inner:
            return bumping
        hop = overload.operator.hop(below)
        if not hop.key & DENSE_MASK or hop.kernel.fn is not cpu:  # type: ignore[union-attr]
            return bumping
        return fast_in_place(overload, sig, bumping) or bumping
    if overload.kind == OUT:
        if overload.composed == "recorded":
            inner = below_autograd(inner)
        return _bumping_out(overload, inner)
    if overload.row.view is not None and overload.row.name not in UNTRACKED:
        if below & K.Python:
            return _with_base_if_shared(inner, view_bits(sig))
        return _with_base(overload, inner, view_bits(sig))
    if overload.row.name == "view.dtype" and below & K.Python:
        # torch makes it one that is no view for gradients by detaching it where all see it.
        return lambda *args: detached(inner(*args))
    return inner


def _straight_to_backend(overload: Overload, below: int) -> bool:
    hop = overload.operator.hop(below)
    return bool(hop.key & DENSE_MASK) and hop.kernel.fn in BUILDERS  # type: ignore[union-attr]


def _checked(overload: Overload, inner: Call, sig: int) -> Call:
    """*inner* after what only the in-place form refuses, or in the target's dtype."""
    name = overload.row.name
    check = IN_PLACE_CHECKS.get(name)
    if check is not None and (name != "abs" or sig & S.COMPLEX):

        def call(*args: Any) -> Any:
            check(*args)
            return inner(*args)

        return call
    if name in OWN_DTYPE:
        return lambda self, *args: inner(self, *args[:-1], args[-1] or self.dtype)
    return inner


def _bumping(overload: Overload, inner: Call) -> Call:
    position = overload.mutable_position

    def call(*args: Any) -> Any:
        out = inner(*args)
        t = args[position]
        alias = t._shared
        if alias is None:
            alias = alias_of(t)
        alias.value += 1
        return out

    return call


def _bumping_out(overload: Overload, inner: Call) -> Call:
    positions = overload.out_positions

    def call(*args: Any) -> Any:
        out = inner(*args)
        for i in positions:
            alias_of(args[i]).value += 1
        return out

    return call


def view_bits(sig: int) -> int:
    """What the signature of a view says of it.

    See Note [Views made in no_grad]. Views of tensors without gradients look like any tensor.
    """
    if sig & grad_mode.GRAD_ENABLED:
        return S.VIEW
    return S.VIEW | S.REQUIRES_GRAD if sig & S.REQUIRES_GRAD else 0


def _with_base(overload: Overload, inner: Call, bit: int) -> Call:
    many = overload.schema_text.endswith("[]")

    if many:

        def call_many(base: Tensor, *rest: Any) -> Any:
            out = inner(base, *rest)
            for t in out:
                mark_view(t, base, bit, "multi")
            return out

        return call_many

    def call(base: Tensor, *rest: Any) -> Any:
        t = inner(base, *rest)
        if t is not base:
            mark_view(t, base, bit)
        return t

    return call


def _with_base_if_shared(inner: Call, bit: int) -> Call:
    """The same for results that a handler made: they may lie anywhere."""

    def call(base: Tensor, *rest: Any) -> Any:
        out = inner(base, *rest)
        many = isinstance(out, (tuple, list))
        for t in out if many else (out,):
            if isinstance(t, Tensor) and t is not base and t._shared is not None:
                if t._shared is base._shared:
                    mark_view(t, base, bit, "multi" if many else "")
        return out

    return call


# In-place ops and history -----------------------------------------------------------------------


def check_inplace(t: Tensor) -> None:
    """Refuse in-place ops that would lose gradients. Source: VariableTypeUtils.h, check_inplace."""
    if not t._sig & S.REQUIRES_GRAD and not t._sig & S.VIEW:
        if t._state is not None and base_of(t) is not None:  # without the bit: made in no_grad
            raise untracked_view_in_place()
        return
    state = t._state
    if type(state) is State and state.creation:
        _refuse_created(t, state)
    edge = t._grad_edge
    base = base_of(t)
    if type(edge) is Leaf:
        raise leaf_in_place() if base is None else view_of_leaf_in_place()
    if base is not None:
        wants = t._sig & S.REQUIRES_GRAD
        if wants and edge is None:
            if type(state) is State and state.creation == "inference":
                raise inference_view_in_place()
            raise untracked_view_in_place()
        if wants and base._sig & S.REQUIRES_GRAD and t.grad_fn._edges == (None,):
            raise untracked_view_in_place(of=t.grad_fn.name())
        if type(base._edge) is Leaf:
            raise view_of_leaf_in_place()


def check_created(t: Any) -> None:
    """Refuse in-place ops on a view, as it is, for how it was made; before it gets new history."""
    if not isinstance(t, Tensor):
        return
    state = t._state
    if type(state) is State and state.creation:
        _refuse_created(t, state)
    if t._sig & S.VIEW and t._sig & S.REQUIRES_GRAD and t._edge is None:
        if type(state) is State and state.creation == "inference":
            raise inference_view_in_place("is being modified inplace")
        raise untracked_view_in_place()


def _refuse_created(t: Tensor, state: State, *what: str) -> None:
    """Raise for a view whose maker gives it gradients that an in-place op would overrule."""
    node, nr = unwrap(t._edge)
    if node is not None and type(node) is not Leaf:
        if state.creation == "inference":
            raise inference_view_in_place(*what, of=node.name(), nr=nr)
        raise created_view_in_place(state.creation, node.name(), nr, *what)


def rebase(t: Tensor, node: Node) -> None:
    """*t* was changed in place by *node*: its history, and its base's, now begin there."""
    base = base_of(t)
    if base is None:
        before = t._edge
        t._edge = node
        if before is not None and t._state is not None:
            history_changed(t, before)
        t._sig |= S.REQUIRES_GRAD
        alias = t._shared
        if alias is not None:
            alias.rebased = alias.value
        return
    alias = alias_of(t)
    copy = CopySlices()
    copy._edges = (edge_of_base(base), *node._edges[1:])
    copy._key = next_key()  # after the edges: a node's key is below all it points to
    copy._saved = (
        node,
        (*geometry(t, base), (t._sig ^ base._sig) & S.LAZY),
        (base._a.shape, base.stride(), base.storage_offset(), base.dtype),
    )
    copy._extra = None
    before = base._edge
    base._edge = copy
    if before is not None:
        history_changed(base, before)
    base._sig |= S.REQUIRES_GRAD
    alias.rebased = alias.value
    refresh(t)


def edge_of_base(base: Tensor) -> Any:
    """The edge of *base* before it is rebased."""
    edge = base._edge
    return leaf_edge(base) if type(edge) is Leaf else edge


def geometry(t: Tensor, base: Tensor) -> tuple[Any, Any, int]:
    """Shape, strides and offset of *t* within *base*'s storage (elements)."""
    return (t._a.shape, t.stride(), t.storage_offset())


def refresh(t: Tensor) -> None:
    """Rebuild the edge of view *t* if its base was changed in place since. See the Note."""
    alias = t._shared
    assert alias is not None
    state = state_of(t)
    if state.attr_version >= alias.rebased:
        return
    if t._edge is None and t._sig & S.REQUIRES_GRAD:
        if state.creation == "inference":
            raise inference_view_in_place(BASE_CHANGED)
        raise untracked_view_of_changed()
    if state.creation:
        _refuse_created(t, state, BASE_CHANGED)
    base = state.base
    state.attr_version = alias.value
    edge = base._edge
    if edge is None:
        return
    token = grad_mode.state.set(grad_state() | grad_mode.GRAD_ENABLED)
    word = tls.state.set(_UNSEEN)  # whoever sees operators, this is none of a program's
    try:
        view = base.as_strided(t._a.shape, t.stride(), t.storage_offset())
        flips = (t._sig ^ base._sig) & S.LAZY
        if flips & S.CONJ:
            view = view._conj()
        before = t._edge
        t._edge = (view._neg_view() if flips & S.NEG else view)._edge
    finally:
        tls.state.reset(word)
        grad_mode.state.reset(token)
    t._sig |= S.REQUIRES_GRAD
    if before is not None:
        history_changed(t, before)


class CopySlices(Node):
    """Gradient of a base that was changed through a view.

    Source: torch csrc/autograd/functions/tensor.cpp, CopySlices.
    """

    __slots__ = ()
    _takes_edges = True

    def name(self) -> str:
        """torch's full C++ name."""
        return "torch::autograd::CopySlices"

    def apply(self, grad: Any, edges: Any = None) -> Any:
        node, window, (base_shape, base_strides, base_offset, _) = self._saved
        shape, strides, offset, flips = window
        token = grad_mode.state.set(grad_state() & ~grad_mode.GRAD_ENABLED)
        try:
            whole = grad.new_empty_strided(base_shape, base_strides)
            whole.copy_(grad)
            part = whole.as_strided(shape, strides, offset - base_offset)
            if flips & S.CONJ:
                part = part._conj()
            if flips & S.NEG:
                part = part._neg_view()
            if edges is None or not node._takes_edges:
                out = node.apply(part.clone(memory_format=contiguous_format))
            else:
                wanted = zip(node._edges, edges, strict=True)
                some = tuple([None if mine is None else edge for edge, mine in wanted])
                out = node.apply(part.clone(memory_format=contiguous_format), edges=some)
            if len(node._edges) == 1:
                out = (out,)
            if edges is not None and edges[0] is None:
                whole = None
            elif out[0] is None:
                part.zero_()
            else:
                part.copy_(out[0])
        finally:
            grad_mode.state.reset(token)
        rest = tuple(out[1:])
        return (whole, *rest) if rest else whole


inplace_or_view = boxed(build_inplace_or_view)

__all__ = [
    "CopySlices",
    "check_inplace",
    "inplace_or_view",
    "rebase",
    "refresh",
]
