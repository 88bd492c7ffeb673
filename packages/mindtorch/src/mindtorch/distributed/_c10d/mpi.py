"""The engine of several processes: MPI, by mpi4py.

``docs/decisions/020-engines-of-process-groups.md`` says how it is begun and what ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import numpy as np

from ...aten import torch
from ...tensor import Tensor
from . import progress
from .exchange import Exchange
from .lifelines import Lifelines
from .mpi_memory import apart, joined, memory, numbers, parts
from .mpi_world import World, world
from .stores import PrefixStore, Store

__all__ = ["Mpi", "start"]

#: What gloo carries by collectives; what it lacks is refused in its name alone.
_GLOO = frozenset(
    getattr(torch, name)
    for name in (
        *("float16", "bfloat16", "float32", "float64", "bool"),
        *("int8", "uint8", "int32", "int64"),
    )
)
_BITWISE = ("BAND", "BOR", "BXOR")
#: The reductions of bools, which are bytes of 0 and 1.
_OF_BOOLS = {"SUM": "MAX", "PRODUCT": "MIN", "BAND": "MIN", "BOR": "MAX"}
_NAMES = {"AVG": "SUM", "PREMUL_SUM": "SUM", "PRODUCT": "PROD"}
#: What is carried and not reduced.
_COPIED = frozenset(
    getattr(torch, name)
    for name in (
        *("complex32", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
        *("float8_e8m0fnu", "float4_e2m1fn_x2"),
    )
)


class Mpi:
    """The processes of a group by their ranks in the world of MPI."""

    def __init__(
        self,
        name: str,
        world: World,
        members: Sequence[int],
        store: Store,
        lifelines: Lifelines,
        part: bool = False,
    ) -> None:
        self.name = name
        self.devices = ("cpu",)
        #: How long an exchange may take, in seconds.
        self.timeout = 1800.0
        self._world, self._members, self._store = world, list(members), store
        self._lifelines, self._part = lifelines, part
        self.size = len(members)
        self.rank = self._members.index(world.rank)
        self._mpi = world.mpi
        label = store._at("") if isinstance(store, PrefixStore) else ""
        self._label = label.encode().hex() or "-"
        self._mine = world.communicator(members, label)
        self._inner = world.communicator(members, f"{label} inner")
        self._error: Exception | None = None
        world.groups += 1
        self._open = True

    # What exchanges ask

    def lost(self, peers: Iterable[int] | None) -> int | None:
        """A member, by its rank in the group, that has ended or given up, and is among *peers*."""
        lines = self._lifelines
        gone = lines.lost | lines.gave_up.get(self._label, set())
        if not gone:
            return None
        watched = range(self.size) if peers is None else peers
        return next((p for p in watched if self._members[p] in gone), None)

    def give_up(self, error: Exception) -> None:
        """Refuse further calls: who has got what is not known. The others hear of it."""
        self._world.broken = True
        if self._error is None:
            self._error = error
            self._lifelines.give_up(self._label)

    # Calls

    @property
    def _comm(self) -> Any:
        """The communicator of the calling thread, see ``progress.py``."""
        self._world.check_process()
        if self._error is not None:
            raise RuntimeError(
                f"Application timeout caused pair closure: {self._error}"
            ) from self._error
        return self._inner if progress.here() else self._mine

    def _begun(self, request: Any, kept: Any, *backs: Any, size: int = 0) -> Exchange:
        """The exchange that ends with *request*; *backs* write its results, where there are."""
        writing = [back for back in backs if back is not None]

        def finish(_: Any) -> None:
            for back in writing:
                back()

        return Exchange(
            request, self, kept, finish if writing else None, seconds=self.timeout, size=size
        )

    def _carried(self, *tensors: Tensor) -> None:
        """Refuse dtypes that gloo lacks in its name."""
        if self.name == "gloo":
            for tensor in tensors:
                if tensor.dtype not in _GLOO:
                    raise RuntimeError("Invalid scalar type")

    def broadcast(self, tensor: Tensor, root: int) -> Exchange:
        """Write the tensor of *root* into that of everybody."""
        self._carried(torch.view_as_real(tensor) if tensor.is_complex() else tensor)
        data, back = memory(tensor)
        request = self._comm.Ibcast(data, root)
        return self._begun(request, data, back if self.rank != root else None, size=data.nbytes)

    def _reduction(self, op: Any, dtype: Any) -> tuple[str, Any]:
        """The name of *op*, and the reduction of MPI that it is of."""
        kind = getattr(op, "op", op).name
        if dtype in _COPIED:
            raise RuntimeError("Invalid scalar type")
        if kind in _BITWISE and (dtype.is_floating_point or dtype.is_complex):
            raise RuntimeError(f"Cannot use ReduceOp.{kind} with non-integral dtype")
        if dtype.is_complex and kind in ("MIN", "MAX"):
            raise RuntimeError(f"Cannot use ReduceOp.{kind} with complex dtype")
        if kind == "PREMUL_SUM" and self.name == "gloo":
            raise RuntimeError("Cannot use ReduceOp.PREMUL_SUM with Gloo")
        if kind == "AVG" and not (dtype.is_floating_point or dtype.is_complex):
            name = {torch.bool: "Bool", torch.uint8: "Byte", torch.int8: "Char"}.get(dtype)
            name = name or {torch.int16: "Short", torch.int32: "Int"}.get(dtype, "Long")
            raise RuntimeError(f"result type Float can't be cast to the desired output type {name}")
        name = _NAMES.get(kind, kind)
        if dtype is torch.bool:
            name = _OF_BOOLS.get(kind, name)
        return kind, getattr(self._mpi, name)

    def _reduced(self, array: np.ndarray[Any, Any], kind: str, op: Any) -> np.ndarray[Any, Any]:
        """What is given to MPI of *array*."""
        if kind != "PREMUL_SUM":
            return array
        factor = op._factor
        if isinstance(factor, Tensor):
            factor = factor.detach().cpu().numpy()
        return np.multiply(array, factor).astype(array.dtype)

    def _average(self, array: np.ndarray[Any, Any], kind: str) -> Any:
        """What divides a sum where *kind* is the average."""
        if kind != "AVG":
            return None
        return lambda: np.divide(array, self.size, out=array)

    def all_reduce(self, tensor: Tensor, op: Any) -> Exchange:
        """Write what reduction *op* makes of all tensors into each."""
        self._carried(tensor)
        kind, reduction = self._reduction(op, tensor.dtype)
        comm = self._comm
        data, back = numbers(tensor)
        if kind == "PREMUL_SUM":
            scaled = self._reduced(data, kind, op)
            request = comm.Iallreduce(scaled, data, reduction)
        else:
            scaled, request = None, comm.Iallreduce(self._mpi.IN_PLACE, data, reduction)
        return self._begun(
            request, (data, scaled), self._average(data, kind), back, size=2 * data.nbytes
        )

    def reduce(self, tensor: Tensor, op: Any, root: int) -> Exchange:
        """The same, for *root* alone."""
        self._carried(tensor)
        kind, reduction = self._reduction(op, tensor.dtype)
        comm = self._comm
        data, back = numbers(tensor)
        given = self._reduced(data, kind, op)
        if self.rank != root:
            return self._begun(comm.Ireduce(given, None, reduction, root), given, size=data.nbytes)
        if given is data:
            request = comm.Ireduce(self._mpi.IN_PLACE, data, reduction, root)
        else:
            request = comm.Ireduce(given, data, reduction, root)
        return self._begun(
            request, (data, given), self._average(data, kind), back, size=data.nbytes
        )

    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> Exchange:
        """Write the tensor of each rank into ``outputs[rank]`` of everybody."""
        self._carried(tensor)
        comm = self._comm
        data, _ = memory(tensor)
        arrays, backs = zip(*map(memory, outputs))
        whole, spread = joined(arrays)
        data = apart(data, whole)
        request = comm.Iallgather(data, whole)
        return self._begun(request, (data, whole), spread, *backs, size=whole.nbytes)

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> Exchange:
        """The same, for *root* alone; the others have no outputs."""
        self._carried(tensor)
        comm = self._comm
        data, _ = memory(tensor)
        if outputs is None:
            return self._begun(comm.Igather(data, None, root), data, size=data.nbytes)
        arrays, backs = zip(*map(memory, outputs))
        whole, spread = joined(arrays)
        data = apart(data, whole)
        request = comm.Igather(data, whole, root)
        return self._begun(request, (data, whole), spread, *backs, size=whole.nbytes)

    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> Exchange:
        """Write ``inputs[rank]`` of *root* into the output of each; the others have no inputs."""
        self._carried(output)
        comm = self._comm
        data, back = memory(output)
        whole = None if inputs is None else parts([memory(each)[0] for each in inputs])
        whole = None if whole is None else apart(whole, data)
        request = comm.Iscatter(whole, data, root)
        return self._begun(request, (data, whole), back, size=data.nbytes * self.size)

    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> Exchange:
        """Write what *op* makes of the ``inputs[rank]`` of all into the output of rank."""
        self._carried(output)
        kind, reduction = self._reduction(op, output.dtype)
        comm = self._comm
        data, back = numbers(output)
        whole = parts([numbers(each)[0].reshape(-1) for each in inputs])
        whole = apart(self._reduced(whole, kind, op), data)
        request = comm.Ireduce_scatter_block(whole, data, reduction)
        return self._begun(
            request, (data, whole), self._average(data, kind), back, size=whole.nbytes
        )

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> Exchange:
        """Write ``inputs[b]`` of rank a into ``outputs[a]`` of rank b; shapes may differ."""
        self._carried(*outputs, *inputs)
        comm = self._comm
        given = [memory(each)[0] for each in inputs]
        arrays, backs = zip(*map(memory, outputs))
        source = parts(given)
        whole, spread = joined(arrays)
        source = apart(source, whole)
        request = comm.Ialltoallv(
            [source, [a.nbytes for a in given]], [whole, [a.nbytes for a in arrays]]
        )
        return self._begun(request, (source, whole), spread, *backs, size=whole.nbytes)

    def _tag(self, tag: int) -> int:
        """The tag of MPI; those below 0, of groups themselves, are the highest there are."""
        if tag >= self._world.tags - 16:
            raise RuntimeError(f"tag must be below {self._world.tags - 16}, got {tag}")
        return tag if tag >= 0 else self._world.tags + tag

    def _in_one_piece(self, tensor: Tensor) -> None:
        if self.name == "gloo" and not tensor.is_contiguous():
            raise RuntimeError("input tensor has to be contiguous")

    def send(self, tensor: Tensor, to: int, tag: int) -> Exchange:
        """Send a tensor to one process."""
        self._in_one_piece(tensor)
        comm = self._comm
        data, _ = memory(tensor)
        request = comm.Isend(data, to, self._tag(tag))
        return Exchange(
            request, self, data, peers=[to], sends=True, seconds=self.timeout, size=data.nbytes
        )

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> Exchange:
        """Write what *source* has sent, or anybody if None; what is pending has a ``source``."""
        self._in_one_piece(tensor)
        comm = self._comm
        data, back = memory(tensor)
        status = self._mpi.Status()
        sender = self._mpi.ANY_SOURCE if source is None else source
        request = comm.Irecv(data, sender, self._tag(tag))

        def finish(exchange: Exchange) -> None:
            exchange.source = status.Get_source()
            came = status.Get_count(self._mpi.BYTE)
            if came != data.nbytes:
                raise RuntimeError(
                    f"received {came} bytes of rank {exchange.source} for a tensor of "
                    f"{data.nbytes} bytes"
                )
            if back is not None:
                back()

        return Exchange(
            request,
            self,
            (data, status),
            finish,
            status=status,
            peers=None if source is None else [source],
            seconds=self.timeout,
            size=data.nbytes,
        )

    def barrier(self) -> Exchange:
        """Wait for everybody."""
        return self._begun(self._comm.Ibarrier(), None)

    # Groups

    def split(self, ranks: Sequence[int], name: str) -> Mpi | None:
        """The engine of a group of *ranks*, which these call for; None outside of it."""
        if self.rank not in ranks:
            return None
        # MPI waits without end for those who do not come to make a communicator.
        part = PrefixStore(f"split/{name}", self._store)
        part.barrier("here", len(ranks), timedelta(seconds=self.timeout))
        members = [self._members[r] for r in ranks]
        return Mpi(self.name, self._world, members, part, self._lifelines, part=True)

    def close(self) -> None:
        """Let go of the communicators."""
        if not self._open:
            return
        self._open = False
        self._world.groups -= 1
        if sys.exc_info()[1] is not None:
            self._world.broken = True  # it fails: the others need not come to its end
        if self._error is None:
            self._error = RuntimeError("the process group was destroyed")
            self._mine.Free()
            self._inner.Free()
        if not self._part:
            self._lifelines.cut()


def start(backend: str, store: Store, rank: int, world_size: int) -> Mpi:
    """The engine for *world_size* processes that *store* connects, of which this is *rank*.

    Raises RuntimeError, in words, where MPI is missing or cannot connect these processes.
    """
    timeout = store.timeout
    found = world(store, rank, world_size, timeout)
    members = found.members(store, rank, world_size, timeout)
    lifelines = Lifelines(store, rank, members, timeout)
    return Mpi(backend, found, members, store, lifelines)
