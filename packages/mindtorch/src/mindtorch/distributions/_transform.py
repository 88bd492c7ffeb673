"""The base of transforms, their inverses, and transforms one after the other."""

from __future__ import annotations

import functools
import math
import operator
import weakref
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor
from ..core.module_names import spelled_out
from . import constraints
from .utils import _sum_rightmost, lazy_property

__all__ = ["ComposeTransform", "PlainTransform", "Transform", "identity_transform"]


class Transform:
    """A function whose log absolute determinant of the Jacobian can be computed.

    Subclasses define ``_call`` or ``_inverse``, and ``log_abs_det_jacobian``. With a cache the
    last pair of input and output is kept: inverting an output gives back its very input.

    :param cache_size: 0 or 1.
    """

    bijective: Any = False
    domain: Any
    codomain: Any

    def __init__(self, cache_size: int = 0) -> None:
        self._cache_size = cache_size
        self._inv: Any = None
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        if cache_size:
            self._cached_x_y: tuple[Any, Any] = None, None
        super().__init__()

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_inv"] = None  # a weak reference
        return state

    @property
    def event_dim(self) -> int:
        """The dimensions of an event, where input and output have the same."""
        if self.domain.event_dim == self.codomain.event_dim:
            return int(self.domain.event_dim)
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self) -> Any:
        """The inverse transform, whose inverse is this one."""
        inv = self._inv() if self._inv is not None else None
        if inv is None:
            inv = _InverseTransform(self)
            self._inv = weakref.ref(inv)
        return inv

    @property
    def sign(self) -> Any:
        """The sign of the slope, of transforms of one variable."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Any:
        """The transform with a cache of another size."""
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self.__eq__(other)

    __hash__ = None

    def __call__(self, x: Tensor) -> Tensor:
        return self._through_cache_(x, 0, self._call)

    def _inv_call(self, y: Tensor) -> Tensor:
        """The inverse of *y*, from the cache if it is there."""
        return self._through_cache_(y, 1, self._inverse)

    def _through_cache_(self, value: Any, side: int, compute: Any) -> Any:
        """What belongs to *value*, which is input (*side* 0) or output (1)."""
        if not self._cache_size:
            return compute(value)
        if self._cached_x_y[side] is not value:
            other = compute(value)
            self._cached_x_y = (other, value) if side else (value, other)
        return self._cached_x_y[1 - side]

    def _call(self, x: Tensor) -> Tensor:
        """Compute forwards."""
        raise NotImplementedError

    def _inverse(self, y: Tensor) -> Tensor:
        """Compute backwards."""
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """The logarithm of the absolute determinant of dy/dx."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return type(self).__name__ + "()"

    def forward_shape(self, shape: Any) -> Any:
        """The shape of the output for an input of *shape*."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of the input for an output of *shape*."""
        return shape


class _InverseTransform(Transform):
    """The inverse of a transform."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    @property
    def _of_(self) -> Transform:
        if self._inv is None:
            raise AssertionError("_inv must not be None")
        return self._inv

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """What the transform gives."""
        return self._of_.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """What the transform takes."""
        return self._of_.domain

    @property
    def bijective(self) -> bool:
        """Whether the transform is one to one."""
        return bool(self._of_.bijective)

    @property
    def sign(self) -> Any:
        """The transform's."""
        return self._of_.sign

    @property
    def inv(self) -> Transform:
        """The transform itself."""
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Any:
        return self._of_.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _InverseTransform):
            return False
        return bool(self._of_ == other._inv)

    __hash__ = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x: Tensor) -> Tensor:
        return self._of_._inv_call(x)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._of_.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self._inv.forward_shape(shape)


class ComposeTransform(Transform):
    """Transforms one after the other; without any, the identity."""

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        if cache_size:
            parts = [part.with_cache(cache_size) for part in parts]
        super().__init__(cache_size=cache_size)
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = None

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """That of the first part, with as many dimensions as the others need."""
        return self._end_(self.parts[::-1], "codomain", "domain")

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """That of the last part, with as many dimensions as the others need."""
        return self._end_(self.parts, "domain", "codomain")

    @staticmethod
    def _end_(parts: list[Transform], near: str, far: str) -> Any:
        """What is at the *far* side of the last of *parts*, all of them passed from the *near*."""
        if not parts:
            return constraints.real
        dims = getattr(parts[0], near).event_dim
        for part in parts:
            needed = getattr(part, far).event_dim
            dims = max(dims + needed - getattr(part, near).event_dim, needed)
        end = getattr(parts[-1], far)
        if dims < end.event_dim:
            raise AssertionError(f"event_dim {dims} must be >= {far}.event_dim {end.event_dim}")
        return constraints.independent(end, dims - end.event_dim) if dims > end.event_dim else end

    @lazy_property
    def bijective(self) -> bool:
        """Whether all parts are one to one."""
        return all(p.bijective for p in self.parts)

    @lazy_property
    def sign(self) -> Any:
        """The product of the parts'."""
        return math.prod(part.sign for part in self.parts)

    @property
    def inv(self) -> Any:
        """The parts' inverses in reverse order."""
        inv = self._inv() if self._inv is not None else None
        if inv is None:
            inv = ComposeTransform([p.inv for p in reversed(self.parts)])
            self._inv = weakref.ref(inv)
            inv._inv = weakref.ref(self)
        return inv

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return ComposeTransform(self.parts, cache_size=cache_size)

    def __call__(self, x: Tensor) -> Tensor:
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if not self.parts:
            return torch.zeros_like(x)
        # The values between the parts; those of parts with a cache cost nothing.
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        terms = []
        event_dim = self.domain.event_dim
        for part, before, after in zip(self.parts, values[:-1], values[1:], strict=True):
            slope = part.log_abs_det_jacobian(before, after)
            terms.append(_sum_rightmost(slope, event_dim - part.domain.event_dim))
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return functools.reduce(operator.add, terms)

    def forward_shape(self, shape: Any) -> Any:
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        inner = ",\n    ".join(repr(p) for p in self.parts)
        return f"{type(self).__name__}(\n    {inner}\n)"


identity_transform = ComposeTransform([])


@spelled_out("__eq__")
class PlainTransform(Transform):
    """A transform without parameters: two of one class are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))

    __hash__ = None
