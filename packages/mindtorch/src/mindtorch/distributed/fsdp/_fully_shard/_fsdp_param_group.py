"""The parameters of one call of ``fully_shard``, which are exchanged together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....aten import torch
from ... import distributed_c10d as c10d
from ._fsdp_api import CPUOffloadPolicy, MixedPrecisionPolicy, OffloadPolicy
from ._fsdp_param import DataParallel, ShardedParameter

__all__ = ["ParameterGroup"]

_OP: Any = c10d.ReduceOp


class _Memory:
    """One line of memory for the whole parameters of one dtype, which is there while they are."""

    def __init__(self, params: list[ShardedParameter], dtype: Any, device: Any) -> None:
        counts = [math.prod(p.shape) for p in params]
        self.line = torch.empty(sum(counts), dtype=dtype, device=device)
        self.bytes = self.line.untyped_storage().size()
        for p, part in zip(params, self.line.split(counts), strict=True):
            p.made_in(part)

    def take(self) -> None:
        """Have the memory again."""
        self.line.untyped_storage().resize_(self.bytes)

    def give_back(self) -> None:
        """Have none; views of it, in graphs too, have none either."""
        self.line.untyped_storage().resize_(0)


class _Gathering:
    """An exchange of parts that has begun: parameters of one dtype."""

    def __init__(self, params: list[ShardedParameter], dtype: Any, device: Any) -> None:
        self.params, self.dtype, self.over = params, dtype, params[0].over
        sent = torch.cat([p.sent(dtype) for p in params]).to(device)
        self.received = [torch.empty_like(sent) for _ in range(self.over.size)]
        shards: Any = self.over.shards
        self.work = shards.group.allgather([shards._in_group_order(self.received)], [sent])

    def finish_all_gather(self, known: dict[Any, _Memory]) -> None:
        """Wait for the parts and write them into the memory of the dtype."""
        self.work.wait()
        memory = known.get(self.dtype)
        if memory is None or any(p.unsharded is None for p in self.params):
            known[self.dtype] = _Memory(self.params, self.dtype, self.received[0].device)
        else:
            memory.take()
        at = 0
        for p in self.params:
            n = _count(p)
            p.receive([part[at : at + n] for part in self.received])
            at += n


def _count(p: ShardedParameter) -> int:
    return math.prod(p.padded_shape())


class ParameterGroup:
    """Parameters that become whole together, and whose gradients are reduced together."""

    def __init__(
        self,
        params: list[ShardedParameter],
        over: DataParallel,
        precision: MixedPrecisionPolicy,
        offload: OffloadPolicy,
    ) -> None:
        self.params, self.over, self.precision, self.offload = params, over, precision, offload
        self.reduces = True
        self.reduces_replicas = True
        self.reshards_after_backward = True
        self.factor: float | None = None
        #: Sums of gradients that are not yet those of the processes with the same parts.
        self._unreduced: dict[Any, Any] = {}
        self.all_reduce_hook: Callable[..., Any] | None = None
        self._whole = False
        self._gatherings: list[_Gathering] = []
        self._memories: dict[Any, _Memory] = {}
        self._missing: set[int] = set()
        self.reduced = True

    @property
    def is_whole(self) -> bool:
        """Whether modules see whole parameters."""
        return self._whole

    def begin_all_gather(self) -> None:
        """Begin to gather what is not whole."""
        if self._whole or self._gatherings or not self.over.here:
            return
        by_dtype: dict[Any, list[ShardedParameter]] = {}
        for p in self.params:
            p.refresh()
            dtype = p.dtype
            if self.precision.param_dtype is not None and dtype.is_floating_point:
                dtype = self.precision.param_dtype
            by_dtype.setdefault(dtype, []).append(p)
        with torch.no_grad():
            for dtype, params in by_dtype.items():
                self._gatherings.append(_Gathering(params, dtype, self.over.device))

    def unshard(self) -> None:
        """Make parameters whole."""
        self.begin_all_gather()
        with torch.no_grad():
            for gathering in self._gatherings:
                gathering.finish_all_gather(self._memories)
        self._gatherings = []
        self._whole = True
        for i, p in enumerate(self.params):
            if p.unsharded is not p.watched and p.unsharded.requires_grad:
                p.watched = p.unsharded
                p.unsharded.register_post_accumulate_grad_hook(lambda _, i=i: self._arrived(i))

    def drop(self) -> None:
        """Forget what was gathered early and not used, for parameters may change."""
        for gathering in self._gatherings:
            gathering.work.wait()
        self._gatherings = []

    def reshard(self) -> None:
        """Let go of what others have."""
        self.drop()
        if not self._whole:
            return
        for p in self.params:
            p.register(p.sharded)
        for memory in self._memories.values():
            memory.give_back()
        self._whole = False

    # Backward

    def expect(self) -> None:
        """Wait for the gradients of a backward that has come to the results of the modules."""
        self.unshard()
        if self.reduced:
            self.reduced = False
            self._missing = {i for i, p in enumerate(self.params) if p.sharded.requires_grad}

    def _arrived(self, i: int) -> None:
        """Note a gradient; with the last one the group is done."""
        if self.reduced:
            return
        self._missing.discard(i)
        if not self._missing:
            self.finish_backward()

    def finish_backward(self) -> None:
        """Reduce the gradients that there are."""
        self.reduced = True
        if self.reduces:
            self._reduce()
        if self.reshards_after_backward:
            self.reshard()

    @torch.no_grad()
    def _reduce(self) -> None:
        """Write the mean of all processes' gradients to the split parameters."""
        by_dtype: dict[Any, list[tuple[ShardedParameter, Any]]] = {}
        for p in self.params:
            grad = p.gradient()
            if grad is not None:
                wire = self.precision.reduce_dtype or grad.dtype
                by_dtype.setdefault(wire, []).append((p, grad))
        for wire, given in by_dtype.items():
            self._reduce_scatter(given, wire)

    def _reduce_scatter(self, given: list[tuple[ShardedParameter, Any]], wire: Any) -> None:
        sent = [p.gradient_parts(grad, wire) for p, grad in given]
        inputs = [torch.cat([parts[r] for parts in sent]) for r in range(self.over.size)]
        shards: Any = self.over.shards
        output = torch.empty_like(inputs[shards.index])
        options = c10d.ReduceScatterOptions()
        options.reduceOp = _OP.SUM
        shards.group.reduce_scatter([output], [shards._in_group_order(inputs)], options).wait()
        for p, _ in given:
            p.unsharded.grad = None
        earlier = self._unreduced.pop(wire, None)
        if earlier is not None:
            output.add_(earlier)
        if self.over.replicas is not None:
            if not self.reduces_replicas:
                self._unreduced[wire] = output
                return
            every = c10d.AllreduceOptions()
            every.reduceOp = _OP.SUM
            self.over.replicas.group.allreduce([output], every).wait()
        divisor = self.over.world if self.factor is None else self.factor
        if divisor != 1:
            output.div_(divisor)
        if self.all_reduce_hook is not None:
            self.all_reduce_hook(output)
        at = 0
        for p, _ in given:
            n = _count(p)
            p.take_gradient(output[at : at + n])
            at += n


def offloaded(policy: OffloadPolicy) -> bool:
    """Whether split parameters are on the host."""
    return isinstance(policy, CPUOffloadPolicy)
