"""``torch.export.dynamic_shapes``: how programs say which sizes vary."""

from __future__ import annotations

from typing import Any

from ..core.unavailable import COMPILER, offer

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
        self._shapes[id(t)] = shape

    def __getitem__(self, t: Any) -> Any:
        return self._shapes.setdefault(id(t), {})

    def __len__(self) -> int:
        return len(self._shapes)


class AdditionalInputs:
    """Further inputs, which show what sizes vary."""

    def __init__(self) -> None:
        self._examples: list[Any] = []

    def add(self, args: Any, kwargs: Any = None) -> None:
        """Add one more set of arguments."""
        self._examples.append((args, kwargs))


class Constraint:
    """What an export found to hold for a size."""


offer(globals(), COMPILER, "refine_dynamic_shapes_from_suggested_fixes")
