"""``torch.types``: where torch has :mod:`mindtorch.tensor.types`."""

from mindtorch.aten.symbolic_numbers import SymBool as SymBool
from mindtorch.aten.symbolic_numbers import SymFloat as SymFloat
from mindtorch.aten.symbolic_numbers import SymInt as SymInt
from mindtorch.core.size import Size as Size
from mindtorch.tensor import Tensor as Tensor
from mindtorch.tensor.types import (
    BoolLikeType,
    Device,
    FileLike,
    FloatLikeType,
    IntLikeType,
    Number,
    Storage,
    _bool,
    _complex,
    _device,
    _dtype,
    _float,
    _int,
    _layout,
    _Number,
    _size,
    _TensorOrOptionalTensors,
    _TensorOrTensors,
)

__all__ = [
    "BoolLikeType",
    "Device",
    "FileLike",
    "FloatLikeType",
    "IntLikeType",
    "Number",
    "Storage",
    "_Number",
    "_TensorOrOptionalTensors",
    "_TensorOrTensors",
    "_bool",
    "_complex",
    "_device",
    "_dtype",
    "_float",
    "_int",
    "_layout",
    "_size",
]
