"""A module split into parts for an accelerator and for the CPU, as few as possible."""

from __future__ import annotations

import argparse
import copy
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mindtorch_autograd import no_grad

from ...nn import Module
from .._compatibility import compatibility
from ..graph_module import GraphModule
from ..node import Node, map_arg
from ._acc_nodes import (  # noqa: F401  # torch has them here
    ALL_SUFFIX,
    DUMP_PREFIX,
    ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH,
    ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE,
    ENV_FX_NET_ACC_SPLITTER_TRACKER_TRACKED_NODES,
    NODES_SUFFIX,
    TRACKER_DUMP_PATH,
    TRACKER_MODE,
    FxNetAccNodesFinder,
    NodeEvent,
    NodeEventTracker,
)
from .graph_drawer import FxGraphDrawer
from .graph_manipulation import get_size_of_node
from .operator_support import OperatorSupportBase
from .shape_prop import ShapeProp
from .split_utils import move_non_tensor_nodes_on_boundary, split_by_tags
from .tools_common import (
    CALLABLE_NODE_OPS,
    FxNetAccFusionsFinder,
    NodeList,
    NodeSet,
    Tensors,
    get_node_target,
    is_node_output_tensor,
)

__all__ = [
    "FxNetAccNodesFinder", "FxNetSplitterInternalError", "NodeEvent", "NodeEventTracker",
    "SplitResult", "Subgraph", "generate_inputs_for_submodules",
]  # fmt: skip

DEFAULT_MIN_ACC_MODULE_SIZE = 1
DEFAULT_SKIP_FUSION = False
DEFAULT_ALLOW_NON_TENSOR = False
_ACC = "_run_on_acc_"
Deps = dict[Node, NodeSet]


class _SplitterSettingBase:
    """How to split; flags of the command line (``--min-acc-module-size 3``) come first.

    :param min_acc_module_size: parts of fewer nodes stay on the CPU.
    :param skip_fusion: let parts hand each other what is no tensor.
    :param allow_non_tensor: let parts hand the CPU what is no tensor.
    :param max_acc_splits: how many parts may run on the accelerator; below 0, any number.
    :param move_non_tensor_nodes_on_boundary: nodes at the end of a part of the accelerator that
        give no tensor go to the part after it.
    """

    def __init__(
        self,
        min_acc_module_size: int = DEFAULT_MIN_ACC_MODULE_SIZE,
        skip_fusion: bool = DEFAULT_SKIP_FUSION,
        allow_non_tensor: bool = DEFAULT_ALLOW_NON_TENSOR,
        max_acc_splits: int = -1,
        move_non_tensor_nodes_on_boundary: bool = False,
    ) -> None:
        flags = argparse.ArgumentParser(add_help=False)
        for name in ("min_acc_module_size", "max_acc_splits"):
            flags.add_argument(f"--{name.replace('_', '-')}", f"--{name}", type=int, dest=name)
        for name in ("skip_fusion", "allow_non_tensor", "move_non_tensor_nodes_on_boundary"):
            dashed = f"--{name.replace('_', '-')}"
            flags.add_argument(dashed, f"--{name}", action="store_true", dest=name)
        said, _ = flags.parse_known_args()
        self.min_acc_module_size: int = said.min_acc_module_size or min_acc_module_size
        self.skip_fusion: bool = said.skip_fusion or skip_fusion
        self.allow_non_tensor: bool = said.allow_non_tensor or allow_non_tensor
        self.max_acc_splits: int = said.max_acc_splits or max_acc_splits
        self.move_non_tensor_nodes_on_boundary: bool = (
            said.move_non_tensor_nodes_on_boundary or move_non_tensor_nodes_on_boundary
        )


@compatibility(is_backward_compatible=False)
class FxNetSplitterInternalError(Exception):
    """A module cannot be split."""


@compatibility(is_backward_compatible=False)
@dataclass
class Subgraph:
    """The nodes of one part."""

    is_acc: bool
    nodes: NodeList
    device_ordinal: int | None = None


@compatibility(is_backward_compatible=False)
class SplitResult(NamedTuple):
    """A module that was split, and what each of its parts was given."""

    split_module: GraphModule
    submodule_inputs: dict[str, Any]
    non_acc_submodule_prefix: str


@compatibility(is_backward_compatible=False)
def generate_inputs_for_submodules(
    model: Module, inputs: Sequence[Any], target_submodules: Iterable[str], deepcopy: bool = False
) -> dict[str, Any]:
    """What the named submodules get when *model* runs on *inputs*."""
    found: dict[str, Any] = {}
    names = {module: name for name, module in model.named_modules()}

    def note(module: Module, given: tuple[Any, ...]) -> None:
        found[names[module]] = copy.deepcopy(given) if deepcopy else given

    hooks = [
        module.register_forward_pre_hook(note)
        for name, module in model.named_modules()
        if name in target_submodules
    ]
    try:
        with no_grad():
            model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return found


class _SplitterBase:
    """Splits a module by what an accelerator supports: ``splitter()`` gives the module.

    Nodes are taken in turns, all of the accelerator that can run, then all of the CPU. Override
    ``_lower_model_to_backend`` and ``_find_culprit`` for the previews of a backend.
    """

    #: Bytes a second between the CPU and the accelerator, for estimates.
    PCIe_BW = 100 * 2**30

    def __init__(
        self,
        module: GraphModule,
        sample_input: Sequence[Any],
        operator_support: OperatorSupportBase,
        settings: _SplitterSettingBase,
        non_acc_submodule_name: str = "_run_on_cpu_",
        return_tuple: bool = False,
        nodes_finder: FxNetAccNodesFinder | None = None,
    ) -> None:
        if not isinstance(module, GraphModule):
            raise AssertionError(f"Expected GraphModule, got {type(module)}")
        self.module = module
        ShapeProp(module).propagate(*sample_input)
        self.settings = settings
        self.operator_support = operator_support
        self.sample_input = sample_input
        self.acc_nodes: NodeSet = (
            nodes_finder or FxNetAccNodesFinder(module, operator_support, settings.allow_non_tensor)
        )()
        self.fusions: Deps = {}
        if not settings.skip_fusion:
            self.fusions = FxNetAccFusionsFinder(module, self.acc_nodes)()
            self._merge_overlapping_fusions()
        self.non_acc_submodule_name, self._return_tuple = non_acc_submodule_name, return_tuple
        self.tags: list[str] = []
        self._node_submodule_map: dict[str, str] = {}
        self.deps = self.find_deps()
        self.update_deps_for_fusions()

    def get_node_submodule_map(self) -> dict[str, str]:
        """The part of each node, by names."""
        return self._node_submodule_map

    # What needs what ----------------------------------------------------------------------------

    def _calls(self) -> NodeList:
        return [node for node in self.module.graph.nodes if node.op in CALLABLE_NODE_OPS]

    def find_deps(self) -> Deps:
        """For each call the calls that it takes values from."""
        deps: Deps = defaultdict(set)
        for node in self._calls():
            deps[node].update(n for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS)
        return deps

    def update_deps_for_fusions(self) -> None:
        """Let the nodes of a fusion need what any of them does, and others need all of them."""
        for node, fusion in self.fusions.items():
            for fused in fusion:
                self.deps[node] |= self.deps[fused] - fusion
                for user in fused.users:
                    if user not in fusion:
                        self.deps[user].add(node)

    def _merge_overlapping_fusions(self) -> None:
        """Let fusions that share a node be one."""
        merged: list[NodeSet] = []
        for fusion in self.fusions.values():
            apart = [group for group in merged if not group & fusion]
            shared = [group for group in merged if group & fusion]
            merged = [*apart, set().union(fusion, *shared)]
        self.fusions = {node: group for group in merged for node in group}

    def find_reverse_deps(self, tag_id: int | None = None) -> Deps:
        """For each call the calls that use it; with *tag_id*, only those of parts before it."""
        users: Deps = defaultdict(set)
        for node in self._calls():
            for user in node.users:
                if user.op in CALLABLE_NODE_OPS:
                    if tag_id is None or _number(getattr(user, "tag", "")) < tag_id:
                        users[node].add(user)
        return users

    def update_reverse_deps_for_fusions(self, deps: Deps) -> None:
        """Let the nodes of a fusion be used by what uses any, and use all that any uses."""
        for fusion in {id(group): group for group in self.fusions.values()}.values():
            users = set().union(*(deps[node] for node in fusion)) - fusion
            deps.update(dict.fromkeys(fusion, users))
            inputs = {arg for node in fusion for arg in node.all_input_nodes}
            for arg in inputs - fusion:
                deps[arg] |= fusion

    def find_parent_nodes_of_subgraph(self, tag: str) -> NodeSet:
        """The calls of other parts that the part *tag* takes values from."""
        inside = [node for node in self._calls() if getattr(node, "tag", None) == tag]
        return {
            arg for node in inside for arg in node.all_input_nodes
            if arg.op in CALLABLE_NODE_OPS and getattr(arg, "tag", None) != tag
        }  # fmt: skip

    def extend_acc_subgraph(self, tag: str) -> None:
        """Let a part of the accelerator take in nodes before it that nothing else needs there."""
        users = self.find_reverse_deps(tag_id=_number(tag))
        self.update_reverse_deps_for_fusions(users)
        near, taken = self.find_parent_nodes_of_subgraph(tag), set[Node]()
        while free := next((n for n in near if users[n] <= taken and n in self.acc_nodes), None):
            free.tag = tag
            taken.add(free)
            near |= self.fusions.get(free, set())
            near |= {arg for arg in free.all_input_nodes if arg.op in CALLABLE_NODE_OPS}
            near -= taken

    def starter_nodes(self) -> tuple[NodeSet, NodeSet]:
        """The calls of the CPU and of the accelerator that take inputs and attributes."""
        first = {
            user for node in self.module.graph.nodes if node.op in ("placeholder", "get_attr")
            for user in node.users if user.op in CALLABLE_NODE_OPS
        }  # fmt: skip
        return first - self.acc_nodes, first & self.acc_nodes

    # Parts --------------------------------------------------------------------------------------

    def put_nodes_into_subgraphs(self) -> list[Subgraph]:
        """The parts, in the order in which they run. Raises FxNetSplitterInternalError."""
        on_acc = not any(not self.deps[node] for node in self.starter_nodes()[0])
        waiting, done = self._calls(), set[Node]()
        subgraphs: list[Subgraph] = []
        while waiting:
            part = Subgraph(on_acc, [])
            while ready := [n for n in waiting if self._is_ready(n, on_acc, done)]:
                part.nodes += ready
                done.update(ready)
                waiting = [n for n in waiting if n not in done]
            if not part.nodes:
                raise FxNetSplitterInternalError("Subgraph can't be empty")
            subgraphs.append(part)
            on_acc = not on_acc
        if not subgraphs:
            raise FxNetSplitterInternalError("Couldn't create subgraphs")
        return subgraphs

    def _is_ready(self, node: Node, on_acc: bool, done: NodeSet) -> bool:
        return (node in self.acc_nodes) == on_acc and self.deps[node] <= done

    def remove_small_acc_subgraphs(self, subgraphs: list[Subgraph]) -> list[Subgraph]:
        """The parts; those of the accelerator that are too small go to the CPU's beside them."""
        least = self.settings.min_acc_module_size
        kept: list[Subgraph] = []
        for part in subgraphs:
            if part.is_acc and len(part.nodes) < least:
                print(
                    "Eliminating acc subgraph because it's smaller than the threshold: "
                    f"{len(part.nodes)} < {least}"
                )
                part.is_acc = False
            if kept and not part.is_acc and not kept[-1].is_acc:
                kept[-1].nodes.extend(part.nodes)
            else:
                kept.append(part)
        return kept

    def tag(self, subgraphs: list[Subgraph]) -> None:
        """Give each node the name of its part."""
        self.tags = []
        for i, part in enumerate(subgraphs):
            tag = f"{_ACC if part.is_acc else self.non_acc_submodule_name}{i}"
            self.tags.append(tag)
            twice = next((node for node in part.nodes if hasattr(node, "tag")), None)
            if twice is not None:
                raise FxNetSplitterInternalError(f"Node {twice} was already tagged")
            for node in part.nodes:
                self._node_submodule_map[node.name] = node.tag = tag

    def split(self, remove_tag: bool = False) -> GraphModule:
        """The module of the parts that nodes are tagged with."""
        made: GraphModule = split_by_tags(self.module, self.tags, return_tuple=self._return_tuple)
        if remove_tag:
            for node in self.module.graph.nodes:
                vars(node).pop("tag", None)
        return made

    def __call__(self) -> GraphModule:
        parts = self.remove_small_acc_subgraphs(self.put_nodes_into_subgraphs())
        if self.settings.move_non_tensor_nodes_on_boundary:
            move_non_tensor_nodes_on_boundary(parts)
        on_acc = sum(part.is_acc for part in parts)
        print(f"Got {on_acc} acc subgraphs and {len(parts) - on_acc} non-acc subgraphs")
        self.tag(parts)
        return self.split()

    def generate_split_results(self) -> SplitResult:
        """The module and what its parts were given. Raises ValueError for too many parts."""
        made = self()
        names = [name for name, _ in made.named_children()]
        if 0 < self.settings.max_acc_splits < len(names):
            raise ValueError(
                "Cannot fulfill max_acc_splits limit. This may cause split fragmentation and "
                "result in performance issues."
            )
        inputs = generate_inputs_for_submodules(made, self.sample_input, names)
        return SplitResult(made, inputs, self.non_acc_submodule_name)

    # Previews -----------------------------------------------------------------------------------

    def _lower_model_to_backend(self, mod: GraphModule, inputs: Tensors) -> Module:
        """The part as the backend runs it; for backends."""
        return mod

    def _find_culprit(self, mod: GraphModule, inputs: Tensors) -> str:
        """What is wrong in a part that does not run; for backends."""
        return "Unable to find a culprit because _find_culprit() function is not implemented."

    def _draw_graph_based_on_node_support(
        self, mod: GraphModule, supported_nodes: NodeList
    ) -> None:
        colors = {"default": "AliceBlue", "supported": "chartreuse1", "unsupported": "crimson"}

        class Drawer(FxGraphDrawer):
            """Shows what is supported."""

            def _get_node_style(self, node: Node) -> dict[str, str]:
                style = super()._get_node_style(node)
                kind = "supported" if node in supported_nodes else "unsupported"
                style["fillcolor"] = colors[kind if node.op in CALLABLE_NODE_OPS else "default"]
                return style

        Drawer(mod, "node_support").get_main_dot_graph().write_raw("node_support.dot")

    def node_support_preview(self, dump_graph: bool = False) -> str:
        """What is called, with which dtypes, supported or not; *dump_graph* draws it."""
        submodules = dict(self.module.named_modules())
        lines: dict[bool, dict[str, None]] = {True: {}, False: {}}
        supported: NodeList = []
        for node in self._calls():
            fits = self.operator_support.is_node_supported(submodules, node)
            if fits:
                supported.append(node)
            places = [_dtype(arg) for arg in node.args if isinstance(arg, Node)]
            while places and places[-1] is None:
                places.pop()
            named = {k: _dtype(arg) for k, arg in node.kwargs.items() if isinstance(arg, Node)}
            lines[fits][f"{get_node_target(submodules, node)}: ({tuple(places)}, {named})\n"] = None
        if dump_graph:
            self._draw_graph_based_on_node_support(self.module, supported)
        said = "\nSupported node types in the model:\n" + "".join(lines[True])
        said += "\nUnsupported node types in the model:\n" + "".join(lines[False])
        print(said)
        return said

    def split_preview(self, dump_graph: bool = False) -> str:
        """The parts, what they exchange, and whether the backend runs them."""
        parts = self.put_nodes_into_subgraphs()
        said = "Before removing small acc subgraphs, total " + _counted(parts)
        parts = self.remove_small_acc_subgraphs(parts)
        said += "After removing small acc subgraphs, total " + _counted(parts)
        for i, part in enumerate(parts):
            name = _ACC if part.is_acc else self.non_acc_submodule_name
            said += f"{name}{i}: {len(part.nodes)} node(s)\n"
        self.tag(parts)
        made = self.split(remove_tag=True)
        made.eval()
        if dump_graph:
            drawn = FxGraphDrawer(made, "preview", ignore_getattr=True).get_all_dot_graphs()
            for name, graph in drawn.items():
                graph.write_raw(f"{name}.dot")
        least, slowest = float(self.PCIe_BW), ""
        shown: Any = self.PCIe_BW
        for name in [n for n, _ in made.named_children() if n.startswith(_ACC)]:
            text, rate = self._preview(made, name)
            said += text
            if rate < least:
                least, slowest, shown = rate, name, rate
        said += (
            f"\nTheoretical max qps (bounds by PCIe bandwidth) for this model is {shown}, "
            f"bottleneck is submodule {slowest}."
        )
        print(said)
        return said

    def _preview(self, made: GraphModule, name: str) -> tuple[str, float]:
        """What is said of one part, and how often a second its values can be exchanged."""
        part: Any = getattr(made, name)
        given = generate_inputs_for_submodules(made, self.sample_input, [name])[name]
        ShapeProp(part).propagate(*given)
        said = f"\nProcessing acc submodule {name}\nChecking inputs...\n"
        amounts = []
        taken = [node for node in part.graph.nodes if node.op == "placeholder"]
        returned: NodeList = []
        map_arg(part.graph.output_node().args, returned.append)
        for kind, nodes in (("Input", taken), ("Output", returned)):
            if kind == "Output":
                said += "Checking outputs...\n"
            for node in (node for node in nodes if not is_node_output_tensor(node)):
                said += (
                    f"{kind} {node.name} is not a tensor, this might cause problems during "
                    "lowering!\n"
                )
            tensors = filter(is_node_output_tensor, nodes)
            amounts.append(sum(get_size_of_node(part, node).output_size for node in tensors))
        rate = self.PCIe_BW / max(amounts)
        said += (
            f"Total input size in bytes is {amounts[0]}, total output size in bytes is "
            f"{amounts[1]}, theoretical max qps (bounds by PCIe bandwidth) for this submodule is "
            f"{rate}.\n"
        )
        doing = "lowering"
        try:
            lowered = self._lower_model_to_backend(part, given)
            doing = "inference"
            lowered(*given)
        except RuntimeError:
            said += f"Run into an error during {doing}!\n" + self._find_culprit(part, given)
        else:
            said += "Lowering and running succeed!\n"
        return said, rate


def _number(tag: str) -> int:
    """The number at the end of a part's name."""
    return int(tag.rpartition("_")[2])


def _dtype(node: Node) -> Any:
    return getattr(node.meta.get("tensor_meta"), "dtype", None)


def _counted(parts: list[Subgraph]) -> str:
    on_acc = sum(part.is_acc for part in parts)
    return (
        f"{len(parts)} subgraphs are created: {on_acc} acc subgraphs and {len(parts) - on_acc} cpu "
        "subgraphs.\n"
    )
