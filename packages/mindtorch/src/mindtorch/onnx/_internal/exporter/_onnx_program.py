"""``torch.onnx._internal.exporter._onnx_program``: a model, with the program it is made of."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from ....aten import torch
from ....export.exported_program import ExportedProgram
from ....tensor import Tensor
from ....utils._pytree import tree_leaves
from ...errors import OnnxExporterWarning
from ._building import numpy_type
from ._graph import Graph

__all__ = ["ONNXProgram"]

#: Weights of at least this many bytes go into a file of their own, where there is one.
_EXTERNAL = 256
#: What a message of protobuf holds.
_LARGEST = 2**31 - 1


def _ort_session_initializer(model: str | bytes) -> Any:
    """Who runs a *model*: onnxruntime, or ONNX's own reference where that is not installed."""
    try:
        import onnxruntime
    except ModuleNotFoundError:
        from onnx.reference import ReferenceEvaluator

        return ReferenceEvaluator(onnx.load(model) if isinstance(model, str) else _parsed(model))
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def _parsed(data: bytes) -> Any:
    return onnx.load_model_from_string(data)


class ONNXProgram:
    """A model of ONNX. Calling it runs it, on onnxruntime or ONNX's reference implementation.

    :param model: its graph.
    :param exported_program: what it is a translation of.
    """

    def __init__(self, model: Graph, exported_program: ExportedProgram | None) -> None:
        self._graph = model
        self._ir_model: Any = None
        self.exported_program = exported_program
        self._inference_session: Any = None
        self._capture_strategy: str | None = None

    def __repr__(self) -> str:
        text = onnx.printer.to_text(self._proto(include_initializers=False))
        model = "\n".join(" " * 8 + line for line in text.splitlines())
        program = "\n".join(" " * 8 + line for line in str(self.exported_program).splitlines())
        return f"ONNXProgram(\n    model=\n{model}\n    ,\n    exported_program=\n{program}\n)"

    @property
    def model(self) -> Any:
        """The model as the package ``onnx_ir`` has it; changes of it count from then on."""
        if self._ir_model is None:
            import onnx_ir

            self._ir_model = onnx_ir.from_proto(self._proto())
        return self._ir_model

    @model.setter
    def model(self, value: Any) -> None:
        self._ir_model = value

    @property
    def model_proto(self) -> Any:
        """The model as ONNX's message."""
        return self._proto()

    def _proto(self, **how: bool) -> Any:
        if self._ir_model is None:
            return self._graph.proto(**how)
        import onnx_ir

        made = onnx_ir.to_proto(self._ir_model)
        if not how.get("include_initializers", True):
            del made.graph.initializer[:]
        return made

    # Running --------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
        """The results for arguments that are those of the model that was exported."""
        if self._inference_session is None:
            self.initialize_inference_session()
        feeds = self._feeds(args, kwargs)
        return _tensors(self._inference_session.run(None, feeds))

    def call_reference(self, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
        """The results by ONNX's reference implementation."""
        return self._by_reference(self._proto(), args, kwargs)

    def compute_values(
        self, value_names: Sequence[str], args: Any = (), kwargs: Any = None
    ) -> tuple[Tensor, ...]:
        """Values in the middle of the model, by their names. Raises ValueError for another name."""
        model = self._proto()
        shown = {v.name: v for node in self._graph.nodes for v in node.outputs}
        shown |= {v.name: v for v in (*self._graph.inputs, *self._graph.initializers)}
        del model.graph.output[:]
        for name in value_names:
            if name not in shown:
                raise ValueError(
                    f"Value '{name}' not found in the model. Please provide a valid value name."
                )
            model.graph.output.append(self._graph.info(shown[name]))
        return self._by_reference(model, args, kwargs or {})

    def _by_reference(self, model: Any, args: Any, kwargs: Any) -> tuple[Tensor, ...]:
        from onnx.reference import ReferenceEvaluator

        return _tensors(ReferenceEvaluator(model).run(None, self._feeds(args, kwargs)))

    def _feeds(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """The arrays of the model's inputs by name."""
        inputs = self._graph.inputs
        given = [v for v in tree_leaves((args, kwargs)) if v is not None]
        if len(given) != len(inputs):  # numbers are a part of the model
            given = [v for v in given if isinstance(v, Tensor)]
        return {
            v.name: array_of(leaf) if isinstance(leaf, Tensor) else np.asarray(leaf)
            for v, leaf in zip(inputs, given)
        }

    def initialize_inference_session(
        self, initializer: Callable[[Any], Any] = _ort_session_initializer
    ) -> None:
        """Make ready who runs the model; *initializer* makes one of a path or of bytes."""
        self._inference_session = initializer(self._proto().SerializeToString())

    def release(self) -> None:
        """Give back what :meth:`initialize_inference_session` has made."""
        self._inference_session = None

    # Changing -------------------------------------------------------------------------------------

    def optimize(self) -> None:
        """Drop what nothing needs, and let equal constants be one."""
        if self._ir_model is None:
            self._graph.remove_unused()
            self._graph.merge_constants()

    def apply_weights(self, state_dict: Mapping[str, Tensor]) -> None:
        """Take other numbers for weights, by name; warn of names that the model does not have."""
        values = {v.name: v for v in self._graph.initializers}
        for name, tensor in state_dict.items():
            if name not in values:
                warnings.warn(
                    f"Weight '{name}' not found in the model. Skipped applying.",
                    category=OnnxExporterWarning,
                    stacklevel=1,
                )
                continue
            self._graph.tensors[values[name]] = tensor
            if self._ir_model is not None:
                import onnx_ir

                proto = self._graph.tensor_proto(values[name])
                held = self._ir_model.graph.initializers[name]
                held.const_value = onnx_ir.from_proto(proto)

    def rename_axes(self, rename_mapping: Mapping[Any, str]) -> None:
        """Give sizes that vary other names."""
        symbols = self._graph.symbols
        shown = {name: symbol for symbol, name in symbols.items()}
        for old, new in rename_mapping.items():
            symbols[shown.get(str(old), str(old))] = new

    # Files ----------------------------------------------------------------------------------------

    def save(
        self,
        destination: str | os.PathLike[str] | Any,
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool = False,
        external_data: bool | None = None,
    ) -> None:
        """Write the model to a file.

        :param destination: a path, or an object with ``write``.
        :param include_initializers: write weights, too.
        :param keep_initializers_as_inputs: let weights be inputs as well.
        :param external_data: put weights into a file beside it, ``NAME.data``; None, where the
            model is too large for one.
        """
        made = self._proto(
            include_initializers=include_initializers,
            keep_initializers_as_inputs=keep_initializers_as_inputs,
        )
        if hasattr(destination, "write"):
            destination.write(made.SerializeToString())
            return
        path = Path(destination)
        if external_data or (external_data is None and _bytes_of(made) > _LARGEST):
            _split(made, path)
        path.write_bytes(made.SerializeToString())


def _bytes_of(model: Any) -> int:
    return sum(len(t.raw_data) for t in model.graph.initializer)


def _split(model: Any, path: Path) -> None:
    """Move large weights of *model* into the file beside *path*."""
    place = f"{path.name}.data"
    with open(path.with_name(place), "wb") as data:
        for tensor in model.graph.initializer:
            if len(tensor.raw_data) < _EXTERNAL:
                continue
            offset = data.tell()
            data.write(tensor.raw_data)
            said = {"location": place, "offset": offset, "length": len(tensor.raw_data)}
            tensor.data_location = onnx.TensorProto.EXTERNAL
            tensor.ClearField("raw_data")
            for key, value in said.items():
                tensor.external_data.add(key=key, value=str(value))


def array_of(tensor: Tensor) -> Any:
    """The elements of *tensor* as an ndarray."""
    whole = tensor.detach().cpu().contiguous()
    if whole.dtype.name == "bfloat16" or whole.dtype.name.startswith("float8"):
        bits = torch.int16 if whole.dtype.itemsize == 2 else torch.uint8
        return whole.view(bits).numpy().view(numpy_type(whole.dtype))
    return whole.numpy()


def _tensors(arrays: Sequence[Any]) -> tuple[Tensor, ...]:
    return tuple(_tensor(np.asarray(a)) for a in arrays)


def _tensor(array: Any) -> Tensor:
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(np.array(array))
