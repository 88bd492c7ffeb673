"""``torch.onnx``: files of ONNX. The names are here; an export is refused when called."""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from typing import Any

from .._unavailable import COMPILER, offer
from .errors import OnnxExporterError

__all__ = ["OnnxExporterError", "errors", "is_in_onnx_export", "ops"]

producer_name = "pytorch"


class OperatorExportTypes(Enum):
    """What becomes of ops that ONNX lacks."""

    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


class TrainingMode(Enum):
    """Which mode a model is exported in."""

    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


def is_in_onnx_export() -> bool:
    """False: nothing is exported here."""
    return False


offer(
    globals(),
    COMPILER,
    "export register_custom_op_symbolic select_model_mode_for_export unregister_custom_op_symbolic",
    "ExportableModule InputObserver JitScalarType ONNXProgram",
    "ExportableModule InputObserver ONNXProgram export",
)


def __getattr__(name: str) -> Any:
    if name in ("ops", "symbolic_helper", "utils", "verification"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.onnx' has no attribute '{name}'")
