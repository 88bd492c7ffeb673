"""What a tensor class says that overrides nothing, and the bits of one that does."""

from __future__ import annotations

from typing import Any

from ..core import signature as S


class Disabled:
    """``__torch_function__ = torch._C._disabled_torch_function_impl``: no overriding.

    An object and no function, so that class and instance show the same.
    """

    __slots__ = ("__name__", "guard")

    def __init__(self, name: str, guard: str) -> None:
        self.__name__ = name
        #: The context in ``torch._C`` under which the original runs.
        self.guard = guard

    def __call__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        from .. import _C  # which stands on this package

        with getattr(_C, self.guard)():
            return func(*args, **(kwargs or {}))

    def __repr__(self) -> str:
        return f"<built-in method {self.__name__}>"


disabled_torch_function = Disabled("_disabled_torch_function_impl", "DisableTorchFunctionSubclass")
disabled_torch_dispatch = Disabled("_disabled_torch_dispatch_impl", "_DisableTorchDispatch")


def class_bits(cls: Any) -> int:
    """The signature bits that an instance of *cls*, a tensor class but not Tensor, has."""
    bits = 0
    if cls.__torch_function__ is not disabled_torch_function:
        from ..call.points import watch_for_good  # most programs have no such class

        watch_for_good()
        bits = S.FUNCTION
    if cls.__torch_dispatch__ is not disabled_torch_dispatch:
        bits |= S.PYTHON
    return bits
