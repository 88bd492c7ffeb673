"""Processes that run out of input before others: how a module that is trained on all goes on."""

from __future__ import annotations

from typing import Any

import mindtorch.distributed as dist

from ...aten import torch
from ...distributed.algorithms.join import Join, Joinable, JoinHook
from ...distributed.utils import _sync_module_states

__all__ = ["JoinedModel"]


class _DDPJoinHook(JoinHook):
    """Shadows the collectives of the others."""

    def __init__(self, ddp: Any, divide_by_initial_world_size: bool) -> None:
        self.ddp = ddp
        ddp._divides_by_initial_world_size_ = divide_by_initial_world_size
        super().__init__()

    def main_hook(self) -> None:
        """What the others exchange in a forward and its backward, in that order."""
        ddp, reducer = self.ddp, self.ddp.reducer
        reducer.rebuild()
        if ddp._check_sync_bufs_pre_fwd():
            ddp._sync_module_buffers(ddp._find_common_rank(ddp._distributed_rank, False))
        syncs = ddp._requires_backward_grad_sync_(joined=True)
        ddp.require_forward_param_sync = syncs
        if not syncs:
            return
        for work in [reducer.run_hook(bucket) for bucket in reducer.zero_buckets()]:
            work.wait()
        if reducer._asks_for_use:
            reducer.exchange_used(set())
        reducer.push_all()

    def post_hook(self, is_last_joiner: bool) -> None:
        """All take the module of who trained last."""
        self.ddp._sync_final_model(is_last_joiner)


class JoinedModel(Joinable):
    """The part of a ``DistributedDataParallel`` that shadows the collectives of other processes."""

    module: Any
    process_group: Any
    device: Any
    broadcast_bucket_size: int
    parameters_to_ignore: set[str]
    broadcast_buffers: Any
    logger: Any
    reducer: Any
    require_backward_grad_sync: bool
    _divides_by_initial_world_size_ = True

    def join(
        self,
        divide_by_initial_world_size: bool = True,
        enable: bool = True,
        throw_on_early_termination: bool = False,
    ) -> Join:
        """A context in which processes may have different numbers of inputs."""
        return Join(
            [self],
            enable,
            throw_on_early_termination,
            divide_by_initial_world_size=divide_by_initial_world_size,
        )

    def _divide_by_(self, work: Any) -> None:
        """Note by what gradients are divided: *work* sums those that have input left."""
        if self._divides_by_initial_world_size_:
            self.reducer.divisor = 0
            return
        work.wait()
        self.reducer.divisor = int(work.result()[0].item())

    def _requires_backward_grad_sync_(self, joined: bool) -> bool:
        """Whether the processes that have input left reduce gradients in this step."""
        syncs = torch.zeros(1, device=self.device)
        if not joined and self.require_backward_grad_sync:
            syncs.fill_(1)
        dist.all_reduce(syncs, group=self.process_group)
        return bool(syncs.item())

    def join_hook(self, **kwargs: Any) -> JoinHook:
        """What a process does that is done."""
        self.logger._set_uneven_input_join()
        return _DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self) -> Any:
        """The device of the module."""
        return self.device

    @property
    def join_process_group(self) -> Any:
        """The group of the module."""
        return self.process_group

    @property
    def _distributed_rank(self) -> int:
        return dist.get_rank(self.process_group)

    def _log_and_throw(self, err_type: type[Exception], err_msg: str) -> None:
        if self.logger is not None:
            self.logger._set_error_and_log(f"{err_type!s}: {err_msg}")
        raise err_type(err_msg)

    def _sync_final_model(self, is_last_joiner: bool) -> None:
        #: The rank of who trained last.
        self._authoritative_rank = self._find_common_rank(self._distributed_rank, is_last_joiner)
        _sync_module_states(
            self.module,
            self.process_group,
            self.broadcast_bucket_size,
            self._authoritative_rank,
            self.parameters_to_ignore,
            self.broadcast_buffers,
        )

    def _find_common_rank(self, input_rank: int, rank_cond: bool) -> int:
        rank = torch.tensor([input_rank if rank_cond else -1], device=self.device)
        dist.all_reduce(rank, op=dist.ReduceOp.MAX, group=self.process_group)
        if rank.item() == -1:
            self._log_and_throw(
                ValueError,
                "BUG! Expected rank_cond to be true for at least one process. This indicates a "
                "bug in PyTorch, please report an issue.",
            )
        return int(rank.item())
