"""Where kernels run: host memory, the NPU, nowhere (meta)."""

from __future__ import annotations


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


__all__ = ["missing_backend"]
