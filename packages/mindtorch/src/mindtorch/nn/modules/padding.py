"""Padding layers: by a constant, by reflection, replication, or from the other end."""

from __future__ import annotations

from typing import Any

from .. import functional as F
from .module import Module, _ntuple

__all__ = [
    "CircularPad1d",
    "CircularPad2d",
    "CircularPad3d",
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad1d",
    "ZeroPad2d",
    "ZeroPad3d",
]


class _Pad(Module):
    """Padding of the last ``_n`` dimensions by the input's own elements."""

    __constants__ = ["padding"]
    _n: int
    _mode: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _ntuple(padding, 2 * self._n)

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(Module):
    __constants__ = ["padding", "value"]
    _n: int

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__()
        self.padding = _ntuple(padding, 2 * self._n)
        self.value = value

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class CircularPad1d(_Pad):
    """Pads the last dimension from its other end."""

    _n = 1
    _mode = "circular"


class CircularPad2d(_Pad):
    """Pads the last 2 dimensions from its other end."""

    _n = 2
    _mode = "circular"


class CircularPad3d(_Pad):
    """Pads the last 3 dimensions from its other end."""

    _n = 3
    _mode = "circular"


class ConstantPad1d(_ConstantPad):
    """Pads the last dimension by one number."""

    _n = 1


class ConstantPad2d(_ConstantPad):
    """Pads the last 2 dimensions by one number."""

    _n = 2


class ConstantPad3d(_ConstantPad):
    """Pads the last 3 dimensions by one number."""

    _n = 3


class ReflectionPad1d(_Pad):
    """Pads the last dimension by reflection at its border."""

    _n = 1
    _mode = "reflect"


class ReflectionPad2d(_Pad):
    """Pads the last 2 dimensions by reflection at its border."""

    _n = 2
    _mode = "reflect"


class ReflectionPad3d(_Pad):
    """Pads the last 3 dimensions by reflection at its border."""

    _n = 3
    _mode = "reflect"


class ReplicationPad1d(_Pad):
    """Pads the last dimension by its border."""

    _n = 1
    _mode = "replicate"


class ReplicationPad2d(_Pad):
    """Pads the last 2 dimensions by its border."""

    _n = 2
    _mode = "replicate"


class ReplicationPad3d(_Pad):
    """Pads the last 3 dimensions by its border."""

    _n = 3
    _mode = "replicate"


class ZeroPad1d(_ZeroPad):
    """Pads the last dimension by zeros."""

    _n = 1


class ZeroPad2d(_ZeroPad):
    """Pads the last 2 dimensions by zeros."""

    _n = 2


class ZeroPad3d(_ZeroPad):
    """Pads the last 3 dimensions by zeros."""

    _n = 3
