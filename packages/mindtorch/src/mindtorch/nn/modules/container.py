"""Modules that hold other modules in a sequence or by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Self, TypeVar

from ...core.module_names import living_in, spelled_out
from ...core.warning import warn
from ..parameter import Parameter as Parameter
from .contents import pairs, position
from .module import Module, _addindent
from .parameter_container import ParameterDict, ParameterList

__all__ = ["Container", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]

T = TypeVar("T", bound=Module)  # programs import it for their own annotations
living_in(__name__, ParameterDict, ParameterList)


@spelled_out()
class _Numbered(Module):
    """Submodules named "0", "1", … in order."""

    _modules: dict[str, Any]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def _name_of_(self, index: Any) -> str:
        """The name of the submodule at *index*; names need not be numbers."""
        return list(self._modules)[position(index, len(self))]

    def _names_of_(self, index: slice) -> list[str]:
        """The names of the submodules of a part."""
        return list(self._modules)[index]

    def __delitem__(self, index: Any) -> None:
        names = self._names_of_(index) if isinstance(index, slice) else [self._name_of_(index)]
        for name in names:
            delattr(self, name)
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def _make_room_(self, index: int, module: Any) -> None:
        """Put *module* at *index*, and all from there on one further: by their names."""
        for i in range(len(self), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module

    def pop(self, key: Any) -> Any:
        """Take out the submodule (or for a slice the part) at *key* and return it."""
        taken = self[key]  # type: ignore[index]  # of the class that inherits this
        del self[key]
        return taken


class Container(Module):
    """Modules by name, from before torch had :class:`Module`."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        warn(
            "`nn.Container` is deprecated. All of its functionality is now implemented in "
            "`nn.Module`. Subclass that instead.",
            FutureWarning,
        )
        return super().__new__(cls)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)


class Sequential(_Numbered):
    """Calls its modules one after another.

    Takes modules, or an ``OrderedDict`` of them by name.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named: Iterable[tuple[str, Any]] = args[0].items()
        else:
            named = ((str(i), module) for i, module in enumerate(args))
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name_of_(index)]

    def __setitem__(self, index: Any, module: Any) -> None:
        setattr(self, self._name_of_(index), module)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Sequential):
            raise _cannot_add(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Self:
        if not isinstance(other, Sequential):
            raise _cannot_add(other)
        first = len(self)
        for i, module in enumerate(list(other)):
            self.add_module(str(first + i), module)
        return self

    def _times_(self, other: Any) -> int:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")
        return other

    def __mul__(self, other: Any) -> Any:
        return Sequential(*(list(self) * self._times_(other)))

    __rmul__ = __mul__

    def __imul__(self, other: Any) -> Self:
        times, n = self._times_(other), len(self)
        for i in range(n, n * times):
            self.add_module(str(i), self._modules[str(i % n)])
        return self

    def append(self, module: Any) -> Self:
        """Add *module* at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Any) -> Self:
        """Add *module* before position *index*."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        self._make_room_(index + n if index < 0 else index, module)
        return self

    def extend(self, sequential: Iterable[Any]) -> Self:
        """Add all modules of *sequential* at the end."""
        for module in sequential:
            self.append(module)
        return self


def _cannot_add(other: Any) -> ValueError:
    return ValueError(
        f"add operator supports only objects of Sequential class, but {type(other)} is given."
    )


class ModuleList(_Numbered):
    """A list of modules."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def _name_of_(self, index: Any) -> str:
        return str(position(index, len(self)))

    def _names_of_(self, index: slice) -> list[str]:
        return [str(i) for i in range(len(self))[index]]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[self._name_of_(index)]

    def __setitem__(self, index: int, module: Any) -> None:
        setattr(self, self._name_of_(index), module)

    def __iadd__(self, modules: Iterable[Any]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        both = ModuleList()
        for i, module in enumerate(chain(self, other)):
            both.add_module(str(i), module)
        return both

    def insert(self, index: int, module: Any) -> None:
        """Add *module* before position *index*."""
        self._make_room_(index, module)

    def append(self, module: Any) -> Self:
        """Add *module* at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> Self:
        """Add all *modules* at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        first = len(self)
        for i, module in enumerate(modules):
            self.add_module(str(first + i), module)
        return self

    def __repr__(self) -> str:
        """Like a module's, with runs of equal submodules shown once."""
        if not len(self):
            return self._get_name() + "()"
        runs: list[tuple[int, int, str]] = []
        for i, text in enumerate([repr(module) for module in self]):
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], i, text)
            else:
                runs.append((i, i, text))
        lines = []
        for first, last, text in runs:
            shown = f"({first}): {text}"
            if last > first:
                shown = f"({first}-{last}): {last - first + 1} x {text}"
            lines.append(_addindent(shown, 2))
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Any) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove *key* and return its module."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """The names with their modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a mapping or from pairs."""
        for key, module in pairs("ModuleDict", "ModuleDict", modules):
            self[key] = module
