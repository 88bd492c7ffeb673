"""``torch.onnx.testing``: assertions about models."""

from __future__ import annotations

from typing import Any

from ..testing import assert_close
from ._internal.exporter._onnx_program import ONNXProgram
from ._internal.exporter._verification import expected, program_of

__all__ = ["assert_onnx_program"]


def assert_onnx_program(
    program: ONNXProgram,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    args: tuple[Any, ...] | None = None,
    kwargs: dict[str, Any] | None = None,
    strategy: str | None = "TorchExportNonStrictStrategy",
    backend: str = "onnxruntime",
) -> None:
    """Raise AssertionError unless the model gives what the program gives.

    :param args: arguments; by default those that the program was exported with.
    :param backend: ``reference`` is ONNX's own implementation.

    Raises ValueError without a program or arguments.
    """
    args, kwargs, wanted = expected(program_of(program, "ONNXProgram"), args, kwargs)
    run = program.call_reference if backend == "reference" else program
    assert_close(tuple(run(*args, **kwargs)), tuple(wanted), rtol=rtol, atol=atol)
