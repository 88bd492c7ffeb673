"""What a tensor knows of differentiation."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from mindtorch_autograd import (
    AccumulateGrad,
    RemovableHandle,
    execute,
    extras_of,
    grad_mode,
    installed,
    unwrap,
    watch_leaf_order,
)
from mindtorch_autograd import backward as _backward
from mindtorch_autograd.backward import flags
from mindtorch_dispatch import tls
from mindtorch_storage import DType

from ..core import signature as S
from ..core.constants import contiguous_format
from ..core.errors import (
    factory_requires_grad,
    grad_dtype_of_existing,
    gradient_of_other_dtype,
    hook_needs_requires_grad,
    integers_cannot_require_grad,
    not_differentiable_dtype,
    requires_grad_of_non_leaf,
)
from ..core.late_bound import LateBound
from ..core.operators import written_parser
from ..core.tracebacks import shorten
from ..core.warning import warn
from .edges import ask_base, caster, gradient_edge, leaf_edge, note_metadata, own_grad_dtype
from .policies import device_of
from .tensor_impl import LEAF, Leaf, State, alias_of, base_of, is_leaf, state_of

tls_state = tls.state.get
#: Of these bits a tensor that backward begins at has the first only, but for rare ones.
_ROOT = S.REQUIRES_GRAD | S.PENDING | S.OF_CLASS | S.FUNCTIONALITIES

refresh = LateBound("refresh")
is_handed_over = LateBound("is_handed_over")


class read_only(property):
    """A property of torch's, whose error upon assignment names the class it is defined in."""

    def __set__(self, instance: Any, value: Any) -> None:
        assert self.fget is not None
        raise AttributeError(
            f"attribute '{self.fget.__name__}' of 'torch._C.TensorBase' objects is not writable"
        )

    def __delete__(self, instance: Any) -> None:
        self.__set__(instance, None)


def not_writable(name: str, found: property) -> property:
    """*found* with the error of :class:`read_only`, yet a plain property: they are read faster."""

    def refuse(instance: Any, value: Any = None) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return property(found.fget, refuse, refuse, found.__doc__)


#: What does not know by itself whether gradients flow to it.
_INDIRECT: Final = S.VIEW | S.BATCHED


class Gradient:
    """``requires_grad``, ``grad``, ``grad_fn``, hooks, ``backward``."""

    __slots__ = ()

    _a_: Any
    _sig_: int
    _shared_: Any
    _edge_: Any
    _state_: Any

    @property
    def _grad_edge_(self) -> Any:
        """The edge, rebuilt first if the base of this view was changed."""
        if self._sig_ & S.VIEW and (self._shared_.value or self._shared_.touched):
            refresh(self)
        return self._edge_

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to this tensor."""
        sig = self._sig_
        if sig & _INDIRECT:
            if sig & S.VIEW:
                if self._shared_.touched:
                    ask_base(self)
                    sig = self._sig_
            elif not sig & S.REQUIRES_GRAD:
                return transforms is not None and transforms.history_of(self)[0]
        return bool(sig & S.REQUIRES_GRAD)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        edge = self._edge_
        if edge is not None and type(edge) is not Leaf:
            raise requires_grad_of_non_leaf(value)
        if value:
            if self._a_.dtype.kind not in "fc" and not (
                self.is_floating_point() or self.is_complex()
            ):
                raise not_differentiable_dtype()
            if self._sig_ & S.INFERENCE:
                refuse_outside_inference()
            self._sig_ |= S.REQUIRES_GRAD
            self._meta_ = S.STALE
            if edge is None:
                state = self._state_
                self._edge_ = state.leaf if type(state) is State else LEAF
        else:
            if edge is not None and edge() is not None:  # it goes on to be the node of this leaf
                state_of(self).leaf = edge
            self._edge_ = None
            if self._sig_ & S.VIEW:
                ask_base(self)
            else:
                self._sig_ &= ~S.REQUIRES_GRAD
                self._meta_ = S.STALE
        if self._shared_ is not None:
            self._shared_.touched = True

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad must be a bool")

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Set :attr:`requires_grad` and return self."""
        if not isinstance(requires_grad, bool):
            written_parser("Tensor.requires_grad_").parse((requires_grad,))  # refuses it
        if transforms is not None:
            apis = " (or perhaps using torch.autograd.functional.* APIs)"
            transforms.refuse_marking("requires_grad_", apis)
        if requires_grad:
            return require_grad(self, integers_cannot_require_grad)
        self.requires_grad = requires_grad
        return self

    @read_only
    def is_leaf(self) -> bool:
        """Whether no op made this tensor as far as differentiation knows."""
        return is_leaf(self) and not (self._sig_ & S.BATCHED and self.grad_fn is not None)

    @read_only
    def grad_fn(self) -> Any:
        """The node that made this tensor, None for a leaf."""
        if is_leaf(self):
            if self._sig_ & S.BATCHED and transforms is not None:
                return transforms.history_of(self)[1]
            return None
        node, nr = unwrap(self._edge_)
        note_metadata(self, node, nr)
        return node

    @property
    def _grad_fn(self) -> Any:
        return self.grad_fn

    @_grad_fn.setter
    def _grad_fn(self, value: Any) -> None:
        if value is not None:
            raise RuntimeError("_grad_fn can be only set to None")
        self.detach_()

    @_grad_fn.deleter
    def _grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @read_only
    def output_nr(self) -> int:
        """Which output of :attr:`grad_fn` this is."""
        edge = self._edge_
        return 0 if edge is None or type(edge) is Leaf else unwrap(edge)[1]

    @property
    def grad(self) -> Any:
        """The gradient that ``backward`` accumulated here, or None."""
        state = self._state_
        if type(state) is State:
            if state.grad is not None or state.retain_grad_hook is not None:
                return state.grad
        edge = self._edge_
        if edge is not None and type(edge) is not Leaf:
            warn(_NON_LEAF_GRAD, UserWarning)
        return None

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is None:
            if type(self._state_) is State:
                self._state_.grad = None
            return
        if value is not None:
            if not isinstance(value, Gradient):
                raise TypeError(
                    "assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type(value).__name__}"
                )
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            if (value._sig_ ^ self._sig_) & S.FUNCTIONALITIES and not value._sig_ & S.SPARSE:
                raise RuntimeError(
                    "attempting to assign a gradient to a tensor that has data of a different type"
                )
            wanted = own_grad_dtype(self)
            if wanted is not None and value.dtype is not wanted:
                raise gradient_of_other_dtype(value.dtype, wanted)
            there, here = device_of(value), device_of(self)
            if there.type != here.type:
                raise RuntimeError(
                    f"attempting to assign a gradient with device type '{there.type}' to a "
                    f"tensor with device type '{here.type}'. "
                    "Please ensure that the gradient and the tensor are on the same device"
                )
            if there != here:
                raise RuntimeError(
                    "attempting to assign a gradient located on device with index "
                    f"'{value.get_device()}' to a tensor located on device with index "
                    f"'{self.get_device()}'. "
                    "Please ensure that the gradient and the tensor are on the same device"
                )
            if value.shape != self.shape:
                raise RuntimeError(
                    f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of "
                    f"size '{list(self.shape)}'. "
                    "Please ensure that the gradient and the tensor are the same size"
                )
        state_of(self).grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def _grad(self) -> Any:
        """:attr:`grad`, of whatever tensor, without a warning."""
        state = self._state_
        return state.grad if type(state) is State else None

    @_grad.setter
    def _grad(self, value: Any) -> None:
        self.grad = value

    @property
    def grad_dtype(self) -> Any:
        """The dtype that the gradient of this leaf has to have; None: any.

        Raises RuntimeError for a result, and where a gradient of another dtype is there.
        Source: torch csrc/autograd/python_variable.cpp, THPVariable_grad_dtype.
        """
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return own_grad_dtype(self)

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if value is not None and not isinstance(value, DType):
            raise RuntimeError(
                f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}"
            )
        have = self._grad
        if value is not None and have is not None and have.dtype is not value:
            raise grad_dtype_of_existing(value, have.dtype)
        state_of(self).grad_dtype = value
        self._sig_ |= S.FORMER  # see stale_grad_metadata
        self._meta_ = S.STALE
        node = self._edge_() if type(self._edge_) is Leaf else None
        if node is not None:
            extras_of(node).convert = caster(value)

    @read_only
    def _base(self) -> Any:
        return base_of(self)

    def _is_view(self) -> bool:
        return self._base is not None

    def _fix_weakref(self) -> None:
        """Nothing: what a weak reference gives stays a tensor while somebody holds it."""

    @read_only
    def retains_grad(self) -> bool:
        """Whether a non-leaf keeps its gradient."""
        state = self._state_
        return type(state) is State and state.retain_grad_hook is not None

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in :attr:`grad`. A leaf keeps it anyway.

        Raises RuntimeError if no gradient is recorded, and inside of ``torch.func``'s transforms.
        """
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if transforms is not None:
            transforms.refuse_marking("retain_grad")
        edge = self._edge_  # as it is, even if it is of the past
        if edge is None or type(edge) is Leaf or self.retains_grad:
            return
        extra = extras_of(self._grad_edge_)
        me = weakref.ref(self)

        def keep(g: Any) -> None:
            t = me()
            if t is not None:
                sparse = g._sig_ & S.SPARSE_LAYOUTS
                own = g.clone() if sparse else g.clone(memory_format=contiguous_format)
                whole = own if t.grad is None else t.grad + g
                state_of(t).grad = whole

        state_of(self).retain_grad_hook = keep
        extra.retain_hook = keep

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call *hook* with the gradient of this tensor; what it returns replaces it."""
        if not self.requires_grad:
            raise hook_needs_requires_grad()
        state = state_of(self)
        if state.hooks is None:
            state.hooks = OrderedDict()
            node = gradient_edge(self)
            if node is not None:  # of a view made in no_grad no gradient comes
                extras_of(node).tensor_hooks = state.hooks
                if node.__class__ is AccumulateGrad:
                    watch_leaf_order(node)
        handle = RemovableHandle(state.hooks)

        def called(grad: Any) -> Any:
            if grad is not None:
                alias_of(grad).claimed = weakref.ref(grad)  # the hook may keep it
            return hook(grad)

        called.__name__ = getattr(hook, "__name__", "<unknown>")
        called.__wrapped__ = hook  # for those who name it
        state.hooks[handle.id] = called
        return handle

    @property
    def _backward_hooks(self) -> Any:
        return self._state_.hooks if type(self._state_) is State else None

    @_backward_hooks.setter
    def _backward_hooks(self, value: Any) -> None:
        state = state_of(self)
        state.hooks = value
        node = gradient_edge(self)
        if node is not None:
            extras_of(node).tensor_hooks = value
            if node.__class__ is AccumulateGrad:
                watch_leaf_order(node)

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self) -> Any:
        state = self._state_
        return state.post_accumulate_hooks if type(state) is State else None

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, value: Any) -> None:
        state_of(self).post_accumulate_hooks = value
        node = gradient_edge(self)
        if node is not None:
            watch_leaf_order(node)
            extras_of(node).post_accumulate = value

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], None]) -> RemovableHandle:
        """Call *hook* with this leaf after its gradient was accumulated."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        state = state_of(self)
        if state.post_accumulate_hooks is None:
            state.post_accumulate_hooks = OrderedDict()
            node = gradient_edge(self)
            if node is not None:  # of a view made in no_grad no gradient comes
                watch_leaf_order(node)
                extras_of(node).post_accumulate = state.post_accumulate_hooks
        handle = RemovableHandle(state.post_accumulate_hooks)
        state.post_accumulate_hooks[handle.id] = hook
        return handle

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Accumulate the gradient of this tensor into the leaves it was made from."""
        try:
            if transforms is not None:
                transforms.refuse_backward()
            if (
                self._sig_ & _ROOT == S.REQUIRES_GRAD
                and inputs is None
                and create_graph is False
                and (gradient is None or isinstance(gradient, Gradient))
            ):
                seed = installed.space.check_root(self, gradient, False)
                edge = self._grad_edge_
                if type(edge) is Leaf:
                    edge = leaf_edge(self)
                if edge is not None:  # of a view made in no_grad there is none, which is refused
                    if retain_graph is None:
                        execute(((edge, seed),))
                    else:
                        execute(((edge, seed),), keep_graph=flags(retain_graph, False)[0])
                    return
            if isinstance(inputs, (tuple, list)) and is_handed_over(
                inputs,
                self,
                grad_tensors=gradient,
                retain_graph=retain_graph,
                create_graph=create_graph,
            ):
                return
            _backward(self, gradient, retain_graph, create_graph, inputs=inputs)
        except Exception as error:
            shorten(error)
            raise


def refuse_outside_inference() -> None:
    """Raise RuntimeError where an inference tensor may not be made to require a gradient."""
    if not grad_mode.state.get() & grad_mode.INFERENCE:
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
        )


def require_grad(t: Any, refusal: Callable[[], Exception] = factory_requires_grad) -> Any:
    """Make *t* require gradients; *t* again. Raises the *refusal* of integers."""
    if not (t.is_floating_point() or t.is_complex()):
        raise refusal()
    if t._edge_ is None or type(t._edge_) is Leaf:  # a result does so anyway
        t.requires_grad = True
    return t


#: What transforms of ``torch.func`` forbid; None until they are loaded.
transforms: Any = None

_NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
