"""``torch.onnx.testing``: assertions about models."""

from __future__ import annotations

from typing import Any

from ..testing import assert_close
from ._internal.exporter._onnx_program import ONNXProgram
from ._internal.exporter._verification import expected

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
    :param strategy: how the program has to be captured; None for any way.
    :param backend: ``reference`` is ONNX's own implementation.

    Raises ValueError without a program or arguments, and for one that was captured otherwise.
    """
    if strategy is not None and program._capture_strategy != strategy:
        raise ValueError(
            f"Expected strategy '{strategy}' is used to capture the exported program, "
            f"but got '{program._capture_strategy}'."
        )
    exported = program.exported_program
    if exported is None:
        raise ValueError(
            "The ONNXProgram does not contain an ExportedProgram. To verify the ONNX program, "
            "initialize ONNXProgram with an ExportedProgram, or assign the ExportedProgram to the "
            "ONNXProgram.exported_program attribute."
        )
    args, kwargs, wanted = expected(exported, args, kwargs)
    run = program.call_reference if backend == "reference" else program
    assert_close(tuple(run(*args, **kwargs)), tuple(wanted), rtol=rtol, atol=atol)
