"""``torch.export.unflatten``: a program as modules that call one another, as it was written."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from typing import Any

from ..core.unavailable import offer_listed
from ..fx import Graph, GraphModule, Interpreter
from ..nn import Module
from ..utils._pytree import TreeSpec, tree_flatten, tree_unflatten
from ._modules_of_program import ModulesOfProgram
from ._unlift import check_values, in_order
from .exported_program import ExportedProgram

__all__ = [
    "FlatArgsAdapter",
    "InterpreterModule",
    "InterpreterModuleDispatcher",  # noqa: F822  (below, and refuses)
    "UnflattenedModule",
    "unflatten",
]

_log = logging.getLogger(__name__)


class _SubmoduleBase(Module):
    """A module that knows the class of the one that it stands for."""

    #: The graph as code: there is none until the graph is complete.
    graph_module: GraphModule

    def __init__(self, graph: Graph, ty: str | None) -> None:
        super().__init__()
        self.graph = graph
        self._ty = ty
        graph.owning_module = self

    def type_name(self) -> str | None:
        """The name of the class of the module that was exported."""
        return self._ty

    def finalize(self) -> None:
        """Make code of the graph, which is complete now."""
        self.__dict__["graph_module"] = GraphModule(self, self.graph)
        self.graph.lint()

    def print_readable(
        self,
        print_output: bool = True,
        include_stride: bool = False,
        include_device: bool = False,
        colored: bool = False,
    ) -> str:
        """The code of the graph with sizes and dtypes."""
        made: str = self.graph_module.print_readable(
            print_output, include_stride, include_device, colored
        )
        return made


class InterpreterModule(_SubmoduleBase):
    """A part of a program that was a module: runs its graph node by node."""

    def __init__(self, graph: Graph, ty: str | None = None) -> None:
        super().__init__(graph, ty)
        self.arg_names: list[Any] = []

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph; arguments by keyword are those of the graph's names."""
        if "graph_module" not in vars(self):
            raise AssertionError("Didn't finalize this InterpreterModule")
        named = self.arg_names[len(args) :] if kwargs else []
        given = (*args, *(kwargs[name] for name in named if name in kwargs))
        if kwargs and len(named) != len(kwargs):
            raise AssertionError(
                f"kwarg_names length {len(named)} does not match kwargs length {len(kwargs)}"
            )
        return Interpreter(self, graph=self.graph).run(*given, enable_io_processing=False)

    def finalize(self) -> None:
        """Make code of the graph, which is complete now."""
        super().finalize()
        self.arg_names = [node.target for node in self.graph.nodes if node.op == "placeholder"]


class FlatArgsAdapter(ABC):
    """Makes of arguments that are nested otherwise those that a program takes."""

    @abstractmethod
    def adapt(
        self,
        target_spec: TreeSpec,
        input_spec: TreeSpec,
        input_args: list[Any],
        metadata: dict[str, Any] | None = None,
        obj: Any = None,
    ) -> list[Any]:
        """The leaves for *target_spec*, made of *input_args*, the leaves of *input_spec*.

        :param obj: the module that is called.
        """

    def get_flat_arg_paths(self) -> list[str]:
        """The paths of leaves that are looked at."""
        return []


class UnflattenedModule(_SubmoduleBase):
    """A program whose parts are modules of the names that they had: see :func:`unflatten`."""

    def __init__(
        self, export_module: ExportedProgram, flat_args_adapter: FlatArgsAdapter | None = None
    ) -> None:
        parts = ModulesOfProgram(export_module)
        super().__init__(Graph(), parts.type_of_root)
        self.graph_signature = parts.signature
        self.module_call_graph = list(export_module.module_call_graph)
        self.range_constraints = dict(export_module.range_constraints)
        self.equality_constraints: list[Any] = []
        self.flat_args_adapter = flat_args_adapter
        self.meta = dict(export_module.graph_module.meta)
        self.adapted = False
        parts.build(self, InterpreterModule)
        self.input_placeholders = [n for n in self.graph.nodes if n.op == "placeholder"]
        self.check_input_constraints = True
        for module in self.modules():
            if isinstance(module, InterpreterModule) and len(module.graph.nodes):
                module.finalize()
        self.finalize()

    def process_forward_inputs(self, *args: Any, **kwargs: Any) -> list[Any]:
        """The leaves of arguments. Raises ValueError, TypeError, RuntimeError for what is no call.

        Only arguments that are nested as in the exported call fit, unless an adapter makes them.
        """
        call = self.module_call_graph[0].signature
        assert call is not None
        kwargs = in_order(call.in_spec, kwargs)
        flat, in_spec = tree_flatten((args, kwargs))
        if in_spec != call.in_spec:
            _log.warning(
                "Input treespec does not match with exported module's: \n"
                "Input treespec: %s.  Exported module treespec: %s\n"
                "Adapting flat arg to match exported module's treespec",
                in_spec,
                call.in_spec,
            )
            if self.flat_args_adapter is None:
                raise TypeError(
                    "There is no flat args adapter specified. "
                    "Are you sure you are calling this with the right arguments? "
                )
            flat = self.flat_args_adapter.adapt(
                target_spec=call.in_spec,
                input_spec=in_spec,
                input_args=flat,
                metadata=self.meta,
                obj=self,
            )
            if len(flat) != call.in_spec.num_leaves:
                raise TypeError(
                    f"Flat args adaption failed, number of args mismatch Adapted: {len(flat)} \n"
                    f"Exported module: {call.in_spec.num_leaves}"
                )
            self.adapted = True
        if self.check_input_constraints:
            check_values(self.input_placeholders, call.in_spec, flat)
        return flat

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program."""
        flat = self.process_forward_inputs(*args, **kwargs)
        run = Interpreter(self, graph=self.graph).run(*flat, enable_io_processing=False)
        call = self.module_call_graph[0].signature
        assert call is not None
        return tree_unflatten(run, call.out_spec)


def unflatten(
    module: ExportedProgram, flat_args_adapter: FlatArgsAdapter | None = None
) -> UnflattenedModule:
    """A module of a program whose parts are modules again, with parameters of their own.

    Each is named as the one that it stands for; a part that was called twice with other results
    has a second module, ``name@1``.

    :param flat_args_adapter: lets the module be called with arguments that are nested otherwise.
    """
    return UnflattenedModule(module, flat_args_adapter)


_LISTED = list(__all__)  # in torch's order, with what the next line adds
offer_listed(globals())
__all__ = _LISTED
