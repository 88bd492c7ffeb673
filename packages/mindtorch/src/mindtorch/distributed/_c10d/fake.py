"""An engine that carries nothing: for programs that want to see one rank of many run.

Shapes are right and numbers are not: whoever receives has what it would send itself. A program that
asks for another engine has this one, too, where the variable ``MINDTORCH_DISTRIBUTED`` is ``fake``:
so one process plans the memory of one rank.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_storage import ACCELERATOR

from ...aten import torch
from ...tensor import Tensor
from .durations import Duration
from .stores import DistStoreError, HashStore

__all__ = ["FakeProcesses", "LoneStore", "nobody_else", "others_are_imagined"]


def others_are_imagined() -> bool:
    """Whether the environment says that all processes but this one are imagined."""
    return os.environ.get("MINDTORCH_DISTRIBUTED") == "fake"


def nobody_else(group: Any) -> bool:
    """Whether all that *group* carries comes from this process.

    What processes tell each other of themselves is then known without asking, and is not asked: a
    program that is planned reads no numbers from accelerators.
    """
    return bool(group.size() == 1) or others_are_imagined()


class LoneStore(HashStore):
    """The store of a process whose peers are imagined: nobody else will ever write to it."""

    def wait(self, keys: Sequence[str], timeout: Duration | None = None) -> None:
        """Raise DistStoreError at once unless all *keys* are there."""
        if not self.check(keys):
            missing = next(key for key in keys if not self.check([key]))
            raise DistStoreError(
                f"Wait timeout: only this process runs, and it has not set {missing!r}"
            )


class FakeProcesses:
    """One of *size* processes, of which the others are imagined. Every exchange ends at once.

    Raises RuntimeError for a *rank* that no such process has.
    """

    name = "fake"
    devices = ("cpu", ACCELERATOR, "meta")

    def __init__(self, rank: int, size: int) -> None:
        if rank >= size:
            raise RuntimeError(
                f"Cannot init process group where rank ({rank}) >= world_size ({size})"
            )
        self.rank, self.size = rank, size
        self.timeout = 1800.0

    def broadcast(self, tensor: Tensor, root: int) -> None:
        """Leave the tensor."""

    def all_reduce(self, tensor: Tensor, op: Any) -> None:
        """Leave the tensor."""

    def reduce(self, tensor: Tensor, op: Any, root: int) -> None:
        """Leave the tensor."""

    @no_grad()
    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> None:
        """Write the tensor of this process for everybody's."""
        for output in outputs:
            output.copy_(tensor)

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> None:
        """The same, for *root*."""
        if outputs is not None:
            self.all_gather(outputs, tensor)

    @no_grad()
    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> None:
        """Write what the root has for itself; others receive nothing."""
        if inputs is not None:
            output.copy_(inputs[self.rank])

    @no_grad()
    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> None:
        """Write what this process has for itself, not reduced."""
        output.copy_(inputs[self.rank])

    @no_grad()
    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
        """Write what goes to a process for what comes from it; for parts of other sizes, as much
        of all that is sent as fits.
        """
        if all(out.shape == given.shape for out, given in zip(outputs, inputs, strict=True)):
            for output, given in zip(outputs, inputs, strict=True):
                output.copy_(given)
            return
        sent = torch.cat([given.reshape(-1) for given in inputs])
        for output in outputs:
            count = min(output.numel(), sent.numel())
            output.reshape(-1)[:count].copy_(sent[:count])

    def send(self, tensor: Tensor, to: int, tag: int) -> None:
        """Send nothing."""

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> None:
        """Receive nothing."""

    def barrier(self) -> None:
        """Nobody is waited for."""

    def split(self, ranks: Sequence[int], name: str) -> FakeProcesses | None:
        """This process among those of *ranks*; None where it is not one of them."""
        if self.rank not in ranks:
            return None
        return FakeProcesses(list(ranks).index(self.rank), len(ranks))

    def close(self) -> None:
        """Nothing is held."""
