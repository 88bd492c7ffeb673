"""The parameters of one call of ``fully_shard``, which are exchanged together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....aten import torch
from ... import distributed_c10d as c10d
from ...tensor._lines import Line
from ._fsdp_api import (
    AllGather,
    CPUOffloadPolicy,
    MixedPrecisionPolicy,
    OffloadPolicy,
    ReduceScatter,
)
from ._fsdp_collectives import DefaultAllGather, DefaultReduceScatter
from ._fsdp_param import DataParallel, ShardedParameter, _unsafe_preserve_version_counter

__all__ = ["ParameterGroup"]

_OP: Any = c10d.ReduceOp


class _Memory:
    """One line of memory for the whole parameters of one dtype, which is there while they are.

    :param parts: into how many equal parts it may be cut.
    """

    def __init__(
        self, params: list[ShardedParameter], dtype: Any, device: Any, parts: int = 1
    ) -> None:
        counts = [math.prod(p.shape) for p in params]
        rest = -sum(counts) % parts
        self.params = params
        self.line = torch.empty(sum(counts) + rest, dtype=dtype, device=device)
        self.bytes = self.line.untyped_storage().size()
        #: A part of the line that this process has while it has not the line.
        self.kept: Any = None
        for p, part in zip(params, self.line.split([*counts, rest]), strict=False):
            p.made_in(part)

    def take(self) -> None:
        """Have the memory again."""
        self.line.untyped_storage().resize_(self.bytes)

    def give_back(self) -> None:
        """Have none; views of it, in graphs too, have none either."""
        self.line.untyped_storage().resize_(0)


def _wait(work: Any) -> None:
    """Wait for the end of an exchange, where it is not known already."""
    if work is not None:
        work.wait()


class _Regathering:
    """An exchange of the parts that few processes have kept of a line of memory."""

    def __init__(self, memory: _Memory, line: Line, comm: AllGather) -> None:
        self._memory = memory
        sent, memory.kept = memory.kept, None
        self._received = comm.allocate(
            (len(sent) * line.size,), dtype=sent.dtype, device=sent.device
        )
        self._work = comm(self._received, sent, line.group, async_op=True)

    def finish_all_gather(self, known: dict[Any, _Memory]) -> None:
        """Wait for the parts and write them into the line; let modules see the parameters."""
        _wait(self._work)
        self._memory.take()
        # What backward has saved is as it was once the numbers are there again.
        with _unsafe_preserve_version_counter(self._memory.line):
            self._memory.line.copy_(self._received)
        for p in self._memory.params:
            p.register(p.unsharded)

    def drop(self) -> None:
        """Wait for the parts, and let go of them."""
        _wait(self._work)


class _Gathering:
    """An exchange of parts that has begun: parameters of one dtype."""

    def __init__(
        self,
        params: list[ShardedParameter],
        dtype: Any,
        device: Any,
        cuts: int,
        comm: AllGather,
    ) -> None:
        self.params, self.dtype, self.over = params, dtype, params[0].over
        self.cuts = cuts
        sent = torch.cat([p.sent(dtype) for p in params]).to(device)
        size, shards = self.over.size, self.over.shards
        assert shards is not None
        whole = comm.allocate((size * len(sent),), dtype=dtype, device=sent.device)
        parts = whole.chunk(size)
        self.received = [parts[member] for member in shards.members]
        self._work = comm(whole, sent, shards.group, async_op=True)

    def drop(self) -> None:
        """Wait for the parts, and let go of them."""
        _wait(self._work)

    def finish_all_gather(self, known: dict[Any, _Memory]) -> None:
        """Wait for the parts and write them into the memory of the dtype."""
        _wait(self._work)
        memory = known.get(self.dtype)
        if memory is None or any(p.unsharded is None for p in self.params):
            device = self.received[0].device
            known[self.dtype] = _Memory(self.params, self.dtype, device, self.cuts)
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
        self.gathers: AllGather = DefaultAllGather()
        self.scatters: ReduceScatter = DefaultReduceScatter()
        #: The processes among which parameters are split between forward and backward, if fewer.
        self.after_forward: Line | None = None
        self._whole = False
        self._gatherings: list[_Gathering | _Regathering] = []
        self._memories: dict[Any, _Memory] = {}
        self._missing: set[int] = set()
        self.reduced = True

    @property
    def is_whole(self) -> bool:
        """Whether modules see whole parameters."""
        return self._whole

    def begin_all_gather(self, in_backward: bool = False) -> None:
        """Begin to gather what is not whole.

        :param in_backward: whether what was kept of this forward may be taken.
        """
        if self._whole or self._gatherings or not self.over.here:
            return
        kept = [memory for memory in self._memories.values() if memory.kept is not None]
        if kept and in_backward and self.after_forward is not None:
            with torch.no_grad():
                self._gatherings = [
                    _Regathering(memory, self.after_forward, self.gathers) for memory in kept
                ]
            return
        for memory in kept:
            memory.kept = None
        by_dtype: dict[Any, list[ShardedParameter]] = {}
        for p in self.params:
            p.refresh()
            dtype = p.dtype
            if self.precision.param_dtype is not None and dtype.is_floating_point:
                dtype = self.precision.param_dtype
            by_dtype.setdefault(dtype, []).append(p)
        with torch.no_grad():
            for dtype, params in by_dtype.items():
                cuts = 1 if self.after_forward is None else self.after_forward.size
                gathering = _Gathering(params, dtype, self.over.device, cuts, self.gathers)
                self._gatherings.append(gathering)

    def unshard(self, in_backward: bool = False) -> None:
        """Make parameters whole."""
        self.begin_all_gather(in_backward)
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
            gathering.drop()
        self._gatherings = []

    @torch.no_grad()
    def reshard(self, after_forward: bool = False) -> None:
        """Let go of what others have, or after forward of what those near have."""
        self.drop()
        near = self.after_forward if after_forward else None
        for memory in self._memories.values():
            memory.kept = None
        if not self._whole:
            return
        for p in self.params:
            p.register(p.sharded)
        for memory in self._memories.values():
            if near is not None:
                memory.kept = memory.line.chunk(near.size)[near.members[near.index]].clone()
            memory.give_back()
        self._whole = False

    # Backward

    def expect(self) -> None:
        """Wait for the gradients of a backward that has come to the results of the modules."""
        self.unshard(in_backward=True)
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
        shards = self.over.shards
        assert shards is not None
        ranks = shards._in_group_order(range(self.over.size))
        count, device = sum(_count(p) for p, _ in given), sent[0][0].device
        inputs = self.scatters.allocate((count * len(ranks),), dtype=wire, device=device)
        torch.cat([parts[r] for r in ranks for parts in sent], out=inputs)
        del sent
        output = self.scatters.allocate((count,), dtype=wire, device=device)
        _wait(self.scatters(output, inputs, shards.group, _OP.SUM))
        del inputs
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
