"""Stages of a model that was traced and cut: the graph says who sends what to whom."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..._subclasses.fake_tensor import FakeTensor
from ...fx import Node
from ...nn import Module
from ...tensor import Tensor
from ..tensor import DTensor
from ._metadata import (
    PipeliningMetadataError,
    TensorMeta,
    _derive_grad_metas,
    _make_tensor_from_meta,
    _StageBackwardMeta,
    _StageForwardMeta,
    _TensorMeta,
)
from ._receiving import _RecvInfo
from ._stage_base import _PipelineStageBase
from ._utils import PipeInfo, flatten_args

__all__ = ["_PipelineStage"]


class _PipelineStage(_PipelineStageBase):
    """A stage that was cut from a model, whose graph tells what goes where.

    Moves the module to *device*, unless its parameters are without memory.
    Raises PipeliningMetadataError for a graph of another number of stages.
    """

    def __init__(
        self,
        stage_module: Module,
        stage_index: int,
        pipe_info: PipeInfo,
        device: Any,
        group: Any = None,
    ) -> None:
        super().__init__(stage_module, stage_index, pipe_info.num_stages, device, group)
        self.pipe_info = pipe_info
        calls = [node for node in pipe_info.graph.nodes if node.op == "call_module"]
        if len(calls) != self.num_stages:
            raise PipeliningMetadataError(
                f"Number of submodules in pipe graph {len(calls)} does not match number of stages "
                f"{self.num_stages}"
            )
        self.node = calls[stage_index]
        self.name = self.node.name
        self.submod_to_stage_index = {node.name: i for i, node in enumerate(calls)}
        self._move_submod_to_device()

    def _move_submod_to_device(self) -> None:
        if not any(isinstance(p, FakeTensor) or p.is_meta for p in self.submod.parameters()):
            self.submod.to(self.device)

    def _prepare_forward_infra(
        self,
        num_microbatches: int,
        args: tuple[Any, ...] | _StageForwardMeta | None,
        kwargs: dict[str, Any] | None = None,
        has_backward: bool = False,
    ) -> _StageForwardMeta | None:
        """Get ready for forward, from the graph alone."""
        for chunk in range(num_microbatches):
            self.args_recv_info[chunk] = self._create_act_recv_info()
        infos = self.args_recv_info[0]
        if self.is_first:
            if not isinstance(args, tuple):
                raise AssertionError("First stage requires real tensor args")
            infos = infos[: len(args)]  # the others come by keyword
        else:
            infos = tuple(info for info in infos if not info.is_root_arg)
        self._stage_meta.inputs = tuple(info.tensor_meta for info in infos)  # type: ignore[misc]  # drawn: none is missing
        self.act_send_info = self._create_act_send_info()
        return None

    def _prepare_backward_infra(
        self,
        num_microbatches: int,
        loss_fn: Callable[..., Tensor] | None = None,
        target: Tensor | None = None,
        received_grad_meta: _StageBackwardMeta | None = None,
        loss_kwargs: dict[str, Any] | None = None,
    ) -> _StageBackwardMeta | None:
        """Get ready for backward: gradients are like what they are of."""
        if self._stage_meta.inputs is None:
            raise PipeliningMetadataError(
                f"Stage {self.stage_index}: inputs metadata required for backward inference."
            )
        self._stage_meta.input_grads = _derive_grad_metas(self._stage_meta.inputs)
        self._setup_backward_recv_info(num_microbatches)
        return None

    def get_stage_index_of_submod(self, submod_name: str) -> int:
        """Which stage a node of the graph calls. Raises PipeliningMetadataError if none."""
        if submod_name not in self.submod_to_stage_index:
            raise PipeliningMetadataError(f"Stage id of {submod_name} not found")
        return self.submod_to_stage_index[submod_name]

    def _meta(self, value: Tensor, what: str) -> _TensorMeta:
        """Of a tensor of the trace, which was made without gradients."""
        if isinstance(value, DTensor):
            raise PipeliningMetadataError(
                f"{self.log_prefix} DTensor detected in traced pipeline {what}. DTensor metadata "
                "propagation is NOT supported for the traced frontend (_PipelineStage). Use the "
                "manual PipelineStage frontend for full DTensor support."
            )
        wanted = self.has_backward and value.is_floating_point()
        return _TensorMeta(value.shape, value.stride(), value.dtype, wanted)

    def _create_act_recv_info(self) -> tuple[_RecvInfo, ...]:
        """What the module of this stage is called with, in the order of its placeholders."""
        graph: Any = self.submod.graph
        placeholders = [node for node in graph.nodes if node.op == "placeholder"]
        return tuple(
            self._input(placeholder, source)
            for placeholder, source in zip(placeholders, self.node.args, strict=True)
        )

    def _input(self, placeholder: Node, source: Any) -> _RecvInfo:
        value = placeholder.meta["val"]
        meta = self._meta(value, f"input '{placeholder.name}'")
        if source.op == "placeholder":
            name = f"root_input_{placeholder.name}"
            return _RecvInfo(name, None, None, _TensorMeta.from_tensor(value), is_root_arg=True)
        while source.target is operator.getitem:
            source = source.args[0]
        if source.op != "call_module":
            raise PipeliningMetadataError(f"Expecting call_module, got {source.op}")
        stage = self.get_stage_index_of_submod(source.name)
        buffer = _make_tensor_from_meta(meta, self.device).requires_grad_(meta.requires_grad)
        return _RecvInfo(source.name, stage, buffer, meta)

    def find_dst_rank(self, user: Node) -> int | None:
        """The stage that a node calls; None for a node that calls none, as the output."""
        return self.get_stage_index_of_submod(user.name) if user.op == "call_module" else None

    def _create_act_send_info(self) -> dict[int, list[Any]]:
        """The stages that each output goes to; notes metadata of outputs."""
        found: dict[int, list[Any]] = {}
        place = 0
        for user in self.node.users:
            taken = user.target is operator.getitem
            stages = [self.find_dst_rank(each) for each in (user.users if taken else [user])]
            found.setdefault(place, []).extend(stage for stage in stages if stage is not None)
            place += taken
        values = [node.meta["val"] for node in flatten_args(self._get_output_node().args)]
        self._stage_meta.outputs = tuple(
            self._meta(value, f"output index {i}") for i, value in enumerate(values)
        )
        return found

    def _get_output_node(self) -> Node:
        graph: Any = self.submod.graph
        outputs = [node for node in graph.nodes if node.op == "output"]
        if len(outputs) != 1:
            raise PipeliningMetadataError(f"Expected 1 output node, got {len(outputs)}")
        return outputs[0]

    def _create_grad_recv_info(self, act_send_info: dict[int, Any]) -> tuple[_RecvInfo, ...]:
        """What comes back of the outputs that go to other stages."""
        if self._stage_meta.outputs is None:
            raise PipeliningMetadataError(
                f"Stage {self.stage_index}: outputs metadata required for grad recv info. Ensure "
                "_create_act_send_info is called first."
            )
        metas: list[TensorMeta | None] = []
        infos = []
        for i, output in enumerate(self._stage_meta.outputs):
            stages = act_send_info.get(i, [])
            source = stages[0] if stages else self.stage_index + 1
            if not stages or not output.requires_grad:
                metas.append(None)
                name = f"recv_grad_for_{self.stage_index}_none_{i}"
                infos.append(_RecvInfo(name, source, None, None))
                continue
            meta = _derive_grad_metas((output,))[0]
            assert meta is not None
            metas.append(meta)
            if len(stages) != 1:
                raise PipeliningMetadataError("Backward of skip connections not supported yet")
            name = f"recv_grad_for_{self.stage_index}_from_{source}"
            infos.append(_RecvInfo(name, source, _make_tensor_from_meta(meta, self.device), meta))
        self._stage_meta.output_grads = tuple(metas)
        return tuple(infos)
