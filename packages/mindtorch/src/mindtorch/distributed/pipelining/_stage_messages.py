"""What stages send each other: activations forward, gradients back."""

from __future__ import annotations

import logging
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from ...aten import torch
from ...fx.node import map_aggregate
from ...nn import Module
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ._metadata import (
    PipeliningMetadataError,
    TensorMeta,
    _derive_grad_metas,
    _DTensorMeta,
    _make_tensor_from_meta,
    _MeshCache,
    _StageMeta,
    to_local_if_dtensor,
)
from ._metadata_checks import validate_tensors_metadata
from ._receiving import _RecvInfo

__all__ = ["_StageMessages", "_normalize_model_output_as_tuple", "logger"]

logger = logging.getLogger(f"{__package__}.stage")


def _normalize_model_output_as_tuple(output: Any) -> Any:
    """The outputs of a stage as a tuple: programs of ``torch.export`` return lists."""
    if type(output) is list:
        output = tuple(output)
    return output if type(output) is tuple else (output,)


class _StageMessages(ABC):
    """The place of a stage among others, and what it sends to them and gets from them."""

    def __init__(
        self,
        submodule: Module,
        stage_index: int,
        num_stages: int,
        device: Any,
        group: Any = None,
        dw_builder: Callable[[], Callable[..., None]] | None = None,
    ) -> None:
        if stage_index >= num_stages:
            raise ValueError(f"Stage index {stage_index} is out of range of {num_stages}")
        self.submod = submodule
        self.stage_index = stage_index
        self.num_stages = num_stages
        self.device = device
        self.group = group
        self.dw_builder = dw_builder
        #: By microbatch, what backward of the weights needs, and what runs it.
        self.backward_state: dict[int, tuple[Any, ...]] = {}
        self.dw_runner: dict[int, Callable[..., None]] = {}
        self.group_rank = dist.get_rank(group)
        self.group_size = dist.get_world_size(group)
        if self.group_size > num_stages:
            raise RuntimeError(
                f"Pipeline group size {self.group_size} cannot be larger than number of stages "
                f"{num_stages}"
            )
        #: By microbatch, the outputs and inputs of forward, and the gradients of inputs.
        self.fwd_cache: dict[int, tuple[Any, list[Any]]] = {}
        self.bwd_cache: dict[int, tuple[Tensor | None, ...]] = {}
        #: The outputs of the last stage, which the program gets.
        self.output_chunks: list[Any] = []
        self.has_backward = False
        self.log_prefix = f"[Stage {stage_index}]"
        #: By microbatch what is received; by output the stages that it is sent to.
        self.args_recv_info: dict[int, tuple[_RecvInfo, ...]] = {}
        self.act_send_info: dict[int, list[Any]] = {}
        self.grad_recv_info: dict[int, tuple[_RecvInfo, ...]] = {}
        self.grad_send_info: list[int | None] | None = None
        #: The number of microbatches, which the schedule knows.
        self.chunks: int | None = None
        self.stage_index_to_group_rank = {i: i % self.group_size for i in range(num_stages)}
        self._mesh_cache = _MeshCache()
        self._runtime_validate = dist.get_debug_level() == dist.DebugLevel.DETAIL
        self._stage_meta = _StageMeta()

    @property
    def has_backward(self) -> bool:
        """Whether the stage runs backward."""
        return self._has_backward

    @has_backward.setter
    def has_backward(self, has_backward: bool) -> None:
        self._has_backward = has_backward

    @property
    def is_first(self) -> bool:
        """Whether the program gives the inputs of the stage."""
        return self.stage_index == 0

    @property
    def is_last(self) -> bool:
        """Whether the program gets the outputs of the stage."""
        return self.stage_index == self.num_stages - 1

    def _check_chunk_id(self, chunk_id: int) -> None:
        if self.chunks is None:
            raise RuntimeError("Attempted to access chunk_id before chunks have been configured.")
        if chunk_id >= self.chunks:
            raise RuntimeError(f"Chunk id {chunk_id} is out of range [0, {self.chunks})")

    def _create_grad_send_info(self, args_recv_info: tuple[_RecvInfo, ...]) -> list[int | None]:
        """The stage that the gradient of each input goes to, whether or not it wants one."""
        found: list[int | None] = []

        def note(info: _RecvInfo) -> None:
            found.append(None if info.is_root_arg else info.source)

        map_aggregate(args_recv_info, note)
        return found

    def _setup_backward_recv_info(self, num_microbatches: int) -> None:
        self.chunks = num_microbatches
        for i in range(num_microbatches):
            self.grad_recv_info[i] = self._create_grad_recv_info(self.act_send_info)

    @abstractmethod
    def _create_grad_recv_info(self, act_send_info: dict[int, Any]) -> tuple[_RecvInfo, ...]: ...

    # Between ranks

    def _resolve_peer_global_rank(self, stage_idx: int) -> int:
        """The rank in the world that has a stage."""
        group = self.group or dist._get_default_group()
        return dist.get_global_rank(group, self.stage_index_to_group_rank[stage_idx])

    def _sending(self, tensor: Tensor, stage: int) -> Any:
        peer = self._resolve_peer_global_rank(stage)
        return dist.P2POp(dist.isend, tensor, peer, self.group)

    def _get_recv_ops(self, recv_infos: tuple[_RecvInfo, ...]) -> list[Any]:
        ops = []
        for info in recv_infos:
            if not info.is_root_arg and info.buffer is not None and info.source is not None:
                peer = self._resolve_peer_global_rank(info.source)
                ops.append(dist.P2POp(dist.irecv, info.buffer, peer, self.group))
        return ops

    def get_fwd_recv_ops(self, fwd_chunk_id: int) -> list[Any]:
        """What receives the inputs of a microbatch."""
        return self._get_recv_ops(self.args_recv_info[fwd_chunk_id])

    def get_bwd_recv_ops(self, bwd_chunk_id: int) -> list[Any]:
        """What receives the gradients of the outputs of a microbatch."""
        if not self.has_backward or self.is_last:
            return []
        return self._get_recv_ops(self.grad_recv_info[bwd_chunk_id])

    def get_fwd_send_ops(self, fwd_chunk_id: int) -> list[Any]:
        """What sends the outputs of a microbatch to the stages that need them."""
        outputs, _ = self.fwd_cache[fwd_chunk_id]
        ops = []
        for i, output in enumerate(outputs):
            for stage in self.act_send_info[i]:
                if stage is not None:
                    ops.append(self._sending(to_local_if_dtensor(output, detach=True), stage))
        return ops

    def _get_grad_send_meta(self, input_idx: int) -> TensorMeta | None:
        """What the stage before expects for an input; None if nothing.

        Raises PipeliningMetadataError if nobody knows.
        """
        known = self._stage_meta.input_grads
        if known is not None and input_idx < len(known):
            return known[input_idx]
        inputs = self._stage_meta.inputs
        if inputs is not None and input_idx < len(inputs):
            return _derive_grad_metas((inputs[input_idx],))[0]
        raise PipeliningMetadataError(
            f"Stage {self.stage_index}: backward produced gradient for input {input_idx}, but no "
            "metadata is available for the gradient send."
        )

    def get_bwd_send_ops(self, bwd_chunk_id: int) -> list[Any]:
        """What sends the gradients of the inputs of a microbatch; zeros where one is missing.

        Raises PipeliningMetadataError for a gradient that no stage waits for.
        """
        if not self.has_backward or self.is_first:
            return []
        self._check_chunk_id(bwd_chunk_id)
        if self.grad_send_info is None:
            self.grad_send_info = self._create_grad_send_info(self.args_recv_info[0])
        ops = []
        grads = self.bwd_cache.pop(bwd_chunk_id)
        for i, (grad, stage) in enumerate(zip(grads, self.grad_send_info, strict=True)):
            if stage is None:
                if grad is not None:
                    raise PipeliningMetadataError(
                        f"[{self.stage_index}] for chunk {bwd_chunk_id} has gradient {grad} but no "
                        "stage to send it to"
                    )
                continue
            meta = self._get_grad_send_meta(i)
            if meta is None:
                if grad is not None:
                    raise PipeliningMetadataError(
                        f"Stage {self.stage_index} chunk {bwd_chunk_id} input {i}: backward "
                        f"produced a {type(grad).__name__} gradient, but backward metadata for "
                        "this grad slot is None, so the previous stage did not allocate a recv "
                        "buffer. DTensor grad metadata cannot be derived from forward DTensor "
                        "metadata because gradient placements may differ from activation "
                        "placements. Provide static input_grads metadata or run metadata "
                        "inference with a microbatch that produces this grad."
                    )
                continue
            if grad is None:
                grad = _make_tensor_from_meta(meta, self.device).zero_()
            ops.append(self._sending(to_local_if_dtensor(grad), stage))
        return ops

    def _get_init_p2p_neighbors_ops(self) -> list[Any]:
        """A first message in each direction between neighbours, by which connections are made."""
        sent = torch.tensor(self.stage_index, device=self.device, dtype=torch.float32)
        received = torch.zeros(1, device=self.device, dtype=torch.float32)
        before, after = self.stage_index - 1, self.stage_index + 1
        plan = [(before, dist.irecv, received), (after, dist.isend, sent)]
        plan += [(before, dist.isend, sent), (after, dist.irecv, received)]
        return [
            dist.P2POp(
                op, tensor, group_peer=self.stage_index_to_group_rank[stage], group=self.group
            )
            for stage, op, tensor in plan
            if 0 <= stage < self.num_stages
        ]

    # Between stages of one rank, as in a V, where nothing has to be sent

    def set_local_fwd_input(self, prev_stage_outputs: Any, mb_index: int) -> None:
        """Take the outputs of the stage before, which this rank has, too, as inputs."""
        outputs = _normalize_model_output_as_tuple(prev_stage_outputs)
        for info, tensor in zip(self.args_recv_info[mb_index], outputs, strict=True):
            self._check_local(tensor, info, "set_local_fwd_input")
            info.buffer = to_local_if_dtensor(tensor, detach=True)  # a leaf of this stage's graph

    def get_local_bwd_output(self, mb_index: int) -> tuple[Tensor | None, ...]:
        """Give the gradients of the inputs to the stage before, which this rank has, too."""
        if not self.has_backward:
            raise AssertionError("can't steal_bwd_input if this stage doesn't have backward")
        if self.is_first:
            raise AssertionError("can't get bwd output if this stage is first")
        self._check_chunk_id(mb_index)
        return self.bwd_cache.pop(mb_index)

    def set_local_bwd_input(
        self, next_stage_bwd_outputs: tuple[Tensor | None, ...], mb_index: int
    ) -> None:
        """Take gradients from the next stage, which this rank has, too."""
        if not isinstance(next_stage_bwd_outputs, tuple):
            raise AssertionError(f"Expected tuple, got {type(next_stage_bwd_outputs)}")
        if not self.has_backward:
            raise AssertionError("can't set bwd input if this stage doesn't have backward")
        if self.is_last:
            raise AssertionError("can't set bwd input if this stage is last")
        infos = self.grad_recv_info[mb_index]
        for info, tensor in zip(infos, next_stage_bwd_outputs, strict=True):
            if tensor is not None:
                self._check_local(tensor, info, "set_local_bwd_input")
                info.buffer = to_local_if_dtensor(tensor)
            elif info.buffer is not None:
                info.buffer.zero_()

    def _check_local(self, tensor: Any, info: _RecvInfo, name: str) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(
                f"expected tensor values as outputs from prev stage, got {type(tensor)}"
            )
        if info.is_root_arg:
            forward = name == "set_local_fwd_input"
            where = "on non-first stage, which should always have non-root RecvInfo"
            raise AssertionError(
                f"{name} should only be called {where if forward else 'with non-root RecvInfo'}"
            )

    # What has come

    def _received(self, info: _RecvInfo) -> Any:
        """The tensor in a buffer: of a distributed one the whole."""
        assert info.buffer is not None
        if not isinstance(info.tensor_meta, _DTensorMeta):
            return info.buffer
        mesh = self._mesh_cache.get_mesh(info.tensor_meta.mesh_cache_key)
        return info.tensor_meta.assemble(info.buffer, mesh)

    def _map_tensor_from_recv_info(self, recv_infos: tuple[_RecvInfo, ...]) -> Any:
        """The buffers of what is received. Raises PipeliningMetadataError for other inputs."""

        def buffer(info: _RecvInfo) -> Any:
            if info.is_root_arg:
                raise PipeliningMetadataError("Cannot get recv tensor from root arg")
            return info.buffer

        return map_aggregate(recv_infos, buffer)

    def _retrieve_recv_activations(self, fwd_chunk_id: int) -> tuple[Any, ...]:
        """The inputs of a microbatch that have come, as leaves of this stage's graph."""
        found = []
        for i, info in enumerate(self.args_recv_info[fwd_chunk_id]):
            if info.is_root_arg:
                raise PipeliningMetadataError(
                    "_retrieve_recv_activations expected non-root _RecvInfo but got root arg at "
                    f"index {i}"
                )
            if info.buffer is None or info.tensor_meta is None:
                raise PipeliningMetadataError(
                    f"Non-root arg '{info.input_name}' has None buffer or tensor_meta"
                )
            if isinstance(info.tensor_meta, _DTensorMeta) and info.buffer.requires_grad:
                raise PipeliningMetadataError(
                    f"Stage {self.stage_index}: recv buffer '{info.input_name}' unexpectedly "
                    "requires grad before DTensor reconstruction"
                )
            wanted = (
                info.tensor_meta.requires_grad and self.has_backward and torch.is_grad_enabled()
            )
            tensor = self._received(info).requires_grad_(wanted)
            if wanted and not tensor.is_leaf:
                warnings.warn(
                    f"Stage {self.stage_index}: activation '{info.input_name}' is not a leaf "
                    f"(grad_fn={tensor.grad_fn}); using retain_grad() as fallback",
                    stacklevel=2,
                )
                tensor.retain_grad()
            found.append(tensor)
        return tuple(found)

    def _retrieve_recv_grads(self, bwd_chunk_id: int) -> tuple[Any, ...]:
        """The gradients of outputs that have come; None for outputs that want none."""
        found: list[Any] = []
        for i, info in enumerate(self.grad_recv_info[bwd_chunk_id]):
            if not isinstance(info, _RecvInfo):
                raise PipeliningMetadataError(f"Expected _RecvInfo but got {type(info)}")
            if info.is_root_arg:
                raise PipeliningMetadataError(
                    f"grad_recv_info should not contain root args, but found one at index {i}"
                )
            if (info.buffer is None) != (info.tensor_meta is None):
                names = ("buffer", "tensor_meta")
                missing, there = names if info.buffer is None else reversed(names)
                raise PipeliningMetadataError(
                    f"Grad recv '{info.input_name}': {there} is not None but {missing} is None"
                    if missing == "tensor_meta"
                    else f"Grad recv '{info.input_name}': {missing} is None but {there} is not None"
                )
            found.append(None if info.buffer is None else self._received(info))
        return tuple(found)

    def _validate_stage_tensors(
        self,
        desc: str,
        expected: Sequence[TensorMeta | None] | None,
        actual: Sequence[Tensor | None],
    ) -> None:
        """Raise PipeliningMetadataError for tensors that are not as expected."""
        if expected is None:
            raise PipeliningMetadataError(f"{desc}: no metadata available")
        validate_tensors_metadata(desc, expected, actual)
