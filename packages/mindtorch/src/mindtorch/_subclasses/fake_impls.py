"""``torch._subclasses.fake_impls``: what operators say of results that have no numbers.

Which say what results look like, which do not as that depends on numbers, and where results are.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage import Device
from mindtorch_storage.device import CUDA

from .._C import _dispatch_has_computed_kernel_for_dispatch_key
from .._library.fake import FakeImplCtx
from .._ops import ops
from ..core.constants import contiguous_format
from ..core.tags import Tag
from .fake_errors import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorDeviceMismatchError,
)

__all__ = [
    "has_meta",
    "is_builtin",
    "laid_out",
    "refuse_without_numbers",
    "result_device",
    "sizes_of",
    "takes_device",
]

#: Which results of an operator all libraries but CUDA's lay out by columns. Plain meta tensors, of
#: which no device is known, are taken for CUDA's. Source: torch _meta_registrations.py.
_BY_COLUMNS = {"aten::_linalg_svd": 2, "aten::linalg_eig": 1}


def is_builtin(op: Any) -> bool:
    """Whether an operator is torch's own."""
    return op.namespace in ("aten", "prims", "prim")


def has_meta(func: Any) -> bool:
    """Whether an operator runs on the meta device."""
    return _dispatch_has_computed_kernel_for_dispatch_key(func.name(), "Meta")


def laid_out(func: Any, result: Any, device: Any) -> Any:
    """The results of an operator on meta tensors, laid out as the library of *device* would."""
    place = _BY_COLUMNS.get(func.name())
    if place is None or device.type == CUDA or result[place].dim() < 2:
        return result
    rows = result[place]
    columns = ops.aten.empty_like.default(rows.mT, memory_format=contiguous_format).mT
    return (*result[:place], columns, *result[place + 1 :])


def takes_device(func: Any) -> bool:
    """Whether an operator has an argument that says where its result is."""
    return any(a.name == "device" for a in func._schema.arguments)


def sizes_of(func: Any) -> FakeImplCtx:
    """What a fake implementation of *func* may ask for: sizes, which would be symbols."""

    def new_size(least: int, greatest: int | None) -> Any:
        raise DynamicOutputShapeException(func)

    return FakeImplCtx(new_size)


def refuse_without_numbers(func: Any) -> None:
    """Raise for an operator whose result depends on numbers."""
    if func is ops.aten.index.Tensor:  # it does where there are masks, which are places by now
        return
    if Tag.dynamic_output_shape in func.tags:
        raise DynamicOutputShapeException(func)
    if Tag.data_dependent_output in func.tags:
        raise DataDependentOutputException(func)


def result_device(fakes: list[Any], kwargs: dict[str, Any]) -> Any:
    """Where the result is: as said, or where the arguments are, 0-d ones of the cpu aside."""
    named = kwargs.get("device")
    if named is not None:
        return Device(named)
    found = Device("cpu")
    strong = False
    for fake in fakes:
        weak = fake.dim() == 0 and fake.device.type == "cpu"
        if not strong and not weak:
            found, strong = fake.device, True
        elif not weak and fake.device != found:
            raise FakeTensorDeviceMismatchError(
                "Expected all tensors to be on the same device, but found at least two "
                f"devices, {found} and {fake.device}!"
            )
    return found
