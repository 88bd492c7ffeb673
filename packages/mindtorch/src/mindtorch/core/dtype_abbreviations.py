"""Short names of dtypes, as torch writes them in the texts of graphs and logs."""

from __future__ import annotations

from typing import Any

__all__ = ["abbreviated"]

_SHORT = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "complex64": "c64",
    "complex128": "c128", "complex32": "c32", "int8": "i8", "int16": "i16", "int32": "i32",
    "int64": "i64", "bool": "b8", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip


def abbreviated(dtype: Any) -> str:
    """``f32`` of ``torch.float32``; the dtype's own name where there is no shorter one."""
    return _SHORT.get(str(dtype).removeprefix("torch."), str(dtype))
