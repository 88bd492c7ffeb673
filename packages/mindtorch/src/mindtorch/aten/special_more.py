"""Rare functions of ``torch.special``, most of which scipy computes, in float64.

scipy is imported when one of them is first called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..call.elementwise_meta import COMPLEX, elementwise
from ..call.forms import OutForm, Tangent
from ..call.row import op
from ..core.operators import of, ops
from .derivatives import no_formula_for
from .special import from_scipy, growing, loaded, prepare_zeta, with_number

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_NO_SINGLES: Final = COMPLEX | frozenset({"float16", "bfloat16"})


def _prepare_airy_ai(x: Array) -> Callable[[Array], Array]:
    """The first of scipy's four results; what it is far from zero, where scipy gives none."""
    airy, eighth = loaded("airy"), math.pi / 4

    def kernel(x: Array) -> Array:
        out = airy(x)[0]
        missing = np.isnan(out) & np.isfinite(x)
        if not missing.any():
            return out
        far = np.absolute(x.astype(np.float64))
        wave = np.sin(far * np.sqrt(far) / 1.5 + eighth) / np.sqrt(np.pi * np.sqrt(far))
        return np.where(missing, np.where(x > 0, 0, wave), out).astype(x.dtype)

    return kernel


def _prepare_spherical_j0(x: Array) -> Callable[[Array], Array]:
    """The sine over its angle; one at zero, and zero at infinity."""
    info = np.finfo(x.dtype)
    least, most, zero = (np.array(n, x.dtype) for n in (info.tiny, info.max, 0))
    sin, absolute, larger, smaller = np.sin, np.absolute, np.maximum, np.minimum

    def kernel(x: Array) -> Array:
        size = larger(absolute(x), least)
        wave = sin(smaller(size, most))
        wave /= size
        wave += zero  # which may be minus zero
        return wave

    return kernel


def _unary(
    name: str,
    prepare: Callable[[Array], Callable[[Array], Array]],
    grad: Callable[[Any, Any], Any] | None = None,
    argument: str = "self",
    lacks: frozenset[str] = _NO_SINGLES,
    samples: str = "unary_special",
    says: str = "",
    tags: tuple[str, ...] = (),
    **facts: Any,
) -> None:
    op(
        f"special_{name}(Tensor {argument}) -> Tensor",
        says=says,
        meta=elementwise("float", 1, cpu={f"{name}_cpu": lacks}),
        prepare=prepare,
        promote="float",
        grad=None if grad is None else {argument: grad},
        out=True,
        module="special",
        variants="function",
        samples=samples,
        tags=("pointwise", *tags),
        **facts,
    )


for _name, _prepare, _argument, _says in (
    ("airy_ai", _prepare_airy_ai, "x", "Return the Airy function Ai."),
    (
        "bessel_j0",
        from_scipy("j0"),
        "self",
        "Return the Bessel function of the first kind of order 0.",
    ),
    (
        "bessel_j1",
        from_scipy("j1"),
        "self",
        "Return the Bessel function of the first kind of order 1.",
    ),
    (
        "bessel_y0",
        from_scipy("y0"),
        "self",
        "Return the Bessel function of the second kind of order 0.",
    ),
    (
        "bessel_y1",
        from_scipy("y1"),
        "self",
        "Return the Bessel function of the second kind of order 1.",
    ),
    (
        "modified_bessel_i0",
        growing("i0"),
        "self",
        "Return the modified Bessel function of the first kind of order 0.",
    ),
    (
        "modified_bessel_i1",
        growing("i1"),
        "self",
        "Return the modified Bessel function of the first kind of order 1.",
    ),
    (
        "modified_bessel_k0",
        from_scipy("k0"),
        "self",
        "Return the modified Bessel function of the second kind of order 0.",
    ),
    (
        "modified_bessel_k1",
        from_scipy("k1"),
        "self",
        "Return the modified Bessel function of the second kind of order 1.",
    ),
    (
        "scaled_modified_bessel_k0",
        from_scipy("k0e"),
        "x",
        "Return the modified Bessel function of the second kind of order 0, times exp(x).",
    ),
    (
        "scaled_modified_bessel_k1",
        from_scipy("k1e"),
        "x",
        "Return the modified Bessel function of the second kind of order 1, times exp(x).",
    ),
    (
        "spherical_bessel_j0",
        _prepare_spherical_j0,
        "x",
        "Return the spherical Bessel function of the first kind of order 0.",
    ),
):
    _tags = ("loops: functional",) if _name == "airy_ai" else ()
    _unary(_name, _prepare, argument=_argument, says=_says, tags=_tags)


_unary(
    "entr",
    from_scipy("entr"),
    lambda g, c: g * (-(1 + c.self.log())),
    lacks=COMPLEX,
    says="Return -x * log(x), zero at zero, minus infinity below it.",
    scalar="self if isnan(self) else -self * log(self) if self > 0 else 0 if self == 0 else -inf",
)
_unary(
    "erfcx",
    from_scipy("erfcx"),
    lambda g, c: (2.0 * c.self * c.result - 2.0 / math.sqrt(math.pi)) * g,
    says="Return exp(x ** 2) * erfc(x), accurate for large elements.",
)
# Formulas run their ops in the order in which torch's do: the last factor comes first.


def _ndtri_slope(g: Any, c: Any) -> Any:
    inverse = (c.result.square() / 2).exp()
    return g * math.sqrt(2 * math.pi) * inverse


def _log_ndtr_slope(g: Any, c: Any) -> Any:
    """The density over the distribution function, in logarithms."""
    quotient = (c.result + c.self.pow(2) / 2).neg().exp()
    return g / math.sqrt(2 * math.pi) * quotient


_unary(
    "ndtri",
    from_scipy("ndtri"),
    _ndtri_slope,
    says="Return the inverse of the normal distribution function.",
)
_unary(
    "log_ndtr",
    from_scipy("log_ndtr"),
    _log_ndtr_slope,
    samples="unary",
    says="Return the logarithm of the normal distribution function.",
    tags=("loops: functional",),
)


def _two(
    name: str,
    prepare: Callable[[Array, Array], Callable[[Array, Array], Array]],
    lacks: frozenset[str],
    grads: Callable[[str], dict[str, Any]],
    says: str,
    tangent: Tangent = None,
    scalar: str = "",
) -> None:
    """The rows of a function of two tensors, of which one may be a number."""
    meta = elementwise("float", 2, cpu={f"{name}_cpu": lacks})
    for overload, first, second, samples in (
        ("", "Tensor", "Tensor", "binary_positive"),
        (".self_scalar", "Scalar", "Tensor", "number_binary"),
        (".other_scalar", "Tensor", "Scalar", "binary_number"),
    ):
        number = {".self_scalar": "self", ".other_scalar": "other"}.get(overload)
        grad = {k: v for k, v in grads(f"special_{name}{overload}").items() if k != number}
        op(
            f"special_{name}{overload}({first} self, {second} other) -> Tensor",
            says=says,
            meta=meta,
            prepare=with_number(prepare) if overload else prepare,
            promote=None if overload else "float",
            scalar=scalar,
            grad=grad or None,
            tangent=tangent,
            node={".self_scalar": 1, ".other_scalar": 2}.get(overload, 0),
            out=OutForm(f"{overload[1:]}_out", dtype="cast") if overload else True,
            module="special",
            variants="function",
            samples=samples,
            tags=("pointwise",),
        )


def _xlog1py_by_self(g: Any, c: Any) -> Any:
    if not isinstance(c.other, (int, float)):
        found = ops.special_xlog1py(g, c.other)
        low = c.other <= -1.0
        return found.masked_fill((c.self == 0.0) & low, 0.0)
    found = of("special_xlog1py.other_scalar")(g, c.other)
    return found if c.other > -1.0 else found.masked_fill(c.self == 0.0, 0.0)


def _xlog1py_by_other(g: Any, c: Any) -> Any:
    more = c.other + 1
    return g * c.self / more


def _zeta_by_other(g: Any, c: Any) -> Any:
    next_zeta = ops.special_zeta(c.self + 1.0, c.other)
    return g * -c.self * next_zeta


_two(
    "xlog1py",
    from_scipy("xlog1py"),
    COMPLEX,
    lambda name: {"self": _xlog1py_by_self, "other": _xlog1py_by_other},
    scalar="nan if isnan(other) else 0 if self == 0 else self * log1p(other)",
    says="""Return x * log1p(y), zero where x is zero.

    >>> torch.special.xlog1py(torch.tensor([0., 2.]), torch.tensor([-1., 0.]))
    tensor([0., 0.])
    """,
)
_two(
    "zeta",
    prepare_zeta,
    _NO_SINGLES,
    lambda name: {
        **no_formula_for("zeta", "self"),
        "other": _zeta_by_other,
    },
    says="Return the Hurwitz zeta function.",
    tangent="not implemented",
)
