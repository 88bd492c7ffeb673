"""Tensors that stand for others of their layout, while code is noted that shall do for all of them.

They answer for what follows from a layout. Who asks one for its numbers, its memory or its history
ends the attempt (:class:`Untraceable`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import Device

from ..core import signature as S
from ..core.opaque import opaque
from ..tensor import Tensor
from ..tensor.disabled import disabled_torch_function

__all__ = ["DROPPED", "ODD", "Noted", "Seen", "Untraceable", "seen"]


#: Stands in the place of what a line makes where it drops that.
DROPPED = "del"


class Untraceable(Exception):
    """Code does something that its text could not do again."""


#: What may be asked of an array without looking at its numbers.
_LAYOUT = frozenset(
    ("shape", "strides", "dtype", "ndim", "size", "itemsize", "nbytes", "flags", "__len__")
)
#: What a tensor may not be for what is done with it to be noted.
ODD = (
    S.OF_CLASS | S.PENDING | S.BATCHED | S.FUNCTIONAL | S.FUNCTIONALITIES | S.DUAL | S.FREED | S.COW
)


@opaque(Untraceable)
class Layout:
    """Stands for an array of which only the layout may be asked."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getattr__(self, name: str) -> Any:
        if name not in _LAYOUT:
            raise Untraceable(name)
        return getattr(self._array, name)


class Noted:
    """A value of the text.

    :ivar real: the tensor that it is this time.
    :ivar tensor: the text of the tensor; empty until *as_tensor* was asked for it.
    :ivar array: the text of its array; empty until it is asked for.
    :ivar origin: the value whose whole memory it is a window of; None: it is all of its own.
    :ivar lines: those of the text, to which it adds that nothing can name it any more.
    """

    __slots__ = ("array", "as_tensor", "layout", "lines", "origin", "real", "tensor")

    def __init__(
        self,
        real: Tensor,
        tensor: str,
        array: str = "",
        as_tensor: Callable[[], str] | None = None,
        origin: Noted | None = None,
        lines: list[tuple[str, str]] | None = None,
    ) -> None:
        self.real = real
        self.layout = Layout(real._a_)
        self.tensor = tensor
        self.array = array
        self.as_tensor = as_tensor
        self.origin = origin
        self.lines = lines

    def __del__(self) -> None:
        if self.lines is not None:
            names = (self.array, self.tensor)
            self.lines += [(DROPPED, name) for name in names if name.isidentifier()]


class _Refused:
    """An attribute that ends the attempt when it is read."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __get__(self, t: Any, owner: Any = None) -> Any:
        if t is None:
            return self
        raise Untraceable(self._what)


class Seen(Tensor):
    """A tensor as code sees it that is being noted."""

    __torch_function__ = disabled_torch_function
    _noted: Noted

    @property
    def _a_(self) -> Any:  # type: ignore[override]  # not to be set
        return self._noted.layout

    @property
    def device(self) -> Device:
        """Where the memory lies, which a layout says."""
        return self._noted.real.device

    @property
    def requires_grad(self) -> bool:  # type: ignore[override]  # not to be set
        """Whether gradients flow to it: a view that is not true to its base does not come here."""
        return bool(self._sig_ & S.REQUIRES_GRAD)

    # None of it follows from a layout.
    _shared_: Any = _Refused("what is known of the memory")
    _state_: Any = _Refused("what is known of the base of a view")
    _edge_: Any = _Refused("the history of a tensor")


def seen(noted: Noted) -> Seen:
    """What stands for the value."""
    t = object.__new__(Seen)
    t._noted = noted
    t._sig_ = noted.real._sig_
    return t
