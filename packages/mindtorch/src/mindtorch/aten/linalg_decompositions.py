"""What eigenvalues and singular values share."""

from __future__ import annotations

from typing import Any

from ..core.operators import ops
from ..core.signature import BATCHED, DUAL, FUNCTIONAL, OF_CLASS
from .reflected import watched

__all__ = ["distances", "imaginary_is_zero", "real_dtype", "wants_vectors"]


def distances(values: Any, own: float = 1.0) -> Any:
    """How far each value is from each other one, and *own* from itself, which divides nothing."""
    rows = values.unsqueeze(-1)
    found = values.unsqueeze(-2) - rows
    found.diagonal(0, -2, -1).fill_(own)
    return found


def real_dtype(dtype: Any) -> Any:
    """The dtype of the parts of complex numbers."""
    return dtype.to_real() if dtype.is_complex else dtype


def imaginary_is_zero(x: Any) -> bool:
    """Whether a diagonal is real up to rounding; torch looks for more than a hundredth."""
    if watched(x) or x.device.type == "meta":
        return True
    part = ops.imag(x)
    return bool(ops.allclose(part, ops.zeros_like(part), atol=1e-2, rtol=1e-2))


def wants_vectors(self: Any) -> bool:
    """Whether somebody but autograd may ask for derivatives, for which vectors are needed."""
    return bool(self._sig_ & (BATCHED | DUAL | FUNCTIONAL | OF_CLASS))
