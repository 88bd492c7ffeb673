"""What only the in-place form of an op refuses or does, where its row does not tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import layout

from .dims import type_string

__all__ = ["IN_PLACE_CHECKS", "OWN_DTYPE", "UNRECORDED"]


def _no_complex_abs(self: Any) -> None:
    """torch aten/src/ATen/native/UnaryOps.cpp, abs_."""
    if self.dtype.is_complex:
        raise RuntimeError("In-place abs is not supported for complex tensors.")


def _mask_fits(self: Any, mask: Any, source: Any) -> None:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp: only the mask is expanded."""
    layout.expand_strides(
        tuple(mask.shape), tuple(mask.stride()), tuple(self.shape), type_string(mask)
    )


#: Row -> what looks at the arguments first, and raises.
IN_PLACE_CHECKS: dict[str, Callable[..., None]] = {
    "abs": _no_complex_abs,
    "masked_scatter": _mask_fits,
}

#: Computed in the target's dtype, unless another is asked for (the last argument).
OWN_DTYPE = frozenset(("cumprod", "cumsum"))

#: In place torch does not record these, and so does not refuse leaves either.
UNRECORDED = frozenset(("logical_and", "logical_not", "logical_or", "logical_xor"))
