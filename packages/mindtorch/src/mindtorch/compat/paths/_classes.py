"""``torch.classes``: classes that C++ libraries registered, none of them here."""

from __future__ import annotations

import types
from typing import Any


class _ClassNamespace(types.ModuleType):
    """The classes of one library."""

    def __init__(self, name: str) -> None:
        super().__init__("torch.classes" + name)
        self.name = name

    def __getattr__(self, attr: str) -> Any:
        if attr.startswith("__"):
            raise AttributeError(attr)
        raise RuntimeError(f"Class {self.name}.{attr} not registered! Registered classes are: ")


class _Classes(types.ModuleType):
    __file__ = "_classes.py"

    def __init__(self) -> None:
        super().__init__("torch.classes")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        namespace = _ClassNamespace(name)
        setattr(self, name, namespace)
        return namespace

    @property
    def loaded_libraries(self) -> set[str]:
        """The libraries that were loaded: none."""
        return set()

    def load_library(self, path: str) -> None:
        """Load a C++ library: raises NotImplementedError."""
        from mindtorch.core.unavailable import COMPILER, refusal

        refusal("torch.classes.load_library", COMPILER)(path)


classes = _Classes()
