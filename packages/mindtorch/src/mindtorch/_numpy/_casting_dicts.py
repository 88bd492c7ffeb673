"""What numpy promotes two dtypes to, and which casts its rules allow, by torch's dtypes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..aten import torch

#: numpy's dtype of each dtype of torch that an array may have.
_NUMPY = {
    torch.float16: np.float16,
    torch.float32: np.float32,
    torch.float64: np.float64,
    torch.complex64: np.complex64,
    torch.complex128: np.complex128,
    torch.uint8: np.uint8,
    torch.uint16: np.uint16,
    torch.uint32: np.uint32,
    torch.uint64: np.uint64,
    torch.int8: np.int8,
    torch.int16: np.int16,
    torch.int32: np.int32,
    torch.int64: np.int64,
    torch.bool: np.bool_,
}
_TORCH = {np.dtype(theirs): ours for ours, theirs in _NUMPY.items()}
_CASTINGS: tuple[Literal["no", "equiv", "safe", "same_kind", "unsafe"], ...] = (
    "no",
    "equiv",
    "safe",
    "same_kind",
    "unsafe",
)

_can_cast_dict = {
    rule: {
        a: {b: bool(np.can_cast(from_, to, casting=rule)) for b, to in _NUMPY.items()}
        for a, from_ in _NUMPY.items()
    }
    for rule in _CASTINGS
}
_result_type_dict = {
    a: {b: _TORCH[np.result_type(left, right)] for b, right in _NUMPY.items()}
    for a, left in _NUMPY.items()
}
