"""How variables vary together: ``cov``, ``corrcoef``.

Source: torch aten/src/ATen/native/Correlation.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.row import op
from ..core.errors import scalar_type
from ..core.operators import of, ops
from ..core.warning import warn
from .reflected import holds

__all__: list[str] = []


def _check_dim(name: str, self: Any) -> None:
    if self.dim() > 2:
        raise RuntimeError(
            f"{name}(): expected input to have two or fewer dimensions but got an input with "
            f"{self.dim()} dimensions"
        )


def _check_weights(name: str, w: Any, count: int, kind: str, fits: bool) -> None:
    if w.dim() > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
            f"{w.dim()} dimensions"
        )
    if not fits:
        raise RuntimeError(
            f"cov(): expected {name} to have {kind} dtype but got {name} with "
            f"{scalar_type(w.dtype)} dtype"
        )
    if w.numel() != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the "
            f"input but got {w.numel()} != {count}"
        )
    if count and not holds(w.min().ge(0)):
        raise RuntimeError(f"cov(): {name} cannot be negative")


def _whole(number: int, x: Any) -> Any:
    """A number as a tensor, as torch has it, so that the division promotes alike."""
    return ops.scalar_tensor(number, dtype=ops.int64, layout=x.layout, device=x.device)


def _cov(self: Any, correction: int, fweights: Any, aweights: Any) -> Any:
    _check_dim("cov", self)
    if self.dtype.name == "bool":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = self if self.dim() == 2 else self.view(1, -1)
    count = x.size(1)
    w = None
    if fweights is not None:
        dtype = fweights.dtype
        integral = not (dtype.is_floating_point or dtype.is_complex or dtype.name == "bool")
        _check_weights("fweights", fweights, count, "integral", integral)
        w = fweights
    if aweights is not None:
        floating = aweights.dtype.is_floating_point
        _check_weights("aweights", aweights, count, "floating point", floating)
        w = aweights if w is None else w * aweights
    if w is None:
        total = _whole(count, x)
        mean = x.sum(1) / total
        norm = _whole(count - correction, x)
    else:
        total = w.sum()
        if not holds(total.ne(0)):
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        mean = (x * w).sum(1) / total
        if aweights is None or not correction:
            norm = of("sub.Scalar")(total, correction) if correction else total
        else:
            norm = total - of("mul.Scalar")((w * aweights).sum(), correction) / total
    if holds(norm.le(0)):
        warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number "
            "of observations."
        )
        norm = ops.zeros_like(norm)
    x = x - mean.unsqueeze(1)
    product = ops.mm(x, (x if w is None else x * w).t().conj())
    return ops.true_divide(product, norm).squeeze()


def _corrcoef(self: Any) -> Any:
    _check_dim("corrcoef", self)
    c = ops.cov(self)
    if not c.dim():
        return c / c  # a variable with itself, unless it does not vary
    d = c.diagonal()
    deviation = (d.real if d.is_complex() else d).sqrt()
    c = c / deviation.view(-1, 1)
    c = c / deviation.view(1, -1)
    if c.is_complex():  # rounding may have gone beyond one
        return ops.complex(c.real.clip(-1, 1), c.imag.clip(-1, 1))
    return c.clip(-1, 1)


op(
    "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
    says="""Return the covariance matrix of variables, which are the rows.
    Columns are observations.

    >>> torch.cov(torch.tensor([[1., 2., 3.], [3., 2., 1.]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """,
    composite=_cov,
    samples="cov",
)
op(
    "corrcoef(Tensor self) -> Tensor",
    says="Return the matrix of correlations between variables, which are the rows.",
    composite=_corrcoef,
    samples="corrcoef",
)
