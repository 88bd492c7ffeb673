"""``torch.onnx._internal.exporter._verification``: a model against the program it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....aten import torch
from ....export.exported_program import ExportedProgram
from ....fx import Interpreter, Node
from ....tensor import Tensor
from ....utils._pytree import tree_leaves
from ._onnx_program import ONNXProgram

__all__ = ["VerificationInfo", "expected", "verify_onnx_program"]

Histogram = tuple[Tensor, Tensor]


@dataclass
class VerificationInfo:
    """How far a value of a model lies from the program's."""

    name: str
    max_abs_diff: float
    max_rel_diff: float
    abs_diff_hist: Histogram
    rel_diff_hist: Histogram
    expected_dtype: Any
    actual_dtype: Any

    @classmethod
    def from_tensors(cls, name: str, expected: Any, actual: Any) -> VerificationInfo:
        """The distance of two tensors, or of a number from a tensor."""
        wanted = torch.as_tensor(expected)
        got = torch.as_tensor(actual)
        a, b = wanted.detach().to(torch.float32), got.detach().to(torch.float32)
        apart = (a - b).abs()
        near = apart / (a.abs() + 1e-7)
        both = [float(d.max()) if d.numel() else 0.0 for d in (apart, near)]
        edges = torch.tensor([0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 1e6])
        counts = [torch.histogram(d.flatten(), bins=edges) for d in (apart, near)]
        hists = [(h.hist, h.bin_edges) for h in counts]
        return cls(name, both[0], both[1], hists[0], hists[1], wanted.dtype, got.dtype)

    def asdict(self) -> dict[str, Any]:
        """The fields as plain data."""
        return {
            "name": self.name,
            "max_abs_diff": self.max_abs_diff,
            "max_rel_diff": self.max_rel_diff,
            "abs_diff_hist": [t.tolist() for t in self.abs_diff_hist],
            "rel_diff_hist": [t.tolist() for t in self.rel_diff_hist],
            "expected_dtype": str(self.expected_dtype),
            "actual_dtype": str(self.actual_dtype),
        }


def expected(
    program: ExportedProgram, args: tuple[Any, ...] | None, kwargs: dict[str, Any] | None
) -> tuple[tuple[Any, ...], dict[str, Any], list[Any]]:
    """The arguments, by default those that *program* was exported with, and its results.

    Raises ValueError without arguments.
    """
    if args is None and kwargs is None:
        if program.example_inputs is None:
            raise ValueError(
                "No example inputs provided and the exported_program does not contain example "
                "inputs. Please provide arguments to verify the ONNX program."
            )
        args, kwargs = program.example_inputs
    args, kwargs = args or (), kwargs or {}
    wanted = [v for v in tree_leaves(program.module()(*args, **kwargs)) if v is not None]
    return args, kwargs, wanted


def verify_onnx_program(
    onnx_program: ONNXProgram,
    args: tuple[Any, ...] | None = None,
    kwargs: dict[str, Any] | None = None,
    compare_intermediates: bool = False,
) -> list[VerificationInfo]:
    """How far each output of the model lies from the program's.

    :param args: arguments; by default those that the program was exported with.
    :param compare_intermediates: compare values in the middle, too.

    Raises ValueError without a program or arguments.
    """
    program = onnx_program.exported_program
    if program is None:
        raise ValueError(
            "The ONNX program does not contain an exported_program. Please provide an "
            "exported_program to verify the ONNX program."
        )
    args, kwargs, wanted = expected(program, args, kwargs)
    got = onnx_program(*args, **kwargs)
    names = [v.name for v in onnx_program._graph.outputs]
    found = [VerificationInfo.from_tensors(*pair) for pair in zip(names, wanted, got, strict=True)]
    if compare_intermediates:
        found += _between(onnx_program, program, args, kwargs)
    return found


class _Values(Interpreter):
    """Runs a program and keeps what each node gives."""

    def __init__(self, module: Any) -> None:
        super().__init__(module)
        self.values: dict[str, Any] = {}

    def run_node(self, n: Node) -> Any:
        """Run one node."""
        self.values[n.name] = result = super().run_node(n)
        return result


def _between(
    onnx_program: ONNXProgram, program: ExportedProgram, args: Any, kwargs: Any
) -> list[VerificationInfo]:
    inputs = []
    users = iter(tree_leaves((args, kwargs)))
    for spec in program.graph_signature.input_specs:
        if spec.target is None:
            inputs.append(next(users))
        else:
            held = program.state_dict if spec.target in program.state_dict else program.constants
            inputs.append(held[spec.target])
    values = _Values(program.graph_module)
    values.run(*inputs)
    names = [v.name for node in onnx_program._graph.nodes for v in node.outputs]
    shared = [n for n in names if isinstance(values.values.get(n), Tensor)]
    got = onnx_program.compute_values(shared, args, kwargs)
    pairs = zip(shared, got, strict=True)
    return [VerificationInfo.from_tensors(n, values.values[n], value) for n, value in pairs]
