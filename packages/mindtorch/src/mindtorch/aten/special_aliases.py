"""Functions of ``torch.special`` that are other ops under their names in the literature."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mindtorch_storage import can_cast

from ..call.row import Out, op
from ..core.errors import cannot_cast
from ..core.operators import of, onto, ops
from ..tensor.resizing import resize_out

__all__: list[str] = []

#: The op that each is, and what it does.
_ALIASES = (
    ("digamma", "digamma", "Return the logarithmic derivative of the gamma function."),
    ("erf", "erf", "Return the error function of each element."),
    ("erfc", "erfc", "Return one minus the error function of each element."),
    ("erfinv", "erfinv", "Return the inverse of the error function for each element."),
    ("exp2", "exp2", "Return two to the power of each element."),
    ("expit", "sigmoid", "Return the logistic function 1 / (1 + exp(-x)) of each element."),
    ("expm1", "expm1", "Return exp(x) - 1 of each element, accurate near zero."),
    ("gammaln", "lgamma", "Return the logarithm of the absolute value of the gamma function."),
    ("i0", "i0", "Return the modified Bessel function of the first kind of order 0."),
    ("log1p", "log1p", "Return log(1 + x) of each element, accurate near zero."),
    ("psi", "digamma", "Return the logarithmic derivative of the gamma function."),
    ("sinc", "sinc", "Return sin(pi x) / (pi x) of each element, one at zero."),
)


def _alias(
    schema: str,
    function: Callable[..., Any],
    samples: str,
    out: bool | str = True,
    *,
    says: str = "",
) -> None:
    op(
        schema,
        says=says,
        composite=lambda *args: function(*args),
        out=out,
        out_kernel=onto(function) if out else None,
        module="special",
        variants="function",
        samples=samples,
    )


def _late(name: str) -> Callable[..., Any]:
    """The function *name*, looked up when it is called: its row may not have been imported."""
    return lambda *args, **kwargs: getattr(ops, name)(*args, **kwargs)


for _name, _of, _says in _ALIASES:
    _alias(f"special_{_name}(Tensor self) -> Tensor", _late(_of), "unary_special", says=_says)
for _name, _of, _says in (
    ("gammainc", "igamma", "Return the regularised lower incomplete gamma function."),
    ("gammaincc", "igammac", "Return the regularised upper incomplete gamma function."),
):
    _alias(
        f"special_{_name}(Tensor self, Tensor other) -> Tensor",
        _late(_of),
        "incomplete_gamma",
        says=_says,
    )
_alias(
    "special_polygamma(int n, Tensor self) -> Tensor",
    _late("polygamma"),
    "polygamma",
    says="Return the n-th derivative of the digamma function.",
)
_alias(
    "special_multigammaln(Tensor self, int p) -> Tensor",
    _late("mvlgamma"),
    "mvlgamma",
    says="Return the logarithm of the multivariate gamma function of dimension p.",
)
_alias(
    "special_logit(Tensor self, float? eps=None) -> Tensor",
    _late("logit"),
    "logit",
    says="Return log(x / (1 - x)) of each element, which eps keeps away from 0 and 1.",
)
for _name, _first, _second, _samples in (
    ("", "Tensor", "Tensor", "binary_positive"),
    (".self_scalar", "Scalar", "Tensor", "number_binary"),
    (".other_scalar", "Tensor", "Scalar", "binary_number"),
):
    _alias(
        f"special_xlogy{_name}({_first} self, {_second} other) -> Tensor",
        _late("xlogy"),
        _samples,
        f"{_name[1:]}_out" if _name else True,
        says="Return x * log(y), zero where x is zero.",
    )
op(
    "special_round(Tensor self, *, int decimals=0) -> Tensor",
    says="Round each element to the nearest number with the given decimals, halves to even.",
    composite=lambda self, decimals: ops.round(self, decimals=decimals),
    out=True,
    out_kernel=lambda target, self, decimals: ops.round(self, decimals=decimals, out=target),
    module="special",
    variants="function",
    samples="round_decimals",
)
op(
    "special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    says="Return the logarithm of the sum of exponentials over dimensions, without overflow.",
    composite=lambda self, dim, keepdim: ops.logsumexp(self, dim, keepdim),
    out=True,
    out_kernel=onto(_late("logsumexp")),
    module="special",
    variants="function",
    samples="logsumexp",
)
op(
    "special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    says="Return exponentials along a dimension, scaled so that they sum up to one.",
    composite=lambda self, dim, dtype: ops.softmax(self, dim, dtype),
    module="special",
    variants="function",
    samples="softmax",
)
op(
    "special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    says="Return the logarithm of softmax along a dimension, computed without overflow.",
    composite=lambda self, dim, dtype: ops.log_softmax(self, dim, dtype=dtype),
    module="special",
    variants="function",
    samples="special_log_softmax",
)


def _ndtr(self: Any) -> Any:
    shifted = of("add.Scalar")(ops.erf(of("mul.Scalar")(self, math.sqrt(0.5))), 1, 1)
    return of("mul.Scalar")(shifted, 0.5)


def _ndtr_onto(target: Any, self: Any) -> None:
    """Copied: torch refuses with the texts of that, but for these."""
    if target.device != self.device:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{self.device} and {target.device}!"
        )
    found = _ndtr(self)
    if not can_cast(found.dtype, target.dtype):
        raise cannot_cast(found.dtype, target.dtype)
    resize_out(target, Out(tuple(found.shape), found.dtype))
    target.copy_(found)


op(
    "special_ndtr(Tensor self) -> Tensor",
    says="Return the normal distribution function: the area under the bell curve below x.",
    composite=_ndtr,
    out=True,
    out_kernel=_ndtr_onto,
    module="special",
    variants="function",
    samples="unary_special",
)
