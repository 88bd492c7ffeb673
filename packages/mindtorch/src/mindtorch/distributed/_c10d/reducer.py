"""The reducer of ``DistributedDataParallel``: gradients are averaged while others are computed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ...aten import torch
from ...core.module_names import living_in
from ...futures._future import Future
from ...tensor import Tensor
from .buckets import (
    _DEFAULT_FIRST_BUCKET_BYTES,
    GradBucket,
    _compute_bucket_assignment_by_size,
)
from .ddp_logger import Logger, StepTimes
from .fake import nobody_else
from .options import AllreduceOptions, BroadcastOptions
from .process_group import ProcessGroup
from .single_process import SingleProcess
from .used_parameters import reached
from .work import Work

__all__ = ["Reducer"]

#: Of a first backward nobody knows in which order gradients come: all wait for the last.
NO_LIMIT = sys.maxsize

GRAPH_CHANGED = (
    "Your training graph has changed in this iteration, e.g., one parameter is unused in first "
    "iteration, but then got used in the second iteration. this is not compatible with "
    "static_graph set to True."
)


class Reducer:
    """Gradients of parameters into buckets, these to a hook, and what it gives back again.

    A bucket goes as soon as its gradients and all buckets before it are there, while backward
    computes others. After the first backward the buckets are made anew, in the order in which
    gradients came in the first process.
    """

    def __init__(
        self,
        params: Sequence[Tensor],
        bucket_indices: Sequence[Sequence[int]],
        per_bucket_size_limits: Sequence[int] = (),
        process_group: Any = None,
        expect_sparse_gradients: Sequence[bool] = (),
        bucket_bytes_cap: int = 26214400,
        find_unused_parameters: bool = False,
        gradient_as_bucket_view: bool = False,
        param_to_name_mapping: dict[int, str] | None = None,
        first_bucket_bytes_cap: int = _DEFAULT_FIRST_BUCKET_BYTES,
        skip_all_reduce_unused_params: bool = False,
        use_python_reducer: bool = False,
        bucket_bytes_cap_list: Sequence[int] = (),
        batched_grad_copy: bool = False,
    ) -> None:
        self.parameters = list(params)
        self.buckets = [list(b) for b in bucket_indices]
        self.group: ProcessGroup = process_group
        self.sparse = list(expect_sparse_gradients) or [False] * len(self.parameters)
        self.find_unused = find_unused_parameters
        self.as_view = gradient_as_bucket_view
        self.names = param_to_name_mapping or {}
        self.hook: Any = None
        self.state: Any = None
        self.static = False
        #: Whether gradients of a backward are to come that are averaged.
        self.expecting = False
        #: By what sums are divided, where no hook does it.
        self.divisor = 0
        self.bucket_bytes_cap = bucket_bytes_cap
        #: The dtype that gradients are averaged in; None: their own.
        self.reduce_dtype: Any = None
        #: What is told of steps, as a ``Logger`` sees them.
        self.logger: Logger | None = None
        self.times = StepTimes()
        self.ready_order: list[int] = []
        self.reduced_buckets = 0
        self._steps = 0
        self._used_before: set[int] = set()
        #: In how many processes a backward has used each parameter, where they tell each other.
        self._use_counts = torch.zeros(len(self.parameters), dtype=torch.int32)
        self._skips_unused = skip_all_reduce_unused_params
        self._skipped: set[int] = set()
        self._optimizers_step = False
        self._unused: set[int] | None = None
        self._is_static = True
        self._limits = list(bucket_bytes_cap_list) or [first_bucket_bytes_cap, bucket_bytes_cap]
        self._order: list[int] = []
        self._rebuilt = False
        self._fires: dict[int, int] = {}
        self._expected: dict[int, int] = {}
        self.prepare()

    # One step

    def _ddp_graph_static(self) -> bool:
        """Whether all steps so far have left the same parameters unused."""
        return self._is_static

    @property
    def has_begun(self) -> bool:
        """Whether there was a step."""
        return bool(self._steps)

    def begin_forward(self) -> None:
        """Note that a step begins."""
        if self.logger is not None:
            self.logger.step_begins(self._steps)
        self._steps += 1
        self.times = StepTimes()

    def prepare_for_backward(self, outputs: Tensor | Sequence[Tensor]) -> None:
        """Expect the gradients of a backward from *outputs*; unused are parameters not behind them.

        Only who looks for unused parameters has to name the outputs.
        """
        given = [outputs] if isinstance(outputs, Tensor) else list(outputs)
        everything = set(range(len(self.parameters)))
        unused: set[int] = set()
        if self.find_unused and not self.static:
            unused = everything - reached(given, {id(p): i for i, p in enumerate(self.parameters)})
        elif self.graph is not None:
            unused = everything - self.graph
        self.expecting = True
        self.prepare(unused)

    def prepare(self, unused: Sequence[int] | set[int] = ()) -> None:
        """Expect the gradients of a backward, which will not have those of *unused*."""
        self._missing = [set(b) for b in self.buckets]
        self._place = {i: n for n, b in enumerate(self.buckets) for i in b}
        self._next = 0
        self._under_way: list[tuple[GradBucket, list[int], Any]] = []
        self._used: set[int] = set()
        self._fires = {}
        self.ready_order = []
        self.reduced_buckets = 0
        if self.find_unused and self._steps:
            self._is_static &= self._unused is None or self._unused == set(unused)
            self._unused = set(unused)
        if self._steps:
            self._skip_unused(set(range(len(self.parameters))) - set(unused))
        for index in unused:
            self._missing[self._place[index]].discard(index)
        self._launch()

    @property
    def graph(self) -> set[int] | None:
        """The parameters that the first backward of a static graph has used; None: not known."""
        return set(self._expected) if self.static and self._expected else None

    @property
    def is_complete(self) -> bool:
        """Whether all gradients of this backward are there."""
        return not any(self._missing)

    @property
    def waits_for_end(self) -> bool:
        """Whether a backward may end without some gradients: those of unused parameters."""
        return self._waits_for_all or self.find_unused and not self.static

    @property
    def _waits_for_all(self) -> bool:
        """Whether nothing goes before the end: what comes is not known yet."""
        return self.static and not self._expected

    def ready(self, index: int) -> None:
        """Note that the gradient of parameter *index* is there."""
        self.times.mark("computes")
        self.ready_order.append(index)
        if index not in self._used and not self._rebuilt:
            self._order.append(index)
        self._used.add(index)
        if self.graph is not None and index not in self._expected:
            self.refuse(GRAPH_CHANGED)
        self._fires[index] = self._fires.get(index, 0) + 1
        if self._waits_for_all or self._fires[index] < self._expected.get(index, 1):
            return
        self._missing[self._place[index]].discard(index)
        self._launch()

    def refuse(self, text: str) -> NoReturn:
        """Raise RuntimeError, and let who asks for logged data know of it."""
        if self.logger is not None:
            self.logger._set_error_and_log(text)
        raise RuntimeError(text)

    def note_use(self, index: int) -> None:
        """Note that a backward whose gradients are not averaged has used parameter *index*."""
        self._used_before.add(index)

    def arrived(self) -> set[int]:
        """The parameters whose gradients came in this backward."""
        return self._used

    def _launch(self) -> None:
        """Send the next buckets that are full, in their order."""
        if self._nothing_to_do:
            return
        while self._next < len(self.buckets) and not self._missing[self._next]:
            if self._next not in self._skipped:
                self._all_reduce(self._next)
            self._next += 1

    @property
    def _nothing_to_do(self) -> bool:
        """The average of one process is what it was."""
        alone = isinstance(self.group._engine, SingleProcess)
        return alone and self.hook is None and not self.as_view

    @property
    def is_rebuilt(self) -> bool:
        """Whether the buckets are those of the order in which gradients come."""
        return self._rebuilt

    def _all_reduce(self, number: int) -> None:
        self.times.mark("sends")
        self.reduced_buckets += 1
        bucket = self.buckets[number]
        members = [self.parameters[i] for i in bucket]
        if any(self.sparse[i] for i in bucket):
            if self.group.size() == 1:
                return
            self._under_way.append(
                (
                    GradBucket(number, members[0], members, False),
                    bucket,
                    _SparseSum(self, members[0]),
                )
            )
            return
        if isinstance(self.group._engine, SingleProcess) and all(p.grad is None for p in members):
            return
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in members]
        with torch.no_grad():
            flat = torch.cat([g.detach().reshape(-1) for g in grads])
            flat = flat if self.reduce_dtype is None else flat.to(self.reduce_dtype)
            made = GradBucket(number, flat, members, number == len(self.buckets) - 1)
            self._under_way.append((made, bucket, self.run_hook(made)))

    def run_hook(self, bucket: GradBucket) -> Any:
        """Begin to reduce a bucket; what it gives is waited for at the end."""
        if self.hook is not None:
            given = self.hook(self.state, bucket)
            if not isinstance(given, Future):
                kind = type(given)
                raise TypeError(
                    "DDP communication hook's callback must return a torch.futures.Future object, "
                    f"but got {kind.__module__}.{kind.__qualname__}"
                )
            return given
        bucket.buffer().div_(self.divisor or self.group.size())
        return self._run_allreduce_hook(bucket)

    def _run_allreduce_hook(self, bucket: GradBucket) -> Any:
        """Begin to sum a bucket over all processes."""
        work = self.group.allreduce([bucket.buffer()], AllreduceOptions())
        # A work of a user's own ends as its future does.
        return work._carry_on() if type(work) is Work else work.get_future()

    def _set_optimizer_in_backward(self) -> None:
        """Note that a hook steps parameters: what was averaged is not written back."""
        self._optimizers_step = True

    def reduce(self) -> None:
        """Send what is left at the end of a backward, wait for all, and write gradients."""
        self.times.mark("computed")
        self._reduce()
        self.times.mark("sends")  # nothing was to be sent
        self.times.mark("reduced")

    def _reduce(self) -> None:
        if self.static and not self._expected:
            self._expected = dict(self._fires)
            if not self._rebuilt:
                self._order[:0] = [i for i in range(len(self.parameters)) if i not in self._used]
        if self._nothing_to_do:
            self.exchange_used(self._used | self._used_before)
            return
        for left in self._missing:
            left.clear()
        self._launch()
        everything = self._used | self._used_before
        used = self.exchange_used(everything) if self._asks_for_use else None
        self._used_before = set()
        for made, bucket, work in self._under_way:
            result = work.wait()
            if isinstance(work, _SparseSum):
                continue
            buffer = made.buffer() if isinstance(result, bool) else _first(result)
            self._write(buffer, bucket, used)
        self._under_way = []

    # Parameters that some or all processes do not use

    @property
    def _asks_for_use(self) -> bool:
        return self.group.size() > 1 and (self.find_unused or self.static)

    def exchange_used(self, used: set[int]) -> set[int]:
        """The parameters that any process has used; *used* are those of this one."""
        counts = torch.zeros(len(self.parameters), dtype=torch.int32)
        for index in used:
            counts[index] = 1
        if not nobody_else(self.group):
            counts = counts.to(self.parameters[0].device)
            self.group.allreduce([counts], AllreduceOptions()).wait()
        self._use_counts = counts
        return {i for i, count in enumerate(counts.tolist()) if count}

    def _get_local_used_map(self) -> Tensor | None:
        """In how many processes the last backward has used each parameter; None: not counted."""
        return self._use_counts if self.find_unused or self.static else None

    def _skip_unused(self, used: set[int]) -> None:
        """Leave out the buckets of which no process uses a parameter; this one uses *used*."""
        self._skipped = set()
        if self._skips_unused and self.find_unused and not self.static:
            by_any = self.exchange_used(used)
            self._skipped = {n for n, b in enumerate(self.buckets) if not by_any.intersection(b)}

    def _write(self, buffer: Tensor, bucket: list[int], used: set[int] | None) -> None:
        at = 0
        several = self.group.size() > 1
        with torch.no_grad():
            for i in bucket:
                p = self.parameters[i]
                part = buffer[at : at + p.numel()].view(p.shape)
                at += p.numel()
                if used is not None and i not in used or self._optimizers_step:
                    continue
                if p.grad is None and not several:
                    continue
                if self.as_view:
                    p.grad = part.to(p.dtype)
                elif p.grad is None:
                    p.grad = part.to(p.dtype).clone()
                else:
                    p.grad.copy_(part)

    # Other buckets

    def push_all(self) -> None:
        """Take the parameters' own order for that of gradients, where none has come."""
        if not self._rebuilt and not self._order:
            self._order = list(range(len(self.parameters)))

    def rebuild(self) -> bool:
        """Make the buckets anew after the first backward; whether it has done so now."""
        if self._rebuilt or (self.find_unused and not self.static):
            return False
        if len(self._order) != len(self.parameters):
            return False
        indices = self._order
        if not nobody_else(self.group):
            order = torch.tensor(indices, device=self.parameters[0].device)
            self.group.broadcast([order], BroadcastOptions()).wait()
            indices = [int(i) for i in order.tolist()]
        self.buckets, _ = _compute_bucket_assignment_by_size(
            [self.parameters[i] for i in indices],
            self._limits,
            [self.sparse[i] for i in indices],
            indices,
        )
        self._rebuilt = True
        return True

    def zero_buckets(self) -> list[GradBucket]:
        """Buckets of zeros, which a process gives that has no more input."""
        made = []
        self._skip_unused(set())
        for number, bucket in enumerate(self.buckets):
            if number in self._skipped:
                continue
            members = [self.parameters[i] for i in bucket]
            zeros = [torch.zeros(p.numel(), dtype=p.dtype, device=p.device) for p in members]
            last = number == len(self.buckets) - 1
            made.append(GradBucket(number, torch.cat(zeros), members, last))
        return made


class _SparseSum:
    """The average of sparse gradients, as those of embeddings are: rows of all processes."""

    def __init__(self, reducer: Reducer, parameter: Any) -> None:
        self._group, self._parameter = reducer.group, parameter
        self._divisor = reducer.divisor or reducer.group.size()

    def wait(self) -> bool:
        """Gather the rows of all and write their average."""
        with torch.no_grad():
            p = self._parameter
            grad = p.grad if p.grad is not None else torch.zeros_like(p).to_sparse(1)
            grad = grad / self._divisor
            self._group.allreduce([grad], AllreduceOptions()).wait()
            p.grad = grad
        return True


def _first(result: Any) -> Tensor:
    return result[0] if isinstance(result, list | tuple) else result


def _register_comm_hook(reducer: Reducer, state: Any, comm_hook: Any) -> None:
    """Let *comm_hook* reduce the buckets."""
    if reducer.hook is not None:
        raise RuntimeError(
            "register_comm_hook or register_builtin_comm_hook can only be called once."
        )
    reducer.hook, reducer.state = comm_hook, state


living_in("mindtorch._C._distributed_c10d", Reducer)
