"""Where kernels run: host memory, the NPU, nowhere (meta).

Also ``torch.backends``: switches of libraries that programs set (``cudnn``, ``mps``, ``cuda``).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = ("cuda", "cudnn", "mps")


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.backends' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(_PUBLIC)


def missing_backend(kind: str) -> Exception:
    """torch's error for a device type that this build has no backend for."""
    if kind == "cuda":
        return AssertionError("Torch not compiled with CUDA enabled")
    if kind == "xpu":
        return AssertionError("Torch not compiled with XPU enabled")
    return NotImplementedError(
        f"Could not run 'aten::empty.memory_format' with arguments from the '{kind.upper()}' "
        "backend. This could be because the operator doesn't exist for this backend, or was "
        "omitted during the selective/custom build process (if using custom build)."
    )
