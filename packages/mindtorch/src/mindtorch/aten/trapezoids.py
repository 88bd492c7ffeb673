"""Areas under sampled curves: ``trapezoid``, ``trapz``, ``cumulative_trapezoid``.

Source: torch aten/src/ATen/native/Integration.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.row import op
from ..core.dims import size_at, wrap_dim
from ..core.operators import of, ops

__all__: list[str] = []


def _ends(t: Any, d: int) -> tuple[Any, Any]:
    """All but the first and all but the last along *d*, taken in torch's order: the last first."""
    before = ops.slice(t, d, 0, -1)
    return ops.slice(t, d, 1), before


def _sums(y: Any, d: int) -> Any:
    after, before = _ends(y, d)
    return before + after


def _steps(name: str, y: Any, x: Any, dim: int) -> tuple[Any, Any, int]:
    """Sums of neighbours in *y*, distances of neighbours in *x*, and the wrapped dim."""
    d = wrap_dim(dim, y.dim())
    if x.dtype.name == "bool" or y.dtype.name == "bool":
        raise RuntimeError(
            f"{name}: received a bool input for `x` or `y`, but bool is not supported"
        )
    if x.dim() == 1:
        if x.size(0) != size_at(y, d):
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = x.view((*[1] * d, x.size(0), *[1] * (y.dim() - d - 1)))
    elif x.dim() < y.dim():
        x = x.view((*[1] * (y.dim() - x.dim()), *x.shape))
    after, before = _ends(x, d)
    distances = after - before
    return _sums(y, d), distances, d


def _check_dx(name: str, y: Any, dx: Any) -> None:
    if y.dtype.name == "bool":
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")
    if isinstance(dx, complex | bool):
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")


def _empty_sum(y: Any, d: int) -> Any:
    shape = tuple([n for i, n in enumerate(y.shape) if i != d])
    return ops.zeros(shape, dtype=y.dtype, layout=y.layout, device=y.device)


def _trapezoid_x(y: Any, x: Any, dim: int) -> Any:
    d = wrap_dim(dim, y.dim())
    if not size_at(y, d):
        return _empty_sum(y, d)
    sums, distances, d = _steps("trapezoid", y, x, dim)
    return of("div.Scalar")((sums * distances).sum(d), 2.0)


def _trapezoid_dx(y: Any, dx: Any, dim: int) -> Any:
    if not size_at(y, dim):
        return _empty_sum(y, wrap_dim(dim, y.dim()))
    _check_dx("trapezoid", y, dx)
    last = y.select(dim, -1)
    ends = of("mul.Scalar")(y.select(dim, 0) + last, 0.5)
    return of("mul.Scalar")(y.sum(dim) - ends, float(dx))


def _cumulative_x(y: Any, x: Any, dim: int) -> Any:
    sums, distances, d = _steps("cumulative_trapezoid", y, x, dim)
    return of("div.Scalar")((sums * distances).cumsum(d), 2.0)


def _cumulative_dx(y: Any, dx: Any, dim: int) -> Any:
    _check_dx("cumulative_trapezoid", y, dx)
    return of("mul.Scalar")(_sums(y, dim), dx / 2.0).cumsum(dim)


for _name, _dx, _by_x, _by_dx, _says in (
    (
        "trapezoid",
        "Scalar dx=1",
        _trapezoid_x,
        _trapezoid_dx,
        "Integrate by the trapezoid rule along a dimension.",
    ),
    (
        "trapz",
        "float dx=1",
        _trapezoid_x,
        _trapezoid_dx,
        "Integrate by the trapezoid rule along a dimension.",
    ),
    (
        "cumulative_trapezoid",
        "Scalar dx=1",
        _cumulative_x,
        _cumulative_dx,
        """Integrate by the trapezoid rule along a dimension, keeping the running sums.

        >>> torch.cumulative_trapezoid(torch.tensor([1., 2., 3.]))
        tensor([1.5000, 4.0000])
        """,
    ),
):
    op(
        f"{_name}.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
        says=_says,
        composite=_by_x,
        variants="function",
        samples="trapezoid_x",
    )
    op(
        f"{_name}.dx(Tensor y, *, {_dx}, int dim=-1) -> Tensor",
        composite=_by_dx,
        variants="function",
        samples="trapezoid_dx",
    )
