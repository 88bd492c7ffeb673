"""``torch.onnx.testing``: assertions about models."""

from __future__ import annotations

from typing import Any

from ..testing import assert_close
from ..utils._pytree import tree_leaves
from ._internal.exporter._onnx_program import ONNXProgram

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
    exported = program.exported_program
    if exported is None:
        raise ValueError(
            "The ONNXProgram does not contain an exported_program. Please provide an "
            "exported_program to verify the ONNXProgram."
        )
    if args is None and kwargs is None:
        if exported.example_inputs is None:
            raise ValueError(
                "No example inputs provided and the exported_program does not have any"
            )
        args, kwargs = exported.example_inputs
    args, kwargs = args or (), kwargs or {}
    wanted = [v for v in tree_leaves(exported.module()(*args, **kwargs)) if v is not None]
    run = program.call_reference if backend == "reference" else program
    assert_close(tuple(run(*args, **kwargs)), tuple(wanted), rtol=rtol, atol=atol)
