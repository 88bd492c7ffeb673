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

#: The op that each is.
_ALIASES = {
    "digamma": "digamma",
    "erf": "erf",
    "erfc": "erfc",
    "erfinv": "erfinv",
    "exp2": "exp2",
    "expit": "sigmoid",
    "expm1": "expm1",
    "gammaln": "lgamma",
    "i0": "i0",
    "log1p": "log1p",
    "psi": "digamma",
    "sinc": "sinc",
}


def _alias(schema: str, function: Callable[..., Any], samples: str, out: bool | str = True) -> None:
    op(
        schema,
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


for _name, _of in _ALIASES.items():
    _alias(f"special_{_name}(Tensor self) -> Tensor", _late(_of), "unary_special")
for _name, _of in (("gammainc", "igamma"), ("gammaincc", "igammac")):
    _alias(f"special_{_name}(Tensor self, Tensor other) -> Tensor", _late(_of), "incomplete_gamma")
_alias(
    "special_polygamma(int n, Tensor self) -> Tensor",
    _late("polygamma"),
    "polygamma",
)
_alias(
    "special_multigammaln(Tensor self, int p) -> Tensor",
    _late("mvlgamma"),
    "mvlgamma",
)
_alias("special_logit(Tensor self, float? eps=None) -> Tensor", _late("logit"), "logit")
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
    )
op(
    "special_round(Tensor self, *, int decimals=0) -> Tensor",
    composite=lambda self, decimals: ops.round(self, decimals=decimals),
    out=True,
    out_kernel=lambda target, self, decimals: ops.round(self, decimals=decimals, out=target),
    module="special",
    variants="function",
    samples="round_decimals",
)
op(
    "special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    composite=lambda self, dim, keepdim: ops.logsumexp(self, dim, keepdim),
    out=True,
    out_kernel=onto(_late("logsumexp")),
    module="special",
    variants="function",
    samples="logsumexp",
)
op(
    "special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    composite=lambda self, dim, dtype: ops.softmax(self, dim, dtype),
    module="special",
    variants="function",
    samples="softmax",
)
op(
    "special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
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
    composite=_ndtr,
    out=True,
    out_kernel=_ndtr_onto,
    module="special",
    variants="function",
    samples="unary_special",
)
