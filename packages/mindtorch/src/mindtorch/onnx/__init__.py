"""``torch.onnx``: models as files of ONNX.

What needs the package ``onnx`` is loaded when it is asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.unavailable import COMPILER, offer, refusal
from ..nn import Module
from . import errors
from ._internal.exporter._flags import is_onnx_exporting
from ._internal.torchscript_exporter.registration import (
    register_custom_op_symbolic,
    unregister_custom_op_symbolic,
)
from .errors import OnnxExporterError

if TYPE_CHECKING:
    from ._internal.exporter._onnx_program import ONNXProgram

__all__ = ["ONNXProgram", "OnnxExporterError", "errors", "export", "is_in_onnx_export", "ops"]

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
    """Whether this thread draws a model for a file of ONNX."""
    return is_onnx_exporting()


def export(
    model: Any,
    args: tuple[Any, ...] = (),
    f: str | os.PathLike[str] | None = None,
    *,
    kwargs: dict[str, Any] | None = None,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    dynamo: bool = True,
    external_data: bool = True,
    dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None = None,
    custom_translation_table: dict[Callable[..., Any], Callable[..., Any]] | None = None,
    report: bool = False,
    optimize: bool = True,
    verify: bool = False,
    profile: bool = False,
    dump_exported_program: bool = False,
    artifacts_dir: str | os.PathLike[str] = ".",
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: Mapping[str, Mapping[int, str]] | Mapping[str, Sequence[int]] | None = None,
    training: TrainingMode = TrainingMode.EVAL,
    operator_export_type: OperatorExportTypes = OperatorExportTypes.ONNX,
    do_constant_folding: bool = True,
    custom_opsets: Mapping[str, int] | None = None,
    export_modules_as_functions: bool | Collection[type[Module]] = False,
    autograd_inlining: bool = True,
) -> ONNXProgram | None:
    """Translate a model into ONNX: the program that a call of it comes to, its weights with it.

    The package ``onnx`` is needed: ``pip install mindtorch[onnx]``.

    :param model: a module, or a program of ``torch.export.export``.
    :param args: the arguments of the call, whose sizes and dtypes the model has; *kwargs* are
        those by keyword.
    :param f: where the model is written; None for nowhere.
    :param verbose: say what is done; None is yes.
    :param input_names: names for the first inputs, *output_names* for the first outputs. By default
        they are called after the parameters of ``forward`` and after the operators.
    :param opset_version: the version of ONNX's operators: 20 by default.
    :param dynamo: how torch draws the model. Without it, nothing is returned, the model is put into
        the mode that *training* says, and weights may be named by further *input_names*.
    :param external_data: write weights into a file beside *f*, ``NAME.data``.
    :param dynamic_shapes: sizes that vary, as ``torch.export.export`` has them; *dynamic_axes* by
        the names of inputs.
    :param custom_translation_table: functions of onnxscript by operator.
    :param report: write how it went into a file of *artifacts_dir*.
    :param optimize: let equal constants be one.
    :param verify: run the model and compare its results.
    :param export_params: write weights.
    :param keep_initializers_as_inputs: let weights be inputs, too.
    :param custom_opsets: versions of domains that *custom_translation_table* uses.

    Raises ModuleNotFoundError without the package, OnnxExporterError where a model cannot be drawn
    or has an operator without a translation, which it names, and NotImplementedError for what
    ``torch.export.export`` does not do.
    """
    common: dict[str, Any] = {
        "kwargs": kwargs,
        "export_params": export_params,
        "input_names": input_names,
        "output_names": output_names,
        "opset_version": opset_version,
        "dynamic_axes": dynamic_axes,
        "keep_initializers_as_inputs": keep_initializers_as_inputs,
        "custom_opsets": custom_opsets,
    }
    if not dynamo:
        older = import_module("._internal.torchscript_exporter.utils", __name__)
        older.export(
            model, args, f, training=training, do_constant_folding=do_constant_folding, **common
        )
        return None
    compat = import_module("._internal.exporter._compat", __name__)
    made: ONNXProgram = compat.export_compat(
        model,
        args,
        f,
        verbose=verbose,
        custom_translation_table=custom_translation_table,
        dynamic_shapes=dynamic_shapes,
        external_data=external_data,
        report=report,
        optimize=optimize,
        verify=verify,
        profile=profile,
        dump_exported_program=dump_exported_program,
        artifacts_dir=artifacts_dir,
        **common,
    )
    return made


offer(
    globals(),
    COMPILER,
    "",
    "ExportableModule InputObserver JitScalarType",
    "ExportableModule InputObserver",
)


#: Where what needs the package ``onnx`` is defined.
_HOMES = {
    "ONNXProgram": "._internal.exporter._onnx_program",
    "select_model_mode_for_export": "._internal.torchscript_exporter.utils",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    modules = (
        "_internal",
        "operators",
        "ops",
        "symbolic_helper",
        "testing",
        "utils",
        "verification",
    )
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
