"""The space of tensors: all that the autograd engine asks about its values.

See ``mindtorch_autograd.protocols.Space`` for the contract of each method.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from mindtorch_autograd import AccumulateGrad, unwrap
from mindtorch_autograd import errors as autograd_errors
from mindtorch_storage import CPU
from mindtorch_storage.layout import is_non_overlapping_and_dense

from . import signature as S
from ._tensor.gradient import gradient_edge, new_leaf_edge
from ._tensor.layout import empty_strides
from .autograd.roots import ones_visibly
from .call_arguments import full_arguments
from .calls import OVERLOADS, grad_state, run, seen_by_python, tls_state
from .constants import contiguous_format, strided
from .construct import alias_of, share, wrap
from .errors import gradient_complexity
from .functionality.inplace_or_view import check_inplace, rebase
from .layout_policy import enforced
from .legacy import type_name
from .ops.call import ops
from .size import Size
from .state import SAME, Alias, Leaf, State, base_of, is_leaf, state_of
from .tensor import Tensor, blank


class Facts(NamedTuple):
    """What is known of a tensor without keeping it: for formulas that only ask its shape,
    and for fitting a gradient to the argument it is for."""

    sizes: tuple[int, ...]
    np_dtype: Any
    sig: int
    device: Any
    byte_strides: tuple[int, ...]
    offset: int = -1

    @property
    def shape(self) -> Size:
        """The shape, as of a tensor."""
        return _tuple_new(Size, self.sizes)

    @property
    def dtype(self) -> Any:
        """The dtype, as of a tensor."""
        return S.DTYPE_OF_NUM[self.np_dtype.num]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    #: There are no nested tensors; of a subclass nothing is known but what is here.
    is_nested_tensor = is_cpp_nested_tensor = is_tensor_subclass = False

    def dim(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    def numel(self) -> int:
        """The number of elements."""
        return self.shape.numel()

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else self.sizes[dim]

    def stride(self, dim: int | None = None) -> Any:
        """The strides in elements, or one of them."""
        item = self.np_dtype.itemsize
        strides = tuple([s // item for s in self.byte_strides])
        return strides if dim is None else strides[dim]

    def storage_offset(self) -> int:
        """Where the first element lay in the storage; asked for when the facts were taken."""
        return self.offset

    def is_complex(self) -> bool:
        """Whether the dtype is complex."""
        return bool(self.dtype.is_complex)

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating point type."""
        return bool(self.dtype.is_floating_point)


_new = object.__new__
#: What the result of a Function seldom has.
NOT_FRESH = S.REQUIRES_GRAD | S.VIEW | S.OF_CLASS | S.BATCHED
_REQUIRES_GRAD = S.REQUIRES_GRAD
_tuple_new = tuple.__new__
#: The bits of a tensor of which only dtype and backend are to be said.
_PLAIN = S.DIM_MASK | S.ZERO_MASK | S.CPU

#: The attributes of a tensor that :class:`Facts` answers too.
FACTS = frozenset(
    ("shape", "dtype", "ndim", "dim", "numel", "size", "stride", "device", "is_complex",
     "is_floating_point", "storage_offset")
)  # fmt: skip


def describe(t: Any, placed: bool = False) -> Facts | None:
    """The facts of a tensor, with its storage offset if *placed*; None for anything else."""
    if not isinstance(t, Tensor):
        return None
    a = t._a
    sig = t._sig
    device = CPU if sig & S.CPU else t.device
    strides = a.strides if a.size else empty_strides(a)
    offset = t.storage_offset() if placed else -1
    return _tuple_new(Facts, (a.shape, a.dtype, sig & S.BACKENDS, device, strides, offset))


def conform(grad: Any, facts: Facts, node: Any, index: int) -> Any:
    """Sum *grad* down to the shape it was broadcast from, cast and move it if need be.

    Raises torch's error, which names *node* and *index*, for a shape that was never broadcast.
    """
    a = grad._a
    if a.shape != facts.sizes:
        _check_shape(a.shape, facts.sizes, node, index)
        grad = sum_to(grad, facts.sizes)
    if a.dtype is not facts.np_dtype and a.dtype != facts.np_dtype:
        dtype = facts.dtype
        if grad.is_complex() and not dtype.is_complex:
            grad = ops.real(grad)
        if grad.dtype is not dtype:
            grad = cast(grad, dtype)
    if grad._sig & S.BACKENDS != facts.sig or (facts.sig & S.NPU and grad.device != facts.device):
        grad = grad._to(facts.device)
    return grad


def _check_shape(have: Sequence[int], want: Sequence[int], node: Any, index: int) -> None:
    lead = len(have) - len(want)
    if lead < 0 or any(w not in (1, h) for h, w in zip(have[lead:], want, strict=True)):
        raise autograd_errors.invalid_gradient(
            node.name(),
            index,
            f"got {list(have)} but expected shape compatible with {list(want)}",
        )


def cast(t: Any, dtype: Any) -> Any:
    """*t* in another dtype, as torch's C++ has it: with all the options of the result."""
    if seen_by_python(t._sig | tls_state()):
        to_copy = OVERLOADS["aten::_to_copy"]
        return run(to_copy, full_arguments(to_copy, (t,), {
            "dtype": dtype, "layout": t.layout, "device": t.device,
        }))  # fmt: skip
    return t._to(None, dtype)


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Undo a broadcast: sum over the dimensions that *shape* lacks or has with size 1."""
    have = grad._a.shape
    lead = len(have) - len(shape)
    if lead < 0:
        return grad.expand(shape)
    if not shape:
        return ops.sum(grad)
    dims = list(range(lead))
    dims += [i for i in range(lead, len(have)) if shape[i - lead] == 1 and have[i] != 1]
    if dims:
        # A tuple, so that what its meta said is found again.
        grad = run(OVERLOADS["aten::sum.dim_IntList"], (grad, tuple(dims), True, None))
    if lead:
        grad = grad.reshape(shape)
    if grad._a.shape != shape:
        return grad.expand(shape)
    return grad


_OUTSIDE = S.BATCHED | S.DUAL


def outside(sig: int) -> bool:
    """Whether a ``vmap`` or forward mode has a call of a Function first."""
    if sig & S.BATCHED:
        return True
    from .functionality.tangents import enabled

    return enabled.get()


class TensorSpace:
    """Answers for tensors. One instance is installed when mindtorch is imported."""

    __slots__ = ("add_in_place",)

    def __init__(self) -> None:
        #: The calls of ``a.add_(b)`` by signature.
        self.add_in_place = OVERLOADS["aten::add_.Tensor"].lead

    def add(self, a: Any, b: Any) -> Any:
        """Sum of two gradients."""
        return a + b

    def add_to(self, total: Any, grad: Any) -> Any:
        """Add to a sum that the engine made, in place where that gives the same tensor."""
        sig = total._sig
        if sig == grad._sig and not (sig | tls_state()) & ~_PLAIN:
            a = total._a
            if a.base is None and a.shape == grad._a.shape:
                return self.add_in_place[sig | grad_state()](total, grad)
        return total + grad

    def accumulate(self, variable: Any, grad: Any, create_graph: bool) -> None:
        """Add *grad* to ``variable.grad``.

        Source: torch csrc/autograd/functions/accumulate_grad.h, accumulateGrad.
        """
        if not variable._sig & _REQUIRES_GRAD:
            return
        state = variable._state
        if type(state) is not State:
            state = state_of(variable)
        have = state.grad
        if create_graph:
            state.grad = laid_out(grad, variable) if have is None else have + grad
        elif type(have) is Tensor and type(grad) is Tensor:
            self.add_in_place[have._sig | grad._sig | grad_state() | tls_state()](have, grad)
        elif have is None:
            dtype = state.grad_dtype
            if dtype is not SAME and dtype is not None and grad.dtype is not dtype:
                grad = grad._to(None, dtype)
            state.grad = taken(grad, variable)
        else:
            have.add_(grad)

    def conform(self, grad: Any, metadata: Any, node: Any, index: int) -> Any:
        """Fit a gradient to its value; torch's error where that is impossible.

        Source: torch csrc/autograd/engine.cpp, validate_outputs.
        """
        a = grad._a
        if a.shape == metadata.sizes:
            if a.dtype is metadata.np_dtype and grad._sig & metadata.sig & S.CPU:
                return grad
        else:
            _check_shape(a.shape, metadata.sizes, node, index)
        kind = grad.dtype
        if not kind.is_floating_point and kind.is_complex != metadata.dtype.is_complex:
            raise gradient_complexity()
        if grad.device != metadata.device and a.ndim:
            raise autograd_errors.invalid_gradient(
                node.name(), index, f"expected device {metadata.device} but got {grad.device}"
            )
        return conform(grad, metadata, node, index)

    def describe(self, x: Any) -> Any:
        """Shape, dtype and device of *x*."""
        return describe(x)

    def zeros(self, metadata: Any) -> Any:
        """A zero gradient."""
        zero = ops.zeros(metadata.sizes, dtype=metadata.dtype, device=metadata.device)
        alias_of(zero).value = 1  # torch fills them in place
        return zero

    def is_value(self, x: Any) -> bool:
        """Whether *x* is a tensor."""
        return isinstance(x, Tensor)

    def requires_grad(self, x: Any) -> bool:
        """Whether gradients flow to *x*."""
        return x.requires_grad  # type: ignore[no-any-return]

    def edge(self, x: Any) -> Any:
        """Where gradients of *x* go."""
        return gradient_edge(x)

    def grad_fn(self, x: Any) -> Any:
        """The edge of a result, None for a leaf."""
        return None if is_leaf(x) else x.grad_edge

    def set_history(self, x: Any, edge: Any) -> None:
        """Make *x* the result of *edge*."""
        if base_of(x) is not None and x._edge is not None and type(x._edge) is not Leaf:
            rebase(x, edge)
            return
        x._edge = Leaf(edge) if type(edge) is AccumulateGrad else edge
        x._sig |= S.REQUIRES_GRAD
        if x._shared is not None and x._shared.value:
            x._shared.rebased = x._shared.value

    def detach(self, x: Any) -> Any:
        """The same memory without history."""
        return share(x._a, x)

    def view(self, x: Any) -> Any:
        """An alias of *x*, of its class."""
        if x._sig & S.FUNCTION:
            kind = type(x)
            return kind.__torch_function__(Tensor.view_as, (kind,), (x, x))  # type: ignore[attr-defined]
        return x.view_as(x)

    def version(self, x: Any) -> int:
        """How often *x* was changed in place."""
        return 0 if x._shared is None else x._shared.value

    def difference(self, before: Any, after: Any) -> str | None:
        """In which respect a hook's result differs from what it replaces."""
        if before._a.dtype != after._a.dtype:
            was, got = self._type_name(before), self._type_name(after)
            return f"type of value (was {was} got {got})"
        if before.device != after.device:
            return "device of value"
        return "size of value" if before._a.shape != after._a.shape else None

    def _type_name(self, x: Any) -> str:
        return type_name(x)

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
                sig = a._sig
                if sig & (S.VIEW | _REQUIRES_GRAD) == S.VIEW and a.requires_grad:
                    sig = a._sig
                joined |= sig
                is_value.append(True)
                needs.append(sig & _REQUIRES_GRAD != 0)
            else:
                is_value.append(False)
                needs.append(False)
        return tuple(is_value), tuple(needs), joined & _OUTSIDE != 0 and outside(joined)

    def apply_outside(self, function: Any, args: tuple[Any, ...]) -> Any:
        """A Function under ``vmap``, or of tensors with tangents."""
        from .func.function_jvp import jvp_function  # few programs come here
        from .func.function_vmap import vmap_function

        if any(isinstance(a, Tensor) and a._sig & S.BATCHED for a in args):
            return vmap_function(function, args)
        return jvp_function(function, args)

    def enter(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The edges of the tensors among *args*, and what gradients must fit."""
        edges = []
        facts = []
        for a in args:
            if isinstance(a, Tensor):
                edge = a.grad_edge if a._sig & S.VIEW else a._edge
                if edge is None:
                    facts.append(None)
                else:
                    if type(edge) is Leaf:
                        edge = edge() or new_leaf_edge(a)
                    facts.append(describe(a))
                edges.append(edge)
        return tuple(edges), tuple(facts)

    def adopt(self, x: Any, args: tuple[Any, ...], node: Any) -> Any:
        """Make *x* the only result of *node*, if it is a fresh tensor."""
        if type(x) is not Tensor or x._sig & NOT_FRESH or x._a.dtype.kind in "biu":
            return None
        if x._state is not None and base_of(x) is not None:
            return None
        for a in args:
            if a is x:
                return None
        x._edge = node
        x._sig |= _REQUIRES_GRAD
        alias = x._shared
        if alias is not None and alias.value:
            alias.rebased = alias.value
        return describe(x)

    def hand_out(self, x: Any, edge: Any, many: bool) -> None:
        """Make *x* the result of *edge*; a view may not be changed in place from now on."""
        x._edge = edge
        x._sig |= _REQUIRES_GRAD
        alias = x._shared
        if base_of(x) is not None:
            state = state_of(x)
            state.creation = "multi" if many else "function"
            state.attr_version = alias.value
            x._sig |= S.VIEW
        elif alias is not None and alias.value:
            alias.rebased = alias.value

    def check_dirty(self, x: Any, alone: bool) -> None:
        """Refuse a change in place that would lose gradients.

        The history that *x* had before is asked for: what it has become is not known yet.
        """
        edge = x._edge
        if x._sig & _REQUIRES_GRAD and (edge is None or type(edge) is Leaf):
            raise autograd_errors.leaf_in_place()
        if not alone and base_of(x) is not None:
            raise autograd_errors.dirty_view_among_results()
        check_inplace(x)

    def count_change(self, x: Any) -> None:
        """Count a change in place."""
        alias_of(x).value += 1

    def make_views_stale(self, x: Any) -> None:
        """Let views of the same memory look for their history again."""
        alias = alias_of(x)
        alias.rebased = alias.value

    def is_view(self, x: Any) -> bool:
        """Whether *x* has a base."""
        return base_of(x) is not None

    value_class = Tensor

    def watched(self) -> bool:
        """Whether a mode, a trace or the like is on in this thread, or a gradient mode."""
        return (grad_state() | tls_state()) != 0

    def differentiable(self, x: Any) -> bool:
        """Whether the dtype of *x* has gradients."""
        return x.dtype.is_floating_point or x.dtype.is_complex  # type: ignore[no-any-return]

    def register_hook(self, x: Any, hook: Any) -> Any:
        """``x.register_hook(hook)``."""
        return x.register_hook(hook)

    def check_root(self, x: Any, grad: Any, is_grads_batched: bool) -> Any:
        """The gradient to start from; torch's errors for one that cannot be.

        Source: torch autograd/__init__.py, _make_grads.
        """
        if isinstance(x, Tensor) and x._sig & S.PENDING:
            x._settle()  # what the forward pass owes shows its errors here
        if not isinstance(x, Tensor):
            meta = metadata_of(*unwrap(x))
            if grad is None:
                if meta is None:
                    return ops.ones(())
                if Size(meta.sizes).numel() != 1:
                    raise autograd_errors.not_scalar()
                return ops.ones(meta.sizes, dtype=meta.dtype, device=meta.device)
            if meta is not None and isinstance(grad, Tensor):
                shape = grad[0]._a.shape if is_grads_batched else grad._a.shape
                if shape != meta.sizes:
                    want = Size(meta.sizes)
                    raise autograd_errors.grad_shape_mismatch(
                        0, Size(shape), 0, want, is_grads_batched
                    )
            return grad
        if grad is None:
            if x._a.size != 1:
                raise autograd_errors.not_scalar()
            if not x.dtype.is_floating_point:
                raise autograd_errors.not_real(x.dtype)
            return ones_for(x)
        if not isinstance(grad, Tensor):
            raise TypeError(
                f"gradients can be either Tensors or None, but got {type(grad).__name__}"
            )
        shape = grad[0]._a.shape if is_grads_batched else grad._a.shape
        if shape != x._a.shape:
            raise autograd_errors.grad_shape_mismatch(0, Size(shape), 0, x.shape, is_grads_batched)
        if x.is_complex() != grad.is_complex():
            raise RuntimeError(
                "For complex Tensors, both grad_output and output are required to have the same "
                f"dtype. Mismatch in dtype: grad_output[0] has a dtype of {grad.dtype} and "
                f"output[0] has a dtype of {x.dtype}."
            )
        return claim(grad)

    def over_batch(self, run: Any, seeds: list[Any]) -> list[Any]:
        """*run* over a batch of *seeds*, under ``vmap``."""
        from .func.vmap import vmap  # few programs come here

        at = [i for i, seed in enumerate(seeds) if seed is not None]
        found: list[bool] = []

        def vjp(*given: Any) -> tuple[Any, ...]:
            full = list(seeds)
            for i, seed in zip(at, given):
                full[i] = seed
            grads = run(full)
            found[:] = [g is not None for g in grads]
            return tuple([g for g in grads if g is not None])

        made = iter(vmap(vjp)(*[seeds[i] for i in at]))
        return [next(made) if there else None for there in found]

    def type_text(self, x: Any) -> str:
        """``torch.FloatTensor [2]``."""
        return f"{type_name(x)} {list(x._a.shape)}"

    def has_nan(self, x: Any) -> bool:
        """Whether any element is NaN."""
        return bool(ops.isnan(x).any())


def metadata_of(node: Any, nr: int) -> Facts | None:
    """What is known of result *nr* of *node*; None if nothing."""
    known = node.input_metadata
    found: Facts | None = known[nr] if nr < len(known) else None
    return found


def ones_for(x: Any) -> Any:
    """The gradient that backward starts with."""
    sig = x._sig & ~S.REQUIRES_GRAD | tls_state()
    one = _ONES.get(sig)
    if one is None:
        if sig & ~(S.ZERO_MASK | S.CPU):
            return ones_visibly(x)
        one = _ONES[sig] = np.ones((), x._a.dtype)
    t = blank()
    t._a = one.copy()
    t._sig = sig
    t._shared = t._edge = t._state = None
    return t


_ONES: dict[int, Any] = {}


def taken(grad: Any, variable: Any) -> Any:
    """*grad* as the ``.grad`` of *variable*: its memory, if nobody else has claimed it and it is
    laid out like the variable (torch's gradient layout contract), else a copy."""
    if tls_state() or grad._sig & S.PYTHON:
        if seen_by_python(grad._sig | tls_state()):
            return _taken_visibly(grad, variable)
    if grad._edge is None and grad._a.strides == variable._a.strides:
        alias = grad._shared
        if alias is None:
            alias_of(grad).claimed = True
            return grad
        if not alias.claimed:
            alias.claimed = True
            return share(grad._a, grad)
    if grad._edge is None and not enforced.get():
        alias = alias_of(grad)
        if not alias.claimed:
            alias.claimed = True
            return share(grad._a, grad)
    if not variable._sig & S.STRIDED:
        if grad._sig & (S.CPU | S.PENDING | S.LAZY) == S.CPU and grad._edge is None:
            copy = wrap(np.array(grad._a, order="C"))
            copy._shared = alias = Alias()
            alias.claimed = True
            alias.value = 1  # torch fills it in place
            return copy
        return grad.detach().contiguous() if grad._sig & S.STRIDED else grad.detach().clone()
    if obeys_layout(grad, variable) and grad._edge is None:
        alias = alias_of(grad)
        if not alias.claimed:
            alias.claimed = True
            return share(grad._a, grad)
    fresh = laid_out(grad.detach(), variable)
    claim(fresh)
    return fresh


def obeys_layout(grad: Any, variable: Any) -> bool:
    """Whether *grad* is laid out as the gradient of *variable* has to be.

    Source: torch csrc/autograd/utils/grad_layout_contract.h, obeys_layout_contract.
    """
    shape, strides = variable._a.shape, variable.stride()
    if not is_non_overlapping_and_dense(shape, strides):
        return not grad._sig & S.STRIDED
    return all(n == 1 or s == g for n, s, g in zip(shape, strides, grad.stride(), strict=True))


def laid_out(grad: Any, variable: Any) -> Any:
    """A copy of *grad* that is laid out as the gradient of *variable* has to be.

    Source: torch csrc/autograd/utils/grad_layout_contract.h, clone_obey_contract.
    """
    strides = variable.stride()
    if not is_non_overlapping_and_dense(variable._a.shape, strides):
        return ops.clone(grad, memory_format=contiguous_format)
    fresh = ops.new_empty_strided(grad, variable.shape, strides)
    return fresh.copy_(grad)


def _taken_visibly(grad: Any, variable: Any) -> Any:
    """The same where somebody sees operators.

    Source: torch csrc/autograd/functions/accumulate_grad.h, clone_obey_contract.h.
    """
    if grad._edge is None and grad.stride() == variable.stride():
        return grad.detach()
    empty = run(
        OVERLOADS["aten::new_empty_strided"],
        (grad, variable.shape, variable.stride(), grad.dtype, strided, grad.device, None),
    )
    return empty.copy_(grad.detach() if grad._edge is not None else grad)


def claim(grad: Any) -> Any:
    """Note that a user holds *grad*: it must not change behind their back."""
    alias_of(grad).claimed = True
    return grad


__all__ = ["FACTS", "NOT_FRESH", "Facts", "TensorSpace", "conform", "describe", "sum_to"]
