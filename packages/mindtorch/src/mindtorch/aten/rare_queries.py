"""Questions that few programs ask: of tensors and of dtypes."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
from mindtorch_storage.layout import is_non_overlapping_and_dense
from mindtorch_storage.promotion import result_type

from ..call.row import op
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.construction import is_compatible

__all__: list[str] = []


# -- tensors ------------------------------------------------------------------------------------


def _overlap(self: Any) -> int:
    """0 where no two elements share memory, 1 where some do, 2 where it would have to be counted.

    Source: torch aten/src/ATen/MemoryOverlap.cpp, has_internal_overlap.
    """
    if self._sig_ & S.SPARSE_LAYOUTS:
        return 1
    shape, strides = tuple(self.shape), tuple(self.stride())
    if is_non_overlapping_and_dense(shape, strides):
        return 0
    return 1 if any(n > 1 and not s for n, s in zip(shape, strides, strict=True)) else 2


def _holds(tensor: Any) -> int:
    """How many elements the storage has room for."""
    return int(tensor.untyped_storage().nbytes()) // int(tensor.dtype.itemsize)


for _schema, _says, _answer, _variants, _samples in (
    (
        "get_device(Tensor self) -> int",
        "Return the index of the accelerator that a tensor is on, -1 on the host.",
        lambda self: self.get_device(),
        "function",
        "unary",
    ),
    (
        "is_distributed(Tensor self) -> bool",
        "Say whether a tensor lies on several machines, which none does.",
        lambda self: self.is_distributed(),
        "function",
        "unary",
    ),
    (
        "retains_grad(Tensor self) -> bool",
        "Say whether a tensor that is no leaf keeps its gradient.",
        lambda self: self.retains_grad,
        "",
        "unary",
    ),
    (
        "_debug_has_internal_overlap(Tensor self) -> int",
        "Say whether elements share memory: 0 for no, 1 for yes, 2 where it is not looked for.",
        _overlap,
        "function",
        "overlapping",
    ),
    (
        "_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool",
        "Say whether a tensor's data may be set to another tensor.",
        is_compatible,
        "function",
        "equal",
    ),
    (
        "_has_same_storage_numel(Tensor self, Tensor other) -> bool",
        "Say whether two storages have room for as many elements.",
        lambda self, other: _holds(self) == _holds(other),
        "",
        "equal",
    ),
    (
        "cudnn_is_acceptable(Tensor self) -> bool",
        "Say whether cuDNN would take a tensor: there is none.",
        lambda self: False,
        "function",
        "unary",
    ),
):
    op(
        _schema,
        says=_says,
        composite=_answer,
        kinds={"functional": "explicit"} if _schema.startswith("_has_same") else None,
        variants=_variants,
        samples=_samples,
    )


# -- dtypes -------------------------------------------------------------------------------------


def _operand(value: Any) -> tuple[st.DType, bool, bool]:
    """What counts of a tensor or number: its dtype, whether it has no dimension, or is a number."""
    if isinstance(value, Tensor):
        return value.dtype, not value.dim(), False
    if isinstance(value, bool):
        return st.bool, True, True
    if isinstance(value, int):
        return st.int64 if value < 1 << 63 else st.uint64, True, True
    return st.float64 if isinstance(value, float) else st.complex128, True, True


def _result_type(first: Any, second: Any) -> st.DType:
    return result_type([_operand(first), _operand(second)])


for _overload, _arguments, _samples in (
    ("Tensor", "Tensor tensor, Tensor other", "result_type"),
    ("Scalar", "Tensor tensor, Scalar other", "result_type_of_number"),
    ("Scalar_Tensor", "Scalar scalar, Tensor tensor", "result_type_after_number"),
    ("Scalar_Scalar", "Scalar scalar1, Scalar scalar2", "result_type_of_numbers"),
):
    op(
        f"result_type.{_overload}({_arguments}) -> ScalarType",
        says="""Return the dtype that an op on both would compute in; either may be a number.

        >>> torch.result_type(torch.tensor([1]), 2.5)
        torch.float32
        """,
        composite=_result_type,
        variants="function",
        samples=_samples,
    )
op(
    "promote_types(ScalarType type1, ScalarType type2) -> ScalarType",
    says="Return the smallest dtype that holds the numbers of both.",
    composite=st.promote_types,
    variants="function",
    samples="two_types",
)
op(
    "can_cast(ScalarType from_, ScalarType to) -> bool",
    says="Say whether torch casts a result of one dtype to the other.",
    composite=st.can_cast,
    variants="function",
    samples="two_types",
)
