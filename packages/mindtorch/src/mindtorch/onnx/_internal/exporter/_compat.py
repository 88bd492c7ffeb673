"""``torch.onnx._internal.exporter._compat``: ``torch.onnx.export`` of modules and programs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ....export import export
from ....export.exported_program import ExportedProgram
from ....nn import Module
from ._core import translated
from ._decomp import create_onnx_friendly_decomposition_table
from ._dynamic_shapes import from_axes, name_inputs, name_sizes
from ._errors import ConversionError, TorchExportError
from ._flags import exporting
from ._graph import Graph, rename
from ._messages import FIRST, SECOND, THIRD, summary
from ._onnx_program import ONNXProgram
from ._verification import verify_onnx_program
from ._versions import DEFAULT_VERSION, version_to_build

__all__ = ["export_compat"]

_AXES = (
    "# 'dynamic_axes' is not recommended when dynamo=True, and may lead to "
    "'torch._dynamo.exc.UserError: Constraints violated.' Supply the 'dynamic_shapes' argument "
    "instead if export is unsuccessful."
)


class _Steps:
    """Says what an export is doing."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose

    def __call__(self, text: str, work: Callable[[], Any]) -> Any:
        self._say(f"[torch.onnx] {text}...")
        try:
            result = work()
        except Exception:
            self._say(f"[torch.onnx] {text}... ❌")
            raise
        self._say(f"[torch.onnx] {text}... ✅")
        return result

    def _say(self, text: str) -> None:
        if self.verbose:
            print(text)


def export_compat(
    model: Any,
    args: Any = (),
    f: Any = None,
    *,
    kwargs: dict[str, Any] | None = None,
    export_params: bool = True,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    custom_translation_table: Mapping[Any, Callable[..., Any]] | None = None,
    dynamic_axes: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    keep_initializers_as_inputs: bool = False,
    external_data: bool = True,
    report: bool = False,
    optimize: bool = True,
    verify: bool = False,
    profile: bool = False,
    dump_exported_program: bool = False,
    artifacts_dir: str | os.PathLike[str] = ".",
    custom_opsets: Mapping[str, int] | None = None,
) -> ONNXProgram:
    """The translation of *model*, written to *f* where that is given.

    The parameters are those of ``torch.onnx.export``.
    """
    if profile:
        import pyinstrument  # noqa: F401  (as in torch: who asks for profiles has it)
    step = _Steps(verbose is not False)
    program = model if isinstance(model, ExportedProgram) else None
    if program is None:
        args, kwargs = arguments(args, kwargs)
        if isinstance(model, Module) and model.training:
            warnings.warn(
                "Exporting a model while it is in training mode. Please ensure that this is "
                "intended, as it may lead to different behavior during inference. Calling "
                "model.eval() before export is recommended.",
                UserWarning,
                stacklevel=3,
            )
        if dynamic_axes is not None:
            warnings.warn(_AXES, UserWarning, stacklevel=3)
            dynamic_shapes = from_axes(model, args, kwargs, dynamic_axes, input_names)
        program = _captured(step, model, args, kwargs, dynamic_shapes)
    if dump_exported_program:
        from ....export import save

        save(program, _artifact(artifacts_dir, "onnx_export", ".pt2"))
    functional = _decomposed(step, program, custom_translation_table or {})
    version = DEFAULT_VERSION if opset_version is None else opset_version
    build = version_to_build(version)
    try:
        graph = step(
            "Translate the graph into ONNX",
            lambda: translated(functional, build, custom_translation_table, custom_opsets),
        )
    except Exception as error:
        if report:
            _write_report(artifacts_dir, "conversion", program, error)
        raise ConversionError(THIRD + summary(error)) from error
    if optimize:
        step("Optimize the ONNX graph", graph.merge_constants)
    graph.wanted_version = min(version, build)
    if program is not model:
        name_sizes(graph, model, args, kwargs or {}, dynamic_shapes)
    _rename(graph, input_names, output_names)
    name_inputs(graph, dynamic_axes or {})
    made = ONNXProgram(graph, program)
    made._capture_strategy = "TorchExportNonStrictStrategy"
    if report:
        _write_report(artifacts_dir, "success", program, None)
    if f is not None:
        made.save(
            f,
            include_initializers=export_params,
            keep_initializers_as_inputs=keep_initializers_as_inputs,
            external_data=external_data,
        )
    if verify:
        step("Run verification", lambda: verify_onnx_program(made, args or None, kwargs))
    return made


def arguments(args: Any, kwargs: dict[str, Any] | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """*args* as a tuple; a dictionary at its end are keywords."""
    if not isinstance(args, tuple):
        args = (args,)
    if args and isinstance(args[-1], dict) and not kwargs:
        return args[:-1], args[-1]
    return args, dict(kwargs or {})


def _captured(
    step: _Steps, model: Any, args: Any, kwargs: Any, dynamic_shapes: Any
) -> ExportedProgram:
    name = repr(model).split("\n")[0]
    name = f"{type(model).__name__}([...]" if isinstance(model, Module) else name
    text = f"Obtain model graph for `{name}` with `torch.export.export(..., strict=False)`"

    def draw() -> ExportedProgram:
        with exporting():
            return export(model, args, kwargs, dynamic_shapes=dynamic_shapes)

    try:
        found: ExportedProgram = step(text, draw)
    except Exception as error:
        if isinstance(error, NotImplementedError) and str(error).startswith("torch.export."):
            raise  # what mindtorch does not do
        raise TorchExportError(FIRST + summary(error)) from error
    return found


def _decomposed(step: _Steps, program: ExportedProgram, kept: Mapping[Any, Any]) -> ExportedProgram:
    table = create_onnx_friendly_decomposition_table(kept)
    try:
        found: ExportedProgram = step(
            "Run decompositions", lambda: program.run_decompositions(table)
        )
    except Exception as error:
        raise ConversionError(SECOND + summary(error)) from error
    return found


def _rename(graph: Graph, inputs: Sequence[str] | None, outputs: Sequence[str] | None) -> None:
    for kind, names, values in (
        ("Input", inputs, graph.inputs),
        ("Output", outputs, graph.outputs),
    ):
        if names is None:
            continue
        if len(set(names)) != len(names):
            raise ValueError(f"{kind} names cannot be duplicated: {list(names)}")
        for value, name in zip(values, names):
            graph.descriptions[name] = graph.descriptions.pop(value.name, {})
        rename(values, names)


def _artifact(folder: Any, name: str, ending: str) -> Path:
    stamp = datetime.now().strftime("%Y-%m-%d_%H-%M-%S-%f")
    return Path(folder) / f"{name}_{stamp}{ending}"


def _write_report(
    folder: Any, outcome: str, program: ExportedProgram, error: BaseException | None
) -> None:
    """Write how the export went to a file of Markdown."""
    path = _artifact(folder, "onnx_export", f"_{outcome}.md")
    lines = ["# PyTorch ONNX Conversion Report", ""]
    if error is not None:
        lines += ["## Error messages", "", "```pytb", f"{type(error).__name__}: {error}", "```", ""]
    lines += ["## Exported program", "", "```python", str(program), "```", ""]
    path.write_text("\n".join(lines), "utf-8")
