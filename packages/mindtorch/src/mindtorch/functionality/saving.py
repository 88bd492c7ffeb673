"""What a forward function calls: edges of arguments, what is saved of them, and reading it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import AccumulateGrad, Output, SavedVariable, anomaly, grad_mode
from mindtorch_autograd.graph_task import current_graph_task
from mindtorch_autograd.saved_variable import hooks_active

from ..core import signature as S
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import ops
from ..tensor import Leaf, Tensor, blank
from ..tensor.construction import snapshot, take_content
from ..tensor.edges import leaf_edge
from ..tensor.interning import TensorMeta
from ..tensor.tensor_impl import add_viewer, alias_of
from ..tensor.tensor_meta import describe
from .operands import operand
from .python import detached
from .version_checks import check_saved, kept_result

_HERE = f'File "{__file__.rpartition("functionality")[0]}'
grad_state = grad_mode.state.get


def edge_of(t: Any) -> Any:
    """The edge of an argument that may be a tensor, a number or None."""
    if not isinstance(t, Tensor):
        return None
    edge = t._grad_edge_
    return edge() or leaf_edge(t) if type(edge) is Leaf else edge


def edges_of(tensors: Any) -> list[Any]:
    """The edges of a list's tensors."""
    found = []
    for t in tensors:
        if type(t) is Tensor and not t._sig_ & S.VIEW:
            edge = t._edge_
            found.append(edge if type(edge) is not Leaf else edge() or leaf_edge(t))
        else:
            found.append(edge_of(t))
    return found


def describe_all(tensors: Any) -> tuple[Any, ...]:
    """The facts of a list's tensors; neighbours that are alike share them."""
    found: list[Any] = []
    last, sig = None, 0
    for t in tensors:
        if last is not None and type(t) is Tensor:
            a = t._a_
            if (
                t._sig_ == sig
                and sig & S.CPU
                and a.shape == last.sizes
                and a.dtype is last.np_dtype
                and a.strides == last.byte_strides
            ):
                found.append(last)
                continue
        last = describe(t)
        if last is not None:
            sig = t._sig_
        found.append(last)
    return tuple(found)


def version(t: Any) -> int:
    """The version of an argument that may be a tensor, a number or None."""
    if isinstance(t, Tensor) and t._shared_ is not None:
        return t._shared_.value
    return 0


def before_change(t: Tensor) -> Tensor:
    """A copy of *t* with its history, for formulas that need what an in-place op overwrites."""
    token = grad_mode.state.get()
    try:
        grad_mode.state.set(grad_state() & ~grad_mode.GRAD_ENABLED)
        copy: Tensor = ops.clone(t)
    finally:
        grad_mode.state.set(token)
    copy._edge_ = t._grad_edge_
    copy._sig_ |= t._sig_ & S.REQUIRES_GRAD
    copy._meta_ = S.STALE
    return copy


def save_result(result: Tensor, meta: Any = S.STALE) -> tuple[Tensor, int]:
    """A result is saved without its edge, which would close a cycle through the node.

    :param meta: that of the result, if it is known.
    """
    alias = alias_of(result)
    if result._sig_ & S.PYTHON:  # only its class knows what it stands for; it gets no edge
        return result, alias.value
    saved = blank()
    saved._a_ = result._a_
    saved._sig_ = result._sig_ & ~(S.VIEWS | S.REQUIRES_GRAD)
    saved._shared_ = alias
    if alias.viewers is not None:
        add_viewer(alias, saved)
    saved._edge_ = saved._state_ = None
    if saved._sig_ & S.CONTENT:
        take_content(saved, result)
    saved._meta_ = meta.alone if meta.__class__ is TensorMeta else S.STALE
    return saved, alias.value


def save_visibly(result: Tensor, meta: Any = S.STALE) -> tuple[Tensor, int]:
    """The same where somebody sees operators: torch detaches results that have a history.

    Hooks get them without that.
    """
    if result._a_.dtype.kind in "biu" or hooks_active():
        return save_result(result)
    saved = detached(result)
    saved._shared_ = alias = alias_of(result)
    add_viewer(alias, saved)
    return saved, alias.value


def attach(results: Any, node: Any, leaves: tuple[int, ...] = ()) -> None:
    """Give the floating point results of a multi-output op their edges, but for *leaves*."""
    if isinstance(results, Tensor):
        results = (results,)
    node._num_outputs_ = len(results)
    if len(results) == 1:  # the edge of a node's only output is the node itself
        results[0]._edge_ = node
        results[0]._sig_ |= S.REQUIRES_GRAD
        results[0]._meta_ = S.STALE
        return
    floating: list[Any] = []
    for i, r in enumerate(results):
        if i not in leaves and r is not None and r._a_.dtype.kind not in "biu":
            r._edge_ = Output(node, i)
            r._sig_ |= S.REQUIRES_GRAD
            r._meta_ = S.STALE
            floating.append(r)
    if floating:
        node._extra_.input_metadata = describe_all(floating)


def pack_arguments(values: tuple[Any, ...]) -> list[Any] | None:
    """With saved-tensor hooks: what they make of the arguments to save, before the op runs."""
    if not hooks_active():
        return None
    packed: list[Any] = []
    for t in values:
        if isinstance(t, tuple):
            packed.append(tuple([SavedVariable(x) if x is not None else None for x in t]))
        else:
            packed.append(SavedVariable(t) if isinstance(t, Tensor) else t)
    return packed


def note_rare(
    node: Any, result: Any, slots: list[tuple[int, int]], packed: list[Any] | None
) -> None:
    """With saved-tensor hooks or in anomaly mode: pack what was saved, remember where.

    :param packed: the arguments among it, packed before.
    """
    if slots and packed is not None:
        saved = list(node._saved_)
        results = result if isinstance(result, (tuple, list)) else (result,)
        early = iter(packed)
        for slot, index in slots:
            if index < 0:
                saved[slot] = next(early)
            elif isinstance(results[index], Tensor):
                t = results[index]
                saved[slot] = SavedVariable(t, t._edge_ is not None)
        node._saved_ = tuple(saved)
    if anomaly.enabled:
        task = current_graph_task()
        parent = None if task is None else task.node
        fresh = [e for e in node._edges_ if type(e) is AccumulateGrad and not e.metadata]
        for made in (node, *fresh):  # a leaf's node that is there since this very call
            anomaly.record_forward_call(made, parent=parent)
            lines = made.metadata["traceback_"]
            made.metadata["traceback_"] = [
                t for t in lines if _HERE not in t and "<mindtorch.call.code>" not in t
            ]


# Reading saved values ---------------------------------------------------------------------------


def tensor_getter(slot: int) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        saved = node._saved_
        t = saved[slot]
        if isinstance(t, Tensor):
            alias = t._shared_
            if alias is not None and alias.value != saved[slot + 1]:
                check_saved(node)
        elif type(t) is SavedVariable:
            return t.unpack(node)
        elif t is not None:
            return operand(t)
        return t

    return get


def unpacked(t: Any) -> Any:
    """A saved result for its formula; torch detaches it once more."""
    return (
        detached(t)
        if t._a_.dtype.kind not in "biu" and seen_by_python(t._sig_ | tls_state())
        else t
    )


class WithResults:
    """A node of which the saved results have been read; all else is the node's."""

    def __init__(self, node: Any, reads: list[tuple[str, int]]) -> None:
        self._node = node
        saved = node._saved_
        for name, slot in reads:
            if saved[slot] is not None:
                setattr(self, name, getattr(node, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._node, name)


def list_getter(slot: int) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        saved = node._saved_
        tensors = saved[slot]
        for t, number in zip(tensors, saved[slot + 1], strict=True):
            if type(t) is SavedVariable:
                return tuple([t if t is None else t.unpack(node) for t in tensors])
            if t is not None and t._shared_ is not None and t._shared_.value != number:
                check_saved(node)
        return tensors

    return get


def plain_getter(slot: int, store: str) -> Callable[[Any], Any]:
    if store == "_saved_":  # what a gradient of a list must fit
        return lambda node: node._saved_[slot]
    return lambda node: node.kept[slot]


def result_getter(slot: int, index: int, multi: bool, leaf: bool) -> Callable[[Any], Any]:
    def get(node: Any) -> Any:
        t = kept_result(node, slot)
        if type(t) is SavedVariable:
            return t.unpack(node)
        if t._shared_.value != node._saved_[slot + 1]:
            check_saved(node)
        if not leaf and (tls_state() or t._sig_ & S.PYTHON):
            t = unpacked(t)
        if leaf or not grad_state() & grad_mode.GRAD_ENABLED or t._a_.dtype.kind in "biu":
            return t
        # A subclass that stands for another tensor was detached just now, by its own dispatch.
        copy = t if t._sig_ & S.PYTHON else snapshot(t)
        copy._edge_ = Output(node, index) if multi else node
        copy._sig_ |= S.REQUIRES_GRAD
        copy._meta_ = S.STALE
        return copy

    return get
