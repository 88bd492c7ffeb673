"""Ops that change which memory a tensor looks at: ``resize_``, ``set_``; and ``is_set_to``."""

from __future__ import annotations

from typing import Any

from mindtorch.resizing import resize_, resize_as_
from mindtorch.sources import set_nothing, set_storage, set_tensor, set_window

from .row import op

__all__: list[str] = []

#: Changes of the tensor, not of its numbers: kernels take the tensor, on every backend.
_ON_TENSORS: dict[str, Any] = {"kinds": {"inplace": "tensors"}, "variants": "method"}
_COUNTED = ("counts_its_change",)

op(
    "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
    composite=resize_,
    samples="resize_",
    tags=_COUNTED,
    **_ON_TENSORS,
)
op(
    "resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) "
    "-> Tensor(a!)",
    composite=resize_as_,
    kinds={"inplace": "explicit"},
    samples="resize_as_",
    tags=_COUNTED,
)
op("set_(Tensor(a!) self) -> Tensor(a!)", composite=set_nothing, samples="set_", **_ON_TENSORS)
op(
    "set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)",
    composite=set_storage,
    samples="set_storage",
    **_ON_TENSORS,
)
op(
    "set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, "
    "SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
    composite=set_storage,
    samples="set_storage_window",
    **_ON_TENSORS,
)
op(
    "set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)",
    composite=set_tensor,
    samples="set_tensor",
    **_ON_TENSORS,
)
op(
    "set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, "
    "SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
    composite=set_window,
    variants="method",
    samples="set_window",
)


def _is_set_to(self: Any, tensor: Any) -> bool:
    return (
        self.untyped_storage() is tensor.untyped_storage()
        and self.storage_offset() == tensor.storage_offset()
        and self.shape == tensor.shape
        and self.stride() == tensor.stride()
    )


op(
    "is_set_to(Tensor self, Tensor tensor) -> bool",
    composite=_is_set_to,
    kinds={"functional": "backends"},
    variants="method",
    samples="is_set_to",
)
