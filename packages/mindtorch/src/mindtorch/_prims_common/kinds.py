"""Types that signatures of references name, and how references treat arguments and results."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor

Dim = int
ShapeType = torch.Size | list[int] | tuple[int, ...]
StrideType = list[int] | tuple[int, ...]
DimsType = int | list[int] | tuple[int, ...]
DimsSequenceType = list[int] | tuple[int, ...]
NumberTypeType = type[bool] | type[int] | type[float] | type[complex]
NumberType = bool | int | float | complex
RealNumberType = bool | int | float
Number = (bool, int, float, complex, torch.SymInt, torch.SymFloat, torch.SymBool)
IntLike = (int, torch.SymInt)
FloatLike = (float, torch.SymFloat)
BoolLike = (bool, torch.SymBool)
IntWithoutSymInt = int
FloatWithoutSymFloat = float
DeviceLikeType = str | torch.device | int
TensorLike = Tensor
TensorLikeType = Tensor
TensorSequenceType = list[Tensor] | tuple[Tensor, ...]
TensorOrNumberLikeType = Tensor | NumberType

#: Under this key annotations name the only ``out=`` that is not called so.
CustomOutParamAnnotation = "__custom_out_param__"


def _getter(name: str) -> Any:
    """What a function of modes is called with for an attribute of tensors."""
    return getattr(Tensor, name).__get__


#: What modes that look at operators let pass: questions about a tensor.
torch_function_passthrough: set[Any] = {
    torch.device,
    torch.sym_not,
    torch.sym_float,
    torch.sym_int,
    torch.sym_max,
    torch.sym_min,
    torch.sym_ite,
    *map(_getter, "ndim dtype is_sparse shape device requires_grad layout".split()),
    *(
        getattr(Tensor, name)
        for name in "dim numel size storage_offset stride is_contiguous __format__ __repr__ "
        "__getitem__".split()
    ),
}


class ELEMENTWISE_TYPE_PROMOTION_KIND(Enum):
    """How an elementwise op chooses its dtype."""

    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


class REDUCTION_OUTPUT_TYPE_KIND(Enum):
    """How a reduction chooses its dtype."""

    SAME = (0,)
    COMPLEX_TO_FLOAT = (1,)
    KEEP_PROMOTED_TYPE = (2,)
    ALWAYS_BOOL = (3,)


class RETURN_TYPE(Enum):
    """What an op returns."""

    NEW = (0,)
    VIEW = (1,)
    INPLACE = (2,)
    NONE = (3,)
