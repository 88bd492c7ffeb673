"""Functions that a function mode sees although they look at no tensor's table.

They are watched (see :mod:`mindtorch.call.points`) while a mode is active and only then: no
argument of theirs can override anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_autograd.errors import switch_type
from mindtorch_storage import Device

from ..call import intercept
from ..call.intercept import call_overridden
from ..call.points import Point, Watch
from . import from_data, interop

__all__ = ["OF_MODULES", "set_grad_enabled"]


def set_grad_enabled(enabled: bool) -> None:
    """Switch grad mode of this thread: what ``no_grad`` and the like come to."""
    if intercept.overrides(depth=1):
        call_overridden(set_grad_enabled, (enabled,), {}, intercept.PARSED)
    elif not isinstance(enabled, bool):
        raise switch_type("set_grad_enabled", "enabled", 1, enabled)
    else:
        grad_mode._set_grad(enabled)


set_grad_enabled.__name__ = set_grad_enabled.__qualname__ = "_set_grad_enabled"
set_grad_enabled.__module__ = "mindtorch._C"


class _Function(Point):
    """A function of no tensor."""

    __slots__ = ()
    of_tensor = False


class _Construction(_Function):
    """``torch.device(...)``: the class is no argument."""

    __slots__ = ()

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hand the call over, or run it."""
        if intercept.overrides(depth=3):
            return call_overridden(self.public, args[1:], kwargs, self.style)
        return self.plain(*args, **kwargs)


class _Entry(_Function):
    """``with no_grad():`` begins; the switch is what a mode sees."""

    __slots__ = ("_enabled",)

    def __init__(self, function: FunctionType, enabled: bool) -> None:
        super().__init__(function, set_grad_enabled, intercept.PARSED)
        self._enabled = enabled

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hand the switch over, or do it."""
        if intercept.overrides(depth=3):
            args[0].prev = grad_mode.is_grad_enabled()
            return call_overridden(self.public, (self._enabled,), {}, self.style)
        return self.plain(*args, **kwargs)


def _points() -> Iterator[Point]:
    for module, name in (
        (from_data, "as_tensor"),
        (interop, "asarray"),
        (from_data, "tensor"),
    ):
        function = getattr(module, name)
        yield _Function(function, function, intercept.PARSED)
    yield _Construction(Device.__new__, Device, intercept.PARSED)
    yield _Function(grad_mode._set_grad, set_grad_enabled, intercept.PARSED)
    yield _Entry(grad_mode.no_grad.__enter__, False)
    yield _Entry(grad_mode.enable_grad.__enter__, True)


#: Functions of ``torch``.
OF_MODULES = Watch(_points)
