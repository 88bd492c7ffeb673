"""Functions of a higher layer that a lower one calls.

A layer imports only what lies below it. Where it has to call upwards (a read of memory that was
freed calls the code of freed memory), it declares the function here by name, and ``install``,
which knows all layers, says in which module it is. The module is imported at the first call.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["LateBound"]


class LateBound:
    """A function that ``install`` says the place of.

    Raises RuntimeError when called before that.
    """

    __slots__ = ("__name__", "_function", "_module")

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self._module = ""
        self._function: Any = None

    def bind(self, module: str) -> None:
        """Say that *module* defines the function; it is imported when it is first called."""
        self._module = module

    def resolve(self) -> Any:
        """The function itself."""
        if self._function is None:
            if not self._module:
                raise RuntimeError(f"nobody said where {self.__name__} is defined")
            self._function = getattr(import_module(self._module), self.__name__)
        return self._function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return (self._function or self.resolve())(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<late bound {self.__name__} of {self._module or 'nobody'}>"
