"""Dtypes that torch has few kernels for, beside Python numbers: refused at the call, everywhere.

On an NPU what a kernel lacks must not come out at the next synchronisation.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import mindtorch
import torch

from .batches import every

DTYPES = (
    "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2",
    "bits8", "uint16", "uint32", "complex32",
)  # fmt: skip

CALLS = (
    "x + 1", "1 + x", "x - 1", "1 - x", "x * 2", "2 * x", "x / 2", "2 / x", "x // 2", "2 // x",
    "x % 2", "x ** 2", "x ** 3", "x ** 0", "x[0] ** 2", "2 ** x", "x * True", "x * x[0]", "x == 1",
    "x > 1", "x & 1", "x ^ 1", "x.add_(1)", "x.mul_(2)", "x.pow_(2)", "x.fill_(1)", "x.eq_(1)",
    "x.sub(1, alpha=2)", "x.clamp(1)", "x.fmod(2)", "x.square()", "x.addcmul(x, x, value=2)",
    "x.div(2, rounding_mode='floor')", "x.div(2, rounding_mode='trunc')",
    "x.div(x, rounding_mode='floor')", "t.where(m, x, 1)", "t.full_like(x, 1)", "t.rsub(x, 1)",
    "t.remainder(2, x)", "t.xlogy(x, 1)", "t.add(x, 1, out=x)", "t.mul(x, 2, out=x)",
)  # fmt: skip


def told(t: Any, dtype: str, device: str, call: str) -> tuple[str, str] | None:
    """The error of the call itself, None where it is taken."""
    x = t.ones(2, dtype=t.uint8 if dtype[0] in "fb" else getattr(t, dtype))
    x = x.to(device)
    if dtype[0] in "fb":
        x = x.view(getattr(t, dtype))
    mask = t.ones(2, dtype=t.bool, device=device)
    try:
        eval(call, {"t": t, "x": x, "m": mask})
    except (RuntimeError, TypeError) as error:
        return type(error).__name__, str(error)
    finally:
        if device == "npu":
            mindtorch.npu.synchronize()  # raises what comes late
    return None


@every("call", CALLS)
def test_a_number_beside_a_scarce_dtype(call: str) -> None:
    for dtype in DTYPES:
        wanted = told(torch, dtype, "cpu", call)
        for device in ("cpu", "npu"):
            assert told(mindtorch, dtype, device, call) == wanted, (dtype, device)


PRODUCTS = (
    "t.mm(x, y)", "t.bmm(x[None], y[None])", "t.mv(x, y[0])", "t.dot(x[0], y[0])",
    "t.addmm(x, x, y)", "t.addmm(y, x, y)", "t.nn.functional.linear(x, y)",
)  # fmt: skip


@every("call", PRODUCTS)
def test_products_of_two_dtypes(call: str) -> None:
    names = (*DTYPES, "int4", "uint3", "float32", "bfloat16", "int64")
    for one, other in product(names, names):
        wanted, got = [
            error_of(t, call, x=t.empty(2, 2, dtype=getattr(t, one)), y=t.empty(2, 2, dtype=d))
            for t in (torch, mindtorch)
            for d in (getattr(t, other),)
        ]
        assert got == wanted, (one, other)


def error_of(t: Any, call: str, **given: Any) -> tuple[str, str] | None:
    try:
        eval(call, {"t": t, **given})
    except (RuntimeError, TypeError) as error:
        return type(error).__name__, str(error)
    return None
