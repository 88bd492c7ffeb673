"""``torch.onnx``: files of ONNX. The names are here; an export is refused when called."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from importlib import import_module
from typing import Any

from ..core.unavailable import COMPILER, offer, refusal
from . import errors
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


#: How an op is written as ONNX, by name and version, as libraries register it at import.
_symbolics: dict[tuple[str, int], Callable[..., Any]] = {}


def register_custom_op_symbolic(
    symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int
) -> None:
    """Keep how *symbolic_name* (``namespace::op``) would be written as ONNX."""
    if symbolic_name.count("::") != 1:
        raise errors.OnnxExporterError(
            f"Failed to register operator {symbolic_name}. The symbolic name must match the format "
            "domain::name, and should start with a letter and contain only alphanumerical "
            "characters"
        )
    _symbolics[symbolic_name, opset_version] = symbolic_fn


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Forget what :func:`register_custom_op_symbolic` kept."""
    _symbolics.pop((symbolic_name, opset_version), None)


offer(
    globals(),
    COMPILER,
    "export select_model_mode_for_export",
    "ExportableModule InputObserver JitScalarType ONNXProgram",
    "ExportableModule InputObserver ONNXProgram export",
)


def __getattr__(name: str) -> Any:
    modules = ("operators", "ops", "symbolic_helper", "testing", "utils", "verification")
    if name in modules or re.fullmatch(r"symbolic_opset(7|8|9|1\d|20)", name):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'torch.onnx' has no attribute '{name}'")


def _refusing(module: str) -> Callable[[str], Any]:
    """What finds the functions of the *module* of one version of ONNX's ops: each refuses."""
    space = module.replace("mindtorch", "torch", 1)

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module '{space}' has no attribute '{name}'")
        return refusal(f"{space}.{name}", COMPILER)

    return __getattr__


def __dir__() -> list[str]:
    return sorted(__all__)
