"""Dtypes for which torch has few kernels: which op refuses them, in the name of which kernel.

``dtype_support.txt`` has a line for each kernel of torch's CPU library and each set of dtypes that
it is not made for: the kernel's name in torch's text, the kinds of dtypes, and the rows that come
to it. It was recorded from torch by running the rows' samples, and a test compares it again. A row
of the elementwise family that no line names is refused in the name of the kernel that its ``meta``
has; what else no line names is computed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from mindtorch_storage import DType, bfloat16, complex32

from ..call.elementwise_meta import RULES
from ..call.row import ROWS
from ..core import signature as S
from ..core.errors import not_implemented_for, raise_if
from ..core.warning import warn_complex_half

#: Names of dtypes begin with -> the letter of their kind in the file; the first that fits.
_KINDS = (
    ("float8_e5m2fnuz", "f"),
    ("float8_e5m2", "g"),
    ("float8_e8m0", "e"),
    ("float8", "f"),
    ("float4", "4"),
    ("bits", "b"),
    ("complex32", "c"),
    ("uint16", "u"),
    ("uint32", "u"),
    ("uint64", "u"),
)


#: What torch's kernels of 16-bit floats and their like are called for a tensor and a number.
_REDUCED = {
    "mul.Tensor": "mul_cpu_reduced_float",
    "div.Tensor": "div_cpu_reduced_float",
    "div.Tensor_mode": "div_cpu_reduced_float",
    "floor_divide": "div_floor_cpu_reduced_float",
}
_ROUNDED = {mode: f"div_{mode}_cpu_reduced_float" for mode in ("floor", "trunc")}
#: What complex32 is raised to by kernels of their own. Source: torch native/cpu/PowKernel.cpp.
_POWERS = {0.5: "sqrt_vml_cpu", -0.5: "rsqrt_cpu", -1: "reciprocal_cpu"}


def kind_of(dtype: DType) -> str:
    """The letter of a scarce dtype, "" for others."""
    for start, kind in _KINDS:
        if dtype.name.startswith(start):
            return kind
    # int4 and the like, but not int8 and above
    return "i" if dtype.index >= len(S.DTYPES) else ""


_POWER = "pow.Tensor_Scalar"


@cache
def _refusals() -> dict[tuple[str, str], str]:
    """(row, kind of dtype) -> the kernel that torch does not have."""
    found = {}
    text = Path(__file__).with_name("dtype_support.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        stub, kinds, rows = line.split(": ")
        for row in rows.split():
            found.update({(row, kind): stub for kind in kinds})
    return found


@cache
def _refusing_rows() -> frozenset[str]:
    return frozenset(row for row, _ in _refusals())


@cache
def _of_family(name: str) -> dict[str, str]:
    """Kind of dtype -> the kernel that an elementwise row of no line of the file lacks."""
    row = ROWS.get(name)
    rule = None if row is None or row.meta is None else RULES.get(row.meta)
    if rule is None or not rule.kernel:
        return {}
    kinds = "fgeb4i" + "c" * ("complex32" in rule.lacks) + "u" * ("uint16" in rule.lacks)
    return dict.fromkeys(kinds, rule.kernel)


def _kernel_of(row: str, dtype: DType) -> str | None:
    """The kernel that torch lacks for *row* and *dtype*, None if it has one."""
    kind = kind_of(dtype)
    if row in _refusing_rows():
        return _refusals().get((row, kind))
    return _of_family(row).get(kind)


def refusal(row: str, dtype: DType) -> NotImplementedError | None:
    """torch's error for a dtype that it has no CPU kernel of *row* for; None if it has one."""
    stub = _kernel_of(row, dtype)
    return None if stub is None else not_implemented_for(stub, dtype)


def scarce_kernel(plan: Any, kernel: Any) -> Any:
    """The kernel for the scarce dtypes of a signature: one that refuses, or the row's own.

    It refuses after the checks of shapes, where torch's iterator does; the plan knows it before.
    """
    if plan.sig & S.META:
        return kernel
    check = _check_of(plan)
    if check is not None:
        return _guarded(plan, check, kernel)
    if plan.row.promote is not None and _dtypes_of(plan)[0].np.names:
        return _on_bytes(kernel)
    return kernel


def _dtypes_of(plan: Any) -> list[DType]:
    """In which dtypes the kernel gets its arguments."""
    return _given(plan) if plan.compute is None else [plan.compute]


def _given(plan: Any) -> list[DType]:
    return [d for at in (S.DIM_SHIFT, S.ZERO_SHIFT) for d in S.dtypes_in(plan.sig, at)]


def _check_of(plan: Any) -> Any:
    """What refuses the arguments as the kernel gets them; None where nothing does."""
    row, compute = plan.row.name, plan.compute
    if compute is not None:
        dtype = next((d for d in _given(plan) if d.np.names), None)
        if dtype is not None:
            plan.compute = None  # nothing can be cast from or to it
            known = refusal(row, dtype) is not None and not plan.sig & S.NUMBERS
            if (compute is not dtype or plan.sig & S.NUMBERS) and not known:
                return _refusing_with("copy_", dtype)
    for dtype in _dtypes_of(plan):
        if refusal(row, dtype) is not None:
            refusing = _refusing(row, dtype)
            if kind_of(dtype) == "u":
                return _unless_floats(refusing)
            if row == "div.Tensor_mode":
                refusing = _by_mode(dtype, refusing)
            if kind_of(dtype) in (*"fge4",) and row in _REDUCED:
                return _by_number(row, dtype, refusing)
            return _by_exponent(dtype, refusing) if row == _POWER else refusing
        if row == "mul.Tensor" and kind_of(dtype) in (*"fge4",):
            return _by_number(row, dtype, None)
        if row == _POWER and kind_of(dtype) in (*"fgec",):
            return _by_exponent(dtype, None)
    return None


def _guarded(plan: Any, check: Any, kernel: Any) -> Any:
    """*kernel* behind *check*, which is asked at the call already where it sees the same there."""

    def at_the_call(*args: Any) -> None:
        values = plan.arrays(args)
        if plan.widen and plan.compute is None:
            plan._widen(values)
        for i in plan.positions:  # numbers become arrays on the way
            if not (values[i] is None or isinstance(values[i], np.ndarray)):
                values[i] = np.zeros((), None if plan.compute is None else plan.compute.np)
        check(*values)

    _ask_first(plan, at_the_call)

    def guarded(*args: Any) -> Any:
        check(*args)
        return kernel(*args)

    return guarded


def _ask_first(plan: Any, check: Any) -> None:
    """Let *plan* ask *check* at the call, before what the row refuses itself."""
    own = plan.refuses
    if own is None:
        plan.refuses = check
    else:

        def both(*args: Any) -> None:
            check(*args)
            own(*args)

        plan.refuses = both


def _on_bytes(kernel: Any) -> Any:
    """Two numbers in a byte are compared as the byte."""

    def on_bytes(*args: Any) -> Any:
        return kernel(*[a.view(np.uint8) if isinstance(a, np.ndarray) else a for a in args])

    return on_bytes


def refuse_scarce(row: str, *tensors: Any) -> None:
    """Raise torch's error where a row that is no kernel here is one in torch, and lacks a dtype."""
    for t in tensors:
        if t._sig_ & S.SCARCE and not t._sig_ & S.META:
            raise_if(refusal(row, t.dtype))


def scarce_result(plan: Any, kernel: Any) -> Any:
    """The kernel for signatures without scarce dtypes: it refuses those that its results cannot be.

    In the file the rows of such kernels end in ``@``.
    """
    row = f"{plan.row.name}@"
    if "dtype" not in plan.overload.names:  # ``input_dtype`` is none of the result's
        return kernel
    position = plan.overload.names.index("dtype")
    if row not in _refusing_rows():
        return kernel if plan.row.composite else _telling(kernel, position)

    def check(*args: Any) -> None:
        dtype = args[position]
        if is_scarce(dtype):
            raise_if(refusal(row, dtype))

    def refusing(*args: Any) -> Any:
        dtype = args[position]
        if is_scarce(dtype):
            check(*args)
            if dtype is complex32:
                warn_complex_half()
        return kernel(*args)

    _ask_first(plan, check)
    return refusing


def is_scarce(dtype: Any) -> bool:
    """Whether a result of *dtype*, as a call asks for it, is refused by some kernels or warned of.

    A default of the schema (``dtype=long``) is a number, and None no dtype.
    """
    return isinstance(dtype, DType) and dtype.index > bfloat16.index


def _telling(kernel: Any, position: int) -> Any:
    """*kernel*, which warns where its result is complex32."""

    def telling(*args: Any) -> Any:
        if args[position] is complex32:
            warn_complex_half()
        return kernel(*args)

    return telling


def _by_number(row: str, dtype: DType, otherwise: Any) -> Any:
    """What becomes of a tensor and a number (or a 0-d tensor), and of two tensors."""

    def check(a: Any, b: Any, rounding_mode: str | None = None) -> None:
        if b.ndim == 0:
            raise not_implemented_for(_ROUNDED.get(rounding_mode or "", _REDUCED[row]), dtype)
        if otherwise is not None:
            otherwise(a, b, rounding_mode)

    return check


def _by_mode(dtype: DType, refusing: Any) -> Any:
    """A quotient that is rounded is another kernel's."""

    def check(a: Any, b: Any, rounding_mode: str | None = None) -> None:
        if rounding_mode is not None:
            raise not_implemented_for(f"div_{rounding_mode}_cpu", dtype)
        refusing()

    return check


def _by_exponent(dtype: DType, filling: Any) -> Any:
    """A power is a copy, ones, or one of several kernels."""

    def check(a: Any, exponent: Any, *rest: Any) -> None:
        if exponent == 0:
            if filling is not None:
                filling()
        elif exponent != 1:
            own = _POWERS.get(exponent) if dtype is complex32 else None
            raise not_implemented_for(own or "pow", dtype)

    return check


def _unless_floats(refusing: Any) -> Any:
    """Wide unsigned integers are refused but beside floats, or where a dtype is asked for.

    Then it is another dtype's kernel. A single number often needs no kernel at all.
    """

    def check(*args: Any) -> None:
        arrays = [a for a in args if isinstance(a, np.ndarray)]
        floats = any(isinstance(a, float | DType) for a in args)
        floats = floats or any(a.dtype.kind == "f" for a in arrays)
        if not floats and arrays[0].ndim:
            refusing()

    return check


def _refusing(row: str, dtype: DType) -> Any:
    stub = _kernel_of(row, dtype)
    assert stub is not None
    return _refusing_with(stub, dtype)


def _refusing_with(stub: str, dtype: DType) -> Any:
    def refuse(*args: Any) -> Any:
        raise not_implemented_for(stub, dtype)

    return refuse
