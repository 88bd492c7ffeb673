"""``torch.nn.cpp``: modules of torch's C++ API, of which there are none here."""

from __future__ import annotations

from typing import Any

from .. import nn

__all__ = ["ModuleWrapper", "OrderedDictWrapper"]


class OrderedDictWrapper:
    """A dictionary of a module of C++, looked at anew each time."""

    def __init__(self, cpp_module: Any, attr: str) -> None:
        self.cpp_module, self.attr = cpp_module, attr

    @property
    def cpp_dict(self) -> Any:
        """The dictionary as it is now."""
        return getattr(self.cpp_module, self.attr)

    def items(self) -> Any:
        """Its pairs."""
        return self.cpp_dict.items()

    def keys(self) -> Any:
        """Its keys."""
        return self.cpp_dict.keys()

    def values(self) -> Any:
        """Its values."""
        return self.cpp_dict.values()

    def __iter__(self) -> Any:
        return iter(self.cpp_dict)

    def __len__(self) -> int:
        return len(self.cpp_dict)

    def __contains__(self, key: str) -> bool:
        return key in self.cpp_dict

    def __getitem__(self, key: str) -> Any:
        return self.cpp_dict[key]


class ModuleWrapper(nn.Module):
    """A module of C++ as one of Python."""

    def __init__(self, cpp_module: Any) -> None:
        super().__init__()
        self.cpp_module = cpp_module
        for name in ("_parameters", "_buffers", "_modules"):
            self.__dict__[name] = OrderedDictWrapper(cpp_module, name)
        for name in dir(cpp_module):
            if not name.startswith("_"):
                self.__dict__[name] = getattr(cpp_module, name)
