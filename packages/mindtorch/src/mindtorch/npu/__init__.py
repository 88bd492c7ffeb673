"""``torch.npu``: the package ``mindtorch_npu`` under the name that users know."""

from __future__ import annotations

import sys
from typing import Any

import mindtorch_npu

from ..compat.import_alias import ModuleAlias

mindtorch_npu._with_tensors["_sanitizer"] = "mindtorch.utils.stream_sanitizer"
mindtorch_npu._with_tensors["amp"] = "mindtorch.utils.npu_amp"


class _Npu(ModuleAlias):
    """Modules of the package that need tensors are parts of mindtorch."""

    def _original(self, fullname: str) -> str:
        name = fullname.removeprefix(f"{self._alias}.")
        return mindtorch_npu._with_tensors.get(name) or super()._original(fullname)


# One module, two names: what is set through one is seen through the other.
_spec: Any = __spec__  # mindtorch's name of this module, whatever __name__ says
sys.modules[_spec.name] = mindtorch_npu
sys.meta_path.insert(0, _Npu(_spec.name, mindtorch_npu.__name__))
