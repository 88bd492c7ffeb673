"""The oldest part of torch's API: ``torch.FloatTensor`` names and ``torch.Tensor(2, 3)``."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
import numpy as np

from ._pickling import pickled_by_our_name
from .defaults import set_default_dtype
from .size import Size

_TYPE_OF_DTYPE = {
    "float32": "Float",
    "float64": "Double",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "bool": "Bool",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
    "uint16": "UInt16",
    "uint32": "UInt32",
    "uint64": "UInt64",
}
_DTYPE_OF_TYPE = {v: k for k, v in _TYPE_OF_DTYPE.items()}


def type_name(t: Any) -> str:
    """``torch.FloatTensor``, ``torch.npu.FloatTensor``…, as ``Tensor.type()`` says it."""
    kind = t.device.type
    middle = "" if kind == "cpu" else f"{kind}."
    return f"torch.{middle}{_TYPE_OF_DTYPE[t.dtype.name]}Tensor"


def dtype_of_type_name(spec: Any) -> Any:
    """The dtype that ``Tensor.type(spec)`` casts to. Raises ValueError for an unknown name."""
    if isinstance(spec, st.DType):
        return spec
    if isinstance(spec, type):
        spec = f"torch.{spec.__name__}"
    if isinstance(spec, str):
        stem = spec.removeprefix("torch.").removesuffix("Tensor")
        if stem in _DTYPE_OF_TYPE:
            return getattr(st, _DTYPE_OF_TYPE[stem])
        raise ValueError(f"invalid type: '{spec}'")
    raise TypeError("dtype must be a type, str, or dtype object")


def legacy_tensor(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``torch.Tensor(...)``: sizes, a sequence of numbers, a storage, another tensor, nothing."""
    from .construct import wrap
    from .data import tensor
    from .tensor import Tensor

    dtype = st.get_default_dtype()
    device = kwargs.pop("device", None)
    if kwargs:
        raise TypeError(f"new() got an unexpected keyword argument '{next(iter(kwargs))}'")
    made: Tensor
    if not args:
        made = wrap(np.empty(0, dtype.np))
    elif len(args) == 1 and isinstance(args[0], Tensor):
        if args[0].dtype is not dtype:
            raise TypeError(f"expected {_type_text(dtype)} (got {type_name(args[0])})")
        made = args[0].detach()  # type: ignore[attr-defined]
    elif (
        len(args) == 1
        and isinstance(args[0], (list, tuple))
        and not _is_size(args[0])
        or len(args) == 1
        and isinstance(args[0], np.ndarray)
    ):
        made = tensor(args[0], dtype=dtype)
    else:
        sizes = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
        for i, s in enumerate(sizes):
            if isinstance(s, bool) or not hasattr(s, "__index__"):
                raise TypeError(
                    f"new(): argument 'size' failed to unpack the object at pos {i + 1} with error "
                    f'"type must be tuple of ints,but got {type(s).__name__}"'
                )
        made = wrap(np.empty(tuple(int(s) for s in sizes), dtype.np))
    if device is not None:
        made = made._to(st.Device(device))
    return made if cls is Tensor else as_subclass(made, cls)


def as_subclass(t: Any, cls: Any) -> Any:
    """*t*'s data as an instance of the subclass *cls*."""
    from ._tensor.subclass import retyped

    return retyped(t, cls)


def _is_size(value: Any) -> bool:
    return isinstance(value, Size)


def _type_text(dtype: Any) -> str:
    return f"torch.{_TYPE_OF_DTYPE[dtype.name]}Tensor"


def tensor_type(name: str) -> Any:
    """``torch.FloatTensor`` and its kin: classes that make tensors of one dtype."""
    dtype = getattr(st, _DTYPE_OF_TYPE[name.removesuffix("Tensor")])

    @pickled_by_our_name
    class Meta(type):
        def __instancecheck__(cls, obj: Any) -> bool:
            return getattr(obj, "dtype", None) is dtype and obj.device.type == "cpu"

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            from .tensor import Tensor

            before = st.get_default_dtype()
            if dtype.is_floating_point and dtype is not before:
                set_default_dtype(dtype)
                try:
                    return legacy_tensor(Tensor, args, kwargs)
                finally:
                    set_default_dtype(before)
            return legacy_tensor(Tensor, args, kwargs)._to(None, dtype)

        def __repr__(cls) -> str:
            return f"<class 'torch.{name}'>"

    return Meta(name, (), {"__module__": "torch", "dtype": dtype})


TENSOR_TYPES = tuple(f"{t}Tensor" for t in _DTYPE_OF_TYPE if t in (
    "Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"
))  # fmt: skip
