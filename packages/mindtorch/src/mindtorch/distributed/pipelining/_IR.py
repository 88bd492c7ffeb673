"""``torch.distributed.pipelining._IR``: a model that is traced and cut into stages."""

from __future__ import annotations

import copy
import logging
import operator
from collections.abc import Callable
from enum import Enum
from inspect import Parameter, Signature, signature
from types import MethodType
from typing import Any

from ... import nn
from ...export import ExportedProgram, export
from ...export.unflatten import InterpreterModule
from ...fx import GraphModule, Interpreter
from ...fx.node import map_aggregate
from ...tensor import Tensor
from ._splitting import (
    PP_SUBMOD_PREFIX,
    aten_pipe_split_alias,
    get_submod_name,
    split,
)
from ._traced_stage import _PipelineStage
from ._utils import PipeInfo

__all__ = ["Pipe", "SplitPoint", "pipe_split", "pipeline"]

logger = logging.getLogger(__name__)


def pipe_split() -> None:
    """Mark where a model is split; does nothing outside of a trace."""
    aten_pipe_split_alias()


class PipeSequential(nn.Sequential):
    """A chain of modules that is split between all of them."""

    @staticmethod
    def from_sequential(sequential_instance: nn.Sequential) -> PipeSequential:
        """Make one of the modules of another chain."""
        return PipeSequential(*[copy.copy(module) for module in sequential_instance])

    def forward(self, input: Any) -> Any:
        """Run all modules."""
        for i, module in enumerate(self):
            if i:
                pipe_split()
            input = module(input)
        return input


class DetachExecutor(Interpreter):
    """Runs stages one after the other; what goes into a stage is a leaf of its graph."""

    def __init__(self, module: GraphModule, garbage_collect_values: bool = True) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.value_remap: dict[Tensor, Tensor] = {}

    def run(self, *args: Any, initial_env: Any = None, enable_io_processing: bool = True) -> Any:
        """Run all stages."""
        self.value_remap = {}
        return super().run(
            *args, initial_env=initial_env, enable_io_processing=enable_io_processing
        )

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Run one stage."""

        def leaf(value: Any) -> Any:
            if not isinstance(value, Tensor) or not value.requires_grad:
                return value
            if value not in self.value_remap:
                self.value_remap[value] = value.detach().requires_grad_(True)
            return self.value_remap[value]

        return super().call_module(target, map_aggregate(args, leaf), map_aggregate(kwargs, leaf))


def _modify_graph_op_device(gm: GraphModule, new_device: Any) -> None:
    """Let what makes tensors make them on another device than in the trace."""
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.kwargs.get("device", new_device) != new_device:
            node.update_kwarg("device", new_device)
        elif node.op == "call_module":
            inside = gm.get_submodule(node.target)
            if isinstance(inside, InterpreterModule):
                inside = inside.graph_module
            if isinstance(inside, GraphModule):
                _modify_graph_op_device(inside, new_device)
    gm.recompile()


class Pipe(nn.Module):
    """A model in stages, made by :func:`pipeline`; called, it runs them all in this process.

    :ivar split_gm: the graph that calls the module of each stage.
    """

    def __init__(
        self, split_gm: GraphModule, num_stages: int, has_loss_and_backward: bool, loss_spec: Any
    ) -> None:
        super().__init__()
        self.split_gm = split_gm
        self.executor = DetachExecutor(split_gm)
        self.num_stages = num_stages
        self.has_loss_and_backward = has_loss_and_backward
        self.loss_spec = loss_spec
        for node in split_gm.graph.nodes:
            takes = (node.op, node.target) == ("call_function", operator.getitem)
            if node.op not in ("call_module", "placeholder", "output") and not takes:
                raise AssertionError(f"Unexpected node: {node}")
        users: dict[Any, dict[str, str]] = {}
        for stage, module in split_gm.named_children():
            for name, parameter in module.named_parameters():
                users.setdefault(parameter, {})[stage] = name
        #: The names of parameters that several stages have, by stage.
        self.replicated_params = [names for names in users.values() if len(names) > 1]
        for names in self.replicated_params:
            for stage, name in names.items():  # or each stage's gradients would be added to all
                path, _, last = f"{stage}.{name}".rpartition(".")
                owner = split_gm.get_submodule(path)
                setattr(owner, last, copy.deepcopy(getattr(owner, last)))

        def throw(self: Any, *args: Any, **kwargs: Any) -> Any:
            raise RuntimeError(
                "To run pipeline locally, invoke the Pipe object directly, not `split_gm`"
            )

        vars(split_gm)["forward"] = throw

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run all stages. Gradients stay within the last one."""
        if kwargs:
            graph = self.split_gm.graph
            names = [_parameter(node) for node in graph.nodes if node.op == "placeholder"]
            bound = Signature(names).bind(*args, **kwargs)
            bound.apply_defaults()
            args = tuple(bound.arguments.values())
        return self.executor.run(*args)

    def get_stage_module(self, stage_idx: int) -> nn.Module:
        """The module of a stage. Raises ValueError for an index that there is not."""
        if not 0 <= stage_idx < self.num_stages:
            raise ValueError(f"Invalid stage index {stage_idx}!")
        return self.split_gm.get_submodule(get_submod_name(stage_idx))

    @staticmethod
    def _number_and_count_forward_stages(gm: GraphModule) -> int:
        """Count stages, and note in the graph which each is."""
        count = 0
        for node in gm.graph.nodes:
            if node.op == "call_module" and str(node.target).startswith(PP_SUBMOD_PREFIX):
                node.meta["stage_idx"] = int(str(node.target)[len(PP_SUBMOD_PREFIX) + 1 :])
                count += 1
        return count

    @staticmethod
    def _trace_with_export(
        mod: nn.Module, example_args: tuple[Any, ...], example_kwargs: dict[str, Any] | None = None
    ) -> ExportedProgram:
        """Trace a model. Raises RuntimeError where that cannot be done."""
        logger.info("Tracing model ...")
        try:
            return export(mod, example_args, example_kwargs)
        except Exception as e:
            raise RuntimeError(
                "It seems that we cannot capture your model as a full graph. Typical reasons "
                "include graph breaks, data/shape-dependent control flow, or missing meta kernels "
                "for custom operators. You can use our manual pipeline interfaces, or try to fix "
                "the graph breaks, see https://pytorch.org/docs/stable/export.html"
            ) from e

    @staticmethod
    def from_tracing(
        mod: nn.Module,
        example_args: tuple[Any, ...],
        example_kwargs: dict[str, Any] | None = None,
        split_policy: Callable[[GraphModule], GraphModule] | None = None,
    ) -> Pipe:
        """Trace a model, and cut it where it calls :func:`pipe_split`.

        :param split_policy: puts marks into the graph, or takes them out.
        """
        program = Pipe._trace_with_export(mod, example_args, example_kwargs)
        traced = program.module(check_guards=False)
        codegen, parameters = traced.graph._codegen, len(signature(traced.forward).parameters)
        if split_policy is not None:
            traced = split_policy(traced)
        made = split(traced, mod)
        stages = Pipe._number_and_count_forward_stages(made)
        pipe = Pipe(made, stages, has_loss_and_backward=False, loss_spec=None)
        first: Any = next(made.children())
        if len(signature(first.forward).parameters) == parameters:
            # The first stage is called as the model was, by keyword, too.
            own: Any = copy.deepcopy(codegen)
            own.pytree_info = own.pytree_info._replace(out_spec=None)
            first.graph._codegen = own
            first.recompile()
        return pipe

    def print_readable(self) -> None:
        """Print the code of all stages, and what calls them."""
        self.split_gm.print_readable()

    def __str__(self) -> str:
        return str(self.split_gm)

    def __repr__(self) -> str:
        return repr(self.split_gm)

    def info(self) -> PipeInfo:
        """What stages have to know of the model."""
        return PipeInfo(self.split_gm.graph, self.num_stages, self.has_loss_and_backward)

    def build_stage(self, stage_index: int, device: Any, group: Any = None) -> _PipelineStage:
        """Make a stage of a pipeline on a device.

        :param group: the processes of the pipeline; all, if not given.
        """
        module = self.get_stage_module(stage_index)
        if isinstance(module, GraphModule):
            _modify_graph_op_device(module, device)
        return _PipelineStage(module, stage_index, self.info(), device, group)


def _parameter(node: Any) -> Parameter:
    """What a call binds to a placeholder."""
    kind: Any = Parameter.POSITIONAL_OR_KEYWORD
    name = str(node.target)
    if node.args:
        return Parameter(name, kind, default=node.args[0])
    if name.startswith("**"):
        kind = Parameter.VAR_KEYWORD
    elif name.startswith("*"):
        kind = Parameter.VAR_POSITIONAL
    return Parameter(name.lstrip("*"), kind)


class SplitPoint(Enum):
    """Where a model is split: before a module runs, or after."""

    BEGINNING = 1
    END = 2


class PipeSplitWrapper:
    """Where older programs look for :class:`SplitPoint`."""

    SplitPoint = SplitPoint


def _split_before_forward(self: Any, *args: Any, **kwargs: Any) -> Any:
    pipe_split()
    return self._orig_forward(*args, **kwargs)


def _split_after_forward(self: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        return self._orig_forward(*args, **kwargs)
    finally:
        pipe_split()


def annotate_split_points(mod: nn.Module, spec: dict[str, SplitPoint]) -> None:
    """Let modules of a model mark where it is split.

    Raises AttributeError for names of no module, ValueError for what is no :class:`SplitPoint`.
    """
    forwards = {
        SplitPoint.BEGINNING: _split_before_forward,
        SplitPoint.END: _split_after_forward,
    }
    for name, point in spec.items():
        found: Any = mod
        *path, last = name.split(".")
        for i, each in enumerate(path, 1):
            try:
                found = getattr(found, each)
            except AttributeError as e:
                raise AttributeError(
                    f"Specified target {name} referenced nonexistent module {'.'.join(path[:i])}"
                ) from e
        found = getattr(found, last)
        found._orig_forward = found.forward
        if point not in forwards:
            raise ValueError("Unknown split point type.")
        found.forward = MethodType(forwards[point], found)


def pipeline(
    module: nn.Module,
    mb_args: tuple[Any, ...],
    mb_kwargs: dict[str, Any] | None = None,
    split_spec: dict[str, SplitPoint] | None = None,
    split_policy: Callable[[GraphModule], GraphModule] | None = None,
) -> Pipe:
    """Trace a model with the arguments of a microbatch, and cut it into stages.

    Without *split_spec* it is cut where it calls :func:`pipe_split`.

    :param split_spec: names of modules before or after which it is cut; these are changed.
    :param split_policy: puts marks into the graph, or takes them out.

    Raises ValueError where both are given, RuntimeError for a model that cannot be traced.
    """
    if split_spec is not None and split_policy is not None:
        raise ValueError(
            "Cannot specify both `split_spec` and `split_policy`. Please use only one of them."
        )
    if split_spec is not None:
        annotate_split_points(module, split_spec)
    return Pipe.from_tracing(module, mb_args, mb_kwargs, split_policy)
