"""What a process group asks of those who carry tensors between processes.

:class:`Engine` is all that has to be written for another transport, MPI for one. It is small on
purpose: twelve calls on tensors. What torch has beyond them (coalesced
calls, calls on one large tensor, objects, subgroups, works, futures, argument errors) is made of
them in ``process_group.py`` and ``distributed_c10d.py``, once for all engines.

``docs/decisions/020-engines-of-process-groups.md`` says why it is cut so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ...tensor import Tensor

__all__ = ["Engine", "Pending"]


class Pending(Protocol):
    """A call that is under way: an ``MPI_Request``, for one."""

    def done(self) -> bool:
        """Whether it has ended; does not wait."""
        ...

    def wait(self, seconds: float | None) -> bool:
        """Wait until it has ended, no longer than *seconds*; whether it has.

        Raises what went wrong.
        """
        ...

    def expire(self, seconds: float) -> None:
        """Fail unless it has ended *seconds* from now."""
        ...

    def carry_on(self) -> None:
        """Let it go on while nobody waits for it."""
        ...

    def at_end(self, function: Callable[[], None]) -> None:
        """Call *function* once somebody notices the end, in whichever thread."""
        ...

    def when_done(self, function: Callable[[BaseException | None], None]) -> None:
        """Call *function* with what went wrong, or None, in another thread once it has ended."""
        ...


class Engine(Protocol):
    """The processes of one group and the ways of tensors between them.

    Ranks are those of the group. All processes of a group make the same calls in the same order.
    A call begins an exchange and returns at once what is pending, or None where it has ended
    already. Tensors must not be touched before the end. Results are written in place. Lists have
    :attr:`size` tensors of the shape and dtype of the tensor beside them, and roots are ranks of
    the group: the group has checked that. Strides may be any, so an engine that needs memory in
    one piece copies, and so does one whose :attr:`devices` a tensor is not on.
    """

    #: What :meth:`ProcessGroup.name` says.
    name: str

    @property
    def devices(self) -> Sequence[str]:
        """The types of device whose tensors may be given."""
        ...

    #: How long a call may take, in seconds; what is pending fails after it.
    timeout: float

    @property
    def rank(self) -> int:
        """The number of this process in the group."""
        ...

    @property
    def size(self) -> int:
        """How many processes the group has."""
        ...

    def broadcast(self, tensor: Tensor, root: int) -> Pending | None:
        """Write the tensor of *root* into that of everybody."""
        ...

    def all_reduce(self, tensor: Tensor, op: Any) -> Pending | None:
        """Write what reduction *op* (a ``ReduceOp``) makes of all tensors into each."""
        ...

    def reduce(self, tensor: Tensor, op: Any, root: int) -> Pending | None:
        """The same, for *root* alone."""
        ...

    def all_gather(self, outputs: Sequence[Tensor], tensor: Tensor) -> Pending | None:
        """Write the tensor of each rank into ``outputs[rank]`` of everybody."""
        ...

    def gather(self, outputs: Sequence[Tensor] | None, tensor: Tensor, root: int) -> Pending | None:
        """The same, for *root* alone; the others have no outputs."""
        ...

    def scatter(self, output: Tensor, inputs: Sequence[Tensor] | None, root: int) -> Pending | None:
        """Write ``inputs[rank]`` of *root* into the output of each; the others have no inputs."""
        ...

    def reduce_scatter(self, output: Tensor, inputs: Sequence[Tensor], op: Any) -> Pending | None:
        """Write what *op* makes of the ``inputs[rank]`` of all into the output of rank."""
        ...

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> Pending | None:
        """Write ``inputs[b]`` of rank a into ``outputs[a]`` of rank b; shapes may differ."""
        ...

    def send(self, tensor: Tensor, to: int, tag: int) -> Pending | None:
        """Send a tensor to one process; tags below 0 are those of groups themselves."""
        ...

    def receive(self, tensor: Tensor, source: int | None, tag: int) -> Pending | None:
        """Write what *source* has sent, or anybody if None; what is pending has a ``source``."""
        ...

    def barrier(self) -> Pending | None:
        """Wait for everybody."""
        ...

    def split(self, ranks: Sequence[int], name: str) -> Engine | None:
        """The engine of a group of *ranks*, which these call for; None outside of it."""
        ...

    def close(self) -> None:
        """Let go of what the system holds."""
        ...
