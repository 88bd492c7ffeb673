"""``gradient``: slopes of sampled functions by second-order differences.

Source: torch aten/src/ATen/native/ReduceOps.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..call.row import op
from ..core.dims import unique_dims, wrap_dim
from ..core.operators import of, ops

__all__: list[str] = []


def _check(self: Any, count: int | None, dim: Sequence[int] | None, edge_order: int) -> None:
    """*count* is how many spacings there are, None where one is meant for all dimensions."""
    if self.dtype.name == "uint8":
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if count is not None and dim is None and count != self.dim():
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
            f"equal to 'self.dim() = {self.dim()}', since dim argument was not given, but got a "
            f"list of length {count}"
        )
    if count is not None and dim is not None and count != len(dim):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim "
            f"arguments to have the same length, but got a spacing argument of length {count} and "
            f"a dim argument of length {len(dim)}."
        )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if dim is not None:
        unique_dims(dim, self.dim())
    for d in range(self.dim()) if dim is None else dim:
        if self.size(d) < edge_order + 1:
            raise RuntimeError(
                "torch.gradient expected each dimension size to be at least edge_order+1"
            )


def _even(self: Any, h: Any, d: int, edge_order: int) -> Any:
    """The slope along *d*, where neighbours lie *h* apart."""
    by = of("div.Scalar")

    def part(start: int, end: int | None, scale: float | None = None) -> Any:
        taken = ops.slice(self, d, start, end)
        return taken if scale is None else of("mul.Scalar")(taken, scale)

    def rise(end: tuple[int, int | None], start: tuple[int, int]) -> Any:
        """What torch takes first is where the rise starts."""
        low = part(*start)
        return by(part(*end) - low, h)

    inner = rise((2, None), (0, -2))
    if edge_order == 1:
        first = rise((1, 2), (0, 1))
        last = rise((-1, None), (-2, -1))
    else:
        third, second = part(2, 3, 0.5), part(1, 2, 2)
        first = by(part(0, 1, -1.5) + second - third, h)
        third, second = part(-1, None, 1.5), part(-2, -1, 2)
        last = by(part(-3, -2, 0.5) - second + third, h)
    return ops.cat((first, by(inner, 2), last), d)


def _both(h: Any, near: int, far: int, scale: float | None = None) -> Any:
    """The sum of two distances, the near one scaled. torch takes the second first."""
    second = h.select(0, far)
    first = h.select(0, near)
    return (first if scale is None else of("mul.Scalar")(first, scale)) + second


def _times_both(h: Any, place: int, near: int, far: int) -> Any:
    both = _both(h, near, far)
    return h.select(0, place) * both


def _product(h: Any, near: int, far: int) -> Any:
    second = h.select(0, far)
    return h.select(0, near) * second


def _uneven(self: Any, places: Any, d: int, edge_order: int) -> Any:
    """The slope along *d*, where the numbers were sampled at *places*."""
    h = ops.diff(places, 1, 0)
    shape = tuple([-1 if i == d else 1 for i in range(self.dim())])
    left, right = ops.slice(h, 0, 0, -1), ops.slice(h, 0, 1)
    below = left * (left + right)  # torch takes denominators first
    a = (-right / below).view(shape)
    below = left * right
    b = ((right - left) / below).view(shape)
    below = right * (left + right)
    c = (left / below).view(shape)

    def weighed(weights: Sequence[Any], parts: Sequence[tuple[int, int | None]]) -> Any:
        third, second, first = [
            w * ops.slice(self, d, *part)
            for w, part in zip(reversed(weights), reversed(parts), strict=True)
        ]
        return first + second + third

    inner = weighed((a, b, c), ((0, -2), (1, -1), (2, None)))
    if edge_order == 1:
        step, low = h.select(0, 0), ops.slice(self, d, 0, 1)
        first = (ops.slice(self, d, 1, 2) - low) / step
        step, low = h.select(0, -1), ops.slice(self, d, -2, -1)
        last = (ops.slice(self, d, -1) - low) / step
        return ops.cat((first, inner, last), d)
    below = _times_both(h, 0, 0, 1)
    a = -_both(h, 0, 1, 2.0) / below
    below = _product(h, 0, 1)
    b = _both(h, 0, 1) / below
    below = _times_both(h, 1, 0, 1)
    c = -h.select(0, 0) / below
    first = weighed((a, b, c), ((0, 1), (1, 2), (2, 3)))
    below = _times_both(h, -2, -1, -2)
    a = h.select(0, -1) / below
    below = _product(h, -1, -2)
    b = -_both(h, -1, -2) / below
    below = _times_both(h, -1, -1, -2)
    c = _both(h, -1, -2, 2) / below
    last = weighed((a, b, c), ((-3, -2), (-2, -1), (-1, None)))
    return ops.cat((first, inner, last), d)


def _even_slopes(self: Any, spacing: Sequence[Any], dim: Any, edge_order: int) -> tuple[Any, ...]:
    dims = range(self.dim()) if dim is None else dim
    pairs = zip(spacing, dims, strict=True)
    return tuple([_even(self, h, wrap_dim(d, self.dim()), edge_order) for h, d in pairs])


def _one_spacing(self: Any, spacing: Any, dim: Any, edge_order: int) -> tuple[Any, ...]:
    dims = None if dim is None else [dim] if isinstance(dim, int) else dim
    _check(self, None, dims, edge_order)
    count = self.dim() if dims is None else len(dims)
    h = 1.0 if spacing is None else spacing
    return _even_slopes(self, [h] * count, dims, edge_order)


def _spacings(self: Any, spacing: Sequence[Any], dim: Any, edge_order: int) -> tuple[Any, ...]:
    dims = [dim] if isinstance(dim, int) else dim
    _check(self, len(spacing), dims, edge_order)
    return _even_slopes(self, spacing, dims, edge_order)


def _places(self: Any, spacing: Sequence[Any], dim: Any, edge_order: int) -> tuple[Any, ...]:
    dims = [dim] if isinstance(dim, int) else dim
    _check(self, len(spacing), dims, edge_order)
    slopes = []
    for places, d in zip(spacing, range(self.dim()) if dims is None else dims, strict=True):
        if places.dim() != 1:
            raise RuntimeError(
                "torch.gradient expected each element of spacing to have one dimension, but got "
                f"an element with {places.dim()} dimensions!"
            )
        if places.device != self.device:
            raise RuntimeError(
                "torch.gradient expected each tensor to be on the same device, but got devices "
                f"{self.device} and {places.device}!"
            )
        slopes.append(_uneven(self, places, wrap_dim(d, self.dim()), edge_order))
    return tuple(slopes)


for _overload, _arguments, _composite, _samples in (
    ("scalarint", "Scalar? spacing=None, int? dim=None", _one_spacing, "gradient"),
    ("scalararray", "Scalar spacing, int[] dim", _one_spacing, "gradient_of_dims"),
    (
        "array",
        "int[] dim",
        lambda self, dim, edge_order: _one_spacing(self, None, dim, edge_order),
        "gradient_of_dims_alone",
    ),
    ("scalarrayint", "Scalar[] spacing, int? dim=None", _spacings, "gradient_by_spacings"),
    ("scalarrayarray", "Scalar[] spacing, int[] dim", _spacings, "gradient_by_spacings_of_dims"),
    ("tensorarrayint", "Tensor[] spacing, int? dim=None", _places, "gradient_by_places"),
    ("tensorarray", "Tensor[] spacing, int[] dim", _places, "gradient_by_places_of_dims"),
):
    op(
        f"gradient.{_overload}(Tensor self, *, {_arguments}, int edge_order=1) -> Tensor[]",
        says="""Estimate the derivative along dimensions by central differences.

        >>> torch.gradient(torch.tensor([1., 4., 9.]))
        (tensor([3., 4., 5.]),)
        """,
        composite=_composite,
        variants="function",
        samples=_samples,
    )
