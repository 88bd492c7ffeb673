"""``torch.onnx._internal.torchscript_exporter.utils``: ``torch.onnx.export(dynamo=False)``.

torch records the call as TorchScript. Here it is the same graph and the same translations as with
``dynamo=True``; what differs is what its callers see: names, files, the mode of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ....export import export as export_program
from ....export.exported_program import ExportedProgram
from ....jit._script import RecursiveScriptModule
from ...errors import UnsupportedOperatorError
from ..exporter._compat import arguments
from ..exporter._core import translated
from ..exporter._decomp import create_onnx_friendly_decomposition_table
from ..exporter._dynamic_shapes import from_axes, name_inputs, name_outputs
from ..exporter._errors import ConversionError, DispatchError
from ..exporter._flags import exporting
from ..exporter._graph import Graph, rename
from ..exporter._onnx_program import ONNXProgram
from ..exporter._registration import translation_of
from ..exporter._scripting import Symbolic
from ..exporter._versions import DEFAULT_VERSION, ir_version_of, version_to_build
from .registration import (
    register_custom_op_symbolic,
    symbolics,
    unregister_custom_op_symbolic,
)

__all__ = [
    "export",
    "register_custom_op_symbolic",
    "select_model_mode_for_export",
    "unregister_custom_op_symbolic",
]

#: The versions that torch takes.
_KNOWN = range(1, 24)


@contextmanager
def select_model_mode_for_export(model: Any, mode: Any) -> Iterator[None]:
    """Inside, *model* is in the mode that a ``TrainingMode`` names; behind it, in its own."""
    before = {m: m.training for m in model.modules()}
    if mode.name != "PRESERVE":
        model.train(mode.name == "TRAINING")
    try:
        yield
    finally:
        for module, training in before.items():
            module.training = training


def export(
    model: Any,
    args: Any,
    f: Any,
    *,
    kwargs: dict[str, Any] | None = None,
    export_params: bool = True,
    verbose: bool | None = False,
    training: Any,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    do_constant_folding: bool = True,
    dynamic_axes: Mapping[str, Any] | None = None,
    keep_initializers_as_inputs: bool = False,
    custom_opsets: Mapping[str, int] | None = None,
) -> None:
    """Write the translation of *model* to *f*.

    Raises RuntimeError for more names than there are inputs or outputs and for versions that torch
    does not know, UnsupportedOperatorError for an operator without a translation.
    """
    args, kwargs = arguments(args, kwargs)
    version = DEFAULT_VERSION if opset_version is None else opset_version
    with select_model_mode_for_export(model, training), exporting():
        model, shapes = _plain(model), None
        if dynamic_axes:
            shapes = from_axes(model, args, kwargs, dynamic_axes, input_names)
        program = export_program(model, args, kwargs, dynamic_shapes=shapes)
    if version not in _KNOWN:
        raise RuntimeError(f"Unsupported onnx_opset_version: {version}")
    custom = _custom(program, version)
    table = create_onnx_friendly_decomposition_table(custom)
    build = version_to_build(version)
    try:
        graph = translated(program.run_decompositions(table), build, custom, custom_opsets)
    except ConversionError as error:
        raise _reason(error, program, version) from error
    if do_constant_folding:
        graph.merge_constants()
    graph.wanted_version = min(version, build)
    graph.ir_version = ir_version_of(version)
    _name(graph, input_names, output_names)
    name_inputs(graph, dynamic_axes or {})
    name_outputs(graph, dynamic_axes or {})
    if f is None:
        raise AttributeError("'NoneType' object has no attribute 'flush'")
    ONNXProgram(graph, program).save(
        f,
        include_initializers=export_params,
        keep_initializers_as_inputs=keep_initializers_as_inputs or not export_params,
    )


def _plain(model: Any) -> Any:
    """A module that can be drawn: what a traced one runs."""
    return model._original() if isinstance(model, RecursiveScriptModule) else model


def _custom(program: ExportedProgram, version: int) -> dict[Any, Symbolic]:
    """The translations that users have registered, the newest up to *version*, by operator."""
    known = {}
    for (name, since), function in sorted(symbolics.items(), key=lambda item: item[0][1]):
        if since <= version:
            known[name] = Symbolic(function)
    schemas = {n.target: getattr(n.target, "_schema", None) for n in program.graph.nodes}
    return {op: known[s.name] for op, s in schemas.items() if s is not None and s.name in known}


def _reason(error: BaseException, program: ExportedProgram, version: int) -> BaseException:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, DispatchError):
        cause = cause.__cause__
    for node in program.graph.nodes:
        target = node.target
        if cause is not None and node.op == "call_function" and hasattr(target, "_schema"):
            if translation_of(target) is None and repr(target) in str(cause):
                name = target._schema.name
                return UnsupportedOperatorError(name, version, None)
    return error if cause is None else cause


def _name(graph: Graph, inputs: Sequence[str] | None, outputs: Sequence[str] | None) -> None:
    """Name inputs, then weights, and outputs."""
    values = [*graph.inputs, *graph.initializers]
    for kind, names, own in (("input", inputs, values), ("output", outputs, graph.outputs)):
        if names is not None and len(names) > len(own):
            raise RuntimeError(
                f"number of {kind} names provided ({len(names)}) exceeded number of {kind}s "
                f"({len(own)})"
            )
        if names is not None:
            rename(own, names)
