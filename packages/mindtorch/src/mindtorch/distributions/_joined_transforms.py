"""Transforms of other shapes: of whole events, and of the parts of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from . import constraints
from ._transform import Transform
from .utils import _sum_rightmost, lazy_property

__all__ = ["CatTransform", "IndependentTransform", "ReshapeTransform", "StackTransform"]


class IndependentTransform(Transform):
    """A transform whose last batch dimensions belong to the event."""

    def __init__(
        self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return IndependentTransform(
            self.base_transform, self.reinterpreted_batch_ndims, cache_size=cache_size
        )

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The base's, of more dimensions."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The base's, of more dimensions."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> bool:
        """Whether the base is one to one."""
        return bool(self.base_transform.bijective)

    @property
    def sign(self) -> Any:
        """The base's."""
        return self.base_transform.sign

    def _call(self, x: Tensor) -> Tensor:
        if x.dim() < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Tensor) -> Tensor:
        if y.dim() < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        slope = self.base_transform.log_abs_det_jacobian(x, y)
        return _sum_rightmost(slope, self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"

    def forward_shape(self, shape: Any) -> Any:
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self.base_transform.inverse_shape(shape)


class ReshapeTransform(Transform):
    """Gives the last dimensions of a tensor another shape."""

    bijective = True

    def __init__(self, in_shape: Any, out_shape: Any, cache_size: int = 0) -> None:
        self.in_shape = Size(in_shape)
        self.out_shape = Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Any:
        """Real numbers of the one shape."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        """Real numbers of the other shape."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x: Tensor) -> Tensor:
        batch_shape = x.shape[: x.dim() - len(self.in_shape)]
        return x.reshape(batch_shape + self.out_shape)

    def _inverse(self, y: Tensor) -> Tensor:
        batch_shape = y.shape[: y.dim() - len(self.out_shape)]
        return y.reshape(batch_shape + self.in_shape)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        batch_shape = x.shape[: x.dim() - len(self.in_shape)]
        return x.new_zeros(batch_shape)

    def forward_shape(self, shape: Any) -> Any:
        return _end_replaced(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        return _end_replaced(shape, self.out_shape, self.in_shape)


def _end_replaced(shape: Any, old: Any, new: Any) -> Any:
    if len(shape) < len(old):
        raise ValueError("Too few dimensions on input")
    cut = len(shape) - len(old)
    if shape[cut:] != old:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
    return shape[:cut] + new


def _check_parts(tseq: Sequence[Transform]) -> None:
    if not all(isinstance(t, Transform) for t in tseq):
        raise AssertionError("All elements of tseq must be Transform instances")


class CatTransform(Transform):
    """Transforms one after the other along a dimension, each of a stretch of given length."""

    transforms: list[Transform]

    def __init__(
        self,
        tseq: Sequence[Transform],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        _check_parts(tseq)
        super().__init__(cache_size=cache_size)
        self.transforms = [t.with_cache(cache_size) if cache_size else t for t in tseq]
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )
        self.dim = dim

    @lazy_property
    def event_dim(self) -> int:
        """The largest of the parts."""
        return max(t.event_dim for t in self.transforms)

    @lazy_property
    def length(self) -> int:
        """The sum of the lengths."""
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _stretches_(self, tensor: Tensor, name: str, what: str) -> list[Tensor]:
        """The stretches of *tensor*, called *name*, or *what* in the text of another error."""
        if not -tensor.dim() <= self.dim < tensor.dim():
            raise AssertionError(
                f"dim {self.dim} out of range for {what} with {tensor.dim()} dimensions"
            )
        if tensor.size(self.dim) != self.length:
            raise AssertionError(
                f"{name}.size({self.dim}) = {tensor.size(self.dim)} must equal length {self.length}"
            )
        found = []
        start = 0
        for length in self.lengths:
            found.append(tensor.narrow(self.dim, start, length))
            start = start + length
        return found

    def _call(self, x: Tensor) -> Tensor:
        parts = self._stretches_(x, "x", "tensor")
        found = [t(part) for t, part in zip(self.transforms, parts, strict=True)]
        return torch.cat(found, dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        parts = self._stretches_(y, "y", "tensor")
        found = [t.inv(part) for t, part in zip(self.transforms, parts, strict=True)]
        return torch.cat(found, dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        before, after = self._stretches_(x, "x", "x"), self._stretches_(y, "y", "y")
        slopes = []
        for transform, one, other in zip(self.transforms, before, after, strict=True):
            slope = transform.log_abs_det_jacobian(one, other)
            if transform.event_dim < self.event_dim:
                slope = _sum_rightmost(slope, self.event_dim - transform.event_dim)
            slopes.append(slope)
        # The dimension counted from the end, behind which the events are gone.
        from_end = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(slopes, dim=from_end) if from_end < 0 else sum(slopes)

    @property
    def bijective(self) -> bool:
        """Whether all parts are one to one."""
        return all(t.bijective for t in self.transforms)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The parts', one after the other."""
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The parts', one after the other."""
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(Transform):
    """Transforms side by side along a dimension of their own."""

    transforms: list[Transform]

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        _check_parts(tseq)
        super().__init__(cache_size=cache_size)
        self.transforms = [t.with_cache(cache_size) if cache_size else t for t in tseq]
        self.dim = dim

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return StackTransform(self.transforms, self.dim, cache_size)

    def _slice(self, z: Tensor) -> list[Tensor]:
        return [z.select(self.dim, i) for i in range(z.size(self.dim))]

    def _check_(self, tensor: Tensor, name: str, what: str) -> None:
        if not -tensor.dim() <= self.dim < tensor.dim():
            raise AssertionError(
                f"dim {self.dim} out of range for {what} with {tensor.dim()} dimensions"
            )
        if tensor.size(self.dim) != len(self.transforms):
            raise AssertionError(
                f"{name}.size({self.dim}) = {tensor.size(self.dim)} must equal len(transforms) "
                f"{len(self.transforms)}"
            )

    def _call(self, x: Tensor) -> Tensor:
        self._check_(x, "x", "tensor")
        found = [t(part) for t, part in zip(self.transforms, self._slice(x), strict=True)]
        return torch.stack(found, dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        self._check_(y, "y", "tensor")
        found = [t.inv(part) for t, part in zip(self.transforms, self._slice(y), strict=True)]
        return torch.stack(found, dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        self._check_(x, "x", "x")
        self._check_(y, "y", "y")
        parts = zip(self.transforms, self._slice(x), self._slice(y), strict=True)
        slopes = [t.log_abs_det_jacobian(one, other) for t, one, other in parts]
        return torch.stack(slopes, dim=self.dim)

    @property
    def bijective(self) -> bool:
        """Whether all parts are one to one."""
        return all(t.bijective for t in self.transforms)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The parts', side by side."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The parts', side by side."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
