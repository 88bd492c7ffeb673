"""``quantile`` and ``nanquantile``: values below which given shares of the numbers lie.

Source: torch aten/src/ATen/native/Sorting.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.operators import of, ops, to_type
from ..tensor.resizing import resize_out
from .reflected import watched

__all__: list[str] = []

_MODES = ("linear", "lower", "higher", "midpoint", "nearest")


def _check(self: Any, q: Any, mode: str) -> None:
    if mode not in _MODES:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {mode}"
        )
    if not self.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    if q.dim() > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if self.dtype.name not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if self.dtype is not q.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if self.device != q.device:
        raise RuntimeError("quantile() q tensor must be on the same device as the input tensor")


def _sorted(self: Any, dim: int | None, last: bool) -> Any:
    """The numbers in order, those that a quantile is of along the last dimension."""
    if dim is None:
        return self.flatten().sort()[0]
    if last:
        return self.sort()[0]
    return self.unsqueeze(-1).transpose(dim, -1).sort()[0]


def _ranks(q: Any, numbers: Any, passes_nan: bool) -> Any:
    """The places of the quantiles among sorted numbers, with fractions."""
    if passes_nan:
        known = numbers.isnan().logical_not_().sum(-1, True)
        ranks = q * of("sub.Scalar")(known, 1)
        return ranks.masked_fill_(ranks < 0, 0)
    last = numbers.size(-1) - 1  # where sorting puts NaN, which is the answer if there is one
    ranks = of("mul.Scalar")(q, last)
    rank, missing = ops.broadcast_tensors((ranks, numbers.isnan().any(-1, True)))
    return rank.masked_fill(missing, last)


def _quantile(passes_nan: bool) -> Any:
    def compute(
        self: Any, q: Any, dim: int | None, keepdim: bool, mode: str, known: bool = False
    ) -> Any:
        """*known*: whether *q* was checked as a number already."""
        _check(self, q, mode)
        d = wrap_dim(0 if dim is None else dim, self.dim())
        if dim is None:
            reduced = [1] * self.dim() if keepdim else []
        elif self.dim():
            kept = [1] if keepdim else []
            reduced = [*self.shape[:d], *kept, *self.shape[d + 1 :]]
        else:
            reduced = []
        if not known and self.device.type == "cpu" and not watched(q):
            shares = q.tolist()
            if not all(0 <= share <= 1 for share in (shares if q.dim() else [shares])):
                raise RuntimeError("quantile() q values must be in the range [0, 1]")
        numbers = _sorted(self, None if dim is None else d, dim is not None and d == self.dim() - 1)
        if numbers.dim() == 0:
            numbers = numbers.unsqueeze(0)
        numbers = numbers.view(*reduced, numbers.size(-1))
        if numbers.size(-1) > 1 << 24:
            raise RuntimeError("quantile() input tensor is too large")
        ranks = _ranks(q, numbers, passes_nan)
        rounding = {"lower": "floor_", "higher": "ceil_", "nearest": "round_"}.get(mode)
        if rounding is not None:
            getattr(ranks, rounding)()
        below = to_type(ranks, ops.int64)
        values = numbers.gather(-1, below)
        if rounding is None:
            middle = mode == "midpoint"
            weights = ops.full_like(ranks, 0.5) if middle else ranks - below
            above = to_type(ranks.ceil_(), ops.int64)
            values = values.lerp_(numbers.gather(-1, above), weights)
        if q.dim():
            return values.unsqueeze_(0).transpose_(0, -1).squeeze_(-1)
        return values.squeeze_(-1)

    return compute


def _of_number(compute: Any) -> Any:
    def call(self: Any, q: float, dim: int | None, keepdim: bool, interpolation: str) -> Any:
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        share = ops.scalar_tensor(q, dtype=self.dtype, layout=self.layout, device=self.device)
        return compute(self, share, dim, keepdim, interpolation, True)

    return call


def _onto(compute: Any) -> Any:
    def write(target: Any, *args: Any) -> None:
        self = args[0]
        if target.dtype is not self.dtype:
            raise RuntimeError("quantile() out tensor must be same dtype as the input tensor")
        if target.device != self.device:
            raise RuntimeError(
                "quantile() out tensor must be on the same device as the input tensor"
            )
        result = compute(*args)
        resize_out(target, Out(tuple(result.shape), result.dtype))
        target.copy_(result)

    return write


for _name, _passes, _what in (
    ("quantile", False, "elements"),
    ("nanquantile", True, "elements that are not NaN"),
):
    _compute = _quantile(_passes)
    for _overload, _q, _call in (
        ("", "Tensor q", _compute),
        (".scalar", "float q", _of_number(_compute)),
    ):
        op(
            f"{_name}{_overload}(Tensor self, {_q}, int? dim=None, bool keepdim=False, *, "
            'str interpolation="linear") -> Tensor',
            says=f"Return the q-th quantiles of the {_what}, of all or along a dimension.",
            composite=_call,
            out="scalar_out" if _overload else True,
            out_kernel=_onto(_call),
            autocast=("float32", ""),
            samples="quantile_number" if _overload else "quantile",
            tags=("loops: functional",),
        )
