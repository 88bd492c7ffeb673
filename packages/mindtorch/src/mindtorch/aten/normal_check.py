"""Which dtypes of input and parameters normalisations take together."""

from __future__ import annotations

from typing import Any

from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL
from mindtorch.core.dims import scalar_name

__all__ = ["FLOATS_ONLY", "check_mixed", "expect_count"]

FLOATS_ONLY = INTEGRAL | BOOL | COMPLEX


def check_mixed(x: Any, *parameters: Any) -> None:
    """Half floats may come with parameters in float32; everything else is of one dtype.

    Source: torch aten/src/ATen/native/cpu/mixed_data_type.h, check_mixed_data_type.
    """
    given = [p for p in parameters if p is not None]
    if not given:
        return
    if given[0].dtype is not x.dtype:
        if any(p.dtype.name != "float32" for p in given):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if x.dtype.name not in ("float16", "bfloat16"):
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    for p in given:
        if p.dtype is not given[0].dtype:
            raise RuntimeError(
                f"expected scalar type {scalar_name(given[0].dtype)} but found "
                f"{scalar_name(p.dtype)}"
            )


def expect_count(name: str, t: Any, count: int, input: Any) -> None:
    """Refuse a tensor that is not of the forward call, beside which torch would read memory."""
    if t.numel() != count:
        raise RuntimeError(
            f"Expected {name} to have {count} elements for an input of size {list(input.shape)}, "
            f"but it has size {list(t.shape)}"
        )
