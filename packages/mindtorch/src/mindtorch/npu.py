"""``torch.npu``: the package ``mindtorch_npu`` under the name that users know."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import mindtorch_npu

_PREFIX = f"{__name__}."
mindtorch_npu._with_tensors["_sanitizer"] = "mindtorch.backends.stream_sanitizer"


class _SameModule(MetaPathFinder, Loader):
    """``mindtorch.npu.streams`` is ``mindtorch_npu.streams``, not a copy of it."""

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.startswith(_PREFIX) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = spec.name.removeprefix(_PREFIX)
        home = mindtorch_npu._with_tensors.get(name)
        found = import_module(home or f"{mindtorch_npu.__name__}.{name}")
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:  # the import system gave it the alias's
            module.__spec__ = spec.loader_state


# One module, two names: what is set through one is seen through the other.
sys.modules[__name__] = mindtorch_npu
sys.meta_path.insert(0, _SameModule())
