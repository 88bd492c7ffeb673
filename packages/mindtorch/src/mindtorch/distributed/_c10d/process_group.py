"""Process groups: torch's calls, checked and handed to an engine."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from mindtorch_storage import ACCELERATOR
from mindtorch_storage.device import CUDA

from ...aten import torch
from ...core import ranges
from ...core.module_names import living_in
from ...tensor import Tensor
from . import operators as c10d
from .durations import Duration, seconds_of
from .engine import Engine
from .group_checks import _one
from .monitored_barrier import meet
from .options import BackendType, _BackendOptions
from .reductions import OpType, ReduceOp
from .single_process import SingleProcess
from .work import Work

_SUM: Any = ReduceOp.SUM
#: What calls are called in profiles.
_SHOWN = {
    kind: name
    for name, kinds in {
        "broadcast": ("BROADCAST",),
        "all_reduce": ("ALLREDUCE", "ALLREDUCE_COALESCED"),
        "reduce": ("REDUCE",),
        "all_gather": ("ALLGATHER", "_ALLGATHER_BASE", "ALLGATHER_COALESCED"),
        "gather": ("GATHER",),
        "scatter": ("SCATTER",),
        "reduce_scatter": (
            *("REDUCE_SCATTER", "_REDUCE_SCATTER_BASE", "REDUCE_SCATTER_TENSOR_COALESCED"),
        ),
        "all_to_all": ("ALLTOALL_BASE", "ALLTOALL"),
        "send": ("SEND",),
        "recv": ("RECV",),
        "recvAnySource": ("RECVANYSOURCE",),
        "barrier": ("BARRIER",),
    }.items()
    for kind in [getattr(OpType, each) for each in kinds]
}


def _made(given: Any) -> Work:
    """The work among what an operator gives."""
    work: Work = given[-1] if type(given) is tuple else given
    return work


def _async(opts: Any) -> bool:
    """Whether the caller goes on while the call is under way."""
    return getattr(opts, "asyncOp", True)


def _lists(tensors: Any) -> list[list[Tensor]]:
    return [list(each) for each in tensors]


class _MetaBackend(type):
    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or isinstance(x, ProcessGroup)


class Backend(metaclass=_MetaBackend):
    """One backend of a group; a group of one kind of process is its own."""

    Options = _BackendOptions


_IDS = itertools.count(94_000_000_000_000, 64)


class ProcessGroup:
    """A group of processes: calls on tensors, each of which gives a :class:`Work`.

    ``ProcessGroup(rank, size)`` or ``ProcessGroup(store, rank, size)``. Backends of users derive
    from it and override the calls they have.
    """

    BackendType = BackendType
    UNDEFINED: Any = BackendType.UNDEFINED
    GLOO: Any = BackendType.GLOO
    NCCL: Any = BackendType.NCCL
    XCCL: Any = BackendType.XCCL
    UCC: Any = BackendType.UCC
    MPI: Any = BackendType.MPI
    CUSTOM: Any = BackendType.CUSTOM

    def __init__(self, *args: Any, engine: Engine | None = None) -> None:
        if len(args) not in (2, 3) or not all(isinstance(a, int) for a in args[-2:]):
            head = "typing.SupportsInt | typing.SupportsIndex"
            pair = f"rank: {head}, size: {head}"
            name = "torch._C._distributed_c10d"
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types are "
                f"supported:\n    1. {name}.ProcessGroup({pair})\n    2. {name}.ProcessGroup("
                f"store: {name}.Store, {pair})\n\nInvoked with: {', '.join(map(repr, args))}"
            )
        self._store = args[0] if len(args) == 3 else None
        self._own_rank, self._own_size = args[-2:]
        if engine is None and type(self) is ProcessGroup and self._own_size == 1:
            engine = SingleProcess("undefined")
        self._engine = engine
        self._group_name = ""
        self._group_desc = "undefined"
        self._number = next(_IDS)
        self._sequence = 0
        self._hook: Any = None
        #: What serves each type of device, None for the group itself; where it is empty, the group
        #: serves all.
        self._backends: dict[str, Any] = {}
        self._kind: Any = BackendType.UNDEFINED
        self.bound_device_id: Any = None
        self.use_pg_for_symm_mem_rendezvous = False
        self._timeout = timedelta(minutes=30)

    @property
    def engine(self) -> Engine:
        """The engine; torch has no such attribute."""
        if self._engine is None:
            raise RuntimeError(f"Backend {self.name()} does not support this call")
        return self._engine

    def rank(self) -> int:
        """The number of this process in the group."""
        return self._own_rank

    def size(self) -> int:
        """How many processes the group has."""
        return self._own_size

    def getBackendName(self) -> str:
        """What backends of users call themselves."""
        return self._engine.name if self._engine is not None else "undefined"

    def name(self) -> str:
        """The name of the backend."""
        return self.getBackendName()

    def _get_backend_name(self) -> str:
        return self.name()

    def get_group_store(self) -> Any:
        """The store that the group was made with."""
        return self._store

    def _set_group_name(self, arg0: str) -> None:
        self._group_name = arg0

    @property
    def group_name(self) -> str:
        """The name of the group."""
        return self._group_name

    def _set_group_desc(self, arg0: str) -> None:
        self._group_desc = arg0

    @property
    def group_desc(self) -> str:
        """What the group is for."""
        return self._group_desc

    @property
    def _device_types(self) -> list[Any]:
        return [torch.device(d) for d in reversed(self._backends or ["cpu"])]

    def _id(self) -> int:
        return self._number

    def _backend_id(self, backend_type: Any) -> int:
        return self._number

    def _get_backend(self, device: Any) -> Any:
        kind = torch.device(device).type
        found = self._backends
        # torch's lists of backends call accelerators cuda.
        if found and kind not in found and not (kind == ACCELERATOR and CUDA in found):
            raise RuntimeError(f"No backend type associated with device type {kind}")
        return found.get(kind) or self

    def _serves_host(self) -> bool:
        return not self._backends or "cpu" in self._backends

    def _register_backend(self, device: Any, backend_type: Any, backend: Any = None) -> None:
        self._backends[torch.device(device).type] = backend

    def _set_default_backend(self, backend_type: Any) -> None:
        self._kind = backend_type

    def _has_hooks(self) -> bool:
        return self._hook is not None

    def _register_on_completion_hook(self, hook: Any) -> None:
        self._hook = hook

    def _wait_for_pending_works(self) -> None:
        pass

    def _enable_collectives_timing(self) -> None:
        pass

    def _set_sequence_number_for_group(self) -> None:
        pass

    def _get_sequence_number_for_group(self) -> int:
        return self._sequence

    @property
    def timeout(self) -> timedelta:
        """How long a call may take."""
        return self._timeout

    @timeout.setter
    def timeout(self, timeout: timedelta) -> None:
        self._timeout = timeout
        if self._engine is not None:
            self._engine.timeout = timeout.total_seconds()

    def set_timeout(self, timeout: timedelta) -> None:
        """Set how long calls wait."""
        self.timeout = timeout

    def _set_default_timeout(self, timeout: timedelta) -> None:
        self.timeout = timeout

    def abort(self) -> None:
        """Let go of the engine."""
        self.shutdown()

    def shutdown(self) -> None:
        """Let go of the engine."""
        if self._engine is not None:
            self._engine.close()

    def boxed(self) -> Any:
        """The group itself."""
        return self

    @staticmethod
    def unbox(obj: Any) -> Any:
        """The group itself."""
        return obj

    def split_group(
        self,
        new_ranks: Sequence[int],
        timeout: timedelta | None = None,
        opts: Any = None,
        group_name: str | None = None,
        group_desc: str | None = None,
    ) -> Any:
        """A group of some of these processes."""
        engine = self.engine.split(new_ranks, group_name or "")
        if engine is None:
            return None
        made = ProcessGroup(self._store, engine.rank, engine.size, engine=engine)
        made._backends, made._kind = dict(self._backends), self._kind
        made._group_name = group_name or f"{self._group_name}:split"
        made._group_desc = group_desc or f"{self._group_desc}:split"
        return made

    def merge_remote_group(self, *args: Any, **kwargs: Any) -> Any:
        """A group of these processes and others, which is not supported."""
        raise RuntimeError(f"Backend {self.name()} does not support merge_remote_group")

    def _begun(
        self, kind: Any, tensors: Sequence[Any], pending: Any, given: Sequence[Any] | None = None
    ) -> Work:
        """The work of a call that writes *tensors* and was *given* others, if not these."""
        self._sequence += 1
        work = Work._of(kind, tensors, pending)
        if ranges.begun is not None:
            work._seen_as(f"{self.name()}:{_SHOWN[kind]}", tensors if given is None else given)
        return work

    @staticmethod
    def _op(opts: Any, op: Any) -> Any:
        if op is not None:
            return op
        if opts is None:
            return _SUM
        return opts if isinstance(opts, ReduceOp) else opts.reduceOp

    @staticmethod
    def _root_of(opts: Any, root: int | None = None) -> int:
        if root is not None:
            return root
        return opts if isinstance(opts, int) else opts.rootRank if opts is not None else 0

    def broadcast(
        self, tensors: Any, opts: Any = None, timeout: Any = None, *, root: int | None = None
    ) -> Work:
        """Write what the root has into the tensor of all."""
        return _made(
            c10d.broadcast([_one(tensors)], self, self._root_of(opts, root), 0, _async(opts))
        )

    def allreduce(
        self, tensors: Any, opts: Any = None, timeout: Any = None, *, op: Any = None
    ) -> Work:
        """Write the reduction of all tensors into each."""
        return _made(c10d.all_reduce([_one(tensors)], self, self._op(opts, op), None, _async(opts)))

    def allreduce_coalesced(self, tensors: Sequence[Tensor], opts: Any = None) -> Work:
        """The same, of several tensors."""
        return _made(
            c10d.all_reduce_coalesced(list(tensors), self, self._op(opts, None), _async(opts))
        )

    def reduce(
        self,
        tensors: Any,
        opts: Any = None,
        op: Any = None,
        timeout: Any = None,
        *,
        root: Any = None,
    ) -> Work:
        """Write the reduction of all tensors into that of the root."""
        reduction = op if op is not None else getattr(opts, "reduceOp", _SUM)
        return _made(
            c10d.reduce(
                [_one(tensors)], self, reduction, self._root_of(opts, root), 0, _async(opts)
            )
        )

    def allgather(self, output_tensors: Any, input_tensors: Any, opts: Any = None) -> Work:
        """Write the tensor of each into a list of all."""
        outputs = [output_tensors] if isinstance(input_tensors, Tensor) else output_tensors
        return _made(
            c10d.all_gather_lists(_lists(outputs), [_one(input_tensors)], self, _async(opts))
        )

    def all_gather_single(self, output: Tensor, input: Tensor, opts: Any = None) -> Work:
        """Write the tensor of each into one of all, one behind the other."""
        return _made(c10d.all_gather_base(output, input, self, _async(opts)))

    _allgather_base = all_gather_single

    def allgather_coalesced(
        self,
        output_lists: Sequence[Sequence[Tensor]],
        input_list: Sequence[Tensor],
        opts: Any = None,
    ) -> Work:
        """Gather several tensors."""
        return _made(
            c10d.all_gather_coalesced(_lists(output_lists), list(input_list), self, _async(opts))
        )

    def all_gather_single_coalesced(
        self, outputs: Sequence[Tensor], inputs: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Gather several tensors, each into one."""
        return _made(
            c10d.all_gather_into_tensor_coalesced(list(outputs), list(inputs), self, _async(opts))
        )

    allgather_into_tensor_coalesced = all_gather_single_coalesced

    def gather(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write the tensor of each into a list of the root."""
        outputs = [output_tensors] if isinstance(input_tensors, Tensor) else output_tensors
        tensor = _one(input_tensors)
        return _made(
            c10d.gather(_lists(outputs), [tensor], self, self._root_of(opts), _async(opts))
        )

    def scatter(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write each of the root's tensors into that of its rank."""
        inputs = [input_tensors] if isinstance(output_tensors, Tensor) else input_tensors
        output = _one(output_tensors)
        return _made(
            c10d.scatter([output], _lists(inputs), self, self._root_of(opts), _async(opts))
        )

    def reduce_scatter(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write the reduction of all lists, each part to its rank."""
        inputs = [input_tensors] if isinstance(output_tensors, Tensor) else input_tensors
        output, op = _one(output_tensors), self._op(opts, None)
        return _made(c10d.reduce_scatter([output], _lists(inputs), self, op, _async(opts)))

    def reduce_scatter_single(
        self, outputTensor: Tensor, inputTensor: Tensor, opts: Any = None
    ) -> Work:
        """Reduce a tensor of all, each part to its rank."""
        op = self._op(opts, None)
        return _made(c10d.reduce_scatter_base(outputTensor, inputTensor, self, op, _async(opts)))

    _reduce_scatter_base = reduce_scatter_single

    def reduce_scatter_single_coalesced(
        self, outputs: Sequence[Tensor], inputs: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Reduce several tensors of all."""
        op = self._op(opts, None)
        return _made(
            c10d.reduce_scatter_coalesced(list(outputs), list(inputs), self, op, _async(opts))
        )

    reduce_scatter_tensor_coalesced = reduce_scatter_single_coalesced

    def all_to_all_single(
        self,
        output: Tensor,
        input: Tensor,
        output_split_sizes: Sequence[int],
        input_split_sizes: Sequence[int],
        opts: Any = None,
    ) -> Work:
        """Send each part of a tensor to its rank."""
        sizes = list(output_split_sizes or ()), list(input_split_sizes or ())
        return _made(c10d.all_to_all_base(output, input, self, *sizes, _async(opts)))

    alltoall_base = all_to_all_single

    def alltoall(
        self, output_tensors: Sequence[Tensor], input_tensors: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Send each of some tensors to its rank."""
        return _made(c10d.all_to_all(list(output_tensors), list(input_tensors), self, _async(opts)))

    def send(self, tensors: Sequence[Tensor], dstRank: int, tag: int) -> Work:
        """Send a tensor."""
        return _made(c10d.send([_one(tensors)], self, dstRank, tag))

    def recv(self, tensors: Sequence[Tensor], srcRank: int, tag: int) -> Work:
        """Receive a tensor."""
        return _made(c10d.receive([_one(tensors)], self, srcRank, tag))

    def recv_anysource(self, arg0: Sequence[Tensor], arg1: int) -> Work:
        """Receive a tensor of anybody."""
        return _made(c10d.receive_from_any([_one(arg0)], self, arg1))

    def barrier(self, opts: Any = None, timeout: Any = None) -> Work:
        """Wait for everybody."""
        ids = list(getattr(opts, "device_ids", None) or ())
        limit = -1 if opts is None else opts.timeout // timedelta(milliseconds=1)
        device = getattr(opts, "device", None) or ("cpu" if self._serves_host() else ACCELERATOR)
        nothing = torch.empty(1, dtype=torch.uint8, device=device)
        return _made(c10d.barrier(nothing, self, ids, _async(opts), limit))

    def monitored_barrier(
        self, timeout: Duration | None = None, wait_all_ranks: bool = False
    ) -> None:
        """Wait for everybody, no longer than *timeout*; the first process says who did not come.

        Raises RuntimeError that names one of them, or all if *wait_all_ranks*.
        """
        if self.size() > 1:
            given = self.timeout if timeout is None else timeout
            meet(self.engine, seconds_of(given), wait_all_ranks)

    def _start_coalescing(self, device_type: Any) -> None:
        raise RuntimeError(f"Backend {self.name()} does not implement startCoalescing")

    def _end_coalescing(self, device_type: Any) -> Work:
        raise RuntimeError(f"Backend {self.name()} does not implement endCoalescing")


living_in("mindtorch.distributed.distributed_c10d", ProcessGroup)
living_in("mindtorch._C._distributed_c10d", Backend)
