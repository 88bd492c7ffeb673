"""``torch.onnx.errors``: what an export may raise, for programs that catch it."""

from __future__ import annotations

__all__ = [
    "OnnxExporterError",
    "OnnxExporterWarning",
    "SymbolicValueError",
    "UnsupportedOperatorError",
]


class OnnxExporterWarning(UserWarning):
    """Something in an export is doubtful."""


class OnnxExporterError(RuntimeError):
    """An export failed."""


class UnsupportedOperatorError(OnnxExporterError):
    """ONNX has no such op."""


class SymbolicValueError(OnnxExporterError):
    """A value of a graph cannot be exported."""
