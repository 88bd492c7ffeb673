"""Process groups: torch's calls, checked and handed to an engine."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ...aten import torch
from ...core.module_names import living_in
from ...tensor import Tensor
from .engine import Engine
from .group_checks import _like, _one, _reducible, _root
from .monitored_barrier import meet
from .options import BackendType, _BackendOptions
from .reductions import OpType, ReduceOp
from .single_process import SingleProcess
from .work import Work, together

_OP: Any = OpType
_SUM: Any = ReduceOp.SUM
_BITWISE = (ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR)
_NEVER = timedelta(milliseconds=-1)


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
        self._backends: dict[str, Any] = {}
        self._devices = ["cpu"]
        self._kind: Any = BackendType.UNDEFINED
        self.bound_device_id: Any = None
        self.use_pg_for_symm_mem_rendezvous = False
        self._timeout = timedelta(minutes=30)

    # Who and where

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
        return [torch.device(d) for d in reversed(self._devices)]

    def _id(self) -> int:
        return self._number

    def _backend_id(self, backend_type: Any) -> int:
        return self._number

    def _get_backend(self, device: Any) -> Any:
        kind = torch.device(device).type
        if self._backends:
            if kind not in self._backends:
                raise RuntimeError(f"No backend type associated with device type {kind}")
            return self._backends[kind]
        return self

    def _register_backend(self, device: Any, backend_type: Any, backend: Any = None) -> None:
        self._backends[torch.device(device).type] = backend
        self._devices = list(self._backends)

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
        made._devices, made._kind = self._devices, self._kind
        made._group_name = group_name or f"{self._group_name}:split"
        made._group_desc = group_desc or f"{self._group_desc}:split"
        return made

    def merge_remote_group(self, *args: Any, **kwargs: Any) -> Any:
        """A group of these processes and others, which is not supported."""
        raise RuntimeError(f"Backend {self.name()} does not support merge_remote_group")

    # Collectives

    def _begun(self, kind: Any, tensors: Sequence[Any], pending: Any) -> Work:
        self._sequence += 1
        return Work._of(kind, tensors, pending)

    def broadcast(
        self, tensors: Any, opts: Any = None, timeout: Any = None, *, root: int | None = None
    ) -> Work:
        """Write what the root has into the tensor of all."""
        tensor = _one(tensors)
        if root is None:
            root = opts if isinstance(opts, int) else opts.rootRank if opts is not None else 0
        pending = self.engine.broadcast(tensor, _root("broadcast", root, self.size()))
        return self._begun(_OP.BROADCAST, [tensor], pending)

    @staticmethod
    def _op(opts: Any, op: Any) -> Any:
        if op is not None:
            return op
        if opts is None:
            return _SUM
        return opts if isinstance(opts, ReduceOp) else opts.reduceOp

    def allreduce(
        self, tensors: Any, opts: Any = None, timeout: Any = None, *, op: Any = None
    ) -> Work:
        """Write the reduction of all tensors into each."""
        tensor = _one(tensors)
        pending = self.engine.all_reduce(tensor, _reducible(tensor, self._op(opts, op)))
        return self._begun(_OP.ALLREDUCE, [tensor], pending)

    def allreduce_coalesced(self, tensors: Sequence[Tensor], opts: Any = None) -> Work:
        """The same, of several tensors."""
        op = self._op(opts, None)
        pending = [self.engine.all_reduce(t, _reducible(t, op)) for t in tensors]
        return self._begun(_OP.ALLREDUCE_COALESCED, tensors, together(pending))

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
        tensor = _one(tensors)
        if root is None:
            root = opts if isinstance(opts, int) else opts.rootRank if opts is not None else 0
        reduction = op if op is not None else getattr(opts, "reduceOp", _SUM)
        _root("reduce", root, self.size())
        pending = self.engine.reduce(tensor, _reducible(tensor, reduction), root)
        return self._begun(_OP.REDUCE, [tensor], pending)

    def allgather(self, output_tensors: Any, input_tensors: Any, opts: Any = None) -> Work:
        """Write the tensor of each into a list of all."""
        tensor = _one(input_tensors)
        outputs = output_tensors
        if not isinstance(input_tensors, Tensor):
            if len(outputs) != 1:
                raise RuntimeError(
                    "ProcessGroupGloo::allgather: requires input/output tensor lists to have the "
                    "same length"
                )
            outputs = outputs[0]
        if len(outputs) != self.size():
            raise RuntimeError(
                "ProcessGroupGloo::allgather: invalid output tensor list at index 0 (expected "
                f"length {self.size()}, got {len(outputs)})"
            )
        _like("allgather", outputs, tensor)
        return self._begun(_OP.ALLGATHER, outputs, self.engine.all_gather(outputs, tensor))

    def all_gather_single(self, output: Tensor, input: Tensor, opts: Any = None) -> Work:
        """Write the tensor of each into one of all, one behind the other."""
        if output.dtype != input.dtype or output.numel() != input.numel() * self.size():
            _like("allgather", [output], input)
        parts = list(output.detach().view(-1).chunk(self.size())) if output.numel() else [output]
        source = input.detach().reshape(-1)
        if output.numel():
            pending = self.engine.all_gather(parts, source)
        else:
            pending = None
        return self._begun(_OP._ALLGATHER_BASE, [output], pending)

    _allgather_base = all_gather_single

    def allgather_coalesced(
        self,
        output_lists: Sequence[Sequence[Tensor]],
        input_list: Sequence[Tensor],
        opts: Any = None,
    ) -> Work:
        """Gather several tensors."""
        by_rank: list[Any] = []
        for i, tensor in enumerate(input_list):
            outputs = [each[i] for each in output_lists]
            _like("allgather_coalesced", outputs, tensor)
            by_rank.append(self.engine.all_gather(outputs, tensor))
        return self._begun(_OP.ALLGATHER_COALESCED, output_lists, together(by_rank))

    def all_gather_single_coalesced(
        self, outputs: Sequence[Tensor], inputs: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Gather several tensors, each into one."""
        works = [self.all_gather_single(o, i) for o, i in zip(outputs, inputs, strict=True)]
        return self._begun(_OP.ALLGATHER_COALESCED, outputs, together([w._pending for w in works]))

    allgather_into_tensor_coalesced = all_gather_single_coalesced

    def gather(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write the tensor of each into a list of the root."""
        tensor = _one(input_tensors)
        root = opts if isinstance(opts, int) else opts.rootRank if opts is not None else 0
        _root("gather", root, self.size())
        outputs = None
        if self.rank() == root:
            outputs = output_tensors if isinstance(input_tensors, Tensor) else output_tensors[0]
            if len(outputs) != self.size():
                raise RuntimeError(
                    f"ProcessGroupGloo::gather: Incorrect output list size {len(outputs)}. Output "
                    f"list size should be {self.size()}, same as size of the process group."
                )
            _like("gather", outputs, tensor)
        return self._begun(_OP.GATHER, outputs or (), self.engine.gather(outputs, tensor, root))

    def scatter(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write each of the root's tensors into that of its rank."""
        output = _one(output_tensors)
        root = opts if isinstance(opts, int) else opts.rootRank if opts is not None else 0
        _root("scatter", root, self.size())
        inputs = None
        if self.rank() == root:
            inputs = input_tensors if isinstance(output_tensors, Tensor) else input_tensors[0]
            if len(inputs) != self.size():
                raise RuntimeError(
                    f"ProcessGroupGloo::scatter: Incorrect input list size {len(inputs)}. Input "
                    f"list size should be {self.size()}, same as size of the process group."
                )
            _like("scatter", inputs, output)
        return self._begun(_OP.SCATTER, [output], self.engine.scatter(output, inputs, root))

    def reduce_scatter(
        self, output_tensors: Any, input_tensors: Any, opts: Any = None, timeout: Any = None
    ) -> Work:
        """Write the reduction of all lists, each part to its rank."""
        output = _one(output_tensors)
        inputs = input_tensors if isinstance(output_tensors, Tensor) else input_tensors[0]
        if len(inputs) != self.size():
            raise RuntimeError("invalid input tensor list size, must be world size")
        op = _reducible(output, self._op(opts, None))
        return self._begun(
            _OP.REDUCE_SCATTER, [output], self.engine.reduce_scatter(output, inputs, op)
        )

    def reduce_scatter_single(
        self, outputTensor: Tensor, inputTensor: Tensor, opts: Any = None
    ) -> Work:
        """Reduce a tensor of all, each part to its rank."""
        have, want = inputTensor.shape, outputTensor.shape
        if have and want and want[0] * self.size() != have[0]:
            raise RuntimeError(
                "Check failed: outputShape[0] * worldSize == inputShape[0] "
                f"({want[0] * self.size()} vs. {have[0]}). "
            )
        parts = list(inputTensor.detach().reshape(-1).chunk(self.size()))
        op = _reducible(outputTensor, self._op(opts, None))
        pending = self.engine.reduce_scatter(outputTensor.detach().view(-1), parts, op)
        return self._begun(_OP._REDUCE_SCATTER_BASE, [outputTensor], pending)

    _reduce_scatter_base = reduce_scatter_single

    def reduce_scatter_single_coalesced(
        self, outputs: Sequence[Tensor], inputs: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Reduce several tensors of all."""
        works = [self.reduce_scatter_single(o, i, opts) for o, i in zip(outputs, inputs)]
        pending = together([w._pending for w in works])
        return self._begun(_OP.REDUCE_SCATTER_TENSOR_COALESCED, outputs, pending)

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
        size = self.size()
        for sizes, x in ((output_split_sizes, output), (input_split_sizes, input)):
            if sizes:
                if len(sizes) != size:
                    raise RuntimeError("Number of tensor splits not equal to group size")
                if sum(sizes) != x.shape[0]:
                    raise RuntimeError("Split sizes doesn't match total dim 0 size")
            elif x.shape[0] % size:
                raise RuntimeError("Tensor's dim 0 does not divide equally across group size")

        def parts(x: Tensor, sizes: Sequence[int]) -> list[Tensor]:
            return list(x.detach().split(list(sizes) or [x.shape[0] // size] * size))

        if output.numel() != input.numel() and size == 1:
            raise RuntimeError("[enforce fail] in->size == out->size. ")
        pending = self.engine.all_to_all(
            parts(output, output_split_sizes), parts(input, input_split_sizes)
        )
        return self._begun(_OP.ALLTOALL_BASE, [output], pending)

    alltoall_base = all_to_all_single

    def alltoall(
        self, output_tensors: Sequence[Tensor], input_tensors: Sequence[Tensor], opts: Any = None
    ) -> Work:
        """Send each of some tensors to its rank."""
        for name, tensors in (("input", input_tensors), ("output", output_tensors)):
            if len(tensors) != self.size():
                raise RuntimeError(
                    f"ProcessGroupGloo::alltoall: {name} tensor list size {len(tensors)} does not "
                    f"match world size {self.size()}"
                )
        if self.name() == "gloo":  # others take tensors that differ
            for tensors in (input_tensors, output_tensors):
                _like("alltoall", tensors, tensors[0])
        pending = self.engine.all_to_all(output_tensors, input_tensors)
        return self._begun(_OP.ALLTOALL, output_tensors, pending)

    def send(self, tensors: Sequence[Tensor], dstRank: int, tag: int) -> Work:
        """Send a tensor."""
        return self._begun(_OP.SEND, tensors, self.engine.send(_one(tensors), dstRank, tag))

    def recv(self, tensors: Sequence[Tensor], srcRank: int, tag: int) -> Work:
        """Receive a tensor."""
        return self._begun(_OP.RECV, tensors, self.engine.receive(_one(tensors), srcRank, tag))

    def recv_anysource(self, arg0: Sequence[Tensor], arg1: int) -> Work:
        """Receive a tensor of anybody."""
        return self._begun(_OP.RECVANYSOURCE, arg0, self.engine.receive(_one(arg0), None, arg1))

    def barrier(self, opts: Any = None, timeout: Any = None) -> Work:
        """Wait for everybody."""
        return self._begun(_OP.BARRIER, (), self.engine.barrier())

    def monitored_barrier(
        self, timeout: timedelta | None = None, wait_all_ranks: bool = False
    ) -> None:
        """Wait for everybody, no longer than *timeout*; the first process says who did not come.

        Raises RuntimeError that names one of them, or all if *wait_all_ranks*.
        """
        if self.size() > 1:
            meet(self.engine, self.timeout if timeout is None else timeout, wait_all_ranks)

    def _start_coalescing(self, device_type: Any) -> None:
        raise RuntimeError(f"Backend {self.name()} does not implement startCoalescing")

    def _end_coalescing(self, device_type: Any) -> Work:
        raise RuntimeError(f"Backend {self.name()} does not implement endCoalescing")


living_in("mindtorch.distributed.distributed_c10d", ProcessGroup)
living_in("mindtorch._C._distributed_c10d", Backend)
