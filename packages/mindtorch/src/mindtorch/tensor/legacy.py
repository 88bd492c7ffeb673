"""The oldest part of torch's API: ``torch.FloatTensor`` names and ``torch.Tensor(2, 3)``."""

from __future__ import annotations

from functools import cache
from typing import Any

import mindtorch_storage as st
from mindtorch_npu import is_available
from mindtorch_storage.device import CUDA

from ..core import signature as S
from ..core.constants import sparse_coo, strided
from ..core.late_bound import LateBound
from ..core.pickling import pickled_by_our_name
from ..core.warning import warn_once
from .defaults import set_default_dtype, set_types_device
from .policies import device_of

legacy_new = LateBound("legacy_new")
legacy_tensor = LateBound("legacy_tensor")
legacy_sparse = LateBound("legacy_sparse")
#: Where the types live.
_HOMES = ("torch", "torch.npu", "torch.sparse")
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
    kind = device_of(t).type
    middle = "" if kind == "cpu" else f"{kind}."
    middle = "quantized." if t._sig_ & S.QUANTIZED else middle
    if t._sig_ & S.SPARSE_LAYOUTS:
        if t._sig_ & S.SPARSE_CSR:
            raise RuntimeError("Unimplemented backend SparseCsrCPU")
        middle += "sparse."
    return f"torch.{middle}{t.dtype.scalar_type}Tensor"


def dtype_of_type_name(spec: Any) -> Any:
    """The dtype that ``Tensor.type(spec)`` casts to. Raises ValueError for an unknown name."""
    if isinstance(spec, st.DType):
        return spec
    if isinstance(spec, type):
        name = spec.__name__
        if name == "Tensor" and spec.__module__ == "torch":
            return st.get_default_dtype()
        spec = f"{spec.__module__}.{name}" if spec.__module__ in _HOMES else name
    if isinstance(spec, str):
        stem = spec.removeprefix("torch.").removeprefix("npu.").removeprefix("sparse.")
        stem = stem.removesuffix("Tensor")
        if stem in _DTYPE_OF_TYPE:
            return getattr(st, _DTYPE_OF_TYPE[stem])
        raise ValueError(f"invalid type: '{spec}'")
    raise TypeError("dtype must be a type, str, or dtype object")


def device_of_type_name(spec: Any, here: Any) -> Any:
    """Where ``Tensor.type(spec)`` puts a tensor that is *here*; None leaves it there.

    A dtype says nothing of devices, the name of a type or a class does.
    """
    if isinstance(spec, type):
        spec = f"{spec.__module__}."
    if not isinstance(spec, str):
        return None
    there = st.ACCELERATOR if spec.startswith("torch.npu.") else "cpu"
    return here if there == here.type else st.Device(there)


@cache
def tensor_type(name: str, kind: str = "cpu", layout: Any = strided) -> Any:
    """``torch.FloatTensor`` and its kin: classes that make tensors of one dtype.

    :param kind: ``npu`` makes that of the accelerator, as ``torch.npu.FloatTensor``.
    :param layout: ``sparse_coo`` makes that of sparse tensors, as ``torch.sparse.FloatTensor``.

    Calling a class of a device that is not there raises TypeError.
    """
    dtype = getattr(st, _DTYPE_OF_TYPE[name.removesuffix("Tensor")])
    home = "torch" if kind == "cpu" else f"torch.{kind}"
    sparse = layout is sparse_coo
    if sparse:
        home += ".sparse"

    @pickled_by_our_name
    class Meta(type):
        def __instancecheck__(cls, obj: Any) -> bool:
            if getattr(obj, "dtype", None) is not dtype or obj.layout is not layout:
                return False
            return obj.device.type == kind

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            if kind != "cpu" and (kind != st.ACCELERATOR or not is_available()):
                raise _type_not_there(f"{home}.{name}", kind)
            if sparse:
                return legacy_sparse(args, kwargs, dtype)
            return legacy_new(args, kwargs, dtype, st.Device(kind))

        def __repr__(cls) -> str:
            return f"<class '{home}.{name}'>"

    def no_base(cls: Any, **kwargs: Any) -> None:
        raise TypeError(f"type '{home}.{name}' is not an acceptable base type")

    facts = {
        "__init_subclass__": classmethod(no_base),
        "__doc__": f"Make tensors of ``{dtype}`` on the device {kind}; an old way to do so.",
        "dtype": dtype,
        "device_type": kind,
        "layout": layout,
        "is_cuda": kind.startswith(CUDA),
        "is_xpu": False,
        "is_sparse": sparse or kind.endswith(".sparse"),
    }
    return Meta(name, (), {"__module__": home, **facts})


@cache
def npu_type_of_old(name: str) -> Any:
    """``torch.npu.FloatTensor`` and ``torch.npu.FloatStorage`` and their kin; None for others."""
    if name in TENSOR_TYPES:
        return tensor_type(name, st.ACCELERATOR)
    from mindtorch_storage.legacy import accelerator_storage  # few programs come here

    return accelerator_storage(name)


def set_default_tensor_type(t: Any, /) -> None:
    """Make a floating tensor type, or the name of one, the default (deprecated in torch).

    Raises TypeError for other types.
    """
    warn_once(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
        "torch.set_default_dtype() and torch.set_default_device() as alternatives.",
    )
    if isinstance(t, str):
        name = t.removeprefix("torch.")
        kind = next((k for k in (st.ACCELERATOR, CUDA) if name.startswith(f"{k}.")), "cpu")
        name = name.removeprefix(f"{kind}.")
        if name not in TENSOR_TYPES:
            raise AttributeError(f"module 'torch' has no attribute '{name.partition('.')[0]}'")
        dtype = getattr(st, _DTYPE_OF_TYPE[name.removesuffix("Tensor")])
    else:
        dtype = getattr(t, "dtype", None) if isinstance(t, type) else None
        kind = getattr(t, "device_type", "cpu")
        if dtype is None:
            raise TypeError(
                "invalid type object: only floating-point types are supported as the default type"
            )
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if kind != "cpu" and (kind != st.ACCELERATOR or not is_available()):
        raise _type_not_there(f"torch.{kind}.{name if isinstance(t, str) else t.__name__}", kind)
    set_default_dtype(dtype)
    set_types_device(kind)


def _type_not_there(name: str, kind: str) -> TypeError:
    """torch csrc/tensor/python_tensor.cpp, Tensor_new."""
    return TypeError(
        f"type {name} not available. Torch not compiled with "
        f"{kind.partition('.')[0].upper()} enabled."
    )


TENSOR_TYPES = tuple(f"{t}Tensor" for t in _DTYPE_OF_TYPE if t in (
    "Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"
))  # fmt: skip


def tensor_classes() -> set[Any]:
    """``torch._tensor_classes``: all classes of old, those of devices that are not there, too."""
    dense = {tensor_type(name) for name in TENSOR_TYPES}
    dense |= {tensor_type(name, CUDA) for name in TENSOR_TYPES}
    names = [name for name in TENSOR_TYPES if name != "BoolTensor"]
    dense |= {tensor_type(name, layout=sparse_coo) for name in names}
    return dense | {tensor_type(name, f"{CUDA}.sparse") for name in names}
