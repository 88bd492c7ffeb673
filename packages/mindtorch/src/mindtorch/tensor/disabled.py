"""What a tensor class says that overrides nothing, and the bits of one that does."""

from __future__ import annotations

from typing import Any

from ..core import signature as S
from ..core.late_bound import LateBound
from ..core.override_state import DisableTorchFunctionSubclass, _DisableTorchDispatch

default_torch_function = LateBound("default_torch_function")
watch_for_good = LateBound("watch_for_good")


class Disabled:
    """``__torch_function__ = torch._C._disabled_torch_function_impl``: no overriding.

    An object and no function, so that class and instance show the same.
    """

    __slots__ = ("__name__", "guard")

    def __init__(self, name: str, guard: type) -> None:
        self.__name__ = name
        #: The context under which the original runs.
        self.guard = guard

    def __call__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        with self.guard():
            return func(*args, **(kwargs or {}))

    def __repr__(self) -> str:
        return f"<built-in method {self.__name__}>"


disabled_torch_function = Disabled("_disabled_torch_function_impl", DisableTorchFunctionSubclass)
disabled_torch_dispatch = Disabled("_disabled_torch_dispatch_impl", _DisableTorchDispatch)


def class_bits(cls: Any) -> int:
    """The signature bits that an instance of *cls*, a tensor class but not Tensor, has."""
    bits = 0
    if cls.__torch_function__ is not disabled_torch_function:
        watch_for_good()
        bits = S.FUNCTION
    if cls.__torch_dispatch__ is not disabled_torch_dispatch:
        bits |= S.PYTHON
    return bits
