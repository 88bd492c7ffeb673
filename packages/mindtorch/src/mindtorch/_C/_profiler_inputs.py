"""What a call was given, as profilers show it: shapes, strides, types and plain numbers."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import DType

from ..core.constants import layout, memory_format
from ..core.dtype_codes import code_of
from ..tensor import Tensor

__all__ = ["Inputs", "flops_of"]

#: The types of elements in C++'s words.
_TYPES = {
    "float32": "float",
    "float64": "double",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "bool": "bool",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
    "complex32": "c10::complex<c10::Half>",
}
_FORMATS = {"contiguous_format": 0, "preserve_format": 1, "channels_last": 2, "channels_last_3d": 3}


class Inputs:
    """The arguments of one call, in order.

    :ivar shapes: of tensors their sizes; of others nothing.
    :ivar structured: the same, where a list of tensors has a list of sizes.
    :ivar values: the plain numbers and lists of them; None for others.
    """

    __slots__ = ("keywords", "shapes", "strides", "structured", "structured_strides", "tensors",
                 "types", "values")  # fmt: skip

    def __init__(self, values: list[Any], concrete: bool, keywords: Any = None) -> None:
        self.shapes: list[list[int]] = []
        self.strides: list[list[int]] = []
        self.structured: list[Any] = []
        self.structured_strides: list[Any] = []
        self.types: list[str] = []
        self.values: list[Any] = []
        self.keywords: dict[str, Any] = dict(keywords or {})
        self.tensors: list[Any] = []
        for value in values:
            self._add(value, concrete)

    def _add(self, value: Any, concrete: bool) -> None:
        shape: list[int] = []
        strides: list[int] = []
        structured: Any = shape
        structured_strides: Any = strides
        kept: Any = None
        described: Any = None
        if isinstance(value, Tensor):
            shape += value.shape
            strides += _strides(value)
            kind = _TYPES.get(value.dtype.name, "")
            described = describe(value)
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
            kind = "TensorList"
            tensors = [v for v in value if isinstance(v, Tensor)]
            structured = [list(t.shape) for t in tensors]
            structured_strides = [_strides(t) for t in tensors]
            described = [describe(t) for t in tensors]
        elif isinstance(value, (list, tuple)) and all(_is_number(v) for v in value):
            kind, kept = "ScalarList", list(value)
        else:
            number = _number(value)
            kind = "" if number is None else "Scalar"
            kept = number
        self.shapes.append(shape)
        self.strides.append(strides)
        self.structured.append(structured)
        self.structured_strides.append(structured_strides)
        self.types.append(kind)
        self.values.append(kept if concrete else None)
        self.tensors.append(described)


def describe(value: Any) -> dict[str, Any]:
    """What the tree of events shows of a tensor."""
    array = value._a_
    address = None if array is None else array.ctypes.data
    return {
        "impl_ptr": id(value),
        "storage_data_ptr": address,
        "id": id(value),
        "allocation_id": address,
        "layout": value.layout,
        "device": value.device,
        "dtype": value.dtype,
        "sizes": list(value.shape),
        "strides": _strides(value),
    }


def _strides(value: Any) -> list[int]:
    try:
        return list(value.stride())
    except RuntimeError:  # what is laid out otherwise has none
        return []


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def _number(value: Any) -> Any:
    """A plain number, or what is one in C++."""
    if value is None or _is_number(value):
        return value
    if isinstance(value, memory_format):
        return _FORMATS.get(str(value).removeprefix("torch."))
    if isinstance(value, layout):
        return 0 if str(value) == "torch.strided" else None
    if isinstance(value, DType):
        return code_of(value)
    return None


def flops_of(name: str, values: list[Any]) -> int:
    """How many operations a call makes, of those that are counted; 0 for others."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    if name in ("aten::mul", "aten::add"):
        return int(tensors[0].numel()) if tensors else 0
    if name in ("aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"):
        a, b = tensors[-2:]
        return 2 * int(a.numel()) * int(b.shape[-1])
    if name == "aten::conv2d" and len(values) >= 7:
        return _flops_of_convolution(*values[:7])
    return 0


def _flops_of_convolution(
    x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> int:
    if isinstance(padding, str) or x.dim() != 4:
        return 0
    batch, channels, height, width = x.shape
    out_channels, _, kernel_height, kernel_width = weight.shape

    def pair(value: Any) -> tuple[int, int]:
        values = value if isinstance(value, (list, tuple)) else [value]
        return int(values[0]), int(values[-1])

    (sh, sw), (ph, pw), (dh, dw) = pair(stride), pair(padding), pair(dilation)
    out_height = (height + 2 * ph - dh * (kernel_height - 1) - 1) // sh + 1
    out_width = (width + 2 * pw - dw * (kernel_width - 1) - 1) // sw + 1
    per_place = channels * kernel_height * kernel_width * out_channels // groups
    return int(2 * batch * out_height * out_width * per_place)
