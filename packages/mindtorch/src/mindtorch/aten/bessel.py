"""Modified Bessel functions of the first kind: ``i0``; ``i0e``, ``i1``, ``i1e`` of its slopes."""

from __future__ import annotations

from typing import Any

from ..call.elementwise_meta import COMPLEX
from ..core.errors import not_implemented_for
from ..core.operators import of, ops
from .special import from_scipy, growing
from .unary import unary

__all__: list[str] = []

_HALF = frozenset({"float16", "bfloat16"})


def _safe(self: Any, name: str) -> tuple[Any, Any]:
    """Where ``self`` is not tiny, and itself with the least number in place of what is."""
    if self.dtype.name in _HALF:  # on meta, too
        raise not_implemented_for(f"{name}_backward", self.dtype)
    least = ops.finfo(self.dtype).eps
    large = self.abs() > least
    return large, ops.where(large, self, least)


def _i1_slope(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, i1_backward."""
    large, x = _safe(c.self, "i1")
    part = c.result * x.reciprocal()
    return g * of("where.ScalarOther")(large, ops.i0(x) - part, 0.5)


def _i1e_slope(g: Any, c: Any) -> Any:
    """Source: torch csrc/autograd/FunctionsManual.cpp, i1e_backward."""
    large, x = _safe(c.self, "i1e")
    inverse = x.reciprocal()
    part = c.result * (x.sgn() + inverse)
    return g * of("where.ScalarOther")(large, of("special_i0e")(x) - part, 0.5)


def _i0e_slope(g: Any, c: Any) -> Any:
    part = c.self.sgn() * c.result
    return g * (of("special_i1e")(c.self) - part)


for _name, _prepare, _slope, _says in (
    (
        "i0e",
        from_scipy("i0e"),
        _i0e_slope,
        "Return the modified Bessel function of the first kind of order 0, times exp(-|x|).",
    ),
    (
        "i1",
        growing("i1"),
        _i1_slope,
        "Return the modified Bessel function of the first kind of order 1.",
    ),
    (
        "i1e",
        from_scipy("i1e"),
        _i1e_slope,
        "Return the modified Bessel function of the first kind of order 1, times exp(-|x|).",
    ),
):
    unary(
        f"special_{_name}",
        None,
        _slope,
        prepare=_prepare,
        lacks=COMPLEX,
        cpu=f"{_name}_cpu",
        samples="unary_bessel",
        inplace=False,
        variants="function",
        module="special",
        says=_says,
    )

unary(
    "i0",
    None,
    lambda g, c: g * of("special_i1")(c.self),
    prepare=growing("i0"),
    lacks=COMPLEX,
    cpu="i0_vml_cpu",
    samples="unary_bessel",
    says="Return the modified Bessel function of the first kind of order 0.",
)
