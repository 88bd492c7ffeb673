"""``torch.onnx.errors``: what an export may raise, for programs that catch it."""

from __future__ import annotations

from typing import Any

__all__ = [
    "OnnxExporterWarning",
    "SymbolicValueError",
    "UnsupportedOperatorError",
]


class OnnxExporterWarning(UserWarning):
    """Something in an export is doubtful."""


class OnnxExporterError(RuntimeError):
    """An export failed."""


class UnsupportedOperatorError(OnnxExporterError):
    """An operator has no translation.

    :param name: with its namespace; *version* is that of ONNX's operators.
    :param supported_version: the first version that has it.
    """

    def __init__(self, name: str, version: int, supported_version: int | None) -> None:
        said = f"Exporting the operator '{name}' to ONNX opset version {version} is not supported"
        if supported_version is not None:
            said += (
                ". Support for this operator was added in version "
                f"{supported_version}, try exporting with this version"
            )
        elif name.partition("::")[0] not in ("aten", "prim", "quantized"):
            said = (
                f"ONNX export failed on an operator with unrecognized namespace {name}. If you are "
                "trying to export a custom operator, make sure you registered it with the right "
                "domain and version."
            )
        super().__init__(said)


class SymbolicValueError(OnnxExporterError):
    """A value of a graph cannot be exported."""

    def __init__(self, msg: str, value: Any) -> None:
        super().__init__(msg)
        self.value = value
