"""What weights are made smaller by: integers for a range of numbers, rows that are left out.

Source: torch aten/src/ATen/native/QuantizedLinear.cpp, RowwisePrune.cpp.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage.dtype import bool_, int32, int64

from ..backends.dtype_support import kind_of
from ..call.elementwise_meta import BOOL, COMPLEX, not_implemented
from ..call.row import op
from ..core.errors import expected_scalar_type
from ..core.operators import of, ops
from .quantization_parameters import choose_parameters

__all__: list[str] = []


def _choose(self: Any, reduce_range: bool) -> tuple[float, int]:
    low, high = float(ops.min(self).item()), float(ops.max(self).item())
    return choose_parameters(low, high, 0, 127 if reduce_range else 255)


def _prune(weight: Any, mask: Any, compressed_indices_dtype: Any) -> tuple[Any, Any]:
    if weight.dim() != 2:
        raise RuntimeError("'weights' should have 2 dimensions.")
    if mask.numel() != weight.shape[0]:
        raise RuntimeError(
            "Number of elements in 'mask' should be equivalent to the number of rows in 'weights'."
        )
    if compressed_indices_dtype not in (int32, int64):
        raise RuntimeError("compressed_indices_dtype should be either int(int32) or long(int64).")
    if mask.dtype is not bool_:
        raise expected_scalar_type(bool_, mask.dtype)
    if weight.dtype.name in BOOL | COMPLEX or kind_of(weight.dtype):
        raise not_implemented("rowwise_prune_helper", weight.dtype)
    kept = mask.reshape((-1,))
    rows = of("index.Tensor")(weight.detach(), [kept])
    places = of("where.ScalarOther")(kept, kept.cumsum(0) - 1, -1)
    return rows, places.to(compressed_indices_dtype)


op(
    "_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)",
    says="Return the scale and the zero point by which bytes stand for the numbers of a tensor.",
    composite=_choose,
    variants="function",
    samples="quantization_choice",
    tags=("loops: functional",),
)
op(
    "_rowwise_prune(Tensor weight, Tensor mask, ScalarType compressed_indices_dtype) "
    "-> (Tensor, Tensor)",
    says="Return the rows that a mask keeps, and for each row its place among them, or -1.",
    composite=_prune,
    variants="function",
    batch="whole_loop",
    samples="pruned_rows",
    tags=("loops: functional",),
)
