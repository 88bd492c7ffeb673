"""``torch.nn.parameter``: tensors that a module registers by being assigned to it."""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from typing import Any

import numpy as np
from mindtorch_autograd.hooks import warn_if_has_hooks
from mindtorch_dispatch import tls
from mindtorch_storage import get_default_dtype

from ..call import intercept
from ..call.argument_kinds import TENSORS
from ..call.subclass import make_subclass, retyped
from ..core import signature as S
from ..core.compiling import end_graph
from ..core.key_sets import tls_state
from ..core.module_names import living_in
from ..core.operators import ops
from ..core.override_state import DisableTorchFunctionSubclass
from ..core.pickling import pickled_by_our_name
from ..tensor import Tensor
from ..tensor.array_memory import alias_with_own_version
from ..tensor.construction import wrap
from ..tensor.disabled import class_bits, disabled_torch_function
from ..tensor.gradient import refuse_outside_inference
from ..tensor.object_state import _set_obj_state
from ..tensor.tensor_impl import LEAF, add_viewer, alias_of

__all__ = [
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "is_lazy",
]

_new = object.__new__
# A parameter is a leaf of its own: these facts of the tensor it is made from do not pass on.
_OWN_FACTS = S.REQUIRES_GRAD | S.VIEWS | S.OF_CLASS


@pickled_by_our_name
class _ParameterMeta(type):
    """Lets instances of other tensor classes be parameters too, by their ``_is_param``."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return (
            cls is Parameter
            and isinstance(instance, Tensor)
            and bool(getattr(instance, "_is_param", False))
        )


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that is a module's parameter once it is assigned as an attribute of the module.

    It shares memory and version counter with *data*. Ops on it give plain tensors; in a call it
    is as fast as a plain tensor, since only its type differs.

    :param requires_grad: also holds inside ``no_grad``.
    """

    __slots__ = ()
    __module__ = "torch.nn.parameter"
    __torch_function__ = disabled_torch_function

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if data is None:
            data = wrap(np.empty(0, get_default_dtype().np))
        end_graph("a new parameter")
        kind = type(data)
        if kind in (Tensor, Parameter):
            return _make(cls, data, requires_grad)
        made = data.detach().requires_grad_(requires_grad)
        if type(made) is not kind:
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {kind.__name__} requires that "
                "detach() returns an instance of the same type, but return type "
                f"{type(made).__name__} was found instead. To use the type as a Parameter, please "
                "correct the detach() semantics defined by its __torch_dispatch__() implementation."
            )
        made._is_param = True
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return found

    def __repr__(self) -> str:  # type: ignore[override]  # without the argument of a tensor's
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        warn_if_has_hooks(self)
        # Hooks stay behind; the empty dictionary keeps torch's format.
        facts: tuple[Any, ...] = (self.data, self.requires_grad, OrderedDict())
        if self.__dict__:
            return _rebuild_parameter_with_state, (*facts, dict(self.__dict__))
        return _rebuild_parameter, facts


intercept.PLAIN.add(Parameter)
TENSORS.add(Parameter)


def _rebuild_parameter(data: Any, requires_grad: bool, backward_hooks: Any) -> Any:
    """A parameter over *data*."""
    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(
    data: Any, requires_grad: bool, backward_hooks: Any, state: Any
) -> Any:
    """A parameter with attributes of its own."""
    return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


# Names of the format of pickles.
living_in("mindtorch._utils", _rebuild_parameter, _rebuild_parameter_with_state)


def intercept_nothing() -> Any:
    """A context in which classes of tensors override no functions."""
    return DisableTorchFunctionSubclass()


def _make(cls: type, data: Tensor, requires_grad: bool) -> Any:
    if not isinstance(requires_grad, bool):
        raise TypeError(
            "_make_subclass(): argument 'require_grad' (position 3) must be bool, not "
            f"{type(requires_grad).__name__}"
        )
    if requires_grad and data._a_.dtype.kind not in "fc" and not _floats(data):
        raise _cannot_require_grad()
    inference = data._sig_ & S.INFERENCE
    if requires_grad and inference:
        refuse_outside_inference()
    made: Any = _new(cls)
    bits = 0 if cls is Parameter else class_bits(cls)
    made._a_ = data._a_
    made._shared_ = alias_of(data)
    add_viewer(made._shared_, made)
    made._state_ = None
    if data._sig_ & S.SPARSE_LAYOUTS:
        made._content_ = data._content_
    if requires_grad:
        made._sig_ = data._sig_ & ~_OWN_FACTS | S.REQUIRES_GRAD | bits
        made._edge_ = LEAF
    else:
        made._sig_ = data._sig_ & ~_OWN_FACTS | bits
        made._edge_ = None
    if tls_state() and tls.extra(tls_state()) & tls.TRANSFORMED:
        from ..functionality.transform_guards import inherit  # not before something is transformed

        inherit(made, data)
    if inference:
        alias_with_own_version(made)
    return made


def _cannot_require_grad() -> RuntimeError:
    """torch csrc/autograd/autograd_meta.cpp, set_requires_grad (Tensor's own text starts small)."""
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def _floats(data: Any) -> bool:
    return bool(data.dtype.is_floating_point or data.dtype.is_complex)


@pickled_by_our_name
class _BufferMeta(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        if type.__instancecheck__(cls, instance):
            return True
        return (
            cls is Buffer
            and isinstance(instance, Tensor)
            and bool(getattr(instance, "_is_buffer", False))
        )


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that is a module's buffer once it is assigned as an attribute of the module.

    What is made is a plain tensor, marked; ``isinstance(t, Buffer)`` reads the mark.

    :param persistent: whether ``state_dict`` of the module has it.
    """

    __slots__ = ()
    __module__ = "torch.nn.parameter"
    __torch_function__ = disabled_torch_function

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = wrap(np.empty(0, get_default_dtype().np))
        made = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


# -- tensors whose shape is not known yet ---------------------------------------------------------

#: What may be done with them: moving, casting, and questions that need no shape.
_ALLOWED = (
    "__hash__ size copy_ is_complex is_floating_point half float double char short int long cuda "
    "cpu to get_device _has_compatible_shallow_copy_type"
).split()


@cache
def _allowed() -> set[Any]:
    return {getattr(Tensor, name) for name in _ALLOWED if hasattr(Tensor, name)}


class UninitializedTensorMixin:
    """What parameters and buffers of lazy modules are before the first call."""

    __slots__ = ()
    cls_to_become: Any = None

    def materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Make this a tensor of *shape*, with any numbers; device and dtype stay by default."""
        with intercept_nothing():
            device = self.data.device if device is None else device
            dtype = self.data.dtype if dtype is None else dtype
            self.data = ops.empty(shape, device=device, dtype=dtype)
        kind = self.cls_to_become
        self._sig_ = self._sig_ & ~S.OF_CLASS | (
            0 if kind in (Tensor, Parameter) else class_bits(kind)
        )
        self._meta_ = S.STALE
        self.__class__ = kind

    @property
    def shape(self) -> Any:
        """Raises RuntimeError: there is none yet."""
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually "
            "happens in `load_state_dict` when trying to load an uninitialized parameter into an "
            "initialized one. Call `forward` to initialize the parameters before accessing their "
            "attributes."
        )

    def share_memory_(self) -> Any:
        """Raises RuntimeError: there is no memory yet."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to "
            "initialize the parameters before calling `module.share_memory()`."
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in _allowed():
            # What computes asks for a shape.
            plain = [retyped(a, Tensor) if is_lazy(a) else a for a in args]
            found = func(*plain, **(kwargs or {}))
            for given, seen in zip(args, plain, strict=True):
                if found is seen:  # it was as wanted
                    return given
            # As of other tensors' classes: a parameter is no class that results have.
            of_kind = isinstance(found, Tensor) and not issubclass(cls, Parameter)
            return retyped(found, cls) if of_kind else found
        if type(func).__name__ == "method-wrapper":
            found = super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[misc]  # a tensor's
            return retyped(found, Tensor) if is_lazy(found) else found
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}. This error happens when you "
            "are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` "
            "with a dummy batch to initialize the parameters before calling torch functions"
        )


def is_lazy(param: Any) -> bool:
    """Whether *param* still waits for its shape."""
    return isinstance(param, UninitializedTensorMixin)


def _uninitialized(cls: Any, requires_grad: bool, device: Any, dtype: Any) -> Any:
    return make_subclass(cls, ops.empty(0, device=device, dtype=dtype), requires_grad)


# Neither takes all that its tensor's method takes: there are no contents to be printed.
class UninitializedParameter(UninitializedTensorMixin, Parameter):  # type: ignore[misc]  # see above
    """A parameter whose shape the first call of its lazy module will tell.

    ``materialize`` makes it a :class:`Parameter`.
    """

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        return _uninitialized(cls, requires_grad, device, dtype)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            with intercept_nothing():
                found = type(self)(self.requires_grad, self.data.device, self.data.dtype)
            memo[id(self)] = found
        return found


class UninitializedBuffer(UninitializedTensorMixin, Tensor):  # type: ignore[misc]  # as above
    """A buffer whose shape the first call of its lazy module will tell.

    ``materialize`` makes it a plain tensor.

    :param persistent: whether ``state_dict`` of the module has it.
    """

    __slots__ = ()
    cls_to_become = Tensor

    def __new__(
        cls,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> Any:
        made = _uninitialized(cls, requires_grad, device, dtype)
        made.persistent = persistent
        made._is_buffer = True
        return made
