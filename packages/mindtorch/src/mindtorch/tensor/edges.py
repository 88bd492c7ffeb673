"""Where the gradient of a tensor goes: its edge, the node of a leaf, and what moves with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import AccumulateGrad, extras_of, next_key, watch_leaf_order
from mindtorch_autograd.function import BackwardCFunction
from mindtorch_npu import thread_state

from ..core import signature as S
from ..core.late_bound import LateBound
from .tensor_impl import SAME, Leaf, State, base_of, making

describe = LateBound("describe")


def ask_base(t: Any) -> None:
    """Whether gradients flow to the view *t* is asked of its base, too."""
    base = base_of(t)
    wanted = t._edge_ is not None or (base is not None and base._sig_ & S.REQUIRES_GRAD != 0)
    if wanted is (t._sig_ & S.REQUIRES_GRAD == 0):
        t._sig_ ^= S.REQUIRES_GRAD
        t._meta_ = S.STALE


def own_grad_dtype(t: Any) -> Any:
    """The dtype that the gradient of *t* has to have; None: any."""
    state = t._state_
    dtype = state.grad_dtype if type(state) is State else SAME
    return t.dtype if dtype is SAME else dtype


def gradient_edge(t: Any) -> Any:
    """The edge of *t*; for a leaf that requires grad its (possibly fresh) AccumulateGrad node."""
    edge = t._grad_edge_
    return leaf_edge(t) if type(edge) is Leaf else edge


def caster(dtype: Any) -> Callable[[Any], Any] | None:
    """What a leaf whose gradient has to have *dtype* does with what comes to it."""
    if dtype is None or dtype is SAME:
        return None
    return lambda grad: grad if grad.dtype is dtype else grad._to_(None, dtype)


def in_the_interior(grad: Any) -> Any:
    """What a leaf of old, which is a result by now, does with a gradient that comes to it.

    Source: torch csrc/autograd/functions/accumulate_grad.cpp.
    """
    raise RuntimeError("leaf variable has been moved into the graph interior")


def note_metadata(t: Any, node: Any, nr: int) -> None:
    """Note at *node*, which users are about to look at, what its result *nr* is like."""
    if node._num_outputs_ != 1 or isinstance(node, BackwardCFunction):
        return  # which know it themselves
    extra = extras_of(node)
    if extra.input_metadata is None:
        extra.input_metadata = (describe(t),)


def history_changed(t: Any, before: Any) -> None:
    """*t*, whose edge was *before*, has a new one: its hooks stay, ``retain_grad`` moves.

    Source: torch csrc/autograd/variable.cpp, update_tensor_hooks_on_new_gradfn.
    """
    state = t._state_
    if type(state) is not State:
        return
    node = state.leaf()
    if isinstance(node, AccumulateGrad):
        extras_of(node).convert = in_the_interior
    state.hooks = None
    keep = state.retain_grad_hook
    if keep is not None and before is not None:
        extras_of(before).retain_hook = None
        extras_of(t._edge_).retain_hook = keep


def leaf_edge(t: Any) -> AccumulateGrad:
    """The AccumulateGrad node of leaf *t*.

    The node holds the leaf and the leaf holds the node weakly, as in torch, so that no reference
    cycle keeps memory alive.
    """
    return t._edge_() or new_leaf_edge(t)


def new_leaf_edge(t: Any) -> AccumulateGrad:
    """The same for a leaf whose node does not live (yet, or any more)."""
    node = AccumulateGrad()  # as ``accumulate_grad`` does, here because every graph comes by
    node._key_ = next_key()
    node._edges_ = node._saved_ = ()
    node._extra_ = None
    node._variable = t
    state = t._state_
    if type(state) is State and (
        state.hooks is not None
        or state.post_accumulate_hooks is not None
        or state.grad_dtype is not SAME
    ):
        extra = extras_of(node)
        extra.convert = caster(state.grad_dtype)
        extra.tensor_hooks = state.hooks
        extra.post_accumulate = state.post_accumulate_hooks
        if state.hooks is not None or state.post_accumulate_hooks is not None:
            watch_leaf_order(node)
    if thread_state.ever_left and thread_state.tls.left and t._sig_ & S.STREAMED:
        stream = thread_state.current_queue(t.device.index)
        if stream.stream_id:
            extras_of(node).stream = stream
    with making:  # last: another thread takes the node from here
        made: AccumulateGrad | None = t._edge_()
        if made is None:
            t._edge_ = Leaf(node)
    return node if made is None else made
