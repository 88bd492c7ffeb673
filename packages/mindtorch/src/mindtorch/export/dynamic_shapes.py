"""``torch.export.dynamic_shapes``: how programs say which sizes vary."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from mindtorch.utils import _pytree as pytree

from ..core.unavailable import COMPILER, offer
from ..tensor import Tensor

__all__ = ["AdditionalInputs", "Constraint", "Dim", "ShapesCollection", "dims"]


class _DimHint:
    """That a size varies, without a name."""

    def __init__(self, kind: str, min: int | None = None, max: int | None = None) -> None:
        self.kind = kind
        self.min = min
        self.max = max

    def __call__(self, min: int | None = None, max: int | None = None) -> _DimHint:
        return _DimHint(self.kind, min, max)

    def __repr__(self) -> str:
        return f"DimHint({self.kind})"


class Dim:
    """A size that varies, between *min* and *max*.

    Raises AssertionError unless *max* is above *min* and the name is an identifier.
    """

    AUTO = _DimHint("AUTO")
    DYNAMIC = _DimHint("DYNAMIC")
    STATIC = _DimHint("STATIC")

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        self.__name__ = name
        self.min = 0 if min is None else min
        self.max = max
        if max is not None and not max > self.min:
            raise AssertionError(f"Cannot create Dim with inconsistent min={self.min}, max={max}")
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")

    def __repr__(self) -> str:
        return f"Dim('{self.__name__}', min={self.min}" + (
            ")" if self.max is None else f", max={self.max})"
        )


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """Several :class:`Dim` with the same bounds."""
    return tuple(Dim(name, min=min, max=max) for name in names)


class ShapesCollection:
    """Which sizes vary, by tensor."""

    def __init__(self) -> None:
        self._shapes: dict[int, Any] = {}

    def __setitem__(self, t: Any, shape: Any) -> None:
        """Say it of *t*. Raises AssertionError for no tensor, or where something else was said."""
        if not isinstance(t, Tensor):
            raise AssertionError(
                f"Cannot assign shape to non-tensor or non-_IntWrapper type {type(t)}"
            )
        said = self._shapes.setdefault(id(t), shape)
        if said != shape:
            raise AssertionError(
                f"Shapes assigned to input do not match: expected {said}, got {shape}"
            )

    def __getitem__(self, t: Any) -> Any:
        return self._shapes.setdefault(id(t), {})

    def __len__(self) -> int:
        return len(self._shapes)

    def dynamic_shapes(
        self, m: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """What was said, nested as the arguments of ``m(*args, **kwargs)`` are, by their names.

        Raises ValueError where something was said of a tensor that is no argument.
        """
        bound = signature(m.forward).bind(*args, **(kwargs or {})).arguments
        seen = {id(t) for t in pytree.tree_leaves(bound)}
        if not seen.issuperset(self._shapes):
            raise ValueError(
                "Some tensors that were assigned shapes were not found in args. "
                "Maybe such tensors were copied when passing them as args? "
                "Maybe such tensors are contained in classes that were not registered with pytree?"
            )
        found: dict[str, Any] = pytree.tree_map(lambda t: self._shapes.get(id(t)), bound)
        return found


class AdditionalInputs:
    """Further inputs, which show what sizes vary."""

    def __init__(self) -> None:
        self._examples: list[Any] = []

    def add(self, args: Any, kwargs: Any = None) -> None:
        """Add one more set of arguments."""
        self._examples.append((args, kwargs))


class Constraint:
    """What an export found to hold for a size."""


def is_static(dynamic_shapes: Any) -> bool:
    """Whether nothing in *dynamic_shapes* says that a size varies."""
    if isinstance(dynamic_shapes, Mapping):
        return all(map(is_static, dynamic_shapes.values()))
    if isinstance(dynamic_shapes, (tuple, list)):
        return all(map(is_static, dynamic_shapes))
    if isinstance(dynamic_shapes, _DimHint):
        return dynamic_shapes.kind == "STATIC"
    return dynamic_shapes is None or isinstance(dynamic_shapes, int)


offer(globals(), COMPILER, "refine_dynamic_shapes_from_suggested_fixes")
