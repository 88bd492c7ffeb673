"""Where kernels run: host memory, the NPU, nowhere (meta).

Also ``torch.backends``: switches of libraries that programs set (``cudnn``, ``mps``, ``cuda``).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

#: The namespaces of torch.backends; the other modules here are kernels.
_PUBLIC = frozenset(
    (
        "cpu cuda cudnn cusparselt kleidiai mha miopen mkl mkldnn mps nnpack openmp opt_einsum "
        "python_native quantized"
    ).split()
)
_SWITCHING = {
    "ContextProp": "ContextProp",
    "PropModule": "PropModule",
    "_FP32Precision": "FP32Precision",
    "__allow_nonbracketed_mutation": "allow_nonbracketed_mutation",
    "disable_global_flags": "disable_global_flags",
    "flags": "flags",
    "flags_frozen": "flags_frozen",
    "set_flags": "set_flags",
}


class GenericModule(ModuleType):
    """The class of this package: one of its attributes is a switch."""

    @property
    def fp32_precision(self) -> str:
        """How float32 products may be rounded where no backend or op says otherwise."""
        return str(import_module("..core.precision", __name__).get("generic", "all"))

    @fp32_precision.setter
    def fp32_precision(self, value: str) -> None:
        # Through the property of the switches, which knows of disable_global_flags().
        import_module(".switching", __name__).precision_prop("generic", "all").__set__(self, value)


sys.modules[__name__].__class__ = GenericModule


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return import_module(f".{name}", __name__)
    if name in _SWITCHING:
        return getattr(import_module(".switching", __name__), _SWITCHING[name])
    raise AttributeError(f"module 'torch.backends' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*_PUBLIC, *_SWITCHING, "GenericModule", "fp32_precision"})
