"""Instances of tensor classes: what a class adds to a signature, and how instances are made.

Source: torch/csrc/autograd/python_variable.cpp.
"""

from __future__ import annotations

from contextlib import suppress
from types import MemberDescriptorType
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import DispatchKeySet, exclude_keys
from mindtorch_dispatch.modes import MODE_KEYS
from mindtorch_storage import Device, DType, UntypedStorage, get_default_dtype
from mindtorch_storage import layout as storage_layout

from ..core import signature as S
from ..core.constants import channels_last, channels_last_3d, contiguous_format
from ..tensor import LEAF, Tensor
from ..tensor.array_memory import alias_with_own_version, phantom_array, strided_view
from ..tensor.construction import share, take_content
from ..tensor.defaults import get_default_device
from ..tensor.disabled import class_bits
from ..tensor.gradient import refuse_outside_inference
from ..tensor.policies import bits_of
from ..tensor.tensor_impl import add_viewer, alias_of
from .arguments import device_bit
from .dispatch_entry import OVERLOADS, run

_new = object.__new__


def check_class(cls: Any) -> None:
    """Refuse what is no tensor class, in torch's words."""
    if not isinstance(cls, type) or not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not "
            "possible. Make sure your class inherits from Tensor."
        )


def retyped(t: Tensor, cls: Any) -> Any:
    """All that *t* is, as an instance of *cls*."""
    made: Any = _new(cls)
    made._a_ = t._a_
    made._sig_ = t._sig_ & ~S.OF_CLASS | _bits(cls)
    made._shared_ = alias_of(t)
    add_viewer(made._shared_, made)
    made._edge_, made._state_ = t._edge_, t._state_
    if t._sig_ & S.CONTENT:
        take_content(made, t)
    return made


def of_its_class(t: Tensor, original: Any) -> Tensor:
    """*t*, which is over the memory of *original*, with what the class of *original* keeps.

    A class with a ``__torch_dispatch__`` may have its numbers in attributes, or in slots.
    """
    if not original._sig_ & S.PYTHON:
        return t
    made = retyped(t, type(original))
    made._sig_ |= t._sig_ & ~S.OF_CLASS | original._sig_ & S.OF_CLASS
    made._meta_ = S.STALE
    made.__dict__.update(original.__dict__)
    for cls in type(made).__mro__[: type(made).__mro__.index(Tensor)]:
        for slot in vars(cls).values():
            if type(slot) is MemberDescriptorType:
                with suppress(AttributeError):  # not set yet
                    slot.__set__(made, slot.__get__(original))
    return made


def as_subclass(self: Tensor, cls: Any) -> Any:
    """The same data as an instance of *cls*; differentiable.

    Raises TypeError for a class that is no tensor class.
    """
    check_class(cls)
    with exclude_keys(0 if self._sig_ & S.PYTHON else MODE_KEYS):
        made = run(OVERLOADS["aten::alias"], (self,))
    return made if type(made) is cls else retyped(made, cls)


def make_subclass(cls: Any, data: Any, require_grad: bool = False, **policies: Any) -> Any:
    """A leaf of class *cls* over the memory of *data*: ``torch.Tensor._make_subclass``."""
    check_class(cls)
    if not isinstance(data, Tensor):
        raise TypeError(
            f"_make_subclass(): argument 'data' (position 2) must be Tensor, not "
            f"{type(data).__name__}"
        )
    asked = policy_bits("_make_subclass()", policies)
    if require_grad and data._sig_ & S.INFERENCE:
        refuse_outside_inference()
    made = retyped(share(data._a_, data), cls)
    made._sig_ |= data._sig_ & S.NO_MEMORY | asked
    made._meta_ = S.STALE
    if data._sig_ & S.INFERENCE:
        alias_with_own_version(made)
    return _leaf(made, require_grad)


def _leaf(made: Any, requires_grad: bool) -> Any:
    if requires_grad:
        dtype = S.dtype_of(made._a_.dtype)  # a class may have a property of its own
        if not (dtype.is_floating_point or dtype.is_complex):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        made._sig_ |= S.REQUIRES_GRAD
        made._meta_ = S.STALE
        made._edge_ = LEAF
    return made


def make_wrapper_subclass(
    cls: Any,
    size: Any = None,
    strides: Any = None,
    storage_offset: int | None = None,
    memory_format: Any = None,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    dispatch_sizes_strides_policy: str | None = None,
    dispatch_device: bool = False,
    dispatch_layout: bool = False,
    _extra_dispatch_keys: Any = None,
    storage_size: int | None = None,
    **unknown: Any,
) -> Any:
    """A tensor of class *cls* with shape, strides, dtype and device but no memory.

    ``torch.Tensor._make_wrapper_subclass``: for classes whose ``__torch_dispatch__`` keeps the
    data elsewhere. Reading its memory raises RuntimeError.

    :param size: sizes, a tuple of ints.
    :param strides: in elements; contiguous if None.
    """
    name = "_make_wrapper_subclass()"
    if size is None:
        raise TypeError(f'{name} missing 1 required positional arguments: "size"')
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"{name}: argument 'size' (position 2) must be tuple of ints, not {type(size).__name__}"
        )
    for at, n in enumerate(size):
        if not isinstance(n, int) and not hasattr(n, "__index__"):
            raise TypeError(
                f"{name}: argument 'size' (position 2) must be tuple of ints, but found element of "
                f"type {type(n).__name__} at pos {at}"
            )
    if dtype is not None and not isinstance(dtype, DType):
        raise TypeError(f"{name}: argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    if not isinstance(requires_grad, bool):
        raise TypeError(
            f"{name}: argument 'requires_grad' must be bool, not {type(requires_grad).__name__}"
        )
    if storage_offset and strides is None:
        raise RuntimeError("setting storage offset without stride not supported")
    policies = {
        "dispatch_sizes_strides_policy": dispatch_sizes_strides_policy,
        "dispatch_device": dispatch_device,
        "dispatch_layout": dispatch_layout,
        "_extra_dispatch_keys": _extra_dispatch_keys,
    }
    given = {
        key: value for key, value in policies.items() if value is not None and value is not False
    }
    asked = policy_bits(name, given | unknown)
    check_class(cls)
    if not _bits(cls) & S.PYTHON:
        raise TypeError(f"{cls.__name__} must define __torch_dispatch__")
    shape = tuple([int(n) for n in size])
    if strides is not None and len(strides) != len(shape):
        raise RuntimeError(
            f"dimensionality of sizes ({len(shape)}) must match dimensionality of strides "
            f"({len(strides)})"
        )
    if strides is None and memory_format is not None:
        strides = _STRIDES[memory_format](shape)
    np_dtype = (dtype or get_default_dtype()).np
    where = get_default_device() if device is None else Device(device)
    made: Any = _new(cls)
    a = phantom_array(shape, np_dtype, None if strides is None else tuple(strides))
    if storage_offset:
        a = strided_view(
            phantom_array((1,), np_dtype, None),
            shape,
            tuple(strides or storage_layout.contiguous_strides(shape)),
            storage_offset,
        )
    made._a_ = a
    made._sig_ = S.of_array(a, device_bit(where)) | class_bits(cls) | S.NO_MEMORY | asked
    made._shared_ = made._edge_ = made._state_ = None
    if device_bit(where) != S.CPU or storage_size is not None:
        nbytes = a.size * a.itemsize if storage_size is None else storage_size
        alias_of(made).storage = UntypedStorage._meta(nbytes, where)
    return _leaf(made, requires_grad)


_STRIDES = {
    contiguous_format: storage_layout.contiguous_strides,
    channels_last: storage_layout.channels_last_strides,
    channels_last_3d: storage_layout.channels_last_3d_strides,
}


def _bits(cls: Any) -> int:
    return 0 if cls is Tensor else class_bits(cls)


def _key_bits(name: str, keys: Any) -> int:
    """The signature bits for *keys*, which a tensor is to bring into its calls.

    Raises NotImplementedError for those that follow from its class and device alone.
    """
    if not isinstance(keys, DispatchKeySet):
        raise TypeError(
            f"{name}: argument '_extra_dispatch_keys' must be DispatchKeySet, not "
            f"{type(keys).__name__}"
        )
    bits = (S.CONJ if keys.mask & K.Conjugate else 0) | (S.NEG if keys.mask & K.Negative else 0)
    if keys.mask & ~(K.Conjugate | K.Negative):
        raise NotImplementedError(
            f"_extra_dispatch_keys: {keys}: but for Conjugate and Negative, the keys of a tensor "
            "follow from its class and device"
        )
    return bits


def policy_bits(name: str, policies: dict[str, Any]) -> int:
    """The signature bits for *policies*, keywords of function *name*.

    Raises NotImplementedError for keys that a tensor is to bring into its calls.
    """
    if not policies:
        return 0
    known = dict(policies)
    asked = bits_of(
        name,
        known.pop("dispatch_sizes_strides_policy", None),
        known.pop("dispatch_device", False),
        known.pop("dispatch_layout", False),
    )
    extra = known.pop("_extra_dispatch_keys", None)
    if extra is not None:
        asked |= _key_bits(name, extra)
    for unknown in known:
        raise TypeError(
            f"{name.removesuffix('()')}() got an unexpected keyword argument '{unknown}'"
        )
    if asked & S.ASKS:
        from .points import watch_for_good  # most programs have no such tensor

        watch_for_good()
    return asked


__all__ = [
    "as_subclass",
    "check_class",
    "make_subclass",
    "make_wrapper_subclass",
    "of_its_class",
    "retyped",
]
