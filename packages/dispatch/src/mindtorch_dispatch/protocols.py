"""What this package asks of the values it is handed. It never asks what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .keys import DispatchKey
    from .pipeline import Entry

__all__ = ["DeviceLike", "Executor", "OpSource", "Pending", "TensorLike"]


class DeviceLike(Protocol):
    """A device: ``type`` is ``"cpu"``, ``"npu"``, ``"meta"``…"""

    @property
    def type(self) -> str:
        """The kind of device, without an index."""
        ...


class TensorLike(Protocol):
    """A value whose device and need for gradients decide how a call is dispatched."""

    @property
    def device(self) -> DeviceLike | str:
        """Where the numbers live."""
        ...

    @property
    def requires_grad(self) -> bool:
        """Whether autograd records what happens to it."""
        ...


class OpSource(Protocol):
    """Tells schema and kernels of one op when they are first asked for."""

    @property
    def schema_text(self) -> str:
        """The schema with its qualified name."""
        ...

    def kernels(self) -> Iterable[tuple[DispatchKey, Callable[..., Any]]]:
        """Keys and kernels, each to be called ``fn(op, keyset, args, kwargs)``."""
        ...


class Pending(Protocol):
    """Something whose content a pipeline entry will write (a storage)."""

    #: The entry that writes it last; None when its content is there.
    pending: Any


class Executor(Protocol):
    """Runs recorded entries, in any way that gives what program order would give."""

    def __call__(self, entries: list[Entry], /) -> object:
        """Execute *entries*, which are in program order.

        May call ``entry.finish()`` as results come in; the rest is finished when it returns. If it
        raises, entries not finished get the error; the one to blame is the first whose ``error``
        it set, else the first that is not done.
        """
        ...
