"""``torch.onnx._internal.exporter._errors``: what goes wrong, by the step of an export."""

from __future__ import annotations

from ...errors import OnnxExporterError

__all__ = ["ConversionError", "DispatchError", "GraphConstructionError", "TorchExportError"]


class TorchExportError(OnnxExporterError):
    """A model could not be drawn as a graph."""


class ConversionError(OnnxExporterError):
    """A graph could not be translated."""


class DispatchError(ConversionError):
    """There is no translation for an operator, or not for its arguments."""


class GraphConstructionError(ConversionError):
    """A node of ONNX could not be made."""
