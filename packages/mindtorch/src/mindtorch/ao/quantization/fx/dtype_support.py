"""Whether a backend has kernels for the dtypes that a configuration asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ....aten import torch
from ....fx.node import Node
from ..backend_config import BackendConfig, DTypeConfig, DTypeWithConstraints
from ..backend_config.utils import (
    get_fusion_pattern_to_root_node_getter,
    get_pattern_to_dtype_configs,
)
from ..fake_quantize import FixedQParamsFakeQuantize
from ..observer import FixedQParamsObserver, PlaceholderObserver
from .match_utils import first_root

#: What observes nothing: floats as they are.
FLOATS = PlaceholderObserver.with_args(dtype=torch.float)


@dataclass
class Planned:
    """How a node is to be observed: what makes its observers, which arguments are weights."""

    input: Any = FLOATS
    output: Any = FLOATS
    weight: Any = None
    bias: Any = None
    weight_index: int | None = None
    bias_index: int | None = None
    shares: bool = False
    reuses: bool = False
    standalone: bool = False
    inputs_quantized: list[int] = field(default_factory=list)

    def of_argument(self, node: Node, arg: Any) -> Any:
        """What makes the observer of an argument of *node*."""
        if self.is_argument(node, arg, self.weight_index, "weight"):
            return self.weight
        if self.is_argument(node, arg, self.bias_index, "bias"):
            return self.bias
        return self.input

    @staticmethod
    def is_argument(node: Node, arg: Any, index: int | None, name: str) -> bool:
        """Whether *arg* is the one at *index*, or called *name*."""
        if index is None:
            return False
        if index < len(node.args) and node.args[index] is arg:
            return True
        return node.kwargs.get(name) is arg


def kind_of(make: Any) -> tuple[Any, bool]:
    """The dtype that an observer plans for, and whether its scale is found as numbers come."""
    if make is None:
        return None, False
    made = make()
    return getattr(made, "dtype", None), bool(getattr(made, "is_dynamic", False))


def satisfies(qconfig: Any, wanted: DTypeWithConstraints, activation: bool = True) -> bool:
    """Whether numbers of a configuration are within what a backend takes of a dtype."""
    if qconfig is None or wanted.dtype is None:
        return True
    make = qconfig.activation if activation else qconfig.weight
    if make is None:
        return True
    made = make()
    if getattr(made, "dtype", None) != wanted.dtype:
        return True
    return _in_range(made, wanted) and _has_scale(made, wanted)


def _in_range(made: Any, wanted: DTypeWithConstraints) -> bool:
    low, high = wanted.quant_min_lower_bound, wanted.quant_max_upper_bound
    if low is not None and high is not None:
        first, last = getattr(made, "quant_min", None), getattr(made, "quant_max", None)
        if first is None or last is None or first < low or last > high:
            return False
    if wanted.scale_min_lower_bound is not None:
        least = getattr(made, "eps", None)
        if least is None or least < wanted.scale_min_lower_bound:
            return False
    return True


def _has_scale(made: Any, wanted: DTypeWithConstraints) -> bool:
    if wanted.scale_exact_match is None or wanted.zero_point_exact_match is None:
        return True
    if not isinstance(made, FixedQParamsObserver | FixedQParamsFakeQuantize):
        return False
    known = made.scale, made.zero_point
    return bool(known == (wanted.scale_exact_match, wanted.zero_point_exact_match))


def supported_by_dtypes(qconfig: Any, configs: list[DTypeConfig]) -> bool:
    """Whether any of *configs* is of the dtypes of *qconfig*."""
    activation, dynamic = kind_of(qconfig.activation)
    weight, _ = kind_of(qconfig.weight)
    for config in configs:
        is_dynamic = bool(config.is_dynamic)
        if config.weight_dtype is not None and config.weight_dtype != weight:
            continue
        if config.input_dtype is None or (
            config.input_dtype == activation and is_dynamic == dynamic
        ):
            output = torch.float32 if dynamic else activation
            if config.output_dtype is None or config.output_dtype == output:
                return True
    return False


class Support:
    """What one backend can do."""

    def __init__(self, backend: BackendConfig) -> None:
        self.dtypes = get_pattern_to_dtype_configs(backend)
        self.roots = get_fusion_pattern_to_root_node_getter(backend)

    def root(self, pattern: Any, nodes: Any) -> Node:
        """The node that what was matched begins with."""
        found: Node = self.roots.get(pattern, first_root)(nodes)
        return found

    def has(self, pattern: Any, nodes: Any, qconfig: Any, plans: dict[Node, Planned]) -> bool:
        """Whether it can do what is planned for the nodes of a pattern."""
        if pattern is None:
            return True
        root, last = self.root(pattern, nodes), nodes[0]
        while not isinstance(last, Node):
            last = last[0]
        return any(
            self._inputs(root, qconfig, config, plans[root])
            and self._output(qconfig, config, plans[last])
            for config in self.dtypes.get(pattern, [])
        )

    def _inputs(self, node: Node, qconfig: Any, config: DTypeConfig, plan: Planned) -> bool:
        given = (*node.args, *node.kwargs.values())
        return all(self._input(node, arg, qconfig, config, plan) for arg in given)

    def _input(
        self, node: Node, arg: Any, qconfig: Any, config: DTypeConfig, plan: Planned
    ) -> bool:
        if isinstance(arg, list | tuple):
            return all(self._input(node, part, qconfig, config, plan) for part in arg)
        if not isinstance(arg, Node):
            return True
        if plan.is_argument(node, arg, plan.weight_index, "weight"):
            if config.weight_dtype is None:
                return True
            dtype, _ = kind_of(plan.weight)
            bounds = config.weight_dtype_with_constraints
            return bool(dtype == config.weight_dtype and satisfies(qconfig, bounds, False))
        if plan.is_argument(node, arg, plan.bias_index, "bias"):
            return config.bias_dtype is None or kind_of(plan.bias)[0] == config.bias_dtype
        if config.input_dtype is None:
            return True
        dtype, dynamic = kind_of(plan.input)
        return bool(
            dtype == config.input_dtype
            and bool(config.is_dynamic) == dynamic
            and satisfies(qconfig, config.input_dtype_with_constraints)
        )

    def _output(self, qconfig: Any, config: DTypeConfig, plan: Planned) -> bool:
        if config.output_dtype is None:
            return True
        dtype, dynamic = kind_of(plan.output)
        if dynamic:
            dtype = torch.float32
        bounds = config.output_dtype_with_constraints
        return bool(dtype == config.output_dtype and satisfies(qconfig, bounds))
