"""The space of tensors: all that the autograd engine asks about its values.

See ``mindtorch_autograd.protocols.Space`` for the contract of each method.
"""

from __future__ import annotations

from _thread import _count as other_threads
from typing import Any

from mindtorch_autograd import AccumulateGrad, Output
from mindtorch_autograd import errors as autograd_errors

from ..call.overload_entrance import straight_named
from ..call.validate_gradients import check_shape, conform, fits_device
from ..core import signature as S
from ..core.compiling import eagerly, recorder
from ..core.errors import batched_scalar, gradient_complexity, inference_saved
from ..core.key_sets import grad_state, seen_by_python, tls_state
from ..core.operators import ops
from ..functionality import node_metadata
from ..functionality.gradient_layout import (
    claim,
    laid_out,
    sum_in_layout,
    sum_of_two,
    taken,
    warn_of_layout,
)
from ..functionality.python import detached
from ..functionality.transforms import own_vmap
from ..functionality.view_history import check_inplace, rebase
from ..tensor import Tensor
from ..tensor.construction import share
from ..tensor.edges import gradient_edge, history_changed, in_the_interior, new_leaf_edge
from ..tensor.legacy import type_name
from ..tensor.stale_grad_metadata import expected
from ..tensor.tensor_impl import SAME, Leaf, State, alias_of, base_of, is_leaf, state_of
from ..tensor.tensor_meta import AnyDtype, describe
from .leaf_lock import leaf_lock
from .root_check import check_root

#: What the result of a Function seldom has.
NOT_FRESH = S.REQUIRES_GRAD | S.VIEWS | S.OF_CLASS | S.BATCHED | S.FUNCTIONALITIES
_REQUIRES_GRAD = S.REQUIRES_GRAD
#: What a leaf that gets a gradient has of these: the first; unless it is a view.
_LEAF = S.REQUIRES_GRAD | S.VIEW
#: The bits of a tensor of which only dtype and backend are to be said.
_PLAIN = S.DIM_MASK | S.ZERO_MASK | S.CPU

_OUTSIDE = S.BATCHED | S.DUAL


def outside(sig: int) -> bool:
    """Whether a ``vmap`` or forward mode has a call of a Function first."""
    if sig & S.BATCHED:
        return True
    from ..functionality.tangents import enabled  # not before something is transformed

    return enabled.get()


def _is_fresh(x: Any, args: tuple[Any, ...]) -> bool:
    """Whether *x* is a tensor of floats without history, no view and none of *args*."""
    if type(x) is not Tensor or x._sig_ & NOT_FRESH or x._a_.dtype.kind in "biu":
        return False
    if x._state_ is not None and base_of(x) is not None:
        return False
    for a in args:  # noqa: SIM110  (a generator takes longer)
        if a is x:
            return False
    return True


def _is_leaf_still(variable: Any) -> bool:
    """Whether *variable* takes a gradient.

    Raises RuntimeError for a view that is none any more, since its base was changed in place.
    """
    if not variable._sig_ & _REQUIRES_GRAD:
        return False
    if type(variable._edge_) is Leaf and not base_of(variable)._sig_ & _REQUIRES_GRAD:
        return True
    if not is_leaf(variable):
        in_the_interior(None)
    return True


class TensorSpace:
    """Answers for tensors. One instance is installed when mindtorch is imported."""

    __slots__ = ("add_in_place",)

    def __init__(self) -> None:
        #: ``a.add_(b)`` of tensors of ours.
        self.add_in_place = straight_named("aten::add_.Tensor")

    def add(self, a: Any, b: Any) -> Any:
        """Sum of two gradients."""
        sig = a._sig_ | b._sig_
        if sig & S.SPARSE_LAYOUTS:  # the one that came first is *a*
            return b + a if a._sig_ & S.SPARSE_LAYOUTS else a + b
        if sig & S.STRIDED and a is not b and not grad_state() | tls_state():
            return sum_in_layout(a, b)
        return a + b

    def add_to(self, total: Any, grad: Any) -> Any:
        """Add to a sum that the engine made, in place where that gives the same tensor."""
        sig = total._sig_
        if sig == grad._sig_ and not (sig | tls_state()) & ~_PLAIN:
            a = total._a_
            if a.base is None and a.shape == grad._a_.shape:
                return self.add_in_place(total, grad)
        return self.add(total, grad) if sig & S.SPARSE_LAYOUTS else total + grad

    def accumulate(self, variable: Any, grad: Any, create_graph: bool, alone: bool = False) -> None:
        """Add *grad* to ``variable.grad``. Threads do so one after the other.

        :param alone: whether no other thread fills the leaf.

        Source: torch csrc/autograd/functions/accumulate_grad.h, accumulateGrad.
        """
        if variable._sig_ & _LEAF != _REQUIRES_GRAD and not _is_leaf_still(variable):
            return
        state = variable._state_
        if type(state) is not State:
            state = state_of(variable)
        if not alone and other_threads():  # the lock takes longer than the rest
            with state.filling or leaf_lock(state):
                self.accumulate(variable, grad, create_graph, True)
            return
        have = state.grad
        if create_graph:
            state.grad = laid_out(grad, variable) if have is None else sum_of_two(have, grad)
            if have is not None:
                warn_of_layout(state.grad, variable)
        elif type(have) is Tensor and type(grad) is Tensor:
            if have._sig_ & ~grad._sig_ & S.SPARSE_LAYOUTS:
                state.grad = sum_of_two(have, grad)
                return
            self.add_in_place(have, grad)
            if have._sig_ & S.SPARSE_LAYOUTS:
                return
            if have._a_.strides != variable._a_.strides:
                warn_of_layout(have, variable)
        elif have is None:
            dtype = state.grad_dtype
            if dtype is not SAME and dtype is not None and grad.dtype is not dtype:
                grad = grad._to_(None, dtype)
            state.grad = taken(grad, variable)
        else:
            have.add_(grad)

    def conform(self, grad: Any, metadata: Any, node: Any, index: int) -> Any:
        """Fit a gradient to its value; torch's error where that is impossible.

        Source: torch csrc/autograd/engine.cpp, validate_outputs.
        """
        a = grad._a_
        if a.shape == metadata.sizes:
            if a.dtype is metadata.np_dtype and grad._sig_ & metadata.sig & S.CPU:
                return grad
        else:
            check_shape(a.shape, metadata.sizes, node, index)
        kind = grad.dtype
        if (
            not kind.is_floating_point
            and type(metadata.np_dtype) is not AnyDtype
            and kind.is_complex != metadata.dtype.is_complex
        ):
            raise gradient_complexity()
        if a.ndim and not fits_device(grad._sig_ | metadata.sig) and grad.device != metadata.device:
            raise autograd_errors.invalid_gradient(
                node.name(), index, f"expected device {metadata.device} but got {grad.device}"
            )
        return conform(grad, metadata, node, index)

    def describe(self, x: Any) -> Any:
        """Shape, dtype and device of *x*."""
        return describe(x)

    def input_metadata(self, node: Any) -> tuple[Any, ...]:
        """What users see of the results of *node*, those that have gradients."""
        return node_metadata.shown(node)

    def pass_metadata(self, node: Any) -> None:
        """Note at the nodes below *node*, where it knows, what their results are like."""
        node_metadata.pass_on(node)

    def claim(self, grad: Any) -> Any:
        """Somebody else holds the memory of *grad*."""
        return claim(grad)

    def zeros(self, metadata: Any) -> Any:
        """A zero gradient."""
        zero = ops.zeros(metadata.sizes, dtype=metadata.dtype, device=metadata.device)
        alias_of(zero).value = 1  # torch fills them in place
        return zero

    def zeros_like(self, x: Any, requires_grad: bool) -> Any:
        """Zeros laid out like *x*. Source: torch/autograd/__init__.py, grad."""
        return ops.zeros_like(x, requires_grad=requires_grad)

    def is_value(self, x: Any) -> bool:
        """Whether *x* is a tensor."""
        return isinstance(x, Tensor)

    def requires_grad(self, x: Any) -> bool:
        """Whether gradients flow to *x*."""
        return x.requires_grad

    #: Where gradients of a tensor go.
    edge = staticmethod(gradient_edge)

    def grad_fn(self, x: Any) -> Any:
        """The edge of a result, None for a leaf."""
        return None if is_leaf(x) else x._grad_edge_

    def set_history(self, x: Any, edge: Any) -> None:
        """Make *x* the result of *edge*."""
        if base_of(x) is not None and x._edge_ is not None and type(x._edge_) is not Leaf:
            rebase(x, edge)
            return
        before = x._edge_
        x._edge_ = Leaf(edge) if type(edge) is AccumulateGrad else edge
        if before is not None and x._state_ is not None:
            history_changed(x, before)
        x._sig_ = x._sig_ & ~S.FORMER | S.REQUIRES_GRAD
        x._meta_ = S.STALE
        if x._shared_ is not None:
            x._shared_.touched = True

    def detach(self, x: Any) -> Any:
        """The same memory without history; its tangents go with it. Modes and classes see it."""
        made = detached(x) if seen_by_python(x._sig_ | tls_state()) else share(x._a_, x)
        if x._sig_ & S.DUAL:
            from ..functionality.tangents import pass_on  # few programs come here

            pass_on(x, made)
        return made

    def view(self, x: Any) -> Any:
        """An alias of *x*, of its class."""
        if x._sig_ & S.FUNCTION:
            kind = type(x)
            return kind.__torch_function__(Tensor.view_as, (kind,), (x, x))
        return x.view_as(x)

    def version(self, x: Any) -> int:
        """How often *x*, which is to be saved, was changed in place."""
        if x._sig_ & S.INFERENCE:
            raise inference_saved()
        return 0 if x._shared_ is None else x._shared_.value

    def difference(self, before: Any, after: Any) -> str | None:
        """In which respect a hook's result differs from what it replaces."""
        if before._a_.dtype != after._a_.dtype or before.device.type != after.device.type:
            was, got = map(node_metadata.type_of_value, (before, after))
            return f"type of value (was {was} got {got})"
        if before.device != after.device:
            return "device of value"
        return "size of value" if before._a_.shape != after._a_.shape else None

    def retain_grad(self, x: Any) -> None:
        """Keep the gradient of *x*."""
        x.retain_grad()

    # Calls of a Function

    def survey(self, args: tuple[Any, ...]) -> tuple[tuple[bool, ...], tuple[bool, ...], bool]:
        """Which arguments are tensors, which require grad, and whether a ``vmap`` has the call."""
        is_value = []
        needs = []
        joined = 0
        for a in args:
            if isinstance(a, Tensor):
                sig = a._sig_
                if sig & S.VIEW and a.requires_grad:
                    sig = a._sig_
                joined |= sig
                is_value.append(True)
                needs.append(sig & _REQUIRES_GRAD != 0)
            else:
                is_value.append(False)
                needs.append(False)
        apart = joined & _OUTSIDE != 0 and outside(joined) or recorder.get() is not None
        return tuple(is_value), tuple(needs), apart

    def apply_outside(self, function: Any, args: tuple[Any, ...]) -> Any:
        """A Function under ``vmap``, of tensors with tangents, or in a compiled function."""
        if recorder.get() is not None:
            with eagerly("Call of a `torch.autograd.Function`"):
                return function.apply(*args)
        from ..func import function_jvp, function_vmap  # few programs come here

        if any(isinstance(a, Tensor) and a._sig_ & S.BATCHED for a in args):
            return function_vmap.vmap_function(function, args)
        return function_jvp.jvp_function(function, args)

    def enter(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The edges of the tensors among *args*, and what gradients must fit."""
        edges = []
        facts = []
        for a in args:
            if isinstance(a, Tensor):
                edge = a._grad_edge_ if a._sig_ & S.VIEW else a._edge_
                if edge is None:
                    facts.append(None)
                else:
                    if type(edge) is Leaf:
                        edge = edge() or new_leaf_edge(a)
                    facts.append(expected(a) if a._sig_ & S.FORMER else describe(a))
                edges.append(edge)
        return tuple(edges), tuple(facts)

    def adopt(self, output: Any, args: tuple[Any, ...], node: Any) -> tuple[Any, ...] | None:
        """Make fresh tensors the results of *node*."""
        if type(output) is not tuple:
            if not _is_fresh(output, args):
                return None
            output._edge_ = node
            output._sig_ |= _REQUIRES_GRAD
            output._meta_ = S.STALE
            alias = output._shared_
            if alias is not None:
                alias.touched = True
            return (describe(output),)
        if not output or len(set(map(id, output))) != len(output):
            return None
        for x in output:
            if not _is_fresh(x, args):
                return None
        node._num_outputs_ = len(output)
        for nr, x in enumerate(output):
            x._edge_ = node if len(output) == 1 else Output(node, nr)
            x._sig_ |= _REQUIRES_GRAD
            x._meta_ = S.STALE
            alias = x._shared_
            if alias is not None:
                alias.touched = True
        return tuple(map(describe, output))

    def is_fresh(self, x: Any, args: tuple[Any, ...]) -> bool:
        """Whether *x* is a tensor of floats without history, no view and none of *args*."""
        return _is_fresh(x, args)

    def hand_out(self, x: Any, edge: Any, many: bool, pure: bool = False) -> None:
        """Make *x* the result of *edge*; a view may not be changed in place from now on, unless it
        is a *pure* one, whose changes its base takes over."""
        x._edge_ = edge
        x._sig_ |= _REQUIRES_GRAD
        x._meta_ = S.STALE
        alias = x._shared_
        if base_of(x) is not None:
            state = state_of(x)
            state.creation = "" if pure else "multi" if many else "function"
            state.attr_version = alias.value
            x._sig_ = x._sig_ & ~S.NO_GRAD_VIEW | S.VIEW
            x._meta_ = S.STALE
        elif alias is not None:
            alias.touched = True

    def made_inside(self, x: Any) -> None:
        """Note that a Function made *x*, if it is a view, which no gradient comes to."""
        if x._state_ is not None and base_of(x) is not None:
            state = state_of(x)
            state.creation = "function"

    def forget_history(self, x: Any) -> None:
        """Make *x* itself a constant."""
        x.detach_()

    def check_dirty(self, x: Any, alone: bool) -> None:
        """Refuse a change in place that would lose gradients.

        The history that *x* had before is asked for: what it has become is not known yet.
        """
        edge = x._edge_
        if x._sig_ & _REQUIRES_GRAD and (edge is None or type(edge) is Leaf):
            raise autograd_errors.leaf_in_place()
        if not alone and base_of(x) is not None:
            raise autograd_errors.dirty_view_among_results()
        check_inplace(x)

    def count_change(self, x: Any) -> None:
        """Count a change in place."""
        alias_of(x).value += 1

    def make_views_stale(self, x: Any) -> None:
        """Let views of the same memory look for their history again."""
        alias_of(x).touched = True

    def is_view(self, x: Any) -> bool:
        """Whether *x* has a base."""
        return base_of(x) is not None

    value_class = Tensor

    def watched(self) -> bool:
        """Whether a mode, a trace or the like is on in this thread, or a gradient mode."""
        return (grad_state() | tls_state()) != 0

    def differentiable(self, x: Any) -> bool:
        """Whether the dtype of *x* has gradients."""
        return x.dtype.is_floating_point or x.dtype.is_complex

    def register_hook(self, x: Any, hook: Any) -> Any:
        """``x.register_hook(hook)``."""
        return x.register_hook(hook)

    #: The gradient to start from; torch's errors for one that cannot be.
    check_root = staticmethod(check_root)

    def over_batch(self, run: Any, seeds: list[Any]) -> list[Any]:
        """*run* over a batch of *seeds*, under ``vmap``."""
        from .. import func  # few programs come here

        at = [i for i, seed in enumerate(seeds) if seed is not None]
        found: list[bool] = []

        def vjp(*given: Any) -> tuple[Any, ...]:
            full = list(seeds)
            for i, seed in zip(at, given):
                full[i] = seed
            grads = run(full)
            found[:] = [g is not None for g in grads]
            return tuple([g for g in grads if g is not None])

        for i in at:
            if not seeds[i].dim():
                raise batched_scalar()
        with own_vmap():
            made = iter(func.vmap(vjp)(*[seeds[i] for i in at]))
        return [next(made) if there else None for there in found]

    def type_text(self, x: Any) -> str:
        """``torch.FloatTensor [2]``."""
        return f"{type_name(x)} {list(x._a_.shape)}"

    def has_nan(self, x: Any) -> bool:
        """Whether any element is NaN."""
        return bool(ops.isnan(x).any())


__all__ = ["NOT_FRESH", "TensorSpace"]
