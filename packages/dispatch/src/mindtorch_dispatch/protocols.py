"""What this package asks of the values it is handed. It never asks what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .keys import DispatchKey

__all__ = ["DeviceLike", "OpSource", "TensorLike"]


class DeviceLike(Protocol):
    """A device: ``type`` is ``"cpu"``, ``"meta"``…"""

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
