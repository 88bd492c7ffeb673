"""``__and__`` and its kin: what ``torch.ops`` calls the operators that work on bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.elementwise_meta import elementwise
from ..call.forms import OutForm
from ..call.row import op
from ..core.operators import ops
from .comparison import SHIFT_LACKS
from .pointwise import with_number

__all__: list[str] = []


def _function(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: getattr(ops, name)(self, other)


def _method(name: str) -> Callable[[Any, Any], Any]:
    return lambda self, other: getattr(self, name)(other)


for _name, _base, _what in (
    ("and", "bitwise_and", "the bits that are set in both"),
    ("or", "bitwise_or", "the bits that are set in either"),
    ("xor", "bitwise_xor", "the bits in which two integers differ"),
):
    for _overload, _samples in (("Tensor", "bitwise"), ("Scalar", "bitwise_number")):
        op(
            f"__{_name}__.{_overload}(Tensor self, {_overload} other) -> Tensor",
            says=f"Return {_what}, as {_base} does.",
            composite=_function(_base),
            variants="",
            samples=_samples,
        )
        op(
            f"__i{_name}__.{_overload}(Tensor(a!) self, {_overload} other) -> Tensor(a!)",
            says=f"Put {_what} in place, as {_base}_ does.",
            composite=_method(f"{_base}_"),
            variants="",
            samples=f"integer_{_samples}",
        )

for _name, _base, _ufunc in (
    ("lshift", "bitwise_left_shift", np.left_shift),
    ("rshift", "bitwise_right_shift", np.right_shift),
):
    _meta = elementwise("common", 2, cpu={f"{_name}_cpu": SHIFT_LACKS})
    for _overload, _samples in (("Tensor", "bitwise"), ("Scalar", "bitwise_number")):
        op(
            f"__{_name}__.{_overload}(Tensor self, {_overload} other) -> Tensor",
            says=f"Shift the bits of each integer, as {_base} does.",
            meta=_meta,
            ufunc=_ufunc if _overload == "Tensor" else None,
            prepare=None if _overload == "Tensor" else with_number(_ufunc),
            promote="common" if _overload == "Tensor" else None,
            variants="",
            out=OutForm(f"{_overload}_out", function=False, meta="native"),
            tangent="refused",
            samples=_samples,
            tags=("pointwise",),
        )
        op(
            f"__i{_name}__.{_overload}(Tensor(a!) self, {_overload} other) -> Tensor(a!)",
            says=f"Shift the bits of each integer in place, as {_base}_ does.",
            composite=_method(f"{_base}_"),
            kinds={"inplace": "tensors"},
            variants="",
            tangent="refused",
            samples=f"integer_{_samples}",
            tags=("counts_its_change",),
        )
