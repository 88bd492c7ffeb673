"""``torch.export.exported_program``: a program as a graph, with the tensors that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, NamedTuple, NoReturn

from .._export.verifier import Verifier
from ..fx import Graph, GraphModule
from ..nn import Module, Parameter
from ..tensor import Tensor
from ..utils._pytree import TreeSpec
from ._decomposition import decomposed
from ._unlift import unlift
from .decomp_utils import CustomDecompTable
from .graph_signature import ExportGraphSignature

__all__ = ["ExportedProgram", "ModuleCallEntry", "ModuleCallSignature", "default_decompositions"]


@dataclass
class ModuleCallSignature:
    """How a module is called: its arguments and results as nodes, and how they are nested."""

    inputs: list[Any]
    outputs: list[Any]
    in_spec: TreeSpec
    out_spec: TreeSpec
    forward_arg_names: list[str] | None = None

    def replace_all_uses_with(self, original_node: Any, new_node: Any) -> None:
        """Let *new_node* stand for *original_node*."""
        for arg in (*self.inputs, *self.outputs):
            if arg.name == original_node.name:
                arg.name = new_node.name


@dataclass
class ModuleCallEntry:
    """A module of the program by its name; its signature where that is kept."""

    fqn: str
    signature: ModuleCallSignature | None = field(default=None)


class CallSpec(NamedTuple):
    """How arguments and results of a program are nested."""

    in_spec: TreeSpec | None
    out_spec: TreeSpec | None


class ExportedProgram:
    """A program as :func:`torch.export.export` has drawn it.

    Its graph takes parameters, buffers and constants as arguments, before the user's: which input
    is what, ``graph_signature`` says. It is no module: ``module()`` makes one.
    """

    def __init__(
        self,
        root: Module | dict[str, Any],
        graph: Graph,
        graph_signature: ExportGraphSignature,
        state_dict: dict[str, Any],
        range_constraints: dict[Any, Any],
        module_call_graph: list[ModuleCallEntry],
        example_inputs: tuple[tuple[Any, ...], dict[str, Any]] | None = None,
        constants: dict[str, Any] | None = None,
        *,
        verifiers: list[type[Verifier]] | None = None,
    ) -> None:
        if isinstance(root, Module):
            root = {**dict(root.named_children()), **dict(root.named_buffers(recurse=False))}
        self._graph_module = GraphModule(root, graph, "GraphModule")
        self._graph_signature = graph_signature
        self._state_dict = state_dict
        self._range_constraints = range_constraints
        self._module_call_graph = module_call_graph
        self._example_inputs = example_inputs
        self._constants = constants or {}
        self._verifiers = verifiers or [Verifier]
        #: What was assumed of the arguments' sizes, as code.
        self._guards_code: list[str] = []

    @property
    def graph_module(self) -> GraphModule:
        """The graph as a module, with parameters and buffers as arguments."""
        return self._graph_module

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph_module.graph

    @property
    def graph_signature(self) -> ExportGraphSignature:
        """What the inputs and outputs of the graph are."""
        return self._graph_signature

    @property
    def state_dict(self) -> dict[str, Any]:
        """Parameters and persistent buffers by name: those of the module that was exported."""
        return self._state_dict

    @property
    def constants(self) -> dict[str, Any]:
        """The other tensors that the program uses: buffers in no state dict among them."""
        return self._constants

    @property
    def tensor_constants(self) -> dict[str, Any]:
        """As :attr:`constants`."""
        return self._constants

    @property
    def range_constraints(self) -> dict[Any, Any]:
        """The ranges of sizes that are symbols, by their expressions."""
        return self._range_constraints

    @property
    def module_call_graph(self) -> list[ModuleCallEntry]:
        """The modules of the program, the whole of it first."""
        return self._module_call_graph

    @property
    def example_inputs(self) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """The arguments that it was exported with."""
        return self._example_inputs

    @example_inputs.setter
    def example_inputs(self, value: tuple[tuple[Any, ...], dict[str, Any]] | None) -> None:
        self._example_inputs = value

    @property
    def call_spec(self) -> CallSpec:
        """How arguments and results are nested."""
        if not self.module_call_graph:
            return CallSpec(None, None)
        signature = self.module_call_graph[0].signature
        assert signature is not None
        return CallSpec(signature.in_spec, signature.out_spec)

    @property
    def dialect(self) -> str:
        """Which operators the graph is made of."""
        return self.verifier.dialect

    @property
    def verifiers(self) -> list[type[Verifier]]:
        """Who checks the graph."""
        return self._verifiers

    @property
    def verifier(self) -> type[Verifier]:
        """The first of :attr:`verifiers`."""
        return self._verifiers[0]

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their names."""
        for name in self.graph_signature.parameters:
            yield name, self.state_dict[name]

    def parameters(self) -> Iterator[Parameter]:
        """The parameters."""
        for _, parameter in self.named_parameters():
            yield parameter

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their names."""
        hidden = set(self.graph_signature.non_persistent_buffers)
        for name in self.graph_signature.buffers:
            yield name, (self.constants if name in hidden else self.state_dict)[name]

    def buffers(self) -> Iterator[Tensor]:
        """The buffers."""
        for _, buffer in self.named_buffers():
            yield buffer

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise RuntimeError: :meth:`module` can be called."""
        raise RuntimeError(
            "Unable to call ExportedProgram directly. "
            "You should use `exported_program.module()` instead."
        )

    def __str__(self) -> str:
        code = self.graph_module.print_readable(print_output=False, colored=False)
        signature = str(self.graph_signature)
        return (
            "ExportedProgram:\n    "
            + code.replace("\n", "\n    ")
            + "\nGraph signature: "
            + signature.replace("\n", "\n    ")
            + f"\nRange constraints: {self.range_constraints}\n"
        )

    def module(self, check_guards: bool = True) -> GraphModule:
        """A module that is called as the exported one was; it shares its parameters and buffers.

        :param check_guards: raise AssertionError for arguments of other sizes and values than the
            program was exported with.
        """
        made = unlift(self, check_guards)

        def train(self: Any, mode: bool = True) -> NoReturn:
            raise NotImplementedError("Calling train() is not supported yet.")

        def evaluate(self: Any, mode: bool = True) -> NoReturn:
            raise NotImplementedError("Calling eval() is not supported yet.")

        vars(made).update(train=MethodType(train, made), eval=MethodType(evaluate, made))
        return made

    def validate(self) -> None:
        """Raise an error where the graph is not well-formed, or not what the signature says."""
        for verifier in self.verifiers:
            verifier().check(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> ExportedProgram:
        made = ExportedProgram(
            self.graph_module,
            deepcopy(self.graph, memo),
            deepcopy(self.graph_signature, memo),
            deepcopy(self.state_dict, memo),
            dict(self.range_constraints),
            deepcopy(self.module_call_graph, memo),
            deepcopy(self.example_inputs, memo),
            deepcopy(self.constants, memo),
            verifiers=list(self.verifiers),
        )
        made._guards_code = list(self._guards_code)
        return made

    def run_decompositions(
        self, decomp_table: dict[Any, Any] | None = None, decompose_custom_triton_ops: bool = False
    ) -> ExportedProgram:
        """The program in functional operators: what it changes becomes outputs.

        :param decomp_table: operator -> function that is called in its place. Composite operators
            that it lacks stay whole. By default it has all of them, and the functions of
            ``torch._decomp.decompositions``: fewer than torch has.
        :param decompose_custom_triton_ops: there are none.
        """
        table = default_decompositions() if decomp_table is None else decomp_table
        graph_module, signature, constants = decomposed(self, table)
        made = ExportedProgram(
            graph_module,
            graph_module.graph,
            signature,
            self.state_dict,
            dict(self.range_constraints),
            deepcopy(self.module_call_graph),
            self.example_inputs,
            constants,
            verifiers=[Verifier],
        )
        made._guards_code = list(self._guards_code)
        return made


def default_decompositions() -> CustomDecompTable:
    """The table that :meth:`ExportedProgram.run_decompositions` has by default."""
    return CustomDecompTable()
