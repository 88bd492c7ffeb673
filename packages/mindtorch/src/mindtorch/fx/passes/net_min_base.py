"""Which nodes of a module are to blame, where two ways to run it give different results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

from .._compatibility import compatibility
from ..graph_module import GraphModule
from ..node import Node, map_arg
from ._minimizer_searches import MinimizerSearches
from .shape_prop import ShapeProp
from .split_utils import split_by_tags
from .splitter_base import generate_inputs_for_submodules
from .tools_common import (
    CALLABLE_NODE_OPS,
    FxNetAccFusionsFinder,
    NodeList,
    NodeSet,
    TensorOrTensors,
    Tensors,
)

__all__ = [
    "FxNetMinimizerBadModuleError", "FxNetMinimizerResultMismatchError",
    "FxNetMinimizerRunFuncError",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
class FxNetMinimizerBadModuleError(Exception):
    """The nodes in question cannot be made a submodule."""


@compatibility(is_backward_compatible=False)
class FxNetMinimizerRunFuncError(Exception):
    """One of the ways to run a submodule raised."""


@compatibility(is_backward_compatible=False)
class FxNetMinimizerResultMismatchError(Exception):
    """The results of a submodule differ."""


_BLAME = (FxNetMinimizerRunFuncError, FxNetMinimizerResultMismatchError)


@dataclass
class _MinimizerSettingBase:
    """How to search.

    :param accumulate_error: the second way gets its own results as inputs, not those of the first.
    :param traverse_method: sequential, binary, accumulate, block, skip or defined.
    :param find_all: go on after the first node that is to blame.
    :param return_intermediate: ``run_nodes`` compares the results of all nodes.
    :param all_outputs: compare all results of a submodule, not that of its last node.
    """

    accumulate_error: bool = False
    traverse_method: str = "sequential"
    find_all: bool = False
    return_intermediate: bool = False
    all_outputs: bool = False

    def __str__(self) -> str:
        lines = [f"\t{each.name}: {getattr(self, each.name)}\n" for each in fields(self)]
        return "FX Minimizer Settings:\n" + "".join(lines)


class _MinimizerBase(MinimizerSearches):
    """Cuts nodes out of a module, runs them in two ways and compares the results.

    Override ``run_a`` and ``run_b``.

    :param compare_fn: called with both results and the names of the nodes; gives a number that
        says how far they differ, and whether that is all right.
    :param module_exporter: called with the inputs, the submodule and a name where they differ.
    :param exclusion_fn: takes nodes out of the list that it is called with.
    """

    def __init__(
        self,
        module: GraphModule,
        sample_input: Tensors,
        compare_fn: Callable[[TensorOrTensors, TensorOrTensors, list[str]], tuple[float, bool]],
        settings: _MinimizerSettingBase,
        module_exporter: Callable[[Tensors, GraphModule, str], None] | None = None,
        exclusion_fn: Callable[[NodeList, int, int], None] | None = None,
    ) -> None:
        if not isinstance(module, GraphModule):
            raise AssertionError(f"Expected GraphModule, got {type(module)}")
        self.module, self.sample_input = module, sample_input
        self.compare_fn, self.module_exporter = compare_fn, module_exporter
        self.settings, self.exclusion_fn = settings, exclusion_fn
        #: What both ways gave, by the names of the nodes.
        self.a_outputs: dict[str, Any] = {}
        self.b_outputs: dict[str, Any] = {}
        #: How far they differed, by the names of the nodes.
        self.results: dict[Any, Any] = {}
        self.reports: list[list[str]] = []
        self.iteration = 0
        calls = {node for node in module.graph.nodes if node.op in CALLABLE_NODE_OPS}
        self.run_shape_prop()
        self.fusions = FxNetAccFusionsFinder(module, calls)()
        inputs = [node.name for node in module.graph.nodes if node.op == "placeholder"]
        if len(inputs) != len(sample_input):
            raise AssertionError(
                f"Placeholder count ({len(inputs)}) does not match sample_input count "
                f"({len(sample_input)})"
            )
        for outputs in (self.a_outputs, self.b_outputs):
            outputs.update(zip(inputs, sample_input, strict=True))

    def run_shape_prop(self) -> None:
        """Note the shapes of all results."""
        ShapeProp(self.module).propagate(*self.sample_input)

    def run_a(self, mod: GraphModule, inputs: Tensors, report_idx: int = -1) -> TensorOrTensors:
        """The result of *mod* in the first way; to be overridden."""
        raise RuntimeError("run_a() is not implemented.")

    def run_b(self, mod: GraphModule, inputs: Tensors, report_idx: int = -1) -> TensorOrTensors:
        """The result of *mod* in the second way; to be overridden."""
        raise RuntimeError("run_b() is not implemented.")

    # One submodule ------------------------------------------------------------------------------

    def _store_outputs(
        self, a_result: TensorOrTensors, b_result: TensorOrTensors, submodule: GraphModule
    ) -> None:
        """Keep results, as inputs of the nodes that come after."""
        returned: Any = submodule.graph.output_node().args[0]
        for outputs, result in ((self.a_outputs, a_result), (self.b_outputs, b_result)):
            if isinstance(returned, Node):
                outputs[returned.name] = result
            else:
                outputs.update((node.name, result[i]) for i, node in enumerate(returned))

    def _get_submod_inputs(self, main_module: GraphModule, submod_path: str) -> tuple[Any, Any]:
        """What the submodule gets in each way: what was kept, else what a run gives it."""
        submodule: Any = getattr(main_module, submod_path)
        names = [node.name for node in submodule.graph.nodes if node.op == "placeholder"]
        if set(names) <= self.a_outputs.keys():
            second = self.b_outputs if self.settings.accumulate_error else self.a_outputs
            return [self.a_outputs[name] for name in names], [second[name] for name in names]
        if self.settings.accumulate_error:
            print(f"Can't find previous stored outputs named {names}!")
        given = generate_inputs_for_submodules(main_module, self.sample_input, [submod_path])
        return given[submod_path], given[submod_path]

    def _tag_nodes(self, selected_nodes: NodeSet) -> None:
        """Tag the nodes with ``minimize``, those after them with ``main_1``, others ``main_0``."""
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS:
                before = {getattr(arg, "tag", "main_0") for arg in node.all_input_nodes}
                node.tag = "main_0" if before <= {"main_0"} else "main_1"
                if node in selected_nodes:
                    node.tag = "minimize"

    def _build_submodule(self, nodes: NodeSet) -> tuple[GraphModule, str]:
        """The module with *nodes* as a submodule, and its name. Raises an error of this module."""
        self._tag_nodes(nodes)
        made: GraphModule = split_by_tags(self.module, ["main_0", "minimize", "main_1"])
        found = [name for name, _ in made.named_children() if "minimize" in name]
        if not found:
            raise FxNetMinimizerBadModuleError(
                f"Minimize submodule was not found with nodes {nodes}"
            )
        if len(found) > 1:
            raise FxNetMinimizerBadModuleError(
                f"Expected only one minimize submodule with nodes {nodes}"
            )
        return made, found[0]

    def _run_and_compare(
        self,
        split_module: GraphModule,
        submod_name: str,
        output_names: list[str],
        report_idx: int = -1,
    ) -> None:
        """Run a submodule in both ways and compare what nodes give. Raises an error of blame."""
        submodule: Any = getattr(split_module, submod_name)
        a_input, b_input = self._get_submod_inputs(split_module, submod_name)
        if not self.reports:
            self.reports, self.iteration = [[]], 1
        number = self.iteration - 1 if report_idx < 0 else report_idx
        report = self.reports[number]
        report.append("Run and compare ...")
        if output_names and not self.settings.all_outputs:
            _return(submodule, output_names)
        key: Any = map_arg(submodule.graph.output_node().args, lambda node: node.name)
        try:
            results = (
                self.run_a(submodule, a_input, report_idx),
                self.run_b(submodule, b_input, report_idx),
            )
            self._store_outputs(*results, submodule)
        except Exception as e:
            said = f"Exception raised when running {submod_name}: {e}"
            report.append(said)
            raise FxNetMinimizerRunFuncError(said) from e
        names = output_names if output_names is not None else [str(each) for each in key]
        distance, fine = self.compare_fn(*results, names)
        self.results[key] = distance
        report.append(f"Numerical accuracy = {distance}")
        if fine:
            return
        said = f"Result mismatch for {key}"
        report.append(said)
        if self.module_exporter:
            name = key[-1] if isinstance(key[-1], str) else key[-1][0]
            self.module_exporter(a_input, submodule, f"{name}_cpu")
            self.module_exporter(b_input, submodule, f"{name}_acc")
            said = f"Result mismatch for {key[-1]}"
        raise FxNetMinimizerResultMismatchError(said)

    def _blamed(
        self, nodes: Iterable[Node], outputs: list[str], report_idx: int = -1
    ) -> Exception | None:
        """The error of these nodes as a submodule; None where both ways agree."""
        try:
            self._run_and_compare(*self._build_submodule(set(nodes)), outputs, report_idx)
        except _BLAME as error:
            return error
        return None

    def _is_numeric(self, error: Exception | None) -> bool:
        return isinstance(error, FxNetMinimizerResultMismatchError)

    # What is asked for ---------------------------------------------------------------------------

    def _collect_nodes(self, start: str | None, end: str | None) -> NodeList:
        """The calls from one name to another, both among them."""
        nodes: NodeList = []
        begun = start is None
        for node in self.module.graph.nodes:
            begun = begun or node.name == start
            if begun and node.op in CALLABLE_NODE_OPS:
                nodes.append(node)
            if begun and node.name == end:
                break
        return nodes

    def run_nodes(self, start: str | None = None, end: str | None = None) -> None:
        """Compare the nodes from one name to another as one; print what differs."""
        nodes = self._collect_nodes(start, end)
        together = set(nodes).union(*(self.fusions.get(node, ()) for node in nodes))
        names = [node.name for node in nodes] if self.settings.return_intermediate else []
        error = self._blamed(together, names)
        if error is not None:
            print(error)

    def print_reports(self) -> None:
        """Print all reports."""
        for report in self.reports:
            self.print_report(report)

    def minimize(
        self,
        start: str | None = None,
        end: str | None = None,
        skip_nodes: list[str] | None = None,
        find_last_node: bool | None = None,
    ) -> NodeSet:
        """The nodes to blame, of those from *start* to *end*, by the method of the settings.

        :param skip_nodes: for ``skip``: names of nodes that are not tried.
        :param find_last_node: for ``block``: find the last node only, or the first; None: both.
        """
        print(self.settings)
        print(self.module.graph)
        nodes = self._collect_nodes(start, end)
        method = self.settings.traverse_method
        if method == "skip":
            if skip_nodes is None:
                raise RuntimeError("'skip_nodes' can't be None when 'traverse_method' is 'skip'.")
            return self._skip_traverse(nodes, skip_nodes)
        if method == "block":
            return self._block_traverse(nodes, find_last_node)
        searches = {
            "sequential": self._sequential_traverse,
            "binary": self._binary_traverse,
            "accumulate": self._accumulate_traverse,
            "defined": self._defined_traverse,
        }
        if method not in searches:
            raise RuntimeError(f"Unknown traverse method {method}!")
        return searches[method](nodes)


def _return(submodule: GraphModule, names: list[str]) -> None:
    """Let a submodule return what the nodes of these names give."""
    graph = submodule.graph
    graph.erase_node(graph.output_node())
    nodes = [node for node in graph.nodes if node.name in names]
    graph.output(nodes[0] if len(nodes) == 1 else tuple(nodes))
    graph.lint()
    submodule.recompile()
