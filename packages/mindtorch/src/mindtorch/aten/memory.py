"""Ops that change which memory a tensor looks at: ``resize_``, ``set_``; and ``is_set_to``."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import UntypedStorage, get_default_dtype

from mindtorch.tensor.resizing import resize_, resize_as_
from mindtorch.tensor.set_storage import set_nothing, set_storage, set_tensor

from ..call.forms import InplaceForm, NoFormula
from ..call.row import op
from ..core.errors import source_not_contiguous
from ..core.operators import of
from ..functionality.copy_on_write import lazy_clone
from ..tensor.storage_windows import look_at as look_at_storage
from .tensor_methods import pin_memory, pinned_copy

__all__: list[str] = []

#: Changes of the tensor, not of its numbers: kernels take the tensor, on every backend.
_ON_TENSORS: dict[str, Any] = {"kinds": {"inplace": "tensors"}, "variants": "method"}
#: Other memory for the tensor.
_SETTING: dict[str, Any] = {**_ON_TENSORS, "grad": NoFormula(), "tangent": "memory"}
_COUNTED = ("counts_its_change",)

op(
    "resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
    says="Change the shape in place; the storage grows if it is too small, and new "
    "elements are undefined.",
    composite=resize_,
    samples="resize_",
    tags=(*_COUNTED, "of_geometry"),
    inplace=InplaceForm(recorded=False),
    tangent="memory",
    **_ON_TENSORS,
    batch="resized",
)
op(
    "resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) "
    "-> Tensor(a!)",
    says="Change the shape in place to that of another tensor.",
    batch="whole_loop",
    composite=resize_as_,
    kinds={"inplace": "explicit"},
    samples="resize_as_",
    tags=(*_COUNTED, "of_geometry", "loops: inplace"),
    inplace=InplaceForm(recorded=False),
    tangent="memory",
)
op(
    "set_(Tensor(a!) self) -> Tensor(a!)",
    says="Make the tensor show other memory: a storage, or that of another tensor.",
    batch="whole_loop",
    composite=set_nothing,
    samples="set_",
    **_SETTING,
    tags=("of_geometry", "loops: inplace"),
)
op(
    "set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)",
    batch="whole_loop",
    composite=set_storage,
    samples="set_storage",
    **_SETTING,
    tags=("of_geometry", "loops: inplace"),
)
op(
    "set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt storage_offset, "
    "SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
    batch="whole_loop",
    composite=set_storage,
    samples="set_storage_window",
    **_SETTING,
    tags=("of_geometry", "loops: inplace"),
)
op(
    "set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)",
    batch="whole_loop",
    composite=set_tensor,
    samples="set_tensor",
    **_SETTING,
    tags=("of_geometry", "loops: inplace"),
)


def _set_window(self: Any, source: Any, storage_offset: int, size: Any, stride: Any) -> Any:
    if not source.is_contiguous():
        raise source_not_contiguous()
    offset = storage_offset + source.storage_offset()
    set_ = of("set_.source_Storage_storage_offset")
    return set_(self, source.untyped_storage(), offset, size, stride)


op(
    "set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, "
    "SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
    batch="whole_loop",
    composite=_set_window,
    variants="method",
    samples="set_window",
    tags=("of_geometry", "loops: inplace"),
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
    says="Say whether two tensors show the same memory with the same shape and strides.",
    composite=_is_set_to,
    kinds={"functional": "backends"},
    variants="method",
    samples="is_set_to",
)


def _fill_diagonal(self: Any, fill_value: Any, wrap: bool) -> Any:
    if self.dim() < 2:
        raise RuntimeError("dimensions must larger than 1")
    height, width = self.shape[0], self.shape[1]
    if self.dim() > 2 and any(n != height for n in self.shape):
        raise RuntimeError("all dimensions of input must be of equal length")
    size, step, at = min(self.shape), sum(self.stride()), self.storage_offset()
    self.as_strided((size,), (step,), at).fill_(fill_value)
    if wrap and self.dim() == 2 and height > width + 1:
        rest = -(-height * width // (width + 1)) - size
        at += self.stride(0) * (width + 1)
        self.as_strided((rest,), (step,), at).fill_(fill_value)
    return self


op(
    "fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
    says="Set the elements on the main diagonal to one value.",
    composite=_fill_diagonal,
    variants="method",
    samples="fill_diagonal_",
    inplace=InplaceForm(overlap="idempotent"),
    tags=("loops: inplace",),
)


op(
    "_lazy_clone(Tensor self) -> Tensor",
    composite=lazy_clone,
    kinds={"functional": "explicit"},
    grad={"self": lambda g, c: g},
    tangent="linear",
    samples="is_set_to_itself",
    batch="on_whole",
    tags=("real_only", "loops: functional", "of_parts"),
)


def _pinned(self: Any, device: Any) -> Any:
    return pinned_copy(self, device)


op(
    "_pin_memory(Tensor self, Device? device=None) -> Tensor",
    composite=_pinned,
    kinds={"functional": "explicit"},
    grad={"self": lambda g, c: g},
    variants="function",
    samples="_pin_memory",
    tangent="not implemented",
)


op(
    "pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)",
    composite=lambda self, device: pin_memory(self, device),
    variants="",
)


def _from_file(
    filename: str, shared: Any, size: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any
) -> Any:
    if pin_memory:
        raise RuntimeError("tensors constructed from a file cannot be pinned")
    found = get_default_dtype() if dtype is None else dtype
    nbytes = (size or 0) * found.itemsize
    storage = UntypedStorage.from_file(filename, bool(shared), nbytes)
    made = look_at_storage(storage, found.np, (max(size or 0, 0),), (1,), 0)
    return made if device is None else made.to(device)


op(
    "from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, "
    "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    says="Return a tensor whose memory is mapped from a file.",
    composite=_from_file,
    kinds={"functional": "backends"},
    variants="function",
    samples="from_file",
)
