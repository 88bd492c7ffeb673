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
from ._fully_shard._fsdp_api import MixedPrecisionPolicy, OffloadPolicy
from ._fully_shard._fsdp_param import DataParallel, ShardedParameter
from ._fully_shard._fsdp_param_group import ParameterGroup
from ._fully_shard._fsdp_state import State
from .api import CPUOffload, MixedPrecision, ShardingStrategy, StateDictType

__all__ = ["SplitParameters", "local_state_refused", "placed_like", "whole"]

_HYBRID = (ShardingStrategy.HYBRID_SHARD, ShardingStrategy._HYBRID_SHARD_ZERO2)
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
    if strategy in _HYBRID:
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
        over = DataParallel(_mesh(strategy, group, mesh))
        params = [ShardedParameter(p, where, 0, over) for p, where in places.items()]
        if offload.offload_params:
            for p in params:
                p.to_host()
        policy = MixedPrecisionPolicy(
            precision.param_dtype,
            precision.reduce_dtype or precision.param_dtype,
            cast_forward_inputs=precision.cast_forward_inputs,
        )
        self.group = ParameterGroup(params, over, policy, OffloadPolicy())
        self.state = State([wrapper], self.group, policy, False if strategy in _STAYS else None)

    @property
    def over(self) -> DataParallel:
        """The processes."""
        return self.group.over

    @contextlib.contextmanager
    def summoned(self, writeback: bool, with_grads: bool) -> Iterator[None]:
        """Have parameters whole, and write what was changed of them back."""
        was_whole = self.group.is_whole
        self.group.unshard()
        if with_grads:
            for p in self.group.params:
                if p.sharded.grad is not None:
                    p.unsharded.grad = whole(p.sharded.grad)
        try:
            yield
        finally:
            for p in self.group.params:
                if with_grads and p.sharded.grad is not None:
                    p.unsharded.grad = None
                if writeback:
                    self._write_back(p)
            if not was_whole:
                self.group.reshard()

    @torch.no_grad()
    def _write_back(self, p: ShardedParameter) -> None:
        shards: Any = self.over.shards
        value = p.unsharded._local_tensor if p.inner is not None else p.unsharded
        part = cut(value.detach(), p.part, self.over.size, shards.index)
        p.local.copy_(part)


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
