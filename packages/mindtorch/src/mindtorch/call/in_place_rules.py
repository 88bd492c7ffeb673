"""What only the in-place form of an op refuses or does, where its row does not tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import layout
from mindtorch_storage.dtype import bool_

from ..core.dims import type_string
from ..core.errors import c_type_name
from .elementwise_meta import broadcast_shapes, not_implemented

__all__ = ["IN_PLACE_CHECKS", "OWN_DTYPE", "UNRECORDED", "refuse_mask"]


def _no_complex_abs(self: Any) -> None:
    """torch aten/src/ATen/native/UnaryOps.cpp, abs_."""
    if self.dtype.is_complex:
        raise RuntimeError("In-place abs is not supported for complex tensors.")


def _no_bool_product(self: Any, *rest: Any) -> None:
    """The kernel of ``addbmm_`` refuses bool before it looks at shapes."""
    if self.dtype.name == "bool":
        raise not_implemented("addmm_impl_cpu_", self.dtype)


def _mask_fits(self: Any, mask: Any, source: Any) -> None:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp: only the mask is expanded."""
    layout.expand_strides(
        tuple(mask.shape), tuple(mask.stride()), tuple(self.shape), type_string(mask)
    )


def refuse_mask(mask: Any) -> None:
    """``masked_fill`` takes bools only."""
    if mask.dtype is not bool_:
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            f"{c_type_name(mask.dtype)}"
        )


def _filled_before_mask(self: Any, mask: Any, value: Any) -> None:
    """torch names the tensor that is filled before the mask; elsewhere the other way round."""
    if not getattr(value, "ndim", 0):
        refuse_mask(mask)
        broadcast_shapes(tuple(self.shape), tuple(mask.shape))


def _a_matrix(self: Any) -> None:
    """torch aten/src/ATen/native/TensorShape.cpp, check_t, which names the form."""
    if self.dim() > 2:
        raise RuntimeError(f"t_() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")


#: Row -> what looks at the arguments first, and raises.
IN_PLACE_CHECKS: dict[str, Callable[..., None]] = {
    "abs": _no_complex_abs,
    "addbmm": _no_bool_product,
    "masked_fill.Scalar": _filled_before_mask,
    "masked_fill.Tensor": _filled_before_mask,
    "masked_scatter": _mask_fits,
    "t": _a_matrix,
}

#: Computed in the target's dtype, unless another is asked for (the last argument).
OWN_DTYPE = frozenset(("cumprod", "cumsum"))

#: In place torch does not record these, and so does not refuse leaves either.
UNRECORDED = frozenset(
    ("logical_and", "logical_not", "logical_or", "logical_xor", "resize_", "resize_as_")
)
