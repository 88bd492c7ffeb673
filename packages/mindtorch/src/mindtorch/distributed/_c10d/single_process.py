"""The engine of a group of one: everything is there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_storage import ACCELERATOR

from ...tensor import Tensor

__all__ = ["SingleProcess"]


def _copy(output: Tensor, source: Tensor) -> None:
    if output is not source:
        with no_grad():
            output.copy_(source)


class SingleProcess:
    """The one process of its group. Every exchange ends when it begins."""

    rank = 0
    size = 1

    def __init__(self, name: str) -> None:
        self.name = name
        self.timeout = 1800.0
        self.devices = ("cpu", ACCELERATOR, "meta")

    def broadcast(self, tensor: Tensor, root: int) -> None:
        """What the root has is here."""

    def all_reduce(self, tensor: Tensor, op: Any) -> None:
        """All reductions of one value are that value, but that which multiplies it first."""
        factor = getattr(op, "_factor", None)
        if factor is not None:
            with no_grad():
                tensor.mul_(factor)

    def reduce(self, tensor: Tensor, op: Any, root: int) -> None:
        """As for all."""
        self.all_reduce(tensor, op)

    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> None:
        """Copy the tensor."""
        _copy(outputs[0], tensor)

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> None:
        """Copy the tensor."""
        assert outputs is not None
        _copy(outputs[0], tensor)

    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> None:
        """Copy the tensor."""
        assert inputs is not None
        _copy(output, inputs[0])

    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> None:
        """Copy the tensor."""
        _copy(output, inputs[0])
        self.all_reduce(output, op)

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
        """Copy the tensor."""
        _copy(outputs[0], inputs[0])

    def _alone(self) -> RuntimeError:
        return RuntimeError("Pair is not connected: a process has no connection to itself")

    def send(self, tensor: Tensor, to: int, tag: int) -> None:
        """There is nobody else."""
        raise self._alone()

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> None:
        """There is nobody else."""
        raise self._alone()

    def barrier(self) -> None:
        """Everybody is here."""

    def split(self, ranks: Sequence[int], name: str) -> SingleProcess | None:
        """Another group of one."""
        return SingleProcess(self.name) if 0 in ranks else None

    def close(self) -> None:
        """Nothing is held."""
