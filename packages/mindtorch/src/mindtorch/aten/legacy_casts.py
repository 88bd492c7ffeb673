"""Casts by the names of types: ``_cast_Float`` and its kin, ``type_as``, ``chalf``, ``_to_cpu``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mindtorch_storage as st

from ..call.row import op

__all__: list[str] = []

_HOST = st.Device("cpu")


def _cast(dtype: st.DType) -> Callable[..., Any]:
    return lambda self, non_blocking: self._to_(None, dtype, non_blocking)


for _name, _dtype in (
    ("Byte", st.uint8),
    ("Char", st.int8),
    ("Double", st.float64),
    ("Float", st.float32),
    ("Half", st.float16),
    ("Int", st.int32),
    ("Long", st.int64),
    ("Short", st.int16),
):
    op(
        f"_cast_{_name}(Tensor self, bool non_blocking=False) -> Tensor",
        says=f"Return the tensor as {_dtype.name}.",
        composite=_cast(_dtype),
        variants="function",
        samples="unary",
        tags=("loops: functional",),
    )
op(
    "type_as(Tensor self, Tensor other) -> Tensor",
    says="Return the tensor with dtype and device of another.",
    composite=lambda self, other: self.type_as(other),
    variants="",
    samples="another",
)
op(
    "chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
    says="Return the tensor as complex32.",
    composite=lambda self, memory_format: self.chalf(memory_format=memory_format),
    variants="",
    samples="unary",
)


def _to_cpu(tensors: Sequence[Any]) -> list[Any]:
    return [t._to_(_HOST, None) for t in tensors]


op(
    "_to_cpu(Tensor[] tensors) -> Tensor[]",
    says="Return the tensors in host memory.",
    composite=_to_cpu,
    variants="function",
    samples="stacks",
)
