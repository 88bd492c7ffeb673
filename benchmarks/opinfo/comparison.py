"""Whether two results are equal: in structure, dtype, shape, numbers and strides.

Numbers are compared within the bounds of ``docs/exactness.md``. A sum of many terms that cancel is
compared relative to the largest number of the result, since its error is: so are solutions of
equations, transforms and gradients.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tests.contract.bounds import GRADIENT, NARROW, SUMS, bound
from tests.contract.rows import ROWS

from .translation import tensors

__all__ = ["Bound", "bound_of", "gradient_bound", "layouts", "numbers_differ"]

#: Relative and absolute bound, and whether the largest number of the result counts.
Bound = tuple[float, float, bool]

_PLAINLY = {"float32", "float64", "int64", "bool", "complex64", "complex128"}
_REAL = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}
#: Gradients of dtypes for which no bound is named: a few steps of the bound of sums.
_GRADIENTS = {
    "float64": GRADIENT,
    "float32": (1e-5, 1e-5),
    "float16": (4e-3, 4e-3),
    "bfloat16": (3e-2, 3e-2),
}


@cache
def _rows_of(base: str) -> tuple[Any, ...]:
    return tuple(row for row in ROWS.values() if row.base == base)


def bound_of(op: Any, dtype: str) -> Bound:
    """How far results of *dtype* may be off in *op*: by its rows, else as sums of many terms."""
    rows = _rows_of(op.aten_name)
    real = _REAL.get(dtype, dtype)
    if rows and all("pointwise" in row.tags or row.view is not None for row in rows):
        bounds = [bound(row, dtype) for row in rows]
        return max(b[0] for b in bounds), max(b[1] for b in bounds), False
    relative, absolute = SUMS.get(real, SUMS["float32"])
    for row in rows:
        relative, absolute = max((relative, absolute), bound(row, dtype))
    return relative, absolute, True


def gradient_bound(dtype: str) -> Bound:
    """How far gradients and tangents of *dtype* may be off."""
    return (*_GRADIENTS.get(_REAL.get(dtype, dtype), NARROW["float16"]), True)


def _numbers(tensor: Any) -> np.ndarray[Any, Any]:
    tensor = tensor.detach()
    name = str(tensor.dtype).removeprefix("torch.")
    if str(tensor.layout) != "torch.strided":
        tensor = tensor.to_dense()
    if tensor.is_conj() or tensor.is_neg():
        tensor = tensor.resolve_conj().resolve_neg()
    if name not in _PLAINLY and not name.startswith(("int", "uint")):
        tensor = tensor.cfloat() if name == "complex32" else tensor.float()
    return np.asarray(tensor.numpy(force=True))


def _kind(value: Any) -> str:
    """The name of the type, where numbers of one kind count as one."""
    return "Tensor" if hasattr(value, "stride") else type(value).__name__


def numbers_differ(got: Any, want: Any, within: Bound) -> str:
    """What differs between two results apart from strides; empty if nothing does."""
    if _kind(got) != _kind(want):
        return f"type {_kind(got)}, torch has {_kind(want)}"
    if hasattr(want, "stride"):
        return _tensors_differ(got, want, within)
    if isinstance(want, dict):
        want, got = list(want.items()), list(got.items())
    if isinstance(want, (list, tuple)):
        if len(got) != len(want):
            return f"{len(got)} results, torch has {len(want)}"
        pairs = zip(got, want, strict=True)
        return next((text for g, w in pairs if (text := numbers_differ(g, w, within))), "")
    if isinstance(want, (float, complex)):
        return _arrays_differ(np.asarray(got), np.asarray(want), within)
    if isinstance(want, (bool, int, str, type(None))):
        return "" if got == want else f"{got!r}, torch has {want!r}"
    return "" if repr(got) == repr(want) else f"{got!r}, torch has {want!r}"


def _tensors_differ(got: Any, want: Any, within: Bound) -> str:
    for what in ("dtype", "shape", "layout"):
        ours, theirs = (str(getattr(t, what)) for t in (got, want))
        if ours != theirs:
            return f"{what} {ours}, torch has {theirs}"
    if want.device.type == "meta":
        return "" if got.device.type == "meta" else f"on {got.device}, torch's is on meta"
    return _arrays_differ(_numbers(got), _numbers(want), within)


def _arrays_differ(got: np.ndarray[Any, Any], want: np.ndarray[Any, Any], within: Bound) -> str:
    relative, absolute, of_largest = within
    if want.dtype.kind not in "fc":
        return "" if np.array_equal(got, want) else f"{_shown(got)}, torch has {_shown(want)}"
    with np.errstate(all="ignore"):
        reach = np.abs(want)
        if of_largest:
            reach = np.maximum(reach, np.max(reach[np.isfinite(reach)], initial=0.0))
        near = np.abs(got - want) <= relative * reach + absolute
        good = near | (got == want) | (np.isnan(got) & np.isnan(want))
        if good.all():
            return ""
        off = np.nanmax(np.where(good, 0, np.abs(got - want)), initial=0.0)
    return f"off by {off:.2g}: {_shown(got[~good])}, torch has {_shown(want[~good])}"


def _shown(array: np.ndarray[Any, Any]) -> str:
    return str(array.reshape(-1)[:3])


def layouts(framework: Any, result: Any) -> list[tuple[int, ...]]:
    """The strides of every tensor of a result."""
    found = tensors(framework, result)
    return [tuple(t.stride()) for t in found if str(t.layout) == "torch.strided"]
