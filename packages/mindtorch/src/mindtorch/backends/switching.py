"""The mechanism of ``torch.backends``: modules whose attributes are switches.

A switch is a :class:`ContextProp` of the module's class, so that ``cudnn.benchmark =
True`` runs a check and is refused after ``disable_global_flags()``. Kernels are numpy's: what a
switch says of a library that is not there is remembered and told back, as torch's CPU build does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from ..core import precision


class _Frozen:
    """Whether assignments to switches are refused."""

    globally = False


def disable_global_flags() -> None:
    """From now on refuse assignments to the switches outside of their ``flags()`` contexts."""
    _Frozen.globally = True


def flags_frozen() -> bool:
    """Whether assignments to the switches are refused now."""
    return _Frozen.globally


@contextmanager
def allow_nonbracketed_mutation() -> Iterator[None]:
    """Let assignments to switches through within the block."""
    before = _Frozen.globally
    _Frozen.globally = False
    try:
        yield
    finally:
        _Frozen.globally = before


class ContextProp:
    """A property of a backend's module; refuses assignments after ``disable_global_flags()``."""

    def __init__(self, getter: Callable[[], Any], setter: Callable[[Any], Any]) -> None:
        self.getter = getter
        self.setter = setter

    def __get__(self, obj: Any, objtype: Any) -> Any:
        return self.getter()

    def __set__(self, obj: Any, val: Any) -> None:
        if _Frozen.globally:
            raise RuntimeError(
                f"not allowed to set {public(obj.__name__)} flags after disable_global_flags; "
                "please use flags() context manager instead"
            )
        self.setter(val)


class PropModule(ModuleType):
    """A module with properties that stands in front of the module *m*."""

    def __init__(self, m: ModuleType, name: str) -> None:
        super().__init__(name)
        self.m = m

    def __getattr__(self, attr: str) -> Any:
        if attr == "m":
            raise AttributeError(attr)
        return getattr(self.m, attr)


class SwitchModule(ModuleType):
    """The class of a backend's module: its attributes are switches."""

    #: Once Python code may set it to False to forbid assignments; kept for programs that look.
    __allow_nonbracketed_mutation_flag = True

    def __getattr__(self, name: str) -> Any:
        own = public(self.__name__)
        raise AttributeError(f"module '{own}' has no attribute '{name}'")


def public(name: str) -> str:
    """*name* as users of torch know it."""
    return name.replace("mindtorch.", "torch.", 1)


def install(name: str, switches: dict[str, Any]) -> None:
    """Give the module *name* the *switches* as properties."""
    module = sys.modules[name]
    module.__class__ = type(
        f"{name.rpartition('.')[2].capitalize()}Module", (SwitchModule,), switches
    )


class Remembered:
    """A value that is set and told back; a setter that names itself refuses other types."""

    def __init__(self, value: Any, setter: str = "", kind: type = bool) -> None:
        self.value = value
        self.name = setter
        self.kind = kind

    def get(self) -> Any:
        """What was set last."""
        return self.value

    def set(self, value: Any) -> None:
        """Set it. Raises RuntimeError, in the words of torch's setter, for another type."""
        if self.name and type(value) is not self.kind:
            wanted = "a bool" if self.kind is bool else "a string"
            raise RuntimeError(f"{self.name} expects {wanted}, but got {type(value).__name__}")
        self.value = value

    def prop(self) -> ContextProp:
        """It as a property of a module."""
        return ContextProp(self.get, self.set)


def precision_prop(backend: str, op: str) -> ContextProp:
    """How *backend* multiplies float32 numbers in *op*, as a property."""
    return ContextProp(
        lambda: precision.get(backend, op), lambda value: precision.put(backend, op, value)
    )


class FP32Precision:
    """The precision of one op of a backend: ``torch.backends.cudnn.conv.fp32_precision``."""

    def __init__(self, backend: str, op: str) -> None:
        object.__setattr__(self, "backend", backend)
        object.__setattr__(self, "op", op)

    def __setattr__(self, name: str, value: str) -> None:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        precision.put(self.backend, self.op, value)

    def __getattr__(self, name: str) -> str:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        return precision.get(self.backend, self.op)


def set_flags(_fp32_precision: str = "none") -> tuple[str]:
    """Set the precision of all backends; returns what it was."""
    before = (precision.get("generic", "all"),)
    if _fp32_precision is not None:
        precision.put("generic", "all", _fp32_precision)
    return before


@contextmanager
def flags(fp32_precision: str = "none") -> Iterator[None]:
    """Set the precision of all backends within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(fp32_precision)
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
