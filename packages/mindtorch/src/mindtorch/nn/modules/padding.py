"""Padding layers: by a constant, by reflection, replication, or from the other end."""

from __future__ import annotations

from typing import Any

from ...core.module_names import spelled_out
from ...tensor import Tensor as Tensor
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


class _Pads(Module):
    """Padding of the last dimensions; the classes below say of how many, and by what."""

    _n_: int
    padding: Any

    def __init_subclass__(cls, n: int = 0, by: str = "", **more: Any) -> None:
        super().__init_subclass__(**more)
        if n:
            cls._n_ = n
            last = "the last dimension" if n == 1 else f"the last {n} dimensions"
            cls.__doc__ = f"Pads {last} {by}."

    def extra_repr(self) -> str:
        return f"{self.padding}"


@spelled_out()
class _Pad(_Pads):
    """By the input's own elements."""

    __constants__ = ["padding"]
    _mode_: str

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = _ntuple(padding, 2 * self._n_)

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self._mode_)


@spelled_out()
class _ConstantPadNd(_Pads):
    __constants__ = ["padding", "value"]

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__()
        self.padding = _ntuple(padding, 2 * self._n_)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


@spelled_out()
class _ZeroPad(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


@spelled_out()
class _CircularPadNd(_Pad):
    _mode_ = "circular"

    def forward(self, input: Any) -> Any:
        n = self._n_
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")
        return super().forward(input)


@spelled_out()
class _ReflectionPadNd(_Pad):
    _mode_ = "reflect"


@spelled_out()
class _ReplicationPadNd(_Pad):
    _mode_ = "replicate"


class CircularPad1d(_CircularPadNd, n=1, by="from its other end"): ...


class CircularPad2d(_CircularPadNd, n=2, by="from its other end"): ...


class CircularPad3d(_CircularPadNd, n=3, by="from its other end"): ...


class ConstantPad1d(_ConstantPadNd, n=1, by="by one number"): ...


class ConstantPad2d(_ConstantPadNd, n=2, by="by one number"): ...


class ConstantPad3d(_ConstantPadNd, n=3, by="by one number"): ...


class ReflectionPad1d(_ReflectionPadNd, n=1, by="by reflection at its border"): ...


class ReflectionPad2d(_ReflectionPadNd, n=2, by="by reflection at its border"): ...


class ReflectionPad3d(_ReflectionPadNd, n=3, by="by reflection at its border"): ...


class ReplicationPad1d(_ReplicationPadNd, n=1, by="by its border"): ...


class ReplicationPad2d(_ReplicationPadNd, n=2, by="by its border"): ...


class ReplicationPad3d(_ReplicationPadNd, n=3, by="by its border"): ...


class ZeroPad1d(_ZeroPad, ConstantPad1d, n=1, by="by zeros"): ...


class ZeroPad2d(_ZeroPad, ConstantPad2d, n=2, by="by zeros"): ...


class ZeroPad3d(_ZeroPad, ConstantPad3d, n=3, by="by zeros"): ...
