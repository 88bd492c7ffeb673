"""``torch._inductor.exc``: what goes wrong where kernels are compiled."""

from __future__ import annotations

__all__ = ["CppCompileError", "InvalidCxxCompiler"]


class InvalidCxxCompiler(RuntimeError):
    """There is no compiler of C++ to be used."""


class CppCompileError(RuntimeError):
    """A compiler of C++ failed."""

    def __init__(self, cmd: list[str], output: str | bytes) -> None:
        text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
        super().__init__(f"C++ compile error\n\nCommand:\n{' '.join(cmd)}\n\nOutput:\n{text}")
