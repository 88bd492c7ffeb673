"""The parameters of one ``FullyShardedDataParallel`` in a group of several processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ... import nn
from ...aten import torch
from ...tensor import Tensor
from .. import distributed_c10d as dist
from ..device_mesh import DeviceMesh
from ..tensor import DTensor
from ..tensor._lines import cut
from ..utils import _sync_params_and_buffers
from ._fully_shard._fsdp_api import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy
from ._fully_shard._fsdp_common import (
    FSDPMeshInfo,
    HSDPMeshInfo,
    TrainingState,
    _get_device_from_mesh,
)
from ._fully_shard._fsdp_param import FSDPParam
from ._fully_shard._fsdp_param_group import FSDPParamGroup
from ._fully_shard._fsdp_state import FSDPState
from ._init_utils import HYBRID_SHARDING_STRATEGIES
from .api import CPUOffload, MixedPrecision, ShardingStrategy, StateDictType

__all__ = ["SplitParameters", "local_state_refused", "placed_like", "whole"]


_STAYS = (
    ShardingStrategy.NO_SHARD,
    ShardingStrategy.SHARD_GRAD_OP,
    ShardingStrategy._HYBRID_SHARD_ZERO2,
)
Places = dict[Tensor, list[tuple[Any, str]]]


def _mesh(strategy: ShardingStrategy, group: Any, mesh: DeviceMesh | None) -> DeviceMesh:
    """The mesh whose last dimension splits parameters.

    Raises ValueError where a strategy needs two groups and there is one.
    """
    if strategy in HYBRID_SHARDING_STRATEGIES:
        if mesh is None or mesh.ndim != 2:
            raise ValueError(
                f"Manual wrapping with {strategy} requires explicit specification of process "
                "group or device_mesh."
            )
        return mesh
    kind = dist._get_object_coll_device(group) if mesh is None else mesh.device_type
    if strategy is ShardingStrategy.NO_SHARD:  # parts of one, all processes have the same
        ranks = dist.get_process_group_ranks(group)
        return DeviceMesh(kind, [[rank] for rank in ranks])
    return mesh or DeviceMesh.from_group(group, kind)


class SplitParameters:
    """What a wrapper does with the parameters that no inner wrapper has.

    :param places: each parameter with the modules that have it.
    :param sync: take the numbers of the first process, of *buffers* too.
    """

    def __init__(
        self,
        wrapper: nn.Module,
        places: Places,
        buffers: list[Tensor],
        strategy: ShardingStrategy,
        group: Any,
        mesh: DeviceMesh | None,
        precision: MixedPrecision,
        offload: CPUOffload,
        sync: bool,
    ) -> None:
        if sync:
            states = [p.detach() for p in places if not isinstance(p, DTensor)]
            with torch.no_grad():
                _sync_params_and_buffers(group, states + buffers, 250 * 1024 * 1024, 0)
        found = _mesh(strategy, group, mesh)
        info = FSDPMeshInfo(found, 0) if found.ndim == 1 else HSDPMeshInfo(found, 1, 0)
        device = _get_device_from_mesh(found)
        with torch.no_grad():
            for x in (*places, *buffers):
                if not isinstance(x, DTensor) and not x.is_meta and x.device != device:
                    x.data = x.to(device)
        policy = MixedPrecisionPolicy(
            precision.param_dtype,
            precision.reduce_dtype or precision.param_dtype,
            cast_forward_inputs=precision.cast_forward_inputs,
        )
        where = CPUOffloadPolicy(pin_memory=False) if offload.offload_params else OffloadPolicy()
        stays = strategy in _STAYS
        self.group = FSDPParamGroup(
            list(places), (wrapper,), info, None if stays else info, device, None, policy, where
        )
        self.state = FSDPState()
        self.state._fsdp_param_groups.append(self.group)
        self.state.init((wrapper,), device, policy, not stays)

    @property
    def is_running(self) -> bool:
        """Whether a forward or a backward is under way."""
        idle = TrainingState.IDLE
        return self.state._training_state is not idle or self.group._training_state is not idle

    @contextlib.contextmanager
    def summoned(self, writeback: bool, with_grads: bool) -> Iterator[None]:
        """Have parameters whole, and write what was changed of them back."""
        was_whole = self.group.is_unsharded
        self.group.unshard()
        self.group.wait_for_unshard()
        if with_grads:
            for p in self.group.fsdp_params:
                if p.sharded_param.grad is not None:
                    p.unsharded_param.grad = whole(p.sharded_param.grad)
        try:
            yield
        finally:
            for p in self.group.fsdp_params:
                if with_grads and p.sharded_param.grad is not None:
                    p.unsharded_param.grad = None
                if writeback:
                    self._write_back(p)
            if not was_whole:
                self.group.reshard()

    @torch.no_grad()
    def _write_back(self, p: FSDPParam) -> None:
        value: Any = p.unsharded_param
        value = value._local_tensor if isinstance(value, DTensor) else value
        part = cut(value.detach(), p.fsdp_placement, p.shard_mesh_size, p.shard_mesh_rank)
        p._sharded_local_tensor.copy_(part)


def whole(x: Any) -> Any:
    """A distributed tensor as a plain one; a collective call."""
    return x.full_tensor() if isinstance(x, DTensor) else x


def placed_like(own: Any, value: Any) -> Any:
    """A whole tensor as the distributed one that it is loaded into."""
    plain = isinstance(value, Tensor) and not isinstance(value, DTensor)
    if isinstance(own, DTensor) and plain and value.shape == own.shape:
        return own._placing(value)
    return value


def local_state_refused(kind: StateDictType) -> None:
    """Raise NotImplementedError for states of flat parameters, which there are none of."""
    if kind is StateDictType.LOCAL_STATE_DICT:
        raise NotImplementedError(
            "LOCAL_STATE_DICT of several processes is not supported: use SHARDED_STATE_DICT"
        )
