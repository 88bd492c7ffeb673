"""``torch.ScriptObject``: what stands for an object of a class that C++ code registered.

Programs see a handle; what it has is asked by name. Here the object behind it is one of Python's
(:class:`Bound`), and its class says by which full name programs and files mean it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from .late_bound import LateBound
from .pickling import Named

__all__ = ["Bound", "ScriptObject"]

#: The subclass of :class:`Bound` of a full name, which a file has.
class_of = LateBound("class_of")


class Bound:
    """An object that a :class:`ScriptObject` may stand for."""

    #: The full name of its class.
    full_name: ClassVar[str] = ""
    #: The methods that programs may call.
    methods: ClassVar[tuple[str, ...]] = ()

    def state(self) -> Any:
        """What a file holds of the object. Raises RuntimeError where a class does not say."""
        raise _without(self.full_name, "serialize", "__getstate__")

    @classmethod
    def from_state(cls, state: Any) -> Bound:
        """The object of that. Raises RuntimeError where a class does not say."""
        raise _without(cls.full_name, "deserialize", "__setstate__")


def _without(name: str, what: str, method: str) -> RuntimeError:
    """torch csrc/jit/python/script_init.cpp, initJitScriptBindings."""
    return RuntimeError(
        f"Tried to {what} object {name} which does not have a {method} method defined!"
    )


class ScriptObject(metaclass=Named):
    """A handle of a :class:`Bound`."""

    __slots__ = ("_bound",)
    __module__ = "torch"
    _bound: Bound

    @classmethod
    def of(cls, bound: Bound) -> ScriptObject:
        """The handle of *bound*."""
        made = cls()
        made._bound = bound
        return made

    def _type(self) -> str:
        return self._bound.full_name

    def _method_names(self) -> list[str]:
        kept = ["__getstate__", "__setstate__"] if self._has_state() else []
        return sorted([*kept, *self._bound.methods])

    def _has_state(self) -> bool:
        return type(self._bound).state is not Bound.state

    def _has_method(self, name: str) -> bool:
        return name in self._method_names()

    def __getattr__(self, name: str) -> Any:
        bound = object.__getattribute__(self, "_bound")
        if name in bound.methods:
            return getattr(bound, name)
        raise AttributeError(
            f"{bound.full_name} (of Python compilation unit at: 0) does not have a field with name "
            f"'{name}'"
        )

    def __getstate__(self) -> tuple[Any, str]:
        return self._bound.state(), self._bound.full_name

    def __setstate__(self, state: tuple[Any, str]) -> None:
        value, name = state
        self._bound = class_of(name).from_state(value)

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError(f"'__eq__' is not implemented for {self._bound.full_name}")

    def __ne__(self, other: object) -> bool:
        raise NotImplementedError(f"'__ne__' is not implemented for {self._bound.full_name}")

    __hash__ = object.__hash__

    def __deepcopy__(self, memo: Any) -> ScriptObject:
        if not self._has_state():
            raise _without(self._bound.full_name, "deepcopy", "__getstate__")
        return type(self).of(self._bound.from_state(self._bound.state()))

    def __str__(self) -> str:
        return f"ScriptObject <{self._bound.full_name}>"

    def __repr__(self) -> str:
        return f"<torch.ScriptObject object at {id(self):#x}>"
