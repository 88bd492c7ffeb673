"""What calls of a process group may be given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...tensor import Tensor
from .reductions import RedOpType, ReduceOp

__all__: list[str] = []

_BITWISE = (ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)


def _root(call: str, root: int, size: int) -> int:
    if not 0 <= root < size:
        raise RuntimeError(f"ProcessGroupGloo::{call}: invalid root rank: {root}")
    return root


def _options_text(x: Tensor) -> str:
    kinds = {"torch.float32": "float", "torch.float64": "double", "torch.int64": "long int"}
    kinds |= {"torch.int32": "int", "torch.bool": "bool", "torch.int16": "short int"}
    kinds |= {"torch.uint8": "unsigned char", "torch.int8": "signed char"}
    dtype = kinds.get(str(x.dtype), str(x.dtype).removeprefix("torch."))
    return (
        f"TensorOptions(dtype={dtype}, device={x.device.type}, layout=Strided, "
        "requires_grad=false (default), pinned_memory=false (default), "
        "memory_format=(nullopt))"
    )


def _shape(x: Tensor) -> str:
    return f"({', '.join(map(str, x.shape))})"


def _like(call: str, tensors: Sequence[Tensor], model: Tensor) -> None:
    """Refuse tensors that are not as *model* is."""
    for i, x in enumerate(tensors):
        if x.dtype != model.dtype or x.device.type != model.device.type:
            raise RuntimeError(
                f"ProcessGroupGloo::{call}: invalid tensor type at index {i} (expected "
                f"{_options_text(model)}, got {_options_text(x)})"
            )
        if x.shape != model.shape:
            raise RuntimeError(
                f"ProcessGroupGloo::{call}: invalid tensor size at index {i} (expected "
                f"{_shape(model)}, got {_shape(x)})"
            )


def _reducible(tensor: Tensor, op: Any) -> Any:
    if any(op == b for b in _BITWISE) and (tensor.is_floating_point() or tensor.is_complex()):
        name = (op.op if not isinstance(op, RedOpType) else op).name
        raise RuntimeError(f"Cannot use ReduceOp.{name} with non-integral dtype")
    return op


def _one(tensors: Any) -> Tensor:
    if isinstance(tensors, Tensor):
        return tensors
    if len(tensors) != 1:
        raise RuntimeError("requires a single-element input tensor list")
    return tensors[0]
