"""``torch.onnx._internal.torchscript_exporter.registration``: translations by users."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import OnnxExporterError

__all__ = ["register_custom_op_symbolic", "symbolics", "unregister_custom_op_symbolic"]

#: How an op is written as ONNX, by name (``namespace::op``) and version.
symbolics: dict[tuple[str, int], Callable[..., Any]] = {}


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int
) -> None:
    """Let *symbolic_fn* translate the operators ``namespace::op``, from *opset_version* on."""
    if symbolic_name.count("::") != 1:
        raise OnnxExporterError(
            f"Failed to register operator {symbolic_name}. The symbolic name must match the format "
            "domain::name, and should start with a letter and contain only alphanumerical "
            "characters"
        )
    symbolics[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Forget what :func:`register_custom_op_symbolic` has registered."""
    symbolics.pop((symbolic_name, opset_version), None)
