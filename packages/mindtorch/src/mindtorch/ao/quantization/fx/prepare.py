"""``torch.ao.quantization.fx.prepare``: observers in a graph, where its numbers are quantized."""

from __future__ import annotations

import copy
from typing import Any

from mindtorch.core.unavailable import QUANTIZED, offer_listed

from .... import nn
from ....aten import torch
from ....fx.graph_module import GraphModule
from ....fx.node import Node
from ..backend_config import BackendConfig
from ..backend_config.operators import names_of
from ..backend_config.utils import get_module_to_qat_module
from ..observer import (
    NoopObserver,
    PlaceholderObserver,
    ReuseInputObserver,
    _is_activation_post_process,
)
from ..qconfig_mapping import QConfigMapping
from ..quantize import _propagate, _swapped
from ..utils import get_qconfig_dtypes
from .custom_config import PrepareCustomConfig
from .dtype_support import Planned, Support, kind_of
from .fuse import as_backend, as_config
from .patterns import Match, find_matches
from .qconfig_mapping_utils import (
    NodeConfigurations,
    flat,
    spread_over_fused,
    spread_over_trained,
)
from .utils import (
    OBSERVED,
    ObservedGraphModuleAttrs,
    free_name,
    have_no_tensors,
    module_of,
    parent_and_name,
)

__all__ = ["prepare"]

_OBSERVED_DTYPES = (
    *(torch.quint8, torch.qint8, torch.qint32, torch.float16, torch.uint8, torch.int8),
    *(torch.int16, torch.int32, torch.float8_e5m2, torch.float8_e4m3fn),
)
#: Norms have weights of floats.
_FLOAT_WEIGHTS = (
    nn.functional.layer_norm,
    nn.functional.group_norm,
    nn.functional.instance_norm,
)
#: Methods and functions whose further arguments are sizes and places.
_T = torch.Tensor
_WITH_NUMBERS = (
    *names_of(_T.permute, _T.repeat, _T.reshape, _T.size, _T.transpose, _T.unsqueeze),
    *names_of(_T.unsqueeze_, _T.view, _T.masked_fill),
    *(torch.transpose, torch.unsqueeze, torch.masked_fill),
)
_QUANTIZED = PlaceholderObserver.with_args(dtype=torch.quint8)


def _reuses(qconfig: Any) -> bool:
    """Whether *qconfig* keeps the scale of what comes in."""
    return isinstance(qconfig.activation(), ReuseInputObserver) and isinstance(
        qconfig.weight(), NoopObserver
    )


class _Observed:
    """A graph that gets observers."""

    def __init__(
        self,
        model: GraphModule,
        matches: dict[str, Match],
        custom: PrepareCustomConfig,
        backend: BackendConfig,
    ) -> None:
        self.model, self.matches, self.custom = model, matches, custom
        self.graph, self.support, self.backend = model.graph, Support(backend), backend
        self.named = dict(model.named_modules(remove_duplicate=False))
        self.names: set[str] = set()  # of the nodes that are observed
        self.plans: dict[Node, Planned] = {node: Planned() for node in self.graph.nodes}
        self.kinds: dict[int, tuple[Any, tuple[Any, bool]]] = {}

    def kind(self, make: Any) -> tuple[Any, bool]:
        """The dtype that an observer plans for, and whether it does so as numbers come."""
        if id(make) not in self.kinds:
            self.kinds[id(make)] = make, kind_of(make)
        return self.kinds[id(make)][1]

    # -- what is planned ---------------------------------------------------------------------------

    def plan(self) -> None:
        """Find how every node is to be observed."""
        known: dict[Node, bool] = {}
        for match in self.matches.values():
            self._plan_match(match.nodes, match, known)
        places = [node for node in self.graph.nodes if node.op == "placeholder"]
        for i, node in enumerate(places):
            if i in self.custom.input_quantized_indexes:
                self.plans[node] = Planned(_QUANTIZED, _QUANTIZED)
        for node in self.graph.nodes:
            if node.op == "output" and self.custom.output_quantized_indexes:
                self.plans[node] = Planned(_QUANTIZED, _QUANTIZED)
            if node.op in ("call_method", "call_function") and node.target in _WITH_NUMBERS:
                for arg in node.args[1:]:
                    for part in arg if isinstance(arg, list | tuple) else [arg]:
                        if isinstance(part, Node):
                            self._plan_number(part)

    def _plan_number(self, node: Node) -> None:
        self.plans[node].input = self.plans[node].output = None
        match = self.matches.get(node.name)
        if match is not None and match.shares and node.args and isinstance(node.args[0], Node):
            self._plan_number(node.args[0])

    def _plan_match(self, nodes: Any, match: Match, known: dict[Node, bool]) -> None:
        if not isinstance(nodes, Node):
            for part in nodes:
                self._plan_match(part, match, known)
            return
        if have_no_tensors(nodes, self.named, known):
            self.plans[nodes] = Planned(None, None)
        elif match.qconfig is not None:
            self.plans[nodes] = self._planned(nodes, match)

    def _planned(self, node: Node, match: Match) -> Planned:
        qconfig = match.qconfig
        activation, weight, dynamic = get_qconfig_dtypes(qconfig)
        half = activation == weight == torch.float16 and not dynamic
        bias = torch.float16 if half else torch.float
        inputs: dict[str, int] = {}
        if node.op == "call_function":
            config = self.backend._pattern_complex_format_to_config.get(node.target)
            inputs = config._input_type_to_index if config is not None else {}
        return Planned(
            input=qconfig.activation,
            output=qconfig.activation,
            weight=qconfig.weight,
            bias=PlaceholderObserver.with_args(dtype=bias),
            weight_index=inputs.get("weight"),
            bias_index=inputs.get("bias"),
            shares=match.shares,
            reuses=_reuses(qconfig),
        )

    # -- observers ---------------------------------------------------------------------------------

    def observe(self) -> None:
        """Put observers before and behind what is quantized."""
        for node in list(self.graph.nodes):
            if node.op == "output":
                if self.custom.output_quantized_indexes:
                    node.args = tuple(self._before_result(arg) for arg in node.args)
                continue
            match = self.matches.get(node.name)
            if node.op in ("placeholder", "get_attr") or match is None or match.qconfig is None:
                continue
            if self.support.has(match.pattern, match.nodes, match.qconfig, self.plans):
                self._observe_node(node, match)

    def _observe_node(self, node: Node, match: Match) -> None:
        self.names.add(node.name)
        if node is self.support.root(match.pattern, match.nodes):
            node.args = tuple(self._before(node, arg) for arg in node.args)
            node.kwargs = {name: self._before(node, arg) for name, arg in node.kwargs.items()}
        if node is not match.last:
            return
        observer = self._behind(node)
        if observer is None:
            return
        for user in list(node.users):
            if user is not observer:
                user.replace_input_with(node, observer)
        if (self.plans[node].shares and self._in_graph(node)) or self.plans[node].reuses:
            if not self._share(node):
                for user in list(node.users):
                    user.replace_all_uses_with(node)
                    self.graph.erase_node(user)

    def _in_graph(self, node: Node) -> bool:
        """Whether the observer of what comes into *node* is in this graph."""
        dtype, _ = self.kind(self.plans[node].output)
        first = node.args[0] if node.args else None
        from_outside = isinstance(first, Node) and first.op == "placeholder"
        return not (from_outside and dtype in (torch.quint8, torch.uint8))

    @staticmethod
    def _needed(now: tuple[Any, bool], wanted: tuple[Any, bool], reuses: bool, first: bool) -> bool:
        """Whether an observer is needed between numbers of one dtype and another."""
        if wanted[1]:
            assert wanted[0] in _OBSERVED_DTYPES, (
                "Expected cur_target_dtype to be torch.float, but got: {cur_target_dtype}"
            )
            return first
        if reuses or wanted[0] not in _OBSERVED_DTYPES:
            return False
        return now[0] in (*_OBSERVED_DTYPES, torch.float) and now[0] != wanted[0]

    def _insert(self, node: Node, observer: Any) -> Node:
        name = free_name(self.model, "activation_post_process_")
        setattr(self.model, name, observer)
        self.named[name] = observer
        with self.graph.inserting_after(node):
            made = self.graph.create_node("call_module", name, (node,), {})
        self.plans[made] = copy.copy(self.plans[node])
        return made

    def _behind(self, node: Node) -> Node | None:
        """The observer of the result of *node*, if it needs one."""
        make = self.plans[node].output
        wanted = self.kind(make)
        if wanted[1] or self.plans[node].standalone:  # what comes in is rounded, not the result
            return None
        if not self._needed((torch.float, False), wanted, False, False):
            return None
        made = self._insert(node, make())
        self.plans[made].output = make
        return made

    def _before(self, node: Node, arg: Any) -> Any:
        """An argument of *node*, observed where it needs to be."""
        if isinstance(arg, list | tuple):
            return type(arg)(self._before(node, part) for part in arg)
        if not isinstance(arg, Node):
            return arg
        plan = self.plans[node]
        make = plan.of_argument(node, arg)
        if node.target in _FLOAT_WEIGHTS and make is plan.weight:
            return arg
        wanted, now = self.kind(make), self.kind(self.plans[arg].output)
        if self._is_observer(arg):
            now = self.kind_of_observer(arg)
        first = bool(node.args) and arg is node.args[0]
        if not self._needed(now, wanted, plan.reuses, first):
            return arg
        made = make()
        for user in arg.users:  # one that others have is taken
            found = module_of(user, self.named)
            if type(found) is type(made) and found.dtype == wanted[0]:
                return user
        observer = self._insert(arg, made)
        self.plans[observer].output = make
        return observer

    def kind_of_observer(self, node: Node) -> tuple[Any, bool]:
        """What is planned behind an observer."""
        found = module_of(node, self.named)
        return found.dtype, bool(getattr(found, "is_dynamic", False))

    def _is_observer(self, node: Any) -> bool:
        if not isinstance(node, Node):
            return False
        found = module_of(node, self.named)
        return found is not None and _is_activation_post_process(found)

    def _before_result(self, arg: Any) -> Any:
        if isinstance(arg, Node):
            now = self.kind(self.plans[arg].output)
            if self._needed(now, (torch.quint8, False), False, False):
                return self._insert(arg, _QUANTIZED())
            return arg
        if isinstance(arg, list | tuple):
            return type(arg)(self._before_result(part) for part in arg)
        if isinstance(arg, dict):
            return {key: self._before_result(part) for key, part in arg.items()}
        return arg

    # -- operators that keep the scale -------------------------------------------------------------

    def _observer_of(self, node: Any) -> Node | None:
        """The observer that what leads to *node* has passed last."""
        while not self._is_observer(node):
            if not isinstance(node, Node) or node.op == "placeholder":
                return None
            node = next((arg for arg in node.args if isinstance(arg, Node)), None)
        return node

    def _share(self, node: Node) -> bool:
        """Observe the result of *node*, and all that comes in, as the first argument is."""
        first = next((a for a in node.args if isinstance(a, Node | list | tuple)), None)
        if first is None:
            return False
        given = [first] if isinstance(first, Node) else list(first)
        found = self._observer_of(given[0]) if given else None
        if found is None:
            return False
        shared = self.named[str(found.target)]
        for arg in given[1:]:
            other = self._observer_of(arg)
            if other is None:
                return False
            self._put(other, shared)
        for user in node.users:
            self._put(user, shared)
        return True

    def _put(self, node: Node, observer: Any) -> None:
        parent, name = parent_and_name(str(node.target))
        setattr(self.named[parent], name, observer)
        self.named[str(node.target)] = observer


def prepare(
    model: GraphModule,
    qconfig_mapping: Any,
    is_qat: bool,
    node_name_to_scope: dict[str, tuple[str, type]],
    example_inputs: tuple[Any, ...],
    prepare_custom_config: PrepareCustomConfig | dict[str, Any] | None = None,
    _equalization_config: QConfigMapping | dict[str, Any] | None = None,
    backend_config: BackendConfig | dict[str, Any] | None = None,
    is_standalone_module: bool = False,
) -> GraphModule:
    """The graph of *model* with observers where numbers are quantized.

    Raises NotImplementedError for modules that are quantized for themselves or by classes of the
    program, and for an equalization.
    """
    custom = as_config(
        prepare_custom_config, PrepareCustomConfig, "prepare_custom_config", "prepare"
    )
    mapping = as_config(qconfig_mapping, QConfigMapping, "qconfig", "prepare")
    if custom.standalone_module_names or custom.standalone_module_classes:
        raise NotImplementedError(f"PrepareCustomConfig.set_standalone_module_name {QUANTIZED}")
    if custom.float_to_observed_mapping:
        raise NotImplementedError(f"PrepareCustomConfig.set_float_to_observed_mapping {QUANTIZED}")
    if _equalization_config:
        raise NotImplementedError(f"prepare_fx(_equalization_config=...) {QUANTIZED}")
    mapping, given = copy.deepcopy(mapping), copy.deepcopy(mapping)
    backend = as_backend(backend_config, "prepare")
    spread_over_fused(model, mapping)
    left = custom.to_dict()
    _propagate(model, flat(mapping), None, "", left)
    if is_qat:
        _swapped(model, get_module_to_qat_module(backend), {})
        spread_over_trained(mapping, backend)
    named = dict(model.named_modules(remove_duplicate=False))
    configs = NodeConfigurations(mapping, named, node_name_to_scope).of(model.graph)
    matches = find_matches(model.graph, named, backend)
    for match in matches.values():
        match.qconfig = configs.get(match.last.name)
    observed = _Observed(model, matches, custom, backend)
    observed.plan()
    observed.observe()
    made = GraphModule(model, model.graph)
    made.meta[OBSERVED] = ObservedGraphModuleAttrs(
        configs, node_name_to_scope, custom, dict.fromkeys(configs), given, is_qat, observed.names
    )
    return made


offer_listed(globals())
